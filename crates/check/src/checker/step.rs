//! One step: all pairs of which a body moves.

use super::around::Plan;
use super::broad_phase::{Near, Nearest, Stays, standing_near};
use super::clearance::{ClearanceQuestions, KeptClearance, keeps_clearance};
use super::details::{DETAILED, ENDED};
use super::pair::{Pair, Pairs, count};
use super::result::{Approached, Closest, Finding, FindingKind, PlanVerdict, StepResult};
use super::step_outcome::{StepOutcome, give_way};
use crate::timeline::{Course, Stage, Timeline};
use freiraum_geometry::Pose;
use freiraum_geometry::tolerance::NEAREST_RELATIVE;
use freiraum_motion::Clearance;
use freiraum_motion::approach::Kept;
use freiraum_motion::fit::Fit;
use freiraum_scene::{Place, Problem};
use rayon::prelude::*;
use std::collections::HashMap;

/// Pairs that overlap or are too close before anything has moved.
pub(crate) fn start(pairs: &Pairs, timeline: &Timeline, plan: Plan) -> Result<Vec<Finding>, Problem> {
    let before = &timeline.start();
    let near = standing_near(pairs.bounds, before, pairs.largest_clearance());
    let touching = near.iter().filter(|(_, gap)| *gap == 0.0).count();
    let bodies = before.len();
    count(&pairs.counts.apart, bodies * bodies.saturating_sub(1) / 2 - touching);
    standing(pairs, "the start", before, &near, plan)
}

/// Pairs that overlap or are too close where all bodies stand, of those that are asked.
pub(crate) fn placed(
    pairs: &Pairs,
    name: &str,
    poses: &[Pose],
    is_asked: &dyn Fn([usize; 2]) -> bool,
    plan: Plan,
) -> Result<Vec<Finding>, Problem> {
    let mut near = standing_near(pairs.bounds, poses, pairs.largest_clearance());
    near.retain(|(pair, _)| is_asked(*pair));
    standing(pairs, name, poses, &near, plan)
}

/// How many pairs that stand near each other are checked as one batch.
const SOME: usize = 1 << 14;

/// Those of the pairs that overlap or are too close where all bodies stand.
fn standing(
    pairs: &Pairs,
    name: &str,
    poses: &[Pose],
    near: &[Near],
    plan: Plan,
) -> Result<Vec<Finding>, Problem> {
    let stage = Stage {
        name: name.to_owned(),
        step: 0,
        before: poses.into(),
        movers: Vec::new(),
        grips: Vec::new(),
        seconds: 0.0,
        place: Place::default(),
    };
    let (mut met, mut too_close) = (Vec::new(), Vec::new());
    // Of all pairs that may touch, only those with a finding are kept.
    for some in near.chunks(SOME) {
        let mut candidates = looked_at(pairs, &stage, some, plan)?;
        too_close.extend(nearness(pairs, &candidates, plan)?.too_close);
        candidates.retain(|one| matches!(one.outcome, StepOutcome::Blocked { .. }));
        met.extend(candidates);
    }
    let mut findings: Vec<Finding> = met.iter().filter_map(|one| blocked(&one.pair, one.outcome)).collect();
    detail(&met, &mut findings)?;
    in_order(&mut too_close);
    findings.extend(too_close);
    Ok(findings)
}

/// Adds what can be said about findings: until when contacts last, and the depths of the first ones.
fn detail(candidates: &[Candidate], findings: &mut [Finding]) -> Result<(), Problem> {
    let of_pair: HashMap<[usize; 2], &Candidate> =
        candidates.iter().map(|one| (one.pair.bodies, one)).collect();
    findings.par_iter_mut().enumerate().try_for_each(|(number, finding)| {
        let Some(one) = of_pair.get(&finding.pair) else { return Ok(()) };
        *finding = one.pair.ended(finding, number < ENDED)?;
        if number < DETAILED {
            *finding = one.pair.detailed(finding)?;
        }
        Ok(())
    })
}

pub(crate) fn blocked(pair: &Pair, outcome: StepOutcome) -> Option<Finding> {
    match outcome {
        StepOutcome::Blocked { time, kind } => Some(Finding { kind, pair: pair.bodies, time }),
        _ => None,
    }
}

/// A pair that may come near, and how near at least.
pub(crate) struct Candidate<'c> {
    pub(crate) pair: Pair<'c>,
    gap: f64,
    pub(crate) outcome: StepOutcome,
}

impl<'c> Candidate<'c> {
    fn is_fit(&self) -> bool {
        self.fit().is_some()
    }

    fn fit(&self) -> Option<(&Pair<'c>, Fit)> {
        let StepOutcome::Touching { fit: Some(fit) } = self.outcome else { return None };
        Some((&self.pair, fit))
    }

    /// Whether the least distance contradicts that the pair never touches.
    fn contradicts(&self, closest: &Clearance) -> bool {
        self.outcome.confirmed(closest) != self.outcome
    }

    /// What the pair must keep where it is closest, in metres.
    fn required(&self) -> f64 {
        if self.is_fit() { 0.0 } else { self.pair.requirement.clearance }
    }
}

/// Checks one step of a plan: the stage with this number of those that the stays are of.
pub(crate) fn check(
    pairs: &Pairs,
    stays: &Stays,
    stages: &[Stage],
    number: usize,
    plan: Plan,
) -> Result<StepResult, Problem> {
    let stage = &stages[number];
    let moving: Vec<usize> = stage.movers.iter().flat_map(|mover| mover.bodies.iter().copied()).collect();
    let mut findings = Vec::new();
    // All links of a robot, and what it carries, have one way.
    let mut robots = Vec::new();
    for mover in stage.movers.iter().filter(|mover| mover.is_open()) {
        if let Course::Link(course) = &mover.course {
            if robots.contains(&course.robot) {
                continue;
            }
            robots.push(course.robot);
        }
        let pair = [mover.bodies[0]; 2];
        findings.push(Finding { kind: FindingKind::NoPath, pair, time: 0.0 });
    }
    let mut result = StepResult { verdict: PlanVerdict::Free, moving, findings, ..StepResult::default() };
    if result.findings.is_empty() {
        let mut nearest = stays.nearest(number, stage, pairs.bounds);
        let candidates = candidates(pairs, stage, &mut nearest, plan)?;
        let fits: Vec<(&Pair, Fit)> = candidates.iter().filter_map(Candidate::fit).collect();
        result.fits = fits.iter().map(|(pair, _)| pair.bodies).collect();
        let unrequired: Vec<Result<_, Problem>> =
            fits.par_iter().map(|(pair, _)| pair.is_unrequired(plan.left(pairs, pair)?)).collect();
        for ((pair, _), is_unrequired) in fits.iter().zip(unrequired) {
            if is_unrequired? {
                result.unrequired.push(pair.bodies);
            }
        }
        result.fit_gaps = fits.par_iter().map(|(pair, fit)| pair.fit_gap(*fit)).collect::<Result<_, _>>()?;
        result.findings = candidates.iter().filter_map(|one| blocked(&one.pair, one.outcome)).collect();
        result.findings.sort_by(|x, y| {
            let key = |f: &Finding| (std::cmp::Reverse(f.kind.verdict()), f.pair);
            x.time.total_cmp(&y.time).then(key(x).cmp(&key(y)))
        });
        let is_blocked = !result.findings.is_empty();
        detail(&candidates, &mut result.findings)?;
        let Nearness { too_close, approaches } = nearness(pairs, &candidates, plan)?;
        result.findings.extend(too_close);
        let whole = approaches.iter().filter(|one| one.is_whole() && !result.unrequired.contains(&one.pair));
        let whole: Vec<[usize; 2]> = whole.map(|one| one.pair).collect();
        result.unrequired.extend(whole);
        result.approaches = approaches;
        if !is_blocked {
            let (mut closest, contradicted) = closest(pairs, stage, &candidates, &mut nearest, plan)?;
            // What is too close has said so already.
            let is_new = |finding: &Finding| !result.findings.iter().any(|known| known.pair == finding.pair);
            let contradicted: Vec<Finding> = contradicted.into_iter().filter(is_new).collect();
            result.findings.extend(contradicted);
            if let Some(closest) = &mut closest {
                let is_exempt = |one: &Approached| one.pair == closest.pair && one.holds_at(closest.time);
                if result.approaches.iter().any(is_exempt) {
                    closest.required = 0.0;
                }
            }
            result.closest = closest;
        }
    }
    result.verdict = result.findings.iter().map(|f| f.kind.verdict()).max().unwrap_or(PlanVerdict::Free);
    Ok(result)
}

/// The pairs that move against each other and may touch or come too close, the nearest boxes first, with whether they get past each other.
pub(crate) fn candidates<'c>(
    pairs: &'c Pairs<'c>,
    stage: &'c Stage,
    nearest: &mut Nearest,
    plan: Plan,
) -> Result<Vec<Candidate<'c>>, Problem> {
    let within = pairs.largest_clearance();
    let near: Vec<Near> = std::iter::from_fn(|| nearest.next_within(within)).collect();
    let touching = near.iter().filter(|(_, gap)| *gap == 0.0).count();
    count(&pairs.counts.apart, nearest.count() - touching);
    looked_at(pairs, stage, &near, plan)
}

/// The next pairs that are less than `bound` apart by their boxes and are not to be ignored, at most `count` of them.
fn farther<'c>(
    pairs: &'c Pairs<'c>,
    stage: &'c Stage,
    nearest: &mut Nearest,
    count: usize,
    bound: f64,
    plan: Plan,
) -> Result<Vec<Candidate<'c>>, Problem> {
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        let near: Vec<Near> =
            std::iter::from_fn(|| nearest.next_within(bound)).take(count - found.len()).collect();
        if near.is_empty() {
            break;
        }
        found.extend(looked_at(pairs, stage, &near, plan)?);
    }
    Ok(found)
}

/// Those of the pairs that are not to be ignored, with whether they get past each other.
fn looked_at<'c>(
    pairs: &'c Pairs<'c>,
    stage: &'c Stage,
    near: &[Near],
    plan: Plan,
) -> Result<Vec<Candidate<'c>>, Problem> {
    let look = |(bodies, gap): &Near| {
        let pair = Pair::new(pairs, stage, *bodies)?;
        if pair.requirement.ignore.is_some() {
            return Ok(None);
        }
        let mut outcome = if *gap > 0.0 { StepOutcome::Apart } else { pair.outcome()? };
        if matches!(outcome, StepOutcome::Blocked { kind: FindingKind::InsideUnknown { .. }, .. })
            && plan.excludes_containment(pairs, *bodies)?
        {
            outcome = pair.outside()?;
        }
        Ok(Some(Candidate { pair, gap: *gap, outcome }))
    };
    let found: Vec<Result<Option<Candidate>, Problem>> = near.par_iter().map(look).collect();
    found.into_iter().filter_map(Result::transpose).collect()
}

/// Pairs that come closer than their clearance.
struct Nearness {
    /// Those that may not, in the order of their time.
    too_close: Vec<Finding>,
    /// Those that may where they do, in the order of the candidates.
    approaches: Vec<Approached>,
}

/// Of a pair that comes closer than its clearance.
enum NearPair {
    TooClose(Finding),
    Approached(Approached),
}

/// The pairs that come closer than their clearance.
fn nearness(pairs: &Pairs, candidates: &[Candidate], plan: Plan) -> Result<Nearness, Problem> {
    let found: Vec<_> = candidates.par_iter().map(|one| near_pair(pairs, one, plan)).collect();
    let (mut too_close, mut approaches) = (Vec::new(), Vec::new());
    for found in found {
        match found? {
            Some(NearPair::TooClose(finding)) => too_close.push(finding),
            Some(NearPair::Approached(approach)) => approaches.push(approach),
            None => {}
        }
    }
    in_order(&mut too_close);
    Ok(Nearness { too_close, approaches })
}

/// Sorts findings by their times.
fn in_order(findings: &mut [Finding]) {
    findings.sort_by(|x, y| x.time.total_cmp(&y.time).then(x.pair.cmp(&y.pair)));
}

/// A pair in a step of a plan, asked with the steps around it and what is remembered.
struct InPlan<'p> {
    pairs: &'p Pairs<'p>,
    pair: &'p Pair<'p>,
    plan: Plan<'p>,
}

impl ClearanceQuestions for InPlan<'_> {
    type Error = Problem;

    fn closer_than(&self, bound: f64) -> Result<Option<Clearance>, Problem> {
        self.pair.closer_than(bound)
    }

    /// Bodies that rest on each other but for rounding are fits, and so are those whose contact goes on in
    /// another step.
    fn is_contact(&self) -> Result<bool, Problem> {
        Ok(self.pair.touches_in_a_state()? || self.plan.carries(self.pairs, self.pair)?)
    }

    fn left(&self) -> Result<[Option<f64>; 2], Problem> {
        self.plan.left(self.pairs, self.pair)
    }

    fn keeps_outside(
        &self,
        clearance: f64,
        left: [Option<f64>; 2],
        is_fit: bool,
    ) -> Result<(Kept, Vec<[f64; 2]>), Problem> {
        self.pair.keeps_outside(clearance, left, is_fit)
    }
}

fn near_pair(pairs: &Pairs, one: &Candidate, plan: Plan) -> Result<Option<NearPair>, Problem> {
    let required = one.pair.requirement.clearance;
    if !(required > one.gap) || matches!(one.outcome, StepOutcome::Blocked { .. }) {
        return Ok(None);
    }
    let enough = required * (1.0 - 4.0 * NEAREST_RELATIVE);
    let asked = InPlan { pairs, pair: &one.pair, plan };
    let KeptClearance { kept, exempt: times, is_excused } = keeps_clearance(&asked, enough, one.is_fit())?;
    let (kind, time) = match kept {
        Kept::Yes => {
            let approach = Approached { pair: one.pair.bodies, times, required };
            return Ok((!approach.times.is_empty()).then_some(NearPair::Approached(approach)));
        }
        Kept::No(found) if !is_excused && one.contradicts(&found) => {
            (FindingKind::Undecided { open: [found.time, 1.0] }, found.time)
        }
        Kept::No(found) => {
            let points = [found.point_on_a, found.point_on_b];
            let give_way = give_way(points);
            let (distance, error) = (found.distance, found.error);
            let is_fit = is_excused || plan.is_next_to_fit(pairs, one.pair.bodies)?;
            (FindingKind::TooClose { distance, error, required, points, give_way, is_fit }, found.time)
        }
        Kept::Unknown { open } => (FindingKind::Undecided { open }, open[0]),
    };
    Ok(Some(NearPair::TooClose(Finding { kind, pair: one.pair.bodies, time })))
}

/// The pair that comes closest, of the candidates and of all that are farther. Fits come close by design and
/// have their [gaps](super::FitGap); one of them is the closest only if there is no other pair. Beside it the
/// pairs that never touch by one search and have no distance by the other: of them nothing is proven.
fn closest<'c>(
    pairs: &'c Pairs<'c>,
    stage: &'c Stage,
    candidates: &[Candidate<'c>],
    nearest: &mut Nearest,
    plan: Plan,
) -> Result<(Option<Closest>, Vec<Finding>), Problem> {
    let (mut best, mut contradicted): (Option<Closest>, Vec<Finding>) = (None, Vec::new());
    // One alone, whose distance makes most others short; then more and more at once, whatever the number of threads.
    let (mut known, mut count) = (candidates.iter().filter(|one| !one.is_fit()), 1);
    loop {
        // Above 0, so that pairs whose answers contradict each other are found beside one that touches within
        // its allowance.
        let bound = best.map_or(f64::INFINITY, |best| best.distance.max(f64::MIN_POSITIVE));
        let mut some: Vec<&Candidate> = known.by_ref().take(count).collect();
        let far = farther(pairs, stage, nearest, count - some.len(), bound, plan)?;
        some.extend(&far);
        count = (2 * count).max(4);
        let near: Vec<&Candidate> = some.into_iter().filter(|one| one.gap < bound).collect();
        if near.is_empty() {
            break;
        }
        let found: Vec<Result<_, Problem>> = near.par_iter().map(|one| one.pair.closer_than(bound)).collect();
        for (one, found) in near.iter().zip(found) {
            let Some(found) = found? else { continue };
            contradicted.extend(blocked(&one.pair, one.outcome.confirmed(&found)));
            // Of nearly equal ones the first: a pair that is told to keep the bound but for rounding must not win when more is known of it.
            let enough = best.map_or(f64::INFINITY, |best| best.distance * (1.0 - 4.0 * NEAREST_RELATIVE));
            if found.distance < enough {
                best = Some(of(one, &found));
            }
        }
    }
    if best.is_some() {
        return Ok((best, contradicted));
    }
    for fit in candidates.iter().filter(|one| one.is_fit()) {
        let found = of(fit, &fit.pair.touch()?);
        if best.is_none_or(|best| found.distance < best.distance) {
            best = Some(found);
        }
    }
    Ok((best, contradicted))
}

fn of(one: &Candidate, found: &Clearance) -> Closest {
    // What touches without being a fit passed within its allowance, and may be as deep as that.
    let is_within = found.distance == 0.0 && !one.is_fit();
    let deep = if is_within { one.pair.requirement.allowance } else { 0.0 };
    Closest {
        pair: one.pair.bodies,
        distance: found.distance,
        error: found.error + deep,
        time: found.time,
        points: [found.point_on_a, found.point_on_b],
        required: one.required(),
    }
}
