//! Two meshes, one of them translating or rotating: the exact searches through both trees.
//!
//! [`TranslatingPair`] and [`RotatingPair`] hold what a motion needs and answer the same questions: the first contact, and
//! all pairs of faces that ever touch.

mod rotating;
mod translating;

pub use rotating::RotatingPair;
pub use translating::TranslatingPair;

use crate::advance::AdvanceMemory;
use crate::clearance::ClearanceMemory;
use crate::descend::SearchMemory;
use crate::movable::bounds;
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::mesh_tree::MeshTree;

/// The first contact of two surfaces.
///
/// **Frames.** The frame of a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceContact {
    /// When, as a share of the motion in [0, 1].
    pub time: f64,
    /// How much earlier it may be because of rounding.
    pub error: f64,
    /// The faces that meet, of a and of b.
    pub faces: [u32; 2],
    /// The unit direction from a to b in which they were last apart; zero if they met at the start.
    pub normal: Vec3,
    /// False if the search ended so close to a contact that rounding decides: then the surfaces are proven apart before `time`,
    /// and nothing is known after it.
    pub is_proven: bool,
}

/// Two faces and a stretch of time in which they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceContact {
    /// From when to when, as shares of the motion in [0, 1].
    pub time: [f64; 2],
    /// The faces of a and b.
    pub faces: [u32; 2],
}

/// Memory that searches use again, so that they allocate nothing once warm.
#[derive(Debug, Default)]
pub struct MotionWorkspace {
    pub(crate) search: SearchMemory,
    pub(crate) clearance: ClearanceMemory,
    pub(crate) advance: AdvanceMemory,
}

/// The largest coordinate of either body in the frame of a, about.
fn reach(a: &MeshTree, b: &MeshTree, a_from_b: &Pose) -> f64 {
    bounds(a).reach() + 2.0 * bounds(b).reach() + a_from_b.translation().abs().max_element()
}
