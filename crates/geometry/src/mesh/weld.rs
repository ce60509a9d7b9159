//! Vertices that are one: the same position, or nearly.
//!
//! Both functions give each vertex the index of the vertex that stands for it, itself if it stays. Only
//! vertices that `takes_part` accepts are welded, and only with each other.

use crate::math::{Aabb, Vec3};
use std::collections::HashMap;

/// Welds exactly equal positions (minus zero equals zero) to the first of them.
pub fn exact(vertices: &[Vec3], takes_part: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut first_at = HashMap::with_capacity(vertices.len());
    let first = |(i, p): (u32, &Vec3)| {
        if !takes_part(i as usize) {
            return i;
        }
        // Adding zero turns minus zero into zero.
        *first_at.entry((*p + Vec3::ZERO).to_array().map(f64::to_bits)).or_insert(i)
    };
    (0..).zip(vertices).map(first).collect()
}

/// Welds positions at most `distance` apart, a positive number of metres.
///
/// Taken in order, a vertex joins the nearest earlier one that stands for itself (the first of equally near ones), or
/// else stands for itself. So no vertex moves by more than `distance`, a row of close vertices does not collapse into one,
/// and those that stay are further apart than `distance`; but of two close vertices each may join another one.
pub fn within(vertices: &[Vec3], distance: f64, takes_part: impl Fn(usize) -> bool) -> Vec<u32> {
    let reach = |i: usize| if takes_part(i) { distance } else { -1.0 };
    nearest_earlier(vertices, distance, reach, usize::MAX)
}

/// As [`within`], with a distance for each position: two of them are welded if they are no farther apart than the smaller of their two. After `most_looks`
/// comparisons no more are welded.
pub(super) fn within_reach(vertices: &[Vec3], reach: &[f64], most_looks: usize) -> Vec<u32> {
    let farthest = reach.iter().copied().fold(0.0, f64::max);
    nearest_earlier(vertices, farthest, |i| reach[i], most_looks)
}

/// `reach` is at most `farthest`; what has a negative one takes no part.
fn nearest_earlier(
    vertices: &[Vec3],
    farthest: f64,
    reach: impl Fn(usize) -> f64,
    most_looks: usize,
) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let bounds = Aabb::of_points(vertices);
    // A little more than the distance, so that neither a place nor the number of its cell is rounded by more than what was
    // added: what is near is never beyond the next cell, and no distance is so small that many vertices share one.
    let edge = farthest + 4.0 * f64::EPSILON * bounds.size().max_element();
    let cell = |p: Vec3| ((p - bounds.min) / edge).floor().to_array().map(|x| x as i64);
    let mut first_in_cell: HashMap<[i64; 3], u32> = HashMap::new();
    let mut next_in_cell = vec![NONE; vertices.len()];
    let mut looks = 0usize;
    let nearest = |i: u32| {
        let own = reach(i as usize);
        if own < 0.0 || looks >= most_looks {
            return i;
        }
        let p = vertices[i as usize];
        let [x, y, z] = cell(p);
        let mut best = (f64::INFINITY, NONE);
        for dx in -1..=1 {
            for dy in -1..=1 {
                for dz in -1..=1 {
                    let neighbour = [x + dx, y + dy, z + dz];
                    let mut at = first_in_cell.get(&neighbour).copied().unwrap_or(NONE);
                    while at != NONE {
                        looks += 1;
                        let gap = vertices[at as usize].distance(p);
                        if gap <= own.min(reach(at as usize)) && (gap, at) < best {
                            best = (gap, at);
                        }
                        at = next_in_cell[at as usize];
                    }
                }
            }
        }
        if best.1 != NONE {
            return best.1;
        }
        let head = first_in_cell.entry([x, y, z]).or_insert(NONE);
        next_in_cell[i as usize] = *head;
        *head = i;
        i
    };
    (0..vertices.len() as u32).map(nearest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn exact_takes_the_first_of_equals() {
        let p = |x: f64| Vec3::new(x, 1.0, -0.0);
        let vertices = [p(0.0), p(1.0), p(-0.0), p(1.0), p(1.0f64.next_up()), Vec3::new(0.0, 1.0, 0.0)];
        assert_eq!(exact(&vertices, |_| true), [0, 1, 0, 1, 4, 0]);
        assert_eq!(exact(&vertices, |i| i != 0), [0, 1, 2, 1, 4, 2]);
    }

    #[test]
    fn within_agrees_with_comparing_all_pairs() {
        let mut random = Random::new(5);
        for round in 0..300 {
            let distance = [1e-12, 0.3, 1e-300, 3e-17, 1e-15][round % 5];
            let mut vertex = || match round % 4 {
                0 => random.in_cube(1.0),
                1 => (random.in_cube(4.0)).round() * 0.1,
                // Finer than the coordinates of the last vertex, and than the distance from it.
                2 => random.in_cube(4.0 * distance),
                _ => random.in_cube(4.0 * distance) - 1.0,
            };
            let mut vertices: Vec<Vec3> = (0..40).map(|_| vertex()).collect();
            vertices.push(Vec3::splat(-2.0));
            let takes_part = |i: usize| i % 5 != round % 7;
            let mut expected: Vec<u32> = Vec::new();
            for i in 0..vertices.len() {
                let staying = (0..i as u32).filter(|&j| expected[j as usize] == j && takes_part(j as usize));
                let gap = |j: u32| vertices[j as usize].distance(vertices[i]);
                let near = staying.filter(|&j| gap(j) <= distance && takes_part(i));
                let best = near.min_by(|&j, &k| gap(j).total_cmp(&gap(k)));
                expected.push(best.unwrap_or(i as u32));
            }
            assert_eq!(within(&vertices, distance, takes_part), expected);
        }
    }

    /// Comparing all pairs would take minutes here.
    #[test]
    fn a_tiny_distance_welds_equal_positions_only() {
        let mut random = Random::new(6);
        let mut vertices: Vec<Vec3> = (0..100_000).map(|_| random.in_cube(1.0)).collect();
        vertices.extend_from_within(..);
        for distance in [1e-30, f64::MIN_POSITIVE, f64::from_bits(1)] {
            assert_eq!(within(&vertices, distance, |_| true), exact(&vertices, |_| true));
        }
        assert!(within(&vertices, f64::INFINITY, |_| true).iter().all(|&to| to == 0));
    }

    #[test]
    fn a_row_does_not_collapse() {
        let row: Vec<Vec3> = (0..100).map(|i| Vec3::X * (0.75 * f64::from(i))).collect();
        let welded = within(&row, 1.0, |_| true);
        assert!(welded.iter().zip(&row).all(|(&to, p)| row[to as usize].distance(*p) <= 1.0));
        assert_eq!(welded.iter().zip(0..).filter(|(to, i)| **to == *i).count(), 50);
    }
}
