//! Coordinates of a translation: along it, and two across.

use super::{Chart, ChartBox, LOOK_ROUNDING};
use freiraum_geometry::{Mat3, Pose, Vec3};

/// Coordinates of a translation for one body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TranslationChart {
    /// Columns: what a unit step along x, y, z of the body adds to the coordinates.
    chart_from_body: Mat3,
    origin: Vec3,
    slack: f64,
}

impl TranslationChart {
    /// Unit axes of the coordinates for a translation that is not zero, in the frame it is given in: along it first.
    pub(crate) fn axes(by: Vec3) -> Mat3 {
        // A motion shorter than any number is none that the caller may ask for.
        let along = by.try_normalize().unwrap_or(Vec3::X);
        let (u, v) = along.any_orthonormal_pair();
        Mat3::from_cols(along, u, v)
    }

    /// Coordinates for a body at `a_from_body`, with the axes given in frame a. `slack`: rounding of a coordinate.
    pub(crate) fn new(axes: Mat3, a_from_body: &Pose, slack: f64) -> TranslationChart {
        let chart_from_a = axes.transpose();
        let chart_from_body = chart_from_a * a_from_body.rotation_matrix();
        TranslationChart { chart_from_body, origin: chart_from_a * a_from_body.translation(), slack }
    }

    /// The same with everything taken to be larger by this much more.
    pub(crate) fn coarser(self, more: f64) -> TranslationChart {
        TranslationChart { slack: self.slack + more, ..self }
    }
}

impl Chart for TranslationChart {
    #[inline]
    fn frame(&self) -> (&Mat3, Vec3, f64) {
        (&self.chart_from_body, self.origin, self.slack)
    }

    #[inline]
    fn looks_along(&self, triangle: [Vec3; 3], sense: f64) -> bool {
        let [p, q, r] = triangle;
        let (u, v) = (self.chart_from_body * (q - p), self.chart_from_body * (r - p));
        sense * u.cross(v).x > LOOK_ROUNDING * u.length() * v.length()
    }

    #[inline]
    fn around(&self, center: Vec3, half: Vec3) -> ChartBox {
        ChartBox { min: (center - half).to_array(), max: (center + half).to_array() }
    }
}
