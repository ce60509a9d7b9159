//! Lines and columns of a text.

use freiraum_scene::Place;

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub(super) struct Lines<'t> {
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
    pub(super) fn line_and_column(&self, byte: usize) -> (usize, usize) {
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
        (line, &self.text[first..last], Place { start: start - first, end: end - first })
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
