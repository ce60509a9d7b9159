//! Where a robot comes from: a URDF file, or a table.

use super::super::mesh_file;
use super::super::node::{Entry, Node};
use super::super::reader::Reader;
use super::table;
use crate::robot::{self, RobotOptions};
use crate::scene::SceneErrors;
use crate::scene::robot_keys;
use freiraum_files::{Digests, witnessed};
use freiraum_geometry::{Mesh, Unit};
use freiraum_mesh_io::{CachedMeshError, MeshFileCache, Reading};
use freiraum_robot::Robot;
use freiraum_scene::{Problem, RobotSource};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// So many problems of a robot file are told; the others when these are mended.
const MOST_TOLD: usize = 10;

/// A robot that was read, its files, their digests when they were read, and what is to be said of it.
type Known = (Arc<Robot>, Vec<PathBuf>, Digests, Vec<String>);

/// Robots that were read, so that a scene that is read again need not read their meshes again.
#[derive(Clone, Debug, Default)]
pub(in crate::scene) struct Models {
    read: BTreeMap<Key, Known>,
    /// Mesh files of links.
    meshes: MeshFileCache,
}

impl Models {
    /// The mesh of a file, and the digests of what was read for it.
    pub(super) fn mesh(&self, path: &Path, units: Unit) -> Result<(Arc<Mesh>, Digests), CachedMeshError> {
        let (mesh, digests) = witnessed(|| self.meshes.mesh(path, &Reading::of(units)));
        Ok((mesh?, digests))
    }
}

/// A file as it was: path, packages, length and when it was written.
type Key = (PathBuf, Vec<(String, PathBuf)>, u64, Option<SystemTime>);

/// The model of a robot; `None` if it is wrong, which was told.
pub(super) fn read(node: &Node, name: &str, reader: &mut Reader<'_>) -> Option<(RobotSource, Arc<Robot>)> {
    let only_table = ["convention", "shape", "mesh", "mesh_units", "shape_pose"];
    match (node.entry("model"), node.entry("dh")) {
        (Some(_), Some(second)) => {
            let message = "this robot has a `model` and a table `dh`";
            reader.problem_with_help(second.place(), message, "remove one of them");
            None
        }
        (Some(model), None) => {
            for entry in only_table.iter().filter_map(|key| node.entry(key)) {
                let message = format!("{:?} belongs to robots with a table `dh`", entry.key);
                reader.problem_with_help(entry.place(), message, "the model says it already; remove it");
            }
            let packages = packages(node, reader);
            file(&model.value, packages, reader)
        }
        (None, Some(rows)) => {
            table::read(node, &rows.value, name, reader).map(|robot| (RobotSource::Table, Arc::new(robot)))
        }
        (None, None) => {
            if !reader.is_misspelt(node, &robot_keys::ROBOT, &["model", "dh"]) {
                let help =
                    "add model = \"….urdf\", or dh = [ { alpha_deg = …, l = …, theta_deg = …, d = … }, … ]";
                let place = node.entry("name").map_or(node.place, Entry::place);
                reader.problem_with_help(place, "this robot has no model", help);
            }
            None
        }
    }
}

/// Where packages are that a URDF file names.
fn packages(node: &Node, reader: &mut Reader<'_>) -> Vec<(String, PathBuf)> {
    let Some(node) = node.get("packages") else { return Vec::new() };
    let Some(entries) = node.entries() else {
        let message = format!("found {}, expected a table of packages and their folders", node.describe());
        reader.problem_with_help(node.place, message, "write packages = { my_robot = \"../my_robot\" }");
        return Vec::new();
    };
    let mut found = Vec::with_capacity(entries.len());
    for entry in entries {
        let Some(folder) = reader.text(&entry.value, "a folder in quotes") else { continue };
        let Some(path) = reader.named_file(entry.value.place, folder) else { continue };
        if !path.is_dir() {
            let help = "paths are relative to the folder of the scene file";
            reader.problem_with_help(entry.value.place, format!("there is no folder {folder:?}"), help);
        }
        found.push((entry.key.clone(), path));
    }
    found
}

fn file(
    node: &Node,
    packages: Vec<(String, PathBuf)>,
    reader: &mut Reader<'_>,
) -> Option<(RobotSource, Arc<Robot>)> {
    let written = reader.text(node, "the name of a URDF file in quotes")?;
    let path = found(node, written, "urdf", reader)?;
    let data = std::fs::metadata(&path).ok();
    let length = data.as_ref().map_or(0, std::fs::Metadata::len);
    let key = (path.clone(), packages, length, data.and_then(|data| data.modified().ok()));
    let source = RobotSource::File { path: path.clone(), written: written.to_owned() };
    if let Some((known, files, digests, notes)) = reader.models.read.get(&key).cloned() {
        note(reader, files);
        reader.digests.extend(digests);
        reader.notes.extend(notes.iter().map(|note| format!("{written}: {note}")));
        return Some((source, known));
    }
    let packages = robot::Packages { named: key.1.clone(), reach: reader.reach.clone() };
    let meshes = reader.models.meshes.clone();
    let options = RobotOptions { packages, meshes, ..RobotOptions::default() };
    let (found, digests) = witnessed(|| robot::read(&path, &options));
    match found {
        Ok(found) => {
            let model = Arc::new(found.robot);
            let files = robot::files(&path, &options.packages);
            note(reader, files.iter().cloned());
            reader.digests.extend(digests.clone());
            reader.notes.extend(found.notes.iter().map(|note| format!("{written}: {note}")));
            reader.models.read.insert(key, (model.clone(), files, digests, found.notes));
            Some((source, model))
        }
        Err(errors) => {
            tell(node, written, &errors, reader);
            None
        }
    }
}

/// Notes files that the robot is read from.
pub(super) fn note(reader: &mut Reader<'_>, files: impl IntoIterator<Item = PathBuf>) {
    if let Some(noted) = reader.robot_files.last_mut() {
        for file in files {
            if !noted.contains(&file) {
                noted.push(file);
            }
        }
    }
}

/// Where a file is; that it is not there is told.
pub(super) fn found(node: &Node, written: &str, extension: &str, reader: &mut Reader<'_>) -> Option<PathBuf> {
    let path = reader.named_file(node.place, written)?;
    if !written.is_empty() && path.is_file() {
        return Some(path);
    }
    let (message, help) = mesh_file::missing(written, &path, extension, reader);
    reader.problem_with_help(node.place, message, help);
    None
}

/// Tells the problems of a robot file where the scene file names it.
pub(super) fn tell(node: &Node, written: &str, errors: &SceneErrors, reader: &mut Reader<'_>) {
    let located = errors.located();
    let has_lines = located.iter().any(|at| at.line > 1 || at.end_column > at.column);
    for (at, problem) in located.iter().zip(errors.problems()).take(MOST_TOLD) {
        let place = if has_lines { format!(":{}:{}", at.line, at.column) } else { String::new() };
        let message = format!("{written}{place}: {}", at.message);
        reader.problems.push(Problem { place: node.place, message, ..problem.clone() });
    }
    if located.len() > MOST_TOLD {
        let more = located.len() - MOST_TOLD;
        reader.problem(node.place, format!("{written}: … and {more} more problems"));
    }
}
