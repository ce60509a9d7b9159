use super::*;
use freiraum_scene::{Kind, Mass, SensorKind, VehicleModel};
use freiraum_testkit::folder::Folder;

const CONFIGURATION: &str = "\
; a comment
[general]
monsterTrucks = 2
stretch = 1
humanoids = 1
lsReach = 4000 ; so far
fpsLaser = 4

[dynamics]
gz = -9000
rate = 500

[monsterTruck1]
name = \"one; two\"
posX = -2000
dir = 290
comport = Com4:
lsType = 2
lsResFactor = 2

[monsterTruck3]
name = \"nobody\"

[hr18]
[HR181]
dynamicsOn = 0
wings = 2

[field]
length = 10000
width = 8000
city = \"city.txt\"
balls = balls.txt
boards = 1
";

#[test]
fn what_is_not_said_has_its_default() {
    let found = Configuration::parse("a.cfg", "").unwrap();
    assert_eq!(found.general, General::default());
    assert_eq!(found.general.counts, [1, 0, 0, 0, 0]);
    assert_eq!((found.general.laser_reach, found.general.camera_rate), (20000.0, 5.0));
    assert_eq!(found.dynamics, Dynamics { gravity: [0.0, 0.0, -9810.0], rate: 1000.0 });
    assert_eq!(found.camera.position, [-10000.0, -4000.0, 5000.0]);
    assert_eq!((found.camera.yaw, found.camera.pitch), (30.0, 30.0));
    assert_eq!((found.camera.near, found.camera.far), (10.0, 20000.0));
    assert_eq!(found.light, [0.0, 0.0, 2000.0]);
    assert_eq!((found.field.length, found.field.width), (3000.0, 6000.0));
    assert!(!found.field.boards && !found.field.middle && found.field.city.is_empty());
    let [truck] = &found.robots[..] else { panic!("one truck") };
    assert_eq!((truck.name.as_str(), truck.position, truck.direction), ("monsterTruck1", [0.0, 0.0], 0.0));
    let laser = truck.laser.as_ref().unwrap();
    assert_eq!((laser.rate, laser.by_rays, laser.rays_drawn, laser.divisor), (5.0, false, 5, 5.0));
    assert!(found.unknown.is_empty() && found.notes.is_empty());
}

#[test]
fn what_is_said_counts_and_the_rest_is_kept() {
    let found = Configuration::parse("a.cfg", CONFIGURATION).unwrap();
    assert_eq!(found.general.counts, [2, 0, 0, 1, 1]);
    assert_eq!(found.dynamics, Dynamics { gravity: [0.0, 0.0, -9000.0], rate: 500.0 });
    let truck = &found.robots[0];
    assert_eq!((truck.name.as_str(), truck.direction), ("one; two", 290.0));
    assert_eq!(truck.port.as_deref(), Some("Com4:"));
    let laser = truck.laser.as_ref().unwrap();
    assert_eq!((laser.rate, laser.by_rays, laser.divisor), (4.0, true, 2.0));
    let humanoid = found.robots.last().unwrap();
    assert_eq!((humanoid.version, humanoid.dynamics, humanoid.foot_friction), (4, false, 50.0));
    assert_eq!(humanoid.cameras.len(), 2);
    assert!(humanoid.cameras[0].blur && !humanoid.cameras[1].blur);
    let unknown: Vec<_> = found.unknown.iter().map(|e| (e.section.as_str(), e.key.as_str())).collect();
    assert_eq!(unknown, [("monsterTruck3", "name"), ("HR181", "wings")]);
    let notes: Vec<_> = found.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "[monsterTruck3] is a robot that is not there; `monsterTrucks` in [general] says how many there are",
            "[hr18] is no section; it is kept and not used",
            "`wings` is no key of [HR181]; it is kept and not used",
        ]
    );
}

#[test]
fn values_that_make_no_sense_are_told() {
    let text = "[general]\npioneers = many\nfpsCam = -3\nshowCollisions = yes\nstretch = 1\nstretch = 2\n[dynamics]\nrate = 0";
    let found = Configuration::parse("a.cfg", text).unwrap();
    assert_eq!((found.general.counts[1], found.general.counts[3]), (0, 2));
    assert_eq!((found.general.camera_rate, found.dynamics.rate), (5.0, 1000.0));
    assert_eq!(found.notes.len(), 5, "{:?}", found.notes);
    let wrong = Configuration::parse("a.cfg", "[general\nhello\n").unwrap_err();
    assert_eq!(wrong.located().iter().map(|p| p.line).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn cities_with_too_few_and_too_many_houses() {
    let city = City::parse("city.txt", "0 1500 -500 500 500\n1 0 2\n0 0 3\n").unwrap();
    assert!(city.notes.is_empty());
    assert_eq!(city.edge, 0.5);
    let expected = [([0.25, -0.25], 0.1), ([1.25, -0.25], 0.2), ([1.25, 0.25], 0.3)];
    for (house, (center, height)) in city.houses.iter().zip(expected) {
        assert!((house.height - height).abs() < 1e-15 && (house.center[0] - center[0]).abs() < 1e-15);
        assert!((house.center[1] - center[1]).abs() < 1e-15);
    }
    let few = City::parse("city.txt", "0 1500 -500 500 500 1 0 2").unwrap();
    assert_eq!(few.houses.len(), 2);
    assert_eq!(
        few.notes[0].to_string(),
        "found 3 houses, expected 3 x 2 = 6; the missing cells are left empty"
    );
    let many = City::parse("city.txt", "0 1000 0 500 500 1 0 2").unwrap();
    assert_eq!((many.houses.len(), many.notes.len()), (1, 1));
    for wrong in ["", "1 2 3", "0 1000 0 500 0 1", "0 100 0 500 500", "0 1e9 0 1e9 1", "0 1000 0 nan 500"] {
        assert!(City::parse("city.txt", wrong).is_err(), "{wrong}");
    }
}

#[test]
fn balls_that_are_miscounted() {
    let text = "1\n-1000 -1200 1200 100 1 0 0 0.07\n0 0 500 50 0 1 2 0.08\n 1 2 3";
    let found = Balls::parse("balls.txt", text).unwrap();
    assert_eq!(found.balls.len(), 2);
    assert_eq!(found.balls[0].center, [-1.0, -1.2, 1.2]);
    assert_eq!((found.balls[0].radius, found.balls[0].mass), (0.1, 0.07));
    assert_eq!(found.balls[1].color, [0.0, 1.0, 1.0]);
    let notes: Vec<_> = found.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes[0], "the file says 1 balls and describes 2; all that are described are taken");
    assert_eq!(notes.len(), 3);
    for wrong in ["", "1 0 0 0 0 1 1 1 1", "1 0 0 0 1 1 1 1 0", "one"] {
        assert!(Balls::parse("balls.txt", wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_world_of_three_files() {
    let folder = Folder::new("world");
    let write = |name: &str, text: &str| folder.file(name, text);
    write("a.cfg", CONFIGURATION);
    assert!(read(folder.path().join("a.cfg")).unwrap_err().to_string().contains("city.txt"));
    write("city.txt", "0 1500 -500 500 500\n1 0 2\n0 0 3\n");
    write("balls.txt", "2 0 0 500 50 0 1 0 0.08");
    let found = read(folder.path().join("a.cfg")).unwrap();
    let scene = &found.scene;
    assert_eq!(scene.bodies.len(), 1 + 4 + 3 + 1);
    let ball = scene.body("ball 1").unwrap();
    assert_eq!(scene.physics(ball).kind, Kind::Movable);
    assert_eq!(scene.physics(ball).mass, Mass::Kilograms(0.08));
    assert_eq!(scene.physics(scene.body("house 2").unwrap()).kind, Kind::Fixed);
    assert_eq!((scene.world.settings.step, scene.world.settings.gravity.z), (0.002, -9.0));
    let models: Vec<_> = scene.world.vehicles.iter().map(|vehicle| vehicle.model).collect();
    let truck = VehicleModel::MonsterTruck;
    assert_eq!(models, [truck, truck, VehicleModel::StretchLimousine, VehicleModel::Hr18]);
    let lasers: Vec<_> =
        scene.world.sensors.iter().filter(|sensor| matches!(sensor.kind, SensorKind::Laser { .. })).collect();
    assert_eq!(lasers.len(), 2);
    let SensorKind::Laser { beams, range, by_depth_buffer } = &lasers[0].kind else { unreachable!() };
    assert!(!by_depth_buffer && *range == 4.0);
    assert!(matches!(beams, freiraum_scene::Beams::Grid { size: [80, 60], .. }));
    assert_eq!(found.notes.len(), 2);
}
