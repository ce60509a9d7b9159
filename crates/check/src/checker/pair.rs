//! A pair of bodies during a step, asked with what is remembered.

use super::answers::Detail;
use super::memory::{CheckMemory, Key, Remembered};
use super::result::FindingKind;
use super::step_outcome::StepOutcome;
use crate::timeline::{Course, GripPhase, Mover, Sight, Stage};
use crate::words;
use freiraum_assets::ShapeCache;
use freiraum_geometry::path::Motion;
use freiraum_geometry::tolerance::{FREE_BOUND_RELATIVE_LARGE, NEAREST_RELATIVE};
use freiraum_geometry::{Aabb, Pose};
use freiraum_motion::approach::Kept;
use freiraum_motion::fit::{ErosionCache, IfThin, PairCheck};
use freiraum_motion::{CancelToken, Clearance, Limits, MotionError, MotionWorkspace, Movable};
use freiraum_scene::{Place, Problem, Requirement, Scene, Travel};
use std::cell::Cell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// Everything that pairs are asked with.
pub(crate) struct Pairs<'c> {
    pub(crate) scene: &'c Scene,
    pub(crate) parts: &'c ShapeCache,
    pub(crate) memory: &'c CheckMemory,
    pub(crate) bounds: &'c [Option<Aabb>],
    pub(crate) limits: Limits,
    /// Ends the check.
    pub(crate) cancel: CancelToken,
    pub(crate) counts: Counters,
    /// Pairs that were not known when they were first asked.
    pub(crate) new: Mutex<HashSet<Key>>,
}

/// What a check counts, from all threads.
#[derive(Default)]
pub(crate) struct Counters {
    /// Pairs that were asked whether they collide.
    pub(crate) tested: AtomicUsize,
    /// Those of them that were known from an earlier check.
    pub(crate) remembered: AtomicUsize,
    /// Pairs that boxes told apart.
    pub(crate) apart: AtomicUsize,
    /// Those of them whose distance was asked.
    pub(crate) measured: AtomicUsize,
}

/// Counts more of something.
pub(crate) fn count(counter: &AtomicUsize, more: usize) {
    counter.fetch_add(more, Ordering::Relaxed);
}

impl Pairs<'_> {
    /// The largest distance that any two bodies must keep, in metres.
    pub(crate) fn largest_clearance(&self) -> f64 {
        let rules = self.scene.pairs.iter().filter_map(|rule| rule.clearance);
        rules.fold(self.scene.clearance, f64::max)
    }
}

/// Two bodies of a stage; the first one moves, if any does.
pub(crate) struct Pair<'c> {
    pairs: &'c Pairs<'c>,
    stage: &'c Stage,
    pub(crate) bodies: [usize; 2],
    pub(crate) requirement: Requirement<'c>,
    /// The one grasps the other.
    pub(crate) is_grasped: bool,
    /// The one has released the other, and may overlap it by the depth of the grasp only until it has left it.
    is_released: bool,
    /// Made when it is first needed: most pairs are far apart, and nobody asks.
    key: OnceLock<Key>,
}

thread_local! {
    static MEMORY: Cell<MotionWorkspace> = Cell::default();
}

impl<'c> Pair<'c> {
    pub(crate) fn new(
        pairs: &'c Pairs<'c>,
        stage: &'c Stage,
        bodies: [usize; 2],
    ) -> Result<Pair<'c>, Problem> {
        let [a, b] = bodies;
        let requirement = pairs.scene.requirement_held(a, b, None);
        let (is_grasped, is_released) = (false, false);
        let mut pair =
            Pair { pairs, stage, bodies, requirement, is_grasped, is_released, key: OnceLock::new() };
        // A gripper may overlap what it holds, what it closes on to hold it in the same step, and what it has released until it has left it; nothing else before and after.
        let mut depth: Option<f64> = None;
        let mut are_released = true;
        for grip in stage.grips_of(pairs.scene, a, b) {
            let is_allowed = match grip.phase {
                GripPhase::Held => true,
                GripPhase::Closing => pair.ask(|one, _| one.touches_at(1.0))?,
                GripPhase::Released => pair.ask(|one, _| one.touches_at(0.0))?,
            };
            if is_allowed {
                depth = Some(depth.unwrap_or(0.0).max(grip.depth).max(pairs.scene.allowance));
                are_released &= grip.phase == GripPhase::Released;
            }
        }
        if depth.is_some() {
            pair.requirement = pairs.scene.requirement_held(a, b, depth);
            pair.is_grasped = true;
            pair.is_released = are_released;
        }
        Ok(pair)
    }

    /// Stands for the question.
    fn key(&self) -> Result<Key, Problem> {
        if let Some(key) = self.key.get() {
            return Ok(*key);
        }
        let pairs = self.pairs;
        let mut hasher = blake3::Hasher::new();
        for body in self.bodies {
            let digest = pairs.parts.digest(body);
            let digest = digest.map_err(|e| e.problem(pairs.scene.bodies[body].place))?;
            hasher.update(&digest);
            digest_motion(self.stage, body, &mut hasher);
        }
        let is_stated = f64::from(u8::from(states_allowance(pairs.scene, self.bodies)));
        let is_released = f64::from(u8::from(self.is_released));
        let numbers = [
            self.requirement.allowance,
            is_stated,
            pairs.limits.tolerance,
            pairs.limits.budget as f64,
            is_released,
            self.ordinary_allowance(),
        ];
        digest_numbers(&numbers, &mut hasher);
        Ok(*self.key.get_or_init(|| *hasher.finalize().as_bytes()))
    }

    /// Whether they get past each other.
    pub(crate) fn outcome(&self) -> Result<StepOutcome, Problem> {
        count(&self.pairs.counts.tested, 1);
        let (outcome, is_known) = self.find_outcome()?;
        count(&self.pairs.counts.remembered, usize::from(is_known));
        Ok(outcome)
    }

    /// Whether they get past each other; not counted, since another step asks it.
    pub(crate) fn known_outcome(&self) -> Result<StepOutcome, Problem> {
        Ok(self.find_outcome()?.0)
    }

    /// What becomes of a pair whose surfaces do not meet when it is excluded that one is inside of the other.
    pub(crate) fn outside(&self) -> Result<StepOutcome, Problem> {
        let cache = self.erosion();
        let fit = self.ask(|check, _| Ok(Asked(check.asked(IfThin::Strict, |check| check.fit(cache))?)))?.0;
        Ok(if fit.is_some() { StepOutcome::Touching { fit } } else { StepOutcome::Apart })
    }

    /// Whether the pair is in contact by design; not counted, since another step asks it.
    pub(crate) fn is_fit(&self) -> Result<bool, Problem> {
        Ok(matches!(self.find_outcome()?.0, StepOutcome::Touching { fit: Some(_) }))
    }

    /// Whether they get past each other, and whether that was known from an earlier check.
    fn find_outcome(&self) -> Result<(StepOutcome, bool), Problem> {
        let new = || self.pairs.new.lock().expect("nothing panics while it is held");
        let key = self.key()?;
        if let Some(answer) = self.pairs.memory.pair(&key) {
            // The same question in another step may just have been answered, or not yet: that does not count.
            let is_known = !new().contains(&key);
            return Ok((answer.outcome, is_known));
        }
        let cache = self.erosion();
        let outcome = self.ask(|check, memory| {
            let if_thin = if_thin(self.pairs.scene, self.bodies);
            let outcome = |check: &PairCheck, memory: &mut MotionWorkspace| {
                StepOutcome::of(check, if_thin, cache, memory)
            };
            match outcome(check, memory)? {
                StepOutcome::Touching { fit } if self.is_released => {
                    let ordinary = PairCheck { allowance: self.ordinary_allowance(), ..*check };
                    let later = match StepOutcome::after_contact(&ordinary, memory, outcome)? {
                        StepOutcome::Apart | StepOutcome::Touching { .. } => StepOutcome::Touching { fit },
                        blocked => blocked,
                    };
                    Ok(later)
                }
                other => Ok(other),
            }
        })?;
        new().insert(key);
        self.remember(key, |_| Remembered { outcome, at_least: 0.0, closest: None }, outcome);
        Ok((outcome, false))
    }

    /// How deep they may overlap without a grasp, in metres.
    fn ordinary_allowance(&self) -> f64 {
        let [a, b] = self.bodies;
        self.pairs.scene.requirement_held(a, b, None).allowance
    }

    /// Whether they touch before or after the step, but for rounding.
    pub(crate) fn touches_in_a_state(&self) -> Result<bool, Problem> {
        self.ask(|check, _| check.touches_in_a_state())
    }

    /// How close a fit is where it touches, before or after the step.
    pub(crate) fn touch(&self) -> Result<Clearance, Problem> {
        self.ask(|check, _| {
            let look = |time: f64| -> Result<Clearance, MotionError> {
                let [first, second] = check.motions.map(|motion| motion.pose(time));
                let [a, b] = check.bodies.map(Movable::prepared);
                let found = freiraum_query::distance(a, b, &(first.inverse() * second))?;
                let [point_on_a, point_on_b] =
                    [found.point_on_a, found.point_on_b].map(|p| first.transform_point(p));
                let distance = found.distance.max(0.0);
                Ok(Clearance { distance, error: distance, time, point_on_a, point_on_b, is_kept: None })
            };
            let [start, end] = [look(0.0)?, look(1.0)?];
            Ok(if end.distance < start.distance { end } else { start })
        })
    }

    /// How close they come, if they are not proven to keep `bound`. The same whatever is remembered, but for rounding.
    pub(crate) fn closer_than(&self, bound: f64) -> Result<Option<Clearance>, Problem> {
        // Nothing was asked of the pair before: boxes told it apart.
        if self.key.get().is_none() {
            count(&self.pairs.counts.measured, 1);
        }
        let key = self.key()?;
        let known = self.pairs.memory.pair(&key);
        let closest = known.and_then(|known| known.closest);
        if known.is_some_and(|known| known.at_least >= bound)
            || closest.is_some_and(|closest| closest.lower() >= bound)
        {
            return Ok(None);
        }
        // Where the bound is within the error of what is known, only the question itself tells.
        let mut asked = None;
        if bound.is_finite() && closest.is_none_or(|closest| closest.distance >= bound) {
            let found = self.ask(|check, memory| check.closeness(Some(bound), NEAREST_RELATIVE, memory))?;
            if found.is_kept == Some(true) {
                self.remember(key, |old| Remembered { at_least: bound, ..old }, StepOutcome::Apart);
                return Ok(None);
            }
            asked = Some(found);
        }
        let closest = match closest {
            Some(closest) => closest,
            None => {
                let found = self.ask(|check, memory| check.closeness(None, self.accuracy(), memory))?;
                self.remember(key, |old| Remembered { closest: Some(found), ..old }, StepOutcome::Apart);
                found
            }
        };
        // The question may have found a time that is closer than the bound where the search for the closest, being less accurate, did not.
        Ok(Some(match asked {
            Some(found) if found.distance < bound && bound <= closest.distance => {
                Clearance { error: (found.distance - closest.lower()).max(0.0), is_kept: None, ..found }
            }
            _ => closest,
        }))
    }

    /// How well the least distance is to be known: exactly where there is an exact method, to a hundredth for screws and other motions, whose
    /// distance may stay nearly the same for long.
    pub(crate) fn accuracy(&self) -> f64 {
        let is_exact = |mover: &Mover| match &mover.course {
            Course::Travel(Travel::Translate(_)) => true,
            Course::Travel(Travel::Turn { advance, .. }) => *advance == 0.0,
            Course::Travel(Travel::To(_) | Travel::Path(_) | Travel::Plan { .. }) => false,
            // One joint alone.
            Course::Link(_) => mover.lead.uniform(0.0, 1.0).is_some(),
        };
        let mut moving = self.bodies.iter().filter_map(|body| self.stage.mover_of(*body));
        let (first, second) = (moving.next(), moving.next());
        let is_simple = first.is_none_or(|mover| is_exact(&self.stage.movers[mover])) && second.is_none();
        if is_simple { NEAREST_RELATIVE } else { FREE_BOUND_RELATIVE_LARGE }
    }

    /// The answer to a question that has its own kind and numbers: looked up, or found and remembered.
    pub(crate) fn detail<D: Detail>(
        &self,
        numbers: &[f64],
        answer: impl FnOnce() -> Result<D, Problem>,
    ) -> Result<D, Problem> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.key()?).update(D::NAME.as_bytes());
        digest_numbers(numbers, &mut hasher);
        let key: Key = *hasher.finalize().as_bytes();
        if let Some(known) = self.pairs.memory.detail(&key).and_then(D::recall) {
            return Ok(known);
        }
        let found = answer()?;
        self.pairs.memory.set_detail(key, found.clone().keep());
        Ok(found)
    }

    /// Keeps eroded bodies.
    pub(crate) fn erosion(&self) -> &'c ErosionCache {
        self.pairs.parts.erosion()
    }

    /// Changes what is remembered; `outcome` is for pairs of which nothing is known yet.
    fn remember(&self, key: Key, change: impl Fn(Remembered) -> Remembered, outcome: StepOutcome) {
        let nothing = Remembered { outcome, at_least: 0.0, closest: None };
        let old = self.pairs.memory.pair(&key).unwrap_or(nothing);
        self.pairs.memory.set_pair(key, change(old));
    }

    pub(crate) fn ask<T: Placed>(
        &self,
        question: impl Fn(&PairCheck, &mut MotionWorkspace) -> Result<T, MotionError>,
    ) -> Result<T, Problem> {
        let scene = self.pairs.scene;
        let stopped = || Problem::new(self.stage.place, "the check was stopped");
        if self.pairs.cancel.is_cancelled() {
            return Err(stopped());
        }
        let mut bodies = Vec::with_capacity(2);
        for body in self.bodies {
            let found = self.pairs.parts.movable(body);
            bodies.push(found.map_err(|e| e.problem(scene.bodies[body].place))?);
        }
        let Sight { motions, frame } = self.stage.sight(self.bodies);
        let check = PairCheck {
            bodies: [bodies[0], bodies[1]],
            motions: [&*motions[0], &*motions[1]],
            allowance: self.requirement.allowance,
            limits: self.pairs.limits,
        };
        let mut memory = MEMORY.take();
        memory.set_cancel(&self.pairs.cancel);
        let answer = question(&check, &mut memory);
        MEMORY.set(memory);
        let answer = answer.map(|answer| match &frame {
            Some(frame) => answer.placed(frame),
            None => answer,
        });
        answer.map_err(|error| {
            if error == MotionError::Cancelled {
                return stopped();
            }
            let [a, b] = self.bodies.map(|body| &scene.bodies[body].name);
            let (said, place) = match &error {
                MotionError::Allowance(why) => {
                    (words::not_smaller(why, scene.units), allowed_at(scene, self.bodies))
                }
                error => (error.to_string(), None),
            };
            let message = format!("{}: {a:?} and {b:?}: {said}", self.stage.name);
            Problem::new(place.unwrap_or(self.stage.place), message)
        })
    }
}

/// What happens if a pair is too thin for its allowance: what is allowed to all holds where it can, what is allowed
/// to this pair has to.
pub fn if_thin(scene: &Scene, bodies: [usize; 2]) -> IfThin {
    if states_allowance(scene, bodies) { IfThin::Error } else { IfThin::Strict }
}

/// Whether a rule of its own says how deep a pair may overlap.
pub(crate) fn states_allowance(scene: &Scene, [a, b]: [usize; 2]) -> bool {
    scene.pairs.iter().any(|rule| rule.allowance.is_some() && rule.covers(a, b))
}

/// Where the file says how deep a pair may overlap; `None` if no rule of its own does, or it was not read from a file.
fn allowed_at(scene: &Scene, [a, b]: [usize; 2]) -> Option<Place> {
    let rules = scene.grasps.iter().chain(&scene.pairs).rev();
    let mut stated = rules.filter(|rule| rule.allowance.is_some() && rule.covers(a, b));
    stated.next().map(|rule| rule.place).filter(|place| *place != Place::default())
}

/// How far apart two bodies are at a time; 0 if they touch or overlap.
pub(crate) fn gap_at(check: &PairCheck, time: f64) -> Result<f64, MotionError> {
    let [first, second] = check.motions.map(|motion| motion.pose(time));
    let [a, b] = check.bodies.map(Movable::prepared);
    Ok(freiraum_query::distance(a, b, &(first.inverse() * second))?.distance.max(0.0))
}

/// An answer that can be brought from a moving frame into the world.
pub(crate) trait Placed {
    fn placed(self, frame: &dyn Motion) -> Self;
}

/// An answer that is the same in every frame.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T> Placed for Asked<T> {
    fn placed(self, _: &dyn Motion) -> Asked<T> {
        self
    }
}

impl Placed for bool {
    fn placed(self, _: &dyn Motion) -> bool {
        self
    }
}

impl Placed for Kept {
    fn placed(self, frame: &dyn Motion) -> Kept {
        match self {
            Kept::No(found) => Kept::No(found.placed(frame)),
            other => other,
        }
    }
}

impl Placed for Clearance {
    fn placed(self, frame: &dyn Motion) -> Clearance {
        let pose = frame.pose(self.time);
        let [point_on_a, point_on_b] = [self.point_on_a, self.point_on_b].map(|p| pose.transform_point(p));
        Clearance { point_on_a, point_on_b, ..self }
    }
}

impl Placed for StepOutcome {
    fn placed(self, frame: &dyn Motion) -> StepOutcome {
        let StepOutcome::Blocked { time, mut kind } = self else { return self };
        let pose = frame.pose(time);
        match &mut kind {
            FindingKind::Overlap { point, .. } => *point = pose.transform_point(*point),
            FindingKind::Contact { point, normal, .. } => {
                (*point, *normal) = (pose.transform_point(*point), pose.rotate(*normal));
            }
            FindingKind::TooClose { points, give_way, .. } => {
                (*points, *give_way) = (points.map(|p| pose.transform_point(p)), pose.rotate(*give_way));
            }
            FindingKind::InsideUnknown { places, .. } => {
                *places = places.map(|place| place.map(|p| pose.transform_point(p)));
            }
            FindingKind::Undecided { .. } | FindingKind::NoPath => {}
        }
        StepOutcome::Blocked { time, kind }
    }
}

fn digest_motion(stage: &Stage, body: usize, hasher: &mut blake3::Hasher) {
    digest_pose(&stage.before[body], hasher);
    if let Some(mover) = stage.mover_of(body) {
        let mover = &stage.movers[mover];
        digest_pose(&stage.before[mover.bodies[0]], hasher);
        match &mover.course {
            Course::Travel(travel) => digest_travel(travel, hasher),
            Course::Link(course) => {
                hasher.update(b"link");
                digest_numbers(&course.motion().numbers(), hasher);
            }
        }
    }
}

fn digest_pose(pose: &Pose, hasher: &mut blake3::Hasher) {
    digest_numbers(&pose.rotation().to_array(), hasher);
    digest_numbers(&pose.translation().to_array(), hasher);
}

fn digest_travel(travel: &Travel, hasher: &mut blake3::Hasher) {
    match travel {
        Travel::Translate(by) => {
            hasher.update(b"translate");
            digest_numbers(&by.to_array(), hasher);
        }
        Travel::Turn { axis, angle, advance } => {
            hasher.update(b"turn");
            digest_numbers(&axis.point.to_array(), hasher);
            digest_numbers(&axis.direction.to_array(), hasher);
            digest_numbers(&[*angle, *advance], hasher);
        }
        Travel::To(pose) | Travel::Plan { to: pose, .. } => {
            hasher.update(b"to");
            digest_pose(pose, hasher);
        }
        Travel::Path(pieces) => {
            hasher.update(b"path").update(&(pieces.len() as u64).to_le_bytes());
            for piece in pieces {
                digest_numbers(&[piece.share], hasher);
                digest_travel(&piece.travel, hasher);
            }
        }
    }
}

fn digest_numbers(numbers: &[f64], hasher: &mut blake3::Hasher) {
    for x in numbers {
        // Both zeros are one number.
        hasher.update(&(x + 0.0).to_bits().to_le_bytes());
    }
}
