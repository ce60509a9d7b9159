//! Finding a way: the straight one, then one planner after the other, and the proof of what is found.

use super::directions::directions;
use super::plane::{self, Plane, PlaneLimits};
use super::prove::{InsideDoubt, Proof, pieces, prove};
use super::shorten::shorten;
use super::space::{Illegal, Probe, Space};
use super::way::{self, Leg, TurnFirst, connection};
use super::{Outcome, Task, detours, sampling};
use freiraum_check::words;
use freiraum_geometry::Unit;
use freiraum_geometry::Vec3;
use freiraum_geometry::path::Axis;
use freiraum_geometry::tolerance::SAME_POSE;
use freiraum_motion::fit::ErosionCache;
use freiraum_motion::{CancelToken, MotionError, Movable};
use freiraum_scene::{Piece, PlannerChoice, Travel};
use std::ops::ControlFlow;

/// How to look for a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FindOptions {
    /// Which planner; `None` to try them one after the other.
    pub planner: Option<PlannerChoice>,
    /// Chooses among the ways that chance can lead to; the same seed finds the same way.
    pub seed: u64,
    /// How many placements and motions may be looked at, all planners together; the one in the plane has limits of its own.
    pub budget: u64,
    /// The plane for the planner in the plane; `None` to take those that suggest themselves.
    pub plane: Option<Plane>,
}

impl Default for FindOptions {
    fn default() -> FindOptions {
        FindOptions { planner: None, seed: 0, budget: 400_000, plane: None }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Who is looking.
    pub planner: PlannerChoice,
    /// Placements and motions that were looked at.
    pub checks: u64,
    /// How many may be.
    pub budget: u64,
}

/// What was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// The way, or that there is none.
    pub outcome: Outcome,
    /// The same way as pieces of a path, with their shares of the time; empty if there is none.
    pub pieces: Vec<Piece>,
    /// Joint values of a robot from the start to the goal, with straight lines in between; empty for bodies, and if there is no way.
    pub joints: Vec<Vec<f64>>,
    /// Who found it; `None` for the straight way, and if nobody did.
    pub planner: Option<PlannerChoice>,
    /// How far the middle of the group goes, or the tool centre point of a robot, in metres.
    pub length: f64,
    /// How close it comes to what it does not touch at the start or at the goal, in metres; `None` if nothing else is there.
    pub clearance: Option<f64>,
    /// Placements and motions that were looked at.
    pub checks: u64,
    /// Without a way: a pair that kept a way from being proven because inside and outside of one of the two
    /// cannot be told.
    pub doubt: Option<InsideDoubt>,
}

impl Found {
    /// Who found it, for people: the name of the planner, `straight`, or `joints` for a robot.
    pub fn by(&self) -> &'static str {
        if self.joints.is_empty() { self.planner.map_or("straight", name) } else { "joints" }
    }

    pub(super) fn nothing(outcome: Outcome, checks: u64) -> Found {
        Found {
            outcome,
            pieces: Vec::new(),
            joints: Vec::new(),
            planner: None,
            length: 0.0,
            clearance: None,
            checks,
            doubt: None,
        }
    }
}

/// Looks for a way: first the straight one, then by the planners in their order, unless one is chosen.
///
/// `progress` is told now and then how far it is, and may end the search. **Guarantee.** A path is proven on the whole, as the check of a plan
/// does it. The same seed and budget give the same answer on any number of threads. [`Outcome::NoPath`] is certain; it is said if start or goal overlap
/// something, or by the planner in the plane if that was chosen.
/// **Errors.** Poses too far out, allowances thicker than a part ([`Rule::if_thin`](super::Rule::if_thin)).
pub fn find(
    task: &Task,
    options: &FindOptions,
    progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Found, MotionError> {
    let number = |obstacle: usize| format!("obstacle {}", obstacle + 1);
    let terms = Terms { name_of: &number, units: Unit::Metre };
    find_with(task, options, &ErosionCache::default(), &terms, &CancelToken::new(), progress)
}

/// How a search speaks of what is in the way.
pub(crate) struct Terms<'t> {
    /// The name of an obstacle in a sentence.
    pub(crate) name_of: &'t dyn Fn(usize) -> String,
    /// The unit of lengths.
    pub(crate) units: Unit,
}

/// As [`find`], with bodies that were made smaller before, and names for obstacles.
pub(crate) fn find_with(
    task: &Task,
    options: &FindOptions,
    cache: &ErosionCache,
    terms: &Terms,
    cancel: &CancelToken,
    progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Found, MotionError> {
    let stopped = || Ok(Found::nothing(Outcome::GaveUp("stopped".to_owned()), 0));
    match search(task, options, cache, terms, cancel, progress) {
        Err(MotionError::Cancelled) => stopped(),
        // What a search says that was ended is not worth anything, unless it has found and proven a way.
        Ok(found) if cancel.is_cancelled() && !matches!(found.outcome, Outcome::Path(_)) => stopped(),
        found => found,
    }
}

/// Why a state is not legal, with the measures that help: how deep bodies overlap and what would let them, or
/// how close they are.
fn forbidden(task: &Task, illegal: Illegal, terms: &Terms) -> Result<String, MotionError> {
    let (state, lead, moving, obstacle) = match illegal {
        Illegal::Start { moving, obstacle } => ("start", task.start, moving, obstacle),
        Illegal::Goal { moving, obstacle } => ("goal", task.goal, moving, obstacle),
    };
    let name = (terms.name_of)(obstacle);
    let (own, other, rule) = (&task.moving[moving], &task.obstacles[obstacle], &task.rules[moving][obstacle]);
    let a_from_b = (lead * own.pose).inverse() * other.pose;
    let [a, b] = [&own.body, &other.body].map(Movable::prepared);
    let length = |metres: f64| words::length(metres, terms.units);
    let distance = freiraum_query::distance(a, b, &a_from_b)?.distance;
    if distance > 0.0 {
        let required = length(rule.clearance);
        return Ok(format!("at the {state} it is {} from {name}; {required} is required", length(distance)));
    }
    let shift = freiraum_query::contact(a, b, &a_from_b)?.depth;
    if !(shift > 0.0 && shift.is_finite()) {
        return Ok(format!(
            "at the {state} it overlaps {name}, by more than the {} that are allowed",
            length(rule.allowance)
        ));
    }
    // Bodies that a shift takes apart have no point in common that is deeper than half of it below both
    // surfaces.
    let enough = words::rounded_up(shift, terms.units);
    Ok(format!(
        "at the {state} it overlaps {name}: a shift of {} takes them apart; the allowance is {}, one of about {enough} lets it stand there",
        length(shift),
        length(rule.allowance)
    ))
}

fn search(
    task: &Task,
    options: &FindOptions,
    cache: &ErosionCache,
    terms: &Terms,
    cancel: &CancelToken,
    progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Found, MotionError> {
    let space = Space::new(task, cache, cancel)?;
    let mut finder = Finder { task, space: &space, options, cache, checks: 0, doubt: None };
    let mut probe = Probe::new(&space, u64::MAX);
    if let Some(illegal) = probe.illegal()? {
        let said = forbidden(task, illegal, terms)?;
        return Ok(Found::nothing(Outcome::NoPath(said), probe.checks));
    }
    for order in [TurnFirst::Yes, TurnFirst::No] {
        let legs = connection(&task.start, &task.goal, space.center, order);
        if probe.are_free(&legs)
            && let Some(found) = finder.proven(&legs, None)?
        {
            return Ok(Found { checks: probe.checks, ..found });
        }
    }
    let mut said = Vec::new();
    if let Some(obstacle) = probe.first_on(&connection(&task.start, &task.goal, space.center, TurnFirst::Yes))
    {
        said.push(format!("the straight way is blocked by {}", (terms.name_of)(obstacle)));
    }
    finder.checks = probe.checks;
    let fits: Vec<[usize; 2]> = space.fits().collect();
    let cancel = &space.cancel;
    let hints = [directions(task, &task.start, &fits, cancel)?, directions(task, &task.goal, &fits, cancel)?];
    if matches!(options.planner, None | Some(PlannerChoice::Plane)) {
        let now = Progress { planner: PlannerChoice::Plane, checks: finder.checks, budget: options.budget };
        if progress(&now).is_break() {
            return Ok(Found::nothing(Outcome::GaveUp("stopped".to_owned()), finder.checks));
        }
        match finder.in_plane()? {
            Ok(found) => return Ok(found),
            // That there is none in a plane says nothing about other ways.
            Err(Outcome::NoPath(why)) if options.planner.is_some() => {
                let why = format!("{why}; only ways in a plane and without turns were asked for");
                return Ok(Found::nothing(Outcome::NoPath(why), finder.checks));
            }
            Err(Outcome::NoPath(why) | Outcome::GaveUp(why)) => said.push(format!("plane: {why}")),
            Err(Outcome::Path(_)) => {}
        }
    }
    for planner in [PlannerChoice::Detours, PlannerChoice::Sampling] {
        if options.planner.is_some_and(|chosen| chosen != planner) {
            continue;
        }
        if finder.checks >= options.budget {
            said.push(format!("{}: no budget left", name(planner)));
            continue;
        }
        let now = Progress { planner, checks: finder.checks, budget: options.budget };
        if progress(&now).is_break() {
            return Ok(Found::nothing(Outcome::GaveUp("stopped".to_owned()), finder.checks));
        }
        match finder.by(planner, &hints, progress)? {
            Ok(found) => return Ok(found),
            Err(why) => said.push(format!("{}: {why}", name(planner))),
        }
    }
    let nothing = Found::nothing(Outcome::GaveUp(said.join("; ")), finder.checks);
    Ok(Found { doubt: finder.doubt, ..nothing })
}

/// What a planner is called in files and messages.
pub fn name(planner: PlannerChoice) -> &'static str {
    match planner {
        PlannerChoice::Plane => "plane",
        PlannerChoice::Detours => "detours",
        PlannerChoice::Sampling => "sampling",
    }
}

struct Finder<'f> {
    task: &'f Task,
    space: &'f Space,
    options: &'f FindOptions,
    cache: &'f ErosionCache,
    checks: u64,
    /// Of the first way that could not be proven.
    doubt: Option<InsideDoubt>,
}

impl Finder<'_> {
    /// What the planner in the plane finds: a way, or why there is none.
    fn in_plane(&mut self) -> Result<Result<Found, Outcome>, MotionError> {
        let planes = match self.options.plane {
            Some(plane) => vec![plane],
            None => plane::planes(self.task),
        };
        let mut worst = None;
        for plane in planes.iter().take(PLANES) {
            match plane::plan_until(self.task, plane, &PlaneLimits::default(), self.cache, &self.space.cancel)
            {
                Outcome::Path(travels) => {
                    let mut legs: Vec<Leg> = Vec::with_capacity(travels.len());
                    for travel in travels {
                        let from = legs.last().map_or(self.task.start, |leg| leg.to);
                        legs.push(Leg::new(from, travel));
                    }
                    match self.proven(&legs, Some(PlannerChoice::Plane))? {
                        Some(found) => return Ok(Ok(found)),
                        None => {
                            worst = Some(Outcome::GaveUp("found a way that could not be proven".to_owned()))
                        }
                    }
                }
                // Certain only if it is so in all planes.
                Outcome::NoPath(why) => worst = worst.or(Some(Outcome::NoPath(why))),
                Outcome::GaveUp(why) => worst = Some(Outcome::GaveUp(why)),
            }
        }
        let none = || Outcome::GaveUp("start and goal differ by a rotation".to_owned());
        Ok(Err(worst.unwrap_or_else(none)))
    }

    /// What a planner finds, or why it finds nothing.
    fn by(
        &mut self,
        planner: PlannerChoice,
        hints: &[Vec<Vec3>; 2],
        progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Result<Found, String>, MotionError> {
        let left = self.options.budget - self.checks;
        let legs = match planner {
            PlannerChoice::Detours => {
                if way::angle(&self.task.start, &self.task.goal) > SAME_POSE {
                    return Ok(Err("start and goal differ by a rotation".to_owned()));
                }
                // Alone it may use all, before others only a part.
                let budget = if self.options.planner.is_some() { left } else { left.min(DETOURS_BUDGET) };
                let mut probe = Probe::new(self.space, budget);
                let legs = detours::plan(&mut probe, &hints[0], &hints[1], self.options.seed);
                self.checks += probe.checks;
                legs
            }
            _ => {
                let hints = [&hints[0][..], &hints[1][..]];
                let (legs, checks) = sampling::plan(self.space, hints, self.options.seed, left, progress);
                self.checks += checks;
                legs
            }
        };
        let Some(legs) = legs else {
            return Ok(Err(format!("found nothing, {} motions looked at", self.checks)));
        };
        let short = self.shortened(&legs);
        for legs in [&short, &legs] {
            if let Some(found) = self.proven(legs, Some(planner))? {
                return Ok(Ok(found));
            }
        }
        Ok(Err("found a way that could not be proven on the whole".to_owned()))
    }

    /// A shorter way that keeps away from obstacles where there is room, or one that is much shorter or simpler and does not.
    fn shortened(&mut self, legs: &[Leg]) -> Vec<Leg> {
        let tries = SHORTEN_TRIES + SHORTEN_TRIES_PER_LEG * legs.len();
        let wide = self.space.with_margin(MARGIN * self.space.radius);
        let mut best = legs.to_vec();
        for (pass, space) in [&wide, self.space].into_iter().enumerate() {
            let mut probe = Probe::new(space, SHORTEN_BUDGET);
            let next = shorten(&mut probe, best.clone(), tries, self.options.seed);
            self.checks += probe.checks;
            let length =
                |legs: &[Leg]| legs.iter().map(|leg| leg.length(space.center, space.weight())).sum::<f64>();
            let is_simpler = (next.len() as f64) < MUCH_SHORTER * best.len() as f64;
            if pass == 0 || is_simpler || length(&next) < MUCH_SHORTER * length(&best) {
                best = next;
            }
        }
        best
    }

    /// The way with its proof, if there is one.
    fn proven(&mut self, legs: &[Leg], planner: Option<PlannerChoice>) -> Result<Option<Found>, MotionError> {
        let legs = &clean(legs)[..];
        let travels: Vec<Travel> = legs.iter().map(|leg| leg.travel.clone()).collect();
        let lengths =
            |weight: f64| legs.iter().map(|leg| leg.length(self.space.center, weight)).collect::<Vec<_>>();
        let pieces = pieces(&travels, &lengths(self.space.weight()));
        let end = travels.iter().fold(self.task.start, |pose, travel| way::end(travel, &pose));
        let reach = 1.0_f64.max(self.space.size()).max(self.task.goal.translation().length());
        if self.space.distance(&end, &self.task.goal) > SAME_POSE * reach {
            return Ok(None);
        }
        let clearance = match prove(self.task, &pieces, self.cache, &self.space.cancel)? {
            Proof::Free { clearance } => clearance,
            Proof::Blocked(doubt) => {
                self.doubt = self.doubt.or(doubt);
                return Ok(None);
            }
        };
        Ok(Some(Found {
            outcome: Outcome::Path(travels),
            pieces,
            joints: Vec::new(),
            planner,
            length: lengths(0.0).iter().sum(),
            clearance,
            checks: self.checks,
            doubt: None,
        }))
    }
}

/// The same way without rounding in directions: components that are nothing but rounding are zero.
fn clean(legs: &[Leg]) -> Vec<Leg> {
    let zeroed = |v: Vec3| {
        Vec3::from_array(v.to_array().map(|x| if x.abs() < ROUNDING * v.length() { 0.0 } else { x }))
    };
    let mut out: Vec<Leg> = Vec::with_capacity(legs.len());
    for leg in legs {
        let from = out.last().map_or(leg.from, |leg| leg.to);
        let travel = match &leg.travel {
            Travel::Translate(by) => Travel::Translate(zeroed(*by)),
            Travel::Turn { axis, angle, advance } => {
                let axis = Axis::new(axis.point, zeroed(axis.direction)).unwrap_or(*axis);
                Travel::Turn { axis, angle: *angle, advance: *advance }
            }
            other => other.clone(),
        };
        out.push(Leg::new(from, travel));
    }
    out
}

/// Components of a direction below this share of it are rounding.
const ROUNDING: f64 = 4096.0 * f64::EPSILON;

/// What a way keeps clear where it can, as a share of the radius of the group.
const MARGIN: f64 = 1.0 / 32.0;

/// A way that keeps away from obstacles may be longer by the inverse of this factor.
const MUCH_SHORTER: f64 = 0.8;

/// Planes that are tried at most.
const PLANES: usize = 3;

/// Checks for detours if other planners come after them.
const DETOURS_BUDGET: u64 = 20_000;

/// Checks for making a way shorter.
const SHORTEN_BUDGET: u64 = 10_000;

/// Attempts to make a way shorter.
const SHORTEN_TRIES: usize = 200;

/// The same for each leg that it has.
const SHORTEN_TRIES_PER_LEG: usize = 10;
