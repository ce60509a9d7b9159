//! The document at the head of a frame, and what a page is told of a mesh. Metres.

use serde::Serialize;

/// Where an array begins, in bytes from the first array on, and how many numbers it has.
pub(crate) type ArrayPlace = [usize; 2];

/// What a mesh is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MeshFacts {
    /// Names the content, or the shape and its fineness.
    pub(crate) mesh: String,
    pub(crate) name: String,
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
    pub(crate) size: [f64; 3],
    pub(crate) open_edges: usize,
    /// The faces bound solids as they are written.
    pub(crate) closed: bool,
}

/// What is in a frame.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct FrameDocument<'f> {
    pub(crate) bodies: Vec<SentBody>,
    /// Of all whose boxes overlap.
    pub(crate) pairs: Vec<SentPair>,
    /// Who rendered.
    pub(crate) device: &'f str,
    /// Why not who was asked.
    pub(crate) note: Option<&'f str>,
    pub(crate) milliseconds: Milliseconds,
}

/// How long the stages took.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Milliseconds {
    pub(crate) deform: f64,
    pub(crate) snap: f64,
    pub(crate) render: f64,
    pub(crate) sort: f64,
    pub(crate) occupancy: f64,
    pub(crate) pairs: f64,
}

/// A body as it is in a frame.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SentBody {
    pub(crate) mesh: String,
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
    /// What `positions` are relative to.
    pub(crate) origin: [f64; 3],
    #[serde(rename = "box")]
    pub(crate) bounds: [[f64; 3]; 2],
    pub(crate) self_collision: bool,
    /// Null where the surface is not sound.
    pub(crate) volume: Option<f64>,
    pub(crate) volume_error: Option<f64>,
    pub(crate) max_overlap: u32,
    pub(crate) layers_max: u32,
    pub(crate) depths: usize,
    /// How many are involved.
    pub(crate) faces: usize,
    pub(crate) sound: bool,
    /// The faces bound solids as they are written.
    pub(crate) closed: bool,
    pub(crate) open_edges: usize,
    pub(crate) faults: usize,
    /// Some of them.
    pub(crate) fault_places: Vec<[f64; 3]>,
    pub(crate) grid: LayerGrid,
    pub(crate) positions: ArrayPlace,
    pub(crate) normals: ArrayPlace,
    pub(crate) marks: ArrayPlace,
    pub(crate) intervals: ArrayPlace,
    pub(crate) layers: Option<SentLayers>,
}

/// All layers of a body.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SentLayers {
    /// Where the depths of each pixel begin, and their end.
    pub(crate) starts: ArrayPlace,
    /// Depth times 2, and 1 more where the ray enters.
    pub(crate) depths: ArrayPlace,
}

/// What two bodies share.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SentPair {
    pub(crate) bodies: [usize; 2],
    pub(crate) volume: Option<f64>,
    pub(crate) volume_error: Option<f64>,
    pub(crate) grid: LayerGrid,
    pub(crate) intervals: ArrayPlace,
}

/// Rays through the middles of pixels; (u, v, axis) is right-handed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LayerGrid {
    #[cfg_attr(test, ts(type = "0 | 1 | 2"))]
    pub(crate) axis: usize,
    /// Of u, v and depth.
    pub(crate) origin: [f64; 3],
    pub(crate) size: [u32; 2],
    pub(crate) pixel: [f64; 2],
    /// Metres per step of depth.
    pub(crate) step: f64,
}
