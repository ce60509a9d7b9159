//! Can it be built? Plans carried out, checked, found, reported and drawn.
//!
//! - [`Parts`]: the shapes of the bodies of a scene, read when they are needed and shared
//! - [`Timeline`]: the steps of a scene as motions of its bodies, stage after stage
//! - [`check`]: is every step free, and how close does it come?
//! - [`path`]: finding a way
//! - [`draw`]: technical drawings
//! - [`disassemble`]: an order in which everything can be taken apart, and put together again
//! - [`words`]: what was found, in sentences
//! - [`picture`]: shaded pictures
//! - [`report`]: all of it in a page for people, a file for programs and an animation
//! - [`demo`]: scenes to start with

pub mod check;
pub mod demo;
pub mod disassemble;
pub mod draw;
pub mod path;
pub mod picture;
pub mod report;
pub mod words;

mod parts;
mod poses;
mod program;
mod stamp;
mod states;
mod timeline;

pub use parts::{Digest, PartError, Parts};
pub use poses::Poses;
pub use program::far_grasps;
pub use timeline::{ActionPart, Course, Grip, GripPhase, LinkCourse, Mover, RobotStage, Stage, Timeline};
