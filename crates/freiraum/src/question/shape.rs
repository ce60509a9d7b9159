//! Shapes as JSON.

use super::QuestionError;
use super::json::{Fault, array, describe, member, number, numbers, object, vector};
use super::pose::pose_of_json;
use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Part, Shape, Sphere,
};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::Prepared;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

const KINDS: &str = "a mesh file name, or an object with one of sphere, box, cylinder, capsule, cone, plane, convex, mesh, \
                     heightfield, compound";
const EXAMPLE: &str = r#"{"sphere":{"radius":1}}"#;

/// Where shapes that are file names come from.
pub trait MeshFiles: Sync {
    /// The mesh in a file, in metres, ready for questions.
    fn mesh(&self, file: &Path) -> Result<Prepared, QuestionError>;
}

/// Refuses every file name.
pub struct NoFiles;

impl MeshFiles for NoFiles {
    fn mesh(&self, file: &Path) -> Result<Prepared, QuestionError> {
        Err(QuestionError::new("mesh_file", format!("{}: mesh files cannot be read here", file.display())))
    }
}

/// A shape from the command line, where it is the argument `name`: inline JSON if it starts with a brace, else a mesh file.
pub fn shape_of_argument(
    argument: &OsStr,
    name: &str,
    files: &dyn MeshFiles,
) -> Result<Prepared, QuestionError> {
    let text = argument.to_str().map(str::trim_start);
    if text == Some("") {
        let message =
            format!("{name}: the shape is empty; expected a mesh file name, or JSON such as {EXAMPLE}");
        return Err(QuestionError::new("shape", message));
    }
    let Some(text) = text.filter(|text| text.starts_with('{')) else {
        return mesh_file(Path::new(argument), name, files);
    };
    let value = serde_json::from_str(text).map_err(|e| {
        let message = format!("{name}: no valid JSON: {e}; expected {KINDS}, such as {EXAMPLE}");
        QuestionError::new("json", message)
    })?;
    shape_of_json(&value, name, files)
}

/// A shape from JSON; `path` is where it stands.
pub(super) fn shape_of_json(
    value: &Value,
    path: &str,
    files: &dyn MeshFiles,
) -> Result<Prepared, QuestionError> {
    match value {
        Value::String(file) => mesh_file(Path::new(file), path, files),
        _ => shape(value, path, files).map(Prepared::new),
    }
}

fn mesh_file(file: &Path, path: &str, files: &dyn MeshFiles) -> Result<Prepared, QuestionError> {
    let found = files.mesh(file).map_err(|e| e.at(path));
    found.map_err(|e| match file.extension() {
        Some(_) => e,
        // `sphere` alone, say: no file has such a name.
        None => QuestionError {
            message: format!("{}; a shape is a mesh file name, or JSON such as {EXAMPLE}", e.message),
            ..e
        },
    })
}

fn shape(value: &Value, path: &str, files: &dyn MeshFiles) -> Result<Shape, QuestionError> {
    if let Value::String(file) = value {
        return mesh_file(Path::new(file), path, files).map(|prepared| prepared.shape().clone());
    }
    let entry = value.as_object().filter(|map| map.len() == 1).and_then(|map| map.iter().next());
    let Some((kind, body)) = entry else {
        let keys: Vec<&str> =
            value.as_object().map_or(Vec::new(), |m| m.keys().map(String::as_str).collect());
        let found = match (keys.len(), value) {
            (0, Value::Object(_)) => "an empty object".to_owned(),
            (0, _) => describe(value),
            _ => format!("an object with {}", keys.join(", ")),
        };
        return Err(Fault::new(path, format!("found {found}; expected {KINDS}")).coded("shape"));
    };
    let at = member(path, kind);
    match kind.as_str() {
        "compound" => compound(body, &at, files),
        _ => primitive(kind, body, &at).map_err(|f| f.coded("shape")),
    }
}

fn compound(value: &Value, path: &str, files: &dyn MeshFiles) -> Result<Shape, QuestionError> {
    let fault = |f: Fault| f.coded("shape");
    let items = array(value, path, "an array of {\"shape\":…, \"pose\":…}").map_err(fault)?;
    let mut parts = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let at = format!("{path}[{i}]");
        let map = object(item, &at, &["shape"], &["pose"]).map_err(fault)?;
        let shape = shape(&map["shape"], &member(&at, "shape"), files)?;
        let pose = map.get("pose").filter(|p| !p.is_null());
        let pose = pose.map(|p| pose_of_json(p, &member(&at, "pose"))).transpose().map_err(fault)?;
        parts.push(Part { shape, compound_from_part: pose.unwrap_or(Pose::IDENTITY) });
    }
    Compound::new(parts).map(Shape::Compound).map_err(|e| fault(Fault::new(path, e)))
}

/// Every kind that holds no other shape.
fn primitive(kind: &str, body: &Value, at: &str) -> Result<Shape, Fault> {
    let bad = |e: &dyn std::fmt::Display| Fault::new(at, e);
    let member_of =
        |keys: &[&str], key: &str| -> Result<&Value, Fault> { Ok(&object(body, at, keys, &[])?[key]) };
    let length = |keys: &[&str], key: &str| number(member_of(keys, key)?, &member(at, key));
    match kind {
        "sphere" => Sphere::new(length(&["radius"], "radius")?).map(Shape::Sphere).map_err(|e| bad(&e)),
        "box" => {
            let size = vector(member_of(&["size"], "size")?, &member(at, "size"))?;
            Cuboid::new(size).map(Shape::Cuboid).map_err(|e| bad(&e))
        }
        "cylinder" | "capsule" | "cone" => {
            let keys = ["radius", "height"];
            let (radius, height) = (length(&keys, "radius")?, length(&keys, "height")?);
            match kind {
                "cylinder" => Cylinder::new(radius, height).map(Shape::Cylinder),
                "capsule" => Capsule::new(radius, height).map(Shape::Capsule),
                _ => Cone::new(radius, height).map(Shape::Cone),
            }
            .map_err(|e| bad(&e))
        }
        "plane" => {
            let keys = ["normal", "offset"];
            let normal = vector(member_of(&keys, "normal")?, &member(at, "normal"))?;
            HalfSpace::new(normal, length(&keys, "offset")?).map(Shape::HalfSpace).map_err(|e| bad(&e))
        }
        "convex" => {
            let points = points(member_of(&["points"], "points")?, &member(at, "points"))?;
            Convex::from_points(&points).map(Shape::Convex).map_err(|e| bad(&e))
        }
        "mesh" => {
            let keys = ["vertices", "faces"];
            let vertices = points(member_of(&keys, "vertices")?, &member(at, "vertices"))?;
            let faces = faces(member_of(&keys, "faces")?, &member(at, "faces"))?;
            Mesh::new(vertices, faces).map(|m| Shape::Mesh(Arc::new(m))).map_err(|e| bad(&e))
        }
        "heightfield" => {
            let keys = ["size", "heights"];
            let size = numbers::<2>(member_of(&keys, "size")?, &member(at, "size"))?;
            let heights_at = member(at, "heights");
            let rows = array(member_of(&keys, "heights")?, &heights_at, "an array of rows of heights")?;
            let rows = rows
                .iter()
                .enumerate()
                .map(|(i, row)| {
                    let row_at = format!("{heights_at}[{i}]");
                    let items = array(row, &row_at, "an array of heights")?;
                    items.iter().enumerate().map(|(k, h)| number(h, &format!("{row_at}[{k}]"))).collect()
                })
                .collect::<Result<Vec<Vec<f64>>, Fault>>()?;
            HeightField::new(size, &rows).map(Shape::HeightField).map_err(|e| bad(&e))
        }
        other => {
            let parent = at.strip_suffix(other).map_or(at, |p| p.trim_end_matches('.'));
            Err(Fault::new(parent, format!("unknown shape {other:?}; expected {KINDS}")))
        }
    }
}

fn points(value: &Value, path: &str) -> Result<Vec<Vec3>, Fault> {
    let items = array(value, path, "an array of points [x,y,z]")?;
    items.iter().enumerate().map(|(i, p)| vector(p, &format!("{path}[{i}]"))).collect()
}

fn faces(value: &Value, path: &str) -> Result<Vec<[u32; 3]>, Fault> {
    let items = array(value, path, "an array of faces [i,j,k]")?;
    let face = |(i, item): (usize, &Value)| {
        let at = format!("{path}[{i}]");
        let corners = item.as_array().filter(|c| c.len() == 3);
        let Some(corners) = corners else {
            return Err(Fault::new(&at, format!("found {}, expected three vertex numbers", describe(item))));
        };
        let mut out = [0; 3];
        for (k, corner) in corners.iter().enumerate() {
            let index = corner.as_u64().and_then(|x| u32::try_from(x).ok());
            out[k] = index.ok_or_else(|| {
                let message = format!("found {}, expected a vertex number, counted from 0", describe(corner));
                Fault::new(&format!("{at}[{k}]"), message)
            })?;
        }
        Ok(out)
    };
    items.iter().enumerate().map(face).collect()
}
