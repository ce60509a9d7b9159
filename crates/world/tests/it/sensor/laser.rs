//! Laser scanner by rays, infrared sensor, light barrier: closed forms to 1e-9.

use super::*;
use freiraum_geometry::math::unit;
use freiraum_scene::Beams;
use freiraum_world::sensors::{BeamError, BeamSet, LaserRow, Mask, Scan, infrared, is_broken, scan_rays};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

fn scan(around: &Surroundings, beams: &BeamSet, range: f64, mask: &Mask, pose: &Pose) -> Scan {
    let mut scan = Scan::default();
    scan_rays(around, beams, range, mask, pose, &mut scan).unwrap();
    scan
}

fn both_kinds() -> [BeamSet; 2] {
    let elevations = (0..16).map(|k| (-15.0 + 2.0 * f64::from(k)).to_radians()).collect();
    [
        BeamSet::new(&Beams::Grid { size: [48, 36], field: [1.2, 0.9] }).unwrap(),
        BeamSet::new(&Beams::Rows { elevations, columns: 90, field: TAU }).unwrap(),
    ]
}

/// All ranges against a closed form, from sensors in random poses.
fn check(shape: &Shape, closed_form: impl Fn(Vec3, Vec3) -> Option<f64>, is_outside: impl Fn(Vec3) -> bool) {
    let mut random = Random::new(81);
    let (mut hits, mut misses) = (0, 0);
    for case in 0..24 {
        let world_from_shape = pose(&mut random, 3.0);
        let around = surroundings([(world_from_shape, shape.clone())]);
        let shape_from_world = world_from_shape.inverse();
        let world_from_sensor = loop {
            // Looking at the shape, or somewhere.
            let mut aim = pose(&mut random, 6.0);
            if case % 4 < 3 {
                let towards = Quat::from_rotation_arc(Vec3::X, -unit(aim.translation()).unwrap());
                let roll = Quat::from_rotation_x(random.range(0.0, 6.3));
                aim = Pose::new(towards * roll, aim.translation()).unwrap();
            }
            let aim = world_from_shape * aim;
            if is_outside(shape_from_world.transform_point(aim.translation())) {
                break aim;
            }
        };
        for beams in &both_kinds() {
            let range = [f64::INFINITY, 6.0][case % 2];
            let found = scan(&around, beams, range, &Mask::EVERYTHING, &world_from_sensor);
            assert_eq!(found.ranges.len(), beams.beams().len());
            for ((beam, range_found), body) in beams.beams().iter().zip(&found.ranges).zip(&found.bodies) {
                let shape_from_sensor = shape_from_world * world_from_sensor;
                let direction = shape_from_sensor.rotate(beam.direction);
                let expected = closed_form(shape_from_sensor.transform_point(beam.origin), direction);
                let expected = expected.filter(|d| *d <= range);
                assert_eq!(*body, expected.map(|_| 0), "{expected:?} {range_found}");
                match expected {
                    // Far away a plane is hit at a grazing angle.
                    Some(d) => {
                        assert!((d - range_found).abs() < 1e-9 * (1.0 + 1e-3 * d * d), "{d} {range_found}")
                    }
                    None => assert_eq!(*range_found, f64::INFINITY),
                }
                if expected.is_some() { hits += 1 } else { misses += 1 }
            }
        }
    }
    assert!(hits > 1000 && misses > 2000, "{hits} {misses}");
}

#[test]
fn a_plane() {
    check(&ground(), |o, d| (d.z < 0.0).then(|| -o.z / d.z), |o| o.z > 0.1);
}

#[test]
fn a_ball() {
    let form = |o: Vec3, d: Vec3| {
        let middle = -o.dot(d);
        let rest = 4.0 - (o + middle * d).length_squared();
        (rest >= 0.0 && middle > 0.0).then(|| middle - rest.sqrt())
    };
    check(&ball(2.0), form, |o| o.length() > 2.1);
}

#[test]
fn a_cylinder() {
    let form = |o: Vec3, d: Vec3| {
        let mut found = Vec::new();
        let (a, b) = (d.x * d.x + d.y * d.y, o.x * d.x + o.y * d.y);
        let rest = b * b - a * (o.x * o.x + o.y * o.y - 2.25);
        if rest >= 0.0 {
            found.extend([(-b - rest.sqrt()) / a].into_iter().filter(|t| (o.z + t * d.z).abs() <= 2.0));
        }
        for z in [-2.0, 2.0] {
            let t = (z - o.z) / d.z;
            if (o + t * d).truncate().length() <= 1.5 {
                found.push(t);
            }
        }
        found.into_iter().filter(|t| *t > 0.0).min_by(f64::total_cmp)
    };
    check(&cylinder(1.5, 4.0), form, |o| o.truncate().length() > 1.6 || o.z.abs() > 2.1);
}

#[test]
fn a_box() {
    let half = Vec3::new(1.0, 2.0, 0.5);
    let form = |o: Vec3, d: Vec3| {
        let mut found = Vec::new();
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let t = (side * half[axis] - o[axis]) / d[axis];
                let p = o + t * d;
                if t > 0.0 && (0..3).all(|k| k == axis || p[k].abs() <= half[k]) {
                    found.push(t);
                }
            }
        }
        found.into_iter().min_by(f64::total_cmp)
    };
    check(&cuboid(2.0 * half), form, |o| (0..3).any(|k| o[k].abs() > half[k] + 0.1));
}

#[test]
fn step_edges_are_clean() {
    // A plate 2 m away before a wall 10 m away: nothing in between, and no plate without its number.
    let around = surroundings([
        (at(2.05, 0.0, 0.0), cuboid(Vec3::new(0.1, 1.0, 1.0))),
        (at(10.5, 0.0, 0.0), cuboid(Vec3::new(1.0, 40.0, 40.0))),
    ]);
    for beams in [
        BeamSet::grid([801, 601], [1.0, 0.8]).unwrap(),
        BeamSet::rows(
            &[LaserRow::default(), LaserRow { elevation: 0.2, ..LaserRow::default() }],
            7200,
            PI / 2.0,
        )
        .unwrap(),
    ] {
        let found = scan(&around, &beams, 50.0, &Mask::EVERYTHING, &Pose::IDENTITY);
        let mut counts = [0, 0];
        for ((range, body), beam) in found.ranges.iter().zip(&found.bodies).zip(beams.beams()) {
            let end = *range * beam.direction;
            let on_plate = (end.x - 2.0).abs() < 1e-9 && end.y.abs() <= 0.5 && end.z.abs() <= 0.5;
            let on_wall = (end.x - 10.0).abs() < 1e-9;
            assert!(if *body == Some(0) { on_plate } else { on_wall }, "{range} {body:?}");
            counts[usize::from(on_wall)] += 1;
        }
        assert!(counts.iter().all(|c| *c > 100));
    }
}

#[test]
fn masks_hide_bodies_and_nothing_else() {
    let things = [
        Thing { body: 5, world_from_thing: at(2.0, 0.0, 0.0), shape: ball(0.5) },
        Thing { body: 9, world_from_thing: at(4.0, 0.0, 0.0), shape: ball(0.5) },
        Thing { body: 5, world_from_thing: at(6.0, 0.0, 0.0), shape: ball(0.5) },
        Thing { body: 0, world_from_thing: at(8.0, 0.0, 0.0), shape: ball(0.5) },
    ];
    let around = Surroundings::new(things.to_vec());
    let check = |hidden: &[u32], range: f64, expected: f64, body: Option<u32>| {
        let mask = Mask::hiding(hidden.iter().copied());
        assert_eq!(infrared(&around, range, &mask, &Pose::IDENTITY), Ok((expected, body)));
        assert_eq!(is_broken(&around, range, &mask, &Pose::IDENTITY), Ok(body.is_some()));
        let beams = BeamSet::grid([1, 1], [0.1, 0.1]).unwrap();
        let found = scan(&around, &beams, range, &mask, &Pose::IDENTITY);
        assert_eq!((found.ranges, found.bodies), (vec![expected], vec![body]));
    };
    check(&[], 100.0, 1.5, Some(5));
    check(&[5], 100.0, 3.5, Some(9));
    check(&[9], 100.0, 1.5, Some(5));
    check(&[5, 9], 100.0, 7.5, Some(0));
    check(&[5, 9], 7.5, 7.5, Some(0));
    check(&[5, 9], 7.49, f64::INFINITY, None);
    check(&[0, 5, 9], f64::INFINITY, f64::INFINITY, None);
    assert!(infrared(&around, f64::NAN, &Mask::EVERYTHING, &Pose::IDENTITY).is_err());
    // Inside of a solid.
    assert_eq!(infrared(&around, 1.0, &Mask::EVERYTHING, &at(2.1, 0.0, 0.0)), Ok((0.0, Some(5))));
}

#[test]
fn moved_things_are_where_they_are() {
    let mut random = Random::new(4);
    let beams = &both_kinds()[1];
    let shapes = [
        ball(0.7),
        cuboid(Vec3::ONE),
        ball(0.4).tessellate(0.01).map(|m| Shape::Mesh(m.into())).unwrap(),
        ground(),
    ];
    let mut items: Vec<(Pose, Shape)> =
        (0..20).map(|k| (pose(&mut random, 8.0), shapes[k % 4].clone())).collect();
    let mut around = surroundings(items.clone());
    for step in 0..5 {
        for (k, item) in items.iter_mut().enumerate() {
            if k % 3 == step % 3 {
                item.0 = pose(&mut random, 8.0);
            }
        }
        around.place(|thing| (thing % 3 == step % 3).then_some(items[thing].0));
        let sensor = pose(&mut random, 8.0);
        let anew = surroundings(items.clone());
        assert_eq!(
            scan(&around, beams, 30.0, &Mask::EVERYTHING, &sensor),
            scan(&anew, beams, 30.0, &Mask::EVERYTHING, &sensor)
        );
    }
}

#[test]
fn beams_go_where_they_say() {
    let grid = BeamSet::grid([4, 2], [FRAC_PI_2, 1.0]).unwrap();
    // Left half of the upper row: y is 3/4 and 1/4 of tan 45°.
    let upper = 0.5 * 0.5f64.tan();
    for (beam, y) in grid.beams()[..4].iter().zip([0.75, 0.25, -0.25, -0.75]) {
        assert!(beam.direction.distance(unit(Vec3::new(1.0, y, upper)).unwrap()) < 1e-15);
    }
    assert!(grid.beams()[4].direction.z < 0.0);
    let laser = LaserRow { elevation: 0.3, azimuth: 0.1, up: 0.2, left: 0.05 };
    let rows = BeamSet::rows(&[laser], 4, TAU).unwrap();
    for (beam, turn) in rows.beams().iter().zip([0.75 * PI, 0.25 * PI, -0.25 * PI, -0.75 * PI]) {
        let turn = Quat::from_rotation_z(turn + 0.1);
        let direction = turn * Vec3::new(0.3f64.cos(), 0.0, 0.3f64.sin());
        assert!(beam.direction.distance(direction) < 1e-15);
        assert!(beam.origin.dot(direction).abs() < 1e-15);
        assert!((beam.origin.length() - f64::hypot(0.2, 0.05)).abs() < 1e-15);
        assert!((turn.inverse() * beam.origin).y > 0.0 && beam.origin.z > 0.0);
    }
    let bad = |beams| BeamSet::new(&beams).unwrap_err();
    assert!(matches!(bad(Beams::Grid { size: [0, 5], field: [1.0, 1.0] }), BeamError::BadCount { .. }));
    assert!(matches!(
        bad(Beams::Grid { size: [u32::MAX, u32::MAX], field: [1.0, 1.0] }),
        BeamError::BadCount { .. }
    ));
    assert!(matches!(bad(Beams::Grid { size: [5, 5], field: [1.0, PI] }), BeamError::BadField(..)));
    assert!(matches!(bad(Beams::Grid { size: [5, 5], field: [f64::NAN, 1.0] }), BeamError::BadField(..)));
    let rows = |elevations, field| Beams::Rows { elevations, columns: 3, field };
    assert!(matches!(bad(rows(vec![0.0], 7.0)), BeamError::BadField(..)));
    assert!(matches!(bad(rows(vec![0.0, 1.6], 1.0)), BeamError::BadRow(1)));
    assert!(matches!(bad(rows(vec![], 1.0)), BeamError::BadCount { .. }));
}
