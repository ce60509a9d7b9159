//! Hands the work over and reads answers back.

mod run;

use super::buffers::{Buffers, Part};
use super::found::Found;
use super::frame::{Asked, Room};
use super::programs::Programs;
use super::upload::Upload;
use crate::grid::{Grid, LayerError};
use crate::image::{Fragment, LayeredImage};
use crate::snap::Snapped;
use freiraum_geometry::Vec3;
use freiraum_gpu::{Choice, Gpu, GpuError, Stamps};
use run::STAGES;
use std::time::Duration;

/// Faces whose number, times the pixels of a tile, stays within 32 bits.
const MOST_FACES: usize = (1 << 26) - 1;
/// Where the rooms begin that grow with need.
const FIRST_ROOM: u32 = 1 << 10;
/// Fragments of deep tiles at a time, 8 bytes each: a GiB, which most processors have.
const MOST_FRAGMENTS: u32 = 1 << 27;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuLayerError {
    /// The input.
    #[error(transparent)]
    Layers(#[from] LayerError),
    /// The processor.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// Draws layered images on a graphics processor and says what they say.
///
/// Faces are handed over when they change, vertices for every image. Buffers are kept: once they have grown, nothing is made anew.
#[derive(Debug)]
pub struct GpuRenderer {
    gpu: Gpu,
    programs: Programs,
    buffers: Buffers,
    stamps: Option<Stamps>,
    room: Room,
    most_fragments: u32,
    /// How many faces there are, how many vertices they need, and which one needs them all.
    faces: u32,
    vertices: usize,
    last_face: usize,
    upload: Upload,
}

impl GpuRenderer {
    /// On a processor of some choice.
    pub fn open(choice: Choice) -> Result<GpuRenderer, GpuError> {
        GpuRenderer::new(&Gpu::open(choice)?)
    }

    /// On a processor that is open already.
    ///
    /// **Errors.** One that does not take the programs.
    pub fn new(gpu: &Gpu) -> Result<GpuRenderer, GpuError> {
        gpu.check()?;
        let programs = Programs::new(gpu.device());
        gpu.wait()?;
        let mut buffers = Buffers::new();
        buffers.put_faces(gpu, &[])?;
        Ok(GpuRenderer {
            gpu: gpu.clone(),
            programs,
            buffers,
            stamps: Stamps::new(gpu, STAGES.len() as u32 + 1),
            room: Room { entries: FIRST_ROOM, fragments: FIRST_ROOM, faults: FIRST_ROOM },
            most_fragments: MOST_FRAGMENTS,
            faces: 0,
            vertices: 0,
            last_face: 0,
            upload: Upload::default(),
        })
    }

    /// The processor.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// How many fragments are kept at a time, 8 bytes each, where there are more than 24 in a pixel: 2^27 unless told. Images with more are done in
    /// rounds, which take longer; those that are asked for as a whole cannot be. The answer is the same.
    pub fn keep_at_most(&mut self, fragments: u32) {
        self.most_fragments = fragments.max(1);
        self.room.fragments = self.room.fragments.min(self.most_fragments);
    }

    /// The faces of the images to come, as numbers of vertices; none before.
    ///
    /// **Errors.** More than 2^26 - 1 faces, or more than a buffer holds: then there are none.
    pub fn set_faces(&mut self, faces: &[[u32; 3]]) -> Result<(), GpuError> {
        self.gpu.check()?;
        (self.faces, self.vertices) = (0, 0);
        if faces.len() > MOST_FACES {
            let [needed, limit] = [faces.len(), MOST_FACES].map(|n| 12 * n as u64);
            return Err(GpuError::TooLarge { what: "faces", needed, limit });
        }
        self.buffers.put_faces(&self.gpu, faces)?;
        self.faces = faces.len() as u32;
        let last = faces.as_flattened().iter().enumerate().max_by_key(|v| v.1);
        (self.last_face, self.vertices) = last.map_or((0, 0), |(k, &v)| (k / 3, v as usize + 1));
        Ok(())
    }

    /// Where the counter of rays through these vertices on a grid has at least a level, as [`crate::Occupancy::measure`].
    ///
    /// **Guarantee.** The numbers of the renderer in software, to the bit.
    pub fn look(
        &mut self,
        grid: &Grid,
        vertices: &[Snapped],
        level: u32,
        found: &mut Found,
    ) -> Result<(), GpuLayerError> {
        self.put_vertices(vertices)?;
        self.look_again(grid, level, found)
    }

    /// As [`GpuRenderer::look`], with the whole image, for pictures and tests: it is large.
    pub fn image(
        &mut self,
        grid: &Grid,
        vertices: &[Snapped],
        level: u32,
        found: &mut Found,
    ) -> Result<LayeredImage, GpuLayerError> {
        self.put_vertices(vertices)?;
        let (frame, needed) = self.run(grid, Asked::Level(level), true, found)?;
        let count = frame.pixel_count();
        let pixels = self.buffers.read(&self.gpu, Part::Pixels, count, 2 * count)?;
        let words = u32::try_from(2 * needed.fragments).map_err(|_| LayerError::TooManyLayers)?;
        let fragments = self.buffers.read(&self.gpu, Part::Fragments, 0, words)?;
        let mut image = LayeredImage::empty(*grid);
        image.fragments.reserve(words as usize / 2);
        for (pixel, list) in pixels.chunks_exact(2).enumerate() {
            let (start, words) = (2 * list[0] as usize, 2 * list[1] as usize);
            let list = fragments[start..start + words].chunks_exact(2);
            image.fragments.extend(list.map(|f| Fragment::new(f[0], f[1])));
            image.starts[pixel + 1] = image.fragments.len() as u32;
        }
        Ok(image)
    }

    /// How long each pass of the last image took on the processor; empty if it has no clock.
    pub fn stages(&self) -> Result<Vec<(&'static str, Duration)>, GpuError> {
        let Some(stamps) = &self.stamps else { return Ok(Vec::new()) };
        Ok(STAGES.into_iter().zip(stamps.read(&self.gpu)?).collect())
    }

    /// Hands over vertices for [`GpuRenderer::look_again`], snapped on the way.
    pub(super) fn snap(
        &mut self,
        grid: &Grid,
        vertices: &[Vec3],
        threaded: bool,
    ) -> Result<(), GpuLayerError> {
        self.check(vertices.len())?;
        let buffer = self.buffers.vertices(&self.gpu, vertices.len())?;
        Ok(self.upload.snap(&self.gpu, buffer, grid, vertices, threaded)?)
    }

    /// As [`GpuRenderer::look`], with the vertices that are there.
    pub(super) fn look_again(
        &mut self,
        grid: &Grid,
        level: u32,
        found: &mut Found,
    ) -> Result<(), GpuLayerError> {
        self.run(grid, Asked::Level(level), false, found)?;
        Ok(())
    }

    /// What two bodies share on a grid, as [`crate::bodies::Bodies`]: the second has the faces from `second` on, which must be between none and
    /// all. `sums` are of shared parts, faces at their ends are involved, faults are of both.
    pub fn look_at_both(
        &mut self,
        grid: &Grid,
        vertices: &[Snapped],
        second: u32,
        found: &mut Found,
    ) -> Result<(), GpuLayerError> {
        self.put_vertices(vertices)?;
        self.run(grid, Asked::Shared(second), false, found)?;
        Ok(())
    }

    fn put_vertices(&mut self, vertices: &[Snapped]) -> Result<(), GpuLayerError> {
        self.check(vertices.len())?;
        let buffer = self.buffers.vertices(&self.gpu, vertices.len())?;
        self.upload.put(&self.gpu, buffer, vertices);
        Ok(())
    }

    /// Whether the processor is well, and the faces have their vertices.
    fn check(&self, vertices: usize) -> Result<(), GpuLayerError> {
        self.gpu.check()?;
        if vertices < self.vertices {
            return Err(LayerError::NoSuchVertex(self.last_face).into());
        }
        Ok(())
    }
}
