//! Sensors in scenes: against closed forms, at their rates, with masks and noise, saved and resumed.

use crate::scenes::{ball, body, boxes, ground, measured, painted, run, sensor, simulation, try_simulation};
use freiraum_geometry::shape::{Cuboid, Sphere};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_scene::{Beams, Goal, Kind, Laser, Mass, Mount, Noise, Physics, Place, Scene, SensorKind};
use freiraum_world::event::EventKind;
use freiraum_world::{Measured, Reading, Simulation};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

const G: f64 = 9.81;

fn cube(edge: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::splat(edge)).unwrap())
}

/// At a place, and looking there: turned about y (down is positive) after z.
fn looking(at: Vec3, yaw: f64, down: f64) -> Pose {
    Pose::from_zyx_euler(0.0, down, yaw, at).unwrap()
}

fn distance(reading: &Reading) -> f64 {
    match reading.value {
        Measured::Distance(distance) => distance,
        ref other => panic!("{other:?}"),
    }
}

fn distances(reading: &Reading) -> &[f64] {
    match &reading.value {
        Measured::Distances(distances) => distances,
        other => panic!("{other:?}"),
    }
}

fn grid(range: f64, by_depth_buffer: bool) -> SensorKind {
    let beams = Beams::Grid { size: [40, 30], field: [1.0, 0.8] };
    SensorKind::Laser { beams, range, by_depth_buffer }
}

#[test]
fn infrared_sees_the_ground_come_nearer() {
    let mut scene = Scene::default();
    ground(&mut scene);
    let ball = ball(&mut scene, "ball", Vec3::new(0.0, 0.0, 50.0), Vec3::new(3.0, 0.0, 0.0));
    let eye = sensor(&mut scene, Mount::Body(ball), SensorKind::Infrared { range: 100.0 });
    scene.world.sensors[eye].mount_from_sensor = looking(Vec3::new(0.01, 0.02, -0.05), 0.0, FRAC_PI_2);
    scene.world.sensors[eye].rate = 10.0;
    let mut world = simulation(&scene);
    assert_eq!(world.readings(), [None]);
    let found = measured(&mut world, eye, 2001);
    assert_eq!(found.len(), 21);
    for (k, reading) in found.iter().enumerate() {
        let t = k as f64 / 10.0;
        assert!((reading.time - t).abs() < 1e-12, "{reading:?}");
        // The ball does not turn.
        let expected = 49.95 - 0.5 * G * t * t;
        assert!((distance(reading) - expected).abs() < 1e-9, "{t}: {reading:?} {expected}");
    }
    assert_eq!(world.readings()[eye].as_ref(), found.last());
    assert_eq!(world.totals().measurements, 21);
}

#[test]
fn lasers_see_plane_ball_and_box_by_rays_and_by_depth() {
    let mut scene = Scene::default();
    ground(&mut scene);
    let fixed = || Physics::of_unsaid(true);
    body(&mut scene, "globe", Shape::Sphere(Sphere::new(1.0).unwrap()), Vec3::new(6.0, -1.2, 1.5), fixed());
    body(&mut scene, "block", cube(2.0), Vec3::new(8.0, 1.5, 1.0), fixed());
    let place = Vec3::new(0.5, 0.25, 2.0);
    for by_depth_buffer in [false, true] {
        let scanner = sensor(&mut scene, Mount::World, grid(30.0, by_depth_buffer));
        scene.world.sensors[scanner].mount_from_sensor = looking(place, 0.0, 0.0);
    }
    let mut world = simulation(&scene);
    world.step();
    let [rays, depth] = [0, 1].map(|k| distances(world.readings()[k].as_ref().unwrap()).to_vec());
    let (mut hits, mut edges) = ([0; 3], 0);
    for (k, (found, by_depth)) in rays.iter().zip(&depth).enumerate() {
        let [y, z] = [(k % 40, 40.0, 0.5_f64.tan()), (k / 40, 30.0, 0.4_f64.tan())]
            .map(|(k, n, half)| half * (1.0 - (2.0 * k as f64 + 1.0) / n));
        let d = Vec3::new(1.0, y, z) / Vec3::new(1.0, y, z).length();
        // The plane z = 0.
        let to_plane = if d.z < 0.0 { -place.z / d.z } else { f64::INFINITY };
        // The ball: |o + t d - c| = 1.
        let o = place - Vec3::new(6.0, -1.2, 1.5);
        let root = o.dot(d).powi(2) - o.length_squared() + 1.0;
        let to_ball = if root > 0.0 { -o.dot(d) - root.sqrt() } else { f64::INFINITY };
        // The front of the box, x = 7, and its left and right sides are not seen from here; its top is hidden.
        let t = (7.0 - place.x) / d.x;
        let at = place + t * d;
        let is_on = (at.y - 1.5).abs() <= 1.0 && at.z <= 2.0 && at.z >= 0.0;
        let to_box = if is_on { t } else { f64::INFINITY };
        let expected = [to_plane, to_ball, to_box];
        let nearest = expected.into_iter().fold(f64::INFINITY, f64::min);
        if nearest <= 30.0 {
            assert!((found - nearest).abs() < 1e-9, "{k}: {found} {nearest}");
            hits[expected.iter().position(|e| *e == nearest).unwrap()] += 1;
            // Triangles of the ball are up to 2 mm inside; single precision takes less.
            edges += usize::from((by_depth - found).abs() > 0.05);
        } else if nearest > 30.0 {
            assert_eq!(*found, f64::INFINITY, "{k}");
        }
    }
    assert!(hits.iter().all(|count| *count > 20) && edges <= 6, "{hits:?} {edges}");
}

#[test]
fn turning_scanners_with_beam_tables() {
    let mut scene = Scene::default();
    ground(&mut scene);
    // Two lasers: one level, one down by 45 degrees that starts 10 cm above the middle, square to its beam.
    let lasers = vec![
        Laser::default(),
        Laser { elevation: -FRAC_PI_4, azimuth: 0.3, up: 0.1, left: 0.02 },
        Laser { elevation: -FRAC_PI_2 / 3.0, ..Laser::default() },
    ];
    let beams = Beams::Lasers { lasers, columns: 12, field: TAU };
    let kind = SensorKind::Laser { beams: beams.clone(), range: 100.0, by_depth_buffer: false };
    let scanner = sensor(&mut scene, Mount::World, kind);
    scene.world.sensors[scanner].mount_from_sensor = looking(Vec3::new(1.0, 2.0, 3.0), 0.7, 0.0);
    let mut world = simulation(&scene);
    world.step();
    let found = distances(world.readings()[0].as_ref().unwrap());
    assert_eq!(found.len(), 36);
    assert!(found[..12].iter().all(|d| *d == f64::INFINITY));
    let (slope, height) = (FRAC_PI_4.sin(), 3.0 + 0.1 * FRAC_PI_4.cos());
    assert!(found[12..24].iter().all(|d| (d - height / slope).abs() < 1e-9), "{found:?}");
    assert!(found[24..].iter().all(|d| (d - 6.0).abs() < 1e-9), "{found:?}");
    // One eye cannot see beams that start in different places.
    scene.world.sensors[0].kind = SensorKind::Laser { beams, range: 100.0, by_depth_buffer: true };
    let said = refused(&scene);
    assert!(
        said.contains("the sensor \"sensor 0\" cannot measure: the beams do not start in one point"),
        "{said}"
    );
}

fn refused(scene: &Scene) -> String {
    match try_simulation(scene) {
        Ok(_) => panic!("taken"),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

#[test]
fn light_barriers_and_ultrasonic_sensors_see_a_ball_pass() {
    let mut scene = Scene::default();
    scene.world.settings.gravity = Vec3::ZERO;
    // Radius 0.1, passes x = 0 at t = 1 s: in the beam for as long as |x| <= 0.1.
    ball(&mut scene, "ball", Vec3::new(-1.0, 2.0, 0.0), Vec3::X);
    let pose = looking(Vec3::ZERO, FRAC_PI_2, 0.0);
    let barrier = sensor(&mut scene, Mount::World, SensorKind::LightBarrier { range: 3.0 });
    let short = sensor(&mut scene, Mount::World, SensorKind::LightBarrier { range: 1.8 });
    let sonar = sensor(&mut scene, Mount::World, SensorKind::Ultrasonic { half_angle: 0.2, range: 5.0 });
    for k in [barrier, short, sonar] {
        scene.world.sensors[k].mount_from_sensor = pose;
    }
    let mut world = simulation(&scene);
    let mut echoes = 0;
    for k in 0..2000 {
        world.step();
        let x = -1.0 + k as f64 * 0.001;
        let is_in = x.abs() <= 0.1;
        if (x.abs() - 0.1).abs() > 1e-9 {
            let value = &world.readings()[barrier].as_ref().unwrap().value;
            assert_eq!(*value, Measured::Broken(Some(is_in)), "{x}");
        }
        assert_eq!(world.readings()[short].as_ref().unwrap().value, Measured::Broken(Some(false)));
        let echo = distance(world.readings()[sonar].as_ref().unwrap());
        if x.hypot(2.0) * 0.2_f64.sin() > 0.0 && (x / 2.0).atan().abs() < 0.2 {
            // The nearest point is towards the middle of the ball.
            assert!((echo - (x.hypot(2.0) - 0.1)).abs() < 1e-9, "{x} {echo}");
            echoes += 1;
        } else if (x / 2.0).atan().abs() > 0.2 + (0.1 / x.hypot(2.0)).asin() + 1e-9 {
            assert_eq!(echo, f64::INFINITY, "{x}");
        }
    }
    assert!(echoes > 300);
}

#[test]
fn bumpers_feel_touches_from_their_side() {
    let mut scene = Scene::default();
    let floor = ground(&mut scene);
    let physics = Physics { friction: 0.0, velocity: Vec3::X, ..Physics::of_unsaid(false) };
    let sliding = body(&mut scene, "sliding", cube(0.2), Vec3::new(0.0, 0.0, 0.1), physics);
    body(&mut scene, "wall", cube(1.0), Vec3::new(1.1, 0.0, 0.5), Physics::of_unsaid(true));
    let front = sensor(&mut scene, Mount::Body(sliding), SensorKind::Bumper { half_angle: 0.25 * PI + 0.01 });
    let back = sensor(&mut scene, Mount::Body(sliding), SensorKind::Bumper { half_angle: FRAC_PI_4 });
    let all = sensor(&mut scene, Mount::Body(sliding), SensorKind::Bumper { half_angle: PI });
    let blind = sensor(&mut scene, Mount::Body(sliding), SensorKind::Bumper { half_angle: PI });
    let still = sensor(&mut scene, Mount::Body(floor), SensorKind::Bumper { half_angle: PI });
    scene.world.sensors[back].mount_from_sensor = looking(Vec3::ZERO, PI, 0.0);
    scene.world.sensors[blind].blind_to = vec![floor];
    for k in [front, back] {
        // Seen from the height of the middle the corners are up to 54.7 degrees off.
        scene.world.sensors[k].kind = SensorKind::Bumper { half_angle: 1.0 };
        scene.world.sensors[k].blind_to = vec![floor];
    }
    let mut world = simulation(&scene);
    let touched = |world: &Simulation, k: usize| {
        world.readings()[k].as_ref().map(|reading| reading.value.clone())
            == Some(Measured::Touched(Some(true)))
    };
    let mut met = None;
    for k in 0..700 {
        world.step();
        let time = k as f64 * 0.001;
        assert!(!touched(&world, back));
        assert_eq!(touched(&world, front), touched(&world, blind), "{time}");
        if touched(&world, blind) && met.is_none() {
            met = Some(time);
        }
        // After the first step the floor holds it up, until the impact lifts it a little.
        if time < 0.499 {
            assert_eq!([touched(&world, all), touched(&world, still)], [k > 0; 2], "{time}");
        }
    }
    // 0.5 m of free way at 1 m/s.
    assert!((met.unwrap() - 0.5).abs() < 3e-3, "{met:?}");
    assert!(world.contacts().iter().any(|contact| contact.bodies.contains(&floor) && contact.impulse > 0.0));
    // In the world there is nothing to be touched, and no wheel either.
    sensor(&mut scene, Mount::World, SensorKind::Bumper { half_angle: PI });
    sensor(&mut scene, Mount::Body(sliding), SensorKind::Odometry);
    let said = refused(&scene);
    assert!(
        said.contains("a bumper in the world feels nothing") && said.contains("odometry counts turns"),
        "{said}"
    );
}

#[test]
fn cameras_take_pictures_in_the_colours_of_bodies() {
    let mut scene = Scene::default();
    let block = body(&mut scene, "block", cube(2.0), Vec3::new(5.0, 0.0, 0.0), Physics::of_unsaid(true));
    painted(&mut scene, block, [200, 100, 50]);
    let camera = SensorKind::Camera { size: [64, 48], field: FRAC_PI_2, range: 20.0 };
    let eye = sensor(&mut scene, Mount::World, camera);
    let mut world = simulation(&scene);
    world.step();
    let Some(Reading { value: Measured::Picture(picture), time: 0.0 }) = &world.readings()[eye] else {
        panic!()
    };
    assert_eq!(picture.size, [64, 48]);
    // The front side at 4 m, 2 m wide, in a picture that is 8 m wide there: 16 x 16 pixels of 64 x 48.
    let seen: Vec<usize> = (0..64 * 48).filter(|k| picture.bodies[*k] == Some(block as u32)).collect();
    assert_eq!(seen.len(), 256);
    for k in 0..64 * 48 {
        let is_in = (24..40).contains(&(k % 64)) && (16..32).contains(&(k / 64));
        assert_eq!(picture.depth[k].is_finite(), is_in, "{k}");
        if is_in {
            assert!((f64::from(picture.depth[k]) - 4.0).abs() < 1e-5);
            let [r, g, b] = picture.colors[k].map(f64::from);
            assert!((r / g - 2.0).abs() < 0.1 && (g / b - 2.0).abs() < 0.15, "{:?}", picture.colors[k]);
        }
    }
}

#[test]
fn sensors_do_not_see_themselves_what_they_are_blind_to_and_goals() {
    let mut scene = Scene::default();
    scene.world.settings.gravity = Vec3::ZERO;
    let fixed = || Physics::of_unsaid(true);
    let own = body(&mut scene, "own", cube(1.0), Vec3::ZERO, fixed());
    let glass = body(&mut scene, "glass", cube(1.0), Vec3::new(2.0, 0.0, 0.0), fixed());
    let net = body(&mut scene, "net", cube(1.0), Vec3::new(4.0, 0.0, 0.0), fixed());
    let ball = ball(&mut scene, "ball", Vec3::new(6.0, 0.0, 0.0), Vec3::ZERO);
    scene.world.goals.push(Goal {
        name: "goal".into(),
        body: net,
        ball,
        resets: false,
        place: Place::default(),
    });
    let infrared = || SensorKind::Infrared { range: 10.0 };
    let usual = sensor(&mut scene, Mount::Body(own), infrared());
    let blind = sensor(&mut scene, Mount::Body(own), infrared());
    scene.world.sensors[blind].blind_to = vec![glass];
    let selfish = sensor(&mut scene, Mount::Body(own), infrared());
    scene.world.sensors[selfish].sees_itself = true;
    let mut world = simulation(&scene);
    world.step();
    let found = [usual, blind, selfish].map(|k| distance(world.readings()[k].as_ref().unwrap()));
    assert!((found[0] - 1.5).abs() < 1e-12 && (found[1] - 5.9).abs() < 1e-12 && found[2] == 0.0, "{found:?}");
    // Who puts things elsewhere is seen to have done so, also with what does not move by itself.
    let id = world.body(glass);
    world.engine_mut().set_pose(id, Pose::from_translation(Vec3::new(2.25, 0.0, 0.0)));
    world.step();
    assert!((distance(world.readings()[usual].as_ref().unwrap()) - 1.75).abs() < 1e-12);
}

#[test]
fn rates_are_kept_on_exact_multiples() {
    for (step, rate) in [
        (0.001, 5.0),
        (0.001, 30.0),
        (0.05, 5.0),
        (0.01, 100.0),
        (0.01, 1000.0),
        (1.0 / 60.0, 20.0),
        (0.003, 0.7),
    ] {
        let mut scene = Scene::default();
        scene.world.settings.step = step;
        let ball = ball(&mut scene, "ball", Vec3::ZERO, Vec3::ZERO);
        let eye = sensor(&mut scene, Mount::Body(ball), SensorKind::Infrared { range: 1.0 });
        scene.world.sensors[eye].rate = rate;
        let mut world = simulation(&scene);
        let steps = 3000;
        let found = measured(&mut world, eye, steps);
        // The n-th at the first step that is not before n / rate, with whole numbers: micro-units of 1 / (1000 rate).
        let mut expected: Vec<u64> = (0..)
            .map(|n: u64| {
                let exact = n as f64 / rate / step;
                if (exact - exact.round()).abs() < 1e-6 { exact.round() as u64 } else { exact.ceil() as u64 }
            })
            .take_while(|k| *k < steps as u64)
            .collect();
        expected.dedup();
        let times: Vec<u64> = found.iter().map(|reading| (reading.time / step).round() as u64).collect();
        assert_eq!(times, expected, "{step} {rate}");
    }
}

#[test]
fn noise_follows_from_the_seed() {
    let mut scene = Scene::default();
    scene.world.settings.gravity = Vec3::ZERO;
    let wall = Shape::Cuboid(Cuboid::new(Vec3::new(1.0, 500.0, 500.0)).unwrap());
    body(&mut scene, "wall", wall, Vec3::new(10.5, 0.0, 0.0), Physics::of_unsaid(true));
    for _ in 0..2 {
        let k = sensor(&mut scene, Mount::World, SensorKind::Infrared { range: 50.0 });
        scene.world.sensors[k].noise = Noise { constant: 0.03, relative: 0.004, dropout: 0.1 };
    }
    let lost = sensor(&mut scene, Mount::World, SensorKind::LightBarrier { range: 50.0 });
    scene.world.sensors[lost].noise.dropout = 0.25;
    let of = |scene: &Scene| {
        let mut world = simulation(scene);
        let mut found = Vec::new();
        for _ in 0..4000 {
            world.step();
            found.push(world.readings().to_vec());
        }
        found
    };
    let found = of(&scene);
    assert_eq!(found, of(&scene));
    let series = |k: usize| found.iter().map(|r| distance(r[k].as_ref().unwrap())).collect::<Vec<_>>();
    let (first, second) = (series(0), series(1));
    assert!(first.iter().zip(&second).filter(|(a, b)| a == b).count() < 200);
    let kept: Vec<f64> = first.iter().copied().filter(|d| d.is_finite()).collect();
    let mean = kept.iter().sum::<f64>() / kept.len() as f64;
    let deviation = (kept.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / kept.len() as f64).sqrt();
    assert!((kept.len() as f64 / 4000.0 - 0.9).abs() < 0.02, "{}", kept.len());
    assert!(
        (mean - 10.0).abs() < 4.0 * 0.05 / 60.0 && (deviation - 0.05).abs() < 0.003,
        "{mean} {deviation}"
    );
    let gone = found.iter().filter(|r| r[lost].as_ref().unwrap().value == Measured::Broken(None)).count();
    assert!((gone as f64 / 4000.0 - 0.25).abs() < 0.03, "{gone}");
    scene.world.settings.seed = 7;
    assert_ne!(of(&scene), found);
}

#[test]
fn what_was_measured_is_saved_and_does_not_depend_on_threads() {
    let mut scene = Scene::default();
    ground(&mut scene);
    boxes(&mut scene, 6);
    let physics = Physics { mass: Mass::Kilograms(1.0), kind: Kind::Movable, ..Physics::of_unsaid(false) };
    let carrier = body(&mut scene, "carrier", cube(0.3), Vec3::new(-1.0, 0.0, 0.6), physics);
    for (k, rate) in [(0, 5.0), (1, 20.0), (2, 0.0), (3, 7.0), (4, 11.0), (5, 3.0), (6, 0.0), (7, 40.0)] {
        let kind = match k {
            0 | 1 => grid(20.0, k == 1),
            2 => SensorKind::Infrared { range: 5.0 },
            3 => SensorKind::Camera { size: [20, 15], field: 1.0, range: 5.0 },
            4 => SensorKind::Ultrasonic { half_angle: 0.3, range: 5.0 },
            5 => SensorKind::LightBarrier { range: 2.0 },
            6 => SensorKind::Bumper { half_angle: PI },
            _ => grid(20.0, false),
        };
        let mount = if k == 7 { Mount::World } else { Mount::Body(carrier) };
        let number = sensor(&mut scene, mount, kind);
        scene.world.sensors[number].rate = rate;
        scene.world.sensors[number].noise = Noise { constant: 0.01, relative: 0.01, dropout: 0.05 };
    }
    let whole = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = simulation(&scene);
            let mut all = Vec::new();
            for _ in 0..600 {
                world.step();
                all.push(world.readings().to_vec());
            }
            (all, world.save(), world.state_hash())
        })
    };
    let one = whole(1);
    for threads in [2, 8] {
        assert!(whole(threads) == one, "{threads} threads");
    }
    let mut straight = simulation(&scene);
    run(&mut straight, 333);
    let saved = straight.save();
    let mut resumed = simulation(&scene);
    run(&mut resumed, 10);
    resumed.resume(&saved).unwrap();
    assert_eq!(resumed.readings(), straight.readings());
    for world in [&mut straight, &mut resumed] {
        run(world, 267);
        assert!(world.readings() == one.0.last().unwrap().as_slice() && world.save() == one.1);
    }
}

#[test]
fn a_sensor_out_of_this_world_is_told_once() {
    let mut scene = Scene::default();
    scene.world.settings.gravity = Vec3::ZERO;
    let ball = ball(&mut scene, "ball", Vec3::ZERO, Vec3::ZERO);
    let far = sensor(&mut scene, Mount::Body(ball), SensorKind::Infrared { range: 1.0 });
    scene.world.sensors[far].mount_from_sensor = Pose::from_translation(Vec3::new(0.0, 0.0, -1e51));
    scene.world.settings.step = 1.0;
    let mut world = simulation(&scene);
    let events = run(&mut world, 5);
    let warnings: Vec<_> =
        events.iter().filter(|event| matches!(event.kind, EventKind::Warning { .. })).collect();
    assert_eq!(warnings.len(), 1, "{events:?}");
    assert!(world.readings()[0].is_none() && world.failure().is_none());
}

#[test]
fn a_body_out_of_this_world_stops_it_and_sensors_keep_what_they_saw_before() {
    let mut scene = Scene::default();
    scene.world.settings.gravity = Vec3::new(0.0, 0.0, -1e51);
    let ball = ball(&mut scene, "ball", Vec3::ZERO, Vec3::ZERO);
    sensor(&mut scene, Mount::Body(ball), SensorKind::Infrared { range: 1.0 });
    scene.world.settings.step = 1.0;
    let mut world = simulation(&scene);
    let events = run(&mut world, 5);
    let warnings: Vec<_> =
        events.iter().filter(|event| matches!(event.kind, EventKind::Warning { .. })).collect();
    assert_eq!(warnings.len(), 1, "{events:?}");
    let failure = world.failure().expect("no answer");
    assert!(world.readings()[0].as_ref().is_some_and(|reading| reading.time <= failure.time), "{failure:?}");
}
