//! Does it run into itself? Surfaces that change every frame, seen along an axis in all their layers.
//!
//! - [`Layers`]: one surface, frame after frame: its image, where it overlaps itself, how much
//! - [`grid`], [`mod@snap`], [`triangle`]: what is seen where, in whole numbers; the same for every renderer
//! - [`image`]: all layers, pixel by pixel; [`cpu`] draws them in software
//! - [`occupancy`], [`mod@confirm`], [`volume`]: what the layers say
//! - [`bodies`]: several bodies, pair by pair
//! - [`response`]: how deep, which way out, and forces
//! - [`mod@examine`]: one decision about several bodies: verdict, volumes, and what is certain
//! - [`looker`]: from one side or three, on any [`device`]; [`thin`]: what is not missed
//! - [`deformation`], [`shapes`], [`soft`]: surfaces to look at, and how they change
//!
//! **Units.** Metres. **Frames.** Vertices are in one common frame; normals point outwards.

pub mod bodies;
pub mod confirm;
pub mod cpu;
pub mod deformation;
pub mod device;
pub mod examine;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod grid;
pub mod image;
pub mod layers;
pub mod looker;
pub mod occupancy;
pub mod response;
pub mod shapes;
pub mod snap;
pub mod soft;
pub mod thin;
pub mod triangle;
pub mod volume;

pub use examine::{Examination, ExamineError, Findings, Subject, Verdict, examine};
pub use grid::{Axis, Grid, LayerError};
pub use image::{Fragment, LayeredImage};
pub use layers::{Answer, Layers, Surface, View};
pub use occupancy::{Fault, FaultKind, Interval, Occupancy};
pub use snap::{Snapped, snap};
pub use triangle::Triangle;
pub use volume::{Sums, Volume};
