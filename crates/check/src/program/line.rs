//! Tool poses as joint values, and straight lines of the tool.

use super::schedule::tool;
use crate::words::{decimals, degrees, length, percent};
use freiraum_geometry::{Pose, Unit};
use freiraum_robot::inverse::{Inverse, Note, Options, Reason, Solution, Wanted};
use freiraum_robot::trajectory::{Deviation, Line, LineError, LineTrouble, Timed};
use freiraum_scene::{LineEnd, Place, PlacedRobot, Problem};

/// The joint values nearest to those before at which the tool centre point is at a pose, in the wanted configuration.
pub(super) fn nearest_values(
    robot: &PlacedRobot,
    pose: &Pose,
    wanted: Option<&Wanted>,
    before: &[f64],
    units: Unit,
    place: Place,
) -> Result<Vec<f64>, Problem> {
    let found = inverse(robot, pose, before, &Options::default());
    let fitting = found.solutions.iter().find(|one| wanted.is_none_or(|wanted| wanted.admits(one)));
    if let Some(nearest) = fitting {
        return Ok(nearest.values.clone());
    }
    if let (Some(wanted), false) = (wanted, found.solutions.is_empty()) {
        return Err(no_such_configuration(robot, pose, wanted, &found, before, units, place));
    }
    let why = found.reason.as_ref().map_or(String::new(), |reason| format!(": {}", why(reason, units)));
    let message =
        format!("the tool of {:?} cannot get to the pose at {}{why}", robot.name, position(pose, units));
    Err(Problem::new(place, message).help(advice(found.reason.as_ref())))
}

fn inverse(robot: &PlacedRobot, pose: &Pose, before: &[f64], options: &Options) -> Inverse {
    let (flange, tool) = (robot.flange, &robot.flange_from_tool);
    freiraum_robot::inverse(&robot.model, flange, tool, pose, &robot.base, before, options)
}

/// The pose can be reached, but not like this.
fn no_such_configuration(
    robot: &PlacedRobot,
    pose: &Pose,
    wanted: &Wanted,
    found: &Inverse,
    before: &[f64],
    units: Unit,
    place: Place,
) -> Problem {
    let at = position(pose, units);
    if !found.method.is_complete() {
        let message = format!(
            "{:?} has no named configurations: its joint values for a pose are searched numerically",
            robot.name
        );
        return Problem::new(place, message).help("leave the configuration out, or give joint values");
    }
    let mut others: Vec<String> = Vec::new();
    for name in found.solutions.iter().filter_map(Solution::name) {
        if !others.contains(&name) {
            others.push(name);
        }
    }
    if let Some(word) = found.solutions.first().and_then(|one| wanted.unknown_word(one)) {
        let message = format!(
            "{word:?} says nothing about an arm such as {:?}; these reach the pose at {at}: {}",
            robot.name,
            others.join(", ")
        );
        return Problem::new(place, message).help("choose by the three signs, such as \"+-*\"");
    }
    // Perhaps it is only the limits.
    let free = inverse(robot, pose, before, &Options { keep_limits: false, ..Options::default() });
    let missed = free.solutions.iter().filter(|one| wanted.admits(one)).flat_map(|one| &one.notes);
    let mut joints: Vec<&str> = Vec::new();
    for freedom in missed.flat_map(|note| match note {
        Note::OutsideLimits(freedoms) => freedoms.as_slice(),
        _ => &[],
    }) {
        if !joints.contains(&robot.joint_name(*freedom)) {
            joints.push(robot.joint_name(*freedom));
        }
    }
    let limits = match joints.as_slice() {
        [] => String::new(),
        joints => format!(" within the limits of {}", joints.join(", ")),
    };
    let message = format!(
        "no configuration {wanted:?} of {:?} reaches the pose at {at}{limits}; these do: {}",
        robot.name,
        others.join(", "),
        wanted = wanted.to_string()
    );
    Problem::new(place, message)
        .help("choose one of them, or leave the configuration out for the nearest one")
}

/// The tool centre point on a straight line.
pub(super) fn line(
    robot: &PlacedRobot,
    to: &LineEnd,
    speed: f64,
    before: &[f64],
    units: Unit,
    place: Place,
) -> Result<Timed, Problem> {
    let start = tool(robot, before);
    let to = match to {
        LineEnd::Pose(pose) => *pose,
        LineEnd::By(by) => Pose::from_translation(*by) * start,
    };
    let asked = Line {
        link: robot.flange,
        link_from_tool: robot.flange_from_tool,
        base: robot.base,
        from: before,
        to,
        speed,
        deviation: Deviation::default(),
    };
    freiraum_robot::trajectory::line(&robot.model, &asked)
        .map_err(|error| refused(robot, &start, &to, &error, units, place))
}

fn refused(
    robot: &PlacedRobot,
    start: &Pose,
    to: &Pose,
    error: &LineError,
    units: Unit,
    place: Place,
) -> Problem {
    let whole = to.translation().distance(start.translation());
    let far = if whole > 0.0 {
        format!("{} of {}", length(error.share * whole, units), length(whole, units))
    } else {
        format!("{} of the turn", percent(error.share))
    };
    let joint = |number: usize| &robot.model.joints()[number];
    let show = |number: usize, value: f64| {
        if joint(number).kind.turns() { degrees(value) } else { length(value, units) }
    };
    let (why, help) = match &error.trouble {
        LineTrouble::Limit { joint: number, value } => (
            format!("joint {:?} is at its limit of {}", joint(*number).name, show(*number, *value)),
            "start the line with other joint values (ptp to another inverse solution), or go there by ptp",
        ),
        LineTrouble::Jump { joint: number, from, to, singular } => {
            let names: Vec<String> = singular.iter().map(ToString::to_string).collect();
            let at = if names.is_empty() {
                String::new()
            } else {
                format!("; the arm is singular there: {}", names.join(", "))
            };
            (
                format!(
                    "joint {:?} would have to jump from {} to {}{at}",
                    joint(*number).name,
                    show(*number, *from),
                    show(*number, *to)
                ),
                "go there by ptp, or lead the line past this place",
            )
        }
        LineTrouble::Unreachable(reason) => (why(reason, units), advice(Some(reason))),
        LineTrouble::TooFine => {
            ("the joints would have to move too unevenly there".to_owned(), "go there by ptp")
        }
    };
    let at = position(&error.pose, units);
    let message =
        format!("the tool of {:?} gets {far} along the line, to {at}, and no farther: {why}", robot.name);
    Problem::new(place, message).help(help)
}

/// `[120, -3.5, 400] mm`.
fn position(pose: &Pose, units: Unit) -> String {
    let at = pose.translation().to_array().map(|x| decimals(units.from_metres(x), 4));
    format!("[{}] {}", at.join(", "), crate::words::symbol(units))
}

fn why(reason: &Reason, units: Unit) -> String {
    match reason {
        Reason::OutOfReach { by } => format!("it is out of reach by {}", length(*by, units)),
        Reason::Orientation { by } => {
            format!("the arm gets there, but cannot turn the tool like this; {} are missing", degrees(*by))
        }
        Reason::NotReached { best, .. } => format!(
            "the search ended {} and {} away from it",
            length(best.position, units),
            degrees(best.angle)
        ),
        Reason::OutsideLimits { .. } | Reason::NothingMoves(_) | Reason::NotFinite => reason.to_string(),
    }
}

fn advice(reason: Option<&Reason>) -> &'static str {
    match reason {
        Some(Reason::OutsideLimits { .. }) => {
            "`freiraum robot ik` lists the solutions and the limits that they miss"
        }
        Some(Reason::NotReached { .. }) => {
            "this does not prove that there is no way: start nearer to it, or give joint values"
        }
        _ => "move the pose, or the base of the robot",
    }
}
