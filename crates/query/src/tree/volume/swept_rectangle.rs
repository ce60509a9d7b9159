//! The rectangle swept by a sphere: long and flat bodies, and true distances.

use super::super::{Extent, Placement};
use super::Volume;
use freiraum_geometry::enclose::enclosing_swept_rectangle;
use freiraum_geometry::{Mat3, Pose, Vec2, Vec3};
use std::f64::consts::PI;

/// All points within a radius of a rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptRectangle {
    /// Middle of the rectangle in metres.
    pub center: Vec3,
    /// Unit directions of its sides and its normal, as columns.
    pub axes: Mat3,
    /// Half its sides in metres.
    pub half: Vec2,
    /// Radius in metres.
    pub radius: f64,
}

impl SweptRectangle {
    fn corners(&self) -> [Vec3; 4] {
        let (u, v) = (self.axes.x_axis * self.half.x, self.axes.y_axis * self.half.y);
        [self.center + u + v, self.center - u + v, self.center - u - v, self.center + u - v]
    }

    /// The largest value of `direction · x` on the rectangle alone, relative to its middle.
    fn half_width(&self, direction: Vec3) -> f64 {
        let u = direction.dot(self.axes.x_axis).abs() * self.half.x;
        u + direction.dot(self.axes.y_axis).abs() * self.half.y
    }

    fn nearest_on_rectangle(&self, point: Vec3) -> Vec3 {
        let local = self.axes.transpose() * (point - self.center);
        let clamped = local.truncate().clamp(-self.half, self.half);
        self.center + self.axes * clamped.extend(0.0)
    }

    /// The distance by which a direction of any length separates the two, without their radii.
    fn separation(&self, other: &SweptRectangle, direction: Vec3) -> f64 {
        let along = direction.dot(other.center - self.center).abs();
        let length = direction.length();
        if length > 0.0 {
            (along - self.half_width(direction) - other.half_width(direction)) / length
        } else {
            f64::NEG_INFINITY
        }
    }

    /// The volume with those axes around both; the rectangle lies across the third axis.
    fn around(axes: Mat3, a: &SweptRectangle, b: &SweptRectangle) -> SweptRectangle {
        let corners = [a.corners(), b.corners()];
        let origin = a.center;
        let local = axes.transpose();
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for corner in corners.as_flattened() {
            let p = local * (*corner - origin);
            (min, max) = (min.min(p), max.max(p));
        }
        let center = origin + axes * (0.5 * (min + max));
        let half = 0.5 * (max - min).truncate();
        let mut around = SweptRectangle { center, axes, half, radius: 0.0 };
        // The distance from a convex set is convex, so its maximum over a rectangle is at a corner.
        for (corners, radius) in [(corners[0], a.radius), (corners[1], b.radius)] {
            for corner in corners {
                let away = corner.distance(around.nearest_on_rectangle(corner));
                around.radius = around.radius.max(away + radius);
            }
        }
        let size = half.length() + around.radius + 2.0 * center.length() + 2.0 * origin.length();
        around.radius += 64.0 * f64::EPSILON * size;
        around
    }
}

impl Volume for SweptRectangle {
    fn of_points(points: &[Vec3]) -> Option<SweptRectangle> {
        let fit = enclosing_swept_rectangle(points)?;
        let radius = fit.radius + 32.0 * f64::EPSILON * (fit.radius + fit.half.length());
        let center = fit.pose.translation();
        Some(SweptRectangle { center, axes: fit.pose.rotation_matrix(), half: fit.half, radius })
    }

    fn of_extent(extent: &Extent, frame_from_object: &Pose) -> SweptRectangle {
        let size = extent.bounds.size();
        let middle = extent.bounds.center();
        // The shortest edge becomes the normal: an even permutation keeps the axes right-handed.
        let rotation = frame_from_object.rotation_matrix();
        let (x, y, z) = (rotation.x_axis, rotation.y_axis, rotation.z_axis);
        let (axes, sides, thickness) = if size.z <= size.x && size.z <= size.y {
            (Mat3::from_cols(x, y, z), Vec2::new(size.x, size.y), size.z)
        } else if size.y <= size.x {
            (Mat3::from_cols(z, x, y), Vec2::new(size.z, size.x), size.y)
        } else {
            (Mat3::from_cols(y, z, x), Vec2::new(size.y, size.z), size.x)
        };
        let center = frame_from_object.transform_point(middle);
        let reach = center.length() + 2.0 * middle.length() + extent.bounds.reach();
        let radius = 0.5 * thickness + 32.0 * f64::EPSILON * reach;
        let swept = SweptRectangle { center, axes, half: 0.5 * sides, radius };
        let center = frame_from_object.transform_point(extent.center);
        let ball = SweptRectangle {
            center,
            axes,
            half: Vec2::ZERO,
            radius: extent.radius
                + 32.0 * f64::EPSILON * (center.length() + 2.0 * extent.center.length() + extent.radius),
        };
        if ball.area() < swept.area() { ball } else { swept }
    }

    fn union(&self, other: &SweptRectangle) -> SweptRectangle {
        let mut best: Option<SweptRectangle> = None;
        for axes in [self.axes, other.axes] {
            let (x, y, z) = (axes.x_axis, axes.y_axis, axes.z_axis);
            for turned in [axes, Mat3::from_cols(y, z, x), Mat3::from_cols(z, x, y)] {
                let next = SweptRectangle::around(turned, self, other);
                if best.is_none_or(|b| next.area() < b.area()) {
                    best = Some(next);
                }
            }
        }
        best.unwrap_or(*self)
    }

    fn gap(&self, other: &SweptRectangle) -> f64 {
        let radii = self.radius + other.radius;
        let apart = other.center - self.center;
        let size = radii + self.half.length() + other.half.length() + apart.length();
        let slack = 64.0 * f64::EPSILON * size;
        // Most pairs are apart along the line of centres or a normal.
        let mut best = f64::NEG_INFINITY;
        for direction in [apart, self.axes.z_axis, other.axes.z_axis] {
            best = best.max(self.separation(other, direction));
        }
        // The nearest points are on two edges, or a corner and a face. The direction between them separates; and
        // whatever the candidates are, what is returned is what a direction proves.
        if let Some((p, q)) = nearest_candidates(self, other) {
            best = best.max(self.separation(other, q - p));
        }
        best - radii - slack
    }

    fn gap_placed(&self, other: &SweptRectangle, a_from_b: &Placement) -> f64 {
        let center = a_from_b.transform_point(other.center);
        let slack =
            64.0 * f64::EPSILON * (other.center.length() + a_from_b.translation.length() + center.length());
        let axes = a_from_b.rotation * other.axes;
        self.gap(&SweptRectangle { center, axes, ..*other })
            - slack
            - 64.0 * f64::EPSILON * other.half.length()
    }

    fn gap_to_point(&self, point: Vec3) -> f64 {
        let distance = point.distance(self.nearest_on_rectangle(point));
        let size = point.distance(self.center) + self.half.length() + self.radius;
        let reach = point.abs().max_element().max(self.center.abs().max_element());
        distance - self.radius - 32.0 * f64::EPSILON * (size + reach)
    }

    fn reach_along(&self, direction: Vec3) -> f64 {
        let length = direction.length();
        let size = self.half.length() + self.radius + self.center.length();
        direction.dot(self.center)
            + self.half_width(direction)
            + length * self.radius
            + 16.0 * f64::EPSILON * length * size
    }

    fn area(&self) -> f64 {
        // Both faces, half a cylinder along each side, and a whole sphere in the corners.
        let (h, r) = (self.half, self.radius);
        8.0 * h.x * h.y + 4.0 * PI * r * (h.x + h.y) + 4.0 * PI * r * r
    }
}

/// The nearest of all pairs of edge points and of corners with face points; `None` if all coincide.
fn nearest_candidates(a: &SweptRectangle, b: &SweptRectangle) -> Option<(Vec3, Vec3)> {
    let (corners_a, corners_b) = (a.corners(), b.corners());
    let mut best = (f64::INFINITY, Vec3::ZERO, Vec3::ZERO);
    let mut judge = |p: Vec3, q: Vec3| {
        let distance = p.distance_squared(q);
        if distance < best.0 {
            best = (distance, p, q);
        }
    };
    for p in corners_a {
        judge(p, b.nearest_on_rectangle(p));
    }
    for q in corners_b {
        judge(a.nearest_on_rectangle(q), q);
    }
    for i in 0..4 {
        for j in 0..4 {
            let (p, q) = nearest_on_segments(
                corners_a[i],
                corners_a[(i + 1) % 4],
                corners_b[j],
                corners_b[(j + 1) % 4],
            );
            judge(p, q);
        }
    }
    (best.0 > 0.0 && best.0.is_finite()).then_some((best.1, best.2))
}

/// Nearest points of two segments (formulas.md 4.6), each possibly of length zero.
fn nearest_on_segments(a0: Vec3, a1: Vec3, b0: Vec3, b1: Vec3) -> (Vec3, Vec3) {
    let (u, v, w) = (a1 - a0, b1 - b0, a0 - b0);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let (uw, vw) = (u.dot(w), v.dot(w));
    let share = |numerator: f64, denominator: f64| {
        if denominator > 0.0 { (numerator / denominator).clamp(0.0, 1.0) } else { 0.0 }
    };
    let s = share(uv * vw - vv * uw, uu * vv - uv * uv);
    let t = share(s * uv + vw, vv);
    let s = share(t * uv - uw, uu);
    (a0 + s * u, b0 + t * v)
}
