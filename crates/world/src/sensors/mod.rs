//! What do sensors measure? Functions of placed bodies; no time, no simulation.
//!
//! - [`Surroundings`], [`Mask`]: what is there, and what of it a sensor sees
//! - [`BeamSet`], [`scan_rays`]: laser scanner by rays
//! - [`depth`]: depth pictures of tessellated bodies, and the laser scanner that reads them
//! - [`infrared`], [`is_broken`] (light barrier), [`ultrasonic`], [`bumper`]
//! - [`Camera`]: pictures in colour, with depth
//! - [`odometry`]: where wheels say that a vehicle went
//! - [`noise`]: errors that follow from seeds
//!
//! **Frames.** In the frame of a sensor x looks forward, y left, z up. **No return** is infinity. Nothing is ever averaged:
//! a distance is that of one surface. A sensor inside of a solid measures 0. **Same every time.** Nothing depends on
//! threads, clocks or the order of calls.

mod beams;
mod bumper;
mod camera;
mod cone;
pub mod depth;
mod laser;
pub mod noise;
pub mod odometry;
mod surroundings;

pub use beams::{Beam, BeamError, BeamSet, LaserRow};
pub use bumper::{Touch, bumper};
pub use camera::{Camera, Light, Picture};
pub use cone::{ConeError, Echo, ultrasonic};
pub(crate) use laser::scan_ranges;
pub use laser::{Scan, infrared, is_broken, scan_rays};
pub use surroundings::{Mask, Surroundings, Thing};
