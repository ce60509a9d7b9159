//! Axis-aligned bounding boxes (AABB).

use super::{Pose, Vec3, rounding};
use crate::path::Ball;

/// A closed box with edges parallel to the axes of its frame, in metres.
///
/// An empty box (of no points) has `min > max` in every coordinate; see [`Aabb::EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// Smallest coordinates.
    pub min: Vec3,
    /// Largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The box of no points; growing it by a point gives the box of that point.
    pub const EMPTY: Aabb = Aabb { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The box of all points: nothing finite is outside.
    pub const EVERYTHING: Aabb = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };

    /// The smallest box that holds all points; exact, no rounding. [`Aabb::EMPTY`] for no points.
    pub fn of_points<'p>(points: impl IntoIterator<Item = &'p Vec3>) -> Aabb {
        points.into_iter().fold(Aabb::EMPTY, |b, p| b.grown(*p))
    }

    /// True if the box holds no point at all.
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// The smallest box that holds this box and `point`.
    #[must_use]
    pub fn grown(&self, point: Vec3) -> Aabb {
        Aabb { min: self.min.min(point), max: self.max.max(point) }
    }

    /// The smallest box that holds both boxes.
    #[must_use]
    pub fn union(&self, other: &Aabb) -> Aabb {
        Aabb { min: self.min.min(other.min), max: self.max.max(other.max) }
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

    /// True if two closed boxes have a point in common; exact.
    #[inline]
    pub fn intersects(&self, other: &Aabb) -> bool {
        (self.min.cmple(other.max) & other.min.cmple(self.max)).all()
    }

    /// A lower bound of the distance of two boxes, 0 where they intersect.
    ///
    /// **Guarantee.** Not above the exact distance, rounding included, where coordinates are at most
    /// [`MAX_COORDINATE`](crate::tolerance::MAX_COORDINATE); a box around another one is never farther.
    #[inline]
    pub fn gap(&self, other: &Aabb) -> f64 {
        // The differences round monotonically: none is positive unless the exact one is.
        let apart = (self.min - other.max).max(other.min - self.max).max(Vec3::ZERO);
        apart.length() * (1.0 - 4.0 * f64::EPSILON)
    }

    /// The eight corners: bit k of the index says whether coordinate k is the largest.
    #[inline]
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            let pick = |k: usize| if i >> k & 1 == 0 { self.min[k] } else { self.max[k] };
            Vec3::new(pick(0), pick(1), pick(2))
        })
    }

    /// Half the surface area, in square metres: in proportion to the chance that a random line that meets a
    /// larger box meets this one. Zero for an empty box.
    #[inline]
    pub fn half_area(&self) -> f64 {
        let size = self.size();
        size.x * size.y + size.y * size.z + size.z * size.x
    }

    /// The largest absolute coordinate of the box: the `reach` that rounding bounds are computed from.
    pub fn reach(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.min.abs().max(self.max.abs()).max_element() }
    }

    /// The box with every face moved outward by `by` metres, not negative.
    ///
    /// **Guarantee.** Holds every point that is no farther than `by` from the box; coordinates that are not exact are
    /// rounded outward, by one unit in the last place at most.
    #[must_use]
    pub fn inflated(&self, by: f64) -> Aabb {
        let up = |x: f64| rounding::add_up(x, by);
        let max = Vec3::new(up(self.max.x), up(self.max.y), up(self.max.z));
        let min = Vec3::new(up(-self.min.x), up(-self.min.y), up(-self.min.z));
        Aabb { min: -min, max }
    }

    /// A box in frame a around this box of frame b, placed by `a_from_b`.
    ///
    /// **Guarantee.** Rounded outward: holds every point of the placed box, whether it is placed in exact arithmetic
    /// (with the quaternion brought to length one) or by [`Pose::transform_point`]. It exceeds the smallest such box
    /// by a few dozen units in the last place of the coordinates involved; a pose that turns nothing only shifts the
    /// box, and [`Pose::IDENTITY`] leaves it as it is. [`Aabb::EMPTY`] stays empty; [`Aabb::EVERYTHING`] where a
    /// coordinate is not finite.
    #[must_use]
    pub fn transformed(&self, a_from_b: &Pose) -> Aabb {
        if self.is_empty() {
            return Aabb::EMPTY;
        }
        let (rotation, shift) = (a_from_b.rotation(), a_from_b.translation());
        if rotation.xyz() == Vec3::ZERO && rotation.w.abs() == 1.0 {
            return self.shifted(shift).or_everything();
        }
        let turn = a_from_b.rotation_matrix();
        let center = self.center();
        let half = (self.max - center).max(center - self.min);
        let half = turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
        let middle = turn * center + shift;
        // No point of the box is farther from its origin than this.
        let reach = self.min.abs().max(self.max.abs()).element_sum();
        // The matrix and the product of the quaternion with a point both scale with the square of its length. No
        // product that underflows is off by more than the smallest normal number.
        let stretch = 4.0 * reach * (rotation.length_squared() - 1.0).abs();
        let more =
            rounding::coordinate(2.0 * (reach + shift.abs().max_element())) + stretch + f64::MIN_POSITIVE;
        Aabb { min: middle - half - more, max: middle + half + more }.or_everything()
    }

    /// The box itself if all of its coordinates are finite.
    fn or_everything(self) -> Aabb {
        if self.min.is_finite() && self.max.is_finite() { self } else { Aabb::EVERYTHING }
    }

    /// The box moved by a vector, rounded outward by one unit in the last place at most.
    fn shifted(&self, by: Vec3) -> Aabb {
        let up = rounding::add_up;
        Aabb {
            min: -Vec3::new(up(-self.min.x, -by.x), up(-self.min.y, -by.y), up(-self.min.z, -by.z)),
            max: Vec3::new(up(self.max.x, by.x), up(self.max.y, by.y), up(self.max.z, by.z)),
        }
    }

    /// The ball around the box: its centre is that of the box, its radius half the diagonal.
    ///
    /// **Guarantee.** Rounded outward: holds every point of the box; the radius exceeds that of the smallest such ball
    /// by a few units in the last place of the coordinates. For an empty box a ball of radius zero at the origin, for
    /// one without end a ball of infinite radius there.
    pub fn bounding_sphere(&self) -> Ball {
        if self.is_empty() {
            return Ball { center: Vec3::ZERO, radius: 0.0 };
        }
        let center = self.center();
        let far = (self.max - center).max(center - self.min);
        let most = far.max_element();
        if !far.is_finite() {
            return Ball {
                center: if center.is_finite() { center } else { Vec3::ZERO },
                radius: f64::INFINITY,
            };
        }
        if most == 0.0 {
            return Ball { center, radius: 0.0 };
        }
        // Scaled, so that no square overflows or vanishes; six rounded operations, and one more upward.
        let radius = most * ((far / most).length() * (1.0 + 8.0 * f64::EPSILON));
        Ball { center, radius: radius.next_up() }
    }
}
