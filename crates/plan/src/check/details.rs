//! What a finding says beside what decides it: until when, how deep, and which allowance would pass; and how a fit fits.

use super::encounter::{Encounter, Passage};
use super::memory::Row;
use super::pair::{Pair, gap_at};
use super::result::{Finding, FindingKind, FitGap, FitReason};
use super::shrinker::Shrinkers;
use freiraum_motion::fit::Erode;
use freiraum_motion::{MotionError, MotionWorkspace, Movable, OverlapRequest, contact_until};
use freiraum_scene::Problem;

/// Of how many findings of a step the details are looked for: they cost some dozen times as much as the finding.
pub(crate) const DETAILED: usize = 16;

/// In contacts that last, free stretches shorter than this share of the motion may be overlooked where there is no exact method.
const RESOLUTION: f64 = 1.0 / 256.0;

/// Halvings of the logarithm of an allowance: from rounding to the size of a body to two digits.
const HALVINGS: usize = 12;

/// The same for fits, of which there are many: to a quarter.
const FIT_HALVINGS: usize = 6;

impl Pair<'_> {
    /// The finding with everything that can be said about it.
    pub(crate) fn detailed(&self, finding: &Finding) -> Result<Finding, Problem> {
        let time = finding.time;
        let kind = match finding.kind {
            FindingKind::Overlap { point, depth, allowance, .. } => {
                let row = self.row("overlap", &[allowance], || {
                    self.ask(|encounter, memory| {
                        let shift = separating_shift(encounter, 0.0)?;
                        let passing = self.passing_allowance(encounter, allowance, HALVINGS, memory)?;
                        Ok(row_of([shift, passing]))
                    })
                })?;
                let [separating_shift, passing_allowance] = some(&row);
                FindingKind::Overlap { point, depth, separating_shift, passing_allowance, allowance }
            }
            FindingKind::Contact { time_error, point, normal, features, allowance, .. } => {
                let row = self.row("contact", &[allowance, time], || {
                    self.ask(|encounter, memory| {
                        let until = self.until(encounter, allowance, time, memory)?;
                        let depth = if allowance > 0.0 { separating_shift(encounter, time)? } else { None };
                        let is_meant = gap_at(encounter, 0.0)? == 0.0 || gap_at(encounter, 1.0)? == 0.0;
                        let passing = if is_meant {
                            self.passing_allowance(encounter, allowance, HALVINGS, memory)?
                        } else {
                            None
                        };
                        Ok(row_of([until, depth, passing]))
                    })
                })?;
                let [until, depth, passing_allowance] = some(&row);
                FindingKind::Contact {
                    time_error,
                    point,
                    normal,
                    features,
                    until,
                    depth,
                    passing_allowance,
                    allowance,
                }
            }
            other => other,
        };
        Ok(Finding { kind, ..*finding })
    }

    /// The end of a contact; `None` if it lasts to the end of the step.
    fn until(
        &self,
        encounter: &Encounter,
        allowance: f64,
        time: f64,
        memory: &mut MotionWorkspace,
    ) -> Result<Option<f64>, MotionError> {
        let request = OverlapRequest { resolution: RESOLUTION, limits: encounter.limits };
        let [motion_a, motion_b] = encounter.motions;
        let [a, b] = if allowance > 0.0 {
            Shrinkers(self.shrinkers()).pair(encounter.bodies, allowance, false)?
        } else {
            encounter.bodies.map(Movable::clone)
        };
        match contact_until(&a, motion_a, &b, motion_b, time, &request, memory) {
            // More turns than can be listed.
            Err(MotionError::Unsupported(_)) => Ok(None),
            found => found,
        }
    }

    /// The smallest allowance above `blocked` with which the bodies get past each other.
    fn passing_allowance(
        &self,
        encounter: &Encounter,
        blocked: f64,
        halvings: usize,
        memory: &mut MotionWorkspace,
    ) -> Result<Option<f64>, MotionError> {
        let mut low = blocked.max(encounter.resting());
        // Steps by which an allowance that is enough is looked for, up to what the bodies can lose.
        let mut high = GROWTH * low;
        loop {
            match self.passes(encounter, high, memory)? {
                Some(true) => break,
                Some(false) => (low, high) = (high, GROWTH * high),
                // Between what is too little and what cannot be made smaller there may be one that passes.
                None => {
                    let middle = (low * high).sqrt();
                    if middle <= low * (1.0 + SHARE) {
                        return Ok(None);
                    }
                    high = middle;
                }
            }
        }
        for _ in 0..halvings {
            if high <= low * (1.0 + SHARE) {
                break;
            }
            let middle = (low * high).sqrt();
            if self.passes(encounter, middle, memory)? == Some(true) { high = middle } else { low = middle }
        }
        Ok(Some(high))
    }

    /// Whether bodies get past each other with an allowance; `None` if they cannot be made smaller by it.
    fn passes(
        &self,
        encounter: &Encounter,
        allowance: f64,
        memory: &mut MotionWorkspace,
    ) -> Result<Option<bool>, MotionError> {
        match (Encounter { allowance, ..*encounter }).passage(self.shrinkers(), memory) {
            Ok(Passage::Blocked { .. }) => Ok(Some(false)),
            Ok(_) => Ok(Some(true)),
            Err(MotionError::Allowance(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// How a fit fits.
    pub(crate) fn fit_gap(&self) -> Result<FitGap, Problem> {
        let allowance = self.requirement.allowance;
        let row = self.row("fit", &[], || {
            self.ask(|encounter, memory| {
                let resting = encounter.resting();
                let ends = [gap_at(encounter, 0.0)?, gap_at(encounter, 1.0)?];
                let gap = ends[0].min(ends[1]);
                let touches_at_start = f64::from(u8::from(encounter.touches_at(0.0)?));
                let [gap, error] =
                    if allowance <= resting || self.passes(encounter, 0.0, memory)? == Some(true) {
                        [gap, gap + resting]
                    } else {
                        let mut bracket = [resting, allowance];
                        for _ in 0..FIT_HALVINGS {
                            let middle = (bracket[0] * bracket[1]).sqrt();
                            let is_enough = self.passes(encounter, middle, memory)? == Some(true);
                            bracket[usize::from(is_enough)] = middle;
                        }
                        [-bracket[0], bracket[1] - bracket[0]]
                    };
                let mut row = Row::default();
                row[..3].copy_from_slice(&[gap, error, touches_at_start]);
                Ok(row)
            })
        })?;
        let reason = match row[2] {
            _ if self.is_grasped => FitReason::Grasped,
            1.0 => FitReason::TouchesAtStart,
            _ => FitReason::TouchesAtEnd,
        };
        Ok(FitGap { pair: self.bodies, gap: row[0], gap_error: row[1], allowance, reason })
    }
}

/// By how much an allowance is tried larger that was not enough.
const GROWTH: f64 = 16.0;

/// Two digits.
const SHARE: f64 = 0.01;

/// The shortest shift that takes bodies apart at a time; `None` if they do not overlap then.
fn separating_shift(encounter: &Encounter, time: f64) -> Result<Option<f64>, MotionError> {
    let [first, second] = encounter.motions.map(|motion| motion.pose(time));
    let [a, b] = encounter.bodies.map(Movable::prepared);
    let depth = freiraum_query::contact(a, b, &(first.inverse() * second))?.depth;
    Ok((depth > 0.0 && depth.is_finite()).then_some(depth))
}

/// Numbers that may not be there.
fn row_of<const N: usize>(numbers: [Option<f64>; N]) -> Row {
    let mut row = Row::default();
    for (place, number) in row.iter_mut().zip(numbers) {
        *place = number.unwrap_or(f64::NAN);
    }
    row
}

fn some<const N: usize>(row: &Row) -> [Option<f64>; N] {
    std::array::from_fn(|k| (!row[k].is_nan()).then_some(row[k]))
}
