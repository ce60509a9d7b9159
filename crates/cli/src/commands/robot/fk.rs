//! `freiraum robot fk`: where the links are.

use super::model::{Model, link, pose_json};
use super::table;
use super::values::{self, Values};
use crate::commands::output::{Console, WARN, of_model};
use crate::commands::{Answer, Failure};
use freiraum::geometry::{Pose, Vec3};
use freiraum::question::pose_of_text;
use freiraum::robot::Robot;
use serde_json::{Value, json};

pub(super) const EXAMPLES: &str = "\
Lengths in metres, angles in degrees: roll about x, then pitch about y, then yaw about z. The frame of a link is that of the joint that carries it.
A pose is x,y,z or x,y,z,roll,pitch,yaw or x,y,z,qx,qy,qz,qw.

Exit codes: 0 the joint values are within the limits; 1 some are not; 2 bad input.

Examples:
  freiraum robot fk arm.urdf
  freiraum robot fk arm.urdf --joints \"0,-45,0,-135,0,90,45\" --link flange --tool 0,0,0.1
  freiraum robot fk panda.urdf --srdf panda.srdf --state ready --link panda_hand --jacobian --json";

#[derive(clap::Args)]
pub(in crate::commands) struct Arguments {
    #[command(flatten)]
    model: Model,
    #[command(flatten)]
    values: Values,
    /// Only this link [default: all links]
    #[arg(long, value_name = "NAME")]
    link: Option<String>,
    /// Where the root link stands in the world
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_of_text)]
    base: Option<Pose>,
    /// Where the tool is on the link; needs --link
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_of_text, requires = "link")]
    tool: Option<Pose>,
    /// Tell also how the tool moves with each joint; needs --link
    #[arg(long, requires = "link")]
    jacobian: bool,
}

pub(super) fn run(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    let files = arguments.model.read(console)?;
    let robot = &files.robot;
    let one = arguments.link.as_deref().map(|name| link(robot, Some(name))).transpose()?;
    let values = arguments.values.read(&files, one)?;
    let base = arguments.base.unwrap_or(Pose::IDENTITY);
    let tool = arguments.tool.unwrap_or(Pose::IDENTITY);
    let placement = robot.place(&base, &values);
    let shown: Vec<usize> = one.map_or((0..robot.links().len()).collect(), |link| vec![link]);
    let jacobian = one.filter(|_| arguments.jacobian).map(|link| {
        let found = robot.jacobian(&placement, link, tool.translation());
        found.linear.into_iter().zip(found.angular).collect::<Vec<_>>()
    });
    let (sentences, outside) = values::outside(robot, &values);
    if console.json() {
        let entry = |link: &usize| {
            let mut entry = pose_json(&placement.links[*link]);
            entry["link"] = json!(robot.links()[*link].name);
            entry
        };
        let mut document = json!({
            "robot": robot.name(),
            "joints": values::document(robot, &values),
            "inside_limits": sentences.is_empty(),
            "outside": outside,
            "links": shown.iter().map(entry).collect::<Value>(),
        });
        if let (Some(link), Some(_)) = (one, arguments.tool) {
            document["tool"] = pose_json(&(placement.links[link] * tool));
        }
        if let Some(columns) = &jacobian {
            document["jacobian"] = columns_json(robot, columns);
        }
        console.document(&document);
    } else {
        console.heading(&format!("{} at ({})", robot.name(), values::people(robot, &values)));
        console.gap();
        let reach = placement.links.iter().map(|pose| pose.translation().length()).fold(1.0, f64::max);
        let mut rows: Vec<[String; 3]> = shown
            .iter()
            .map(|link| row(&robot.links()[*link].name, &placement.links[*link], reach))
            .collect();
        if let (Some(link), Some(_)) = (one, arguments.tool) {
            rows.push(row("tool", &(placement.links[link] * tool), reach));
        }
        table::print(console, ["link", "position (m)", "roll, pitch, yaw (deg)"], &rows);
        if let Some(columns) = &jacobian {
            print_jacobian(robot, columns, console);
        }
        if !sentences.is_empty() {
            console.gap();
        }
        for sentence in &sentences {
            let word = console.styled(WARN, "outside of the limits");
            console.text(&format!("  {word}: {sentence}\n"));
        }
    }
    Ok(if sentences.is_empty() { Answer::Good } else { Answer::Bad })
}

/// A link and where it is, for people.
pub(super) fn row(name: &str, pose: &Pose, reach: f64) -> [String; 3] {
    let (roll, pitch, yaw) = pose.to_zyx_euler();
    let angles = [roll, pitch, yaw].map(|x| of_model(x.to_degrees(), 360.0));
    [name.to_owned(), vector(pose.translation(), reach), angles.join(", ")]
}

fn vector(v: Vec3, reach: f64) -> String {
    let [x, y, z] = v.to_array().map(|x| of_model(x, reach));
    format!("({x}, {y}, {z})")
}

fn columns_json(robot: &Robot, columns: &[(Vec3, Vec3)]) -> Value {
    let entry = |(freedom, (linear, angular)): (usize, &(Vec3, Vec3))| {
        let joint = &robot.joints()[robot.freedoms()[freedom]];
        json!({ "joint": joint.name, "linear": linear.to_array(), "angular": angular.to_array() })
    };
    columns.iter().enumerate().map(entry).collect()
}

fn print_jacobian(robot: &Robot, columns: &[(Vec3, Vec3)], console: &mut Console) {
    console.gap();
    let rows: Vec<[String; 3]> = columns
        .iter()
        .enumerate()
        .map(|(freedom, (linear, angular))| {
            let joint = &robot.joints()[robot.freedoms()[freedom]];
            [joint.name.clone(), vector(*linear, 1.0), vector(*angular, 1.0)]
        })
        .collect();
    table::print(console, ["per radian or metre of", "the tool moves (m)", "and turns (rad)"], &rows);
}
