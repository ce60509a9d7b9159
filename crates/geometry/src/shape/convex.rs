//! The convex polyhedron.

use super::{ShapeError, Support};
use crate::hull::{Hull, convex_hull};
use crate::math::predicates::side_of_plane;
use crate::{Aabb, MassProperties, Mesh, Vec3};
use std::cmp::Ordering;
use std::sync::Arc;

/// A solid convex polyhedron: the convex hull of points. Copies share their data.
#[derive(Clone, Debug, PartialEq)]
pub struct Convex {
    surface: Arc<Mesh>,
}

impl Convex {
    /// The convex hull of points in metres, exact.
    ///
    /// **Degenerate input.** Duplicate points and points inside are left out. Points that lie exactly in one plane,
    /// on one line or in one place span no solid and are refused; nearly flat ones are accepted as they are.
    /// **Cost.** That of [`convex_hull`].
    pub fn from_points(points: &[Vec3]) -> Result<Convex, ShapeError> {
        match convex_hull(points)? {
            Hull::Solid(hull) => Ok(Convex { surface: Arc::new(hull.mesh(points)) }),
            Hull::Point(_) => Err(ShapeError::NotSolid { points: points.len(), found: "coincide" }),
            Hull::Segment(_) => Err(ShapeError::NotSolid { points: points.len(), found: "lie on one line" }),
            Hull::Flat(_) => Err(ShapeError::NotSolid { points: points.len(), found: "lie in one plane" }),
        }
    }

    /// The corners in metres: exactly the extreme points.
    pub fn vertices(&self) -> &[Vec3] {
        self.surface.vertices()
    }

    /// The surface: closed, outward, flat facets triangulated, every vertex a corner.
    pub fn surface(&self) -> &Mesh {
        &self.surface
    }

    /// The smallest axis-parallel box in the frame of the points, exact.
    pub fn aabb(&self) -> Aabb {
        self.surface.aabb()
    }

    /// True if `point` lies in the closed polyhedron; exact. **Cost.** O(faces).
    pub fn contains(&self, point: Vec3) -> bool {
        self.surface.triangles().all(|[a, b, c]| side_of_plane(a, b, c, point) != Ordering::Greater)
    }

    /// Surface area in square metres.
    pub fn area(&self) -> f64 {
        self.surface.area()
    }

    /// Volume, centre and inertia by integrals over the surface; see [`Mesh::mass_properties`]. `None` if the
    /// polyhedron is so thin that its volume is lost in the rounding of its coordinates.
    pub fn mass_properties(&self) -> Option<MassProperties> {
        self.surface.mass_properties()
    }
}

impl Support for Convex {
    /// See [`Support::support`]. **Cost.** O(vertices).
    fn support(&self, direction: Vec3) -> Vec3 {
        // Scaled, so that directions of extreme length neither under- nor overflow.
        let largest = direction.abs().max_element();
        let vertices = self.vertices();
        if !(largest > 0.0 && largest.is_finite()) {
            return vertices[0];
        }
        let direction = direction / largest;
        let share = |p: &Vec3| p.dot(direction);
        let mut best = (vertices[0], share(&vertices[0]));
        for p in &vertices[1..] {
            let found = share(p);
            if found > best.1 {
                best = (*p, found);
            }
        }
        best.0
    }
}
