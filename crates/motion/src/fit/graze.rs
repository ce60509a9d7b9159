//! Fits of bodies that are not eroded, such as two sheets: they may touch, for an instant.
//!
//! Nothing shrinks, so depth cannot be measured by erosion. Instead: bodies that a shift of a few resting allowances takes apart are no deeper in each other than
//! that. A motion that leaves the contact at once, or comes into it at last, is such a shift. What slides along a contact counts as a collision: whether it also goes
//! through the surface cannot be told.

use super::{Fit, PairCheck, ball_of, shares};
use crate::containment::{is_excluded_between, unbounded};
use crate::movable::Movable;
use crate::overlaps::{OverlapInterval, OverlapRequest, overlap_intervals};
use crate::relative::{Relative, RelativeMotion};
use crate::sweep::MotionWorkspace;
use crate::verdict::{MotionError, Verdict};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::intersect::{Relation, relation_to_rounding};

/// How many resting allowances of travel or shift have to suffice.
const SHIFTS: f64 = 16.0;

impl PairCheck<'_> {
    /// Whether neither body gives way in a fit.
    fn is_rigid(&self, fit: Fit) -> bool {
        let is_resting = self.allowance < fit.resting;
        shares(self.bodies, self.allowance.max(fit.resting), is_resting)
            .is_ok_and(|share| share == [0.0, 0.0])
    }

    /// The verdict about bodies of which neither gives way, if they only touch before or after the motion: free, unless one may be inside the other after the
    /// contact. `None` if they do more than touch, or one gives way.
    ///
    /// **Guarantee.** If there is one, their surfaces are proven apart at all other times, and where they touch no deeper in each other than [`SHIFTS`] resting allowances.
    pub(super) fn grazes(
        &self,
        fit: Fit,
        memory: &mut MotionWorkspace,
    ) -> Result<Option<Verdict>, MotionError> {
        if !self.is_rigid(fit) {
            return Ok(None);
        }
        let [motion_a, motion_b] = self.motions;
        if Relative::between(motion_a, motion_b, 0.0, 1.0).motion == RelativeMotion::Still {
            return self.grazes_at(0.0, fit);
        }
        // Surfaces alone tell when they meet; what is inside of what is asked below.
        let [a, b] = self.bodies.map(|body| match body.prepared().is_doubtful() {
            true => Movable::from_prepared(body.prepared().as_sheet()),
            false => body.clone(),
        });
        let request = OverlapRequest { limits: self.limits, ..OverlapRequest::default() };
        let intervals = match overlap_intervals(&a, motion_a, &b, motion_b, &request, memory) {
            Ok(intervals) => intervals,
            // More turns than can be listed.
            Err(MotionError::Unsupported(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        if !intervals.iter().all(|one| self.is_brief(one, SHIFTS * fit.resting)) {
            return Ok(None);
        }
        // Since the surfaces last met: the contact at the start is over then, the one at the end has not begun.
        let ends = intervals.iter().map(OverlapInterval::outer);
        let apart = ends.fold(
            [0.0, 1.0],
            |[from, to], [start, end]| {
                if start == 0.0 { [end, to] } else { [from, start] }
            },
        );
        let [a, b] = self.bodies.map(Movable::prepared);
        Ok(Some(match is_excluded_between(a, motion_a, b, motion_b, apart)? {
            true => Verdict::Free,
            false => Verdict::InsideUnknown { body: unbounded(a, b) },
        }))
    }

    /// Whether an overlap lasts no longer than `most` metres of travel at the beginning or at the end.
    fn is_brief(&self, overlap: &OverlapInterval, most: f64) -> bool {
        let [from, to] = overlap.outer();
        let is_at_border = from == 0.0 || to == 1.0;
        overlap.is_decided && is_at_border && self.travel(from, to) <= most
    }

    /// An upper bound of how far any two points of the bodies move against each other, in metres.
    pub(super) fn travel(&self, from: f64, to: f64) -> f64 {
        let of =
            |k: usize| ball_of(self.bodies[k]).map_or(0.0, |ball| self.motions[k].travel(&ball, from, to));
        of(0) + of(1)
    }

    /// The verdict about bodies of which neither gives way, and that a shift by [`SHIFTS`] resting allowances takes apart where they are at a time: along the directions to the
    /// faces, edges and corners of a cube, of which one leads out of every corner of three planes at right angles. `None` if none does.
    pub(super) fn grazes_at(&self, time: f64, fit: Fit) -> Result<Option<Verdict>, MotionError> {
        if !self.is_rigid(fit) {
            return Ok(None);
        }
        let [a, b] = self.bodies.map(Movable::prepared);
        let a_from_b = self.a_from_b(time);
        let mut verdict = None;
        for direction in directions() {
            let shifted = Pose::from_translation(SHIFTS * fit.resting * direction) * a_from_b;
            match relation_to_rounding(a, b, &shifted)? {
                Relation::Separate => return Ok(Some(Verdict::Free)),
                Relation::Unknown => verdict = Some(Verdict::InsideUnknown { body: unbounded(a, b) }),
                _ => {}
            }
        }
        Ok(verdict)
    }
}

/// From the middle of a cube to its faces, edges and corners.
fn directions() -> impl Iterator<Item = Vec3> {
    let signs = [0.0, 1.0, -1.0];
    let all = signs.into_iter().flat_map(move |x| {
        signs.into_iter().flat_map(move |y| signs.into_iter().map(move |z| Vec3::new(x, y, z)))
    });
    all.filter_map(Vec3::try_normalize)
}
