//! How it walks: one foot stands, the other goes to where it will stand next, and the body moves along its way.
//!
//! The middle of the body goes along an arc with the speed and the turn of the step. A foot is put down where the middle will be half a step later, to its side. So the
//! body passes over every foot that stands; and where it is says nothing but the way that was commanded.

use super::model::HIP_SIDE;
use crate::dynamics::{Bytes, State};
use crate::sensors::odometry::Track;
use freiraum_geometry::{Pose, Vec3};

/// Seconds of a step.
pub const STEP_TIME: f64 = 0.24;
/// Fastest, in m/s.
pub const MOST_SPEED: f64 = 0.3;
/// Fastest, in rad/s.
pub const MOST_TURN: f64 = 0.8;
/// The speed changes by at most this from step to step, so that legs are long enough.
const MOST_CHANGE: f64 = 0.2;
/// How high a foot is lifted.
const LIFT: f64 = 0.03;
/// How much higher or lower the ground may be where it steps next.
pub const MOST_CLIMB: f64 = 0.03;

/// A place on the ground with a heading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Print {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) z: f64,
    /// In radians to the left.
    pub(super) heading: f64,
}

impl Print {
    /// `world_from_print`: z up, x along the heading.
    pub(super) fn pose(&self) -> Pose {
        Pose::from_translation(Vec3::new(self.x, self.y, self.z)).turned(Vec3::Z, self.heading)
    }

    /// After an arc on the plane.
    pub(super) fn after(&self, length: f64, turn: f64) -> Print {
        let Track { x, y, heading } =
            Track { x: self.x, y: self.y, heading: self.heading }.after_arc(length, turn);
        Print { x, y, z: self.z, heading }
    }

    /// The place of the left (0) or right (1) foot below a body that is here.
    fn of_foot(&self, foot: usize) -> Print {
        let aside = if foot == 0 { HIP_SIDE } else { -HIP_SIDE };
        let (sine, cosine) = self.heading.sin_cos();
        Print { x: self.x - aside * sine, y: self.y + aside * cosine, ..*self }
    }

    fn mixed(&self, end: &Print, share: f64) -> Print {
        let mix = |a: f64, b: f64| a + share * (b - a);
        Print {
            x: mix(self.x, end.x),
            y: mix(self.y, end.y),
            z: mix(self.z, end.z),
            heading: mix(self.heading, end.heading),
        }
    }
}

/// Where body and feet are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    /// The point on the ground below the middle.
    pub(super) body: Print,
    /// The points on the ground below the ankles; of a foot in the air above it.
    pub(super) feet: [Print; 2],
}

/// A walk in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gait {
    /// At the begin of the step.
    start: Placed,
    /// The foot that stands: 0 left, 1 right.
    stance: usize,
    /// Where the other foot goes.
    target: Print,
    /// How much of the step is done, from 0 to 1.
    phase: f64,
    /// False if both feet are on the ground and no step has begun.
    is_stepping: bool,
    /// Speed and turn of this step, and what was commanded when it began.
    step: [f64; 2],
    asked: [f64; 2],
    /// How many steps were made on the spot.
    still: u32,
    /// It goes back to the begin of the step: something is in the way, and it shall go elsewhere.
    is_retreating: bool,
    /// Speed and turn that are commanded.
    wanted: [f64; 2],
}

impl Gait {
    /// Stands with its middle here.
    pub(super) fn new(body: Print) -> Gait {
        let feet = [body.of_foot(0), body.of_foot(1)];
        Gait {
            start: Placed { body, feet },
            stance: 0,
            target: feet[1],
            phase: 0.0,
            is_stepping: false,
            step: [0.0; 2],
            asked: [0.0; 2],
            still: 2,
            is_retreating: false,
            wanted: [0.0; 2],
        }
    }

    /// Puts feet that stand to other heights.
    pub(super) fn set_heights(&mut self, heights: [f64; 2]) {
        for (foot, height) in self.start.feet.iter_mut().zip(heights) {
            foot.z = height;
        }
        self.start.body.z = 0.5 * (heights[0] + heights[1]);
    }

    /// Shall go with this speed and turn from its next step on.
    pub(super) fn want(&mut self, speed: f64, turn: f64) {
        self.wanted = [speed.clamp(-MOST_SPEED, MOST_SPEED), turn.clamp(-MOST_TURN, MOST_TURN)];
    }

    /// The foot that stands (0 left, 1 right); `None` if both do.
    #[cfg(test)]
    fn stance(&self) -> Option<usize> {
        self.is_stepping.then_some(self.stance)
    }

    /// Speed and turn right now.
    pub(super) fn speed(&self) -> [f64; 2] {
        if !self.is_stepping {
            [0.0; 2]
        } else if self.is_retreating {
            self.step.map(|s| -s)
        } else {
            self.step
        }
    }

    /// Something is in the way. If it shall go elsewhere by now, it goes back first.
    pub(super) fn hinder(&mut self) {
        if self.is_retreating {
            self.is_retreating = false;
        } else if self.is_stepping && self.wanted != self.asked {
            self.is_retreating = true;
        }
    }

    /// Lets time pass. `height_at` tells how high a foot stands that is put down at a place; `None` if it cannot be.
    pub(super) fn advance(&mut self, time: f64, mut height_at: impl FnMut(&Print) -> Option<f64>) {
        let mut left = time / STEP_TIME;
        while left > 0.0 {
            if !self.is_stepping && !self.begin(&mut height_at) {
                return;
            }
            if self.is_retreating {
                let back = left.min(self.phase);
                self.phase -= back;
                left -= back;
                if self.phase <= 0.0 {
                    (self.phase, self.is_stepping, self.is_retreating) = (0.0, false, false);
                    (self.step, self.still) = ([0.0; 2], 0);
                }
            } else {
                let on = left.min(1.0 - self.phase);
                left -= on;
                // No remainder of rounding is a step of its own.
                self.phase =
                    if left > 0.0 || self.phase + on > 1.0 - PHASE_SLACK { 1.0 } else { self.phase + on };
                if self.phase >= 1.0 {
                    self.end();
                }
            }
        }
    }

    /// Begins a step; false if it stands still.
    fn begin(&mut self, height_at: &mut impl FnMut(&Print) -> Option<f64>) -> bool {
        let [speed, turn] = self.wanted;
        if self.wanted == [0.0; 2] && self.still >= 2 {
            return false;
        }
        let speed = speed.clamp(self.step[0] - MOST_CHANGE, self.step[0] + MOST_CHANGE);
        let stands_at = self.start.feet[self.stance].z;
        // Shorter steps where the ground ends or something stands, and on the spot at last.
        for share in [[1.0, 1.0], [0.5, 1.0], [0.25, 1.0], [0.0, 1.0], [0.0, 0.0]] {
            let [speed, turn] = [share[0] * speed, share[1] * turn];
            let [length, angle] = [1.5 * STEP_TIME * speed, 1.5 * STEP_TIME * turn];
            let mut target = self.start.body.after(length, angle).of_foot(1 - self.stance);
            target.z = stands_at;
            match height_at(&target) {
                Some(height) if (height - stands_at).abs() <= MOST_CLIMB => {
                    target.z = height;
                    (self.target, self.step, self.asked) = (target, [speed, turn], self.wanted);
                    (self.phase, self.is_stepping) = (0.0, true);
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// The other foot is down: it stands now.
    fn end(&mut self) {
        self.start = self.placed();
        self.stance = 1 - self.stance;
        self.start.feet[self.stance] = self.target;
        (self.phase, self.is_stepping) = (0.0, false);
        self.still = if self.step == [0.0; 2] { self.still.saturating_add(1) } else { 0 };
    }

    /// Where body and feet are now.
    pub(super) fn placed(&self) -> Placed {
        if !self.is_stepping {
            return self.start;
        }
        let (phase, swing) = (self.phase, 1 - self.stance);
        let Placed { body, mut feet } = self.start;
        let [speed, turn] = self.step;
        let time = STEP_TIME * phase;
        // Slow at both ends: feet are lifted and put down without a jerk.
        let share = phase * phase * phase * (10.0 - phase * (15.0 - 6.0 * phase));
        let bump = 16.0 * (phase * (1.0 - phase)) * (phase * (1.0 - phase));
        let (from, to) = (feet[swing], self.target);
        feet[swing] = from.mixed(&to, share);
        feet[swing].z += bump * (LIFT + (to.z - from.z).abs());
        let mut moved = body.after(speed * time, turn * time);
        let end = 0.5 * (feet[self.stance].z + to.z);
        moved.z = body.z + share * (end - body.z);
        Placed { body: moved, feet }
    }
}

/// Phases so near to 1 are 1.
const PHASE_SLACK: f64 = 1024.0 * f64::EPSILON;

impl State for Print {
    fn put(&self, out: &mut Vec<u8>) {
        [self.x, self.y, self.z, self.heading].put(out);
    }
    fn get(from: &mut Bytes) -> Option<Print> {
        <[f64; 4]>::get(from).map(|[x, y, z, heading]| Print { x, y, z, heading })
    }
}

impl State for Gait {
    fn put(&self, out: &mut Vec<u8>) {
        let Gait { start, stance, target, phase, is_stepping, step, asked, still, is_retreating, wanted } =
            self;
        start.body.put(out);
        start.feet.put(out);
        stance.put(out);
        target.put(out);
        phase.put(out);
        is_stepping.put(out);
        step.put(out);
        asked.put(out);
        still.put(out);
        is_retreating.put(out);
        wanted.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Gait> {
        Some(Gait {
            start: Placed { body: State::get(from)?, feet: State::get(from)? },
            stance: usize::get(from).filter(|foot| *foot < 2)?,
            target: State::get(from)?,
            phase: State::get(from)?,
            is_stepping: State::get(from)?,
            step: State::get(from)?,
            asked: State::get(from)?,
            still: State::get(from)?,
            is_retreating: State::get(from)?,
            wanted: State::get(from)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: Print = Print { x: 0.0, y: 0.0, z: 0.0, heading: 0.0 };

    #[test]
    fn walks_as_far_as_it_shall() {
        for [speed, turn] in [[0.2, 0.0], [-0.15, 0.3], [0.1, -0.7], [0.0, 0.5]] {
            let mut gait = Gait::new(ORIGIN);
            gait.want(speed, turn);
            for _ in 0..5000 {
                gait.advance(0.001, |print| Some(print.z));
            }
            let (at, wanted) = (gait.placed().body, ORIGIN.after(5.0 * speed, 5.0 * turn));
            let off = (at.x - wanted.x).hypot(at.y - wanted.y) + (at.heading - wanted.heading).abs();
            assert!(off < 1e-10, "{speed} {turn}: {off:e}");
        }
    }

    #[test]
    fn long_steps_of_time_are_the_same_walk() {
        let [mut fine, mut coarse] = [Gait::new(ORIGIN); 2];
        for gait in [&mut fine, &mut coarse] {
            gait.want(0.3, 0.4);
        }
        (0..3000).for_each(|_| fine.advance(0.001, |p| Some(p.z)));
        (0..30).for_each(|_| coarse.advance(0.1, |p| Some(p.z)));
        let (a, b) = (fine.placed(), coarse.placed());
        assert!((a.body.x - b.body.x).abs() + (a.feet[0].x - b.feet[0].x).abs() < 1e-9, "{a:?} {b:?}");
    }

    #[test]
    fn stands_with_both_feet_in_the_end() {
        let mut gait = Gait::new(ORIGIN);
        gait.want(0.3, 0.2);
        (0..1100).for_each(|_| gait.advance(0.001, |p| Some(p.z)));
        gait.want(0.0, 0.0);
        (0..2000).for_each(|_| gait.advance(0.001, |p| Some(p.z)));
        let Placed { body, feet } = gait.placed();
        assert_eq!(gait.stance(), None);
        for (foot, at) in feet.iter().enumerate() {
            let home = body.of_foot(foot);
            assert!((home.x - at.x).hypot(home.y - at.y) < 1e-12);
        }
    }

    #[test]
    fn does_not_step_where_there_is_no_ground() {
        let mut gait = Gait::new(ORIGIN);
        gait.want(0.3, 0.0);
        (0..9000).for_each(|_| gait.advance(0.001, |p| (p.x < 1.0).then_some(p.z)));
        let Placed { body, feet } = gait.placed();
        assert!(feet[0].x < 1.0 && feet[1].x < 1.0 && body.x > 0.9, "{feet:?}");
    }
}
