//! When does it touch? The first contact of two moving bodies, or how close they come.
//!
//! - [`approach`]: the clearance of bodies that are meant to touch, outside of contact and approach
//! - [`containment`]: whether bodies whose surfaces never meet may be inside each other
//! - [`fit`]: the same for bodies that are meant to touch or overlap a little
//! - [`relative`]: how one body moves as seen from another
//! - [`time_of_contact`]: when two moving bodies first touch
//! - [`clearance`]: how close they come, and [`distance_curve`] over time
//! - [`overlap_intervals`]: all times at which they touch or overlap, and [`free_between`] them
//! - [`one_to_many`]: one body or group against all others, in parallel
//! - [`swept_aabbs`]: boxes around a body on its way, for broad phases
//! - [`sweep`]: exact contacts of two meshes, one translating or rotating
//! - [`turn`]: full turns and slides without end
//! - [`vertices`]: vertices that move on their own straight lines

pub mod approach;
pub mod containment;
pub mod fit;
pub mod one_to_many;
pub mod relative;
pub mod sweep;
pub mod swept_aabbs;
pub mod turn;
pub mod vertices;

mod advance;
mod cancel;
mod chart;
mod clearance;
mod contact_time;
mod descend;
mod movable;
mod outward;
mod overlaps;
mod sides;
mod triangles;
mod verdict;

pub use cancel::CancelToken;
pub use clearance::{
    Clearance, ClearanceRequest, DistanceCurve, clearance, distance_curve, distance_samples,
};
pub use contact_time::time_of_contact;
pub use movable::Movable;
pub use overlaps::{OverlapInterval, OverlapRequest, contact_until, free_between, overlap_intervals};
pub use sweep::MotionWorkspace;
pub use swept_aabbs::SweptAabbs;
pub use verdict::{Feature, FirstContact, Limits, MotionError, Unbounded, Verdict};
