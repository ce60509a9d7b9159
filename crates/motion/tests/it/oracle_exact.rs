//! Translations of surfaces against the features of both, decided in whole numbers.

use crate::oracle::bodies::{SURFACES, mesh, surface};
use crate::oracle::cases::{By, WAYS, motion};
use freiraum_geometry::path::UniformMotion;
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict, time_of_contact};
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::exact_motion::first_translating_contact;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

fn turned((vertices, faces): &Surface, turn: Quat) -> Surface {
    (vertices.iter().map(|p| turn * *p).collect(), faces.clone())
}

#[test]
fn times_are_those_of_exact_arithmetic() {
    let (mut met, mut free, mut rounded, mut worst) = (0, 0, 0, 0.0f64);
    let mut memory = MotionWorkspace::default();
    for (k, way) in WAYS.into_iter().enumerate() {
        for i in 0..cases(8) {
            let seed = 30_000_000 + 1_000_000 * k as u64 + i as u64;
            let mut random = Random::new(seed);
            let (a, b) =
                (surface(random.below(SURFACES), &mut random), surface(random.below(SURFACES), &mut random));
            let gap = [0.0, 1e-6, -1e-6, 0.3][random.below(4)];
            let (start, By::Shift(by)) =
                motion(way, false, &mesh(a.clone()), &mesh(b.clone()), gap, &mut random)
            else {
                unreachable!("a translation was asked for")
            };
            // Turned once and for all, so that both sides work with the same numbers.
            let b = turned(&b, start.rotation());
            let at = start.translation();
            let (body_a, body_b) = (Movable::new(mesh(a.clone())), Movable::new(mesh(b.clone())));
            let found = time_of_contact(
                &body_a,
                &UniformMotion::still(Pose::IDENTITY),
                &body_b,
                &UniformMotion::translation(Pose::from_translation(at), by),
                &Limits::default(),
                &mut memory,
            );
            let label = format!("seed {seed} {way:?} gap {gap}");
            let exact = first_translating_contact(&a, &b, at, by).filter(|t| t[0] <= 1.0);
            let apart = |time: f64| {
                let then = Pose::from_translation(at + time * by);
                freiraum_query::distance(body_a.prepared(), body_b.prepared(), &then).unwrap().distance
            };
            match (found.unwrap(), exact) {
                (Verdict::Contact(contact), Some([low, high])) if contact.time > 0.0 => {
                    let (time, error) = (contact.time, contact.time_error);
                    if time + error < low && apart(time) < 1e-12 {
                        // Closer than rounding, and together later.
                        rounded += 1;
                        continue;
                    }
                    met += 1;
                    // A bracket that holds what is true, and is narrow unless the bodies graze.
                    assert!(time - error <= high && low <= time + error, "{label}: {contact:?} {low} {high}");
                    worst = worst.max((time - low).abs());
                    assert!((time - low).abs() < 1e-9 || error > 1e-9, "{label}: {contact:?} {low}");
                }
                (Verdict::OverlapAtStart | Verdict::Contact(_), Some(_)) => {}
                (Verdict::Free, None) => free += 1,
                (Verdict::Contact(contact), None) => {
                    // Closer than rounding, but not together.
                    rounded += 1;
                    assert!(apart(contact.time) < 1e-12, "{label}: {contact:?}");
                }
                (found, exact) => panic!("{label}: {found:?} {exact:?}"),
            }
        }
    }
    eprintln!("{met} met, {free} free, {rounded} within rounding, worst time off by {worst:e}");
    assert!(met > 0 && free > 0);
}

#[test]
fn far_from_the_origin_and_small_the_bracket_still_holds() {
    let mut memory = MotionWorkspace::default();
    for i in 0..cases(10) {
        let mut random = Random::new(40_000_000 + i as u64);
        let size = [1e-3, 1.0, 1e3][random.below(3)];
        let scaled = |(vertices, faces): Surface| -> Surface {
            (vertices.into_iter().map(|p| size * p).collect(), faces)
        };
        let (a, b) =
            (scaled(surface(random.below(3), &mut random)), scaled(surface(random.below(3), &mut random)));
        let direction = random.direction();
        let at = 3.0 * size * direction;
        let by = -4.0 * size * direction + size * random.in_cube(0.3);
        let home = Pose::from_translation(1e3 * size * random.direction().round());
        let place = |p: Vec3| Pose::from_translation(p);
        let found = time_of_contact(
            &Movable::new(mesh(a.clone())),
            &UniformMotion::still(home),
            &Movable::new(mesh(b.clone())),
            &UniformMotion::translation(home * place(at), by),
            &Limits::default(),
            &mut memory,
        );
        let exact = first_translating_contact(&a, &b, at, by).filter(|t| t[0] <= 1.0);
        match (found.unwrap(), exact) {
            (Verdict::Contact(contact), Some([low, _])) => {
                assert!((contact.time - low).abs() < 1e-9, "{i} {contact:?} {low}");
            }
            (Verdict::Free, None) => {}
            (found, exact) => panic!("{i} {found:?} {exact:?}"),
        }
    }
}
