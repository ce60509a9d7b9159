//! The box with axis-parallel edges.

use super::Vec3;

/// A closed box with edges parallel to the axes of its frame, in metres.
///
/// An empty box (of no points) has `min > max` in every coordinate; see [`AxisBox::EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisBox {
    /// Smallest coordinates.
    pub min: Vec3,
    /// Largest coordinates.
    pub max: Vec3,
}

impl AxisBox {
    /// The box of no points; growing it by a point gives the box of that point.
    pub const EMPTY: AxisBox = AxisBox { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The smallest box that holds all points; exact, no rounding. [`AxisBox::EMPTY`] for no points.
    pub fn of_points<'p>(points: impl IntoIterator<Item = &'p Vec3>) -> AxisBox {
        points.into_iter().fold(AxisBox::EMPTY, |b, p| b.grown(*p))
    }

    /// True if the box holds no point at all.
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// The smallest box that holds this box and `point`.
    #[must_use]
    pub fn grown(&self, point: Vec3) -> AxisBox {
        AxisBox { min: self.min.min(point), max: self.max.max(point) }
    }

    /// The smallest box that holds both boxes.
    #[must_use]
    pub fn union(&self, other: &AxisBox) -> AxisBox {
        AxisBox { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The middle of the box.
    pub fn center(&self) -> Vec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// The three edge lengths; zero for an empty box.
    pub fn size(&self) -> Vec3 {
        (self.max - self.min).max(Vec3::ZERO)
    }

    /// True if `point` lies in the closed box.
    pub fn contains(&self, point: Vec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// The largest absolute coordinate of the box: the `reach` that rounding bounds are computed from.
    pub fn reach(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.min.abs().max(self.max.abs()).max_element() }
    }
}
