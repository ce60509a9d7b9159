//! The motion of one link.
//!
//! Seen from the frame of a joint, a point of the link moves only by the joints after it. So its distance from the axis of the joint changes by no more than what those
//! joints move it, and its path grows by no more than the angle times the largest such distance: from the tip to the base this gives a bound of the whole path, sharp as the
//! time tends to 0. Distances are taken in the middle of the time, so that half of the motion is on either side. It is lemma 4.5 of the thesis with what the joints really do.

use super::joint_path::JointPath;
use crate::chain::{Chain, ChainJoint};
use crate::model::Robot;
use freiraum_geometry::path::{Axis, Ball, Motion, Twist, Uniform};
use freiraum_geometry::{Pose, Vec3};
use std::sync::Arc;

/// The motion of a link while the joints follow a path.
#[derive(Clone)]
pub struct LinkMotion {
    path: Arc<JointPath>,
    chain: Chain,
}

/// What a bound says about a ball over some time: how far, how fast, how much it changes its speed.
struct Bound {
    travel: f64,
    acceleration: f64,
}

impl LinkMotion {
    /// Of a link, with the root link at `base`. Panics unless the path has one value per freedom of the robot.
    pub fn new(robot: &Robot, link: usize, base: Pose, path: Arc<JointPath>) -> LinkMotion {
        LinkMotion::between(robot, 0, link, base, path)
    }

    /// Of a link as seen from one that carries it (or is it), which stands still at `base`: [`Robot::meeting_link`] finds one for two links.
    ///
    /// Panics unless `from` carries the link and the path has one value per freedom.
    pub fn between(robot: &Robot, from: usize, link: usize, base: Pose, path: Arc<JointPath>) -> LinkMotion {
        assert_eq!(path.freedoms(), robot.freedoms().len(), "one value per freedom");
        LinkMotion { path, chain: Chain::between(robot, from, link, base) }
    }

    /// All numbers that the motion depends on: motions with the same numbers are the same.
    pub fn numbers(&self) -> Vec<f64> {
        let pose = |pose: &Pose| [&pose.rotation().to_array()[..], &pose.translation().to_array()].concat();
        let mut numbers = vec![self.chain.joints.len() as f64, self.path.freedoms() as f64];
        for joint in &self.chain.joints {
            numbers.extend(pose(&joint.before));
            numbers.extend(joint.axis.to_array());
            let turns = f64::from(u8::from(joint.turns));
            numbers.extend([turns, joint.freedom as f64, joint.factor, joint.offset]);
        }
        numbers.extend(pose(&self.chain.rest));
        for (knot, time) in self.path.times().iter().enumerate() {
            numbers.push(*time);
            numbers.extend(self.path.knot(knot));
        }
        numbers
    }

    /// The value of a joint of the chain.
    fn value(&self, joint: &ChainJoint, piece: usize, t: f64) -> f64 {
        joint.factor * self.path.value_on(piece, joint.freedom, t) + joint.offset
    }

    /// How fast a joint moves on a piece.
    fn rate(&self, joint: &ChainJoint, piece: usize) -> f64 {
        joint.factor * self.path.rate(piece, joint.freedom)
    }

    /// Bounds for a ball on one piece.
    fn bound(&self, ball: &Ball, piece: usize, t0: f64, t1: f64) -> Bound {
        let (middle, half) = (0.5 * (t0 + t1), 0.5 * (t1 - t0));
        let mut center = self.chain.rest.transform_point(ball.center);
        let (mut travel, mut speed, mut acceleration) = (0.0, 0.0, 0.0);
        for joint in self.chain.joints.iter().rev() {
            let (value, rate) = (self.value(joint, piece, middle), self.rate(joint, piece).abs());
            if joint.turns {
                // The farthest that any point of the ball gets from the axis.
                let arm = joint.axis.cross(center).length() + ball.radius + travel;
                travel += half * rate * arm;
                acceleration += 2.0 * rate * speed + rate * rate * arm;
                speed += rate * arm;
            } else {
                travel += half * rate;
                speed += rate;
            }
            center = joint.carried(center, value);
        }
        // What rounding may have taken away from some twenty operations per joint.
        let enough = 1.0 + 64.0 * f64::EPSILON * self.chain.joints.len() as f64;
        Bound { travel: 2.0 * travel * enough, acceleration: acceleration * enough }
    }

    /// The only joint that moves on a piece, if there is one; `Err` if there are several.
    fn mover(&self, piece: usize) -> Result<Option<usize>, ()> {
        let mut moving =
            (0..self.chain.joints.len()).filter(|joint| self.rate(&self.chain.joints[*joint], piece) != 0.0);
        match (moving.next(), moving.next()) {
            (one, None) => Ok(one),
            _ => Err(()),
        }
    }
}

impl Motion for LinkMotion {
    fn pose(&self, t: f64) -> Pose {
        let t = t.clamp(0.0, 1.0);
        let piece = self.path.piece(t);
        self.chain.pose(|joint| self.value(joint, piece, t))
    }

    fn travel(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        let mut sum = 0.0;
        for piece in self.path.piece(t0)..self.path.pieces() {
            let [from, to] = self.path.span(piece);
            if from >= t1 {
                break;
            }
            sum += self.bound(ball, piece, t0.max(from), t1.min(to)).travel;
        }
        sum
    }

    fn breaks(&self, out: &mut Vec<f64>) {
        for piece in 1..self.path.pieces() {
            let changes = |joint: &ChainJoint| self.rate(joint, piece - 1) != self.rate(joint, piece);
            if self.chain.joints.iter().any(changes) {
                out.push(self.path.span(piece)[0]);
            }
        }
    }

    fn twist(&self, t: f64) -> Option<Twist> {
        self.state(t).1
    }

    fn state(&self, t: f64) -> (Pose, Option<Twist>) {
        let t = t.clamp(0.0, 1.0);
        let piece = self.path.piece(t);
        let (mut twist, mut frame) = (Twist::ZERO, Pose::IDENTITY);
        for joint in &self.chain.joints {
            let (value, rate) = (self.value(joint, piece, t), self.rate(joint, piece));
            let before = frame * joint.before;
            frame = before * joint.moved(value);
            if rate == 0.0 {
                continue;
            }
            let along = rate * before.rotate(joint.axis);
            if joint.turns {
                twist.angular += along;
                twist.linear -= along.cross(before.translation());
            } else {
                twist.linear += along;
            }
        }
        (frame * self.chain.rest, Some(twist))
    }

    fn acceleration(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        let mut largest = 0.0_f64;
        for piece in self.path.piece(t0)..self.path.pieces() {
            let [from, to] = self.path.span(piece);
            if from >= t1 && from > t0 {
                break;
            }
            largest = largest.max(self.bound(ball, piece, t0.max(from), t1.min(to)).acceleration);
        }
        largest
    }

    fn uniform(&self, t0: f64, t1: f64) -> Option<Uniform> {
        let piece = self.path.piece(t0);
        if t1 > self.path.span(piece)[1] {
            let last = self.path.piece(t1);
            let is_still = |piece| self.mover(piece) == Ok(None);
            return (piece..=last).all(is_still).then_some(Uniform::Translation(Vec3::ZERO));
        }
        let Some(number) = self.mover(piece).ok()? else { return Some(Uniform::Translation(Vec3::ZERO)) };
        let joint = &self.chain.joints[number];
        let frame = self.chain.frame(number, |joint| self.value(joint, piece, t0)) * joint.before;
        let by = self.value(joint, piece, t1) - self.value(joint, piece, t0);
        let direction = frame.rotate(joint.axis);
        if by == 0.0 || !joint.turns {
            return Some(Uniform::Translation(by * direction));
        }
        let axis = Axis { point: frame.translation(), direction };
        Some(Uniform::Screw { axis, angle: by, advance: 0.0 })
    }
}
