//! Bodies that are meant to touch: they slide and separate, and collide only when they get deeper.

mod common;

use common::{at, boxes, cuboid, movable, peg, ring, teeth};
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::fit::time_of_contact_with_allowance;
use freiraum_motion::path::{Axis, UniformMotion};
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict};
use std::f64::consts::{PI, TAU};

fn verdict(fixed: &Movable, moving: &Movable, motion: UniformMotion, allowance: f64) -> Verdict {
    let still = UniformMotion::still(Pose::IDENTITY);
    let mut memory = MotionWorkspace::default();
    let limits = Limits::default();
    let answer =
        time_of_contact_with_allowance(fixed, &still, moving, &motion, allowance, &limits, &mut memory);
    let swapped =
        time_of_contact_with_allowance(moving, &motion, fixed, &still, allowance, &limits, &mut memory);
    let (answer, swapped) = (answer.unwrap(), swapped.unwrap());
    match (&answer, &swapped) {
        (Verdict::Contact(x), Verdict::Contact(y)) => assert!((x.time - y.time).abs() < 1e-9, "{x:?} {y:?}"),
        _ => assert_eq!(answer, swapped),
    }
    answer
}

#[track_caller]
fn free(fixed: &Movable, moving: &Movable, motion: UniformMotion, allowance: f64) {
    assert_eq!(verdict(fixed, moving, motion, allowance), Verdict::Free);
}

#[track_caller]
fn contact(fixed: &Movable, moving: &Movable, motion: UniformMotion, allowance: f64, expected: f64) {
    match verdict(fixed, moving, motion, allowance) {
        Verdict::Contact(contact) => assert!((contact.time - expected).abs() < 1e-6, "{contact:?}"),
        other => panic!("{other:?}"),
    }
}

fn by(start: Pose, x: f64, y: f64, z: f64) -> UniformMotion {
    UniformMotion::translation(start, Vec3::new(x, y, z))
}

#[test]
fn a_block_slides_on_a_table() {
    let table = Movable::new(cuboid(4.0, 4.0, 1.0));
    let block = Movable::new(cuboid(0.5, 0.5, 0.5));
    let on_top = at(0.0, 0.0, 0.75);
    free(&table, &block, by(on_top, 1.0, 0.3, 0.0), 0.0);
    free(&table, &block, by(on_top, 5.0, 0.0, 0.0), 0.0);
    free(&table, &block, by(on_top, 0.0, 0.0, 1.0), 0.0);
    free(&table, &block, UniformMotion::rotation(on_top, Axis::new(Vec3::ZERO, Vec3::Z).unwrap(), TAU), 0.0);
    // Down is a contact at once, a slope as well; tipping too, unless it goes about an axis above an edge and lifts off.
    contact(&table, &block, by(on_top, 0.0, 0.0, -0.1), 0.0, 0.0);
    contact(&table, &block, by(on_top, 1.0, 0.0, -0.01), 0.0, 0.0);
    let edge = Axis::new(Vec3::new(0.25, 0.0, 0.6), Vec3::Y).unwrap();
    contact(&table, &block, UniformMotion::rotation(on_top, edge, -0.2), 0.0, 0.0);
    free(&table, &block, UniformMotion::rotation(on_top, edge, 0.2), 0.0);
    // With an allowance, down to there is free.
    free(&table, &block, by(on_top, 0.0, 0.0, -0.009), 0.01);
    contact(&table, &block, by(on_top, 0.0, 0.0, -0.1), 0.01, 0.1);
    // Slid against another block on the same table.
    let stop = boxes(&[([4.0, 4.0, 1.0], [0.0, 0.0, 0.0]), ([0.5, 0.5, 0.5], [1.25, 0.0, 0.75])]);
    contact(&stop, &block, by(on_top, 1.0, 0.0, 0.0), 0.0, 0.75);
    // The same with meshes, turned by an odd angle in space.
    let turn = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
    let placed = |body: &Movable, pose: Pose| {
        let mesh = body.prepared().shape().tessellate(1.0).unwrap();
        movable(mesh.placed(&(turn * pose)).unwrap())
    };
    let (table, block) = (placed(&table, Pose::IDENTITY), placed(&block, on_top));
    free(
        &table,
        &block,
        UniformMotion::translation(Pose::IDENTITY, turn.rotate(Vec3::new(1.0, 0.4, 0.0))),
        0.0,
    );
}

#[test]
fn a_lid_lifts_off_its_box() {
    // An open box with a lid whose rim stands in it, touching on all sides.
    let open_box = boxes(&[
        ([2.0, 2.0, 0.1], [0.0, 0.0, 0.05]),
        ([0.1, 2.0, 1.0], [-0.95, 0.0, 0.6]),
        ([0.1, 2.0, 1.0], [0.95, 0.0, 0.6]),
        ([1.8, 0.1, 1.0], [0.0, -0.95, 0.6]),
        ([1.8, 0.1, 1.0], [0.0, 0.95, 0.6]),
    ]);
    let lid = boxes(&[([2.0, 2.0, 0.1], [0.0, 0.0, 1.15]), ([1.8, 1.8, 0.2], [0.0, 0.0, 1.0])]);
    free(&open_box, &lid, by(Pose::IDENTITY, 0.0, 0.0, 2.0), 0.0);
    contact(&open_box, &lid, by(Pose::IDENTITY, 0.1, 0.0, 0.0), 0.0, 0.0);
    contact(&open_box, &lid, by(Pose::IDENTITY, 0.0, 0.0, -0.1), 0.0, 0.0);
}

#[test]
fn a_peg_leaves_its_hole() {
    let n = 48;
    let plate = movable(ring(&vec![1.0; n], &vec![2.0; n], [-0.5, 0.5], 0.0));
    let same = movable(peg(n, 1.0, [-1.0, 1.0], 0.0));
    free(&plate, &same, by(Pose::IDENTITY, 0.0, 0.0, 4.0), 0.0);
    contact(&plate, &same, by(Pose::IDENTITY, 0.1, 0.0, 0.0), 0.0, 0.0);
    // Turned by half a side, corners stick into faces by the height of the arc over a side.
    let sagitta = 1.0 - (PI / n as f64).cos();
    let turned = movable(peg(n, 1.0, [-1.0, 1.0], PI / n as f64));
    assert_eq!(verdict(&plate, &turned, by(Pose::IDENTITY, 0.0, 0.0, 4.0), 0.0), Verdict::OverlapAtStart);
    free(&plate, &turned, by(Pose::IDENTITY, 0.0, 0.0, 4.0), 1.1 * sagitta);
    assert_eq!(
        verdict(&plate, &turned, by(Pose::IDENTITY, 0.0, 0.0, 4.0), 0.9 * sagitta),
        Verdict::OverlapAtStart
    );
    // Tilted on the way out it jams.
    let tilt = Axis::new(Vec3::ZERO, Vec3::X).unwrap();
    assert!(matches!(
        verdict(&plate, &turned, UniformMotion::rotation(Pose::IDENTITY, tilt, 0.2), 1.1 * sagitta),
        Verdict::Contact(_)
    ));
    // It may turn in its hole where the allowance covers the corners.
    let spin = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    free(&plate, &same, UniformMotion::rotation(Pose::IDENTITY, spin, TAU), 2.5 * sagitta);
    assert!(matches!(
        verdict(&plate, &same, UniformMotion::rotation(Pose::IDENTITY, spin, TAU), 0.0),
        Verdict::Contact(_)
    ));
}

#[test]
fn a_gear_is_pulled_off_its_shaft() {
    let radii = teeth(16, 2.0, 2.3);
    let gear = movable(ring(&vec![0.5; radii.len()], &radii, [-0.25, 0.25], 0.0));
    let shaft = movable(peg(radii.len(), 0.5, [-2.0, 1.0], 0.0));
    free(&shaft, &gear, by(Pose::IDENTITY, 0.0, 0.0, 3.0), 0.0);
    // A collar on the shaft stops it the other way.
    let collar = ring(&vec![0.5; radii.len()], &vec![0.8; radii.len()], [-1.5, -1.25], 0.0);
    contact(&movable(collar), &gear, by(Pose::IDENTITY, 0.0, 0.0, -2.0), 0.0, 0.5);
}

#[test]
fn a_key_slides_in_its_slot() {
    let slot = boxes(&[
        ([3.0, 2.0, 0.2], [0.0, 0.0, -0.1]),
        ([3.0, 0.5, 0.5], [0.0, -0.75, 0.25]),
        ([3.0, 0.5, 0.5], [0.0, 0.75, 0.25]),
    ]);
    let key = Movable::new(cuboid(1.0, 1.0, 0.5));
    let inside = at(0.0, 0.0, 0.25);
    free(&slot, &key, by(inside, 4.0, 0.0, 0.0), 0.0);
    free(&slot, &key, by(inside, 0.0, 0.0, 1.0), 0.0);
    contact(&slot, &key, by(inside, 0.0, 0.1, 0.0), 0.0, 0.0);
    let spin = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    contact(&slot, &key, UniformMotion::rotation(inside, spin, 0.5), 0.0, 0.0);
}
