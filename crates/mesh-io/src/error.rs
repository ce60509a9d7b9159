//! What is wrong with a mesh file, and where.

use super::text;
use std::fmt;

/// A mesh file that could not be read or written: where, what was found, what was expected, what to do.
///
/// Displayed like the message of a compiler, in one or two lines:
///
/// ```text
/// bracket.obj:17:9: the face refers to vertex 913; expected 1 to 812
///   help: the file has 812 vertices up to here; export it again or delete the face
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFileError(Box<Details>);

/// Sorts of errors, for code that reacts to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MeshFileErrorKind {
    /// The operating system refused: no such file, no permission, a folder, a full disk.
    Io,
    /// Neither content nor name tell the format.
    UnknownFormat,
    /// The text or the structure is not that of the format.
    Syntax,
    /// The file ends too early.
    Truncated,
    /// A count in the file disagrees with what the file holds.
    Count,
    /// A face refers to something that does not exist.
    Index,
    /// A coordinate is NaN, infinite or too large.
    Coordinate,
    /// The file is proper but uses a part of the format that is not read.
    Unsupported,
    /// The file holds no triangles.
    NoFaces,
    /// More than can be numbered or than is allowed.
    TooLarge,
}

/// Where in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// Line and column of a text file, both from 1; columns count bytes.
    Line {
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
    },
    /// Offset from the beginning of a binary file, in bytes from 0.
    Byte(u64),
    /// An entry of a structured file, such as `accessors[3].count` of glTF.
    Entry(String),
}

#[derive(Clone, Debug, PartialEq)]
struct Details {
    name: String,
    place: Place,
    kind: MeshFileErrorKind,
    found: String,
    expected: String,
    help: String,
}

/// The result of every reader and writer.
pub(crate) type Result<T> = std::result::Result<T, MeshFileError>;

impl MeshFileError {
    /// An error without file name; [`MeshFileError::of_file`] adds it at the border.
    pub(crate) fn new(
        kind: MeshFileErrorKind,
        place: Place,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> MeshFileError {
        MeshFileError(Box::new(Details {
            name: String::new(),
            place,
            kind,
            found: found.into(),
            expected: expected.into(),
            help: String::new(),
        }))
    }

    /// An error at a byte offset.
    pub(crate) fn at(
        kind: MeshFileErrorKind,
        offset: usize,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> MeshFileError {
        MeshFileError::new(kind, Place::Byte(offset as u64), found, expected)
    }

    /// An error of the operating system.
    pub(crate) fn io(error: &std::io::Error, doing: &str) -> MeshFileError {
        MeshFileError::new(MeshFileErrorKind::Io, Place::File, format!("cannot {doing}: {error}"), "")
    }

    /// The same error with advice; a second advice follows the first.
    #[must_use]
    pub(crate) fn help(mut self, help: impl AsRef<str>) -> MeshFileError {
        if !self.0.help.is_empty() {
            self.0.help.push_str("; ");
        }
        self.0.help.push_str(help.as_ref());
        self
    }

    /// The same error with its byte offset turned into line and column of `text`.
    #[must_use]
    pub(crate) fn in_text(mut self, text: &[u8]) -> MeshFileError {
        if let Place::Byte(offset) = self.0.place {
            let (line, column) = text::line_and_column(text, offset as usize);
            self.0.place = Place::Line { line, column };
        }
        self
    }

    /// The same error with the name of the file.
    #[must_use]
    pub(crate) fn of_file(mut self, name: &str) -> MeshFileError {
        name.clone_into(&mut self.0.name);
        self
    }

    /// The file, as it was named by the caller.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Where in the file.
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// Which sort of error.
    pub fn kind(&self) -> MeshFileErrorKind {
        self.0.kind
    }

    /// What was found, as a phrase.
    pub fn found(&self) -> &str {
        &self.0.found
    }

    /// What was expected instead, as a phrase; empty where that is plain from what was found.
    pub fn expected(&self) -> &str {
        &self.0.expected
    }

    /// What to do about it; may be empty.
    pub fn advice(&self) -> &str {
        &self.0.help
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Line { line, column } => write!(f, "{line}:{column}"),
            Place::Byte(offset) => write!(f, "byte {offset}"),
            Place::Entry(path) => f.write_str(path),
        }
    }
}

impl fmt::Display for MeshFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { name, place, found, expected, help, .. } = &*self.0;
        match place {
            Place::File => write!(f, "{name}: ")?,
            Place::Line { .. } => write!(f, "{name}:{place}: ")?,
            Place::Byte(_) | Place::Entry(_) => write!(f, "{name}: {place}: ")?,
        }
        f.write_str(found)?;
        if !expected.is_empty() {
            write!(f, "; expected {expected}")?;
        }
        if !help.is_empty() {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for MeshFileError {}
