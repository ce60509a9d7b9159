//! Shapes as JSON.

use super::QuestionError;
use freiraum_formats::notation::{self, Dialect};
use freiraum_geometry::Unit;
use freiraum_query::Prepared;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;

const KINDS: &str = "a mesh file name, or an object with one of sphere, box, cylinder, capsule, cone, plane, convex, mesh, \
                     heightfield, compound";
const EXAMPLE: &str = r#"{"sphere":{"radius":1}}"#;

/// Where shapes that are file names come from.
pub trait MeshFiles: Sync {
    /// The mesh in a file whose numbers are in `units`, if its format leaves that open; ready for questions, in metres.
    fn mesh(&self, file: &Path, units: Unit) -> Result<Prepared, QuestionError>;
}

/// Refuses every file name.
pub struct NoFiles;

impl MeshFiles for NoFiles {
    fn mesh(&self, file: &Path, _: Unit) -> Result<Prepared, QuestionError> {
        Err(QuestionError::new("mesh_file", format!("{}: mesh files cannot be read here", file.display())))
    }
}

/// A shape from the command line, where it is the argument `name`: inline JSON if it starts with a brace, else a mesh file;
/// its lengths are in `units`.
pub fn shape_of_argument(
    argument: &OsStr,
    name: &str,
    units: Unit,
    files: &dyn MeshFiles,
) -> Result<Prepared, QuestionError> {
    let text = argument.to_str().map(str::trim_start);
    if text == Some("") {
        let message =
            format!("{name}: the shape is empty; expected a mesh file name, or JSON such as {EXAMPLE}");
        return Err(QuestionError::new("shape", message));
    }
    let Some(text) = text.filter(|text| text.starts_with('{')) else {
        return mesh_file(Path::new(argument), name, units, files);
    };
    let value = serde_json::from_str(text).map_err(|e| {
        let message = format!("{name}: no valid JSON: {e}; expected {KINDS}, such as {EXAMPLE}");
        QuestionError::new("json", message)
    })?;
    shape_of_json(&value, name, units, files)
}

/// A shape declared a sheet, of which only the surface counts; `name` is how the question names it.
///
/// **Errors.** A shape without a mesh, which is always a solid.
pub fn declared_sheet(shape: &Prepared, name: &str) -> Result<Prepared, QuestionError> {
    let sheet = shape.as_sheet();
    if sheet.is_sheet() {
        return Ok(sheet);
    }
    let message = format!(
        "{name} has no mesh and is always a solid: it cannot be a sheet; remove the declaration, or ask about a mesh"
    );
    Err(QuestionError::new("sheet", message))
}

/// A shape from JSON with lengths in `units`; `path` is where it stands.
pub(super) fn shape_of_json(
    value: &Value,
    path: &str,
    units: Unit,
    files: &dyn MeshFiles,
) -> Result<Prepared, QuestionError> {
    match value {
        Value::String(file) => mesh_file(Path::new(file), path, units, files),
        _ => {
            // Files in a compound.
            let file = |file: &str, path: &str| {
                mesh_file(Path::new(file), path, units, files).map(|prepared| prepared.shape().clone())
            };
            notation::shape_of_json(value, path, &Dialect::question(units), &file).map(Prepared::new)
        }
    }
}

fn mesh_file(file: &Path, path: &str, units: Unit, files: &dyn MeshFiles) -> Result<Prepared, QuestionError> {
    let found = files.mesh(file, units).map_err(|e| e.at(path));
    found.map_err(|e| match file.extension() {
        Some(_) => e,
        // `sphere` alone, say: no file has such a name.
        None => QuestionError {
            message: format!("{}; a shape is a mesh file name, or JSON such as {EXAMPLE}", e.message),
            ..e
        },
    })
}
