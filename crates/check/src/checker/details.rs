//! What a finding says beside what decides it: until when, how deep, and which allowance would pass; and how a fit fits.

use super::answers::{ContactDetail, ContactEnd, GapOfFit, OverlapDetail};
use super::pair::{Pair, gap_at};
use super::result::{Finding, FindingKind, FitGap, FitReason, Until};
use super::step_outcome::{CONTACT_RESOLUTION, StepOutcome};
use freiraum_geometry::tolerance::FREE_BOUND_FACES;
use freiraum_motion::fit::{self, Fit, IfThin, PairCheck};
use freiraum_motion::{Limits, MotionError, MotionWorkspace, Movable, OverlapRequest, contact_until};
use freiraum_query::Prepared;
use freiraum_query::intersect::Relation;
use freiraum_scene::Problem;

/// Of how many findings of a step the depths are looked for: they cost some dozen times as much as the
/// finding.
pub(crate) const DETAILED: usize = 4;

/// Of how many contacts of a step the end is looked for; of others it is only known that it comes after the
/// beginning.
pub(crate) const ENDED: usize = 256;

/// Halvings of the logarithm of an allowance: from rounding to the size of a body to two digits.
const HALVINGS: usize = 12;

impl Pair<'_> {
    /// The finding with everything that can be said about it.
    pub(crate) fn detailed(&self, finding: &Finding) -> Result<Finding, Problem> {
        let time = finding.time;
        let kind = match finding.kind {
            FindingKind::Overlap { point, depth, allowance, .. } => {
                let found = self.detail(&[allowance], || {
                    self.ask(|check, memory| {
                        let check = &bounded(check);
                        let shift = separating_shift(check, 0.0)?;
                        let passing_allowance = self.passing_allowance(check, allowance, shift, memory)?;
                        Ok(OverlapDetail { separating_shift: shift, passing_allowance })
                    })
                })?;
                let OverlapDetail { separating_shift, passing_allowance } = found;
                FindingKind::Overlap { point, depth, separating_shift, passing_allowance, allowance }
            }
            FindingKind::Contact { time_error, point, normal, features, until, allowance, .. } => {
                let found = self.detail(&[allowance, time], || {
                    self.ask(|check, memory| {
                        let check = &bounded(check);
                        let depth = if allowance > 0.0 { separating_shift(check, time)? } else { None };
                        let mut passing = None;
                        // Only where they touch before or after the step it is meant that they meet.
                        for end in [0.0, 1.0] {
                            if gap_at(check, end)? == 0.0 {
                                let shift =
                                    if is_limited(check) { separating_shift(check, end)? } else { None };
                                passing = self.passing_allowance(check, allowance, shift, memory)?;
                                break;
                            }
                        }
                        Ok(ContactDetail { depth, passing_allowance: passing })
                    })
                })?;
                let ContactDetail { depth, passing_allowance } = found;
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

    /// The finding with the end of its contact, which is looked for if `is_sought`.
    pub(crate) fn ended(&self, finding: &Finding, is_sought: bool) -> Result<Finding, Problem> {
        let mut found = *finding;
        let FindingKind::Contact { until, allowance, .. } = &mut found.kind else { return Ok(found) };
        let end = if is_sought { self.end_of_contact(*allowance, finding.time)? } else { None };
        *until = Some(end.unwrap_or(Until::AtLeast(finding.time)));
        Ok(found)
    }

    /// The end of the contact that begins at a time; `None` if it was not searched, because that would cost
    /// much more than the check
    /// itself.
    fn end_of_contact(&self, allowance: f64, time: f64) -> Result<Option<Until>, Problem> {
        let ContactEnd(until) = self.detail(&[allowance, time], || {
            self.ask(|check, memory| Ok(ContactEnd(self.until(&bounded(check), allowance, time, memory)?)))
        })?;
        Ok(until)
    }

    fn until(
        &self,
        check: &PairCheck,
        allowance: f64,
        time: f64,
        memory: &mut MotionWorkspace,
    ) -> Result<Option<Until>, MotionError> {
        if faces(check) > FREE_BOUND_FACES {
            return Ok(None);
        }
        let request = OverlapRequest { resolution: CONTACT_RESOLUTION, limits: check.limits };
        let [motion_a, motion_b] = check.motions;
        let [a, b] = if allowance > 0.0 {
            self.erosion().pair(check.bodies, allowance, false)?
        } else {
            check.bodies.map(Movable::clone)
        };
        match contact_until(&a, motion_a, &b, motion_b, time, &request, memory) {
            // More turns than can be listed.
            Err(MotionError::Unsupported(_)) => Ok(None),
            found => Ok(Some(found?.map_or(Until::End, Until::Time))),
        }
    }

    /// The smallest allowance above `blocked` with which the bodies get past each other; `shift` is what
    /// takes them apart where they touch.
    fn passing_allowance(
        &self,
        check: &PairCheck,
        blocked: f64,
        shift: Option<f64>,
        memory: &mut MotionWorkspace,
    ) -> Result<Option<f64>, MotionError> {
        let size = |body: &Movable| body.prepared().bounds().map_or(f64::INFINITY, |b| b.size().length());
        let smaller = size(check.bodies[0]).min(size(check.bodies[1]));
        let mut low = blocked.max(check.largest_resting());
        // Each trial erodes both bodies.
        if !(low > 0.0 && smaller.is_finite()) || is_costly(check) {
            return Ok(None);
        }
        let mut trials = if is_limited(check) { TRIAL_FACES / faces(check).max(1) } else { usize::MAX };
        let mut passes = |allowance: f64| -> Result<Tried, MotionError> {
            if trials == 0 {
                return Ok(Tried::Spent);
            }
            trials -= 1;
            self.passes(check, allowance, memory)
        };
        // Of large meshes the search begins at the shift; what is enough there is rarely much larger than
        // what is needed.
        let hint = shift.filter(|shift| is_limited(check) && *shift > low);
        let mut high = hint.map_or(GROWTH * low, |shift| shift * (1.0 + SHARE));
        // Steps by which an allowance that is enough is looked for, up to what the bodies can lose.
        loop {
            if low >= smaller {
                return Ok(None);
            }
            match passes(high)? {
                Tried::Passes => break,
                Tried::Blocked => (low, high) = (high, GROWTH * high),
                Tried::Spent => return Ok(None),
                // Between what is too little and what cannot be made smaller there may be one that passes.
                Tried::Thin => {
                    let middle = (low * high).sqrt();
                    if middle <= low * (1.0 + SHARE) {
                        return Ok(None);
                    }
                    high = middle;
                }
            }
        }
        let mut factor = 2.0;
        let mut known = hint.is_none_or(|shift| low >= shift);
        for _ in 0..HALVINGS {
            if high <= low * (1.0 + SHARE) {
                break;
            }
            let geometric = (low * high).sqrt();
            let middle = if known { geometric } else { (high / factor).max(geometric) };
            match passes(middle)? {
                Tried::Passes => (high, factor) = (middle, factor * factor),
                Tried::Blocked | Tried::Thin => (low, known) = (middle, true),
                Tried::Spent => break,
            }
        }
        // What is much more than needed is no advice.
        Ok((high <= COARSEST * low).then_some(high))
    }

    /// Whether bodies get past each other with an allowance.
    fn passes(
        &self,
        check: &PairCheck,
        allowance: f64,
        memory: &mut MotionWorkspace,
    ) -> Result<Tried, MotionError> {
        let check = PairCheck { allowance, ..*check };
        match StepOutcome::of(&check, IfThin::Error, self.erosion(), memory) {
            Ok(StepOutcome::Blocked { .. }) => Ok(Tried::Blocked),
            Ok(_) => Ok(Tried::Passes),
            Err(MotionError::Allowance(_)) => Ok(Tried::Thin),
            Err(error) => Err(error),
        }
    }

    /// How a fit fits: the deepest overlap that was found, and the one that is proven for the whole step.
    pub(crate) fn fit_gap(&self, fit: Fit) -> Result<FitGap, Problem> {
        let found = self.detail(&[], || {
            self.ask(|check, memory| {
                let found = self.overlap_of_fit(check, fit, memory)?;
                let gap = gap_at(check, 0.0)?.min(gap_at(check, 1.0)?);
                let gap = if found.attained > 0.0 { -found.attained } else { gap };
                // It may be a sharp tip that an allowance lets in: of that erosion leaves little.
                let separating_shift = if check.allowance > fit.resting {
                    let shifts = [separating_shift(check, 0.0)?, separating_shift(check, 1.0)?];
                    shifts.into_iter().flatten().reduce(f64::max)
                } else {
                    None
                };
                Ok(GapOfFit { gap, error: gap + found.proven, separating_shift })
            })
        })?;
        let GapOfFit { gap, error, separating_shift } = found;
        let reason = match fit.reason {
            _ if self.is_grasped => FitReason::Grasped,
            fit::FitReason::TouchesAtStart => FitReason::TouchesAtStart,
            fit::FitReason::TouchesAtEnd => FitReason::TouchesAtEnd,
        };
        Ok(FitGap {
            pair: self.bodies,
            gap,
            gap_error: error.max(0.0),
            allowance: self.requirement.allowance,
            resting: fit.resting,
            separating_shift,
            reason,
        })
    }

    /// How deep a fit overlaps during the step: between the smallest share of its allowance that suffices and the next smaller one.
    ///
    /// Some instants tell where to begin; the shares from there on are tried over the whole step. Of large meshes the allowance itself is what is proven.
    fn overlap_of_fit(
        &self,
        check: &PairCheck,
        fit: Fit,
        memory: &mut MotionWorkspace,
    ) -> Result<OverlapOfFit, MotionError> {
        let allowance = check.allowance;
        if allowance <= fit.resting {
            return Ok(OverlapOfFit { attained: 0.0, proven: fit.resting });
        }
        if is_costly(check) {
            return Ok(OverlapOfFit { attained: 0.0, proven: allowance });
        }
        // The same shares for all fits: bodies with several fits are eroded once.
        let share = |number: usize| allowance * 0.5_f64.powf(0.5 * number as f64);
        let mut number = self.overlap_at_instants(check, &share)?;
        let mut attained = if number <= SHARES { share(number) } else { 0.0 };
        let check = bounded(check);
        if number > SHARES {
            // No allowance: only what is taken for rounding.
            match self.tried(&check, 0.0, memory)? {
                Trial::Passes => return Ok(OverlapOfFit { attained, proven: fit.resting }),
                Trial::Collides => attained = fit.resting,
                Trial::Unknown => {}
            }
        }
        let mut step = 1;
        while number > 1 {
            number -= step.min(number - 1);
            match self.tried(&check, share(number), memory)? {
                // What is less than rounding passes as such.
                Trial::Passes => {
                    return Ok(OverlapOfFit { attained, proven: share(number).max(fit.resting) });
                }
                Trial::Collides => attained = share(number),
                Trial::Unknown => {}
            }
            // Close to what was found the next share, then larger ones.
            step += 1;
        }
        Ok(OverlapOfFit { attained, proven: allowance })
    }

    /// What comes of a step with another allowance.
    fn tried(
        &self,
        check: &PairCheck,
        allowance: f64,
        memory: &mut MotionWorkspace,
    ) -> Result<Trial, MotionError> {
        let check = PairCheck { allowance, ..*check };
        match StepOutcome::of(&check, IfThin::Error, self.erosion(), memory) {
            Ok(StepOutcome::Blocked {
                kind: FindingKind::Contact { .. } | FindingKind::Overlap { .. },
                ..
            }) => Ok(Trial::Collides),
            Ok(StepOutcome::Blocked { .. }) | Err(MotionError::Allowance(_)) => Ok(Trial::Unknown),
            Ok(_) => Ok(Trial::Passes),
            Err(error) => Err(error),
        }
    }

    /// The number of the largest share of the allowance by which the bodies overlap at some instants; more than [`SHARES`] if they overlap by less than all.
    fn overlap_at_instants(
        &self,
        check: &PairCheck,
        share: &dyn Fn(usize) -> f64,
    ) -> Result<usize, MotionError> {
        // When bodies eroded by an allowance overlap; `None` if they cannot be made smaller by it.
        let overlapping = |allowance: f64, times: &[f64]| -> Result<Option<Vec<f64>>, MotionError> {
            let Ok([a, b]) = self.erosion().pair(check.bodies, allowance, false) else {
                return Ok(None);
            };
            let mut found = Vec::new();
            for time in times {
                let [first, second] = check.motions.map(|motion| motion.pose(*time));
                let a_from_b = first.inverse() * second;
                let relation = freiraum_query::intersect(a.prepared(), b.prepared(), &a_from_b)?.relation;
                if !matches!(relation, Relation::Separate | Relation::Unknown | Relation::Touching) {
                    found.push(*time);
                }
            }
            Ok(Some(found))
        };
        let mut times = overlapping(0.0, &INSTANTS)?.unwrap_or_default();
        // With share `passing` no instant overlaps, with share `low` some do, or it is smaller than all.
        let (mut passing, mut low) = (0, SHARES + 1);
        while !times.is_empty() && passing + 1 < low {
            let middle = usize::midpoint(passing, low);
            match overlapping(share(middle), &times)? {
                Some(found) if !found.is_empty() => (low, times) = (middle, found),
                _ => passing = middle,
            }
        }
        Ok(low)
    }
}

/// What comes of a trial with an allowance.
enum Tried {
    Passes,
    Blocked,
    /// A body cannot be made smaller by so much.
    Thin,
    /// No trials are left.
    Spent,
}

/// How deep a fit overlaps, in metres: at least, as was found, and at most, as is proven.
struct OverlapOfFit {
    attained: f64,
    proven: f64,
}

/// What comes of a step with some allowance.
enum Trial {
    Passes,
    Collides,
    Unknown,
}

/// Where the search for the overlap of a fit begins: it touches at one of these instants.
const INSTANTS: [f64; 2] = [0.0, 1.0];

/// How many shares of an allowance are told apart, each the one before divided by the root of two: down to a 64th.
const SHARES: usize = 12;

/// By how much an allowance is tried larger that was not enough.
const GROWTH: f64 = 16.0;

/// Two digits.
const SHARE: f64 = 0.01;

/// How many faces all trials of a search for an allowance may erode together: half a second of processor
/// time.
const TRIAL_FACES: usize = 1 << 15;

/// Meshes of more triangles together limit the number of trials: smaller ones have enough for all.
const UNLIMITED_FACES: usize = TRIAL_FACES / 32;

/// An allowance that is known to be enough is reported if one smaller by this factor is known not to be.
const COARSEST: f64 = 1.25;

/// Steps of a search for a detail: what takes longer is left out. No verdict depends on it.
const DETAIL_BUDGET: u64 = 1 << 18;

/// Whether details are left out: of large meshes, and where inside and outside cannot be told.
fn is_costly(check: &PairCheck) -> bool {
    let [a, b] = check.bodies.map(Movable::prepared);
    faces(check) > FREE_BOUND_FACES || a.is_doubtful() || b.is_doubtful()
}

/// Whether the number of trials of a search for an allowance is limited.
fn is_limited(check: &PairCheck) -> bool {
    faces(check) > UNLIMITED_FACES
}

/// The triangles of both bodies.
fn faces(check: &PairCheck) -> usize {
    let of_meshes = |body: &Prepared| match body.mesh_tree() {
        Some(tree) => tree.faces().len(),
        None => body.parts().map(|(_, part)| part.mesh_tree().map_or(0, |tree| tree.faces().len())).sum(),
    };
    check.bodies.iter().map(|body| of_meshes(body.prepared())).sum()
}

/// The same question with a smaller budget.
fn bounded<'m>(check: &PairCheck<'m>) -> PairCheck<'m> {
    let budget = check.limits.budget.min(DETAIL_BUDGET);
    PairCheck { limits: Limits { budget, ..check.limits }, ..*check }
}

/// The shortest shift that takes bodies apart at a time; `None` if they do not overlap then.
fn separating_shift(check: &PairCheck, time: f64) -> Result<Option<f64>, MotionError> {
    let [first, second] = check.motions.map(|motion| motion.pose(time));
    let [a, b] = check.bodies.map(Movable::prepared);
    // The search takes some hundred distances.
    if is_costly(check) {
        return Ok(None);
    }
    let depth = freiraum_query::contact(a, b, &(first.inverse() * second))?.depth;
    Ok((depth > 0.0 && depth.is_finite()).then_some(depth))
}
