//! The stated error of a time of contact holds the true time, above all where bodies only graze: there the gap has a double root, and what is within
//! rounding lasts for the root of it.
//!
//! All cases follow from whole numbers, so that the true time is known; sizes and offsets are powers of two where they must not round anything.

use freiraum_geometry::path::{Axis, Motion, UniformMotion};
use freiraum_geometry::shape::{Capsule, Cuboid, Cylinder, HalfSpace, Sphere};
use freiraum_geometry::{Pose, Quat, Shape, Vec3};
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict, time_of_contact};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::{FRAC_PI_4, SQRT_2};

/// From micrometres to megametres, exact.
const SIZES: [f64; 5] = [1.0 / 1_048_576.0, 1.0 / 1024.0, 1.0, 1024.0, 1_048_576.0];

fn ball(radius: f64) -> Movable {
    Movable::new(Shape::Sphere(Sphere::new(radius).unwrap()))
}

fn capsule(radius: f64, length: f64) -> Movable {
    Movable::new(Shape::Capsule(Capsule::new(radius, length).unwrap()))
}

fn cuboid(size: Vec3) -> Movable {
    Movable::new(Shape::Cuboid(Cuboid::new(size).unwrap()))
}

fn at(p: Vec3) -> Pose {
    Pose::from_translation(p)
}

/// Contacts, none, and the largest error that was stated.
#[derive(Default, Debug)]
struct Seen {
    met: usize,
    free: usize,
    largest: f64,
}

impl Seen {
    /// Both ways round. `is_sure`: the contact is not lost to the rounding of the input.
    fn check(
        &mut self,
        [a, b]: [&Movable; 2],
        [by_a, by_b]: [&dyn Motion; 2],
        exact: f64,
        is_sure: bool,
        say: &str,
    ) {
        let mut memory = MotionWorkspace::default();
        let limits = Limits::default();
        for verdict in [
            time_of_contact(a, by_a, b, by_b, &limits, &mut memory),
            time_of_contact(b, by_b, a, by_a, &limits, &mut memory),
        ] {
            match verdict.unwrap() {
                Verdict::Contact(contact) => {
                    let off = (contact.time - exact).abs();
                    assert!(off <= contact.time_error, "{say}: {exact} {off:e} {contact:?}");
                    self.met += 1;
                    self.largest = self.largest.max(contact.time_error);
                }
                Verdict::Free if !is_sure => self.free += 1,
                other => panic!("{say}: {other:?}, expected {exact}"),
            }
        }
    }
}

/// Two vectors of whole numbers, across each other, with the same whole length, and that length.
const FRAMES: [([f64; 3], [f64; 3], f64); 4] = [
    ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 1.0),
    ([1.0, 2.0, 2.0], [2.0, 1.0, -2.0], 3.0),
    ([2.0, 3.0, 6.0], [3.0, -6.0, 2.0], 7.0),
    ([1.0, 4.0, 8.0], [4.0, 7.0, -4.0], 9.0),
];

fn whole(random: &mut Random, most: usize) -> f64 {
    (1 + random.below(most)) as f64
}

/// Two balls past each other at no more than the sum of their radii. On the way `-k u + m v + t (k + l) u`, with a sum of the radii of
/// n² + 1 and m = n² - 1, they meet 2 n before k, and graze for m = n² + 1.
#[test]
fn balls_on_straight_ways() {
    let mut random = Random::new(1);
    let [mut grazing, mut crossing] = [(); 2].map(|()| Seen::default());
    for case in 0..cases(4000) {
        let (u, v, length) = FRAMES[random.below(FRAMES.len())];
        let [u, v] = [u, v].map(Vec3::from_array);
        let is_grazing = case % 2 == 0;
        let n = (1u64 << random.below(12)) as f64 * whole(&mut random, 3);
        let sum = n * n + 1.0;
        let m = if is_grazing { sum } else { n * n - 1.0 };
        let (before, k, l) =
            (if is_grazing { 0.0 } else { 2.0 * n }, whole(&mut random, 40), whole(&mut random, 40));
        // As far as the balls are large: the others touch at the start.
        let (k, l) = (k * sum + before, l * sum);
        let size = SIZES[random.below(SIZES.len())] / (n * n);
        let share = whole(&mut random, 7) / 8.0;
        let radius = size * sum * length;
        let (a, b) = (ball(share * radius), ball(radius - share * radius));
        let offset = size * sum * Vec3::new(random.below(200) as f64, -(random.below(50) as f64), 3.0);
        let common = size * sum * Vec3::new(random.below(9) as f64, 2.0, -(random.below(5) as f64));
        let by_a = UniformMotion::translation(at(offset), common);
        let by_b =
            UniformMotion::translation(at(offset + size * (m * v - k * u)), common + size * (k + l) * u);
        let seen = if is_grazing { &mut grazing } else { &mut crossing };
        seen.check([&a, &b], [&by_a, &by_b], (k - before) / (k + l), true, &format!("case {case}"));
    }
    assert!(grazing.largest < 1e-5 && crossing.largest < 1e-5, "{grazing:?} {crossing:?}");
}

/// (-20 + 40 t, 20 - 30 t) is closest to the origin at 14 / 25, where it is (2.4, 3.2): 4 away.
#[test]
fn balls_on_crossing_ways() {
    for size in SIZES {
        let two = ball(2.0 * size);
        let by_a = UniformMotion::translation(at(Vec3::X * -20.0 * size), Vec3::X * 40.0 * size);
        let by_b = UniformMotion::translation(at(Vec3::Y * -20.0 * size), Vec3::Y * 30.0 * size);
        Seen::default().check([&two, &two], [&by_a, &by_b], 0.56, true, &format!("{size}"));
    }
}

/// A ball or a capsule past an edge or a corner of a box, or past a capsule, at its radius.
#[test]
fn edges_corners_and_capsules_on_straight_ways() {
    let mut random = Random::new(2);
    let mut seen = Seen::default();
    for case in 0..cases(2000) {
        let size = SIZES[random.below(SIZES.len())];
        let m = whole(&mut random, 9);
        let [k, l] = [40, 40].map(|most| whole(&mut random, most));
        let half = Vec3::new(whole(&mut random, 30), whole(&mut random, 30), whole(&mut random, 30));
        let long = whole(&mut random, 50);
        let (a, b, foot, u, v, length) = match case % 4 {
            // An edge along z, a corner, a capsule along z, and two of them.
            0 => (
                cuboid(2.0 * size * half),
                ball(5.0 * m * size),
                half.with_z(0.5),
                [4.0, -3.0, 0.0],
                [3.0, 4.0, 0.0],
                5.0,
            ),
            1 => (
                cuboid(2.0 * size * half),
                ball(3.0 * m * size),
                half,
                [2.0, 1.0, -2.0],
                [1.0, 2.0, 2.0],
                3.0,
            ),
            2 => {
                let radius = 0.25 * 13.0 * m * size;
                let a = capsule(radius, 2.0 * size * half.z);
                (a, ball(3.0 * radius), Vec3::Z * half.z * 0.5, [12.0, -5.0, 0.0], [5.0, 12.0, 0.0], 13.0)
            }
            _ => {
                let radius = 0.5 * 5.0 * m * size;
                let a = capsule(radius, 2.0 * size * half.z);
                (a, capsule(radius, 2.0 * size * long), Vec3::ZERO, [4.0, -3.0, 1.0], [3.0, 4.0, 0.0], 5.0)
            }
        };
        let [u, v] = [u, v].map(Vec3::from_array);
        assert_eq!(v.length(), length);
        let offset = size * Vec3::new(random.below(2000) as f64, 7.0, -(random.below(300) as f64));
        let (k, l) = (16.0 * m + k, 16.0 * m + l);
        let still = UniformMotion::still(at(offset));
        let start = offset + size * (foot + m * v - k * u);
        let moving = UniformMotion::translation(at(start), size * (k + l) * u);
        // Capsules that overlap along their axes for a while are closest at the same time.
        seen.check([&a, &b], [&still, &moving], k / (k + l), true, &format!("case {case}"));
    }
    assert!(seen.largest < 1e-5, "{seen:?}");
}

/// Balls on a circle past another ball, past the face and the edge of a box, and onto a plane; corners of boxes onto a plane and a face.
#[test]
fn turns_that_graze() {
    let mut random = Random::new(3);
    let mut seen = Seen::default();
    for case in 0..cases(3000) {
        let size = SIZES[random.below(SIZES.len())];
        // Where the circle is closest to the other body, as a direction and an angle.
        let (x, y, h) =
            [(3.0, 4.0, 5.0), (5.0, 12.0, 13.0), (0.0, 1.0, 1.0), (8.0, 15.0, 17.0), (-3.0, 4.0, 5.0)]
                [random.below(5)];
        let [r, m] = [30, 6].map(|most| whole(&mut random, most));
        let angle = f64::atan2(y, x) * (1.0 + 0.25 * whole(&mut random, 7));
        let exact = f64::atan2(y, x) / angle;
        let center = size * Vec3::new(random.below(500) as f64, 2.0, -(random.below(50) as f64));
        let axis = Axis::new(center, Vec3::Z).unwrap();
        let toward = Vec3::new(x, y, 0.0);
        // The circle has the radius (r + 12 m) h, the sum of the radii is m h.
        let (way, sum) = ((r + 12.0 * m) * h, m * h);
        let outside = size * (r + 13.0 * m) * toward;
        let inside = size * (r + 11.0 * m) * toward;
        let on_circle = size * way * Vec3::X;
        let whole_ball = ball(sum * size);
        let (a, place, b, start) = match case % 6 {
            0 | 1 => {
                let share = size * sum / 4.0;
                let place = if case % 6 == 0 { outside } else { inside };
                (ball(share), at(center + place), ball(3.0 * share), on_circle)
            }
            // A plane that looks back at the axis.
            2 => {
                let normal = -toward / h;
                let plane = HalfSpace::new(normal, -size * (way + sum)).unwrap();
                (Movable::new(Shape::HalfSpace(plane)), at(center), whole_ball, on_circle)
            }
            // The face of a box that does.
            3 => {
                let turn = Quat::from_rotation_z(f64::atan2(y, x));
                let side = size * 4.0 * way;
                let place = (size * (way + sum) + 0.5 * side) / h * toward;
                let place = Pose::new(turn, center + place).unwrap();
                (cuboid(Vec3::splat(side)), place, whole_ball, on_circle)
            }
            // An edge of a box, the one farthest from the axis.
            4 => {
                let normal = -toward / h;
                let plane = HalfSpace::new(normal, -size * way).unwrap();
                let half = size * way * whole(&mut random, 7) / 32.0;
                (
                    Movable::new(Shape::HalfSpace(plane)),
                    at(center),
                    cuboid(Vec3::splat(2.0 * half)),
                    on_circle - SQRT_2 * half * Vec3::X,
                )
            }
            _ => {
                let turn = Quat::from_rotation_z(f64::atan2(y, x));
                let side = size * 4.0 * way;
                let place = (size * way + 0.5 * side) / h * toward;
                let place = Pose::new(turn, center + place).unwrap();
                let half = size * way * whole(&mut random, 7) / 32.0;
                (
                    cuboid(Vec3::splat(side)),
                    place,
                    cuboid(Vec3::splat(2.0 * half)),
                    on_circle - SQRT_2 * half * Vec3::X,
                )
            }
        };
        let still = UniformMotion::still(place);
        let lean = Quat::from_rotation_z(if case % 6 >= 4 { FRAC_PI_4 } else { 0.0 });
        let moving = UniformMotion::rotation(Pose::new(lean, center + start).unwrap(), axis, angle);
        seen.check([&a, &b], [&still, &moving], exact, true, &format!("case {case}: {}", case % 6));
    }
    assert!(seen.largest < 1e-4, "{seen:?}");
}

/// Cylinders along z past balls and each other, under translations and turns, which are followed in steps.
#[test]
fn cylinders_that_graze() {
    let mut random = Random::new(4);
    let mut seen = Seen::default();
    for case in 0..cases(600) {
        let size = SIZES[random.below(SIZES.len())];
        let [m, k, l] = [9, 40, 40].map(|most| whole(&mut random, most));
        let (u, v) = (Vec3::new(4.0, -3.0, 0.0), Vec3::new(3.0, 4.0, 0.0));
        let can = |radius: f64| Movable::new(Shape::Cylinder(Cylinder::new(radius, 8.0 * m * size).unwrap()));
        let radius = 0.25 * 5.0 * m * size;
        let a = can(radius);
        let b = if case % 4 < 2 { ball(3.0 * radius) } else { can(3.0 * radius) };
        let offset = size * Vec3::new(random.below(200) as f64, 7.0, -(random.below(30) as f64));
        let (k, l) = (16.0 * m + k, 16.0 * m + l);
        let still = UniformMotion::still(at(offset));
        let up = size * Vec3::Z * 0.5 * m;
        let say = format!("case {case}: {}", case % 4);
        if case % 2 == 0 {
            let moving =
                UniformMotion::translation(at(offset + up + size * (m * v - k * u)), size * (k + l) * u);
            seen.check([&a, &b], [&still, &moving], k / (k + l), true, &say);
        } else {
            let axis = Axis::new(offset - size * k * v, Vec3::Z).unwrap();
            let moving = UniformMotion::rotation(
                at(offset - size * k * v + up + size * (k + m) * 5.0 * Vec3::X),
                axis,
                2.0 * f64::atan2(4.0, 3.0),
            );
            seen.check([&a, &b], [&still, &moving], 0.5, true, &say);
        }
    }
    assert!(seen.largest < 1e-3, "{seen:?}");
}
