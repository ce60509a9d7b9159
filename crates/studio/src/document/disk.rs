//! Whether files were changed by somebody else.

use freiraum_formats::scene::SceneFile;
use freiraum_mesh_io::companions;
use freiraum_scene::Geometry;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What tells one content of a file from another, as a rule.
type Stamp = Option<(SystemTime, u64)>;

/// The files of a scene as they were.
pub(super) struct Disk {
    scene: Option<(PathBuf, Stamp)>,
    /// Mesh files, each with those that it refers to.
    meshes: Vec<Vec<(PathBuf, Stamp)>>,
    /// Files of robots, likewise.
    robots: Vec<Vec<(PathBuf, Stamp)>>,
}

impl Disk {
    /// As they are now, before they are read: what is written meanwhile is then noticed.
    pub(super) fn of(file: &SceneFile) -> Disk {
        let mut disk = Disk { scene: None, meshes: Vec::new(), robots: Vec::new() };
        disk.saved(file);
        disk.follow(file);
        disk
    }

    /// The scene file is as it should be.
    pub(super) fn saved(&mut self, file: &SceneFile) {
        self.scene = file.path().map(stamped);
    }

    /// Looks at the meshes of a changed scene too, which were not read yet. Those of no body are looked at further on: an undo may bring them back.
    pub(super) fn follow(&mut self, file: &SceneFile) {
        for body in &file.scene().bodies {
            if let Geometry::File { path, .. } = &body.geometry
                && !self.meshes.iter().any(|files| files[0].0 == *path)
            {
                self.meshes.push(with_companions(path));
            }
        }
        for path in file.robot_files().iter().flatten() {
            if !self.robots.iter().any(|files| files[0].0 == *path) {
                self.robots.push(with_companions(path));
            }
        }
    }

    /// Whether the scene file changed since the last look.
    pub(super) fn look_at_scene(&mut self) -> bool {
        self.scene.as_mut().is_some_and(look)
    }

    /// Whether a mesh changed since the last look, and whether a file of a robot did.
    pub(super) fn look_at_parts(&mut self) -> [bool; 2] {
        [&mut self.meshes, &mut self.robots].map(|all| {
            let mut any = false;
            for files in all {
                if files.iter_mut().map(look).fold(false, |any, one| any | one) {
                    *files = with_companions(&files[0].0);
                    any = true;
                }
            }
            any
        })
    }
}

fn with_companions(path: &Path) -> Vec<(PathBuf, Stamp)> {
    let own = stamped(path);
    std::iter::once(own).chain(companions(path).iter().map(|other| stamped(other))).collect()
}

fn stamped(path: &Path) -> (PathBuf, Stamp) {
    (path.to_owned(), stamp(path))
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
