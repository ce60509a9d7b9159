//! The files that a robot consists of.

use super::package::Packages;
use super::urdf::read_text;
use super::xml::document;
use std::path::{Path, PathBuf};

/// A URDF file and the meshes of its collision shapes, as far as they are there: what reading it reads.
pub fn files(path: &Path, packages: &Packages) -> Vec<PathBuf> {
    let mut found = vec![path.to_owned()];
    let Ok(text) = read_text(path) else { return found };
    let Ok(document) = document("", &text) else { return found };
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_named = |node: &roxmltree::Node, name: &str| node.tag_name().name() == name;
    let meshes = document.descendants().filter(|node| is_named(node, "mesh"));
    for mesh in meshes.filter(|mesh| mesh.ancestors().any(|node| is_named(&node, "collision"))) {
        let Some(written) = mesh.attribute("filename") else { continue };
        let file = packages.candidates(written, folder).into_iter().find(|path| path.is_file());
        found.extend(file.filter(|file| !found.contains(file)));
    }
    found
}
