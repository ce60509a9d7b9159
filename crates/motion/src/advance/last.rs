//! Parts that are not opened any further: triangles, round bodies, half spaces.

use super::instant::Instant;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::rounding;
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_query::convex::{
    ConvexBody, ConvexCache, ConvexDistance, NO_VERTEX, Parted, Points, convex_body, distance_convex,
    intersects_convex, part_convex,
};
use freiraum_query::elementary::{triangle_triangle, triangles_intersect};

/// A part that is not opened any further.
pub(super) enum Last<'p> {
    Triangle([Vec3; 3]),
    Round(&'p Shape),
    HalfSpace(HalfSpace),
}

/// Nearest points in the frame of a.
#[derive(Clone, Copy)]
pub(super) struct Near {
    pub(super) distance: f64,
    pub(super) on_a: Vec3,
    pub(super) on_b: Vec3,
    /// Unit from a to b, zero where they meet.
    pub(super) normal: Vec3,
}

impl Last<'_> {
    /// The corners of a triangle; nothing of interest otherwise.
    pub(super) fn corners(&self) -> [Vec3; 3] {
        match self {
            Last::Triangle(corners) => *corners,
            _ => [Vec3::ZERO; 3],
        }
    }

    /// The part as a convex body; `points` are its corners.
    pub(super) fn body<'s>(&'s self, points: &'s Points) -> &'s dyn ConvexBody {
        match self {
            Last::Round(shape) => round(shape),
            _ => points,
        }
    }
}

/// The convex body of a shape without plane faces.
pub(super) fn round(shape: &Shape) -> &dyn ConvexBody {
    convex_body(shape).expect("round pieces are convex")
}

/// Two convex bodies at one instant.
struct Placed<'b> {
    a: &'b dyn ConvexBody,
    b: &'b dyn ConvexBody,
    now: &'b Instant,
}

/// Bounds that differ by no more roundings than this have met.
const PARTED: f64 = 16.0;

impl Placed<'_> {
    /// What is this near touches.
    fn slack(&self) -> f64 {
        rounding::coordinate(self.a.reach() + self.b.reach() + self.now.a_from_b.translation().length())
    }

    fn parted(&self, normal: Vec3, on_a: Vec3) -> Parted {
        part_convex(self.a, self.b, &self.now.a_from_b, normal, on_a)
    }

    /// Nearest points; from a guess, if there is one and it is good.
    fn nearest(&self, guess: Option<&Near>) -> Near {
        let near = |found: &Parted| Near {
            distance: found.upper,
            on_a: found.point_on_a,
            on_b: found.point_on_b,
            normal: found.normal,
        };
        let is_round = !(self.a.is_polyhedral() && self.b.is_polyhedral());
        if let Some(guess) = guess.filter(|guess| is_round && guess.normal != Vec3::ZERO) {
            let found = self.parted(guess.normal, guess.on_a);
            if found.upper - found.lower.max(0.0) <= PARTED * self.slack() {
                return near(&found);
            }
        }
        match distance_convex(self.a, self.b, &self.now.a_from_b, &mut ConvexCache::new()) {
            ConvexDistance::Separated(found) if is_round => {
                near(&self.parted(found.normal, found.point_on_a))
            }
            ConvexDistance::Separated(found) => Near {
                distance: found.distance,
                on_a: found.point_on_a,
                on_b: found.point_on_b,
                normal: found.normal,
            },
            ConvexDistance::Overlapping => met(self.now.place(self.b.center())),
        }
    }

    /// True if a point of both is known, up to rounding.
    fn meet(&self, guess: &Near) -> bool {
        let is_round = !(self.a.is_polyhedral() && self.b.is_polyhedral());
        (is_round
            && guess.normal != Vec3::ZERO
            && self.parted(guess.normal, guess.on_a).upper <= 2.0 * self.slack())
            || intersects_convex(self.a, self.b, &self.now.a_from_b, &mut ConvexCache::new())
    }
}

fn met(at: Vec3) -> Near {
    Near { distance: 0.0, on_a: at, on_b: at, normal: Vec3::ZERO }
}

/// The nearest points of two last parts; `guess`: those of a little earlier.
pub(super) fn nearest(now: &Instant, last: &[Last; 2], guess: Option<&Near>) -> Near {
    match last {
        [Last::Triangle(a), Last::Triangle(b)] => {
            let near = triangle_triangle(*a, b.map(|p| now.place(p)));
            let (distance, between) = (near.distance(), near.point_on_b - near.point_on_a);
            let normal = between.try_normalize().unwrap_or(Vec3::ZERO);
            Near { distance, on_a: near.point_on_a, on_b: near.point_on_b, normal }
        }
        [Last::HalfSpace(half_space), b] => {
            let corners = b.corners();
            let points = Points(&corners);
            let b = b.body(&points);
            let n = half_space.normal();
            let core = now.place(b.farthest(-(now.turn.transpose() * n), NO_VERTEX).point);
            let height = n.dot(core) - half_space.offset() - b.radius();
            let on_a = core - (height + b.radius()) * n;
            if height <= 0.0 {
                met(on_a)
            } else {
                Near { distance: height, on_a, on_b: on_a + height * n, normal: n }
            }
        }
        [a, b] => {
            let corners = [a.corners(), b.corners()];
            let points = [Points(&corners[0]), Points(&corners[1])];
            let (a, b) = (a.body(&points[0]), b.body(&points[1]));
            Placed { a, b, now }.nearest(guess)
        }
    }
}

/// The normal of the widest plane between two last parts, next to a good guess.
pub(super) fn widest(now: &Instant, last: [&Last; 2], guess: &Near) -> Vec3 {
    let corners = last.map(Last::corners);
    let points = [Points(&corners[0]), Points(&corners[1])];
    let (a, b) = (last[0].body(&points[0]), last[1].body(&points[1]));
    Placed { a, b, now }.parted(guess.normal, guess.on_a).normal
}

/// How far two last parts are apart across the widest plane next to that of a little earlier, in metres, negative where they are in each
/// other; `None` for two triangles, which have no inside.
pub(super) fn signed_gap(now: &Instant, last: &[Last; 2], guess: &Near) -> Option<f64> {
    match last {
        [Last::Triangle(_), Last::Triangle(_)] => None,
        [Last::HalfSpace(half_space), b] => {
            let corners = b.corners();
            let points = Points(&corners);
            let (b, n) = (b.body(&points), half_space.normal());
            let core = now.place(b.farthest(-(now.turn.transpose() * n), NO_VERTEX).point);
            Some(n.dot(core) - half_space.offset() - b.radius())
        }
        [a, b] => {
            let corners = [a.corners(), b.corners()];
            let points = [Points(&corners[0]), Points(&corners[1])];
            let (a, b) = (a.body(&points[0]), b.body(&points[1]));
            Some(Placed { a, b, now }.parted(guess.normal, guess.on_a).lower)
        }
    }
}

/// True if two last parts have points in common; `guess`: the nearest points of a little earlier.
pub(super) fn meet(now: &Instant, last: &[Last; 2], guess: &Near) -> bool {
    match last {
        [Last::Triangle(a), Last::Triangle(b)] => triangles_intersect(*a, b.map(|p| now.place(p))),
        [Last::HalfSpace(_), _] => nearest(now, last, None).distance <= 0.0,
        [a, b] => {
            let corners = [a.corners(), b.corners()];
            let points = [Points(&corners[0]), Points(&corners[1])];
            let (a, b) = (a.body(&points[0]), b.body(&points[1]));
            Placed { a, b, now }.meet(guess)
        }
    }
}
