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

    /// The files and folders that the commands name, those that are there, without links: whatever a word is
    /// or contains
    /// (`drive.py`, `--model=net.bin`, `-Ifolder`, `a:b`), as seen from the folder that the command runs in.
    #[must_use]
    pub fn paths(&self) -> BTreeSet<PathBuf> {
        let named = self.0.iter().flat_map(|one| {
            let words = one.command.iter().flat_map(|word| contained(word));
            words.filter_map(|word| one.folder.join(word).canonicalize().ok())
        });
        named.collect()
    }

    /// Whether a command names a file or a folder that it is in, or would be in if it is not there yet.
    #[must_use]
    pub fn name_file(&self, path: &Path) -> bool {
        // One that is not there yet is where its folder is.
        let new = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
        let real = path.canonicalize().ok().or_else(new);
        real.is_some_and(|real| self.paths().iter().any(|named| real.starts_with(named)))
    }
}

/// All parts of a word that may be paths: the word, what follows each `=` in it, what a short option has
/// attached, the members of lists of these, and the words of a command of a shell.
fn contained(word: &str) -> BTreeSet<&str> {
    let attached = word.strip_prefix('-').map(|rest| {
        let mut rest = rest.chars();
        rest.next();
        rest.as_str()
    });
    let values = word.match_indices('=').map(|(at, _)| &word[at + 1..]);
    let wholes = values.chain(attached).chain([word]);
    let is_blank = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | ':' | ';' | ',');
    let all = wholes
        .flat_map(move |whole| whole.split([':', ';', ',']).chain(whole.split(is_blank)).chain([whole]));
    all.filter(|part| !part.is_empty()).collect()
}

fn permitted(command: &[String], folder: &Path) -> Permitted {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // A folder that is not there is only itself; nothing can be started in it.
    Permitted { folder: here.canonicalize().unwrap_or_else(|_| here.to_owned()), command: command.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_contain_paths_in_all_usual_forms() {
        let has = |word: &str, path: &str| contained(word).contains(path);
        for word in [
            "a.py",
            "--x=a.py",
            "x=a.py",
            "--x=b.py:a.py",
            "-Ia.py",
            "--x=y=a.py",
            "b,a.py",
            "python3 'a.py'; b",
        ] {
            assert!(has(word, "a.py"), "{word}");
        }
        assert!(has("a,b.py", "a,b.py") && has("--x=a=b", "a=b") && has("a b.py", "a b.py"));
        assert!(contained("").is_empty() && !has("--x=", "") && has("-é", "-é"));
    }
}
