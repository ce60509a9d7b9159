//! Reading: finds the format, calls its reader, makes a mesh of the result.

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Place, Result};
use super::format::{MeshFormat, SNIFFED_BYTES};
use super::options::{ReadOptions, Weld};
use super::points::{join_equal, join_near};
use super::stl::Parts;
use super::{gltf, obj, off, ply, stl, stl_ascii};
use freiraum_files as files;
use freiraum_files::LARGEST_MESH;
use freiraum_geometry::unit::Unit;
use freiraum_geometry::{Mesh, MeshError};
use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};

/// Reads a mesh file.
///
/// The content decides which format it is; the extension only where the content does not tell, so a wrong
/// extension does no harm. glTF files may refer to files in their own folder or below, to nothing else.
///
/// **Units.** Metres in the result, whatever [`ReadOptions::units`] says the file has. **Frames.** The axes of the file.
/// **Guarantee.** Every coordinate is the number in the file, correctly rounded to f64 and converted to metres. All
/// triangles of the file are there, in its order; nothing is left out silently except what has no triangles.
/// **Degenerate input.** Triangles without area are kept. A file without triangles is an error, and so is one of more than 8 GiB
/// ([`LARGEST_MESH`]) and what is no regular file.
/// **Cost.** Binary STL is read piece by piece and takes little more memory than the mesh; the other formats are read into
/// memory as a whole.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> std::result::Result<Mesh, MeshFileError> {
    let path = path.as_ref();
    read_file(path, options).map_err(|e| e.of_file(&path.to_string_lossy()))
}

/// Reads a mesh file that is in memory already.
///
/// `name` appears in messages, and its extension tells the format where the content does not. As in [`read`], except
/// that a glTF file may not refer to other files.
pub fn read_bytes(
    bytes: &[u8],
    name: &str,
    options: &ReadOptions,
) -> std::result::Result<Mesh, MeshFileError> {
    let format = choose(bytes, bytes.len() as u64, extension(Path::new(name)), options);
    let parts = format.and_then(|format| {
        parse(bytes, format, None, options.weld)
            .and_then(|parts| finish(parts, format, options))
            .map_err(|e| mention_format(e, format, extension(Path::new(name)), options))
    });
    parts.map_err(|e| e.of_file(name))
}

/// The format of a mesh file, found as [`read`] finds it; the file is not read beyond its beginning.
pub fn detect(path: impl AsRef<Path>) -> std::result::Result<MeshFormat, MeshFileError> {
    let path = path.as_ref();
    let opened = Opened::new(path, &ReadOptions::default());
    opened.map(|file| file.format).map_err(|e| e.of_file(&path.to_string_lossy()))
}

/// The other files that the content of a mesh file is in: those of glTF, whether they are there or not.
///
/// None if the file cannot be read: [`read`] says why. **Cost.** The whole file is read if its name says that it is glTF.
pub fn companions(path: impl AsRef<Path>) -> Vec<PathBuf> {
    let path = path.as_ref();
    let format = MeshFormat::of_extension(extension(path));
    if !matches!(format, Some(MeshFormat::Gltf | MeshFormat::Glb)) {
        return Vec::new();
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let names = files::read(path, LARGEST_MESH).map_or(Vec::new(), |bytes| gltf::names(&bytes));
    names.iter().map(|name| folder.join(name)).collect()
}

/// A file whose beginning has been looked at.
struct Opened {
    file: File,
    length: u64,
    head: Vec<u8>,
    format: MeshFormat,
}

impl Opened {
    fn new(path: &Path, options: &ReadOptions) -> Result<Opened> {
        let mut file = files::open(path).map_err(|e| match e.kind() {
            ErrorKind::IsADirectory | ErrorKind::InvalidInput => {
                MeshFileError::new(Kind::Io, Place::File, e.to_string(), "a mesh file")
            }
            _ => MeshFileError::io(&e, "open the file"),
        })?;
        let length = file.metadata().map_err(io("open the file"))?.len();
        if length > LARGEST_MESH {
            let found = format!("the file has {length} bytes");
            let expected = format!("at most {} GiB", LARGEST_MESH >> 30);
            return Err(MeshFileError::new(Kind::TooLarge, Place::File, found, expected));
        }
        let mut head = Vec::with_capacity(SNIFFED_BYTES);
        file.by_ref().take(SNIFFED_BYTES as u64).read_to_end(&mut head).map_err(io("read the file"))?;
        let format = choose(&head, length, extension(path), options)?;
        Ok(Opened { file, length, head, format })
    }
}

fn io(doing: &'static str) -> impl Fn(std::io::Error) -> MeshFileError {
    move |e| MeshFileError::io(&e, doing)
}

fn read_file(path: &Path, options: &ReadOptions) -> Result<Mesh> {
    let Opened { mut file, length, head, format } = Opened::new(path, options)?;
    let extension = extension(path);
    let parts = if format == MeshFormat::StlBinary {
        file.rewind().map_err(io("read the file"))?;
        let mut stream = files::Stream::new(&mut file);
        let parts = stl::read_stream(&mut stream, length, options.weld);
        stream.note(path).map_err(io("read the file"))?;
        parts
    } else {
        let mut bytes = head;
        let rest = usize::try_from(length).unwrap_or(usize::MAX).saturating_sub(bytes.len());
        bytes.try_reserve_exact(rest).map_err(|_| {
            let found = format!("the file has {length} bytes, more than the memory holds");
            MeshFileError::new(Kind::TooLarge, Place::File, found, "a smaller file")
        })?;
        file.take(LARGEST_MESH).read_to_end(&mut bytes).map_err(io("read the file"))?;
        files::saw(path, &bytes);
        parse(
            &bytes,
            format,
            path.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p }),
            options.weld,
        )
    };
    parts
        .and_then(|parts| finish(parts, format, options))
        .map_err(|e| mention_format(e, format, extension, options))
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|e| e.to_str()).unwrap_or("")
}

fn choose(head: &[u8], length: u64, extension: &str, options: &ReadOptions) -> Result<MeshFormat> {
    if length == 0 {
        let help = "the program that wrote it failed, or the disk was full; export it again";
        return Err(
            MeshFileError::new(Kind::Truncated, Place::File, "the file is empty", "a mesh").help(help)
        );
    }
    if let Some(format) = options.format {
        return Ok(format);
    }
    MeshFormat::detect(head, length, extension).ok_or_else(|| {
        const STEP: &[u8] = b"ISO-10303-21";
        if head.trim_ascii_start().starts_with(STEP) {
            let found = "this is a STEP file: exact surfaces, no triangles";
            return MeshFileError::new(Kind::Unsupported, Place::File, found, "a mesh file")
                .help("export the part as STL, OBJ or glTF in your CAD program");
        }
        let found = "neither the content nor the extension tell the format";
        MeshFileError::new(Kind::UnknownFormat, Place::File, found, "STL, OBJ, OFF, PLY, glTF or GLB")
            .help("convert the file to one of these; if it is one, say which (--format of `freiraum mesh`)")
    })
}

/// Vertices and faces of a file, in its own units.
fn parse(bytes: &[u8], format: MeshFormat, folder: Option<&Path>, weld: Weld) -> Result<Parts> {
    let (vertices, mut faces) = match format {
        MeshFormat::StlBinary => return stl::read_slice(bytes, weld),
        MeshFormat::StlAscii => return in_text(bytes, |bytes| stl_ascii::read(bytes, weld)),
        MeshFormat::Obj => in_text(bytes, obj::read)?,
        MeshFormat::Off => in_text(bytes, off::read)?,
        MeshFormat::PlyAscii | MeshFormat::PlyLittleEndian | MeshFormat::PlyBigEndian => ply::read(bytes)?,
        MeshFormat::Gltf => gltf::read_gltf(bytes, folder)?,
        MeshFormat::Glb => gltf::read_glb(bytes, folder)?,
    };
    // Without faces the error tells how many vertices the file has, so they stay as they are.
    let is_welded = weld != Weld::Off && !faces.is_empty();
    let vertices = if is_welded { join_equal(vertices, &mut faces)? } else { vertices };
    Ok((vertices, faces))
}

/// Runs the reader of a text format: no NUL bytes, and errors with line and column.
fn in_text(bytes: &[u8], read: impl Fn(&[u8]) -> Result<Parts>) -> Result<Parts> {
    // `contains` looks at many bytes at once, `position` at one after the other.
    if !bytes.contains(&0) {
        return read(bytes).map_err(|e| e.in_text(bytes));
    }
    let zero = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    // What is wrong before the zero byte tells more, unless it is only that the text ends there.
    let error = read(&bytes[..zero]).err().filter(|e| e.kind() != Kind::Truncated).unwrap_or_else(|| {
        MeshFileError::at(Kind::Syntax, zero, "a zero byte in a text file", "text")
            .help("the file is damaged or of another format")
    });
    Err(error.in_text(bytes))
}

fn finish((mut vertices, mut faces): Parts, format: MeshFormat, options: &ReadOptions) -> Result<Mesh> {
    let is_metric = matches!(format, MeshFormat::Gltf | MeshFormat::Glb);
    if options.units != Unit::Metre && !is_metric {
        for p in &mut vertices {
            *p = p.map(|x| options.units.to_metres(x));
        }
    }
    if faces.is_empty() {
        let found = match vertices.len() {
            0 => "the file holds no triangles".to_owned(),
            n => format!("the file holds {n} vertices but no faces"),
        };
        return Err(MeshFileError::new(Kind::NoFaces, Place::File, found, "at least one triangle"));
    }
    if let Weld::Within(distance) = options.weld {
        vertices = join_near(vertices, &mut faces, distance)?;
    }
    Mesh::new(vertices, faces).map_err(|error| {
        let kind = match error {
            MeshError::NoFaces => Kind::NoFaces,
            MeshError::TooManyVertices(_) | MeshError::TooManyFaces(_) => Kind::TooLarge,
            MeshError::BadCoordinate { .. } => Kind::Coordinate,
            MeshError::IndexOutOfRange { .. } => Kind::Index,
        };
        MeshFileError::new(kind, Place::File, error.to_string(), "")
    })
}

/// Says as what the file was read where its name says something else.
fn mention_format(
    error: MeshFileError,
    format: MeshFormat,
    extension: &str,
    options: &ReadOptions,
) -> MeshFileError {
    match MeshFormat::of_extension(extension) {
        Some(named) if named.extension() != format.extension() => {
            let why = if options.format.is_some() { "as was asked for" } else { "because of its content" };
            error.help(format!("read as {format} {why}, although its name ends in .{extension}"))
        }
        _ => error,
    }
}
