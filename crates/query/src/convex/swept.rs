//! A convex body a little smaller, and all that it covers on a straight way.

use super::body::{ConvexBody, NO_VERTEX, Vertex, nearest_by_distance};
use super::parting::Local;
use freiraum_geometry::Vec3;

/// A convex body scaled about its centre, and moved along `way`: everything that it covers from the one end to the other.
#[derive(Clone, Copy)]
pub(crate) struct Swept<'b> {
    /// The body.
    pub(crate) body: &'b dyn ConvexBody,
    /// What it is scaled by, at most 1.
    pub(crate) scale: f64,
    /// Where it goes, in its own frame.
    pub(crate) way: Vec3,
}

impl Swept<'_> {
    fn scaled(&self, p: Vec3) -> Vec3 {
        let center = self.body.center();
        center + self.scale * (p - center)
    }
}

impl ConvexBody for Swept<'_> {
    fn farthest(&self, direction: Vec3, near: u32) -> Vertex {
        let near = if near == NO_VERTEX { near } else { near / 2 };
        let found = self.body.farthest(direction, near);
        let is_end = direction.dot(self.way) > 0.0;
        let point = self.scaled(found.point) + if is_end { self.way } else { Vec3::ZERO };
        // Every vertex stands at both ends of the way.
        let is_numbered = found.number < NO_VERTEX / 2;
        Vertex { point, number: if is_numbered { 2 * found.number + u32::from(is_end) } else { NO_VERTEX } }
    }

    fn vertex(&self, number: u32) -> Option<Vec3> {
        if number == NO_VERTEX {
            return None;
        }
        let end = if number % 2 == 1 { self.way } else { Vec3::ZERO };
        Some(self.scaled(self.body.vertex(number / 2)?) + end)
    }

    fn radius(&self) -> f64 {
        self.scale * self.body.radius()
    }

    fn center(&self) -> Vec3 {
        self.body.center() + 0.5 * self.way
    }

    fn reach(&self) -> f64 {
        self.body.reach() + self.way.length()
    }

    fn is_polyhedral(&self) -> bool {
        self.body.is_polyhedral()
    }

    fn local(&self, _direction: Vec3) -> Local {
        Local::default()
    }

    fn nearest(&self, point: Vec3) -> Vec3 {
        nearest_by_distance(self, point)
    }
}
