//! Boxes of joint values.

use crate::chain::Chain;
use crate::model::Robot;
use freiraum_geometry::Pose;
use freiraum_motion::path::Ball;
use std::f64::consts::PI;

/// The joints between two links, seen from the link that carries both.
pub(super) struct Between {
    /// To a and to b.
    pub(super) chains: [Chain; 2],
    /// The freedoms that matter, ascending.
    pub(super) freedoms: Vec<usize>,
}

/// A box of joint values: the middle and half the width for every freedom that matters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) middle: Vec<f64>,
    pub(super) half: Vec<f64>,
}

impl Between {
    pub(super) fn new(robot: &Robot, [a, b]: [usize; 2]) -> Between {
        let meet = robot.meeting_link(a, b);
        let chains = [a, b].map(|link| Chain::between(robot, meet, link, Pose::IDENTITY));
        Between { chains, freedoms: robot.freedoms_between(a, b) }
    }

    /// All joint values; one turn of joints without end.
    pub(super) fn whole(&self, robot: &Robot) -> Cell {
        let ends = self.freedoms.iter().map(|freedom| {
            let range = robot.range(*freedom);
            let one_turn = |x: f64, end: f64| if x.is_finite() { x } else { end };
            [one_turn(range.lower, -PI), one_turn(range.upper, PI)]
        });
        let (middle, half) = ends.map(|[lo, hi]| (0.5 * (lo + hi), 0.5 * (hi - lo).max(0.0))).unzip();
        Cell { middle, half }
    }

    /// Where the freedom of the robot stands among those that matter.
    fn at(&self, freedom: usize) -> usize {
        self.freedoms.binary_search(&freedom).expect("the chains have no other freedoms")
    }

    /// Where b is in the frame of a.
    pub(super) fn a_from_b(&self, values: &[f64]) -> Pose {
        let [a, b] = [0, 1].map(|side: usize| {
            self.chains[side].pose(|joint| joint.factor * values[self.at(joint.freedom)] + joint.offset)
        });
        a.inverse() * b
    }

    /// How far any points of balls on both links together move at most from the middle of the cell to anywhere in it, seen from the link that carries both; and the freedom that moves
    /// them most.
    pub(super) fn reach(&self, cell: &Cell, balls: [Option<Ball>; 2]) -> (f64, usize) {
        let (mut sum, mut most) = (0.0, (0.0, 0));
        for (chain, ball) in self.chains.iter().zip(balls) {
            let Some(ball) = ball else { continue };
            let (mut center, mut moved) = (chain.rest.transform_point(ball.center), 0.0);
            for joint in chain.joints.iter().rev() {
                let number = self.at(joint.freedom);
                let half = (joint.factor * cell.half[number]).abs();
                let by = if joint.turns {
                    let arm = joint.axis.cross(center).length() + ball.radius + moved;
                    // The chord of the arc.
                    2.0 * (0.5 * half.min(PI)).sin() * arm
                } else {
                    half
                };
                moved += by;
                if by > most.0 {
                    most = (by, number);
                }
                center = joint.carried(center, joint.factor * cell.middle[number] + joint.offset);
            }
            sum += moved;
        }
        // Rounding of some twenty operations per joint.
        let count: usize = self.chains.iter().map(|chain| chain.joints.len()).sum();
        (sum * (1.0 + 64.0 * f64::EPSILON * count as f64), most.1)
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
