//! What a mesh tree is made of: wide nodes of axis-parallel boxes in single precision.

use freiraum_geometry::Vec3;

/// Children of a node at most: eight lanes of f32 make one AVX register.
pub const WIDTH: usize = 8;

/// Triangles of a leaf at most.
pub const LEAF_SIZE: usize = 4;

/// Up to eight children with their boxes, lane by lane.
///
/// **Frames.** Tree coordinates, see [`Grid`]. **Guarantee.** The boxes are rounded outwards: every point of the
/// triangles below a child, exactly as the mesh holds them, lies in the closed box of that child. The children fill the
/// first lanes; the boxes of the others are empty (`min` = infinity, `max` = -infinity).
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Node {
    /// Least coordinates: x of all lanes, then y, then z.
    pub min: [[f32; WIDTH]; 3],
    /// Largest coordinates.
    pub max: [[f32; WIDTH]; 3],
    /// Of an inner child the index of its node; of a leaf its first triangle in the order of the leaves.
    pub child: [u32; WIDTH],
    /// Of an inner child 0; of a leaf the number of its triangles.
    pub count: [u8; WIDTH],
    /// Number of children, at least 1.
    pub len: u8,
}

impl Node {
    pub(super) const EMPTY: Node = Node {
        min: [[f32::INFINITY; WIDTH]; 3],
        max: [[f32::NEG_INFINITY; WIDTH]; 3],
        child: [0; WIDTH],
        count: [0; WIDTH],
        len: 0,
    };
}

/// The coordinates of a tree: those of the mesh, shifted and scaled so that the mesh fills about [-1, 1].
///
/// Single precision then resolves the mesh equally well wherever it lies and however large it is. Tree coordinates of
/// a point p are `(p - center) * scale`; the scale is a power of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The middle of the mesh's box, in metres.
    pub center: Vec3,
    /// Tree units per metre.
    pub scale: f64,
}

impl Grid {
    /// Tree coordinates of a point, correctly rounded to f64.
    pub fn tree_from_mesh(&self, point: Vec3) -> Vec3 {
        (point - self.center) * self.scale
    }
}
