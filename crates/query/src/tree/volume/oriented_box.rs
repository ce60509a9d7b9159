//! The box of any orientation: exact for boxes however they stand, at the price of the longest test but one.

use super::super::{Extent, Placement};
use super::Volume;
use super::box_gap::box_gap;
use freiraum_geometry::enclose::smallest_box;
use freiraum_geometry::{Aabb, Mat3, Pose, Vec3};

/// A box around what a node holds, turned as suits it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnedBox {
    /// Centre in metres.
    pub center: Vec3,
    /// The unit directions of its edges, as columns.
    pub axes: Mat3,
    /// Half the edge lengths along the axes, in metres.
    pub half: Vec3,
}

impl TurnedBox {
    /// The box of that orientation around two boxes.
    fn around(axes: &Mat3, a: &TurnedBox, b: &TurnedBox) -> TurnedBox {
        // Relative to the centre of a, so that distance from the origin costs no digits.
        let local = axes.transpose();
        let reach = |t: &TurnedBox| {
            let turned = local * t.axes;
            turned.x_axis.abs() * t.half.x + turned.y_axis.abs() * t.half.y + turned.z_axis.abs() * t.half.z
        };
        let (half_a, half_b, apart) = (reach(a), reach(b), local * (b.center - a.center));
        let min = (-half_a).min(apart - half_b);
        let max = half_a.max(apart + half_b);
        let size = half_a.length() + half_b.length() + apart.length() + 2.0 * a.center.length();
        let center = a.center + *axes * (0.5 * (min + max));
        TurnedBox { center, axes: *axes, half: 0.5 * (max - min) + 32.0 * f64::EPSILON * size }
    }
}

impl Volume for TurnedBox {
    fn of_points(points: &[Vec3]) -> Option<TurnedBox> {
        let fit = smallest_box(points)?;
        let half = fit.half + 16.0 * f64::EPSILON * fit.half.length();
        Some(TurnedBox { center: fit.pose.translation(), axes: fit.pose.rotation_matrix(), half })
    }

    fn of_extent(extent: &Extent, frame_from_object: &Pose) -> TurnedBox {
        let middle = extent.bounds.center();
        let center = frame_from_object.transform_point(middle);
        let reach = center.length() + 2.0 * middle.length() + extent.bounds.reach();
        let half = (extent.bounds.max - middle).max(middle - extent.bounds.min);
        TurnedBox {
            center,
            axes: frame_from_object.rotation_matrix(),
            half: half + 32.0 * f64::EPSILON * reach,
        }
    }

    fn union(&self, other: &TurnedBox) -> TurnedBox {
        // The orientations of the two and of the frame: what stands together in CAD mostly shares one of them.
        let candidates = [&self.axes, &other.axes, &Mat3::IDENTITY];
        let [first, rest @ ..] = candidates.map(|axes| TurnedBox::around(axes, self, other));
        rest.into_iter().fold(first, |best, next| if next.area() < best.area() { next } else { best })
    }

    fn gap(&self, other: &TurnedBox) -> f64 {
        let local = self.axes.transpose();
        let difference = other.center - self.center;
        let slack = 32.0 * f64::EPSILON * (difference.length() + self.half.length() + other.half.length());
        box_gap(self.half, other.half, &(local * other.axes), local * difference, slack)
    }

    fn gap_placed(&self, other: &TurnedBox, a_from_b: &Placement) -> f64 {
        let local = self.axes.transpose();
        let center = a_from_b.transform_point(other.center);
        let reach = center.length() + self.center.length() + 2.0 * other.center.length();
        let slack = 64.0 * f64::EPSILON * (reach + self.half.length() + other.half.length());
        let turned = local * a_from_b.rotation * other.axes;
        box_gap(self.half, other.half, &turned, local * (center - self.center), slack)
    }

    fn gap_to_point(&self, point: Vec3) -> f64 {
        let difference = point - self.center;
        let local = self.axes.transpose() * difference;
        let slack = 16.0 * f64::EPSILON * (difference.length() + self.half.length());
        (local.abs() - self.half - slack).max(Vec3::ZERO).length() * (1.0 - 8.0 * f64::EPSILON)
    }

    fn reach_along(&self, direction: Vec3) -> f64 {
        let local = self.axes.transpose() * direction;
        let size = self.half.length() + self.center.length();
        direction.dot(self.center)
            + local.abs().dot(self.half)
            + 16.0 * f64::EPSILON * direction.length() * size
    }

    fn area(&self) -> f64 {
        let h = self.half;
        8.0 * (h.x * h.y + h.y * h.z + h.z * h.x)
    }

    fn aabb(&self) -> Aabb {
        let reach = self.axes.x_axis.abs() * self.half.x
            + self.axes.y_axis.abs() * self.half.y
            + self.axes.z_axis.abs() * self.half.z;
        let slack = 16.0 * f64::EPSILON * (self.half.length() + self.center.length());
        Aabb { min: self.center - reach - slack, max: self.center + reach + slack }
    }
}
