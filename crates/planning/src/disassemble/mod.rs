//! Taking apart: an order and directions in which all parts can be removed, and back again as a plan for assembly.
//!
//! In rounds: first all parts that leave upwards by one translation, then by one in any of the directions of contact normals, faces and axes; then parts that slide out by
//! several; then parts that touch each other as one; and only where all that fails, ways with turns by the planner that samples. A group of the scene is one part
//! as long as others can leave; when nothing else does, its bodies are tried one by one. A part is removed when it is beyond the box of the rest. ShapeCache that are taken away make way for others and are never in the way, so that all parts of
//! a round can go. `layout` then finds places for the removed parts where none is in the way of another, and the check of
//! the reversed plan has the last word.

mod layout;
mod memory;
mod round;
mod search;

use crate::path::way::{self, Leg};
use crate::path::{FindOptions, Progress, pieces, subject};
use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, Finding, PlanVerdict, Timeline, check, placement};
use freiraum_geometry::path::Ball;
use freiraum_geometry::{Aabb, Pose};
use freiraum_motion::CancelToken;
use freiraum_scene::{Move, Place, PlannerChoice, Problem, Scene, Step, Travel};
use search::Search;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// How to take apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DisassembleOptions {
    /// How to look for ways where no translations help.
    pub find: FindOptions,
    /// Groups of the scene are nothing but bodies; else they stay together as long as they can.
    pub split_groups: bool,
}

/// A part, or several as one, that is removed.
#[derive(Clone, Debug)]
pub struct Removal {
    /// Numbers of the bodies; the first one leads.
    pub bodies: Vec<usize>,
    /// What the leading one does, from where it is to where it is out of the way.
    pub travels: Vec<Travel>,
    /// The planner that was needed; `None` if translations in known directions were enough.
    pub planner: Option<PlannerChoice>,
    /// In which round, from 0: parts of one round do not wait for each other.
    pub round: usize,
}

/// How something is taken apart.
#[derive(Clone, Debug)]
pub struct Disassembly {
    /// What is removed, in this order.
    pub removals: Vec<Removal>,
    /// Numbers of the bodies for which no way out was found: each holds the others, as far as was looked.
    pub blocked: Vec<usize>,
    /// For each of those the bodies that it runs into in the directions that were tried, those first that are in the way most often.
    pub held_by: Vec<Vec<usize>>,
    /// Pairs of bodies that overlap in the assembled state by more than is allowed: there is no free way from there, for certain.
    pub overlaps: Vec<[usize; 2]>,
    /// What a check says of these where the parts are assembled: where and how deep they overlap, as far as
    /// it looks at them.
    pub overlapping: Vec<Finding>,
    /// The plan for assembly: all removed parts lie around, and steps bring them to where they belong. ShapeCache that are blocked are there from the beginning.
    pub assembly: Scene,
    /// What the check of that plan says.
    pub verdict: PlanVerdict,
    /// Placements and motions that were looked at.
    pub checks: u64,
}

/// A unit that is removed, in the frame of the assembled state.
#[derive(Clone, Debug)]
struct Unit {
    bodies: Vec<usize>,
    legs: Vec<Leg>,
    planner: Option<PlannerChoice>,
    round: usize,
    /// How the bodies are taken apart afterwards, if there are several.
    inner: Vec<Unit>,
}

impl Unit {
    /// Bodies that leave by translations and stay together.
    fn new(bodies: Vec<usize>, legs: Vec<Leg>, round: usize) -> Unit {
        Unit { bodies, legs, planner: None, round, inner: Vec::new() }
    }
}

/// Is told how many parts of how many are out, and what a planner is doing, and may end the search.
pub type Told<'t> = dyn Fn(usize, usize, Option<&Progress>) -> ControlFlow<()> + Sync + 't;

/// Takes the bodies of a scene apart that are not fixed; if none is, the largest one stays.
///
/// The assembled state is that of the goals, for bodies without one that after the last step. **Guarantee.** Every step of the plan for assembly is proven
/// if [`Disassembly::verdict`] is free. Same answer on any number of threads. **Errors.** Files that cannot be read, steps that make no sense.
pub fn disassemble(
    scene: &Scene,
    parts: &ShapeCache,
    options: &DisassembleOptions,
    progress: &Told,
) -> Result<Disassembly, Vec<Problem>> {
    disassemble_until(scene, parts, options, &CancelToken::default(), progress)
}

/// As [`disassemble`]; ends with a problem when the token is cancelled, which is asked in all inner loops.
pub fn disassemble_until(
    scene: &Scene,
    parts: &ShapeCache,
    options: &DisassembleOptions,
    cancel: &CancelToken,
    progress: &Told,
) -> Result<Disassembly, Vec<Problem>> {
    parts.load_until(scene, cancel)?;
    let mut poses = Timeline::of(scene)?.end;
    for (body, pose) in scene.bodies.iter().zip(&mut poses) {
        *pose = body.goal.unwrap_or(*pose);
    }
    let mut search = Search::new(scene, parts, options, cancel, progress);
    let all: Vec<usize> = (0..scene.bodies.len()).collect();
    let overlaps = search.overlaps(&all, &poses).map_err(|problem| vec![problem])?;
    let (units, blocked) = if overlaps.is_empty() {
        search.take_apart(&all, &poses).map_err(|problem| vec![problem])?
    } else {
        let mut involved: Vec<usize> = overlaps.iter().flatten().copied().collect();
        involved.sort_unstable();
        involved.dedup();
        (Vec::new(), involved)
    };
    let stopped = || vec![Problem::new(Place::default(), "the search was stopped")];
    if cancel.is_cancelled() {
        return Err(stopped());
    }
    let stays: Vec<usize> =
        all.iter().copied().filter(|body| !units.iter().any(|unit| unit.bodies.contains(body))).collect();
    let held_by = match overlaps.is_empty() {
        true => blocked.iter().map(|body| search.holders(*body, &stays, &poses)).collect(),
        false => Ok(vec![Vec::new(); blocked.len()]),
    };
    let held_by = held_by.map_err(|problem| vec![problem])?;
    let checks = search.checks();
    let units = layout::spread(scene, parts, units, &all, &poses).map_err(|problem| vec![problem])?;
    let mut out = poses.clone();
    let mut removals = Vec::new();
    flatten(&units, &Pose::IDENTITY, &mut out, &mut removals);
    let assembly = assembly(scene, parts, &poses, &out, &removals);
    let removals = removals.into_iter().map(|(removal, _)| removal).collect();
    let timeline = Timeline::of(&assembly)?;
    let options = CheckOptions { cancel: Some(cancel), ..CheckOptions::default() };
    let known: HashSet<[usize; 2]> = overlaps.iter().map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
    let overlapping = match known.is_empty() {
        true => Vec::new(),
        false => placement(scene, parts, &poses, &|pair| known.contains(&pair), &options)?,
    };
    let result = check(&assembly, &timeline, parts, &CheckMemory::default(), &options)?;
    if cancel.is_cancelled() {
        return Err(stopped());
    }
    Ok(Disassembly {
        removals,
        blocked,
        held_by,
        overlaps,
        overlapping,
        assembly,
        verdict: result.verdict,
        checks,
    })
}

/// All removals one after the other, groups before their bodies; `change` is what was done to the frame of the units before.
fn flatten(units: &[Unit], change: &Pose, poses: &mut [Pose], out: &mut Vec<(Removal, Vec<Leg>)>) {
    for unit in units {
        let legs: Vec<Leg> = unit.legs.iter().map(|leg| placed(leg, change)).collect();
        let lead = unit.bodies[0];
        let before = poses[lead];
        let after = legs.iter().fold(before, |pose, leg| way::end(&leg.travel, &pose));
        let moved = after * before.inverse();
        for body in &unit.bodies {
            poses[*body] = if *body == lead { after } else { moved * poses[*body] };
        }
        let travels = legs.iter().map(|leg| leg.travel.clone()).collect();
        let removal =
            Removal { bodies: unit.bodies.clone(), travels, planner: unit.planner, round: unit.round };
        out.push((removal, legs));
        flatten(&unit.inner, &(moved * *change), poses, out);
    }
}

/// A leg after the world was moved.
fn placed(leg: &Leg, change: &Pose) -> Leg {
    let travel = match &leg.travel {
        Travel::Translate(by) => Travel::Translate(change.rotate(*by)),
        Travel::Turn { axis, angle, advance } => {
            Travel::Turn { axis: axis.placed(change), angle: *angle, advance: *advance }
        }
        Travel::To(to) => Travel::To(*change * *to),
        other => other.clone(),
    };
    Leg::new(*change * leg.from, travel)
}

/// The plan that brings everything back.
fn assembly(
    scene: &Scene,
    parts: &ShapeCache,
    poses: &[Pose],
    out: &[Pose],
    removals: &[(Removal, Vec<Leg>)],
) -> Scene {
    let mut assembly = Scene { steps: Vec::new(), states: Vec::new(), ..scene.clone() };
    for (number, body) in assembly.bodies.iter_mut().enumerate() {
        body.pose = out[number];
        body.goal = (!body.is_fixed).then_some(poses[number]);
    }
    for (removal, legs) in removals.iter().rev() {
        let subject = subject(&mut assembly.groups, scene, &removal.bodies);
        let back = way::reversed(legs);
        let travel = match &back[..] {
            [one] => one.travel.clone(),
            several => {
                let travels: Vec<Travel> = several.iter().map(|leg| leg.travel.clone()).collect();
                // Turns count as the way of a point at half of the radius, as planners take them.
                let bounds = parts.movable(removal.bodies[0]).ok().and_then(|body| body.prepared().bounds());
                let Ball { center, radius } = bounds.unwrap_or(Aabb::EMPTY).bounding_sphere();
                let lengths: Vec<f64> = several.iter().map(|leg| leg.length(center, 0.5 * radius)).collect();
                Travel::Path(pieces(&travels, &lengths))
            }
        };
        let place = Place::default();
        let one = Move { subject: subject.clone(), bodies: removal.bodies.clone(), travel, place };
        let name = format!("insert {subject}");
        assembly.steps.push(Step { name, moves: vec![one], tasks: Vec::new(), seconds: 1.0, place });
    }
    assembly
}
