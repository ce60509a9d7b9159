//! Directions: unit vectors out of vectors of any length.

use super::Vec3;

/// The unit vector in the direction of `v`, accurate to rounding for every length from the smallest to the
/// largest f64, where the plain quotient by the length under- or overflows beyond about 1e±154.
///
/// `None` if `v` is zero or not finite.
pub fn unit(v: Vec3) -> Option<Vec3> {
    let square = v.length_squared();
    // Within these limits a square that underflowed is too small to matter in the sum.
    if square > f64::MIN_POSITIVE / f64::EPSILON && square <= f64::MAX {
        return Some(v / square.sqrt());
    }
    let largest = v.abs().max_element();
    if !(largest > 0.0 && v.is_finite()) {
        return None;
    }
    let scaled = v / largest;
    Some(scaled / scaled.length())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_has_its_direction() {
        let expected = Vec3::new(2.0, -3.0, 6.0) / 7.0;
        for length in [5e-324, 1e-310, 1e-200, 1e-160, 1e-20, 1.0, 1e20, 1e160, 1e200, 2e307] {
            // The smallest subnormals hold few digits: only the axes survive there.
            if length >= 1e-300 {
                let found = unit(length * Vec3::new(2.0, -3.0, 6.0)).unwrap();
                assert!((found - expected).length() < 4.0 * f64::EPSILON, "{length}: {found}");
            }
            assert_eq!(unit(length * Vec3::NEG_Y), Some(Vec3::NEG_Y), "{length}");
        }
    }

    #[test]
    fn no_direction_without_a_finite_length() {
        for v in [Vec3::ZERO, -Vec3::ZERO, Vec3::NAN, Vec3::INFINITY, Vec3::new(1.0, f64::NAN, 0.0)] {
            assert_eq!(unit(v), None, "{v}");
        }
    }
}
