//! Faces with more than three corners become triangles: a fan where that is right, ears cut off one by one elsewhere.
//!
//! Signs are exact in the projection of the face along the coordinate axis nearest to its normal. A face that
//! crosses itself has no right answer; it gets triangles that span its outline, so that a closed mesh stays closed.

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Result};
use freiraum_geometry::math::predicates::side_of_line;
use freiraum_geometry::{Vec2, Vec3};
use std::cmp::Ordering;

/// Largest number of corners of a face that is no fan: cutting ears takes quadratic time and more, and a crafted file
/// must not keep the reader busy for hours.
const MAX_CORNERS: usize = 4096;

/// Appends the `corners.len() - 2` triangles of a face to `faces`, with the winding of the face.
///
/// Corners are indices into `vertices` and have to be in range. Errors are reported at the byte `offset`.
#[inline]
pub(crate) fn add_face(
    corners: &[u32],
    vertices: &[Vec3],
    faces: &mut Vec<[u32; 3]>,
    offset: usize,
) -> Result<()> {
    match *corners {
        [a, b, c] => {
            faces.push([a, b, c]);
            Ok(())
        }
        [] | [_] | [_, _] => {
            let found = format!("the face has {} corners", corners.len());
            Err(MeshFileError::at(Kind::Syntax, offset, found, "at least 3")
                .help("delete the face if it means nothing, or export the file again"))
        }
        _ => triangulate(corners, vertices, faces).map_err(|TooManyCorners| {
            let found = format!("the face has {} corners and is not convex", corners.len());
            MeshFileError::at(Kind::TooLarge, offset, found, format!("at most {MAX_CORNERS}"))
                .help("export the file with triangles")
        }),
    }
}

/// A face with too many corners for [`triangulate`].
#[derive(Debug, PartialEq)]
struct TooManyCorners;

fn triangulate(
    corners: &[u32],
    vertices: &[Vec3],
    faces: &mut Vec<[u32; 3]>,
) -> std::result::Result<(), TooManyCorners> {
    let points = flatten(corners, vertices);
    if is_fan(&points) {
        faces.extend((2..corners.len()).map(|i| [corners[0], corners[i - 1], corners[i]]));
        return Ok(());
    }
    if corners.len() > MAX_CORNERS {
        return Err(TooManyCorners);
    }
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let mut ear = 0;
    while left.len() > 3 {
        // The next ear is mostly where the last one was: searching on from there keeps long outlines quadratic.
        ear = find_ear(&left, ear, &points);
        let [a, b, c] = around(&left, ear);
        faces.push([corners[a], corners[b], corners[c]]);
        left.remove(ear);
    }
    faces.push([corners[left[0]], corners[left[1]], corners[left[2]]]);
    Ok(())
}

/// The corners in the coordinate plane most parallel to the face, turned so that the face is counter-clockwise.
fn flatten(corners: &[u32], vertices: &[Vec3]) -> Vec<Vec2> {
    let point = |i: usize| vertices[corners[i] as usize];
    // Twice the vector area, relative to the first corner so that distance from the origin costs no digits.
    let normal: Vec3 = (2..corners.len()).map(|i| (point(i - 1) - point(0)).cross(point(i) - point(0))).sum();
    let size = normal.abs();
    let flat: fn(Vec3) -> Vec2 = match (size.max_element() == size.x, size.max_element() == size.y) {
        (true, _) if normal.x > 0.0 => |p| Vec2::new(p.y, p.z),
        (true, _) => |p| Vec2::new(p.z, p.y),
        (_, true) if normal.y > 0.0 => |p| Vec2::new(p.z, p.x),
        (_, true) => |p| Vec2::new(p.x, p.z),
        _ if normal.z > 0.0 => |p| Vec2::new(p.x, p.y),
        _ => |p| Vec2::new(p.y, p.x),
    };
    (0..corners.len()).map(|i| flat(point(i))).collect()
}

fn turns_left(a: Vec2, b: Vec2, c: Vec2) -> bool {
    side_of_line(a, b, c) == Ordering::Greater
}

/// True if the triangles between the first corner and each of the other edges make up the face without overlap: seen
/// from the first corner the others go round in order. (A face that goes round more than once crosses itself.)
fn is_fan(points: &[Vec2]) -> bool {
    points[1..].windows(2).all(|w| turns_left(points[0], w[0], w[1]))
}

/// The corner before, the corner itself and the one behind.
fn around(left: &[usize], i: usize) -> [usize; 3] {
    let n = left.len();
    [left[(i + n - 1) % n], left[i], left[(i + 1) % n]]
}

/// A place in `left` that can be cut off, the first from `start` on; for faces that cross themselves the least bad one.
fn find_ear(left: &[usize], start: usize, points: &[Vec2]) -> usize {
    let corner = |i: usize| around(left, i).map(|k| points[k]);
    let turn = |i: usize| {
        let [a, b, c] = corner(i);
        side_of_line(a, b, c)
    };
    let places = (start.saturating_sub(1)..left.len()).chain(0..start.saturating_sub(1));
    places
        .clone()
        .find(|&i| turn(i) == Ordering::Greater && is_ear(left, i, points))
        .or_else(|| places.clone().find(|&i| turn(i) == Ordering::Equal))
        .or_else(|| places.clone().find(|&i| turn(i) == Ordering::Greater))
        .unwrap_or(0)
}

/// True if nothing of the rest of the outline enters the triangle at a convex corner. Outlines may touch themselves,
/// as they do along the cuts that lead to holes.
fn is_ear(left: &[usize], ear: usize, points: &[Vec2]) -> bool {
    let [a, b, c] = around(left, ear).map(|k| points[k]);
    let n = left.len();
    let mut previous = points[left[(ear + 1) % n]];
    for step in 2..n {
        let p = points[left[(ear + step) % n]];
        let is_corner = p == a || p == b || p == c;
        let is_outside = side_of_line(a, b, p) == Ordering::Less
            || side_of_line(b, c, p) == Ordering::Less
            || side_of_line(c, a, p) == Ordering::Less;
        // An edge may still pass from a point at the tip b, or from outside, right through the new edge c-a.
        if !(is_corner || is_outside) || cross(c, a, previous, p) {
            return false;
        }
        previous = p;
    }
    true
}

/// True if the two segments cross at one point inside of both.
fn cross(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let opposite = |x: Ordering, y: Ordering| x != Ordering::Equal && x == y.reverse();
    opposite(side_of_line(a, b, c), side_of_line(a, b, d))
        && opposite(side_of_line(c, d, a), side_of_line(c, d, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    /// Triangulates an outline in the xy plane, seen in three projections and both windings, and checks that the
    /// triangles have the area of the outline and none of them is turned over.
    fn check(outline: &[(f64, f64)]) {
        let views: [fn(f64, f64) -> Vec3; 4] = [
            |x, y| Vec3::new(x, y, 5.0),
            |x, y| Vec3::new(5.0, x, y),
            |x, y| Vec3::new(y, 5.0, x),
            |x, y| Vec3::new(x, y, x - 2.0 * y),
        ];
        for view in views {
            for turned in [false, true] {
                let mut vertices: Vec<Vec3> = outline.iter().map(|&(x, y)| view(x, y)).collect();
                if turned {
                    vertices.reverse();
                }
                let corners: Vec<u32> = (0..vertices.len() as u32).collect();
                let mut faces = Vec::new();
                triangulate(&corners, &vertices, &mut faces).unwrap();
                assert_eq!(faces.len(), vertices.len() - 2);
                let area = |[i, j, k]: [usize; 3]| {
                    (vertices[j] - vertices[i]).cross(vertices[k] - vertices[i]) * 0.5
                };
                let whole: Vec3 = (2..vertices.len()).map(|i| area([0, i - 1, i])).sum();
                let sizes = faces.iter().map(|f| area(f.map(|i| i as usize)).dot(whole) / whole.length());
                let positive: f64 = sizes.clone().map(f64::abs).sum();
                assert!((positive - whole.length()).abs() <= 1e-9 * positive, "{outline:?}: {faces:?}");
            }
        }
    }

    #[test]
    fn convex_faces_are_fans_from_the_first_corner() {
        let mut faces = Vec::new();
        let square = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
        triangulate(&[0, 1, 2, 3], &square, &mut faces).unwrap();
        assert_eq!(faces, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn concave_faces() {
        check(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (3.0, 1.0)]);
        check(&[(3.0, 1.0), (0.0, 0.0), (4.0, 0.0), (4.0, 4.0)]);
        // An L, a comb, an arrow.
        check(&[(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)]);
        let comb: Vec<(f64, f64)> = (0..9)
            .map(|i| (f64::from(i), if i % 2 == 0 { 5.0 } else { 1.0 }))
            .chain([(8.0, 0.0), (0.0, 0.0)])
            .collect();
        check(&comb);
        check(&[(0.0, 0.0), (1.0, 3.0), (0.0, 2.5), (-1.0, 3.0)]);
    }

    #[test]
    fn long_outlines() {
        // A comb and a spiral; with as many corners as are allowed each takes a fifth of a second.
        let n = MAX_CORNERS as i32 / 4 - 2;
        let comb = (0..n).map(|i| (f64::from(i), if i % 2 == 0 { 5.0 } else { 1.0 }));
        check(&comb.chain([(f64::from(n), 0.0), (0.0, 0.0)]).rev().collect::<Vec<_>>());
        let arm = |i: i32, width: f64| {
            let (s, c) = (f64::from(i) * 0.05).sin_cos();
            ((f64::from(i) + width) * c, (f64::from(i) + width) * s)
        };
        let (out, back) = ((100..n / 2).map(|i| arm(i, 0.0)), (100..n / 2).rev().map(|i| arm(i, 30.0)));
        check(&back.chain(out).collect::<Vec<_>>());
    }

    #[test]
    fn corners_on_straight_edges() {
        check(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 2.0)]);
        check(&[
            (1.0, 0.0),
            (2.0, 0.0),
            (2.0, 1.0),
            (2.0, 2.0),
            (1.0, 2.0),
            (0.0, 2.0),
            (0.0, 1.0),
            (0.0, 0.0),
        ]);
    }

    #[test]
    fn a_hole_reached_by_a_cut() {
        check(&[
            (0.0, 0.0),
            (9.0, 0.0),
            (9.0, 9.0),
            (0.0, 9.0),
            (0.0, 0.0),
            (3.0, 3.0),
            (3.0, 6.0),
            (6.0, 6.0),
            (6.0, 3.0),
            (3.0, 3.0),
        ]);
    }

    #[test]
    fn random_stars() {
        let mut random = Random::new(9);
        for n in [5, 8, 20, 100] {
            for _ in 0..20 {
                let outline: Vec<(f64, f64)> = (0..n)
                    .map(|i| {
                        let (s, c) = (f64::from(i) / f64::from(n) * std::f64::consts::TAU).sin_cos();
                        let r = random.range(0.1, 1.0);
                        (r * c, r * s)
                    })
                    .collect();
                check(&outline);
            }
        }
    }

    #[test]
    fn nonsense_still_gives_triangles_over_the_outline() {
        let mut random = Random::new(10);
        for n in 4..40 {
            let vertices: Vec<Vec3> = (0..n).map(|_| random.in_cube(1.0)).collect();
            let corners: Vec<u32> = (0..n as u32).map(|i| i % (1 + n as u32 / 2)).collect();
            for corners in [&corners[..], &vec![0; n], &(0..n as u32).collect::<Vec<_>>()] {
                let mut faces = Vec::new();
                triangulate(corners, &vertices, &mut faces).unwrap();
                assert_eq!(faces.len(), n - 2);
                // Every edge that is not in the outline is used in both directions equally often.
                let mut count = std::collections::BTreeMap::new();
                let mut add = |a: u32, b: u32, by: i32| {
                    *count.entry((a.min(b), a.max(b))).or_insert(0) += if a < b { by } else { -by }
                };
                for f in &faces {
                    (0..3).for_each(|i| add(f[i], f[(i + 1) % 3], 1));
                }
                (0..n).for_each(|i| add(corners[i], corners[(i + 1) % n], -1));
                assert!(count.iter().all(|(edge, &c)| c == 0 || edge.0 == edge.1), "{corners:?}");
            }
        }
    }

    #[test]
    fn too_many_corners() {
        let vertices: Vec<Vec3> =
            (0..=MAX_CORNERS).map(|i| Vec3::new(i as f64, if i % 2 == 0 { 0.0 } else { 1.0 }, 0.0)).collect();
        let corners: Vec<u32> = (0..vertices.len() as u32).collect();
        assert_eq!(triangulate(&corners, &vertices, &mut Vec::new()), Err(TooManyCorners));
    }
}
