//! What happens? Bodies under gravity, in contact, in time.
//!
//! - [`control`]: who drives
//! - [`Simulation`]: a scene that lives in time; saved and resumed bit for bit
//! - [`event`]: what happens in it
//! - [`record`]: where everything was, as a file
//! - [`rigid`]: the engine of rigid bodies: free flight, contacts with friction and impacts, joints, continuous contact
//! - [`sensor`]: laser scanners, cameras, ultrasonic and other sensors of placed bodies; odometry; noise
//! - [`vehicle`]: vehicles and small robots
//!
//! **Units.** Metres, radians, kilograms, seconds. **Frames.** Right-handed, z up; velocities and forces are in the frame of
//! the world unless said otherwise.

pub mod control;
pub mod event;
pub mod record;
pub mod rigid;
pub mod sensor;
mod simulation;
pub mod vehicle;

pub use simulation::{Contact, Failure, Measured, NoSolid, Reading, ResumeError, Simulation, Totals};
