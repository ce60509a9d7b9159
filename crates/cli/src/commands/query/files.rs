//! Mesh files, read and prepared once however often they are named.

use freiraum::geometry::shape::Shape;
use freiraum::mesh_io;
use freiraum::mesh_io::{MeshFormat, ReadOptions, Unit};
use freiraum::query::Prepared;
use freiraum::question::{MeshFiles, QuestionError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

type Entry = Arc<OnceLock<Result<Prepared, QuestionError>>>;

/// All files read so far, each in the units it was asked in; the unreadable ones too.
#[derive(Default)]
pub(super) struct FileCache {
    files: Mutex<BTreeMap<(PathBuf, &'static str), Entry>>,
}

impl FileCache {
    /// Numbers in mesh files are in `units`; those of glTF files in metres, by definition.
    fn read(file: &Path, units: Unit) -> Result<Prepared, QuestionError> {
        let failure = |e| QuestionError::new("mesh_file", e);
        let format = mesh_io::detect(file).map_err(failure)?;
        let is_gltf = matches!(format, MeshFormat::Gltf | MeshFormat::Glb);
        let units = if is_gltf { Unit::Metre } else { units };
        let options = ReadOptions { units, format: Some(format), ..ReadOptions::default() };
        let mesh = mesh_io::read(file, &options).map_err(failure)?;
        Ok(Prepared::new(Shape::Mesh(Arc::new(mesh))))
    }
}

impl MeshFiles for FileCache {
    fn mesh(&self, file: &Path, units: Unit) -> Result<Prepared, QuestionError> {
        let entry = {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.entry((file.to_owned(), units.symbol())).or_default().clone()
        };
        // Whoever comes second waits for the first, and others read other files meanwhile.
        entry.get_or_init(|| FileCache::read(file, units)).clone()
    }
}
