//! Shapes as JSON, and mesh files read once however often they are named.

use super::super::Failure;
use super::json::{Fault, array, describe, member, number, numbers, object, vector};
use super::pose::pose_of_json;
use freiraum::formats::mesh::{self, ReadOptions, Unit};
use freiraum::geometry::shape::{
    Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Part, Shape, Sphere,
};
use freiraum::geometry::{Mesh, Vec3};
use freiraum::query::Prepared;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const KINDS: &str = "a mesh file name, or an object with one of sphere, box, cylinder, capsule, cone, plane, convex, mesh, \
                     heightfield, compound";

/// Reads shapes; every mesh file is read and prepared once.
pub(super) struct Shapes {
    unit: Unit,
    files: BTreeMap<PathBuf, Prepared>,
}

impl Shapes {
    /// Numbers in mesh files are in `unit`; those in JSON in metres.
    pub(super) fn new(unit: Unit) -> Shapes {
        Shapes { unit, files: BTreeMap::new() }
    }

    /// A shape from the command line: inline JSON if it starts with a brace, else a mesh file.
    pub(super) fn of_argument(&mut self, text: &str, name: &str) -> Result<Prepared, Failure> {
        if !text.trim_start().starts_with('{') {
            return self.of_file(Path::new(text));
        }
        let value = serde_json::from_str(text)
            .map_err(|e| Failure::new("json", format!("{name}: no valid JSON: {e}; expected {KINDS}")))?;
        self.of_json(&value, name)
    }

    /// A shape from JSON; `path` is where it stands.
    pub(super) fn of_json(&mut self, value: &Value, path: &str) -> Result<Prepared, Failure> {
        if let Value::String(file) = value {
            return self.of_file(Path::new(file)).map_err(|f| Failure::new(f.code, format!("{path}: {}", f.message)));
        }
        Ok(Prepared::new(self.shape(value, path)?))
    }

    fn of_file(&mut self, file: &Path) -> Result<Prepared, Failure> {
        if let Some(known) = self.files.get(file) {
            return Ok(known.clone());
        }
        let format = mesh::detect(file).map_err(|e| Failure::new("mesh_file", e))?;
        // glTF files are in metres by definition.
        let is_gltf = matches!(format, mesh::MeshFormat::Gltf | mesh::MeshFormat::Glb);
        let units = if is_gltf { Unit::Metre } else { self.unit };
        let options = ReadOptions { units, format: Some(format), ..ReadOptions::default() };
        let mesh = mesh::read(file, &options).map_err(|e| Failure::new("mesh_file", e))?;
        let prepared = Prepared::new(Shape::Mesh(Arc::new(mesh)));
        self.files.insert(file.to_owned(), prepared.clone());
        Ok(prepared)
    }

    fn shape(&mut self, value: &Value, path: &str) -> Result<Shape, Failure> {
        if let Value::String(file) = value {
            let prepared = self.of_file(Path::new(file));
            return prepared
                .map(|p| p.shape().clone())
                .map_err(|f| Failure::new(f.code, format!("{path}: {}", f.message)));
        }
        let entry = value.as_object().filter(|map| map.len() == 1).and_then(|map| map.iter().next());
        let Some((kind, body)) = entry else {
            let keys: Vec<&str> = value.as_object().map_or(Vec::new(), |m| m.keys().map(String::as_str).collect());
            let found = match keys.len() {
                0 => describe(value),
                _ => format!("an object with {}", keys.join(", ")),
            };
            return Err(fault(Fault::new(path, format!("found {found}, expected {KINDS}"))));
        };
        let at = member(path, kind);
        if kind == "compound" {
            return self.compound(body, &at);
        }
        primitive(kind, body, &at).map_err(fault)
    }

    fn compound(&mut self, value: &Value, path: &str) -> Result<Shape, Failure> {
        let items = array(value, path, "an array of {\"shape\":…, \"pose\":…}").map_err(fault)?;
        let mut parts = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            let at = format!("{path}[{i}]");
            let map = object(item, &at, &["shape"], &["pose"]).map_err(fault)?;
            let shape = self.shape(&map["shape"], &member(&at, "shape"))?;
            let pose = map.get("pose").map(|p| pose_of_json(p, &member(&at, "pose"))).transpose().map_err(fault)?;
            parts.push(Part { shape, compound_from_part: pose.unwrap_or(freiraum::geometry::Pose::IDENTITY) });
        }
        Compound::new(parts).map(Shape::Compound).map_err(|e| fault(Fault::new(path, e)))
    }
}

fn fault(fault: Fault) -> Failure {
    Failure::new("shape", fault)
}

/// Every kind that holds no other shape.
fn primitive(kind: &str, body: &Value, at: &str) -> Result<Shape, Fault> {
    let bad = |e: &dyn std::fmt::Display| Fault::new(at, e);
    let member_of = |keys: &[&str], key: &str| -> Result<&Value, Fault> { Ok(&object(body, at, keys, &[])?[key]) };
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
