//! A bolt in its nut.

use super::*;
use std::f64::consts::TAU;

const PITCH: f64 = 0.0015;
const DEPTH: f64 = 0.0009;
const RADIUS: f64 = 0.0042;
/// Radially, everywhere.
const CLEARANCE: f64 = 0.0001;
/// Steps of a turn.
const STEPS: usize = 48;

/// A triangular thread about z from the turn `first` on, grown by `more` metres radially.
fn thread(first: isize, turns: usize, more: f64) -> Movable {
    let profile = [(0.0, RADIUS), (0.5 * PITCH, RADIUS + DEPTH), (PITCH, RADIUS)];
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    let count = turns * STEPS;
    for i in 0..=count {
        let turn = first as f64 + i as f64 / STEPS as f64;
        let (sin, cos) = (turn * TAU).sin_cos();
        for (z, r) in profile {
            let r = r + more;
            vertices.push(Vec3::new(r * cos, r * sin, PITCH * turn + z));
        }
    }
    for i in 0..count as u32 {
        for j in 0..2 {
            let p = 3 * i + j;
            faces.extend([[p, p + 3, p + 4], [p, p + 4, p + 1]]);
        }
    }
    movable((vertices, faces))
}

fn unscrew(turns: f64, pitch: f64, at_least: f64) -> Advanced {
    let (nut, bolt) = (thread(1, 2, CLEARANCE), thread(0, 4, 0.0));
    let by_a = UniformMotion::still(Pose::IDENTITY);
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let by_b = UniformMotion::screw(Pose::IDENTITY, axis, turns * TAU, turns * pitch);
    Scene { a: &nut, by_a: &by_a, b: &bolt, by_b: &by_b }.advance(at_least)
}

/// What the straight edges of the nut take from the clearance.
fn sag() -> f64 {
    (RADIUS + DEPTH + CLEARANCE) * (1.0 - (0.5 * TAU / STEPS as f64).cos())
}

#[test]
fn a_bolt_turns_out_of_its_nut() {
    for turns in [1.0, -1.5] {
        assert_eq!(unscrew(turns, PITCH, 0.0), Advanced::Free { clearance_lower: 0.0 });
        // The flanks are closer than the radial clearance by the cosine of their slope.
        let slope = (0.5 * PITCH / DEPTH).atan().sin();
        let at_least = 0.9 * (CLEARANCE * slope - sag());
        assert_eq!(unscrew(turns, PITCH, at_least), Advanced::Free { clearance_lower: at_least });
        assert!(matches!(unscrew(turns, PITCH, 1.01 * CLEARANCE * slope), Advanced::Contact(_)));
    }
}

#[test]
fn a_bolt_that_turns_with_another_pitch_jams() {
    for pitch in [0.0, 1.2 * PITCH, -PITCH] {
        let Advanced::Contact(contact) = unscrew(1.0, pitch, 0.0) else { panic!("{pitch} jams") };
        assert!(contact.is_crossing);
        // The flanks have this much room along the axis, less what the straight edges take.
        let room = CLEARANCE * 0.5 * PITCH / DEPTH;
        let expected = room / (pitch - PITCH).abs();
        let taken = sag() / CLEARANCE * expected;
        assert!(
            contact.time <= expected + 1e-9 && contact.time >= expected - 2.0 * taken,
            "{contact:?} {expected}"
        );
    }
}
