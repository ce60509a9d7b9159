//! Where on the paper a point of the scene is drawn.

use super::view::{Camera, View};
use freiraum_geometry::{AxisBox, Vec2, Vec3};

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
    /// Fits points onto the sheet, `foot` millimetres at its lower end left free; `scale` in place of the largest that fits.
    pub(super) fn fit(view: &View, points: &[Vec3], size: [f64; 2], foot: f64, scale: Option<f64>) -> Layout {
        let world = AxisBox::of_points(points);
        let (center, radius) =
            if world.is_empty() { (Vec3::ZERO, 1.0) } else { (world.center(), 0.5 * world.size().length()) };
        let radius = if radius > 0.0 { radius } else { 1.0 };
        let camera = Camera::new(view, center, radius);
        let empty = [Vec2::INFINITY, Vec2::NEG_INFINITY];
        let flat = points.iter().filter_map(|p| camera.project(*p));
        let [lo, hi] = flat.fold(empty, |[lo, hi], p| [lo.min(p), hi.max(p)]);
        let (origin, extent) =
            if lo.x <= hi.x { (0.5 * (lo + hi), hi - lo) } else { (Vec2::ZERO, Vec2::splat(radius)) };
        let room = Vec2::new(size[0] - 2.0 * MARGIN, size[1] - 2.0 * MARGIN - foot).max(Vec2::ONE);
        let largest = (room / extent.max(Vec2::splat(f64::MIN_POSITIVE))).min_element();
        let fitting = if largest.is_finite() { largest } else { 1.0 };
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
