//! Convex hulls checked by exact predicates: nothing outside, convex, closed, the true corners and no others.

use freiraum_geometry::Vec3;
use freiraum_geometry::hull::{Hull, SolidHull, convex_hull};
use freiraum_geometry::math::predicates::{are_collinear, side_of_plane};
use freiraum_testkit::{points, random::Random};
use std::collections::{BTreeMap, BTreeSet};

/// Everything the hull promises, by exact predicates. `every`: test each how many-th point against all faces.
fn check_solid(points: &[Vec3], hull: &SolidHull, every: usize) {
    assert!(hull.vertices.is_sorted_by(|a, b| a < b), "vertices ascend");
    let corner = |i: u32| points[hull.vertices[i as usize] as usize];
    let mut edges = BTreeMap::new();
    for &[a, b, c] in &hull.faces {
        assert!(!are_collinear(corner(a), corner(b), corner(c)), "face without area");
        for (from, to, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            assert!(
                edges.insert((from, to), opposite).is_none(),
                "edge {from} {to} used twice in one direction"
            );
        }
    }
    for (&(from, to), &opposite) in &edges {
        let beyond = *edges.get(&(to, from)).expect("each edge has two faces in opposite directions");
        let side = side_of_plane(corner(from), corner(to), corner(opposite), corner(beyond));
        assert!(side.is_le(), "edge {from} {to} is not convex");
    }
    let used: BTreeSet<u32> = hull.faces.as_flattened().iter().copied().collect();
    assert!(used.iter().copied().eq(0..hull.vertices.len() as u32), "every vertex has a face");
    assert_eq!(used.len() + hull.faces.len(), edges.len() / 2 + 2, "Euler");
    for &[a, b, c] in &hull.faces {
        for p in points.iter().step_by(every) {
            assert!(side_of_plane(corner(a), corner(b), corner(c), *p).is_le(), "{p} is outside a face");
        }
    }
    // Lowest index among equal points.
    let key = |p: Vec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let mut first = BTreeMap::new();
    for (i, &p) in points.iter().enumerate() {
        first.entry(key(p)).or_insert(i as u32);
    }
    for &i in &hull.vertices {
        assert_eq!(first[&key(points[i as usize])], i, "not the lowest index of equal points");
    }
    check_extreme(points, hull);
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

fn solid(points: &[Vec3], every: usize) -> SolidHull {
    match convex_hull(points) {
        Ok(Hull::Solid(hull)) => {
            check_solid(points, &hull, every);
            hull
        }
        other => panic!("not a solid: {other:?}"),
    }
}

#[test]
fn clouds() {
    for n in [4, 5, 10, 100, 1000] {
        for seed in 0..3 {
            solid(&points::gauss(n, seed), 1);
            solid(&points::cube(n, seed), 1);
            solid(&points::sphere(n, seed), 1);
        }
    }
}

#[test]
fn small_integer_sets() {
    let mut random = Random::new(7);
    for _ in 0..2000 {
        let n = 4 + random.below(30);
        let k = 2 + random.below(4);
        let set: Vec<Vec3> = (0..n)
            .map(|_| Vec3::new(random.below(k) as f64, random.below(k) as f64, random.below(k) as f64))
            .collect();
        if let Ok(Hull::Solid(hull)) = convex_hull(&set) {
            check_solid(&set, &hull, 1);
        }
    }
}
