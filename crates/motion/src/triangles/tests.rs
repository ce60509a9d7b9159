//! Known answers of the verified formulas, and the degenerate cases that they list. Points and segments are triangles without
//! area.

use super::*;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

const SLACK: f64 = 1e-14;

fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

fn point(p: Vec3) -> [Vec3; 3] {
    [p; 3]
}

fn segment(p: Vec3, q: Vec3) -> [Vec3; 3] {
    [p, q, q]
}

/// The first list moves.
fn translating(moving: [Vec3; 3], fixed: [Vec3; 3], by: Vec3, expected: Option<f64>) {
    let found =
        meet_translating(fixed, moving, by, SLACK).filter(|m| m.exit >= 0.0).map(|m| m.enter.max(0.0));
    check(found, expected);
    // Seen from the other body the motion is the opposite one.
    let found =
        meet_translating(moving, fixed, -by, SLACK).filter(|m| m.exit >= 0.0).map(|m| m.enter.max(0.0));
    check(found, expected);
}

fn approaching(moving: [Vec3; 3], fixed: [Vec3; 3], radius: f64, by: Vec3, expected: Option<f64>) {
    check(approach_translating(fixed, moving, radius, by, 100.0, SLACK).map(|m| m.enter), expected);
    check(approach_translating(moving, fixed, radius, -by, 100.0, SLACK).map(|m| m.enter), expected);
}

fn rotating(moving: [Vec3; 3], fixed: [Vec3; 3], radius: f64, expected: Option<f64>) {
    let angle = |a: [Vec3; 3], b: [Vec3; 3]| match meet_rotating(a, b, radius, [0.0, TAU], SLACK) {
        Turned::Met(turn) => Some(turn.angle),
        Turned::Apart => None,
        Turned::Stuck(turn) => panic!("stuck at {turn:?}"),
    };
    check(angle(fixed, moving), expected);
    // The other body turns the other way round: turned over, about the same axis.
    let over = |t: [Vec3; 3]| t.map(|p| v(p.x, -p.y, -p.z));
    check(angle(over(moving), over(fixed)), expected);
}

fn check(found: Option<f64>, expected: Option<f64>) {
    match (found, expected) {
        (Some(found), Some(expected)) => {
            assert!((found - expected).abs() < 1e-11, "{found} instead of {expected}")
        }
        (found, expected) => assert_eq!(found, expected),
    }
}

#[test]
fn translations_of_the_formulas() {
    let third = segment(v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0));
    translating(third, segment(v(1.0, -1.0, 3.0), v(1.0, 2.0, 5.0)), Vec3::Z, Some(11.0 / 3.0));
    approaching(
        segment(v(-3.0, -1.0, -2.0), v(2.0, 2.0, 1.0)),
        segment(v(3.0, 3.0, -2.0), v(-3.0, -3.0, 2.0)),
        0.5,
        Vec3::X,
        Some(0.10200240577734),
    );
    approaching(
        segment(v(0.0, 0.0, 0.0), v(0.0, 2.0, 0.0)),
        segment(v(4.0, 3.0, 1.0), v(4.0, 5.0, 2.0)),
        0.5,
        v(1.0, 0.4, 0.2),
        Some(3.5874600230939),
    );
}

#[test]
fn rotations_of_the_formulas() {
    rotating(
        point(v(2.5, 0.0, 0.5)),
        [v(0.0, 1.0, -1.0), v(1.0, 3.0, -1.0), v(-1.0, 3.0, 2.0)],
        0.0,
        Some(1.6736181634964),
    );
    rotating(
        segment(v(2.0, 1.0, 0.0), v(-2.0, -1.0, -3.0)),
        segment(v(-3.0, -3.0, -2.0), v(2.0, 1.0, 3.0)),
        0.0,
        Some(3.5947697792527),
    );
    rotating(
        segment(v(-3.0, -1.0, 0.0), v(-1.0, -1.0, -3.0)),
        segment(v(-3.0, -3.0, -3.0), v(1.0, 0.0, 1.0)),
        0.0,
        Some(0.45676592417615),
    );
    rotating(point(v(2.0, 0.0, 1.0)), point(v(0.0, 3.0, 2.0)), 1.5, Some(1.3663161278264));
    rotating(
        segment(v(1.0, -1.0, 1.0), v(-2.0, 3.0, 0.0)),
        segment(v(3.0, 2.0, 1.0), v(-2.0, 2.0, -3.0)),
        0.5,
        Some(4.7231966920780),
    );
    rotating(
        segment(v(0.0, -1.0, 3.0), v(-2.0, 3.0, -3.0)),
        segment(v(1.0, 1.0, 3.0), v(-1.0, 3.0, 1.0)),
        0.5,
        Some(2.1201551974537),
    );
}

#[test]
fn translations_in_the_plane_of_a_face_and_along_parallel_edges() {
    let face = [v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0), v(0.0, 2.0, 0.0)];
    // A point that slides in the plane of the face reaches its edge, stays above it, or misses it.
    translating(point(v(-3.0, 0.5, 0.0)), face, Vec3::X, Some(3.0));
    translating(point(v(-3.0, 0.5, 1e-6)), face, Vec3::X, None);
    translating(point(v(-3.0, 2.5, 0.0)), face, Vec3::X, None);
    // It touches the corner only.
    translating(point(v(-3.0, 2.0, 0.0)), face, Vec3::X, Some(3.0));
    // Two faces in one plane.
    let other = face.map(|p| p - 5.0 * Vec3::X);
    translating(other, face, Vec3::X, Some(3.0));
    translating(other, face, -Vec3::X, None);
    // Parallel edges meet sideways, end to end, or pass each other.
    let edge = segment(Vec3::ZERO, 2.0 * Vec3::Z);
    translating(segment(v(-1.0, 0.0, 1.0), v(-1.0, 0.0, 3.0)), edge, Vec3::X, Some(1.0));
    translating(segment(v(0.0, 0.0, 5.0), v(0.0, 0.0, 6.0)), edge, -Vec3::Z, Some(3.0));
    translating(segment(v(-1.0, 0.1, 1.0), v(-1.0, 0.1, 3.0)), edge, Vec3::X, None);
    // Faces that touch already, and that only ever separate.
    translating(face, face, Vec3::Z, Some(0.0));
    translating(face.map(|p| p + Vec3::Z), face, Vec3::Z, None);
}

#[test]
fn rotations_that_touch_at_one_angle_only() {
    // The corner (1, 0, 2) is as far from the axis as the near end of the segment.
    rotating(
        segment(v(3.0, -1.0, 2.0), v(0.0, -1.0, 2.0)),
        [v(1.0, 0.0, 1.0), v(1.0, 0.0, 2.0), v(2.0, 1.0, 1.0)],
        0.0,
        Some(FRAC_PI_2),
    );
}

#[test]
fn rotations_about_axes_through_corners_and_across_faces() {
    // The face is normal to the axis, and the point circles in its plane.
    let face = [v(1.0, 1.0, 0.0), v(3.0, 1.0, 0.0), v(1.0, 3.0, 0.0)];
    rotating(point(v(2.0, 0.0, 0.0)), face, 0.0, Some((1.0f64 / 2.0).asin()));
    rotating(point(v(2.0, 0.0, 1e-6)), face, 0.0, None);
    rotating(point(v(1.0, 0.0, 0.0)), face, 0.0, None);
    rotating(point(v(2f64.sqrt(), 0.0, 0.0)), face, 0.0, Some(PI / 4.0));
    // A point on the axis never moves.
    rotating(point(v(0.0, 0.0, 1.0)), face, 0.0, None);
    rotating(
        point(v(0.0, 0.0, 0.0)),
        [v(-1.0, -1.0, 0.0), v(1.0, -1.0, 0.0), v(0.0, 2.0, 0.0)],
        0.0,
        Some(0.0),
    );
    // The axis runs through a corner of the moving face.
    let wing = [v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0), v(0.0, 0.0, 2.0)];
    rotating(wing, segment(v(0.5, 0.5, 0.5), v(0.6, 0.6, 0.5)), 0.0, Some(PI / 4.0));
    // The axis lies in the plane of the fixed face.
    rotating(
        point(v(1.0, 0.0, 0.5)),
        [v(0.0, 0.5, 0.0), v(0.0, 3.0, 0.0), v(0.0, 1.0, 2.0)],
        0.0,
        Some(FRAC_PI_2),
    );
    // Both edges are parallel to the axis; at different distances they never meet.
    rotating(
        segment(v(1.0, 0.0, 0.0), v(1.0, 0.0, 1.0)),
        segment(v(0.0, 1.0, 0.5), v(0.0, 1.0, 3.0)),
        0.0,
        Some(FRAC_PI_2),
    );
    rotating(
        segment(v(1.0, 0.0, 0.0), v(1.0, 0.0, 1.0)),
        segment(v(0.0, 1.1, 0.5), v(0.0, 1.1, 3.0)),
        0.0,
        None,
    );
    // Both edges are normal to the axis, at one height and at two.
    rotating(
        segment(v(1.0, 0.0, 0.0), v(2.0, 0.0, 0.0)),
        segment(v(0.0, 1.5, 0.0), v(0.0, 3.0, 0.0)),
        0.0,
        Some(FRAC_PI_2),
    );
    rotating(
        segment(v(1.0, 0.0, 0.1), v(2.0, 0.0, 0.1)),
        segment(v(0.0, 1.5, 0.0), v(0.0, 3.0, 0.0)),
        0.0,
        None,
    );
    // Both have an end on the axis: they meet there at once, at the same point, or never at two.
    rotating(
        segment(v(0.0, 0.0, 0.0), v(1.0, 0.0, 1.0)),
        segment(v(0.0, 0.0, 0.0), v(0.0, 1.0, 1.0)),
        0.0,
        Some(0.0),
    );
    rotating(
        segment(v(0.0, 0.0, 0.5), v(1.0, 0.0, 1.5)),
        segment(v(0.0, 0.0, 0.0), v(0.0, 1.0, 1.0)),
        0.0,
        None,
    );
    // Generators of opposite families of one hyperboloid meet at every angle.
    rotating(
        segment(v(1.0, 0.0, 0.0), v(1.0, 1.0, 1.0)),
        segment(v(1.0, 0.0, 0.0), v(1.0, -1.0, 1.0)),
        0.0,
        Some(0.0),
    );
    // Cut short, they meet first when an end arrives: at the height where the other one ends.
    let turned = |p: Vec3, angle: f64| {
        v(p.x * angle.cos() - p.y * angle.sin(), p.x * angle.sin() + p.y * angle.cos(), p.z)
    };
    let line = |s: f64| v(1.0, s, s);
    let mirrored = |s: f64| v(1.0, -s, s);
    // R(θ) line(s) = mirrored(s) for θ = -2 atan s: at height s they meet after 2π - 2 atan s.
    let short = segment(line(0.5), line(1.0));
    let expected = TAU - 2.0 * 1f64.atan();
    assert!(turned(line(1.0), expected).distance(mirrored(1.0)) < 1e-12);
    rotating(short, segment(mirrored(0.5), mirrored(1.0)), 0.0, Some(expected));
}
