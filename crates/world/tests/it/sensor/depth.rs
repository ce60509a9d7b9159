//! The scanner by depth pictures against rays, within its stated bound on every beam.

use super::*;
use freiraum_query::ray::{Ray, ray_cast};
use freiraum_testkit::scale;
use freiraum_world::sensors::depth::{Bound, DepthRenderer, DepthScanner, Models, Rasteriser};
use freiraum_world::sensors::{BeamError, BeamSet, LaserRow, Mask, Scan, scan_rays};
use std::f64::consts::{FRAC_PI_2, TAU};

/// A shape that is thicker (or thinner) by `by` metres, or a little more than that; `None` if nothing is left of it.
pub(super) fn changed(shape: &Shape, by: f64) -> Option<Shape> {
    Some(match shape {
        Shape::Sphere(s) => Shape::Sphere(Sphere::new(s.radius() + by).ok()?),
        Shape::Cuboid(s) => Shape::Cuboid(Cuboid::new(s.size() + Vec3::splat(2.0 * by)).ok()?),
        Shape::Cylinder(s) => Shape::Cylinder(Cylinder::new(s.radius() + by, s.height() + 2.0 * by).ok()?),
        Shape::Capsule(s) => Shape::Capsule(Capsule::new(s.radius() + by, s.height()).ok()?),
        Shape::HalfSpace(s) => Shape::HalfSpace(HalfSpace::new(s.normal(), s.offset() + by).ok()?),
        _ => unreachable!("not in these scenes"),
    })
}

/// The range of a ray in a scene of changed shapes.
pub(super) fn range_in(items: &[(Pose, Shape)], mask: &Mask, ray: &Ray, by: f64) -> f64 {
    let seen = items.iter().zip(0..).filter(|(_, body)| mask.sees(*body));
    let hits = seen.filter_map(|((pose, shape), _)| {
        let seen = ray.seen_from(&pose.inverse()).unwrap();
        Some(ray_cast(&changed(shape, by)?, &seen)?.distance)
    });
    hits.min_by(f64::total_cmp).unwrap_or(f64::INFINITY)
}

struct Counts {
    beams: usize,
    returns: usize,
    /// Beams for which the limits are near each other: no edge about.
    plain: usize,
    worst_plain: f64,
}

/// Both scanners in a scene; every beam must keep to the bound.
fn check(
    renderer: impl DepthRenderer,
    drawn: &[(Pose, Shape)],
    items: &[(Pose, Shape)],
    beams: &BeamSet,
    [deviation, pixel]: [f64; 2],
    (mask, sensor): (&Mask, &Pose),
    counts: &mut Counts,
) -> Bound {
    let range = 25.0;
    let around = surroundings(drawn.iter().cloned());
    let models = Models::of_things(around.things(), deviation).unwrap();
    let mut scanner = DepthScanner::new(renderer, beams, pixel).unwrap();
    let bound = scanner.bound(&models);
    let (mut found, mut by_rays) = (Scan::default(), Scan::default());
    scanner.scan(&around, &models, range, mask, sensor, &mut found).unwrap();
    scan_rays(&around, beams, range, mask, sensor, &mut by_rays).unwrap();
    for (i, beam) in beams.beams().iter().enumerate() {
        let direction = sensor.rotate(beam.direction);
        let ray = Ray::new(sensor.translation(), direction, f64::INFINITY).unwrap();
        let h = bound.around(found.ranges[i].min(range)) + 1e-12;
        let (low, high) = (range_in(items, mask, &ray, h), range_in(items, mask, &ray, -h));
        let r = found.ranges[i];
        if r.is_finite() {
            assert!(low <= r && r <= high, "beam {i}: {low} <= {r} <= {high}, by rays {}", by_rays.ranges[i]);
            assert!(found.bodies[i].is_some_and(|b| mask.sees(b)));
            counts.returns += 1;
        } else {
            assert!(high > range - h && found.bodies[i].is_none(), "beam {i} misses {high}");
        }
        counts.beams += 1;
        if low == f64::INFINITY || high - low < 20.0 * h {
            counts.plain += 1;
            // Both are between the limits: no exception but the end of the range.
            if r.is_finite() && by_rays.ranges[i].is_finite() {
                counts.worst_plain = counts.worst_plain.max((r - by_rays.ranges[i]).abs() / h);
            }
        }
    }
    bound
}

pub(super) fn scene(random: &mut Random) -> Vec<(Pose, Shape)> {
    let mut items: Vec<(Pose, Shape)> = (0..14)
        .map(|k| {
            let s = random.range(0.2, 1.6);
            let shape = match k % 4 {
                0 => ball(s),
                1 => cuboid(Vec3::new(s, random.range(0.2, 3.0), random.range(0.2, 3.0))),
                2 => cylinder(0.5 * s, random.range(0.3, 4.0)),
                _ => capsule(0.5 * s, random.range(0.3, 4.0)),
            };
            (pose(random, 7.0), shape)
        })
        .collect();
    items.push((at(0.0, 0.0, -4.0), cuboid(Vec3::new(60.0, 60.0, 1.0))));
    items.push((Pose::new(Quat::from_rotation_x(0.3), Vec3::new(0.0, 12.0, 0.0)).unwrap(), ground_towards()));
    items
}

/// Solid beyond y = 0.
fn ground_towards() -> Shape {
    Shape::HalfSpace(HalfSpace::new(-Vec3::Y, 0.0).unwrap())
}

/// Boxes as meshes: their faces are drawn from both sides.
pub(super) fn as_meshes(items: &[(Pose, Shape)]) -> Vec<(Pose, Shape)> {
    let one = |(pose, shape): &(Pose, Shape)| match shape {
        Shape::Cuboid(_) => (*pose, Shape::Mesh(shape.tessellate(1.0).unwrap().into())),
        _ => (*pose, shape.clone()),
    };
    items.iter().map(one).collect()
}

pub(super) fn free_place(random: &mut Random, items: &[(Pose, Shape)]) -> Vec3 {
    loop {
        let place = random.in_cube(6.0);
        let is_in = |(pose, shape): &(Pose, Shape)| {
            shape.contains(pose.inverse().transform_point(place)) == Some(true)
        };
        if place.z > -3.4 && !items.iter().any(is_in) {
            return place;
        }
    }
}

#[test]
fn every_beam_of_random_scenes_keeps_to_the_bound() {
    random_scenes(&Rasteriser::default());
}

/// Every beam of random scenes keeps to the bound.
pub(super) fn random_scenes(renderer: &(impl DepthRenderer + Clone)) {
    let mut random = Random::new(17);
    let grid = BeamSet::grid([60, 40], [1.4, 1.0]).unwrap();
    let lasers: Vec<LaserRow> = (0..12)
        .map(|k| LaserRow {
            elevation: -1.2 + 0.2 * f64::from(k),
            azimuth: 0.01 * f64::from(k % 3),
            ..LaserRow::default()
        })
        .collect();
    let rows = BeamSet::rows(&lasers, 180, TAU).unwrap();
    let new = || Counts { beams: 0, returns: 0, plain: 0, worst_plain: 0.0 };
    let (mut of_grid, mut of_rows) = (new(), new());
    for case in 0..scale::cases(12) {
        let items = scene(&mut random);
        let drawn = if case % 2 == 0 { items.clone() } else { as_meshes(&items) };
        let mask = if case % 3 == 0 { Mask::hiding([0, 3, 5, 14]) } else { Mask::EVERYTHING };
        let place = free_place(&mut random, &items);
        let sensor = if case % 2 == 0 {
            upright(&mut random, place)
        } else {
            Pose::new(random.rotation(), place).unwrap()
        };
        let deviation = [0.02, 0.002][case % 2];
        let bound =
            check(renderer.clone(), &drawn, &items, &grid, [deviation, 0.1], (&mask, &sensor), &mut of_grid);
        assert_eq!((bound.deviation, bound.pixel), (deviation, 0.0));
        let bound = check(
            renderer.clone(),
            &drawn,
            &items,
            &rows,
            [deviation, 0.004],
            (&mask, &sensor),
            &mut of_rows,
        );
        assert!(bound.pixel > 0.001 && bound.pixel < 0.5 * 0.004 * 2f64.sqrt() + 1e-9, "{bound:?}");
    }
    // The limits are near each other for most beams, or the test says nothing.
    for counts in [&of_grid, &of_rows] {
        assert!(counts.returns > counts.beams / 3, "{} of {}", counts.returns, counts.beams);
        assert!(counts.plain > counts.beams * 3 / 4, "{} of {}", counts.plain, counts.beams);
        assert!(counts.worst_plain < 20.0);
    }
}

#[test]
fn flat_surfaces_are_exact_for_grids_and_within_the_angle_for_rows() {
    flat_surfaces(&Rasteriser::default());
}

/// Flat surfaces are exact for grids, and within the angle for rows.
pub(super) fn flat_surfaces(renderer: &(impl DepthRenderer + Clone)) {
    let around = surroundings([(Pose::IDENTITY, ground())]);
    let models = Models::of_things(around.things(), 1.0).unwrap();
    let sensor = at(3.0, 1.0, 1.5);
    let lasers: Vec<LaserRow> =
        (1..20).map(|k| LaserRow { elevation: -0.07 * f64::from(k), ..LaserRow::default() }).collect();
    for beams in [BeamSet::grid([50, 40], [1.0, 1.2]).unwrap(), BeamSet::rows(&lasers, 100, TAU).unwrap()] {
        let mut scanner = DepthScanner::new(renderer.clone(), &beams, 0.002).unwrap();
        let bound = Bound { deviation: 0.0, ..scanner.bound(&models) };
        let (mut found, mut by_rays) = (Scan::default(), Scan::default());
        scanner.scan(&around, &models, 30.0, &Mask::EVERYTHING, &sensor, &mut found).unwrap();
        scan_rays(&around, &beams, 30.0, &Mask::EVERYTHING, &sensor, &mut by_rays).unwrap();
        for (beam, (r, true_range)) in beams.beams().iter().zip(found.ranges.iter().zip(&by_rays.ranges)) {
            if r.is_finite() && true_range.is_finite() {
                assert!((r - true_range).abs() <= bound.around(*r) / -beam.direction.z, "{r} {true_range}");
            } else {
                // Neither sees it, or it is at the end of the range.
                let seen = r.min(*true_range);
                assert!(seen == f64::INFINITY || seen + bound.around(30.0) / -beam.direction.z > 30.0);
            }
        }
    }
}

#[test]
fn step_edges_are_clean() {
    step_edges(&Rasteriser::default());
}

/// No range lies between two surfaces.
pub(super) fn step_edges(renderer: &(impl DepthRenderer + Clone)) {
    let plate = (at(2.05, 0.0, 0.0), cuboid(Vec3::new(0.1, 1.0, 1.0)));
    let wall = (at(10.5, 0.0, 0.0), cuboid(Vec3::new(1.0, 40.0, 40.0)));
    let around = surroundings([plate, wall]);
    let models = Models::of_things(around.things(), 0.01).unwrap();
    let lasers = [LaserRow::default(), LaserRow { elevation: 0.2, ..LaserRow::default() }];
    for beams in [BeamSet::grid([401, 301], [1.0, 0.8]).unwrap(), BeamSet::rows(&lasers, 3600, 1.5).unwrap()]
    {
        let mut scanner = DepthScanner::new(renderer.clone(), &beams, 0.003).unwrap();
        let mut found = Scan::default();
        scanner.scan(&around, &models, 50.0, &Mask::EVERYTHING, &Pose::IDENTITY, &mut found).unwrap();
        let bound = Bound { deviation: 0.0, ..scanner.bound(&models) };
        let mut counts = [0, 0];
        for ((r, body), beam) in found.ranges.iter().zip(&found.bodies).zip(beams.beams()) {
            let (x, h) = (r * beam.direction.x, bound.around(*r));
            let on_plate = (x - 2.0).abs() <= h;
            assert!(on_plate || (x - 10.0).abs() <= h, "{x}");
            assert_eq!(*body, Some(u32::from(!on_plate)));
            counts[usize::from(on_plate)] += 1;
        }
        assert!(counts.iter().all(|c| *c > 100));
    }
}

#[test]
fn lines_do_not_slip_through_between_triangles() {
    closed_surfaces(&Rasteriser::default());
}

/// Lines do not slip through between triangles.
pub(super) fn closed_surfaces(renderer: &(impl DepthRenderer + Clone)) {
    // A ball of triangles around the sensor with one of them missing: a surface without inside, seen from its back.
    for deviation in [0.5, 0.05, 0.001] {
        let mesh = ball(2.0).tessellate(deviation).unwrap();
        let mut faces = mesh.faces().to_vec();
        let hole = faces.pop().unwrap().map(|i| mesh.vertices()[i as usize]);
        let open = freiraum_geometry::Mesh::new(mesh.vertices().to_vec(), faces).unwrap();
        // Straight at corners and along edges, too: every beam of the cube's pictures counts.
        let around = surroundings([(Pose::IDENTITY, Shape::Mesh(open.into()))]);
        let models = Models::of_things(around.things(), 1.0).unwrap();
        let lasers: Vec<LaserRow> = (-30..=30)
            .map(|k| LaserRow { elevation: FRAC_PI_2 * f64::from(k) / 30.0, ..LaserRow::default() })
            .collect();
        let beams = BeamSet::rows(&lasers, 144, TAU).unwrap();
        for shift in [Vec3::ZERO, Vec3::new(0.3, -0.2, 0.1)] {
            let sensor = Pose::from_translation(shift);
            let mut scanner = DepthScanner::new(renderer.clone(), &beams, 0.02).unwrap();
            let bound = scanner.bound(&models);
            let mut found = Scan::default();
            scanner.scan(&around, &models, 10.0, &Mask::EVERYTHING, &sensor, &mut found).unwrap();
            for (beam, r) in beams.beams().iter().zip(&found.ranges) {
                if *r == f64::INFINITY {
                    // Only through the hole, or next to it by a pixel.
                    let ray = Ray::new(shift, beam.direction, 10.0).unwrap();
                    let end = ray_cast(&ball(2.0), &Ray::new(ray.at(10.0), -beam.direction, 20.0).unwrap())
                        .unwrap();
                    let size = hole[0]
                        .distance(hole[1])
                        .max(hole[1].distance(hole[2]))
                        .max(hole[2].distance(hole[0]));
                    assert!(end.point.distance(hole[0]) < size + 4.0 * bound.pixel + deviation, "{beam:?}");
                }
            }
            let lost = found.ranges.iter().filter(|r| **r == f64::INFINITY).count();
            assert!(lost < found.ranges.len() / 4, "{lost}");
        }
    }
}

#[test]
fn inside_of_a_solid_all_is_zero() {
    inside_of_a_solid(&Rasteriser::default());
}

/// All is zero.
pub(super) fn inside_of_a_solid(renderer: &(impl DepthRenderer + Clone)) {
    let around = surroundings([(Pose::IDENTITY, ball(1.0)), (at(5.0, 0.0, 0.0), ball(1.0))]);
    let models = Models::of_things(around.things(), 0.01).unwrap();
    let beams = BeamSet::grid([5, 5], [0.2, 0.2]).unwrap();
    let mut scanner = DepthScanner::new(renderer.clone(), &beams, 0.1).unwrap();
    let (mut found, mut by_rays) = (Scan::default(), Scan::default());
    for (mask, expected) in [(Mask::EVERYTHING, 0), (Mask::hiding([0]), 1)] {
        scanner.scan(&around, &models, 20.0, &mask, &Pose::IDENTITY, &mut found).unwrap();
        scan_rays(&around, &beams, 20.0, &mask, &Pose::IDENTITY, &mut by_rays).unwrap();
        assert_eq!(found.bodies, by_rays.bodies);
        assert_eq!(found.bodies[12], Some(expected));
        assert!(expected == 1 || found.ranges == by_rays.ranges);
    }
    assert!(
        scanner.scan(&around, &models, f64::NAN, &Mask::EVERYTHING, &Pose::IDENTITY, &mut found).is_err()
    );
}

#[test]
fn what_cannot_be_read_off_a_picture_is_refused() {
    let offset = BeamSet::rows(&[LaserRow { left: 0.02, ..LaserRow::default() }], 10, TAU).unwrap();
    let new = |beams: &BeamSet, pixel: f64| DepthScanner::new(Rasteriser::default(), beams, pixel).err();
    assert_eq!(new(&offset, 0.01), Some(BeamError::ManyOrigins));
    let rows = BeamSet::rows(&[LaserRow::default()], 10, TAU).unwrap();
    assert!(matches!(new(&rows, f64::NAN), Some(BeamError::BadPixel(_))));
    assert!(matches!(new(&rows, 0.0), Some(BeamError::BadPixel(_))));
    let tall =
        BeamSet::rows(&[LaserRow { elevation: 1.0, ..LaserRow::default() }, LaserRow::default()], 10, TAU);
    assert!(matches!(new(&tall.unwrap(), 1e-7), Some(BeamError::BadPixel(_))));
}
