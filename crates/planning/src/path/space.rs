//! The free space of a task: is a placement, a motion, a stretch of a line free?
//!
//! Made once per task. Pairs that touch at the start or at the goal, and pairs with an allowance, are looked at with eroded bodies,
//! by the rule of [`fit`](freiraum_motion::fit); all others as they are, and with their clearance. "Free" is proven; what is
//! undecided is not free.

use super::way::{self, Leg};
use super::{Placed, Task};
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::{Axis, Ball, Carried, Motion, Straight, UniformMotion};
use freiraum_geometry::tolerance::DISTANCE_RELATIVE;
use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_motion::fit::{ErosionCache, PairCheck, SearchPair};
use freiraum_motion::{
    CancelToken, ClearanceRequest, Limits, MotionError, MotionWorkspace, Movable, OverlapRequest, Verdict,
    clearance, free_between, overlap_intervals,
};
use freiraum_scene::Travel;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a task leaves free.
pub(crate) struct Space {
    pub(crate) start: Pose,
    pub(crate) goal: Pose,
    /// For every moving body its place beside the leading one.
    lead_from_body: Vec<Pose>,
    /// The ball around each moving body, in its own frame; `None` if it has no end.
    balls: Vec<Option<Ball>>,
    pairs: Vec<Pair>,
    /// The point that turns are made about unless there is a reason for another, in the frame of the leading body: in the middle of the group.
    pub(crate) center: Vec3,
    /// Radius of a ball around the group about that point, in metres.
    pub(crate) radius: f64,
    /// Around all obstacles that have an end, in the frame of the world.
    pub(crate) obstacles: Aabb,
    /// Ends every search in it.
    pub(crate) cancel: CancelToken,
}

/// A moving body and an obstacle.
#[derive(Clone)]
struct Pair {
    moving: usize,
    obstacle: usize,
    /// The bodies, eroded where contact is meant, and what they must keep.
    looked_at: SearchPair,
    world_from_obstacle: Pose,
    /// Around the obstacle and what it keeps clear, in the frame of the world; `None` if it has no end.
    bounds: Option<Aabb>,
}

/// Which of the two given states is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Illegal {
    Start { moving: usize, obstacle: usize },
    Goal { moving: usize, obstacle: usize },
}

impl Space {
    /// The space of a task. `cache` may be shared with others on the same bodies.
    pub(crate) fn new(task: &Task, cache: &ErosionCache, cancel: &CancelToken) -> Result<Space, MotionError> {
        let mut around = Aabb::EMPTY;
        for one in &task.moving {
            if let Some(bounds) = bounds_of(&one.body, &one.pose) {
                around = around.union(&bounds);
            }
        }
        let group = around.bounding_sphere();
        let ball = |one: &Placed| Some(one.body.prepared().bounds()?.bounding_sphere());
        let mut space = Space {
            start: task.start,
            goal: task.goal,
            lead_from_body: task.moving.iter().map(|one| one.pose).collect(),
            balls: task.moving.iter().map(ball).collect(),
            pairs: Vec::new(),
            center: group.center,
            radius: group.radius,
            obstacles: Aabb::EMPTY,
            cancel: cancel.clone(),
        };
        for obstacle in &task.obstacles {
            if let Some(bounds) = bounds_of(&obstacle.body, &obstacle.pose) {
                space.obstacles = space.obstacles.union(&bounds);
            }
        }
        for moving in 0..task.moving.len() {
            for obstacle in 0..task.obstacles.len() {
                if cancel.is_cancelled() {
                    return Err(MotionError::Cancelled);
                }
                if !task.rules[moving][obstacle].is_ignored {
                    let pair = Pair::of(task, moving, obstacle, cache, cancel)?;
                    space.pairs.push(pair);
                }
            }
        }
        // What is touched ends most motions, and at once.
        space.pairs.sort_by_key(|pair| !pair.looked_at.is_fit());
        Ok(space)
    }

    /// The same with at least this clearance to all that is not touched at the start or at the goal, in metres.
    pub(crate) fn with_margin(&self, margin: f64) -> Space {
        let mut pairs = self.pairs.clone();
        for pair in
            pairs.iter_mut().filter(|pair| !pair.looked_at.is_fit() && pair.looked_at.clearance < margin)
        {
            let more = margin - pair.looked_at.clearance;
            pair.looked_at.clearance = margin;
            pair.bounds = pair.bounds.map(|b| b.inflated(more));
        }
        let (lead_from_body, balls) = (self.lead_from_body.clone(), self.balls.clone());
        Space { pairs, lead_from_body, balls, cancel: self.cancel.clone(), ..*self }
    }

    /// Numbers of the obstacles that the moving ones touch at the start or at the goal, with those of the moving bodies.
    pub(crate) fn fits(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.pairs.iter().filter(|pair| pair.looked_at.is_fit()).map(|pair| [pair.moving, pair.obstacle])
    }

    /// Metres that a radian counts for when poses are compared: about what a point of the group moves.
    pub(crate) fn weight(&self) -> f64 {
        0.5 * self.radius
    }

    /// The size of all that is there, in metres.
    pub(crate) fn size(&self) -> f64 {
        let there = if self.obstacles.is_empty() { 0.0 } else { self.obstacles.size().length() };
        let way = self.start.translation().distance(self.goal.translation());
        there.max(way) + 2.0 * self.radius
    }

    /// How far apart two poses are.
    pub(crate) fn distance(&self, a: &Pose, b: &Pose) -> f64 {
        way::distance(a, b, self.center, self.weight())
    }

    /// Around the group at a pose, in the frame of the world.
    pub(crate) fn box_at(&self, pose: &Pose) -> Aabb {
        let middle = pose.transform_point(self.center);
        Aabb { min: middle, max: middle }.inflated(self.radius)
    }
}

/// The box of the box of a body in its place: a little larger than that of the body, and at once there.
pub(crate) fn bounds_of(body: &Movable, a_from_body: &Pose) -> Option<Aabb> {
    Some(placed(&body.prepared().bounds()?, a_from_body))
}

/// A box around a placed box with room for the rounding of what is computed from it: planners pass beside it.
fn placed(bounds: &Aabb, a_from_body: &Pose) -> Aabb {
    let placed = bounds.transformed(a_from_body);
    placed.inflated(rounding::coordinate(8.0 * placed.reach()))
}

impl Pair {
    fn of(
        task: &Task,
        moving: usize,
        obstacle: usize,
        cache: &ErosionCache,
        cancel: &CancelToken,
    ) -> Result<Pair, MotionError> {
        let rule = task.rules[moving][obstacle];
        let (one, other) = (&task.moving[moving], &task.obstacles[obstacle]);
        let (a, b) = (&one.body, &other.body);
        let still = UniformMotion::still(other.pose);
        let lead = Carried::new(Arc::new(Straight::new(task.start, task.goal)), one.pose);
        let check = PairCheck {
            bodies: [a, b],
            motions: [&lead, &still],
            allowance: rule.allowance,
            limits: Limits::default(),
        };
        let looked_at = check.for_search(rule.if_thin, |is_fit| rule.kept(is_fit), cache, cancel)?;
        // Outside of it nothing is near, if neither body is without end.
        let bounds = b.prepared().filled_bounds().filter(|_| !a.prepared().fills_beyond_bounds());
        let bounds = bounds.map(|bounds| placed(&bounds, &other.pose)).map(|bounds| {
            let more = looked_at.clearance + rounding::coordinate(8.0 * bounds.reach());
            Aabb { min: bounds.min - more, max: bounds.max + more }
        });
        Ok(Pair { moving, obstacle, looked_at, world_from_obstacle: other.pose, bounds })
    }
}

/// Asks a space, counts the questions and remembers who was in the way, and nothing else.
pub(crate) struct Probe<'s> {
    pub(crate) space: &'s Space,
    memory: MotionWorkspace,
    limits: Limits,
    /// Questions so far.
    pub(crate) checks: u64,
    /// No questions beyond this many; what is asked then is not free.
    pub(crate) budget: u64,
    /// All obstacles that ended a motion: without others every answer would be the same.
    pub(crate) ended_by: BTreeSet<usize>,
}

/// The motion of a body of the group.
enum BodyMotion {
    Uniform(UniformMotion),
    Carried(Carried),
}

impl BodyMotion {
    fn get(&self) -> &dyn Motion {
        match self {
            BodyMotion::Uniform(motion) => motion,
            BodyMotion::Carried(motion) => motion,
        }
    }
}

impl<'s> Probe<'s> {
    pub(crate) fn new(space: &'s Space, budget: u64) -> Probe<'s> {
        // General motions of large meshes are not worth waiting for: what is undecided is not free.
        let limits = Limits { budget: 1 << 20, ..Limits::default() };
        let mut memory = MotionWorkspace::default();
        memory.set_cancel(&space.cancel);
        Probe { space, memory, limits, checks: 0, budget, ended_by: BTreeSet::new() }
    }

    /// True when all questions are used up, or nobody waits for answers: then nothing is free.
    pub(crate) fn is_spent(&self) -> bool {
        self.checks >= self.budget || self.space.cancel.is_cancelled()
    }

    /// The first pair that is not free at a pose; `None` if all are.
    fn blocker_at(&mut self, lead: &Pose) -> Result<Option<[usize; 2]>, MotionError> {
        self.checks += 1;
        for pair in &self.space.pairs {
            if self.is_blocked(pair, lead, pair.looked_at.clearance)? {
                return Ok(Some([pair.moving, pair.obstacle]));
            }
        }
        Ok(None)
    }

    /// All pairs that are not free at a pose.
    pub(crate) fn blockers_at(&mut self, lead: &Pose) -> Result<Vec<[usize; 2]>, MotionError> {
        self.checks += 1;
        let mut found = Vec::new();
        for pair in &self.space.pairs {
            if self.is_blocked(pair, lead, pair.looked_at.clearance)? {
                found.push([pair.moving, pair.obstacle]);
            }
        }
        Ok(found)
    }

    fn is_blocked(&self, pair: &Pair, lead: &Pose, required: f64) -> Result<bool, MotionError> {
        // Many bodies are asked one after the other, and each may take milliseconds.
        if self.space.cancel.is_cancelled() {
            return Err(MotionError::Cancelled);
        }
        let body = *lead * self.space.lead_from_body[pair.moving];
        if let (Some(bounds), Some(there)) = (&pair.bounds, bounds_of(&pair.looked_at.bodies[0], &body))
            && !bounds.intersects(&there)
        {
            return Ok(false);
        }
        let a_from_b = body.inverse() * pair.world_from_obstacle;
        if required > 0.0 {
            let [a, b] = [&pair.looked_at.bodies[0], &pair.looked_at.bodies[1]].map(Movable::prepared);
            return Ok(freiraum_query::distance(a, b, &a_from_b)?.distance < required);
        }
        pair.looked_at.is_blocked_at(&a_from_b)
    }

    /// Whether the group is free at a pose of the leading body.
    pub(crate) fn is_free_at(&mut self, lead: &Pose) -> bool {
        !self.is_spent() && matches!(self.blocker_at(lead), Ok(None))
    }

    /// Whether start or goal is illegal, for certain.
    pub(crate) fn illegal(&mut self) -> Result<Option<Illegal>, MotionError> {
        self.checks += 2;
        for (lead, is_start) in [(self.space.start, true), (self.space.goal, false)] {
            for pair in &self.space.pairs {
                // Distances of round bodies are known to a millionth.
                if self.is_blocked(pair, &lead, pair.looked_at.clearance * (1.0 - DISTANCE_RELATIVE))? {
                    let Pair { moving, obstacle, .. } = *pair;
                    return Ok(Some(if is_start {
                        Illegal::Start { moving, obstacle }
                    } else {
                        Illegal::Goal { moving, obstacle }
                    }));
                }
            }
        }
        Ok(None)
    }

    /// Whether a motion is free as a whole.
    pub(crate) fn is_free(&mut self, leg: &Leg) -> bool {
        self.is_free_at(&leg.to) && self.free_share(leg, Question::All).0 >= 1.0
    }

    /// As [`is_free`](Self::is_free), and what is in the way; one of them if there are several.
    pub(crate) fn free_or_blocked(&mut self, leg: &Leg) -> Result<(), Blocked> {
        match self.blocker_at(&leg.to) {
            _ if self.is_spent() => return Err(Blocked::Unknown),
            Ok(None) => {}
            Ok(Some([_, obstacle])) => return Err(Blocked::By(obstacle)),
            Err(_) => return Err(Blocked::Unknown),
        }
        match self.free_share(leg, Question::All) {
            (share, _) if share >= 1.0 => Ok(()),
            (_, Some(obstacle)) => Err(Blocked::By(obstacle)),
            (_, None) => Err(Blocked::Unknown),
        }
    }

    /// Whether all of these motions are free, one after the other.
    pub(crate) fn are_free(&mut self, legs: &[Leg]) -> bool {
        legs.iter().all(|leg| self.is_free_at(&leg.to))
            && legs.iter().all(|leg| self.free_share(leg, Question::All).0 >= 1.0)
    }

    /// Up to which share a motion is free: 1 if all of it is, and what ends it. Any share up to `least` may stand for another such one; the larger it is,
    /// the less is asked.
    pub(crate) fn free_until(&mut self, leg: &Leg, least: f64) -> (f64, Option<usize>) {
        self.free_share(leg, Question::Until { least })
    }

    /// The obstacle that ends a motion first; `None` if it is free.
    pub(crate) fn first_blocker(&mut self, leg: &Leg) -> Option<usize> {
        self.checks += 1;
        let space = self.space;
        let mut first: Option<(f64, usize)> = None;
        for pair in space.pairs.iter().filter(|pair| space.may_meet(pair, leg)) {
            let until = self.pair_until(pair, leg, Question::Until { least: 0.0 }).unwrap_or(0.0);
            if until < first.map_or(1.0, |(earliest, _)| earliest) {
                first = Some((until, pair.obstacle));
            }
        }
        first.map(|(_, obstacle)| obstacle)
    }

    /// The same for motions one after the other.
    pub(crate) fn first_on(&mut self, legs: &[Leg]) -> Option<usize> {
        legs.iter().find_map(|leg| self.first_blocker(leg))
    }

    /// The share that is free, and the obstacle that ends it.
    fn free_share(&mut self, whole: &Leg, question: Question) -> (f64, Option<usize>) {
        if self.is_spent() {
            return (0.0, None);
        }
        self.checks += 1;
        let space = self.space;
        let is_all_or_nothing = question == Question::All;
        let least = match question {
            Question::All => ALMOST_ONE,
            Question::Until { least } => least,
        };
        // Where little accuracy is asked for, nobody is asked about what is known not to be free.
        let (mut free, mut ended_by, mut shorter) = (1.0, None, None);
        for pair in &space.pairs {
            let leg = shorter.as_ref().unwrap_or(whole);
            if !space.may_meet(pair, leg) {
                continue;
            }
            let question = if is_all_or_nothing {
                question
            } else {
                Question::Until { least: if shorter.is_some() { least / free } else { least } }
            };
            let until = self.pair_until(pair, leg, question).unwrap_or(0.0);
            // Of a shorter motion this is the share of what was left.
            let until = if shorter.is_some() { until * free } else { until };
            if until >= free {
                continue;
            }
            (free, ended_by) = (until, Some(pair.obstacle));
            if free <= least || is_all_or_nothing {
                break;
            }
            if least > 0.0 {
                shorter = Some(whole.part(free));
            }
        }
        self.ended_by.extend(ended_by);
        (free, ended_by)
    }

    fn pair_until(&mut self, pair: &Pair, leg: &Leg, question: Question) -> Result<f64, MotionError> {
        let still = UniformMotion::still(pair.world_from_obstacle);
        let motion = self.space.motion(pair.moving, leg);
        if pair.looked_at.clearance > 0.0 && question == Question::All {
            return Ok(f64::from(u8::from(self.is_kept(pair, leg)?)));
        }
        let until = match pair.looked_at.contact([motion.get(), &still], &self.limits, &mut self.memory)? {
            // Whether something is inside does not change on a way on which no surfaces meet: the check looks at the whole plan.
            Verdict::Free | Verdict::InsideUnknown { .. } => 1.0,
            Verdict::Contact(contact) => (contact.time - contact.time_error).clamp(0.0, ALMOST_ONE),
            Verdict::OverlapAtStart => 0.0,
            Verdict::Undecided { open } => open[0].clamp(0.0, ALMOST_ONE),
        };
        let Question::Until { least } = question else { return Ok(until) };
        if pair.looked_at.clearance == 0.0 || until <= least || (until >= 1.0 && self.is_kept(pair, leg)?) {
            return Ok(until);
        }
        if least > 0.0 && !self.is_kept(pair, &leg.part(least))? {
            return Ok(0.0);
        }
        // Where the clearance ends, to a few percent of the way.
        let (mut kept, mut lost) = (least, until);
        for _ in 0..CLEARANCE_HALVINGS {
            let middle = 0.5 * (kept + lost);
            if self.is_kept(pair, &leg.part(middle))? {
                kept = middle;
            } else {
                lost = middle;
            }
        }
        Ok(kept)
    }

    fn is_kept(&mut self, pair: &Pair, leg: &Leg) -> Result<bool, MotionError> {
        let still = UniformMotion::still(pair.world_from_obstacle);
        let motion = self.space.motion(pair.moving, leg);
        let mut request = ClearanceRequest::at_least(pair.looked_at.clearance);
        request.limits = self.limits;
        let [a, b] = &pair.looked_at.bodies;
        let found = clearance(a, motion.get(), b, &still, &request, &mut self.memory)?;
        Ok(found.is_kept == Some(true))
    }

    /// The free stretches of a translation, as shares of it, ascending. Clearances are not looked at: a pair that has to keep one counts as
    /// what touches.
    pub(crate) fn free_stretches(&mut self, from: &Pose, by: Vec3) -> Vec<[f64; 2]> {
        if self.is_spent() {
            return Vec::new();
        }
        self.checks += 1;
        let leg = Leg::new(*from, Travel::Translate(by));
        let mut found = Vec::new();
        let space = self.space;
        for pair in &space.pairs {
            if !space.may_meet(pair, &leg) {
                continue;
            }
            let still = UniformMotion::still(pair.world_from_obstacle);
            let motion = space.motion(pair.moving, &leg);
            let limits = pair.looked_at.limits(&self.limits);
            let request = OverlapRequest { resolution: 1.0 / 256.0, limits };
            let [a, b] = &pair.looked_at.bodies;
            match overlap_intervals(a, motion.get(), b, &still, &request, &mut self.memory) {
                Ok(intervals) => found.extend(intervals),
                Err(_) => return Vec::new(),
            }
        }
        free_between(&found)
    }
}

/// What is asked about a motion.
#[derive(Clone, Copy, PartialEq)]
enum Question {
    /// Is it free as a whole? Any share below 1 says that it is not.
    All,
    /// Up to where? Shares up to `least` are all the same.
    Until { least: f64 },
}

/// Why a motion is not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocked {
    /// This obstacle is in the way.
    By(usize),
    /// Too many questions, or none that could be answered.
    Unknown,
}

/// A share of a motion that is not free to its end.
const ALMOST_ONE: f64 = 1.0 - f64::EPSILON;

/// How often a stretch is halved to find where a clearance ends.
const CLEARANCE_HALVINGS: usize = 6;

impl Space {
    /// What a body of the group does.
    fn motion(&self, moving: usize, leg: &Leg) -> BodyMotion {
        let start = leg.from * self.lead_from_body[moving];
        match &leg.travel {
            Travel::Translate(by) => BodyMotion::Uniform(UniformMotion::translation(start, *by)),
            Travel::Turn { axis, angle, advance } => {
                BodyMotion::Uniform(UniformMotion::screw(start, *axis, *angle, *advance))
            }
            _ => {
                let lead = Arc::new(Straight::new(leg.from, leg.to));
                BodyMotion::Carried(Carried::new(lead, self.lead_from_body[moving]))
            }
        }
    }

    /// False if the boxes of the way and of the obstacle are apart.
    fn may_meet(&self, pair: &Pair, leg: &Leg) -> bool {
        let (Some(bounds), Some(ball)) = (&pair.bounds, &self.balls[pair.moving]) else { return true };
        let place = self.lead_from_body[pair.moving];
        let Some(start) = bounds_of(&pair.looked_at.bodies[0], &(leg.from * place)) else { return true };
        let swept = match &leg.travel {
            Travel::Translate(by) => start.union(&Aabb { min: start.min + *by, max: start.max + *by }),
            Travel::Turn { axis, angle, advance } => swept_turning(
                &leg.from.transform_point(place.transform_point(ball.center)),
                ball,
                axis,
                *angle,
                *advance,
            ),
            _ => {
                let motion = self.motion(pair.moving, leg);
                let more = motion.get().travel(ball, 0.0, 1.0);
                Aabb { min: start.min - more, max: start.max + more }
            }
        };
        bounds.intersects(&swept)
    }
}

/// Around a ball that turns.
fn swept_turning(center: &Vec3, ball: &Ball, axis: &Axis, angle: f64, advance: f64) -> Aabb {
    let turned = |share: f64| {
        UniformMotion::screw(Pose::from_translation(*center), *axis, angle * share, advance * share)
            .pose(1.0)
            .translation()
    };
    let (middle, end) = (turned(0.5), turned(1.0));
    // No point of the arc is farther from the nearest of three on it than a quarter of its length.
    let arc = (angle * axis.distance(*center)).hypot(advance);
    let more = ball.radius
        + 0.25 * arc * (1.0 + 8.0 * f64::EPSILON)
        + rounding::coordinate(8.0 * (center.abs().max_element() + ball.radius + arc));
    Aabb::of_points([center, &middle, &end]).inflated(more)
}

/// A box, or another one if it is empty.
pub(crate) fn bounds_or(bounds: &Aabb, other: &Aabb) -> Aabb {
    if bounds.is_empty() { *other } else { *bounds }
}
