//! Many placed shapes that do not move, in one tree for rays.

mod build;

use super::mesh::is_inside;
use super::solid::Span;
use super::walk::{BoxRay, Next, grid_of, walk};
use super::{Ray, RayHit, ray_any, ray_cast, ray_mesh, ray_mesh_any, ray_mesh_solid, solid_span};
use crate::mesh_tree::{Grid, MeshTree, Node};
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Aabb, Mat3, Mesh, Pose, Vec3};
use std::sync::Arc;

/// What a ray hits of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneHit {
    /// Which of the shapes that the scene was made of; of several at the same distance the first.
    pub item: u32,
    /// Where, in the frame of the scene. Faces are those of the part that was hit.
    pub hit: RayHit,
}

/// Placed shapes with a tree over them; compounds are taken apart, meshes and large convex bodies get trees of their own.
///
/// Also the way to ask one compound or mesh many times. **Guarantee.** The answers of [`ray_cast`] on every shape,
/// nearest first.
#[derive(Clone, Debug)]
pub struct RayScene {
    grid: Grid,
    nodes: Vec<Node>,
    /// In the order of the leaves, the endless ones after them.
    pub(super) bodies: Vec<Body>,
    pub(super) bounded: usize,
    /// The boxes of the bounded bodies, in the same order.
    pub(super) boxes: Vec<Aabb>,
}

#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) item: u32,
    /// Which part of the item.
    part: u32,
    /// Rotation from the scene into the shape.
    pub(super) turn: Mat3,
    pub(super) scene_from_shape: Pose,
    /// Where the shape is in its item: compounds are taken apart.
    item_from_shape: Pose,
    kind: BodyKind,
}

#[derive(Clone, Debug)]
enum BodyKind {
    Shape(Shape),
    Mesh(Box<MeshTree>),
    Convex(Box<MeshTree>),
}

/// Convex bodies with more faces get a tree.
const FEW_FACES: usize = 24;

impl RayScene {
    /// A scene of shapes, each with its pose in the scene.
    ///
    /// **Degenerate input.** No shapes at all: rays hit nothing. **Cost.** O(n log² n) for n parts, and that of a
    /// [`MeshTree`] for each mesh.
    pub fn new(items: impl IntoIterator<Item = (Pose, Shape)>) -> RayScene {
        let mut found = Vec::new();
        for ((pose, shape), item) in items.into_iter().zip(0u32..) {
            collect(&mut found, item, &pose, Pose::IDENTITY, shape);
        }
        RayScene::of_bodies(found)
    }

    /// Puts items elsewhere: `scene_from_item` has the new pose of every item that moves, `None` for the others.
    ///
    /// **Guarantee.** The answers of a new scene of the items in their new places. **Cost.** The tree over the parts is made
    /// anew, those of meshes stay: O(n log² n) for n parts.
    pub fn place(&mut self, scene_from_item: impl Fn(u32) -> Option<Pose>) {
        let boxes = std::mem::take(&mut self.boxes).into_iter().map(Some).chain(std::iter::repeat(None));
        let bodies = std::mem::take(&mut self.bodies).into_iter().zip(boxes).map(|(mut body, bounds)| {
            let Some(pose) = scene_from_item(body.item) else { return (body, bounds) };
            body.scene_from_shape = pose * body.item_from_shape;
            body.turn = body.scene_from_shape.rotation_matrix().transpose();
            let bounds = body.bounds();
            (body, bounds)
        });
        // In the order of a new scene, so that it becomes the same tree.
        let mut bodies: Vec<(Body, Option<Aabb>)> = bodies.collect();
        bodies.sort_by_key(|(body, _)| (body.item, body.part));
        *self = RayScene::of_bodies(bodies);
    }

    fn of_bodies(found: Vec<(Body, Option<Aabb>)>) -> RayScene {
        let (mut bounded, mut endless) = (Vec::new(), Vec::new());
        for (body, bounds) in found {
            match bounds {
                Some(bounds) => bounded.push((body, bounds)),
                None => endless.push(body),
            }
        }
        let whole = bounded.iter().fold(Aabb::EMPTY, |all, (_, b)| all.union(b));
        let grid = if bounded.is_empty() {
            grid_of(Vec3::ZERO, 1.0)
        } else {
            grid_of(whole.center(), 0.5 * whole.size().max_element())
        };
        let boxes: Vec<Aabb> = bounded.iter().map(|(_, b)| *b).collect();
        let (nodes, order) = build::nodes(&boxes, &grid);
        let mut sorted: Vec<Option<Body>> = bounded.into_iter().map(|(body, _)| Some(body)).collect();
        let mut bodies: Vec<Body> = order.iter().filter_map(|&i| sorted[i as usize].take()).collect();
        let bounded = bodies.len();
        bodies.extend(endless);
        let boxes = order.iter().map(|&i| boxes[i as usize]).collect();
        RayScene { grid, nodes, bodies, bounded, boxes }
    }

    /// The first shape that a ray hits, or `None`. **Frames.** Those of the scene.
    pub fn cast(&self, ray: &Ray) -> Option<SceneHit> {
        self.cast_where(ray, |_| true)
    }

    /// [`RayScene::cast`] in a scene of those items only that `is_there` says yes to.
    #[inline]
    pub fn cast_where(&self, ray: &Ray, is_there: impl Fn(u32) -> bool) -> Option<SceneHit> {
        self.best_where(ray, is_there).finish(ray)
    }

    /// The item and the distance of [`RayScene::cast_where`], for those who need no point and no normal.
    #[inline]
    pub fn distance_where(&self, ray: &Ray, is_there: impl Fn(u32) -> bool) -> Option<(u32, f64)> {
        self.best_where(ray, is_there).found()
    }

    #[inline(always)]
    fn best_where<'s>(&'s self, ray: &Ray, is_there: impl Fn(u32) -> bool) -> Best<'s> {
        let mut best = Best::none(ray);
        for body in &self.bodies[self.bounded..] {
            if is_there(body.item) {
                best.offer(body, ray);
            }
        }
        if self.nodes.is_empty() {
            return best;
        }
        let boxes = BoxRay::new(ray, &self.grid);
        walk(
            &self.nodes,
            &boxes,
            boxes.limit(best.distance),
            |_| (),
            #[inline(always)]
            |first, count| {
                let mut nearer = false;
                for body in &self.bodies[first..first + count] {
                    nearer |= is_there(body.item) && best.offer(body, ray);
                }
                if nearer { Next::Nearer(boxes.limit(best.distance)) } else { Next::Continue }
            },
        );
        best
    }

    /// True if a ray hits anything within its range: stops at the first shape that comes up.
    pub fn any(&self, ray: &Ray) -> bool {
        self.any_where(ray, |_| true)
    }

    /// [`RayScene::any`] in a scene of those items only that `is_there` says yes to.
    #[inline]
    pub fn any_where(&self, ray: &Ray, is_there: impl Fn(u32) -> bool) -> bool {
        let hits = |body: &Body| is_there(body.item) && body.any(ray);
        if self.bodies[self.bounded..].iter().any(hits) {
            return true;
        }
        if self.nodes.is_empty() {
            return false;
        }
        let boxes = BoxRay::new(ray, &self.grid);
        let mut found = false;
        walk(
            &self.nodes,
            &boxes,
            boxes.limit(ray.max),
            |_| (),
            #[inline(always)]
            |first, count| {
                found = self.bodies[first..first + count].iter().any(hits);
                if found { Next::Stop } else { Next::Continue }
            },
        );
        found
    }

    /// [`RayScene::cast`] for many rays: `hits` is cleared and gets one answer for each ray.
    pub fn cast_many(&self, rays: &[Ray], hits: &mut Vec<Option<SceneHit>>) {
        hits.clear();
        hits.extend(rays.iter().map(|ray| self.cast(ray)));
    }
}

/// The nearest hit so far, still in the frame of its body.
struct Best<'s> {
    distance: f64,
    hit: Option<(&'s Body, Found)>,
}

enum Found {
    Solid(Span),
    Other(RayHit),
}

impl<'s> Best<'s> {
    #[inline(always)]
    fn none(ray: &Ray) -> Best<'s> {
        Best { distance: ray.max, hit: None }
    }

    /// The item and the distance.
    #[inline(always)]
    fn found(&self) -> Option<(u32, f64)> {
        self.hit.as_ref().map(|(body, _)| (body.item, self.distance))
    }

    #[inline(always)]
    fn offer(&mut self, body: &'s Body, ray: &Ray) -> bool {
        let Some((distance, found)) = body.found(&body.seen(&ray.up_to(self.distance))) else { return false };
        let is_first = self.hit.as_ref().is_none_or(|(b, _)| distance < self.distance || body.item < b.item);
        if is_first {
            (self.distance, self.hit) = (distance, Some((body, found)));
        }
        is_first
    }

    fn finish(self, ray: &Ray) -> Option<SceneHit> {
        let (body, found) = self.hit?;
        let hit = match found {
            Found::Solid(span) => span.hit(ray, self.distance),
            Found::Other(hit) => hit,
        };
        // From inside, the normal is against the ray.
        let normal = if hit.from_inside && hit.face.is_none() {
            -ray.direction
        } else {
            let [x, y, z] = body.turn.to_cols_array_2d().map(Vec3::from);
            Vec3::new(x.dot(hit.normal), y.dot(hit.normal), z.dot(hit.normal))
        };
        Some(SceneHit { item: body.item, hit: RayHit { point: ray.at(hit.distance), normal, ..hit } })
    }
}

impl Body {
    /// Its box in the scene; `None` for endless shapes.
    fn bounds(&self) -> Option<Aabb> {
        match &self.kind {
            BodyKind::Shape(shape) => shape.aabb_placed(&self.scene_from_shape),
            BodyKind::Mesh(tree) | BodyKind::Convex(tree) => {
                Shape::Mesh(Arc::clone(tree.mesh())).aabb_placed(&self.scene_from_shape)
            }
        }
    }

    #[inline(always)]
    fn seen(&self, ray: &Ray) -> Ray {
        Ray {
            origin: self.turn * (ray.origin - self.scene_from_shape.translation()),
            direction: self.turn * ray.direction,
            max: ray.max,
        }
    }

    /// What it is, unless it has a tree.
    #[inline(always)]
    pub(super) fn shape(&self) -> Option<&Shape> {
        match &self.kind {
            BodyKind::Shape(shape) => Some(shape),
            _ => None,
        }
    }

    /// How far a ray in the frame of the scene goes until it hits.
    #[inline(always)]
    pub(super) fn distance(&self, ray: &Ray) -> Option<f64> {
        self.found(&self.seen(ray)).map(|(distance, _)| distance)
    }

    /// `ray` in the frame of the body.
    #[inline(always)]
    fn found(&self, ray: &Ray) -> Option<(f64, Found)> {
        match self.shape().and_then(|shape| solid_span(shape, ray)) {
            Some(span) => span.and_then(|span| Some((span.distance(ray.max)?, Found::Solid(span)))),
            None => self.cast(ray).map(|hit| (hit.distance, Found::Other(hit))),
        }
    }

    /// `ray` in the frame of the body.
    #[inline(always)]
    fn cast(&self, ray: &Ray) -> Option<RayHit> {
        match &self.kind {
            BodyKind::Shape(shape) => ray_cast(shape, ray),
            BodyKind::Mesh(tree) => ray_mesh_solid(tree, ray),
            BodyKind::Convex(tree) => {
                // From inside, the first crossing is where the ray leaves, however far.
                let hit = ray_mesh(tree, &ray.up_to(f64::INFINITY))?;
                if hit.from_inside {
                    return Some(RayHit::inside(ray));
                }
                (hit.distance <= ray.max).then_some(hit)
            }
        }
    }

    fn any(&self, ray: &Ray) -> bool {
        let ray = self.seen(ray);
        match &self.kind {
            BodyKind::Shape(shape) => ray_any(shape, &ray),
            BodyKind::Mesh(tree) => ray_mesh_any(tree, &ray) || is_inside(tree, ray.origin),
            BodyKind::Convex(_) => self.cast(&ray).is_some(),
        }
    }
}

/// Takes compounds apart and gives each part its box, `None` for the endless ones.
fn collect(
    out: &mut Vec<(Body, Option<Aabb>)>,
    item: u32,
    scene_from_item: &Pose,
    item_from_shape: Pose,
    shape: Shape,
) {
    if let Shape::Compound(compound) = &shape {
        for part in compound.parts() {
            collect(
                out,
                item,
                scene_from_item,
                item_from_shape * part.compound_from_part,
                part.shape.clone(),
            );
        }
        return;
    }
    let kind = match shape {
        Shape::Mesh(mesh) => BodyKind::Mesh(tree_for_rays(mesh)),
        Shape::Convex(c) if c.surface().faces().len() > FEW_FACES => {
            BodyKind::Convex(tree_for_rays(c.surface().clone()))
        }
        other => BodyKind::Shape(other),
    };
    let scene_from_shape = *scene_from_item * item_from_shape;
    let turn = scene_from_shape.rotation_matrix().transpose();
    let part = out.last().map_or(0, |(last, _)| if last.item == item { last.part + 1 } else { 0 });
    let body = Body { item, part, turn, scene_from_shape, item_from_shape, kind };
    let bounds = body.bounds();
    out.push((body, bounds));
}

fn tree_for_rays(mesh: impl Into<Arc<Mesh>>) -> Box<MeshTree> {
    let tree = MeshTree::build(mesh);
    tree.prepare_for_rays();
    Box::new(tree)
}
