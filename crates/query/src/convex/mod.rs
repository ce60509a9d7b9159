//! Convex bodies: how far apart, whether they touch, how deep they overlap.
//!
//! - [`distance_convex`]: distance and closest points, from scratch or from the last answer ([`ConvexCache`])
//! - [`intersects_convex`]: touching or not, stopping at the first separating plane
//! - [`penetration_convex`]: the exact least translation that separates two overlapping bodies
//! - [`penetration_by_sliding`]: the same by sliding along separating planes; local, for comparison and to refine
//! - [`track_features`]: nearest vertex, edge or face of two polyhedra, walked to from the last ones
//! - [`part_convex`]: the plane between two bodies that parts them most widely, to rounding for cylinders and cones too
//! - [`cast_convex`]: when a moving polyhedron reaches another one, with a plane as proof
//! - [`ConvexBody`]: what they ask of a body; [`ConvexGraph`]: a polyhedron prepared for quick answers
//!
//! Bodies that are not convex are no business of this module; nothing is replaced by its hull.

mod body;
mod cast;
mod directions;
mod features;
mod gjk;
mod graph;
mod hierarchy;
mod lanes;
mod parting;
mod penetration;
mod polytope;
mod regions;
mod simplex;
mod sliding;
mod swept;
mod top;

pub use body::{ConvexBody, NO_VERTEX, Points, Supported, Vertex, convex_body};
pub use cast::{CastContact, CastFeature, ConvexCast, cast_convex};
pub use features::{Feature, FeatureCache, Tracked, track_features};
pub use gjk::{ConvexCache, ConvexDistance, distance_convex, intersects_convex};
pub use graph::{ConvexGraph, SearchCost};
pub use parting::{Local, Parted, part_convex};
pub use penetration::{PenetrationWorkspace, penetration_convex};
pub use sliding::penetration_by_sliding;
pub(crate) use swept::Swept;
