//! One search with two trees.

use super::tree::Tree;
use crate::path::random::Random;
use crate::path::slides::Slide;
use crate::path::space::{Probe, Space, bounds_or};
use crate::path::way::{self, Leg, TurnFirst, connection};
use freiraum_geometry::{AxisBox, Pose, Vec3};
use freiraum_motion::path::Axis;
use freiraum_scene::Travel;
use std::f64::consts::PI;

pub(super) struct Search<'s> {
    probe: Probe<'s>,
    random: Random,
    /// From the start and from the goal.
    trees: [Tree; 2],
    /// Promising directions on both sides.
    directions: [&'s [Vec3]; 2],
    /// Where poses are sought: everywhere, and between start and goal.
    regions: [AxisBox; 2],
    /// How far a branch reaches at most.
    step: f64,
    /// Which tree grows next.
    side: usize,
    found: Option<Vec<Leg>>,
}

/// Where the growth of a tree ended.
struct Grown {
    node: usize,
    /// Nothing was in the way.
    is_free: bool,
    has_arrived: bool,
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
        let near = grown(&ends, 2.0 * space.radius);
        let all = grown(&bounds_or(&space.obstacles, &ends).union(&ends), 2.0 * space.radius);
        let mut trees = [Tree::new(start, space), Tree::new(goal, space)];
        for (tree, places) in trees.iter_mut().zip(places) {
            for place in &places[1..] {
                tree.push(place.pose, place.parent, place.leg.iter().cloned().collect());
            }
        }
        Search {
            probe: Probe::new(space, u64::MAX),
            random: Random::new(seed),
            trees,
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
        while self.found.is_none() && self.probe.checks < until {
            self.round();
            self.side = 1 - self.side;
        }
    }

    fn round(&mut self) {
        let side = self.side;
        let grown = match self.random.below(10) {
            // Towards the other tree.
            0 => {
                let other = &self.trees[1 - side];
                let node = if self.random.below(2) == 0 { 0 } else { self.random.below(other.len()) };
                let target = *other.pose(node);
                self.grow(side, &target, None)
            }
            // Somewhere.
            1..=4 => {
                let target = self.anywhere();
                self.grow(side, &target, None)
            }
            // Around a pose that is reached already: what helps in narrow places.
            _ => self.around(side),
        };
        let Some(grown) = grown else { return };
        let target = *self.trees[side].pose(grown.node);
        let mut last = None;
        for _ in 0..CONNECTS {
            match self.grow(1 - side, &target, last) {
                Some(Grown { node, has_arrived: true, .. }) => return self.join(side, grown.node, node),
                Some(Grown { node, is_free: true, .. }) => last = Some(node),
                _ => return,
            }
        }
    }

    /// Both trees have met.
    fn join(&mut self, side: usize, node: usize, other: usize) {
        let nodes = if side == 0 { [node, other] } else { [other, node] };
        let mut legs = self.trees[0].way(nodes[0]);
        legs.extend(way::reversed(&self.trees[1].way(nodes[1])));
        self.found = Some(legs);
    }

    fn anywhere(&mut self) -> Pose {
        let region = self.regions[self.random.below(2)];
        let share = Vec3::new(self.random.unit(), self.random.unit(), self.random.unit());
        let middle = region.min + share * region.size();
        // Often the orientations of start and goal will do, or ones between them.
        let space = self.probe.space;
        let turn = match self.random.below(4) {
            0 => space.start.interpolated(&space.goal, self.random.unit()),
            1 => if self.random.below(2) == 0 { space.start } else { space.goal },
            _ => self.random.rotation(),
        };
        self.placed(&turn, middle)
    }

    /// The pose with the orientation of another whose middle of the group is at a point.
    fn placed(&self, turn: &Pose, middle: Vec3) -> Pose {
        let offset = turn.rotate(self.probe.space.center);
        Pose::new(turn.rotation(), middle - offset).unwrap_or(*turn)
    }

    /// A motion from a pose of the tree, of any size down to a small one.
    fn around(&mut self, side: usize) -> Option<Grown> {
        let count = self.trees[side].len();
        // New ones are at the front, old ones in narrow places.
        let node = if self.random.below(2) == 0 {
            self.random.below(count)
        } else {
            count - 1 - self.random.below(count.min(16))
        };
        let from = *self.trees[side].pose(node);
        let space = self.probe.space;
        let (radius, step) = (space.radius, self.step);
        let directions = self.directions[side];
        let hint = |random: &mut Random| {
            if directions.is_empty() || random.below(2) == 0 {
                random.direction()
            } else {
                directions[random.below(directions.len())]
            }
        };
        let legs = match self.random.below(3) {
            0 => {
                let by = hint(&mut self.random) * self.random.magnitude(step, OCTAVES);
                vec![Leg::new(from, Travel::Translate(by))]
            }
            1 => {
                let direction = hint(&mut self.random);
                let about = space.center + self.random.direction() * self.random.magnitude(2.0 * radius, 3.0);
                let point = if self.random.below(2) == 0 { space.center } else { about };
                let axis = Axis { point: from.transform_point(point), direction };
                let angle = self.random.magnitude(PI, OCTAVES);
                vec![Leg::new(from, Travel::Turn { axis, angle, advance: 0.0 })]
            }
            _ => {
                let size = self.random.magnitude(1.0, OCTAVES);
                let turn = Pose::from_axis_angle(self.random.direction(), PI * size * self.random.unit())?;
                let middle = from.transform_point(space.center) + self.random.direction() * size * step;
                let target = self.placed(&(turn * from), middle);
                return self.grow(side, &target, Some(node));
            }
        };
        self.follow(side, node, legs, false)
    }

    /// Grows a tree towards a pose, from a node or from the nearest.
    fn grow(&mut self, side: usize, target: &Pose, from: Option<usize>) -> Option<Grown> {
        let node = from.unwrap_or_else(|| self.trees[side].nearest(target));
        let pose = *self.trees[side].pose(node);
        let distance = self.probe.space.distance(&pose, target);
        let (target, is_whole) = if distance > self.step {
            let share = self.step / distance;
            let middles = [&pose, target].map(|pose| pose.transform_point(self.probe.space.center));
            let turn = pose.interpolated(target, share);
            (self.placed(&turn, middles[0].lerp(middles[1], share)), false)
        } else {
            (*target, true)
        };
        let order = if self.random.below(2) == 0 { TurnFirst::Yes } else { TurnFirst::No };
        let legs = connection(&pose, &target, self.probe.space.center, order);
        if legs.is_empty() {
            return is_whole.then_some(Grown { node, is_free: true, has_arrived: true });
        }
        self.follow(side, node, legs, is_whole)
    }

    /// Follows motions up to the first contact and adds where they end to the tree.
    fn follow(&mut self, side: usize, node: usize, legs: Vec<Leg>, is_whole: bool) -> Option<Grown> {
        let space = self.probe.space;
        let mut done: Vec<Leg> = Vec::with_capacity(legs.len());
        let mut is_free = true;
        for leg in legs {
            let share = self.probe.free_until(&leg);
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
        let Some(last) = done.last() else {
            self.trees[side].blame(node);
            return None;
        };
        if !is_free {
            self.trees[side].blame(node);
        }
        let node = self.trees[side].push(last.to, node, done);
        Some(Grown { node, is_free, has_arrived: is_free && is_whole })
    }
}

fn grown(bounds: &AxisBox, by: f64) -> AxisBox {
    AxisBox { min: bounds.min - by, max: bounds.max + by }
}

/// How often a tree grows on towards a new pose of the other.
const CONNECTS: usize = 12;

/// Motions around a known pose are at most so many times halved.
const OCTAVES: f64 = 8.0;

/// The share of a motion by which it ends before a contact.
const RETREAT: f64 = 1.0 / 16.0;

/// Motions shorter than this share of the radius of the group are none.
const LEAST: f64 = 1.0 / 1024.0;
