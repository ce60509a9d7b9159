//! Boxes of joint values, and how far points move in them.

use freiraum_geometry::path::Ball;
use freiraum_geometry::{Pose, Vec3};
use freiraum_robot::{Chain, Limits, Robot};
use std::f64::consts::PI;

/// The joints between two links, from a to b.
pub(super) struct Between {
    /// From the link that carries both to a and to b.
    chains: [Chain; 2],
    /// The freedoms that matter, ascending.
    pub(super) freedoms: Vec<usize>,
}

/// A box of joint values: the middle and half the width for every freedom that matters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) middle: Vec<f64>,
    pub(super) half: Vec<f64>,
}

/// Where everything is in the middle of a cell. **Frames.** That of the link that carries both.
pub(super) struct Placed {
    /// Where a and b are.
    pub(super) links: [Pose; 2],
    /// The joints on the way from a to b.
    pub(super) axes: Vec<Axis>,
}

/// A joint in its place.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// On the axis.
    pub(super) origin: Vec3,
    /// Unit vector.
    pub(super) direction: Vec3,
    pub(super) turns: bool,
    /// Which of the freedoms that matter moves it.
    number: usize,
    /// How far it moves at most, to either side: radians or metres.
    half: f64,
}

impl Axis {
    /// How far a point of a ball moves at most by this joint, if it was moved by no more than `moved` before.
    fn travel(&self, ball: &Ball, moved: f64) -> f64 {
        if !self.turns {
            return self.half;
        }
        let arm = self.direction.cross(ball.center - self.origin).length() + ball.radius + moved;
        // The chord of the arc.
        2.0 * (0.5 * self.half.min(PI)).sin() * arm
    }
}

impl Between {
    pub(super) fn new(robot: &Robot, [a, b]: [usize; 2]) -> Between {
        let meet = robot.meeting_link(a, b);
        let chains = [a, b].map(|link| Chain::between(robot, meet, link, Pose::IDENTITY));
        Between { chains, freedoms: robot.freedoms_between(a, b) }
    }

    /// How many joints that can move are between the links.
    pub(super) fn joints(&self) -> usize {
        self.chains.iter().map(|chain| chain.joints.len()).sum()
    }

    /// All joint values, one turn of joints that turn farther; `None` if a joint has no end otherwise.
    pub(super) fn whole(&self, robot: &Robot) -> Option<Cell> {
        let (mut middle, mut half) = (Vec::new(), Vec::new());
        for freedom in &self.freedoms {
            let Limits { lower, upper } = robot.range(*freedom);
            let is_a_turn = self.only_turns(*freedom) && upper - lower > 2.0 * PI;
            let center = match (lower.is_finite(), upper.is_finite()) {
                (true, true) => 0.5 * (lower + upper),
                _ if !is_a_turn => return None,
                (true, false) => lower + PI,
                (false, true) => upper - PI,
                (false, false) => 0.0,
            };
            middle.push(center);
            half.push(if is_a_turn { PI } else { 0.5 * (upper - lower).max(0.0) });
        }
        Some(Cell { middle, half })
    }

    /// True if the freedom moves one joint between the links, and that turns at the rate of the freedom.
    fn only_turns(&self, freedom: usize) -> bool {
        let joints = self.chains.iter().flat_map(|chain| &chain.joints);
        let mut moved = joints.filter(|joint| joint.freedom == freedom);
        let first = moved.next();
        first.is_some_and(|joint| joint.turns && joint.factor.abs() == 1.0) && moved.next().is_none()
    }

    /// Where everything is in the middle of a cell.
    pub(super) fn placed(&self, cell: &Cell) -> Placed {
        let mut axes = Vec::with_capacity(self.joints());
        let mut links = [Pose::IDENTITY; 2];
        for (side, chain) in self.chains.iter().enumerate() {
            let mut frame = Pose::IDENTITY;
            for joint in &chain.joints {
                // The chains have no other freedoms.
                let number = self.freedoms.binary_search(&joint.freedom).unwrap_or(0);
                frame =
                    frame * (joint.before * joint.moved(joint.factor * cell.middle[number] + joint.offset));
                let half = (joint.factor * cell.half[number]).abs();
                let (origin, direction) = (frame.translation(), frame.rotate(joint.axis));
                axes.push(Axis { origin, direction, turns: joint.turns, number, half });
            }
            links[side] = frame * chain.rest;
            if side == 0 {
                axes.reverse();
            }
        }
        Placed { links, axes }
    }

    /// Where b is in the frame of a.
    pub(super) fn a_from_b(&self, values: &[f64]) -> Pose {
        self.placed(&Cell { middle: values.to_vec(), half: vec![0.0; values.len()] }).a_from_b()
    }
}

/// How far a ball on a moves, and one on b, when the joints up to some number count for a and the others for b: entry k is for k joints that count for a.
pub(super) type Reaches = Vec<f64>;

impl Placed {
    pub(super) fn a_from_b(&self) -> Pose {
        self.links[0].inverse() * self.links[1]
    }

    /// How far points of a ball that a carries move at most, from the middle to anywhere in the cell, as seen from each of the links between a and b.
    ///
    /// The ball is in the frame of the link that carries both.
    pub(super) fn reaches_of_a(&self, ball: &Ball) -> Reaches {
        let mut moved = 0.0;
        let mut all = Vec::with_capacity(self.axes.len() + 1);
        all.push(moved);
        for axis in &self.axes {
            moved += axis.travel(ball, moved);
            all.push(moved);
        }
        all
    }

    /// The same for one that b carries.
    pub(super) fn reaches_of_b(&self, ball: &Ball) -> Reaches {
        let mut moved = 0.0;
        let mut all = vec![0.0; self.axes.len() + 1];
        for (number, axis) in self.axes.iter().enumerate().rev() {
            moved += axis.travel(ball, moved);
            all[number] = moved;
        }
        all
    }

    /// How far points of both balls together move at most, seen from the link from which that is least; and the joints that count for a then.
    pub(super) fn least(&self, of_a: &Reaches, of_b: &Reaches) -> (f64, usize) {
        let mut least = (f64::INFINITY, 0);
        for (cut, (a, b)) in of_a.iter().zip(of_b).enumerate() {
            if a + b < least.0 {
                least = (a + b, cut);
            }
        }
        // Rounding of some twenty operations per joint.
        let slack = 64.0 * f64::EPSILON * (self.axes.len() + 1) as f64;
        (least.0 * (1.0 + slack), least.1)
    }

    /// The freedom that moves the balls most when `cut` joints count for a.
    pub(super) fn widest(&self, of_a: &Reaches, of_b: &Reaches, cut: usize) -> usize {
        let mut most = (-1.0, 0);
        for (number, axis) in self.axes.iter().enumerate() {
            let by =
                if number < cut { of_a[number + 1] - of_a[number] } else { of_b[number] - of_b[number + 1] };
            if by > most.0 {
                most = (by, axis.number);
            }
        }
        most.1
    }

    /// How far points of one ball move against each other at most when a and b both carry it, and the freedom that does most of it.
    pub(super) fn apart(&self, ball: &Ball) -> (f64, usize) {
        let (of_a, of_b) = (self.reaches_of_a(ball), self.reaches_of_b(ball));
        let (reach, cut) = self.least(&of_a, &of_b);
        (reach, self.widest(&of_a, &of_b, cut))
    }
}

impl Cell {
    /// Both halves along a freedom.
    pub(super) fn split(&self, number: usize) -> [Cell; 2] {
        let half = 0.5 * self.half[number];
        [-half, half].map(|shift| {
            let mut cell = self.clone();
            cell.half[number] = half;
            cell.middle[number] += shift;
            cell
        })
    }
}
