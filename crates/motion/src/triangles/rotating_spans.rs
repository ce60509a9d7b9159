//! All angles at which a turning triangle has points in common with another one.
//!
//! Whether two triangles meet can only change when a corner of one is in the plane of the other, or two edges are in one plane:
//! fifteen equations of the form `α cos θ + β sin θ + γ = 0`. Between neighbouring solutions one look decides; at the solutions themselves
//! a corner may touch for an instant. Faces that turn in their own plane meet by their edges: eighteen more such equations.

use super::edges;
use super::rotating::{Wave, turn};
use freiraum_geometry::Vec3;
use freiraum_query::elementary::{triangle_triangle, triangles_intersect};
use std::f64::consts::TAU;

/// Appends the intervals of angles in [0, last], ascending, at which b, turned about z, has points in common with a. `last` is at
/// most a full turn. `slack`: how far off a coordinate may be by rounding.
///
/// **Guarantee.** The ends are exact up to rounding. A contact of one instant is an interval without length; what comes no closer than
/// twice the slack touches.
pub(crate) fn spans_rotating(a: [Vec3; 3], b: [Vec3; 3], last: f64, slack: f64, out: &mut Vec<[f64; 2]>) {
    let mut events = Events { angles: [0.0; Events::MOST], count: 1, last };
    let (ea, eb) = (edges(&a), edges(&b));
    let (na, nb) = (ea[0].cross(ea[1]), eb[0].cross(eb[1]));
    let reach = a.iter().chain(&b).map(|p| p.length()).fold(0.0, f64::max);
    // Heights over a plane, times the length of its normal, may be off by this times that.
    let unsure = 2.0 * slack + ROUNDING * reach;
    let (size_a, size_b) = (unsure * na.length(), unsure * nb.length());
    for k in 0..3 {
        events.add(Wave::turning(na, b[k]).minus(na.dot(a[0])), size_a);
        events.add(Wave::turning_back(nb, a[k]).minus(nb.dot(b[0])), size_b);
        for j in 0..3 {
            // (u × R v) · (R q - p) with the edges u from p and v from q.
            let wave = Wave::turning(ea[k], eb[j].cross(b[j])).plus(Wave::turning(ea[k].cross(a[k]), eb[j]));
            events.add(wave, unsure * ea[k].length() * eb[j].length());
        }
    }
    if is_level(na) && is_level(nb) {
        for k in 0..3 {
            let (out_a, out_b) = (Vec3::Z.cross(ea[k]), Vec3::Z.cross(eb[k]));
            let (size_a, size_b) = (unsure * out_a.length(), unsure * out_b.length());
            for j in 0..3 {
                events.add(Wave::turning(out_a, b[j]).minus(out_a.dot(a[k])), size_a);
                events.add(Wave::turning_back(out_b, a[j]).minus(out_b.dot(b[k])), size_b);
            }
        }
    }
    let angles = events.sorted();
    let touches = |angle: f64| are_within(&a, &turn(&b, angle), 2.0 * slack);
    let mut open: Option<f64> = None;
    for (k, &from) in angles.iter().enumerate() {
        let to = angles.get(k + 1).copied();
        let middle = to.map(|to| 0.5 * (from + to));
        let is_inside = middle.is_some_and(|middle| triangles_intersect(a, turn(&b, middle)));
        if !is_inside && open.is_none() && !touches(from) {
            continue;
        }
        let start = open.take().unwrap_or(from);
        // Together at both ends and closer than rounding in between: together all the time.
        if is_inside || (middle.is_some_and(touches) && to.is_some_and(touches)) {
            open = Some(start);
        } else {
            out.push([start, from]);
        }
    }
}

/// True if triangles are no farther apart than this.
fn are_within(a: &[Vec3; 3], b: &[Vec3; 3], distance: f64) -> bool {
    // Mostly a plane of one of them parts them already.
    let is_beside = |a: &[Vec3; 3], b: &[Vec3; 3]| {
        let n = (a[1] - a[0]).cross(a[2] - a[0]);
        let heights = b.map(|p| n.dot(p - a[0]));
        // Twice as far, so that rounding does not matter.
        let level = 2.0 * distance * n.length();
        heights.iter().all(|h| *h > level) || heights.iter().all(|h| *h < -level)
    };
    !is_beside(a, b) && !is_beside(b, a) && triangle_triangle(*a, *b).distance() <= distance
}

/// True if a normal is along z, up to rounding: the triangle turns in its plane.
fn is_level(n: Vec3) -> bool {
    n.x.abs() + n.y.abs() <= LEVEL * n.z.abs()
}

/// Tilt below which a triangle counts as one that turns in its plane. More equations than necessary do no harm.
const LEVEL: f64 = 4096.0 * f64::EPSILON;

/// How far off a product of lengths may be after a few operations, for each of them 1.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Angles at which something may change.
struct Events {
    angles: [f64; Events::MOST],
    count: usize,
    last: f64,
}

impl Events {
    /// Two of every equation, and both ends.
    const MOST: usize = 2 * (15 + 18) + 2;

    /// Adds the angles at which a function is zero; where it does not quite get there, by no more than `unsure`, that at which it is
    /// closest. None if it is constant.
    fn add(&mut self, wave: Wave, unsure: f64) {
        let h = wave.along.hypot(wave.across);
        if !(h > 0.0 && wave.middle.abs() <= h + unsure) {
            return;
        }
        let phase = wave.across.atan2(wave.along);
        let half = (-wave.middle / h).clamp(-1.0, 1.0).acos();
        for angle in [phase - half, phase + half] {
            let angle = if angle < 0.0 { angle + TAU } else { angle };
            if angle < self.last {
                self.angles[self.count] = angle;
                self.count += 1;
            }
        }
    }

    fn sorted(&mut self) -> &[f64] {
        self.angles[self.count] = self.last;
        let angles = &mut self.angles[..=self.count];
        angles.sort_by(f64::total_cmp);
        let mut kept = 1;
        for k in 1..angles.len() {
            if angles[k] > angles[kept - 1] {
                angles[kept] = angles[k];
                kept += 1;
            }
        }
        &self.angles[..kept]
    }
}
