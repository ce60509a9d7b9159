//! Rigid placements and what leads from one to another.

use super::{Mat3, Quat, Vec3};
use std::ops::Mul;

/// A rigid placement: a rotation followed by a translation.
///
/// **Frames.** A pose named `a_from_b` takes coordinates in frame b to coordinates in frame a, and
/// `a_from_b * b_from_c` is `a_from_c`. **Units.** Metres; the quaternion is kept at unit length.
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

    /// A pure translation in metres.
    pub const fn from_translation(translation: Vec3) -> Pose {
        Pose { rotation: Quat::IDENTITY, translation }
    }

    /// The rotation by `angle` radians about the axis through the origin (right-hand rule; any non-zero length).
    ///
    /// `None` if the axis is zero or anything is not finite.
    pub fn from_axis_angle(axis: Vec3, angle: f64) -> Option<Pose> {
        let axis = axis.try_normalize().filter(|_| angle.is_finite())?;
        Some(Pose { rotation: Quat::from_axis_angle(axis, angle), translation: Vec3::ZERO })
    }

    /// The rotation by `angle` radians about the axis through `point`; see [`Pose::from_axis_angle`].
    pub fn from_rotation_about(point: Vec3, axis: Vec3, angle: f64) -> Option<Pose> {
        let turn = Pose::from_axis_angle(axis, angle)?;
        Some(Pose { translation: point - turn.rotate(point), ..turn })
    }

    /// Yaw about z after pitch about y after roll about x, in radians (formulas.md 3.8), with a translation.
    pub fn from_zyx_euler(roll: f64, pitch: f64, yaw: f64, translation: Vec3) -> Pose {
        let rotation =
            Quat::from_rotation_z(yaw) * Quat::from_rotation_y(pitch) * Quat::from_rotation_x(roll);
        Pose { rotation, translation }
    }

    /// Roll, pitch and yaw in radians such that [`Pose::from_zyx_euler`] gives this rotation again.
    ///
    /// Pitch is in [-pi/2, pi/2]. **Degenerate input.** At pitch = ±pi/2 only yaw ∓ roll is determined: roll is 0.
    pub fn to_zyx_euler(&self) -> (f64, f64, f64) {
        let m = self.rotation_matrix();
        let cos_pitch = m.x_axis.x.hypot(m.x_axis.y);
        let pitch = (-m.x_axis.z).atan2(cos_pitch);
        // Below this the entries that hold roll and yaw are rounding noise of the matrix.
        if cos_pitch > 8.0 * f64::EPSILON {
            (m.y_axis.z.atan2(m.z_axis.z), pitch, m.x_axis.y.atan2(m.x_axis.x))
        } else {
            (0.0, pitch, (-m.y_axis.x).atan2(m.y_axis.y))
        }
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

    /// The pose at share `t` of the way to `end`: straight line of the origin, shortest rotation at constant rate.
    ///
    /// `t` = 0 gives this pose, 1 gives `end` (its quaternion perhaps negated: the same rotation).
    /// **Degenerate input.** Half-turns apart, both ways round are shortest; which one is taken is fixed by the
    /// signs of the quaternions.
    #[must_use]
    pub fn interpolated(&self, end: &Pose, t: f64) -> Pose {
        if t <= 0.0 {
            return *self;
        }
        if t >= 1.0 {
            return *end;
        }
        let (axis, angle) = axis_angle(end.rotation * self.rotation.conjugate());
        let turn = Quat::from_axis_angle(axis, t * angle);
        Pose {
            rotation: (turn * self.rotation).normalize(),
            translation: self.translation.lerp(end.translation, t),
        }
    }

    /// The single rotation or screw that takes this pose to `end`, as seen in the outer frame.
    ///
    /// `end` equals (rotation about the found axis, then shift along it) applied after this pose.
    /// (formulas.md 3.3, 3.4.)
    pub fn screw_to(&self, end: &Pose) -> Screw {
        let shift = end.translation - self.translation;
        let (axis, angle) = axis_angle(end.rotation * self.rotation.conjugate());
        // Below the rounding of a unit quaternion the axis is noise and the centre is nowhere.
        if angle <= 8.0 * f64::EPSILON {
            return Screw::Translation(shift);
        }
        let center = 0.5 * (self.translation + end.translation + axis.cross(shift) / (0.5 * angle).tan());
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

/// Axis, angle and centre of the rotation between two poses, and the shift along the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationBetween {
    /// Unit direction of the axis; the rotation is counter-clockwise about it.
    pub axis: Vec3,
    /// Angle in radians, in (0, pi].
    pub angle: f64,
    /// A point on the axis, in metres: the one half way along the axis between the two positions.
    pub center: Vec3,
    /// Shift along the axis in metres; zero (up to rounding) for a pure rotation.
    pub advance: f64,
}

/// Axis (unit) and angle in [0, pi] of a unit quaternion; the axis is z where the angle is 0.
///
/// Accurate at both ends of the range, unlike the arc cosine of the trace.
pub(crate) fn axis_angle(rotation: Quat) -> (Vec3, f64) {
    let q = if rotation.w < 0.0 { -rotation } else { rotation };
    let v = Vec3::new(q.x, q.y, q.z);
    let length = v.length();
    match v.try_normalize() {
        Some(axis) => (axis, 2.0 * length.atan2(q.w)),
        None => (Vec3::Z, 0.0),
    }
}
