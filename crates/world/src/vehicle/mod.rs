//! Vehicles and small robots: what they are made of, and how they drive, walk and grip.
//!
//! - [`Command`]: what somebody wants one to do
//! - [`expanded`]: a scene with the parts of its vehicles as bodies
//! - [`gripper`]: hands that hold
//! - [`humanoid`]: one that walks
//! - [`model`]: what they are made of, as data
//! - [`steering`]: angles and speeds of wheels that roll
//! - [`Machine`]: one of them in an engine
//!
//! **Frames.** That of a vehicle has x forward, y left, z up, and its origin on the ground below its middle.

mod command;
mod expand;
pub mod gripper;
pub mod humanoid;
mod machine;
pub mod model;
pub mod steering;
mod wheeled;

pub use command::{Command, GripperCommand};
pub use expand::{Expanded, counted, expanded};
pub use machine::{JointInfo, Machine, seat};
