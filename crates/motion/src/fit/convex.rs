//! Convex polyhedra made smaller: what is deeper than the depth below all planes.

use super::planes::{Planes, is_turned, plane_normal};
use freiraum_geometry::enclose::{BoundingPlane, InscribeError, largest_inscribed_sphere};
use freiraum_geometry::hull::{Hull, convex_hull};
use freiraum_geometry::shape::Convex;
use freiraum_geometry::tolerance::WELD_RELATIVE;
use freiraum_geometry::{Mesh, Vec3};

/// The polyhedron with all its planes moved inwards; `None` if nothing is left.
///
/// Corners that move so that no plane at them gets deeper than the depth span a body that holds everything deeper than that: seen in any
/// direction u, the outermost corner v lies on planes whose normals make up u with positive factors, and moves back in that
/// direction by no more than what lies that deep below them. Where all of the corners move by the whole depth, that is the body
/// itself. Otherwise, planes vanish, or a corner has more of them than agree on one point: then the planes are intersected.
pub(super) fn shrink(convex: &Convex, depth: f64) -> Option<Convex> {
    let surface = convex.surface();
    let corners = Planes::of(surface, |i| i).moved(surface, depth);
    if is_parallel(surface, &corners, depth) {
        return Convex::from_points(&corners).ok();
    }
    match intersection(surface, depth) {
        Left::Nothing => None,
        Left::Corners(exact) => Convex::from_points(&exact).ok(),
        Left::Unknown => Convex::from_points(&corners).ok(),
    }
}

/// Whether all faces moved inwards, nearly parallel to themselves, and none vanished.
fn is_parallel(surface: &Mesh, moved: &[Vec3], depth: f64) -> bool {
    // What is so thin that its rounding matters cannot be told to be inexact, and matters to nobody.
    let is_small = depth < WELD_RELATIVE * surface.aabb().size().length();
    surface.faces().iter().all(|face| {
        let before = face.map(|i| surface.vertices()[i as usize]);
        let after = face.map(|i| moved[i as usize]);
        let Some(normal) = plane_normal(before) else { return true };
        let is_deep = |k: usize| normal.dot(before[k] - after[k]) >= PARALLEL * depth;
        !is_turned(before, after) && (is_small || (0..3).all(is_deep))
    })
}

/// The share of the depth that every face has to move by at each of its corners for the moved corners to be taken.
const PARALLEL: f64 = 0.99;

/// What is left between planes.
enum Left {
    /// Nothing.
    Nothing,
    /// The hull of these corners.
    Corners(Vec<Vec3>),
    /// It cannot be told without losing more than rounding.
    Unknown,
}

/// What is deeper than `depth` below all planes, by duality: seen from a point inside, the planes of a body are the corners of another
/// one, whose faces are the corners of the first.
fn intersection(surface: &Mesh, depth: f64) -> Left {
    let bounds = surface.aabb();
    let (middle, reach) = (bounds.center(), bounds.size().length());
    let plane = |face: &[u32; 3]| {
        let corners = face.map(|i| surface.vertices()[i as usize]);
        let normal = plane_normal(corners)?;
        Some(BoundingPlane { normal, offset: normal.dot(corners[0] - middle) - depth })
    };
    // Planes that rounding makes are left out: without them more is left.
    let planes: Vec<BoundingPlane> = surface.faces().iter().filter_map(plane).collect();
    let center = match largest_inscribed_sphere(&planes) {
        Ok(sphere) if sphere.radius > 0.0 => sphere.center,
        Ok(_) | Err(InscribeError::Empty) => return Left::Nothing,
        Err(_) => return Left::Unknown,
    };
    let gap = |plane: &BoundingPlane| plane.offset - plane.normal.dot(center);
    let duals: Vec<Vec3> = planes.iter().map(|plane| plane.normal / gap(plane)).collect();
    let Ok(Hull::Solid(hull)) = convex_hull(&duals) else { return Left::Unknown };
    let mut corners = Vec::with_capacity(hull.faces.len());
    for face in &hull.faces {
        let of_face = face.map(|i| hull.vertices[i as usize] as usize);
        let [p, q, r] = of_face.map(|i| duals[i]);
        let normal = (q - p).cross(r - p);
        let height = p.dot(normal).max(q.dot(normal)).max(r.dot(normal));
        let corner = normal / height;
        let miss = |i: usize| (planes[i].normal.dot(corner) - gap(&planes[i])).abs();
        if !(height > 0.0 && of_face.into_iter().all(|i| miss(i) <= ROUNDING * reach)) {
            return Left::Unknown;
        }
        // A little outwards, so that rounding loses nothing.
        corners.push(middle + center + corner * (1.0 + ROUNDING));
    }
    Left::Corners(corners)
}

/// Relative rounding of a corner computed from its planes.
const ROUNDING: f64 = 65_536.0 * f64::EPSILON;
