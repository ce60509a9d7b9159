//! How one body moves as seen from another.

use crate::path::{Axis, Motion, Uniform};
use freiraum_geometry::math::rounding;
use freiraum_geometry::{Pose, Vec3};

/// The motion of body b in the frame of body a over one stretch of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relative {
    /// Pose of b in the frame of a where the stretch begins.
    pub a_from_b: Pose,
    /// What b does then in the frame of a, in which a stands still.
    pub motion: RelativeMotion,
}

/// What kind of motion it is; the exact methods are for the first three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RelativeMotion {
    /// Nothing changes.
    Still,
    /// b moves by this vector in metres.
    Translation(Vec3),
    /// b turns about the axis by a positive angle in radians, perhaps more than a full turn.
    Rotation {
        /// Directed so that the angle is positive.
        axis: Axis,
        /// In radians, positive.
        angle: f64,
    },
    /// Anything else, screws among it.
    General,
}

impl Relative {
    /// The relative motion between `t0` and `t1`.
    ///
    /// **Guarantee.** A translation or rotation is recognised where both motions are uniform and either both are
    /// translations, or one stands still, or both share one axis (to rounding). What is recognised differs from the true
    /// relative motion by rounding only.
    pub fn between(a: &dyn Motion, b: &dyn Motion, t0: f64, t1: f64) -> Relative {
        let a_from_world = a.pose(t0).inverse();
        let world_from_b = b.pose(t0);
        let a_from_b = a_from_world * world_from_b;
        let motion = match (a.uniform(t0, t1), b.uniform(t0, t1)) {
            (Some(a), Some(b)) => combine(&a.placed(&a_from_world), &b.placed(&a_from_world), &a_from_b),
            _ => None,
        };
        Relative { a_from_b, motion: motion.map_or(RelativeMotion::General, named) }
    }

    /// The pose of b in the frame of a at `t0`, and what b does there until `t1` if that is a motion with constant speed, a
    /// screw included; see [`Relative::between`].
    pub(crate) fn uniform_between(
        a: &dyn Motion,
        b: &dyn Motion,
        t0: f64,
        t1: f64,
    ) -> Option<(Pose, Uniform)> {
        let a_from_world = a.pose(t0).inverse();
        let a_from_b = a_from_world * b.pose(t0);
        let (by_a, by_b) = (a.uniform(t0, t1)?, b.uniform(t0, t1)?);
        let motion = combine(&by_a.placed(&a_from_world), &by_b.placed(&a_from_world), &a_from_b)?;
        Some((a_from_b, motion))
    }
}

/// What b does as seen from a, if that has constant speed; both motions in the frame that a starts in.
fn combine(a: &Uniform, b: &Uniform, a_from_b: &Pose) -> Option<Uniform> {
    match (*a, *b) {
        (Uniform::Translation(by_a), Uniform::Translation(by_b)) => Some(Uniform::Translation(by_b - by_a)),
        (Uniform::Translation(by), Uniform::Screw { axis, angle, advance })
        | (Uniform::Screw { axis, angle, advance }, Uniform::Translation(by)) => {
            // A translation along the axis joins the screw; any other does not.
            let along = axis.direction.dot(by);
            if (by - along * axis.direction).length() > rounding::coordinate(by.length()) {
                return None;
            }
            Some(if matches!(a, Uniform::Translation(_)) {
                Uniform::Screw { axis, angle, advance: advance - along }
            } else {
                Uniform::Screw { axis, angle: -angle, advance: along - advance }
            })
        }
        (
            Uniform::Screw { axis: axis_a, angle: angle_a, advance: advance_a },
            Uniform::Screw { axis: axis_b, angle: angle_b, advance: advance_b },
        ) => {
            let sense = axis_a.direction.dot(axis_b.direction).signum();
            let tilt = axis_a.direction.cross(axis_b.direction).length();
            let reach = a_from_b.translation().length() + axis_a.point.length() + axis_b.point.length();
            if tilt > rounding::coordinate(1.0) || axis_a.distance(axis_b.point) > rounding::coordinate(reach)
            {
                return None;
            }
            let (angle, advance) = (sense * angle_b - angle_a, sense * advance_b - advance_a);
            Some(if angle == 0.0 {
                Uniform::Translation(advance * axis_a.direction)
            } else {
                Uniform::Screw { axis: axis_a, angle, advance }
            })
        }
    }
}

fn named(motion: Uniform) -> RelativeMotion {
    match motion {
        Uniform::Translation(by) if by == Vec3::ZERO => RelativeMotion::Still,
        Uniform::Translation(by) => RelativeMotion::Translation(by),
        Uniform::Screw { axis, angle, advance: 0.0 } => {
            let direction = axis.direction * angle.signum();
            RelativeMotion::Rotation { axis: Axis { direction, ..axis }, angle: angle.abs() }
        }
        Uniform::Screw { .. } => RelativeMotion::General,
    }
}
