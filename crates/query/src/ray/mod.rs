//! What does a ray hit first? Rays against every shape, meshes through their tree, and scenes of many placed shapes.
//!
//! - [`Ray`], [`RayHit`]: the question and the answer
//! - [`ray_cast`], [`ray_any`]: one shape, as it is
//! - [`ray_mesh_solid`]: a mesh through its [`MeshTree`](crate::mesh_tree::MeshTree), a solid if it is closed
//! - [`ray_mesh`], [`ray_mesh_any`], [`ray_mesh_many`]: its surface, whether closed or not
//! - [`RayScene`]: many placed shapes in one tree; [`RayFan`]: many rays from one point through it
//!
//! **Solids.** Sphere, box, cylinder, capsule, cone, half space, convex body and closed mesh are solids, one rule for all: a
//! ray that starts inside or on the surface hits at distance 0, with the normal against the ray, no face, and
//! `from_inside` set. **Surfaces.** Open meshes and height fields have no inside and are hit from either side; `from_inside`
//! says that the face was hit from its back. Who looks for the wall where a ray leaves a closed mesh asks [`ray_mesh`], which
//! takes every mesh for a surface. Compounds and scenes are the union of their parts, each by its own rule.
//!
//! **Guarantee.** Rays do not slip through the edges and vertices that triangles share: see [`ray_mesh`].

mod block;
mod convex;
mod fan;
mod height_field;
mod lanes;
mod many;
mod mesh;
mod round;
mod scene;
mod solid;
mod triangle;
mod walk;

pub use fan::{FanMemory, RayFan};
pub use many::ray_mesh_many;
pub use mesh::{ray_mesh, ray_mesh_any, ray_mesh_solid};
pub use scene::{RayScene, SceneHit};

use freiraum_geometry::math::unit;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_geometry::{Pose, Vec3};

/// Why a ray cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RayError {
    /// A coordinate of the origin is not a number or too large.
    #[error("the origin of a ray must be finite and at most 1e50 m away: ({:?}, {:?}, {:?})", .0.x, .0.y, .0.z)]
    BadOrigin(Vec3),
    /// The direction has no length, or is not finite.
    #[error("the direction of a ray must be finite and not zero: ({:?}, {:?}, {:?})", .0.x, .0.y, .0.z)]
    BadDirection(Vec3),
    /// The range is negative or not a number.
    #[error("the range of a ray must not be negative: {0:?}")]
    BadRange(f64),
}

/// A ray: where it starts, where it goes and how far. Checked when it is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: Vec3,
    direction: Vec3,
    max: f64,
}

impl Ray {
    /// A ray from `origin` in `direction`, of any non-zero length, that sees as far as `max` metres (which may be
    /// infinite).
    ///
    /// **Units.** Distances along the ray are in metres, whatever the length of `direction`.
    /// **Degenerate input.** NaN, infinite coordinates, a zero direction and a negative range are refused.
    pub fn new(origin: Vec3, direction: Vec3, max: f64) -> Result<Ray, RayError> {
        if !(origin.abs().max_element() <= MAX_COORDINATE) || origin.is_nan() {
            return Err(RayError::BadOrigin(origin));
        }
        let unit = unit(direction).ok_or(RayError::BadDirection(direction))?;
        if !(max >= 0.0) {
            return Err(RayError::BadRange(max));
        }
        Ok(Ray { origin, direction: unit, max })
    }

    /// [`Ray::new`] for a direction whose length is 1 already: spares the square root where many rays are made.
    ///
    /// **Degenerate input.** As [`Ray::new`]; a direction whose length is not 1 to rounding is made a unit vector.
    #[inline]
    pub fn along(origin: Vec3, direction: Vec3, max: f64) -> Result<Ray, RayError> {
        let is_good = Ray::is_unit(direction) && Ray::is_start(origin, max);
        if is_good { Ok(Ray { origin, direction, max }) } else { Ray::new(origin, direction, max) }
    }

    /// Whether a direction may be taken as it is: a rotated unit vector is off by a few units in the last place; so are then distances.
    #[inline]
    fn is_unit(direction: Vec3) -> bool {
        Ray::is_about_unit((direction.length_squared() - 1.0).abs())
    }

    /// The same for how much the square of its length is off 1.
    #[inline]
    fn is_about_unit(off: f64) -> bool {
        off <= 16.0 * f64::EPSILON
    }

    /// Whether rays may start there and go so far.
    #[inline]
    fn is_start(origin: Vec3, max: f64) -> bool {
        origin.abs().max_element() <= MAX_COORDINATE && !origin.is_nan() && max >= 0.0
    }

    /// Where the ray starts.
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Where it goes: a unit vector.
    pub fn direction(&self) -> Vec3 {
        self.direction
    }

    /// How far it sees, in metres.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// The point at a distance in metres.
    pub fn at(&self, distance: f64) -> Vec3 {
        self.origin + distance * self.direction
    }

    /// The same ray seen from frame b.
    ///
    /// **Degenerate input.** A pose that moves the origin beyond `MAX_COORDINATE` is refused, as [`Ray::new`] would.
    pub fn seen_from(&self, b_from_ray: &Pose) -> Result<Ray, RayError> {
        let seen = self.seen_from_part(b_from_ray);
        let is_good = seen.origin.abs().max_element() <= MAX_COORDINATE && !seen.origin.is_nan();
        if is_good { Ok(seen) } else { Err(RayError::BadOrigin(seen.origin)) }
    }

    /// The same ray seen from a part of a compound, whose pose was checked with the compound: the origin may be a little
    /// beyond `MAX_COORDINATE`, which makes no difference to any formula.
    pub(crate) fn seen_from_part(&self, b_from_ray: &Pose) -> Ray {
        Ray {
            origin: b_from_ray.transform_point(self.origin),
            direction: b_from_ray.rotate(self.direction),
            max: self.max,
        }
    }

    /// The same ray that sees no farther than `max` metres.
    fn up_to(&self, max: f64) -> Ray {
        Ray { max, ..*self }
    }
}

/// Where a ray hits. **Frames.** Those of the ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Metres from the start of the ray.
    pub distance: f64,
    /// The point: the ray at that distance.
    pub point: Vec3,
    /// Unit normal of the surface, outward (of a mesh: as the face is wound). Where a solid is hit from inside, and on
    /// faces without area, it points against the ray.
    pub normal: Vec3,
    /// Of a mesh, convex body (its surface) or height field (its tessellation) the face that was hit; of several
    /// at the same distance the first.
    pub face: Option<u32>,
    /// The start of the ray lies in the solid; of a surface: the face was hit from its back.
    pub from_inside: bool,
}

impl RayHit {
    /// Starting in a solid.
    fn inside(ray: &Ray) -> RayHit {
        RayHit { distance: 0.0, point: ray.origin, normal: -ray.direction, face: None, from_inside: true }
    }
}

/// The first point of a shape that a ray hits, or `None` if it hits nothing within its range.
///
/// **Frames.** The ray is given in the frame of the shape; so is the answer. **Guarantee.** The distance is right to
/// rounding of the coordinates of ray and shape, divided by the sine of the angle between ray and surface. Rays that graze
/// a round surface within rounding may be answered either way; for solids and surfaces see the [module](self).
/// **Cost.** Constant for primitives; O(faces) for convex bodies and meshes, O(rows + columns) for height fields, the sum
/// of the parts for compounds; O(n log n) and memory for a tree if the ray starts within the box of a mesh or hits the back
/// of a face. Meshes that are asked more than once deserve a tree: [`ray_mesh_solid`], [`RayScene`].
pub fn ray_cast(shape: &Shape, ray: &Ray) -> Option<RayHit> {
    if let Some(span) = solid_span(shape, ray) {
        return solid::hit(ray, span);
    }
    match shape {
        Shape::Sphere(_)
        | Shape::Cuboid(_)
        | Shape::Cylinder(_)
        | Shape::Capsule(_)
        | Shape::Cone(_)
        | Shape::HalfSpace(_) => None,
        Shape::Convex(s) => convex::cast(s.surface(), ray),
        Shape::Mesh(s) => mesh::cast_all(s, ray),
        Shape::HeightField(s) => height_field::cast(s, ray),
        Shape::Compound(s) => {
            let mut best: Option<RayHit> = None;
            for part in s.parts() {
                let near = ray.up_to(best.map_or(ray.max, |b| b.distance));
                let found = ray_cast(&part.shape, &near.seen_from_part(&part.compound_from_part.inverse()));
                if let Some(hit) = found.filter(|h| best.is_none_or(|b| h.distance < b.distance)) {
                    best = Some(placed(hit, ray, &part.compound_from_part));
                }
            }
            best
        }
    }
}

/// The part of the line of a ray in a solid that has a formula for it; `None` for the other kinds of shapes.
#[inline(always)]
#[expect(clippy::option_option, reason = "no formula and no part are different answers")]
fn solid_span(shape: &Shape, ray: &Ray) -> Option<Option<solid::Span>> {
    Some(match shape {
        Shape::Sphere(s) => round::sphere(s.radius(), ray),
        Shape::Cuboid(s) => solid::cuboid(s.half(), ray),
        Shape::Cylinder(s) => round::cylinder(s.radius(), 0.5 * s.height(), ray),
        Shape::Capsule(s) => round::capsule(s.radius(), 0.5 * s.height(), ray),
        Shape::Cone(s) => round::cone(s.radius(), s.height(), ray),
        Shape::HalfSpace(s) => solid::half_space(s.normal(), s.offset(), ray),
        Shape::Convex(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => return None,
    })
}

/// How far along the ray its line leaves a solid that has a formula for it; `None` for other kinds of shapes, and for lines that miss it.
pub(crate) fn leaves(shape: &Shape, ray: &Ray) -> Option<f64> {
    solid_span(shape, ray)?.map(|span| span.leave)
}

/// True if a ray hits anything of a shape within its range.
///
/// **Guarantee.** The answer of `ray_cast(..).is_some()`. **Cost.** As [`ray_cast`], but meshes and compounds stop at
/// the first hit that comes up.
pub fn ray_any(shape: &Shape, ray: &Ray) -> bool {
    match shape {
        Shape::Mesh(s) => mesh::any_of_all(s, ray),
        Shape::Compound(s) => {
            s.parts().iter().any(|p| ray_any(&p.shape, &ray.seen_from_part(&p.compound_from_part.inverse())))
        }
        _ => match solid_span(shape, ray) {
            Some(span) => span.is_some_and(|s| s.distance(ray.max).is_some()),
            None => ray_cast(shape, ray).is_some(),
        },
    }
}

/// A hit found in the frame of a part, in the frame of `ray`.
fn placed(hit: RayHit, ray: &Ray, ray_from_part: &Pose) -> RayHit {
    RayHit { point: ray.at(hit.distance), normal: ray_from_part.rotate(hit.normal), ..hit }
}
