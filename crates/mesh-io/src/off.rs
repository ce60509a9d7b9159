//! OFF as text: one vertex per line, one face per line. Normals, colours and texture coordinates are passed over.

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Result};
use super::options::WriteOptions;
use super::points::too_many_vertices;
use super::polygon;
use super::print::Printer;
use super::stl::Parts;
use super::text::Cursor;
use freiraum_geometry::{Mesh, Vec3};
use std::io::Write;

/// The shortest lines of a vertex (`0 0 0`) and of a face (`3 0 1 2`), with their line ends.
const SHORTEST_VERTEX: usize = 6;
const SHORTEST_FACE: usize = 8;

/// Reads a whole file in memory.
pub(crate) fn read(bytes: &[u8]) -> Result<Parts> {
    let mut cursor = Cursor::new(bytes);
    header(&mut cursor)?;
    cursor.skip_space_and_comments();
    let vertex_count = cursor.count("the number of vertices")?;
    cursor.skip_blanks();
    let face_count = cursor.count("the number of faces")?;
    // The number of edges is often wrong or missing, and nobody needs it.
    cursor.skip_line();
    if vertex_count >= u32::MAX as usize {
        return Err(too_many_vertices());
    }
    let vertices = read_vertices(&mut cursor, vertex_count)?;
    let faces = read_faces(&mut cursor, face_count, &vertices)?;
    cursor.skip_space_and_comments();
    if !cursor.is_at_end() {
        let found = format!("found {} behind the last of {face_count} faces", cursor.quoted());
        return Err(MeshFileError::at(Kind::Count, cursor.at, found, "the end of the file").help(
            "the counts in the second line are too small, or vertices do not stand on lines of their own; correct the file",
        ));
    }
    Ok((vertices, faces))
}

/// Passes over `OFF`, `COFF`, `NOFF`, `STOFF` and combinations; the counts may follow without a blank.
fn header(cursor: &mut Cursor<'_>) -> Result<()> {
    cursor.skip_space_and_comments();
    let start = cursor.at;
    let word = cursor.word();
    let length = word.windows(3).position(|w| w == b"OFF").map(|i| i + 3);
    let Some(length) = length.filter(|&n| word[n..].iter().all(u8::is_ascii_digit)) else {
        cursor.at = start;
        return Err(cursor.unexpected("`OFF` at the beginning"));
    };
    cursor.at = start + length;
    let refuse = |what: String| {
        Err(MeshFileError::at(
            Kind::Unsupported,
            start,
            what,
            "OFF, COFF, NOFF, STOFF with three coordinates, as text",
        )
        .help("convert the file to plain OFF"))
    };
    let prefix = &word[..length - 3];
    let plain = prefix.strip_prefix(b"ST").unwrap_or(prefix);
    let plain = plain.strip_prefix(b"C").unwrap_or(plain);
    let plain = plain.strip_prefix(b"N").unwrap_or(plain);
    match plain {
        b"" => {}
        b"4" | b"n" | b"4n" => {
            return refuse(format!(
                "{} has other than three coordinates",
                super::text::quote(&word[..length])
            ));
        }
        _ => {
            cursor.at = start;
            return Err(cursor.unexpected("`OFF` at the beginning"));
        }
    }
    cursor.skip_blanks();
    if cursor.bytes[cursor.at..].starts_with(b"BINARY") {
        return refuse("binary OFF is not read".to_owned());
    }
    Ok(())
}

fn read_vertices(cursor: &mut Cursor<'_>, count: usize) -> Result<Vec<Vec3>> {
    let left = cursor.bytes.len() - cursor.at;
    let mut vertices = Vec::with_capacity(count.min(left / SHORTEST_VERTEX + 1));
    for i in 0..count {
        cursor.skip_space_and_comments();
        if cursor.is_at_end() {
            return Err(ended(cursor, i, count, "vertices"));
        }
        vertices.push(cursor.point()?);
        cursor.skip_line();
    }
    Ok(vertices)
}

fn read_faces(cursor: &mut Cursor<'_>, count: usize, vertices: &[Vec3]) -> Result<Vec<[u32; 3]>> {
    let left = cursor.bytes.len() - cursor.at;
    let mut faces = Vec::with_capacity(count.min(left / SHORTEST_FACE + 1));
    let mut corners = Vec::new();
    for i in 0..count {
        cursor.skip_space_and_comments();
        let start = cursor.at;
        if cursor.is_at_end() {
            return Err(ended(cursor, i, count, "faces"));
        }
        let corner_count = cursor.count("the number of corners of a face")?;
        corners.clear();
        for _ in 0..corner_count {
            cursor.skip_blanks();
            let at = cursor.at;
            let index = cursor.count("a vertex number")?;
            if index >= vertices.len() {
                let found = format!("the face refers to vertex {index}");
                let expected = match vertices.len() {
                    0 => "vertices".to_owned(),
                    n => format!("0 to {}", n - 1),
                };
                return Err(MeshFileError::at(Kind::Index, at, found, expected)
                    .help(format!("the file has {} vertices, counted from 0", vertices.len())));
            }
            corners.push(index as u32);
        }
        polygon::add_face(&corners, vertices, &mut faces, start)?;
        cursor.skip_line();
    }
    Ok(faces)
}

fn ended(cursor: &Cursor<'_>, found: usize, count: usize, what: &str) -> MeshFileError {
    let found = format!("the file ends after {found} {what}");
    MeshFileError::at(Kind::Truncated, cursor.at, found, format!("{count}, as its head says"))
        .help("the file is cut off, or the count is wrong; copy or export it again")
}

/// Writes a mesh with all digits that f64 needs.
pub(crate) fn write(out: &mut dyn Write, mesh: &Mesh, options: &WriteOptions) -> std::io::Result<()> {
    let mut printer = Printer::new(out);
    let (vertices, faces) = (mesh.vertices(), mesh.faces());
    printer.text(&format!(
        "OFF\n# by Freiraum, unit {}\n{} {} 0\n",
        options.units,
        vertices.len(),
        faces.len()
    ))?;
    for p in vertices {
        printer.point("", p.to_array().map(|x| options.number(x)))?;
    }
    for face in faces {
        printer.face("3 ", face.map(u64::from))?;
    }
    printer.flush()
}
