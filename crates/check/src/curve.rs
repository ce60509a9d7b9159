//! How far two bodies are apart over a step.

use crate::{FindingKind, Report, StepResult, Timeline};
use freiraum_assets::ShapeCache;
use freiraum_motion::distance_curve;
use freiraum_scene::Scene;
use rayon::prelude::*;

/// Curves per step.
const MOST: usize = 3;
/// Points per curve, about.
const POINTS: usize = 65;

/// What curves are computed from.
struct Source<'s> {
    scene: &'s Scene,
    timeline: &'s Timeline,
    parts: &'s ShapeCache,
    result: &'s Report,
}

/// The distance of a pair over a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Numbers of the bodies; the first one moves.
    pub pair: [usize; 2],
    /// What the pair must keep, in metres.
    pub required: f64,
    /// Times in [0, 1] and distances in metres, ascending.
    pub points: Vec<[f64; 2]>,
    /// The time of the least distance and that distance, as the check found it.
    pub least: [f64; 2],
    /// True if it belongs to a finding.
    pub is_finding: bool,
}

/// The curves of every step: pairs with findings, and the closest pair. What cannot be computed is left out.
pub fn curves(scene: &Scene, timeline: &Timeline, parts: &ShapeCache, report: &Report) -> Vec<Vec<Curve>> {
    let source = &Source { scene, timeline, parts, result: report };
    let steps = source.result.steps.iter().enumerate().collect::<Vec<_>>();
    let of_step = |&(number, step): &(usize, &StepResult)| {
        let mut curves: Vec<Curve> = Vec::new();
        let mut add = |pair: [usize; 2], required: f64, least: [f64; 2], is_finding: bool| {
            if curves.len() < MOST && !curves.iter().any(|curve| curve.pair == pair) {
                let points = points(source, number, pair, least);
                curves.extend(points.map(|points| Curve { pair, required, points, least, is_finding }));
            }
        };
        for finding in &step.findings {
            let known = match finding.kind {
                FindingKind::TooClose { distance, .. } => Some([finding.time, distance]),
                FindingKind::Contact { .. } => Some([finding.time, 0.0]),
                _ => None,
            };
            let required = match finding.kind {
                FindingKind::TooClose { required, .. } => required,
                _ => source.scene.requirement(finding.pair[0], finding.pair[1]).clearance,
            };
            if let Some(known) = known {
                add(finding.pair, required, known, true);
            }
        }
        if let Some(closest) = &step.closest {
            add(closest.pair, closest.required, [closest.time, closest.distance], false);
        }
        curves
    };
    steps.par_iter().map(of_step).collect()
}

fn points(source: &Source<'_>, step: usize, pair: [usize; 2], known: [f64; 2]) -> Option<Vec<[f64; 2]>> {
    let stage = source.timeline.stages.get(step)?;
    let [a, b] = pair.map(|body| source.parts.movable(body).ok());
    let [motion_a, motion_b] = pair.map(|body| stage.motion(body));
    let (a, b) = (a?, b?);
    let bounds = a.prepared().bounds().or(b.prepared().bounds());
    let accuracy = 0.002 * bounds.map_or(1.0, |bounds| bounds.size().length());
    let mut points = distance_curve(a, &*motion_a, b, &*motion_b, accuracy, POINTS).ok()?.points;
    // What the check has proven is better than any point between.
    let place = points.partition_point(|point| point[0] < known[0]);
    match points.get_mut(place) {
        Some(point) if point[0] == known[0] => *point = known,
        _ => points.insert(place, known),
    }
    Some(points)
}
