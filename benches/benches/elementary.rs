//! Triangles, segments and points beside parry3d-f64, on the same pairs: each row is 1000 pairs.
//!
//! Triangles with corners in a unit cube, moved apart by a given offset. Half of the pairs at offset 0 meet; at 0.7 few
//! do; "small" triangles are a tenth as large, as the leaves of a tree are that boxes could not part.

use freiraum_benches::{contender, side_by_side};
use freiraum_geometry::Vec3;
use freiraum_query::elementary::{
    point_triangle, segment_segment, triangle_triangle, triangle_triangle_below, triangles_intersect,
};
use freiraum_testkit::random::Random;
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::details::{
    closest_points_segment_segment, distance_support_map_support_map,
    intersection_test_support_map_support_map,
};
use parry3d_f64::query::{ClosestPoints, PointQuery};
use parry3d_f64::shape::{Segment, Triangle};
use std::hint::black_box;

const PAIRS: usize = 1000;
const ROUNDS: usize = 301;

type Corners = [Vec3; 3];

fn pairs(offset: f64, size: f64) -> Vec<[Corners; 2]> {
    let mut random = Random::new(3);
    let mut triangle = |shift: Vec3, size: f64| -> Corners {
        let center = random.in_cube(0.5 * (1.0 - size));
        [0; 3].map(|_| shift + center + random.in_cube(0.5 * size))
    };
    (0..PAIRS).map(|_| [triangle(Vec3::ZERO, size), triangle(Vec3::X * offset, size)]).collect()
}

/// Small triangles whose boxes overlap.
fn overlapping() -> Vec<[Corners; 2]> {
    let mut random = Random::new(4);
    let mut triangle = || -> Corners { [0; 3].map(|_| random.in_cube(0.5)) };
    let meet = |a: &Corners, b: &Corners| {
        let low = |t: &Corners| t[0].min(t[1]).min(t[2]);
        let high = |t: &Corners| t[0].max(t[1]).max(t[2]);
        low(a).cmple(high(b)).all() && low(b).cmple(high(a)).all()
    };
    let mut found = Vec::new();
    while found.len() < PAIRS {
        let (a, b) = (triangle(), triangle());
        let b = b.map(|p| p * 0.3 + Vec3::new(0.3, 0.2, -0.1));
        let a = a.map(|p| p * 0.3 + Vec3::new(0.25, 0.25, 0.0));
        if meet(&a, &b) {
            found.push([a, b]);
        }
    }
    found
}

fn vector(p: Vec3) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

fn peer(pairs: &[[Corners; 2]]) -> Vec<[Triangle; 2]> {
    let triangle = |t: Corners| Triangle::new(vector(t[0]), vector(t[1]), vector(t[2]));
    pairs.iter().map(|&[a, b]| [triangle(a), triangle(b)]).collect()
}

fn count<T>(items: &[T], f: impl Fn(&T) -> bool) -> String {
    format!("{} meet", items.iter().filter(|x| f(black_box(x))).count())
}

fn sum<T>(items: &[T], f: impl Fn(&T) -> f64) -> String {
    format!("{:.9}", items.iter().map(|x| f(black_box(x))).sum::<f64>())
}

fn main() {
    let identity = Pose::IDENTITY;
    for (name, ours) in [
        ("triangles meet? offset 0", pairs(0.0, 1.0)),
        ("triangles meet? offset 0.7", pairs(0.7, 1.0)),
        ("triangles meet? boxes overlap", overlapping()),
    ] {
        let theirs = peer(&ours);
        let contenders = vec![
            contender("Freiraum, exact", || count(&ours, |[a, b]| triangles_intersect(*a, *b))),
            contender("parry3d-f64", || {
                count(&theirs, |[a, b]| intersection_test_support_map_support_map(&identity, a, b))
            }),
        ];
        side_by_side(name, ROUNDS, contenders);
    }
    for (name, ours) in [
        ("distance of triangles, offset 0", pairs(0.0, 1.0)),
        ("distance of triangles, offset 1.2", pairs(1.2, 1.0)),
        ("distance of triangles, small", pairs(0.0, 0.1)),
        ("distance of triangles, boxes overlap", overlapping()),
    ] {
        let theirs = peer(&ours);
        let mut known: Vec<f64> =
            ours.iter().map(|[a, b]| triangle_triangle(*a, *b).distance_squared).collect();
        known.sort_by(f64::total_cmp);
        let limit = known[PAIRS / 20];
        let contenders = vec![
            contender("Freiraum", || sum(&ours, |[a, b]| triangle_triangle(*a, *b).distance())),
            contender("Freiraum, below the nearest 5 %", || {
                count(&ours, |[a, b]| triangle_triangle_below(*a, *b, limit).is_some())
            }),
            contender("parry3d-f64", || {
                sum(&theirs, |[a, b]| distance_support_map_support_map(&identity, a, b))
            }),
        ];
        side_by_side(name, ROUNDS, contenders);
    }
    let ours = pairs(0.3, 1.0);
    let theirs = peer(&ours);
    let segments: Vec<_> =
        theirs.iter().map(|[a, b]| [Segment::new(a.a, a.b), Segment::new(b.a, b.b)]).collect();
    side_by_side(
        "distance of segments",
        ROUNDS,
        vec![
            contender("Freiraum", || {
                sum(&ours, |[a, b]| segment_segment([a[0], a[1]], [b[0], b[1]]).distance())
            }),
            contender("parry3d-f64", || {
                sum(&segments, |[a, b]| match closest_points_segment_segment(&identity, a, b, f64::MAX) {
                    ClosestPoints::WithinMargin(p, q) => (p - q).length(),
                    _ => f64::NAN,
                })
            }),
        ],
    );
    side_by_side(
        "distance of a point from a triangle",
        ROUNDS,
        vec![
            contender("Freiraum", || sum(&ours, |[a, b]| point_triangle(a[0], *b).distance())),
            contender("parry3d-f64", || {
                sum(&theirs, |[a, b]| (b.project_local_point(a.a, true).point - a.a).length())
            }),
        ],
    );
}
