//! Lines, rays and segments under one name: what is straight.

use super::segment_segment::along;
use freiraum_geometry::Vec3;

/// An infinite line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Any point on the line.
    pub point: Vec3,
    /// Its direction, of any length; zero makes the line a point.
    pub direction: Vec3,
}

/// A half-line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Where it goes, of any length; zero makes the ray a point.
    pub direction: Vec3,
}

/// A [`Line`], a [`Ray`] or a segment, given by its two ends.
pub trait Straight: Copy {
    /// The straight piece as the points `start + t direction` for t from `first` to `last`.
    fn span(self) -> Span;
}

/// The points `start + t direction` for t from `first` to `last`; either may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub(super) start: Vec3,
    pub(super) direction: Vec3,
    pub(super) first: f64,
    pub(super) last: f64,
    /// The point at t = 1 where that is the last one: a segment ends exactly in its end.
    end: Vec3,
}

impl Straight for Line {
    fn span(self) -> Span {
        unbounded(self.point, self.direction, f64::NEG_INFINITY)
    }
}

impl Straight for Ray {
    fn span(self) -> Span {
        unbounded(self.origin, self.direction, 0.0)
    }
}

fn unbounded(start: Vec3, direction: Vec3, first: f64) -> Span {
    // Without a direction it is a point, which has two ends.
    let (first, last) = if direction.length_squared() > 0.0 { (first, f64::INFINITY) } else { (0.0, 0.0) };
    Span { start, direction, first, last, end: start }
}

impl Straight for [Vec3; 2] {
    fn span(self) -> Span {
        Span { start: self[0], direction: self[1] - self[0], first: 0.0, last: 1.0, end: self[1] }
    }
}

impl Span {
    /// The point at t, which is in the range.
    pub(super) fn at(&self, t: f64) -> Vec3 {
        if self.last == 1.0 {
            along([self.start, self.end], self.direction, t)
        } else {
            self.start + t * self.direction
        }
    }

    /// `part / whole` brought into the range; for a `whole` of zero, where any t will do, 0.
    pub(super) fn clamped(&self, part: f64, whole: f64) -> f64 {
        let t = part / whole;
        // The quotient overflows only if the direction is too short to matter.
        if t.is_finite() { t.clamp(self.first, self.last) } else { 0.0 }
    }

    /// The t of the point closest to `p`.
    pub(super) fn closest(&self, p: Vec3) -> f64 {
        self.clamped(self.direction.dot(p - self.start), self.direction.length_squared())
    }

    /// The ends that exist, none, one or two.
    pub(super) fn ends(&self) -> impl Iterator<Item = Vec3> {
        [(self.first, self.start), (self.last, self.end)].into_iter().filter(|e| e.0.is_finite()).map(|e| e.1)
    }
}
