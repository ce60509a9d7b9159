//! The shapes of links.

use super::package::{Packages, tidy};
use super::xml::{Problems, elements, number, place, place_of, required, vector};
use freiraum_files as files;
use freiraum_geometry::shape::{Capsule, Cuboid, Cylinder, Shape, ShapeError, Sphere};
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_geometry::{Unit, Vec3};
use freiraum_mesh_io::{MeshFileCache, Reading};
use freiraum_scene::Problem;
use roxmltree::Node;
use std::path::{Path, PathBuf};

const KINDS: [&str; 5] = ["box", "cylinder", "sphere", "capsule", "mesh"];

/// The shape in a `<geometry>`; `None` if something is wrong, which is told.
pub(super) fn shape(
    geometry: &Node,
    folder: &Path,
    packages: &Packages,
    meshes: &MeshFileCache,
    problems: &mut Problems,
) -> Option<Shape> {
    let mut inside = elements(geometry);
    let Some(node) = inside.next() else {
        problems.add(place(geometry), format!("<geometry> is empty; expected one of {}", KINDS.join(", ")));
        return None;
    };
    if let Some(second) = inside.next() {
        problems.add_help(
            place(&second),
            "a <geometry> holds one shape, and this is the second",
            "write one <collision> for each shape",
        );
    }
    let mut length = |attribute: &str| {
        required(&node, attribute, problems)?;
        number(&node, attribute, problems)
    };
    let made: Result<Shape, ShapeError> = match node.tag_name().name() {
        "sphere" => Sphere::new(length("radius")?).map(Shape::Sphere),
        "cylinder" => Cylinder::new(length("radius")?, length("length")?).map(Shape::Cylinder),
        "capsule" => Capsule::new(length("radius")?, length("length")?).map(Shape::Capsule),
        "box" => {
            required(&node, "size", problems)?;
            Cuboid::new(vector(&node, "size", problems)?).map(Shape::Cuboid)
        }
        "mesh" => return mesh_shape(&node, folder, packages, meshes, problems),
        other => {
            let meant = crate::scene::words::nearest(other, KINDS);
            let help =
                meant.map_or(format!("use one of {}", KINDS.join(", ")), |m| format!("did you mean <{m}>?"));
            problems.add_help(place(&node), format!("<{other}> is no shape"), help);
            return None;
        }
    };
    let made = made.map_err(|error| problems.add(place(&node), error.to_string())).ok()?;
    within(made, &node, problems)
}

/// The shape, unless it is larger than anything that can be looked at.
fn within(shape: Shape, node: &Node, problems: &mut Problems) -> Option<Shape> {
    let reach = match &shape {
        Shape::Mesh(mesh) => mesh.vertices().iter().map(|v| v.abs().max_element()).fold(0.0, f64::max),
        _ => ["radius", "length", "size"]
            .iter()
            .filter_map(|attribute| node.attribute(*attribute))
            .flat_map(str::split_ascii_whitespace)
            .filter_map(|word| word.parse::<f64>().ok())
            .fold(0.0, f64::max),
    };
    if reach > MAX_COORDINATE {
        let message = format!("found a shape that reaches beyond {MAX_COORDINATE:.0e} m");
        problems.add_help(place(node), message, "lengths in URDF files are in metres");
        return None;
    }
    Some(shape)
}

fn mesh_shape(
    node: &Node,
    folder: &Path,
    packages: &Packages,
    meshes: &MeshFileCache,
    problems: &mut Problems,
) -> Option<Shape> {
    let written = required(node, "filename", problems)?;
    let scale = match node.attribute("scale") {
        Some(_) => vector(node, "scale", problems)?,
        None => Vec3::ONE,
    };
    if scale.to_array().contains(&0.0) {
        problems.add(place_of(node, "scale"), "a scale of 0 makes the mesh flat");
        return None;
    }
    let at = place_of(node, "filename");
    let (candidates, outside): (Vec<PathBuf>, Vec<PathBuf>) =
        packages.candidates(written, folder).into_iter().partition(|path| packages.reach.contains(path));
    if candidates.is_empty() && !outside.is_empty() {
        problems.0.push(Problem::outside(at, written));
        return None;
    }
    let Some(path) = candidates.iter().find(|path| path.is_file()) else {
        let looked: Vec<String> = candidates.iter().map(|path| tidy(path).display().to_string()).collect();
        if looked.is_empty() {
            let package = written.trim_start_matches("package://").split('/').next().unwrap_or(written);
            problems.add_help(
                at,
                format!("package '{package}' is in none of the folders above this file"),
                format!("say where it is: --package {package}=FOLDER"),
            );
        } else if let Some(what) = candidates.iter().find_map(files::special) {
            let help = "a mesh file of the disk is expected, which can be read to its end";
            problems.add_help(at, format!("mesh file '{written}' is {what}"), help);
        } else {
            problems.add_help(
                at,
                format!("mesh file '{written}' does not exist"),
                format!("looked for {}", looked.join(" and ")),
            );
        }
        return None;
    };
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("dae")) {
        problems.add_help(
            at,
            format!("'{written}' is a COLLADA file, which is not read"),
            "convert it to STL, OBJ, PLY, OFF or glTF, and name that file here",
        );
        return None;
    }
    match meshes.mesh(path, &Reading { units: Unit::Metre, scale }) {
        Ok(mesh) => within(Shape::Mesh(mesh), node, problems),
        Err(error) => {
            problems.add(at, error.to_string());
            None
        }
    }
}
