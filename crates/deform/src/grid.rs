//! Where is the picture? A box seen along one axis, cut into columns of pixels, with whole numbers for everything.
//!
//! A grid looks along +axis. Its plane has the coordinates u, v: the other two axes in cyclic order, so that (u, v, axis) is
//! right-handed. Rays pass through the centres of the pixels. Positions in the plane are counted in 1 / 2^bits of a pixel,
//! depths in 1 / 2^23 of the range; both kinds are whole numbers, so that every renderer sees the same surface.

use freiraum_geometry::{Aabb, Vec3, tolerance};

/// Depths are counted from 0 to this: so many steps that f32 holds each of them, and halves between.
pub const DEPTH_STEPS: u32 = 1 << 23;

/// Most columns or rows a grid may have.
pub const MAX_SIZE: u32 = 8192;

/// Most binary digits behind the point of a position in the plane, in pixels.
const MAX_BITS: u32 = 12;

/// The direction of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Along +x; u = y, v = z.
    X,
    /// Along +y; u = z, v = x.
    Y,
    /// Along +z; u = x, v = y.
    Z,
}

impl Axis {
    /// All three.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// The axis of the longest edge of a box, the first of equals: depth has the finest steps.
    #[must_use]
    pub fn longest(bounds: &Aabb) -> Axis {
        let size = bounds.size();
        let mut best = Axis::X;
        for axis in [Axis::Y, Axis::Z] {
            if size[axis.index()] > size[best.index()] {
                best = axis;
            }
        }
        best
    }

    /// Which coordinate: 0, 1 or 2.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The coordinates that are u, v and depth.
    #[must_use]
    pub fn order(self) -> [usize; 3] {
        let w = self.index();
        [(w + 1) % 3, (w + 2) % 3, w]
    }
}

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayerError {
    /// A coordinate is no number, endless, or beyond [`tolerance::MAX_COORDINATE`].
    #[error("vertex {0} is not finite, or farther out than {limit:e} m", limit = tolerance::MAX_COORDINATE)]
    NotFinite(usize),
    /// A face names a vertex that does not exist.
    #[error("face {0} has a vertex that does not exist")]
    NoSuchVertex(usize),
    /// No vertices, or an empty region.
    #[error("there is nothing to see")]
    Empty,
    /// Zero, or more than [`MAX_SIZE`].
    #[error("a picture of {0} x {1} pixels is not possible: 1 to {MAX_SIZE} each way")]
    Size(u32, u32),
    /// The surface reaches so many pixels beyond the region that positions in whole numbers would overflow.
    #[error("the surface is too large for so small a region of it")]
    TooFarOut,
    /// A width that was asked for is not kept: surfaces are too large beside it for positions in whole numbers, or it is not positive.
    #[error(
        "an overlap of the width that is asked for may be missed beside surfaces as large: ask for a wider one, or cut them"
    )]
    Width,
    /// More depths than memory shall be taken for: about 2^28.
    #[error("the picture has more than 268 million depths: choose a lower resolution")]
    TooManyLayers,
}

/// A region of space, seen along an axis, in columns of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The direction of view.
    pub axis: Axis,
    /// Lower corner in metres, in the order u, v, depth.
    pub origin: [f64; 3],
    /// Columns (along u) and rows (along v).
    pub size: [u32; 2],
    /// Width and height of a pixel in metres.
    pub pixel: [f64; 2],
    /// Length of the range of depth in metres, [`DEPTH_STEPS`] steps.
    pub depth: f64,
    /// A pixel has 2^bits units each way, at least 2: centres lie on units.
    pub bits: u32,
}

impl Grid {
    /// The grid of a whole box. Edges without length get a millionth of the longest one.
    pub fn around(bounds: &Aabb, axis: Axis, size: [u32; 2]) -> Result<Grid, LayerError> {
        Grid::region(bounds, bounds, axis, size)
    }

    /// The grid of a region of something larger: the plane shows the region, depth the whole range of `reach`, which
    /// holds all vertices that will be seen.
    ///
    /// **Guarantee.** Nothing overflows, for any triangle in `reach`: the larger it is in pixels, the fewer units has a pixel.
    pub fn region(region: &Aabb, reach: &Aabb, axis: Axis, size: [u32; 2]) -> Result<Grid, LayerError> {
        let [u, v, _] = axis.order();
        let whole = region.union(reach).size();
        Grid::region_of(region, reach, [whole[u], whole[v]], axis, size)
    }

    /// The same, if it is known that no triangle that meets the region is wider or higher than `largest`, in metres: pixels
    /// have more units then.
    pub fn region_of(
        region: &Aabb,
        reach: &Aabb,
        largest: [f64; 2],
        axis: Axis,
        size: [u32; 2],
    ) -> Result<Grid, LayerError> {
        if region.is_empty() || reach.is_empty() {
            return Err(LayerError::Empty);
        }
        if size.iter().any(|&n| n == 0 || n > MAX_SIZE) {
            return Err(LayerError::Size(size[0], size[1]));
        }
        let order = axis.order();
        let whole = region.union(reach);
        let longest = whole.size().max_element();
        let least = if longest > tolerance::MIN_SIZE { longest / f64::from(1 << 20) } else { 1.0 };
        let pixel = [0, 1].map(|k| region.size()[order[k]].max(least) / f64::from(size[k]));
        let origin = [region.min[order[0]], region.min[order[1]], whole.min[axis.index()]];
        let depth = whole.size()[axis.index()].max(least);
        // In pixels, and one more for rounding: an edge function over 2^bits stays below the product of the extents of a
        // triangle times 2^bits; coordinates themselves are bounded by those of all there is.
        let extent = [0, 1].map(|k| largest[k] / pixel[k] + 1.0);
        let far = (0..2).map(|k| whole.size()[order[k]].max(least) / pixel[k] + 1.0).fold(0.0, f64::max);
        let fits = |bits: u32| {
            let unit = f64::from(1_u32 << bits);
            extent[0] * extent[1] * unit < f64::from(1_u32 << 31) && far * unit < f64::from(1 << 23)
        };
        let bits = (1..=MAX_BITS).rev().find(|&b| fits(b)).ok_or(LayerError::TooFarOut)?;
        Ok(Grid { axis, origin, size, pixel, depth, bits })
    }

    /// Number of pixels.
    #[must_use]
    pub fn pixels(&self) -> usize {
        self.size[0] as usize * self.size[1] as usize
    }

    /// The pixel's number: rows one after the other.
    #[must_use]
    pub fn index(&self, column: u32, row: u32) -> usize {
        row as usize * self.size[0] as usize + column as usize
    }

    /// Column and row of a pixel's number.
    #[must_use]
    pub fn place(&self, pixel: usize) -> [u32; 2] {
        let columns = self.size[0] as usize;
        [(pixel % columns) as u32, (pixel / columns) as u32]
    }

    /// The point in space at the centre of a pixel, `depth` steps deep.
    #[must_use]
    pub fn point(&self, pixel: usize, depth: u32) -> Vec3 {
        let [column, row] = self.place(pixel);
        let mut point = Vec3::ZERO;
        let order = self.axis.order();
        point[order[0]] = self.origin[0] + (f64::from(column) + 0.5) * self.pixel[0];
        point[order[1]] = self.origin[1] + (f64::from(row) + 0.5) * self.pixel[1];
        point[order[2]] = self.origin[2] + f64::from(depth) * self.step();
        point
    }

    /// The pixel whose column holds a point; `None` beside the picture. Points on the border of two pixels belong to the
    /// one with the larger coordinate, those on the upper border of the picture to the last.
    #[must_use]
    pub fn pixel_of(&self, point: Vec3) -> Option<usize> {
        let order = self.axis.order();
        let mut place = [0; 2];
        for k in 0..2 {
            let x = (point[order[k]] - self.origin[k]) / self.pixel[k];
            let n = f64::from(self.size[k]);
            if !(x >= 0.0 && x <= n * (1.0 + 4.0 * f64::EPSILON)) {
                return None;
            }
            place[k] = (x as u32).min(self.size[k] - 1);
        }
        Some(self.index(place[0], place[1]))
    }

    /// Length of a step of depth in metres.
    #[must_use]
    pub fn step(&self) -> f64 {
        self.depth / f64::from(DEPTH_STEPS)
    }

    /// Area of a pixel in square metres.
    #[must_use]
    pub fn pixel_area(&self) -> f64 {
        self.pixel[0] * self.pixel[1]
    }

    /// By how much a vertex may move when it is put onto units and steps, in metres: half of each.
    #[must_use]
    pub fn snapping(&self) -> Vec3 {
        let unit = f64::from(1_u32 << self.bits);
        let order = self.axis.order();
        let mut error = Vec3::ZERO;
        error[order[0]] = 0.5 * self.pixel[0] / unit;
        error[order[1]] = 0.5 * self.pixel[1] / unit;
        error[order[2]] = 0.5 * self.step();
        error
    }
}
