//! What happens? Bodies under gravity, in contact, in time.
//!
//! - [`control`]: who drives
//! - [`Simulation`]: a scene that lives in time; saved and resumed bit for bit
//! - [`write_content`]: what a scene consists of, as bytes: for keys and hashes
//! - [`event`]: what happens in it
//! - [`record`]: where everything was, as a file
//! - [`dynamics`]: the engine of rigid bodies: free flight, contacts with friction and impacts, joints, continuous contact
//! - [`sensors`]: laser scanners, cameras, ultrasonic and other sensors of placed bodies; odometry; noise
//! - [`vehicle`]: vehicles and small robots
//!
//! **Units.** Metres, radians, kilograms, seconds. **Frames.** Right-handed, z up; velocities and forces are in the frame of
//! the world unless said otherwise.
//!
//! **Order of the modules.** Each uses only modules to its left: `dynamics`, `sensors`, `event`, `reading`, `vehicle`,
//! `control`, `simulation`, `record`. `dynamics` and `sensors` do not use each other, nor anything else of this crate.
//! `cargo xtask tidy` checks it.

pub mod control;
pub mod dynamics;
pub mod event;
mod reading;
pub mod record;
pub mod sensors;
mod simulation;
pub mod vehicle;

pub use reading::{Measured, Reading};
pub use simulation::{
    CONTENT_VERSION, Contact, Failure, NoSolid, ResumeError, Simulation, Totals, WriteShape, write_content,
};
