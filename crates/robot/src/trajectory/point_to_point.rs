//! From joint values to joint values.

use super::joint_path::JointPath;
use super::knots::timed;
use crate::model::Robot;
use freiraum_geometry::math::power_of_two;

/// How fast a joint turns whose model states no speed, in radians per second: a slow industrial arm.
pub const JOINT_TURN_SPEED: f64 = 1.0;

/// How fast a joint slides whose model states no speed, in metres per second.
pub const JOINT_SLIDE_SPEED: f64 = 0.25;

/// Slower than this, in radians or metres per second, a stated speed is a slip and none: nothing would ever arrive.
const SLOWEST: f64 = f64::EPSILON;

/// A joint that moves takes at least this long, in seconds, however fast it is said to be: what takes no time would not be seen by anybody.
pub const SHORTEST_SECONDS: f64 = power_of_two(-30);

/// A joint that moves takes at least this share of the time of all that is timed with it, so that every motion has a beginning and an end that the clock tells apart.
pub const SHORTEST_SHARE: f64 = power_of_two(-32);

/// How the joints share the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// All start and stop together: the slowest at full speed, the others slower.
    #[default]
    Synchronous,
    /// All start together, each at full speed, and stop when they are there.
    Simultaneous,
    /// One after the other, in the order of the joint values, each at full speed.
    Sequential,
}

/// A path and how long it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// Over t in [0, 1].
    pub path: JointPath,
    /// For the whole of it.
    pub seconds: f64,
}

/// From some joint values to others; `speed` is the share of the full speed of the joints, in (0, 1].
///
/// A joint whose model states no speed moves with [`JOINT_TURN_SPEED`] or [`JOINT_SLIDE_SPEED`]. Values are taken as they are: limits are not looked at, and turns are not
/// shortened. Panics unless there is one value per freedom on both sides, all finite, and `speed` is above 0.
pub fn point_to_point(robot: &Robot, from: &[f64], to: &[f64], mode: Mode, speed: f64) -> Timed {
    assert!(speed > 0.0, "a speed above 0");
    let count = robot.freedoms().len();
    assert!(from.len() == count && to.len() == count, "one value per freedom");
    let mut needed: Vec<f64> = (0..count)
        .map(|freedom| (to[freedom] - from[freedom]).abs() / (speed * full_speed(robot, freedom)))
        .collect();
    let least = (SHORTEST_SHARE * needed.iter().sum::<f64>()).max(SHORTEST_SECONDS);
    for freedom in (0..count).filter(|freedom| to[*freedom] != from[*freedom]) {
        needed[freedom] = needed[freedom].max(least);
    }
    // The times at which joints start and stop, in seconds.
    let spans: Vec<[f64; 2]> = match mode {
        Mode::Synchronous => {
            let longest = needed.iter().copied().fold(0.0, f64::max);
            vec![[0.0, longest]; count]
        }
        Mode::Simultaneous => needed.iter().map(|needed| [0.0, *needed]).collect(),
        Mode::Sequential => {
            let mut at = 0.0;
            let next = |needed: &f64| {
                let start = at;
                at += needed;
                [start, at]
            };
            needed.iter().map(next).collect()
        }
    };
    let mut times: Vec<f64> = spans.iter().flatten().copied().collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let seconds = times.last().copied().unwrap_or(0.0);
    if seconds == 0.0 {
        return Timed { path: JointPath::still(to), seconds };
    }
    let value = |freedom: usize, time: f64| {
        let [start, stop] = spans[freedom];
        if time >= stop {
            to[freedom]
        } else if time <= start {
            from[freedom]
        } else {
            from[freedom] + (time - start) / (stop - start) * (to[freedom] - from[freedom])
        }
    };
    let knots =
        times.iter().map(|time| (time / seconds, (0..count).map(|f| value(f, *time)).collect(), true));
    timed(knots.collect(), to, seconds)
}

/// The largest speed of a freedom at which neither its joint nor one that follows it is too fast, in radians or metres per second.
pub(crate) fn full_speed(robot: &Robot, freedom: usize) -> f64 {
    let mut least = f64::INFINITY;
    for (number, joint) in robot.joints().iter().enumerate() {
        if let Some((of, factor)) = robot.rate(number)
            && of == freedom
            && factor != 0.0
        {
            let usual = if joint.kind.turns() { JOINT_TURN_SPEED } else { JOINT_SLIDE_SPEED };
            least = least.min(joint.velocity.filter(|v| *v >= SLOWEST).unwrap_or(usual) / factor.abs());
        }
    }
    least.max(SLOWEST)
}
