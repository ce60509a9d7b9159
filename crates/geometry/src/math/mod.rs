//! Vectors, poses, exact predicates, rounding bounds and real roots; knows nothing of shapes.

mod aabb;
mod direction;
mod double;
mod pose;
pub mod predicates;
pub mod random;
pub mod roots;
pub mod rounding;
mod union_find;
mod wide;

pub use aabb::Aabb;
pub use direction::unit;
pub use pose::{Pose, RotationBetween, Screw};
pub use union_find::UnionFind;

/// 2^`exponent`, exactly: how constants that are powers of two are written, each with a name, a unit and a reason.
///
/// Beyond the range of normal numbers, -1022 to 1023, the first or the last of it.
#[inline]
pub const fn power_of_two(exponent: i32) -> f64 {
    let exponent = if exponent < -1022 {
        -1022
    } else if exponent > 1023 {
        1023
    } else {
        exponent
    };
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Three coordinates in metres, or a direction.
pub type Vec3 = glam::DVec3;
/// Two coordinates in metres, or a direction in a plane.
pub type Vec2 = glam::DVec2;
/// A 3x3 matrix, columns first.
pub type Mat3 = glam::DMat3;
/// A unit quaternion (x, y, z, w).
pub type Quat = glam::DQuat;

#[cfg(test)]
mod tests {
    use super::power_of_two;

    #[test]
    fn powers_of_two_are_exact() {
        assert!((-1022..=1023).all(|k| power_of_two(k) == 2f64.powi(k)));
        assert_eq!(power_of_two(-20), 1.0 / 1_048_576.0);
    }
}
