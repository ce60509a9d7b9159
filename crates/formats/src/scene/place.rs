//! Lines and columns of a text.

use freiraum_scene::Place;

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Lines<'t> {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        Lines { text, starts }
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }

    /// Line and column of a byte, from 1; columns count characters.
    pub fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let byte = self.boundary(byte);
        let line = self.line(byte);
        let start = self.starts[line - 1];
        (line, 1 + self.text[start..byte].chars().count())
    }

    /// The whole lines that a place is on, without the last line break, and the place in them.
    pub(super) fn around(&self, place: Place) -> (usize, &'t str, Place) {
        let start = self.boundary(place.start);
        let end = self.boundary(place.end).max(start);
        let line = self.line(start);
        let first = self.starts[line - 1];
        let last = self.starts.get(self.line(end)).map_or(self.text.len(), |next| next - 1);
        let place = Place { start: start - first, end: end - first };
        let shown = &self.text[first..last];
        // Half of a line break is not shown, unless it is what is meant.
        let shown = shown.strip_suffix('\r').filter(|shown| place.end <= shown.len()).unwrap_or(shown);
        (line, shown, place)
    }

    /// The byte, or one before it that begins a character.
    fn boundary(&self, byte: usize) -> usize {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let text = "a = 1\r\nä = \"x\"\n\nz";
        let lines = Lines::of(text);
        let check = |byte: usize, expected: (usize, usize)| {
            assert_eq!(lines.line_and_column(byte), expected, "{byte}");
        };
        check(0, (1, 1));
        check(4, (1, 5));
        check(7, (2, 1));
        // Within a character, and after it.
        check(8, (2, 1));
        check(9, (2, 2));
        check(16, (3, 1));
        check(17, (4, 1));
        check(18, (4, 2));
        check(99, (4, 2));
        assert_eq!(lines.around(Place { start: 4, end: 5 }), (1, "a = 1", Place { start: 4, end: 5 }));
        assert_eq!(lines.around(Place { start: 4, end: 9 }).1, "a = 1\r\nä = \"x\"");
        assert_eq!(lines.around(Place { start: 18, end: 18 }), (4, "z", Place { start: 1, end: 1 }));
        assert_eq!(lines.around(Place { start: 16, end: 16 }), (3, "", Place { start: 0, end: 0 }));
    }
}
