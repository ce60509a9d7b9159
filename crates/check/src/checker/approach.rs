//! What a fit must keep outside of its contact and its approach, also across the borders of steps.
//!
//! The geometry is that of [`freiraum_motion::approach`] within one step. A contact in an earlier or later step exempts what is left of the approach at the border of this one: steps
//! are followed from that border on, as long as the travel of the pair in them leaves something. Where the pair stands still or moves as one, the travel is 0.
//! A contact that lasts over a border is one contact: if it is by design on the one side, it is so on the
//! other.

use super::answers::{BorderApproach, InContact, KeptOutside, MayBeUnrequired};
use super::around::{Border, Plan, Question, Side, in_order};
use super::pair::{Pair, Pairs, gap_at};
use crate::timeline::Stage;
use freiraum_geometry::tolerance::{FREE_BOUND_RELATIVE_LARGE, NEAREST_RELATIVE};
use freiraum_motion::approach::{Approach, ApproachRequest, Kept};
use freiraum_motion::fit::PairCheck;
use freiraum_scene::Problem;

/// The share of the clearance up to which a gap of a fit is contact.
const CONTACT: f64 = 0.01;

/// When it is asked first whether a fit is in contact all the time.
const INSTANTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// So many times its clearance no fit keeps outside of its contact.
const FAR: f64 = 1e6;

impl Plan<'_> {
    /// How much of the approach of a pair to contacts in other steps is left before and after this step, in metres.
    pub(crate) fn left(&self, pairs: &Pairs, pair: &Pair) -> Result<[Option<f64>; 2], Problem> {
        let approach = pair.requirement.approach;
        Ok([
            self.left_on(Side::Before, pairs, pair.bodies, approach)?,
            self.left_on(Side::After, pairs, pair.bodies, approach)?,
        ])
    }

    /// How much is left of the approach to the nearest contact by design on one side, seen from the border of
    /// this step.
    fn left_on(
        &self,
        side: Side,
        pairs: &Pairs,
        bodies: [usize; 2],
        approach: f64,
    ) -> Result<Option<f64>, Problem> {
        let mut travelled = 0.0;
        for (number, stage) in self.others(side, bodies) {
            if stage.movers.iter().any(|mover| mover.is_open()) {
                return Ok(None);
            }
            let look = || {
                let pair = Pair::new(pairs, stage, in_order(stage, bodies))?;
                let BorderApproach { left, travel } = pair.border(side == Side::Before, approach)?;
                let left = left.filter(|left| *left >= 0.0);
                let is_contact =
                    left.is_some() && (pair.is_fit()? || self.at(number).carries(pairs, &pair)?);
                Ok(Border { left: left.filter(|_| is_contact), travel })
            };
            let border = self.border(side, bodies, number, look)?;
            if let Some(left) = border.left.map(|left| left - travelled).filter(|left| *left >= 0.0) {
                return Ok(Some(left));
            }
            travelled += border.travel;
            if !(travelled < approach) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Whether a contact in another step that is one by design lasts up to this step, so that the contacts of
    /// the pair in this one are such, too.
    pub(crate) fn carries(&self, pairs: &Pairs, pair: &Pair) -> Result<bool, Problem> {
        let bodies = pair.bodies;
        let lasts = |side: Side| {
            self.follow(Question::Contact, side, bodies, |stage| carried(pairs, stage, side, bodies))
        };
        Ok(lasts(Side::Before)? || lasts(Side::After)?)
    }

    /// Whether a pair that does not touch in this step is a fit in the next one in which it moves against
    /// each other, or in the one before: a longer approach may then reach into this step.
    pub(crate) fn is_next_to_fit(&self, pairs: &Pairs, bodies: [usize; 2]) -> Result<bool, Problem> {
        let is_fit = |side: Side| match self.others(side, bodies).next() {
            Some((_, stage)) if !stage.movers.iter().any(|mover| mover.is_open()) => {
                Pair::new(pairs, stage, in_order(stage, bodies))?.is_fit()
            }
            _ => Ok(false),
        };
        Ok(is_fit(Side::After)? || is_fit(Side::Before)?)
    }
}

/// Whether a stage brings a contact by design to its border, seen from the step that it lies on a side of;
/// `None` if it is in contact there, and
/// the stages behind it tell whether by design.
fn carried(pairs: &Pairs, stage: &Stage, side: Side, bodies: [usize; 2]) -> Result<Option<bool>, Problem> {
    if stage.movers.iter().any(|mover| mover.is_open()) {
        return Ok(Some(false));
    }
    let pair = Pair::new(pairs, stage, in_order(stage, bodies))?;
    let [near, far] = if side == Side::Before { [1.0, 0.0] } else { [0.0, 1.0] };
    if !pair.is_in_contact(near)? {
        return Ok(Some(false));
    }
    if pair.is_fit()? {
        return Ok(Some(true));
    }
    Ok(if pair.is_in_contact(far)? { None } else { Some(false) })
}

/// What a fit must keep that has no contacts in other steps: `clearance` is the required one, of which a hundredth still is contact.
pub fn approach_request(check: &PairCheck, clearance: f64, approach: f64) -> ApproachRequest {
    // What is exactly at a bound is within it, in whatever unit that was written.
    let rounded = 1.0 + 4.0 * NEAREST_RELATIVE;
    ApproachRequest {
        clearance,
        contact: (rounded * CONTACT * clearance).max(check.allowance).max(check.largest_resting()),
        approach: rounded * approach,
        left: [None; 2],
        is_fit: true,
        accuracy: FREE_BOUND_RELATIVE_LARGE,
        limits: check.limits,
    }
}
impl Pair<'_> {
    fn request(&self, check: &PairCheck, approach: f64) -> ApproachRequest {
        let accuracy = self.accuracy();
        ApproachRequest { accuracy, ..approach_request(check, self.requirement.clearance, approach) }
    }

    /// How much of an approach is left at a border of the step, and how far the pair travels in all of it.
    fn border(&self, is_end: bool, approach: f64) -> Result<BorderApproach, Problem> {
        let numbers = [f64::from(u8::from(is_end)), approach, self.requirement.clearance];
        self.detail(&numbers, || {
            self.ask(|check, memory| {
                let asked = Approach::new(check.bodies, check.motions);
                let left = asked.left(is_end, &self.request(check, approach), memory)?;
                Ok(BorderApproach { left, travel: asked.travel() })
            })
        })
    }

    /// Whether the gap at a time is one of contact.
    fn is_in_contact(&self, time: f64) -> Result<bool, Problem> {
        let InContact(is_in_contact) = self.detail(&[time, self.requirement.clearance], || {
            self.ask(|check, _| {
                let request = self.request(check, self.requirement.approach);
                Ok(InContact(gap_at(check, time)? <= request.contact))
            })
        })?;
        Ok(is_in_contact)
    }

    /// Whether a fit is in contact or on its approach during the whole step, so that it need not keep its
    /// clearance at any time.
    pub(crate) fn is_unrequired(&self, left: [Option<f64>; 2]) -> Result<bool, Problem> {
        let clearance = self.requirement.clearance;
        if !(clearance > 0.0) {
            return Ok(false);
        }
        // A few instants rule out most; then every gap is too small outside of contact and approach.
        let numbers = [clearance, self.requirement.approach];
        let MayBeUnrequired(is_open) = self.detail(&numbers, || {
            self.ask(|check, _| {
                let request = self.request(check, self.requirement.approach);
                let is_short = Approach::new(check.bodies, check.motions).travel() <= 2.0 * request.approach;
                let mut is_near = true;
                for time in INSTANTS {
                    is_near = is_near && gap_at(check, time)? <= request.contact;
                }
                Ok(MayBeUnrequired(is_short || is_near))
            })
        })?;
        Ok(is_open && self.keeps(FAR * clearance, left, true)? == Kept::Yes)
    }

    /// Whether the pair keeps `clearance` outside of contact and approach. `left` is what is left of approaches to contacts in other steps; `is_fit` whether contacts
    /// in this one count.
    pub(crate) fn keeps(
        &self,
        clearance: f64,
        left: [Option<f64>; 2],
        is_fit: bool,
    ) -> Result<Kept, Problem> {
        Ok(self.keeps_outside(clearance, left, is_fit)?.0)
    }

    /// As [`keeps`](Self::keeps), with when the pair is in contact or on its approach, where it keeps the
    /// clearance outside of that: up to [`STRETCHES`] stretches, of
    /// more the nearest ones joined.
    pub(crate) fn keeps_outside(
        &self,
        clearance: f64,
        left: [Option<f64>; 2],
        is_fit: bool,
    ) -> Result<(Kept, Vec<[f64; 2]>), Problem> {
        let approach = self.requirement.approach;
        let sides = left.map(|left| left.unwrap_or(-1.0));
        let numbers = [
            clearance,
            self.requirement.clearance,
            approach,
            sides[0],
            sides[1],
            f64::from(u8::from(is_fit)),
        ];
        let KeptOutside { kept, exempt } = self.detail(&numbers, || {
            self.ask(|check, memory| {
                let request = ApproachRequest { clearance, left, is_fit, ..self.request(check, approach) };
                let asked = Approach::new(check.bodies, check.motions);
                let (kept, exempt) = asked.keeps_outside(&request, memory)?;
                let exempt = if kept == Kept::Yes { joined(exempt) } else { Vec::new() };
                Ok(KeptOutside { kept, exempt })
            })
        })?;
        Ok((kept, exempt))
    }
}

/// Stretches that are remembered of a pair, and told.
const STRETCHES: usize = 4;

/// Joins the stretches with the shortest time between them until there are no more than [`STRETCHES`].
fn joined(mut all: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    while all.len() > STRETCHES {
        let between = |k: &usize| all[k + 1][0] - all[*k][1];
        let Some(k) = (0..all.len() - 1).min_by(|x, y| between(x).total_cmp(&between(y))) else { break };
        let [_, to] = all.remove(k + 1);
        all[k][1] = to;
    }
    all
}
