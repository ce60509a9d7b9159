//! Either renderer.

#[cfg(feature = "gpu")]
use super::GpuRenderer;
use super::{Accuracy, DepthPicture, DepthRenderer, Drawn, Rasteriser, Shot, View};

/// A renderer in software or on a graphics processor. Copies of one on a processor share what they put there.
#[derive(Clone, Debug)]
pub enum Renderer {
    /// The same pictures on every machine.
    Software(Rasteriser),
    /// Fast for many and large pictures.
    #[cfg(feature = "gpu")]
    Gpu(GpuRenderer),
}

/// Where pictures are to be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// On a real graphics processor if there is one, else in software.
    #[default]
    Auto,
    /// In software: the same pictures on every machine.
    Cpu,
    /// On a graphics processor, even if that is itself a program.
    Gpu,
}

impl Renderer {
    /// One on this device; if there is none, one in software and why, in words. No graphics processor is no news with [`Device::Auto`].
    ///
    /// **Cost.** As [`Renderer::auto`].
    pub fn open(device: Device) -> (Renderer, Option<String>) {
        match device {
            Device::Cpu => (Renderer::default(), None),
            Device::Auto => (Renderer::auto(), None),
            #[cfg(feature = "gpu")]
            Device::Gpu => match GpuRenderer::open(freiraum_gpu::Choice::Auto) {
                Ok(renderer) => (Renderer::Gpu(renderer), None),
                Err(error) => (Renderer::default(), Some(error.to_string())),
            },
            #[cfg(not(feature = "gpu"))]
            Device::Gpu => {
                (Renderer::default(), Some("this program was built without graphics processors".to_owned()))
            }
        }
    }

    /// Why a graphics processor does not draw any more, if it does not: then pictures come from software, as exact as before.
    pub fn failure(&self) -> Option<String> {
        match self {
            Renderer::Software(_) => None,
            #[cfg(feature = "gpu")]
            Renderer::Gpu(renderer) => renderer.failure().map(|error| error.to_string()),
        }
    }

    /// One on a real graphics processor if there is one, else in software. Pictures then depend on the machine, within their bound.
    ///
    /// **Cost.** Looks for drivers: up to some 100 ms. Open one and hand out copies.
    pub fn auto() -> Renderer {
        #[cfg(feature = "gpu")]
        if let Ok(renderer) = GpuRenderer::open(freiraum_gpu::Choice::Hardware) {
            return Renderer::Gpu(renderer);
        }
        Renderer::default()
    }

    /// What draws, for people.
    pub fn name(&self) -> &str {
        match self {
            Renderer::Software(_) => "software",
            #[cfg(feature = "gpu")]
            Renderer::Gpu(renderer) => renderer.name(),
        }
    }
}

impl Default for Renderer {
    /// In software.
    fn default() -> Renderer {
        Renderer::Software(Rasteriser::default())
    }
}

impl DepthRenderer for Renderer {
    fn render(&mut self, view: &View, drawn: &[Drawn<'_>], picture: &mut DepthPicture) {
        match self {
            Renderer::Software(renderer) => renderer.render(view, drawn, picture),
            #[cfg(feature = "gpu")]
            Renderer::Gpu(renderer) => renderer.render(view, drawn, picture),
        }
    }

    fn render_all(&mut self, shots: &mut [Shot<'_>]) {
        match self {
            Renderer::Software(renderer) => renderer.render_all(shots),
            #[cfg(feature = "gpu")]
            Renderer::Gpu(renderer) => renderer.render_all(shots),
        }
    }

    fn accuracy(&self) -> Accuracy {
        match self {
            Renderer::Software(renderer) => renderer.accuracy(),
            #[cfg(feature = "gpu")]
            Renderer::Gpu(renderer) => renderer.accuracy(),
        }
    }
}
