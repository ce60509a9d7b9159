//! Mesh files, read and prepared once however often they are named.

use freiraum::formats::mesh::{self, MeshFormat, ReadOptions, Unit};
use freiraum::geometry::shape::Shape;
use freiraum::query::Prepared;
use freiraum::question::{MeshFiles, QuestionError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

type Entry = Arc<OnceLock<Result<Prepared, QuestionError>>>;

/// All files read so far, the unreadable ones too.
pub(super) struct FileCache {
    unit: Unit,
    files: Mutex<BTreeMap<PathBuf, Entry>>,
}

impl FileCache {
    /// Numbers in mesh files are in `unit`; those of glTF files in metres, by definition.
    pub(super) fn new(unit: Unit) -> FileCache {
        FileCache { unit, files: Mutex::default() }
    }

    fn read(&self, file: &Path) -> Result<Prepared, QuestionError> {
        let failure = |e| QuestionError::new("mesh_file", e);
        let format = mesh::detect(file).map_err(failure)?;
        let is_gltf = matches!(format, MeshFormat::Gltf | MeshFormat::Glb);
        let units = if is_gltf { Unit::Metre } else { self.unit };
        let options = ReadOptions { units, format: Some(format), ..ReadOptions::default() };
        let mesh = mesh::read(file, &options).map_err(failure)?;
        Ok(Prepared::new(Shape::Mesh(Arc::new(mesh))))
    }
}

impl MeshFiles for FileCache {
    fn mesh(&self, file: &Path) -> Result<Prepared, QuestionError> {
        let entry = {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            match files.get(file) {
                Some(entry) => entry.clone(),
                None => files.entry(file.to_owned()).or_default().clone(),
            }
        };
        // Whoever comes second waits for the first, and others read other files meanwhile.
        entry.get_or_init(|| self.read(file)).clone()
    }
}
