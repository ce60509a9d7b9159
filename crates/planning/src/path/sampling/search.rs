//! One search: parts of a graph that grow together.

use super::graph::Graph;
use crate::path::slides::Slide;
use crate::path::space::{Probe, Space, bounds_or};
use crate::path::way::{Leg, TurnFirst, connection};
use freiraum_geometry::math::random::Random;
use freiraum_geometry::math::unit;
use freiraum_geometry::path::Axis;
use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_scene::Travel;
use std::f64::consts::PI;

pub(super) struct Search<'s> {
    probe: Probe<'s>,
    random: Random,
    graph: Graph,
    /// The nodes of start and goal.
    ends: [usize; 2],
    /// Promising directions on both sides.
    directions: [&'s [Vec3]; 2],
    /// Where poses are sought: everywhere, and between start and goal.
    regions: [Aabb; 2],
    /// How far a branch reaches at most.
    step: f64,
    /// Which side grows next.
    side: usize,
    found: Option<Vec<Leg>>,
}

/// Where growth ended.
struct Grown {
    node: usize,
    /// Nothing was in the way.
    is_free: bool,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        space: &'s Space,
        places: &[Vec<Slide>; 2],
        directions: [&'s [Vec3]; 2],
        seed: u64,
    ) -> Search<'s> {
        let [start, goal] = [space.start, space.goal];
        let ends = space.box_at(&start).union(&space.box_at(&goal));
        let near = ends.inflated(2.0 * space.radius);
        let all = bounds_or(&space.obstacles, &ends).union(&ends).inflated(2.0 * space.radius);
        let mut graph = Graph::new(space);
        let ends = [(start, 0), (goal, 1)].map(|(pose, side)| {
            let root = graph.root(pose);
            let mut nodes = vec![root];
            for place in &places[side][1..] {
                let legs = place.leg.iter().cloned().collect();
                nodes.push(graph.branch(nodes[place.parent], legs));
            }
            root
        });
        Search {
            probe: Probe::new(space, u64::MAX),
            random: Random::new(seed),
            graph,
            ends,
            directions,
            regions: [all, near],
            step: (2.0 * space.radius).max(0.125 * space.size()),
            side: 0,
            found: None,
        }
    }

    pub(super) fn checks(&self) -> u64 {
        self.probe.checks
    }

    pub(super) fn take_found(&mut self) -> Option<Vec<Leg>> {
        self.found.take()
    }

    /// Goes on for so many checks, or until a way is found.
    pub(super) fn run(&mut self, checks: u64) {
        let until = self.probe.checks.saturating_add(checks);
        while self.found.is_none() && self.probe.checks < until && !self.probe.is_spent() {
            self.round();
            self.side = 1 - self.side;
            if self.graph.part(self.ends[0]) == self.graph.part(self.ends[1]) {
                self.found = Some(self.graph.way(self.ends[0], self.ends[1]));
            }
        }
    }

    fn round(&mut self) {
        let mut part = self.graph.part(self.ends[self.side]);
        let grown = match self.random.below(12) {
            // A part of its own where it is narrow.
            0 => self.bridge(),
            // Towards another part.
            1 => {
                let others: Vec<usize> = self.graph.parts().filter(|other| *other != part).collect();
                let other = others[self.random.below(others.len())];
                let members = self.graph.members(other);
                let node = if self.random.below(2) == 0 {
                    members[0]
                } else {
                    members[self.random.below(members.len())]
                };
                let target = *self.graph.pose(node);
                self.grow(part, &target, None)
            }
            // Somewhere.
            2..=5 => {
                let target = self.anywhere();
                self.grow(part, &target, None)
            }
            // Around a pose that is reached already: what helps in narrow places.
            kind => {
                if kind == 11 {
                    let all: Vec<usize> = self.graph.parts().collect();
                    part = all[self.random.below(all.len())];
                }
                self.around(part)
            }
        };
        let Some(grown) = grown else { return };
        self.meet(grown.node);
    }

    /// Lets other parts grow towards a new pose: that of the other end, and the nearest ones.
    fn meet(&mut self, node: usize) {
        let target = *self.graph.pose(node);
        let mine = self.graph.part(node);
        let mut others: Vec<(f64, usize)> = self
            .graph
            .parts()
            .filter(|part| *part != mine)
            .map(|part| (self.graph.nearest(part, &target).1, part))
            .collect();
        others.sort_by(|x, y| x.0.total_cmp(&y.0));
        let ends = self.ends.map(|end| self.graph.part(end));
        let near = others.iter().take(NEIGHBOURS).map(|(_, part)| *part);
        let mut wanted: Vec<usize> = near.chain(ends).filter(|part| *part != mine).collect();
        wanted.sort_unstable();
        wanted.dedup();
        for part in wanted {
            // Joined with another in the meantime.
            if self.graph.members(part).is_empty() || self.graph.part(node) == part {
                continue;
            }
            let mut last = None;
            for _ in 0..CONNECTS {
                let from = last.unwrap_or_else(|| self.graph.nearest(part, &target).0);
                let pose = *self.graph.pose(from);
                if self.probe.space.distance(&pose, &target) <= self.step {
                    self.try_to_join(from, node);
                    break;
                }
                match self.grow(part, &target, Some(from)) {
                    Some(Grown { node, is_free: true }) => last = Some(node),
                    _ => break,
                }
            }
        }
    }

    /// Connects two nodes if a turn and a translation do.
    fn try_to_join(&mut self, from: usize, to: usize) {
        let order = self.order();
        let [a, b] = [*self.graph.pose(from), *self.graph.pose(to)];
        let legs = connection(&a, &b, self.probe.space.center, order);
        if self.probe.are_free(&legs) {
            self.graph.connect(from, to, legs);
        } else {
            self.graph.blame(from);
        }
    }

    fn order(&mut self) -> TurnFirst {
        if self.random.below(2) == 0 { TurnFirst::Yes } else { TurnFirst::No }
    }

    /// A pose in the middle of a narrow place, as a part of its own: a free stretch of a line with obstacles before and behind it,
    /// the middle of that, the same across, and from there both ways.
    fn bridge(&mut self) -> Option<Grown> {
        if self.graph.parts().count() > ISLANDS {
            return None;
        }
        let turn = if self.random.below(2) == 0 {
            let part = self.graph.part(self.ends[self.side]);
            let members = self.graph.members(part);
            *self.graph.pose(members[self.random.below(members.len())])
        } else {
            self.anywhere()
        };
        let place = self.anywhere().transform_point(self.probe.space.center);
        let first = self.hint();
        let (middle, width) = self.narrow(&self.placed(&turn, place), first)?;
        let (u, v) = first.any_orthonormal_pair();
        let angle = self.random.range(0.0, PI);
        let across =
            unit(self.hint().reject_from_normalized(first)).unwrap_or(angle.cos() * u + angle.sin() * v);
        let (middle, other) = self.narrow_at(&middle, across).unwrap_or((middle, f64::INFINITY));
        if width.min(other) > 2.0 * self.probe.space.radius {
            return None;
        }
        if !self.probe.is_free_at(&middle) {
            return None;
        }
        let root = self.graph.root(middle);
        let along = first.cross(across);
        for direction in [along, -along] {
            let by = direction * self.step;
            self.follow(root, vec![Leg::new(middle, Travel::Translate(by))]);
        }
        Some(Grown { node: root, is_free: true })
    }

    /// The middle of the narrowest free stretch of a line through a pose that has obstacles on both sides, and its width.
    fn narrow(&mut self, through: &Pose, direction: Vec3) -> Option<(Pose, f64)> {
        let (from, by, free) = self.line(through, direction);
        let inner = free.iter().filter(|[a, b]| *a > 0.0 && *b < 1.0);
        let [a, b] = *inner.min_by(|x, y| (x[1] - x[0]).total_cmp(&(y[1] - y[0])))?;
        Some((Leg::new(from, Travel::Translate(0.5 * (a + b) * by)).to, (b - a) * by.length()))
    }

    /// The middle of the free stretch of a line that holds a pose, if there are obstacles on both sides, and its width.
    fn narrow_at(&mut self, through: &Pose, direction: Vec3) -> Option<(Pose, f64)> {
        let (from, by, free) = self.line(through, direction);
        let [a, b] = *free.iter().find(|[a, b]| *a < 0.5 && 0.5 < *b && *a > 0.0 && *b < 1.0)?;
        Some((Leg::new(from, Travel::Translate(0.5 * (a + b) * by)).to, (b - a) * by.length()))
    }

    /// A line through a pose, and its free stretches.
    fn line(&mut self, through: &Pose, direction: Vec3) -> (Pose, Vec3, Vec<[f64; 2]>) {
        let half = 2.0 * self.step * direction;
        let from = Leg::new(*through, Travel::Translate(-half)).to;
        let by = 2.0 * half;
        let free = self.probe.free_stretches(&from, by);
        (from, by, free)
    }

    /// A promising direction, or any.
    fn hint(&mut self) -> Vec3 {
        let directions = self.directions[self.side];
        if directions.is_empty() || self.random.below(2) == 0 {
            self.random.direction()
        } else {
            directions[self.random.below(directions.len())]
        }
    }

    fn anywhere(&mut self) -> Pose {
        let region = self.regions[self.random.below(2)];
        let share = Vec3::new(self.random.unit(), self.random.unit(), self.random.unit());
        let middle = region.min + share * region.size();
        // Often the orientations of start and goal will do, or ones between them.
        let space = self.probe.space;
        let turn = match self.random.below(4) {
            0 => space.start.interpolated(&space.goal, self.random.unit()),
            1 => {
                if self.random.below(2) == 0 {
                    space.start
                } else {
                    space.goal
                }
            }
            _ => self.random.rotation(),
        };
        self.placed(&turn, middle)
    }

    /// The pose with the orientation of another whose middle of the group is at a point.
    fn placed(&self, turn: &Pose, middle: Vec3) -> Pose {
        let offset = turn.rotate(self.probe.space.center);
        Pose::new(turn.rotation(), middle - offset).unwrap_or(*turn)
    }

    /// A motion from a pose of a part, of any size down to a small one.
    fn around(&mut self, part: usize) -> Option<Grown> {
        let members = self.graph.members(part);
        let count = members.len();
        // New ones are at the front, old ones in narrow places.
        let number = if self.random.below(2) == 0 {
            self.random.below(count)
        } else {
            count - 1 - self.random.below(count.min(16))
        };
        let node = members[number];
        let from = *self.graph.pose(node);
        let space = self.probe.space;
        let leg = match self.random.below(3) {
            0 => {
                let by = self.hint() * self.random.magnitude(self.step, OCTAVES);
                Leg::new(from, Travel::Translate(by))
            }
            1 => {
                let direction = self.hint();
                let about = self.random.direction() * self.random.magnitude(2.0 * space.radius, 3.0);
                let point = if self.random.below(2) == 0 { space.center } else { space.center + about };
                let axis = Axis { point: from.transform_point(point), direction };
                let angle = self.random.magnitude(PI, OCTAVES);
                Leg::new(from, Travel::Turn { axis, angle, advance: 0.0 })
            }
            _ => {
                let size = self.random.magnitude(1.0, OCTAVES);
                let turn = Pose::from_axis_angle(self.random.direction(), PI * size * self.random.unit())?;
                let middle = from.transform_point(space.center) + self.random.direction() * size * self.step;
                let target = self.placed(&(turn * from), middle);
                return self.grow(part, &target, Some(node));
            }
        };
        self.follow(node, vec![leg])
    }

    /// Grows a part towards a pose, from a node or from the nearest, by a step at most.
    fn grow(&mut self, part: usize, target: &Pose, from: Option<usize>) -> Option<Grown> {
        let node = from.unwrap_or_else(|| self.graph.nearest(part, target).0);
        let pose = *self.graph.pose(node);
        let distance = self.probe.space.distance(&pose, target);
        let mut target = *target;
        if distance > self.step {
            let share = self.step / distance;
            let middles = [&pose, &target].map(|pose| pose.transform_point(self.probe.space.center));
            let turn = pose.interpolated(&target, share);
            target = self.placed(&turn, middles[0].lerp(middles[1], share));
        }
        let order = self.order();
        let legs = connection(&pose, &target, self.probe.space.center, order);
        self.follow(node, legs)
    }

    /// Follows motions up to the first contact and adds where they end.
    fn follow(&mut self, node: usize, legs: Vec<Leg>) -> Option<Grown> {
        let space = self.probe.space;
        let mut done: Vec<Leg> = Vec::with_capacity(legs.len());
        let mut is_free = true;
        for leg in legs {
            let share = self.probe.free_until(&leg, 0.0).0;
            if share >= 1.0 {
                done.push(leg);
                continue;
            }
            is_free = false;
            // Back from the contact a little: what rubs cannot turn.
            let share = share * (1.0 - RETREAT);
            if share * leg.length(space.center, space.weight()) > LEAST * space.radius {
                done.push(leg.part(share));
            }
            break;
        }
        if !is_free {
            self.graph.blame(node);
        }
        if done.is_empty() {
            return None;
        }
        let node = self.graph.branch(node, done);
        Some(Grown { node, is_free })
    }
}

/// How many steps a part grows towards a new pose of another.
const CONNECTS: usize = 12;

/// Parts near a new pose that try to reach it.
const NEIGHBOURS: usize = 1;

/// Parts at most.
const ISLANDS: usize = 24;

/// Motions around a known pose are at most so many times halved.
const OCTAVES: f64 = 8.0;

/// The share of a motion by which it ends before a contact.
const RETREAT: f64 = 1.0 / 16.0;

/// Motions shorter than this share of the radius of the group are none.
const LEAST: f64 = 1.0 / 1024.0;
