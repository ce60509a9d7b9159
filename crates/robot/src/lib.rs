//! How can it move? Robots as trees of links and joints.
//!
//! A [`Robot`] is links and the joints that carry them, from a table ([`dh`]) or from a file (`formats::robot`). Joint values are one number per
//! *freedom*: a joint that can move and does not follow another one. [`Robot::place`] says where they put the links, [`inverse()`] which of them put a tool somewhere,
//! [`workspace()`] where it can get at all.
//!
//! **Units.** Metres and radians; joint values are radians for joints that turn and metres for joints that slide. **Frames.** The frame of a
//! link is that of the joint that carries it; the base is the frame of the root link.

mod chain;
pub mod dh;
mod forward;
pub mod inverse;
mod model;
pub mod trajectory;
mod workspace;

pub use chain::{Chain, ChainJoint};
pub use forward::{Jacobian, Placement};
pub use inverse::inverse;
pub use model::{Joint, JointKind, Limits, Link, LinkShape, Mimic, Robot, RobotError};
pub use workspace::{Workspace, WorkspaceOptions, workspace};
