//! Is it free? Every step of a plan against everything, and the audit of a robot.
//!
//! - [`Timeline`]: the steps of a scene as motions of its bodies, stage after stage
//! - [`check`]: is every step free, and how close does it come? A final, serialisable [`Report`]; [`check_file`]: of a scene file
//! - [`audit`]: which links of a robot can touch each other at all?
//! - [`words`]: the findings as sentences

pub mod audit;
pub mod words;

mod checker;
mod curve;
mod json;
mod planned;
mod poses;
mod program;
mod states;
mod timeline;

pub use checker::*;
pub use curve::{Curve, curves};
pub use json::add_curves;
pub use planned::{PlannedStep, PlannerAnswer};
pub use poses::Poses;
pub use timeline::{
    ActionPart, Course, Grip, GripPhase, LinkCourse, Mover, RobotStage, Stage, Timeline, motion,
};
