//! Every single step, against where the parts really are on the way.

use super::*;
use crate::advance::boxes::{BoxView, PartBox};
use crate::advance::half_space;
use crate::advance::instant::{Instant, Mover};
use crate::advance::round::Cores;
use crate::advance::triangles::Corners;
use freiraum_geometry::shape::{Cylinder, HalfSpace, Sphere};
use freiraum_query::convex::{ConvexBody, ConvexCache, ConvexDistance, Points, distance_convex};
use freiraum_query::elementary::triangle_triangle;

/// Turning about an axis near the origin or moving fast along a line, or both.
fn motion(random: &mut Random, at: Vec3) -> UniformMotion {
    let start = Pose::new(random.rotation(), at).unwrap();
    let axis = Axis::new(at + random.in_cube(0.5), random.direction()).unwrap();
    match random.below(3) {
        0 => UniformMotion::translation(start, 10.0 * random.in_cube(1.0)),
        1 => UniformMotion::rotation(start, axis, random.range(-6.0, 6.0)),
        _ => UniformMotion::screw(start, axis, random.range(-6.0, 6.0), random.range(-8.0, 8.0)),
    }
}

/// Calls `f` with random pairs of motions and the instant at their start.
fn each(seed: u64, mut f: impl FnMut(&mut Random, &[Mover; 2], &Instant)) {
    let mut random = Random::new(seed);
    for _ in 0..cases(3000) {
        let far = random.direction() * random.range(0.5, 2.5);
        let (by_a, by_b) = (motion(&mut random, Vec3::ZERO), motion(&mut random, far));
        let movers = [&by_a, &by_b].map(|motion| Mover { motion, body_from_piece: Pose::IDENTITY });
        let now = Instant::at(0.0, &movers, None);
        f(&mut random, &movers, &now);
    }
}

/// Distances at times up to `step`.
fn on_the_way(movers: &[Mover; 2], step: f64, mut distance: impl FnMut(&Instant) -> f64) -> f64 {
    let times = (0..=40).map(|i| step * f64::from(i) / 40.0);
    times.map(|t| distance(&Instant::at(t, movers, None))).fold(f64::INFINITY, f64::min)
}

fn triangle(random: &mut Random) -> [Vec3; 3] {
    std::array::from_fn(|_| random.in_cube(0.5))
}

fn acceleration(mover: &Mover, corners: &[Vec3; 3]) -> f64 {
    let radius = corners.iter().map(|p| p.length()).fold(0.0, f64::max);
    mover.acceleration(Vec3::ZERO, radius, [0.0, 1.0])
}

#[test]
fn triangles_stay_apart_during_their_steps() {
    let mut long = 0;
    each(1, |random, movers, now| {
        let (a, b) = (triangle(random), triangle(random));
        let margin = random.range(0.0, 0.2);
        let near = triangle_triangle(a, b.map(|p| now.place(p)));
        let bound = acceleration(&movers[0], &a) + acceleration(&movers[1], &b);
        let corners = Corners::new(now, a, b, bound, margin);
        let Some(n) = (near.point_on_b - near.point_on_a).try_normalize() else { return };
        for is_near in [false, true] {
            let step = corners.step(n, is_near, 1.0);
            let least =
                on_the_way(movers, step, |now| triangle_triangle(a, b.map(|p| now.place(p))).distance());
            assert!(step == 0.0 || least >= margin - 1e-12, "{step} {least} {margin}");
            long += usize::from(step > 0.05);
        }
        assert_eq!(corners.step(n, true, 1.0) > 0.0, near.distance() > margin);
    });
    assert!(long > 500, "{long}");
}

#[test]
fn boxes_stay_apart_during_their_steps() {
    let mut long = 0;
    each(2, |random, movers, now| {
        let (a, b) = (triangle(random), triangle(random));
        let margin = random.range(0.0, 0.2);
        let of = |t: &[Vec3; 3], mover: &Mover| {
            let (min, max) = (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]));
            PartBox::new(0.5 * (min + max), 0.5 * (max - min), mover, [0.0, 1.0])
        };
        let (box_a, box_b) = (of(&a, &movers[0]), of(&b, &movers[1]));
        let apart = BoxView::new(now).apart(now, &box_a, &box_b, margin, 1.0);
        let cuboid = |part: &PartBox| {
            let corner = |i: u32| {
                let sign = |bit: u32| if i & bit != 0 { 1.0 } else { -1.0 };
                part.center + part.half * Vec3::new(sign(1), sign(2), sign(4))
            };
            (0..8).map(corner).collect::<Vec<_>>()
        };
        let (on_a, on_b) = (cuboid(&box_a), cuboid(&box_b));
        let distance = |now: &Instant| match distance_convex(
            &Points(&on_a),
            &Points(&on_b),
            &now.a_from_b,
            &mut ConvexCache::new(),
        ) {
            ConvexDistance::Separated(closest) => closest.distance,
            ConvexDistance::Overlapping => 0.0,
        };
        assert!(apart.gap <= 0.0 || apart.gap + margin <= distance(now) + 1e-12);
        let step = apart.step.min(1.0);
        let least = on_the_way(movers, step, distance);
        assert!(step == 0.0 || least >= margin - 1e-12, "{step} {least} {margin}");
        long += usize::from(step > 0.05);
    });
    assert!(long > 300, "{long}");
}

#[test]
fn round_bodies_stay_apart_during_their_steps() {
    let (cylinder, sphere) = (Cylinder::new(0.3, 0.8).unwrap(), Sphere::new(0.4).unwrap());
    let (mut long, mut longer) = (0, 0);
    each(3, |random, movers, now| {
        let corners = triangle(random);
        let points = Points(&corners);
        let bodies: [&dyn ConvexBody; 3] = [&cylinder, &sphere, &points];
        let (a, b) = (bodies[random.below(3)], bodies[random.below(3)]);
        let margin = random.range(0.0, 0.2);
        let distance = |now: &Instant| match distance_convex(a, b, &now.a_from_b, &mut ConvexCache::new()) {
            ConvexDistance::Separated(closest) => (closest.distance, closest.normal),
            ConvexDistance::Overlapping => (0.0, Vec3::ZERO),
        };
        let (start, n) = distance(now);
        if start <= margin + 1e-6 {
            return;
        }
        let bound =
            |body: &dyn ConvexBody, mover: &Mover| mover.acceleration(Vec3::ZERO, body.reach(), [0.0, 1.0]);
        let acceleration = bound(a, &movers[0]) + bound(b, &movers[1]);
        let margin_of_cores = margin + a.radius() + b.radius();
        let cores = Cores { a, b, acceleration, curve: 0.0, margin: margin_of_cores, is_steady: false };
        let step = cores.step(now, n, 1.0);
        let least = on_the_way(movers, step, |now| distance(now).0);
        assert!(step > 0.0 && least >= margin - 1e-9, "{step} {least} {margin}");
        long += usize::from(step > 0.05);
        // a stands: accelerations are known by their direction, and any plane that turns will do.
        let still = UniformMotion::still(Pose::IDENTITY);
        let movers = [Mover { motion: &still, body_from_piece: Pose::IDENTITY }, movers[1]];
        let now = Instant::at(0.0, &movers, Some(&Pose::IDENTITY));
        let (start, n) = distance(&now);
        if start <= margin + 1e-6 {
            return;
        }
        let acceleration = bound(b, &movers[1]);
        let margin = start * random.range(0.9, 0.9999);
        let crude = Cores { acceleration, margin: margin + a.radius() + b.radius(), ..cores };
        let steady = Cores { is_steady: true, ..crude };
        let turning = random.direction().cross(n) * random.range(0.0, 8.0);
        for m in [Vec3::ZERO, turning] {
            let step = steady.long_plane(&now, n, m, 1.0);
            let least = on_the_way(&movers, step, |now| distance(now).0);
            assert!(step > 0.0 && least >= margin - 1e-9, "{step} {least} {margin}");
            assert!(m == Vec3::ZERO || m.dot(n).abs() < 1e-12);
            let crude = crude.plane(&now, n, m, 1.0);
            assert!(step >= crude * (1.0 - 1e-12), "{step} {crude}");
            longer += usize::from(step > 1.2 * crude);
        }
    });
    assert!(long > 300 && longer > 60, "{long} {longer}");
}

#[test]
fn boxes_stay_above_half_spaces_during_their_steps() {
    let mut long = 0;
    each(4, |random, movers, now| {
        let plane = HalfSpace::new(random.direction(), random.range(-0.3, 0.3)).unwrap();
        let corners = triangle(random);
        let (min, max) =
            corners[1..].iter().fold((corners[0], corners[0]), |(l, h), p| (l.min(*p), h.max(*p)));
        let part = PartBox::new(0.5 * (min + max), 0.5 * (max - min), &movers[1], [0.0, 1.0]);
        let margin = random.range(0.0, 0.2);
        let low = |now: &Instant| {
            let spread = (now.turn.transpose() * plane.normal()).abs().dot(part.half);
            plane.normal().dot(now.place(part.center)) - plane.offset() - spread
        };
        let second = half_space::apart(&plane, &part, low(now), movers, now, margin, [0.0, 1.0]).step;
        let first = half_space::apart_first_order(low(now) - margin, &part, movers, now, 1.0).step;
        for step in [first, second] {
            let least = on_the_way(movers, step, low);
            assert!(step == 0.0 || least >= margin - 1e-12, "{step} {least} {margin}");
            long += usize::from(step > 0.02);
        }
    });
    assert!(long > 300, "{long}");
}
