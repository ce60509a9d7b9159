//! How the cost of a first contact grows with the number of points: two convex polyhedra, one of them translating.
//!
//! ```console
//! cargo run --release -p freiraum-motion --example convex_contact_time
//! ```
//!
//! Points lie on ellipsoids (all of them are corners), or on the rims of prisms. Bodies are prepared before. Counts are exact and the same on every
//! machine: farthest points asked for, and vertices multiplied with a direction on the way. Times are medians of processor time; what
//! they were is in `docs/performance/motion.md`. Beside them stands the former route, the search through all faces.

use freiraum_geometry::path::{Still, UniformMotion};
use freiraum_geometry::shape::{Convex, Shape, ShapeError};
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::relative::{Relative, RelativeMotion};
use freiraum_motion::sweep::TranslatingPair;
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict, time_of_contact};
use freiraum_query::convex::{ConvexCast, ConvexGraph, SearchCost, cast_convex};
use freiraum_query::mesh_tree::MeshTree;
use freiraum_testkit::points;
use freiraum_testkit::random::Random;
use std::io::Write;
use std::time::Instant;

const MOTIONS: usize = 200;

fn main() {}
