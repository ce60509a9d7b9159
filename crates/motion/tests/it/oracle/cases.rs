//! Motions of all kinds: random ones, and those that lead through a chosen meeting of two bodies.

use super::Case;
use super::bodies::{KINDS, body, extreme};
use freiraum_geometry::path::{Axis, Motion, UniformMotion};
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_motion::Movable;
use freiraum_testkit::random::Random;
use std::f64::consts::FRAC_PI_2;

/// How two bodies come together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// From anywhere to anywhere.
    Random,
    /// The farthest points in some direction meet up to a gap, in the direction of it.
    HeadOn,
    /// The same, moving across that direction: the bodies graze.
    Grazing,
    /// Placed and moved along the axes of the frame, about axes through corners: parallel faces, motion within planes.
    Aligned,
}

pub const WAYS: [Way; 4] = [Way::Random, Way::HeadOn, Way::Grazing, Way::Aligned];

/// A unit vector across another one.
pub fn across(n: Vec3, random: &mut Random) -> Vec3 {
    loop {
        if let Some(v) = n.cross(random.direction()).try_normalize() {
            return v;
        }
    }
}

fn lattice_direction(random: &mut Random) -> Vec3 {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let sign = if random.unit() < 0.5 { 1.0 } else { -1.0 };
    sign * axes[random.below(3)]
}

fn placed(turn: Quat, to: Vec3) -> Pose {
    Pose::new(turn, to).unwrap()
}

/// One case; a stands still.
pub fn case(way: Way, is_turn: bool, random: &mut Random) -> Case {
    let (kind_a, kind_b) = (random.below(KINDS + 1), random.below(KINDS));
    let (a, b) = (body(kind_a, random), body(kind_b, random));
    let gap = [0.0, 1e-6, -1e-6, 1e-9, 0.3][random.below(5)];
    let (start, by) = motion(way, is_turn, &a, &b, gap, random);
    let label = format!("{way:?}, turn {is_turn}, kinds {kind_a} {kind_b}, gap {gap}");
    let motion_b: Box<dyn Motion> = Box::new(by_motion(start, by));
    Case {
        a: Movable::new(a),
        b: Movable::new(b),
        motion_a: Box::new(UniformMotion::still(Pose::IDENTITY)),
        motion_b,
        label,
    }
}

/// What b does.
#[derive(Clone, Copy, Debug)]
pub enum By {
    Shift(Vec3),
    Turn(Axis, f64),
}

pub fn by_motion(start: Pose, by: By) -> UniformMotion {
    match by {
        By::Shift(by) => UniformMotion::translation(start, by),
        By::Turn(axis, angle) => UniformMotion::rotation(start, axis, angle),
    }
}

/// Where b starts and what it does.
pub fn motion(way: Way, is_turn: bool, a: &Shape, b: &Shape, gap: f64, random: &mut Random) -> (Pose, By) {
    let is_aligned = way == Way::Aligned;
    let turn = if is_aligned {
        let about = |axis: Vec3, quarters: usize| {
            Pose::from_axis_angle(axis, quarters as f64 * FRAC_PI_2).unwrap().rotation()
        };
        about(Vec3::X, random.below(4)) * about(Vec3::Z, random.below(4))
    } else {
        random.rotation()
    };
    if way == Way::Random {
        let start = placed(turn, random.direction() * random.range(1.2, 3.0));
        let by = if is_turn {
            // From the start towards the other body, or nearly.
            let way = start.translation();
            let center = 0.5 * way + random.range(0.0, 2.0) * across(way, random);
            let axis = Axis::new(center, way.cross(center) + 0.3 * random.direction()).unwrap();
            By::Turn(axis, random.range(-6.0, 6.0))
        } else {
            By::Shift(-start.translation() * random.range(0.5, 2.0) + random.in_cube(1.0))
        };
        return (start, by);
    }
    let n = match a {
        Shape::HalfSpace(plane) => plane.normal(),
        _ if is_aligned => lattice_direction(random),
        _ => random.direction(),
    };
    let (on_a, on_b) = (extreme(a, n), turn * extreme(b, turn.inverse() * -n));
    let meeting = placed(turn, on_a - on_b + gap * n);
    let velocity = match way {
        Way::HeadOn => (random.range(0.05, 1.0) * across(n, random) - n).try_normalize().unwrap(),
        Way::Grazing => across(n, random),
        _ => loop {
            let v = lattice_direction(random);
            if v.dot(n) <= 0.0 {
                break v;
            }
        },
    };
    let when = random.range(0.2, 0.9);
    if !is_turn {
        let by = random.range(0.5, 4.0) * velocity;
        return (Pose::from_translation(-when * by) * meeting, By::Shift(by));
    }
    // About an axis from which the contact has this velocity: beside it, or on the line of the normal.
    let side = match random.below(3) {
        0 if velocity.cross(n).length() > 0.1 => velocity.cross(n).cross(velocity),
        1 if velocity.cross(n).length() > 0.1 => -velocity.cross(n).cross(velocity),
        _ if is_aligned => [Vec3::X, Vec3::Y, Vec3::Z][(0..3).find(|i| velocity[*i] == 0.0).unwrap()],
        _ => across(velocity, random),
    };
    let side = side.try_normalize().unwrap();
    let center = on_a + random.range(0.3, 2.5) * side;
    // Now and then (among parallel faces) about a corner of b.
    let center =
        if is_aligned && random.unit() < 0.5 { meeting.transform_point(extreme(b, n)) } else { center };
    let direction = (on_a - center).cross(velocity).try_normalize().unwrap_or(Vec3::Z);
    let axis = Axis::new(center, direction).unwrap();
    let angle = random.range(0.3, 3.0);
    let back = UniformMotion::rotation(meeting, axis, -angle * when).pose(1.0);
    (back, By::Turn(axis, angle))
}
