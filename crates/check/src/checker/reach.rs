//! How far some bodies get: the first collision on a single motion, whatever clearance is asked for.

use super::around::Around;
use super::broad_phase::Stays;
use super::memory::CheckMemory;
use super::pair::{Pair, Pairs};
use super::result::{Finding, FindingKind};
use super::step::{blocked, candidates};
use super::{CheckOptions, outlines};
use crate::timeline::{Course, Mover, Stage, motion};
use freiraum_assets::ShapeCache;
use freiraum_geometry::Pose;
use freiraum_geometry::tolerance::MAX_COORDINATE;
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
    parts: &ShapeCache,
    poses: &[Pose],
    bodies: &[usize],
    travel: &Travel,
    options: &CheckOptions,
) -> Result<Reach, Vec<Problem>> {
    parts.load_digests(scene)?;
    let memory = CheckMemory::default();
    let cancel = options.cancel.cloned().unwrap_or_default();
    let outlines = outlines(scene, parts, &memory, &cancel)?;
    let bounds: Vec<_> = outlines.iter().map(|outline| outline.bounds).collect();
    let pairs = Pairs {
        scene,
        parts,
        memory: &memory,
        bounds: &bounds,
        limits: options.limits,
        cancel,
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
        before: poses.into(),
        movers: vec![mover],
        grips: Vec::new(),
        seconds: 1.0,
        place,
    };
    // Beyond that nothing can be proven, so that nothing would be met.
    for body in bodies {
        let end = stage.motion(*body).pose(1.0).translation();
        // Also true for what is no number.
        if !(end.abs().max_element() <= MAX_COORDINATE) {
            let message = format!(
                "{} would end at {:?}; expected coordinates of magnitude at most {MAX_COORDINATE:e} m",
                scene.bodies[*body].name,
                end.to_array()
            );
            return Err(vec![Problem::new(place, message).help("move it less far")]);
        }
    }
    let stays = Stays::of_stages(std::slice::from_ref(&stage), &bounds);
    let mut nearest = stays.nearest(0, &stage, &bounds);
    let alone = Around::of(&[]);
    let found = candidates(&pairs, &stage, &mut nearest, alone.start()).map_err(|problem| vec![problem])?;
    let found: Vec<Finding> = found.iter().filter_map(|one| blocked(&one.pair, one.outcome)).collect();
    let bare = without_allowances(scene);
    let bare = Pairs { scene: &bare, counts: Default::default(), new: Default::default(), ..pairs };
    let mut first_touches = Vec::with_capacity(found.len());
    for finding in found {
        first_touches.push(first_touch(&bare, &stage, finding).map_err(|problem| vec![problem])?);
    }
    let first = first_touches.into_iter().min_by(|a, b| a.time.total_cmp(&b.time).then(a.pair.cmp(&b.pair)));
    let share = first.map_or(1.0, |finding| finding.time.clamp(0.0, 1.0));
    let mut after = poses.to_vec();
    for body in bodies {
        after[*body] = stage.motion(*body).pose(share);
    }
    Ok(Reach { share, blocked: first, poses: after })
}

/// Where a body that meets another one touches it, not where it is as deep in it as is allowed; one that slides along the other on the way goes on.
fn first_touch(bare: &Pairs, stage: &Stage, deep: Finding) -> Result<Finding, Problem> {
    let FindingKind::Contact { allowance, .. } = deep.kind else { return Ok(deep) };
    if allowance == 0.0 {
        return Ok(deep);
    }
    let Some(touch) = blocked_pair(bare, stage, deep.pair)? else { return Ok(deep) };
    let body = deep.pair[0];
    let Some(bounds) = bare.bounds[body].as_ref().filter(|_| touch.time < deep.time) else { return Ok(deep) };
    let ball = bounds.bounding_sphere();
    let way = stage.motion(body).travel(&ball, touch.time, deep.time);
    Ok(if way <= SHORT * allowance { touch } else { deep })
}

/// How many times the allowance a body may move between touching and being as deep as is allowed to meet the other one, rather than to slide along it.
const SHORT: f64 = 10.0;

fn blocked_pair(pairs: &Pairs, stage: &Stage, bodies: [usize; 2]) -> Result<Option<Finding>, Problem> {
    let pair = Pair::new(pairs, stage, bodies)?;
    let found = blocked(&pair, pair.outcome()?);
    Ok(found.filter(|finding| matches!(finding.kind, FindingKind::Contact { .. })))
}

/// The scene in which nothing may overlap.
fn without_allowances(scene: &Scene) -> Scene {
    let mut scene = Scene { allowance: 0.0, ..scene.clone() };
    scene.pairs.iter_mut().for_each(|rule| rule.allowance = None);
    scene.grasps.clear();
    scene
}
