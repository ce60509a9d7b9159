//! A body that is carried by another one.

use super::{Ball, Motion, Twist, Uniform};
use crate::Pose;
use std::sync::Arc;

/// A body that keeps its place beside one that moves, as if both were one.
#[derive(Clone)]
pub struct Carried {
    lead: Arc<dyn Motion>,
    lead_from_body: Pose,
}

impl Carried {
    /// The body at `lead_from_body` in the frame of the body that moves by `lead`.
    pub fn new(lead: Arc<dyn Motion>, lead_from_body: Pose) -> Carried {
        Carried { lead, lead_from_body }
    }

    fn seen_from_lead(&self, ball: &Ball) -> Ball {
        Ball { center: self.lead_from_body.transform_point(ball.center), radius: ball.radius }
    }
}

impl Motion for Carried {
    fn pose(&self, t: f64) -> Pose {
        self.lead.pose(t) * self.lead_from_body
    }

    fn travel(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        self.lead.travel(&self.seen_from_lead(ball), t0, t1)
    }

    fn breaks(&self, out: &mut Vec<f64>) {
        self.lead.breaks(out);
    }

    fn twist(&self, t: f64) -> Option<Twist> {
        self.lead.twist(t)
    }

    fn state(&self, t: f64) -> (Pose, Option<Twist>) {
        let (pose, twist) = self.lead.state(t);
        (pose * self.lead_from_body, twist)
    }

    fn acceleration(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        self.lead.acceleration(&self.seen_from_lead(ball), t0, t1)
    }

    fn uniform(&self, t0: f64, t1: f64) -> Option<Uniform> {
        self.lead.uniform(t0, t1)
    }
}
