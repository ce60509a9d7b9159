//! Leaves out points that are certainly inside, which are most points of a solid cloud.
//!
//! A few far points span a first hull; a box and an ellipsoid inside that hull are tested in a few operations
//! per point. What is left out lies strictly inside the hull, so the answer stays the same.

use super::quick::{self, Face};
use super::simplex::{self, Simplex};
use crate::math::{AxisBox, Vec3};

/// Fewer points are not worth the first hull.
const FEW: usize = 200;

/// Numbers of the points that may be on the hull, ascending; `None` if that is all of them.
pub(super) fn candidates(points: &[Vec3], bounds: &AxisBox) -> Option<Vec<u32>> {
    if points.len() < FEW {
        return None;
    }
    let scale = bounds.size().recip();
    if !scale.is_finite() {
        return None;
    }
    let seeds: Vec<Vec3> = far_points(points, scale).into_iter().map(|i| points[i]).collect();
    let Simplex::Tetrahedron(start) = simplex::of(&seeds) else { return None };
    let surface = quick::surface(&seeds, &AxisBox::of_points(&seeds), start);
    let core = Core::inside(surface.faces.iter().filter(|f| !f.is_removed()), &seeds, scale)?;

    let mut kept = vec![0; points.len()];
    let mut count = 0;
    for (i, &p) in points.iter().enumerate() {
        // Without a branch: the next number overwrites this one if it is not to be kept.
        kept[count] = i as u32;
        count += usize::from(!core.contains(p));
    }
    kept.truncate(count);
    Some(kept)
}

/// The points farthest along the coordinate axes and the diagonals of the scaled box.
fn far_points(points: &[Vec3], scale: Vec3) -> [usize; 14] {
    let mut largest = [f64::NEG_INFINITY; 14];
    let mut farthest = [0; 14];
    for (i, &p) in points.iter().enumerate() {
        let q = p * scale;
        let (sum, difference) = (q.x + q.y, q.x - q.y);
        let along = [q.x, q.y, q.z, sum + q.z, sum - q.z, difference + q.z, difference - q.z];
        for (k, value) in along.into_iter().enumerate() {
            if value > largest[k] {
                (largest[k], farthest[k]) = (value, i);
            }
            if -value > largest[k + 7] {
                (largest[k + 7], farthest[k + 7]) = (-value, i);
            }
        }
    }
    farthest
}

/// A box and an ellipsoid around a common centre, strictly inside a convex surface.
struct Core {
    center: Vec3,
    /// Stretches the ellipsoid to a ball and the box to a cube.
    scale: Vec3,
    half_edge: f64,
    radius_squared: f64,
}

impl Core {
    /// The largest core around the mean of the points; `None` if there is no room.
    fn inside<'f>(faces: impl Iterator<Item = &'f Face>, points: &[Vec3], scale: Vec3) -> Option<Core> {
        let center = points.iter().map(|&p| p / points.len() as f64).sum();
        let (mut half_edge, mut radius) = (f64::INFINITY, f64::INFINITY);
        for face in faces {
            // In the plane's own normal the support of the box is the sum of its components, that of the
            // ball their length. The error counts twice: for the centre and for the point to be tested.
            let normal = (face.plane.normal / scale).abs();
            let longest = normal.max_element();
            let room = -face.plane.height(center) - 2.0 * face.plane.error;
            half_edge = half_edge.min(room / normal.element_sum());
            radius = radius.min(room / (longest * (normal / longest).length())); // squares must not underflow
        }
        // A few roundings here and in `contains`.
        let shrink = 1.0 - 64.0 * f64::EPSILON;
        (half_edge > 0.0).then(|| Core {
            center,
            scale,
            half_edge: half_edge * shrink,
            radius_squared: radius * radius * shrink,
        })
    }

    fn contains(&self, p: Vec3) -> bool {
        let q = (p - self.center) * self.scale;
        (q.abs().max_element() <= self.half_edge) | (q.length_squared() <= self.radius_squared)
    }
}
