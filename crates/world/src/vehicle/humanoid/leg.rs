//! Legs: which joint positions put a foot where it shall be. A closed form, because the three axes of the hip meet in a point, and so do the two of the ankle.

use super::model::SHIN;
use freiraum_geometry::{Mat3, Pose, Quat};

/// Positions of hip yaw, roll, pitch, knee, ankle pitch and roll that put the ankle where it shall be.
///
/// **Frames.** `hip_from_ankle`: the frame of the pelvis shifted to the hip, and that of the foot shifted to the ankle; both upright in the zero position.
/// **Guarantee.** Exact to rounding, with the knee bent forward. `None` if the leg is too short or straight.
pub(super) fn leg_angles(hip_from_ankle: &Pose) -> Option<[f64; 6]> {
    let rotation = hip_from_ankle.rotation();
    // From the ankle to the hip, in the frame of the foot.
    let up = rotation.conjugate() * -hip_from_ankle.translation();
    let length = up.length();
    // Of the triangle hip, knee, ankle with two equal sides: the knee is bent by twice the angle at its foot.
    let share = length / (2.0 * SHIN);
    if !(share < 1.0 && up.z > 0.0) {
        return None;
    }
    let lean = share.acos();
    let knee = 2.0 * lean;
    let ankle_roll = up.y.atan2(up.z);
    let ankle_pitch = -up.x.atan2(up.y.hypot(up.z)) - lean;
    let turn = rotation * Quat::from_rotation_x(-ankle_roll) * Quat::from_rotation_y(-ankle_pitch - knee);
    // What is left is Rz(yaw) Rx(roll) Ry(pitch).
    let m = Mat3::from_quat(turn);
    let yaw = (-m.y_axis.x).atan2(m.y_axis.y);
    let (sine, cosine) = yaw.sin_cos();
    let roll = m.y_axis.z.atan2(m.y_axis.y * cosine - m.y_axis.x * sine);
    let pitch = (-m.x_axis.z).atan2(m.z_axis.z);
    Some([yaw, roll, pitch, knee, ankle_pitch, ankle_roll])
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::Vec3;

    /// The ankle for these positions: `hip_from_ankle`.
    fn hip_from_ankle(angles: &[f64; 6]) -> Pose {
        let [yaw, roll, pitch, knee, ankle_pitch, ankle_roll] = *angles;
        let down = Vec3::new(0.0, 0.0, -SHIN);
        Pose::IDENTITY
            .turned(Vec3::Z, yaw)
            .turned(Vec3::X, roll)
            .turned(Vec3::Y, pitch)
            .shifted(down)
            .turned(Vec3::Y, knee)
            .shifted(down)
            .turned(Vec3::Y, ankle_pitch)
            .turned(Vec3::X, ankle_roll)
    }

    #[test]
    fn there_and_back() {
        let mut worst: f64 = 0.0;
        let mut count = 0;
        for k in 0..4000u32 {
            let share = |n: u32| f64::from((k + 1).wrapping_mul(n) % 1009) / 1009.0 - 0.5;
            let angles = [
                1.2 * share(17),
                1.2 * share(113),
                1.6 * share(241) - 0.3,
                0.05 + 1.8 * (share(389) + 0.5),
                1.2 * share(521) - 0.3,
                1.0 * share(733),
            ];
            let wanted = hip_from_ankle(&angles);
            let Some(found) = leg_angles(&wanted) else { continue };
            count += 1;
            for (a, b) in angles.iter().zip(&found) {
                worst = worst.max((a - b).abs());
            }
        }
        assert!(count > 3900, "{count}");
        assert!(worst < 1e-11, "{worst:e}");
    }

    #[test]
    fn too_far_is_told() {
        assert!(leg_angles(&Pose::from_translation(Vec3::new(0.0, 0.0, -0.23))).is_none());
        assert!(leg_angles(&Pose::from_translation(Vec3::new(0.0, 0.0, -0.2))).is_some());
    }
}
