//! One step: all pairs of which a body moves.

use super::approach::Plan;
use super::details::DETAILED;
use super::encounter::{Passage, give_way};
use super::pair::{Pair, Pairs};
use super::result::{Closest, Finding, FindingKind, PlanVerdict, StepResult};
use super::way::Way;
use crate::timeline::{Course, Stage, Timeline};
use freiraum_geometry::Pose;
use freiraum_geometry::tolerance::NEAREST_RELATIVE;
use freiraum_motion::Clearance;
use freiraum_motion::approach::Kept;
use freiraum_scene::{Place, Problem, Travel};
use rayon::prelude::*;
use std::sync::atomic::Ordering;

/// Pairs that overlap or are too close before anything has moved.
pub(crate) fn start(pairs: &Pairs, timeline: &Timeline) -> Result<Vec<Finding>, Problem> {
    let before = timeline.stages.first().map_or(&timeline.end, |stage| &stage.before);
    let plan = Plan { before: &[], after: &timeline.stages };
    standing(pairs, "the start", before, &|_| true, plan)
}

/// Pairs that overlap or are too close where all bodies stand, of those that are asked.
pub(crate) fn standing(
    pairs: &Pairs,
    name: &str,
    poses: &[Pose],
    is_asked: &dyn Fn([usize; 2]) -> bool,
    plan: Plan,
) -> Result<Vec<Finding>, Problem> {
    let stage = Stage {
        name: name.to_owned(),
        step: 0,
        before: poses.to_vec(),
        movers: Vec::new(),
        grips: Vec::new(),
        seconds: 0.0,
        place: Place::default(),
    };
    let count = pairs.scene.bodies.len();
    let ways: Vec<Way> =
        (0..count).map(|body| Way::still(pairs.bounds[body].as_ref(), &stage.before[body])).collect();
    let rules = pairs.scene.pairs.iter().filter_map(|rule| rule.clearance);
    let largest = rules.fold(pairs.scene.clearance, f64::max);
    let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b])).filter(|pair| is_asked(*pair));
    let near = all.map(|[a, b]| ([a, b], ways[a].gap(&ways[b])));
    let (near, apart): (Vec<_>, Vec<_>) = near.partition(|(_, gap)| *gap == 0.0 || *gap < largest);
    pairs.counts[2].fetch_add(apart.len(), Ordering::Relaxed);
    let candidates = looked_at(pairs, &stage, &near)?;
    let mut findings: Vec<Finding> =
        candidates.iter().filter_map(|one| blocked(&one.pair, one.passage)).collect();
    detail(&candidates, &mut findings)?;
    findings.extend(too_close(pairs, &candidates, plan)?);
    Ok(findings)
}

/// Adds what can be said about the first findings.
fn detail(candidates: &[Candidate], findings: &mut [Finding]) -> Result<(), Problem> {
    let count = findings.len().min(DETAILED);
    findings[..count].par_iter_mut().try_for_each(|finding| {
        let one = candidates.iter().find(|one| one.pair.bodies == finding.pair);
        if let Some(one) = one {
            *finding = one.pair.detailed(finding)?;
        }
        Ok(())
    })
}

pub(crate) fn blocked(pair: &Pair, passage: Passage) -> Option<Finding> {
    match passage {
        Passage::Blocked { time, kind } => Some(Finding { kind, pair: pair.bodies, time }),
        _ => None,
    }
}

/// A pair that may come near, and how near at least.
pub(crate) struct Candidate<'c> {
    pub(crate) pair: Pair<'c>,
    gap: f64,
    pub(crate) passage: Passage,
}

impl Candidate<'_> {
    fn is_fit(&self) -> bool {
        matches!(self.passage, Passage::Touching { fit: Some(_) })
    }

    /// What the pair must keep where it is closest, in metres.
    fn required(&self) -> f64 {
        if self.is_fit() { 0.0 } else { self.pair.requirement.clearance }
    }
}

/// Checks one step of a plan.
pub(crate) fn check(pairs: &Pairs, stages: &[Stage], number: usize) -> Result<StepResult, Problem> {
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
        let candidates = candidates(pairs, stage, &result.moving)?;
        let fits: Vec<&Candidate> = candidates.iter().filter(|one| one.is_fit()).collect();
        result.fits = fits.iter().map(|one| one.pair.bodies).collect();
        result.fit_gaps = fits.par_iter().map(|one| one.pair.fit_gap()).collect::<Result<_, _>>()?;
        result.findings = candidates.iter().filter_map(|one| blocked(&one.pair, one.passage)).collect();
        result.findings.sort_by(|x, y| {
            let key = |f: &Finding| (std::cmp::Reverse(f.kind.verdict()), f.pair);
            x.time.total_cmp(&y.time).then(key(x).cmp(&key(y)))
        });
        let is_blocked = !result.findings.is_empty();
        detail(&candidates, &mut result.findings)?;
        result.findings.extend(too_close(pairs, &candidates, Plan::around(stages, number))?);
        if !is_blocked {
            result.closest = closest(&candidates)?;
        }
    }
    result.verdict = result.findings.iter().map(|f| f.kind.verdict()).max().unwrap_or(PlanVerdict::Free);
    Ok(result)
}

/// All pairs that move against each other, the nearest boxes first, with whether they get past each other.
pub(crate) fn candidates<'c>(
    pairs: &'c Pairs<'c>,
    stage: &'c Stage,
    moving: &[usize],
) -> Result<Vec<Candidate<'c>>, Problem> {
    let count = pairs.scene.bodies.len();
    let movers: Vec<Option<usize>> = (0..count).map(|body| stage.mover_of(body)).collect();
    let way = |body: usize| match movers[body] {
        Some(mover) if matches!(stage.movers[mover].travel(), Some(Travel::Translate(_))) => {
            Way::straight(pairs.bounds[body].as_ref(), &*stage.motion(body))
        }
        Some(_) => Way::moving(pairs.bounds[body].as_ref(), &*stage.motion(body)),
        None => Way::still(pairs.bounds[body].as_ref(), &stage.before[body]),
    };
    let ways: Vec<Way> = (0..count).map(way).collect();
    let mut near = Vec::new();
    for a in moving {
        for b in (0..count).filter(|b| movers[*b] != movers[*a]) {
            // Two that move are looked at once.
            if movers[b].is_none() || *a < b {
                near.push(([*a, b], ways[*a].gap(&ways[b])));
            }
        }
    }
    near.sort_by(|(x, gap_x), (y, gap_y)| gap_x.total_cmp(gap_y).then(x.cmp(y)));
    looked_at(pairs, stage, &near)
}

/// Those of the pairs that are not to be ignored, with whether they get past each other.
fn looked_at<'c>(
    pairs: &'c Pairs<'c>,
    stage: &'c Stage,
    near: &[([usize; 2], f64)],
) -> Result<Vec<Candidate<'c>>, Problem> {
    let look = |(bodies, gap): &([usize; 2], f64)| {
        let pair = Pair::new(pairs, stage, *bodies)?;
        if pair.requirement.ignore.is_some() {
            return Ok(None);
        }
        let passage = if *gap > 0.0 {
            pairs.counts[2].fetch_add(1, Ordering::Relaxed);
            Passage::Apart
        } else {
            pair.passage()?
        };
        Ok(Some(Candidate { pair, gap: *gap, passage }))
    };
    let found: Vec<Result<Option<Candidate>, Problem>> = near.par_iter().map(look).collect();
    found.into_iter().filter_map(Result::transpose).collect()
}

/// Pairs that come closer than required, in the order of their time.
fn too_close(pairs: &Pairs, candidates: &[Candidate], plan: Plan) -> Result<Vec<Finding>, Problem> {
    let look = |one: &Candidate| -> Result<Option<Finding>, Problem> {
        let required = one.pair.requirement.clearance;
        if !(required > one.gap) || matches!(one.passage, Passage::Blocked { .. }) {
            return Ok(None);
        }
        let enough = required * (1.0 - 4.0 * NEAREST_RELATIVE);
        let mut is_fit = one.is_fit();
        let mut closest = None;
        if !is_fit {
            let Some(found) = one.pair.closer_than(enough)? else { return Ok(None) };
            if found.lower() >= enough {
                return Ok(None);
            }
            closest = Some(found);
            // Bodies that rest on each other but for rounding are fits.
            is_fit = one.pair.touches_in_a_state()?;
        }
        // A contact in another step may be near, too.
        let left = plan.left(pairs, &one.pair)?;
        let is_exempt = is_fit || left != [None, None];
        let kept = match closest {
            // The least distance that was found suffices, but not the one that is proven.
            Some(found) if !is_exempt && found.distance >= enough => Kept::Unknown { open: [0.0, 1.0] },
            Some(found) if !is_exempt => Kept::No(found),
            _ => one.pair.keeps(enough, left, is_fit)?,
        };
        let (kind, time) = match kept {
            Kept::Yes => return Ok(None),
            Kept::No(found) => {
                let points = [found.point_on_a, found.point_on_b];
                let give_way = give_way(points);
                let (distance, error) = (found.distance, found.error);
                let is_fit = is_exempt;
                (FindingKind::TooClose { distance, error, required, points, give_way, is_fit }, found.time)
            }
            Kept::Unknown { open } => (FindingKind::Undecided { open }, open[0]),
        };
        Ok(Some(Finding { kind, pair: one.pair.bodies, time }))
    };
    let found: Vec<_> = candidates.par_iter().map(look).collect();
    let mut found: Vec<Finding> =
        found.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
    found.sort_by(|x, y| x.time.total_cmp(&y.time).then(x.pair.cmp(&y.pair)));
    Ok(found)
}

/// The pair that comes closest.
fn closest(candidates: &[Candidate]) -> Result<Option<Closest>, Problem> {
    // Where a fit touches, nothing is closer, and nobody else has to be asked.
    let fits: Vec<&Candidate> = candidates.iter().filter(|one| one.is_fit()).collect();
    let touches: Vec<Result<Clearance, Problem>> = fits.par_iter().map(|one| one.pair.touch()).collect();
    let mut best: Option<Closest> = None;
    for (one, found) in fits.into_iter().zip(touches) {
        let found = of(one, &found?);
        if best.is_none_or(|best| found.distance < best.distance) {
            best = Some(found);
        }
    }
    if best.is_some() {
        return Ok(best);
    }
    // One alone, whose distance makes most others short; then more and more at once, whatever the number of threads.
    let (mut rest, mut count) = (candidates, 1);
    while !rest.is_empty() {
        let some;
        (some, rest) = rest.split_at(count.min(rest.len()));
        count = (2 * count).max(4);
        let bound = best.map_or(f64::INFINITY, |best| best.distance);
        let near: Vec<&Candidate> = some.iter().filter(|one| one.gap < bound).collect();
        if near.is_empty() {
            break;
        }
        let found: Vec<Result<_, Problem>> = near.par_iter().map(|one| one.pair.closer_than(bound)).collect();
        for (one, found) in near.iter().zip(found) {
            let Some(found) = found? else { continue };
            // Of nearly equal ones the first: a pair that is told to keep the bound but for rounding must not win when more is known of it.
            let enough = best.map_or(f64::INFINITY, |best| best.distance * (1.0 - 4.0 * NEAREST_RELATIVE));
            if found.distance < enough {
                best = Some(of(one, &found));
            }
        }
    }
    Ok(best)
}

fn of(one: &Candidate, found: &Clearance) -> Closest {
    Closest {
        pair: one.pair.bodies,
        distance: found.distance,
        error: found.error,
        time: found.time,
        points: [found.point_on_a, found.point_on_b],
        required: one.required(),
    }
}
