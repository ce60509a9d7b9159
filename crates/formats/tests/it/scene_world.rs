//! What scene files say for simulations: in metres and radians, with defaults, and kept when other things change.

use freiraum_formats::scene::SceneFile;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{
    Beams, Color, Contacts, Controller, Drive, Kind, Laser, Mass, MassModel, Mount, Noise, Physics,
    SensorKind, VehicleModel,
};
use freiraum_testkit::folder::Folder;
use std::path::Path;

const WORLD: &str = r#"units = "cm"
[world]
gravity = [0, 1, -981]
step = 0.05
drag = 0.25
seed = 42
[[body]]
name = "ground"
shape = { plane = { normal = [0, 0, 1], offset = 0 } }
fixed = true
[[body]]
name = "ball"       # round
shape = { sphere = { radius = 3 } }
physics = { mass = 0.5, friction = 0.3, restitution = 0.8, velocity = [100, 0, 0], spin_deg = [0, 0, 180] }
[[body]]
name = "belt"
shape = { box = { size = [1, 1, 1] } }
physics = { kind = "kinematic", density = 7800, stiffness = 2000, damping = 5, active = false }
[[body]]
name = "spring"
shape = { box = { size = [1, 1, 1] } }
physics = { stiffness = 2000 }
[[body]]
name = "net"
shape = { box = { size = [1, 1, 1] } }
[[vehicle]]
name = "truck"
model = "monster truck"
[[vehicle]]
name = "robot"
model = "khepera with gripper"
pose = [100, 0, 0, 0, 0, 90]
drive = "kinematic"
masses = "single"
full_collision = false
active = false
controller = { program = ["python3", "c.py"], timeout = 0.1, rate = 20 }
[[vehicle]]
name = "player"
model = "khepera"
controller = { soccer = { ball = "ball", goal = "left" } }
[[vehicle]]
name = "scout"
model = "pioneer"
controller = { drive_to = [100, 200, 0] }
[[vehicle]]
name = "dog"
model = "volksbot"
controller = "wander"
color = "navy"
[[sensor]]
name = "scanner"
on = "truck"
pose = [50, 0, 80]
kind = "laser"
rate = 5
range = 2000
method = "depth buffer"
grid = { size = [160, 120], field_deg = [60, 45] }
blind_to = ["ball", "net"]
sees_itself = true
noise = { constant = 1, relative = 0.01, dropout = 0.001 }
[[sensor]]
name = "velodyne"
on = "ball"
kind = "laser"
range = 10
rows = { elevations_deg = [-90, 0], columns = 4 }
[[sensor]]
name = "barrier"
kind = "light barrier"
range = 200
[[sensor]]
name = "front"
on = "truck"
kind = "bumper"
[[sensor]]
name = "eye"
on = "truck"
kind = "camera"
range = 100
[[sensor]]
name = "sonar"
on = "truck"
kind = "ultrasonic"
range = 100
half_angle_deg = 90
[[sensor]]
name = "wheels"
on = "truck"
kind = "odometry"
[[goal]]
name = "left"
body = "net"
ball = "ball"
resets = true
"#;

fn read(text: &str) -> SceneFile {
    SceneFile::parse(text, Path::new(""), "world.toml").unwrap_or_else(|e| panic!("{}", e.render(false)))
}

#[test]
fn everything_is_read() {
    let file = read(WORLD);
    let scene = file.scene();
    let settings = &scene.world.settings;
    assert_eq!(settings.gravity, Vec3::new(0.0, 0.01, -9.81));
    assert_eq!((settings.step, settings.drag, settings.seed), (0.05, 0.25, 42));
    assert_eq!(scene.physics(0), Physics::of_unsaid(true));
    let ball = scene.physics(1);
    assert_eq!((ball.kind, ball.mass, ball.friction), (Kind::Movable, Mass::Kilograms(0.5), 0.3));
    assert_eq!((ball.restitution, ball.velocity), (0.8, Vec3::X));
    assert_eq!(ball.spin, Vec3::new(0.0, 0.0, std::f64::consts::PI));
    let belt = scene.physics(2);
    assert_eq!((belt.kind, belt.mass, belt.is_active), (Kind::Kinematic, Mass::Density(7800.0), false));
    assert_eq!(belt.contacts, Contacts::Springs { stiffness: 2000.0, damping: 5.0 });
    assert_eq!(scene.physics(3).contacts, Contacts::Springs { stiffness: 2000.0, damping: 20.0 });
    assert_eq!(scene.physics(4), Physics::of_unsaid(false));
    assert_eq!(scene.world.physics.iter().map(|(body, _)| *body).collect::<Vec<_>>(), [1, 2, 3]);

    let [truck, robot, player, scout, dog] = &scene.world.vehicles[..] else { panic!("five vehicles") };
    assert_eq!(
        (truck.model, truck.drive, truck.masses),
        (VehicleModel::MonsterTruck, Drive::Dynamic, MassModel::Distributed)
    );
    assert!(
        truck.full_collision && truck.is_active && truck.controller.is_none() && truck.pose == Pose::IDENTITY
    );
    assert_eq!(
        (robot.model, robot.drive, robot.masses),
        (VehicleModel::KheperaGripper, Drive::Kinematic, MassModel::Single)
    );
    assert!(!robot.full_collision && !robot.is_active);
    assert_eq!((robot.color, dog.color), (None, Some(Color([0, 0, 128]))));
    assert!((robot.pose.transform_point(Vec3::X) - Vec3::new(1.0, 1.0, 0.0)).length() < 1e-12);
    let program = Controller::Program {
        command: vec!["python3".into(), "c.py".into()],
        timeout: 0.1,
        rate: 20.0,
        folder: Path::new("").to_path_buf(),
    };
    assert_eq!(robot.controller, Some(program));
    assert_eq!(player.controller, Some(Controller::Soccer { ball: 1, goal: 0 }));
    assert_eq!(scout.controller, Some(Controller::DriveTo(Vec3::new(1.0, 2.0, 0.0))));
    assert_eq!(dog.controller, Some(Controller::Wander));

    let [scanner, velodyne, barrier, front, eye, sonar, wheels] = &scene.world.sensors[..] else {
        panic!("sensors")
    };
    assert_eq!((scanner.mount, scanner.rate, &scanner.blind_to[..]), (Mount::Vehicle(0), 5.0, &[1, 4][..]));
    assert_eq!(scanner.mount_from_sensor.translation(), Vec3::new(0.5, 0.0, 0.8));
    assert_eq!(scanner.noise, Noise { constant: 0.01, relative: 0.01, dropout: 0.001 });
    let field = [60.0_f64, 45.0].map(f64::to_radians);
    let beams = Beams::Grid { size: [160, 120], field };
    assert_eq!(scanner.kind, SensorKind::Laser { beams, range: 20.0, by_depth_buffer: true });
    assert!(scanner.sees_itself && !velodyne.sees_itself && velodyne.mount == Mount::Body(1));
    let elevations = vec![-std::f64::consts::FRAC_PI_2, 0.0];
    let beams = Beams::Rows { elevations, columns: 4, field: std::f64::consts::TAU };
    assert_eq!(velodyne.kind, SensorKind::Laser { beams, range: 0.1, by_depth_buffer: false });
    assert_eq!((barrier.mount, &barrier.kind), (Mount::World, &SensorKind::LightBarrier { range: 2.0 }));
    assert_eq!(front.kind, SensorKind::Bumper { half_angle: std::f64::consts::PI });
    assert_eq!(eye.kind, SensorKind::Camera { size: [160, 120], field: field[0], range: 1.0 });
    assert_eq!(sonar.kind, SensorKind::Ultrasonic { half_angle: std::f64::consts::FRAC_PI_2, range: 1.0 });
    assert_eq!(wheels.kind, SensorKind::Odometry);
    let [goal] = &scene.world.goals[..] else { panic!("one goal") };
    assert_eq!((goal.name.as_str(), goal.body, goal.ball, goal.resets), ("left", 4, 1, true));
}

#[test]
fn what_is_not_said_has_its_default() {
    let file = read("[[body]]\nname = \"a\"\nshape = { sphere = { radius = 1 } }\n");
    let settings = &file.scene().world.settings;
    assert_eq!((settings.gravity, settings.step), (Vec3::new(0.0, 0.0, -9.81), 0.001));
    assert!(file.scene().world.vehicles.is_empty() && file.scene().world.physics.is_empty());
    // One number pulls downwards, in the unit of the file.
    let text = "units = \"mm\"\nworld = { gravity = 1620 }\n[[body]]\nname = \"a\"\nshape = { sphere = { radius = 1 } }\n";
    assert!((read(text).scene().world.settings.gravity - Vec3::new(0.0, 0.0, -1.62)).length() < 1e-15);
}

#[test]
fn changes_keep_it_and_names_follow() {
    let mut file = read(WORLD);
    file.set_pose(1, &Pose::from_translation(Vec3::new(0.0, 0.0, 1.0))).unwrap();
    file.rename_body(1, "globe").unwrap();
    file.rename_body(4, "web").unwrap();
    let expected = WORLD
        .replace("name = \"ball\"  ", "name = \"globe\"  ")
        .replace("physics = { mass = 0.5", "pose = [0, 0, 100]\nphysics = { mass = 0.5")
        .replace("ball = \"ball\"", "ball = \"globe\"")
        .replace("on = \"ball\"", "on = \"globe\"")
        .replace("\"ball\", \"net\"", "\"globe\", \"web\"")
        .replace("name = \"net\"", "name = \"web\"")
        .replace("body = \"net\"", "body = \"web\"");
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines.join("\n")
    };
    // The new key may stand at another place of its table.
    assert_eq!(sorted(file.text()), sorted(&expected));
    assert_eq!(file.scene().world.goals[0].ball, 1);
    let error = file.rename_body(1, "truck").unwrap_err().to_string();
    assert!(error.contains("used twice"), "{error}");
}

/// A scene with one laser scanner that has the lasers of a table, and a body in decimetres and grams.
fn scanner(table: &str) -> String {
    format!(
        "units = \"dm\"\n[[body]]\nname = \"apple\"\nshape = {{ sphere = {{ radius = 0.4 }} }}\nphysics = {{ mass_g = 150 }}\n\
         [[sensor]]\nname = \"velodyne\"\nkind = \"laser\"\nrange = 1000\n\
         rows = {{ table = \"{table}\", columns = 1800 }}\n"
    )
}

const TABLE: &str = "lasers:\n- {dist_correction: 0, laser_id: 0, rot_correction: 0.1, vert_correction: -0.2, \
    vert_offset_correction: 0.01, horiz_offset_correction: 0.02}\n\
    - {dist_correction: 0, laser_id: 1, rot_correction: 0, vert_correction: 0.3, vert_offset_correction: 0}\nnum_lasers: 2\n";

#[test]
fn beam_tables_are_files_beside_the_scene() {
    let folder = Folder::new("beam-tables");
    folder.file("two.yaml", TABLE);
    folder.file("broken.yaml", "lasers:\n- {wings: 2}\n");
    let parse = |text: &str| SceneFile::parse(text, folder.path(), "scanner.toml");
    let file = parse(&scanner("two.yaml")).unwrap();
    let SensorKind::Laser { beams: Beams::Lasers { lasers, columns: 1800, field }, range, .. } =
        &file.scene().world.sensors[0].kind
    else {
        panic!()
    };
    let first = Laser { elevation: -0.2, azimuth: 0.1, up: 0.01, left: 0.02 };
    assert_eq!(*lasers, [first, Laser { elevation: 0.3, ..Laser::default() }]);
    assert_eq!((*field, *range), (std::f64::consts::TAU, 100.0));
    assert_eq!(file.scene().physics(0).mass, Mass::Kilograms(0.15));
    let said = |text: &str| parse(text).unwrap_err().render(false);
    let missing = said(&scanner("tow.yaml"));
    assert!(missing.contains("there is no file \"tow.yaml\"") && missing.contains("two.yaml"), "{missing}");
    let broken = said(&scanner("broken.yaml"));
    assert!(broken.contains("\"broken.yaml\", line 2: "), "{broken}");
    let both = said(&scanner("two.yaml").replace("columns", "elevations_deg = [0], columns"));
    assert!(both.contains("table beside elevations_deg"), "{both}");
    let none = said(&scanner("two.yaml").replace("table = \"two.yaml\", ", ""));
    assert!(none.contains("elevations_deg is missing") && none.contains("table = "), "{none}");
    let heavy = said(&scanner("two.yaml").replace("mass_g = 150", "mass_g = 150, mass = 1"));
    assert!(heavy.contains("mass_g beside mass"), "{heavy}");
    // In another folder the path leads to the same file.
    let elsewhere = folder.path().join("deeper");
    std::fs::create_dir(&elsewhere).unwrap();
    let mut file = file;
    file.save_as(elsewhere.join("scanner.toml")).unwrap();
    let text = std::fs::read_to_string(elsewhere.join("scanner.toml")).unwrap();
    assert!(text.contains("table = \"../two.yaml\""), "{text}");
}

#[test]
fn tables_of_real_scanners_are_read() {
    let Some(folder) = freiraum_testkit::data::folder("velodyne-beam-tables") else { return };
    for (name, count) in
        [("VLP16db.yaml", 16), ("32db.yaml", 32), ("64e_utexas.yaml", 64), ("VLS128.yaml", 128)]
    {
        let file = SceneFile::parse(scanner(name), &folder, "scanner.toml")
            .unwrap_or_else(|e| panic!("{}", e.render(false)));
        let SensorKind::Laser { beams: Beams::Lasers { lasers, .. }, .. } =
            &file.scene().world.sensors[0].kind
        else {
            panic!()
        };
        assert_eq!(lasers.len(), count, "{name}");
        assert!(
            lasers.iter().all(|laser| laser.elevation.abs() < 0.6 && laser.azimuth.abs() < 0.2),
            "{name}"
        );
    }
}

#[test]
fn numbers_beyond_all_measure_are_refused() {
    let world = |settings: &str, physics: &str| {
        format!(
            "units = \"mm\"\n[world]\n{settings}\n[[body]]\nname = \"ball\"\nshape = {{ sphere = {{ radius = 1 }} }}\nphysics = {{ {physics} }}\n"
        )
    };
    let said = |text: &str| match SceneFile::parse(text, Path::new(""), "world.toml") {
        Ok(_) => String::new(),
        Err(errors) => errors.render(false),
    };
    let settings = [
        ("step = 1e-300", "expected a number of seconds from a nanosecond to 1"),
        ("step = 9.9e-10", "from a nanosecond"),
        ("step = 1.01", "from a nanosecond to 1"),
        ("gravity = 1e9", "found the number 1000000000, expected at most 10000000 mm/s²"),
        ("gravity = [0, 8e6, 8e6]", "expected at most 10000000 mm/s²"),
        ("gravity = 1e300", "expected"),
        ("drag = 1e10", "expected a share per second from 0 to 1e9"),
    ];
    for (line, expected) in settings {
        let said = said(&world(line, ""));
        assert!(said.contains(expected) && said.contains("world.toml:3:"), "{line}: {said}");
    }
    let physics = [
        ("spin_deg = [1e300, 0, 0]", "expected at most 3.6e8 degrees per second"),
        ("spin_deg = [0, 0, -3.7e8]", "expected at most 3.6e8 degrees per second"),
        ("velocity = [0, 3e11, 0]", "expected at most 299792458000 mm/s"),
        ("mass = 1e300", "a mass in kilograms from 1e-12 to 1e15"),
        ("mass = 1e-300", "a mass in kilograms from 1e-12 to 1e15"),
        ("mass_g = 1e-10", "a mass in grams from 1e-9 to 1e18"),
        ("density = 1e10", "a density in kg/m³ from 1e-6 to 1e9"),
        ("friction = 1e300", "a coefficient from 0 to 1e6"),
        ("stiffness = 1e300", "newtons per metre above 0, up to 1e15"),
        ("stiffness = 1, damping = 1e300", "from 0 to 1e15"),
    ];
    for (line, expected) in physics {
        let said = said(&world("", line));
        assert!(said.contains(expected) && said.contains("world.toml:7:"), "{line}: {said}");
    }
    // The largest of all are good.
    let most = "spin_deg = [3.6e8, 0, 0], velocity = [2e11, 0, 0], mass = 1e15, friction = 1e6, stiffness = 1e15, damping = 1e15";
    read(&world("step = 1e-9\ngravity = 1e7\ndrag = 1e9", most));
}

#[test]
fn sensors_are_blind_to_bodies_and_vehicles() {
    let file =
        read(&WORLD.replace(r#"blind_to = ["ball", "net"]"#, r#"blind_to = ["truck", "ball", "dog"]"#));
    let scanner = &file.scene().world.sensors[0];
    assert_eq!((&scanner.blind_to[..], &scanner.blind_to_vehicles[..]), (&[1][..], &[0, 4][..]));
    let wrong = WORLD.replace(r#"blind_to = ["ball", "net"]"#, r#"blind_to = ["truk"]"#);
    let said = SceneFile::parse(wrong.as_str(), Path::new(""), "world.toml").unwrap_err().render(false);
    assert!(said.contains("there is no vehicle or body \"truk\"") && said.contains("truck"), "{said}");
}
