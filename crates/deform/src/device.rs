//! Who draws: this processor, or a graphics processor where there is one. The answers are the same, to the bit.

#[cfg(feature = "gpu")]
use freiraum_gpu::{Choice, Gpu, GpuError};
#[cfg(feature = "gpu")]
use std::sync::OnceLock;

/// Who shall draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// A real graphics processor if there is one, else this processor.
    #[default]
    Auto,
    /// This processor.
    Cpu,
    /// A graphics processor, one in software if there is no real one; this processor, with a note, if there is none at all.
    Gpu,
}

/// Graphics processors, opened when they are first wanted, and kept. Whoever shares them opens each once.
#[derive(Debug, Default)]
pub struct Processors {
    #[cfg(feature = "gpu")]
    real: OnceLock<Result<Gpu, GpuError>>,
    #[cfg(feature = "gpu")]
    any: OnceLock<Result<Gpu, GpuError>>,
}

#[cfg(feature = "gpu")]
impl Processors {
    /// The one that is wanted; `None` is this processor.
    ///
    /// **Errors.** There is none of the kind, or it does not open.
    pub fn get(&self, device: Device) -> Result<Option<Gpu>, GpuError> {
        let (place, choice) = match device {
            Device::Cpu => return Ok(None),
            Device::Gpu => (&self.any, Choice::Auto),
            Device::Auto => (&self.real, Choice::Hardware),
        };
        place.get_or_init(|| Gpu::open(choice)).clone().map(Some)
    }
}

/// What people are told if this processor does the work of another one.
pub(crate) fn note(reason: impl std::fmt::Display) -> String {
    format!("{reason}: the processor does it")
}
