//! One pair of links.

use super::bodies::LinkBody;
use super::cell::{Between, Cell};
use super::{AuditOptions, Meeting, PairAudit};
use crate::model::Robot;
use freiraum_geometry::math::rounding;
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::path::Ball;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A cell with the share of all joint values that it holds, or another number that says which one is looked at first.
struct Ranked {
    rank: f64,
    share: f64,
    cell: Cell,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        // Equal ranks in an order that does not depend on how they came in.
        let values = |one: &Ranked| one.cell.middle.clone();
        let by_values = || {
            let (x, y) = (values(self), values(other));
            x.iter().zip(&y).map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
        };
        self.rank.total_cmp(&other.rank).then_with(by_values)
    }
}

struct Search<'s> {
    between: Between,
    bodies: [&'s LinkBody; 2],
    options: &'s AuditOptions<'s>,
    /// How many cells were looked at.
    cells: usize,
    /// The smallest distance that was found, and where.
    closest: (f64, Vec<f64>),
}

pub(super) fn audit(
    robot: &Robot,
    links: [usize; 2],
    bodies: [&LinkBody; 2],
    options: &AuditOptions,
) -> PairAudit {
    let between = Between::new(robot, links);
    let whole = between.whole(robot);
    let is_neighbour = between.chains.iter().map(|chain| chain.joints.len()).sum::<usize>() == 1;
    let closest = (f64::INFINITY, whole.middle.clone());
    let mut search = Search { between, bodies, options, cells: 0, closest };
    let meeting = search.run(robot, links, &whole);
    PairAudit { links, is_neighbour, meeting, cells: search.cells }
}

impl Search<'_> {
    fn run(&mut self, robot: &Robot, links: [usize; 2], whole: &Cell) -> Meeting {
        let (mut touching, mut free, mut hits) = (None, None, 0);
        let seed = self.options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (links[0] << 32 | links[1]) as u64;
        let mut dice = Dice(seed);
        let is_fixed = whole.half.iter().all(|half| *half == 0.0);
        let count = if is_fixed { 1 } else { self.options.samples.max(1) };
        for number in 0..count {
            // The middle first.
            let roll =
                |(middle, half): (&f64, &f64)| middle + half * if number == 0 { 0.0 } else { dice.roll() };
            let values: Vec<f64> = whole.middle.iter().zip(&whole.half).map(roll).collect();
            let touches = self.bodies[0].touches(self.bodies[1], &self.between.a_from_b(&values));
            hits += usize::from(touches);
            if touches { &mut touching } else { &mut free }.get_or_insert(values);
        }
        match (touching, free) {
            (Some(touching), Some(free)) => Meeting::Sometimes {
                touching: self.all_values(robot, &touching),
                free: self.all_values(robot, &free),
                share: hits as f64 / count as f64,
            },
            (Some(touching), None) => self.prove_always(robot, whole, touching),
            (None, _) => self.prove_never(robot, whole),
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cells.is_multiple_of(64) && self.options.is_cancelled.is_some_and(|is_cancelled| is_cancelled())
    }

    /// The values of all freedoms of the robot: the others are as near to 0 as they can be.
    fn all_values(&self, robot: &Robot, values: &[f64]) -> Vec<f64> {
        let value = |freedom: usize| match self.between.freedoms.binary_search(&freedom) {
            Ok(number) => values[number],
            Err(_) => {
                let range = robot.range(freedom);
                0.0_f64.max(range.lower).min(range.upper)
            }
        };
        (0..robot.freedoms().len()).map(value).collect()
    }

    /// The distance that the links keep in all of a cell, 0 or less if that is not proven; and the freedom to split.
    fn lower(&mut self, cell: &Cell) -> (f64, usize) {
        self.cells += 1;
        let [a, b] = self.bodies;
        let (reach, widest) = self.between.reach(cell, [Some(a.ball), Some(b.ball)]);
        let a_from_b = self.between.a_from_b(&cell.middle);
        let apart = a.ball.center.distance(a_from_b.transform_point(b.ball.center));
        let slack = rounding::coordinate(apart + a.ball.radius + b.ball.radius);
        // Balls first: they are nearly free of charge.
        let far = apart - a.ball.radius - b.ball.radius - reach - slack;
        if far > 0.0 && far > self.closest.0 {
            return (far, widest);
        }
        let distance = a.distance(b, &a_from_b);
        if distance < self.closest.0 {
            self.closest = (distance, cell.middle.clone());
        }
        ((distance - reach - slack).max(far), widest)
    }

    fn prove_never(&mut self, robot: &Robot, whole: &Cell) -> Meeting {
        let mut open = BinaryHeap::from([Ranked { rank: 1.0, share: 1.0, cell: whole.clone() }]);
        // Cells that are free, the nearest first.
        let mut free = BinaryHeap::new();
        let mut left = 1.0;
        while let Some(Ranked { share, cell, .. }) = open.pop() {
            if self.cells >= self.options.cells || self.is_cancelled() {
                let (closest, at) = (self.closest.0, self.all_values(robot, &self.closest.1));
                return Meeting::Undecided { touched: false, open: left, closest, at };
            }
            let (lower, widest) = self.lower(&cell);
            if self.closest.0 <= 0.0 {
                // A sample was missing: the middle of a cell touches.
                let touching = self.all_values(robot, &self.closest.1);
                let free = self.all_values(robot, &whole.middle);
                return Meeting::Sometimes { touching, free, share: 0.0 };
            }
            if lower > 0.0 {
                left -= share;
                free.push(Ranked { rank: -lower, share, cell });
                continue;
            }
            let share = 0.5 * share;
            open.extend(cell.split(widest).map(|cell| Ranked { rank: share, share, cell }));
        }
        // Nothing touches. Now how close they come: the cell that may be nearest first.
        let mut at_least = f64::INFINITY;
        while let Some(Ranked { rank, share, cell }) = free.pop() {
            at_least = -rank;
            let is_good = at_least >= (1.0 - self.options.accuracy) * self.closest.0;
            if is_good || self.cells >= self.options.cells || self.is_cancelled() {
                break;
            }
            let (_, widest) = self.between.reach(&cell, self.bodies.map(|body| Some(body.ball)));
            for part in cell.split(widest) {
                let lower = self.lower(&part).0.max(at_least);
                free.push(Ranked { rank: -lower, share, cell: part });
            }
        }
        let (closest, at) = (self.closest.0, self.all_values(robot, &self.closest.1));
        Meeting::Never { at_least: at_least.min(closest), closest, at }
    }

    fn prove_always(&mut self, robot: &Robot, whole: &Cell, touching: Vec<f64>) -> Meeting {
        let mut open = BinaryHeap::from([Ranked { rank: 1.0, share: 1.0, cell: whole.clone() }]);
        let mut left = 1.0;
        // Every cell asks some hundred points whether they are inside.
        let budget = self.options.cells / 100;
        while let Some(Ranked { share, cell, .. }) = open.pop() {
            if self.cells >= budget || self.is_cancelled() {
                let at = self.all_values(robot, &touching);
                return Meeting::Undecided { touched: true, open: left, closest: 0.0, at };
            }
            let (is_proven, widest) = self.overlaps_in(&cell);
            if is_proven {
                left -= share;
                continue;
            }
            let a_from_b = self.between.a_from_b(&cell.middle);
            if !self.bodies[0].touches(self.bodies[1], &a_from_b) {
                let free = self.all_values(robot, &cell.middle);
                return Meeting::Sometimes { touching: self.all_values(robot, &touching), free, share: 1.0 };
            }
            if cell.half.iter().all(|half| *half == 0.0) {
                // Nothing moves, and they touch.
                return Meeting::Always;
            }
            let share = 0.5 * share;
            open.extend(cell.split(widest).map(|cell| Ranked { rank: share, share, cell }));
        }
        Meeting::Always
    }

    /// True if a point of one link stays inside the other all over the cell; and the freedom to split.
    fn overlaps_in(&mut self, cell: &Cell) -> (bool, usize) {
        self.cells += 1;
        let [a, b] = self.bodies;
        let a_from_b = self.between.a_from_b(&cell.middle);
        let b_from_a = a_from_b.inverse();
        let size = a.ball.radius.min(b.ball.radius);
        let radii: Vec<f64> = (1..=6).map(|k| size * 0.5_f64.powi(k)).collect();
        let mut widest = self.between.reach(cell, [Some(a.ball), Some(b.ball)]).1;
        let mut least = f64::INFINITY;
        for point in self.candidates(cell) {
            let depth = a.depth(point, &radii).min(b.depth(b_from_a.transform_point(point), &radii));
            if depth == 0.0 {
                continue;
            }
            // The same point as one of a and as one of b: the ball about it in a holds that of b as long as they are not farther apart than its radius.
            let balls =
                [point, b_from_a.transform_point(point)].map(|center| Some(Ball { center, radius: 0.0 }));
            let (reach, most) = self.between.reach(cell, balls);
            if reach < depth {
                return (true, most);
            }
            if reach - depth < least {
                (least, widest) = (reach - depth, most);
            }
        }
        (false, widest)
    }

    /// Points, in the frame of a, that may be inside of both and hardly move against each other: on the axes of the joints between them.
    fn candidates(&self, cell: &Cell) -> Vec<Vec3> {
        let [a, b] = self.bodies;
        let value = |joint: &crate::chain::ChainJoint| {
            let number = self.between.freedoms.binary_search(&joint.freedom).unwrap_or(0);
            joint.factor * cell.middle[number] + joint.offset
        };
        let a_from_meet = self.between.chains[0].pose(value).inverse();
        let size = a.ball.radius.min(b.ball.radius);
        let mut points = Vec::new();
        for chain in &self.between.chains {
            for (number, joint) in chain.joints.iter().enumerate() {
                let frame: Pose = a_from_meet * chain.frame(number + 1, value);
                let (from, along) = (frame.translation(), frame.rotate(joint.axis));
                points.extend((-16..=16).map(|k| from + f64::from(k) / 16.0 * size * along));
            }
        }
        // And between the middles of both.
        let a_from_b = self.between.a_from_b(&cell.middle);
        let (from, to) = (a.ball.center, a_from_b.transform_point(b.ball.center));
        points.extend((0..=16).map(|k| from.lerp(to, f64::from(k) / 16.0)));
        points
    }
}

/// Random numbers in [-1, 1), the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
