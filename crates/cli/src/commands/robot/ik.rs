//! `freiraum robot ik`: how the robot reaches a pose.

use super::model::{Files, Model, link, pose_json};
use super::values::{self, Values};
use crate::commands::output::{BAD, Console, DIM, GOOD, counted, number};
use crate::commands::{Answer, Failure};
use freiraum::geometry::Pose;
use freiraum::question::pose_of_text;
use freiraum::robot::inverse::{Inverse, Note, Options, Reason, Solution};
use freiraum::robot::{Robot, inverse};
use serde_json::{Value, json};

pub(super) const EXAMPLES: &str = "\
Six-axis arms whose wrist axes meet, or with three parallel axes as UR arms have, and SCARA arms have a closed form: then all solutions are told, and none
means that there is none. All other arms are searched numerically: more solutions may exist. Every solution is checked by forward kinematics.
A pose is x,y,z or x,y,z,roll,pitch,yaw (metres, degrees) or x,y,z,qx,qy,qz,qw. Every solution of a closed form has a configuration (shoulder, elbow, wrist),
as signs and, where that makes sense for the arm, in words (front or back, up or down, noflip or flip); scene files choose one by either.

Exit codes: 0 reached; 1 proven not reachable within the limits; 2 bad input; 3 not found by the numeric search.

Examples:
  freiraum robot ik arm.urdf --pose 0.4,0.1,0.5,180,0,0
  freiraum robot ik arm.urdf --pose 0.4,0.1,0.5,180,0,0 --link flange --tool 0,0,0.1 --joints \"0,-90,90,0,90,0\"
  freiraum robot ik arm.urdf --pose 0.4,0.1,0.5,180,0,0 --json | jq '.solutions[0].joints'";

#[derive(clap::Args)]
pub(in crate::commands) struct Arguments {
    #[command(flatten)]
    model: Model,
    /// Where the tool has to be in the world
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_of_text)]
    pose: Pose,
    #[command(flatten)]
    values: Values,
    /// The link that carries the tool [default: the end of the arm]
    #[arg(long, value_name = "NAME")]
    link: Option<String>,
    /// Where the root link stands in the world
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_of_text)]
    base: Option<Pose>,
    /// Where the tool is on the link
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_of_text)]
    tool: Option<Pose>,
    /// Search numerically also where there is a closed form
    #[arg(long)]
    numeric: bool,
    /// Tell solutions outside of the joint limits too
    #[arg(long)]
    ignore_limits: bool,
    /// Most starts of the numeric search
    #[arg(long, value_name = "N", default_value_t = Options::default().starts)]
    starts: usize,
}

pub(super) fn run(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    let files = arguments.model.read(console)?;
    let robot = &files.robot;
    let link = link(robot, arguments.link.as_deref())?;
    let current = arguments.values.read(&files, Some(link))?;
    let [base, tool] = [arguments.base, arguments.tool].map(|pose| pose.unwrap_or(Pose::IDENTITY));
    let options = Options {
        closed_form: !arguments.numeric,
        keep_limits: !arguments.ignore_limits,
        starts: arguments.starts.max(1),
        ..Options::default()
    };
    let found = inverse(robot, link, &tool, &arguments.pose, &base, &current, &options);
    if console.json() {
        console.document(&document(robot, link, &arguments.pose, &current, &found));
    } else {
        print(&files, link, &current, &found, console);
    }
    // Without limits a solution may be one that the robot cannot take.
    let is_good = |solution: &Solution| robot.outside_limits(&solution.values).is_empty();
    Ok(match &found.reason {
        Some(Reason::NotReached { .. }) => Answer::Undecided,
        _ if found.solutions.iter().any(is_good) => Answer::Good,
        _ => Answer::Bad,
    })
}

fn word(found: &Inverse) -> &'static str {
    match &found.reason {
        None => "reached",
        Some(Reason::OutOfReach { .. }) => "out_of_reach",
        Some(Reason::Orientation { .. }) => "orientation",
        Some(Reason::OutsideLimits { .. }) => "outside_limits",
        Some(Reason::NotReached { .. }) => "not_found",
        Some(Reason::NothingMoves(_)) => "nothing_moves",
        Some(Reason::NotFinite) => "not_finite",
    }
}

/// Why there is no solution, with angles in degrees.
fn why(reason: &Reason) -> String {
    match reason {
        Reason::OutOfReach { by } => format!("out of reach by {} m", number(*by)),
        Reason::Orientation { by } => {
            format!("the tool cannot be turned this way: {} deg off at best", number(by.to_degrees()))
        }
        Reason::NotReached { best, starts } => format!(
            "not found after {}: {} m and {} deg off at best; that does not prove that there is no solution",
            counted(*starts, "start"),
            number(best.position),
            number(best.angle.to_degrees())
        ),
        other => other.to_string(),
    }
}

/// What to know about a solution, for people.
fn notes(robot: &Robot, solution: &Solution) -> Vec<String> {
    let name = |freedom: &usize| robot.joints()[robot.freedoms()[*freedom]].name.as_str();
    let names = |freedoms: &[usize]| freedoms.iter().map(name).collect::<Vec<_>>().join(", ");
    let note = |note: &Note| match note {
        Note::Kept { freedom, because } => format!("{} can have any value: {because}", name(freedom)),
        Note::OtherTurns(freedoms) => format!("also full turns away: {}", names(freedoms)),
        Note::OutsideLimits(freedoms) => format!("outside of the limits: {}", names(freedoms)),
    };
    let singular = solution.singular.iter().map(|singularity| format!("singular: {singularity}"));
    singular.chain(solution.notes.iter().map(note)).collect()
}

fn document(robot: &Robot, link: usize, target: &Pose, current: &[f64], found: &Inverse) -> Value {
    let solution = |solution: &Solution| {
        json!({
            "nearest": solution.nearest,
            "joints": values::document(robot, &solution.values),
            "configuration": solution.configuration.map(|c| c.to_string()),
            "configuration_name": Some(solution.posture.to_string()).filter(|words| !words.is_empty()),
            "residual": solution.residual.position,
            "residual_deg": solution.residual.angle.to_degrees(),
            "inside_limits": robot.outside_limits(&solution.values).is_empty(),
            "singular": solution.singular.iter().map(|s| short(*s)).collect::<Vec<_>>(),
            "notes": notes(robot, solution),
        })
    };
    json!({
        "robot": robot.name(),
        "link": robot.links()[link].name,
        "target": pose_json(target),
        "current": values::document(robot, current),
        "verdict": word(found),
        "method": found.method.to_string(),
        "complete": found.method.is_complete(),
        "solutions": found.solutions.iter().map(solution).collect::<Value>(),
        "outside_limits": found.outside_limits,
        "reason": found.reason.as_ref().map(why),
    })
}

fn short(singularity: freiraum::robot::inverse::Singularity) -> &'static str {
    use freiraum::robot::inverse::Singularity;
    match singularity {
        Singularity::Shoulder => "shoulder",
        Singularity::Elbow => "elbow",
        Singularity::Wrist => "wrist",
    }
}

fn print(files: &Files, link: usize, current: &[f64], found: &Inverse, console: &mut Console) {
    let robot = &files.robot;
    console.heading(&format!("{}, tool on {}", robot.name(), robot.links()[link].name));
    console.fact("method", found.method.to_string());
    console.fact("from", format!("({})", values::people(robot, current)));
    if let Some(reason) = &found.reason {
        let word = console.styled(BAD, "none");
        console.fact("solutions", format!("{word}: {}", why(reason)));
        return;
    }
    let count = counted(found.solutions.len(), "solution");
    let told = match (found.method.is_complete(), found.outside_limits) {
        (true, 0) => "these are all".to_owned(),
        (true, outside) => format!("these are all within the limits; {outside} outside"),
        (false, _) => "found by search; there may be more".to_owned(),
    };
    let head = console.styled(GOOD, &count);
    console.fact("solutions", format!("{head}, {told}"));
    console.gap();
    for (number_of, solution) in found.solutions.iter().enumerate() {
        let mark = if solution.nearest { "nearest" } else { "" };
        let sides = solution.configuration.map_or(String::new(), |c| format!("{c} {}", solution.posture));
        let off = format!(
            "{} m, {} deg off",
            number(solution.residual.position),
            number(solution.residual.angle.to_degrees())
        );
        let off = console.styled(DIM, &off);
        let values = values::people(robot, &solution.values);
        console.text(&format!("  {:>2}  {mark:<7}  {sides:<20}  ({values})  {off}\n", number_of + 1));
        for note in notes(robot, solution) {
            console.text(&format!("             {note}\n"));
        }
    }
}
