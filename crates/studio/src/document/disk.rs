//! Whether files were changed by somebody else.

use freiraum_formats::scene::SceneFile;
use freiraum_scene::Geometry;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What tells one content of a file from another, as a rule.
type Stamp = Option<(SystemTime, u64)>;

/// The files of a scene as they were.
pub(super) struct Disk {
    scene: Option<(PathBuf, Stamp)>,
    meshes: Vec<(PathBuf, Stamp)>,
}

impl Disk {
    pub(super) fn of(file: &SceneFile) -> Disk {
        let mut paths: Vec<&PathBuf> = Vec::new();
        for body in &file.scene().bodies {
            if let Geometry::File { path, .. } = &body.geometry
                && !paths.contains(&path)
            {
                paths.push(path);
            }
        }
        Disk {
            scene: file.path().map(|path| (path.to_owned(), stamp(path))),
            meshes: paths.into_iter().map(|path| (path.clone(), stamp(path))).collect(),
        }
    }

    /// Whether the scene file changed since the last look.
    pub(super) fn look_at_scene(&mut self) -> bool {
        self.scene.as_mut().is_some_and(look)
    }

    /// Whether a mesh changed since the last look.
    pub(super) fn look_at_meshes(&mut self) -> bool {
        self.meshes.iter_mut().map(look).fold(false, |any, one| any | one)
    }
}

fn look((path, known): &mut (PathBuf, Stamp)) -> bool {
    let now = stamp(path);
    // A file that is gone may be about to be replaced.
    let is_changed = now.is_some() && now != *known;
    if is_changed {
        *known = now;
    }
    is_changed
}

fn stamp(path: &Path) -> Stamp {
    let found = std::fs::metadata(path).ok()?;
    Some((found.modified().ok()?, found.len()))
}
