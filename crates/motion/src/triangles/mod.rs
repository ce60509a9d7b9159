//! Two triangles, one of them moving: when they meet.
//!
//! - [`meet_translating`]: along a straight line, in closed form
//! - [`meet_rotating`]: about an axis, from plane to plane

mod rotating;
mod translating;

use freiraum_geometry::Vec3;

pub(crate) use rotating::{Turned, meet_rotating};
pub(crate) use translating::meet_translating;

fn edges(t: &[Vec3; 3]) -> [Vec3; 3] {
    [t[1] - t[0], t[2] - t[1], t[0] - t[2]]
}
