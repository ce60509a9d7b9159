use super::{hash, write_content};
use freiraum_geometry::shape::{Cuboid, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::Prepared;
use freiraum_scene::{
    Beams, Body, Color, Contacts, Controller, Drive, Geometry, Goal, Kind, Laser, Mass, MassModel, Mount,
    Noise, Physics, Place, Scene, Sensor, SensorKind, Vehicle, VehicleModel,
};
use std::sync::Arc;

fn at(x: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, 0.5, -0.25))
}

/// Every kind of thing that can be said, in numbers without rounding.
fn scene() -> (Scene, Vec<Prepared>) {
    let mut scene = Scene::default();
    let shapes = [
        Shape::Sphere(Sphere::new(0.5).unwrap()),
        Shape::Cuboid(Cuboid::new(Vec3::new(1.0, 2.0, 4.0)).unwrap()),
        Shape::Sphere(Sphere::new(0.25).unwrap()),
    ];
    for (number, shape) in shapes.iter().enumerate() {
        scene.bodies.push(Body {
            name: format!("body {number}"),
            geometry: Geometry::Shape(shape.clone()),
            is_fixed: number == 1,
            color: None,
            pose: at(number as f64),
            goal: None,
            place: Place::default(),
        });
    }
    let springs = Contacts::Springs { stiffness: 1024.0, damping: 8.0 };
    let physics = Physics { kind: Kind::Kinematic, contacts: springs, ..Physics::of_unsaid(false) };
    scene.world.physics.push((2, Physics { mass: Mass::Kilograms(3.0), velocity: Vec3::X, ..physics }));
    let goal = Goal { name: "goal".into(), body: 1, ball: 2, resets: true, place: Place::default() };
    scene.world.goals.push(goal);
    let controllers = [
        None,
        Some(Controller::Wander),
        Some(Controller::DriveTo(Vec3::Y)),
        Some(Controller::Collect),
        Some(Controller::Soccer { ball: 2, goal: 0 }),
        Some(Controller::Keyboard),
        Some(Controller::Program {
            command: vec!["python3".into(), "drive.py".into()],
            timeout: 0.5,
            rate: 16.0,
            folder: "/somewhere".into(),
        }),
    ];
    for (controller, (name, model)) in controllers.into_iter().zip(VehicleModel::NAMES) {
        scene.world.vehicles.push(Vehicle {
            name: name.to_owned(),
            model,
            pose: at(8.0),
            drive: if model == VehicleModel::Khepera { Drive::Kinematic } else { Drive::Dynamic },
            masses: if model == VehicleModel::Hr18 { MassModel::Single } else { MassModel::Distributed },
            full_collision: model == VehicleModel::Pioneer,
            is_active: model != VehicleModel::Volksbot,
            controller,
            color: None,
            place: Place::default(),
        });
    }
    let laser = Laser { elevation: 0.125, azimuth: 0.25, up: 0.5, left: 1.0 };
    let beams = [
        Beams::Grid { size: [4, 2], field: [1.0, 0.5] },
        Beams::Rows { elevations: vec![0.0, 0.25], columns: 32, field: 2.0 },
        Beams::Lasers { lasers: vec![laser], columns: 16, field: 1.5 },
    ];
    let lasers = beams.map(|beams| SensorKind::Laser { beams, range: 10.0, by_depth_buffer: false });
    let others = [
        SensorKind::Infrared { range: 0.5 },
        SensorKind::LightBarrier { range: 0.75 },
        SensorKind::Bumper { half_angle: 0.5 },
        SensorKind::Camera { size: [64, 48], field: 1.0, range: 20.0 },
        SensorKind::Ultrasonic { half_angle: 0.25, range: 4.0 },
        SensorKind::Odometry,
    ];
    let mounts = [Mount::World, Mount::Body(1), Mount::Vehicle(3)];
    for ((number, kind), mount) in lasers.into_iter().chain(others).enumerate().zip(mounts.iter().cycle()) {
        scene.world.sensors.push(Sensor {
            name: format!("sensor {number}"),
            mount: *mount,
            mount_from_sensor: at(0.125),
            kind,
            rate: 32.0,
            blind_to: vec![number % 3],
            blind_to_vehicles: vec![number % 7, 1],
            sees_itself: number == 2,
            noise: Noise { constant: 0.125, relative: 0.0625, dropout: 0.5 },
            place: Place::default(),
        });
    }
    (scene, shapes.into_iter().map(Prepared::new).collect())
}

fn content(scene: &Scene) -> Vec<u8> {
    let mut all = Vec::new();
    write_content(scene, &mut |_, _| {}, &mut |bytes| all.extend_from_slice(bytes));
    all
}

#[test]
fn a_rename_does_not_change_the_hash() {
    let (scene, shapes) = scene();
    // Saved worlds and recordings have this hash. If it changes, CONTENT_VERSION and the version of saved
    // worlds grow.
    let hash = blake3::Hash::from_bytes(hash(&scene, &shapes));
    assert_eq!(hash.to_hex().as_str(), "81323a48db3de7771ed603653cf5e5e56e1c8672fc3a0326d5fa00696f09ec3e");
}

#[test]
fn a_sheet_is_another_world() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from_array);
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mesh = Mesh::new(corners.to_vec(), faces.to_vec()).unwrap();
    let solid = Prepared::new(Shape::Mesh(Arc::new(mesh)));
    let sheet = solid.clone().as_sheet();
    let mut scene = scene().0;
    scene.bodies.truncate(1);
    let hashes = [solid, sheet].map(|shape| hash(&scene, &[shape]));
    assert_ne!(hashes[0], hashes[1], "the shape says it");
}

#[test]
fn the_bytes_begin_with_version_and_settings() {
    let mut scene = Scene::default();
    (scene.world.settings.gravity, scene.world.settings.step) = (Vec3::new(0.0, 0.0, -1.0), 0.5);
    (scene.world.settings.drag, scene.world.settings.seed) = (2.0, 258);
    let mut expected = vec![2, 0, 0, 0];
    for number in [0x0000_0000_0000_0000_u64, 0, 0xbff0 << 48, 0x3fe0 << 48, 0x4000 << 48, 258] {
        expected.extend(number.to_le_bytes());
    }
    // No bodies, goals, ignored pairs, vehicles or sensors.
    expected.extend([0; 5 * 8]);
    assert_eq!(content(&scene), expected);
}

#[test]
fn whatever_matters_changes_the_bytes_and_nothing_else_does() {
    type Change = (&'static str, fn(&mut Scene));
    let changes: &[Change] = &[
        ("gravity", |s| s.world.settings.gravity.x = 1.0),
        ("sign of zero", |s| s.world.settings.gravity.x = -0.0),
        ("step", |s| s.world.settings.step = 0.25),
        ("drag", |s| s.world.settings.drag = 1.0),
        ("seed", |s| s.world.settings.seed = 7),
        ("name", |s| s.bodies[0].name.push('!')),
        ("border of names", |s| s.bodies[0].name = "body 0body 1".into()),
        ("pose", |s| s.bodies[0].pose = at(1.0_f64.next_up())),
        ("fixed", |s| s.bodies[0].is_fixed = true),
        ("sheet", |s| s.sheets.push(0)),
        ("other sheet", |s| s.sheets.push(2)),
        ("kind", |s| s.world.physics[0].1.kind = Kind::Movable),
        ("mass", |s| s.world.physics[0].1.mass = Mass::Density(3.0)),
        ("friction", |s| s.world.physics[0].1.friction = 0.1),
        ("restitution", |s| s.world.physics[0].1.restitution = 0.1),
        ("contacts", |s| s.world.physics[0].1.contacts = Contacts::Impulses),
        ("active", |s| s.world.physics[0].1.is_active = false),
        ("velocity", |s| s.world.physics[0].1.velocity = Vec3::Y),
        ("spin", |s| s.world.physics[0].1.spin = Vec3::Y),
        ("goal", |s| s.world.goals[0].resets = false),
        ("ball", |s| s.world.goals[0].ball = 0),
        ("no goal", |s| s.world.goals.clear()),
        ("model", |s| s.world.vehicles[5].model = VehicleModel::KheperaGripper),
        ("drive", |s| s.world.vehicles[5].drive = Drive::Dynamic),
        ("masses", |s| s.world.vehicles[4].masses = MassModel::Distributed),
        ("full collision", |s| s.world.vehicles[0].full_collision = false),
        ("active vehicle", |s| s.world.vehicles[0].is_active = false),
        ("controller", |s| s.world.vehicles[0].controller = Some(Controller::Wander)),
        ("point", |s| s.world.vehicles[2].controller = Some(Controller::DriveTo(Vec3::Z))),
        ("program", |s| {
            let Some(Controller::Program { command, .. }) = &mut s.world.vehicles[6].controller else {
                panic!()
            };
            *command = vec!["python3drive.py".into()];
        }),
        ("mount", |s| s.world.sensors[0].mount = Mount::Body(0)),
        ("beams", |s| s.world.sensors[0].kind = s.world.sensors[1].kind.clone()),
        ("rate", |s| s.world.sensors[0].rate = 1.0),
        ("blind", |s| s.world.sensors[0].blind_to.clear()),
        ("blind to vehicles", |s| s.world.sensors[0].blind_to_vehicles.clear()),
        ("itself", |s| s.world.sensors[0].sees_itself = true),
        ("noise", |s| s.world.sensors[0].noise.dropout = 0.25),
        ("kind of sensor", |s| s.world.sensors[3].kind = SensorKind::LightBarrier { range: 0.5 }),
    ];
    let before = scene().0;
    let mut all = vec![("as it was", content(&before))];
    for (name, change) in changes {
        let mut scene = before.clone();
        change(&mut scene);
        let bytes = content(&scene);
        for (other, earlier) in &all {
            assert_ne!(*earlier, bytes, "{name} and {other}");
        }
        all.push((name, bytes));
    }
    let mut same = before.clone();
    same.bodies[0].color = Some(Color([1, 2, 3]));
    same.world.vehicles[0].color = Some(Color([1, 2, 3]));
    let Some(Controller::Program { folder, .. }) = &mut same.world.vehicles[6].controller else { panic!() };
    *folder = "/elsewhere".into();
    assert_eq!(content(&same), content(&before));
}
