//! One surface, frame after frame, on a graphics processor: as [`crate::Layers`].

use super::found::Found;
use super::renderer::{GpuLayerError, GpuRenderer};
use crate::grid::{Grid, LayerError};
use crate::layers::{Answer, Surface, View};
use freiraum_geometry::{Aabb, Vec3};
use freiraum_gpu::{Choice, Gpu, GpuError};
use rayon::prelude::*;
use std::time::Instant;

/// Vertices that one thread takes at a time.
pub(super) const SHARE: usize = 1 << 13;
/// Up to so many, one thread is done before the others are awake.
const ALONE: usize = 2 * SHARE;

/// Milliseconds of each stage, on this side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GpuMilliseconds {
    /// The box of the vertices.
    pub bounds: f64,
    /// Vertices in whole numbers, and handing them over.
    pub upload: f64,
    /// From then on until the answer is here.
    pub answer: f64,
}

impl GpuMilliseconds {
    /// All stages.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.bounds + self.upload + self.answer
    }
}

/// Looks at one surface, frame after frame, with a graphics processor. The answers are those of [`crate::Layers`], to the bit.
#[derive(Debug)]
pub struct GpuLayers {
    renderer: GpuRenderer,
    /// What the last frame has shown.
    pub found: Found,
    /// How long it took.
    pub milliseconds: GpuMilliseconds,
}

impl GpuLayers {
    /// On a processor of some choice.
    pub fn open(choice: Choice) -> Result<GpuLayers, GpuError> {
        GpuLayers::new(&Gpu::open(choice)?)
    }

    /// On a processor that is open already.
    ///
    /// **Errors.** One that does not take the programs.
    pub fn new(gpu: &Gpu) -> Result<GpuLayers, GpuError> {
        let renderer = GpuRenderer::new(gpu)?;
        Ok(GpuLayers { renderer, found: Found::default(), milliseconds: GpuMilliseconds::default() })
    }

    /// What draws: for images.
    pub fn renderer(&mut self) -> &mut GpuRenderer {
        &mut self.renderer
    }

    /// The faces of the frames to come: [`GpuRenderer::set_faces`].
    pub fn set_faces(&mut self, faces: &[[u32; 3]]) -> Result<(), GpuError> {
        self.renderer.set_faces(faces)
    }

    /// Where and how much a surface of the faces that were set overlaps itself.
    ///
    /// **Errors.** Of the processor: more than it holds, or whatever it reported; it is not to be trusted any more then.
    pub fn self_collision(&mut self, vertices: &[Vec3], view: &View) -> Result<Answer, GpuLayerError> {
        let start = Instant::now();
        let grid = view.grid(&bounds(vertices, view.threaded)?)?;
        self.milliseconds.bounds = milliseconds_since(start);
        self.look(vertices, &grid, 2, view.threaded)?;
        self.found.confirm();
        Ok(Answer {
            self_collision: self.found.sums.intervals > 0,
            volume: self.found.sums.volume(&grid),
            max_overlap: if self.found.is_confirmed { self.found.largest } else { self.found.largest.min(1) },
            layers_max: self.found.layers_max,
            faults: self.found.faults.len(),
        })
    }

    /// Finds where the counter has at least this level on a grid, in whose reach all vertices must be.
    pub fn look(
        &mut self,
        vertices: &[Vec3],
        grid: &Grid,
        level: u32,
        threaded: bool,
    ) -> Result<(), GpuLayerError> {
        let start = Instant::now();
        self.renderer.snap(grid, vertices, threaded && vertices.len() > ALONE)?;
        self.milliseconds.upload = milliseconds_since(start);
        self.renderer.look_again(grid, level, &mut self.found)?;
        self.milliseconds.answer = milliseconds_since(start) - self.milliseconds.upload;
        Ok(())
    }
}

/// As [`Surface::bounds`], by all threads.
fn bounds(vertices: &[Vec3], threaded: bool) -> Result<Aabb, LayerError> {
    let of = |vertices| Surface { vertices, faces: &[] }.bounds();
    if !threaded || vertices.len() <= ALONE {
        return of(vertices);
    }
    let all: Result<Vec<Aabb>, LayerError> = vertices.par_chunks(SHARE).map(of).collect();
    match all {
        Ok(boxes) => Ok(boxes.iter().skip(1).fold(boxes[0], |sum, b| sum.union(b))),
        // It says which one.
        Err(_) => of(vertices),
    }
}

fn milliseconds_since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
