//! What must not change the answer: which body is called a, who moves, where the world is, how the motion is cut.

use crate::oracle;
use crate::oracle::Case;
use crate::oracle::bodies::{KINDS, SURFACES, body, surface};
use crate::oracle::cases::{By, WAYS, by_motion, motion};
use freiraum_geometry::path::{Axis, Motion, Sequence, UniformMotion};
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::{MotionWorkspace, Movable, OverlapRequest, Verdict, overlap_intervals};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::sync::Arc;

fn time(verdict: Verdict) -> Option<(f64, f64)> {
    match verdict {
        Verdict::Contact(contact) => Some((contact.time, contact.time_error)),
        Verdict::Free => None,
        Verdict::OverlapAtStart => Some((-1.0, 0.0)),
        Verdict::Undecided { .. } | Verdict::InsideUnknown { .. } => panic!("{verdict:?}"),
    }
}

/// Both say the same, or so nearly that rounding may decide.
fn same(label: &str, case: &Case, one: Verdict, other: Verdict, shift: impl Fn(f64) -> f64) {
    let close = |t: f64| case.distance(t) <= 16.0 * case.rounding();
    match (time(one), time(other)) {
        (Some((t, e)), Some((u, f))) => {
            let u = if u >= 0.0 { shift(u) } else { u };
            let at_start = |t: f64| t.max(0.0) == 0.0;
            assert!(
                (t - u).abs() <= 1e-9 + e + f
                    || (at_start(t) && at_start(u))
                    || (close(t.max(0.0)) && close(u.max(0.0))),
                "{label}: {t} ± {e:e}, {u} ± {f:e}"
            );
        }
        (None, None) => {}
        (Some((t, _)), None) => assert!(close(t.max(0.0)), "{label}: {t}, then free"),
        (None, Some((u, _))) => assert!(close(shift(u.max(0.0))), "{label}: free, then {u}"),
    }
}

fn uniform_pair(by: By, start: Pose, share: f64) -> [UniformMotion; 2] {
    // What a does the other way, b does less of.
    match by {
        By::Shift(by) => [
            UniformMotion::translation(Pose::IDENTITY, -share * by),
            UniformMotion::translation(start, (1.0 - share) * by),
        ],
        By::Turn(axis, angle) => [
            UniformMotion::rotation(Pose::IDENTITY, axis, -share * angle),
            UniformMotion::rotation(start, axis, (1.0 - share) * angle),
        ],
    }
}

#[test]
fn equal_motions_have_equal_answers() {
    for (k, way) in WAYS.into_iter().enumerate() {
        for i in 0..cases(40) {
            let is_turn = i % 2 == 0;
            let seed = 50_000_000 + 1_000_000 * k as u64 + i as u64;
            let mut random = Random::new(seed);
            let (a, b) = (body(random.below(KINDS), &mut random), body(random.below(KINDS), &mut random));
            let gap = [0.0, 1e-6, -1e-6, 0.3][random.below(4)];
            let (start, by) = motion(way, is_turn, &a, &b, gap, &mut random);
            let case = |motion_a: Box<dyn Motion>, motion_b: Box<dyn Motion>| Case {
                a: Movable::new(a.clone()),
                b: Movable::new(b.clone()),
                motion_a,
                motion_b,
                label: String::new(),
            };
            let still = UniformMotion::still(Pose::IDENTITY);
            let plain = case(Box::new(still), Box::new(by_motion(start, by)));
            let answer = plain.ask();
            let check = |what: &str, other: Verdict, shift: &dyn Fn(f64) -> f64| {
                same(
                    &format!("{what}, seed {seed}, {way:?}, turn {is_turn}, gap {gap}"),
                    &plain,
                    answer,
                    other,
                    shift,
                );
            };
            let swapped = Case {
                a: Movable::new(b.clone()),
                b: Movable::new(a.clone()),
                motion_a: Box::new(by_motion(start, by)),
                motion_b: Box::new(still),
                label: String::new(),
            };
            check("swapped", swapped.ask(), &|t| t);
            let [motion_a, motion_b] = uniform_pair(by, start, random.range(-0.5, 1.5));
            check("both move", case(Box::new(motion_a), Box::new(motion_b)).ask(), &|t| t);
            let home = Pose::new(random.rotation(), random.in_cube(3.0)).unwrap();
            let moved = match by {
                By::Shift(by) => UniformMotion::translation(home * start, home.rotate(by)),
                By::Turn(axis, angle) => UniformMotion::rotation(home * start, axis.placed(&home), angle),
            };
            check("elsewhere", case(Box::new(UniformMotion::still(home)), Box::new(moved)).ask(), &|t| t);
            // The same way, cut at a share of it that takes another share of the time.
            let (cut, share) = (random.range(0.1, 0.9), random.range(0.1, 0.9));
            let whole = by_motion(start, by);
            let part = |from: f64, to: f64| -> Arc<dyn Motion> {
                Arc::new(match by {
                    By::Shift(by) => UniformMotion::translation(whole.pose(from), (to - from) * by),
                    By::Turn(axis, angle) => {
                        UniformMotion::rotation(whole.pose(from), axis, (to - from) * angle)
                    }
                })
            };
            let parts = vec![(share, part(0.0, cut)), (1.0 - share, part(cut, 1.0))];
            let pieces = case(Box::new(still), Box::new(Sequence::new(parts).unwrap())).ask();
            let shift = |t: f64| {
                if t < share { t / share * cut } else { cut + (t - share) / (1.0 - share) * (1.0 - cut) }
            };
            check("in two pieces", pieces, &shift);
        }
    }
}

#[test]
fn backwards_what_is_free_stays_free_and_intervals_are_mirrored() {
    for i in 0..cases(60) {
        let seed = 60_000_000 + i as u64;
        let mut random = Random::new(seed);
        let way = WAYS[i % 2];
        let shape = |random: &mut Random| oracle::bodies::mesh(surface(random.below(SURFACES), random));
        let (a, b) = (shape(&mut random), shape(&mut random));
        let (start, by) = motion(way, i % 4 < 2, &a, &b, -0.05, &mut random);
        let forward = by_motion(start, by);
        let back = match by {
            By::Shift(by) => UniformMotion::translation(forward.pose(1.0), -by),
            By::Turn(axis, angle) => {
                let axis = Axis { direction: -axis.direction, ..axis };
                UniformMotion::rotation(forward.pose(1.0), axis, angle)
            }
        };
        let (a, b) = (Movable::new(a), Movable::new(b));
        let still = UniformMotion::still(Pose::from_translation(Vec3::ZERO));
        let mut memory = MotionWorkspace::default();
        let request = OverlapRequest::default();
        let mut ask = |motion: &UniformMotion| {
            let found = overlap_intervals(&a, &still, &b, motion, &request, &mut memory).unwrap();
            found.iter().map(|interval| interval.time).collect::<Vec<[f64; 2]>>()
        };
        let (forth, mut mirrored) = (ask(&forward), ask(&back));
        mirrored.reverse();
        assert_eq!(forth.len(), mirrored.len(), "seed {seed}: {forth:?} {mirrored:?}");
        for (x, y) in forth.iter().zip(&mirrored) {
            assert!((x[0] - (1.0 - y[1])).abs() < 1e-9 && (x[1] - (1.0 - y[0])).abs() < 1e-9, "seed {seed}");
        }
        let case = |motion: UniformMotion| Case {
            a: a.clone(),
            b: b.clone(),
            motion_a: Box::new(still),
            motion_b: Box::new(motion),
            label: String::new(),
        };
        let first = time(case(forward).ask());
        assert_eq!(first.is_none(), time(case(back).ask()).is_none(), "seed {seed}");
        match (first, forth.first()) {
            (Some((t, _)), Some(span)) => {
                assert!((t.max(0.0) - span[0]).abs() < 1e-9, "seed {seed}: {t} {span:?}")
            }
            (first, span) => assert_eq!(first.is_none(), span.is_none(), "seed {seed}"),
        }
        // Against samples.
        let case = case(forward);
        for k in 0..400 {
            let t = f64::from(k) / 400.0 + 1e-3 * random.unit();
            let inside = forth.iter().any(|s| s[0] <= t && t <= s[1]);
            let near_an_end = forth.iter().flatten().any(|s| (s - t).abs() < 1e-9);
            assert!(near_an_end || inside == case.intersects(t), "seed {seed}: {t} {forth:?}");
        }
    }
}
