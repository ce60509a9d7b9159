//! Opening a processor, and what goes wrong with it.

use crate::Stamps;
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// Which processor to open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// A real one if there is one, else one in software.
    #[default]
    Auto,
    /// A real one or none.
    Hardware,
    /// One in software, such as Mesa's llvmpipe: slow, there on machines without a graphics card, good for tests.
    Software,
}

impl FromStr for Choice {
    type Err = String;

    /// `auto`, `hardware` or `software`.
    fn from_str(text: &str) -> Result<Choice, String> {
        match text {
            "auto" => Ok(Choice::Auto),
            "hardware" => Ok(Choice::Hardware),
            "software" => Ok(Choice::Software),
            _ => Err(format!("`{text}` is no choice of a graphics processor: auto, hardware or software")),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Choice::Auto => "auto",
            Choice::Hardware => "hardware",
            Choice::Software => "software",
        })
    }
}

/// Why something did not happen on a graphics processor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No driver, no permission, or none of the chosen kind.
    #[error("there is no graphics processor of the kind `{0}` here")]
    NoneThere(Choice),
    /// It is there and does not open.
    #[error("the graphics processor {name} does not open: {reason}")]
    DoesNotOpen {
        /// What its driver calls it.
        name: String,
        /// What the driver says.
        reason: String,
    },
    /// The driver reported an error: out of memory, or something that we asked for in a wrong way.
    #[error("the graphics processor reports: {0}")]
    Reported(String),
    /// It went away, was reset or hangs. Everything on it is gone.
    #[error("the graphics processor is lost: {0}")]
    Lost(String),
    /// More than it can hold.
    #[error("{what} needs {needed} bytes, the graphics processor takes {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Its size in bytes.
        needed: u64,
        /// What is possible.
        limit: u64,
    },
}

/// A work that takes longer than this is taken for a hang.
const HANGS_AFTER: Duration = Duration::from_secs(60);

/// An open graphics processor.
///
/// Copies share the processor. **Errors.** Those that have no place to be returned are kept; [`Gpu::check`] has the first.
#[derive(Clone, Debug)]
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    name: String,
    is_software: bool,
    trouble: Arc<Mutex<Option<GpuError>>>,
}

impl Gpu {
    /// Opens one. Of several real ones a card of its own comes before one within the processor; else the order is the driver's.
    ///
    /// **Cost.** Loads drivers: some 10 to 300 ms.
    pub fn open(choice: Choice) -> Result<Gpu, GpuError> {
        let none = || GpuError::NoneThere(choice);
        let backends = wgpu::Instance::enabled_backend_features();
        if backends.is_empty() {
            return Err(none());
        }
        let mut description = wgpu::InstanceDescriptor::new_without_display_handle();
        description.backends = backends;
        // The debug layers of drivers print by themselves.
        description.flags = wgpu::InstanceFlags::empty();
        let instance = wgpu::Instance::new(description);
        let mut adapters = at_once(instance.enumerate_adapters(backends)).ok_or_else(none)?;
        adapters.retain(|a| rank(&a.get_info(), choice).is_some());
        adapters.sort_by_key(|a| rank(&a.get_info(), choice));
        let mut failure = none();
        for adapter in adapters {
            match Gpu::of_adapter(&adapter) {
                Ok(gpu) => return Ok(gpu),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn of_adapter(adapter: &wgpu::Adapter) -> Result<Gpu, GpuError> {
        let info = adapter.get_info();
        let fails = |reason: String| GpuError::DoesNotOpen { name: info.name.clone(), reason };
        let description = wgpu::DeviceDescriptor {
            label: Some("freiraum"),
            required_features: adapter.features() & Stamps::FEATURES,
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        };
        let opened = at_once(adapter.request_device(&description));
        let (device, queue) = opened
            .ok_or_else(|| fails("it does not answer".to_owned()))?
            .map_err(|error| fails(error.to_string()))?;
        let trouble = Arc::new(Mutex::new(None));
        let reported = Arc::clone(&trouble);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            keep(&reported, GpuError::Reported(error.to_string()));
        }));
        let lost = Arc::clone(&trouble);
        device.set_device_lost_callback(move |reason, message| {
            // Told also when the last copy of a processor is dropped; nobody asks then.
            keep(&lost, GpuError::Lost(format!("{reason:?} {message}")));
        });
        let is_software = info.device_type == wgpu::DeviceType::Cpu;
        let name = match info.driver_info.as_str() {
            "" => format!("{} ({:?})", info.name, info.backend),
            driver => format!("{} ({:?}, {driver})", info.name, info.backend),
        };
        Ok(Gpu { device, queue, name, is_software, trouble })
    }

    /// What its driver calls it, with the way that leads to it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True if it is a program on the ordinary processor.
    pub fn is_software(&self) -> bool {
        self.is_software
    }

    /// Makes things on the processor.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Takes work for the processor.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// The first error that was reported since the processor was opened. After one, what it computed is not to be trusted.
    pub fn check(&self) -> Result<(), GpuError> {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.clone().map_or(Ok(()), Err)
    }

    /// Waits until all work that was handed over is done, and [checks](Gpu::check).
    pub fn wait(&self) -> Result<(), GpuError> {
        let waited =
            self.device.poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(HANGS_AFTER) });
        self.check()?;
        waited.map(|_| ()).map_err(|error| self.gives_up(GpuError::Lost(error.to_string())))
    }

    /// The bytes at the start of a buffer with the usage `MAP_READ`, once all work that was handed over is done.
    ///
    /// **Errors.** Whatever the processor reported, before and meanwhile; a size of 0, beyond the buffer or no multiple of 4.
    pub fn read<T>(
        &self,
        buffer: &wgpu::Buffer,
        size: u64,
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, GpuError> {
        self.check()?;
        if size == 0 || size > buffer.size() || !size.is_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT) {
            return Err(GpuError::Reported(format!("{size} of {} bytes cannot be read", buffer.size())));
        }
        let (told, hears) = std::sync::mpsc::channel();
        let slice = buffer.slice(..size);
        slice.map_async(wgpu::MapMode::Read, move |mapped| {
            // Nobody listens after an error: the answer is not missed.
            let _ = told.send(mapped);
        });
        self.wait()?;
        let lost = |error: String| self.gives_up(GpuError::Lost(error));
        match hears.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(lost(error.to_string())),
            Err(_) => return Err(lost("no answer after the work was done".to_owned())),
        }
        let answer = match slice.get_mapped_range() {
            Ok(bytes) => look(&bytes),
            Err(error) => return Err(lost(error.to_string())),
        };
        buffer.unmap();
        Ok(answer)
    }

    fn gives_up(&self, error: GpuError) -> GpuError {
        keep(&self.trouble, error.clone());
        error
    }
}

fn keep(trouble: &Mutex<Option<GpuError>>, error: GpuError) {
    trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
}

/// Small for the one to open first; `None` if it is not of the chosen kind.
fn rank(info: &wgpu::AdapterInfo, choice: Choice) -> Option<u32> {
    let is_software = info.device_type == wgpu::DeviceType::Cpu;
    match choice {
        Choice::Hardware if is_software => return None,
        Choice::Software if !is_software => return None,
        _ => {}
    }
    Some(match info.device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    })
}

/// The answer of a future that has it at once, as all have outside of browsers.
fn at_once<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Some(answer),
        Poll::Pending => None,
    }
}
