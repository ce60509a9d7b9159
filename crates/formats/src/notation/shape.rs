//! Shapes as JSON.

use super::Dialect;
use super::json::{Fault, array, describe, member, number, numbers, object, vector};
use super::pose::pose_of_json;
use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Part, Shape, Sphere,
};
use freiraum_geometry::tolerance::{MAX_COORDINATE, MIN_SIZE};
use freiraum_geometry::{Mesh, Pose, Vec3};
use serde_json::Value;
use std::sync::Arc;

/// The kinds of shapes, by the names they have in files.
pub const SHAPE_KINDS: [&str; 10] =
    ["sphere", "box", "cylinder", "capsule", "cone", "plane", "convex", "mesh", "heightfield", "compound"];

/// Gives the shape of a file name that stands at the path.
pub type ShapeFile<'f, E> = &'f dyn Fn(&str, &str) -> Result<Shape, E>;

/// A shape; `path` is where it stands, `file` gives the shapes that are names of files.
///
/// **Errors.** The first fault that is found.
pub fn shape_of_json<E: From<Fault>>(
    value: &Value,
    path: &str,
    dialect: &Dialect,
    file: ShapeFile<'_, E>,
) -> Result<Shape, E> {
    if let Value::String(name) = value {
        return file(name, path);
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
        return Err(Fault::new(path, format!("found {found}; expected {}", dialect.shape_kinds())).into());
    };
    let at = member(path, kind);
    match kind.as_str() {
        "compound" => compound(body, &at, dialect, file),
        _ => Ok(primitive(kind, body, &at, dialect)?),
    }
}

fn compound<E: From<Fault>>(
    value: &Value,
    path: &str,
    dialect: &Dialect,
    file: ShapeFile<'_, E>,
) -> Result<Shape, E> {
    let items = array(value, path, "an array of {\"shape\":…, \"pose\":…}")?;
    let mut parts = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let at = format!("{path}[{i}]");
        let map = object(item, &at, &["shape"], &["pose"])?;
        let shape = shape_of_json(&map["shape"], &member(&at, "shape"), dialect, file)?;
        let pose = map.get("pose").filter(|p| !p.is_null());
        let pose = pose.map(|p| pose_of_json(p, &member(&at, "pose"), dialect)).transpose()?;
        parts.push(Part { shape, compound_from_part: pose.unwrap_or(Pose::IDENTITY) });
    }
    Compound::new(parts).map(Shape::Compound).map_err(|e| Fault::new(path, e).into())
}

/// Every kind that holds no other shape.
fn primitive(kind: &str, body: &Value, at: &str, dialect: &Dialect) -> Result<Shape, Fault> {
    let metres = |x: f64| dialect.units.to_metres(x);
    let bad = |e: &dyn std::fmt::Display| Fault::new(at, e);
    let member_of =
        |keys: &[&str], key: &str| -> Result<&Value, Fault> { Ok(&object(body, at, keys, &[])?[key]) };
    let length =
        |keys: &[&str], key: &str, least: f64| size(member_of(keys, key)?, &member(at, key), least, dialect);
    match kind {
        "sphere" => {
            let radius = length(&["radius"], "radius", MIN_SIZE)?;
            Sphere::new(radius).map(Shape::Sphere).map_err(|e| bad(&e))
        }
        "box" => {
            let value = member_of(&["size"], "size")?;
            let size = sizes::<3>(value, &member(at, "size"), dialect)?;
            Cuboid::new(Vec3::from_array(size)).map(Shape::Cuboid).map_err(|e| bad(&e))
        }
        "cylinder" | "capsule" | "cone" => {
            let keys = ["radius", "height"];
            // The straight part of a capsule may be missing.
            let least = if kind == "capsule" { 0.0 } else { MIN_SIZE };
            let (radius, height) = (length(&keys, "radius", MIN_SIZE)?, length(&keys, "height", least)?);
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
            let offset = number(member_of(&keys, "offset")?, &member(at, "offset")).map(metres)?;
            HalfSpace::new(normal, offset).map(Shape::HalfSpace).map_err(|e| bad(&e))
        }
        "convex" => {
            let points = points(member_of(&["points"], "points")?, &member(at, "points"), dialect)?;
            Convex::from_points(&points).map(Shape::Convex).map_err(|e| bad(&e))
        }
        "mesh" => {
            let keys = ["vertices", "faces"];
            let vertices = points(member_of(&keys, "vertices")?, &member(at, "vertices"), dialect)?;
            let faces = faces(member_of(&keys, "faces")?, &member(at, "faces"), vertices.len())?;
            Mesh::new(vertices, faces).map(|m| Shape::Mesh(Arc::new(m))).map_err(|e| bad(&e))
        }
        "heightfield" => {
            let keys = ["size", "heights"];
            let size = sizes::<2>(member_of(&keys, "size")?, &member(at, "size"), dialect)?;
            let heights_at = member(at, "heights");
            let rows = array(member_of(&keys, "heights")?, &heights_at, "an array of rows of heights")?;
            let rows = rows
                .iter()
                .enumerate()
                .map(|(i, row)| {
                    let row_at = format!("{heights_at}[{i}]");
                    let items = array(row, &row_at, "an array of heights")?;
                    items
                        .iter()
                        .enumerate()
                        .map(|(k, h)| number(h, &format!("{row_at}[{k}]")).map(metres))
                        .collect()
                })
                .collect::<Result<Vec<Vec<f64>>, Fault>>()?;
            HeightField::new(size, &rows).map(Shape::HeightField).map_err(|e| bad(&e))
        }
        other => {
            let parent = at.strip_suffix(other).map_or(at, |p| p.trim_end_matches('.'));
            let message = format!("unknown shape {other:?}; expected {}", dialect.shape_kinds());
            Err(Fault::new(parent, message).of_key(other, SHAPE_KINDS))
        }
    }
}

/// A length that is not less than `least` metres, in metres; what is wrong with it is told in the unit in which it is written.
fn size(value: &Value, path: &str, least: f64, dialect: &Dialect) -> Result<f64, Fault> {
    let units = dialect.units;
    let written = number(value, path)?;
    let length = units.to_metres(written);
    if (least..=MAX_COORDINATE).contains(&length) {
        return Ok(length);
    }
    let expected = if written > 0.0 {
        format!("a length from {:.0e} to {:.0e} {units}", units.from_metres(least), dialect.farthest())
    } else if least > 0.0 {
        format!("a length in {units} above 0")
    } else {
        format!("a length in {units} that is 0 or more")
    };
    Err(Fault::new(path, format!("found {}, expected {expected}", describe(value))))
}

fn sizes<const N: usize>(value: &Value, path: &str, dialect: &Dialect) -> Result<[f64; N], Fault> {
    // First that they are so many.
    let mut found = numbers::<N>(value, path)?;
    for (i, item) in array(value, path, "an array")?.iter().enumerate() {
        found[i] = size(item, &format!("{path}[{i}]"), MIN_SIZE, dialect)?;
    }
    Ok(found)
}

fn points(value: &Value, path: &str, dialect: &Dialect) -> Result<Vec<Vec3>, Fault> {
    let items = array(value, path, "an array of points [x,y,z]")?;
    items
        .iter()
        .enumerate()
        .map(|(i, p)| Ok(vector(p, &format!("{path}[{i}]"))?.map(|x| dialect.units.to_metres(x))))
        .collect()
}

fn faces(value: &Value, path: &str, vertices: usize) -> Result<Vec<[u32; 3]>, Fault> {
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
            out[k] = index.filter(|index| (*index as usize) < vertices).ok_or_else(|| {
                let message = format!(
                    "found {}, expected a vertex number: {vertices} vertices are numbered from 0",
                    describe(corner)
                );
                Fault::new(&format!("{at}[{k}]"), message)
            })?;
        }
        Ok(out)
    };
    items.iter().enumerate().map(face).collect()
}
