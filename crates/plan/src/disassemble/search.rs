//! Who can leave, and how.

use super::{DisassembleOptions, Told, Unit};
use crate::parts::Parts;
use crate::path::directions::directions;
use crate::path::shrunk::Shrunk;
use crate::path::slides::{slides, way_to};
use crate::path::space::{Probe, Space, bounds_of};
use crate::path::way::Leg;
use crate::path::{FindOptions, Outcome, find_with, task};
use freiraum_geometry::{AxisBox, Pose, Vec3};
use freiraum_scene::{PlannerChoice, Problem, Scene, Travel};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) struct Search<'s> {
    scene: &'s Scene,
    parts: &'s Parts,
    options: &'s DisassembleOptions,
    shrunk: Shrunk,
    checks: AtomicU64,
    progress: &'s Told<'s>,
    is_stopped: bool,
}

/// How hard to try.
#[derive(Clone, Copy, PartialEq)]
enum Effort {
    /// One translation that leads up: nothing that lies on the part is left in the air.
    Upwards,
    OneTranslation,
    Slides,
}

/// What was found about a group of bodies.
struct Look {
    legs: Option<Vec<Leg>>,
    /// Bodies that it touches.
    touched: Vec<usize>,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        scene: &'s Scene,
        parts: &'s Parts,
        options: &'s DisassembleOptions,
        progress: &'s Told<'s>,
    ) -> Search<'s> {
        let (shrunk, checks) = (Shrunk::default(), AtomicU64::new(0));
        Search { scene, parts, options, shrunk, checks, progress, is_stopped: false }
    }

    pub(super) fn checks(&self) -> u64 {
        self.checks.load(Ordering::Relaxed)
    }

    /// Pairs that overlap by more than is allowed.
    pub(super) fn overlaps(&self, bodies: &[usize], poses: &[Pose]) -> Result<Vec<[usize; 2]>, Problem> {
        let look = |&body: &usize| -> Result<Vec<[usize; 2]>, Problem> {
            if self.scene.bodies[body].is_fixed {
                return Ok(Vec::new());
            }
            let others: Vec<usize> = bodies
                .iter()
                .copied()
                .filter(|other| *other != body && (*other > body || self.scene.bodies[*other].is_fixed))
                .collect();
            let space = self.space(&[body], &others, poses)?.1;
            let mut probe = Probe::new(&space, u64::MAX);
            let found = probe.blockers_at(&space.start).map_err(|e| self.problem(body, &e))?;
            Ok(found.into_iter().map(|[_, obstacle]| [body, others[obstacle]]).collect())
        };
        let found: Vec<_> = bodies.par_iter().map(look).collect();
        Ok(found.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// The units that leave, in their order, and what stays though it should not.
    pub(super) fn take_apart(
        &mut self,
        bodies: &[usize],
        poses: &[Pose],
    ) -> Result<(Vec<Unit>, Vec<usize>), Problem> {
        let mut there: Vec<usize> = bodies.to_vec();
        let base = self.base(bodies);
        let (mut units, mut round) = (Vec::new(), 0);
        let total = bodies.iter().filter(|body| self.is_free_to_go(**body, base)).count();
        loop {
            let left: Vec<usize> =
                there.iter().copied().filter(|body| self.is_free_to_go(*body, base)).collect();
            if (self.progress)(total - left.len(), total, None).is_break() {
                self.is_stopped = true;
            }
            if left.is_empty() || self.is_stopped {
                return Ok((units, left));
            }
            let mut touched = Vec::new();
            let mut gone: Vec<Unit> = Vec::new();
            for effort in [Effort::Upwards, Effort::OneTranslation, Effort::Slides] {
                let look = |&body: &usize| self.look(&[body], &there, poses, effort);
                let looks: Vec<Result<Look, Problem>> = left.par_iter().map(look).collect();
                touched.clear();
                for (look, &body) in looks.into_iter().zip(&left) {
                    let look = look?;
                    touched.push((body, look.touched));
                    if let Some(legs) = look.legs {
                        gone.push(Unit { bodies: vec![body], legs, planner: None, round, inner: Vec::new() });
                    }
                }
                if !gone.is_empty() {
                    break;
                }
            }
            if gone.is_empty() {
                gone.extend(self.group(&left, &there, poses, &touched, round)?);
            }
            if gone.is_empty() {
                gone.extend(self.by_planner(&left, &there, poses, round, total)?);
            }
            if gone.is_empty() {
                return Ok((units, left));
            }
            there.retain(|body| !gone.iter().any(|unit| unit.bodies.contains(body)));
            units.extend(gone);
            round += 1;
        }
    }

    /// The body that stays if none is fixed.
    fn base(&self, bodies: &[usize]) -> Option<usize> {
        if bodies.iter().any(|body| self.scene.bodies[*body].is_fixed) {
            return None;
        }
        let size = |body: usize| {
            let bounds = self.parts.movable(body).ok().and_then(|body| body.prepared().bounds());
            bounds.map_or(f64::INFINITY, |bounds| bounds.size().length())
        };
        bodies.iter().copied().max_by(|a, b| size(*a).total_cmp(&size(*b)).then(b.cmp(a)))
    }

    fn is_free_to_go(&self, body: usize, base: Option<usize>) -> bool {
        !self.scene.bodies[body].is_fixed && base != Some(body)
    }

    fn problem(&self, body: usize, error: &dyn std::fmt::Display) -> Problem {
        Problem::new(self.scene.bodies[body].place, error.to_string())
    }

    fn space(
        &self,
        moving: &[usize],
        others: &[usize],
        poses: &[Pose],
    ) -> Result<(crate::path::Task, Space), Problem> {
        let task = task(self.scene, self.parts, poses, moving, others, &poses[moving[0]])?;
        let space = Space::new(&task, &self.shrunk).map_err(|e| self.problem(moving[0], &e))?;
        Ok((task, space))
    }

    fn bounds(&self, bodies: &[usize], poses: &[Pose]) -> AxisBox {
        let boxes =
            bodies.iter().filter_map(|body| bounds_of(self.parts.movable(*body).ok()?, &poses[*body]));
        boxes.fold(AxisBox::EMPTY, |all, next| all.union(&next))
    }

    /// Whether a group can leave what is there by translations.
    fn look(
        &self,
        group: &[usize],
        there: &[usize],
        poses: &[Pose],
        effort: Effort,
    ) -> Result<Look, Problem> {
        let others: Vec<usize> = there.iter().copied().filter(|body| !group.contains(body)).collect();
        let (task, space) = self.space(group, &others, poses)?;
        let fits: Vec<[usize; 2]> = space.fits().collect();
        let touched = fits.iter().map(|[_, obstacle]| others[*obstacle]).collect();
        let directions = directions(&task, &task.start, &fits);
        let (own, rest) = (self.bounds(group, poses), self.bounds(&others, poses));
        let mut probe = Probe::new(&space, LOOK_BUDGET);
        let legs = match effort {
            Effort::Upwards | Effort::OneTranslation => {
                let is_wanted = |direction: &&Vec3| effort != Effort::Upwards || direction.z > UPWARDS;
                let mut ways: Vec<Vec3> = directions
                    .iter()
                    .filter(is_wanted)
                    .map(|direction| *direction * (way_out(&own, &rest, *direction) + OUT * space.radius))
                    .collect();
                // The shortest way out first; of equal ones the first.
                ways.sort_by(|x, y| x.length().total_cmp(&y.length()));
                let legs = ways.into_iter().map(|by| Leg::new(task.start, Travel::Translate(by)));
                legs.into_iter().find(|leg| probe.is_free(leg)).map(|leg| vec![leg])
            }
            Effort::Slides => {
                let reach = own.union(&rest).size().length() * (1.0 + OUT);
                let places = slides(&mut probe, &task.start, &directions, reach, SLIDES, PLACES);
                places.iter().position(|place| place.is_out).map(|place| way_to(&places, place))
            }
        };
        self.checks.fetch_add(probe.checks, Ordering::Relaxed);
        Ok(Look { legs, touched })
    }

    /// A group of parts that touch each other and leave together.
    fn group(
        &mut self,
        left: &[usize],
        there: &[usize],
        poses: &[Pose],
        touched: &[(usize, Vec<usize>)],
        round: usize,
    ) -> Result<Option<Unit>, Problem> {
        let mut groups: Vec<Vec<usize>> = left.iter().map(|body| vec![*body]).collect();
        let (mut from, mut tried) = (0, 0);
        while from < groups.len() && tried < GROUPS {
            let group = groups[from].clone();
            from += 1;
            // Everything that can go, without something that stays, would be no group but all.
            if group.len() + 1 >= there.len() {
                continue;
            }
            let neighbours =
                touched.iter().filter(|(body, _)| group.contains(body)).flat_map(|(_, other)| other);
            for &next in neighbours {
                if !left.contains(&next) || group.contains(&next) {
                    continue;
                }
                let mut larger = group.clone();
                larger.push(next);
                larger.sort_unstable();
                if groups.contains(&larger) {
                    continue;
                }
                tried += 1;
                if let Some(legs) = self.look(&larger, there, poses, Effort::OneTranslation)?.legs {
                    let (inner, stuck) = self.take_apart(&larger, poses)?;
                    // Of no use if it cannot be taken apart itself.
                    if stuck.is_empty() {
                        return Ok(Some(Unit { bodies: larger, legs, planner: None, round, inner }));
                    }
                }
                groups.push(larger);
            }
        }
        Ok(None)
    }

    /// The first part for which the planner with turns finds a way out.
    fn by_planner(
        &mut self,
        left: &[usize],
        there: &[usize],
        poses: &[Pose],
        round: usize,
        total: usize,
    ) -> Result<Option<Unit>, Problem> {
        // A little for each, before one gets all.
        for share in [16, 1] {
            for &body in left {
                let others: Vec<usize> = there.iter().copied().filter(|other| *other != body).collect();
                let (mut task, space) = self.space(&[body], &others, poses)?;
                let (own, rest) = (self.bounds(&[body], poses), self.bounds(&others, poses));
                let fits: Vec<[usize; 2]> = space.fits().collect();
                // Out in the first direction that ends at a free place: not in what has no end.
                let start = task.start;
                let out = |direction: &Vec3| {
                    let far = *direction * (way_out(&own, &rest, *direction) + OUT * space.radius);
                    Leg::new(start, Travel::Translate(far)).to
                };
                let mut probe = Probe::new(&space, u64::MAX);
                let goals = directions(&task, &start, &fits);
                let goal = goals.iter().map(out).find(|goal| probe.is_free_at(goal));
                let Some(goal) = goal else { continue };
                task.goal = goal;
                let find = self.options.find;
                let options = FindOptions { budget: find.budget / share, ..find };
                let progress = self.progress;
                let stopped = &mut self.is_stopped;
                let name_of = |obstacle: usize| self.scene.bodies[others[obstacle]].name.clone();
                let found = find_with(&task, &options, &self.shrunk, &name_of, &mut |now| {
                    let flow = progress(total - left.len(), total, Some(now));
                    *stopped |= flow.is_break();
                    flow
                })
                .map_err(|e| Problem::new(self.scene.bodies[body].place, e.to_string()))?;
                self.checks.fetch_add(found.checks, Ordering::Relaxed);
                if let Outcome::Path(travels) = found.outcome {
                    let mut legs: Vec<Leg> = Vec::new();
                    for travel in travels {
                        let from = legs.last().map_or(task.start, |leg| leg.to);
                        legs.push(Leg::new(from, travel));
                    }
                    let planner = found.planner.or(Some(PlannerChoice::Detours));
                    return Ok(Some(Unit { bodies: vec![body], legs, planner, round, inner: Vec::new() }));
                }
                if self.is_stopped {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }
}

/// How far a box has to go in a direction to be beside another one.
pub(super) fn way_out(own: &AxisBox, rest: &AxisBox, direction: Vec3) -> f64 {
    if rest.is_empty() || own.is_empty() {
        return 0.0;
    }
    let along = |k: usize| {
        let step = direction[k];
        if step > 0.0 {
            (rest.max[k] - own.min[k]) / step
        } else if step < 0.0 {
            (rest.min[k] - own.max[k]) / step
        } else {
            f64::INFINITY
        }
    };
    (0..3).map(along).fold(f64::INFINITY, f64::min).max(0.0)
}

/// Beyond the box of the rest by this share of the radius of the part.
const OUT: f64 = 0.25;

/// The least sine of the angle between a way up and the horizontal.
const UPWARDS: f64 = 0.5;

/// Translations that a part may need to slide out.
const SLIDES: usize = 4;

/// Places that a part may slide to.
const PLACES: usize = 96;

/// Questions about one part in a round.
const LOOK_BUDGET: u64 = 20_000;

/// Groups that are tried in a round.
const GROUPS: usize = 200;
