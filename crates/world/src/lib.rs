//! What happens? Bodies under gravity, in contact, in time.
//!
//! - [`Simulation`]: a scene that lives in time; saved and resumed bit for bit
//! - [`event`]: what happens in it
//! - [`record`]: where everything was, as a file
//! - [`rigid`]: the engine of rigid bodies: free flight, contacts with friction and impacts, joints, continuous contact
//!
//! **Units.** Metres, radians, kilograms, seconds. **Frames.** Right-handed, z up; velocities and forces are in the frame of
//! the world unless said otherwise.

pub mod event;
pub mod record;
pub mod rigid;
mod simulation;

pub use simulation::{Actor, ResumeError, Simulation, Totals};
