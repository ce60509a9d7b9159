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
            _ => RelativeMotion::General,
        };
        Relative { a_from_b, motion }
    }
}

/// What b does as seen from a; both motions in the frame that a starts in.
fn combine(a: &Uniform, b: &Uniform, a_from_b: &Pose) -> RelativeMotion {
    match (*a, *b) {
        (Uniform::Translation(by_a), Uniform::Translation(by_b)) => translation(by_b - by_a),
        (Uniform::Translation(by), Uniform::Screw { axis, angle, advance })
        | (Uniform::Screw { axis, angle, advance }, Uniform::Translation(by)) => {
            // A translation along the axis joins the screw; any other does not.
            let along = axis.direction.dot(by);
            if (by - along * axis.direction).length() > rounding::coordinate(by.length()) {
                return RelativeMotion::General;
            }
            if matches!(a, Uniform::Translation(_)) {
                screw(axis, angle, advance - along)
            } else {
                screw(axis, -angle, along - advance)
            }
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
                return RelativeMotion::General;
            }
            screw(axis_a, sense * angle_b - angle_a, sense * advance_b - advance_a)
        }
    }
}

impl RelativeMotion {
    /// The same motion in another frame.
    #[must_use]
    pub fn placed(&self, c_from_a: &Pose) -> RelativeMotion {
        match self {
            RelativeMotion::Still | RelativeMotion::General => *self,
            RelativeMotion::Translation(by) => RelativeMotion::Translation(c_from_a.rotate(*by)),
            RelativeMotion::Rotation { axis, angle } => {
                RelativeMotion::Rotation { axis: axis.placed(c_from_a), angle: *angle }
            }
        }
    }

    /// The pose of b when the share `s` of the motion is done, given that at the start; not for [`RelativeMotion::General`], which
    /// is left where it is.
    pub fn apply(&self, s: f64, a_from_b: &Pose) -> Pose {
        match self {
            RelativeMotion::Still | RelativeMotion::General => *a_from_b,
            RelativeMotion::Translation(by) => Pose::from_translation(s * *by) * *a_from_b,
            RelativeMotion::Rotation { axis, angle } => {
                Uniform::Screw { axis: *axis, angle: *angle, advance: 0.0 }.at(s) * *a_from_b
            }
        }
    }
}

impl Relative {
    /// The motion of a as seen from b.
    #[must_use]
    pub fn reversed(&self) -> Relative {
        let b_from_a = self.a_from_b.inverse();
        let motion = match self.motion.placed(&b_from_a) {
            RelativeMotion::Translation(by) => RelativeMotion::Translation(-by),
            RelativeMotion::Rotation { axis, angle } => {
                RelativeMotion::Rotation { axis: Axis { direction: -axis.direction, ..axis }, angle }
            }
            other => other,
        };
        Relative { a_from_b: b_from_a, motion }
    }
}

fn translation(by: Vec3) -> RelativeMotion {
    if by == Vec3::ZERO { RelativeMotion::Still } else { RelativeMotion::Translation(by) }
}

fn screw(axis: Axis, angle: f64, advance: f64) -> RelativeMotion {
    if angle == 0.0 {
        return translation(advance * axis.direction);
    }
    if advance != 0.0 {
        return RelativeMotion::General;
    }
    let direction = axis.direction * angle.signum();
    RelativeMotion::Rotation { axis: Axis { direction, ..axis }, angle: angle.abs() }
}
