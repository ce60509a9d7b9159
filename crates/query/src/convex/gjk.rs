//! Distance of convex bodies by the method of Gilbert, Johnson and Keerthi.
//!
//! The difference a - b of two convex bodies is convex, and the bodies are as far apart as it is from the origin. A simplex of
//! its points walks towards the origin. Each step yields a lower bound (a separating plane) and an upper bound (a pair
//! of points); the walk ends when they meet or when nothing is left that lies nearer, and it never goes back.

use super::body::{ConvexBody, NO_VERTEX};
use super::simplex::{Corner, Nearest, Simplex};
use crate::Closest;
use freiraum_geometry::math::rounding;
use freiraum_geometry::{Mat3, Pose, Vec3};

/// Steps until the walk gives up and answers with what it has. Polyhedra need about ten, round bodies some thirty.
const MOST_STEPS: usize = 200;

/// Steps that bring no gain until the walk ends. A corner far away turns the direction without bringing the difference
/// nearer by more than rounding, and only the next one does.
const PATIENCE: usize = 8;

/// A direction is near another if the square of the cosine of the angle between them exceeds this: 18 degrees.
const NEAR: f64 = 0.9;

/// How far two convex bodies are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConvexDistance {
    /// They are apart: nearest points, distance and direction.
    Separated(Closest),
    /// They touch or overlap.
    Overlapping,
}

/// What a question about two bodies leaves for the next one about the same two bodies.
///
/// It makes the next answer quicker when the bodies have moved a little, and never changes it beyond rounding, whatever
/// happened in between; a cache of other bodies is of no use but does no harm.
#[derive(Clone, Copy, Debug)]
pub struct ConvexCache {
    /// Numbers of the vertices of the last simplex, as many as `count`.
    numbers: [[u32; 2]; 4],
    count: usize,
    /// The last nearest difference; not finite without one.
    direction: Vec3,
}

impl Default for ConvexCache {
    fn default() -> ConvexCache {
        ConvexCache::new()
    }
}

impl ConvexCache {
    /// Nothing is known yet.
    pub const fn new() -> ConvexCache {
        ConvexCache { numbers: [[NO_VERTEX; 2]; 4], count: 0, direction: Vec3::NAN }
    }

    /// The vertices of each body in the last simplex of at most three corners; repeated where there are fewer.
    pub(super) fn vertices(&self) -> [[u32; 3]; 2] {
        let last = self.count.clamp(1, 3) - 1;
        [0, 1].map(|body| distinct([0, 1, 2].map(|i| self.numbers[i.min(last)][body])))
    }

    pub(super) fn remember(&mut self, simplex: &Simplex, direction: Vec3) {
        self.count = simplex.count;
        for i in 0..simplex.count {
            self.numbers[i] = simplex.corners[i].numbers;
        }
        self.direction = direction;
    }
}

/// Three numbers with the different ones first.
fn distinct([i, j, k]: [u32; 3]) -> [u32; 3] {
    if i == j { [i, k, k] } else { [i, j, k] }
}

/// Two placed bodies: the convex difference a - b as a function from direction to farthest point.
pub(super) struct Pair<'p, A: ?Sized, B: ?Sized> {
    pub(super) a: &'p A,
    pub(super) b: &'p B,
    pub(super) rotation: Mat3,
    pub(super) translation: Vec3,
    /// No coordinate of either core exceeds this, in the frame of a.
    pub(super) reach: f64,
}

impl<'p, A: ConvexBody + ?Sized, B: ConvexBody + ?Sized> Pair<'p, A, B> {
    pub(super) fn new(a: &'p A, b: &'p B, a_from_b: &Pose) -> Pair<'p, A, B> {
        let translation = a_from_b.translation();
        let reach = a.reach() + b.reach() + translation.length();
        Pair { a, b, rotation: a_from_b.rotation_matrix(), translation, reach }
    }

    /// The difference of the points with these coordinates, each in the frame of its body.
    #[inline]
    pub(super) fn corner(&self, on_a: Vec3, in_b: Vec3, numbers: [u32; 2]) -> Corner {
        Corner { at: on_a - (self.rotation * in_b + self.translation), on_a, numbers }
    }

    /// The farthest point of the difference in a direction given in the frame of a.
    #[inline]
    pub(super) fn farthest(&self, direction: Vec3, near: [u32; 2]) -> Corner {
        let on_a = self.a.farthest(direction, near[0]);
        let back = Vec3::new(
            -self.rotation.x_axis.dot(direction),
            -self.rotation.y_axis.dot(direction),
            -self.rotation.z_axis.dot(direction),
        );
        let in_b = self.b.farthest(back, near[1]);
        self.corner(on_a.point, in_b.point, [on_a.number, in_b.number])
    }

    /// The difference of the centres, which is a point of the difference.
    fn center(&self) -> Vec3 {
        self.a.center() - (self.rotation * self.b.center() + self.translation)
    }

    pub(super) fn radius(&self) -> f64 {
        self.a.radius() + self.b.radius()
    }

    /// Rounding of the coordinates: what is this near touches.
    pub(super) fn slack(&self) -> f64 {
        rounding::coordinate(self.reach + self.radius())
    }

    /// The simplex of the last question at the new placement, if the bodies have such vertices.
    fn recall(&self, cache: &ConvexCache) -> Option<Simplex> {
        if cache.count == 0 {
            return None;
        }
        let mut simplex = Simplex::EMPTY;
        for &[i, k] in &cache.numbers[..cache.count] {
            simplex.push(self.corner(self.a.vertex(i)?, self.b.vertex(k)?, [i, k]));
        }
        Some(simplex)
    }
}

/// How the cores of two bodies lie.
pub(super) enum Cores {
    /// Apart: the simplex with its shares and its point nearest to the origin.
    Apart(Simplex, Vec3),
    /// A plane with this normal separates them by more than was asked for; only if asked for.
    Separable(Vec3),
    /// Touching or overlapping: a simplex that holds the origin up to rounding.
    Together(Simplex),
}

/// Walks towards the origin. With `enough`, stops as soon as the cores are known to be more than that apart.
pub(super) fn walk<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    pair: &Pair<'_, A, B>,
    cache: &ConvexCache,
    enough: Option<f64>,
) -> Cores {
    let slack = rounding::coordinate(pair.reach);
    let mut simplex = Simplex::EMPTY;
    let mut near = [NO_VERTEX; 2];
    let mut v = if cache.direction.is_finite() { cache.direction } else { pair.center() };
    if let Some(mut last) = pair.recall(cache) {
        near = last.corners[0].numbers;
        match last.nearest() {
            Nearest::Inside => return Cores::Together(last),
            Nearest::Point(found, shares) => {
                last.keep(shares);
                (simplex, v) = (last, found);
            }
        }
    }
    if simplex.count == 0 {
        if v == Vec3::ZERO {
            v = Vec3::X;
        }
        let corner = pair.farthest(-v, near);
        near = corner.numbers;
        simplex.push(corner);
        simplex.shares[0] = 1.0;
        v = corner.at;
    }
    let mut patience = PATIENCE;
    let mut best: Option<(Simplex, Vec3)> = None;
    for _ in 0..MOST_STEPS {
        let square = v.length_squared();
        let length = square.sqrt();
        if length <= slack {
            return Cores::Together(simplex);
        }
        let corner = pair.farthest(-v, near);
        let low = v.dot(corner.at);
        if let Some(enough) = enough
            && low > enough * length
        {
            return Cores::Separable(v);
        }
        if square - low <= slack * length {
            break;
        }
        if corner.numbers[0] != NO_VERTEX
            && corner.numbers[1] != NO_VERTEX
            && simplex.contains(corner.numbers)
        {
            break;
        }
        simplex.push(corner);
        match simplex.nearest() {
            Nearest::Inside => return Cores::Together(simplex),
            Nearest::Point(found, shares) => {
                if !(found.length_squared() < square) {
                    // Rounding decides from here on.
                    if patience == 0 {
                        simplex.pop();
                        break;
                    }
                    if best.is_none_or(|(_, least)| square < least.length_squared()) {
                        simplex.pop();
                        best = Some((simplex, v));
                        simplex.push(corner);
                    }
                    patience -= 1;
                }
                // A large turn leads to another part of the surface.
                let turned = found.dot(v);
                let is_near = turned > 0.0 && turned * turned > NEAR * square * found.length_squared();
                near = if is_near { corner.numbers } else { [NO_VERTEX; 2] };
                simplex.keep(shares);
                v = found;
            }
        }
    }
    if let Some(best) = best.filter(|(_, least)| least.length_squared() < v.length_squared()) {
        (simplex, v) = best;
    }
    if patience == 0 && cache.count > 0 {
        // From another start there may be a way.
        return walk(pair, &ConvexCache::new(), enough);
    }
    Cores::Apart(simplex, v)
}

/// The distance of two convex bodies with nearest points.
///
/// **Frames.** The answer is in the frame of a. **Guarantee.** Exact up to rounding for polyhedra, boxes, spheres and
/// capsules: a few units in the last place of the farthest coordinate, and 1e-11 of it for needles with corners that are
/// nearly in line. Cylinders and cones are approached from both sides
/// until the bounds meet or rounding stops them: the distance is then known far better than to a millionth of the size, the
/// normal to about that; [`part_convex`](super::part_convex) makes it exact. Where several pairs of points are
/// nearest, one of them. Bodies that are no more than [`rounding::coordinate`] of the farthest coordinate apart touch.
/// **Degenerate input.** Flat bodies and bodies without size are ordinary ones.
/// **Cost.** About ten farthest points of each body; with a cache of a similar placement one or two. No allocation.
pub fn distance_convex<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    a: &A,
    b: &B,
    a_from_b: &Pose,
    cache: &mut ConvexCache,
) -> ConvexDistance {
    let pair = Pair::new(a, b, a_from_b);
    match walk(&pair, cache, None) {
        Cores::Apart(simplex, v) => {
            cache.remember(&simplex, v);
            let closest = closest(&pair, &simplex, v);
            if closest.distance > pair.slack() {
                ConvexDistance::Separated(closest)
            } else {
                ConvexDistance::Overlapping
            }
        }
        Cores::Separable(_) => unreachable!("nothing was enough"),
        Cores::Together(simplex) => {
            cache.remember(&simplex, Vec3::NAN);
            ConvexDistance::Overlapping
        }
    }
}

/// True if two convex bodies touch or overlap.
///
/// **Guarantee.** As [`distance_convex`]: `true` for bodies that are no more than rounding apart. **Cost.** Stops at the
/// first plane that separates the bodies, which is often the one in the cache.
pub fn intersects_convex<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    a: &A,
    b: &B,
    a_from_b: &Pose,
    cache: &mut ConvexCache,
) -> bool {
    let pair = Pair::new(a, b, a_from_b);
    let enough = pair.radius() + pair.slack();
    match walk(&pair, cache, Some(enough)) {
        Cores::Apart(simplex, v) => {
            cache.remember(&simplex, v);
            v.length() <= enough
        }
        Cores::Separable(normal) => {
            cache.count = 0;
            cache.direction = normal;
            false
        }
        Cores::Together(simplex) => {
            cache.remember(&simplex, Vec3::NAN);
            true
        }
    }
}

/// Nearest points of the grown bodies, given that the cores are apart.
pub(super) fn closest<A: ConvexBody + ?Sized, B: ConvexBody + ?Sized>(
    pair: &Pair<'_, A, B>,
    simplex: &Simplex,
    v: Vec3,
) -> Closest {
    let length = v.length();
    let normal = -v / length;
    let core_on_a = simplex.sum(|corner| corner.on_a);
    let on_a = core_on_a + pair.a.radius() * normal;
    let distance = length - pair.radius();
    Closest { distance, point_on_a: on_a, point_on_b: on_a + distance * normal, normal }
}
