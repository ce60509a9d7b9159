//! Lower bounds of the distance of two parts while one of them turns about z.
//!
//! Three bounds are used. The boxes in angle, distance from the axis and height, by the law of cosines. If the parts can have equal
//! angles: the planes through the axis, all turned into one. Points are no closer than what these images are, and a straight line
//! between the images of the parts parts them for all angles. And if the parts only approach each other, or only part, by
//! less than half a turn: what a plane between them says where they are closest.

use super::search::Part;
use crate::chart::ChartBox;
use freiraum_geometry::Vec3;
use std::f64::consts::{PI, TAU};

/// A turn about z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    angle: f64,
    sin: f64,
    cos: f64,
    slack: f64,
}

impl Turn {
    /// By an angle of at most a full turn. `slack`: rounding of a coordinate.
    pub(super) fn new(angle: f64, slack: f64) -> Turn {
        let (sin, cos) = angle.sin_cos();
        Turn { angle, sin, cos, slack }
    }

    fn apply(&self, p: Vec3) -> Vec3 {
        Vec3::new(self.cos * p.x - self.sin * p.y, self.sin * p.x + self.cos * p.y, p.z)
    }

    fn undo(&self, p: Vec3) -> Vec3 {
        Vec3::new(self.cos * p.x + self.sin * p.y, self.cos * p.y - self.sin * p.x, p.z)
    }

    /// A lower bound of the distance of the parts while b turns; looks no further where it is not below `best`.
    #[inline]
    pub(super) fn distance(&self, a: &Part, b: &Part, best: f64) -> f64 {
        let (box_a, box_b) = (&a.around, &b.around);
        let (height, across) = (gap(box_a, box_b, 2), gap(box_a, box_b, 1));
        let flat = (height * height + across * across).sqrt() * ROUND;
        if flat >= best {
            return flat;
        }
        let (wide_a, wide_b) = (box_a.max[0] - box_a.min[0], box_b.max[0] - box_b.min[0]);
        // From the start of b's angles to the start of a's; both are in [-pi, pi].
        let between = box_a.min[0] - box_b.min[0];
        let between = if between < 0.0 { between + TAU } else { between };
        // How far a is ahead of b, at least, and how far b of a; negative if they overlap.
        let (ahead, behind) = (between - wide_b, TAU - between - wide_a);
        let least = (ahead - self.angle).min(behind);
        if least <= 0.0 {
            // From middle to middle, and if the heights overlap also straight away from the axis.
            let d = b.from_axis - a.from_axis;
            let h = b.center.z - a.center.z;
            let length = (d * d + h * h).sqrt();
            let mut bound = images(a, b, d / length, h / length);
            if height == 0.0 {
                bound = bound.max(images(a, b, if d > 0.0 { 1.0 } else { -1.0 }, 0.0));
            }
            let bound = bound - 4.0 * self.slack;
            return if bound > flat { bound } else { flat };
        }
        // Distances from the axis p and q, with the angle φ between: p² + q² - 2 p q cos φ = (q - p cos φ)² + (p sin φ)². Both
        // closer to the axis by the same factor are closer to each other, so one of them is at its least.
        let (sin, cos) = least.min(PI).sin_cos();
        let from = |p: f64, low: f64, high: f64| {
            let (x, y) = ((p * cos).clamp(low, high) - p * cos, p * sin);
            x * x + y * y
        };
        let across = from(box_a.min[1], box_b.min[1], box_b.max[1]).min(from(
            box_b.min[1],
            box_a.min[1],
            box_a.max[1],
        ));
        let boxes = (height * height + across).sqrt() * ROUND;
        if boxes >= best {
            return boxes;
        }
        let wide = wide_a + wide_b;
        let still = if ahead >= self.angle && ahead + wide <= PI {
            // b comes up from behind: closest at the end.
            let n = (b.center - self.undo(a.center)).normalize_or_zero();
            let distance = n.dot(b.center - self.undo(a.center));
            distance - a.extent(self.apply(n))[1] - b.extent(n)[0]
        } else if behind >= 0.0 && behind + wide + self.angle <= PI {
            // b moves away ahead of a: closest at the start.
            let n = (b.center - a.center).normalize_or_zero();
            n.dot(b.center - a.center) - a.extent(n)[1] - b.extent(n)[0]
        } else {
            f64::NEG_INFINITY
        };
        boxes.max(still - 4.0 * self.slack)
    }
}

/// Rounding of a cosine and a few products.
const ROUND: f64 = 1.0 - 16.0 * f64::EPSILON;

/// The gap of two intervals of one coordinate, 0 if they overlap.
#[inline]
fn gap(a: &ChartBox, b: &ChartBox, k: usize) -> f64 {
    (a.min[k] - b.max[k]).max(b.min[k] - a.max[k]).max(0.0)
}

/// A lower bound of the distance of the images of two parts in the half plane of the distance d from the axis and the height,
/// along a unit vector of it; negative or not a number if there is none.
#[inline]
fn images(a: &Part, b: &Part, d: f64, h: f64) -> f64 {
    if d >= 0.0 { lowest(b, d, h) - highest(a, d, h) } else { lowest(a, -d, -h) - highest(b, -d, -h) }
}

/// A lower bound of `d times the distance from the axis plus h times the height` in a part, for d that is not negative: with any
/// unit vector e across the axis, the distance is at least e · x.
#[inline]
fn lowest(part: &Part, d: f64, h: f64) -> f64 {
    let n = Vec3::new(d * part.outwards.x, d * part.outwards.y, h);
    n.dot(part.center) - part.extent(n)[0]
}

/// An upper bound of the same. The distance from the axis is convex, so corners of a triangle are enough; for a box, with e
/// towards its middle and at least m = e · x > 0, it is at most `e · x + s² / (2 m)`, where s is how far the box reaches across e.
#[inline]
fn highest(part: &Part, d: f64, h: f64) -> f64 {
    if let Some(corners) = part.corners() {
        let [x, y, z] = corners.map(|p| d * p.truncate().length() + h * p.z);
        return x.max(y).max(z);
    }
    let e = part.outwards;
    let n = Vec3::new(d * e.x, d * e.y, h);
    let least = e.dot(part.center) - part.extent(e)[0];
    let [left, right] = part.extent(Vec3::new(-e.y, e.x, 0.0));
    let across = left.max(right);
    if !(least > 0.0) {
        return f64::INFINITY;
    }
    n.dot(part.center) + part.extent(n)[1] + d * across * across / (2.0 * least)
}
