//! A part of a motion as a motion of its own, forwards or backwards.

use crate::Pose;
use crate::path::{Ball, Motion, Twist, Uniform};

/// What a motion does from one time to another, which may be the earlier one.
pub struct Window<'m> {
    /// The whole motion.
    pub motion: &'m dyn Motion,
    /// Where the window begins, in [0, 1].
    pub from: f64,
    /// Where it ends; before `from`, the motion runs backwards.
    pub to: f64,
}

impl Window<'_> {
    fn time(&self, share: f64) -> f64 {
        if share >= 1.0 { self.to } else { self.from + share.max(0.0) * (self.to - self.from) }
    }

    /// The times of the motion at two shares, the earlier one first.
    fn span(&self, s0: f64, s1: f64) -> [f64; 2] {
        let (t0, t1) = (self.time(s0), self.time(s1));
        [t0.min(t1), t0.max(t1)]
    }
}

impl Motion for Window<'_> {
    fn pose(&self, t: f64) -> Pose {
        self.motion.pose(self.time(t))
    }

    fn travel(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        let [t0, t1] = self.span(t0, t1);
        self.motion.travel(ball, t0, t1)
    }

    fn breaks(&self, out: &mut Vec<f64>) {
        let first = out.len();
        self.motion.breaks(out);
        let [low, high] = self.span(0.0, 1.0);
        let mut kept = first;
        for k in first..out.len() {
            if low < out[k] && out[k] < high {
                out[kept] = (out[k] - self.from) / (self.to - self.from);
                kept += 1;
            }
        }
        out.truncate(kept);
        if self.to < self.from {
            out[first..].reverse();
        }
    }

    fn twist(&self, t: f64) -> Option<Twist> {
        let length = self.to - self.from;
        let time = self.time(t);
        // Going back, what comes after a break is what was before it.
        let time = if length < 0.0 && t < 1.0 { time.next_down() } else { time };
        let Twist { linear, angular } = self.motion.twist(time)?;
        Some(Twist { linear: length * linear, angular: length * angular })
    }

    fn acceleration(&self, ball: &Ball, t0: f64, t1: f64) -> f64 {
        let [t0, t1] = self.span(t0, t1);
        let length = self.to - self.from;
        length * length * self.motion.acceleration(ball, t0, t1)
    }

    fn uniform(&self, t0: f64, t1: f64) -> Option<Uniform> {
        let [t0, t1] = self.span(t0, t1);
        let motion = self.motion.uniform(t0, t1)?;
        if self.from <= self.to {
            return Some(motion);
        }
        Some(match motion {
            Uniform::Translation(by) => Uniform::Translation(-by),
            Uniform::Screw { axis, angle, advance } => {
                Uniform::Screw { axis, angle: -angle, advance: -advance }
            }
        })
    }
}
