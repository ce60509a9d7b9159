//! Which joint values put the tool there? Inverse kinematics.
//!
//! [`inverse()`] recognises from the axes of the joints whether the arm has a closed form ([`Method`]): then all solutions are found. Everything else, redundant arms too, is
//! searched numerically. Every solution is checked by forward kinematics, and its residual told.
//!
//! # Guarantee
//!
//! A solution holds the tool where it should be to within 1e-9 of the arm's size and 1e-9 radians (`tolerance::REACHED_RELATIVE`), to which the rounding of
//! coordinates far from the origin is added, and its values are within the joint limits (to the limits where rounding brings them beyond).
//!
//! Closed forms tell all solutions: each once, with the turn that is nearest to the current joint values. Solutions nearer to each other than 1e-6 radians are one. At a
//! singularity where a joint can take any value, one solution stands for all ([`Note::Kept`]): that with the joint as it is. Axes count as meeting or parallel when
//! they do to within 1e-5 (`tolerance::AXES_RELATIVE`); solutions are made exact for the true axes, but next to where two solutions of such an arm fall together one may be
//! missing (up to six random poses in a thousand for a Puma whose wrist axes miss each other by a micrometre).
//!
//! The numeric search proves nothing: it may miss solutions, and "not reached" is not "out of reach".

mod angles;
mod answer;
mod arm;
mod closed;
mod configuration;
mod descent;
mod follow;
mod form;
mod numeric;
mod planar;
mod singular;
#[cfg(test)]
mod tests;
mod three_axes;
mod wrist;

pub(crate) use follow::Follower;

pub use configuration::{Wanted, WantedError};

pub use answer::{Configuration, Inverse, Method, Note, Options, Reason, Residual, Singularity, Solution};

use crate::model::Robot;
use arm::{Arm, residual};
use closed::{Allowed, Local, Locals};
use freiraum_geometry::Pose;
use freiraum_geometry::math::rounding;
use freiraum_geometry::tolerance::REACHED_RELATIVE;

/// The joint values that bring the tool, at `link_from_tool` on a link, to `target`.
///
/// **Frames.** `target` is `world_from_tool`, `base` is `world_from_root` of the root link. **Units.** Metres and radians. **Guarantee.** See the [module](self). `current` are all joint values of the robot:
/// solutions are sorted by their distance from them, freedoms that do not move the tool keep them, and they are the first start of the numeric search. They may be
/// outside of the limits. **Degenerate input.** Numbers that are not finite, and tools that no joint moves, are a [`Reason`]. Panics unless there is one value
/// per freedom and the link exists. **Cost.** Some 10 to 50 µs for a closed form; the numeric search takes about 60 µs
/// per solution, and up to `starts * steps` steps of 1 µs if there is none.
pub fn inverse(
    robot: &Robot,
    link: usize,
    link_from_tool: &Pose,
    target: &Pose,
    base: &Pose,
    current: &[f64],
    options: &Options,
) -> Inverse {
    assert_eq!(current.len(), robot.freedoms().len(), "one value per freedom");
    let none = |reason| Inverse {
        method: Method::Numeric,
        solutions: Vec::new(),
        singular: Vec::new(),
        outside_limits: 0,
        reason: Some(reason),
    };
    let poses = [link_from_tool, target, base];
    if !(current.iter().all(|x| x.is_finite()) && poses.iter().all(|pose| pose.translation().is_finite())) {
        return none(Reason::NotFinite);
    }
    let Some(arm) = Arm::new(robot, link, link_from_tool) else {
        return none(Reason::NothingMoves(robot.links()[link].name.clone()));
    };
    let root_from_target = base.inverse() * *target;
    let arm_target = arm.root_from_arm.inverse() * root_from_target;
    let reach = [target, base, &arm.root_from_arm, &arm_target].map(|pose| pose.translation().length());
    let allowed = Allowed {
        position: REACHED_RELATIVE * arm.size
            + 8.0 * rounding::coordinate(reach.into_iter().fold(0.0, f64::max)),
        angle: REACHED_RELATIVE,
    };
    let from: Vec<f64> = arm.freedoms.iter().map(|freedom| current[*freedom]).collect();
    let form = if options.closed_form { form::recognised(&arm) } else { None };
    let closed = form.and_then(|form| {
        let found = closed::solutions(&arm, &form, &arm_target, &from, allowed, options.keep_limits)?;
        Some((form.method, found))
    });
    let (method, found) = closed
        .unwrap_or_else(|| (Method::Numeric, numeric::solutions(&arm, &arm_target, &from, allowed, options)));
    let Locals { solutions, outside, reason } = found;
    let way = robot.way_to(link);
    let mut solutions: Vec<Solution> = solutions
        .into_iter()
        .map(|local| {
            let Local { values: local, configuration, singular, notes } = local;
            let mut values = current.to_vec();
            for (freedom, value) in arm.freedoms.iter().zip(local) {
                values[*freedom] = value;
            }
            // Joint by joint as the model says, not by the folded chain that the search went along.
            let root_from_link =
                way.iter().fold(Pose::IDENTITY, |at, joint| at * robot.parent_from_child(*joint, &values));
            let residual = residual(&(root_from_link * *link_from_tool), &root_from_target);
            let way = values.iter().zip(current).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            Solution { values, residual, nearest: false, way, configuration, singular, notes }
        })
        .collect();
    solutions.sort_by(|a, b| a.way.total_cmp(&b.way));
    if let Some(first) = solutions.first_mut() {
        first.nearest = true;
    }
    let mut singular: Vec<Singularity> =
        solutions.iter().flat_map(|solution| solution.singular.clone()).collect();
    singular.sort_unstable();
    singular.dedup();
    let reason = reason.or_else(|| {
        (solutions.is_empty()).then(|| Reason::OutsideLimits {
            solutions: outside.len(),
            joints: closed::outside_by_joint(robot, &arm, &outside),
        })
    });
    Inverse { method, solutions, singular, outside_limits: outside.len(), reason }
}
