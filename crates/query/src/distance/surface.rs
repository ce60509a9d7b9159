//! Distances to meshes and height fields: the nearest triangle through the tree, and the inside of closed ones.

use super::half_space::placed;
use super::round::settled;
use super::shared::shared_point;
use super::signed_convex;
use crate::Closest;
use crate::convex::{ConvexCache, ConvexDistance, Points, distance_convex};
use crate::mesh_tree::{MeshDistanceCache, surface_distance};
use crate::prepared::{Solid, Surface};
use crate::surface::Held;
use crate::workspace::with_meshes;
use freiraum_geometry::shape::HalfSpace;
use freiraum_geometry::tolerance::DISTANCE_RELATIVE;
use freiraum_geometry::{Aabb, Pose, Vec3};

/// Convex body and surface; 0 where they meet, and where the body is inside a closed one.
pub(crate) fn distance_convex_surface(a: &Solid, b: &Surface, a_from_b: &Pose) -> Closest {
    let near = a.placed_box(&a_from_b.inverse());
    let mut nearest = NOWHERE;
    nearest_triangle(a, b, a_from_b, &near, &mut nearest);
    if let Some(sides) = b.sides_near(&near).filter(|_| nearest.distance > 0.0) {
        nearest_triangle(a, sides, a_from_b, &near, &mut nearest);
    }
    if nearest.distance <= 0.0 {
        let shared = 0.5 * nearest.point_on_a + 0.5 * nearest.point_on_b;
        return Closest { distance: 0.0, point_on_a: shared, point_on_b: shared, ..nearest };
    }
    if let Held::Inside(inner) = b.holds_convex(a, a_from_b) {
        // Clear of the surface and with one point inside: all of it is inside.
        return Closest { distance: 0.0, point_on_a: inner, point_on_b: inner, ..nearest };
    }
    nearest
}

/// Farther than anything.
const NOWHERE: Closest =
    Closest { distance: f64::INFINITY, point_on_a: Vec3::ZERO, point_on_b: Vec3::ZERO, normal: Vec3::X };

/// The triangle nearest to a convex body, whatever is inside what, if it is nearer than `best`. `near`: the box of the body in the frame of the surface.
fn nearest_triangle(a: &Solid, b: &Surface, a_from_b: &Pose, near: &Aabb, best: &mut Closest) {
    let mut cache = ConvexCache::new();
    // Triangles that may be the nearest after all, because round bodies are approached by iteration.
    let is_round = !a.body.is_polyhedral();
    let doubt = if is_round { DISTANCE_RELATIVE * (a.reach() + b.bounds().reach()) } else { 0.0 };
    b.visit_near(near, best.distance, |leaf| {
        let triangle = Points(leaf.corners);
        let found = match distance_convex(a.body, &triangle, a_from_b, &mut cache) {
            ConvexDistance::Separated(closest) => closest,
            ConvexDistance::Overlapping => {
                let deep = signed_convex(a.body, &triangle, a_from_b);
                let Closest { point_on_a, point_on_b, .. } = deep;
                let shared = shared_point(a.body, &triangle, a_from_b, &[point_on_b, point_on_a]);
                *best = Closest { distance: 0.0, point_on_a: shared, point_on_b: shared, ..deep };
                return -1.0;
            }
        };
        if found.distance < best.distance + doubt {
            let found = if is_round { settled(a.body, &triangle, a_from_b, found) } else { found };
            if found.distance < best.distance {
                *best = found;
            }
        }
        best.distance
    });
}

/// Half space and surface: the corner farthest into the half space decides; exact, the depth too.
pub(crate) fn distance_half_space_surface(a: &HalfSpace, b: &Surface, a_from_b: &Pose) -> Closest {
    let (up, offset) = placed(a, &a_from_b.inverse());
    let (lowest, _) = b.farthest(-up);
    let distance = up.dot(lowest) - offset;
    let on_b = a_from_b.transform_point(lowest);
    Closest { distance, point_on_a: on_b - distance * a.normal(), point_on_b: on_b, normal: a.normal() }
}

/// Two surfaces; 0 where they meet, and where one is inside the other, a closed one.
pub(crate) fn distance_surfaces(a: &Surface, b: &Surface, a_from_b: &Pose) -> Closest {
    let between = |a: &Surface, b: &Surface| {
        with_meshes(|workspace| {
            let cache = &mut MeshDistanceCache::default();
            surface_distance(a.tree(), b.tree(), a_from_b, workspace, cache).closest
        })
    };
    let mut nearest = between(a, b);
    if nearest.distance > 0.0 {
        for (sides, is_b) in Surface::sides_between(a, b, a_from_b) {
            let beside = if is_b { between(a, sides) } else { between(sides, b) };
            if beside.distance < nearest.distance {
                nearest = beside;
            }
        }
    }
    if nearest.distance <= 0.0 || (a.is_sheet() && b.is_sheet()) {
        return nearest;
    }
    // Clear of each other's surface: solids meet only if one holds a shell of the other.
    let b_from_a = a_from_b.inverse();
    let held = a.shell_in(b, &b_from_a).or_else(|| Some(a_from_b.transform_point(b.shell_in(a, a_from_b)?)));
    held.map_or(nearest, |p| Closest { distance: 0.0, point_on_a: p, point_on_b: p, ..nearest })
}
