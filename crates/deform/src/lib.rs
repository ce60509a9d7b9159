//! Does it run into itself? Surfaces that change every frame, seen along an axis in all their layers.
//!
//! - [`Layers`]: one surface, frame after frame: its image, where it overlaps itself, how much
//! - [`grid`], [`mod@snap`], [`triangle`]: what is seen where, in whole numbers; the same for every renderer
//! - [`image`]: all layers, pixel by pixel; [`cpu`] draws them in software
//! - [`occupancy`], [`volume`]: what the layers say
//! - [`bodies`]: several bodies, pair by pair
//! - [`response`]: how deep, which way out, and forces
//! - [`thin`]: three views together, and what they cannot miss
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
pub mod layers;
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
pub use layers::{Answer, Layers, Surface, View};
pub use occupancy::{Fault, FaultKind, Interval, Occupancy};
pub use snap::{Snapped, snap};
pub use triangle::Triangle;
pub use volume::{Sums, Volume};
