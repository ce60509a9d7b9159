//! The head of a PLY file: which elements it has and which properties these have.

use super::body::Body;
use crate::error::{MeshFileError, MeshFileErrorKind, Result};
use crate::text::{Cursor, quote};

/// More sorts of elements than any file has; comparing their names takes quadratic time.
const MAX_ELEMENTS: usize = 1000;

/// How the body is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// Type of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

/// One number, or a list with its count before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Layout {
    Scalar(Kind),
    List { count: Kind, value: Kind },
}

pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) layout: Layout,
    /// x, y or z.
    pub(crate) is_coordinate: bool,
}

pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) count: usize,
    pub(crate) properties: Vec<Property>,
    /// Where in the file it is declared.
    pub(crate) offset: usize,
}

pub(crate) struct Header {
    pub(crate) encoding: Encoding,
    pub(crate) elements: Vec<Element>,
}

impl Kind {
    /// Size in a binary file.
    pub(crate) fn size(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::F64 => 8,
        }
    }

    fn is_whole(self) -> bool {
        !matches!(self, Kind::F32 | Kind::F64)
    }

    fn of_name(name: &[u8]) -> Option<Kind> {
        Some(match name {
            b"char" | b"int8" => Kind::I8,
            b"uchar" | b"uint8" => Kind::U8,
            b"short" | b"int16" => Kind::I16,
            b"ushort" | b"uint16" => Kind::U16,
            b"int" | b"int32" => Kind::I32,
            b"uint" | b"uint32" => Kind::U32,
            b"float" | b"float32" => Kind::F32,
            b"double" | b"float64" => Kind::F64,
            _ => return None,
        })
    }
}

impl Layout {
    /// Type of the number, or of the numbers in the list.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Layout::Scalar(kind) | Layout::List { value: kind, .. } => kind,
        }
    }

    /// How many numbers follow: 1, or the count of the list, which is read.
    #[inline]
    pub(crate) fn values(self, body: &mut impl Body) -> Result<usize> {
        match self {
            Layout::Scalar(_) => Ok(1),
            Layout::List { count, value } => body.list_length(count, value),
        }
    }
}

impl Header {
    /// Reads up to and including the line `end_header`.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Header> {
        if !cursor.word().eq_ignore_ascii_case(b"ply") {
            cursor.at = 0;
            return Err(cursor.unexpected("`ply` in the first line"));
        }
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        loop {
            cursor.skip_space();
            let start = cursor.at;
            match cursor.word() {
                b"format" => encoding = Some(format(cursor)?),
                b"comment" | b"obj_info" => {}
                b"element" => elements.push(element(cursor, start, &elements)?),
                b"property" => {
                    let Some(element) = elements.last_mut() else {
                        return Err(MeshFileError::at(
                            MeshFileErrorKind::Syntax,
                            start,
                            "the property belongs to no element",
                            "a line `element` before it",
                        ));
                    };
                    element.properties.push(property(cursor)?);
                }
                b"end_header" => {
                    end_of_header(cursor)?;
                    let Some(encoding) = encoding else {
                        let found = "the head has no line `format`";
                        return Err(MeshFileError::at(
                            MeshFileErrorKind::Syntax,
                            start,
                            found,
                            "`format ascii 1.0`",
                        ));
                    };
                    return Ok(Header { encoding, elements });
                }
                _ => {
                    cursor.at = start;
                    return Err(cursor.unexpected("`element`, `property`, `comment` or `end_header`"));
                }
            }
            cursor.skip_line();
        }
    }
}

/// The body begins right behind the end of this line.
fn end_of_header(cursor: &mut Cursor<'_>) -> Result<()> {
    while matches!(cursor.peek(), b' ' | b'\t') {
        cursor.at += 1;
    }
    match cursor.bytes.get(cursor.at..) {
        Some([b'\r', b'\n', ..]) => cursor.at += 2,
        // A lone carriage return ends lines in files of old Macintoshes, whose other lines would not have been read.
        Some([b'\n', ..]) => cursor.at += 1,
        Some([]) | None => {}
        _ => return Err(cursor.unexpected("the end of the line")),
    }
    Ok(())
}

fn format(cursor: &mut Cursor<'_>) -> Result<Encoding> {
    cursor.skip_blanks();
    let start = cursor.at;
    let encoding = match cursor.word() {
        b"ascii" => Encoding::Text,
        b"binary_little_endian" => Encoding::LittleEndian,
        b"binary_big_endian" => Encoding::BigEndian,
        _ => {
            cursor.at = start;
            return Err(cursor.unexpected("`ascii`, `binary_little_endian` or `binary_big_endian`"));
        }
    };
    cursor.skip_blanks();
    let version = cursor.at;
    if cursor.word() != b"1.0" {
        cursor.at = version;
        return Err(cursor.unexpected("version `1.0`"));
    }
    Ok(encoding)
}

fn element(cursor: &mut Cursor<'_>, offset: usize, known: &[Element]) -> Result<Element> {
    cursor.skip_blanks();
    let name = String::from_utf8_lossy(cursor.word()).into_owned();
    cursor.skip_blanks();
    let count = cursor.count("the number of elements")?;
    if known.len() >= MAX_ELEMENTS {
        let found = format!("more than {MAX_ELEMENTS} sorts of elements");
        return Err(MeshFileError::at(MeshFileErrorKind::TooLarge, offset, found, "a few"));
    }
    if known.iter().any(|e| e.name == name) {
        let found = format!("a second element {}", quote(name.as_bytes()));
        return Err(MeshFileError::at(MeshFileErrorKind::Syntax, offset, found, "every element once"));
    }
    Ok(Element { name, count, properties: Vec::new(), offset })
}

fn property(cursor: &mut Cursor<'_>) -> Result<Property> {
    cursor.skip_blanks();
    let start = cursor.at;
    let layout = if cursor.word() == b"list" {
        let at = cursor.at;
        let count = kind(cursor)?;
        if !count.is_whole() {
            let found = "the count of the list is no whole number";
            return Err(MeshFileError::at(
                MeshFileErrorKind::Syntax,
                at + 1,
                found,
                "a type such as `uchar`",
            ));
        }
        Layout::List { count, value: kind(cursor)? }
    } else {
        cursor.at = start;
        Layout::Scalar(kind(cursor)?)
    };
    cursor.skip_blanks();
    let name = String::from_utf8_lossy(cursor.word()).into_owned();
    if name.is_empty() {
        return Err(cursor.unexpected("the name of the property"));
    }
    let is_coordinate = matches!(name.as_str(), "x" | "y" | "z");
    Ok(Property { name, layout, is_coordinate })
}

fn kind(cursor: &mut Cursor<'_>) -> Result<Kind> {
    cursor.skip_blanks();
    let start = cursor.at;
    Kind::of_name(cursor.word()).ok_or_else(|| {
        cursor.at = start;
        cursor.unexpected("a type: char, uchar, short, ushort, int, uint, float or double")
    })
}
