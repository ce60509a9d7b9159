//! One surface, frame after frame: does it run into itself, where, and how much?

use crate::confirm::confirm;
use crate::cpu::Renderer;
use crate::grid::{Axis, Grid, LayerError};
use crate::image::LayeredImage;
use crate::occupancy::{Occupancy, mark_vertices};
use crate::snap::{Snapped, snap_with};
use crate::volume::Volume;
use freiraum_geometry::{Aabb, Mesh, Vec3, tolerance};
use std::time::Instant;

/// A closed surface of triangles with outward normals. Vertices change every frame, faces do not.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// In metres.
    pub vertices: &'a [Vec3],
    /// Counter-clockwise seen from outside.
    pub faces: &'a [[u32; 3]],
}

impl<'a> From<&'a Mesh> for Surface<'a> {
    fn from(mesh: &'a Mesh) -> Surface<'a> {
        Surface { vertices: mesh.vertices(), faces: mesh.faces() }
    }
}

impl Surface<'_> {
    /// The box of all vertices; an error if there is none, or a coordinate is not finite, or a face names no vertex.
    pub fn bounds(&self) -> Result<Aabb, LayerError> {
        let most = self.faces.iter().flatten().fold(0, |most, &v| most.max(v));
        if !self.faces.is_empty() && most as usize >= self.vertices.len() {
            let is_bad = |f: &[u32; 3]| f.iter().any(|&v| v as usize >= self.vertices.len());
            return Err(LayerError::NoSuchVertex(self.faces.iter().position(is_bad).unwrap_or(0)));
        }
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let mut zero = Vec3::ZERO;
        for &v in self.vertices {
            // Minima and maxima pass over what is no number; a product with zero does not.
            (min, max, zero) = (min.min(v), max.max(v), zero + 0.0 * v);
        }
        // Larger values are refused for the sake of the differences.
        let limit = tolerance::MAX_COORDINATE;
        if !(min.min_element() >= -limit && max.max_element() <= limit && zero == Vec3::ZERO) {
            let is_bad = |v: &Vec3| !(v.x.abs() <= limit && v.y.abs() <= limit && v.z.abs() <= limit);
            return Err(self
                .vertices
                .iter()
                .position(is_bad)
                .map_or(LayerError::Empty, LayerError::NotFinite));
        }
        Ok(Aabb { min, max })
    }

    /// The unit normal of a face; zero if the face has no area.
    #[must_use]
    pub fn normal(&self, face: u32) -> Vec3 {
        let [a, b, c] = self.corners(face);
        (b - a).cross(c - a).normalize_or_zero()
    }

    /// The corners of a face.
    #[must_use]
    pub fn corners(&self, face: u32) -> [Vec3; 3] {
        self.faces[face as usize].map(|v| self.vertices[v as usize])
    }
}

/// How to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Along which axis; `None` is the longest of the box.
    pub axis: Option<Axis>,
    /// Columns and rows.
    pub size: [u32; 2],
    /// Whether all threads of the current pool take part. The answer is the same.
    pub threaded: bool,
}

impl View {
    /// So many pixels each way, along the longest axis, with one thread.
    #[must_use]
    pub fn new(resolution: u32) -> View {
        View { axis: None, size: [resolution; 2], threaded: false }
    }

    /// The grid of a whole surface.
    pub fn grid(&self, bounds: &Aabb) -> Result<Grid, LayerError> {
        Grid::around(bounds, self.axis.unwrap_or(Axis::longest(bounds)), self.size)
    }
}

/// Milliseconds of each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Milliseconds {
    /// Box, and vertices in whole numbers.
    pub snap: f64,
    /// Faces to fragments.
    pub render: f64,
    /// Fragments by pixel and depth.
    pub sort: f64,
    /// Intervals, faults and sums.
    pub occupancy: f64,
}

impl Milliseconds {
    /// All stages.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.snap + self.render + self.sort + self.occupancy
    }
}

/// What a surface does to itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Answer {
    /// Whether some ray passes an overlap for longer than rounding may have made it: [`mod@crate::confirm`]. "No" is no proof: see `docs/deformable.md` on what may be missed.
    pub self_collision: bool,
    /// Volume of the places that belong to it more than once, each counted once.
    pub volume: Volume,
    /// How often it occupies the place it occupies most often.
    pub max_overlap: u32,
    /// Most layers of a pixel.
    pub layers_max: u32,
    /// Rays that say the surface is open or inside out; no volume is counted there.
    pub faults: usize,
}

/// Looks at one surface, frame after frame. Keeps all storage: nothing is allocated once it has grown.
#[derive(Debug)]
pub struct Layers {
    renderer: Renderer,
    /// The vertices of the last frame.
    pub(crate) snapped: Vec<Snapped>,
    marked_faces: Vec<bool>,
    marked_vertices: Vec<bool>,
    /// All layers of the last frame.
    pub image: LayeredImage,
    /// What they say.
    pub occupancy: Occupancy,
    /// How long it took.
    pub milliseconds: Milliseconds,
}

impl Default for Layers {
    fn default() -> Layers {
        let unit = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
        let grid = Grid::around(&unit, Axis::Z, [1, 1]).expect("a unit box has a grid");
        Layers {
            renderer: Renderer::default(),
            snapped: Vec::new(),
            marked_faces: Vec::new(),
            marked_vertices: Vec::new(),
            image: LayeredImage::empty(grid),
            occupancy: Occupancy::default(),
            milliseconds: Milliseconds::default(),
        }
    }
}

impl Layers {
    /// Where and how much a surface overlaps itself. Nothing where it only touches itself: there are no intervals then.
    pub fn self_collision(&mut self, surface: Surface, view: &View) -> Result<Answer, LayerError> {
        let start = Instant::now();
        let grid = view.grid(&surface.bounds()?)?;
        let bounds = milliseconds_since(start);
        self.look(surface, &grid, 2, view.threaded)?;
        confirm(&mut self.occupancy, &self.image, &self.snapped, surface.faces);
        self.milliseconds.snap += bounds;
        Ok(self.answer())
    }

    /// What the last frame says, which was looked at with level 2 and confirmed.
    pub(crate) fn answer(&self) -> Answer {
        Answer {
            self_collision: !self.occupancy.intervals.is_empty(),
            volume: self.occupancy.sums.volume(&self.image.grid),
            max_overlap: self.occupancy.largest,
            layers_max: self.image.layers_max(),
            faults: self.occupancy.faults.len(),
        }
    }

    /// Draws a surface on a grid and finds where the counter has at least this level. The surface must have
    /// [`Surface::bounds`] within the reach of the grid.
    pub fn look(
        &mut self,
        surface: Surface,
        grid: &Grid,
        level: u32,
        threaded: bool,
    ) -> Result<(), LayerError> {
        let start = Instant::now();
        snap_with(grid, surface.vertices, threaded, &mut self.snapped)?;
        self.milliseconds.snap = milliseconds_since(start);
        let times = self.renderer.draw(grid, &self.snapped, surface.faces, threaded, &mut self.image)?;
        (self.milliseconds.render, self.milliseconds.sort) = (times.render, times.sort);
        let start = Instant::now();
        self.occupancy.measure(&self.image, level, threaded);
        self.milliseconds.occupancy = milliseconds_since(start);
        Ok(())
    }

    /// Which faces and vertices of the last frame bound or lie in an interval.
    pub fn involved(&mut self, surface: Surface) -> (&[bool], &[bool]) {
        self.occupancy.mark_faces(&self.image, surface.faces.len(), &mut self.marked_faces);
        mark_vertices(surface.faces, &self.marked_faces, surface.vertices.len(), &mut self.marked_vertices);
        (&self.marked_faces, &self.marked_vertices)
    }
}

fn milliseconds_since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
