//! Vehicles with sensors and drivers in scenes.

use crate::scenes::{body, boxes, ground, run, sensor, simulation, try_simulation, vehicle};
use freiraum_geometry::shape::{Cuboid, Sphere};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_scene::{
    Beams, Controller as Said, Drive, Goal, Mount, Noise, Physics, Place, Scene, SensorKind, VehicleModel,
};
use freiraum_world::control::{Controller, Seen};
use freiraum_world::event::{Event, EventFilter, EventKind};
use freiraum_world::record::{self, Recording};
use freiraum_world::vehicle::{Command, GripperCommand};
use freiraum_world::{Measured, ResumeError, Simulation};
use std::f64::consts::PI;
use std::sync::{Arc, Mutex};

const MODELS: [VehicleModel; 4] = [
    VehicleModel::MonsterTruck,
    VehicleModel::StretchLimousine,
    VehicleModel::Volksbot,
    VehicleModel::Pioneer,
];

fn cube(edge: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::splat(edge)).unwrap())
}

fn at(x: f64, y: f64, yaw: f64) -> Pose {
    Pose::from_zyx_euler(0.0, 0.0, yaw, Vec3::new(x, y, 0.0)).unwrap()
}

/// What a driver was told.
#[derive(Default)]
struct Log {
    asked: Vec<(f64, f64)>,
    events: Vec<Event>,
    /// Sensor, time of the measurement, whether it is new.
    readings: Vec<(usize, f64, bool)>,
    pose: Option<Pose>,
}

/// Says always the same, and writes down what it sees.
struct Constant(Vec<Command>, Vec<String>, Arc<Mutex<Log>>);

impl Controller for Constant {
    fn step(&mut self, seen: &Seen, commands: &mut Vec<Command>, notes: &mut Vec<String>) {
        let mut log = self.2.lock().unwrap();
        log.asked.push((seen.time, seen.step));
        log.events.extend_from_slice(seen.events);
        log.readings.extend(seen.readings.iter().map(|r| (r.sensor, r.reading.time, r.is_new)));
        log.pose = Some(seen.pose);
        assert_eq!(seen.poses.len(), seen.scene.bodies.len());
        commands.extend(self.0.iter().cloned());
        notes.append(&mut self.1);
    }
}

fn drive(speed: f64, turn: f64) -> Command {
    Command::Drive { speed, turn }
}

#[test]
fn vehicles_are_bodies_of_the_scene() {
    let mut scene = Scene::default();
    ground(&mut scene);
    let truck = vehicle(&mut scene, VehicleModel::MonsterTruck, at(1.0, 2.0, 0.5), None);
    let bot = vehicle(&mut scene, VehicleModel::Volksbot, at(5.0, 0.0, 0.0), None);
    let mut world = simulation(&scene);
    let parts = [truck, bot].map(|k| world.vehicle_bodies(k));
    assert_eq!((parts[0].start, parts[0].end), (1, parts[1].start));
    assert_eq!(world.scene().bodies.len(), parts[1].end);
    assert!(world.scene().bodies[1].name.starts_with("vehicle 0/"));
    assert_eq!(
        (world.vehicle_of(0), world.vehicle_of(1), world.vehicle_of(parts[1].start)),
        (None, Some(0), Some(1))
    );
    assert!((world.vehicle_pose(truck).translation() - Vec3::new(1.0, 2.0, 0.0)).length() < 1e-9);
    // Nobody drives: it stays, and stands on the ground.
    let events = run(&mut world, 1000);
    assert!((world.vehicle_pose(truck).translation() - Vec3::new(1.0, 2.0, 0.0)).length() < 0.02);
    assert!(events.iter().any(
        |event| matches!(event.kind, EventKind::Collision { bodies: [0, b], .. } if parts[0].contains(&b))
    ));
    assert!(world.contacts().iter().all(|contact| contact.bodies.contains(&0)));
    assert!(!world.contacts().is_empty());
}

#[test]
fn commands_move_them_and_odometry_counts_it() {
    for (model, drives) in
        MODELS.iter().flat_map(|model| [(*model, Drive::Kinematic), (*model, Drive::Dynamic)])
    {
        let mut scene = Scene::default();
        ground(&mut scene);
        let car = vehicle(&mut scene, model, at(-1.0, 3.0, 0.7), None);
        scene.world.vehicles[car].drive = drives;
        let wheels = sensor(&mut scene, Mount::Vehicle(car), SensorKind::Odometry);
        let mut world = simulation(&scene);
        run(&mut world, 300);
        world.command(car, &drive(0.4, 0.0)).unwrap();
        run(&mut world, 3000);
        let way = (at(-1.0, 3.0, 0.7).inverse() * world.vehicle_pose(car)).translation();
        // It takes a moment to get that fast.
        assert!(way.x > 0.9 && way.x < 1.25 && way.y.abs() < 0.05, "{model:?} {drives:?} {way}");
        let speed = world.vehicle_speed(car);
        assert!((speed[0] - 0.4).abs() < 0.03 && speed[1].abs() < 0.05, "{model:?} {drives:?} {speed:?}");
        let Some(Measured::Odometry(track)) = world.readings()[wheels].as_ref().map(|r| r.value.clone())
        else {
            panic!()
        };
        assert!(
            (track.x - way.x).abs() < 0.05 && track.y.abs() < 0.05,
            "{model:?} {drives:?} {track:?} {way}"
        );
    }
}

#[test]
fn sensors_ride_along_and_do_not_see_their_vehicle() {
    let mut scene = Scene::default();
    ground(&mut scene);
    body(&mut scene, "wall", cube(4.0), Vec3::new(7.0, 0.0, 2.0), Physics::of_unsaid(true));
    let truck = vehicle(&mut scene, VehicleModel::MonsterTruck, at(0.0, 0.0, 0.0), None);
    scene.world.vehicles[truck].drive = Drive::Kinematic;
    let eye = sensor(&mut scene, Mount::Vehicle(truck), SensorKind::Infrared { range: 20.0 });
    scene.world.sensors[eye].mount_from_sensor = Pose::from_translation(Vec3::new(0.0, 0.0, 0.2));
    let laser = sensor(
        &mut scene,
        Mount::Vehicle(truck),
        SensorKind::Laser {
            beams: Beams::Rows { elevations: vec![0.0], columns: 31, field: 0.5 },
            range: 20.0,
            by_depth_buffer: false,
        },
    );
    scene.world.sensors[laser].name = "laser".to_owned();
    let mut world = simulation(&scene);
    world.command(truck, &drive(0.5, 0.0)).unwrap();
    for _ in 0..2000 {
        world.step();
    }
    let seen = world.vehicle_pose(truck).translation().x;
    world.step();
    let Some(Measured::Distance(found)) = world.readings()[eye].as_ref().map(|r| r.value.clone()) else {
        panic!()
    };
    assert!(seen > 0.5 && (found - (5.0 - seen)).abs() < 1e-6, "{found} {seen}");
    // The model says where its laser scanner sits.
    let seat = freiraum_world::vehicle::seat(VehicleModel::MonsterTruck, "laser scanner").unwrap();
    assert_eq!(world.scene().world.sensors[laser].mount_from_sensor, seat);
    let Some(Measured::Distances(found)) = world.readings()[laser].as_ref().map(|r| r.value.clone()) else {
        panic!()
    };
    let expected = 5.0 - seen - seat.translation().x;
    assert!((found[15] - expected).abs() < 1e-6 && found.iter().all(|d| *d >= expected - 1e-6), "{found:?}");
}

#[test]
fn bumpers_of_vehicles_feel_with_all_parts() {
    let mut scene = Scene::default();
    let floor = ground(&mut scene);
    body(&mut scene, "wall", cube(4.0), Vec3::new(3.0, 0.0, 2.0), Physics::of_unsaid(true));
    let bot = vehicle(&mut scene, VehicleModel::Volksbot, at(0.0, 0.0, 0.0), None);
    let front = sensor(&mut scene, Mount::Vehicle(bot), SensorKind::Bumper { half_angle: 1.2 });
    let back = sensor(&mut scene, Mount::Vehicle(bot), SensorKind::Bumper { half_angle: 1.2 });
    scene.world.sensors[back].mount_from_sensor = at(0.0, 0.0, PI);
    for k in [front, back] {
        scene.world.sensors[k].blind_to = vec![floor];
    }
    let mut world = simulation(&scene);
    world.command(bot, &drive(0.5, 0.0)).unwrap();
    let touched = |world: &Simulation, k: usize| {
        world.readings()[k].as_ref().is_some_and(|r| r.value == Measured::Touched(Some(true)))
    };
    let mut met = None;
    for _ in 0..4000 {
        world.step();
        assert!(!touched(&world, back));
        if touched(&world, front) {
            met = Some(world.vehicle_pose(bot).translation().x);
            break;
        }
    }
    let met = met.expect("it gets to the wall");
    assert!(met > 0.5 && met < 0.95, "{met}");
    run(&mut world, 1000);
    assert!(world.vehicle_pose(bot).translation().x < 1.0);
}

#[test]
fn drivers_hear_of_their_own_and_of_goals() {
    let mut scene = Scene::default();
    ground(&mut scene);
    let net = body(&mut scene, "net", cube(0.5), Vec3::new(0.0, 5.0, 0.25), Physics::of_unsaid(true));
    let shot = Physics { velocity: Vec3::new(0.0, 4.0, 1.0), ..Physics::of_unsaid(false) };
    let ball =
        body(&mut scene, "ball", Shape::Sphere(Sphere::new(0.1).unwrap()), Vec3::new(0.0, 3.0, 0.4), shot);
    scene.world.goals.push(Goal {
        name: "goal".into(),
        body: net,
        ball,
        resets: false,
        place: Place::default(),
    });
    let car = vehicle(&mut scene, VehicleModel::Volksbot, at(0.0, 0.0, 0.0), None);
    let other = vehicle(&mut scene, VehicleModel::Volksbot, at(0.0, -3.0, 0.0), None);
    let eye = sensor(&mut scene, Mount::Vehicle(car), SensorKind::Infrared { range: 20.0 });
    scene.world.sensors[eye].rate = 10.0;
    scene.world.sensors[eye].mount_from_sensor = Pose::from_translation(Vec3::new(0.0, 0.0, 0.3));
    let mut world = simulation(&scene);
    let log = Arc::new(Mutex::new(Log::default()));
    let nonsense = Command::Gripper(GripperCommand::Close);
    let says = vec![drive(0.3, 0.0), nonsense];
    world.set_controller(car, Some(Box::new(Constant(says, vec!["hello".to_owned()], log.clone()))));
    assert!(world.has_controller(car) && !world.has_controller(other));
    let events = run(&mut world, 1000);
    let log = log.lock().unwrap();
    assert_eq!(log.asked.len(), 1000);
    assert!(
        log.asked
            .iter()
            .enumerate()
            .all(|(k, (t, step))| (t - k as f64 * 0.001).abs() < 1e-12 && *step == 0.001)
    );
    // Ten measurements, each new once.
    assert_eq!(log.readings.iter().filter(|(_, _, is_new)| *is_new).count(), 10);
    assert!(
        log.readings
            .iter()
            .all(|(k, time, _)| *k == eye && (time * 10.0 - (time * 10.0).round()).abs() < 1e-9)
    );
    assert!(world.vehicle_pose(car).translation().x > 0.1, "it drove");
    // Its refusal is told once, its note too.
    let warnings: Vec<(Option<usize>, &str)> = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Warning { vehicle, message } => Some((*vehicle, message.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_eq!(warnings[0], (Some(car), "hello"));
    assert!(warnings[1].0 == Some(car) && warnings[1].1.contains("gripper"), "{warnings:?}");
    let own = world.vehicle_bodies(car);
    let is_own = |event: &Event| {
        event.vehicle() == Some(car)
            || matches!(event.kind, EventKind::Goal { .. })
            || event.bodies(world.scene()).iter().any(|body| own.contains(body))
    };
    // All of the last step come with the next one.
    let expected: Vec<&Event> = events.iter().filter(|event| is_own(event) && event.time < 0.9985).collect();
    assert_eq!(log.events.iter().collect::<Vec<_>>()[..expected.len()], expected[..]);
    assert!(log.events.iter().any(|event| matches!(event.kind, EventKind::Goal { .. })));
    assert!(log.events.iter().all(is_own) && events.iter().any(|event| !is_own(event)));
    // Filters know vehicles.
    let filter = EventFilter {
        of: own.clone().collect(),
        of_vehicles: vec![car],
        without: vec!["warning"],
        ..EventFilter::default()
    };
    assert!(events.iter().filter(|event| filter.passes(event, world.scene())).all(is_own));
}

#[test]
fn a_vehicle_on_its_back_is_told_once() {
    let mut scene = Scene::default();
    ground(&mut scene);
    let pose = Pose::from_zyx_euler(2.6, 0.0, 0.0, Vec3::new(0.0, 0.0, 1.0)).unwrap();
    vehicle(&mut scene, VehicleModel::Volksbot, pose, None);
    let mut world = simulation(&scene);
    let events = run(&mut world, 1500);
    let warnings = events.iter().filter(|e| matches!(&e.kind, EventKind::Warning { vehicle: Some(0), message } if message == "it turned over"));
    assert_eq!(warnings.count(), 1);
}

/// A truck with everything, boxes in its way, a driver that the scene names.
fn busy() -> Scene {
    let mut scene = Scene::default();
    ground(&mut scene);
    boxes(&mut scene, 4);
    for (k, model) in MODELS.into_iter().enumerate() {
        let car = vehicle(&mut scene, model, at(-2.0, 1.5 * k as f64, 0.0), None);
        scene.world.vehicles[car].drive = if k == 3 { Drive::Kinematic } else { Drive::Dynamic };
        for kind in [
            SensorKind::Laser {
                beams: Beams::Grid { size: [32, 24], field: [1.0, 0.8] },
                range: 20.0,
                by_depth_buffer: k == 1,
            },
            SensorKind::Odometry,
            SensorKind::Bumper { half_angle: PI },
        ] {
            let number = sensor(&mut scene, Mount::Vehicle(car), kind);
            scene.world.sensors[number].mount_from_sensor = Pose::from_translation(Vec3::new(0.3, 0.0, 0.4));
            scene.world.sensors[number].noise = Noise { constant: 0.01, relative: 0.02, dropout: 0.1 };
            scene.world.sensors[number].rate = 20.0;
        }
        scene.world.vehicles[car].controller = Some(Said::Wander);
    }
    scene
}

#[test]
fn whole_worlds_are_saved_and_do_not_depend_on_threads() {
    let scene = busy();
    let whole = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = simulation(&scene);
            for k in 0..4 {
                world.command(k, &drive(0.5, 0.1 * k as f64)).unwrap();
            }
            let events = run(&mut world, 1500);
            (world.save(), world.state_hash(), events)
        })
    };
    let one = whole(1);
    for threads in [1, 2, 8] {
        assert!(whole(threads) == one, "{threads} threads");
    }
    let mut straight = simulation(&scene);
    for k in 0..4 {
        straight.command(k, &drive(0.5, 0.1 * k as f64)).unwrap();
    }
    run(&mut straight, 700);
    let saved = straight.save();
    let mut resumed = simulation(&scene);
    run(&mut resumed, 3);
    resumed.resume(&saved).unwrap();
    assert_eq!(resumed.state_hash(), straight.state_hash());
    assert_eq!(resumed.readings(), straight.readings());
    let events = [run(&mut straight, 800), run(&mut resumed, 800)];
    assert_eq!(events[0], events[1]);
    assert!(straight.save() == one.0 && resumed.save() == one.0);
    // The state of the vehicles is a part of the fingerprint, and the vehicles of that of the scene.
    let mut other = simulation(&scene);
    other.resume(&saved).unwrap();
    let before = other.state_hash();
    other.command(0, &drive(0.2, 0.0)).unwrap();
    assert_ne!(other.state_hash(), before);
    for change in [
        |scene: &mut Scene| scene.world.vehicles[0].controller = None,
        |scene: &mut Scene| scene.world.vehicles[1].full_collision = false,
        |scene: &mut Scene| scene.world.sensors[2].rate = 21.0,
        |scene: &mut Scene| scene.world.sensors[0].noise.dropout = 0.2,
        |scene: &mut Scene| scene.world.settings.seed = 3,
    ] {
        let mut changed = scene.clone();
        change(&mut changed);
        assert_eq!(simulation(&changed).resume(&saved), Err(ResumeError::OtherScene));
    }
}

#[test]
fn recordings_name_vehicles_and_keep_measurements() {
    let scene = busy();
    let mut world = simulation(&scene);
    let mut text = record::header(&world, 30.0);
    let mut count = 0;
    for _ in 0..120 {
        text.push_str(&record::frame(&world));
        world.step();
        for (sensor, reading) in world.new_readings() {
            text.push_str(&record::reading(sensor, reading));
            count += 1;
        }
    }
    text.push_str(&record::end(&world));
    let found = Recording::parse(&text).unwrap();
    assert_eq!(found.vehicles, ["vehicle 0", "vehicle 1", "vehicle 2", "vehicle 3"]);
    assert_eq!((found.sensors.len(), found.readings.len()), (12, count));
    assert!(count > 30 && found.is_complete);
    let parts: Vec<usize> = found.bodies.iter().map(|(_, body)| *body).collect();
    assert!((0..4).all(|k| world.vehicle_bodies(k).all(|body| parts.contains(&body))));
    let (time, sensor, value) = &found.readings[0];
    assert_eq!((*time, *sensor, value.as_array().unwrap().len()), (0.0, 0, 32 * 24));
    let broken = text.replace("\"sensor\":0", "\"sensor\":99");
    assert!(Recording::parse(&broken).unwrap_err().to_string().contains("a sensor that is not there"));
}

#[test]
fn wrong_scenes_are_refused_with_words() {
    let mut scene = Scene::default();
    ground(&mut scene);
    body(&mut scene, "vehicle 0/chassis", cube(1.0), Vec3::new(9.0, 0.0, 2.0), Physics::of_unsaid(true));
    let truck = vehicle(&mut scene, VehicleModel::MonsterTruck, at(0.0, 0.0, 0.0), None);
    let wide = SensorKind::Camera { size: [10, 10], field: 3.2, range: 1.0 };
    sensor(&mut scene, Mount::Vehicle(truck), wide);
    let said = |scene: &Scene| match try_simulation(scene) {
        Ok(_) => panic!("taken"),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    };
    let first = said(&scene);
    assert!(first.contains("\"vehicle 0/chassis\" is a part of the vehicle \"vehicle 0\""), "{first}");
    scene.bodies[1].name = "house".to_owned();
    let second = said(&scene);
    assert!(second.contains("the sensor \"sensor 0\" cannot measure: the field of view must be"), "{second}");
}
