//! `[[sensor]]`.

use super::super::body;
use super::super::mesh_file;
use super::super::names::Names;
use super::super::node::{Kind, Node};
use super::super::reader::Reader;
use super::{distance, named, not_below_0, number, numbers, word, wrong};
use crate::scene::world_keys::{GRID, NOISE, ROWS, SENSOR};
use crate::world::BeamTable;
use freiraum_files::witnessed;
use freiraum_geometry::Pose;
use freiraum_scene::{Beams, Laser, Mount, Noise, Sensor, SensorKind, Vehicle};

/// Pixels or beams along a side: more than this nobody waits for.
const MOST: i64 = 1 << 16;

/// Angles that cameras and grids may cover, in degrees: flat pictures cover less than a half turn.
const FLAT_DEG: f64 = 180.0;

/// What a file calls the kinds, and the keys that only they have.
const KINDS: [(&str, &[&str]); 7] = [
    ("laser", &["range", "grid", "rows", "method"]),
    ("infrared", &["range"]),
    ("light barrier", &["range"]),
    ("bumper", &["half_angle_deg"]),
    ("camera", &["range", "size", "field_deg"]),
    ("ultrasonic", &["range", "half_angle_deg"]),
    ("odometry", &[]),
];

pub(super) fn read(
    nodes: &[Node],
    vehicles: &[Vehicle],
    names: &Names,
    reader: &mut Reader<'_>,
) -> Vec<Sensor> {
    let mut sensors: Vec<Sensor> = Vec::with_capacity(nodes.len());
    for node in nodes {
        reader.table(node, &SENSOR);
        let name = named(node, "sensor", &SENSOR, reader).to_owned();
        let mounted = node.get("on").map_or(Some(Mount::World), |node| mount(node, vehicles, names, reader));
        let mount = mounted.unwrap_or(Mount::World);
        if !name.is_empty()
            && mounted.is_some()
            && sensors.iter().any(|other| other.mount == mount && other.name == name)
        {
            let place = node.get("name").map_or(node.place, |name| name.place);
            let help = "sensors on the same vehicle or body need names of their own";
            reader.problem_with_help(place, format!("the sensor {name:?} is there twice"), help);
        }
        let pose = node.get("pose").and_then(|pose| body::pose(pose, reader)).unwrap_or(Pose::IDENTITY);
        let kind = kind(node, reader);
        if let (Some(SensorKind::Odometry), false) = (&kind, matches!(mount, Mount::Vehicle(_))) {
            let place = node.entry("kind").map_or(node.place, |entry| entry.place());
            reader.problem_with_help(place, "odometry counts turns of wheels", "add on = \"…\", a vehicle");
        }
        let rate = node.get("rate").and_then(|node| {
            number(node, "measurements per second, 0 for one every step", not_below_0, reader)
        });
        let (mut blind_to, mut blind_to_vehicles) = (Vec::new(), Vec::new());
        if let Some(list) = node.get("blind_to") {
            for item in reader.list(list, "a list of names of bodies and vehicles").unwrap_or_default() {
                match found(item, vehicles, names, "name bodies or vehicles of this scene", reader) {
                    Some(Mount::Vehicle(vehicle)) => blind_to_vehicles.push(vehicle),
                    Some(Mount::Body(body)) => blind_to.push(body),
                    _ => {}
                }
            }
        }
        let sees_itself = node.get("sees_itself").and_then(|flag| reader.flag(flag)).unwrap_or(false);
        let noise = node.get("noise").map_or(Noise::default(), |node| noise(node, reader));
        sensors.push(Sensor {
            name,
            mount,
            mount_from_sensor: pose,
            // A scene in which it is wrong is not given to anybody.
            kind: kind.unwrap_or(SensorKind::Odometry),
            rate: rate.unwrap_or(0.0),
            blind_to,
            blind_to_vehicles,
            sees_itself,
            noise,
            place: node.place,
        });
    }
    sensors
}

fn mount(node: &Node, vehicles: &[Vehicle], names: &Names, reader: &mut Reader<'_>) -> Option<Mount> {
    found(node, vehicles, names, "a sensor that stands in the world has no `on`", reader)
}

/// The vehicle or body of this name.
fn found(
    node: &Node,
    vehicles: &[Vehicle],
    names: &Names,
    otherwise: &str,
    reader: &mut Reader<'_>,
) -> Option<Mount> {
    let name = reader.text(node, "the name of a vehicle or of a body")?;
    if let Some(vehicle) = vehicles.iter().position(|vehicle| vehicle.name == name) {
        return Some(Mount::Vehicle(vehicle));
    }
    if names.is_taken(name) {
        return names.body(name, node.place, reader).map(Mount::Body);
    }
    let all = vehicles.iter().map(|vehicle| vehicle.name.as_str()).chain(names.all());
    let help = reader.suggestion(name, all);
    let help = help.unwrap_or_else(|| otherwise.to_owned());
    reader.problem_with_help(node.place, format!("there is no vehicle or body {name:?}"), help);
    None
}

fn kind(node: &Node, reader: &mut Reader<'_>) -> Option<SensorKind> {
    let Some(kind) = node.get("kind") else {
        if !reader.is_misspelt(node, &SENSOR, &["kind"]) {
            let all: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            let help = format!("add kind = \"…\", one of {}", all.join(", "));
            reader.problem_with_help(node.place, "this sensor has no kind", help);
        }
        return None;
    };
    let number: [(&str, usize); 7] = std::array::from_fn(|k| (KINDS[k].0, k));
    let (what, own) = KINDS[word(kind, "kind of sensor", &number, reader)?];
    for entry in node.entries()? {
        let is_of_kind = KINDS.iter().any(|(_, keys)| keys.contains(&entry.key.as_str()));
        if is_of_kind && !own.contains(&entry.key.as_str()) {
            let help = match own {
                [] => "remove it".to_owned(),
                own => format!("its own keys are {}", own.join(", ")),
            };
            let article = if what.starts_with(['i', 'o', 'u']) { "an" } else { "a" };
            reader.problem_with_help(entry.key_place, format!("{article} {what} has no {}", entry.key), help);
        }
    }
    let mut range = || match node.get("range") {
        Some(range) => distance(range, reader),
        None => {
            let help = format!("add range = …, in {}", reader.dialect.units);
            let place = node.entry("kind").map_or(node.place, |entry| entry.place());
            reader.problem_with_help(place, format!("this {what} does not say how far it sees"), help);
            None
        }
    };
    Some(match what {
        "laser" => {
            let range = range();
            let methods = [("rays", false), ("depth buffer", true)];
            let method = node.get("method").and_then(|node| word(node, "method", &methods, reader));
            let beams = beams(node, reader);
            SensorKind::Laser { beams: beams?, range: range?, by_depth_buffer: method.unwrap_or(false) }
        }
        "infrared" => SensorKind::Infrared { range: range()? },
        "light barrier" => SensorKind::LightBarrier { range: range()? },
        "bumper" => {
            let all = std::f64::consts::PI;
            let half_angle = match node.get("half_angle_deg") {
                Some(node) => angle(node, 180.0, reader)?,
                None => all,
            };
            SensorKind::Bumper { half_angle }
        }
        "camera" => {
            let range = range();
            let size = match node.get("size") {
                Some(node) => size(node, reader),
                None => Some([160, 120]),
            };
            let field = match node.get("field_deg") {
                Some(node) => flat(node, reader),
                None => Some(60.0_f64.to_radians()),
            };
            SensorKind::Camera { size: size?, field: field?, range: range? }
        }
        "ultrasonic" => {
            let range = range();
            let half_angle = match node.get("half_angle_deg") {
                Some(node) => angle(node, 90.0, reader),
                None => Some(15.0_f64.to_radians()),
            };
            SensorKind::Ultrasonic { half_angle: half_angle?, range: range? }
        }
        _ => SensorKind::Odometry,
    })
}

fn beams(node: &Node, reader: &mut Reader<'_>) -> Option<Beams> {
    match (node.get("grid"), node.entry("rows")) {
        (Some(_), Some(rows)) => {
            reader.problem_with_help(
                rows.place(),
                "a laser has a grid or rows, not both",
                "remove one of them",
            );
            None
        }
        (None, None) => {
            let help = "add grid = { size = [160, 120], field_deg = [60, 45] }, \
                        or rows = { elevations_deg = [0], columns = 181, field_deg = 180 }";
            let place = node.entry("kind").map_or(node.place, |entry| entry.place());
            reader.problem_with_help(place, "this laser does not say where its beams go", help);
            None
        }
        (Some(grid), None) => {
            reader.table(grid, &GRID)?;
            let size = required(grid, "size", reader).and_then(|node| size(node, reader));
            let field = required(grid, "field_deg", reader).and_then(|node| {
                let found: [f64; 2] =
                    numbers(node, "two angles in degrees: over the width and the height", reader)?;
                let is_flat = found.iter().all(|x| *x > 0.0 && *x < FLAT_DEG);
                if !is_flat {
                    wrong(node, "angles above 0 and below 180 degrees; rows go all the way around", reader);
                }
                is_flat.then_some(found.map(f64::to_radians))
            });
            Some(Beams::Grid { size: size?, field: field? })
        }
        (None, Some(rows)) => {
            let rows = &rows.value;
            reader.table(rows, &ROWS)?;
            if let (Some(_), Some(table)) = (rows.get("elevations_deg"), rows.entry("table")) {
                let message = "table beside elevations_deg: which of them holds?";
                reader.problem_with_help(table.place(), message, "remove one of them");
            }
            let (mut lasers, mut angles) = (None, None);
            match rows.get("table") {
                Some(node) => lasers = table(node, reader),
                None if rows.get("elevations_deg").is_none() => {
                    let help =
                        "add elevations_deg = […], or table = \"…\", a file with the lasers of a scanner";
                    reader.problem_with_help(rows.place, "elevations_deg is missing", help);
                }
                None => angles = rows.get("elevations_deg").and_then(|node| elevations(node, reader)),
            }
            let columns = required(rows, "columns", reader).and_then(|node| count(node, reader));
            let field = match rows.get("field_deg") {
                Some(node) => angle(node, 360.0, reader),
                None => Some(std::f64::consts::TAU),
            };
            let (columns, field) = (columns?, field?);
            match lasers {
                Some(lasers) => Some(Beams::Lasers { lasers, columns, field }),
                None => Some(Beams::Rows { elevations: angles?, columns, field }),
            }
        }
    }
}

/// The lasers of a real scanner, as its driver keeps them in a file.
fn table(node: &Node, reader: &mut Reader<'_>) -> Option<Vec<Laser>> {
    let written = reader.text(node, "the name of a file with a table of lasers")?;
    let path = reader.named_file(node.place, written)?;
    if written.is_empty() || !path.is_file() {
        let (message, help) = mesh_file::missing(written, &path, "yaml", reader);
        reader.problem_with_help(node.place, message, help);
        return None;
    }
    reader.table_files.push(path.clone());
    let (found, digests) = witnessed(|| BeamTable::read(&path));
    reader.digests.extend(digests);
    match found {
        Ok(table) => Some(
            table
                .lasers
                .iter()
                .map(|l| Laser { elevation: l.elevation, azimuth: l.azimuth, up: l.up, left: l.left })
                .collect(),
        ),
        Err(errors) => {
            // The first one is enough to find the others.
            let first = errors.located().into_iter().next();
            let said = first.map_or(String::new(), |e| format!(", line {}: {}", e.line, e.message));
            let help = "tables are YAML as drivers of Velodyne's scanners keep it; see docs/scene-file.md";
            reader.problem_with_help(node.place, format!("{written:?}{said}"), help);
            None
        }
    }
}

fn required<'n>(node: &'n Node, key: &str, reader: &mut Reader<'_>) -> Option<&'n Node> {
    let found = node.get(key);
    if found.is_none() {
        reader.problem(node.place, format!("{key} is missing"));
    }
    found
}

fn elevations(node: &Node, reader: &mut Reader<'_>) -> Option<Vec<f64>> {
    let expected = "a list of angles above the horizon in degrees, from -90 to 90";
    let list = reader.list(node, expected)?;
    let in_range = |x: &f64| (-90.0..=90.0).contains(x);
    let found: Option<Vec<f64>> = list.iter().map(|item| item.number().filter(in_range)).collect();
    match found.filter(|found| !found.is_empty() && found.len() as i64 <= MOST) {
        Some(found) => Some(found.into_iter().map(f64::to_radians).collect()),
        None => {
            wrong(node, expected, reader);
            None
        }
    }
}

/// An angle above 0 and at most this, in degrees; the answer is in radians.
fn angle(node: &Node, most_deg: f64, reader: &mut Reader<'_>) -> Option<f64> {
    let expected = format!("an angle in degrees above 0 and at most {most_deg}");
    let found = reader.number(node, &expected)?;
    if !(found > 0.0 && found <= most_deg) {
        wrong(node, &expected, reader);
        return None;
    }
    Some(found.to_radians())
}

fn flat(node: &Node, reader: &mut Reader<'_>) -> Option<f64> {
    number(node, "an angle in degrees above 0 and below 180", |x| x > 0.0 && x < FLAT_DEG, reader)
        .map(f64::to_radians)
}

fn count(node: &Node, reader: &mut Reader<'_>) -> Option<u32> {
    match node.kind {
        Kind::Integer(number) if (1..=MOST).contains(&number) => Some(number as u32),
        _ => {
            wrong(node, &format!("a whole number from 1 to {MOST}"), reader);
            None
        }
    }
}

fn size(node: &Node, reader: &mut Reader<'_>) -> Option<[u32; 2]> {
    let Some([columns, rows]) = node.list() else {
        wrong(node, "two whole numbers [columns, rows]", reader);
        return None;
    };
    Some([count(columns, reader)?, count(rows, reader)?])
}

fn noise(node: &Node, reader: &mut Reader<'_>) -> Noise {
    if reader.table(node, &NOISE).is_none() {
        return Noise::default();
    }
    let constant = node.get("constant").and_then(|node| reader.length(node));
    let relative = node
        .get("relative")
        .and_then(|node| number(node, "a share of the measurement, 0 or more", not_below_0, reader));
    let dropout = node
        .get("dropout")
        .and_then(|node| number(node, "a share from 0 to 1", |x| (0.0..=1.0).contains(&x), reader));
    Noise {
        constant: constant.unwrap_or(0.0),
        relative: relative.unwrap_or(0.0),
        dropout: dropout.unwrap_or(0.0),
    }
}
