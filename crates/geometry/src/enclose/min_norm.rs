//! The shortest vector in a sum of small point sets' convex hulls.

use crate::math::Vec3;

/// The shortest vector in the Minkowski sum of the convex hulls of the sets; zero if the sum holds the origin.
///
/// Gilbert's scheme: the sum is only asked for its farthest point in a direction, and a simplex of at most four such
/// points approaches the origin. Stops at a relative accuracy of one percent, which a descent direction needs.
pub(super) fn shortest_in_sum<const N: usize>(sets: &[Vec<Vec3>; N]) -> Vec3 {
    let support = |direction: Vec3| {
        sets.iter().fold(Vec3::ZERO, |sum, set| {
            let mut farthest = (f64::NEG_INFINITY, Vec3::ZERO);
            for &p in set {
                let along = direction.dot(p);
                if along > farthest.0 {
                    farthest = (along, p);
                }
            }
            sum + farthest.1
        })
    };
    let mut shortest = sets.iter().filter_map(|set| set.first()).sum::<Vec3>();
    let mut simplex = [Vec3::ZERO; 4];
    let mut count = 0;
    for _ in 0..MAX_STEPS {
        let next = support(-shortest);
        // No point of the sum is nearer to the origin than this, seen along the present shortest vector.
        if shortest.dot(next) >= 0.99 * shortest.length_squared() {
            break;
        }
        simplex[count] = next;
        count += 1;
        let (point, kept, kept_count) = nearest_in_simplex(&simplex[..count]);
        if count > 1 && point.length_squared() >= shortest.length_squared() {
            break;
        }
        shortest = point;
        simplex = kept;
        count = kept_count;
        if count == 4 {
            return Vec3::ZERO;
        }
    }
    shortest
}

/// Steps of the scheme: it converges in well under ten; more means rounding is all that is left.
const MAX_STEPS: usize = 32;

/// The point of a simplex nearest to the origin and the corners that carry it (four if the origin is inside).
///
/// The last corner is new, so it is among the carriers. Of all faces with it, the nearest point in whose own plane
/// lies inside the face, the nearest is taken.
fn nearest_in_simplex(corners: &[Vec3]) -> (Vec3, [Vec3; 4], usize) {
    let (&new, old) = corners.split_last().expect("at least the new corner");
    let mut best = (new, [new, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO], 1);
    let mut least = new.length_squared();
    let mut offer = |point: Vec3, carriers: [Vec3; 4], count: usize| {
        if point.length_squared() < least {
            least = point.length_squared();
            best = (point, carriers, count);
        }
    };
    for (i, &a) in old.iter().enumerate() {
        let edge = a - new;
        let share = -edge.dot(new) / edge.length_squared();
        if share > 0.0 && share < 1.0 {
            offer(new + share * edge, [new, a, Vec3::ZERO, Vec3::ZERO], 2);
        }
        for &b in &old[..i] {
            let normal = edge.cross(b - new);
            let area = normal.length_squared();
            // Barycentric shares of the foot of the origin.
            let (x, y) = (normal.dot(b.cross(new)) / area, normal.dot(new.cross(a)) / area);
            if x > 0.0 && y > 0.0 && x + y < 1.0 {
                offer(normal * (normal.dot(new) / area), [new, a, b, Vec3::ZERO], 3);
            }
        }
    }
    if let &[a, b, c] = old {
        // Inside if the origin is on the same side of each face as the corner opposite.
        let same = |p: Vec3, q: Vec3, r: Vec3, s: Vec3| {
            let normal = (q - p).cross(r - p);
            normal.dot(s - p) * normal.dot(-p) > 0.0
        };
        if same(new, a, b, c) && same(new, b, c, a) && same(new, c, a, b) && same(a, b, c, new) {
            return (Vec3::ZERO, [new, a, b, c], 4);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn a_single_point_each_adds_up() {
        let sum = shortest_in_sum(&[vec![Vec3::X], vec![2.0 * Vec3::Y]]);
        assert_eq!(sum, Vec3::new(1.0, 2.0, 0.0));
    }

    #[test]
    fn a_sum_around_the_origin_gives_zero() {
        let cross = |d: Vec3| vec![d, -d];
        let tilted = shortest_in_sum(&[cross(Vec3::X), cross(Vec3::Y), cross(Vec3::Z)]);
        assert!(tilted.length() < 1e-12, "{tilted}");
    }

    #[test]
    fn no_sampled_point_of_the_sum_is_shorter() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let shift = random.in_cube(1.0);
            let mut set = |n: usize| (0..n).map(|_| random.in_cube(0.3) + shift).collect::<Vec<_>>();
            let sets = [set(1), set(2), set(3), set(5)];
            let shortest = shortest_in_sum(&sets);
            for _ in 0..200 {
                let mut sum = Vec3::ZERO;
                for set in &sets {
                    let weights: Vec<f64> = set.iter().map(|_| random.unit().powi(8)).collect();
                    let total: f64 = weights.iter().sum();
                    sum += set.iter().zip(&weights).map(|(&p, w)| p * (w / total)).sum::<Vec3>();
                }
                assert!(sum.length() >= 0.99 * shortest.length() - 1e-12);
            }
        }
    }
}
