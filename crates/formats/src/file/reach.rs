//! Which files a text may name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
        real(path).is_some_and(|real| places.iter().any(|place| real.starts_with(place)))
    }
}

/// The path without links; of what is not there, as far as something is. `None` where a link leads nowhere, which could be anywhere.
fn real(path: &Path) -> Option<PathBuf> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    if let Ok(real) = path.canonicalize() {
        return Some(real);
    }
    if path.symlink_metadata().is_ok() {
        return None;
    }
    // Also `None` for `..` behind what is not there.
    let name = path.file_name()?;
    Some(real(path.parent()?)?.join(name))
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
        for bad in ["other", "none", "inside/../other", "inside/none/../../other", "ones", ""] {
            assert!(!reach.contains(&root.join(bad)), "{bad}");
        }
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
