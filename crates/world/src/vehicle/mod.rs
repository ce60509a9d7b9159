//! Vehicles and small robots: what they are made of, and how they drive, walk and grip.
//!
//! - [`Command`]: what somebody wants one to do

mod command;

pub use command::{Command, GripperCommand};
