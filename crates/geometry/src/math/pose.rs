//! Rigid placements and what leads from one to another.

use super::{Mat3, Quat, Vec3, unit};
use std::f64::consts::{PI, TAU};
use std::ops::Mul;

/// A rigid placement: a rotation followed by a translation.
///
/// **Frames.** A pose named `a_from_b` takes coordinates in frame b to coordinates in frame a, and
/// `a_from_b * b_from_c` is `a_from_c`. **Units.** Metres; the quaternion is kept at unit length. Two poses are
/// equal when their numbers are: q and -q turn alike but do not compare equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    rotation: Quat,
    translation: Vec3,
}

impl Pose {
    /// The placement that changes nothing.
    pub const IDENTITY: Pose = Pose { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    /// A pose from a quaternion of any non-zero length, which is normalised, and a translation in metres.
    ///
    /// `None` if the quaternion is zero or anything is not finite.
    pub fn new(rotation: Quat, translation: Vec3) -> Option<Pose> {
        // Scaling by the largest component first keeps tiny and huge quaternions from under- or overflowing.
        let largest = rotation.x.abs().max(rotation.y.abs()).max(rotation.z.abs()).max(rotation.w.abs());
        if !(largest > 0.0 && rotation.is_finite() && translation.is_finite()) {
            return None;
        }
        let scaled = Quat::from_xyzw(
            rotation.x / largest,
            rotation.y / largest,
            rotation.z / largest,
            rotation.w / largest,
        );
        Some(Pose { rotation: scaled * (1.0 / scaled.length()), translation })
    }

    /// A pose from its own numbers, as [`Pose::rotation`] and [`Pose::translation`] gave them: bit for bit the same pose.
    ///
    /// `None` if the quaternion has not unit length up to rounding, or if anything is not finite.
    pub fn from_parts(rotation: Quat, translation: Vec3) -> Option<Pose> {
        let is_unit = (rotation.length_squared() - 1.0).abs() <= 64.0 * f64::EPSILON;
        (is_unit && translation.is_finite()).then_some(Pose { rotation, translation })
    }

    /// A pure translation in metres, which the caller has found to be finite.
    pub const fn from_translation(translation: Vec3) -> Pose {
        Pose { rotation: Quat::IDENTITY, translation }
    }

    /// The rotation by `angle` radians about the axis through the origin (right-hand rule; any non-zero length).
    ///
    /// `None` if the axis is zero or anything is not finite.
    pub fn from_axis_angle(axis: Vec3, angle: f64) -> Option<Pose> {
        let axis = unit(axis).filter(|_| angle.is_finite())?;
        Some(Pose { rotation: Quat::from_axis_angle(axis, angle), translation: Vec3::ZERO })
    }

    /// The rotation by `angle` radians about the axis through `point`; see [`Pose::from_axis_angle`].
    ///
    /// **Guarantee.** The translation is off by a few units of rounding of `angle * |point|`, not of `|point|`: so a
    /// slight rotation about a far centre keeps its digits.
    pub fn from_rotation_about(point: Vec3, axis: Vec3, angle: f64) -> Option<Pose> {
        let axis = unit(axis).filter(|_| angle.is_finite())?;
        let turn = rotation_about(point, axis, angle);
        turn.translation.is_finite().then_some(turn)
    }

    /// Yaw about z after pitch about y after roll about x, in radians, with a translation.
    ///
    /// `None` if anything is not finite.
    pub fn from_zyx_euler(roll: f64, pitch: f64, yaw: f64, translation: Vec3) -> Option<Pose> {
        let rotation =
            Quat::from_rotation_z(yaw) * Quat::from_rotation_y(pitch) * Quat::from_rotation_x(roll);
        Pose::new(rotation, translation)
    }

    /// Roll, pitch and yaw in radians such that [`Pose::from_zyx_euler`] gives this rotation again.
    ///
    /// Pitch is in [-pi/2, pi/2], roll and yaw in [-pi, pi]. **Guarantee.** The three together give the rotation
    /// again to a few units of rounding, also next to the degenerate pitch. **Degenerate input.** At pitch = ±pi/2
    /// only yaw ∓ roll is determined: roll is 0.
    pub fn to_zyx_euler(&self) -> (f64, f64, f64) {
        let Quat { x, y, z, w } = self.rotation;
        // With R, P, Y half of roll, pitch and yaw, the sums of the quaternion's components factor:
        //   (w + y, x - z) = (cos P + sin P) (cos(R - Y), sin(R - Y))
        //   (w - y, x + z) = (cos P - sin P) (cos(R + Y), sin(R + Y))
        // so that one of the two stays accurate where the other vanishes.
        let (plus, minus) = ((w + y).hypot(x - z), (w - y).hypot(x + z));
        let pitch = (2.0 * (w * y - x * z)).atan2(plus * minus);
        let mut difference = (x - z).atan2(w + y);
        let mut sum = (x + z).atan2(w - y);
        // Below this the vanishing pair is rounding noise of the unit quaternion.
        let noise = 4.0 * f64::EPSILON;
        if minus <= noise {
            sum = -difference;
        } else if plus <= noise {
            difference = -sum;
        }
        (wrapped(sum + difference), pitch, wrapped(sum - difference))
    }

    /// The rotation, a unit quaternion.
    pub fn rotation(&self) -> Quat {
        self.rotation
    }

    /// The rotation as an orthonormal matrix.
    pub fn rotation_matrix(&self) -> Mat3 {
        Mat3::from_quat(self.rotation)
    }

    /// Where the origin of the inner frame lies in the outer frame, in metres.
    pub fn translation(&self) -> Vec3 {
        self.translation
    }

    /// The pose that undoes this one: `b_from_a` for `a_from_b`.
    #[must_use]
    pub fn inverse(&self) -> Pose {
        let rotation = self.rotation.conjugate();
        Pose { rotation, translation: -(rotation * self.translation) }
    }

    /// Takes a point from the inner to the outer frame.
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        self.rotation * point + self.translation
    }

    /// Takes a direction (or any difference of points) from the inner to the outer frame.
    pub fn rotate(&self, direction: Vec3) -> Vec3 {
        self.rotation * direction
    }

    /// This pose, turned in its own frame about an axis through its origin: `self * turn`. The axis is a unit vector, and
    /// the angle, in radians, is finite.
    #[must_use]
    #[inline]
    pub fn turned(&self, unit_axis: Vec3, angle: f64) -> Pose {
        let rotation = (self.rotation * Quat::from_axis_angle(unit_axis, angle)).normalize();
        Pose { rotation, translation: self.translation }
    }

    /// This pose, shifted in its own frame by a finite vector: `self * shift`.
    #[must_use]
    #[inline]
    pub fn shifted(&self, by: Vec3) -> Pose {
        Pose { rotation: self.rotation, translation: self.transform_point(by) }
    }

    /// The pose at share `t` of the way to `end`: straight line of the origin, shortest rotation at constant rate.
    ///
    /// `t` = 0 (or less, or NaN) gives exactly this pose, 1 (or more) exactly `end`.
    /// **Degenerate input.** Half-turns apart, both ways round are shortest; which one is taken is fixed by the
    /// signs of the quaternions.
    #[must_use]
    pub fn interpolated(&self, end: &Pose, t: f64) -> Pose {
        if t >= 1.0 {
            return *end;
        }
        if t.is_nan() || t <= 0.0 {
            return *self;
        }
        let (axis, angle) = axis_angle(end.rotation * self.rotation.conjugate());
        let turn = Quat::from_axis_angle(axis, t * angle);
        Pose {
            rotation: (turn * self.rotation).normalize(),
            // This form keeps an origin that stands still exactly where it is.
            translation: self.translation + t * (end.translation - self.translation),
        }
    }

    /// The single rotation or screw that takes this pose to `end`, as seen in the outer frame: `end` is
    /// [`Screw::at`]`(1)` times this pose.
    ///
    /// **Guarantee.** The angle is off by a few units of rounding at most, also next to 0 and pi; the axis by
    /// that over the angle, because slight rotations hold their axis in the last digits of two quaternions.
    pub fn screw_to(&self, end: &Pose) -> Screw {
        let shift = end.translation - self.translation;
        let (axis, angle) = axis_angle(end.rotation * self.rotation.conjugate());
        // Below the rounding of a unit quaternion the axis is noise and the centre is nowhere.
        if angle <= 8.0 * f64::EPSILON {
            return Screw::Translation(shift);
        }
        let middle = 0.5 * self.translation + 0.5 * end.translation;
        let center = middle + axis.cross(shift) / (2.0 * (0.5 * angle).tan());
        Screw::Rotation(RotationBetween { axis, angle, center, advance: axis.dot(shift) })
    }
}

impl Mul for Pose {
    type Output = Pose;
    /// `a_from_b * b_from_c` is `a_from_c`; the product is renormalised, so long chains do not drift.
    fn mul(self, b_from_c: Pose) -> Pose {
        Pose {
            rotation: (self.rotation * b_from_c.rotation).normalize(),
            translation: self.transform_point(b_from_c.translation),
        }
    }
}

/// What leads from one pose to another; see [`Pose::screw_to`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Screw {
    /// The orientation is the same: a translation in metres (perhaps zero).
    Translation(Vec3),
    /// A rotation, with a shift along its axis if `advance` is not zero.
    Rotation(RotationBetween),
}

impl Screw {
    /// The motion after the share `t` of it: angle and shift both in proportion. `at(0)` changes nothing and
    /// `at(1)` is the whole motion; multiply it with a pose from the left. `t` is finite.
    pub fn at(&self, t: f64) -> Pose {
        match self {
            Screw::Translation(shift) => Pose::from_translation(t * *shift),
            Screw::Rotation(r) => {
                let turn = rotation_about(r.center, r.axis, t * r.angle);
                Pose { translation: turn.translation + t * r.advance * r.axis, ..turn }
            }
        }
    }
}

/// Axis, angle and centre of the rotation between two poses, and the shift along the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationBetween {
    /// Unit direction of the axis; the rotation is counter-clockwise about it.
    pub axis: Vec3,
    /// Angle in radians, in (0, pi].
    pub angle: f64,
    /// A point on the axis, in metres: the one nearest to the middle between the two positions.
    pub center: Vec3,
    /// Shift along the axis in metres; zero (up to rounding) for a pure rotation.
    pub advance: f64,
}

/// Axis (unit) and angle in [0, pi] of a unit quaternion; the axis is z where the angle is 0.
///
/// Accurate at both ends of the range, unlike the arc cosine of the trace.
pub(crate) fn axis_angle(rotation: Quat) -> (Vec3, f64) {
    let q = if rotation.w < 0.0 { -rotation } else { rotation };
    let v = q.xyz();
    match unit(v) {
        Some(axis) => (axis, 2.0 * v.length().atan2(q.w)),
        None => (Vec3::Z, 0.0),
    }
}

/// The rotation about an axis of unit length through `point`.
fn rotation_about(point: Vec3, axis: Vec3, angle: f64) -> Pose {
    let rotation = Quat::from_axis_angle(axis, angle);
    // point - R point, written so that nothing cancels when R is nearly the identity.
    let v = rotation.xyz();
    let across = v.cross(point);
    Pose { rotation, translation: -2.0 * (rotation.w * across + v.cross(across)) }
}

/// An angle in [-2 pi, 2 pi] brought to [-pi, pi].
fn wrapped(angle: f64) -> f64 {
    if angle > PI {
        angle - TAU
    } else if angle < -PI {
        angle + TAU
    } else {
        angle
    }
}

#[cfg(test)]
mod tests;
