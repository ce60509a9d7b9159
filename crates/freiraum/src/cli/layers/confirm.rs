//! Is it there? Vertices were put onto units, so surfaces that touch may seem to be in each other a little.

use freiraum::deform::occupancy::NOISE;
use freiraum::deform::{Grid, Surface};

/// Whether a part of a ray, `length` steps long, is longer than what rounding may have made of it. A face whose vertices moved by
/// [`Grid::snapping`] has moved by that much in depth, and as much more sideways as it is steep. `ends` are the faces of its ends.
pub(super) fn is_real(grid: &Grid, length: u32, ends: [(Surface, u32); 2]) -> bool {
    let moved: f64 = ends.into_iter().map(|(surface, face)| moved(grid, surface, face)).sum();
    f64::from(length) > f64::from(NOISE) + moved
}

/// What an overlap must be wider, in metres, than one that is merely seen. Its faces may have moved into it, and it still has to be wider than if
/// they had moved out of it: one that is narrower by [`Grid::snapping`] on both sides must be seen.
pub(super) fn to_confirm(grid: &Grid) -> f64 {
    2.0 * grid.snapping().length()
}

/// In steps; endless for a face along the view, or without area.
fn moved(grid: &Grid, surface: Surface, face: u32) -> f64 {
    let [a, b, c] = surface.corners(face);
    let normal = (b - a).cross(c - a).abs();
    let depth = normal[grid.axis.index()];
    if depth > 0.0 { normal.dot(grid.snapping()) / depth / grid.step() } else { f64::INFINITY }
}
