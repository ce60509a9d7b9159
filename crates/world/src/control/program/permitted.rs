//! Which programs may be started.

use freiraum_scene::{Controller, Scene};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Programs that may be started: commands, each with the folder that it runs in. None by default, because a scene is a text that anybody
/// may have written: whoever builds a simulation says which of its programs may run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs(BTreeSet<Permitted>);

/// A command, and the folder that it runs in, without links.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Permitted {
    folder: PathBuf,
    command: Vec<String>,
}

impl Programs {
    /// No program at all.
    #[must_use]
    pub fn none() -> Programs {
        Programs::default()
    }

    /// All that a scene names, also for vehicles that do not drive.
    #[must_use]
    pub fn of(scene: &Scene) -> Programs {
        let named = scene.world.vehicles.iter().filter_map(|vehicle| match &vehicle.controller {
            Some(Controller::Program { command, folder, .. }) => Some(permitted(command, folder)),
            _ => None,
        });
        Programs(named.collect())
    }

    /// These, too, may be started.
    pub fn extend(&mut self, others: &Programs) {
        self.0.extend(others.0.iter().cloned());
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this command may run in this folder, word by word.
    #[must_use]
    pub fn contain(&self, command: &[String], folder: &Path) -> bool {
        self.0.contains(&permitted(command, folder))
    }

    /// The first vehicle of a scene whose program may not run: its number and the command.
    #[must_use]
    pub fn refused<'s>(&self, scene: &'s Scene) -> Option<(usize, &'s [String])> {
        scene.world.vehicles.iter().enumerate().find_map(|(number, vehicle)| match &vehicle.controller {
            Some(Controller::Program { command, folder, .. }) if !self.contain(command, folder) => {
                Some((number, command.as_slice()))
            }
            _ => None,
        })
    }

    /// The commands, with the folders that they run in.
    pub fn iter(&self) -> impl Iterator<Item = (&[String], &Path)> {
        self.0.iter().map(|one| (one.command.as_slice(), one.folder.as_path()))
    }

    /// Whether a command names this file, as a program or as one of its words.
    #[must_use]
    pub fn name_file(&self, path: &Path) -> bool {
        let Ok(real) = path.canonicalize() else { return false };
        let is_it =
            |one: &Permitted, word: &String| one.folder.join(word).canonicalize().is_ok_and(|p| p == real);
        self.0.iter().any(|one| one.command.iter().any(|word| is_it(one, word)))
    }
}

fn permitted(command: &[String], folder: &Path) -> Permitted {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // A folder that is not there is only itself; nothing can be started in it.
    Permitted { folder: here.canonicalize().unwrap_or_else(|_| here.to_owned()), command: command.to_vec() }
}
