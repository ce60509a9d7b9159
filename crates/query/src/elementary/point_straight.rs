//! The point of a line, ray or segment that is closest to a point.

use super::Nearest;
use super::straight::Straight;
use freiraum_geometry::Vec3;

/// The closest point of the line, ray or segment `b` to the point `a`.
///
/// **Degenerate input.** Without a direction or length, `b` is its point.
pub fn point_straight(a: Vec3, b: impl Straight) -> Nearest {
    let span = b.span();
    Nearest::of_points(a, span.at(span.closest(a)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::{Line, Ray, point_segment};

    #[test]
    fn lines_have_no_ends_and_rays_one() {
        let (point, direction) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.0));
        let check = |x: f64, on_line: f64, on_ray: f64, on_segment: f64| {
            let p = Vec3::new(x, 3.0, 4.0);
            assert_eq!(point_straight(p, Line { point, direction }).point_on_b, Vec3::X * on_line);
            assert_eq!(point_straight(p, Ray { origin: point, direction }).point_on_b, Vec3::X * on_ray);
            let segment = [point, point + direction];
            assert_eq!(point_straight(p, segment).point_on_b, Vec3::X * on_segment);
            assert_eq!(point_straight(p, segment), point_segment(p, segment));
        };
        check(-7.0, -7.0, 1.0, 1.0);
        check(2.5, 2.5, 2.5, 2.5);
        check(9.0, 9.0, 9.0, 3.0);
    }

    #[test]
    fn without_a_direction_it_is_a_point() {
        let (p, q) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 2.0, 5.0));
        for found in [
            point_straight(p, Line { point: q, direction: Vec3::ZERO }),
            point_straight(p, Ray { origin: q, direction: Vec3::ZERO }),
            point_straight(p, [q, q]),
        ] {
            assert_eq!(found, Nearest { distance_squared: 4.0, point_on_a: p, point_on_b: q });
        }
    }
}
