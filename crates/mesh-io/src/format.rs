//! Which format a file has.

use super::text::Cursor;
use std::fmt;
use std::str::FromStr;

/// The mesh file formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MeshFormat {
    /// STL, binary: f32, no shared vertices.
    StlBinary,
    /// STL as text.
    StlAscii,
    /// Wavefront OBJ.
    Obj,
    /// Object File Format of Geomview, as text.
    Off,
    /// PLY, binary with the least significant byte first.
    PlyLittleEndian,
    /// PLY, binary with the most significant byte first.
    PlyBigEndian,
    /// PLY as text.
    PlyAscii,
    /// glTF 2.0 as JSON, with buffers in `data:` addresses or in files beside it.
    Gltf,
    /// glTF 2.0 in one binary file.
    Glb,
}

/// How many bytes of a file [`sniff`] wants to see.
pub(crate) const SNIFFED_BYTES: usize = 1024;

/// Size of the part of a binary STL file before the triangles, and of one triangle.
pub(crate) const STL_HEADER: usize = 84;
pub(crate) const STL_TRIANGLE: usize = 50;

impl MeshFormat {
    /// All formats, in the order of their declaration.
    pub const ALL: [MeshFormat; 9] = [
        MeshFormat::StlBinary,
        MeshFormat::StlAscii,
        MeshFormat::Obj,
        MeshFormat::Off,
        MeshFormat::PlyLittleEndian,
        MeshFormat::PlyBigEndian,
        MeshFormat::PlyAscii,
        MeshFormat::Gltf,
        MeshFormat::Glb,
    ];

    /// The name on the command line: `stl`, `stl-ascii`, `obj`, `off`, `ply`, `ply-big-endian`, `ply-ascii`, `gltf`, `glb`.
    /// Understood by `from_str`.
    pub fn name(self) -> &'static str {
        match self {
            MeshFormat::StlBinary => "stl",
            MeshFormat::StlAscii => "stl-ascii",
            MeshFormat::Obj => "obj",
            MeshFormat::Off => "off",
            MeshFormat::PlyLittleEndian => "ply",
            MeshFormat::PlyBigEndian => "ply-big-endian",
            MeshFormat::PlyAscii => "ply-ascii",
            MeshFormat::Gltf => "gltf",
            MeshFormat::Glb => "glb",
        }
    }

    /// The usual file extension, without a point.
    pub fn extension(self) -> &'static str {
        match self {
            MeshFormat::StlBinary | MeshFormat::StlAscii => "stl",
            MeshFormat::Obj => "obj",
            MeshFormat::Off => "off",
            MeshFormat::PlyLittleEndian | MeshFormat::PlyBigEndian | MeshFormat::PlyAscii => "ply",
            MeshFormat::Gltf => "gltf",
            MeshFormat::Glb => "glb",
        }
    }

    /// The format written for a file extension (without point, any case): the binary one where there are several.
    pub fn of_extension(extension: &str) -> Option<MeshFormat> {
        MeshFormat::ALL.into_iter().find(|f| f.extension().eq_ignore_ascii_case(extension))
    }

    /// True if coordinates are stored as f32, so that writing rounds them to about 7 digits.
    pub fn stores_f32(self) -> bool {
        matches!(self, MeshFormat::StlBinary | MeshFormat::Gltf | MeshFormat::Glb)
    }

    /// The format of a file whose name ends in `extension` (without point; may be empty), begins with `head` (up to 1024
    /// bytes are looked at) and has `length` bytes. `None` if neither content nor extension tell.
    ///
    /// The content decides where it is unambiguous; a wrong extension then does no harm.
    pub fn detect(head: &[u8], length: u64, extension: &str) -> Option<MeshFormat> {
        sniff(head, length).or_else(|| {
            let format = MeshFormat::of_extension(extension)?;
            // The reader of the other sort of STL knows better what is missing.
            let is_text = format == MeshFormat::StlBinary && !head.is_empty() && !looks_binary(head);
            Some(if is_text && length < STL_HEADER as u64 { MeshFormat::StlAscii } else { format })
        })
    }
}

/// The format by content alone.
fn sniff(head: &[u8], length: u64) -> Option<MeshFormat> {
    let head = &head[..head.len().min(SNIFFED_BYTES)];
    if head.starts_with(b"glTF") {
        return Some(MeshFormat::Glb);
    }
    let is_word = |word: &[u8], at: &[u8]| {
        at.len() >= word.len()
            && at[..word.len()].eq_ignore_ascii_case(word)
            && at.get(word.len()).is_none_or(|b| !b.is_ascii_alphanumeric())
    };
    if is_word(b"ply", head) && matches!(head.get(3), Some(b'\n' | b'\r' | b' ' | b'\t')) {
        return Some(ply_encoding(head));
    }
    // The length of a binary STL file follows from its count. Text cannot pass by accident: four bytes of text
    // would claim at least 0x09090909 triangles, a file of more than 7 GB.
    if head.len() >= STL_HEADER {
        let count = u32::from_le_bytes([head[80], head[81], head[82], head[83]]);
        if length == STL_HEADER as u64 + STL_TRIANGLE as u64 * u64::from(count) {
            return Some(MeshFormat::StlBinary);
        }
    }
    let mut cursor = Cursor::new(head);
    cursor.skip_space();
    let start = &head[cursor.at..];
    if is_word(b"solid", start) {
        // A text with a stray byte is better complained about as a text.
        let is_binary = looks_binary(head) && !has(head, b"facet");
        return Some(if is_binary { MeshFormat::StlBinary } else { MeshFormat::StlAscii });
    }
    if looks_binary(head) {
        // A binary OFF begins like a text one; its reader says that it is not read.
        return start.starts_with(b"OFF BINARY").then_some(MeshFormat::Off);
    }
    if start.starts_with(b"{") {
        return Some(MeshFormat::Gltf);
    }
    cursor.skip_space_and_comments();
    let word = cursor.word();
    let letters = word.iter().position(|b| b.is_ascii_digit()).unwrap_or(word.len());
    if word[..letters].ends_with(b"OFF") || matches!(word, b"4OFF" | b"ST4OFF" | b"C4OFF" | b"N4OFF") {
        return Some(MeshFormat::Off);
    }
    let is_obj = matches!(word, b"v" | b"vn" | b"vt" | b"f" | b"o" | b"g" | b"s" | b"mtllib" | b"usemtl");
    is_obj.then_some(MeshFormat::Obj)
}

fn ply_encoding(head: &[u8]) -> MeshFormat {
    if has(head, b"format ascii") {
        MeshFormat::PlyAscii
    } else if has(head, b"format binary_big_endian") {
        MeshFormat::PlyBigEndian
    } else {
        MeshFormat::PlyLittleEndian
    }
}

fn has(head: &[u8], text: &[u8]) -> bool {
    head.windows(text.len()).any(|w| w == text)
}

/// True if the bytes contain control characters that no text has.
pub(crate) fn looks_binary(bytes: &[u8]) -> bool {
    bytes.iter().any(|&b| b < b' ' && !matches!(b, b'\t' | b'\n' | 0x0b | 0x0c | b'\r' | 0x1a))
}

impl fmt::Display for MeshFormat {
    /// The name in a sentence, such as `binary STL`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MeshFormat::StlBinary => "binary STL",
            MeshFormat::StlAscii => "ASCII STL",
            MeshFormat::Obj => "OBJ",
            MeshFormat::Off => "OFF",
            MeshFormat::PlyLittleEndian => "binary PLY",
            MeshFormat::PlyBigEndian => "big-endian PLY",
            MeshFormat::PlyAscii => "ASCII PLY",
            MeshFormat::Gltf => "glTF",
            MeshFormat::Glb => "GLB",
        })
    }
}

/// The text names no mesh format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no mesh format; expected one of stl, stl-ascii, obj, off, ply, ply-big-endian, ply-ascii, gltf, glb"
)]
pub struct ParseFormatError(String);

impl FromStr for MeshFormat {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<MeshFormat, ParseFormatError> {
        let name = text.trim();
        MeshFormat::ALL
            .into_iter()
            .find(|f| f.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| ParseFormatError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &[u8], extension: &str, expected: Option<MeshFormat>) {
        let found = MeshFormat::detect(content, content.len() as u64, extension);
        assert_eq!(found, expected, "{} as .{extension}", content.escape_ascii());
    }

    #[test]
    fn content_before_extension() {
        check(b"ply\nformat ascii 1.0\n", "stl", Some(MeshFormat::PlyAscii));
        check(b"ply\r\nformat binary_big_endian 1.0\r\n", "", Some(MeshFormat::PlyBigEndian));
        check(b"glTF\x02\0\0\0", "obj", Some(MeshFormat::Glb));
        check(b"  {\"asset\":{}}", "txt", Some(MeshFormat::Gltf));
        check(b"# made by hand\nCOFF\n", "obj", Some(MeshFormat::Off));
        check(b"\t OFF8 6 12", "", Some(MeshFormat::Off));
        check(b"# made by hand\nv 0 0 0\n", "stl", Some(MeshFormat::Obj));
        check(b"SOLID x\n facet", "obj", Some(MeshFormat::StlAscii));
    }

    #[test]
    fn extension_where_the_content_does_not_tell() {
        check(b"# only a comment", "OBJ", Some(MeshFormat::Obj));
        check(b"", "stl", Some(MeshFormat::StlBinary));
        check(b"hello", "stl", Some(MeshFormat::StlAscii));
        check(b"hello", "txt", None);
        check(b"", "", None);
    }

    #[test]
    fn binary_stl_may_say_solid() {
        let mut bytes = vec![0; STL_HEADER + STL_TRIANGLE];
        bytes[..6].copy_from_slice(b"solid ");
        bytes[80] = 1;
        check(&bytes, "obj", Some(MeshFormat::StlBinary));
        // Cut off, it still has bytes that no text has.
        check(&bytes[..120], "", Some(MeshFormat::StlBinary));
        bytes[..84].fill(b' ');
        bytes[80..84].copy_from_slice(&[1, 0, 0, 0]);
        check(&bytes, "", Some(MeshFormat::StlBinary));
    }

    #[test]
    fn names_parse_back() {
        for format in MeshFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            assert_eq!(MeshFormat::of_extension(format.extension()).unwrap().extension(), format.extension());
        }
        assert!(
            "step".parse::<MeshFormat>().unwrap_err().to_string().starts_with("`step` is no mesh format")
        );
    }
}
