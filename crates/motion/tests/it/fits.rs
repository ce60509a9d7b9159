//! Bodies that are meant to touch: they slide and separate, and collide only when they get deeper.

use crate::common::{at, bolt, boxes, cuboid, movable, nut, peg, ring, teeth, thread};
use freiraum_geometry::path::{Axis, UniformMotion};
use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Cylinder, HalfSpace, HeightField, Part, Shape, Sphere,
};
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::fit::{ErosionCache, FitReason, PairCheck, PairOutcome, time_of_contact_with_allowance};
use freiraum_motion::{Clearance, Limits, MotionWorkspace, Movable, OverlapInterval, Verdict};
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
        (Verdict::Contact(x), Verdict::Contact(y)) => assert!((x.time - y.time).abs() < 1e-5, "{x:?} {y:?}"),
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
        // Bodies that rest on each other have an allowance of their own.
        Verdict::Contact(contact) => assert!((contact.time - expected).abs() < 1e-3, "{contact:?}"),
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

fn compound(parts: Vec<(Shape, Pose)>) -> Movable {
    let parts = parts.into_iter().map(|(shape, compound_from_part)| Part { shape, compound_from_part });
    Movable::new(Shape::Compound(Compound::new(parts.collect()).unwrap()))
}

fn cylinder(radius: f64, height: f64) -> Shape {
    Shape::Cylinder(Cylinder::new(radius, height).unwrap())
}

#[test]
fn round_bodies_slide_and_roll_on_a_table() {
    let table = Movable::new(cuboid(4.0, 4.0, 1.0));
    let endless = Movable::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.5).unwrap()));
    let lying = Pose::from_axis_angle(Vec3::X, PI / 2.0).unwrap();
    let round = [
        (cylinder(0.25, 0.5), at(0.0, 0.0, 0.75)),
        (cylinder(0.25, 0.5), at(0.0, 0.0, 0.75) * lying),
        (Shape::Cone(Cone::new(0.25, 0.5).unwrap()), at(0.0, 0.0, 0.75)),
        (Shape::Sphere(Sphere::new(0.25).unwrap()), at(0.0, 0.0, 0.75)),
        (Shape::Capsule(Capsule::new(0.25, 0.5).unwrap()), at(0.0, 0.0, 0.75) * lying),
    ];
    for (shape, pose) in round {
        for (body, pose) in [
            (Movable::new(shape.clone()), pose),
            (
                compound(vec![(shape.clone(), pose), (cuboid(0.1, 0.1, 0.1), at(0.0, 0.0, 2.0))]),
                Pose::IDENTITY,
            ),
        ] {
            for ground in [&table, &endless] {
                free(ground, &body, by(pose, 1.0, 0.3, 0.0), 0.0);
                free(ground, &body, by(pose, 0.0, 0.0, 1.0), 0.0);
                let about = Axis::new(Vec3::X, Vec3::Z).unwrap();
                free(ground, &body, UniformMotion::rotation(pose, about, TAU), 0.0);
                contact(ground, &body, by(pose, 0.0, 0.0, -0.1), 0.0, 0.0);
                free(ground, &body, by(pose, 0.0, 0.0, -0.009), 0.01);
                contact(ground, &body, by(pose, 0.0, 0.0, -0.1), 0.01, 0.1);
            }
        }
    }
}

#[test]
fn a_shaft_of_cylinders_turns_in_its_bearing_and_leaves_it() {
    // A stepped shaft in a bearing of flats that touch it all round.
    let shaft =
        compound(vec![(cylinder(0.5, 2.0), at(0.0, 0.0, 0.0)), (cylinder(0.8, 0.4), at(0.0, 0.0, 1.2))]);
    let bearing = boxes(&[
        ([0.5, 2.0, 1.0], [-0.75, 0.0, 0.0]),
        ([0.5, 2.0, 1.0], [0.75, 0.0, 0.0]),
        ([1.0, 0.5, 1.0], [0.0, -0.75, 0.0]),
        ([1.0, 0.5, 1.0], [0.0, 0.75, 0.0]),
    ]);
    let spin = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    free(&bearing, &shaft, UniformMotion::rotation(Pose::IDENTITY, spin, TAU), 0.0);
    free(&bearing, &shaft, by(Pose::IDENTITY, 0.0, 0.0, 3.0), 0.0);
    // The collar comes down on the bearing after half a metre.
    contact(&bearing, &shaft, by(Pose::IDENTITY, 0.0, 0.0, -1.0), 0.0, 0.5);
    contact(&bearing, &shaft, by(Pose::IDENTITY, 0.0, 0.1, 0.0), 0.0, 0.0);
    free(&bearing, &shaft, UniformMotion::screw(Pose::IDENTITY, spin, TAU, 3.0), 0.0);
}

#[test]
fn a_peg_fits_within_its_allowance() {
    // A peg that is too thick for its hole by 0.02 in radius: a press fit.
    let n = 48;
    let plate = movable(ring(&vec![1.0; n], &vec![2.0; n], [-0.5, 0.5], 0.0));
    let thick = movable(peg(n, 1.02, [-1.0, 1.0], 0.0));
    // Faces are deeper than corners would tell: by the cosine of half a side.
    let depth = 0.02 * (PI / n as f64).cos();
    let out = by(Pose::IDENTITY, 0.0, 0.0, 4.0);
    free(&plate, &thick, out, 1.001 * depth);
    assert_eq!(verdict(&plate, &thick, out, 0.999 * depth), Verdict::OverlapAtStart);
    assert_eq!(verdict(&plate, &thick, out, 0.0), Verdict::OverlapAtStart);
    // Sideways until the allowance is used up.
    contact(
        &plate,
        &thick,
        by(Pose::IDENTITY, 0.1, 0.0, 0.0),
        0.03,
        (0.03 - depth) / (PI / n as f64).cos() / 0.1,
    );
}

#[test]
fn blocks_slide_on_a_height_field() {
    let flat = HeightField::new([4.0, 4.0], &vec![vec![0.5; 9]; 9]).unwrap();
    let ground = Movable::new(Shape::HeightField(flat));
    let block = Movable::new(cuboid(0.5, 0.5, 0.5));
    let ball = Movable::new(Shape::Sphere(Sphere::new(0.25).unwrap()));
    let on_top = at(0.1, 0.0, 0.75);
    for body in [&block, &ball] {
        free(&ground, body, by(on_top, 1.0, 0.3, 0.0), 0.0);
        free(&ground, body, by(on_top, 0.0, 0.0, 1.0), 0.0);
        contact(&ground, body, by(on_top, 0.0, 0.0, -0.1), 0.0, 0.0);
        contact(&ground, body, by(on_top, 0.0, 0.0, -0.1), 0.01, 0.1);
    }
    // A step in the ground stops it.
    let step: Vec<Vec<f64>> =
        (0..9).map(|_| (0..9).map(|c| if c < 6 { 0.5 } else { 0.8 }).collect()).collect();
    let step = Movable::new(Shape::HeightField(HeightField::new([4.0, 4.0], &step).unwrap()));
    assert!(
        matches!(verdict(&step, &block, by(on_top, 1.5, 0.0, 0.0), 0.0), Verdict::Contact(c) if c.time > 0.0)
    );
}

#[test]
fn a_screw_turns_out_of_its_thread() {
    let (n, pitch, depth) = (20, 1.0, 0.3);
    let heights = |from: f64, to: f64| -> Vec<f64> {
        let count = ((to - from) * 6.0 / pitch).round() as usize;
        (0..=count).map(|k| from + (to - from) * k as f64 / count as f64).collect()
    };
    let screw = movable(bolt(n, &heights(-1.5, 1.5), thread(2.0, depth, pitch)));
    let wide = movable(nut(n, &heights(-0.5, 0.5), thread(2.15, depth, pitch), 3.0));
    let tight = movable(nut(n, &heights(-0.5, 0.5), thread(2.0, depth, pitch), 3.0));
    for body in [&screw, &wide, &tight] {
        assert!(!body.prepared().has_open_surface());
    }
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let turn =
        |turns: f64, pitch: f64| UniformMotion::screw(Pose::IDENTITY, axis, turns * TAU, turns * pitch);
    // With room it turns out freely, both ways, and jams with a wrong pitch, without one, or pulled straight.
    free(&wide, &screw, turn(1.0, pitch), 0.0);
    free(&wide, &screw, turn(-0.5, pitch), 0.0);
    for pitch in [0.0, -pitch] {
        assert!(matches!(verdict(&wide, &screw, turn(1.0, pitch), 0.0), Verdict::Contact(_)));
    }
    assert!(matches!(verdict(&wide, &screw, by(Pose::IDENTITY, 0.0, 0.0, 3.0), 0.0), Verdict::Contact(_)));
    // Without room its flanks lie on those of the nut, and facets catch each other unless the allowance covers them: at most
    // the height of an arc over a side, twice.
    let facets = 2.0 * (2.0 + depth) * (1.0 - (PI / n as f64).cos());
    free(&tight, &screw, turn(0.3, pitch), 1.5 * facets);
    assert!(matches!(verdict(&tight, &screw, turn(1.0, pitch), 0.0), Verdict::Contact(_)));
}

#[test]
fn bodies_that_are_apart_are_never_told_to_overlap() {
    // So far that rounding is larger than the bodies: a contact at the start is all that can be said.
    let block = Movable::new(cuboid(1.0, 1.0, 1.0));
    let found = verdict(&block, &block, by(at(5.0, 0.0, 0.0), -1e40, 0.0, 0.0), 0.0);
    assert!(matches!(found, Verdict::Contact(_)), "{found:?}");
    free(&block, &block, by(at(5.0, 0.0, 0.0), 1e40, 0.0, 0.0), 0.0);
}

#[test]
fn an_allowance_that_is_too_large_is_named_as_it_was_given() {
    let rows = vec![vec![0.0; 3]; 3];
    let ground = Shape::HeightField(HeightField::new([2.0, 2.0], &rows).unwrap());
    let (ground, cube) = (Movable::new(ground), Movable::new(cuboid(0.1, 0.1, 0.1)));
    let still = UniformMotion::still(Pose::IDENTITY);
    let lift = UniformMotion::translation(at(0.0, 0.0, 0.05), Vec3::Z);
    let ask = |allowance: f64| {
        let limits = Limits::default();
        let mut memory = MotionWorkspace::default();
        let verdict =
            time_of_contact_with_allowance(&ground, &still, &cube, &lift, allowance, &limits, &mut memory);
        verdict.err().map(|error| error.to_string())
    };
    // The ground has no inside: the cube gives way for both, on two sides.
    assert_eq!(ask(0.04), None);
    let message = ask(0.06).unwrap();
    assert!(
        message.starts_with("an allowance of 0.06 m is too large") && message.contains("0.12 m"),
        "{message}"
    );
}

/// Who asks for a pair in the other order gets the same answer, to the last bit.
#[test]
fn the_order_of_the_bodies_changes_nothing() {
    let mut random = freiraum_testkit::random::Random::new(17);
    let round = [
        Shape::Cylinder(freiraum_geometry::shape::Cylinder::new(0.4, 0.7).unwrap()),
        Shape::Cone(freiraum_geometry::shape::Cone::new(0.5, 0.8).unwrap()),
        Shape::Cuboid(freiraum_geometry::shape::Cuboid::new(Vec3::new(0.5, 0.6, 0.7)).unwrap()),
    ];
    let (limits, mut memory, mut met) = (Limits::default(), MotionWorkspace::default(), 0);
    for case in 0..90 {
        let [a, b] = [case % 3, case / 3 % 3].map(|k| Movable::new(round[k].clone()));
        let center = random.in_cube(1e3);
        let still = UniformMotion::still(Pose::new(random.rotation(), center).unwrap());
        let off = 2.0 * random.direction();
        let from = Pose::new(random.rotation(), center + off).unwrap();
        let motion = UniformMotion::translation(from, -2.0 * off);
        let mut asked = |a, by_a, b, by_b| {
            time_of_contact_with_allowance(a, by_a, b, by_b, 0.0, &limits, &mut memory).unwrap()
        };
        let both = [asked(&a, &motion, &b, &still), asked(&b, &still, &a, &motion)];
        let [Verdict::Contact(one), Verdict::Contact(other)] = both else { panic!("{both:?}") };
        assert_eq!(
            (one.time, one.point, one.feature_a, one.normal),
            (other.time, other.point, other.feature_b, -other.normal)
        );
        met += 1;
    }
    assert_eq!(met, 90);
}

/// Neither of two sheets shrinks. Where they touch, or nearly so, at the start or the end, the one may go
/// through the other.
#[test]
fn sheets_that_go_through_each_other_from_where_they_touch_collide() {
    let square = |size: f64, z: f64| {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let corners = corners.map(|[x, y]| Vec3::new(0.5 * size * x, 0.5 * size * y, z)).to_vec();
        freiraum_geometry::Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap()
    };
    let prepared = |mesh: freiraum_geometry::Mesh| freiraum_query::Prepared::new(Shape::Mesh(mesh.into()));
    let still = UniformMotion::still(Pose::IDENTITY);
    for is_sheet in [true, false] {
        let [plate, card] = [2.0, 0.2].map(|size| {
            let prepared = prepared(square(size, 0.0));
            Movable::from_prepared(if is_sheet { prepared.as_sheet() } else { prepared })
        });
        for gap in [0.0, 1e-12, 1e-9, 1e-8, 1e-7] {
            let mut memory = MotionWorkspace::default();
            for motion in [by(at(0.0, 0.0, gap), 0.0, 0.0, -1.0), by(at(0.0, 0.0, 1.0), 0.0, 0.0, -1.0 - gap)]
            {
                let limits = Limits::default();
                let mut asked = |a, by_a, b, by_b| {
                    time_of_contact_with_allowance(a, by_a, b, by_b, 0.0, &limits, &mut memory).unwrap()
                };
                let both = [asked(&plate, &still, &card, &motion), asked(&card, &motion, &plate, &still)];
                let is_free = |verdict: &Verdict| *verdict == Verdict::Free;
                assert!(!both.iter().any(is_free), "{gap} {motion:?}: {both:?}");
            }
        }
    }
}

/// The outcome of a body that moves by a translation, and all times at which it collides.
fn outcome(fixed: &Movable, moving: &Movable, motion: UniformMotion) -> (PairOutcome, Vec<OverlapInterval>) {
    let still = UniformMotion::still(Pose::IDENTITY);
    let check = PairCheck {
        bodies: [fixed, moving],
        motions: [&still, &motion],
        allowance: 0.0,
        limits: Limits::default(),
    };
    let (cache, mut memory) = (ErosionCache::default(), MotionWorkspace::default());
    let outcome = check.outcome(&cache, &mut memory).unwrap();
    let all = check.collisions(&cache, &mut memory).unwrap();
    assert_eq!(check.collisions_of(&outcome, &cache, &mut memory).unwrap(), all);
    (outcome, all)
}

/// A block that goes through a plate and comes to rest on its other side is a fit that collides: from the
/// first touch on.
#[test]
fn collisions_begin_with_the_first_contact() {
    let (plate, block) = (Movable::new(cuboid(4.0, 4.0, 0.1)), Movable::new(cuboid(0.2, 0.2, 0.2)));
    let (found, all) = outcome(&plate, &block, by(at(0.0, 0.0, 0.5), 0.0, 0.0, -0.65));
    let PairOutcome::Blocked { verdict: Verdict::Contact(contact), fit: Some(fit), .. } = found else {
        panic!("{found:?}")
    };
    assert_eq!(fit.reason, FitReason::TouchesAtEnd);
    assert!((contact.time - 0.35 / 0.65).abs() < 1e-12, "{contact:?}");
    let [first] = &all[..] else { panic!("{all:?}") };
    assert_eq!((first.time[0], first.error[0]), (contact.time, contact.time_error));
}

/// What is deeper at the start than rounding was not meant to touch.
#[test]
fn what_overlaps_at_the_start_is_no_fit() {
    let (plate, block) = (Movable::new(cuboid(4.0, 4.0, 0.1)), Movable::new(cuboid(0.2, 0.2, 0.2)));
    let (found, all) = outcome(&plate, &block, by(at(0.0, 0.0, 0.125), 0.0, 0.0, 1.0));
    assert_eq!(found, PairOutcome::Blocked { verdict: Verdict::OverlapAtStart, allowance: 0.0, fit: None });
    assert!(all.len() == 1 && all[0].time[0] == 0.0 && (all[0].time[1] - 0.025).abs() < 1e-9, "{all:?}");
    let (resting, none) = outcome(&plate, &block, by(at(0.0, 0.0, 0.15), 0.0, 0.0, 1.0));
    assert!(resting.fit().is_some() && resting.verdict() == Verdict::Free && none.is_empty(), "{resting:?}");
}

/// Two answers that contradict each other prove nothing.
#[test]
fn bodies_that_never_touch_keep_a_distance() {
    let closest = |distance: f64| Clearance {
        distance,
        error: 0.0,
        time: 0.25,
        point_on_a: Vec3::ZERO,
        point_on_b: Vec3::ZERO,
        is_kept: None,
    };
    let touching = PairOutcome::Touching { fit: None };
    assert_eq!(PairOutcome::Apart.confirmed(&closest(1e-9)), PairOutcome::Apart);
    assert_eq!(touching.confirmed(&closest(0.0)), touching);
    let unproven = PairOutcome::Apart.confirmed(&closest(0.0));
    assert_eq!(unproven.verdict(), Verdict::Undecided { open: [0.25, 1.0] });
}
