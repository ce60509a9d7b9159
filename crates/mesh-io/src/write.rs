//! Writing: into a file that appears complete or not at all, or into memory.

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Place, Result};
use super::format::MeshFormat;
use super::options::WriteOptions;
use super::{gltf, obj, off, ply, stl, stl_ascii};
use freiraum_files::{SaveError, save};
use freiraum_geometry::unit::Unit;
use freiraum_geometry::{Aabb, Mesh, Vec3};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Bytes that are collected before they go to the disk.
const BUFFER: usize = 1 << 18;

/// Writes a mesh file, in the format of [`WriteOptions::format`] or of the extension.
///
/// The file appears complete or not at all: the mesh goes to a temporary file in the same folder, which then takes
/// the place of `path`. An older file of that name is replaced, or what a link of that name leads to, and its
/// permissions are kept; a read-only one is left alone. What is no file but a pipe or a device stays and gets the bytes.
///
/// **Guarantee.** Text formats and PLY keep every bit of the coordinates where no unit is converted; binary STL and
/// glTF round them to f32, about 7 digits. STL does not keep the numbering of vertices.
pub fn write(
    path: impl AsRef<Path>,
    mesh: &Mesh,
    options: &WriteOptions,
) -> std::result::Result<(), MeshFileError> {
    let path = path.as_ref();
    write_file(path, mesh, options).map_err(|e| e.of_file(&path.to_string_lossy()))
}

/// The bytes of a mesh file. As in [`write()`].
pub fn write_bytes(
    mesh: &Mesh,
    format: MeshFormat,
    options: &WriteOptions,
) -> std::result::Result<Vec<u8>, MeshFileError> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, mesh, format, options)?;
    Ok(bytes)
}

/// Writes a mesh to anything. `format` counts, whatever the options say. As in [`write()`].
pub fn write_to(
    out: &mut dyn Write,
    mesh: &Mesh,
    format: MeshFormat,
    options: &WriteOptions,
) -> std::result::Result<(), MeshFileError> {
    check(mesh, format, options)?;
    put(out, mesh, format, options).map_err(|e| MeshFileError::io(&e, "write"))
}

fn write_file(path: &Path, mesh: &Mesh, options: &WriteOptions) -> Result<()> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let format = options.format.or_else(|| MeshFormat::of_extension(extension)).ok_or_else(|| {
        let found = "the extension does not tell the format";
        MeshFileError::new(Kind::UnknownFormat, Place::File, found, ".stl, .obj, .off, .ply, .gltf or .glb")
            .help("change the name, or say which format")
    })?;
    check(mesh, format, options)?;
    save(path, |file| fill(file, mesh, format, options)).map_err(|error| match error {
        SaveError::Io(doing, e) => MeshFileError::io(&e, doing),
        SaveError::ReadOnly => {
            let found = "the older file of this name is read-only";
            let error = MeshFileError::new(Kind::Io, Place::File, found, "");
            error.help("choose another name, or make it writable")
        }
        other => MeshFileError::new(Kind::Io, Place::File, other.to_string(), ""),
    })
}

fn fill(file: File, mesh: &Mesh, format: MeshFormat, options: &WriteOptions) -> io::Result<File> {
    let mut out = BufWriter::with_capacity(BUFFER, file);
    put(&mut out, mesh, format, options)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Refuses what the format cannot hold.
fn check(mesh: &Mesh, format: MeshFormat, options: &WriteOptions) -> Result<()> {
    let too_large = |found: String, expected: String| {
        Err(MeshFileError::new(Kind::TooLarge, Place::File, found, expected).help("write PLY instead"))
    };
    if format == MeshFormat::StlBinary && mesh.faces().len() > u32::MAX as usize {
        let found = format!("{} triangles are too many for binary STL", mesh.faces().len());
        return too_large(found, format!("at most {}", u32::MAX));
    }
    // Room for the JSON, which has a few hundred characters.
    let glb_size = 12 * (mesh.vertices().len() as u64 + mesh.faces().len() as u64) + 4096;
    if format == MeshFormat::Glb && glb_size > u64::from(u32::MAX) {
        return too_large("the mesh is too large for GLB".to_owned(), "less than 4 GB".to_owned());
    }
    if format.stores_f32() {
        // In glTF vertices that no face uses are written as well.
        let (bounds, units) = if matches!(format, MeshFormat::Gltf | MeshFormat::Glb) {
            (Aabb::of_points(mesh.vertices()), Unit::Metre)
        } else {
            (mesh.aabb(), options.units)
        };
        let reach = bounds.reach();
        if (options.mesh_units.convert(reach, units) as f32).is_infinite() {
            let unit = options.mesh_units;
            let found =
                format!("the coordinate {reach:e} {unit} is too large for {format}, which stores f32");
            return too_large(found, format!("at most {:e}", f32::MAX));
        }
    }
    Ok(())
}

fn put(out: &mut dyn Write, mesh: &Mesh, format: MeshFormat, options: &WriteOptions) -> io::Result<()> {
    match format {
        MeshFormat::StlBinary => stl::write(out, mesh, options),
        MeshFormat::StlAscii => stl_ascii::write(out, mesh, options),
        MeshFormat::Obj => obj::write(out, mesh, options),
        MeshFormat::Off => off::write(out, mesh, options),
        MeshFormat::PlyAscii | MeshFormat::PlyLittleEndian | MeshFormat::PlyBigEndian => {
            ply::write(out, mesh, format, options)
        }
        MeshFormat::Gltf => gltf::write_gltf(out, in_metres(mesh, options.mesh_units)?.as_ref()),
        MeshFormat::Glb => gltf::write_glb(out, in_metres(mesh, options.mesh_units)?.as_ref()),
    }
}

/// A mesh whose numbers are in `unit`, in metres.
fn in_metres(mesh: &Mesh, unit: Unit) -> io::Result<Cow<'_, Mesh>> {
    if unit == Unit::Metre {
        return Ok(Cow::Borrowed(mesh));
    }
    let metres = |p: &Vec3| Vec3::from(p.to_array().map(|x| unit.to_metres(x)));
    let converted = Mesh::new(mesh.vertices().iter().map(metres).collect(), mesh.faces().to_vec());
    converted.map(Cow::Owned).map_err(io::Error::other)
}
