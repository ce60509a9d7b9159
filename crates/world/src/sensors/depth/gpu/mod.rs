//! The renderer on a graphics processor.
//!
//! - `depth.wgsl`: what the processor does, and why the accuracy holds on every one
//! - `geometry`: triangles of models, sent once
//! - `place`: where models are in views, for each picture
//! - `pack`: many views in one target
//! - `draw`: hands the work over and reads pictures back

mod draw;
mod geometry;
mod pack;
mod place;

use super::{Accuracy, DepthPicture, DepthRenderer, Drawn, Rasteriser, Shot, View};
use draw::Drawing;
use freiraum_gpu::{Choice, Gpu, GpuError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Half a unit in the last place of f32.
const ROUNDING: f64 = 0.5 * f32::EPSILON as f64;

/// How many of them a coordinate may be off in the end.
const ROUNDINGS: f64 = 48.0;

/// Draws triangles in f32 on a graphics processor. Copies share the processor and the models on it.
///
/// **Never fails.** What is outside of the range of f32 is drawn in software, and so is everything once the processor reported an
/// error: [`GpuRenderer::failure`] has it then. The accuracy holds either way.
#[derive(Clone, Debug)]
pub struct GpuRenderer {
    name: String,
    is_software: bool,
    shared: Arc<Mutex<Shared>>,
    instead: Rasteriser,
}

#[derive(Debug)]
struct Shared {
    drawing: Drawing,
    failure: Option<GpuError>,
}

impl GpuRenderer {
    /// On a processor of some choice.
    pub fn open(choice: Choice) -> Result<GpuRenderer, GpuError> {
        GpuRenderer::new(&Gpu::open(choice)?)
    }

    /// On a processor that is open already.
    ///
    /// **Errors.** One that does not take the program.
    pub fn new(gpu: &Gpu) -> Result<GpuRenderer, GpuError> {
        let shared = Shared { drawing: Drawing::new(gpu)?, failure: None };
        Ok(GpuRenderer {
            name: gpu.name().to_owned(),
            is_software: gpu.is_software(),
            shared: Arc::new(Mutex::new(shared)),
            instead: Rasteriser::default(),
        })
    }

    /// What the processor is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True if the processor is a program itself: then [`Rasteriser`] is faster.
    pub fn is_software(&self) -> bool {
        self.is_software
    }

    /// Why pictures are drawn in software by now, if they are.
    pub fn failure(&self) -> Option<GpuError> {
        self.shared().failure.clone()
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        // Whoever panicked with it left buffers that are overwritten before they are used.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DepthRenderer for GpuRenderer {
    fn render(&mut self, view: &View, drawn: &[Drawn<'_>], picture: &mut DepthPicture) {
        self.render_all(&mut [Shot { view: *view, drawn, picture }]);
    }

    fn render_all(&mut self, shots: &mut [Shot<'_>]) {
        let mut is_drawn = vec![false; shots.len()];
        {
            let mut shared = self.shared();
            if shared.failure.is_none()
                && let Err(error) = shared.drawing.draw(shots, &mut is_drawn)
            {
                // Too much for one buffer is the fault of a scene, not of the processor.
                if !matches!(error, GpuError::TooLarge { .. }) {
                    shared.failure = Some(error);
                }
                is_drawn.fill(false);
            }
        }
        for (shot, _) in shots.iter_mut().zip(&is_drawn).filter(|(_, is_drawn)| !**is_drawn) {
            self.instead.render(&shot.view, shot.drawn, shot.picture);
        }
    }

    /// Coordinates of corners are rounded 5 times, planes and edges 4 times; edges are widened by 16 roundings, and an eye is on a
    /// triangle when it is not farther than 24 from its plane. No coordinate is larger than the distance of a surface and twice the radius of
    /// its part.
    fn accuracy(&self) -> Accuracy {
        Accuracy { of_distance: ROUNDINGS * ROUNDING, of_size: 2.0 * ROUNDINGS * ROUNDING }
    }
}
