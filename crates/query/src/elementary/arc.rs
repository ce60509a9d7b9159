//! Distances from an arc of a circle: of a point, a line, ray or segment, and a triangle. (formulas.md 9.1 to 9.4.)
//!
//! An arc is the path of a point that turns about an axis, so these are distances kept during a rotation.

use super::Nearest;
use super::point_segment::point_segment;
use super::point_triangle::Frame;
use super::segment_segment::along;
use super::straight::Straight;
use freiraum_geometry::math::roots::{trig1, wrap_angle};
use freiraum_geometry::math::unit;
use freiraum_geometry::{Pose, Vec3};
use std::f64::consts::TAU;

/// An arc of a circle: the points `center + radius (cos t x + sin t y)` for t from 0 to `angle`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    center: Vec3,
    /// Unit vectors: to the start, in the direction it leaves in, and along the axis.
    axes: [Vec3; 3],
    radius: f64,
    angle: f64,
}

impl Arc {
    /// The path of `point` that turns by `angle` radians (clockwise if negative, a full circle if more than one turn)
    /// about the axis through `on_axis` with this direction, of any non-zero length.
    ///
    /// `None` if the direction is zero or anything is not finite. **Degenerate input.** A point on the axis stands
    /// still: an arc without radius.
    pub fn of_rotation(point: Vec3, on_axis: Vec3, direction: Vec3, angle: f64) -> Option<Arc> {
        let axis =
            unit(direction).filter(|_| point.is_finite() && on_axis.is_finite() && angle.is_finite())?;
        let axis = if angle < 0.0 { -axis } else { axis };
        let w = point - on_axis;
        // The cross product, not a difference, because a point next to the axis leaves no digits in that.
        let sideways = axis.cross(w);
        let y = unit(sideways).unwrap_or_else(|| axis.any_orthonormal_vector());
        let x = y.cross(axis);
        let center = on_axis + axis.dot(w) * axis;
        Some(Arc { center, axes: [x, y, axis], radius: sideways.length(), angle: angle.abs().min(TAU) })
    }

    /// The point after the turn by `t` radians.
    pub fn at(&self, t: f64) -> Vec3 {
        let (sin, cos) = t.sin_cos();
        self.center + self.radius * (cos * self.axes[0] + sin * self.axes[1])
    }

    /// Angle in radians, in [0, 2 pi].
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// Radius in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    fn local(&self, p: Vec3) -> Vec3 {
        let w = p - self.center;
        Vec3::from(self.axes.map(|axis| axis.dot(w)))
    }

    /// The point of the full circle closest to `p`, if it is on the arc. On the axis, the start.
    fn closest_inside(&self, p: Vec3) -> Option<Vec3> {
        let flat = self.local(p).truncate();
        let Some(direction) = flat.try_normalize() else { return Some(self.at(0.0)) };
        // No slack next to a full turn: what is just before the start is not on the arc, and the start is looked at.
        let turn = direction.y.atan2(direction.x);
        let turn = if turn < 0.0 { turn + TAU } else { turn };
        (turn <= self.angle)
            .then(|| self.center + self.radius * (direction.x * self.axes[0] + direction.y * self.axes[1]))
    }

    fn ends(&self) -> [Vec3; 2] {
        [self.at(0.0), self.at(self.angle)]
    }

    /// The points of the arc that lie lowest and highest along a direction.
    pub(crate) fn extremes(&self, direction: Vec3) -> [Vec3; 2] {
        let [x, y, _] = self.axes.map(|axis| axis.dot(direction));
        let along = |p: &Vec3| p.dot(direction);
        let mut found = [self.at(0.0); 2];
        let turns = [y.atan2(x), (-y).atan2(-x)].map(wrap_angle).into_iter().filter(|t| *t <= self.angle);
        for p in turns.map(|t| self.at(t)).chain([self.at(self.angle)]) {
            if along(&p) < along(&found[0]) {
                found[0] = p;
            }
            if along(&p) > along(&found[1]) {
                found[1] = p;
            }
        }
        found
    }

    /// Centre of the circle.
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Unit vector along the axis; seen from its tip the arc turns counter-clockwise.
    pub fn axis(&self) -> Vec3 {
        self.axes[2]
    }

    /// The same arc in another frame.
    #[must_use]
    pub fn placed(&self, other_from_arc: &Pose) -> Arc {
        let axes = self.axes.map(|axis| other_from_arc.rotate(axis));
        Arc { center: other_from_arc.transform_point(self.center), axes, ..*self }
    }

    /// The part of the arc between two turns, from 0 to its angle, the smaller one first.
    #[must_use]
    pub(crate) fn part(&self, from: f64, to: f64) -> Arc {
        let (sin, cos) = from.sin_cos();
        let [x, y, axis] = self.axes;
        Arc { axes: [cos * x + sin * y, cos * y - sin * x, axis], angle: to - from, ..*self }
    }

    /// Unit vectors to the start and in the direction in which the arc leaves it.
    pub(crate) fn plane_axes(&self) -> [Vec3; 2] {
        [self.axes[0], self.axes[1]]
    }

    /// Calls for the points where the arc passes through a plane, given its normal and the height of the centre over it in
    /// lengths of the normal; for none if the arc lies in it.
    pub(super) fn each_pass(&self, normal: Vec3, height: f64, mut f: impl FnMut(Vec3)) {
        let [x, y, _] = self.axes.map(|axis| axis.dot(normal));
        let roots = trig1(self.radius * x, self.radius * y, height).roots();
        let on_arc = roots.as_deref().unwrap_or_default().iter().filter(|t| **t <= self.angle);
        on_arc.for_each(|t| f(self.at(*t)));
    }
}

/// The closest point of the arc `b` to the point `a`.
///
/// **Degenerate input.** From the axis all points of the arc are equally close: its start.
pub fn point_arc(a: Vec3, b: &Arc) -> Nearest {
    let ends = b.ends().map(|end| Nearest::of_points(a, end));
    let best = ends[0].or_nearer(ends[1]);
    b.closest_inside(a).map_or(best, |point| best.or_nearer(Nearest::of_points(a, point)))
}

/// The closest points of the segment `a` and the arc `b`.
///
/// **Degenerate input.** Without length or radius they are points.
/// **Guarantee.** As for the other pairs, except where the two almost touch at an angle e: there the distance is off by
/// 1/e times as much, and by the power 2/3 of the relative rounding where they are tangent.
/// **Cost.** Two searches for the zero of a rising function, half a microsecond.
pub fn segment_arc(a: [Vec3; 2], b: &Arc) -> Nearest {
    let mut best = b.ends().map(|end| point_segment(end, a).swapped());
    let [first, last] = &mut best;
    let u = a[1] - a[0];
    for mu in circle_minima(b.local(a[0]), b.local(a[1]) - b.local(a[0]), b.radius) {
        let p = along(a, u, mu);
        if let Some(point) = b.closest_inside(p) {
            *first = first.or_nearer(Nearest::of_points(p, point));
        }
    }
    first.or_nearer(*last)
}

/// The closest points of the line, ray or segment `a` and the arc `b`, as for [`segment_arc`].
pub fn straight_arc(a: impl Straight, b: &Arc) -> Nearest {
    let span = a.span();
    let length = span.direction.length();
    let middle = span.closest(b.center);
    // Farther from the centre than its foot by this, a point is farther from every point of the circle than the foot is.
    let distance = span.at(middle).distance(b.center);
    let around = 2.0 * (b.radius * (b.radius + distance)).sqrt() / length;
    let ends = [middle - around, middle + around].map(|t| t.clamp(span.first, span.last));
    if ends.iter().all(|t| t.is_finite()) {
        segment_arc(ends.map(|t| span.at(t)), b)
    } else {
        point_arc(span.start, b)
    }
}

/// The shares of the way from `a` by `u` where the distance from the circle in the xy plane has its local minima.
///
/// Half the slope of its square is g = dot(u, y) - radius (length of the flat part of y)' with y = a + mu u. The length
/// is convex and bends most next to the axis, so g rises except in one interval about that place, whose ends are known.
/// On either side of it g has at most one zero.
fn circle_minima(a: Vec3, u: Vec3, radius: f64) -> [f64; 2] {
    let (flat_a, flat_u) = (a.truncate(), u.truncate());
    let (uu, flat_uu) = (u.length_squared(), flat_u.length_squared());
    if !(uu > 0.0) {
        return [0.0; 2];
    }
    // With the distance q of the line from the axis: (flat length)'' = flat_uu q² / (flat length)³.
    let (middle, width) = if flat_uu > 0.0 {
        let middle = -flat_a.dot(flat_u) / flat_uu;
        let moment = flat_u.perp_dot(flat_a);
        let q_squared = moment * moment / flat_uu;
        let bend = (radius * moment * moment / uu).powf(2.0 / 3.0);
        (middle, ((bend - q_squared).max(0.0) / flat_uu).sqrt())
    } else {
        (-1.0, 0.0)
    };
    let slope = |mu: f64| {
        let y = a + mu * u;
        let flat = y.truncate();
        let length = flat.length();
        let across = if length > 0.0 { flat_u.dot(flat) / length } else { 0.0 };
        u.dot(y) - radius * across
    };
    let (left, right) = ((middle - width).clamp(0.0, 1.0), (middle + width).clamp(0.0, 1.0));
    let at_start = slope(0.0);
    let at_end = slope(1.0);
    // The slope has no value on the axis, and next to it no certain one. So the inner end of either side counts as one
    // where it has the sign of a zero between: if there is none the search ends up there.
    let inner = |mu: f64| slope(mu).abs() + radius * flat_uu.sqrt();
    let first = if at_start >= 0.0 { 0.0 } else { zero(&slope, [0.0, left], [at_start, inner(left)]) };
    let second = if at_end <= 0.0 { 1.0 } else { zero(&slope, [right, 1.0], [-inner(right), at_end]) };
    [first, second]
}

/// Where a function that rises from `f_lo` to `f_hi` is zero.
fn zero(f: &impl Fn(f64) -> f64, [mut lo, mut hi]: [f64; 2], [mut f_lo, mut f_hi]: [f64; 2]) -> f64 {
    // False position with the Illinois rule, every third step a bisection: some ten steps mostly, and never many.
    let mut kept_hi = None;
    let mut step = 0;
    while hi - lo > f64::EPSILON {
        step += 1;
        let secant = lo + (hi - lo) * (f_lo / (f_lo - f_hi));
        let x = if step % 3 > 0 && secant > lo && secant < hi { secant } else { 0.5 * (lo + hi) };
        let value = f(x);
        if value == 0.0 {
            return x;
        }
        let keeps_hi = value < 0.0;
        let again = kept_hi == Some(keeps_hi);
        kept_hi = Some(keeps_hi);
        if keeps_hi {
            (lo, f_lo) = (x, value);
            f_hi *= if again { 0.5 } else { 1.0 };
        } else {
            (hi, f_hi) = (x, value);
            f_lo *= if again { 0.5 } else { 1.0 };
        }
    }
    0.5 * (lo + hi)
}

/// The closest points of the triangle `a` and the arc `b`.
///
/// **Guarantee.** Zero only to rounding where they meet. **Degenerate input.** Without area or radius they are segments
/// or points.
pub fn triangle_arc(a: [Vec3; 3], b: &Arc) -> Nearest {
    let frame = Frame::new(a);
    let edges = (0..3).map(|i| segment_arc([a[i], a[(i + 1) % 3]], b));
    let mut best = edges.reduce(Nearest::or_nearer).unwrap_or(point_arc(a[0], b));
    let mut offer = |p: Vec3| {
        if let Some(foot) = frame.foot(p) {
            best = best.or_nearer(Nearest::of_points(foot, p));
        }
    };
    b.ends().into_iter().for_each(&mut offer);
    // Where the circle passes through the plane, and where it is parallel to it.
    let normal = frame.normal();
    b.each_pass(normal, normal.dot(b.center - frame.corners[0]), &mut offer);
    b.extremes(normal).into_iter().for_each(offer);
    best
}
