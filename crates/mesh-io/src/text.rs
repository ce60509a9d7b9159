//! Walking through the bytes of a text file, line by line and word by word.

use super::error::{MeshFileError, MeshFileErrorKind as Kind, Result};
use super::number;
use freiraum_geometry::Vec3;
use freiraum_geometry::tolerance::MAX_COORDINATE;

/// Longest piece of a file that is quoted in a message.
const QUOTED_BYTES: usize = 40;

/// A position in a text; words are separated by blanks and line ends.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

/// True for what separates words inside a line.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// True for what separates words: blanks and line ends.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    is_blank(byte) || byte == b'\n'
}

impl<'a> Cursor<'a> {
    /// The beginning of a text; a byte order mark is passed over.
    pub(crate) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        let at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Cursor { bytes, at }
    }

    /// The byte here, 0 at the end.
    #[inline]
    pub(crate) fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Passes over blanks; stays on the line.
    #[inline]
    pub(crate) fn skip_blanks(&mut self) {
        while is_blank(self.peek()) {
            self.at += 1;
        }
    }

    /// Passes over blanks and line ends.
    #[inline]
    pub(crate) fn skip_space(&mut self) {
        while is_space(self.peek()) {
            self.at += 1;
        }
    }

    /// Goes to the beginning of the next line.
    #[inline]
    pub(crate) fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at = rest.iter().position(|&b| b == b'\n').map_or(self.bytes.len(), |i| self.at + i + 1);
    }

    /// Passes over blanks, line ends and comments that begin with `#`.
    pub(crate) fn skip_space_and_comments(&mut self) {
        self.skip_space();
        while self.peek() == b'#' {
            self.skip_line();
            self.skip_space();
        }
    }

    /// The word from here to the next blank or line end, and goes behind it. Empty at the end.
    #[inline]
    pub(crate) fn word(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&b| is_space(b)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// The word here for a message, without moving.
    pub(crate) fn quoted(&self) -> String {
        let mut ahead = self.clone();
        if ahead.is_at_end() {
            return "the end of the file".to_owned();
        }
        if ahead.peek() == b'\n' {
            return "the end of the line".to_owned();
        }
        quote(ahead.word())
    }

    /// An error here about the word that stands here.
    pub(crate) fn unexpected(&self, expected: &str) -> MeshFileError {
        let kind = if self.is_at_end() { Kind::Truncated } else { Kind::Syntax };
        let found = format!("found {}", self.quoted());
        let error = MeshFileError::at(kind, self.at, found, expected);
        match kind {
            Kind::Truncated => error.help("the file is cut off; copy or export it again"),
            _ => error,
        }
    }

    /// A finite number that ends at a blank, a line end or the end of the text, and goes behind it. Starts here:
    /// what separates it from the word before has to be passed over by the caller.
    #[inline]
    pub(crate) fn coordinate(&mut self) -> Result<f64> {
        match number::float(self.bytes, self.at) {
            Some((value, end)) if value.abs() <= MAX_COORDINATE && self.ends_word(end) => {
                self.at = end;
                Ok(value)
            }
            _ => Err(self.bad_coordinate()),
        }
    }

    /// Three coordinates on this line.
    #[inline]
    pub(crate) fn point(&mut self) -> Result<Vec3> {
        self.skip_blanks();
        let x = self.coordinate()?;
        self.skip_blanks();
        let y = self.coordinate()?;
        self.skip_blanks();
        let z = self.coordinate()?;
        Ok(Vec3::new(x, y, z))
    }

    #[inline]
    fn ends_word(&self, end: usize) -> bool {
        self.bytes.get(end).is_none_or(|&b| is_space(b) || b == b'#' || b == b'\\')
    }

    #[cold]
    fn bad_coordinate(&self) -> MeshFileError {
        match number::float(self.bytes, self.at) {
            Some((value, end)) if self.ends_word(end) => bad_coordinate(self.at, value),
            _ => {
                let error = self.unexpected("a number");
                let word = self.clone().word();
                let commas = word.contains(&b',') && word.iter().any(u8::is_ascii_digit);
                if commas { error.help("write the decimal sign as a point, not as a comma") } else { error }
            }
        }
    }

    /// A whole number without sign, and goes behind it.
    pub(crate) fn count(&mut self, expected: &str) -> Result<usize> {
        match number::whole(self.bytes, self.at) {
            Some((value, end)) if self.ends_word(end) => {
                self.at = end;
                usize::try_from(value).map_err(|_| self.unexpected(expected))
            }
            _ => Err(self.unexpected(expected)),
        }
    }
}

/// The error about a coordinate that is a number but none that a mesh may have.
#[cold]
pub(crate) fn bad_coordinate(offset: usize, value: f64) -> MeshFileError {
    let found = format!("the coordinate is {value:?}");
    let expected = format!("a finite number of magnitude at most {MAX_COORDINATE:e}");
    MeshFileError::at(Kind::Coordinate, offset, found, expected)
        .help("the program that wrote the file computed nonsense here; export it again")
}

/// A piece of the file in backquotes, cut to a readable length, with what cannot be printed escaped.
pub(crate) fn quote(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(QUOTED_BYTES)];
    let dots = if cut.len() < bytes.len() { "…" } else { "" };
    format!("`{}{dots}`", cut.escape_ascii())
}

/// Line and column, both from 1, of a byte offset.
pub(crate) fn line_and_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    (line, before.len() - start + 1)
}

/// The byte offset of a line and column, both from 1.
pub(crate) fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let mut at = 0;
    for _ in 1..line {
        at += text[at..].iter().position(|&b| b == b'\n').map_or(text.len() - at, |i| i + 1);
    }
    (at + column.saturating_sub(1)).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        let text = b"ab\ncd\n";
        assert_eq!(line_and_column(text, 0), (1, 1));
        assert_eq!(line_and_column(text, 4), (2, 2));
        assert_eq!(line_and_column(text, 6), (3, 1));
        assert_eq!(line_and_column(text, 99), (3, 1));
    }

    #[test]
    fn quotes_are_short_and_printable() {
        assert_eq!(quote(b"a\0b"), "`a\\x00b`");
        assert_eq!(quote(&[b'x'; 50]), format!("`{}…`", "x".repeat(40)));
    }
}
