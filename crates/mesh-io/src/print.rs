//! Numbers as text: as few digits as bring back the same f64.

use std::io::{self, Write};

/// Text that is handed on in large pieces.
const PIECE: usize = 1 << 16;

/// A text under construction.
pub(crate) struct Printer<'o> {
    out: &'o mut dyn Write,
    text: Vec<u8>,
}

impl<'o> Printer<'o> {
    pub(crate) fn new(out: &'o mut dyn Write) -> Printer<'o> {
        Printer { out, text: Vec::with_capacity(2 * PIECE) }
    }

    /// Words as they are.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.text.extend_from_slice(text.as_bytes());
        if self.text.len() >= PIECE { self.flush() } else { Ok(()) }
    }

    /// A line of three coordinates behind `start`.
    #[inline]
    pub(crate) fn point(&mut self, start: &str, point: [impl zmij::Float; 3]) -> io::Result<()> {
        self.text.extend_from_slice(start.as_bytes());
        let mut buffer = zmij::Buffer::new();
        for (x, end) in point.into_iter().zip(b"  \n") {
            self.text.extend_from_slice(buffer.format_finite(x).as_bytes());
            self.text.push(*end);
        }
        self.text("")
    }

    /// A line of three vertex numbers behind `start`.
    #[inline]
    pub(crate) fn face(&mut self, start: &str, corners: [u64; 3]) -> io::Result<()> {
        self.text.extend_from_slice(start.as_bytes());
        let mut buffer = itoa::Buffer::new();
        for (i, end) in corners.into_iter().zip(b"  \n") {
            self.text.extend_from_slice(buffer.format(i).as_bytes());
            self.text.push(*end);
        }
        self.text("")
    }

    /// Hands on what is left.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let result = self.out.write_all(&self.text);
        self.text.clear();
        result
    }
}
