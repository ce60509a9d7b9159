//! Everything that can be placed: what it is, how large, how heavy, how it looks in triangles.
//!
//! - [`Sphere`], [`Cuboid`], [`Cylinder`], [`Capsule`], [`Cone`]: solids in closed form, centred, axis along z
//! - [`Convex`]: the convex hull of points
//! - [`HalfSpace`]: everything below a plane
//! - [`Mesh`], [`HeightField`]: triangles, and heights on a grid
//! - [`Compound`]: the union of placed shapes
//!
//! [`Shape`] is any of them. A shape is checked when it is made and never changes; it has a frame of its own but
//! no place, which is a [`Pose`]. Questions about two shapes are not answered here.

mod capsule;
mod compound;
mod cone;
mod content;
mod convex;
mod cuboid;
mod cylinder;
mod error;
mod half_space;
mod height_field;
mod icosphere;
mod kind;
mod sphere;
mod support;
mod tessellation;
#[cfg(test)]
mod tests;

pub use capsule::Capsule;
pub use compound::{Compound, MAX_DEPTH, MAX_PARTS, Part};
pub use cone::Cone;
pub use content::CONTENT_VERSION;
pub use convex::Convex;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use error::ShapeError;
pub use half_space::HalfSpace;
pub use height_field::HeightField;
pub use kind::Kind;
pub use sphere::Sphere;
pub use support::Support;
pub use tessellation::{MAX_TRIANGLES, TessellationError};

use crate::math::rounding;
use crate::{Aabb, MassProperties, Mesh, Pose, Vec3};
use std::sync::Arc;
use tessellation::Fineness;

/// Anything that can be placed. Cheap to copy: large data are shared.
///
/// Every question about shapes answers for every variant. A new one is a breaking change: the compiler lists the places that
/// have to handle it.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A ball.
    Sphere(Sphere),
    /// A box.
    Cuboid(Cuboid),
    /// A cylinder.
    Cylinder(Cylinder),
    /// A cylinder with round ends.
    Capsule(Capsule),
    /// A cone.
    Cone(Cone),
    /// Everything below a plane.
    HalfSpace(HalfSpace),
    /// A convex polyhedron.
    Convex(Convex),
    /// Triangles; a solid if they are closed and wound outward, else a surface.
    Mesh(Arc<Mesh>),
    /// A surface over a rectangle.
    HeightField(HeightField),
    /// The union of placed shapes.
    Compound(Compound),
}

impl Shape {
    /// What kind of shape it is.
    pub fn kind(&self) -> Kind {
        match self {
            Shape::Sphere(_) => Kind::Sphere,
            Shape::Cuboid(_) => Kind::Cuboid,
            Shape::Cylinder(_) => Kind::Cylinder,
            Shape::Capsule(_) => Kind::Capsule,
            Shape::Cone(_) => Kind::Cone,
            Shape::HalfSpace(_) => Kind::HalfSpace,
            Shape::Convex(_) => Kind::Convex,
            Shape::Mesh(_) => Kind::Mesh,
            Shape::HeightField(_) => Kind::HeightField,
            Shape::Compound(_) => Kind::Compound,
        }
    }

    /// The shape as a convex body, or `None` for half spaces and what is made of parts.
    pub fn as_convex(&self) -> Option<&dyn Support> {
        match self {
            Shape::Sphere(s) => Some(s),
            Shape::Cuboid(s) => Some(s),
            Shape::Cylinder(s) => Some(s),
            Shape::Capsule(s) => Some(s),
            Shape::Cone(s) => Some(s),
            Shape::Convex(s) => Some(s),
            Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => None,
        }
    }

    /// A point of a convex shape that lies farthest in `direction`, in the frame of the shape; see
    /// [`Support::support`]. `None` where [`Shape::as_convex`] is `None`.
    pub fn support(&self, direction: Vec3) -> Option<Vec3> {
        Some(self.as_convex()?.support(direction))
    }

    /// The smallest axis-parallel box in the frame of the shape, or `None` if the shape has no end.
    ///
    /// **Guarantee.** Holds every point of the shape. Exact; for capsules rounded outward by at most one unit in the last
    /// place, for compounds by the rounding of placing their parts.
    pub fn aabb(&self) -> Option<Aabb> {
        match self {
            Shape::Sphere(s) => Some(s.aabb()),
            Shape::Cuboid(s) => Some(s.aabb()),
            Shape::Cylinder(s) => Some(s.aabb()),
            Shape::Capsule(s) => Some(s.aabb()),
            Shape::Cone(s) => Some(s.aabb()),
            Shape::HalfSpace(_) => None,
            Shape::Convex(s) => Some(s.aabb()),
            Shape::Mesh(s) => Some(s.aabb()),
            Shape::HeightField(s) => Some(s.aabb()),
            Shape::Compound(s) => s.aabb(),
        }
    }

    /// An axis-parallel box in frame a that holds the shape placed by `a_from_shape`, or `None` if it has no end.
    ///
    /// **Guarantee.** Holds every point of the placed shape, and is larger than the smallest such box by the rounding
    /// of the coordinates only. **Cost.** O(vertices) for convex bodies and height fields, O(faces) for meshes.
    pub fn aabb_placed(&self, a_from_shape: &Pose) -> Option<Aabb> {
        let placed = match self {
            Shape::HalfSpace(_) => return None,
            Shape::Compound(s) => return s.aabb_placed(a_from_shape),
            // Vertices that no face uses are no part of the shape.
            Shape::Mesh(s) => box_of(s.triangles().flatten(), a_from_shape),
            Shape::Convex(s) => box_of(s.vertices().iter().copied(), a_from_shape),
            Shape::HeightField(s) => {
                let grid = (0..s.rows()).flat_map(|r| (0..s.columns()).map(move |c| s.vertex(r, c)));
                box_of(grid, a_from_shape)
            }
            _ => {
                let convex = self.as_convex()?;
                let shape_from_a = a_from_shape.inverse();
                let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| shape_from_a.rotate(axis));
                box_of(axes.into_iter().flat_map(|d| [convex.support(d), convex.support(-d)]), a_from_shape)
            }
        };
        let own = self.aabb()?.reach();
        let reach = 2.0 * own + a_from_shape.translation().abs().max_element();
        Some(placed.inflated(rounding::coordinate(reach)))
    }

    /// True if `point`, in the frame of the shape, lies in the closed solid.
    ///
    /// `None` for meshes, height fields, and compounds that depend on one. Points within rounding of a round surface may
    /// be answered either way; for boxes and convex bodies the answer is exact.
    pub fn contains(&self, point: Vec3) -> Option<bool> {
        match self {
            Shape::Sphere(s) => Some(s.contains(point)),
            Shape::Cuboid(s) => Some(s.contains(point)),
            Shape::Cylinder(s) => Some(s.contains(point)),
            Shape::Capsule(s) => Some(s.contains(point)),
            Shape::Cone(s) => Some(s.contains(point)),
            Shape::HalfSpace(s) => Some(s.contains(point)),
            Shape::Convex(s) => Some(s.contains(point)),
            Shape::Mesh(_) | Shape::HeightField(_) => None,
            Shape::Compound(s) => s.contains(point),
        }
    }

    /// Surface area in square metres, or `None` if the shape has no end. Height fields count one side, compounds the
    /// sum of their parts.
    pub fn area(&self) -> Option<f64> {
        match self {
            Shape::Sphere(s) => Some(s.area()),
            Shape::Cuboid(s) => Some(s.area()),
            Shape::Cylinder(s) => Some(s.area()),
            Shape::Capsule(s) => Some(s.area()),
            Shape::Cone(s) => Some(s.area()),
            Shape::HalfSpace(_) => None,
            Shape::Convex(s) => Some(s.area()),
            Shape::Mesh(s) => Some(s.area()),
            Shape::HeightField(s) => Some(s.area()),
            Shape::Compound(s) => s.area(),
        }
    }

    /// Volume, centre and inertia at density one, in the frame of the shape.
    ///
    /// **Guarantee.** Closed forms for the primitives, surface integrals for convex bodies and meshes. A mesh is taken as
    /// it is ([`Mesh::mass_properties`]): `MeshReport` tells whether it bounds a solid. Parts of a compound that overlap count
    /// once each. `None` where there is no volume to speak of: half spaces (no end), height fields (a surface),
    /// flat meshes, and compounds with such a part.
    pub fn mass_properties(&self) -> Option<MassProperties> {
        match self {
            Shape::Sphere(s) => Some(s.mass_properties()),
            Shape::Cuboid(s) => Some(s.mass_properties()),
            Shape::Cylinder(s) => Some(s.mass_properties()),
            Shape::Capsule(s) => Some(s.mass_properties()),
            Shape::Cone(s) => Some(s.mass_properties()),
            Shape::HalfSpace(_) | Shape::HeightField(_) => None,
            Shape::Convex(s) => s.mass_properties(),
            Shape::Mesh(s) => s.mass_properties(),
            Shape::Compound(s) => s.mass_properties(),
        }
    }

    /// Triangles that stay within `max_deviation` metres of the surface of the shape.
    ///
    /// **Guarantee.** No point of the triangles is farther than `max_deviation` from the true surface and no point of the
    /// true surface farther than that from the triangles. Vertices lie on the true surface, up to rounding. Primitives
    /// and convex bodies give a closed, outward mesh with shared vertices that lies inside the true solid. Boxes, convex
    /// bodies, meshes and height fields are exact whatever the deviation; meshes and height fields come as they are,
    /// open if they are open. The parts of a compound stand side by side, overlapping where the parts do.
    /// **Cost.** Triangles grow with 1/max_deviation for spheres and capsules, with its square root for cylinders and
    /// cones; more than [`MAX_TRIANGLES`] are refused (a lone mesh, convex body or height field comes at any size).
    pub fn tessellate(&self, max_deviation: f64) -> Result<Mesh, TessellationError> {
        if !(max_deviation > 0.0 && max_deviation.is_finite()) {
            return Err(TessellationError::BadDeviation(max_deviation));
        }
        let fineness = Fineness { asked: max_deviation, left: max_deviation };
        let is_given = matches!(self, Shape::Mesh(_) | Shape::Convex(_) | Shape::HeightField(_));
        if !is_given && self.triangle_count(&fineness)? > MAX_TRIANGLES as f64 {
            return Err(TessellationError::TooManyTriangles { max_deviation });
        }
        self.tessellate_counted(&fineness)
    }

    /// How many triangles [`Shape::tessellate`] makes; without limit, perhaps more than a whole number can hold.
    fn triangle_count(&self, fineness: &Fineness) -> Result<f64, TessellationError> {
        // Vertices that no face uses take memory too: three of them count as one triangle.
        let mesh_count = |mesh: &Mesh| mesh.faces().len().max(mesh.vertices().len() / 3) as f64;
        match self {
            Shape::Sphere(s) => s.triangle_count(fineness),
            Shape::Cuboid(_) => Ok(12.0),
            Shape::Cylinder(s) => s.triangle_count(fineness),
            Shape::Capsule(s) => s.triangle_count(fineness),
            Shape::Cone(s) => s.triangle_count(fineness),
            Shape::HalfSpace(_) => Err(TessellationError::Unbounded),
            Shape::Convex(s) => Ok(mesh_count(s.surface())),
            Shape::Mesh(s) => Ok(mesh_count(s)),
            Shape::HeightField(s) => Ok(s.triangle_count() as f64),
            Shape::Compound(s) => s.triangle_count(fineness),
        }
    }

    /// The triangles, after they have been counted and found few enough.
    fn tessellate_counted(&self, fineness: &Fineness) -> Result<Mesh, TessellationError> {
        match self {
            Shape::Sphere(s) => s.tessellate(fineness),
            Shape::Cuboid(s) => Ok(s.mesh()),
            Shape::Cylinder(s) => s.tessellate(fineness),
            Shape::Capsule(s) => s.tessellate(fineness),
            Shape::Cone(s) => s.tessellate(fineness),
            Shape::HalfSpace(_) => Err(TessellationError::Unbounded),
            Shape::Convex(s) => Ok(s.surface().clone()),
            Shape::Mesh(s) => Ok((**s).clone()),
            Shape::HeightField(s) => Ok(s.mesh()),
            Shape::Compound(s) => s.tessellate(fineness),
        }
    }
}

/// The box of points after placing them.
fn box_of(points: impl Iterator<Item = Vec3>, a_from_points: &Pose) -> Aabb {
    points.fold(Aabb::EMPTY, |b, p| b.grown(a_from_points.transform_point(p)))
}
