//! Coordinates of a translation: along it, and two across.

use super::{Chart, ChartBox};
use freiraum_geometry::{Mat3, Pose, Vec3};

/// Coordinates of a translation for one body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TranslationChart {
    /// Columns: what a unit step along x, y, z of the body adds to the coordinates.
    chart_from_body: Mat3,
    /// Absolute values of it.
    extent: Mat3,
    origin: Vec3,
    slack: f64,
}

impl TranslationChart {
    /// Unit axes of the coordinates for a translation that is not zero, in the frame it is given in: along it first.
    pub(crate) fn axes(by: Vec3) -> Mat3 {
        let along = by.normalize();
        let (u, v) = along.any_orthonormal_pair();
        Mat3::from_cols(along, u, v)
    }

    /// Coordinates for a body at `a_from_body`, with the axes given in frame a. `slack`: rounding of a coordinate.
    pub(crate) fn new(axes: Mat3, a_from_body: &Pose, slack: f64) -> TranslationChart {
        let chart_from_a = axes.transpose();
        let chart_from_body = chart_from_a * a_from_body.rotation_matrix();
        let extent = Mat3::from_cols(
            chart_from_body.x_axis.abs(),
            chart_from_body.y_axis.abs(),
            chart_from_body.z_axis.abs(),
        );
        TranslationChart { chart_from_body, extent, origin: chart_from_a * a_from_body.translation(), slack }
    }
}

impl Chart for TranslationChart {
    #[inline]
    fn chart_box(&self, center: Vec3, half: Vec3) -> ChartBox {
        let center = self.chart_from_body * center + self.origin;
        let half = self.extent * half + self.slack;
        ChartBox { min: (center - half).to_array(), max: (center + half).to_array() }
    }

    #[inline]
    fn triangle_box(&self, triangle: [Vec3; 3]) -> ChartBox {
        let [p, q, r] = triangle.map(|p| self.chart_from_body * p + self.origin);
        let slack = Vec3::splat(self.slack);
        ChartBox { min: (p.min(q).min(r) - slack).to_array(), max: (p.max(q).max(r) + slack).to_array() }
    }
}
