//! Shapes as JSON.

use super::{Batch, QuestionError, piece};
use freiraum_formats::notation::{self, Dialect};
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Unit};
use freiraum_query::{Piece, Prepared};
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

/// What a question is about: a shape, or a piece without volume.
#[derive(Clone, Debug)]
pub enum Figure {
    /// For every question.
    Shape(Prepared),
    /// For distances alone.
    Piece(Piece),
}

/// A figure and where it is.
#[derive(Clone, Debug)]
pub struct PlacedFigure {
    /// The figure in its own frame.
    pub figure: Figure,
    /// Where it is.
    pub world_from_figure: Pose,
}

impl Figure {
    /// The shape; pieces are refused, because they are for distances alone. `path`: where it stands.
    pub(super) fn shape(self, path: &str) -> Result<Prepared, QuestionError> {
        match self {
            Figure::Shape(shape) => Ok(shape),
            Figure::Piece(found) => Err(piece::refused(found.name(), path)),
        }
    }

    /// The same declared a sheet, of which only the surface counts; `name` is how the question names it.
    ///
    /// **Errors.** As [`declared_sheet`]; pieces, which have no inside anyway.
    pub fn as_sheet(self, name: &str) -> Result<Figure, QuestionError> {
        match self {
            Figure::Shape(shape) => declared_sheet(&shape, name).map(Figure::Shape),
            Figure::Piece(found) => {
                let message = format!(
                    "{name} is a {} and has no inside: it need not be a sheet; remove the declaration",
                    found.name()
                );
                Err(QuestionError::new("sheet", message))
            }
        }
    }
}

/// Where the shapes of a question come from.
#[derive(Clone, Copy)]
pub(super) struct Source<'s> {
    /// The unit of lengths.
    pub(super) units: Unit,
    /// Shapes that are names of files.
    pub(super) files: &'s dyn MeshFiles,
    /// Shapes that are names defined in a batch by as many definitions; they win over files.
    pub(super) defined: Option<(&'s Batch<'s>, usize)>,
}

impl Source<'_> {
    /// A figure from JSON; `path` is where it stands.
    pub(super) fn figure(&self, value: &Value, path: &str) -> Result<Figure, QuestionError> {
        if let Value::String(name) = value {
            return self.named(name, path);
        }
        if let Some((kind, body)) = piece::kind_of(value) {
            return piece::piece_of_json(kind, body, path, self.units).map(Figure::Piece);
        }
        // Names in a compound.
        let named = |name: &str, path: &str| -> Result<Shape, QuestionError> {
            Ok(self.named(name, path)?.shape(path)?.shape().clone())
        };
        let shape = notation::shape_of_json(value, path, &Dialect::question(self.units), &named)?;
        Ok(Figure::Shape(Prepared::new(shape)))
    }

    /// A shape from JSON; `path` is where it stands.
    pub(super) fn shape(&self, value: &Value, path: &str) -> Result<Prepared, QuestionError> {
        match piece::kind_of(value) {
            Some((kind, _)) => Err(piece::refused(kind, path)),
            None => self.figure(value, path)?.shape(path),
        }
    }

    fn named(&self, name: &str, path: &str) -> Result<Figure, QuestionError> {
        let defined = self.defined.and_then(|(batch, before)| batch.defined(name, before));
        match defined {
            Some(found) => found.map_err(|e| {
                let message = format!("{path}: {name:?} could not be defined: {}", e.message);
                QuestionError::new(e.code, message)
            }),
            None => {
                mesh_file(Path::new(name), path, self.units, self.files).map(Figure::Shape).map_err(|e| {
                    // What looks like a file is one, where nothing is defined.
                    let may_be_defined =
                        |(_, before): (_, usize)| before > 0 || Path::new(name).extension().is_none();
                    let is_name = self.defined.is_some_and(may_be_defined);
                    let more = if is_name { "; no line of the batch before defines this name" } else { "" };
                    QuestionError { message: e.message.clone() + more, ..e }
                })
            }
        }
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
    figure_of_argument(argument, name, units, files)?.shape(name)
}

/// As [`shape_of_argument`], for the question that takes pieces without volume, too.
pub fn figure_of_argument(
    argument: &OsStr,
    name: &str,
    units: Unit,
    files: &dyn MeshFiles,
) -> Result<Figure, QuestionError> {
    let text = argument.to_str().map(str::trim_start);
    if text == Some("") {
        let message =
            format!("{name}: the shape is empty; expected a mesh file name, or JSON such as {EXAMPLE}");
        return Err(QuestionError::new("shape", message));
    }
    let Some(text) = text.filter(|text| text.starts_with('{')) else {
        return mesh_file(Path::new(argument), name, units, files).map(Figure::Shape);
    };
    let value: Value = serde_json::from_str(text).map_err(|e| {
        let message = format!("{name}: no valid JSON: {e}; expected {KINDS}, such as {EXAMPLE}");
        QuestionError::new("json", message)
    })?;
    Source { units, files, defined: None }.figure(&value, name)
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
