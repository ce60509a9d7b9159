//! The clearance of random bodies against dense samples of their distance, and under what must not change it.

use crate::common;
use freiraum_geometry::path::{Axis, Motion, Straight, UniformMotion};
use freiraum_geometry::shape::{Capsule, Cone, Convex, Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::{
    Clearance, ClearanceRequest, Limits, MotionWorkspace, Movable, Verdict, clearance, time_of_contact,
};
use freiraum_testkit::bumpy;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::TAU;
use std::sync::Arc;

fn mesh((vertices, faces): bumpy::Surface) -> Shape {
    Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap()))
}

/// A body of about the size 2.
fn body(random: &mut Random, kind: usize) -> Movable {
    let cuboid = |x: f64, y: f64, z: f64| Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap());
    Movable::new(match kind {
        0 => mesh(bumpy::torus(18, 9)),
        1 => mesh(bumpy::sphere(3)),
        2 => mesh(bumpy::twisted_tube(16, 6)),
        3 => {
            let points: Vec<Vec3> = (0..12).map(|_| random.in_cube(1.0)).collect();
            Shape::Convex(Convex::from_points(&points).unwrap())
        }
        // A thin plate, a needle, a box.
        4 => cuboid(2.0, 1.5, 1e-4),
        5 => cuboid(1e-3, 1e-3, 2.5),
        6 => cuboid(random.range(0.3, 1.5), random.range(0.3, 1.5), 1.0),
        7 => Shape::Sphere(Sphere::new(random.range(0.1, 1.0)).unwrap()),
        _ => Shape::Capsule(Capsule::new(random.range(0.05, 0.6), 1.5).unwrap()),
    })
}

fn random_pose(random: &mut Random, far: f64) -> Pose {
    Pose::new(random.rotation(), far * random.direction()).unwrap()
}

/// The distance at t, 0 where the bodies overlap.
fn distance_at(a: &Movable, motion_a: &dyn Motion, b: &Movable, motion_b: &dyn Motion, t: f64) -> f64 {
    let a_from_b = motion_a.pose(t).inverse() * motion_b.pose(t);
    freiraum_query::distance(a.prepared(), b.prepared(), &a_from_b).unwrap().distance.max(0.0)
}

/// The least distance by samples, refined by the golden section around the lowest of them.
fn sampled(f: impl Fn(f64) -> f64) -> f64 {
    const SAMPLES: usize = 150;
    let at = |i: usize| i as f64 / SAMPLES as f64;
    let values: Vec<f64> = (0..=SAMPLES).map(|i| f(at(i))).collect();
    let mut order: Vec<usize> = (0..=SAMPLES).collect();
    order.sort_by(|i, j| values[*i].total_cmp(&values[*j]));
    let mut least = values[order[0]];
    for &i in &order[..3] {
        let (mut low, mut high) = (at(i.saturating_sub(1)), at((i + 1).min(SAMPLES)));
        for _ in 0..40 {
            let (x, y) = (low + 0.381966 * (high - low), low + 0.618034 * (high - low));
            let (fx, fy) = (f(x), f(y));
            least = least.min(fx).min(fy);
            if fx < fy { high = y } else { low = x }
        }
    }
    least
}

/// Metres and share for the exact methods.
const EXACT: [f64; 2] = [1e-12, 1e-9];

fn ask(a: &Movable, motion_a: &dyn Motion, b: &Movable, motion_b: &dyn Motion) -> Clearance {
    let mut memory = MotionWorkspace::default();
    clearance(a, motion_a, b, motion_b, &ClearanceRequest::default(), &mut memory).unwrap()
}

/// What the answer has to be like, for any motion: it has to be within `relative` of the distance and `absolute` metres.
fn check(
    name: &str,
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    [absolute, relative]: [f64; 2],
) -> f64 {
    let mut memory = MotionWorkspace::default();
    let found = ask(a, motion_a, b, motion_b);
    let at = |t: f64| distance_at(a, motion_a, b, motion_b, t);
    let seen = sampled(at);
    let slack = absolute + relative * seen;
    assert!(found.distance <= seen + slack, "{name}: {found:?}, seen {seen}");
    assert!(found.lower() <= seen + 1e-13, "{name}: {found:?}, seen {seen}");
    assert!(found.error <= 2.0 * slack, "{name}: {found:?}");
    assert!((at(found.time) - found.distance).abs() <= slack, "{name}: {found:?} {}", at(found.time));
    let toc = time_of_contact(a, motion_a, b, motion_b, &Limits::default(), &mut memory).unwrap();
    assert_eq!(toc == Verdict::Free, found.distance > 0.0, "{name}: {found:?} {toc:?}");
    if found.distance > 0.0 {
        let apart = found.point_on_a.distance(found.point_on_b);
        assert!((apart - found.distance).abs() <= slack, "{name}: {found:?}");
        let near = 1e-4 + 2.0 * absolute / found.distance;
        for (share, kept) in [(0.3, true), (1.0 - near, true), (1.0 + near, false), (3.0, false)] {
            let request = ClearanceRequest::at_least(share * found.distance);
            let bound = clearance(a, motion_a, b, motion_b, &request, &mut memory).unwrap();
            assert_eq!(bound.is_kept, Some(kept), "{name}: {share} {found:?} {bound:?}");
            assert!(bound.lower() <= found.distance + slack && bound.distance >= found.lower());
        }
    }
    // The other way round.
    let swapped = ask(b, motion_b, a, motion_a);
    assert!((swapped.distance - found.distance).abs() <= 2.0 * slack, "{name}: {found:?} {swapped:?}");
    found.distance
}

#[test]
fn translations_agree_with_samples() {
    let mut random = Random::new(11);
    let mut free = 0;
    for case in 0..cases(40) {
        let (a, b) = (body(&mut random, case % 9), body(&mut random, (case / 9 + case) % 9));
        let (at_a, at_b) = (random_pose(&mut random, 0.5), random_pose(&mut random, 3.5));
        let by = -0.8 * at_b.translation() + 2.5 * random.direction();
        let (still, moving) = (UniformMotion::still(at_a), UniformMotion::translation(at_b, by));
        let name = format!("translation {case}");
        let least = check(&name, &a, &still, &b, &moving, EXACT);
        free += usize::from(least > 0.0);
        // Backwards, and both moving along.
        let back = UniformMotion::translation(moving.pose(1.0), -by);
        let backwards = ask(&a, &still, &b, &back);
        assert!((backwards.distance - least).abs() <= 1e-12 + 2e-9 * least, "{name} {backwards:?} {least}");
        let drift = random.in_cube(2.0);
        let both = ask(
            &a,
            &UniformMotion::translation(at_a, drift),
            &b,
            &UniformMotion::translation(at_b, by + drift),
        );
        assert!((both.distance - least).abs() <= 1e-12 + 2e-9 * least, "{name} {both:?} {least}");
    }
    assert!(free * 4 > cases(40), "{free}");
}

#[test]
fn rotations_agree_with_samples() {
    let mut random = Random::new(12);
    let mut free = 0;
    for case in 0..cases(40) {
        let (a, b) = (body(&mut random, case % 9), body(&mut random, (case / 9 + case) % 9));
        let (at_a, at_b) = (random_pose(&mut random, 0.5), random_pose(&mut random, 3.5));
        let point = random.in_cube(2.0);
        // Through the middle of a body, parallel to a side of it, or anywhere.
        let axis = match case % 4 {
            0 => Axis::new(at_a.translation(), random.direction()),
            1 => Axis::new(at_b.translation(), at_b.rotate(Vec3::Z)),
            2 => Axis::new(point, at_a.rotate(Vec3::X)),
            _ => Axis::new(point, random.direction()),
        };
        let angle = [TAU, 1.0, -2.0, 7.5][(case % 4) ^ (case / 4 % 4)];
        let (still, moving) =
            (UniformMotion::still(at_a), UniformMotion::rotation(at_b, axis.unwrap(), angle));
        let name = format!("rotation {case}");
        let least = check(&name, &a, &still, &b, &moving, EXACT);
        free += usize::from(least > 0.0);
        let back = UniformMotion::rotation(moving.pose(1.0), axis.unwrap(), -angle);
        let backwards = ask(&a, &still, &b, &back);
        assert!((backwards.distance - least).abs() <= 1e-12 + 2e-9 * least, "{name} {backwards:?} {least}");
    }
    assert!(free * 4 > cases(40), "{free}");
}

#[test]
fn other_motions_and_round_shapes_agree_with_samples() {
    let mut random = Random::new(13);
    for case in 0..cases(12) {
        let round = match case % 3 {
            0 => Shape::Cylinder(Cylinder::new(random.range(0.2, 0.8), 1.0).unwrap()),
            1 => Shape::Cone(Cone::new(random.range(0.2, 0.8), 1.0).unwrap()),
            _ => mesh(bumpy::sphere(2)),
        };
        let (a, b) = (body(&mut random, case % 9), Movable::new(round));
        let (at_a, at_b) = (random_pose(&mut random, 0.5), random_pose(&mut random, 4.0));
        let end = random_pose(&mut random, 4.0);
        let straight = Straight::new(at_b, end);
        // Distances of cylinders and cones are good to a millionth of the size.
        check(&format!("straight {case}"), &a, &UniformMotion::still(at_a), &b, &straight, [5e-5, 1e-9]);
    }
}

#[test]
fn bodies_above_a_plane_agree_with_samples() {
    let mut random = Random::new(14);
    let ground = Movable::new(Shape::HalfSpace(HalfSpace::new(Vec3::new(0.1, 0.2, 0.9), -1.0).unwrap()));
    for case in 0..cases(18) {
        let b = body(&mut random, case % 9);
        let at_b = random_pose(&mut random, 1.0);
        let still = UniformMotion::still(Pose::from_translation(Vec3::new(0.0, 0.0, -1.5)));
        let axis = Axis::new(random.in_cube(1.0), random.direction()).unwrap();
        let moving = match case % 2 {
            0 => UniformMotion::rotation(at_b, axis, random.range(0.5, 7.0)),
            _ => UniformMotion::translation(at_b, random.in_cube(1.0)),
        };
        check(&format!("plane {case}"), &ground, &still, &b, &moving, EXACT);
    }
}

/// The same scene in micrometres and in megametres, and far from the origin.
#[test]
fn size_and_place_do_not_matter() {
    let scaled = |(vertices, faces): bumpy::Surface, size: f64| {
        mesh((vertices.into_iter().map(|p| size * p).collect(), faces))
    };
    let scene = |size: f64, far: f64, is_turn: bool| {
        let a = Movable::new(scaled(bumpy::torus(18, 9), size));
        let b = Movable::new(scaled(bumpy::sphere(3), size));
        let place = |x: f64, y: f64, z: f64| size * Vec3::new(x, y, z) + Vec3::splat(far);
        let start = Pose::from_translation(place(-2.5, 0.3, 1.4));
        let axis = Axis::new(place(0.0, 0.5, 0.2), Vec3::new(0.3, 0.1, 1.0)).unwrap();
        let motion = if is_turn {
            UniformMotion::rotation(start, axis, 2.0)
        } else {
            UniformMotion::translation(start, size * Vec3::new(5.0, 0.2, 0.1))
        };
        ask(&a, &UniformMotion::still(Pose::from_translation(Vec3::splat(far))), &b, &motion)
    };
    for is_turn in [false, true] {
        let plain = scene(1.0, 0.0, is_turn);
        assert!(plain.distance > 0.0);
        for (size, far) in [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e4), (1e-3, 10.0)] {
            let found = scene(size, far, is_turn);
            let error = (found.distance / size - plain.distance).abs();
            let rounding = 1e-14 * (1.0 + far / size);
            assert!(error <= 2e-9 * plain.distance + rounding, "{size} {far} {found:?} {plain:?}");
            assert!(found.error / size <= 2e-9 * plain.distance + 100.0 * rounding, "{found:?}");
        }
    }
}

/// In a full turn nearly all pairs of faces of a shaft and its bearing come equally close; contours tell which.
#[test]
fn a_shaft_in_its_bearing_has_the_clearance_of_its_contours() {
    let heights = |low: f64, high: f64, n: u32| -> Vec<f64> {
        (0..=n).map(|k| low + (high - low) * f64::from(k) / f64::from(n)).collect()
    };
    let (n, m) = (64, 71);
    let inscribed = 0.0201;
    let outside = inscribed / (std::f64::consts::PI / f64::from(m)).cos();
    let bearing = common::nut(m as usize, &heights(0.01, 0.09, 60), |_, _| outside, 0.03);
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let still = UniformMotion::still(Pose::IDENTITY);
    for (off, angle) in [(0.0, TAU), (0.0, 1.5), (2e-5, TAU), (2e-5, 2.0)] {
        let start = Pose::from_translation(Vec3::new(off, 0.0, 0.0));
        let shaft = common::bolt(n, &heights(0.0, 0.1, 60), |_, _| 0.02);
        let turning = UniformMotion::rotation(start, axis, angle);
        let (a, b) = (common::movable(bearing.clone()), common::movable(shaft));
        let found = clearance(
            &a,
            &still,
            &b,
            &turning,
            &ClearanceRequest::default(),
            &mut MotionWorkspace::default(),
        )
        .unwrap();
        // A corner at the largest distance from the axis in the middle of a side.
        let expected = inscribed - (0.02 + off);
        assert!(found.distance >= expected * (1.0 - 1e-9), "{off} {angle}: {found:?}");
        assert!(found.distance <= expected * (1.0 + 2e-9), "{off} {angle}: {found:?}");
        assert!(found.error <= 2e-9 * expected, "{off} {angle}: {found:?}");
        let apart = found.point_on_a.distance(found.point_on_b);
        assert!((apart - found.distance).abs() < 1e-12, "{off} {angle}: {found:?}");
    }
}
