//! Before the search: leaves out points that are certainly inside, which are most points of a solid cloud, and
//! puts neighbours in space next to each other in memory.
//!
//! A few far points span a first hull; a box and an ellipsoid inside that hull are tested in a few operations
//! per point. What is left out lies strictly inside the hull, so the answer stays the same.

use super::quick::{self, Face};
use super::simplex::{self, Simplex};
use crate::math::{Aabb, Vec3};

/// Fewer points are not worth the first hull.
const FEW: usize = 200;

/// Points by the thousand outgrow the cache and are worth sorting.
const MANY: usize = 2000;

/// Numbers of the points that may be on the hull, ordered by place; equal points ascend.
pub(super) fn candidates(points: &[Vec3], bounds: &Aabb) -> Vec<u32> {
    let scale = bounds.size().recip();
    if points.len() < FEW || !scale.is_finite() {
        return (0..points.len() as u32).collect();
    }
    let kept = outside_core(points, bounds, scale).unwrap_or_else(|| (0..points.len() as u32).collect());
    if kept.len() < MANY { kept } else { by_place(points, bounds.min, scale, &kept) }
}

/// Numbers of the points that are not strictly inside a first hull, ascending; `None` if there is no such hull.
fn outside_core(points: &[Vec3], bounds: &Aabb, scale: Vec3) -> Option<Vec<u32>> {
    let seeds: Vec<Vec3> = far_points(points, scale).into_iter().map(|i| points[i]).collect();
    let Simplex::Tetrahedron(start) = simplex::of(&seeds) else { return None };
    let surface = quick::surface(&seeds, bounds, start);
    // Neither centre is always the better one: the box has its middle from six points, the mean from all the seeds.
    let mean = seeds.iter().map(|&p| p / seeds.len() as f64).sum::<Vec3>().clamp(bounds.min, bounds.max);
    let cores = [bounds.center(), mean].map(|center| Core::inside(&surface.faces, center, scale));
    let core = cores.into_iter().flatten().max_by(|a, b| a.half_edge.total_cmp(&b.half_edge))?;

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
    /// The largest core around `center`; `None` if that is not inside.
    fn inside(faces: &[Face], center: Vec3, scale: Vec3) -> Option<Core> {
        let (mut half_edge, mut radius) = (f64::INFINITY, f64::INFINITY);
        for face in faces.iter().filter(|f| !f.is_removed()) {
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
        (half_edge > 0.0).then_some(Core {
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

/// The numbers sorted by the cell of a grid that the point lies in, along a curve that keeps near cells near.
///
/// One counting sort, which keeps the order inside each cell.
fn by_place(points: &[Vec3], corner: Vec3, scale: Vec3, numbers: &[u32]) -> Vec<u32> {
    const BITS: u32 = 4;
    // Spreads four bits to every third place.
    const SPREAD: [u32; 1 << BITS] = {
        let mut spread = [0; 1 << BITS];
        let mut i = 0;
        while i < 1 << BITS {
            let x = i as u32;
            spread[i] = x & 1 | (x & 2) << 2 | (x & 4) << 4 | (x & 8) << 6;
            i += 1;
        }
        spread
    };
    let cells = f64::from(1u32 << BITS);
    let cell = |i: u32| {
        let at = (points[i as usize] - corner) * scale * cells;
        let [x, y, z] = at.to_array().map(|c| SPREAD[(c as usize).min(SPREAD.len() - 1)]);
        (x | y << 1 | z << 2) as usize
    };
    let mut start = vec![0u32; (1 << (3 * BITS)) + 1];
    for &i in numbers {
        start[cell(i) + 1] += 1;
    }
    for k in 1..start.len() {
        start[k] += start[k - 1];
    }
    let mut sorted = vec![0; numbers.len()];
    for &i in numbers {
        let place = &mut start[cell(i)];
        sorted[*place as usize] = i;
        *place += 1;
    }
    sorted
}
