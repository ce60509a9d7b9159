//! How a frame is written: a JSON document, then the arrays it names by offset and count.

use super::frame_document::{ArrayPlace, FrameDocument, SentLayers};
use freiraum_deform::bodies::Shared;
use freiraum_deform::{Interval, LayeredImage};
use freiraum_geometry::Vec3;

/// Collects arrays of little-endian numbers; each begins at a multiple of 4.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Where an array begins, from the first one on, and how many numbers it has.
    fn place(&mut self, count: usize, fill: impl FnOnce(&mut Vec<u8>)) -> ArrayPlace {
        let offset = self.bytes.len();
        fill(&mut self.bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        [offset, count]
    }

    /// f32: x, y, z, relative to `origin`.
    pub(super) fn positions(&mut self, points: &[Vec3], origin: Vec3) -> ArrayPlace {
        self.place(3 * points.len(), |bytes| {
            bytes.reserve(12 * points.len());
            for &p in points {
                (p - origin)
                    .to_array()
                    .iter()
                    .for_each(|&x| bytes.extend_from_slice(&(x as f32).to_le_bytes()));
            }
        })
    }

    /// i8: x, y, z times 127, and one that is 0.
    pub(super) fn normals(&mut self, normals: &[Vec3]) -> ArrayPlace {
        self.place(4 * normals.len(), |bytes| {
            bytes.reserve(4 * normals.len());
            for n in normals {
                let [x, y, z] = n.to_array().map(|x| (127.0 * x).round() as i8 as u8);
                bytes.extend_from_slice(&[x, y, z, 0]);
            }
        })
    }

    /// u8: 1 for each that is marked.
    pub(super) fn marks(&mut self, marked: &[bool]) -> ArrayPlace {
        self.place(marked.len(), |bytes| bytes.extend(marked.iter().map(|&one| u8::from(one))))
    }

    /// u32: pixel, start, end, overlap of each.
    pub(super) fn intervals(&mut self, intervals: &[Interval]) -> ArrayPlace {
        self.place(4 * intervals.len(), |bytes| {
            for one in intervals {
                for x in [one.pixel, one.start, one.end, one.overlap] {
                    bytes.extend_from_slice(&x.to_le_bytes());
                }
            }
        })
    }

    /// The same of what two bodies share; their overlap is 1.
    pub(super) fn shared(&mut self, shared: &[Shared]) -> ArrayPlace {
        self.place(4 * shared.len(), |bytes| {
            for one in shared {
                for x in [one.pixel, one.start, one.end, 1] {
                    bytes.extend_from_slice(&x.to_le_bytes());
                }
            }
        })
    }

    /// u32: where each pixel's depths begin, and their end; u32: depth times 2, and 1 more where the ray enters.
    pub(super) fn layers(&mut self, image: &LayeredImage) -> SentLayers {
        let starts = self.place(image.starts.len(), |bytes| {
            image.starts.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
        });
        let depths = self.place(image.fragments.len(), |bytes| {
            bytes.reserve(4 * image.fragments.len());
            for f in &image.fragments {
                bytes.extend_from_slice(&(f.depth() << 1 | u32::from(f.is_front())).to_le_bytes());
            }
        });
        SentLayers { starts, depths }
    }

    /// `FRD1`, the length of the document, the document with blanks up to a multiple of 4, the arrays.
    pub(super) fn finish(self, document: &FrameDocument) -> Vec<u8> {
        let mut text = serde_json::to_string(document).unwrap_or_default();
        while !text.len().is_multiple_of(4) {
            text.push(' ');
        }
        let mut frame = Vec::with_capacity(8 + text.len() + self.bytes.len());
        frame.extend_from_slice(b"FRD1");
        frame.extend_from_slice(&(text.len() as u32).to_le_bytes());
        frame.extend_from_slice(text.as_bytes());
        frame.extend_from_slice(&self.bytes);
        frame
    }
}
