//! Rays against meshes: through a tree, and over all faces.

use super::block::{Corners, crossings};
use super::triangle::{Crossing, Sheared, normal};
use super::walk::{BoxRay, Next, prefetch, walk};
use super::{Ray, RayHit};
use crate::mesh_tree::{Block, Closure, MeshTree, PointPlace, RayTree, WIDTH, locate};
use crate::workspace;
use freiraum_geometry::{Aabb, Mesh, Vec3};
use std::sync::Arc;

/// The nearest crossing so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub(super) distance: f64,
    from_back: bool,
    /// Which triangle it is, as the one who asks counts them.
    place: usize,
}

/// The place of no triangle.
const NOWHERE: usize = usize::MAX;

impl Nearest {
    pub(super) fn none(ray: &Ray) -> Nearest {
        Nearest { distance: ray.max, from_back: false, place: NOWHERE }
    }

    /// Takes a crossing over if it is nearer, or as near and of an earlier face.
    #[inline(always)]
    pub(super) fn take(&mut self, crossing: &Crossing, place: usize, face: impl Fn(usize) -> u32) -> bool {
        let Some(distance) = ahead(crossing) else { return false };
        let better = distance < self.distance
            || (distance == self.distance && (self.place == NOWHERE || face(place) < face(self.place)));
        if better {
            *self = Nearest { distance, from_back: crossing.from_back, place };
        }
        better
    }

    fn hit(
        &self,
        ray: &Ray,
        face: impl Fn(usize) -> u32,
        corners: impl Fn(usize) -> [Vec3; 3],
    ) -> Option<RayHit> {
        (self.place != NOWHERE).then(|| RayHit {
            distance: self.distance,
            point: ray.at(self.distance),
            normal: normal(corners(self.place), ray),
            face: Some(face(self.place)),
            from_inside: self.from_back,
        })
    }

    /// Takes over what is nearest in a leaf; true if something is.
    #[inline(always)]
    pub(super) fn leaf(
        &mut self,
        tree: &MeshTree,
        rays: &RayTree,
        line: &Sheared,
        (first, count): (usize, usize),
        corners: &mut Corners,
    ) -> bool {
        let mut nearer = false;
        if count > 1 {
            expect(&rays.blocks, first + 1);
        }
        for (block, at) in rays.blocks[first..first + count].iter().zip(first..) {
            crossings(line, tree.grid().scale, block, corners, |lane, crossing| {
                tree.faces().get(block.first as usize).map(prefetch);
                nearer |= self.take(&crossing, at * WIDTH + lane, |place| face_at(tree, rays, place));
            });
        }
        nearer
    }

    /// Of places in blocks.
    #[inline(always)]
    pub(super) fn hit_of(&self, ray: &Ray, tree: &MeshTree, rays: &RayTree) -> Option<RayHit> {
        self.hit(
            ray,
            |place| face_at(tree, rays, place),
            |place| rays.blocks[place / WIDTH].triangle(place % WIDTH),
        )
    }
}

/// The face at a place in blocks: eight times the block plus the lane.
#[inline(always)]
pub(super) fn face_at(tree: &MeshTree, rays: &RayTree, place: usize) -> u32 {
    tree.faces()[rays.blocks[place / WIDTH].first as usize + place % WIDTH]
}

/// The distance at which a ray, not only its line, crosses.
#[inline(always)]
fn ahead(crossing: &Crossing) -> Option<f64> {
    (crossing.leave >= 0.0).then_some(crossing.enter.max(0.0))
}

/// The first face of a mesh that a ray hits, from either side, or `None`: the mesh as a surface.
///
/// A ray that starts inside a closed mesh finds the wall where it leaves; [`ray_mesh_solid`] takes it for a solid.
/// **Frames.** Those of the mesh. **Guarantee.** The triangles are closed and seen without gaps: a ray through an edge or
/// vertex that faces share hits one of them. The corners are taken up to the rounding of their difference to the origin of
/// the ray, `EPSILON` times that distance, all faces at a corner alike. The answer is that of testing every face;
/// of several at the same distance the first. **Degenerate input.** A ray that lies in the plane of a face hits it where
/// it enters the triangle; faces without area are hit as the segments or points they are.
/// **Cost.** Under a microsecond for half a million triangles. The first ray prepares the tree, see
/// [`MeshTree::prepare_for_rays`]; no allocation after that.
pub fn ray_mesh(tree: &MeshTree, ray: &Ray) -> Option<RayHit> {
    let rays = tree.for_rays();
    let mut nearest = Nearest::none(ray);
    closest(tree, rays, ray, &mut nearest);
    nearest.hit_of(ray, tree, rays)
}

/// [`ray_mesh`] for the solid that a closed mesh bounds: a ray that starts in it or on its surface hits at distance 0, as
/// with every solid. Open meshes are surfaces.
///
/// Inside is what [`locate`](crate::mesh_tree::locate) says, exactly: parts that overlap are united, cavities are outside.
/// **Cost.** That of [`ray_mesh`], and that of `locate` for rays that start within the box of the mesh; the first of those
/// asks for the closure, O(n log n). No allocation once a thread has asked.
pub fn ray_mesh_solid(tree: &MeshTree, ray: &Ray) -> Option<RayHit> {
    if is_inside(tree, ray.origin) {
        return Some(RayHit::inside(ray));
    }
    from_outside(ray_mesh(tree, ray)?, || tree.closure())
}

/// A ray that grazes an edge of a solid from outside may find the face behind it first.
fn from_outside(hit: RayHit, closure: impl Fn() -> Closure) -> Option<RayHit> {
    Some(RayHit { from_inside: hit.from_inside && closure() == Closure::Open, ..hit })
}

/// True if a point lies in the solid that a mesh bounds, or on its surface.
pub(super) fn is_inside(tree: &MeshTree, point: Vec3) -> bool {
    let (whole, p) = (&tree.nodes()[0], tree.grid().tree_from_mesh(point));
    let is_near = (0..3)
        .all(|axis| f64::from(whole.min[axis][0]) <= p[axis] && p[axis] <= f64::from(whole.max[axis][0]));
    is_near
        && tree.closure() != Closure::Open
        && workspace::with_meshes(|w| locate(tree, point, w) != PointPlace::Outside)
}

/// True if a ray hits any face of a mesh within its range: stops at the first that comes up.
///
/// **Guarantee.** The answer of `ray_mesh(..).is_some()`.
pub fn ray_mesh_any(tree: &MeshTree, ray: &Ray) -> bool {
    let line = Sheared::new(ray);
    let boxes = BoxRay::new(ray, tree.grid());
    let (rays, scale) = (tree.for_rays(), tree.grid().scale);
    let mut corners = Corners::default();
    let mut found = false;
    walk(
        &rays.nodes,
        &boxes,
        boxes.limit(ray.max),
        |first| expect(&rays.blocks, first),
        #[inline(always)]
        |first, count| {
            for block in &rays.blocks[first..first + count] {
                crossings(&line, scale, block, &mut corners, |_, crossing| {
                    found |= ahead(&crossing).is_some_and(|d| d <= ray.max);
                });
                if found {
                    return Next::Stop;
                }
            }
            Next::Continue
        },
    );
    found
}

/// Asks for the triangles of a leaf.
#[inline(always)]
pub(super) fn expect(blocks: &[Block], first: usize) {
    if let Some(block) = blocks.get(first) {
        prefetch(block);
    }
}

#[inline(always)]
pub(super) fn closest(tree: &MeshTree, rays: &RayTree, ray: &Ray, nearest: &mut Nearest) {
    let line = Sheared::new(ray);
    let boxes = BoxRay::new(ray, tree.grid());
    let mut corners = Corners::default();
    walk(
        &rays.nodes,
        &boxes,
        boxes.limit(nearest.distance),
        |first| expect(&rays.blocks, first),
        #[inline(always)]
        |first, count| {
            let nearer = nearest.leaf(tree, rays, &line, (first, count), &mut corners);
            if nearer { Next::Nearer(boxes.limit(nearest.distance)) } else { Next::Continue }
        },
    );
}

/// [`ray_mesh_solid`] without a tree, unless the ray starts within the box of the mesh or hits the back of a
/// face: then one is built.
pub(super) fn cast_all(mesh: &Arc<Mesh>, ray: &Ray) -> Option<RayHit> {
    if starts_in(mesh, ray) {
        return Some(RayHit::inside(ray));
    }
    let line = Sheared::new(ray);
    let mut nearest = Nearest::none(ray);
    for (corners, face) in mesh.triangles().zip(0..) {
        if let Some(crossing) = line.crossing(corners) {
            nearest.take(&crossing, face, |place| place as u32);
        }
    }
    let hit = nearest.hit(ray, |place| place as u32, |place| mesh.triangle(place))?;
    from_outside(hit, || MeshTree::build(mesh.clone()).closure())
}

/// True if a ray hits anything of a mesh, as [`cast_all`] says it.
pub(super) fn any_of_all(mesh: &Arc<Mesh>, ray: &Ray) -> bool {
    let line = Sheared::new(ray);
    mesh.triangles()
        .any(|corners| line.crossing(corners).and_then(|c| ahead(&c)).is_some_and(|d| d <= ray.max))
        || starts_in(mesh, ray)
}

fn starts_in(mesh: &Arc<Mesh>, ray: &Ray) -> bool {
    let bounds = mesh.triangles().flatten().fold(Aabb::EMPTY, |all, p| all.union(&Aabb { min: p, max: p }));
    bounds.contains(ray.origin) && is_inside(&MeshTree::build(mesh.clone()), ray.origin)
}
