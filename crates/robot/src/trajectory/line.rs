//! The tool on a straight line.
//!
//! From knot to knot the joint values follow by Newton's method from those before. Between two knots the joints move evenly and the tool nearly on the line: it is on it at both
//! ends, and where it is beside the line in between is a function with the second derivative of the tool point's path, which the joints bound
//! ([`LinkMotion`]). An eighth of that bound is the most that the tool is off, so the knots are as dense as they have to be and no denser. A jump to another branch of
//! solutions would take the tool off the line, and cannot pass.

use super::joint_path::JointPath;
use super::link_motion::LinkMotion;
use super::point_to_point::{JOINT_TURN_SPEED, Timed, full_speed};
use crate::inverse::{Follower, Options, Reason, Singularity, inverse};
use crate::model::Robot;
use freiraum_geometry::Pose;
use freiraum_geometry::math::{Screw, rounding};
use freiraum_geometry::path::{Ball, Motion};
use freiraum_geometry::tolerance::{
    LINE_DEVIATION, LINE_SHORTEST_RELATIVE, LINE_TURN_DEVIATION, REACHED_RELATIVE,
};
use std::sync::Arc;

/// Knots that a line may have at most, whatever it is asked to keep to.
const MOST_KNOTS: usize = 100_000;

/// What the tool is told to do.
#[derive(Clone, Copy, Debug)]
pub struct Line<'l> {
    /// The number of the link that carries the tool.
    pub link: usize,
    /// Where the tool centre point is on it.
    pub link_from_tool: Pose,
    /// Where the root link stands.
    pub base: Pose,
    /// Joint values at the start.
    pub from: &'l [f64],
    /// Where the tool goes, in the world: straight, turning evenly by the shortest rotation ([`Pose::interpolated`]).
    pub to: Pose,
    /// Of the tool centre point, in metres per second.
    pub speed: f64,
    /// How far it may be off the line.
    pub deviation: Deviation,
}

/// How far a tool may be off its line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// In metres.
    pub position: f64,
    /// In radians.
    pub angle: f64,
}

impl Default for Deviation {
    fn default() -> Deviation {
        Deviation { position: LINE_DEVIATION, angle: LINE_TURN_DEVIATION }
    }
}

/// Where a line cannot be followed, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct LineError {
    /// The share of the line that can.
    pub share: f64,
    /// Where the tool is there, in the world.
    pub pose: Pose,
    /// The joint values there.
    pub values: Vec<f64>,
    /// What is in the way.
    pub trouble: LineTrouble,
}

/// What is in the way of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum LineTrouble {
    /// A joint would leave its limits.
    Limit {
        /// The number of the joint.
        joint: usize,
        /// Its value there.
        value: f64,
    },
    /// The tool could get on, but a joint would have to jump: a singularity, or the end of a branch of solutions.
    Jump {
        /// The number of the joint that would have to go farthest.
        joint: usize,
        /// From what value to what value.
        from: f64,
        /// The nearest value at which the tool gets on.
        to: f64,
        /// The singularities that the arm is at there, as far as they have names.
        singular: Vec<Singularity>,
    },
    /// The tool cannot get there.
    Unreachable(Reason),
    /// It would take more than a hundred thousand knots to keep to the deviation.
    TooFine,
}

/// The joint values that move the tool on a straight line, at constant speed.
///
/// **Guarantee.** At every time the tool point is within the deviation of where the line has it then, and the tool is turned by no more than that beside it: proven, to the rounding of coordinates. At the
/// knots, both ends among them, it is there to within a billionth of the arm's size. Joint values are within their limits. If a joint would be too fast for the speed the whole line is
/// slower; what turns in place takes a second per radian or longer. Panics unless there is one finite value per freedom, within the limits, and speed and deviations are above 0.
pub fn line(robot: &Robot, line: &Line) -> Result<Timed, Box<LineError>> {
    assert!(line.speed > 0.0 && line.deviation.position > 0.0 && line.deviation.angle > 0.0, "above 0");
    let tool = |values: &[f64]| robot.place(&line.base, values).links[line.link] * line.link_from_tool;
    let start = tool(line.from);
    let fail = |share: f64, values: &[f64], trouble| {
        let pose = start.interpolated(&line.to, share);
        Err(Box::new(LineError { share, pose, values: values.to_vec(), trouble }))
    };
    let length = line.to.translation().distance(start.translation());
    let angle = match start.screw_to(&line.to) {
        Screw::Translation(_) => 0.0,
        Screw::Rotation(between) => between.angle,
    };
    if length == 0.0 && angle == 0.0 {
        return Ok(Timed { path: JointPath::still(line.from), seconds: 0.0 });
    }
    let Some(mut follower) = Follower::new(robot, line.link, &line.link_from_tool, &line.base) else {
        let name = robot.links()[line.link].name.clone();
        return fail(0.0, line.from, LineTrouble::Unreachable(Reason::NothingMoves(name)));
    };
    let farthest = line.to.translation().length().max(start.translation().length());
    let reached = REACHED_RELATIVE * follower.size() + 8.0 * rounding::coordinate(farthest);
    let mut knots = vec![(0.0, line.from.to_vec())];
    let (mut share, mut step, mut seconds) = (0.0, 1.0 / 16.0, length / line.speed);
    seconds = f64::max(seconds, angle / JOINT_TURN_SPEED);
    while share < 1.0 {
        // The rest in one or two equal pieces, not a long one and a crumb.
        let rest = 1.0 - share;
        let by = if step >= rest {
            rest
        } else if 2.0 * step > rest {
            0.5 * rest
        } else {
            step
        };
        let next_share = if by == rest { 1.0 } else { share + by };
        let before = &knots[knots.len() - 1].1;
        let mut next = before.clone();
        let left = follower.follow(&start.interpolated(&line.to, next_share), &mut next, true);
        let is_there = left.position <= reached && left.angle <= REACHED_RELATIVE;
        let off = if is_there { off(robot, line, before, &next, angle * by) } else { [f64::INFINITY; 2] };
        let worst = ((off[0] + left.position) / line.deviation.position)
            .max((off[1] + left.angle) / line.deviation.angle);
        // What a piece is off by grows with the square of its length.
        let factor = 0.9 / worst.sqrt();
        if worst <= 1.0 {
            seconds = seconds.max(slowest(robot, before, &next) / by);
            knots.push((next_share, next));
            (share, step) = (next_share, by * factor.min(4.0));
        } else {
            step = by * factor.clamp(1.0 / 16.0, 0.5);
            if step < LINE_SHORTEST_RELATIVE {
                let trouble = trouble(robot, line, &mut follower, before, &start, share, reached);
                return fail(share, before, trouble);
            }
        }
        if knots.len() > MOST_KNOTS {
            return fail(share, &knots[knots.len() - 1].1, LineTrouble::TooFine);
        }
    }
    let path = JointPath::new(knots).expect("finite values at ascending shares");
    Ok(Timed { path, seconds })
}

/// The most that the tool is off between two knots, when it is on the line at both and the line turns by `angle`: metres, radians.
fn off(robot: &Robot, line: &Line, from: &[f64], to: &[f64], angle: f64) -> [f64; 2] {
    let path = JointPath::new(vec![(0.0, from.to_vec()), (1.0, to.to_vec())]).expect("two knots");
    let motion = LinkMotion::new(robot, line.link, Pose::IDENTITY, Arc::new(path));
    let ball = Ball { center: line.link_from_tool.translation(), radius: 0.0 };
    let position = 0.125 * motion.acceleration(&ball, 0.0, 1.0);
    // The same for the tip of any unit vector of the tool, which turns with what the joints turn by and, on the line, by the angle.
    let turn = |joint: usize| {
        let (freedom, factor) = robot.rate(joint)?;
        robot.joints()[joint].kind.turns().then(|| (factor * (to[freedom] - from[freedom])).abs())
    };
    let turned: f64 = robot.way_to(line.link).into_iter().filter_map(turn).sum();
    let tip = 0.125 * (turned * turned + angle * angle);
    [position, 2.0 * (0.5 * tip).min(1.0).asin() * (1.0 + 8.0 * f64::EPSILON)]
}

/// The seconds that the joints need at least, at full speed.
fn slowest(robot: &Robot, from: &[f64], to: &[f64]) -> f64 {
    let needed =
        (0..from.len()).map(|freedom| (to[freedom] - from[freedom]).abs() / full_speed(robot, freedom));
    needed.fold(0.0, f64::max)
}

/// What keeps the tool from getting on.
fn trouble(
    robot: &Robot,
    line: &Line,
    follower: &mut Follower,
    before: &[f64],
    start: &Pose,
    share: f64,
    reached: f64,
) -> LineTrouble {
    // A little farther, so that a limit or the edge of the reach is behind.
    let target = start.interpolated(&line.to, (share + 64.0 * LINE_SHORTEST_RELATIVE).min(1.0));
    let mut beyond = before.to_vec();
    let left = follower.follow(&target, &mut beyond, false);
    let is_near = beyond.iter().zip(before).all(|(a, b)| (a - b).abs() < 0.5);
    if left.position <= reached
        && left.angle <= REACHED_RELATIVE
        && is_near
        && let Some((_, joint, _)) = robot.outside_limits(&beyond).first()
    {
        return LineTrouble::Limit { joint: *joint, value: robot.joint_value(*joint, before) };
    }
    let options = Options { solutions: 1, ..Options::default() };
    let there = inverse(robot, line.link, &line.link_from_tool, &target, &line.base, before, &options);
    let Some(nearest) = there.nearest() else {
        return LineTrouble::Unreachable(there.reason.unwrap_or(Reason::NotFinite));
    };
    let here = start.interpolated(&line.to, share);
    let here = inverse(robot, line.link, &line.link_from_tool, &here, &line.base, before, &options);
    let way = |freedom: &usize| (nearest.values[*freedom] - before[*freedom]).abs();
    let farthest = (0..before.len()).max_by(|a, b| way(a).total_cmp(&way(b)));
    let freedom = farthest.unwrap_or_default();
    LineTrouble::Jump {
        joint: robot.freedoms()[freedom],
        from: before[freedom],
        to: nearest.values[freedom],
        singular: here.nearest().map_or(Vec::new(), |nearest| nearest.singular.clone()),
    }
}

impl std::fmt::Display for LineTrouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LineTrouble::Limit { joint, .. } => write!(f, "joint number {joint} is at its limit"),
            LineTrouble::Jump { joint, from, to, .. } => {
                write!(f, "joint number {joint} would have to jump from {from} to {to}")
            }
            LineTrouble::Unreachable(reason) => write!(f, "the tool cannot get there: {reason}"),
            LineTrouble::TooFine => write!(f, "it takes too many knots to keep to the deviation"),
        }
    }
}

impl std::fmt::Display for LineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at the share {} of the line: {}", self.share, self.trouble)
    }
}

impl std::error::Error for LineError {}

#[cfg(test)]
mod tests;
