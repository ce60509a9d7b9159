//! What the questions about convex pairs ask of a body.

use super::gjk::{ConvexCache, ConvexDistance, distance_convex};
use super::parting::Local;
use crate::distance::point_solid::{point_cone, point_cylinder};
use crate::elementary::{point_segment, point_triangle};
use freiraum_geometry::shape::{Capsule, Cone, Convex, Cuboid, Cylinder, Shape, Sphere, Support};
use freiraum_geometry::{Pose, Vec3};

/// The number of a point that is no vertex, and the start of a search that starts anywhere.
pub const NO_VERTEX: u32 = u32::MAX;

/// A point of a body with its number, if it is a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// The point in the frame of the body.
    pub point: Vec3,
    /// What [`ConvexBody::vertex`] finds it by; [`NO_VERTEX`] for points of round surfaces.
    pub number: u32,
}

/// A convex body: all points within [`radius`](ConvexBody::radius) of a convex core.
///
/// Spheres and capsules have a point and a segment as core, so that their answers are as exact as those of polyhedra.
pub trait ConvexBody {
    /// A point of the core that lies farthest in `direction`, in the frame of the body.
    ///
    /// `near` is the number of a vertex to start a search from, or [`NO_VERTEX`]; every value is allowed and gives the same
    /// answer up to ties within rounding. **Guarantee.** As for [`Support::support`]; `direction` is finite.
    fn farthest(&self, direction: Vec3, near: u32) -> Vertex;

    /// The vertex of the core with this number; `None` for other numbers and for round cores.
    fn vertex(&self, number: u32) -> Option<Vec3>;

    /// By how many metres the core is grown.
    fn radius(&self) -> f64 {
        0.0
    }

    /// A point of the core, well inside where there is an inside.
    fn center(&self) -> Vec3;

    /// A bound on the distance of the points of the core from the origin of the frame, in metres; at most a few times
    /// the least such bound.
    fn reach(&self) -> f64;

    /// True if the core has finitely many vertices, all of them numbered.
    fn is_polyhedral(&self) -> bool;

    /// What is straight or bent on the core around its farthest points in `direction`.
    fn local(&self, direction: Vec3) -> Local;

    /// The point of the core nearest to a point: the point itself if it is in the core.
    fn nearest(&self, point: Vec3) -> Vec3;
}

/// [`ConvexBody::nearest`] by the general distance: exact for polyhedra.
pub(super) fn nearest_by_distance(body: &(impl ConvexBody + ?Sized), point: Vec3) -> Vec3 {
    match distance_convex(body, &Points(&[point]), &Pose::IDENTITY, &mut ConvexCache::new()) {
        ConvexDistance::Separated(closest) => closest.point_on_a - body.radius() * closest.normal,
        ConvexDistance::Overlapping => point,
    }
}

/// The body for questions about convex pairs, or `None` for half spaces and what is made of parts.
///
/// Convex polyhedra are searched from end to end for every direction: a [`ConvexGraph`](super::ConvexGraph) is quicker.
pub fn convex_body(shape: &Shape) -> Option<&dyn ConvexBody> {
    match shape {
        Shape::Sphere(s) => Some(s),
        Shape::Cuboid(s) => Some(s),
        Shape::Cylinder(s) => Some(s),
        Shape::Capsule(s) => Some(s),
        Shape::Cone(s) => Some(s),
        Shape::Convex(s) => Some(s),
        Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => None,
    }
}

/// Any other body that knows its farthest points. Its answers are those of round bodies: approached step by step.
pub struct Supported<'s>(pub &'s dyn Support);

impl ConvexBody for Supported<'_> {
    fn farthest(&self, direction: Vec3, _near: u32) -> Vertex {
        round(self.0.support(direction))
    }

    fn vertex(&self, _number: u32) -> Option<Vec3> {
        None
    }

    fn center(&self) -> Vec3 {
        let middle = |axis: Vec3| 0.5 * (self.0.support(axis) + self.0.support(-axis));
        (middle(Vec3::X) + middle(Vec3::Y) + middle(Vec3::Z)) / 3.0
    }

    fn reach(&self) -> f64 {
        let extent =
            |axis: Vec3| self.0.support(axis).dot(axis).abs().max(self.0.support(-axis).dot(axis).abs());
        Vec3::new(extent(Vec3::X), extent(Vec3::Y), extent(Vec3::Z)).length()
    }

    fn is_polyhedral(&self) -> bool {
        false
    }

    fn local(&self, _direction: Vec3) -> Local {
        Local::default()
    }

    fn nearest(&self, point: Vec3) -> Vec3 {
        nearest_by_distance(self, point)
    }
}

/// In place of a straight line where there is none.
const NO_LINE: (Vec3, f64) = (Vec3::ZERO, 0.0);

fn round(point: Vec3) -> Vertex {
    Vertex { point, number: NO_VERTEX }
}

impl ConvexBody for Sphere {
    fn farthest(&self, _direction: Vec3, _near: u32) -> Vertex {
        Vertex { point: Vec3::ZERO, number: 0 }
    }

    fn vertex(&self, number: u32) -> Option<Vec3> {
        (number == 0).then_some(Vec3::ZERO)
    }

    fn radius(&self) -> f64 {
        Sphere::radius(self)
    }

    fn center(&self) -> Vec3 {
        Vec3::ZERO
    }

    fn reach(&self) -> f64 {
        0.0
    }

    fn is_polyhedral(&self) -> bool {
        true
    }

    fn local(&self, _direction: Vec3) -> Local {
        Local::default()
    }

    fn nearest(&self, _point: Vec3) -> Vec3 {
        Vec3::ZERO
    }
}

impl ConvexBody for Capsule {
    fn farthest(&self, direction: Vec3, _near: u32) -> Vertex {
        let number = u32::from(direction.z >= 0.0);
        let half = 0.5 * self.height();
        Vertex { point: Vec3::new(0.0, 0.0, if number == 1 { half } else { -half }), number }
    }

    fn vertex(&self, number: u32) -> Option<Vec3> {
        let half = 0.5 * self.height();
        match number {
            0 => Some(Vec3::new(0.0, 0.0, -half)),
            1 => Some(Vec3::new(0.0, 0.0, half)),
            _ => None,
        }
    }

    fn radius(&self) -> f64 {
        Capsule::radius(self)
    }

    fn center(&self) -> Vec3 {
        Vec3::ZERO
    }

    fn reach(&self) -> f64 {
        0.5 * self.height()
    }

    fn is_polyhedral(&self) -> bool {
        true
    }

    fn local(&self, _direction: Vec3) -> Local {
        Local { lines: [(Vec3::Z, 0.0), NO_LINE, NO_LINE], ..Local::default() }
    }

    fn nearest(&self, point: Vec3) -> Vec3 {
        let half = 0.5 * self.height();
        Vec3::new(0.0, 0.0, point.z.clamp(-half, half))
    }
}

impl ConvexBody for Cuboid {
    fn farthest(&self, direction: Vec3, _near: u32) -> Vertex {
        // Bit 0, 1, 2 of a corner's number: the positive side of x, y, z.
        let number = direction.cmpge(Vec3::ZERO).bitmask();
        Vertex { point: Vec3::select(direction.cmpge(Vec3::ZERO), self.half(), -self.half()), number }
    }

    fn vertex(&self, number: u32) -> Option<Vec3> {
        let sign = |bit: u32| if number & bit != 0 { 1.0 } else { -1.0 };
        (number < 8).then(|| self.half() * Vec3::new(sign(1), sign(2), sign(4)))
    }

    fn center(&self) -> Vec3 {
        Vec3::ZERO
    }

    fn reach(&self) -> f64 {
        self.half().length()
    }

    fn is_polyhedral(&self) -> bool {
        true
    }

    fn local(&self, _direction: Vec3) -> Local {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        Local { lines: axes.map(|axis| (axis, 0.0)), faces: axes, rim: 0.0 }
    }

    fn nearest(&self, point: Vec3) -> Vec3 {
        point.clamp(-self.half(), self.half())
    }
}

impl ConvexBody for Cylinder {
    fn farthest(&self, direction: Vec3, _near: u32) -> Vertex {
        round(self.support(direction))
    }

    fn vertex(&self, _number: u32) -> Option<Vec3> {
        None
    }

    fn center(&self) -> Vec3 {
        Vec3::ZERO
    }

    fn reach(&self) -> f64 {
        self.radius().hypot(0.5 * self.height())
    }

    fn is_polyhedral(&self) -> bool {
        false
    }

    fn local(&self, _direction: Vec3) -> Local {
        Local {
            lines: [(Vec3::Z, 0.0), NO_LINE, NO_LINE],
            faces: [Vec3::Z, Vec3::ZERO, Vec3::ZERO],
            rim: self.radius(),
        }
    }

    fn nearest(&self, point: Vec3) -> Vec3 {
        let found = point_cylinder(point, self);
        if found.distance > 0.0 { found.point } else { point }
    }
}

impl ConvexBody for Cone {
    fn farthest(&self, direction: Vec3, _near: u32) -> Vertex {
        round(self.support(direction))
    }

    fn vertex(&self, _number: u32) -> Option<Vec3> {
        None
    }

    fn center(&self) -> Vec3 {
        Vec3::new(0.0, 0.0, -0.25 * self.height())
    }

    fn reach(&self) -> f64 {
        self.radius().hypot(0.5 * self.height())
    }

    fn is_polyhedral(&self) -> bool {
        false
    }

    fn local(&self, direction: Vec3) -> Local {
        let is_tip = self.support(direction).z > 0.0;
        let lean = self.radius() / self.radius().hypot(self.height());
        Local {
            lines: [(Vec3::Z, lean), NO_LINE, NO_LINE],
            faces: [Vec3::Z, Vec3::ZERO, Vec3::ZERO],
            rim: if is_tip { 0.0 } else { self.radius() },
        }
    }

    fn nearest(&self, point: Vec3) -> Vec3 {
        let found = point_cone(point, self);
        if found.distance > 0.0 { found.point } else { point }
    }
}

impl ConvexBody for Convex {
    /// **Cost.** O(vertices).
    fn farthest(&self, direction: Vec3, _near: u32) -> Vertex {
        farthest_of(self.vertices(), direction)
    }

    fn vertex(&self, number: u32) -> Option<Vec3> {
        self.vertices().get(number as usize).copied()
    }

    fn center(&self) -> Vec3 {
        self.aabb().center()
    }

    fn reach(&self) -> f64 {
        self.aabb().reach() * 3f64.sqrt()
    }

    fn is_polyhedral(&self) -> bool {
        true
    }

    fn local(&self, direction: Vec3) -> Local {
        Local::of_corners(farthest_three(self.vertices().iter().copied(), direction))
    }

    fn nearest(&self, point: Vec3) -> Vec3 {
        nearest_by_distance(self, point)
    }
}

/// The convex hull of a few points, such as a triangle or a segment; at least one of them.
///
/// None of the points need be a corner of the hull, and the hull may be flat.
/// **Degenerate input.** Panics without points.
#[derive(Clone, Copy, Debug)]
pub struct Points<'p>(pub &'p [Vec3]);

impl ConvexBody for Points<'_> {
    fn farthest(&self, direction: Vec3, _near: u32) -> Vertex {
        farthest_of(self.0, direction)
    }

    fn vertex(&self, number: u32) -> Option<Vec3> {
        self.0.get(number as usize).copied()
    }

    fn center(&self) -> Vec3 {
        self.0.iter().copied().sum::<Vec3>() / self.0.len() as f64
    }

    fn reach(&self) -> f64 {
        self.0.iter().fold(0.0, |reach: f64, p| reach.max(p.length()))
    }

    fn is_polyhedral(&self) -> bool {
        true
    }

    fn local(&self, direction: Vec3) -> Local {
        Local::of_corners(farthest_three(self.0.iter().copied(), direction))
    }

    fn nearest(&self, point: Vec3) -> Vec3 {
        match *self.0 {
            [p] => p,
            [p, q] => point_segment(point, [p, q]).point_on_b,
            [p, q, r] => point_triangle(point, [p, q, r]).point_on_b,
            _ => nearest_by_distance(self, point),
        }
    }
}

/// The first of the points that lie farthest.
pub(super) fn farthest_of(points: &[Vec3], direction: Vec3) -> Vertex {
    let mut best = (0, points[0].dot(direction));
    for (i, p) in points.iter().enumerate().skip(1) {
        let share = p.dot(direction);
        if share > best.1 {
            best = (i, share);
        }
    }
    Vertex { point: points[best.0], number: best.0 as u32 }
}

/// The three points that lie farthest, the farthest first; repeated where there are fewer.
pub(super) fn farthest_three(points: impl Iterator<Item = Vec3>, direction: Vec3) -> [Vec3; 3] {
    let mut best = [(f64::NEG_INFINITY, Vec3::ZERO); 3];
    for p in points {
        let share = p.dot(direction);
        let place = best.iter().position(|(other, _)| share > *other);
        if let Some(place) = place {
            best[place..].rotate_right(1);
            best[place] = (share, p);
        }
    }
    let first = best[0].1;
    best.map(|(share, p)| if share.is_finite() { p } else { first })
}
