//! Depth pictures of tessellated bodies, and laser scanners that read them.
//!
//! - [`Models`]: the triangles of the things that are there
//! - [`View`], [`DepthPicture`]: the question and the answer of a [`DepthRenderer`]
//! - [`Rasteriser`]: the renderer in software; `GpuRenderer` (feature `gpu`) that on a graphics processor
//! - [`Renderer`]: either of them
//! - [`DepthScanner`]: a laser scanner that reads its beams off pictures, with a [`Bound`] on what that is off

#[cfg(feature = "gpu")]
mod gpu;
mod model;
mod raster;
mod renderer;
mod scanner;

#[cfg(feature = "gpu")]
pub use gpu::GpuRenderer;
pub use model::{Model, Models};
pub use raster::Rasteriser;
pub use renderer::{Device, Renderer};
pub(in crate::sensors) use scanner::drawn;
pub use scanner::{Bound, DepthScanner};

use freiraum_geometry::{Pose, Vec3};

/// A perspective view. **Frames.** In the frame of the eye x looks forward, y left, z up; the picture is the plane x = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where the eye is.
    pub world_from_eye: Pose,
    /// Columns and rows.
    pub size: [u32; 2],
    /// y and z of the centre of the first pixel, top left.
    pub first: [f64; 2],
    /// How far the next column is to the right and the next row below.
    pub pitch: [f64; 2],
    /// Surfaces nearer than this, along x, are not drawn; may be 0.
    pub near: f64,
    /// Surfaces farther than this, along x, are not drawn; may be infinite.
    pub far: f64,
}

impl View {
    /// y of the pixels of a column.
    #[inline]
    pub fn y(&self, column: u32) -> f64 {
        self.first[0] - f64::from(column) * self.pitch[0]
    }

    /// z of the pixels of a row.
    #[inline]
    pub fn z(&self, row: u32) -> f64 {
        self.first[1] - f64::from(row) * self.pitch[1]
    }

    /// Where the centre of a pixel is on the plane x = 1, in the frame of the eye.
    pub fn pixel(&self, column: u32, row: u32) -> Vec3 {
        Vec3::new(1.0, self.y(column), self.z(row))
    }
}

/// What a [`View`] shows, row after row from the top, each from left to right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DepthPicture {
    /// Distance along x of the first surface through the centre of each pixel; infinity where there is none.
    pub depth: Vec<f32>,
    /// The `mark` of what is there; [`NOTHING`] where there is none.
    pub marks: Vec<u32>,
    /// Unit normals towards the eye, in the frame of the world; empty unless `wants_normals`.
    pub normals: Vec<[f32; 3]>,
    /// Set to get normals.
    pub wants_normals: bool,
}

/// The mark of a pixel that shows nothing.
pub const NOTHING: u32 = u32::MAX;

impl DepthPicture {
    /// Nothing anywhere.
    pub fn clear(&mut self, size: [u32; 2]) {
        let count = size[0] as usize * size[1] as usize;
        self.depth.clear();
        self.depth.resize(count, f32::INFINITY);
        self.marks.clear();
        self.marks.resize(count, NOTHING);
        self.normals.clear();
        if self.wants_normals {
            self.normals.resize(count, [0.0; 3]);
        }
    }
}

/// A model in its place, with a number that stands for it in the picture.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'m> {
    /// What it looks like.
    pub model: &'m Model,
    /// Where it is.
    pub world_from_thing: Pose,
    /// What the picture calls it; not [`NOTHING`].
    pub mark: u32,
}

/// One picture to make.
#[derive(Debug)]
pub struct Shot<'s> {
    /// What to look at.
    pub view: View,
    /// What is there.
    pub drawn: &'s [Drawn<'s>],
    /// What is seen; overwritten.
    pub picture: &'s mut DepthPicture,
}

/// What the pictures of a renderer may be off: surfaces seem to be moved by a share of their distance from the eye, and by a share of the
/// radius of the part that they belong to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The share of the distance.
    pub of_distance: f64,
    /// The share of the radius, see [`Models::largest_radius`].
    pub of_size: f64,
}

/// Makes depth pictures.
///
/// **Guarantee** of every implementation. Each pixel shows what the line through its centre would meet if every triangle were moved by no
/// more than [`DepthRenderer::accuracy`] says, each point of it by itself: the depth is that of a point of a triangle, never one between
/// two surfaces, and no triangle crosses the line nearer. Lines do not slip through between triangles that share an edge. Solids are
/// drawn as seen from outside. The same call on the same machine has the same answer.
pub trait DepthRenderer {
    /// Draws what a view shows of some models.
    fn render(&mut self, view: &View, drawn: &[Drawn<'_>], picture: &mut DepthPicture);

    /// Draws several pictures; some renderers are faster when they know of all of them.
    fn render_all(&mut self, shots: &mut [Shot<'_>]) {
        for shot in shots {
            self.render(&shot.view, shot.drawn, shot.picture);
        }
    }

    /// What pictures may be off.
    fn accuracy(&self) -> Accuracy;
}
