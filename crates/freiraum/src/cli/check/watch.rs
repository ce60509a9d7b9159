//! Checking again whenever a file is saved.

use super::memory_file::MemoryFile;
use super::{Arguments, Console, once};
use crate::cli::{Answer, Failure};
use freiraum::formats::scene::SceneFile;
use freiraum::scene::Geometry;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(200);

/// Checks now and after every change, until nobody reads what is printed.
pub(super) fn run(
    arguments: &Arguments,
    memory: &mut MemoryFile,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let mut has_started = arguments.scene.is_file();
    loop {
        let seen = stamps(&arguments.scene);
        match once(arguments, memory, console) {
            Ok(_) => memory.save(),
            // Later the file may be away while an editor saves it.
            Err(failure) if !has_started => return Err(failure),
            Err(failure) => console.failure(&failure),
        }
        has_started = true;
        console.text("\nwaiting for changes; Ctrl-C ends it\n\n");
        while stamps(&arguments.scene) == seen {
            if console.is_closed() {
                return Ok(Answer::Good);
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// When the scene and its meshes were last written, and how long they are.
fn stamps(scene: &Path) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |path: &PathBuf| {
        let data = std::fs::metadata(path).ok()?;
        Some((data.modified().ok()?, data.len()))
    };
    let mut files = vec![scene.to_owned()];
    if let Ok(file) = SceneFile::read(scene) {
        files.extend(file.scene().bodies.iter().filter_map(|body| match &body.geometry {
            Geometry::File { path, .. } => Some(path.clone()),
            Geometry::Shape(_) => None,
        }));
    }
    files.iter().map(stamp).collect()
}
