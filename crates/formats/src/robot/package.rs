//! Where the files are that a robot file names.

use std::path::{Component, Path, PathBuf};

/// Folders of packages, for names like `package://my_robot/meshes/arm.stl`.
#[derive(Clone, Debug, Default)]
pub struct Packages {
    /// Names and folders, tried first.
    pub named: Vec<(String, PathBuf)>,
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
            if is_named || says(&ancestor.join("package.xml"), package) {
                found.push(ancestor.join(rest));
            }
            let inside = ancestor.join(package);
            if inside.is_dir() {
                found.push(inside.join(rest));
            }
        }
        found.dedup();
        found
    }
}

/// True if a package file states this name.
fn says(file: &Path, package: &str) -> bool {
    // Package files are a page long; anything else is none.
    const LONGEST: u64 = 1 << 20;
    let is_short = std::fs::metadata(file).is_ok_and(|data| data.is_file() && data.len() <= LONGEST);
    let Some(text) = is_short.then(|| std::fs::read_to_string(file).ok()).flatten() else { return false };
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
