//! Checking again whenever a file is saved.

use super::memory_file::MemoryFile;
use super::{Arguments, Console, once};
use crate::commands::{Answer, Failure};
use freiraum::formats::scene::SceneFile;
use freiraum::mesh_io;
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
        let files = files(&arguments.scene);
        let seen = stamps(&files);
        match once(arguments, memory, console) {
            Ok(_) => memory.save(),
            // Later the file may be away while an editor saves it.
            Err(failure) if !has_started => return Err(failure),
            Err(failure) => console.failure(&failure),
        }
        has_started = true;
        console.text("\nwaiting for changes; Ctrl-C ends it\n\n");
        while stamps(&files) == seen {
            if console.is_closed() {
                return Ok(Answer::Good);
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// The scene and everything that it is read from; of one that is wrong, its folder too: a file may be missing there.
fn files(scene: &Path) -> Vec<PathBuf> {
    let mut files = vec![scene.to_owned()];
    match SceneFile::read(scene) {
        Ok(file) => {
            for body in &file.scene().bodies {
                if let Geometry::File { path, .. } = &body.geometry
                    && !files.contains(path)
                {
                    files.extend(mesh_io::companions(path));
                    files.push(path.clone());
                }
            }
        }
        Err(_) => {
            let folder = scene.parent().filter(|folder| !folder.as_os_str().is_empty());
            files.push(folder.unwrap_or(Path::new(".")).to_owned());
        }
    }
    files
}

/// When files were last written, and how long they are.
fn stamps(files: &[PathBuf]) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |path: &PathBuf| {
        let data = std::fs::metadata(path).ok()?;
        Some((data.modified().ok()?, data.len()))
    };
    files.iter().map(stamp).collect()
}
