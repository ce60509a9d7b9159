//! Who can leave, and how.

use super::memory::Memory;
use super::{DisassembleOptions, Told, Unit, round};
use crate::path::directions::directions;
use crate::path::slides::{Wanted, slides, way_to};
use crate::path::space::{Blocked, Probe, Space, bounds_of};
use crate::path::way::Leg;
use crate::path::{FindOptions, Outcome, Task, Terms, find_with, task};
use freiraum_assets::ShapeCache;
use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_motion::CancelToken;
use freiraum_scene::{PlannerChoice, Problem, Scene, Travel};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) struct Search<'s> {
    scene: &'s Scene,
    parts: &'s ShapeCache,
    options: &'s DisassembleOptions,
    memory: Memory,
    checks: AtomicU64,
    cancel: &'s CancelToken,
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

impl<'s> Search<'s> {
    pub(super) fn new(
        scene: &'s Scene,
        parts: &'s ShapeCache,
        options: &'s DisassembleOptions,
        cancel: &'s CancelToken,
        progress: &'s Told<'s>,
    ) -> Search<'s> {
        let (memory, checks) = (Memory::default(), AtomicU64::new(0));
        Search { scene, parts, options, memory, checks, cancel, progress, is_stopped: false }
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
        let mut base = self.base(bodies);
        let (mut units, mut round) = (Vec::new(), 0);
        let total = bodies.iter().filter(|body| self.is_free_to_go(**body, &base)).count();
        loop {
            let left: Vec<usize> =
                there.iter().copied().filter(|body| self.is_free_to_go(*body, &base)).collect();
            let flow = (self.progress)(total - left.len().min(total), total, None);
            if flow.is_break() || self.cancel.is_cancelled() {
                self.is_stopped = true;
            }
            if left.is_empty() || self.is_stopped {
                return Ok((units, left));
            }
            let mut gone = self.round(&left, &there, poses, round, total)?;
            if gone.is_empty() && base.len() > 1 {
                // What stays is a group of the scene: only its largest body has to.
                base.truncate(1);
                continue;
            }
            if gone.is_empty() {
                return Ok((units, left));
            }
            there.retain(|body| !gone.iter().any(|unit| unit.bodies.contains(body)));
            units.append(&mut gone);
            round += 1;
        }
    }

    /// What leaves next: by translations, groups of the scene as one before their bodies; then several that touch each other; then by a planner.
    fn round(
        &mut self,
        left: &[usize],
        there: &[usize],
        poses: &[Pose],
        round: usize,
        total: usize,
    ) -> Result<Vec<Unit>, Problem> {
        let mut tried: Vec<Tried> = Vec::new();
        for pieces in self.levels(left) {
            let new: Vec<Vec<usize>> =
                pieces.into_iter().filter(|piece| tried.iter().all(|one| one.bodies != *piece)).collect();
            let space = |piece: &Vec<usize>| Room::of(self, piece, there, poses);
            let rooms = new.par_iter().map(space).collect::<Result<Vec<Room>, Problem>>()?;
            for effort in [Effort::Upwards, Effort::OneTranslation, Effort::Slides] {
                let looks: Vec<Option<Vec<Leg>>> =
                    rooms.par_iter().map(|room| self.look(room, effort)).collect();
                let gone: Vec<Unit> = looks
                    .into_iter()
                    .zip(&new)
                    .filter_map(|(legs, bodies)| Some(Unit::new(bodies.clone(), legs?, round)))
                    .collect();
                if !gone.is_empty() {
                    return Ok(gone);
                }
            }
            tried.extend(
                new.into_iter().zip(&rooms).map(|(bodies, room)| Tried { bodies, touched: room.touched() }),
            );
        }
        if let Some(unit) = self.group(left, there, poses, &tried, round)? {
            return Ok(vec![unit]);
        }
        let pieces: Vec<Vec<usize>> = tried.into_iter().map(|one| one.bodies).collect();
        Ok(self.by_planner(&pieces, left.len(), there, poses, round, total)?.into_iter().collect())
    }

    /// What may leave as one, from the groups of the scene to single bodies: of groups that share bodies the larger ones first.
    fn levels(&self, left: &[usize]) -> Vec<Vec<Vec<usize>>> {
        let mut groups = self.groups(left);
        let mut levels = Vec::new();
        loop {
            let mut taken: Vec<usize> = Vec::new();
            let mut pieces: Vec<Vec<usize>> = Vec::new();
            groups.retain(|group| {
                let is_whole = !group.iter().any(|body| taken.contains(body));
                if is_whole {
                    taken.extend(group);
                    pieces.push(group.clone());
                }
                !is_whole
            });
            let is_last = pieces.is_empty();
            pieces.extend(left.iter().filter(|body| !taken.contains(body)).map(|body| vec![*body]));
            pieces.sort_by_key(|piece| piece.iter().copied().min());
            levels.push(pieces);
            if is_last {
                return levels;
            }
        }
    }

    /// The groups of the scene of which all bodies are among these, the largest first.
    fn groups(&self, bodies: &[usize]) -> Vec<Vec<usize>> {
        if self.options.split_groups {
            return Vec::new();
        }
        let members = self.scene.groups.iter().map(|group| &group.members);
        let mut groups: Vec<Vec<usize>> = members
            .filter(|members| members.len() > 1 && members.iter().all(|body| bodies.contains(body)))
            .cloned()
            .collect();
        groups.sort_by_key(|members| std::cmp::Reverse(members.len()));
        groups
    }

    /// What stays if nothing is fixed: the largest body, that first, and what is in a group with it.
    fn base(&self, bodies: &[usize]) -> Vec<usize> {
        if bodies.iter().any(|body| self.scene.bodies[*body].is_fixed) {
            return Vec::new();
        }
        let size = |body: usize| {
            let bounds = self.parts.movable(body).ok().and_then(|body| body.prepared().bounds());
            bounds.map_or(f64::INFINITY, |bounds| bounds.size().length())
        };
        let largest = bodies.iter().copied().max_by(|a, b| size(*a).total_cmp(&size(*b)).then(b.cmp(a)));
        let Some(largest) = largest else { return Vec::new() };
        let mut base = vec![largest];
        let group = self.groups(bodies).into_iter().find(|g| g.len() < bodies.len() && g.contains(&largest));
        base.extend(group.into_iter().flatten().filter(|body| *body != largest));
        base
    }

    fn is_free_to_go(&self, body: usize, base: &[usize]) -> bool {
        !self.scene.bodies[body].is_fixed && !base.contains(&body)
    }

    fn problem(&self, body: usize, error: &dyn std::fmt::Display) -> Problem {
        Problem::new(self.scene.bodies[body].place, error.to_string())
    }

    fn space(&self, moving: &[usize], others: &[usize], poses: &[Pose]) -> Result<(Task, Space), Problem> {
        let task = task(self.scene, self.parts, poses, moving, others, &poses[moving[0]])?;
        let space =
            Space::new(&task, self.parts.erosion(), self.cancel).map_err(|e| self.problem(moving[0], &e))?;
        Ok((task, space))
    }

    fn bounds(&self, bodies: &[usize], poses: &[Pose]) -> Aabb {
        let boxes =
            bodies.iter().filter_map(|body| bounds_of(self.parts.movable(*body).ok()?, &poses[*body]));
        boxes.fold(Aabb::EMPTY, |all, next| all.union(&next))
    }

    fn has_end(&self, body: usize) -> bool {
        self.parts.movable(body).is_ok_and(|movable| movable.prepared().bounds().is_some())
    }

    /// How bodies can leave what is there by translations.
    fn look(&self, room: &Room, effort: Effort) -> Option<Vec<Leg>> {
        let unit = self.scene.units;
        let mut probe = Probe::new(&room.space, LOOK_BUDGET);
        let legs = match effort {
            Effort::Upwards | Effort::OneTranslation => {
                let is_wanted = |direction: &&Vec3| effort != Effort::Upwards || direction.z > UPWARDS;
                let mut ways: Vec<(Vec3, f64)> = room
                    .directions
                    .iter()
                    .filter(is_wanted)
                    .map(|direction| (*direction, room.way_out(*direction)))
                    .collect();
                // The shortest way out first; of equal ones the first.
                ways.sort_by(|x, y| x.1.total_cmp(&y.1));
                let leg = |by: Vec3| Leg::new(room.space.start, Travel::Translate(by));
                let mut free = |(direction, length): (Vec3, f64)| {
                    if self.memory.is_blocked(&room.bodies, direction, &room.others) {
                        return None;
                    }
                    let exact = leg(length * direction);
                    match probe.free_or_blocked(&exact) {
                        Ok(()) => {}
                        Err(Blocked::By(obstacle)) => {
                            let by = room.others[obstacle];
                            // What has no end may be passed by a shorter way.
                            if self.has_end(by) {
                                self.memory.blocked(&room.bodies, direction, by);
                            }
                            return None;
                        }
                        Err(Blocked::Unknown) => return None,
                    }
                    let round = leg(round::up(length, unit) * direction);
                    Some(vec![if probe.is_free(&round) { round } else { exact }])
                };
                ways.into_iter().find_map(&mut free)
            }
            Effort::Slides if self.memory.is_held(&room.bodies, &room.others) => None,
            Effort::Slides => {
                let reach = room.own.union(&room.rest).size().length() * (1.0 + OUT);
                // A group of the scene may be split instead, and has many pairs to look at.
                let is_group = room.task.moving.len() > 1;
                let (depth, most, ways) = if is_group { GROUP_SLIDES } else { (SLIDES, PLACES, usize::MAX) };
                let directions = &room.directions[..room.directions.len().min(ways)];
                let start = &room.space.start;
                let places = slides(&mut probe, start, directions, reach, depth, most, Wanted::WayOut);
                let found = places.iter().position(|place| place.is_out).map(|place| way_to(&places, place));
                if found.is_none() {
                    let holders = probe.ended_by.iter().map(|obstacle| room.others[*obstacle]).collect();
                    self.memory.held(&room.bodies, holders);
                }
                found.map(|legs| round::way(&mut probe, room.shortened(legs), unit))
            }
        };
        self.checks.fetch_add(probe.checks, Ordering::Relaxed);
        legs
    }

    /// Parts that touch each other and leave together.
    fn group(
        &mut self,
        left: &[usize],
        there: &[usize],
        poses: &[Pose],
        tried: &[Tried],
        round: usize,
    ) -> Result<Option<Unit>, Problem> {
        let mut groups: Vec<Vec<usize>> = tried.iter().map(|one| one.bodies.clone()).collect();
        let (mut from, mut count) = (0, 0);
        while from < groups.len() && count < GROUPS {
            let group = groups[from].clone();
            from += 1;
            // Everything that can go, without something that stays, would be no group but all.
            if group.len() + 1 >= there.len() {
                continue;
            }
            let neighbours = tried
                .iter()
                .filter(|one| one.bodies.iter().all(|body| group.contains(body)))
                .flat_map(|one| &one.touched);
            for next in neighbours {
                if !left.contains(next) || group.contains(next) {
                    continue;
                }
                // With all that it belongs to.
                let whole = tried.iter().find(|one| one.bodies.contains(next));
                let mut larger = group.clone();
                larger.extend(whole.map_or(&[*next][..], |one| &one.bodies[..]));
                larger.sort_unstable();
                larger.dedup();
                if groups.contains(&larger) || larger.len() >= there.len() {
                    continue;
                }
                count += 1;
                let room = Room::of(self, &larger, there, poses)?;
                if let Some(legs) = self.look(&room, Effort::OneTranslation) {
                    let (inner, stuck) = self.take_apart(&larger, poses)?;
                    // Of no use if it cannot be taken apart itself.
                    if stuck.is_empty() {
                        return Ok(Some(Unit { inner, ..Unit::new(larger, legs, round) }));
                    }
                }
                groups.push(larger);
            }
        }
        Ok(None)
    }

    /// The first of some pieces for which the planner with turns finds a way out.
    fn by_planner(
        &mut self,
        pieces: &[Vec<usize>],
        left: usize,
        there: &[usize],
        poses: &[Pose],
        round: usize,
        total: usize,
    ) -> Result<Option<Unit>, Problem> {
        // A little for each, before one gets all.
        for share in [16, 1] {
            for bodies in pieces {
                let room = Room::of(self, bodies, there, poses)?;
                // Out in the first direction that ends at a free place: not in what has no end.
                let start = room.space.start;
                let out = |direction: &Vec3| {
                    Leg::new(start, Travel::Translate(room.way_out(*direction) * *direction)).to
                };
                let mut probe = Probe::new(&room.space, u64::MAX);
                let goal = room.directions.iter().map(out).find(|goal| probe.is_free_at(goal));
                let Some(goal) = goal else { continue };
                let task = Task { goal, ..room.task.clone() };
                let find = self.options.find;
                let options = FindOptions { budget: find.budget / share, ..find };
                let progress = self.progress;
                let stopped = &mut self.is_stopped;
                let name_of = |obstacle: usize| self.scene.bodies[room.others[obstacle]].name.clone();
                let told = Terms { name_of: &name_of, units: self.scene.units };
                let found =
                    find_with(&task, &options, self.parts.erosion(), &told, self.cancel, &mut |now| {
                        let flow = progress(total - left.min(total), total, Some(now));
                        *stopped |= flow.is_break();
                        flow
                    })
                    .map_err(|e| Problem::new(self.scene.bodies[bodies[0]].place, e.to_string()))?;
                self.checks.fetch_add(found.checks, Ordering::Relaxed);
                if let Outcome::Path(travels) = found.outcome {
                    let mut legs: Vec<Leg> = Vec::new();
                    for travel in travels {
                        let from = legs.last().map_or(task.start, |leg| leg.to);
                        legs.push(Leg::new(from, travel));
                    }
                    let planner = found.planner.or(Some(PlannerChoice::Detours));
                    return Ok(Some(Unit { planner, ..Unit::new(bodies.clone(), legs, round) }));
                }
                if self.is_stopped {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    /// Which bodies one runs into that does not get out, in any of the directions that were tried; those first that are in the way most often.
    pub(super) fn holders(
        &self,
        body: usize,
        there: &[usize],
        poses: &[Pose],
    ) -> Result<Vec<usize>, Problem> {
        let room = Room::of(self, &[body], there, poses)?;
        let mut probe = Probe::new(&room.space, LOOK_BUDGET);
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for direction in &room.directions {
            let by = room.way_out(*direction) * *direction;
            if let Some(obstacle) = probe.first_blocker(&Leg::new(room.space.start, Travel::Translate(by))) {
                *counts.entry(room.others[obstacle]).or_default() += 1;
            }
        }
        let mut holders: Vec<(usize, usize)> = counts.into_iter().collect();
        holders.sort_by_key(|(body, count)| (std::cmp::Reverse(*count), *body));
        Ok(holders.into_iter().map(|(body, _)| body).collect())
    }
}

/// Bodies that were tried to leave as one.
struct Tried {
    bodies: Vec<usize>,
    /// What they touch.
    touched: Vec<usize>,
}

/// What some bodies have around them.
struct Room {
    task: Task,
    space: Space,
    bodies: Vec<usize>,
    /// What is there beside them.
    others: Vec<usize>,
    directions: Vec<Vec3>,
    /// Around them, and around the others.
    own: Aabb,
    rest: Aabb,
}

impl Room {
    fn of(search: &Search, bodies: &[usize], there: &[usize], poses: &[Pose]) -> Result<Room, Problem> {
        let others: Vec<usize> = there.iter().copied().filter(|body| !bodies.contains(body)).collect();
        let (task, space) = search.space(bodies, &others, poses)?;
        let fits: Vec<[usize; 2]> = space.fits().collect();
        let found = directions(&task, &task.start, &fits, search.cancel);
        let found = found.map_err(|error| search.problem(bodies[0], &error))?;
        let directions = found.into_iter().map(round::cleaned).collect();
        let (own, rest) = (search.bounds(bodies, poses), search.bounds(&others, poses));
        Ok(Room { task, space, bodies: bodies.to_vec(), others, directions, own, rest })
    }

    /// The bodies that are touched.
    fn touched(&self) -> Vec<usize> {
        self.space.fits().map(|[_, obstacle]| self.others[obstacle]).collect()
    }

    /// How far they have to go in a direction to be out.
    fn way_out(&self, direction: Vec3) -> f64 {
        way_out(&self.own, &self.rest, direction) + OUT * self.space.radius
    }

    /// A way out of translations, the last of which goes no farther than it must.
    fn shortened(&self, mut legs: Vec<Leg>) -> Vec<Leg> {
        if let Some(Leg { from, travel: Travel::Translate(by), .. }) = legs.pop() {
            let moved = from.translation() - self.space.start.translation();
            let own = Aabb { min: self.own.min + moved, max: self.own.max + moved };
            let direction = by.try_normalize().unwrap_or(Vec3::Z);
            let needed = way_out(&own, &self.rest, direction) + OUT * self.space.radius;
            legs.push(Leg::new(from, Travel::Translate(needed.min(by.length()) * direction)));
        }
        legs
    }
}

/// How far a box has to go in a direction to be beside another one.
pub(super) fn way_out(own: &Aabb, rest: &Aabb, direction: Vec3) -> f64 {
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

/// Both for a group, and how many directions, the most promising ones.
const GROUP_SLIDES: (usize, usize, usize) = (2, 12, 12);

/// Questions about one part in a round.
const LOOK_BUDGET: u64 = 20_000;

/// Groups that are tried in a round.
const GROUPS: usize = 200;
