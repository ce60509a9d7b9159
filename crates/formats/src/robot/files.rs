//! The files that a robot consists of.

use super::package::Packages;
use super::urdf::read_text;
use super::xml::document;
use std::path::{Path, PathBuf};

/// A URDF file, the meshes of its collision shapes, or of what links without any look like, as far as they are there, and the files of the packages
/// that they are in: what reading it reads.
pub fn files(path: &Path, packages: &Packages) -> Vec<PathBuf> {
    let mut found = vec![path.to_owned()];
    let Ok(text) = read_text(path) else { return found };
    let Ok(document) = document("", &text) else { return found };
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_named = |node: &roxmltree::Node, name: &str| node.tag_name().name() == name;
    let meshes = document.descendants().filter(|node| is_named(node, "mesh"));
    let is_looked_at = |mesh: &roxmltree::Node| {
        let link = mesh.ancestors().find(|node| is_named(node, "link"));
        let has_collision = link.is_some_and(|link| link.children().any(|node| is_named(&node, "collision")));
        mesh.ancestors().any(|node| is_named(&node, if has_collision { "collision" } else { "visual" }))
    };
    for mesh in meshes.filter(is_looked_at) {
        let Some(written) = mesh.attribute("filename") else { continue };
        let is_there = |path: &PathBuf| packages.reach.contains(path) && path.is_file();
        let file = packages.candidates(written, folder).into_iter().find(is_there);
        for file in [file, packages.package_file(written, folder)].into_iter().flatten() {
            if !found.contains(&file) {
                found.push(file);
            }
        }
    }
    found
}
