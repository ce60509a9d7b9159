//! Where the robot is free, and how far from there.
//!
//! Let the robot stand at some joint values, and let joint k turn by up to δ(k). A point at the distance r(k) from the axis of joint k, as the robot stands, then gets no farther away from where it is than the sum of δ(k) r(k):
//! going from the tip to the base, each turn takes it from where it would be without it by no more than the angle times the distance from the axis that it has *as the robot stands*, and what the joints before the tip did is only
//! carried along. The bound is linear in the angles, so the largest free step on a line of joint values is a quotient. Between two links only the joints between them count.

use super::bodies::{Block, Piece, blocks, distance_of_pieces, pieces};
use super::retreat::least_squares;
use super::{Fault, JointTask};
use freiraum_geometry::math::rounding;
use freiraum_geometry::tolerance::{ROUND_DEPTH_RELATIVE, ROUND_TOUCH_RELATIVE};
use freiraum_geometry::{Pose, Vec3};
use freiraum_robot::{Jacobian, JointKind, Limits, Robot};
use std::f64::consts::PI;

/// A task with all that is needed to look at joint values quickly.
pub(super) struct Space<'s> {
    pub(super) robot: &'s Robot,
    base: Pose,
    pub(super) limits: Vec<Limits>,
    /// Which freedoms keep their values.
    pub(super) kept: Vec<bool>,
    /// How much each freedom counts in distances of joint values.
    pub(super) scales: Vec<f64>,
    groups: Vec<Group>,
    blocks: Vec<Block>,
    /// For every group those blocks that it is looked at with, and how far it has to stay from them, with what rounding may hide.
    near: Vec<Vec<(usize, Room)>>,
    pairs: Vec<Pair>,
    /// The joints that can move.
    joints: Vec<Mover>,
    /// Some parts touch something at the start or at the goal, and were made smaller.
    pub(super) has_fits: bool,
}

/// A joint that can move.
struct Mover {
    link: usize,
    axis: Vec3,
    turns: bool,
    freedom: usize,
    factor: f64,
}

/// A part of the robot.
struct Group {
    link: usize,
    /// Of a ball that holds all of it, in the frame of the link.
    center: Vec3,
    radius: f64,
    pieces: Vec<Piece>,
    /// The joints that move it, from the tip to the base.
    chain: Vec<usize>,
}

/// Two parts that must not touch.
struct Pair {
    groups: [usize; 2],
    /// How many joints at the tips of their chains move them against each other.
    counts: [usize; 2],
    room: Room,
}

/// How far two bodies have to stay from each other.
#[derive(Clone, Copy)]
struct Room {
    /// The required distance, in metres.
    clearance: f64,
    /// What rounding may hide, in metres.
    slack: f64,
}

impl Room {
    /// Bodies that are farther apart than this keep the clearance for certain.
    fn kept(&self) -> f64 {
        self.clearance + self.slack
    }

    /// True if bodies at this distance, which is at most [`Room::kept`], are too near for certain; otherwise
    /// rounding decides. The distance of surfaces that meet is 0, however deep they are.
    fn is_violated(&self, distance: f64) -> bool {
        distance == 0.0 || distance < self.clearance - self.slack
    }
}

/// What is used again for every look.
#[derive(Default)]
pub(super) struct Memory {
    links: Vec<Pose>,
    /// Direction and a point, in the world.
    axes: Vec<(Vec3, Vec3)>,
    /// How much each joint moves on the line at hand.
    weights: Vec<f64>,
    /// Centres of the balls of the groups.
    centers: Vec<Vec3>,
    pub(super) values: Vec<f64>,
    pub(super) looks: u64,
}

/// A part of the robot has no end, so it cannot be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("part {0} of the robot is a half space, which nothing can move")]
pub struct EndlessPart(pub usize);

impl<'s> Space<'s> {
    pub(super) fn new(task: &JointTask<'s>) -> Result<Space<'s>, EndlessPart> {
        let robot = task.robot;
        let is_kept = |freedom: usize| {
            let ends = std::iter::once(&task.start).chain(&task.goals);
            let is_point = |range: &Limits| range.lower == range.upper;
            task.ranges.get(freedom).is_some_and(is_point) && { ends }
                .all(|values| values[freedom] == task.start[freedom])
        };
        let kept: Vec<bool> = (0..robot.freedoms().len()).map(is_kept).collect();
        let mut joints = Vec::new();
        let mut mover_of = vec![None; robot.joints().len()];
        for (number, joint) in robot.joints().iter().enumerate() {
            if let Some((freedom, factor)) = robot.rate(number)
                && !kept[freedom]
            {
                mover_of[number] = Some(joints.len());
                let turns = joint.kind != JointKind::Prismatic;
                joints.push(Mover { link: joint.child, axis: joint.axis, turns, freedom, factor });
            }
        }
        let chain = |link: usize| -> Vec<usize> {
            robot.way_to(link).iter().rev().filter_map(|joint| mover_of[*joint]).collect()
        };
        let mut groups = Vec::new();
        for (number, part) in task.parts.iter().enumerate() {
            let mut found = Vec::new();
            if !pieces(&part.body, &part.link_from_part, &mut found) {
                return Err(EndlessPart(number));
            }
            let (center, radius) = around(&found);
            groups.push(Group { link: part.link, center, radius, pieces: found, chain: chain(part.link) });
        }
        let mut all = Vec::new();
        for (number, obstacle) in task.obstacles.iter().enumerate() {
            blocks(number, &obstacle.body, &obstacle.world_from_body, &mut all);
        }
        let reach = reach(robot, &task.base, &groups);
        let near = task.clearances.iter().zip(&groups).map(|(rules, group)| {
            // What no joint moves stands where it stands.
            let rule = |(block, one): (usize, &Block)| {
                let clearance = rules[one.obstacle].filter(|_| !group.chain.is_empty())?;
                let is_round = one.is_round() || group.pieces.iter().any(Piece::is_round);
                Some((block, Room { clearance, slack: slack(is_round, reach + one.reach() + drawn(group)) }))
            };
            all.iter().enumerate().filter_map(rule).collect()
        });
        let near = near.collect();
        let pairs = task.own_pairs.iter().map(|pair| {
            let links = pair.parts.map(|part| groups[part].link);
            let shared = chain(robot.meeting_link(links[0], links[1])).len();
            let counts = pair.parts.map(|part: usize| groups[part].chain.len() - shared);
            let is_round = pair.parts.iter().any(|part| groups[*part].pieces.iter().any(Piece::is_round));
            let far: f64 = pair.parts.iter().map(|part| drawn(&groups[*part])).sum();
            let room = Room { clearance: pair.clearance, slack: slack(is_round, 2.0 * reach + far) };
            Pair { groups: pair.parts, counts, room }
        });
        // What no joint moves against each other stays as it is.
        let pairs = pairs.filter(|pair| pair.counts != [0, 0]).collect();
        let limits = (0..robot.freedoms().len()).map(|freedom| {
            // Without limits: one turn about the start, or what the robot reaches.
            let (range, start) = (robot.range(freedom), task.start[freedom]);
            let turns = robot.joints()[robot.freedoms()[freedom]].kind.turns();
            let free = if turns { PI } else { reach };
            let pick = |x: f64, else_: f64| if x.is_finite() { x } else { else_ };
            let limits =
                Limits { lower: pick(range.lower, start - free), upper: pick(range.upper, start + free) };
            let narrower = |asked: &Limits| Limits {
                lower: limits.lower.max(asked.lower),
                upper: limits.upper.min(asked.upper),
            };
            task.ranges.get(freedom).map_or(limits, narrower)
        });
        let limits: Vec<Limits> = limits.collect();
        let scales = scales(&limits);
        let has_fits = task.has_fits;
        Ok(Space {
            robot,
            base: task.base,
            limits,
            kept,
            scales,
            groups,
            blocks: all,
            near,
            pairs,
            joints,
            has_fits,
        })
    }

    /// How much of a line the robot is free on, to both sides of joint values: so that all is free to `±share * along`, at most `most`. At most 0 if it touches something, or is too near.
    ///
    /// `memory.values` are the joint values.
    pub(super) fn free_share(&self, memory: &mut Memory, along: &[f64], most: f64) -> f64 {
        self.place(memory, along);
        let mut free = most;
        for number in (0..self.groups.len()).rev() {
            free = self.past_obstacles(memory, number, free);
            if free <= 0.0 {
                return 0.0;
            }
        }
        for pair in &self.pairs {
            free = self.past_itself(memory, pair, free);
            if free <= 0.0 {
                return 0.0;
            }
        }
        free
    }

    fn place(&self, memory: &mut Memory, along: &[f64]) {
        memory.looks += 1;
        self.robot.place_into(&self.base, &memory.values, &mut memory.links);
        memory.axes.clear();
        memory.weights.clear();
        memory.centers.clear();
        for joint in &self.joints {
            let link = &memory.links[joint.link];
            memory.axes.push((link.rotate(joint.axis), link.translation()));
            memory.weights.push((joint.factor * along[joint.freedom]).abs() * ENOUGH);
        }
        let center = |group: &Group| memory.links[group.link].transform_point(group.center);
        memory.centers.extend(self.groups.iter().map(center));
    }

    /// How far any point of a ball moves at most on the whole line.
    fn travel(&self, memory: &Memory, chain: &[usize], center: Vec3, radius: f64) -> f64 {
        let mut sum = 0.0;
        for &number in chain {
            let weight = memory.weights[number];
            if weight == 0.0 {
                continue;
            }
            if self.joints[number].turns {
                let (direction, point) = memory.axes[number];
                sum += weight * (direction.cross(center - point).length() + radius);
            } else {
                sum += weight;
            }
        }
        sum
    }

    fn past_obstacles(&self, memory: &Memory, number: usize, mut free: f64) -> f64 {
        let (group, center) = (&self.groups[number], memory.centers[number]);
        let link = &memory.links[group.link];
        let travel = self.travel(memory, &group.chain, center, group.radius);
        for (block, room) in &self.near[number] {
            let (block, kept) = (&self.blocks[*block], room.kept());
            if block.gap(center) - group.radius - kept > travel * free {
                continue;
            }
            for piece in &group.pieces {
                let center = link.transform_point(piece.center);
                let gap = block.gap(center) - piece.radius;
                // No piece moves farther than all of them.
                if gap - kept > travel * free {
                    continue;
                }
                let travel = self.travel(memory, &group.chain, center, piece.radius);
                if gap - kept > travel * free {
                    continue;
                }
                let distance = block.distance(piece, link, gap) - kept;
                if distance <= 0.0 {
                    return 0.0;
                }
                if distance < travel * free {
                    free = distance / travel;
                }
            }
        }
        free
    }

    fn past_itself(&self, memory: &Memory, pair: &Pair, mut free: f64) -> f64 {
        let kept = pair.room.kept();
        let [a, b] = pair.groups.map(|number| &self.groups[number]);
        let [center_a, center_b] = pair.groups.map(|number| memory.centers[number]);
        let chain_a = &a.chain[..pair.counts[0]];
        let chain_b = &b.chain[..pair.counts[1]];
        let travel = self.travel(memory, chain_a, center_a, a.radius)
            + self.travel(memory, chain_b, center_b, b.radius);
        if center_a.distance(center_b) - a.radius - b.radius - kept > travel * free {
            return free;
        }
        let [link_a, link_b] = [a, b].map(|group| &memory.links[group.link]);
        for piece_a in &a.pieces {
            let at_a = link_a.transform_point(piece_a.center);
            if at_a.distance(center_b) - piece_a.radius - b.radius - kept > travel * free {
                continue;
            }
            for piece_b in &b.pieces {
                let at_b = link_b.transform_point(piece_b.center);
                let gap = at_a.distance(at_b) - piece_a.radius - piece_b.radius;
                if gap - kept > travel * free {
                    continue;
                }
                let travel = self.travel(memory, chain_a, at_a, piece_a.radius)
                    + self.travel(memory, chain_b, at_b, piece_b.radius);
                if gap - kept > travel * free {
                    continue;
                }
                let distance = distance_of_pieces(piece_a, piece_b, [link_a, link_b], gap) - kept;
                if distance <= 0.0 {
                    return 0.0;
                }
                if distance < travel * free {
                    free = distance / travel;
                }
            }
        }
        free
    }

    /// Directions in which parts get away from what they touch at joint values: the number of the part and a unit vector in the world. Empty without fits.
    pub(super) fn ways_out(&self, memory: &mut Memory, values: &[f64]) -> Vec<(usize, Vec3)> {
        let mut found: Vec<(usize, Vec3)> = Vec::new();
        if !self.has_fits {
            return found;
        }
        memory.values.clear();
        memory.values.extend(values);
        self.place(memory, &vec![0.0; values.len()]);
        for (number, group) in self.groups.iter().enumerate() {
            let (link, before) = (&memory.links[group.link], found.len());
            for (block, _) in &self.near[number] {
                let block = &self.blocks[*block];
                for piece in &group.pieces {
                    let gap = block.gap(link.transform_point(piece.center)) - piece.radius;
                    let most = 8.0 * ROUND_DEPTH_RELATIVE * (1.0 + group.radius + group.center.length());
                    if gap <= most
                        && let Some(way) = block.way_out(piece, link, most)
                    {
                        found.push((number, way));
                    }
                }
            }
            // Away from all of them at once.
            let sum: Vec3 = found[before..].iter().map(|(_, way)| *way).sum();
            if found.len() > before + 1
                && let Some(way) = freiraum_geometry::math::unit(sum)
            {
                found.push((number, way));
            }
        }
        found
    }

    /// Directions along the axes of the part that the most joints move, there and back: its number and unit vectors in the world. Empty without fits.
    pub(super) fn axes_of_the_hand(&self, memory: &mut Memory, values: &[f64]) -> Vec<(usize, Vec3)> {
        let hand = (0..self.groups.len()).max_by_key(|number| self.groups[*number].chain.len());
        let Some(hand) = hand.filter(|_| self.has_fits) else { return Vec::new() };
        memory.values.clear();
        memory.values.extend(values);
        self.place(memory, &vec![0.0; values.len()]);
        let link = &memory.links[self.groups[hand].link];
        let axes = [Vec3::NEG_Z, Vec3::Z, Vec3::NEG_Y, Vec3::Y, Vec3::NEG_X, Vec3::X];
        axes.map(|axis| (hand, link.rotate(axis))).to_vec()
    }

    /// How much of each freedom moves a part along a direction without turning it, as well as the robot can do that: per metre.
    pub(super) fn along(&self, memory: &Memory, part: usize, direction: Vec3) -> Vec<f64> {
        let group = &self.groups[part];
        let mut jacobian = Jacobian { linear: Vec::new(), angular: Vec::new() };
        self.robot.jacobian_into(&memory.links, group.link, group.center, &mut jacobian);
        let columns = jacobian.linear.iter().zip(&jacobian.angular).enumerate();
        let columns = columns.map(
            |(freedom, (v, w))| {
                if self.kept[freedom] { [0.0; 6] } else { [v.x, v.y, v.z, w.x, w.y, w.z] }
            },
        );
        let columns: Vec<[f64; 6]> = columns.collect();
        least_squares(&columns, [direction.x, direction.y, direction.z, 0.0, 0.0, 0.0])
    }

    /// What is wrong with joint values, if anything is.
    pub(super) fn fault(&self, memory: &mut Memory, values: &[f64]) -> Option<Fault> {
        if let Some((_, joint, value)) = self.robot.outside_limits(values).first().copied() {
            return Some(Fault::Limits { joint, value });
        }
        memory.values.clear();
        memory.values.extend(values);
        self.place(memory, &vec![0.0; values.len()]);
        for (number, group) in self.groups.iter().enumerate() {
            let link = &memory.links[group.link];
            for (block, room) in &self.near[number] {
                let (block, kept) = (&self.blocks[*block], room.kept());
                for piece in &group.pieces {
                    let gap = block.gap(link.transform_point(piece.center)) - piece.radius;
                    if gap > kept {
                        continue;
                    }
                    let distance = block.distance(piece, link, gap);
                    if distance <= kept {
                        let (obstacle, is_certain) = (block.obstacle, room.is_violated(distance));
                        return Some(Fault::Obstacle { part: number, obstacle, distance, is_certain });
                    }
                }
            }
        }
        for pair in &self.pairs {
            let [a, b] = pair.groups.map(|number| &self.groups[number]);
            let links = [a, b].map(|group| &memory.links[group.link]);
            for piece_a in &a.pieces {
                for piece_b in &b.pieces {
                    let centers =
                        [links[0].transform_point(piece_a.center), links[1].transform_point(piece_b.center)];
                    let gap = centers[0].distance(centers[1]) - piece_a.radius - piece_b.radius;
                    if gap > pair.room.kept() {
                        continue;
                    }
                    let distance = distance_of_pieces(piece_a, piece_b, links, gap);
                    if distance <= pair.room.kept() {
                        let is_certain = pair.room.is_violated(distance);
                        return Some(Fault::Own { parts: pair.groups, distance, is_certain });
                    }
                }
            }
        }
        None
    }

    /// True if joint values are within all limits, and where they may be.
    pub(super) fn is_inside(&self, values: &[f64]) -> bool {
        self.robot.outside_limits(values).is_empty()
            && values.iter().zip(&self.limits).all(|(value, range)| range.contain(*value))
    }

    /// The distance of joint values.
    pub(super) fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let term = |((a, b), scale): ((&f64, &f64), &f64)| ((a - b) * scale).powi(2);
        a.iter().zip(b).zip(&self.scales).map(term).sum::<f64>().sqrt()
    }
}

/// No coordinate of a part in the frame in which it was drawn is larger than this, turned however, in metres.
fn drawn(group: &Group) -> f64 {
    let far = group.pieces.iter().filter_map(|piece| piece.body.bounds()).map(|bounds| bounds.reach());
    2.0 * far.fold(0.0, f64::max)
}

/// What rounding may hide where no coordinate is larger than `reach`, in metres: distances of cylinders and cones are iterated.
fn slack(is_round: bool, reach: f64) -> f64 {
    if is_round { ROUND_TOUCH_RELATIVE * reach } else { rounding::coordinate(SEVERAL * reach) }
}

/// Poses that are multiplied until a part is seen from an obstacle: no more than so many joints follow each other.
const SEVERAL: f64 = 64.0;

/// More than what rounding may have taken away from the bound of a path.
const ENOUGH: f64 = 1.0 + 1024.0 * f64::EPSILON;

/// A ball that holds the balls of all pieces.
fn around(pieces: &[Piece]) -> (Vec3, f64) {
    let centers: Vec<Vec3> = pieces.iter().map(|piece| piece.center).collect();
    let center = freiraum_geometry::enclose::smallest_sphere(&centers)
        .map_or(centers.first().copied().unwrap_or(Vec3::ZERO), |ball| ball.center);
    let far = |piece: &Piece| center.distance(piece.center) + piece.radius;
    (center, pieces.iter().map(far).fold(0.0, f64::max) * ENOUGH)
}

/// No coordinate of the robot is larger than this, in metres, whatever its joints do.
fn reach(robot: &Robot, base: &Pose, groups: &[Group]) -> f64 {
    let mut far = vec![base.translation().length(); robot.links().len()];
    for (number, joint) in robot.joints().iter().enumerate() {
        let slide = match joint.kind {
            JointKind::Prismatic => {
                let Limits { lower, upper } = joint.limits;
                let largest = lower.abs().max(upper.abs());
                if largest.is_finite() { largest } else { 1.0 }
            }
            _ => 0.0,
        };
        far[number + 1] = far[joint.parent] + joint.parent_from_child.translation().length() + slide;
    }
    groups.iter().map(|group| far[group.link] + group.center.length() + group.radius).fold(1.0, f64::max)
}

/// How much each freedom counts.
fn scales(limits: &[Limits]) -> Vec<f64> {
    vec![1.0; limits.len()]
}
