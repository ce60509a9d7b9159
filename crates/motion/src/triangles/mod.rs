//! Two triangles, one of them moving: when they meet.
//!
//! - [`meet_translating`]: along a straight line, in closed form
//! - [`approach_translating`]: the same for triangles with a radius around them
//! - [`meet_rotating`]: about an axis, from plane to plane
//! - [`spans_rotating`]: all angles at which they are together
//! - [`latest`]: by when they have met for certain

mod latest;
mod rotating;
mod rotating_spans;
mod rounded;
#[cfg(test)]
mod tests;
mod translating;

use freiraum_geometry::Vec3;

pub(crate) use latest::latest;
pub(crate) use rotating::{Turned, Wave, gap_rotating, meet_rotating, turn};
pub(crate) use rotating_spans::spans_rotating;
pub(crate) use rounded::{approach_translating, gap_translating};
pub(crate) use translating::{Meeting, meet_translating};

fn edges(t: &[Vec3; 3]) -> [Vec3; 3] {
    [t[1] - t[0], t[2] - t[1], t[0] - t[2]]
}
