//! Where is it? Questions about two placed shapes, and about sets of many.
//!
//! - [`elementary`]: closest points of points, lines, segments, triangles, rectangles, boxes, arcs
//! - [`convex`]: distance and depth of convex bodies, from scratch or from the last answer
//! - [`mesh_tree`]: the tuned bounding tree of a mesh and what it answers
//! - [`tree`]: bounding trees with exchangeable volumes, builders and descent rules
//! - [`mod@intersect`], [`mod@distance`], [`mod@contact`], [`ray`]: one folder per question, every pair of shapes
//! - [`broad_phase`]: which of many boxes overlap
//! - [`Piece`]: points, segments, lines, rays, triangles, rectangles and arcs, and how far they are from shapes
//! - [`set`]: many objects at once
//!
//! **Frames.** Pair functions take `(a, b, a_from_b)` and answer in the frame of a. **Convention.** The normal is a unit
//! vector from a towards b; distances are signed, negative in overlap; `point_on_b = point_on_a + distance * normal`.
//! Touching counts as intersecting.

pub mod broad_phase;
pub mod contact;
pub mod convex;
pub mod distance;
pub mod elementary;
pub mod intersect;
pub mod mesh_tree;
pub mod ray;
pub mod set;
pub mod tree;

mod answer;
mod below;
mod dispatch;
mod piece;
mod prepared;
mod surface;
mod track;
mod workspace;

pub use answer::{Closest, QueryError, Unsupported};
pub use contact::contact;
pub use distance::distance;
pub use intersect::{intersect, intersects};
pub use piece::{Piece, PieceDistance, distance_of_piece, distance_of_pieces};
pub use prepared::{OpenPlace, Prepared, SolidityNote};
pub use track::{PairCache, TrackedDistance, distance_tracked};
