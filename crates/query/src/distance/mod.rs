//! How far apart are two shapes, and where?
//!
//! - spheres with primitives, capsules, overlapping boxes: closed forms
//! - other convex pairs: GJK where they are apart, the exact depth where they overlap
//! - half spaces: one support point
//! - meshes and height fields: the nearest triangle through the tree; of height fields also that of their sides
//! - compounds: the nearest part

mod capsule_capsule;
mod cuboid_cuboid;
pub(crate) mod half_space;
pub(crate) mod point_solid;
pub(crate) mod round;
pub(crate) mod shared;
mod sphere;
pub(crate) mod surface;

use crate::convex::{ConvexBody, penetration_convex};
use crate::dispatch::{PairQuery, ask, ask_checked};
use crate::prepared::{PreparedPart, Solid, Surface};
use crate::surface::gap_squared;
use crate::workspace::with_penetration;
use crate::{Closest, Prepared, QueryError};
use freiraum_geometry::Pose;
use freiraum_geometry::shape::{HalfSpace, Shape};

/// The distance of two shapes with a pair of nearest points.
///
/// **Frames.** The answer is in the frame of a. **Guarantee.** Positive: no points of the two are nearer. Between convex
/// shapes, and between a half space and anything, an overlap has a negative distance: its depth, the length of the shortest
/// translation that separates them. Where a mesh, a height field or a compound overlaps something else, the distance is 0
/// at a point of both; [`contact`](crate::contact()) knows more. Gaps are off by rounding; so are depths of
/// polyhedra, spheres and capsules, while those of cylinders and cones are iterated, to 1e-6 of their size.
/// **Degenerate input.** Two half spaces that do not face each other overlap without end: the distance is 0.
/// **Errors.** A pose that is not finite, or beyond the largest coordinate.
///
/// ```
/// use freiraum_geometry::{Pose, Shape, Vec3, shape::{Cuboid, Sphere}};
/// use freiraum_query::{Prepared, distance};
///
/// let ball = Prepared::new(Shape::Sphere(Sphere::new(1.0)?));
/// let cube = Prepared::new(Shape::Cuboid(Cuboid::new(Vec3::splat(2.0))?));
/// let gap = distance(&ball, &cube, &Pose::from_translation(Vec3::new(5.0, 0.0, 0.0)))?;
/// assert_eq!((gap.distance, gap.point_on_b), (3.0, Vec3::new(4.0, 0.0, 0.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Result<Closest, QueryError> {
    ask(&Distance, a, b, a_from_b)
}

/// The question.
pub(crate) struct Distance;

impl PairQuery for Distance {
    type Answer = Closest;

    fn special(&self, a: &Shape, b: &Shape, a_from_b: &Pose) -> Option<Closest> {
        match (a, b) {
            (Shape::Sphere(a), Shape::Sphere(b)) => Some(sphere::distance_sphere_sphere(a, b, a_from_b)),
            (Shape::Sphere(a), b) => sphere::distance_sphere_primitive(a, b, a_from_b),
            (Shape::Capsule(a), Shape::Capsule(b)) => {
                Some(capsule_capsule::distance_capsule_capsule(a, b, a_from_b))
            }
            (Shape::Cuboid(a), Shape::Cuboid(b)) => cuboid_cuboid::overlap_cuboid_cuboid(a, b, a_from_b),
            _ => None,
        }
    }

    fn convex_convex(&self, a: &Solid, b: &Solid, a_from_b: &Pose) -> Closest {
        signed_convex(a.body, b.body, a_from_b)
    }

    fn convex_half_space(&self, a: &Solid, b: &HalfSpace, a_from_b: &Pose) -> Closest {
        half_space::distance_convex_half_space(a, b, a_from_b)
    }

    fn half_spaces(&self, a: &HalfSpace, b: &HalfSpace, a_from_b: &Pose) -> Closest {
        half_space::distance_half_spaces(a, b, a_from_b)
    }

    fn convex_surface(&self, a: &Solid, b: &Surface, a_from_b: &Pose) -> Closest {
        surface::distance_convex_surface(a, b, a_from_b)
    }

    fn half_space_surface(&self, a: &HalfSpace, b: &Surface, a_from_b: &Pose) -> Closest {
        surface::distance_half_space_surface(a, b, a_from_b)
    }

    fn surfaces(&self, a: &Surface, b: &Surface, a_from_b: &Pose) -> Closest {
        surface::distance_surfaces(a, b, a_from_b)
    }

    /// The nearest part; parts whose boxes are farther away than the best so far are passed over.
    fn any_compound(&self, a: &Prepared, b: &[PreparedPart], a_from_b: &Pose) -> Closest {
        let bounds = a.bounds_placed(&a_from_b.inverse()).filter(|_| !a.fills_beyond_bounds());
        let bound = |part: &PreparedPart| match (&bounds, &part.bounds) {
            (Some(a), Some(b)) if !part.part.fills_beyond_bounds() => gap_squared(a, b).sqrt(),
            _ => f64::NEG_INFINITY,
        };
        let of_part =
            |part: &PreparedPart| ask_checked(self, a, &part.part, &(*a_from_b * part.compound_from_part));
        // The part with the least bound first: it is often the nearest.
        let first = (0..b.len()).min_by(|&i, &j| bound(&b[i]).total_cmp(&bound(&b[j]))).unwrap_or(0);
        let (mut nearest, mut best) = (first, of_part(&b[first]));
        for (i, part) in b.iter().enumerate() {
            if i != first && bound(part) < best.distance {
                let found = of_part(part);
                if found.distance < best.distance {
                    (nearest, best) = (i, found);
                }
            }
        }
        let PreparedPart { part, compound_from_part, .. } = &b[nearest];
        shared::met(a, part, &(*a_from_b * *compound_from_part), best)
    }

    fn swapped(&self, answer: Closest, a_from_b: &Pose) -> Closest {
        answer.placed(a_from_b).swapped()
    }
}

/// The signed distance of two convex bodies, the same whatever was asked before.
pub(crate) fn signed_convex(a: &dyn ConvexBody, b: &dyn ConvexBody, a_from_b: &Pose) -> Closest {
    let closest = with_penetration(|workspace| penetration_convex(a, b, a_from_b, workspace));
    if a.is_polyhedral() && b.is_polyhedral() { closest } else { round::settled(a, b, a_from_b, closest) }
}
