//! How far two bodies are apart over a step.

use super::Source;
use freiraum_motion::distance_curve;
use rayon::prelude::*;

/// Curves per step.
const MOST: usize = 3;
/// Points per curve, about.
const POINTS: usize = 65;

/// The distance of a pair over a step.
pub(crate) struct Curve {
    /// Numbers of the bodies; the first one moves.
    pub(crate) pair: [usize; 2],
    /// What the pair must keep, in metres.
    pub(crate) required: f64,
    /// Times in [0, 1] and distances in metres, ascending.
    pub(crate) points: Vec<[f64; 2]>,
    /// True if it belongs to a finding.
    pub(crate) is_finding: bool,
}

/// The curves of every step: pairs with findings, and the closest pair. What cannot be computed is left out.
pub(crate) fn curves(source: &Source<'_>) -> Vec<Vec<Curve>> {
    let steps = source.result.steps.iter().enumerate().collect::<Vec<_>>();
    let of_step = |&(number, step): &(usize, &crate::check::StepResult)| {
        let mut pairs: Vec<([usize; 2], f64, Option<[f64; 2]>, bool)> = Vec::new();
        for finding in &step.findings {
            let known = match finding.kind {
                crate::check::FindingKind::TooClose { distance, .. } => Some([finding.time, distance]),
                crate::check::FindingKind::Contact { .. } => Some([finding.time, 0.0]),
                _ => None,
            };
            let required = match finding.kind {
                crate::check::FindingKind::TooClose { required, .. } => required,
                _ => source.scene.requirement(finding.pair[0], finding.pair[1]).clearance,
            };
            if !pairs.iter().any(|p| p.0 == finding.pair) && known.is_some() {
                pairs.push((finding.pair, required, known, true));
            }
        }
        if let Some(closest) = &step.closest {
            if !pairs.iter().any(|p| p.0 == closest.pair) {
                pairs.push((closest.pair, closest.required, Some([closest.time, closest.distance]), false));
            }
        }
        pairs.truncate(MOST);
        let curve = |(pair, required, known, is_finding)| {
            let points = points(source, number, pair, known)?;
            Some(Curve { pair, required, points, is_finding })
        };
        pairs.into_iter().filter_map(curve).collect()
    };
    steps.par_iter().map(of_step).collect()
}

fn points(
    source: &Source<'_>,
    step: usize,
    pair: [usize; 2],
    known: Option<[f64; 2]>,
) -> Option<Vec<[f64; 2]>> {
    let stage = source.timeline.stages.get(step)?;
    let [a, b] = pair.map(|body| source.parts.movable(body).ok());
    let [motion_a, motion_b] = pair.map(|body| stage.motion(body));
    let (a, b) = (a?, b?);
    let bounds = a.prepared().bounds().or(b.prepared().bounds());
    let accuracy = 0.002 * bounds.map_or(1.0, |bounds| bounds.size().length());
    let mut points = distance_curve(a, &*motion_a, b, &*motion_b, accuracy, POINTS).ok()?.points;
    // What the check has proven is better than any point between.
    if let Some(known) = known {
        let place = points.partition_point(|point| point[0] < known[0]);
        match points.get_mut(place) {
            Some(point) if point[0] == known[0] => *point = known,
            _ => points.insert(place, known),
        }
    }
    Some(points)
}
