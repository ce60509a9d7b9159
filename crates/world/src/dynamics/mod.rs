//! Rigid bodies in time: free flight, contacts with friction and impacts, joints.
//!
//! [`Engine`] holds bodies with shapes; [`Engine::step`] lets time pass. It knows nothing of scenes, robots or sensors.
//!
//! **Determinism.** The same calls give the same state, bit by bit, on every number of threads: see [`Engine::state_hash`].

mod around;
mod body;
mod broad;
mod bytes;
mod change;
mod collider;
mod compose;
mod continuous;
mod engine;
mod event;
mod fault;
mod hash;
mod impact;
mod joint;
mod keep;
mod ledger;
mod narrow;
mod near;
mod pair;
mod phase;
mod push;
mod rotation;
mod settings;
mod sleep;
mod solver;
mod squeeze;
mod state;
mod step;

pub(crate) use bytes::{Bytes, State};
pub(crate) use engine::Free;
pub(crate) use near::{farthest, length};
pub(crate) use push::Pusher;

pub use body::{BodyDescription, BodyError, BodyId, ContactModel, Drag, Kind, Mass};
pub use collider::{ColliderDescription, ColliderId, Filter, Material};
pub use engine::{Engine, Statistics};
pub use event::{ContactPoint, ContactView, Event, EventKind};
pub use fault::Fault;
pub use joint::{Axis, Joint, JointError, JointId, Motor, Range, Spring};
pub use narrow::Clearance;
pub use near::Nearby;
pub use settings::{Rule, Settings};
pub use state::BodyState;
