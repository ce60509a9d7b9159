//! Keeping the tool at a target that moves a little at a time.

use super::answer::Residual;
use super::arm::Arm;
use super::descent::{Descent, Rules};
use crate::model::Robot;
use freiraum_geometry::Pose;

/// Steps of Newton's method for one target: it is near, so that a handful is enough.
const STEPS: usize = 32;

/// Finds joint values near those before.
pub(crate) struct Follower {
    arm: Arm,
    descent: Descent,
    arm_from_world: Pose,
    /// The values of the freedoms that move the tool.
    local: Vec<f64>,
}

impl Follower {
    /// Of a tool on a link; `None` if nothing moves it.
    pub(crate) fn new(robot: &Robot, link: usize, link_from_tool: &Pose, base: &Pose) -> Option<Follower> {
        let arm = Arm::new(robot, link, link_from_tool)?;
        let arm_from_world = (*base * arm.root_from_arm).inverse();
        Some(Follower { arm, descent: Descent::default(), arm_from_world, local: Vec::new() })
    }

    /// Sum of the lengths of the arm, in metres.
    pub(crate) fn size(&self) -> f64 {
        self.arm.size
    }

    /// Changes the joint values, as little as it can, so that the tool is as near to the target (in the world) as it gets from there; what is left.
    pub(crate) fn follow(&mut self, target: &Pose, values: &mut [f64], keep_limits: bool) -> Residual {
        self.local.clear();
        self.local.extend(self.arm.freedoms.iter().map(|freedom| values[*freedom]));
        let rules = Rules { steps: STEPS, keep_ranges: keep_limits };
        let target = self.arm_from_world * *target;
        let left = self.descent.run(&self.arm, &target, &mut self.local, &rules);
        for (freedom, value) in self.arm.freedoms.iter().zip(&self.local) {
            values[*freedom] = *value;
        }
        left
    }
}
