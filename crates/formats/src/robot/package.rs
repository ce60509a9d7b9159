//! Where the files are that a robot file names.

use freiraum_files as files;
use freiraum_files::Reach;
use std::path::{Component, Path, PathBuf};

/// Folders of packages, for names like `package://my_robot/meshes/arm.stl`.
#[derive(Clone, Debug, Default)]
pub struct Packages {
    /// Names and folders, tried first.
    pub named: Vec<(String, PathBuf)>,
    /// Which files a robot file may name, and in which folders packages are looked for.
    pub reach: Reach,
}

impl Packages {
    /// Where the file may be that stands as `written` in a robot file in `folder`, best first.
    ///
    /// A package is looked for among those with a name here, then among the folders above the robot file: one with this name, one that holds a folder with this name, or one whose `package.xml`
    /// says this name.
    pub(super) fn candidates(&self, written: &str, folder: &Path) -> Vec<PathBuf> {
        let Some(rest) = written.strip_prefix("package://") else {
            let plain = written.strip_prefix("file://").unwrap_or(written);
            return vec![folder.join(plain)];
        };
        let (package, rest) = rest.split_once('/').unwrap_or((rest, ""));
        let mut found: Vec<PathBuf> = Vec::new();
        for (name, place) in &self.named {
            if name == package {
                found.push(place.join(rest));
            }
        }
        let above = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        for ancestor in above.ancestors() {
            let is_named = ancestor.file_name().is_some_and(|name| name == package);
            let path = ancestor.join(rest);
            // What a folder is called that nobody may look into is not told, unless the very file was named to be read.
            let may_be_known = || self.reach.contains(ancestor) || self.reach.lists(&path);
            if (is_named && may_be_known()) || self.says(ancestor, package) {
                found.push(path);
            }
            let inside = ancestor.join(package);
            if self.reach.contains(&inside) && inside.is_dir() {
                found.push(inside.join(rest));
            }
        }
        found.dedup();
        found
    }

    /// The file that says where a package is which a name like `package://my_robot/meshes/arm.stl` begins with, if one does.
    pub(super) fn package_file(&self, written: &str, folder: &Path) -> Option<PathBuf> {
        let (package, _) = written.strip_prefix("package://")?.split_once('/')?;
        let above = std::path::absolute(folder).ok()?;
        above.ancestors().find(|ancestor| self.says(ancestor, package)).map(|ancestor| ancestor.join(FILE))
    }

    /// True if the package file in a folder states this name.
    fn says(&self, folder: &Path, package: &str) -> bool {
        let path = folder.join(FILE);
        self.reach.contains(&path) && says(&path, package)
    }
}

/// What says that a folder is a package.
const FILE: &str = "package.xml";

/// True if a package file states this name.
fn says(path: &Path, package: &str) -> bool {
    // Package files are a page long; anything else is none.
    const LONGEST: u64 = 1 << 20;
    let Ok(text) = files::read_text(path, LONGEST) else { return false };
    let Ok(document) = super::xml::document("", &text) else { return false };
    let name = super::xml::elements(&document.root_element()).find(|node| node.tag_name().name() == "name");
    name.and_then(|node| node.text()).is_some_and(|name| name.trim() == package)
}

/// A path without `a/../`, for messages.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}
