//! Frames on a graphics processor, where there is one: the layers come from it, bit for bit as from this processor.

use super::wanted::DeviceWanted;
use freiraum_deform::gpu::{Found, GpuLayerError, GpuRenderer};
use freiraum_deform::{Grid, LayeredImage, Snapped, Surface, snap};
use freiraum_gpu::{Choice, Gpu, GpuError};
use std::sync::OnceLock;

/// Processors, opened when they are first wanted.
#[derive(Default)]
pub(super) struct Processors {
    real: OnceLock<Result<Gpu, GpuError>>,
    any: OnceLock<Result<Gpu, GpuError>>,
}

impl Processors {
    /// The one that is wanted: a real one, or one in software if it is asked for by name.
    pub(super) fn get(&self, device: DeviceWanted) -> Result<Gpu, GpuError> {
        let (place, choice) = match device {
            DeviceWanted::Gpu => (&self.any, Choice::Auto),
            _ => (&self.real, Choice::Hardware),
        };
        place.get_or_init(|| Gpu::open(choice)).clone()
    }
}

/// Draws layers on one processor.
pub(super) struct Graphics {
    renderer: GpuRenderer,
    /// The mesh whose faces it has.
    mesh: String,
    snapped: Vec<Snapped>,
    found: Found,
}

impl Graphics {
    pub(super) fn new(gpu: &Gpu) -> Result<Graphics, GpuError> {
        let renderer = GpuRenderer::new(gpu)?;
        Ok(Graphics { renderer, mesh: String::new(), snapped: Vec::new(), found: Found::default() })
    }

    pub(super) fn name(&self) -> &str {
        self.renderer.gpu().name()
    }

    /// All layers of a surface.
    pub(super) fn image(
        &mut self,
        mesh: &str,
        surface: Surface,
        grid: &Grid,
    ) -> Result<LayeredImage, GpuLayerError> {
        if self.mesh != mesh {
            self.mesh.clear();
            self.renderer.set_faces(surface.faces)?;
            self.mesh.push_str(mesh);
        }
        snap(grid, surface.vertices, &mut self.snapped)?;
        self.renderer.image(grid, &self.snapped, 2, &mut self.found)
    }
}
