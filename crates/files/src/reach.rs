//! Which files a text may name.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// No system opens longer paths, in bytes.
const LONGEST: usize = 1 << 13;

fn is_short(path: &Path) -> bool {
    path.as_os_str().len() <= LONGEST
}

/// Which files a text may name: all, or those in some places. Who opens texts of others says so *before* they are read, because reading
/// a scene opens the robots and tables that it names.
#[derive(Clone, Debug, Default)]
pub struct Reach(Option<Arc<BTreeSet<PathBuf>>>);

impl Reach {
    /// All files that the user may read.
    #[must_use]
    pub fn everything() -> Reach {
        Reach(None)
    }

    /// Only these files, and what is in these folders. They must be real paths, without links: [`Path::canonicalize`].
    pub fn within(places: impl IntoIterator<Item = PathBuf>) -> Reach {
        Reach(Some(Arc::new(places.into_iter().collect())))
    }

    /// Whether a path leads to a place that may be read, wherever its links go, also if nothing is there. What is outside is not opened
    /// for it, and that something is there or not makes no difference.
    #[must_use]
    pub fn contains(&self, path: &Path) -> bool {
        let Some(places) = &self.0 else { return true };
        let is_inside = |real: PathBuf| places.iter().any(|place| real.starts_with(place));
        // Short paths first: the others take long to follow.
        is_short(path) && !leads_back(path, places) && real(path).is_some_and(is_inside)
    }

    /// Whether some files are out of reach.
    #[must_use]
    pub fn is_confined(&self) -> bool {
        self.0.is_some()
    }

    /// The folder that a text is read from, so that only what the text says is judged, and not how the folder was named.
    pub fn folder(&self, folder: &Path) -> PathBuf {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let real = self.0.as_ref().and_then(|_| here.canonicalize().ok());
        real.unwrap_or_else(|| folder.to_path_buf())
    }

    /// Whether this is one of the places itself: a file that was named to be read, and not only what is in a folder.
    #[must_use]
    pub fn lists(&self, path: &Path) -> bool {
        let Some(places) = &self.0 else { return true };
        is_short(path) && real(path).is_some_and(|real| places.contains(&real))
    }
}

/// Whether a path goes through a folder elsewhere and back by `..`: whether that folder is there would make a difference. Through those above a place
/// it may go, which are there.
fn leads_back(path: &Path, places: &BTreeSet<PathBuf>) -> bool {
    let Ok(path) = std::path::absolute(path) else { return true };
    let mut before = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            let is_on_the_way = |real: PathBuf| {
                places.iter().any(|place| real.starts_with(place) || place.starts_with(&real))
            };
            if !before.canonicalize().is_ok_and(is_on_the_way) {
                return true;
            }
        }
        before.push(part);
    }
    false
}

/// The path without links; of what is not there, as far as something is. `None` where a link leads nowhere, which could be anywhere.
fn real(path: &Path) -> Option<PathBuf> {
    let (mut there, mut missing) = (path, Vec::new());
    loop {
        let place = if there.as_os_str().is_empty() { Path::new(".") } else { there };
        if let Ok(real) = place.canonicalize() {
            return Some(missing.into_iter().rev().fold(real, |path: PathBuf, name| path.join(name)));
        }
        if place.symlink_metadata().is_ok() {
            return None;
        }
        // Also `None` for `..` behind what is not there.
        missing.push(there.file_name()?);
        there = there.parent()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::folder::Folder;

    #[test]
    fn what_is_inside_is_reached_and_nothing_else() {
        let folder = Folder::new("reach");
        let root = folder.path().canonicalize().unwrap();
        let inside = root.join("inside");
        std::fs::create_dir_all(inside.join("sub")).unwrap();
        std::fs::write(inside.join("sub/a"), "").unwrap();
        std::fs::write(root.join("one"), "").unwrap();
        std::fs::write(root.join("other"), "").unwrap();
        let reach = Reach::within([inside.clone(), root.join("one")]);
        for good in ["inside/sub/a", "inside/none", "inside/none/none", "inside/sub/../b", "one", "inside"] {
            assert!(reach.contains(&root.join(good)), "{good}");
        }
        std::fs::create_dir(root.join("there")).unwrap();
        assert!(reach.contains(&inside.join("../inside/sub/a")) && reach.contains(&inside.join("../one")));
        for bad in [
            "other",
            "none",
            "inside/../other",
            "inside/none/../../other",
            "ones",
            "",
            // There or not, it leads back to a file that may be read.
            "there/../inside/sub/a",
            "not-there/../inside/sub/a",
            "inside/../there/../one",
            "inside/../not-there/../one",
        ] {
            assert!(!reach.contains(&root.join(bad)), "{bad}");
        }
        // Neither deep nor long paths are followed for long.
        assert!(reach.contains(&inside.join("none/".repeat(1000))));
        assert!(!reach.contains(&inside.join("none/".repeat(100_000))));
        assert!(!reach.contains(&inside.join("../inside/".repeat(100_000))));
        assert!(Reach::everything().contains(Path::new("/dev/zero")));
        assert!(!reach.contains(Path::new("/dev/zero")));
        #[cfg(unix)]
        {
            let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, inside.join(name)).unwrap();
            link(&root, "up");
            link(&root.join("nowhere"), "dangling");
            link(&inside.join("sub/a"), "own");
            assert!(!reach.contains(&inside.join("up/other")) && !reach.contains(&inside.join("up/none")));
            assert!(!reach.contains(&inside.join("dangling")) && reach.contains(&inside.join("own")));
        }
    }
}
