//! The shortest vector in a sum of small point sets' convex hulls.

use crate::math::Vec3;

/// The shortest vector in the Minkowski sum of the convex hulls of the sets; zero if the sum holds the origin.
///
/// Good to one percent, which a descent direction needs.
pub(super) fn shortest_in_sum<const N: usize>(sets: &[Vec<Vec3>; N]) -> Vec3 {
    let first = sets.iter().filter_map(|set| set.first()).sum::<Vec3>();
    shortest(first, |direction| {
        let sum = sets.iter().fold(Vec3::ZERO, |sum, set| {
            farthest(set.iter().copied(), direction).map_or(sum, |(_, p)| sum + p)
        });
        (sum, 0)
    })
    .0
}

/// The shortest vector in the convex hull of the points, good to one percent, and which of them (at most four) carry it.
pub(super) fn shortest_in_hull(points: &[Vec3]) -> (Vec3, Vec<u32>) {
    let Some(&first) = points.first() else { return (Vec3::ZERO, Vec::new()) };
    let (point, simplex, count) =
        shortest(first, |direction| match farthest(points.iter().copied(), direction) {
            Some((i, p)) => (p, i as u32),
            None => (first, 0),
        });
    (point, simplex[..count].iter().map(|corner| corner.1).collect())
}

fn farthest(points: impl Iterator<Item = Vec3>, direction: Vec3) -> Option<(usize, Vec3)> {
    let mut best = None;
    let mut most = f64::NEG_INFINITY;
    for (i, p) in points.enumerate() {
        let along = direction.dot(p);
        if along > most {
            most = along;
            best = Some((i, p));
        }
    }
    best
}

/// A point of the convex set and the number of the point of the input it came from.
type Corner = (Vec3, u32);

/// The shortest vector of a convex set that is only asked for its farthest point in a direction (Gilbert, Johnson and
/// Keerthi): a simplex of at most four such points approaches the origin.
fn shortest(first: Vec3, support: impl Fn(Vec3) -> Corner) -> (Vec3, [Corner; 4], usize) {
    let mut point = first;
    let mut simplex = [(Vec3::ZERO, 0); 4];
    let mut count = 0;
    for _ in 0..MAX_STEPS {
        let next = support(-point);
        // No point of the set is nearer to the origin than this, seen along the present shortest vector.
        if count > 0 && point.dot(next.0) >= 0.99 * point.length_squared() {
            break;
        }
        let mut grown = simplex;
        grown[count] = next;
        let (nearer, kept, kept_count) = nearest_in_simplex(&grown[..=count]);
        if count > 0 && nearer.length_squared() >= point.length_squared() {
            break;
        }
        (point, simplex, count) = (nearer, kept, kept_count);
        if count == 4 {
            break;
        }
    }
    (point, simplex, count)
}

/// Steps of the scheme: it converges in well under ten; more means rounding is all that is left.
const MAX_STEPS: usize = 32;

/// The point of a simplex nearest to the origin and the corners that carry it (four if the origin is inside).
///
/// The last corner is new, so it is among the carriers. Of all faces with it, the nearest point in whose own plane
/// lies inside the face, the nearest is taken.
fn nearest_in_simplex(corners: &[Corner]) -> (Vec3, [Corner; 4], usize) {
    let (&corner, old) = corners.split_last().expect("at least the new corner");
    let new = corner.0;
    let none = (Vec3::ZERO, 0);
    let mut best = (new, [corner, none, none, none], 1);
    let mut least = new.length_squared();
    let mut offer = |point: Vec3, carriers: [Corner; 4], count: usize| {
        if point.length_squared() < least {
            least = point.length_squared();
            best = (point, carriers, count);
        }
    };
    for (i, &corner_a) in old.iter().enumerate() {
        let a = corner_a.0;
        let edge = a - new;
        let share = -edge.dot(new) / edge.length_squared();
        if share > 0.0 && share < 1.0 {
            offer(new + share * edge, [corner, corner_a, none, none], 2);
        }
        for &corner_b in &old[..i] {
            let b = corner_b.0;
            let normal = edge.cross(b - new);
            let area = normal.length_squared();
            // Barycentric shares of the foot of the origin.
            let (x, y) = (normal.dot(b.cross(new)) / area, normal.dot(new.cross(a)) / area);
            if x > 0.0 && y > 0.0 && x + y < 1.0 {
                offer(normal * (normal.dot(new) / area), [corner, corner_a, corner_b, none], 3);
            }
        }
    }
    if let &[a, b, c] = old {
        // Inside if the origin is on the same side of each face as the corner opposite.
        let same = |p: Corner, q: Corner, r: Corner, s: Corner| {
            let normal = (q.0 - p.0).cross(r.0 - p.0);
            normal.dot(s.0 - p.0) * normal.dot(-p.0) > 0.0
        };
        let d = corner;
        if same(d, a, b, c) && same(d, b, c, a) && same(d, c, a, b) && same(a, b, c, d) {
            return (Vec3::ZERO, [d, a, b, c], 4);
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
    fn the_carriers_hold_the_origin() {
        let mut random = Random::new(6);
        for _ in 0..200 {
            let points: Vec<Vec3> = (0..60).map(|_| random.direction()).collect();
            let (point, carriers) = shortest_in_hull(&points);
            assert!(point.length() < 1e-9 && (2..=4).contains(&carriers.len()), "{point} {carriers:?}");
            let few: Vec<Vec3> = carriers.iter().map(|&i| points[i as usize]).collect();
            assert!(shortest_in_hull(&few).0.length() < 1e-9);
        }
        assert_eq!(shortest_in_hull(&[Vec3::X, Vec3::X * 2.0, Vec3::new(1.0, 0.3, 0.0)]), (Vec3::X, vec![0]));
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
