//! The stated error of a time of contact holds the true time, above all where bodies only graze: there the gap has a double root, and what is within
//! rounding lasts for the root of it.
//!
//! All cases follow from whole numbers, so that the true time is known; sizes and offsets are powers of two where they must not round anything.

use freiraum_geometry::shape::{Capsule, Cuboid, HalfSpace, Sphere};
use freiraum_geometry::{Pose, Quat, Shape, Vec3};
use freiraum_motion::path::{Axis, Motion, UniformMotion};
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict, time_of_contact};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::FRAC_PI_2;

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

/// Vectors of whole numbers with a whole length, and two more across: columns of rotations times their length.
const FRAMES: [([f64; 3], [f64; 3], [f64; 3], f64); 4] = [
    ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], 1.0),
    ([1.0, 2.0, 2.0], [2.0, 1.0, -2.0], [2.0, -2.0, 1.0], 3.0),
    ([2.0, 3.0, 6.0], [3.0, -6.0, 2.0], [6.0, 2.0, -3.0], 7.0),
    ([1.0, 4.0, 8.0], [4.0, 7.0, -4.0], [8.0, -4.0, 1.0], 9.0),
];

fn whole(random: &mut Random, most: usize) -> f64 {
    (1 + random.below(most)) as f64
}

/// Two balls past each other at the sum of their radii: `x = -k u + m v + t (k + l) u` is closest at k / (k + l).
#[test]
fn balls_that_graze_on_straight_ways() {
    let mut random = Random::new(1);
    let mut seen = Seen::default();
    for case in 0..cases(2000) {
        let (u, v, _, length) = FRAMES[random.below(FRAMES.len())];
        let [u, v] = [u, v].map(Vec3::from_array);
        let size = SIZES[random.below(SIZES.len())];
        let [k, l, m] = [40, 40, 8].map(|most| whole(&mut random, most));
        // The sum of the radii is m times the length of v.
        let share = whole(&mut random, 7) / 8.0;
        let sum = m * length * size;
        let (a, b) = (ball(share * sum), ball(sum - share * sum));
        let offset = size * Vec3::new(random.below(2000) as f64, -(random.below(50) as f64), 3.0);
        // A common way of both changes nothing.
        let common = size * Vec3::new(random.below(9) as f64, 2.0, -(random.below(5) as f64));
        let start = size * (m * v - (k + l) * u);
        let by = size * (k + l) * u;
        let (k, all) = (k + l, k + l + l);
        let by_b = UniformMotion::translation(at(offset + start), common + by * all / k);
        let by_a = UniformMotion::translation(at(offset), common);
        // The way is (k + l) u all / k, rounded unless it is whole.
        let is_whole = (by * all / k) * k == by * all;
        let exact = k / all;
        if is_whole && by * all / k == size * all * u {
            seen.check([&a, &b], [&by_a, &by_b], exact, true, &format!("case {case}"));
        }
    }
    assert!(seen.met > cases(2000), "{seen:?}");
    assert!(seen.largest < 1e-5, "{seen:?}");
}

/// The same with a common difference of both ways that is known from the report of an error: 0.56 by hand.
#[test]
fn crossing_ways() {
    for size in SIZES {
        let two = ball(2.0 * size);
        let by_a = UniformMotion::translation(at(Vec3::X * -20.0 * size), Vec3::X * 40.0 * size);
        let by_b = UniformMotion::translation(at(Vec3::Y * -20.0 * size), Vec3::Y * 30.0 * size);
        // (-20 + 40 t, 20 - 30 t) is closest at 14 / 25, where it is (2.4, 3.2) long: 4.
        Seen::default().check([&two, &two], [&by_a, &by_b], 0.56, true, &format!("{size}"));
    }
}
