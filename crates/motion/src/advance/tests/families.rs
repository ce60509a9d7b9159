//! Meshes of many kinds under many kinds of motions.

use super::random_motions::random_sequence;
use super::*;
use crate::sweep::{MotionWorkspace, RotatingPair, TranslatingPair};
use freiraum_geometry::path::{Sequence, Straight};
use std::sync::Arc;

fn cuboid(size: Vec3) -> Movable {
    Movable::new(Shape::Cuboid(freiraum_geometry::shape::Cuboid::new(size).unwrap()))
}

/// Pairs of bodies of about one metre: round ones, thin plates, a needle in a ring.
fn bodies() -> [(Movable, Movable); 4] {
    [
        (movable(bumpy::torus(16, 12)), movable(bumpy::sphere(4))),
        (cuboid(Vec3::new(2.0, 2.0, 0.002)), cuboid(Vec3::new(1.2, 1.2, 0.002))),
        (movable(bumpy::torus(16, 10)), cuboid(Vec3::new(0.02, 0.03, 2.5))),
        (cuboid(Vec3::new(1.0, 0.8, 0.6)), cuboid(Vec3::new(0.5, 0.9, 0.7))),
    ]
}

fn start(random: &mut Random) -> Pose {
    Pose::new(random.rotation(), random.direction() * random.range(1.8, 2.6)).unwrap()
}

fn axis(random: &mut Random, near: Vec3) -> Axis {
    Axis::new(near + 1.5 * random.in_cube(1.0), random.direction()).unwrap()
}

/// Random motions of one kind of all pairs of bodies; the motion of a and that of b.
fn check(count: usize, mut make: impl FnMut(&mut Random) -> [Arc<dyn Motion>; 2]) {
    let mut random = Random::new(11);
    let mut found = [0, 0];
    for (a, b) in &bodies() {
        let mut done = 0;
        while done < cases(count) {
            let [by_a, by_b] = make(&mut random);
            let scene = Scene { a, by_a: &*by_a, b, by_b: &*by_b };
            if scene.meets(0.0) {
                continue;
            }
            done += 1;
            found[usize::from(scene.check(500))] += 1;
        }
    }
    assert!(found[0] > 0 && found[1] > 0, "free and not: {found:?}");
}

fn still() -> Arc<dyn Motion> {
    Arc::new(UniformMotion::still(Pose::IDENTITY))
}

/// From farther away and with longer arms and more turns.
fn fast(mut chain: Chain) -> Chain {
    chain.start = Pose::from_translation(0.5 * chain.start.translation()) * chain.start;
    chain.arms.iter_mut().for_each(|arm| *arm *= 2.0);
    chain.speeds.iter_mut().for_each(|speed| *speed *= 2.0);
    chain
}

#[test]
fn screws() {
    check(10, |r| {
        let start = start(r);
        let axis = axis(r, start.translation());
        [still(), Arc::new(UniformMotion::screw(start, axis, r.range(0.5, 3.0), r.range(-3.0, 3.0)))]
    });
}

#[test]
fn straight_motions() {
    check(10, |r| {
        let from = start(r);
        [still(), Arc::new(Straight::new(from, start(r)))]
    });
}

#[test]
fn both_move_about_different_axes() {
    check(10, |r| {
        let (from_a, from_b) = (Pose::new(r.rotation(), r.in_cube(0.3)).unwrap(), start(r));
        let (axis_a, axis_b) = (axis(r, from_a.translation()), axis(r, from_b.translation()));
        let by_a = UniformMotion::screw(from_a, axis_a, r.range(-2.0, 2.0), r.range(-1.0, 1.0));
        [
            Arc::new(by_a),
            Arc::new(UniformMotion::screw(from_b, axis_b, r.range(-2.0, 2.0), r.range(-1.0, 1.0))),
        ]
    });
}

#[test]
fn both_turn_about_one_axis() {
    check(4, |r| {
        let from_b = start(r);
        let axis = axis(r, Vec3::ZERO);
        let by_a = UniformMotion::screw(Pose::IDENTITY, axis, 30.0, 1.0);
        [Arc::new(by_a), Arc::new(UniformMotion::screw(from_b, axis, r.range(27.0, 33.0), 0.5))]
    });
}

#[test]
fn sequences_and_chains() {
    check(3, |r| [still(), Arc::new(random_sequence(r))]);
    check(4, |r| [still(), Arc::new(fast(Chain::random(r, 3)))]);
    check(3, |r| {
        let chain = fast(Chain::random(r, 2));
        [Arc::new(UniformMotion::rotation(Pose::IDENTITY, axis(r, Vec3::ZERO), 1.0)), Arc::new(chain)]
    });
}

#[test]
fn bounds_of_travel_alone_are_enough() {
    check(2, |r| [still(), Arc::new(Chain { has_twist: false, ..fast(Chain::random(r, 2)) })]);
}

/// Two rings linked like those of a chain, which has little room to move; sampled densely.
#[test]
fn linked_rings() {
    let ring = movable(bumpy::torus(24, 10));
    let mut random = Random::new(21);
    let turn = Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2).unwrap();
    let linked = Pose::from_translation(Vec3::X) * turn;
    let mut found = [0, 0];
    for case in 0..cases(6) {
        let from = Pose::from_translation(random.in_cube(0.05)) * linked;
        let axis = axis(&mut random, Vec3::ZERO);
        let size = if case % 2 == 0 { 0.05 } else { 0.8 };
        let by_b = UniformMotion::screw(from, axis, size, 0.2 * size);
        let still = UniformMotion::still(Pose::IDENTITY);
        let scene = Scene { a: &ring, by_a: &still, b: &ring, by_b: &by_b };
        assert!(!scene.meets(0.0));
        found[usize::from(scene.check(cases(1_500)))] += 1;
    }
    assert!(found[0] > 0 && found[1] > 0, "{found:?}");
}

/// The exact methods agree.
#[test]
fn rotations_and_translations_are_those_of_the_exact_methods() {
    let mut random = Random::new(5);
    let mut memory = MotionWorkspace::default();
    let mut contacts = 0;
    for (a, b) in &bodies() {
        for case in 0..cases(60) {
            let from = start(&mut random);
            let axis = axis(&mut random, from.translation());
            let by = -from.translation() + 1.5 * random.in_cube(1.0);
            let (motion, exact) = if case % 2 == 0 {
                let exact = RotatingPair::new(tree(a), tree(b), &from, 0.0, &axis, 2.0)
                    .first_contact(1.0, &mut memory);
                (UniformMotion::rotation(from, axis, 2.0), exact)
            } else {
                let exact =
                    TranslatingPair::new(tree(a), tree(b), &from, 0.0, by).first_contact(1.0, &mut memory);
                (UniformMotion::translation(from, by), exact)
            };
            let still = UniformMotion::still(Pose::IDENTITY);
            let scene = Scene { a, by_a: &still, b, by_b: &motion };
            match (scene.advance(0.0), exact) {
                (Advanced::Contact(found), Some(exact)) if exact.time > 0.0 => {
                    contacts += 1;
                    assert!((found.time - exact.time).abs() <= found.error + 1e-12, "{found:?} {exact:?}");
                    assert!(found.is_crossing && found.error < 1e-7, "{found:?}");
                }
                (Advanced::Contact(found), Some(_)) => assert_eq!((found.time, found.distance), (0.0, 0.0)),
                (Advanced::Free { .. }, None) => {}
                // The exact method sees no contact; this one sees a gap within its tolerance.
                (Advanced::Contact(found), None) => assert!(!found.is_crossing, "{found:?}"),
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(contacts > 50, "{contacts}");
}

/// A corner of a square bar passes a wall: its way round is `radius` from the axis.
fn corner_and_wall(gap: f64, extra_advance: f64) -> Advanced {
    let (bar, wall) = (cuboid(Vec3::new(1.0, 1.0, 3.0)), cuboid(Vec3::new(1.0, 8.0, 8.0)));
    let still = UniformMotion::still(Pose::from_translation(Vec3::new(0.5f64.sqrt() + gap + 0.5, 0.0, 0.0)));
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let turn = UniformMotion::screw(Pose::IDENTITY, axis, 1.5, extra_advance);
    Scene { a: &wall, by_a: &still, b: &bar, by_b: &turn }.advance(0.0)
}

#[test]
fn grazing_motions_are_told_from_contacts() {
    for advance in [0.0, 0.5] {
        for gap in [1e-3, 1e-6, 1e-7] {
            assert!(matches!(corner_and_wall(gap, advance), Advanced::Free { .. }), "{gap}");
            // The corner starts at 45 degrees and meets the wall where its distance from the middle is that of the wall.
            let angle = std::f64::consts::FRAC_PI_4 - ((0.5f64.sqrt() - gap) / 0.5f64.sqrt()).acos();
            match corner_and_wall(-gap, advance) {
                Advanced::Contact(contact) => {
                    assert!(contact.is_crossing, "{contact:?}");
                    let expected = angle / 1.5;
                    assert!(
                        (contact.time - expected).abs() <= contact.error + 1e-12,
                        "{contact:?} {expected}"
                    );
                }
                other => panic!("{other:?}"),
            }
        }
        // Within the tolerance: a contact, but no crossing.
        match corner_and_wall(1e-11, advance) {
            Advanced::Contact(contact) => {
                assert!(!contact.is_crossing && contact.distance > 0.0, "{contact:?}")
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The same motion of the same bodies, larger or smaller and far from the origin.
#[test]
fn size_and_place_do_not_matter() {
    let mut random = Random::new(8);
    let mut contacts = 0;
    for _ in 0..20 {
        let from = start(&mut random);
        let axis = axis(&mut random, from.translation());
        let answer = |scale: f64, away: Vec3| {
            let sized = |x: f64, y: f64, z: f64| cuboid(scale * Vec3::new(x, y, z));
            let (a, b) = (sized(1.0, 0.8, 0.6), sized(0.5, 0.9, 1.7));
            let by_a = UniformMotion::still(Pose::from_translation(away));
            let placed = Pose::new(from.rotation(), away + scale * from.translation()).unwrap();
            let axis = Axis { point: away + scale * axis.point, ..axis };
            let by_b = UniformMotion::screw(placed, axis, 3.0, scale * 1.5);
            Scene { a: &a, by_a: &by_a, b: &b, by_b: &by_b }.advance(0.0)
        };
        let expected = answer(1.0, Vec3::ZERO);
        for (scale, away) in
            [(1e-6, Vec3::ZERO), (1e6, Vec3::ZERO), (1.0, Vec3::splat(1e4)), (1e-3, Vec3::splat(1e2))]
        {
            match (expected, answer(scale, away)) {
                (Advanced::Contact(x), Advanced::Contact(y)) => {
                    contacts += 1;
                    assert!((x.time - y.time).abs() <= x.error + y.error + 1e-8, "{x:?} {y:?}");
                }
                (Advanced::Free { .. }, Advanced::Free { .. }) => {}
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(contacts > 10);
}

#[test]
fn the_budget_ends_in_an_open_interval() {
    let (a, b) = (movable(bumpy::torus(16, 12)), movable(bumpy::sphere(4)));
    let by_a = UniformMotion::still(Pose::IDENTITY);
    let by_b = UniformMotion::translation(
        Pose::from_translation(Vec3::new(3.0, 0.0, 0.0)),
        Vec3::new(-3.0, 0.0, 0.0),
    );
    let mut memory = AdvanceMemory::default();
    let mut ask = |budget: u64, tolerance: f64| {
        let limits = Limits { budget, tolerance };
        advance_pair(&a.pieces()[0], &by_a, &b.pieces()[0], &by_b, [0.0, 1.0], 0.0, &limits, &mut memory)
    };
    let Advanced::Contact(contact) = ask(1_000_000, 0.0) else { panic!("they meet") };
    let mut last = 0.0;
    for budget in [0, 1, 10, 50] {
        let Advanced::Undecided { open } = ask(budget, 0.0) else { panic!("{budget} is too little") };
        assert!(open[0] >= last && open[0] < contact.time && open[1] == 1.0);
        last = open[0];
    }
    // A wide tolerance is a contact early on.
    let Advanced::Contact(early) = ask(1_000_000, 0.01) else { panic!("they meet") };
    assert!(early.time - early.error < contact.time && early.distance <= 0.01);
}

#[test]
fn what_touches_at_the_start_meets_there() {
    let (a, b) = (cuboid(Vec3::ONE), cuboid(Vec3::ONE));
    let by_a = UniformMotion::still(Pose::IDENTITY);
    for x in [0.5, 1.0] {
        let by_b = UniformMotion::translation(Pose::from_translation(x * Vec3::X), Vec3::X);
        match (Scene { a: &a, by_a: &by_a, b: &b, by_b: &by_b }).advance(0.0) {
            Advanced::Contact(contact) => assert_eq!((contact.time, contact.error), (0.0, 0.0)),
            other => panic!("{other:?}"),
        }
    }
}

/// A contact in a later part of a sequence is told in the time and the place of the whole.
#[test]
fn contacts_late_in_a_sequence() {
    let (a, b) = (cuboid(Vec3::ONE), cuboid(Vec3::ONE));
    let from = Pose::from_translation(Vec3::new(3.0, 0.0, 0.0));
    let up = UniformMotion::translation(from, Vec3::Z);
    let down = UniformMotion::translation(up.pose(1.0), -Vec3::Z);
    let near = UniformMotion::translation(from, Vec3::new(-4.0, 0.0, 0.0));
    let by_b =
        Sequence::new(vec![(1.0, Arc::new(up)), (1.0, Arc::new(down)), (2.0, Arc::new(near))]).unwrap();
    let shift = Pose::from_translation(Vec3::new(0.1, 0.2, 0.0));
    let by_a = UniformMotion::still(shift);
    match (Scene { a: &a, by_a: &by_a, b: &b, by_b: &by_b }).advance(0.0) {
        Advanced::Contact(contact) => {
            // 1.9 of 4 metres of the second half.
            assert!((contact.time - (0.5 + 0.5 * 1.9 / 4.0)).abs() < 1e-9, "{contact:?}");
            assert!(contact.normal.distance(Vec3::X) < 1e-6, "{contact:?}");
            assert!((contact.point_on_a.x - 0.6).abs() < 1e-12, "{contact:?}");
        }
        other => panic!("{other:?}"),
    }
}
