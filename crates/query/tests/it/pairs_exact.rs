//! Every pair of kinds against an oracle that is exact to a billionth and shares no code with the answers: distances, booleans,
//! both orders, in any place and size; random, grazing, parallel, degenerate and deep.

use crate::pairs_common::exact::exact_distance;
use crate::pairs_common::{random_pose, sample};
use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Kind, Shape, Sphere};
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_query::{Prepared, contact, distance, intersect, intersects};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::FRAC_PI_2;

/// A shape of a kind with random proportions, some of them extreme, times `scale`; kinds of given form as the sample is.
fn random_shape(kind: Kind, random: &mut Random, scale: f64) -> Shape {
    let mut size = || {
        let thin = [1.0, 1.0, 1.0, 0.01][random.below(4)];
        scale * thin * random.range(0.2, 1.5)
    };
    let (x, y, z) = (size(), size(), size());
    match kind {
        Kind::Sphere => Shape::Sphere(Sphere::new(x).unwrap()),
        Kind::Cuboid => Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap()),
        Kind::Cylinder => Shape::Cylinder(Cylinder::new(x, y).unwrap()),
        Kind::Capsule => Shape::Capsule(Capsule::new(x, y).unwrap()),
        Kind::Cone => Shape::Cone(Cone::new(x, y).unwrap()),
        other => sample(other, scale),
    }
}

/// Any rotation, or one that makes axes and sides parallel.
fn random_turn(random: &mut Random) -> Quat {
    match random.below(3) {
        0 => {
            let mut quarter = || f64::from(random.below(4) as u32) * FRAC_PI_2;
            Quat::from_rotation_x(quarter())
                * Quat::from_rotation_y(quarter())
                * Quat::from_rotation_z(quarter())
        }
        1 => Quat::from_rotation_z(random.range(-3.0, 3.0)),
        _ => random.rotation(),
    }
}

/// What went wrong by how much, as a share of the scene.
#[derive(Default)]
struct Tally {
    asked: usize,
    apart: usize,
    together: usize,
    worst: f64,
}

#[test]
fn every_pair_is_exact() {
    let mut random = Random::new(51);
    let mut tally = [Tally::default(), Tally::default()];
    for ka in Kind::ALL {
        for kb in Kind::ALL {
            if kb < ka || (ka, kb) == (Kind::HalfSpace, Kind::HalfSpace) {
                continue;
            }
            let is_round = |kind: Kind| matches!(kind, Kind::Cylinder | Kind::Cone);
            let rounds = usize::from(is_round(ka)) + usize::from(is_round(kb));
            // Round against round takes the oracle some milliseconds.
            for case in 0..cases(if rounds == 2 { 10 } else { 24 }) {
                let scale = [1.0, 1e-6, 1e6, 1.0][case % 4];
                let (a, b) = (random_shape(ka, &mut random, scale), random_shape(kb, &mut random, scale));
                let half = [0.3, 0.9, 1.6, 4.0][random.below(4)] * scale;
                let start = Pose::new(random_turn(&mut random), random.in_cube(half)).unwrap();
                check(&a, &b, &start, scale, &mut tally[rounds.min(1)]);
                // Brought together until they graze: apart by a hair, touching, and overlapping by a hair.
                let (pa, pb) = (surface(&a), surface(&b));
                let gap = distance(&pa, &pb, &start).unwrap();
                if gap.distance > 0.0 && case % 2 == 0 {
                    for hair in [1e-7 * scale, -1e-7 * scale] {
                        // Borders of two sheets may pass each other.
                        if (ka, kb) == (Kind::HeightField, Kind::HeightField) && hair < 0.0 {
                            continue;
                        }
                        let moved = Pose::from_translation((hair - gap.distance) * gap.normal) * start;
                        let meets = intersects(&pa, &pb, &moved).unwrap();
                        assert_eq!(meets, hair < 0.0, "{ka} {kb} {a:?}\n{b:?}\n{moved:?} {hair}");
                        check(&a, &b, &moved, scale, &mut tally[rounds.min(1)]);
                    }
                }
            }
        }
    }
    for (name, t) in ["closed or finite", "iterated"].iter().zip(&tally) {
        eprintln!(
            "{name}: {} asked, {} apart, {} together, worst {:e}",
            t.asked, t.apart, t.together, t.worst
        );
        assert!(t.apart > t.asked / 5 && t.together > t.asked / 5);
    }
    assert!(tally[0].worst < 1e-12 && tally[1].worst < 1e-8);
}

/// Height fields as the surfaces that the oracle takes them for.
fn surface(shape: &Shape) -> Prepared {
    let prepared = Prepared::new(shape.clone());
    if matches!(shape, Shape::HeightField(_)) { prepared.as_sheet() } else { prepared }
}

fn check(a: &Shape, b: &Shape, pose: &Pose, scale: f64, tally: &mut Tally) {
    let (pa, pb) = (surface(a), surface(b));
    let what = format!("{a:?}\n{b:?}\n{pose:?}");
    let found = distance(&pa, &pb, pose).unwrap();
    let back = distance(&pb, &pa, &pose.inverse()).unwrap();
    let expected = exact_distance(a, b, pose) / scale;
    let error = (found.distance.max(0.0) / scale - expected).abs() / (3.0 + expected);
    tally.asked += 1;
    tally.worst = tally.worst.max(error);
    assert!(error < 1e-8, "{what}\nfound {}, expected {expected}", found.distance / scale);
    assert!((found.distance - back.distance).abs() < 1e-6 * scale, "{what}\n{found:?}\n{back:?}");
    let meets = intersects(&pa, &pb, pose).unwrap();
    assert_eq!(meets, intersects(&pb, &pa, &pose.inverse()).unwrap(), "{what}");
    // The oracle's own doubt.
    if expected > 1e-8 {
        assert!(!meets, "{what}\napart by {expected}");
        tally.apart += 1;
    } else if expected == 0.0 {
        assert!(meets, "{what}\ntogether");
        tally.together += 1;
    }
    assert_eq!(contact(&pa, &pb, pose).unwrap().intersects, meets, "{what}");
}

/// Moved by just their distance, bodies touch: in both orders, whatever is asked.
#[test]
fn touching_is_never_missed() {
    let mut random = Random::new(53);
    let mut asked = 0;
    for ka in Kind::ALL {
        for kb in Kind::ALL {
            for _ in 0..cases(8) {
                let (a, b) = (Prepared::new(sample(ka, 1.0)), Prepared::new(sample(kb, 1.0)));
                let start = random_pose(&mut random, 3.0);
                let gap = distance(&a, &b, &start).unwrap();
                if gap.distance <= 0.0 {
                    continue;
                }
                asked += 1;
                let pose = Pose::from_translation(-gap.distance * gap.normal) * start;
                let what = format!("{ka} {kb} {pose:?} {:?}", distance(&a, &b, &pose));
                for (a, b, pose) in [(&a, &b, pose), (&b, &a, pose.inverse())] {
                    assert!(intersects(a, b, &pose).unwrap(), "{what}");
                    assert!(intersect(a, b, &pose).unwrap().intersects(), "{what}");
                    let found = contact(a, b, &pose).unwrap();
                    assert!(found.intersects && found.depth < 1e-6, "{what} {found:?}");
                    assert!(found.regions > 0 || ka == kb && ka == Kind::HalfSpace, "{what} {found:?}");
                }
            }
        }
    }
    assert!(asked > 100, "{asked}");
}

/// The place of both bodies in the world does not matter: what is asked is their relative pose, but it comes with rounding.
#[test]
fn answers_do_not_depend_on_the_frame() {
    let mut random = Random::new(52);
    for ka in Kind::ALL {
        for kb in Kind::ALL {
            for _ in 0..cases(2) {
                let (a, b) = (Prepared::new(sample(ka, 1.0)), Prepared::new(sample(kb, 1.0)));
                let pose = random_pose(&mut random, 1.3);
                let world_from_a = random_pose(&mut random, 100.0);
                let again = world_from_a.inverse() * (world_from_a * pose);
                let (x, y) = (distance(&a, &b, &pose).unwrap(), distance(&a, &b, &again).unwrap());
                let tolerance = if matches!(ka, Kind::Cylinder | Kind::Cone)
                    || matches!(kb, Kind::Cylinder | Kind::Cone)
                {
                    1e-6
                } else {
                    1e-9
                };
                assert!((x.distance - y.distance).abs() < tolerance, "{ka} {kb} {pose:?}: {x:?} {y:?}");
            }
        }
    }
}
