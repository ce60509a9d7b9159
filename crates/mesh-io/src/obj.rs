//! Wavefront OBJ: the vertices (`v`) and faces (`f`) of all objects and groups. Everything that does not change the
//! triangles is passed over; free-form surfaces are refused.

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Result};
use super::number;
use super::options::WriteOptions;
use super::points::too_many_vertices;
use super::polygon;
use super::print::Printer;
use super::stl::Parts;
use super::text::{Cursor, is_blank, is_space};
use freiraum_geometry::{Mesh, Vec3};
use std::io::Write;

/// Statements that leave the triangles as they are.
const IGNORED: [&[u8]; 31] = [
    b"vn",
    b"vt",
    b"vp",
    b"g",
    b"o",
    b"s",
    b"mg",
    b"l",
    b"p",
    b"usemtl",
    b"mtllib",
    b"usemap",
    b"maplib",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"cstype",
    b"deg",
    b"bmat",
    b"step",
    b"parm",
    b"trim",
    b"hole",
    b"scrv",
    b"sp",
    b"con",
    b"end",
    b"ctech",
];

/// Statements that would add geometry.
const REFUSED: [(&[u8], &str); 6] = [
    (b"surf", "free-form surfaces"),
    (b"curv", "free-form curves"),
    (b"curv2", "free-form curves"),
    (b"call", "other files"),
    (b"bzp", "patches"),
    (b"bsp", "patches"),
];

/// Reads a whole file in memory.
pub(crate) fn read(bytes: &[u8]) -> Result<Parts> {
    let mut reader = Reader { vertices: Vec::new(), faces: Vec::new(), defined: 0, is_second_pass: false };
    if !reader.run(bytes)? {
        // A face refers to vertices that come later. Now all of them are known.
        reader.faces.clear();
        reader.defined = 0;
        reader.is_second_pass = true;
        reader.run(bytes)?;
    }
    Ok((reader.vertices, reader.faces))
}

struct Reader {
    vertices: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
    /// Vertices defined up to the current line, for negative references.
    defined: usize,
    is_second_pass: bool,
}

impl Reader {
    /// Goes through the file; false if a face refers to a later vertex and the second pass is necessary.
    fn run(&mut self, bytes: &[u8]) -> Result<bool> {
        let mut cursor = Cursor::new(bytes);
        let mut corners = Vec::new();
        let mut is_complete = true;
        loop {
            cursor.skip_space();
            let start = cursor.at;
            match (cursor.peek(), bytes.get(start + 1).copied().unwrap_or(b'\n')) {
                (b'v', next) if is_space(next) => {
                    cursor.at += 1;
                    self.vertex(&mut cursor)?;
                    skip_statement(&mut cursor);
                }
                (b'f', next) if is_space(next) => {
                    cursor.at += 1;
                    if is_complete {
                        is_complete = self.face(&mut cursor, &mut corners)?;
                    }
                    skip_statement(&mut cursor);
                }
                // The name of faces in the oldest files.
                (b'f', b'o') if bytes.get(start + 2).is_none_or(|&b| is_space(b)) => {
                    cursor.at += 2;
                    if is_complete {
                        is_complete = self.face(&mut cursor, &mut corners)?;
                    }
                    skip_statement(&mut cursor);
                }
                (b'#', _) => cursor.skip_line(),
                _ if cursor.is_at_end() => return Ok(is_complete),
                _ => {
                    self.other(&cursor)?;
                    skip_statement(&mut cursor);
                }
            }
        }
    }

    fn vertex(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        self.defined += 1;
        if self.is_second_pass {
            return Ok(());
        }
        skip_blanks(cursor);
        let x = cursor.coordinate()?;
        skip_blanks(cursor);
        let y = cursor.coordinate()?;
        skip_blanks(cursor);
        let z = cursor.coordinate()?;
        // A weight or a colour may follow.
        self.vertices.push(Vec3::new(x, y, z));
        if self.defined >= u32::MAX as usize { Err(too_many_vertices()) } else { Ok(()) }
    }

    /// Adds a face; false if it refers to a vertex that comes later.
    fn face(&mut self, cursor: &mut Cursor<'_>, corners: &mut Vec<u32>) -> Result<bool> {
        corners.clear();
        let start = cursor.at;
        loop {
            skip_blanks(cursor);
            if matches!(cursor.peek(), b'\n' | b'#') || cursor.is_at_end() {
                break;
            }
            match self.corner(cursor)? {
                Some(corner) => corners.push(corner),
                None => return Ok(false),
            }
        }
        polygon::add_face(corners, &self.vertices, &mut self.faces, start)?;
        Ok(true)
    }

    /// One corner, such as `7`, `-1`, `7/2`, `7//3`, `7/2/3`; `None` if its vertex comes later.
    #[inline]
    fn corner(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<u32>> {
        let start = cursor.at;
        let is_negative = cursor.peek() == b'-';
        let Some((number, end)) = number::whole(cursor.bytes, start + usize::from(is_negative)) else {
            return Err(cursor.unexpected("a vertex number, as in `f 1 2 3` or `f 1/1/1 2/2/1 3/3/1`"));
        };
        cursor.at = end;
        if cursor.peek() == b'/' {
            while matches!(cursor.peek(), b'/' | b'-' | b'0'..=b'9') {
                cursor.at += 1;
            }
        }
        let next = cursor.peek();
        if !(is_space(next) || matches!(next, b'#' | b'\\') || cursor.is_at_end()) {
            cursor.at = start;
            return Err(cursor.unexpected("a vertex number, as in `f 1 2 3` or `f 1/1/1 2/2/1 3/3/1`"));
        }
        let known = self.vertices.len() as u64;
        let index = if is_negative {
            (self.defined as u64).checked_sub(number).filter(|_| number > 0)
        } else {
            number.checked_sub(1)
        };
        match index {
            Some(index) if index < known => Ok(Some(index as u32)),
            Some(_) if !self.is_second_pass => Ok(None),
            _ => Err(self.bad_index(start, is_negative, number)),
        }
    }

    #[cold]
    fn bad_index(&self, at: usize, is_negative: bool, number: u64) -> MeshFileError {
        let sign = if is_negative { "-" } else { "" };
        let count = if is_negative { self.defined } else { self.vertices.len() };
        let expected =
            if count == 0 { "vertices in the file".into() } else { format!("{sign}1 to {sign}{count}") };
        let help = if number == 0 {
            "OBJ counts from 1".to_owned()
        } else {
            let where_ = if is_negative { " up to here" } else { "" };
            format!("the file has {count} vertices{where_}; it is cut off or wrong, export it again")
        };
        let found = format!("the face refers to vertex {sign}{number}");
        MeshFileError::at(Kind::Index, at, found, expected).help(help)
    }

    /// A statement that is neither `v` nor `f`.
    fn other(&self, cursor: &Cursor<'_>) -> Result<()> {
        let word = cursor.clone().word();
        if IGNORED.contains(&word) || word == b"\\" {
            return Ok(());
        }
        if let Some((_, what)) = REFUSED.iter().find(|(name, _)| *name == word) {
            let found = format!("the statement {} refers to {what}, which are not read", cursor.quoted());
            return Err(MeshFileError::at(Kind::Unsupported, cursor.at, found, "faces (`f`)")
                .help("export the file as a polygon mesh"));
        }
        let error = cursor.unexpected("a statement of OBJ such as `v`, `f`, `vn`, `g`");
        Err(if self.defined == 0 { error.help("this is not an OBJ file") } else { error })
    }
}

/// Passes over blanks and over line ends hidden by a backslash.
#[inline]
fn skip_blanks(cursor: &mut Cursor<'_>) {
    loop {
        while is_blank(cursor.peek()) {
            cursor.at += 1;
        }
        if cursor.peek() != b'\\' {
            return;
        }
        match cursor.bytes.get(cursor.at + 1..) {
            Some([b'\n', ..]) => cursor.at += 2,
            Some([b'\r', b'\n', ..]) => cursor.at += 3,
            _ => return,
        }
    }
}

/// Goes behind the line, and behind the next one if a backslash joins them.
#[inline]
fn skip_statement(cursor: &mut Cursor<'_>) {
    loop {
        let start = cursor.at;
        cursor.skip_line();
        let line = &cursor.bytes[start..cursor.at];
        if !(line.ends_with(b"\\\n") || line.ends_with(b"\\\r\n")) {
            return;
        }
    }
}

/// Writes a mesh with all digits that f64 needs.
pub(crate) fn write(out: &mut dyn Write, mesh: &Mesh, options: &WriteOptions) -> std::io::Result<()> {
    let mut printer = Printer::new(out);
    printer.text(&format!("# OBJ by Freiraum, unit {}\n", options.units))?;
    for p in mesh.vertices() {
        printer.point("v ", p.to_array().map(|x| options.number(x)))?;
    }
    for face in mesh.faces() {
        printer.face("f ", face.map(|i| u64::from(i) + 1))?;
    }
    printer.flush()
}
