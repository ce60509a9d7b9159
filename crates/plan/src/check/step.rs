//! One step: all pairs of which a body moves.

use super::encounter::{Passage, give_way};
use super::pair::{Pair, Pairs};
use super::result::{Closest, Finding, FindingKind, PlanVerdict, StepResult};
use super::way::Way;
use crate::timeline::{Course, Stage, Timeline};
use freiraum_geometry::Pose;
use freiraum_geometry::tolerance::NEAREST_RELATIVE;
use freiraum_motion::Clearance;
use freiraum_scene::{Place, Problem, Travel};
use rayon::prelude::*;
use std::sync::atomic::Ordering;

/// Pairs that overlap or are too close before anything has moved.
pub(crate) fn start(pairs: &Pairs, timeline: &Timeline) -> Result<Vec<Finding>, Problem> {
    let before = timeline.stages.first().map_or(&timeline.end, |stage| &stage.before);
    standing(pairs, "the start", before, &|_| true)
}

/// Pairs that overlap or are too close where all bodies stand, of those that are asked.
pub(crate) fn standing(
    pairs: &Pairs,
    name: &str,
    poses: &[Pose],
    is_asked: &dyn Fn([usize; 2]) -> bool,
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
    findings.extend(too_close(&candidates)?);
    Ok(findings)
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

    /// What the pair must keep, in metres.
    fn required(&self) -> f64 {
        let requirement = &self.pair.requirement;
        if self.is_fit() && !requirement.is_explicit { 0.0 } else { requirement.clearance }
    }
}

/// Checks one step.
pub(crate) fn check(pairs: &Pairs, stage: &Stage) -> Result<StepResult, Problem> {
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
    let mut result =
        StepResult { verdict: PlanVerdict::Free, moving, closest: None, findings, fits: Vec::new() };
    if result.findings.is_empty() {
        let candidates = candidates(pairs, stage, &result.moving)?;
        result.fits = candidates.iter().filter(|one| one.is_fit()).map(|one| one.pair.bodies).collect();
        result.findings = candidates.iter().filter_map(|one| blocked(&one.pair, one.passage)).collect();
        result.findings.sort_by(|x, y| {
            let key = |f: &Finding| (std::cmp::Reverse(f.kind.verdict()), f.pair);
            x.time.total_cmp(&y.time).then(key(x).cmp(&key(y)))
        });
        let is_blocked = !result.findings.is_empty();
        result.findings.extend(too_close(&candidates)?);
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
fn too_close(candidates: &[Candidate]) -> Result<Vec<Finding>, Problem> {
    let look = |one: &Candidate| -> Result<Option<Finding>, Problem> {
        let required = one.required();
        if one.gap >= required || matches!(one.passage, Passage::Blocked { .. }) {
            return Ok(None);
        }
        let enough = required * (1.0 - 4.0 * NEAREST_RELATIVE);
        let Some(found) = one.pair.closer_than(enough)? else { return Ok(None) };
        let kind = if found.distance < enough {
            // Bodies that rest on each other but for rounding are fits.
            if !one.pair.requirement.is_explicit && one.pair.touches_in_a_state()? {
                return Ok(None);
            }
            let points = [found.point_on_a, found.point_on_b];
            let give_way = give_way(points);
            FindingKind::TooClose { distance: found.distance, error: found.error, required, points, give_way }
        } else if found.lower() < enough {
            // The least distance that was found suffices, but not the one that is proven.
            FindingKind::Undecided { open: [0.0, 1.0] }
        } else {
            return Ok(None);
        };
        Ok(Some(Finding { kind, pair: one.pair.bodies, time: found.time }))
    };
    let found: Vec<_> = candidates.par_iter().map(look).collect();
    let mut found: Vec<Finding> =
        found.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
    found.sort_by(|x, y| x.time.total_cmp(&y.time).then(x.pair.cmp(&y.pair)));
    Ok(found)
}

/// The pair that comes closest; fits only if there are no others.
fn closest(candidates: &[Candidate]) -> Result<Option<Closest>, Problem> {
    let (fits, others): (Vec<&Candidate>, Vec<&Candidate>) = candidates.iter().partition(|one| one.is_fit());
    let mut best: Option<Closest> = None;
    // One alone, whose distance makes most others short; then more and more at once, whatever the number of threads.
    let (mut rest, mut count) = (&others[..], 1);
    while !rest.is_empty() {
        let some;
        (some, rest) = rest.split_at(count.min(rest.len()));
        count = (2 * count).max(4);
        let bound = best.map_or(f64::INFINITY, |best| best.distance);
        let near: Vec<&&Candidate> = some.iter().filter(|one| one.gap < bound).collect();
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
    match (best, fits.first()) {
        (None, Some(fit)) => Ok(fit.pair.closer_than(f64::INFINITY)?.map(|found| of(fit, &found))),
        (best, _) => Ok(best),
    }
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
