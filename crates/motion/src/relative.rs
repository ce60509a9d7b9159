//! How one body moves as seen from another.

use freiraum_geometry::math::rounding;
use freiraum_geometry::path::{Axis, Motion, Uniform};
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
        (Uniform::Translation(by_a), Uniform::Translation(by_b)) => {
            let by = by_b - by_a;
            let is_rounding = by.length() <= rounding::coordinate(by_a.length() + by_b.length());
            Some(Uniform::Translation(if is_rounding { Vec3::ZERO } else { by }))
        }
        (Uniform::Translation(by), Uniform::Screw { axis, angle, advance })
        | (Uniform::Screw { axis, angle, advance }, Uniform::Translation(by)) => {
            // A translation along the axis joins the screw; any other does not.
            let along = axis.direction.dot(by);
            if (by - along * axis.direction).length() > rounding::coordinate(by.length()) {
                return None;
            }
            Some(if matches!(a, Uniform::Translation(_)) {
                Uniform::Screw { axis, angle, advance: difference(advance, along) }
            } else {
                Uniform::Screw { axis, angle: -angle, advance: difference(along, advance) }
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
            let (angle, advance) =
                (difference(sense * angle_b, angle_a), difference(sense * advance_b, advance_a));
            Some(if angle == 0.0 {
                Uniform::Translation(advance * axis_a.direction)
            } else {
                Uniform::Screw { axis: axis_a, angle, advance }
            })
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

/// The difference of two numbers that went through changes of frames, 0 if only rounding tells them apart.
fn difference(x: f64, y: f64) -> f64 {
    let left = x - y;
    if left.abs() <= rounding::coordinate(x.abs() + y.abs()) { 0.0 } else { left }
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

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::path::{Straight, UniformMotion};
    use freiraum_testkit::random::Random;

    fn random_pose(random: &mut Random) -> Pose {
        Pose::new(random.rotation(), random.in_cube(2.0)).unwrap()
    }

    /// What is recognised is what the product of the poses does.
    fn check(a: &dyn Motion, b: &dyn Motion, kind: fn(&RelativeMotion) -> bool) {
        for [t0, t1] in [[0.0, 1.0], [0.25, 0.5]] {
            let relative = Relative::between(a, b, t0, t1);
            assert!(kind(&relative.motion), "{relative:?}");
            let motion = match relative.motion {
                RelativeMotion::Still => Uniform::Translation(Vec3::ZERO),
                RelativeMotion::Translation(by) => Uniform::Translation(by),
                RelativeMotion::Rotation { axis, angle } => {
                    assert!(angle > 0.0);
                    Uniform::Screw { axis, angle, advance: 0.0 }
                }
                RelativeMotion::General => match Relative::uniform_between(a, b, t0, t1) {
                    Some((_, motion)) => motion,
                    None => continue,
                },
            };
            for s in [0.0, 0.3, 1.0] {
                let t = t0 + s * (t1 - t0);
                let expected = a.pose(t).inverse() * b.pose(t);
                let found = motion.at(s) * relative.a_from_b;
                for p in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                    let apart = expected.transform_point(p).distance(found.transform_point(p));
                    assert!(apart < 1e-13 * 50.0, "{apart} {relative:?}");
                }
            }
        }
    }

    const IS_STILL: fn(&RelativeMotion) -> bool = |m| matches!(m, RelativeMotion::Still);
    const IS_TRANSLATION: fn(&RelativeMotion) -> bool = |m| matches!(m, RelativeMotion::Translation(_));
    const IS_ROTATION: fn(&RelativeMotion) -> bool = |m| matches!(m, RelativeMotion::Rotation { .. });
    const IS_GENERAL: fn(&RelativeMotion) -> bool = |m| matches!(m, RelativeMotion::General);

    #[test]
    fn relative_motions_are_recognised() {
        let mut random = Random::new(4);
        for _ in 0..50 {
            let (p, q) = (random_pose(&mut random), random_pose(&mut random));
            let by = random.in_cube(2.0);
            let axis = Axis::new(random.in_cube(1.0), random.direction()).unwrap();
            let back = Axis { direction: -axis.direction, point: axis.point + 2.0 * axis.direction };
            let still = UniformMotion::still(p);
            let moved = UniformMotion::translation(p, by);
            let turned = UniformMotion::rotation(p, axis, 2.0);
            let screwed = UniformMotion::screw(p, axis, 2.0, 0.5);
            check(&still, &UniformMotion::still(q), IS_STILL);
            check(&moved, &UniformMotion::translation(q, by), IS_STILL);
            check(&moved, &UniformMotion::translation(q, -by), IS_TRANSLATION);
            check(&moved, &UniformMotion::still(q), IS_TRANSLATION);
            check(&turned, &UniformMotion::still(q), IS_ROTATION);
            check(&still, &UniformMotion::rotation(q, axis, -2.0), IS_ROTATION);
            check(&turned, &UniformMotion::rotation(q, axis, 3.0), IS_ROTATION);
            check(&turned, &UniformMotion::rotation(q, back, 2.0), IS_ROTATION);
            check(&turned, &UniformMotion::rotation(q, back, -2.0), IS_STILL);
            check(&screwed, &UniformMotion::screw(q, axis, 2.0, -0.5), IS_TRANSLATION);
            check(&screwed, &UniformMotion::screw(q, axis, 1.0, 0.5), IS_ROTATION);
            check(&screwed, &UniformMotion::translation(q, 0.5 * axis.direction), IS_ROTATION);
            check(&UniformMotion::translation(q, 0.5 * axis.direction), &screwed, IS_ROTATION);
            // Screws and anything else.
            check(&still, &UniformMotion::screw(q, axis, 2.0, 0.5), IS_GENERAL);
            check(&moved, &turned, IS_GENERAL);
            check(
                &turned,
                &UniformMotion::rotation(q, Axis { point: axis.point + by, ..axis }, 1.0),
                IS_GENERAL,
            );
            check(&still, &Straight::new(p, q), IS_GENERAL);
            // Straight motions that are translations.
            check(&still, &Straight::new(q, Pose::from_translation(by) * q), IS_TRANSLATION);
        }
    }
}
