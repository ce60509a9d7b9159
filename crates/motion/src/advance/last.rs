//! Parts that are not opened any further: triangles, round bodies, half spaces.

use super::instant::Instant;
use freiraum_geometry::Vec3;
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_query::convex::{
    ConvexBody, ConvexCache, ConvexDistance, NO_VERTEX, Points, convex_body, distance_convex,
    intersects_convex,
};
use freiraum_query::elementary::{triangle_triangle, triangles_intersect};

/// A part that is not opened any further.
pub(super) enum Last<'p> {
    Triangle([Vec3; 3]),
    Round(&'p Shape),
    HalfSpace(HalfSpace),
}

/// Nearest points in the frame of a.
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

    /// Directions of the straight lines on the surface that a plane across n may touch, and of the normals of plane faces.
    fn lines_and_normals(&self, n: Vec3) -> ([Vec3; 3], [Vec3; 1]) {
        match self {
            Last::Triangle([p, q, r]) => ([*q - *p, *r - *q, *p - *r], [(*q - *p).cross(*r - *p)]),
            Last::Round(Shape::Cone(cone)) => {
                let across = n.with_z(0.0).try_normalize().unwrap_or(Vec3::X);
                let line = cone.radius() * across - cone.height() * Vec3::Z;
                ([line, Vec3::ZERO, Vec3::ZERO], [Vec3::Z])
            }
            _ => ([Vec3::Z, Vec3::ZERO, Vec3::ZERO], [Vec3::Z]),
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

/// The nearest points of two last parts; those of round bodies to the accuracy of their iteration.
pub(super) fn nearest(now: &Instant, last: &[Last; 2]) -> Near {
    let met = |at: Vec3| Near { distance: 0.0, on_a: at, on_b: at, normal: Vec3::ZERO };
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
            match distance_convex(a, b, &now.a_from_b, &mut ConvexCache::new()) {
                ConvexDistance::Separated(near) => Near {
                    distance: near.distance,
                    on_a: near.point_on_a,
                    on_b: near.point_on_b,
                    normal: near.normal,
                },
                ConvexDistance::Overlapping => met(now.place(b.center())),
            }
        }
    }
}

/// True if two last parts have points in common.
pub(super) fn meet(now: &Instant, last: &[Last; 2]) -> bool {
    match last {
        [Last::Triangle(a), Last::Triangle(b)] => triangles_intersect(*a, b.map(|p| now.place(p))),
        [Last::HalfSpace(_), _] => nearest(now, last).distance <= 0.0,
        [a, b] => {
            let corners = [a.corners(), b.corners()];
            let points = [Points(&corners[0]), Points(&corners[1])];
            let (a, b) = (a.body(&points[0]), b.body(&points[1]));
            intersects_convex(a, b, &now.a_from_b, &mut ConvexCache::new())
        }
    }
}

/// Calls `f` with unit normals near n that are exactly across straight lines or faces of the parts, one or two at a time.
pub(super) fn refined(now: &Instant, last: [&Last; 2], n: Vec3, mut f: impl FnMut(Vec3)) {
    let (lines_a, faces_a) = last[0].lines_and_normals(n);
    let (lines_b, faces_b) = last[1].lines_and_normals(-(now.turn.transpose() * n));
    let (lines_b, faces_b) = (lines_b.map(|u| now.turn * u), faces_b.map(|u| now.turn * u));
    let mut with = |direction: Vec3| {
        if let Some(direction) = direction.try_normalize() {
            let direction = direction * direction.dot(n).signum();
            if direction.dot(n) > CLOSE {
                f(direction);
            }
        }
    };
    for normal in [faces_a[0], faces_b[0]] {
        with(normal);
    }
    for u in lines_a.into_iter().chain(lines_b) {
        if let Some(u) = u.try_normalize() {
            with(n - n.dot(u) * u);
        }
    }
    for u in lines_a {
        for v in lines_b {
            with(u.cross(v));
        }
    }
}

/// Cosine of the angle up to which one normal stands for another.
const CLOSE: f64 = 0.999;
