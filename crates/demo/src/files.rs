//! The examples as files.

use super::{arm_links, arm_urdf, cell_parts, gearbox_parts};
use freiraum_files as files;
use freiraum_files::LARGEST_TEXT;
use freiraum_geometry::{Mesh, Shape};
use freiraum_mesh_io::{Unit, WriteOptions, write};
use freiraum_scene::Geometry;
use std::path::{Path, PathBuf};

/// Writes the gearbox with this scene, [`GEARBOX`](super::GEARBOX) or [`GEARBOX_FAULTY`](super::GEARBOX_FAULTY), into a folder that is there; where the scene is.
///
/// A changed scene of that name is kept under another one. **Errors.** In words.
pub fn write_gearbox(folder: &Path, scene: (&str, &str)) -> Result<PathBuf, String> {
    for (name, mesh) in gearbox_parts().map_err(|e| e.to_string())? {
        write_mesh(&folder.join(name).with_extension("stl"), &mesh, Unit::Millimetre)?;
    }
    write_scene(folder, scene)
}

/// Writes the piano and its room into a folder that is there; where the scene is. Like [`write_gearbox`] otherwise.
pub fn write_piano(folder: &Path, scene: (&str, &str)) -> Result<PathBuf, String> {
    for body in &super::piano().bodies {
        let Geometry::Shape(Shape::Mesh(mesh)) = &body.geometry else { continue };
        write_mesh(&folder.join(body.name.replace(' ', "-")).with_extension("stl"), mesh, Unit::Metre)?;
    }
    write_scene(folder, scene)
}

/// Writes the cell with this scene, [`CELL`](super::CELL) or [`CELL_FAULTY`](super::CELL_FAULTY): the arm, its states, and all meshes in folders of their own. Like
/// [`write_gearbox`] otherwise.
pub fn write_cell(folder: &Path, scene: (&str, &str)) -> Result<PathBuf, String> {
    let cannot = |e: std::io::Error| format!("{}: {e}", folder.display());
    for name in ["arm", "parts"] {
        std::fs::create_dir_all(folder.join(name)).map_err(cannot)?;
    }
    for (name, mesh) in arm_links().map_err(|e| e.to_string())? {
        let path = folder.join("arm").join(name.replace('_', "-")).with_extension("stl");
        write_mesh(&path, &mesh, Unit::Metre)?;
    }
    for (name, mesh) in cell_parts().map_err(|e| e.to_string())? {
        write_mesh(&folder.join("parts").join(name).with_extension("stl"), &mesh, Unit::Millimetre)?;
    }
    files::write(folder.join("arm.urdf"), arm_urdf("arm")).map_err(cannot)?;
    files::write(folder.join("arm.srdf"), super::ARM_SRDF).map_err(cannot)?;
    write_scene(folder, scene)
}

fn write_mesh(path: &Path, mesh: &Mesh, units: Unit) -> Result<(), String> {
    write(path, mesh, &WriteOptions { units, ..WriteOptions::default() }).map_err(|e| e.to_string())
}

/// Writes a text file with the folders that lead to it.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), String> {
    let cannot = |e: std::io::Error| format!("{}: {e}", path.display());
    path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(cannot)?;
    files::write(path, text).map_err(cannot)
}

pub(super) fn write_scene(folder: &Path, (name, text): (&str, &str)) -> Result<PathBuf, String> {
    let path = folder.join(name);
    let cannot = |e: std::io::Error| format!("{}: {e}", path.display());
    match files::read(&path, LARGEST_TEXT) {
        Ok(old) if old == text.as_bytes() => return Ok(path),
        Ok(_) => {
            let kept =
                (1..).map(|number| path.with_extension(format!("{number}.toml"))).find(|kept| !kept.exists());
            std::fs::rename(&path, kept.unwrap_or_else(|| path.with_extension("old.toml")))
                .map_err(cannot)?;
        }
        Err(_) => {}
    }
    files::write(&path, text).map_err(cannot)?;
    Ok(path)
}
