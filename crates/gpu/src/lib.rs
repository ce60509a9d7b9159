//! A graphics processor, if there is one: opened, named, with its errors as values.
//!
//! - [`Gpu::open`]: one processor of a [`Choice`]
//! - [`Gpu::check`]: whatever it reported since it was opened; nothing in here panics
//! - [`Growing`]: a buffer that holds as many words as it was last given
//! - [`Gpu::read`]: bytes back to this side
//! - [`Stamps`]: when the processor did what
//!
//! What is computed on it belongs to the crates that compute: they find `wgpu` itself here as [`wgpu`].

mod buffer;
mod device;
mod stamps;

pub use buffer::Growing;
pub use device::{Choice, Gpu, GpuError};
pub use stamps::Stamps;
pub use wgpu;
