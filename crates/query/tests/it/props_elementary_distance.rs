//! Distances of points, segments and triangles against exact arithmetic, in families full of degenerate cases.

use freiraum_geometry::Vec3;
use freiraum_query::elementary::{
    Nearest, point_segment, point_triangle, segment_segment, segment_triangle, triangle_triangle,
    triangle_triangle_below,
};
use freiraum_testkit::exact_distance::hull_distance;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// Allowed error in units of rounding of the largest difference of two corners.
const UNITS: f64 = 16.0;

fn reach(a: &[Vec3], b: &[Vec3]) -> f64 {
    let all: Vec<Vec3> = a.iter().chain(b).copied().collect();
    let far = all.iter().flat_map(|p| all.iter().map(move |q| (*p - *q).abs().max_element()));
    far.fold(0.0, f64::max)
}

fn largest(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().chain(b).map(|p| p.abs().max_element()).fold(0.0, f64::max)
}

/// Returns the worst error in units of rounding.
fn check(found: Nearest, a: &[Vec3], b: &[Vec3]) -> f64 {
    // Points cannot be closer to their pieces than the resolution of their coordinates.
    let unit = f64::EPSILON * (reach(a, b) + largest(a, b));
    let exact = hull_distance(a, b);
    let errors = [
        (found.distance() - exact).abs(),
        (found.point_on_a.distance(found.point_on_b) - found.distance()).abs(),
        hull_distance(&[found.point_on_a], a),
        hull_distance(&[found.point_on_b], b),
    ];
    let worst = errors.into_iter().fold(0.0, f64::max);
    assert!(worst <= UNITS * unit, "{a:?} {b:?}: {found:?}, exact {exact}, errors {errors:?} of {unit}");
    if unit > 0.0 { worst / unit } else { 0.0 }
}

fn check_all(p: &[Vec3; 6]) -> f64 {
    let (a, b) = ([p[0], p[1], p[2]], [p[3], p[4], p[5]]);
    let (s, t) = ([a[0], a[1]], [b[0], b[1]]);
    let mut worst: f64 = 0.0;
    let mut judge = |found, a: &[Vec3], b: &[Vec3]| worst = worst.max(check(found, a, b));
    judge(point_segment(a[0], t), &a[..1], &t);
    judge(point_triangle(a[0], b), &a[..1], &b);
    judge(segment_segment(s, t), &s, &t);
    judge(segment_segment(t, s), &t, &s);
    judge(segment_triangle(s, b), &s, &b);
    judge(triangle_triangle(a, b), &a, &b);
    judge(triangle_triangle(b, a), &b, &a);
    let found = triangle_triangle(a, b);
    let above = found.distance() + UNITS * f64::EPSILON * (reach(&a, &b) + largest(&a, &b));
    assert_eq!(triangle_triangle_below(a, b, above * above), Some(found), "{a:?} {b:?}");
    assert_eq!(triangle_triangle_below(a, b, found.distance_squared), None, "{a:?} {b:?}");
    worst
}

fn run(name: &str, count: usize, mut points: impl FnMut(&mut Random) -> [Vec3; 6]) {
    let mut random = Random::new(77);
    let worst = (0..cases(count)).map(|_| check_all(&points(&mut random))).fold(0.0, f64::max);
    assert!(worst > 0.0, "{name} tests nothing");
}

fn random_points(random: &mut Random) -> [Vec3; 6] {
    std::array::from_fn(|_| random.in_cube(1.0))
}

#[test]
fn anywhere() {
    run("anywhere", 100, random_points);
}

#[test]
fn at_all_scales_and_far_from_the_origin() {
    run("scales", 100, |random| {
        let scale = f64::powf(10.0, random.range(-6.0, 6.0));
        let shift = if random.below(2) == 0 { Vec3::ZERO } else { 1e6 * random.direction() };
        random_points(random).map(|p| p * scale + shift)
    });
}

#[test]
fn on_grids() {
    run("grids", 100, |random| {
        let (n, flat) = ([2, 3, 4, 9][random.below(4)], random.below(2) == 0);
        std::array::from_fn(|_| {
            let z = if flat { 0 } else { random.below(n) };
            Vec3::new(random.below(n) as f64, random.below(n) as f64, z as f64) * 0.1
        })
    });
}

/// Corners next to a common line, at distances from it down to rounding: needles, caps, nearly parallel segments.
#[test]
fn nearly_on_one_line() {
    run("line", 200, |random| {
        let direction = random.direction();
        let width = f64::powf(10.0, random.range(-17.0, -1.0));
        std::array::from_fn(|_| random.range(-1.0, 1.0) * direction + width * random.in_cube(1.0))
    });
}

/// One of the pieces thin, the other not.
#[test]
fn thin_against_wide() {
    run("thin", 200, |random| {
        let mut p = random_points(random);
        let width = f64::powf(10.0, random.range(-17.0, -1.0));
        let third = random.range(-0.5, 1.5);
        p[2] = p[0] + third * (p[1] - p[0]) + width * random.direction();
        p
    });
}

/// Next to a common plane.
#[test]
fn nearly_in_one_plane() {
    run("plane", 150, |random| {
        let rotation = random.rotation();
        let height = f64::powf(10.0, random.range(-17.0, -1.0));
        random_points(random).map(|p| rotation * Vec3::new(p.x, p.y, p.z * height))
    });
}

/// A corner, edge or face of one next to one of the other, at all small gaps.
#[test]
fn nearly_touching() {
    run("touching", 200, |random| {
        let mut p = random_points(random);
        let gap = f64::powf(10.0, random.range(-17.0, -3.0));
        let s = [0.0, 1.0, random.unit()][random.below(3)];
        let t = [0.0, 1.0, random.unit()][random.below(3)] * (1.0 - s);
        let on_a = p[0] + s * (p[1] - p[0]) + t * (p[2] - p[0]);
        let (s, t) = ([0.0, 1.0, random.unit()][random.below(3)], [0.0, random.unit()][random.below(2)]);
        let on_b = p[3] + s * (p[4] - p[3]) + t * (1.0 - s) * (p[5] - p[3]);
        let shift = on_a - on_b + gap * random.direction();
        for q in &mut p[3..] {
            *q += shift;
        }
        p
    });
}

/// Corners of very different distance from each other.
#[test]
fn of_all_shapes() {
    run("shapes", 200, |random| {
        let mut size = || f64::powf(10.0, random.range(-9.0, 0.0));
        let sizes = [size(), size(), size(), size(), size(), size()];
        let mut p = random_points(random);
        for i in 0..6 {
            p[i] *= sizes[i];
        }
        p
    });
}

/// The first corner of a within rounding of a corner, an edge or the face of b, the second and third too or not.
#[test]
fn within_rounding_of_corners_and_edges() {
    run("corners", 1000, |random| {
        let mut p = random_points(random);
        let (b0, b1, b2) = (p[3], p[4], p[5]);
        for q in &mut p[..1 + random.below(3)] {
            let s = [0.0, 0.0, 1.0, random.unit()][random.below(4)];
            let t = [0.0, 0.0, 1.0, random.unit()][random.below(4)] * (1.0 - s);
            let gap = f64::powf(10.0, random.range(-17.0, -14.0));
            *q = b0 + s * (b1 - b0) + t * (b2 - b0) + gap * random.in_cube(1.0);
        }
        p
    });
}
