//! How the links move when the joints do: motions with proven bounds, for every question about contact times and clearances.
//!
//! Whatever a robot is told to do becomes a [`JointPath`]: joint values that change linearly from knot to knot. The [`LinkMotion`] of each link is a
//! [`Motion`](freiraum_geometry::path::Motion) whose bounds of travel follow from the joints alone. Where a single joint of the chain moves, it is a rotation or a
//! translation, and is answered exactly.

mod bound;
mod joint_path;
mod knots;
mod line;
mod link_motion;
mod point_to_point;
mod profile;
#[cfg(test)]
mod tests;

pub use bound::derivative_bound;
pub use joint_path::{JointPath, JointPathError};
pub use line::{Deviation, Line, LineError, LineTrouble, line};
pub use link_motion::LinkMotion;
pub use point_to_point::{
    JOINT_SLIDE_SPEED, JOINT_TURN_SPEED, Mode, SHORTEST_SECONDS, SHORTEST_SHARE, Timed, point_to_point,
};
pub use profile::{Law, Profile, RAMP_SECONDS, full_acceleration, paced, paced_point_to_point};
