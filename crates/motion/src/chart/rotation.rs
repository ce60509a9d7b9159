//! Coordinates of a rotation: the angle, the distance from the axis and the height along it.

use super::{Chart, ChartBox, LOOK_ROUNDING};
use freiraum_geometry::path::Axis;
use freiraum_geometry::{Mat3, Pose, Vec3};
use std::f64::consts::{PI, TAU};

/// Coordinates of a rotation for one body.
///
/// The interval of angles starts in [-pi, pi] and is at most a full turn wide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RotationChart {
    /// The axis becomes z.
    axis_from_body: Mat3,
    origin: Vec3,
    slack: f64,
}

impl RotationChart {
    /// Unit axes of the frame in which the rotation is about z, in the frame of the axis.
    pub(crate) fn axes(axis: &Axis) -> Mat3 {
        let (u, v) = axis.direction.any_orthonormal_pair();
        // Right-handed: u × v is the axis.
        if u.cross(v).dot(axis.direction) > 0.0 {
            Mat3::from_cols(u, v, axis.direction)
        } else {
            Mat3::from_cols(v, u, axis.direction)
        }
    }

    /// Coordinates for a body at `a_from_body`; `origin`: the point on the axis that becomes the origin, in frame a.
    pub(crate) fn new(axes: Mat3, origin: Vec3, a_from_body: &Pose, slack: f64) -> RotationChart {
        let axis_from_a = axes.transpose();
        let axis_from_body = axis_from_a * a_from_body.rotation_matrix();
        let origin = axis_from_a * (a_from_body.translation() - origin);
        RotationChart { axis_from_body, origin, slack }
    }

    /// A point of the body in the frame in which the rotation is about z.
    #[inline]
    pub(crate) fn point(&self, p: Vec3) -> Vec3 {
        self.axis_from_body * p + self.origin
    }

    /// The same with everything taken to be larger by this much more.
    pub(crate) fn coarser(self, more: f64) -> RotationChart {
        RotationChart { slack: self.slack + more, ..self }
    }
}

impl Chart for RotationChart {
    #[inline]
    fn frame(&self) -> (&Mat3, Vec3, f64) {
        (&self.axis_from_body, self.origin, self.slack)
    }

    #[inline]
    fn looks_along(&self, triangle: [Vec3; 3], sense: f64) -> bool {
        let [p, q, r] = triangle.map(|p| self.point(p));
        let (u, v) = (q - p, r - p);
        let normal = u.cross(v);
        // The velocity at p is z × p; its product with the normal changes linearly along the triangle.
        let size = LOOK_ROUNDING * u.length() * v.length();
        [p, q, r].iter().all(|p| {
            let reach = p.x.abs() + p.y.abs() + self.slack / LOOK_ROUNDING;
            sense * (normal.y * p.x - normal.x * p.y) > size * reach
        })
    }

    #[inline]
    fn around(&self, center: Vec3, half: Vec3) -> ChartBox {
        around(center, half)
    }
}

/// The box around an axis-parallel box in the frame of the axis.
#[inline]
fn around(center: Vec3, half: Vec3) -> ChartBox {
    let (x, y) = (center.x.abs(), center.y.abs());
    let length = |x: f64, y: f64| (x * x + y * y).sqrt();
    let near = length((x - half.x).max(0.0), (y - half.y).max(0.0));
    let far = length(x + half.x, y + half.y);
    let [low, wide] = angles(center, half);
    // Rounding of the lengths: a few units in the last place.
    let round = 4.0 * f64::EPSILON;
    ChartBox {
        min: [low, near * (1.0 - round), center.z - half.z],
        max: [low + wide, far * (1.0 + round), center.z + half.z],
    }
}

/// Least angle and width of the interval of angles under which a rectangle is seen from the origin.
#[inline]
fn angles(center: Vec3, half: Vec3) -> [f64; 2] {
    let (x, y) = (center.x.abs(), center.y.abs());
    // By symmetry the rectangle is looked at in the first quadrant; it spans the corners at the ends of a diagonal if it
    // lies inside, otherwise it crosses one half axis, or holds the origin.
    let (beside, above) = (x > half.x, y > half.y);
    let [low, high] = match (beside, above) {
        (false, false) => return [-PI, TAU],
        (true, true) => [(y - half.y).atan2(x + half.x), (y + half.y).atan2(x - half.x)],
        (true, false) => [(y - half.y).atan2(x - half.x), (y + half.y).atan2(x - half.x)],
        (false, true) => [(y - half.y).atan2(x + half.x), (y - half.y).atan2(x - half.x)],
    };
    // Rounding of the two angles.
    let (low, high) = (low - 4.0 * f64::EPSILON, high + 4.0 * f64::EPSILON);
    let (low, high) = if center.x < 0.0 { (PI - high, PI - low) } else { (low, high) };
    let (low, high) = if center.y < 0.0 { (-high, -low) } else { (low, high) };
    [low, high - low]
}
