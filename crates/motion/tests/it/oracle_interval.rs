//! Rotations of surfaces against the features of both, decided in interval arithmetic.

use crate::oracle::bodies::mesh;
use crate::oracle::cases::{By, WAYS, Way, motion};
use freiraum_geometry::path::{Axis, UniformMotion};
use freiraum_geometry::shape::{Cuboid, Shape};
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_motion::{
    Limits, MotionWorkspace, Movable, OverlapRequest, Verdict, overlap_intervals, time_of_contact,
};
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::interval_motion::{Bracket, first_turning_contact};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use freiraum_testkit::{models, nasty};
use std::f64::consts::{PI, TAU};

/// What rounding may do to coordinates of a few metres, and more: closer than this may be a contact.
const MARGIN: f64 = 1e-13;

/// How far a time may be outside of the bracket, as a share of the motion.
const TIME: f64 = 1e-9;

fn small_surface(random: &mut Random) -> Surface {
    match random.below(6) {
        0 => nasty::star(random, 1, 0.3),
        1 => nasty::star(random, 2, 0.6),
        2 => nasty::plate(1.5, 1.0, [1e-5, 1e-3, 1e-2][random.below(3)]),
        3 => nasty::needle(1.8, [1e-4, 1e-3, 2e-2][random.below(3)]),
        4 => nasty::hoop(0.6, 0.75, 0.4, 5),
        _ => models::prism(&models::gear_outline(4, 0.6, 1.0, 0.02), 0.3),
    }
}

fn turned((vertices, faces): &Surface, turn: Quat) -> Surface {
    (vertices.iter().map(|p| turn * *p).collect(), faces.clone())
}

/// A rotation of b, which starts at a place, beside a that stands still.
struct Case {
    a: Surface,
    b: Surface,
    at: Vec3,
    axis: Axis,
    angle: f64,
    label: String,
}

#[derive(Debug, Default)]
struct Tally {
    met: usize,
    free: usize,
    at_start: usize,
    /// The bracket is wide: they only just touch or only just do not, to the margin.
    open: usize,
    /// By how much a time is outside of its bracket at most.
    worst: f64,
    /// The widest bracket of the others.
    widest: f64,
}

impl Case {
    fn random(way: Way, seed: u64) -> Case {
        let mut random = Random::new(seed);
        let (a, b) = (small_surface(&mut random), small_surface(&mut random));
        let gap = [0.0, 1e-6, -1e-6, 1e-9, 0.1][random.below(5)];
        let (start, By::Turn(axis, angle)) =
            motion(way, true, &mesh(a.clone()), &mesh(b.clone()), gap, &mut random)
        else {
            unreachable!("a rotation was asked for")
        };
        let direction = if angle < 0.0 { -axis.direction } else { axis.direction };
        // Now and then almost, but not quite, about the axis that was meant.
        let tilt = [0.0, 0.0, 1e-12, 1e-9, 1e-6][random.below(5)];
        let axis = Axis::new(axis.point, direction + tilt * random.direction()).unwrap();
        // Turned once and for all, so that both sides work with the same numbers.
        Case {
            a,
            b: turned(&b, start.rotation()),
            at: start.translation(),
            axis,
            angle: angle.abs(),
            label: format!("seed {seed} {way:?} gap {gap} tilt {tilt}"),
        }
    }

    /// When the surfaces first touch, as shares of the motion.
    fn bracket(&self) -> Bracket {
        let Case { a, b, at, axis, angle, .. } = self;
        let found = first_turning_contact(a, b, *at, axis.point, axis.direction, *angle, MARGIN);
        Bracket {
            apart_until: found.apart_until / angle,
            crossing_at: found.crossing_at.map(|crossing| crossing / angle),
        }
    }

    fn bodies(&self) -> [Movable; 2] {
        [Movable::new(mesh(self.a.clone())), Movable::new(mesh(self.b.clone()))]
    }

    fn motions(&self) -> [UniformMotion; 2] {
        let start = Pose::from_translation(self.at);
        let turn = UniformMotion::rotation(start, self.axis, self.angle);
        [UniformMotion::still(Pose::IDENTITY), turn]
    }

    fn ask(&self, memory: &mut MotionWorkspace) -> Verdict {
        let ([a, b], [still, turn]) = (self.bodies(), self.motions());
        time_of_contact(&a, &still, &b, &turn, &Limits::default(), memory).unwrap()
    }

    fn check(&self, memory: &mut MotionWorkspace, tally: &mut Tally) {
        let (label, verdict, bracket) = (&self.label, self.ask(memory), self.bracket());
        let say = || format!("{label}: {verdict:?}, {bracket:?}");
        let Bracket { apart_until, crossing_at } = bracket;
        match verdict {
            // Surfaces that are apart at the start may still be one inside the other.
            Verdict::OverlapAtStart => tally.at_start += 1,
            Verdict::Contact(contact) => {
                let (time, error) = (contact.time, contact.time_error);
                tally.met += 1;
                assert!(apart_until < 1.0, "made up, {}", say());
                assert!(apart_until <= time + TIME, "too early, {}", say());
                tally.worst = tally.worst.max(apart_until - time);
                match crossing_at {
                    Some(crossing) if crossing - apart_until < TIME => {
                        assert!(time <= crossing + TIME, "too late, {}", say());
                        tally.worst = tally.worst.max(time - crossing);
                        tally.widest = tally.widest.max(crossing - apart_until);
                    }
                    _ => tally.open += 1,
                }
                // What it says about itself is right, too.
                let is_held = crossing_at.is_none_or(|crossing| time - error <= crossing);
                assert!(is_held, "too late by its own error, {}", say());
            }
            Verdict::Free => {
                tally.free += 1;
                assert!(crossing_at.is_none(), "missed, {}", say());
                tally.open += usize::from(apart_until < 1.0);
            }
            Verdict::Undecided { .. } | Verdict::InsideUnknown { .. } => panic!("undecided, {}", say()),
        }
    }
}

#[test]
fn rotations_agree_with_interval_arithmetic() {
    let mut memory = MotionWorkspace::default();
    for (k, way) in WAYS.into_iter().enumerate() {
        let mut tally = Tally::default();
        for i in 0..cases(30) {
            Case::random(way, 70_000_000 + 1_000_000 * k as u64 + i as u64).check(&mut memory, &mut tally);
        }
        eprintln!("{way:?}: {tally:?}");
        assert!(tally.met + tally.free + tally.at_start > 0);
    }
}

fn overlaps(
    [a, b]: &[Movable; 2],
    [still, turn]: &[UniformMotion; 2],
    memory: &mut MotionWorkspace,
) -> Vec<[f64; 2]> {
    let found = overlap_intervals(a, still, b, turn, &OverlapRequest::default(), memory).unwrap();
    found.into_iter().map(|interval| interval.time).collect()
}

#[test]
fn intervals_of_overlap_begin_with_the_first_contact() {
    let mut memory = MotionWorkspace::default();
    let (mut instants, mut empty) = (0, 0);
    for (k, way) in WAYS.into_iter().enumerate() {
        for i in 0..cases(20) {
            let case = Case::random(way, 80_000_000 + 1_000_000 * k as u64 + i as u64);
            let spans = overlaps(&case.bodies(), &case.motions(), &mut memory);
            let (verdict, bracket) = (case.ask(&mut memory), case.bracket());
            let say = || format!("{}: {spans:?}, {verdict:?}, {bracket:?}", case.label);
            instants += spans.iter().filter(|span| span[1] - span[0] < TIME).count();
            empty += usize::from(spans.is_empty());
            match (verdict, spans.first()) {
                (Verdict::Contact(contact), Some(span)) => {
                    let off = (span[0] - contact.time).abs();
                    // Where bodies graze, rounding decides from when on.
                    let is_open = bracket.crossing_at.is_none_or(|t| t - bracket.apart_until > TIME);
                    let is_within = is_open && bracket.apart_until <= span[0] + TIME;
                    assert!(off < TIME + contact.time_error || is_within, "not the first, {}", say());
                }
                (Verdict::OverlapAtStart, Some([start, _])) => assert!(*start < TIME, "later, {}", say()),
                (Verdict::Free, None) => {}
                // Within rounding, but not proven to touch: faces that move away are among the intervals only.
                (Verdict::Free, Some(span)) => {
                    let is_open = bracket.crossing_at.is_none() && bracket.apart_until <= span[0] + TIME;
                    assert!(is_open, "an overlap without a contact, {}", say());
                }
                _ => panic!("one of them is wrong, {}", say()),
            }
            if let Some(crossing) = bracket.crossing_at {
                let holds = |span: &[f64; 2]| span[0] - TIME <= crossing && crossing <= span[1] + TIME;
                assert!(spans.iter().any(holds), "an overlap is missing, {}", say());
            }
        }
    }
    eprintln!("{instants} instants, {empty} without any");
    assert!(instants > 0 && empty > 0);
}

/// A wall at a distance of `x`, and a block with corners at a distance of 2.5 that turns past it.
fn corners_graze(x: f64, turn: Pose, expected: &[f64]) {
    let cuboid =
        |x: f64, y: f64, z: f64| Movable::new(Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap()));
    let (block, wall) = (cuboid(3.0, 4.0, 1.0), cuboid(2.0, 9.0, 3.0));
    let place = |x: f64, y: f64| turn * Pose::from_translation(Vec3::new(x, y, 0.0));
    let axis = Axis::new(Vec3::new(0.5, -0.25, 0.0), Vec3::Z).unwrap().placed(&turn);
    let motion = UniformMotion::rotation(place(0.5, -0.25), axis, TAU);
    let still = UniformMotion::still(place(x + 1.5, 0.0));
    let found = overlaps(&[wall, block], &[still, motion], &mut MotionWorkspace::default());
    let near = |span: &[f64; 2], t: &f64| (span[0] - t).abs() < 1e-7 && (span[1] - t).abs() < 1e-7;
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(|(span, t)| near(span, t)),
        "{found:?} instead of {expected:?}"
    );
}

#[test]
fn corners_that_only_graze_touch_for_an_instant() {
    // Corners are ahead of the wall by these angles at the start.
    let corner = (4.0f64 / 3.0).atan();
    let grazing = [corner, PI - corner, PI + corner, TAU - corner].map(|angle| angle / TAU);
    let poses = [
        Pose::IDENTITY,
        Pose::new(Quat::from_rotation_y(0.3), Vec3::new(1.0, 2.0, 3.0)).unwrap(),
        Pose::new(Quat::from_rotation_x(1.1), Vec3::new(-0.1, 0.7, 0.3)).unwrap(),
    ];
    for pose in poses {
        corners_graze(2.5, pose, &grazing);
        corners_graze(2.5 + 1e-9, pose, &[]);
    }
}
