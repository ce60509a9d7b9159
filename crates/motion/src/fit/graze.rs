//! Fits of bodies that are not eroded, such as two sheets: they may touch, for an instant.
//!
//! Nothing shrinks, so depth cannot be measured by erosion. Instead: bodies that a shift of a few resting allowances takes apart are no deeper in each other than
//! that. A motion that leaves the contact at once, or comes into it at last, is such a shift. What slides along a contact counts as a collision: whether it also goes
//! through the surface cannot be told.

use super::{Fit, PairCheck, ball_of, shares};
use crate::contact_time::time_of_contact;
use crate::containment::{is_excluded_between, unbounded};
use crate::movable::Movable;
use crate::path::Window;
use crate::sweep::MotionWorkspace;
use crate::verdict::{MotionError, Verdict};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::intersect::{Relation, relation_to_rounding};

/// How often a time is halved: to a trillionth of a millionth of the motion.
const HALVINGS: u32 = 60;

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
        let most = SHIFTS * fit.resting;
        let [from, to] = [self.travelled(most, 0.0, 1.0), self.travelled(most, 1.0, 0.0)];
        if from >= to {
            return self.grazes_at(0.0, fit);
        }
        // Surfaces alone tell whether they meet on the way; what is inside of what is asked below.
        let [a, b] = self.bodies.map(|body| match body.prepared().is_doubtful() {
            true => Movable::from_prepared(body.prepared().as_sheet()),
            false => body.clone(),
        });
        let [on_the_way_a, on_the_way_b] = self.motions.map(|motion| Window { motion, from, to });
        let met = time_of_contact(&a, &on_the_way_a, &b, &on_the_way_b, &self.limits, memory)?;
        if met != Verdict::Free {
            return Ok(None);
        }
        let ([a, b], [motion_a, motion_b]) = (self.bodies.map(Movable::prepared), self.motions);
        Ok(Some(match is_excluded_between(a, motion_a, b, motion_b, [from, to])? {
            true => Verdict::Free,
            false => Verdict::InsideUnknown { body: unbounded(a, b) },
        }))
    }

    /// The time farthest from `from` towards `until` up to which no points travel more than `most` metres against each other.
    fn travelled(&self, most: f64, from: f64, until: f64) -> f64 {
        let is_near = |time: f64| self.travel(from.min(time), from.max(time)) <= most;
        if is_near(until) {
            return until;
        }
        let (mut near, mut far) = (from, until);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (near + far);
            *(if is_near(middle) { &mut near } else { &mut far }) = middle;
        }
        near
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
