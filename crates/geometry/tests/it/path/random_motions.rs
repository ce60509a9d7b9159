//! Random motions; the tests of `freiraum-motion` use them too.

use freiraum_geometry::path::{Axis, Ball, Motion, Sequence, Straight, Twist, UniformMotion};
use freiraum_geometry::{Pose, Vec3};
use freiraum_testkit::random::Random;
use std::sync::Arc;

/// A chain of turning links: link i is shifted by `arms[i]` in the frame of the one before and turns there about `axes[i]`
/// with the constant speed `speeds[i]`.
///
/// A point of the last link is accelerated by at most Σ (|w_1| + … + |w_i|)² |s_{i+1}|, and its speed is at most the same sum
/// without the square.
#[derive(Clone)]
pub(crate) struct Chain {
    pub(crate) start: Pose,
    pub(crate) arms: Vec<Vec3>,
    pub(crate) axes: Vec<Vec3>,
    pub(crate) speeds: Vec<f64>,
    /// Whether it tells its twist.
    pub(crate) has_twist: bool,
}

impl Chain {
    pub(crate) fn random(random: &mut Random, links: usize) -> Chain {
        Chain {
            start: Pose::new(random.rotation(), random.in_cube(1.0)).unwrap(),
            arms: (0..links).map(|_| random.in_cube(0.6)).collect(),
            axes: (0..links).map(|_| random.direction()).collect(),
            speeds: (0..links).map(|_| random.range(-2.0, 2.0)).collect(),
            has_twist: true,
        }
    }

    fn sum(&self, ball: &Ball, power: i32) -> f64 {
        let mut turned = 0.0;
        let mut sum = 0.0;
        for i in 0..self.speeds.len() {
            turned += self.speeds[i].abs();
            let next = self.arms.get(i + 1).map_or(ball.center.length() + ball.radius, |arm| arm.length());
            sum += f64::powi(turned, power) * next;
        }
        sum
    }
}

impl Motion for Chain {
    fn pose(&self, t: f64) -> Pose {
        let mut pose = self.start;
        for i in 0..self.speeds.len() {
            let turn = Pose::from_axis_angle(self.axes[i], t.clamp(0.0, 1.0) * self.speeds[i]).unwrap();
            pose = pose * (Pose::from_translation(self.arms[i]) * turn);
        }
        pose
    }

    fn travel(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        (t1 - t0) * self.sum(ball, 1)
    }

    fn twist(&self, t: f64) -> Option<Twist> {
        if !self.has_twist {
            return None;
        }
        let mut twist = Twist::ZERO;
        let mut pose = self.start;
        for i in 0..self.speeds.len() {
            pose = pose * Pose::from_translation(self.arms[i]);
            let angular = self.speeds[i] * pose.rotate(self.axes[i]);
            twist.angular += angular;
            twist.linear -= angular.cross(pose.translation());
            pose = pose * Pose::from_axis_angle(self.axes[i], t.clamp(0.0, 1.0) * self.speeds[i]).unwrap();
        }
        Some(twist)
    }

    fn acceleration(&self, ball: &Ball, _t0: f64, _t1: f64) -> f64 {
        self.sum(ball, 2)
    }
}

pub(crate) fn random_pose(random: &mut Random) -> Pose {
    Pose::new(random.rotation(), random.in_cube(2.0)).unwrap()
}

pub(crate) fn random_axis(random: &mut Random) -> Axis {
    Axis::new(random.in_cube(1.0), random.direction()).unwrap()
}

/// Four uniform and straight motions, one after the other.
pub(crate) fn random_sequence(random: &mut Random) -> Sequence {
    let mut pose = random_pose(random);
    let mut motions: Vec<(f64, Arc<dyn Motion>)> = Vec::new();
    for i in 0..4 {
        let motion: Arc<dyn Motion> = match i {
            0 => Arc::new(UniformMotion::translation(pose, random.in_cube(1.0))),
            1 => Arc::new(UniformMotion::rotation(pose, random_axis(random), random.range(-2.0, 2.0))),
            2 => Arc::new(Straight::new(pose, random_pose(random))),
            _ => Arc::new(UniformMotion::screw(pose, random_axis(random), 1.0, 0.5)),
        };
        pose = motion.pose(1.0);
        motions.push((random.range(0.5, 2.0), motion));
    }
    Sequence::new(motions).unwrap()
}
