//! How deep two convex bodies overlap: the least translation that separates them.
//!
//! The depth is the distance of the origin from the surface of the difference a - b. A polytope of points of the difference
//! is grown where it is nearest to the origin, until its nearest face is a face of the difference: each face gives a lower
//! bound, each farthest point an upper one, and for polyhedra both meet exactly.

use super::body::ConvexBody;
use super::gjk::{ConvexCache, Cores, Pair, closest, walk};
use super::polytope::{Growth, Polytope};
use super::simplex::{Corner, Simplex};
use super::sliding::slide;
use crate::Closest;
use freiraum_geometry::math::{power_of_two, rounding, unit};
use freiraum_geometry::{Pose, Vec3};

/// Bounds of round bodies need not meet closer than this share of the reach before sliding takes over: 2^-22, a quarter
/// of a millionth.
const ROUND: f64 = power_of_two(-22);

/// Squared distances that differ by less than this share may be of the same plane: 2^-40.
const TIE: f64 = power_of_two(-40);

/// Corners of the polytope after which round bodies must do with the bounds they have.
const MOST_ROUND_CORNERS: usize = 400;

/// Corners of the polytope after which it stops in any case; rounding cannot keep it busy forever. Differences of
/// polyhedra with thousands of vertices need less than a hundred.
const MOST_CORNERS: usize = 10_000;

/// Memory of [`penetration_convex`] between questions, and what it knows of the last one about the same two bodies.
#[derive(Clone, Debug, Default)]
pub struct PenetrationWorkspace {
    cache: ConvexCache,
    polytope: Polytope,
}

impl PenetrationWorkspace {
    /// Nothing is known yet.
    pub fn new() -> PenetrationWorkspace {
        PenetrationWorkspace::default()
    }

    /// Forgets the last question and keeps the memory.
    pub fn forget(&mut self) {
        self.cache = ConvexCache::new();
    }
}

/// The signed distance of two convex bodies: as [`distance_convex`](super::distance_convex) while they are apart, and
/// minus the depth of the overlap otherwise.
///
/// The depth is the length of the least translation that separates the bodies: moving b by it along the normal leaves them
/// touching at the two points of the answer.
///
/// **Frames.** The answer is in the frame of a. **Guarantee.** Exact up to rounding for polyhedra, boxes, spheres and
/// capsules, to a millionth of the size for cylinders and cones. Where several translations are least, one of them. Bodies that
/// touch have depth zero and the normal of the plane between them. **Degenerate input.** Flat bodies in one plane have
/// depth zero and the normal of the plane; identical bodies are ordinary ones.
/// **Cost.** As many farthest points as faces of the difference are near the origin: 20 to 100. No allocation once warm.
pub fn penetration_convex<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    a: &A,
    b: &B,
    a_from_b: &Pose,
    workspace: &mut PenetrationWorkspace,
) -> Closest {
    let pair = Pair::new(a, b, a_from_b);
    match walk(&pair, &workspace.cache, None) {
        Cores::Apart(simplex, v) => {
            workspace.cache.remember(&simplex, v);
            closest(&pair, &simplex, v)
        }
        Cores::Separable(_) => unreachable!("nothing was enough"),
        Cores::Together(simplex) => {
            workspace.cache.remember(&simplex, Vec3::NAN);
            deepen(&pair, &simplex, &mut workspace.polytope, a_from_b)
        }
    }
}

/// A supporting plane of the difference, across the normal of a face of the polytope.
#[derive(Clone, Copy)]
struct Bound {
    /// The signed square of its distance from the origin.
    squared: f64,
    face: u32,
    /// The face lies in the plane.
    is_face: bool,
}

impl Bound {
    const NONE: Bound = Bound { squared: f64::INFINITY, face: 0, is_face: true };

    /// Faces from here on need not be looked at. Until a face in the best plane is found, faces that are as near up to
    /// rounding are of interest.
    fn limit(&self, slack: f64) -> f64 {
        let squared = self.squared;
        if self.is_face { squared } else { squared + TIE * squared.abs() + slack * slack }
    }
}

fn deepen<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    pair: &Pair<'_, A, B>,
    simplex: &Simplex,
    polytope: &mut Polytope,
    a_from_b: &Pose,
) -> Closest {
    let size = 2.0 * pair.reach;
    let mut best = None;
    for is_exact in [false, true] {
        if !(simplex.count == 4 && polytope.start(simplex.corners, size, is_exact)) {
            match tetrahedron(pair, rounding::coordinate(pair.reach)) {
                Ok(corners) if polytope.start(corners, size, is_exact) => {}
                Ok(_) => return flat(pair, simplex, Vec3::X),
                Err(normal) => return flat(pair, simplex, normal),
            }
        }
        best = expand(pair, polytope);
        if best.is_some() {
            break;
        }
    }
    let Some(best) = best else { return flat(pair, simplex, Vec3::X) };
    let found = answer(pair, polytope, best);
    if !best.is_face {
        // The best direction is near a least one: from there sliding leads to it.
        if let Some(slid) = slide(pair.a, pair.b, a_from_b, found.normal)
            && slid.closest.distance >= found.distance - rounding::coordinate(size)
        {
            return slid.closest;
        }
    }
    found
}

/// Grows the polytope until its nearest face is one of the difference; `None` if rounding broke the polytope.
fn expand<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    pair: &Pair<'_, A, B>,
    polytope: &mut Polytope,
) -> Option<Bound> {
    let is_round = !(pair.a.is_polyhedral() && pair.b.is_polyhedral());
    let most_corners = if is_round { MOST_ROUND_CORNERS } else { MOST_CORNERS };
    let slack = rounding::coordinate(pair.reach);
    let mut best = Bound::NONE;
    while let Some((key, face)) = polytope.next() {
        let limit = best.limit(slack);
        if key >= limit || (is_round && root(key) >= root(limit) - ROUND * pair.reach) {
            break;
        }
        let (normal, offset, squared) = {
            let face = polytope.face(face);
            (face.normal, face.offset, face.normal_squared)
        };
        if !(squared > 0.0) {
            continue;
        }
        let numbers = polytope.corners_of(face).map(|corner| corner.numbers);
        let corner = pair.farthest(normal, [super::NO_VERTEX; 2]);
        let reached = normal.dot(corner.at).max(offset);
        let bound = reached * reached.abs() / squared;
        let gain = reached - offset;
        let is_face =
            !(gain * gain > slack * slack * squared) || (!is_round && numbers.contains(&corner.numbers));
        if bound < best.squared || (is_face && bound < limit) {
            best = Bound { squared: bound, face, is_face };
        }
        if !is_face && polytope.corners.len() < most_corners {
            match polytope.grow(corner, face, best.limit(slack)) {
                Growth::Grown | Growth::NotAbove => {}
                Growth::Broken => return None,
            }
        }
    }
    (best.squared < f64::INFINITY).then_some(best)
}

fn root(signed_square: f64) -> f64 {
    signed_square.abs().sqrt().copysign(signed_square)
}

/// The points that a supporting plane brings together, on the grown bodies.
fn answer<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    pair: &Pair<'_, A, B>,
    polytope: &Polytope,
    best: Bound,
) -> Closest {
    let n = polytope.face(best.face).normal;
    let normal = unit(n).unwrap_or(Vec3::X);
    let distance = -(root(best.squared) + pair.radius());
    // The foot of the origin in the face: shares of the corners, none negative.
    let corners = polytope.corners_of(best.face);
    let [p, q, r] = corners.map(|corner| corner.at);
    let shares = [q.cross(r - q).dot(n), r.cross(p - r).dot(n), p.cross(q - p).dot(n)].map(|x| x.max(0.0));
    let sum = shares[0] + shares[1] + shares[2];
    let shares = if sum > 0.0 { shares.map(|x| x / sum) } else { [1.0, 0.0, 0.0] };
    let mut on_a = Vec3::ZERO;
    for (corner, share) in corners.iter().zip(shares) {
        on_a += share * corner.on_a;
    }
    let point_on_a = on_a + pair.a.radius() * normal;
    Closest { distance, point_on_a, point_on_b: point_on_a + distance * normal, normal }
}

/// The answer for a difference without volume that holds the origin: only the radii are overcome.
fn flat<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    pair: &Pair<'_, A, B>,
    simplex: &Simplex,
    normal: Vec3,
) -> Closest {
    let mut simplex = *simplex;
    if simplex.count == 4 {
        simplex.shares = [0.25; 4];
    }
    let point_on_a = simplex.sum(|corner| corner.on_a) + pair.a.radius() * normal;
    let distance = -pair.radius();
    Closest { distance, point_on_a, point_on_b: point_on_a + distance * normal, normal }
}

/// Four points of the difference that span a volume, or a unit normal of it if it is flat up to rounding.
fn tetrahedron<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    pair: &Pair<'_, A, B>,
    slack: f64,
) -> Result<[Corner; 4], Vec3> {
    let near = [super::NO_VERTEX; 2];
    let both = |direction: Vec3| [pair.farthest(direction, near), pair.farthest(-direction, near)];
    // The longest extent along an axis.
    let extents = [Vec3::X, Vec3::Y, Vec3::Z].map(both);
    let length = |[p, q]: &[Corner; 2]| (p.at - q.at).length();
    let longest = extents.iter().max_by(|x, y| length(x).total_cmp(&length(y))).copied();
    let [first, second] = longest.unwrap_or(extents[0]);
    let Some(along) = unit(second.at - first.at).filter(|_| length(&[first, second]) > slack) else {
        return Err(Vec3::X);
    };
    // The point farthest from the line through both.
    let across = along.any_orthonormal_vector();
    let from_line = |corner: &Corner| {
        let d = corner.at - first.at;
        (d - along.dot(d) * along).length()
    };
    let sides = [both(across), both(along.cross(across))].into_iter().flatten();
    let third = sides.max_by(|x, y| from_line(x).total_cmp(&from_line(y))).unwrap_or(first);
    if from_line(&third) <= slack {
        return Err(across);
    }
    let normal = unit((second.at - first.at).cross(third.at - first.at)).unwrap_or(across);
    let height = |corner: &Corner| (corner.at - first.at).dot(normal).abs();
    let [above, below] = both(normal);
    let fourth = if height(&above) >= height(&below) { above } else { below };
    if height(&fourth) <= slack {
        return Err(normal);
    }
    Ok([first, second, third, fourth])
}
