//! Robots from a table of Denavit and Hartenberg in the scene file.

use super::super::node::Node;
use super::super::reader::Reader;
use super::super::{body, mesh_file};
use super::model;
use crate::notation::degrees_of_json;
use crate::scene::robot_keys;
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_robot::dh::{Convention, Row};
use freiraum_robot::{JointKind, Limits, LinkShape, Robot, dh};
use freiraum_scene::Geometry;

/// Longer chains are a slip, and slow.
const MOST_ROWS: usize = 256;

const CONVENTIONS: [(&str, Convention); 2] =
    [("modified", Convention::Modified), ("classic", Convention::Classic)];

const JOINTS: [(&str, JointKind); 4] = [
    ("revolute", JointKind::Revolute),
    ("continuous", JointKind::Continuous),
    ("prismatic", JointKind::Prismatic),
    ("fixed", JointKind::Fixed),
];

/// The robot of a table; `None` if something is wrong, which was told.
pub(super) fn read(node: &Node, table: &Node, name: &str, reader: &mut Reader<'_>) -> Option<Robot> {
    let convention = match node.get("convention") {
        Some(node) => one_of(node, "convention", &CONVENTIONS, reader),
        None => Some(Convention::default()),
    };
    let base = shape(node, reader);
    let items = reader.list(table, "a list of rows { alpha_deg = …, l = …, theta_deg = …, d = … }")?;
    if items.is_empty() || items.len() > MOST_ROWS {
        let message = format!("found {} rows, expected from 1 to {MOST_ROWS}", items.len());
        reader.problem(table.place, message);
        return None;
    }
    let rows: Vec<Option<(Row, Option<LinkShape>)>> = items.iter().map(|item| row(item, reader)).collect();
    let (rows, shapes): (Vec<Row>, Vec<Option<LinkShape>>) =
        rows.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let convention = convention?;
    let plain = match dh::robot(name, &rows, convention) {
        Ok(robot) => robot,
        Err(error) => {
            reader.problem(table.place, error.to_string());
            return None;
        }
    };
    let mut links = plain.links().to_vec();
    links[0].collision.extend(base?);
    for (number, mut shape) in shapes.into_iter().enumerate() {
        // The frame of a row of a classic table is that after all of the row, which is a link of its own.
        if let (Convention::Classic, Some(shape)) = (convention, &mut shape) {
            let row = &rows[number];
            let along_x = Pose::from_translation(Vec3::new(row.l, 0.0, 0.0));
            let about_x = Pose::from_axis_angle(Vec3::X, row.alpha).unwrap_or(Pose::IDENTITY);
            shape.link_from_shape = along_x * about_x * shape.link_from_shape;
        }
        let link = plain.link(&format!("link{}", number + 1))?;
        links[link].collision.extend(shape);
    }
    let robot = Robot::new(name, links, plain.joints().to_vec());
    robot.map_err(|error| reader.problem(table.place, error.to_string())).ok()
}

fn one_of<T: Copy>(node: &Node, what: &str, known: &[(&str, T)], reader: &mut Reader<'_>) -> Option<T> {
    let found = node.text().and_then(|text| known.iter().find(|(name, _)| *name == text));
    if found.is_none() {
        let names: Vec<String> = known.iter().map(|(name, _)| format!("{name:?}")).collect();
        let meant = node.text().and_then(|text| reader.suggestion(text, known.iter().map(|(name, _)| *name)));
        let help = meant.unwrap_or_else(|| format!("write one of {}", names.join(", ")));
        reader.problem_with_help(node.place, format!("{} is no {what}", node.quoted()), help);
    }
    found.map(|(_, value)| *value)
}

/// The shape of a link; `Some(None)` if it has none, `None` if it is wrong.
#[expect(clippy::option_option, reason = "a shape that is wrong is not a shape that is not there")]
fn shape(node: &Node, reader: &mut Reader<'_>) -> Option<Option<LinkShape>> {
    let pose = node.get("shape_pose").map_or(Some(Pose::IDENTITY), |pose| body::pose(pose, reader));
    if node.get("mesh").is_none()
        && let Some(units) = node.entry("mesh_units")
    {
        reader.problem(units.place(), "`mesh_units` without a mesh file");
        return None;
    }
    let shape = match (node.get("shape"), node.get("mesh")) {
        (Some(_), Some(mesh)) => {
            let message = "this link has a mesh and a shape";
            reader.problem_with_help(mesh.place, message, "remove one of them");
            return None;
        }
        (Some(shape), None) => body::shape(shape, reader),
        (None, Some(mesh)) => self::mesh(node, mesh, reader),
        (None, None) => {
            let Some(entry) = node.entry("shape_pose") else { return Some(None) };
            let help = "add shape = { box = … }, or mesh = \"….stl\"";
            reader.problem_with_help(entry.place(), "`shape_pose` without a shape", help);
            return None;
        }
    };
    Some(Some(LinkShape { link_from_shape: pose?, shape: shape? }))
}

/// The mesh file of a link, which is read here and now: robots have the shapes of their links in them.
fn mesh(node: &Node, mesh: &Node, reader: &mut Reader<'_>) -> Option<Shape> {
    let Geometry::File { path, written, units } =
        mesh_file::read(mesh, body::mesh_units(node, reader), reader)?
    else {
        return None;
    };
    model::note(reader, [path.clone()]);
    match reader.models.mesh(&path, units) {
        Ok((found, digests)) => {
            reader.digests.extend(digests);
            Some(Shape::Mesh(found))
        }
        Err(error) => {
            reader.problem(mesh.place, format!("{written}: {error}"));
            None
        }
    }
}

fn row(node: &Node, reader: &mut Reader<'_>) -> Option<(Row, Option<LinkShape>)> {
    reader.table(node, &robot_keys::ROW)?;
    let mut angle = |key: &str| match node.get(key) {
        Some(node) => reader.read_json(node, |json, _| degrees_of_json(json, "")).map(f64::to_radians),
        None => Some(0.0),
    };
    let (alpha, theta) = (angle("alpha_deg"), angle("theta_deg"));
    let mut along = |key: &str| node.get(key).map_or(Some(0.0), |node| reader.coordinate(node));
    let (l, d) = (along("l"), along("d"));
    let kind = match node.get("joint") {
        Some(kind) => one_of(kind, "kind of joint", &JOINTS, reader),
        None => Some(JointKind::Revolute),
    };
    let shape = shape(node, reader);
    let kind = kind?;
    let limits = limits(node, kind, reader);
    let velocity = speed(node, kind, reader);
    // What turns without limits turns without end.
    let limits = limits?;
    let kind =
        if kind == JointKind::Revolute && limits == Limits::NONE { JointKind::Continuous } else { kind };
    let row = Row { alpha: alpha?, l: l?, theta: theta?, d: d?, kind, limits, velocity: velocity? };
    Some((row, shape?))
}

/// The limits of a joint, in degrees for one that turns and in the unit of the file for one that slides.
fn limits(node: &Node, kind: JointKind, reader: &mut Reader<'_>) -> Option<Limits> {
    let (wanted, other) = if kind.turns() { ("limits_deg", "limits") } else { ("limits", "limits_deg") };
    if let Some(entry) = node.entry(other).filter(|_| kind != JointKind::Fixed) {
        let how = if kind.turns() { "turns" } else { "slides" };
        let message = format!("`{other}` at a joint that {how}");
        reader.problem_with_help(entry.place(), message, format!("write `{wanted} = [lowest, highest]`"));
        return None;
    }
    let Some(node_of) = node.get(wanted) else {
        if kind == JointKind::Prismatic {
            let help = "add limits = [lowest, highest], in the unit of the file";
            reader.problem_with_help(node.place, "a joint that slides needs limits", help);
            return None;
        }
        return Some(Limits::NONE);
    };
    let Some([lower, upper]) = node_of.list() else {
        let message = format!("found {}, expected two numbers: lowest and highest", node_of.describe());
        reader.problem(node_of.place, message);
        return None;
    };
    let mut end = |node: &Node| match kind.turns() {
        true => reader.read_json(node, |json, _| degrees_of_json(json, "")).map(f64::to_radians),
        false => reader.coordinate(node),
    };
    let (lower, upper) = (end(lower)?, end(upper)?);
    if lower > upper {
        let message = "the lower limit is above the upper one";
        reader.problem_with_help(node_of.place, message, "write the lowest value first");
        return None;
    }
    Some(Limits { lower, upper })
}

/// The largest speed of a joint; `Some(None)` if none is stated.
#[expect(clippy::option_option, reason = "a speed that is wrong is not a speed that is not there")]
fn speed(node: &Node, kind: JointKind, reader: &mut Reader<'_>) -> Option<Option<f64>> {
    let (wanted, other) = if kind.turns() { ("speed_deg", "speed") } else { ("speed", "speed_deg") };
    if let Some(entry) = node.entry(other).filter(|_| kind != JointKind::Fixed) {
        let how = if kind.turns() { "turns" } else { "slides" };
        let message = format!("`{other}` at a joint that {how}");
        reader.problem_with_help(entry.place(), message, format!("write `{wanted}`, per second"));
        return None;
    }
    let Some(node) = node.get(wanted) else { return Some(None) };
    let expected = "a speed above 0";
    // What is slower never arrives.
    let least = f64::EPSILON;
    let speed = match kind.turns() {
        true => reader.read_json(node, |json, _| degrees_of_json(json, "")).map(f64::to_radians),
        false => reader.coordinate(node),
    }?;
    if speed < least {
        reader.problem(node.place, format!("found {}, expected {expected}", node.describe()));
        return None;
    }
    Some(Some(speed))
}
