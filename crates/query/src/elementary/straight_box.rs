//! Distances from a solid box with axis-parallel edges: of a point, and of a line, ray or segment.

use super::Nearest;
use super::straight::{Span, Straight};
use freiraum_geometry::{Aabb, Vec3};

/// The closest point of the solid box `b` to the point `a`; `a` itself where it lies inside. The box is not empty.
pub fn point_box(a: Vec3, b: &Aabb) -> Nearest {
    Nearest::of_points(a, a.max(b.min).min(b.max))
}

/// The closest points of the line, ray or segment `a` and the solid box `b`, which is not empty.
///
/// **Degenerate input.** Boxes without thickness are rectangles, segments or points; without a direction or length,
/// `a` is its point. If many points are equally close (a segment that enters the box) it is one of them.
pub fn straight_box(a: impl Straight, b: &Aabb) -> Nearest {
    let a = a.span();
    point_box(a.at(closest_parameter(&a, b)), b)
}

/// The t of the point closest to the box.
///
/// The square of the distance is a convex function of t. Its slope is linear between the places where a coordinate
/// enters or leaves its range; these places bracket where it vanishes.
fn closest_parameter(a: &Span, b: &Aabb) -> f64 {
    let places: [[f64; 3]; 3] = std::array::from_fn(|k| {
        let d = a.direction[k];
        let (enter, leave) = ((b.min[k] - a.start[k]) / d, (b.max[k] - a.start[k]) / d);
        // A coordinate that stands still has no part in the slope.
        let moves = enter.is_finite() && leave.is_finite() && d * d > 0.0;
        if moves {
            [enter.min(leave), enter.max(leave), d * d]
        } else {
            [f64::NEG_INFINITY, f64::INFINITY, 0.0]
        }
    });
    // With distances in t, so that a coordinate has no slope at all at its own places. Its share would be rounding
    // that may outweigh another coordinate which changes slowly.
    let slope = |t: f64| {
        places
            .iter()
            .filter(|p| p[2] > 0.0)
            .map(|p| p[2] * ((t - p[0]).min(0.0) + (t - p[1]).max(0.0)))
            .sum::<f64>()
    };
    let (mut falling, mut rising) = (a.first, a.last);
    if falling.is_finite() && slope(falling) >= 0.0 {
        return falling;
    }
    if rising.is_finite() && slope(rising) <= 0.0 {
        return rising;
    }
    for &t in places.iter().flat_map(|p| &p[..2]) {
        if t > falling && t < rising {
            if slope(t) < 0.0 {
                falling = t;
            } else {
                rising = t;
            }
        }
    }
    // Between the two, every coordinate is before, in, or behind its range all the time.
    let (mut sum, mut weight) = (0.0, 0.0);
    for &[enter, leave, w] in &places {
        if w > 0.0 && enter >= rising {
            sum += w * enter;
            weight += w;
        } else if w > 0.0 && leave <= falling {
            sum += w * leave;
            weight += w;
        }
    }
    if weight > 0.0 {
        (sum / weight).clamp(falling, rising)
    } else if falling.is_finite() {
        falling
    } else if rising.is_finite() {
        rising
    } else {
        0.0
    }
}
