//! glTF 2.0, as JSON (`.gltf`) and in one binary file (`.glb`): the triangles of all nodes of all scenes, each with the
//! transform of its node. Skins and morph targets stay in their rest position.

mod accessor;
mod buffers;
mod document;
mod scene;
mod write;

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Place, Result};
use super::stl::Parts;
use super::text;
use buffers::Buffers;
use document::Document;
use std::path::Path;

pub(crate) use write::{write_glb, write_gltf};

/// Sizes of the parts of a GLB file.
const GLB_HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// Reads a GLB file in memory; `folder` is where files it refers to may lie.
pub(crate) fn read_glb(bytes: &[u8], folder: Option<&Path>) -> Result<Parts> {
    let glb = Glb::split(bytes)?;
    // The chunk has no line of its own to name: errors of its syntax get an offset into the file.
    let document = parse(glb.json)
        .map_err(|(offset, error)| syntax(Place::Byte((glb.json_at + offset) as u64), &error))?;
    build(&document, Buffers::new(glb.binary, folder, bytes.len()))
}

/// Reads a glTF file in memory; `folder` is where the files it refers to may lie.
pub(crate) fn read_gltf(bytes: &[u8], folder: Option<&Path>) -> Result<Parts> {
    let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let skipped = bytes.len() - json.len();
    let document = parse(json)
        .map_err(|(offset, error)| syntax(Place::Byte((offset + skipped) as u64), &error).in_text(bytes))?;
    build(&document, Buffers::new(None, folder, bytes.len()))
}

/// The names of files that a glTF or GLB file refers to, relative to its folder; none if it cannot be read.
pub(crate) fn names(bytes: &[u8]) -> Vec<String> {
    let json = match Glb::split(bytes) {
        Ok(glb) => glb.json,
        Err(_) => bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
    };
    let Ok(document) = parse(json) else { return Vec::new() };
    let addresses = document.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
    addresses.filter(|uri| !uri.starts_with("data:")).map(buffers::percent_decoded).collect()
}

fn parse(json: &[u8]) -> std::result::Result<Document<'_>, (usize, serde_json::Error)> {
    serde_json::from_slice(json).map_err(|e| (text::offset(json, e.line(), e.column()), e))
}

fn syntax(place: Place, error: &serde_json::Error) -> MeshFileError {
    let message = error.to_string();
    // The position is told in our own way.
    let message = message.rfind(" at line ").map_or(message.as_str(), |i| &message[..i]);
    if error.is_eof() {
        let found = "the JSON of this glTF file ends too early";
        return MeshFileError::new(Kind::Truncated, place, found, "its closing brackets")
            .help("the file is cut off; copy or export it again");
    }
    MeshFileError::new(Kind::Syntax, place, format!("this is not the JSON of a glTF 2.0 file: {message}"), "")
}

fn build(document: &Document<'_>, buffers: Buffers<'_>) -> Result<Parts> {
    if !document.asset.version.starts_with("2.") {
        let found = format!("the file has glTF version {}", text::quote(document.asset.version.as_bytes()));
        return Err(entry_error(Kind::Unsupported, "asset.version", found, "version 2.0"));
    }
    document.check_extensions()?;
    scene::Joiner::new(document, buffers).run()
}

/// An error at an entry of the JSON.
fn entry_error(
    kind: Kind,
    entry: &str,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> MeshFileError {
    MeshFileError::new(kind, Place::Entry(entry.to_owned()), found, expected)
}

/// The chunks of a GLB file.
struct Glb<'a> {
    json: &'a [u8],
    json_at: usize,
    binary: Option<&'a [u8]>,
}

impl<'a> Glb<'a> {
    fn split(bytes: &'a [u8]) -> Result<Glb<'a>> {
        let word =
            |at: usize| bytes.get(at..at + 4).and_then(|b| b.first_chunk()).map(|b| u32::from_le_bytes(*b));
        let (Some(version), Some(length)) = (word(4), word(8)) else {
            return Err(cut_off(bytes.len(), "a header of 12 bytes"));
        };
        if !bytes.starts_with(b"glTF") {
            let found = format!("the file begins with {}", text::quote(&bytes[..4]));
            return Err(MeshFileError::at(Kind::Syntax, 0, found, "`glTF`"));
        }
        if version != 2 {
            let found = format!("the file has GLB version {version}");
            return Err(
                MeshFileError::at(Kind::Unsupported, 4, found, "version 2").help("convert it to glTF 2.0")
            );
        }
        if length as usize != bytes.len() {
            let found = format!("the header claims {length} bytes, but the file has {}", bytes.len());
            return Err(MeshFileError::at(Kind::Truncated, 8, found, "equal numbers")
                .help("the file is cut off or damaged; copy or export it again"));
        }
        let (json, mut at) = chunk(bytes, GLB_HEADER, b"JSON")?.ok_or_else(|| {
            MeshFileError::at(Kind::Syntax, GLB_HEADER, "the first chunk is not JSON", "the chunk `JSON`")
        })?;
        let mut binary = None;
        while at < bytes.len() && binary.is_none() {
            match chunk(bytes, at, b"BIN\0")? {
                Some((data, next)) => {
                    binary = Some(data);
                    at = next;
                }
                // Chunks of other sorts are to be passed over.
                None => at += CHUNK_HEADER + word(at).unwrap_or(0) as usize,
            }
        }
        Ok(Glb { json, json_at: GLB_HEADER + CHUNK_HEADER, binary })
    }
}

/// The data of the chunk at `at` and the offset behind it; `None` if it is of another sort.
fn chunk<'a>(bytes: &'a [u8], at: usize, sort: &[u8; 4]) -> Result<Option<(&'a [u8], usize)>> {
    let Some((head, data)) = bytes.get(at..).and_then(|rest| rest.split_first_chunk::<CHUNK_HEADER>()) else {
        return Err(cut_off(bytes.len(), "a chunk header of 8 bytes"));
    };
    let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
    if length > data.len() {
        let found = format!("the chunk claims {length} bytes, but {} are left", data.len());
        return Err(MeshFileError::at(Kind::Truncated, at, found, "a chunk that fits")
            .help("the file is cut off or damaged; copy or export it again"));
    }
    Ok((head[4..] == sort[..]).then(|| (&data[..length], at + CHUNK_HEADER + length)))
}

fn cut_off(at: usize, expected: &str) -> MeshFileError {
    MeshFileError::at(Kind::Truncated, at, "the file ends here", expected)
        .help("the file is cut off; copy or export it again")
}
