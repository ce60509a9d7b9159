//! Mesh files, read and prepared once however often they are named.

use freiraum::geometry::shape::Shape;
use freiraum::mesh_io::{MeshFileCache, Reading, Unit};
use freiraum::query::Prepared;
use freiraum::question::{MeshFiles, QuestionError};
use std::path::Path;
use std::sync::Arc;

/// All files read so far, each in the units it was asked in; the unreadable ones too.
#[derive(Default)]
pub(super) struct FileCache {
    files: MeshFileCache<Prepared>,
}

impl MeshFiles for FileCache {
    /// Numbers in mesh files are in `units`; those of glTF files in metres, by definition.
    fn mesh(&self, file: &Path, units: Unit) -> Result<Prepared, QuestionError> {
        let prepared = |mesh| Prepared::new(Shape::Mesh(Arc::new(mesh)));
        let found = self.files.made(file, &Reading::of(units), prepared);
        found.map_err(|error| QuestionError::new("mesh_file", error))
    }
}
