//! How far some bodies get: the first collision on a single motion, whatever clearance is asked for.

use super::memory::CheckMemory;
use super::pair::Pairs;
use super::result::Finding;
use super::step::{blocked, candidates};
use super::{CheckOptions, outlines};
use crate::parts::Parts;
use crate::timeline::{Course, Mover, Stage, motion};
use freiraum_geometry::Pose;
use freiraum_scene::{Place, Problem, Scene, Travel};

/// How far some bodies get.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The share of the motion that is free, in [0, 1]; proven but for what `blocked` says of its time.
    pub share: f64,
    /// What ends it there; `None` if nothing does.
    pub blocked: Option<Finding>,
    /// Where all bodies are then.
    pub poses: Vec<Pose>,
}

/// How far `bodies` get on a motion of the first of them, the others fixed to it, while all other bodies stay at `poses`.
///
/// Bodies that touch, or overlap within their allowance, may slide and separate, as in a check. **Errors.** As [`check()`](super::check()). Panics if
/// there is no pose for a body, or no body.
pub fn reach(
    scene: &Scene,
    parts: &Parts,
    poses: &[Pose],
    bodies: &[usize],
    travel: &Travel,
    options: &CheckOptions,
) -> Result<Reach, Vec<Problem>> {
    parts.load_digests(scene)?;
    let memory = CheckMemory::default();
    let outlines = outlines(scene, parts, &memory)?;
    let bounds: Vec<_> = outlines.iter().map(|outline| outline.bounds).collect();
    let pairs = Pairs {
        scene,
        parts,
        memory: &memory,
        bounds: &bounds,
        limits: options.limits,
        is_cancelled: options.is_cancelled,
        counts: Default::default(),
        new: Default::default(),
    };
    let place = Place::default();
    let lead = motion(travel, &poses[bodies[0]], place).map_err(|problem| vec![problem])?;
    let mover = Mover {
        subject: String::new(),
        bodies: bodies.to_vec(),
        course: Course::Travel(travel.clone()),
        lead,
        place,
    };
    let stage = Stage {
        name: "this motion".to_owned(),
        step: 0,
        before: poses.to_vec(),
        movers: vec![mover],
        seconds: 1.0,
        place,
    };
    let found = candidates(&pairs, &stage, bodies).map_err(|problem| vec![problem])?;
    let found = found.iter().filter_map(|one| blocked(&one.pair, one.passage));
    let first = found.min_by(|a, b| a.time.total_cmp(&b.time).then(a.pair.cmp(&b.pair)));
    let share = first.map_or(1.0, |finding| finding.time.clamp(0.0, 1.0));
    let mut after = poses.to_vec();
    for body in bodies {
        after[*body] = stage.motion(*body).pose(share);
    }
    Ok(Reach { share, blocked: first, poses: after })
}
