//! The numbers of a PLY file behind its head, as text or binary.

use super::header::{Element, Kind, Layout};
use crate::error::{MeshFileError, MeshFileErrorKind, Result};
use crate::text::{self, Cursor};
use freiraum_geometry::tolerance::MAX_COORDINATE;

/// A walk through the numbers in their order.
pub(crate) trait Body {
    /// Where the next number stands, in bytes from the beginning of the file.
    fn offset(&self) -> usize;
    /// Goes back to an offset.
    fn go_to(&mut self, offset: usize);
    /// Before every element: number `index` of its sort.
    fn begin(&mut self, element: &Element, index: usize) -> Result<()>;
    /// Behind every element.
    fn end(&mut self) -> Result<()>;
    /// The next number.
    fn scalar(&mut self, kind: Kind) -> Result<f64>;
    /// Passes over numbers, unread.
    fn skip(&mut self, kind: Kind, count: usize) -> Result<()>;
    /// More elements than this cannot be left in the file.
    fn most_elements(&self, element: &Element) -> usize;
    /// More numbers than this cannot be left in the file.
    fn most_values(&self, kind: Kind) -> usize;
    /// Behind the last element nothing may follow.
    fn finish(&mut self) -> Result<()>;

    /// The next number, which has to be a proper coordinate.
    #[inline]
    fn coordinate(&mut self, kind: Kind) -> Result<f64> {
        let at = self.offset();
        let value = self.scalar(kind)?;
        if value.abs() <= MAX_COORDINATE { Ok(value) } else { Err(text::bad_coordinate(at, value)) }
    }

    /// The count of a list whose numbers are all there.
    #[inline]
    fn list_length(&mut self, count: Kind, value: Kind) -> Result<usize> {
        let at = self.offset();
        let length = self.scalar(count)?;
        let most = self.most_values(value);
        if length >= 0.0 && length <= most as f64 && length.fract() == 0.0 {
            return Ok(length as usize);
        }
        let found = format!("the list claims {length} numbers");
        let expected = format!("at most {most}, which is what the rest of the file could hold");
        Err(MeshFileError::at(MeshFileErrorKind::Count, at, found, expected)
            .help("the file is cut off or damaged; copy or export it again"))
    }
}

fn ended(offset: usize, element: &Element, index: usize) -> MeshFileError {
    let found = format!("the file ends after {index} elements `{}`", element.name);
    MeshFileError::at(
        MeshFileErrorKind::Truncated,
        offset,
        found,
        format!("{}, as its head says", element.count),
    )
    .help("the file is cut off, or the count is wrong; copy or export it again")
}

fn too_long(offset: usize, rest: usize) -> MeshFileError {
    let found = format!("{rest} more bytes follow behind the last element");
    MeshFileError::at(MeshFileErrorKind::Count, offset, found, "the end of the file")
        .help("the counts in the head are too small; export the file again")
}

/// The body as text: one element per line.
pub(crate) struct Text<'a> {
    pub(crate) cursor: Cursor<'a>,
}

impl Body for Text<'_> {
    fn offset(&self) -> usize {
        let mut ahead = self.cursor.clone();
        ahead.skip_blanks();
        ahead.at
    }

    fn go_to(&mut self, offset: usize) {
        self.cursor.at = offset;
    }

    fn begin(&mut self, element: &Element, index: usize) -> Result<()> {
        self.cursor.skip_space();
        if self.cursor.is_at_end() { Err(ended(self.cursor.at, element, index)) } else { Ok(()) }
    }

    fn end(&mut self) -> Result<()> {
        self.cursor.skip_blanks();
        if self.cursor.is_at_end() || self.cursor.peek() == b'\n' {
            return Ok(());
        }
        Err(self.cursor.unexpected("the end of the line: the head declares no more properties"))
    }

    #[inline]
    fn scalar(&mut self, _: Kind) -> Result<f64> {
        self.cursor.skip_blanks();
        let at = self.cursor.at;
        match crate::number::float(self.cursor.bytes, at) {
            Some((value, end)) if self.cursor.bytes.get(end).is_none_or(|&b| text::is_space(b)) => {
                self.cursor.at = end;
                Ok(value)
            }
            _ => Err(self.cursor.unexpected("a number")),
        }
    }

    fn skip(&mut self, _: Kind, count: usize) -> Result<()> {
        for _ in 0..count {
            self.cursor.skip_blanks();
            if self.cursor.is_at_end() || self.cursor.peek() == b'\n' {
                return Err(self.cursor.unexpected("a number"));
            }
            self.cursor.word();
        }
        Ok(())
    }

    fn most_elements(&self, element: &Element) -> usize {
        // Every number takes a digit and what separates it from the next.
        (self.cursor.bytes.len() - self.cursor.at) / (2 * element.properties.len().max(1)) + 1
    }

    fn most_values(&self, _: Kind) -> usize {
        (self.cursor.bytes.len() - self.cursor.at).div_ceil(2)
    }

    fn finish(&mut self) -> Result<()> {
        self.cursor.skip_space();
        let rest = self.cursor.bytes.len() - self.cursor.at;
        if rest > 0 { Err(too_long(self.cursor.at, rest)) } else { Ok(()) }
    }
}

/// The body in binary, least significant byte first or last.
pub(crate) struct Binary<'a, const LITTLE: bool> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl<const LITTLE: bool> Binary<'_, LITTLE> {
    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(&(mut bytes)) => {
                self.at += N;
                if !LITTLE {
                    bytes.reverse();
                }
                Ok(bytes)
            }
            None => Err(self.too_short()),
        }
    }

    #[cold]
    fn too_short(&self) -> MeshFileError {
        let found = "the file ends in the middle of an element";
        MeshFileError::at(
            MeshFileErrorKind::Truncated,
            self.bytes.len(),
            found,
            "as many elements as its head says",
        )
        .help("the file is cut off; copy or export it again")
    }
}

impl<const LITTLE: bool> Body for Binary<'_, LITTLE> {
    fn offset(&self) -> usize {
        self.at
    }

    fn go_to(&mut self, offset: usize) {
        self.at = offset;
    }

    #[inline]
    fn begin(&mut self, element: &Element, index: usize) -> Result<()> {
        if self.at >= self.bytes.len() { Err(ended(self.at, element, index)) } else { Ok(()) }
    }

    fn end(&mut self) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn scalar(&mut self, kind: Kind) -> Result<f64> {
        Ok(match kind {
            Kind::I8 => f64::from(i8::from_le_bytes(self.take()?)),
            Kind::U8 => f64::from(u8::from_le_bytes(self.take()?)),
            Kind::I16 => f64::from(i16::from_le_bytes(self.take()?)),
            Kind::U16 => f64::from(u16::from_le_bytes(self.take()?)),
            Kind::I32 => f64::from(i32::from_le_bytes(self.take()?)),
            Kind::U32 => f64::from(u32::from_le_bytes(self.take()?)),
            Kind::F32 => f64::from(f32::from_le_bytes(self.take()?)),
            Kind::F64 => f64::from_le_bytes(self.take()?),
        })
    }

    fn skip(&mut self, kind: Kind, count: usize) -> Result<()> {
        let end = kind.size().checked_mul(count).and_then(|size| size.checked_add(self.at));
        match end {
            Some(end) if end <= self.bytes.len() => {
                self.at = end;
                Ok(())
            }
            _ => Err(self.too_short()),
        }
    }

    fn most_elements(&self, element: &Element) -> usize {
        let size = |layout: Layout| match layout {
            Layout::Scalar(kind) | Layout::List { count: kind, .. } => kind.size(),
        };
        let shortest: usize = element.properties.iter().map(|p| size(p.layout)).sum();
        (self.bytes.len() - self.at) / shortest.max(1)
    }

    fn most_values(&self, kind: Kind) -> usize {
        (self.bytes.len() - self.at) / kind.size()
    }

    fn finish(&mut self) -> Result<()> {
        let rest = &self.bytes[self.at..];
        if rest.iter().all(|&b| text::is_space(b)) { Ok(()) } else { Err(too_long(self.at, rest.len())) }
    }
}
