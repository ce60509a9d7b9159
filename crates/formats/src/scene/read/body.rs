//! `[[body]]`.

use super::node::{Kind, Node};
use super::reader::Reader;
use super::{color, mesh_file};
use crate::notation::{Fault, pose_of_json, shape_of_json};
use crate::scene::keys;
use freiraum_geometry::shape::Sphere;
use freiraum_geometry::{Pose, Shape, Unit};
use freiraum_scene::{Body, Geometry, Place, can_be_sheet};

/// A body; if something of it is wrong, with something in its place, so that the numbers of bodies stay.
pub(super) fn read(node: &Node, reader: &mut Reader<'_>) -> Body {
    reader.table(node, &keys::BODY);
    let name = match node.get("name") {
        Some(name) => reader.name(name).unwrap_or_default(),
        None if reader.is_misspelt(node, &keys::BODY, &["name"]) => "",
        None => {
            let help = "add name = \"…\"; steps and messages use it";
            reader.problem_with_help(node.place, "this body has no name", help);
            ""
        }
    };
    let geometry = geometry(node, name, reader);
    let is_fixed = node.get("fixed").and_then(|flag| reader.flag(flag)).unwrap_or(false);
    let pose = node.get("pose").and_then(|pose| self::pose(pose, reader)).unwrap_or(Pose::IDENTITY);
    let goal = node.get("goal").and_then(|goal| self::pose(goal, reader));
    if let (Some(goal), true) = (node.entry("goal"), is_fixed) {
        let message = format!("{name:?} is fixed and cannot have a goal");
        reader.problem_with_help(goal.place(), message, "remove the goal, or fixed = true");
    }
    let color = node.get("color").and_then(|node| color::read(node, reader));
    let place = node.entry("mesh").or_else(|| node.entry("shape")).map_or(node.place, |entry| entry.place());
    Body {
        name: name.to_owned(),
        geometry: geometry.unwrap_or_else(placeholder),
        is_fixed,
        color,
        pose,
        goal,
        place,
    }
}

/// Whether the body is declared a sheet.
pub(super) fn is_sheet(node: &Node, body: &Body, reader: &mut Reader<'_>) -> bool {
    let Some(flag) = node.get("solid") else { return false };
    if reader.flag(flag) != Some(false) {
        return false;
    }
    if let Geometry::Shape(shape) = &body.geometry
        && node.get("shape").is_some()
        && !can_be_sheet(shape)
    {
        let name = if body.name.is_empty() { "this body".to_owned() } else { format!("{:?}", body.name) };
        let message = format!("{name} has no mesh and is always a solid: it cannot be a sheet");
        let help = "remove solid = false, or give it a mesh with an open surface";
        reader.problem_with_help(flag.place, message, help);
        return false;
    }
    true
}

/// A pose, in metres.
pub(super) fn pose(node: &Node, reader: &mut Reader<'_>) -> Option<Pose> {
    reader.read_json(node, |json, dialect| pose_of_json(json, "", dialect))
}

/// For a body whose shape is wrong, in a scene that nobody gets.
fn placeholder() -> Geometry {
    // A sphere of one metre is always possible.
    Geometry::Shape(Shape::Sphere(Sphere::new(1.0).expect("a sphere")))
}

fn geometry(node: &Node, name: &str, reader: &mut Reader<'_>) -> Option<Geometry> {
    match (node.get("mesh"), node.get("shape")) {
        (Some(mesh), None) => {
            let units = mesh_units(node, reader);
            mesh_file::read(mesh, units, reader)
        }
        (None, Some(shape)) => {
            if let Some(units) = node.entry("mesh_units") {
                let message = "mesh_units is for mesh files; shapes are in the units of the scene file";
                reader.problem(units.place(), message);
            }
            self::shape(shape, reader).map(Geometry::Shape)
        }
        (Some(_), Some(shape)) => {
            let place = node.entry("shape").map_or(shape.place, |entry| entry.place());
            let message = format!("the body {name:?} has a mesh and a shape");
            reader.problem_with_help(place, message, "remove one of them");
            None
        }
        (None, None) if reader.is_misspelt(node, &keys::BODY, &["mesh", "shape"]) => None,
        (None, None) => {
            let message = format!("the body {name:?} has no shape");
            let help = "add mesh = \"….stl\", or shape = { box = { size = [x, y, z] } } or another shape";
            // At the name, so that the line shows which body it is.
            let place = node.entry("name").map_or(node.place, |entry| entry.place());
            reader.problem_with_help(place, message, help);
            None
        }
    }
}

pub(super) fn mesh_units(node: &Node, reader: &mut Reader<'_>) -> Option<(Unit, Place)> {
    let node = node.get("mesh_units")?;
    super::units(node, reader).map(|unit| (unit, node.place))
}

/// A shape, in metres.
pub(super) fn shape(node: &Node, reader: &mut Reader<'_>) -> Option<Shape> {
    if let Kind::Text(file) = &node.kind {
        let message =
            format!("found the text {file:?}, expected a shape such as {{ sphere = {{ radius = 1 }} }}");
        reader.problem_with_help(node.place, message, format!("for a mesh file write mesh = {file:?}"));
        return None;
    }
    let no_file = |name: &str, path: &str| -> Result<Shape, Fault> {
        let message =
            format!("found the string {name:?}, expected a shape; mesh files are bodies of their own");
        Err(Fault::new(path, message))
    };
    reader.read_json(node, |json, dialect| shape_of_json(json, "", dialect, &no_file))
}
