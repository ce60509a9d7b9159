//! All angles at which a turning triangle has points in common with another one.
//!
//! Whether two triangles meet can only change when a corner of one is in the plane of the other, or two edges are in one plane:
//! fifteen equations of the form `α cos θ + β sin θ + γ = 0`. Between neighbouring solutions one look decides.

use super::edges;
use super::rotating::{Wave, turn};
use freiraum_geometry::Vec3;
use freiraum_query::elementary::triangles_intersect;
use std::f64::consts::TAU;

/// Appends the intervals of angles in [0, last], ascending, at which b, turned about z, has points in common with a. `last` is at
/// most a full turn.
///
/// **Guarantee.** The ends are exact up to rounding. Contacts that rounding alone decides, such as a corner that just reaches a
/// face, may be missing: ask [`meet_rotating`](super::meet_rotating) for the first contact.
pub(crate) fn spans_rotating(a: [Vec3; 3], b: [Vec3; 3], last: f64, out: &mut Vec<[f64; 2]>) {
    let mut angles = [0.0; 2 * 15 + 2];
    let mut count = 1;
    let mut add = |wave: Wave| {
        for angle in wave.zeros() {
            if angle < last {
                angles[count] = angle;
                count += 1;
            }
        }
    };
    let (ea, eb) = (edges(&a), edges(&b));
    let (na, nb) = (ea[0].cross(ea[1]), eb[0].cross(eb[1]));
    for k in 0..3 {
        add(Wave::turning(na, b[k]).minus(na.dot(a[0])));
        add(Wave::turning_back(nb, a[k]).minus(nb.dot(b[0])));
        for j in 0..3 {
            // (u × R v) · (R q - p) with the edges u from p and v from q.
            add(Wave::turning(ea[k], eb[j].cross(b[j])).plus(Wave::turning(ea[k].cross(a[k]), eb[j])));
        }
    }
    angles[count] = last;
    let angles = &mut angles[..=count];
    angles.sort_by(f64::total_cmp);
    let first_new = out.len();
    for pair in angles.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        if from < to && triangles_intersect(a, turn(&b, 0.5 * (from + to))) {
            match out[first_new..].last_mut() {
                Some(span) if span[1] == from => span[1] = to,
                _ => out.push([from, to]),
            }
        }
    }
}

impl Wave {
    /// The angles in [0, 2 pi) at which the function is zero; none if it is constant.
    fn zeros(self) -> impl Iterator<Item = f64> {
        let phase = self.across.atan2(self.along);
        let half = (-self.middle / self.along.hypot(self.across)).acos();
        // NaN where there are none; it is not below any limit.
        [phase - half, phase + half].into_iter().map(|angle| if angle < 0.0 { angle + TAU } else { angle })
    }
}
