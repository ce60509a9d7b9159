//! The triangles of models on the processor, put there once.

use super::super::Model;
use super::super::model::{ModelPart, Triangles};
use freiraum_geometry::Vec3;
use freiraum_geometry::math::unit;
use freiraum_gpu::{Gpu, GpuError, Growing, wgpu};
use std::collections::HashMap;
use std::sync::Arc;

/// Where the triangles of a part are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) first: u32,
    pub(super) count: u32,
}

/// All models that were drawn so far, as words for the processor and on it.
#[derive(Debug)]
pub(super) struct Geometry {
    corners: Growing,
    triangles: Growing,
    /// What the buffers hold, or will hold after the next [`Geometry::flush`].
    corner_words: Vec<u32>,
    triangle_words: Vec<u32>,
    is_sent: bool,
    /// In the order that they came in. They are kept alive, so that none has the address of another.
    known: Vec<Known>,
    by_address: HashMap<usize, usize>,
}

#[derive(Debug)]
struct Known {
    parts: Arc<[ModelPart]>,
    ranges: Vec<Range>,
}

const CORNER_WORDS: usize = 4;
const TRIANGLE_WORDS: usize = 8;

/// Models that nobody else has any more are dropped when there is more than this of everything.
const TIDY_FROM_WORDS: usize = 1 << 22;

impl Geometry {
    pub(super) fn new() -> Geometry {
        let storage = wgpu::BufferUsages::STORAGE;
        Geometry {
            corners: Growing::new("corners of models", storage),
            triangles: Growing::new("triangles of models", storage),
            corner_words: Vec::new(),
            triangle_words: Vec::new(),
            is_sent: false,
            known: Vec::new(),
            by_address: HashMap::new(),
        }
    }

    /// Makes sure that a model is known.
    pub(super) fn learn(&mut self, model: &Model) -> Result<(), GpuError> {
        if self.by_address.contains_key(&address(&model.parts)) {
            return Ok(());
        }
        if self.triangle_words.len() + self.corner_words.len() > TIDY_FROM_WORDS {
            self.forget_unused()?;
        }
        self.add(Arc::clone(&model.parts))
    }

    /// The triangles of the parts of a model, if it is known.
    pub(super) fn ranges(&self, model: &Model) -> Option<&[Range]> {
        let known = self.by_address.get(&address(&model.parts))?;
        Some(&self.known[*known].ranges)
    }

    fn forget_unused(&mut self) -> Result<(), GpuError> {
        let (used, unused): (Vec<Known>, Vec<Known>) =
            std::mem::take(&mut self.known).into_iter().partition(|k| Arc::strong_count(&k.parts) > 1);
        if unused.is_empty() {
            self.known = used;
            return Ok(());
        }
        self.by_address.clear();
        self.corner_words.clear();
        self.triangle_words.clear();
        used.into_iter().try_for_each(|known| self.add(known.parts))
    }

    fn add(&mut self, parts: Arc<[ModelPart]>) -> Result<(), GpuError> {
        let too_large = |needed: usize| GpuError::TooLarge {
            what: "the triangles of models",
            needed: needed as u64,
            limit: u64::from(u32::MAX),
        };
        let words = |p: &ModelPart| {
            p.triangles.as_ref().map_or(0, |t| t.mesh.vertices().len() + 2 * t.mesh.faces().len())
        };
        let needed = self.corner_words.len()
            + self.triangle_words.len()
            + CORNER_WORDS * parts.iter().map(words).sum::<usize>();
        if needed > u32::MAX as usize {
            return Err(too_large(needed));
        }
        let ranges = parts.iter().map(|part| match &part.triangles {
            Some(triangles) => self.add_triangles(triangles),
            None => Range { first: 0, count: 1 },
        });
        let ranges = ranges.collect();
        self.by_address.insert(address(&parts), self.known.len());
        self.known.push(Known { parts, ranges });
        self.is_sent = false;
        Ok(())
    }

    /// Corners are counted from the middle of their part: there f32 is finest.
    fn add_triangles(&mut self, triangles: &Triangles) -> Range {
        let first_corner = (self.corner_words.len() / CORNER_WORDS) as u32;
        let first = (self.triangle_words.len() / TRIANGLE_WORDS) as u32;
        let vertices = triangles.mesh.vertices();
        for vertex in vertices {
            let at = *vertex - triangles.center;
            self.corner_words.extend([at.x, at.y, at.z, 1.0].map(|x| (x as f32).to_bits()));
        }
        for face in triangles.mesh.faces() {
            let [a, b, c] = face.map(|i| vertices[i as usize]);
            let normal = unit((b - a).cross(c - a)).unwrap_or(Vec3::ZERO);
            let offset = normal.dot(a - triangles.center);
            self.triangle_words.extend(face.map(|i| first_corner + i));
            self.triangle_words.push(0);
            let plane = [normal.x, normal.y, normal.z, offset];
            self.triangle_words.extend(plane.map(|x| (x as f32).to_bits()));
        }
        Range { first, count: triangles.mesh.faces().len() as u32 }
    }

    /// Sends what is new; true if buffers are new.
    pub(super) fn flush(&mut self, gpu: &Gpu) -> Result<bool, GpuError> {
        if self.is_sent {
            return Ok(false);
        }
        let corners = self.corners.put(gpu, &self.corner_words)?;
        let triangles = self.triangles.put(gpu, &self.triangle_words)?;
        self.is_sent = true;
        Ok(corners || triangles)
    }

    /// The buffers of triangles and of corners.
    pub(super) fn buffers(&self) -> Option<[&wgpu::Buffer; 2]> {
        Some([self.triangles.buffer()?, self.corners.buffer()?])
    }
}

fn address(parts: &Arc<[ModelPart]>) -> usize {
    // The address of what `known` keeps alive: no two models share one. Models without parts have nothing to tell apart.
    Arc::as_ptr(parts).cast::<ModelPart>() as usize
}
