//! Answers of earlier checks of a scene, in the folder that the system keeps for such things.

use freiraum::check::CheckMemory;
use freiraum::files;
use freiraum::files::LARGEST_SAVED;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What is remembered of a scene. What cannot be read is forgotten, what cannot be written is not kept: nothing depends on it.
pub(in crate::commands) struct MemoryFile {
    /// Where it is kept.
    path: Option<PathBuf>,
    memory: CheckMemory,
}

impl MemoryFile {
    pub(in crate::commands) fn of(scene: &Path, is_kept: bool) -> MemoryFile {
        let path = if is_kept { place_for(scene) } else { None };
        let bytes = path.as_ref().and_then(|path| files::read(path, LARGEST_SAVED).ok());
        MemoryFile { path, memory: CheckMemory::from_bytes(&bytes.unwrap_or_default()) }
    }

    pub(in crate::commands) fn memory(&self) -> &CheckMemory {
        &self.memory
    }

    /// What time it is, for files that are recognised by their stamps; `None` if nothing is kept, and all are to be read.
    pub(in crate::commands) fn now(&self) -> Option<SystemTime> {
        self.path.as_ref().map(|_| SystemTime::now())
    }

    pub(in crate::commands) fn save(&mut self) {
        let Some(path) = &self.path else { return };
        let Some(folder) = path.parent() else { return };
        // Several checks may run at once: each puts a file of its own in place as a whole.
        let _ = std::fs::create_dir_all(folder);
        let _ = files::write_regular(path, self.memory.to_bytes());
    }
}

/// A name for the memory of a scene: the same for the same file, however it is called.
fn place_for(scene: &Path) -> Option<PathBuf> {
    let folder = files::cache_folder()?;
    let scene = scene.canonicalize().ok()?;
    Some(folder.join("check").join(files::cache_name(&scene)))
}
