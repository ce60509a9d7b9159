//! The tuned bounding tree of a mesh and what it answers.
//!
//! - [`MeshTree`]: wide nodes, boxes in single precision rounded outwards, triangles in the order of the leaves
//! - [`any_intersection`], [`all_intersections`]: the faces of two meshes that meet
//! - [`surface_distance`]: how far two surfaces are apart, and where; faster with the last answer at hand
//! - [`self_intersections`]: the faces of one mesh that overlap
//! - [`locate`], [`closest_point`]: a point and a mesh
//! - [`relation`]: separate, touching, overlapping, or one inside the other
//!
//! Rays through the tree are in [`crate::ray`].

mod blocks;
mod boxes;
mod build;
mod distance;
mod far;
mod front;
mod intersect;
mod leaves;
mod locate;
mod node;
mod oriented;
mod placement;
mod relation;
mod self_intersect;
mod shells;
mod simd;
mod sketch;
mod void;
mod walk;
mod workspace;

pub(crate) use blocks::{Block, CORNERS, RayTree};
pub use distance::{MeshDistance, surface_distance};
pub use front::MeshDistanceCache;
pub use intersect::{all_intersections, any_intersection};
pub use locate::{PointPlace, SurfacePoint, closest_point, locate};
pub use node::{Grid, LEAF_SIZE, Node, WIDTH};
pub(crate) use relation::relation_of;
pub use relation::{MeshRelation, Relation, relation};
pub use self_intersect::{self_intersections, some_self_intersections};
pub use shells::Closure;
pub use workspace::MeshWorkspace;

use freiraum_geometry::{Mesh, Vec3};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A mesh with a bounding tree over its faces, made once and asked many times.
///
/// **Layout.** [`MeshTree::nodes`]: the first node has one child, the whole mesh; every other node has two to eight.
/// Leaves are runs of at most [`LEAF_SIZE`] consecutive [`MeshTree::triangles`]; [`MeshTree::faces`] says which face of
/// the mesh each of them is. **Guarantee.** The same mesh gives the same tree on every machine.
#[derive(Clone, Debug)]
pub struct MeshTree {
    mesh: Arc<Mesh>,
    grid: Grid,
    /// No vertex is further from the centre of the grid, in metres.
    radius: f64,
    nodes: Vec<Node>,
    /// Fitted at the first question about two meshes.
    oriented: OnceLock<Vec<oriented::OrientedNode>>,
    /// Made for the first ray.
    for_rays: OnceLock<RayTree>,
    triangles: Vec<[Vec3; 3]>,
    faces: Vec<u32>,
    depth: u32,
    shells: OnceLock<shells::Shells>,
    /// Tells this tree (and its copies) from all others.
    name: u64,
}

/// The name of the next tree.
static NAMES: AtomicU64 = AtomicU64::new(1);

/// A box of any direction around a part of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedPart {
    /// Its middle, in metres.
    pub center: Vec3,
    /// Across the surface; a unit vector in single precision.
    pub across: Vec3,
    /// From the middle to the three kinds of sides, the first one across the surface, in metres.
    pub spread: [Vec3; 3],
}

impl MeshTree {
    /// Builds the tree.
    ///
    /// **Cost.** O(n log n): some 0.2 microseconds per triangle; about 100 bytes per triangle. The first question about
    /// this and another mesh fits volumes to the tree, see [`MeshTree::prepare_for_pairs`].
    /// **Degenerate input.** Faces without area, duplicates and coinciding faces are kept like any other.
    pub fn build(mesh: impl Into<Arc<Mesh>>) -> MeshTree {
        let mesh = mesh.into();
        let grid = build::grid(&mesh.aabb());
        let structure = build::structure(&mesh, &grid);
        let square =
            mesh.vertices().iter().fold(0.0, |most: f64, p| most.max(p.distance_squared(grid.center)));
        MeshTree {
            grid,
            radius: square.sqrt() * (1.0 + 8.0 * f64::EPSILON),
            oriented: OnceLock::new(),
            for_rays: OnceLock::new(),
            nodes: structure.nodes,
            triangles: structure.triangles,
            faces: structure.faces,
            depth: structure.depth,
            shells: OnceLock::new(),
            name: NAMES.fetch_add(1, Ordering::Relaxed),
            mesh,
        }
    }

    /// Fits the volumes that questions about two meshes need, which the first such question would do otherwise. Rays, points and
    /// self-intersections do without. **Cost.** A quarter of the build, and 40 bytes per triangle; nothing the second time.
    pub fn prepare_for_pairs(&self) {
        self.oriented();
    }

    /// The oriented boxes of all children, node by node.
    #[inline]
    fn oriented(&self) -> &[oriented::OrientedNode] {
        self.oriented.get_or_init(|| oriented::fit(&self.nodes, &self.triangles, &self.grid))
    }

    /// The box that follows the surface below a child of a node, in the frame of the mesh.
    ///
    /// **Guarantee.** For every direction d the points of the triangles below the child reach at most the sum of `|d · spread|` from its
    /// centre, up to the rounding of coordinates. **Cost.** As [`MeshTree::prepare_for_pairs`] the first time.
    pub fn oriented_part(&self, node: u32, lane: usize) -> OrientedPart {
        let part = self.oriented()[node as usize].lane(lane);
        let length = 1.0 / self.grid.scale;
        let spread = |k: usize| part.axes[k].as_dvec3() * (f64::from(part.half[k]) * length);
        OrientedPart {
            center: self.grid.center + length * part.center.as_dvec3(),
            across: part.axes[0].as_dvec3(),
            spread: [spread(0), spread(1), spread(2)],
        }
    }

    /// Makes what rays walk through, which the first ray would do otherwise. **Cost.** A fifth of the build, and some 60 bytes per
    /// triangle; nothing the second time.
    pub fn prepare_for_rays(&self) {
        self.for_rays();
    }

    #[inline]
    pub(crate) fn for_rays(&self) -> &RayTree {
        self.for_rays.get_or_init(|| blocks::blocks(&self.mesh, &self.nodes, &self.faces))
    }

    /// The mesh itself.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// How tree coordinates follow from those of the mesh.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The nodes; the first one holds the whole mesh as its only child.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Corners of the triangles in the order of the leaves, exactly as the mesh holds them.
    pub fn triangles(&self) -> &[[Vec3; 3]] {
        &self.triangles
    }

    /// The face of each triangle in the order of the leaves.
    pub fn faces(&self) -> &[u32] {
        &self.faces
    }

    /// The number of nodes on the longest way down, the first one not counted: 0 if the mesh fits into one leaf.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}
