//! How a motion gathers speed and loses it again: the time law of a way.
//!
//! The way stays what it is; a law says which share of it is done at which time. It starts and ends at rest, keeps a speed and an acceleration, and takes the least time that
//! laws of its kind can take.

use super::joint_path::JointPath;
use super::point_to_point::{Mode, Timed, full_speed, point_to_point};
use crate::model::Robot;
use freiraum_geometry::tolerance::{PROFILE_SLIDE_DEVIATION, PROFILE_TURN_DEVIATION};
use std::f64::consts::TAU;

/// The time in which a joint whose acceleration is not stated gets from rest to full speed with [`Profile::Ramp`], in seconds.
pub const RAMP_SECONDS: f64 = 0.25;

/// How the speed changes along a way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Full speed from the first moment to the last.
    #[default]
    Constant,
    /// Even acceleration up to the speed and even deceleration: a trapezoid.
    Ramp,
    /// The acceleration itself grows and shrinks smoothly (as the square of a sine), without a jump: an S-curve.
    Smooth,
}

/// Which share of a way is done at which time, from rest to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    profile: Profile,
    /// Largest speed, in shares per second.
    speed: f64,
    /// How long it speeds up, and slows down again, in seconds.
    gather: f64,
    seconds: f64,
}

impl Law {
    /// The fastest law that keeps a speed and an acceleration, in shares of the way per second and per second squared. Panics unless both are above 0 and finite.
    pub fn new(profile: Profile, speed: f64, acceleration: f64) -> Law {
        assert!(speed > 0.0 && acceleration > 0.0 && speed.is_finite() && acceleration.is_finite());
        // The mean acceleration while it speeds up: that of a squared sine is half of the largest.
        let mean = match profile {
            Profile::Constant => return Law { profile, speed, gather: 0.0, seconds: 1.0 / speed },
            Profile::Ramp => acceleration,
            Profile::Smooth => 0.5 * acceleration,
        };
        // Each of the two ends takes half of the speed times its time; together no more than the whole way.
        let speed = speed.min(mean.sqrt());
        let gather = speed / mean;
        Law { profile, speed, gather, seconds: (1.0 / speed + gather).max(2.0 * gather) }
    }

    /// How long the way takes.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The largest speed that it reaches, in shares per second.
    pub fn peak_speed(&self) -> f64 {
        self.speed
    }

    /// The largest acceleration, in shares per second squared; infinite for [`Profile::Constant`].
    pub fn peak_acceleration(&self) -> f64 {
        match self.profile {
            Profile::Constant => f64::INFINITY,
            Profile::Ramp => self.speed / self.gather,
            Profile::Smooth => 2.0 * self.speed / self.gather,
        }
    }

    /// The share that is done at a time, ascending from 0 to 1.
    pub fn share(&self, time: f64) -> f64 {
        if time <= 0.0 {
            return 0.0;
        }
        if time >= self.seconds {
            return 1.0;
        }
        // The end is the beginning backwards.
        if time > 0.5 * self.seconds {
            return 1.0 - self.from_rest(self.seconds - time);
        }
        self.from_rest(time)
    }

    /// The share that is done at a time of the first half.
    fn from_rest(&self, time: f64) -> f64 {
        let Law { speed, gather, .. } = *self;
        if time >= gather {
            return speed * (time - 0.5 * gather);
        }
        let part = time / gather;
        let even = 0.5 * speed * gather * part * part;
        match self.profile {
            Profile::Smooth => even + speed * gather * ((TAU * part).cos() - 1.0) / (TAU * TAU),
            _ => even,
        }
    }

    /// When a share is done.
    pub fn time(&self, share: f64) -> f64 {
        if share <= 0.0 {
            return 0.0;
        }
        if share >= 1.0 {
            return self.seconds;
        }
        let (mut low, mut high) = (0.0, self.seconds);
        // Until the two are neighbours.
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                return high;
            }
            if self.share(middle) < share {
                low = middle;
            } else {
                high = middle;
            }
        }
    }

    /// Times between which the law differs from a straight line by no more than `deviation`, in shares of the way: from 0 to the end.
    ///
    /// What a chord misses is an eighth of the acceleration times the square of its time.
    fn times(&self, deviation: f64) -> Vec<f64> {
        let mut times = vec![0.0];
        if self.profile != Profile::Constant {
            let step = (8.0 * deviation / self.peak_acceleration()).sqrt();
            let count = (self.gather / step).ceil().clamp(1.0, MOST_STEPS);
            let ends = (1..=count as usize).map(|k| self.gather * (k as f64 / count));
            times.extend(ends);
            let mirrored: Vec<f64> = times.iter().rev().map(|time| self.seconds - time).collect();
            times.extend(mirrored);
        } else {
            times.push(self.seconds);
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }
}

/// Longer lists of knots do not get finer.
const MOST_STEPS: f64 = 10_000.0;

/// What a freedom may be off from its law: radians or metres.
fn deviation(robot: &Robot, freedom: usize) -> f64 {
    let turns = robot.joints()[robot.freedoms()[freedom]].kind.turns();
    if turns { PROFILE_TURN_DEVIATION } else { PROFILE_SLIDE_DEVIATION }
}

/// The largest acceleration of a freedom, in radians or metres per second squared: what the robot states, else so much that it is at full speed after [`RAMP_SECONDS`].
pub fn full_acceleration(robot: &Robot, freedom: usize) -> f64 {
    robot.acceleration(freedom).unwrap_or_else(|| full_speed(robot, freedom) / RAMP_SECONDS)
}

/// The same as [`point_to_point`] with a profile of speed: the speed is a share of the full one, the acceleration that of [`full_acceleration`].
///
/// The way is the same. **Guarantee.** The path is linear between its knots; at every time every joint is within `tolerance::PROFILE_TURN_DEVIATION` radians or
/// `tolerance::PROFILE_SLIDE_DEVIATION` metres of its law, and exactly there at the knots. The mean accelerations from knot to knot keep the limit, speeds too. Synchronous joints keep the same share of their ways at all times.
pub fn paced_point_to_point(
    robot: &Robot,
    from: &[f64],
    to: &[f64],
    mode: Mode,
    speed: f64,
    profile: Profile,
) -> Timed {
    if profile == Profile::Constant {
        return point_to_point(robot, from, to, mode, speed);
    }
    assert!(speed > 0.0, "a speed above 0");
    let count = robot.freedoms().len();
    assert!(from.len() == count && to.len() == count, "one value per freedom");
    let way = |freedom: usize| (to[freedom] - from[freedom]).abs();
    let moving: Vec<usize> = (0..count).filter(|freedom| way(*freedom) > 0.0).collect();
    // In shares of the way: speed, acceleration and what may be off.
    let limits = |freedom: &usize| {
        let (freedom, way) = (*freedom, way(*freedom));
        [
            speed * full_speed(robot, freedom) / way,
            full_acceleration(robot, freedom) / way,
            deviation(robot, freedom) / way,
        ]
    };
    let least = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|k| a[k].min(b[k]));
    let Some(slowest) = moving.iter().map(limits).reduce(least) else {
        return Timed { path: JointPath::still(to), seconds: 0.0 };
    };
    // When each starts, and its law.
    let mut laws: Vec<Option<(f64, Law)>> = vec![None; count];
    let (mut times, mut now) = (Vec::new(), 0.0);
    for freedom in &moving {
        let [speed, acceleration, deviation] =
            if mode == Mode::Synchronous { slowest } else { limits(freedom) };
        // Ways of less than rounding are done at once.
        let law = Law::new(profile, speed.min(f64::MAX), acceleration.min(f64::MAX));
        laws[*freedom] = Some((now, law));
        times.extend(law.times(deviation).into_iter().map(|time| now + time));
        if mode == Mode::Sequential {
            now += law.seconds();
        }
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    let seconds = times.last().copied().unwrap_or(0.0);
    let value = |freedom: usize, time: f64| match laws[freedom] {
        None => to[freedom],
        Some((start, law)) => between(from[freedom], to[freedom], law.share(time - start)),
    };
    let knots = times.iter().map(|time| {
        let values = (0..count).map(|freedom| value(freedom, *time)).collect();
        (time / seconds, values, false)
    });
    Timed { path: path(knots.collect(), to), seconds }
}

fn between(from: f64, to: f64, share: f64) -> f64 {
    if share >= 1.0 { to } else { from + share * (to - from) }
}

/// A knot: share of the time, joint values, and true if the way bends there.
type Knot = (f64, Vec<f64>, bool);

/// A path through knots of which some may be at nearly the same time: between those rounding alone would say how fast the joints are.
fn path(knots: Vec<Knot>, end: &[f64]) -> JointPath {
    let apart = f64::EPSILON.sqrt();
    let mut found: Vec<Knot> = Vec::with_capacity(knots.len());
    for knot in knots {
        match found.last() {
            Some(last) if knot.0 - last.0 <= apart => {
                if knot.2 && !last.2 && found.len() > 1 {
                    found.pop();
                    found.push(knot);
                }
            }
            _ => found.push(knot),
        }
    }
    while found.len() > 1 && found.last().is_some_and(|last| last.0 >= 1.0 - apart) {
        found.pop();
    }
    let mut all: Vec<(f64, Vec<f64>)> = found.into_iter().map(|(share, values, _)| (share, values)).collect();
    all.push((1.0, end.to_vec()));
    JointPath::new(all).expect("finite values at ascending times from 0 to 1")
}

/// A way that is gone at constant speed (a straight line of the tool), with a profile: as fast as before at most, and with joints that keep [`full_acceleration`].
///
/// The way is the same, and so is what is proven of it. Every joint is as near to its law as in [`paced_point_to_point`]. A way on which the joints have to accelerate by
/// themselves, because it bends in the space of joints, is slower where that alone would take more than half of their acceleration; this is measured from knot to knot, and good to a few hundredths.
pub fn paced(robot: &Robot, timed: &Timed, profile: Profile) -> Timed {
    let path_of = &timed.path;
    if profile == Profile::Constant || timed.seconds <= 0.0 || path_of.times().len() < 2 {
        return timed.clone();
    }
    let (pieces, count) = (path_of.pieces(), path_of.freedoms());
    let mut speed = 1.0 / timed.seconds;
    // Per freedom: the largest rate and change of rate, per share of the way.
    let mut rates = vec![[0.0_f64; 2]; count];
    for piece in 0..pieces {
        let span = |piece: usize| {
            let [from, to] = path_of.span(piece);
            to - from
        };
        for (freedom, most) in rates.iter_mut().enumerate() {
            let rate = path_of.rate(piece, freedom);
            most[0] = most[0].max(rate.abs());
            if piece > 0 {
                let change = rate - path_of.rate(piece - 1, freedom);
                most[1] = most[1].max(change.abs() / (0.5 * (span(piece) + span(piece - 1))));
            }
        }
    }
    for (freedom, [_, bend]) in rates.iter().enumerate().filter(|(_, rate)| rate[1] > 0.0) {
        speed = speed.min((0.5 * full_acceleration(robot, freedom) / bend).sqrt());
    }
    let (mut acceleration, mut off) = (f64::MAX, 1.0_f64);
    for (freedom, [rate, bend]) in rates.iter().enumerate().filter(|(_, rate)| rate[0] > 0.0) {
        let left = full_acceleration(robot, freedom) - bend * speed * speed;
        acceleration = acceleration.min(left / rate);
        off = off.min(deviation(robot, freedom) / rate);
    }
    let law = Law::new(profile, speed, acceleration);
    let seconds = law.seconds();
    let mut marks: Vec<(f64, f64, bool)> =
        law.times(off).into_iter().map(|time| (time / seconds, law.share(time), false)).collect();
    marks.extend(path_of.times().iter().map(|share| (law.time(*share) / seconds, *share, true)));
    marks.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let knots = marks.into_iter().map(|(time, share, bends)| (time, path_of.values(share), bends)).collect();
    Timed { path: path(knots, path_of.knot(path_of.times().len() - 1)), seconds }
}

#[cfg(test)]
mod tests;
