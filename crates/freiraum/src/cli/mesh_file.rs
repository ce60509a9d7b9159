//! What the commands share about mesh files: which file, in which unit and format.

use super::Failure;
use freiraum::formats::mesh::{self, MeshFileError, MeshFormat, ReadOptions, Unit, Weld, WriteOptions};
use freiraum::geometry::Mesh;
use std::path::PathBuf;

/// A mesh file to read.
#[derive(clap::Args)]
pub(super) struct Input {
    /// The mesh file; its format is recognised by its content, then by its extension
    pub(super) file: PathBuf,
    /// Unit of the numbers in the file: m, cm, mm, um, in, ft [default: m]
    #[arg(long, value_name = "UNIT")]
    units: Option<Unit>,
    /// Read it as this format: stl, stl-ascii, obj, off, ply, ply-ascii, gltf, glb [default: by content]
    #[arg(long, value_name = "FORMAT")]
    format: Option<MeshFormat>,
    /// Keep vertices as they are in the file; by default those at exactly the same place become one
    #[arg(long)]
    no_weld: bool,
}

/// A mesh file to write.
#[derive(clap::Args)]
pub(super) struct Output {
    /// The file to write
    output: PathBuf,
    /// Unit of the numbers in the written file [default: that of the input; glTF: m]
    #[arg(long, value_name = "UNIT")]
    to_units: Option<Unit>,
    /// Format of the written file [default: by its extension]
    #[arg(long, value_name = "FORMAT")]
    to_format: Option<MeshFormat>,
}

/// What was written.
pub(super) struct Written {
    pub(super) file: String,
    pub(super) format: MeshFormat,
    pub(super) unit: Unit,
}

impl Input {
    /// The unit of the numbers in this file.
    pub(super) fn unit(&self) -> Unit {
        self.units.unwrap_or_default()
    }

    /// Reads the numbers as they stand in the file: facts are told in the file's own unit.
    pub(super) fn read_unscaled(&self) -> Result<(Mesh, MeshFormat), Failure> {
        self.read(Unit::Metre)
    }

    /// Reads the file in metres.
    pub(super) fn read_in_metres(&self) -> Result<(Mesh, MeshFormat), Failure> {
        self.read(self.unit())
    }

    fn read(&self, units: Unit) -> Result<(Mesh, MeshFormat), Failure> {
        let format = match self.format {
            Some(format) => format,
            None => mesh::detect(&self.file).map_err(failure)?,
        };
        if is_gltf(format) && self.unit() != Unit::Metre {
            return Err(gltf_is_in_metres(&self.file, "--units", self.unit()));
        }
        let weld = if self.no_weld { Weld::Off } else { Weld::Exact };
        let options = ReadOptions { units, weld, format: Some(format) };
        Ok((mesh::read(&self.file, &options).map_err(failure)?, format))
    }
}

impl Output {
    /// Writes the mesh (in metres) and says what was written.
    pub(super) fn write(&self, mesh: &Mesh, input: &Input) -> Result<Written, Failure> {
        let extension = self.output.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let Some(format) = self.to_format.or_else(|| MeshFormat::of_extension(extension)) else {
            let message = format!(
                "{}: the extension does not tell the format; expected .stl, .obj, .off, .ply, .gltf or .glb, or --to-format",
                self.output.display()
            );
            return Err(Failure::new("format", message));
        };
        let unit = match self.to_units {
            Some(unit) if is_gltf(format) && unit != Unit::Metre => {
                return Err(gltf_is_in_metres(&self.output, "--to-units", unit));
            }
            Some(unit) => unit,
            None if is_gltf(format) => Unit::Metre,
            None => input.unit(),
        };
        let options = WriteOptions { units: unit, format: Some(format) };
        mesh::write(&self.output, mesh, &options).map_err(failure)?;
        Ok(Written { file: self.output.display().to_string(), format, unit })
    }
}

fn is_gltf(format: MeshFormat) -> bool {
    matches!(format, MeshFormat::Gltf | MeshFormat::Glb)
}

fn gltf_is_in_metres(file: &std::path::Path, option: &str, unit: Unit) -> Failure {
    let message = format!(
        "{}: glTF files are in metres by definition, but {option} says {unit}; leave {option} out",
        file.display()
    );
    Failure::new("units", message)
}

fn failure(error: MeshFileError) -> Failure {
    Failure::new("mesh_file", error)
}
