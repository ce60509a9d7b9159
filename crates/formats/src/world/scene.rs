//! From the files to a [`Scene`].

use super::configuration::{Configuration, Field, Robot, RobotKind};
use super::{Balls, City, LARGEST, MILLIMETRE};
use crate::scene::SceneErrors;
use freiraum_files as files;
use freiraum_geometry::shape::{Cuboid, HalfSpace, ShapeError, Sphere};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_scene::{
    Beams, Body, Color, Drive, Geometry, Kind, Mass, MassModel, Mount, Noise, Physics, Place, Problem, Scene,
    Sensor, SensorKind, Vehicle, VehicleModel, World, WorldSettings,
};
use std::io::ErrorKind;
use std::path::Path;

/// Thickness and height of boards, in metres.
const BOARD: [f64; 2] = [0.02, 0.2];

/// Laser scanners and cameras of the older simulator.
const PIXELS: [u32; 2] = [160, 120];

/// Their field of view over width and height, in degrees.
const FIELD_DEG: [f64; 2] = [60.0, 45.0];

/// Coulomb's coefficient of balls, houses and ground.
const FRICTION: f64 = 0.7;

/// A world of the older simulator.
#[derive(Clone, Debug)]
pub struct WorldFile {
    /// What is there.
    pub scene: Scene,
    /// All that the configuration says, used or not.
    pub configuration: Configuration,
    /// What does not fit and was read as well as possible, per file, for people.
    pub notes: Vec<SceneErrors>,
}

/// Whether a file is one of the older simulator, by its ending (`.cfg`) or by what is in it: sections of a configuration, or numbers alone,
/// which are a city or balls. What ends with `.toml` is a scene.
#[must_use]
pub fn is_older(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    let ends_with = |ending: &str| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(ending));
    let is_older = |text: &str| is_numbers(text) || has_sections(text);
    ends_with("cfg") || (!ends_with("toml") && text_of(path).is_ok_and(|(_, text)| is_older(&text)))
}

fn has_sections(text: &str) -> bool {
    let is_section = |line: &str| {
        let name = line.trim().strip_prefix('[').and_then(|line| line.split(']').next());
        name.is_some_and(|name| ["general", "dynamics"].iter().any(|known| known.eq_ignore_ascii_case(name)))
    };
    text.lines().any(is_section)
}

fn is_numbers(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace().peekable();
    words.peek().is_some() && words.all(|word| word.parse::<f64>().is_ok())
}

/// A world without robots for a file of numbers: balls if there are as many as it says, else a city; if that does not fit, balls whose count is wrong.
fn of_numbers(path: &Path, text: &str) -> Result<Configuration, SceneErrors> {
    let mut found = Configuration::parse("", "[general]\nmonsterTrucks = 0")?;
    let file = path.file_name().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
    let fits = || City::parse("", text).is_ok_and(|city| city.notes.is_empty());
    let are_balls =
        || Balls::parse("", text).is_ok_and(|found| Balls::are_whole(text) && !found.balls.is_empty());
    if Balls::is_counted(text) || (!fits() && are_balls()) {
        found.field.balls = file
    } else {
        found.field.city = file
    }
    Ok(found)
}

/// Reads a configuration with the city and the balls that it names, which lie beside it; a city or balls alone, without robots.
///
/// **Errors.** Files that cannot be read, or in which nothing makes sense, all problems of a file at once.
pub fn read(path: impl AsRef<Path>) -> Result<WorldFile, SceneErrors> {
    let path = path.as_ref();
    let (name, text) = text_of(path)?;
    let configuration =
        if is_numbers(&text) { of_numbers(path, &text)? } else { Configuration::parse(&name, &text)? };
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut notes = Vec::new();
    let mut note = |name: &str, text: &str, found: &[Problem]| {
        if !found.is_empty() {
            notes.push(SceneErrors::new(name, text, found.to_vec()));
        }
    };
    note(&name, &text, &configuration.notes);
    let beside = |file: &str| -> Result<Option<(String, String)>, SceneErrors> {
        if file.is_empty() { Ok(None) } else { text_of(&folder.join(file)).map(Some) }
    };
    let (mut city, mut balls) = (None, None);
    if let Some((name, text)) = beside(&configuration.field.city)? {
        let found = City::parse(&name, &text)?;
        note(&name, &text, &found.notes);
        city = Some(found);
    }
    if let Some((name, text)) = beside(&configuration.field.balls)? {
        let found = Balls::parse(&name, &text)?;
        note(&name, &text, &found.notes);
        balls = Some(found);
    }
    let scene = scene(&configuration, city.as_ref(), balls.as_ref()).map_err(|error| {
        SceneErrors::new(
            &name,
            "",
            vec![Problem::new(Place::default(), error.to_string()).help("check the sizes")],
        )
    })?;
    Ok(WorldFile { scene, configuration, notes })
}

pub(super) fn text_of(path: &Path) -> Result<(String, String), SceneErrors> {
    let name = path.display().to_string();
    let fail = |message: String, help: &str| {
        SceneErrors::new(name.clone(), "", vec![Problem::new(Place::default(), message).help(help)])
    };
    let bytes = files::read(path, LARGEST).map_err(|error| match error.kind() {
        ErrorKind::IsADirectory | ErrorKind::InvalidInput | ErrorKind::FileTooLarge => {
            let message = format!("is no file of a world: {error}");
            fail(message, "name a text file of at most 16 MiB")
        }
        _ => fail(format!("cannot be read: {error}"), "check its path"),
    })?;
    let text =
        String::from_utf8(bytes).map_err(|_| fail("is not UTF-8 text".to_owned(), "save it as UTF-8"))?;
    Ok((name, text))
}

/// What the files say, as a scene in metres.
fn scene(
    configuration: &Configuration,
    city: Option<&City>,
    balls: Option<&Balls>,
) -> Result<Scene, ShapeError> {
    let mut scene = Scene::default();
    let settings = WorldSettings {
        gravity: Vec3::from_array(configuration.dynamics.gravity) * MILLIMETRE,
        step: 1.0 / configuration.dynamics.rate,
        ..WorldSettings::default()
    };
    scene.world = World { settings, ..World::default() };
    let ground = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0)?);
    put(&mut scene, "ground", ground, Vec3::ZERO, [0x6f, 0x7d, 0x5c], None);
    boards(&mut scene, &configuration.field)?;
    for (number, house) in city.iter().flat_map(|city| &city.houses).enumerate() {
        let edge = city.map_or(0.0, |city| city.edge);
        let shape = Shape::Cuboid(Cuboid::new(Vec3::new(edge, edge, house.height))?);
        let at = Vec3::new(house.center[0], house.center[1], 0.5 * house.height);
        put(&mut scene, &format!("house {}", number + 1), shape, at, [0x9a, 0xa0, 0xa8], None);
    }
    for (number, ball) in balls.iter().flat_map(|balls| &balls.balls).enumerate() {
        let shape = Shape::Sphere(Sphere::new(ball.radius)?);
        let color = ball.color.map(|c| (255.0 * c).round() as u8);
        let (name, at) = (format!("ball {}", number + 1), Vec3::from_array(ball.center));
        put(&mut scene, &name, shape, at, color, Some(ball.mass));
    }
    for robot in &configuration.robots {
        let vehicle = scene.world.vehicles.len();
        sensors(&mut scene, robot, vehicle, configuration.general.laser_reach * MILLIMETRE);
        let name = unique(&scene, &robot.name);
        scene.world.vehicles.push(vehicle_of(robot, name));
    }
    Ok(scene)
}

/// Adds a body: fixed, or movable if it has a mass in kilograms.
fn put(scene: &mut Scene, name: &str, shape: Shape, at: Vec3, color: [u8; 3], mass: Option<f64>) {
    let number = scene.bodies.len();
    scene.bodies.push(Body {
        name: name.to_owned(),
        geometry: Geometry::Shape(shape),
        is_fixed: mass.is_none(),
        color: Some(Color(color)),
        pose: Pose::from_translation(at),
        goal: None,
        place: Place::default(),
    });
    let physics = Physics { friction: FRICTION, ..Physics::of_unsaid(mass.is_none()) };
    let physics = match mass {
        Some(mass) => Physics { kind: Kind::Movable, mass: Mass::Kilograms(mass), ..physics },
        None => physics,
    };
    scene.world.physics.push((number, physics));
}

/// Boards around the field, whose middle is the origin, and through it.
fn boards(scene: &mut Scene, field: &Field) -> Result<(), ShapeError> {
    let [thick, high] = BOARD;
    let (x, y) = (0.5 * field.length * MILLIMETRE, 0.5 * field.width * MILLIMETRE);
    let mut board = |name: &str, size: [f64; 2], at: [f64; 2]| {
        let shape = Shape::Cuboid(Cuboid::new(Vec3::new(size[0], size[1], high))?);
        put(scene, name, shape, Vec3::new(at[0], at[1], 0.5 * high), [0xc8, 0xa0, 0x60], None);
        Ok::<(), ShapeError>(())
    };
    if field.boards {
        let (long, wide) = (2.0 * (x + thick), 2.0 * y);
        board("left board", [long, thick], [0.0, y + 0.5 * thick])?;
        board("right board", [long, thick], [0.0, -y - 0.5 * thick])?;
        board("front board", [thick, wide], [x + 0.5 * thick, 0.0])?;
        board("back board", [thick, wide], [-x - 0.5 * thick, 0.0])?;
    }
    if field.middle {
        board("middle board", [thick, 2.0 * y], [0.0, 0.0])?;
    }
    Ok(())
}

fn vehicle_of(robot: &Robot, name: String) -> Vehicle {
    let [x, y] = robot.position.map(|c| c * MILLIMETRE);
    let pose = Pose::from_zyx_euler(0.0, 0.0, robot.direction.to_radians(), Vec3::new(x, y, 0.0));
    Vehicle {
        name,
        model: match robot.kind {
            RobotKind::MonsterTruck => VehicleModel::MonsterTruck,
            RobotKind::Pioneer => VehicleModel::Pioneer,
            RobotKind::Volksbot => VehicleModel::Volksbot,
            RobotKind::Stretch => VehicleModel::StretchLimousine,
            RobotKind::Hr18 => VehicleModel::Hr18,
        },
        pose: pose.unwrap_or(Pose::IDENTITY),
        drive: if robot.dynamics { Drive::Dynamic } else { Drive::Kinematic },
        masses: if robot.newer_dynamics { MassModel::Distributed } else { MassModel::Single },
        full_collision: robot.full_collision,
        is_active: true,
        controller: None,
        color: None,
        place: Place::default(),
    }
}

/// The cameras and the laser scanner of a robot. The models say where they sit: a sensor of the same name takes that place.
fn sensors(scene: &mut Scene, robot: &Robot, vehicle: usize, reach: f64) {
    let names: &[&str] = if robot.cameras.len() == 2 { &["head camera", "body camera"] } else { &["camera"] };
    let [width, height] = FIELD_DEG.map(f64::to_radians);
    let mut add = |name: &str, kind: SensorKind, rate: f64| {
        scene.world.sensors.push(Sensor {
            name: name.to_owned(),
            mount: Mount::Vehicle(vehicle),
            mount_from_sensor: Pose::IDENTITY,
            kind,
            rate,
            blind_to: Vec::new(),
            blind_to_vehicles: Vec::new(),
            sees_itself: false,
            noise: Noise::default(),
            place: Place::default(),
        });
    };
    for (camera, name) in robot.cameras.iter().zip(names).filter(|(camera, _)| camera.rate > 0.0) {
        add(name, SensorKind::Camera { size: PIXELS, field: width, range: reach }, camera.rate);
    }
    if let Some(laser) = robot.laser.as_ref().filter(|laser| laser.rate > 0.0) {
        let divided = |pixels: u32| ((f64::from(pixels) / laser.divisor) as u32).max(1);
        let size = if laser.by_rays { PIXELS.map(divided) } else { PIXELS };
        let beams = Beams::Grid { size, field: [width, height] };
        add("laser", SensorKind::Laser { beams, range: reach, by_depth_buffer: !laser.by_rays }, laser.rate);
    }
}

/// The name, with a number if it is taken.
fn unique(scene: &Scene, name: &str) -> String {
    let is_taken = |name: &str| {
        scene.body(name).is_some() || scene.world.vehicles.iter().any(|vehicle| vehicle.name == name)
    };
    let mut candidates = (2..).map(|k| format!("{name} {k}"));
    if is_taken(name) { candidates.find(|name| !is_taken(name)).unwrap_or_default() } else { name.to_owned() }
}
