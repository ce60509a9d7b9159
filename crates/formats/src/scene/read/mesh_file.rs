//! The mesh file of a body: where it is, and what may be meant if it is not there.

use super::node::Node;
use super::reader::Reader;
use freiraum_files as files;
use freiraum_geometry::Unit;
use freiraum_mesh_io::MeshFormat;
use freiraum_scene::{Geometry, Place};
use std::path::Path;

/// How many names of a folder are looked at for a suggestion.
const MAX_NAMES: usize = 1000;

/// Endings of files that hold no triangles or that are not read.
const FOREIGN: [&str; 14] = [
    "step", "stp", "iges", "igs", "sldprt", "sldasm", "ipt", "catpart", "x_t", "x_b", "jt", "3mf", "fbx",
    "dae",
];

/// The file, with the unit that the body states for it.
pub(super) fn read(node: &Node, units: Option<(Unit, Place)>, reader: &mut Reader<'_>) -> Option<Geometry> {
    let written = reader.text(node, "the name of a mesh file in quotes")?;
    let extension = Path::new(written).extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
    let is_gltf = matches!(MeshFormat::of_extension(&extension), Some(MeshFormat::Gltf | MeshFormat::Glb));
    if let (true, Some((unit, place))) = (is_gltf, units.filter(|(unit, _)| *unit != Unit::Metre)) {
        let message = format!("glTF files are in metres by definition, not in {unit}");
        reader.problem_with_help(place, message, "remove mesh_units");
    }
    let path = reader.named_file(node.place, written)?;
    if FOREIGN.contains(&extension.as_str()) {
        let message = format!("files of the kind .{extension} are not read");
        let help = "export the part as STL, OBJ, OFF, PLY or glTF";
        reader.problem_with_help(node.place, message, help);
        return None;
    }
    if written.is_empty() || !path.is_file() {
        let (message, help) = missing(written, &path, "", reader);
        reader.problem_with_help(node.place, message, help);
        return None;
    }
    let default = if is_gltf { Unit::Metre } else { reader.dialect.units };
    let units = units.map_or(default, |(unit, _)| unit);
    Some(Geometry::File { path, written: written.to_owned(), units })
}

/// What is said of a file that is not there: a mesh, or one with this extension.
pub(super) fn missing(
    written: &str,
    path: &Path,
    extension: &str,
    reader: &mut Reader<'_>,
) -> (String, String) {
    let kind = if extension.is_empty() { "mesh".to_owned() } else { format!(".{extension}") };
    match files::special(path) {
        Some(what @ "a folder") => {
            return (format!("{written:?} is {what}"), format!("name a {kind} file in it"));
        }
        Some(what) => {
            let help = format!("a {kind} file of the disk is expected, which can be read to its end");
            return (format!("{written:?} is {what}"), help);
        }
        None => {}
    }
    let message = format!("there is no file {written:?}");
    let unfolded = written.replace('\\', "/");
    let unfolded_path = reader.folder.join(&unfolded);
    if unfolded != written && reader.reach.contains(&unfolded_path) && unfolded_path.is_file() {
        return (message, format!("write {unfolded:?}, with / between folders"));
    }
    let folder = path.parent().unwrap_or(reader.folder);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(folder) else {
        let named = Path::new(written).parent().unwrap_or(Path::new(""));
        return (
            message,
            format!("the folder {:?} is not there or cannot be read", named.display().to_string()),
        );
    };
    let names = entries.take(MAX_NAMES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    // What a link elsewhere leads to is not read.
    let is_offered = |name: &String| {
        let path = folder.join(name);
        is_kind(name, extension) && reader.reach.contains(&path) && files::special(&path).is_none()
    };
    let mut names: Vec<String> = names.filter(is_offered).collect();
    names.sort_unstable();
    let wanted = path.file_name().and_then(|name| name.to_str()).unwrap_or(written);
    if let Some(help) = reader.suggestion(wanted, names.iter().map(String::as_str)) {
        return (message, help);
    }
    let help = match names.as_slice() {
        [] => format!("paths are relative to the folder of the scene file, which holds no {kind} files"),
        names => {
            let more = if names.len() > 8 { ", …" } else { "" };
            let first: Vec<&str> = names.iter().take(8).map(String::as_str).collect();
            format!(
                "paths are relative to the folder of the scene file; there are {}{more}",
                first.join(", ")
            )
        }
    };
    (message, help)
}

fn is_kind(name: &str, wanted: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or("");
    if wanted.is_empty() { MeshFormat::of_extension(extension).is_some() } else { extension == wanted }
}
