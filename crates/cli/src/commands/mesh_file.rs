//! What the commands share about mesh files: which file, in which unit and format.

use super::Failure;
use super::output::Console;
use clap::builder::{PossibleValue, TypedValueParser};
use freiraum::geometry::Mesh;
use freiraum::mesh_io;
use freiraum::mesh_io::{MeshFileError, MeshFormat, Place, ReadOptions, Unit, Weld, WriteOptions};
use std::ffi::OsStr;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A mesh file to read.
#[derive(clap::Args)]
pub(super) struct Input {
    /// The mesh file; its format is recognised by its content, then by its extension
    pub(super) file: PathBuf,
    /// Unit of the numbers in the file [default: m]
    #[arg(long, value_name = "UNIT", value_parser = one_of::<Unit, _>(Unit::ALL.map(Unit::symbol)))]
    units: Option<Unit>,
    /// Read it as this format [default: by content]
    #[arg(long, value_name = "FORMAT", value_parser = one_of::<MeshFormat, _>(MeshFormat::ALL.map(MeshFormat::name)))]
    format: Option<MeshFormat>,
    /// Keep vertices as they are in the file; by default those at exactly the same place become one
    #[arg(long)]
    no_weld: bool,
}

/// A mesh file to write.
#[derive(clap::Args)]
pub(super) struct Output {
    /// The file to write; - is stdout, and then needs --to-format
    output: PathBuf,
    /// Unit of the numbers in the written file [default: that of the input; glTF: m]
    #[arg(long, value_name = "UNIT", value_parser = one_of::<Unit, _>(Unit::ALL.map(Unit::symbol)))]
    to_units: Option<Unit>,
    /// Format of the written file [default: by its extension]
    #[arg(long, value_name = "FORMAT", value_parser = one_of::<MeshFormat, _>(MeshFormat::ALL.map(MeshFormat::name)))]
    to_format: Option<MeshFormat>,
}

/// What was written.
pub(super) struct Written {
    pub(super) file: String,
    pub(super) format: MeshFormat,
    pub(super) unit: Unit,
}

impl Input {
    /// A file, its format recognised by its content, equal vertices welded.
    pub(super) fn of(file: PathBuf, units: Option<Unit>) -> Input {
        Input { file, units, format: None, no_weld: false }
    }

    /// The unit of the numbers in this file.
    pub(super) fn unit(&self) -> Unit {
        self.units.unwrap_or_default()
    }

    /// The unit of the numbers for people, who may have forgotten to tell.
    pub(super) fn unit_in_words(&self, format: MeshFormat) -> String {
        match self.units {
            None if !is_gltf(format) => format!("lengths taken as {}: see --units", self.unit()),
            _ => format!("lengths in {}", self.unit()),
        }
    }

    /// The file and its unit as they are written on a command line for a shell.
    pub(super) fn for_shell(&self) -> (String, String) {
        let file = self.file.display().to_string();
        let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
        let file =
            if file.chars().all(is_plain) { file } else { format!("'{}'", file.replace('\'', r"'\''")) };
        (file, self.units.map(|unit| format!(" --units {unit}")).unwrap_or_default())
    }

    /// Reads the numbers as they stand in the file, whatever their unit: scaling would round them, and what is exactly
    /// flat or in line would be so no longer.
    pub(super) fn read(&self) -> Result<(Mesh, MeshFormat), Failure> {
        let format = match self.format {
            Some(format) => format,
            None => mesh_io::detect(&self.file).map_err(failure)?,
        };
        if is_gltf(format) && self.unit() != Unit::Metre {
            return Err(gltf_is_in_metres(&self.file, "--units", self.unit()));
        }
        let weld = if self.no_weld { Weld::Off } else { Weld::Exact };
        let options = ReadOptions { units: Unit::Metre, weld, format: Some(format) };
        Ok((mesh_io::read(&self.file, &options).map_err(failure)?, format))
    }
}

impl Output {
    /// The file that is written.
    pub(super) fn path(&self) -> &Path {
        &self.output
    }

    /// Writes a mesh, whose numbers are in the unit of the input, and says what was written. In the same unit they
    /// stay the same to the last bit. Where the mesh goes to stdout, words about it go to stderr.
    pub(super) fn write(
        &self,
        mesh: &Mesh,
        input: &Input,
        console: &mut Console,
    ) -> Result<Written, Failure> {
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
        let options = WriteOptions { mesh_units: input.unit(), units: unit, format: Some(format) };
        if ["-", "/dev/stdout"].iter().any(|name| self.output.as_os_str() == *name) {
            if console.json() {
                let message = "stdout cannot take both the mesh and the JSON document; write the mesh to a file, or leave --json out";
                return Err(Failure::new("usage", message));
            }
            let bytes = mesh_io::write_bytes(mesh, format, &options)
                .map_err(|e| Failure::new("mesh_file", format!("stdout{e}")))?;
            console.file(&bytes);
        } else {
            mesh_io::write(&self.output, mesh, &options).map_err(failure)?;
        }
        Ok(Written { file: self.output.display().to_string(), format, unit })
    }
}

/// Values read by their `FromStr`, which knows more spellings than the names that help and completions offer.
#[derive(Clone)]
pub(super) struct OneOf<T> {
    names: Vec<&'static str>,
    value: PhantomData<fn() -> T>,
}

pub(super) fn one_of<T, const N: usize>(names: [&'static str; N]) -> OneOf<T> {
    OneOf { names: names.to_vec(), value: PhantomData }
}

impl<T> TypedValueParser for OneOf<T>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        str::parse::<T>.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(|name| PossibleValue::new(*name))))
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
    let mut place = vec![("file", error.name().into())];
    match error.place() {
        Place::File => (),
        Place::Line { line, column } => {
            place.extend([("line", (*line).into()), ("column", (*column).into())]);
        }
        Place::Byte(offset) => place.push(("byte", (*offset).into())),
        Place::Entry(entry) => place.push(("entry", entry.as_str().into())),
    }
    Failure { place, ..Failure::new("mesh_file", error) }
}
