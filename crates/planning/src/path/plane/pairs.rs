//! The pairs of bodies of a task: which of them are in each other's way, and how small they are made for it.

use super::super::{Rule, Task};
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::UniformMotion;
use freiraum_geometry::tolerance::DISTANCE_RELATIVE;
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::fit::{ErosionCache, PairCheck, SearchPair};
use freiraum_motion::{
    CancelToken, ClearanceRequest, Limits, MotionError, MotionWorkspace, Movable, Verdict, clearance,
};
use rayon::prelude::*;

/// A moving body and an obstacle that it must not run into.
pub(super) struct Pair {
    /// Their numbers in the task.
    pub(super) numbers: [usize; 2],
    /// The bodies, eroded by what they may overlap, and what they must keep.
    pub(super) looked_at: SearchPair,
    /// Both at the start, `world_from_body`.
    pub(super) poses: [Pose; 2],
}

/// Why a task cannot be looked at.
pub(super) enum Refusal {
    /// Start or goal is forbidden, for certain: in words.
    Forbidden(String),
    /// In words.
    Unknown(String),
}

impl From<MotionError> for Refusal {
    fn from(error: MotionError) -> Refusal {
        Refusal::Unknown(error.to_string())
    }
}

impl From<freiraum_query::QueryError> for Refusal {
    fn from(error: freiraum_query::QueryError) -> Refusal {
        Refusal::Unknown(error.to_string())
    }
}

/// All pairs that are looked at; those in contact at the start or at the goal are fits, as in checks. Start and goal are legal.
pub(super) fn pairs(
    task: &Task,
    travel: Vec3,
    cache: &ErosionCache,
    cancel: &CancelToken,
) -> Result<Vec<Pair>, Refusal> {
    let mut pairs = Vec::new();
    for (i, moving) in task.moving.iter().enumerate() {
        for (k, obstacle) in task.obstacles.iter().enumerate() {
            let rule = task.rules[i][k];
            if rule.is_ignored {
                continue;
            }
            let poses = [task.start * moving.pose, obstacle.pose];
            let motions = [UniformMotion::translation(poses[0], travel), UniformMotion::still(poses[1])];
            let check = PairCheck {
                bodies: [&moving.body, &obstacle.body],
                motions: [&motions[0], &motions[1]],
                allowance: rule.allowance,
                limits: Limits::default(),
            };
            let looked_at = check.for_search(rule.if_thin, |is_fit| rule.kept(is_fit), cache, cancel)?;
            let places = [("start", poses[0]), ("goal", shifted(&poses[0], travel))];
            let pair = Pair { numbers: [i, k], looked_at, poses };
            for (name, place) in &places {
                pair.check_place(name, place, &rule)?;
            }
            pairs.push(pair);
        }
    }
    Ok(pairs)
}

/// The pose after a translation in the frame of the world.
pub(super) fn shifted(pose: &Pose, by: Vec3) -> Pose {
    Pose::from_translation(by) * *pose
}

impl Pair {
    fn check_place(&self, name: &str, place: &Pose, rule: &Rule) -> Result<(), Refusal> {
        let [i, k] = self.numbers;
        let a_from_b = place.inverse() * self.poses[1];
        // Whether one is inside the other does not change on a way on which no surfaces meet: the check looks at the whole plan.
        if self.looked_at.is_blocked_at(&a_from_b)? {
            let more = if rule.allowance > 0.0 { " by more than is allowed" } else { "" };
            return Err(Refusal::Forbidden(format!(
                "at the {name}, moving body {i} and obstacle {k} overlap{more}"
            )));
        }
        let clearance = self.looked_at.clearance;
        if clearance > 0.0 {
            let [a, b] = self.looked_at.bodies.each_ref();
            let distance = freiraum_query::distance(a.prepared(), b.prepared(), &a_from_b)?.distance;
            if distance < clearance * (1.0 - DISTANCE_RELATIVE) {
                return Err(Refusal::Forbidden(format!(
                    "at the {name}, moving body {i} and obstacle {k} are {distance} m apart, less than the {} m required",
                    rule.clearance
                )));
            }
        }
        Ok(())
    }

    /// A bound of the coordinates of both bodies, as computed from their own.
    pub(super) fn reach(&self) -> f64 {
        let reach = |(body, pose): (&Movable, &Pose)| {
            let own = body.prepared().bounds().map_or(0.0, |bounds| bounds.reach());
            2.0 * own + pose.translation().abs().max_element()
        };
        self.looked_at.bodies.iter().zip(&self.poses).map(reach).fold(0.0, f64::max)
    }

    /// Whether the moving body gets from place to place, each a translation from the start, without touching the other one
    /// or coming too close to it.
    fn passes(&self, way: &[Vec3], cancel: &CancelToken) -> Result<bool, MotionError> {
        let mut memory = MotionWorkspace::default();
        memory.set_cancel(cancel);
        let still = UniformMotion::still(self.poses[1]);
        for ends in way.windows(2) {
            let motion = UniformMotion::translation(shifted(&self.poses[0], ends[0]), ends[1] - ends[0]);
            let pair = &self.looked_at;
            let mut is_free =
                pair.contact([&motion, &still], &Limits::default(), &mut memory)? == Verdict::Free;
            if is_free && pair.clearance > 0.0 {
                let request = ClearanceRequest::at_least(pair.clearance);
                let [a, b] = pair.bodies.each_ref();
                let found = clearance(a, &motion, b, &still, &request, &mut memory)?;
                is_free = found.is_kept == Some(true);
            }
            if !is_free {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The first pair that does not get past each other on a way of translations from the start; `None` if the way is proven free.
pub(super) fn first_blocked(
    pairs: &[Pair],
    way: &[Vec3],
    cancel: &CancelToken,
) -> Result<Option<[usize; 2]>, MotionError> {
    let blocked: Result<Vec<bool>, MotionError> =
        pairs.par_iter().map(|pair| pair.passes(way, cancel).map(|passes| !passes)).collect();
    Ok(blocked?.iter().position(|&is_blocked| is_blocked).map(|pair| pairs[pair].numbers))
}

/// A bound of the rounding of all coordinates, in metres.
pub(super) fn coordinate_error(pairs: &[Pair], task: &Task) -> f64 {
    let ends = task.start.translation().length() + task.goal.translation().length();
    let groups = task.moving.iter().map(|placed| placed.pose.translation().length()).fold(0.0, f64::max);
    let reach = pairs.iter().map(Pair::reach).fold(ends + groups, f64::max);
    // Placed with three poses, turned into the plane, subtracted, cut.
    8.0 * rounding::coordinate(reach)
}
