//! ASCII STL. Words in any case, any number of solids, `endsolid` may be missing; the normals are not used.

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Result};
use super::options::Weld;
use super::options::WriteOptions;
use super::points::Points;
use super::print::Printer;
use super::stl::{Parts, normal};
use super::text::Cursor;
use freiraum_geometry::{Mesh, Vec3};
use std::io::Write;

/// Reads a whole file in memory.
pub(crate) fn read(bytes: &[u8], weld: Weld) -> Result<Parts> {
    let mut cursor = Cursor::new(bytes);
    let mut points = Points::new(weld, 0);
    let mut faces = Vec::new();
    cursor.skip_space();
    if !is_next(&cursor, b"solid") {
        return Err(cursor.unexpected("`solid` at the beginning of an ASCII STL file"));
    }
    loop {
        cursor.skip_space();
        if cursor.is_at_end() || cursor.peek() == 0x1a {
            return Ok((points.vertices, faces));
        }
        if is_next(&cursor, b"facet") {
            let corners = facet(&mut cursor)?;
            let mut face = [0; 3];
            points.add(&corners, &mut face)?;
            faces.push(face);
        } else if is_next(&cursor, b"solid") || is_next(&cursor, b"endsolid") {
            cursor.skip_line();
        } else {
            return Err(cursor.unexpected("`facet`, `endsolid` or `solid`"));
        }
    }
}

fn facet(cursor: &mut Cursor<'_>) -> Result<[Vec3; 3]> {
    expect(cursor, b"facet")?;
    cursor.skip_space();
    if is_next(cursor, b"normal") {
        // The normal is passed over unread: some programs write NaN for faces without area.
        for _ in 0..4 {
            cursor.skip_space();
            if !is_next(cursor, b"outer") {
                cursor.word();
            }
        }
    }
    expect(cursor, b"outer")?;
    expect(cursor, b"loop")?;
    let mut corners = [Vec3::ZERO; 3];
    for corner in &mut corners {
        cursor.skip_space();
        if is_next(cursor, b"endloop") {
            return Err(cursor.unexpected("three vertices in the loop"));
        }
        expect(cursor, b"vertex")?;
        *corner = point(cursor)?;
    }
    cursor.skip_space();
    if is_next(cursor, b"vertex") {
        let found = "the facet has more than three vertices";
        return Err(MeshFileError::at(Kind::Syntax, cursor.at, found, "`endloop`: STL has triangles only"));
    }
    expect(cursor, b"endloop")?;
    expect(cursor, b"endfacet")?;
    Ok(corners)
}

fn point(cursor: &mut Cursor<'_>) -> Result<Vec3> {
    let mut next = || {
        cursor.skip_space();
        cursor.coordinate()
    };
    Ok(Vec3::new(next()?, next()?, next()?))
}

#[inline]
fn is_next(cursor: &Cursor<'_>, word: &[u8]) -> bool {
    let rest = &cursor.bytes[cursor.at..];
    rest.get(..word.len()).is_some_and(|w| w.eq_ignore_ascii_case(word))
        && rest.get(word.len()).is_none_or(|&b| super::text::is_space(b))
}

#[inline]
fn expect(cursor: &mut Cursor<'_>, word: &[u8]) -> Result<()> {
    cursor.skip_space();
    if is_next(cursor, word) {
        cursor.at += word.len();
        return Ok(());
    }
    Err(cursor.unexpected(&format!("`{}`", word.escape_ascii())))
}

/// Writes a mesh with all digits that f64 needs.
pub(crate) fn write(out: &mut dyn Write, mesh: &Mesh, options: &WriteOptions) -> std::io::Result<()> {
    let mut printer = Printer::new(out);
    printer.text("solid freiraum\n")?;
    for corners in mesh.triangles() {
        // The normal is redundant; f32 keeps it short.
        printer.point("facet normal ", normal(corners).to_array().map(|x| x as f32))?;
        printer.text("outer loop\n")?;
        for p in corners {
            printer.point("vertex ", p.to_array().map(|x| options.number(x)))?;
        }
        printer.text("endloop\nendfacet\n")?;
    }
    printer.text("endsolid freiraum\n")?;
    printer.flush()
}
