//! Where on the paper a point of the scene is drawn.

use super::view::{Camera, View};
use freiraum_geometry::path::Ball;
use freiraum_geometry::{Aabb, Vec2, Vec3};

/// A view that fits onto a sheet. **Units.** Metres in the scene, millimetres on paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) camera: Camera,
    /// Millimetres on paper for a metre on the picture plane.
    pub(super) scale: f64,
    /// The point of the picture plane that is drawn at `middle`.
    origin: Vec2,
    middle: Vec2,
    extent: f64,
}

/// Blank border, in millimetres.
pub(super) const MARGIN: f64 = 8.0;

impl Layout {
    /// Fits points onto the sheet, `foot` millimetres at its lower end left free; `scale` in place of the largest that fits, which is a usual one in
    /// views that lengths can be taken from.
    pub(super) fn fit(view: &View, points: &[Vec3], size: [f64; 2], foot: f64, scale: Option<f64>) -> Layout {
        let world = Aabb::of_points(points);
        let Ball { center, radius } = world.bounding_sphere();
        let radius = if radius > 0.0 { radius } else { 1.0 };
        let camera = Camera::new(view, center, radius);
        let empty = [Vec2::INFINITY, Vec2::NEG_INFINITY];
        let flat = points.iter().filter_map(|p| camera.project(*p));
        let [lo, hi] = flat.fold(empty, |[lo, hi], p| [lo.min(p), hi.max(p)]);
        let (origin, extent) =
            if lo.x <= hi.x { (0.5 * (lo + hi), hi - lo) } else { (Vec2::ZERO, Vec2::splat(radius)) };
        let room = Vec2::new(size[0] - 2.0 * MARGIN, size[1] - 2.0 * MARGIN - foot).max(Vec2::ONE);
        let largest = (room / extent.max(Vec2::splat(f64::MIN_POSITIVE))).min_element();
        let largest = if largest.is_finite() { largest } else { 1.0 };
        let fitting = if view.is_straight() { standard(largest) } else { largest };
        Layout {
            camera,
            scale: scale.unwrap_or(fitting),
            origin,
            middle: Vec2::new(0.5 * size[0], 0.5 * (size[1] - foot)),
            extent: extent.length().max(radius),
        }
    }

    /// A point of the picture plane on paper.
    pub(super) fn paper(&self, p: Vec2) -> Vec2 {
        let from_middle = self.scale * (p - self.origin);
        Vec2::new(self.middle.x + from_middle.x, self.middle.y - from_middle.y)
    }

    /// A point of the scene on paper; `None` behind the eye.
    pub(super) fn point(&self, p: Vec3) -> Option<Vec2> {
        self.camera.project(p).map(|p| self.paper(p))
    }

    /// How large what is drawn is.
    pub(super) fn size_in_picture_space(&self) -> f64 {
        self.extent
    }
}

/// The next lower scale of the series 1:1, 1:2, 1:5, 1:10 and so on, likewise upwards; in millimetres for a metre.
fn standard(scale: f64) -> f64 {
    let ratio = scale / 1000.0;
    let decade = ratio.log10().floor();
    // From the largest on; rounding must not lose one that just fits.
    let fits = |one: f64| one <= ratio * (1.0 + 8.0 * f64::EPSILON);
    let usual = [decade + 1.0, decade, decade - 1.0]
        .into_iter()
        .flat_map(|decade| [5.0, 2.0, 1.0].map(|digit| digit * 10f64.powf(decade)));
    usual.into_iter().find(|one| fits(*one)).map_or(scale, |one| 1000.0 * one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_scales() {
        for (largest, usual) in [
            (1.0, 1.0),
            (0.999, 0.5),
            (1.99, 1.0),
            (2.0, 2.0),
            (4.99, 2.0),
            (7.0, 5.0),
            (10.0, 10.0),
            (0.3, 0.2),
            (0.2, 0.2),
            (0.1, 0.1),
            (0.0301, 0.02),
            (1234.0, 1000.0),
        ] {
            let found = standard(1000.0 * largest) / 1000.0;
            assert!((found - usual).abs() < 1e-12 * usual, "{largest}: {found}");
        }
    }
}
