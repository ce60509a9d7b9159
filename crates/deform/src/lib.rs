//! Does it run into itself? Surfaces that change every frame, seen along an axis in all their layers.
//!
//! - [`deformation`], [`shapes`], [`soft`]: surfaces to look at, and how they change
//!
//! **Units.** Metres. **Frames.** Vertices are in one common frame; normals point outwards.

pub mod bodies;
pub mod cpu;
pub mod deformation;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod grid;
pub mod image;
pub mod occupancy;
pub mod response;
pub mod shapes;
pub mod snap;
pub mod soft;
pub mod thin;
pub mod triangle;
pub mod volume;

pub use grid::{Axis, Grid, LayerError};
pub use image::{Fragment, LayeredImage};
pub use snap::{Snapped, snap};
pub use triangle::Triangle;
