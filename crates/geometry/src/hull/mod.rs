//! The convex hull of points in space, every decision exact.
//!
//! [`convex_hull`] answers with the true shape of the hull: a point, a segment, a flat polygon or a solid. Which one
//! it is, which points are its corners and which triangles make its surface is decided by exact predicates alone;
//! nothing is merged, moved or dropped because it is "nearly" something. It does not simplify: a cloud on a sphere
//! has as many hull vertices as points.

mod facets;
mod flat;
mod plane;
mod quick;
mod sieve;
mod simplex;
#[cfg(test)]
mod tests;

use crate::math::{Aabb, Vec3};
use crate::mesh::Mesh;
use crate::tolerance::MAX_COORDINATE;
use simplex::Simplex;

/// The convex hull of a set of points, by its true dimension. All numbers are indices into the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hull {
    /// All points coincide; the lowest index.
    Point(u32),
    /// All points lie exactly on one line; the two ends, lower index first.
    Segment([u32; 2]),
    /// All points lie exactly in one plane, not on one line.
    Flat(FlatHull),
    /// The points span a volume (however thin).
    Solid(SolidHull),
}

/// The hull of points that lie exactly in one plane: a strictly convex polygon.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatHull {
    /// Input indices of the corners, counter-clockwise seen from the side `normal` points to, lowest index first.
    /// At least three, no three of them on one line.
    pub outline: Vec<u32>,
    /// Unit normal of the plane, rounded; its largest component (one of them if several are about equal) is positive.
    pub normal: Vec3,
}

// The normal is finite and never NaN, so equality is an equivalence.
impl Eq for FlatHull {}

/// The hull of points that span a volume: a closed surface of triangles.
///
/// **Guarantee.** A closed 2-manifold (V - E + F = 2), all triangles counter-clockwise seen from outside and with
/// three corners that are not on one line; no input point lies outside the plane of any face. The vertices are exactly
/// the extreme points: a point inside a facet or on an edge is none of them. A facet with more than three corners is
/// triangulated, its triangles lie in exactly one plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolidHull {
    /// Input index of each hull vertex, ascending.
    pub vertices: Vec<u32>,
    /// Corners of each triangle as indices into `vertices`.
    pub faces: Vec<[u32; 3]>,
}

impl SolidHull {
    /// The coordinates of the hull vertices. Panics if `input` is shorter than what the hull was made of.
    pub fn points(&self, input: &[Vec3]) -> Vec<Vec3> {
        self.vertices.iter().map(|&i| input[i as usize]).collect()
    }

    /// The surface as a mesh. Panics if `input` is not what the hull was made of.
    pub fn mesh(&self, input: &[Vec3]) -> Mesh {
        Mesh::new(self.points(input), self.faces.clone())
            .expect("the points were checked when the hull was made")
    }
}

/// Why there is no convex hull.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HullError {
    /// The hull of nothing is empty.
    #[error("there are no points to make a convex hull of")]
    NoPoints,
    /// Points are counted with 32 bits.
    #[error("{0} points are more than the {max} that can be numbered", max = MAX_POINTS)]
    TooManyPoints(usize),
    /// A coordinate is NaN, infinite or too large.
    #[error(
        "point {point} has the coordinate {value}; expected a finite number of magnitude at most {MAX_COORDINATE:e}"
    )]
    BadCoordinate {
        /// Index of the point, from 0.
        point: usize,
        /// The offending value in metres.
        value: f64,
    },
}

/// Face and edge numbers, about eight per point, share 32 bits.
const MAX_POINTS: usize = 1 << 28;

/// Computes the convex hull of `points`.
///
/// **Guarantee.** Exact: see [`Hull`] and [`SolidHull`]. The same input gives the same answer, the same set of points in
/// another order gives the same corners. **Degenerate input.** Equal points are represented by the lowest index.
/// Coplanar, collinear and coincident points, exactly or nearly, are ordinary input. **Cost.** O(n log h) on real data
/// (h hull vertices); 100 000 points on a sphere, all of them vertices, take less than a tenth of a second. Points within
/// rounding of a plane cost up to ten times as much, within rounding of a line up to a hundred times, because then every
/// sign needs exact arithmetic. No allocation per point, face or facet.
///
/// ```
/// use freiraum_geometry::{Vec3, hull::{Hull, convex_hull}};
/// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::splat(0.125)];
/// let Ok(Hull::Solid(hull)) = convex_hull(&corners) else { panic!() };
/// assert_eq!(hull.vertices, [0, 1, 2, 3]); // the last point lies inside
/// ```
pub fn convex_hull(points: &[Vec3]) -> Result<Hull, HullError> {
    let bounds = check(points)?;
    let numbers = sieve::candidates(points, &bounds);
    let number = |i: u32| numbers[i as usize];
    let candidates: Vec<Vec3> = numbers.iter().map(|&i| points[i as usize]).collect();
    Ok(match simplex::of(&candidates) {
        Simplex::Point(a) => Hull::Point(number(a)),
        Simplex::Segment(ends) => {
            let [a, b] = ends.map(number);
            Hull::Segment([a.min(b), a.max(b)])
        }
        Simplex::Triangle(corners) => Hull::Flat(flat::hull(points, corners.map(number))),
        Simplex::Tetrahedron(corners) => {
            let surface = quick::surface(&candidates, &bounds, corners);
            let mut triangles = facets::triangles(&candidates, &surface);
            triangles.as_flattened_mut().iter_mut().for_each(|i| *i = number(*i));
            Hull::Solid(facets::solid(points.len(), triangles))
        }
    })
}

/// The box of valid points, or what is wrong with them.
fn check(points: &[Vec3]) -> Result<Aabb, HullError> {
    if points.is_empty() {
        return Err(HullError::NoPoints);
    }
    if points.len() > MAX_POINTS {
        return Err(HullError::TooManyPoints(points.len()));
    }
    for (point, p) in points.iter().enumerate() {
        if let Some(value) = p.to_array().into_iter().find(|x| x.is_nan() || x.abs() > MAX_COORDINATE) {
            return Err(HullError::BadCoordinate { point, value });
        }
    }
    Ok(Aabb::of_points(points))
}
