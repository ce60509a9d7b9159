//! One body, or a group, against many: the same as a loop over all pairs, on any number of threads.

use crate::common::{at, boxes, cuboid, movable, peg, ring, teeth};
use freiraum_geometry::path::{Axis, Ball, Motion, Straight, UniformMotion};
use freiraum_geometry::shape::{Capsule, Compound, Cylinder, HalfSpace, Part, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::fit::{ShrinkError, time_of_contact_with_allowance};
use freiraum_motion::one_to_many::{
    Moving, PairOverlaps, PairVerdict, all_contacts, all_overlaps, first_contact,
};
use freiraum_motion::{
    Limits, MotionError, MotionWorkspace, Movable, OverlapRequest, Verdict, free_between, overlap_intervals,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::TAU;

type Body = (Movable, Box<dyn Motion>);

fn views(bodies: &[Body]) -> Vec<Moving<'_>> {
    bodies.iter().map(|(body, motion)| Moving { body, motion: &**motion }).collect()
}

/// What a loop over all pairs says.
fn by_loop(moving: &[Body], others: &[Body], allowance: f64) -> Vec<PairVerdict> {
    let mut memory = MotionWorkspace::default();
    let mut out = Vec::new();
    for (i, a) in moving.iter().enumerate() {
        for (j, b) in others.iter().enumerate() {
            let verdict = time_of_contact_with_allowance(
                &a.0,
                &*a.1,
                &b.0,
                &*b.1,
                allowance,
                &Limits::default(),
                &mut memory,
            )
            .unwrap();
            if verdict != Verdict::Free {
                out.push(PairVerdict { pair: [i, j], verdict });
            }
        }
    }
    out
}

fn start_of(found: &PairVerdict) -> f64 {
    match found.verdict {
        Verdict::Contact(contact) => contact.time,
        Verdict::OverlapAtStart => 0.0,
        Verdict::Undecided { open } => open[0],
        Verdict::InsideUnknown { .. } => 1.0,
        Verdict::Free => panic!("free pairs are not listed"),
    }
}

/// The answers on one, two and seven threads and of the loop are the same; returns them.
fn check(moving: &[Body], others: &[Body], allowance: f64) -> Vec<PairVerdict> {
    let expected = by_loop(moving, others, allowance);
    let first = expected.iter().min_by(|x, y| start_of(x).total_cmp(&start_of(y)).then(x.pair.cmp(&y.pair)));
    let (moving, others) = (views(moving), views(others));
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (all, one) = pool.install(|| {
            let limits = Limits::default();
            (
                all_contacts(&moving, &others, allowance, &limits).unwrap(),
                first_contact(&moving, &others, allowance, &limits).unwrap(),
            )
        });
        assert_eq!(all, expected, "{threads} threads");
        assert_eq!(one.as_ref(), first, "{threads} threads");
    }
    expected
}

fn shape(random: &mut Random) -> Movable {
    let size = |random: &mut Random| random.range(0.2, 0.8);
    match random.below(6) {
        0 => Movable::new(cuboid(size(random), size(random), size(random))),
        1 => Movable::new(Shape::Sphere(Sphere::new(0.5 * size(random)).unwrap())),
        2 => Movable::new(Shape::Capsule(Capsule::new(0.3 * size(random), size(random)).unwrap())),
        3 => movable(peg(9, 0.5 * size(random), [-0.3, 0.3], 0.0)),
        4 => {
            let radii = teeth(5, 0.3, 0.4);
            movable(ring(&vec![0.1; radii.len()], &radii, [-0.1, 0.1], 0.0))
        }
        _ => boxes(&[([0.3, 0.2, 0.2], [0.2, 0.0, 0.0]), ([0.2, 0.4, 0.2], [-0.2, 0.1, 0.0])]),
    }
}

fn place(random: &mut Random, reach: f64) -> Pose {
    let position = random.in_cube(reach);
    Pose::new(random.rotation(), position).unwrap()
}

fn body(random: &mut Random, reach: f64) -> Body {
    let body = shape(random);
    let start = place(random, reach);
    let by = random.direction() * random.range(0.0, reach);
    let motion: Box<dyn Motion> = match random.below(4) {
        0 => Box::new(UniformMotion::still(start)),
        1 => Box::new(UniformMotion::translation(start, by)),
        2 => {
            let axis = Axis::new(by, random.direction()).unwrap();
            Box::new(UniformMotion::rotation(start, axis, random.range(-TAU, TAU)))
        }
        _ => Box::new(Straight::new(start, place(random, reach))),
    };
    (body, motion)
}

#[test]
fn the_same_as_a_loop_over_pairs_on_any_number_of_threads() {
    let mut random = Random::new(41);
    let (mut contacts, mut quiet) = (0, 0);
    for round in 0..cases(6) {
        let reach = [1.0, 2.0, 5.0][round % 3];
        let moving: Vec<Body> = (0..[1, 4][round % 2]).map(|_| body(&mut random, reach)).collect();
        let others: Vec<Body> = (0..30).map(|_| body(&mut random, reach)).collect();
        let found = check(&moving, &others, 0.0);
        contacts += found.len();
        quiet += moving.len() * others.len() - found.len();
    }
    assert!(contacts > 10 && quiet > 10, "{contacts} contacts, {quiet} free pairs");
}

#[test]
fn half_spaces_are_everywhere() {
    let ground = || Movable::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()));
    let still = || Box::new(UniformMotion::still(Pose::IDENTITY));
    let ball = Movable::new(Shape::Sphere(Sphere::new(0.5).unwrap()));
    let falling: Body = (ball, Box::new(UniformMotion::translation(at(1e3, 0.0, 2.0), -3.0 * Vec3::Z)));
    let floating: Body = (
        Movable::new(cuboid(1.0, 1.0, 1.0)),
        Box::new(UniformMotion::translation(at(0.0, 0.0, 2.0), Vec3::X)),
    );
    let found = check(&[falling, floating], &[(ground(), still())], 0.0);
    assert!(matches!(found[..], [PairVerdict { pair: [0, 0], .. }]), "{found:?}");
    assert!((start_of(&found[0]) - 0.5).abs() < 1e-12);
    // In a compound the half space makes all of it endless.
    let part = |shape, z| Part { shape, compound_from_part: at(0.0, 0.0, z) };
    let both = Compound::new(vec![
        part(ground().prepared().shape().clone(), -5.0),
        part(cuboid(1.0, 1.0, 1.0), 0.0),
    ]);
    let both = Movable::new(Shape::Compound(both.unwrap()));
    let ball = Movable::new(Shape::Sphere(Sphere::new(0.5).unwrap()));
    let falling: Body = (ball, Box::new(UniformMotion::translation(at(9.0, 0.0, 0.0), -9.0 * Vec3::Z)));
    assert!((start_of(&check(&[falling], &[(both, still())], 0.0)[0]) - 0.5).abs() < 1e-12);
}

#[test]
fn bodies_that_come_near_only_late_do_not_hide_each_other() {
    // A ball along a row of posts, listed from the far end: the nearest post is the answer, whatever their order.
    let post = || Movable::new(Shape::Cylinder(Cylinder::new(0.1, 2.0).unwrap()));
    let posts: Vec<Body> = (0..40)
        .rev()
        .map(|i| -> Body { (post(), Box::new(UniformMotion::still(at(10.0 + i as f64, 0.0, 0.0)))) })
        .collect();
    let ball = Movable::new(Shape::Sphere(Sphere::new(0.4).unwrap()));
    let roll: Body = (ball, Box::new(UniformMotion::translation(Pose::IDENTITY, 50.0 * Vec3::X)));
    let found = check(&[roll], &posts, 0.0);
    assert_eq!(found.len(), 40);
    let first = found.iter().min_by(|x, y| start_of(x).total_cmp(&start_of(y))).unwrap();
    assert_eq!(first.pair, [0, 39]);
    assert!((start_of(first) - 9.5 / 50.0).abs() < 1e-7, "{first:?}");
    // Both move: they cross the same place, one long before the other.
    let bar = || Movable::new(cuboid(1.0, 1.0, 1.0));
    let east: Body = (bar(), Box::new(UniformMotion::translation(at(-20.0, 0.0, 0.0), 25.0 * Vec3::X)));
    let north: Body = (bar(), Box::new(UniformMotion::translation(at(0.0, -2.0, 0.0), 60.0 * Vec3::Y)));
    assert_eq!(check(&[east], &[north], 0.0), vec![]);
}

#[test]
fn bodies_whose_boxes_are_near_from_the_start_do_not_hide_a_later_one() {
    // Gates around the whole way with a bar across it at x = 10, whose boxes are near at once; then a post before the bars.
    let gate = || boxes(&[([22.0, 0.2, 1.0], [10.0, 0.8, 0.0]), ([0.2, 2.0, 1.0], [10.6, 0.0, 0.0])]);
    let still = |x: f64| -> Box<dyn Motion> { Box::new(UniformMotion::still(at(x, 0.0, 0.0))) };
    let mut others: Vec<Body> = (0..40).map(|_| (gate(), still(0.0))).collect();
    others.push((Movable::new(cuboid(0.2, 0.2, 0.2)), still(9.6)));
    let block = Movable::new(cuboid(1.0, 1.0, 1.0));
    let along: Body = (block, Box::new(UniformMotion::translation(Pose::IDENTITY, 20.0 * Vec3::X)));
    let found = check(&[along], &others, 0.0);
    assert_eq!(found.len(), 41);
    assert!(start_of(&found[40]) < start_of(&found[0]) && start_of(&found[0]) < 0.5 + 1e-9, "{found:?}");
}

#[test]
fn groups_that_rest_on_each_other_slide_together() {
    // Two blocks on a table are pushed against a third.
    let still = |pose| -> Box<dyn Motion> { Box::new(UniformMotion::still(pose)) };
    let block = || Movable::new(cuboid(1.0, 1.0, 1.0));
    let push =
        |x: f64| -> Body { (block(), Box::new(UniformMotion::translation(at(x, 0.0, 0.0), 3.0 * Vec3::X))) };
    let fixed: Vec<Body> = vec![
        (Movable::new(cuboid(20.0, 4.0, 1.0)), still(at(0.0, 0.0, -1.0))),
        (block(), still(at(2.0, 0.0, 0.0))),
        (block(), still(at(0.0, 3.0, 0.0))),
    ];
    let found = check(&[push(-1.0), push(0.0)], &fixed, 0.0);
    assert_eq!(found.iter().map(|found| found.pair).collect::<Vec<_>>(), [[0, 1], [1, 1]]);
    assert!((start_of(&found[0]) - 2.0 / 3.0).abs() < 1e-9 && (start_of(&found[1]) - 1.0 / 3.0).abs() < 1e-9);
    // An allowance makes all of them smaller; one that is too large is an error on any number of threads.
    let found = check(&[push(-1.0), push(0.0)], &fixed, 0.1);
    assert!((start_of(&found[1]) - 1.1 / 3.0).abs() < 1e-9, "{found:?}");
    let group = [push(-1.0), push(0.0)];
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let error = pool.install(|| first_contact(&views(&group), &views(&fixed), 1.5, &Limits::default()));
        assert_eq!(error, Err(MotionError::Allowance(ShrinkError::Thin { allowance: 1.5, lost: 1.5 })));
    }
    let error = all_contacts(&views(&group), &views(&fixed), -1.0, &Limits::default());
    assert_eq!(error, Err(MotionError::BadAllowance(-1.0)));
    assert_eq!(first_contact(&[], &views(&fixed), 0.0, &Limits::default()), Ok(None));
}

/// A motion that has lost its way: its poses are no numbers after the middle, and it says so.
struct Lost;

impl Motion for Lost {
    fn pose(&self, t: f64) -> Pose {
        Pose::from_translation(Vec3::splat(if t > 0.5 { f64::NAN } else { 9.0 }))
    }

    fn travel(&self, _: &Ball, _: f64, t1: f64) -> f64 {
        if t1 > 0.5 { f64::NAN } else { 0.0 }
    }
}

#[test]
fn poses_that_are_no_numbers_are_never_free() {
    let block = || Movable::new(cuboid(1.0, 1.0, 1.0));
    let lost: Body = (block(), Box::new(Lost));
    let still: Body = (block(), Box::new(UniformMotion::still(Pose::IDENTITY)));
    let limits = Limits { budget: 1000, ..Limits::default() };
    let answer = all_contacts(&views(&[lost]), &views(&[still]), 0.0, &limits);
    assert!(!matches!(answer.as_deref(), Ok([])), "{answer:?}");
}

#[test]
fn overlaps_are_those_of_a_loop_on_any_number_of_threads() {
    let mut random = Random::new(43);
    let request = OverlapRequest::default();
    let mut count = 0;
    for _ in 0..cases(2) {
        let moving: Vec<Body> = (0..3).map(|_| body(&mut random, 2.0)).collect();
        let others: Vec<Body> = (0..20).map(|_| body(&mut random, 2.0)).collect();
        let mut expected = Vec::new();
        let mut memory = MotionWorkspace::default();
        for (i, a) in moving.iter().enumerate() {
            for (j, b) in others.iter().enumerate() {
                let found = overlap_intervals(&a.0, &*a.1, &b.0, &*b.1, &request, &mut memory).unwrap();
                if !found.is_empty() {
                    expected.push(PairOverlaps { pair: [i, j], intervals: found });
                }
            }
        }
        for threads in [1, 2, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| all_overlaps(&views(&moving), &views(&others), &request).unwrap());
            assert_eq!(found, expected, "{threads} threads");
        }
        count += expected.len();
        let free = free_between(expected.iter().flat_map(|one| &one.intervals));
        for span in free {
            let t = 0.5 * (span[0] + span[1]);
            for a in &moving {
                for b in &others {
                    let a_from_b = a.1.pose(t).inverse() * b.1.pose(t);
                    assert!(!freiraum_query::intersects(a.0.prepared(), b.0.prepared(), &a_from_b).unwrap());
                }
            }
        }
    }
    assert!(count > 3, "{count}");
}
