//! Arcs against dense samples that are refined about the closest ones.

use freiraum_geometry::{Pose, Vec3};
use freiraum_query::elementary::{
    Arc, Line, Nearest, Plane, Ray, plane_arc, point_arc, point_segment, point_straight, point_triangle,
    segment_arc, straight_arc, triangle_arc,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The smallest value over the arc: samples, then ever finer ones about each local minimum of them.
fn sampled(arc: &Arc, distance: impl Fn(Vec3) -> f64) -> f64 {
    const N: usize = 400;
    let at = |i: usize| arc.angle() * (i as f64 / N as f64);
    let values: Vec<f64> = (0..=N).map(|i| distance(arc.at(at(i)))).collect();
    let mut best = f64::INFINITY;
    for i in 0..=N {
        let (before, after) = (i.saturating_sub(1), (i + 1).min(N));
        // Of many that are equal, the first.
        if (i > 0 && values[i] >= values[before]) || values[i] > values[after] {
            continue;
        }
        let (mut lo, mut hi) = (at(before), at(after));
        // The distance from one convex piece has one local minimum in so short an arc, or nearly so.
        for _ in 0..80 {
            let (p, q) = (lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0);
            if distance(arc.at(p)) <= distance(arc.at(q)) {
                hi = q;
            } else {
                lo = p;
            }
        }
        best = best.min(values[i]).min(distance(arc.at(0.5 * (lo + hi))));
    }
    best
}

fn check(found: &Nearest, expected: f64, piece: f64, arc: &Arc, what: &dyn std::fmt::Debug) {
    let size = 10.0 * (1.0 + arc.radius());
    let error = found.distance() - expected;
    // Sampling may miss a little, so the answer may be better, but not by more than the samples are apart.
    assert!(error.abs() <= 1e-10 * size, "{arc:?} {what:?}: {found:?}, expected {expected}, {error}");
    assert!(piece <= 1e-14 * size, "not on the piece: {arc:?} {what:?}: {found:?}");
    let off = point_arc(found.point_on_b, arc).distance();
    assert!(off <= 1e-14 * size, "not on the arc: {arc:?} {what:?}: {found:?}");
    let apart = found.point_on_a.distance(found.point_on_b);
    assert!((apart - found.distance()).abs() <= 1e-14 * size, "{arc:?} {what:?}: {found:?}");
}

/// Points with many of them on the axis, in the plane of the arc, on the circle or above it.
fn place(random: &mut Random) -> Vec3 {
    let radius = [0.0, 1.0, random.range(0.0, 3.0)][random.below(3)];
    let turn = [0.0, FRAC_PI_2, PI, random.range(0.0, TAU)][random.below(4)];
    let height = [0.0, 1.0, random.range(-2.0, 2.0)][random.below(3)];
    Vec3::new(radius * turn.cos(), radius * turn.sin(), height)
}

#[test]
fn arcs_against_samples() {
    let mut random = Random::new(8);
    for _ in 0..cases(600) {
        let angle = [TAU, PI, FRAC_PI_2, 0.0, random.range(-TAU, TAU), 9.0][random.below(6)];
        let radius = [0.0, 1.0, 1.0, 1.0, random.range(0.0, 3.0)][random.below(5)];
        let scene = if random.below(2) == 0 {
            Pose::IDENTITY
        } else {
            Pose::new(random.rotation(), random.in_cube(2.0)).unwrap()
        };
        let [start, on_axis] =
            [Vec3::X * radius, Vec3::Z * random.range(-3.0, 3.0)].map(|p| scene.transform_point(p));
        let arc = Arc::of_rotation(start, on_axis, scene.rotate(Vec3::Z) * 2.0, angle).unwrap();
        assert!(arc.at(0.0).distance(start) <= 1e-14 && arc.at(arc.angle()).is_finite());
        let t =
            [place(&mut random), place(&mut random), place(&mut random)].map(|p| scene.transform_point(p));
        let s = [t[0], t[1]];
        let found = point_arc(t[0], &arc);
        let expected = sampled(&arc, |p| p.distance(t[0]));
        assert!((found.distance() - expected).abs() <= 1e-12, "{arc:?} {}: {found:?}, {expected}", t[0]);
        let found = segment_arc(s, &arc);
        let expected = sampled(&arc, |p| point_segment(p, s).distance());
        check(&found, expected, point_segment(found.point_on_a, s).distance(), &arc, &s);
        let (line, ray) =
            (Line { point: t[0], direction: t[1] - t[0] }, Ray { origin: t[0], direction: t[1] - t[0] });
        let found = straight_arc(line, &arc);
        let expected = sampled(&arc, |p| point_straight(p, line).distance());
        check(&found, expected, point_straight(found.point_on_a, line).distance(), &arc, &line);
        let found = straight_arc(ray, &arc);
        let expected = sampled(&arc, |p| point_straight(p, ray).distance());
        check(&found, expected, point_straight(found.point_on_a, ray).distance(), &arc, &ray);
        let found = straight_arc(s, &arc);
        assert!((found.distance() - segment_arc(s, &arc).distance()).abs() <= 1e-9, "{arc:?} {s:?}");
        let normal = scene.rotate([Vec3::X, Vec3::Z, random.direction()][random.below(3)]);
        let plane = Plane { normal, offset: normal.dot(t[2]) };
        let found = plane_arc(&plane, &arc);
        let expected = sampled(&arc, |p| plane.height(p).abs());
        check(&found, expected, plane.height(found.point_on_a).abs(), &arc, &plane);
        let found = triangle_arc(t, &arc);
        let expected = sampled(&arc, |p| point_triangle(p, t).distance());
        check(&found, expected, point_triangle(found.point_on_a, t).distance(), &arc, &t);
    }
}

#[test]
fn known_values() {
    // formulas.md 18: radius 2, a quarter turn about z.
    let arc = Arc::of_rotation(Vec3::X * 2.0, Vec3::ZERO, Vec3::Z, FRAC_PI_2).unwrap();
    let v = Vec3::new;
    let check = |found: Nearest, expected: f64| {
        assert!((found.distance() - expected).abs() < 1e-12, "{found:?}, expected {expected}");
    };
    check(point_arc(v(1.0, 1.0, 1.0), &arc), 1.1589416510367);
    check(point_arc(v(-1.0, -1.0, 1.0), &arc), 3.3166247903554);
    check(segment_arc([v(3.0, -1.0, 1.0), v(0.0, 4.0, -1.0)], &arc), 0.10358251960493);
    check(triangle_arc([v(1.0, 0.0, 0.5), v(4.0, 1.0, 2.0), v(1.0, 3.0, 1.5)], &arc), 0.88892831272494);
}

#[test]
fn far_and_tiny_arcs() {
    let mut random = Random::new(9);
    for exponent in [-6, -3, 3, 6] {
        let scale = f64::powi(10.0, exponent);
        for _ in 0..cases(100) {
            let p = [0; 7].map(|_| random.in_cube(1.0));
            let angle = random.range(-7.0, 7.0);
            let arc = Arc::of_rotation(p[0], p[1], p[2], angle).unwrap();
            let big = Arc::of_rotation(p[0] * scale, p[1] * scale, p[2], angle).unwrap();
            let (t, large) = ([p[3], p[4], p[5]], [p[3], p[4], p[5]].map(|p| p * scale));
            let (one, other) = (triangle_arc(t, &arc).distance(), triangle_arc(large, &big).distance());
            assert!((one - other / scale).abs() <= 1e-11, "{arc:?} {t:?} times {scale}: {one} {other}");
        }
    }
}

#[test]
fn no_arc_without_an_axis() {
    assert!(Arc::of_rotation(Vec3::X, Vec3::ZERO, Vec3::ZERO, 1.0).is_none());
    assert!(Arc::of_rotation(Vec3::X, Vec3::ZERO, Vec3::Z, f64::NAN).is_none());
    assert!(Arc::of_rotation(Vec3::NAN, Vec3::ZERO, Vec3::Z, 1.0).is_none());
}
