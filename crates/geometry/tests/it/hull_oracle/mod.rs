//! What hulls are judged by: the promises of `SolidHull` by exact predicates, and a brute-force hull of whole numbers.

use freiraum_geometry::Vec3;
use freiraum_geometry::hull::{FlatHull, Hull, SolidHull, convex_hull};
use freiraum_geometry::math::predicates::{are_collinear, side_of_plane};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of faces and points that a check may test before it takes only each so many-th point.
const MOST_PAIRS: usize = 2_000_000;

/// The hull of points that span a volume, checked in every way.
pub(crate) fn checked_solid(points: &[Vec3]) -> SolidHull {
    match convex_hull(points) {
        Ok(Hull::Solid(hull)) => {
            check_surface(points, &hull);
            check_nothing_outside(points, &hull);
            check_extreme(points, &hull);
            check_lowest_index(points, &hull.vertices);
            hull
        }
        other => panic!("not a solid: {other:?}"),
    }
}

/// Closed, consistently oriented, convex along every edge, of the type of a sphere.
pub(crate) fn check_surface(points: &[Vec3], hull: &SolidHull) {
    assert!(hull.vertices.is_sorted_by(|a, b| a < b), "vertices ascend");
    let corner = |i: u32| points[hull.vertices[i as usize] as usize];
    let mut edges = BTreeMap::new();
    for &[a, b, c] in &hull.faces {
        assert!(!are_collinear(corner(a), corner(b), corner(c)), "face without area");
        for (from, to, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            assert!(edges.insert((from, to), opposite).is_none(), "edge {from} {to} used twice");
        }
    }
    for (&(from, to), &opposite) in &edges {
        let beyond = *edges.get(&(to, from)).expect("each edge has two faces, in opposite directions");
        let side = side_of_plane(corner(from), corner(to), corner(opposite), corner(beyond));
        assert!(side.is_le(), "edge {from} {to} is not convex");
    }
    let used: BTreeSet<u32> = hull.faces.as_flattened().iter().copied().collect();
    assert!(used.iter().copied().eq(0..hull.vertices.len() as u32), "every vertex has a face");
    assert_eq!(used.len() + hull.faces.len(), edges.len() / 2 + 2, "Euler");
}

fn check_nothing_outside(points: &[Vec3], hull: &SolidHull) {
    let every = (points.len() * hull.faces.len()).div_ceil(MOST_PAIRS);
    for face in &hull.faces {
        let [a, b, c] = face.map(|i| points[hull.vertices[i as usize] as usize]);
        for &p in points.iter().step_by(every) {
            assert!(side_of_plane(a, b, c, p).is_le(), "{p} is outside a face");
        }
    }
}

/// Each vertex is an extreme point: the faces around it lie in at least three different planes.
fn check_extreme(points: &[Vec3], hull: &SolidHull) {
    let corner = |i: u32| points[hull.vertices[i as usize] as usize];
    let mut around = vec![Vec::new(); hull.vertices.len()];
    for face in &hull.faces {
        for &i in face {
            around[i as usize].push(*face);
        }
    }
    for faces in around {
        let mut planes: Vec<[u32; 3]> = Vec::new();
        for face in faces {
            let [a, b, c] = face.map(corner);
            let same = |plane: &[u32; 3]| plane.iter().all(|&i| side_of_plane(a, b, c, corner(i)).is_eq());
            if planes.len() < 3 && !planes.iter().any(same) {
                planes.push(face);
            }
        }
        assert_eq!(planes.len(), 3, "a vertex that is not extreme");
    }
}

/// Of equal points only the first one appears.
fn check_lowest_index(points: &[Vec3], vertices: &[u32]) {
    let mut first = BTreeMap::new();
    for (i, &p) in points.iter().enumerate() {
        first.entry(place(p)).or_insert(i as u32);
    }
    for &i in vertices {
        assert_eq!(first[&place(points[i as usize])], i, "not the lowest index of equal points");
    }
}

/// Coordinates as something that can be ordered; zeros of both signs are the same.
pub(crate) fn place(p: Vec3) -> [u64; 3] {
    p.to_array().map(|x| (x + 0.0).to_bits())
}

/// A point with whole coordinates.
pub(crate) type Whole = [i64; 3];

fn minus(a: Whole, b: Whole) -> Whole {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Whole, b: Whole) -> Whole {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Whole, b: Whole) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn lowest_terms(n: Whole) -> Whole {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.abs()
    };
    let g = gcd(gcd(n[0], n[1]), n[2]).max(1);
    n.map(|x| x / g)
}

/// The hull by trying every three points: facet planes (outward normal in lowest terms, offset) and corners.
pub(crate) fn brute_force(points: &[Whole]) -> (BTreeSet<(Whole, i64)>, BTreeSet<Whole>) {
    let mut planes = BTreeSet::new();
    for (i, &a) in points.iter().enumerate() {
        for (j, &b) in points.iter().enumerate().skip(i + 1) {
            for &c in &points[j + 1..] {
                let normal = lowest_terms(cross(minus(b, a), minus(c, a)));
                let heights = || points.iter().map(|&p| dot(normal, minus(p, a)));
                if normal == [0; 3] {
                    continue;
                }
                if heights().all(|h| h <= 0) {
                    planes.insert((normal, dot(normal, a)));
                }
                if heights().all(|h| h >= 0) {
                    planes.insert((normal.map(|x| -x), -dot(normal, a)));
                }
            }
        }
    }
    // A corner is where facets meet in one point: three of their normals are independent.
    let is_corner = |p: Whole| {
        let normals: Vec<Whole> = planes.iter().filter(|(n, d)| dot(*n, p) == *d).map(|&(n, _)| n).collect();
        normals.iter().any(|&a| normals.iter().any(|&b| normals.iter().any(|&c| dot(cross(a, b), c) != 0)))
    };
    let corners = points.iter().copied().filter(|&p| is_corner(p)).collect();
    (planes, corners)
}

/// Compares the hull of whole points with the brute-force one; returns how many dimensions it has.
pub(crate) fn check_against_brute_force(whole: &[Whole]) -> usize {
    let points: Vec<Vec3> = whole.iter().map(|p| Vec3::from(p.map(|x| x as f64))).collect();
    let (planes, corners) = brute_force(whole);
    match convex_hull(&points).expect("finite points") {
        Hull::Point(i) => {
            assert_eq!(i, 0);
            assert!(whole.iter().all(|p| *p == whole[0]));
            0
        }
        Hull::Segment([i, k]) => {
            let (a, b) = (whole[i as usize], whole[k as usize]);
            let axis = minus(b, a);
            assert!(i < k && axis != [0; 3]);
            for &p in whole {
                let along = dot(minus(p, a), axis);
                assert_eq!(cross(minus(p, a), axis), [0; 3], "on the line");
                assert!((0..=dot(axis, axis)).contains(&along), "between the ends");
            }
            check_lowest_index(&points, &[i, k]);
            1
        }
        Hull::Flat(flat) => {
            check_flat(&points, whole, &flat);
            2
        }
        Hull::Solid(hull) => {
            checked_solid(&points);
            let at = |i: u32| whole[hull.vertices[i as usize] as usize];
            let found: BTreeSet<Whole> = (0..hull.vertices.len() as u32).map(at).collect();
            assert_eq!(found, corners, "{whole:?}");
            let plane = |&[a, b, c]: &[u32; 3]| {
                let normal = lowest_terms(cross(minus(at(b), at(a)), minus(at(c), at(a))));
                (normal, dot(normal, at(a)))
            };
            assert_eq!(hull.faces.iter().map(plane).collect::<BTreeSet<_>>(), planes, "{whole:?}");
            3
        }
    }
}

/// The outline turns left at every corner, goes around once, and has every point on its left.
fn check_flat(points: &[Vec3], whole: &[Whole], flat: &FlatHull) {
    let outline: Vec<Whole> = flat.outline.iter().map(|&i| whole[i as usize]).collect();
    let n = outline.len();
    let normal = cross(minus(outline[1], outline[0]), minus(outline[2], outline[0]));
    let exact = Vec3::from(normal.map(|x| x as f64));
    assert!((exact.try_normalize().unwrap() - flat.normal).length() < 1e-14, "{} {exact}", flat.normal);
    assert!(flat.normal.max_element() > flat.normal.abs().max_element() - 1e-14, "the largest is positive");
    for k in 0..n {
        let (a, b, c) = (outline[k], outline[(k + 1) % n], outline[(k + 2) % n]);
        let edge = minus(b, a);
        assert!(dot(cross(edge, minus(c, b)), normal) > 0, "strictly convex: {outline:?}");
        for &p in whole {
            assert_eq!(dot(minus(p, a), normal), 0, "in the plane");
            assert!(dot(cross(edge, minus(p, a)), normal) >= 0, "{p:?} is outside {outline:?}");
        }
    }
    assert_eq!(flat.outline.iter().min(), flat.outline.first(), "lowest index first");
    check_lowest_index(points, &flat.outline);
}
