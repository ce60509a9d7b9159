//! All layers of a surface: for every pixel the depths at which its ray enters and leaves, in order.

use crate::grid::Grid;
use crate::triangle::key;

/// A ray's passage through a face. Fragments are ordered by depth, leaving before entering, then face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Fragment(pub u64);

impl Fragment {
    /// From a key (see [`key`]) and a face.
    #[inline]
    #[must_use]
    pub fn new(key: u32, face: u32) -> Fragment {
        Fragment(u64::from(key) << 32 | u64::from(face))
    }

    /// From a depth in steps.
    #[must_use]
    pub fn at(depth: u32, front: bool, face: u32) -> Fragment {
        Fragment::new(key(depth, front), face)
    }

    /// Depth in steps of [`Grid::step`].
    #[inline]
    #[must_use]
    pub fn depth(self) -> u32 {
        (self.0 >> 33) as u32
    }

    /// Whether the ray enters.
    #[inline]
    #[must_use]
    pub fn is_front(self) -> bool {
        self.0 >> 32 & 1 == 1
    }

    /// The face it passes.
    #[inline]
    #[must_use]
    pub fn face(self) -> u32 {
        self.0 as u32
    }
}

/// All layers of one surface in one grid, compact: the fragments of pixel i are those from `starts[i]` up to `starts[i + 1]`.
#[derive(Clone, Debug, PartialEq)]
pub struct LayeredImage {
    /// Where it is.
    pub grid: Grid,
    /// One more than there are pixels.
    pub starts: Vec<u32>,
    /// In order within each pixel.
    pub fragments: Vec<Fragment>,
}

impl LayeredImage {
    /// An image in which nothing is seen yet.
    #[must_use]
    pub fn empty(grid: Grid) -> LayeredImage {
        LayeredImage { grid, starts: vec![0; grid.pixels() + 1], fragments: Vec::new() }
    }

    /// The layers of a pixel, nearest first.
    #[inline]
    #[must_use]
    pub fn layers(&self, pixel: usize) -> &[Fragment] {
        &self.fragments[self.starts[pixel] as usize..self.starts[pixel + 1] as usize]
    }

    /// The largest number of layers of a pixel.
    #[must_use]
    pub fn layers_max(&self) -> u32 {
        self.starts.windows(2).map(|s| s[1] - s[0]).max().unwrap_or(0)
    }
}
