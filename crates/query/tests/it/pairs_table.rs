//! The whole table of pairs: every question is answered for every pair of kinds, alike for both orders, in every place and
//! size, and as brute force over triangles says.

use crate::pairs_common::{DEVIATION, brute_distance, contains, random_pose, sample};
use freiraum_geometry::shape::{Kind, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::intersect::Relation;
use freiraum_query::{Prepared, contact, distance, intersect, intersects};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// Round surfaces are met by iteration.
fn is_iterated(kind: Kind) -> bool {
    matches!(kind, Kind::Cylinder | Kind::Cone)
}

fn each_pair(mut check: impl FnMut(Kind, Kind, &Prepared, &Prepared)) {
    for a in Kind::ALL {
        for b in Kind::ALL {
            check(a, b, &Prepared::new(sample(a, 1.0)), &Prepared::new(sample(b, 1.0)));
        }
    }
}

/// The tolerance of a pair in metres, for bodies of about one metre.
fn tolerance(a: Kind, b: Kind) -> f64 {
    if is_iterated(a) || is_iterated(b) { 2e-6 } else { 1e-9 }
}

#[test]
fn every_pair_answers_alike_in_both_orders_and_all_questions_agree() {
    let mut random = Random::new(1);
    let (mut apart, mut together) = (0, 0);
    each_pair(|ka, kb, a, b| {
        for case in 0..cases(6) {
            let a_from_b = random_pose(&mut random, [0.4, 0.9, 1.6][case % 3]);
            let b_from_a = a_from_b.inverse();
            let what = format!("{ka} {kb} {a_from_b:?}");
            let tolerance = tolerance(ka, kb);
            let d = distance(a, b, &a_from_b).unwrap();
            let e = distance(b, a, &b_from_a).unwrap();
            assert!((d.distance - e.distance).abs() < tolerance, "{what}: {d:?} {e:?}");
            assert!((d.normal.length() - 1.0).abs() < 1e-12, "{what}: {d:?}");
            let ends = d.point_on_a + d.distance * d.normal - d.point_on_b;
            assert!(ends.length() < tolerance, "{what}: {d:?}");
            let r = intersect(a, b, &a_from_b).unwrap();
            let meets = intersects(a, b, &a_from_b).unwrap();
            assert_eq!(meets, intersects(b, a, &b_from_a).unwrap(), "{what}");
            assert_eq!(meets, r.intersects(), "{what}: {r:?}");
            assert_eq!(r.relation, intersect(b, a, &b_from_a).unwrap().relation.swapped(), "{what}");
            assert_eq!(meets, d.distance <= 1e-12, "{what}: {d:?}");
            // Height fields are solid below.
            assert_eq!((r.a_is_open, r.b_is_open), (false, false), "{what}");
            let c = contact(a, b, &a_from_b).unwrap();
            let c2 = contact(b, a, &b_from_a).unwrap();
            assert_eq!((c.intersects, c2.intersects), (meets, meets), "{what}: {c:?}");
            if meets {
                together += 1;
                // Depths of bodies that are not convex are searched for, from different ends.
                if c.is_exact {
                    assert!(
                        (c.depth - c2.depth).abs() < tolerance || c.depth == c2.depth,
                        "{what}: {c:?} {c2:?}"
                    );
                }
                check_separation(&what, a, b, &a_from_b, &c, tolerance);
            } else {
                apart += 1;
                assert!(c.points.is_empty() && c.depth == 0.0 && c.regions == 0, "{what}: {c:?}");
            }
        }
    });
    assert!(apart > 100 && together > 100, "{apart} {together}");
}

/// The translation leaves the shapes touching, and the contact points hang together.
fn check_separation(
    what: &str,
    a: &Prepared,
    b: &Prepared,
    a_from_b: &Pose,
    c: &freiraum_query::contact::Contact,
    tolerance: f64,
) {
    for p in &c.points {
        assert!(
            (p.normal.length() - 1.0).abs() < 1e-9 && p.depth >= 0.0 && p.region < c.regions,
            "{what}: {c:?}"
        );
    }
    let regions: std::collections::BTreeSet<usize> = c.points.iter().map(|p| p.region).collect();
    assert_eq!(regions.len(), c.regions, "{what}: {c:?}");
    let Some(translation) = c.translation else {
        assert_eq!(c.depth, f64::INFINITY, "{what}");
        return;
    };
    assert!((translation.length() - c.depth).abs() < 1e-12, "{what}: {c:?}");
    let moved = |extra: f64| {
        let t = translation + extra * translation.try_normalize().unwrap_or(Vec3::ZERO);
        distance(a, b, &(Pose::from_translation(-t) * *a_from_b)).unwrap().distance
    };
    assert!(moved(0.0) >= -tolerance, "{what}: {c:?} leaves {}", moved(0.0));
    if c.depth > 1e-6 {
        // A way out of a body that is not convex may end wedged between two of its parts: apart, but with nothing beyond.
        assert!(!c.is_exact || moved(tolerance.max(1e-8)) > 0.0, "{what}: {c:?}");
        assert!(moved(0.0) < tolerance.max(1e-8), "{what}: {c:?} leaves {}", moved(0.0));
    }
}

#[test]
fn every_pair_agrees_with_brute_force() {
    let mut random = Random::new(2);
    each_pair(|ka, kb, a, b| {
        if ka > kb || (ka, kb) == (Kind::HalfSpace, Kind::HalfSpace) {
            return;
        }
        for case in 0..cases(4) {
            let a_from_b = random_pose(&mut random, [0.5, 1.0, 1.8, 3.0][case % 4]);
            // The oracle knows surfaces; what is below a height field is another test.
            let as_surface = |p: &Prepared, kind: Kind| match kind {
                Kind::HeightField => p.as_sheet(),
                _ => p.clone(),
            };
            let (a, b) = (&as_surface(a, ka), &as_surface(b, kb));
            let found = distance(a, b, &a_from_b).unwrap().distance;
            let expected = brute_distance(a.shape(), b.shape(), &a_from_b, 1.0);
            let what = format!("{ka} {kb} {a_from_b:?}: found {found}, expected {expected}");
            // Tessellations lie inside solids: the oracle is never too small by more than rounding.
            assert!(found.max(0.0) <= expected + 1e-9, "{what}");
            assert!(expected <= found.max(0.0) + 2.0 * DEVIATION, "{what}");
        }
    });
}

/// Many points of a shape's triangles; none of a shape without end.
fn samples(shape: &Shape) -> Vec<Vec3> {
    const STEPS: u32 = 60;
    let Ok(mesh) = shape.tessellate(DEVIATION) else { return Vec::new() };
    let grid = (0..=STEPS).flat_map(|i| (0..=STEPS - i).map(move |j| (f64::from(i), f64::from(j))));
    let of_triangle = |[p, q, r]: [Vec3; 3]| {
        grid.clone().map(move |(i, j)| p + i / f64::from(STEPS) * (q - p) + j / f64::from(STEPS) * (r - p))
    };
    mesh.triangles().flat_map(of_triangle).collect()
}

#[test]
fn containment_agrees_with_sampled_points() {
    let mut random = Random::new(4);
    let mut counts = std::collections::BTreeMap::new();
    for ka in Kind::ALL {
        for kb in Kind::ALL {
            if ka == Kind::HalfSpace
                || kb == Kind::HeightField
                || (ka, kb) == (Kind::HalfSpace, Kind::HalfSpace)
            {
                continue;
            }
            for case in 0..cases(6) {
                // A small a in or about b.
                let (a, b) =
                    (Prepared::new(sample(ka, [0.1, 0.3][case % 2])), Prepared::new(sample(kb, 1.0)));
                // What has no end below is in nothing; its surface may be.
                let a = if ka == Kind::HeightField { a.as_sheet() } else { a };
                let a_from_b = random_pose(&mut random, [0.2, 0.6][case % 2]);
                let b_from_a = a_from_b.inverse();
                let relation = intersect(&a, &b, &a_from_b).unwrap().relation;
                *counts.entry(relation.name()).or_insert(0) += 1;
                let size = [0.1, 0.3][case % 2];
                let mesh = a.shape().tessellate(0.002).unwrap();
                let inside = mesh
                    .vertices()
                    .iter()
                    .filter(|p| contains(b.shape(), b_from_a.transform_point(**p)))
                    .count();
                let what =
                    format!("{ka} {kb} {a_from_b:?}: {relation:?}, {inside} of {}", mesh.vertices().len());
                match relation {
                    Relation::AInsideB => assert_eq!(inside, mesh.vertices().len(), "{what}"),
                    Relation::Separate => assert_eq!(inside, 0, "{what}"),
                    // Inside the union of parts, but in none of them alone.
                    _ if kb == Kind::Compound => {}
                    // Round bodies may stick out between the sampled points; a little larger ones do so there too.
                    _ => {
                        let larger = sample(ka, 1.05 * size).tessellate(0.002).unwrap();
                        let sticks_out = |p: &Vec3| !contains(b.shape(), b_from_a.transform_point(*p));
                        // Or b reaches into it between them.
                        let reaches_in = || {
                            let on_b = samples(b.shape());
                            let on_a = samples(a.shape());
                            on_a.iter().any(sticks_out)
                                || on_b.iter().any(|p| contains(a.shape(), a_from_b.transform_point(*p)))
                        };
                        assert!(larger.vertices().iter().any(sticks_out) || reaches_in(), "{what}");
                    }
                }
            }
        }
    }
    assert!(counts["a_in_b"] > 30 && counts["separate"] > 30 && counts["overlapping"] > 30, "{counts:?}");
}

#[test]
fn answers_do_not_depend_on_place_or_size() {
    let mut random = Random::new(3);
    for ka in Kind::ALL {
        for kb in Kind::ALL {
            let a_from_b = random_pose(&mut random, 1.1);
            let (a, b) = (Prepared::new(sample(ka, 1.0)), Prepared::new(sample(kb, 1.0)));
            let known = distance(&a, &b, &a_from_b).unwrap();
            let relation = intersect(&a, &b, &a_from_b).unwrap().relation;
            let depth = contact(&a, &b, &a_from_b).unwrap().depth;
            for scale in [1e-6, 1e-3, 1e3, 1e6] {
                let (a, b) = (Prepared::new(sample(ka, scale)), Prepared::new(sample(kb, scale)));
                let pose = Pose::new(a_from_b.rotation(), scale * a_from_b.translation()).unwrap();
                let found = distance(&a, &b, &pose).unwrap();
                let what = format!("{ka} {kb} {a_from_b:?} at {scale}: {found:?}, {known:?}");
                assert!((found.distance / scale - known.distance).abs() < tolerance(ka, kb), "{what}");
                assert_eq!(intersect(&a, &b, &pose).unwrap().relation, relation, "{what}");
                let scaled = contact(&a, &b, &pose).unwrap();
                if scaled.is_exact && depth.is_finite() {
                    assert!((scaled.depth / scale - depth).abs() < tolerance(ka, kb), "{what}");
                }
            }
        }
    }
}

#[test]
fn identical_shapes_in_one_place() {
    each_pair(|ka, kb, a, b| {
        if ka != kb {
            return;
        }
        let relation = intersect(a, b, &Pose::IDENTITY).unwrap().relation;
        assert_eq!(relation, Relation::Same, "{ka}");
        assert!(distance(a, b, &Pose::IDENTITY).unwrap().distance <= 0.0, "{ka}");
        let found = contact(a, b, &Pose::IDENTITY).unwrap();
        assert!(found.intersects && (found.depth > 0.3 || ka == Kind::HeightField), "{ka}: {found:?}");
    });
}

#[test]
fn poses_that_are_no_poses_are_refused() {
    each_pair(|ka, kb, a, b| {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e60] {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let pose = Pose::from_translation(Vec3::select(
                    axis.cmpne(Vec3::ZERO),
                    Vec3::splat(bad),
                    Vec3::ZERO,
                ));
                assert!(distance(a, b, &pose).is_err(), "{ka} {kb} {bad}");
                assert!(intersect(a, b, &pose).is_err(), "{ka} {kb} {bad}");
                assert!(intersects(a, b, &pose).is_err(), "{ka} {kb} {bad}");
                assert!(contact(a, b, &pose).is_err(), "{ka} {kb} {bad}");
            }
        }
    });
}

#[test]
fn huge_distances_are_answered() {
    each_pair(|ka, kb, a, b| {
        if ka == Kind::HalfSpace || kb == Kind::HalfSpace {
            return;
        }
        for far in [1e6, 1e20, 1e49] {
            let pose = Pose::from_translation(Vec3::new(far, -far, 0.0));
            let found = distance(a, b, &pose).unwrap();
            assert!((found.distance / (far * 2f64.sqrt()) - 1.0).abs() < 1e-5, "{ka} {kb} {far}: {found:?}");
            assert_eq!(intersect(a, b, &pose).unwrap().relation, Relation::Separate, "{ka} {kb} {far}");
        }
    });
}

#[test]
fn the_shape_is_kept() {
    for kind in Kind::ALL {
        let shape: Shape = sample(kind, 1.0);
        assert_eq!(Prepared::new(shape.clone()).shape(), &shape);
    }
}

/// Asked again, in another order, on several threads at once: the same to the last bit.
#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let mut random = Random::new(64);
    let bodies: Vec<Prepared> = Kind::ALL.map(|kind| Prepared::new(sample(kind, 1.0))).into_iter().collect();
    let asked: Vec<_> = (0..150)
        .map(|_| {
            let (i, j) = (random.below(bodies.len()), random.below(bodies.len()));
            let pose = random_pose(&mut random, 0.8);
            let (a, b) = (&bodies[i], &bodies[j]);
            (a, b, pose, contact(a, b, &pose).unwrap(), distance(a, b, &pose).unwrap())
        })
        .collect();
    std::thread::scope(|scope| {
        for first in [17, 90] {
            let asked = &asked;
            scope.spawn(move || {
                for (a, b, pose, contacts, gap) in asked.iter().cycle().skip(first).take(asked.len()) {
                    assert_eq!(&contact(a, b, pose).unwrap(), contacts);
                    assert_eq!(&distance(a, b, pose).unwrap(), gap);
                }
            });
        }
    });
}
