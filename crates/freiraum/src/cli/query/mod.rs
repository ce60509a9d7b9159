//! `freiraum query`: one geometric question about two placed shapes, or many of them as JSON Lines.

mod batch;
mod json;
mod pose;
mod question;
mod ray;
mod shape;

use super::output::{BAD, Console, GOOD};
use super::{Answer, Failure};
use freiraum::formats::mesh::Unit;
use freiraum::geometry::{Pose, Vec3};
use question::{Found, Kind, Placed, ask_pair, not_there};
use serde_json::Value;
use shape::Shapes;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
A shape is a mesh file, or inline JSON (metres, axis z, centred):
  {\"sphere\":{\"radius\":1}}                 {\"box\":{\"size\":[1,2,3]}}
  {\"cylinder\":{\"radius\":1,\"height\":2}}    {\"capsule\":{\"radius\":1,\"height\":2}}  {\"cone\":{\"radius\":1,\"height\":2}}
  {\"plane\":{\"normal\":[0,0,1],\"offset\":0}} (solid below)  {\"convex\":{\"points\":[[x,y,z],…]}}
  {\"mesh\":{\"vertices\":[…],\"faces\":[…]}}   {\"heightfield\":{\"size\":[sx,sy],\"heights\":[[…],…]}}
  {\"compound\":[{\"shape\":…,\"pose\":[…]},…]}
Closed meshes are solids, open ones surfaces. Answers are in world coordinates.

Exit codes: 0 the shapes are apart (or a ray was answered), 1 they touch or overlap, 2 bad input. With --batch: 0 if
every line was answered, whatever the answers, 2 if a line was bad.

Examples:
  freiraum query distance gear.stl housing.stl --pose-a 0,0,0.1 --units mm
  freiraum query contact '{\"box\":{\"size\":[1,1,1]}}' '{\"plane\":{\"normal\":[0,0,1],\"offset\":0}}' --pose-a 0,0,0.4 --json
  freiraum query ray part.stl --origin 0,0,5 --direction 0,0,-1
  freiraum query --batch questions.jsonl > answers.jsonl";

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// What is asked
    #[arg(value_enum, required_unless_present = "batch", conflicts_with = "batch")]
    kind: Option<Kind>,
    /// The first shape: a mesh file or inline JSON
    #[arg(value_name = "A", conflicts_with = "batch")]
    a: Option<String>,
    /// The second shape (not for ray)
    #[arg(value_name = "B", conflicts_with = "batch")]
    b: Option<String>,
    /// Answer every line of a JSON Lines file; `-` reads stdin
    #[arg(long, value_name = "FILE")]
    batch: Option<PathBuf>,
    /// Where a is: x,y,z, or with roll,pitch,yaw in degrees, or with qx,qy,qz,qw
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose::pose_of_text)]
    pose_a: Option<Pose>,
    /// Where b is
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose::pose_of_text)]
    pose_b: Option<Pose>,
    /// How a moves; only for toc and clearance, which are not there yet
    #[arg(long, value_name = "JSON")]
    motion_a: Option<String>,
    /// How b moves; only for toc and clearance, which are not there yet
    #[arg(long, value_name = "JSON")]
    motion_b: Option<String>,
    /// Where a ray starts: x,y,z
    #[arg(long, value_name = "POINT", allow_hyphen_values = true, value_parser = pose::vector_of_text)]
    origin: Option<Vec3>,
    /// Where a ray goes: x,y,z of any length
    #[arg(long, value_name = "VECTOR", allow_hyphen_values = true, value_parser = pose::vector_of_text)]
    direction: Option<Vec3>,
    /// How far a ray goes in metres [default: without end]
    #[arg(long, value_name = "LENGTH")]
    max: Option<f64>,
    /// Unit of the numbers in mesh files: m, cm, mm, um, in, ft [default: m]
    #[arg(long, value_name = "UNIT")]
    units: Option<Unit>,
}

pub(super) fn run(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    let mut shapes = Shapes::new(arguments.units.unwrap_or_default());
    if let Some(file) = &arguments.batch {
        return run_batch(file, &mut shapes);
    }
    let Some(kind) = arguments.kind else { return Err(Failure::new("usage", "no query given; see --help")) };
    let found = match kind {
        Kind::Toc | Kind::Clearance | Kind::Turn => return Err(not_there(kind)),
        Kind::Ray => ask_ray(arguments, &mut shapes)?,
        Kind::Intersect | Kind::Distance | Kind::Contact => ask_two(kind, arguments, &mut shapes)?,
    };
    if console.json() {
        console.document(&Value::Object(found.keys.clone()));
    } else {
        print(console, &found);
    }
    Ok(found.verdict)
}

fn run_batch(file: &Path, shapes: &mut Shapes) -> Result<Answer, Failure> {
    let mut output = BufWriter::new(std::io::stdout().lock());
    if file.as_os_str() == "-" {
        return batch::answer_lines(&mut std::io::stdin().lock(), &mut output, shapes);
    }
    let opened = File::open(file).map_err(|e| {
        Failure::new("batch_file", format!("{}: {e}; expected a file of JSON lines, or - for stdin", file.display()))
    })?;
    batch::answer_lines(&mut BufReader::new(opened), &mut output, shapes)
}

fn ask_two(kind: Kind, arguments: &Arguments, shapes: &mut Shapes) -> Result<Found, Failure> {
    let usage = |message: String| Err(Failure::new("usage", message));
    let (Some(a), Some(b)) = (&arguments.a, &arguments.b) else {
        return usage(format!("`query {}` needs two shapes A and B: mesh files or inline JSON", kind.name()));
    };
    if arguments.origin.is_some() || arguments.direction.is_some() || arguments.max.is_some() {
        return usage(format!("--origin, --direction and --max belong to `query ray`, not to `query {}`", kind.name()));
    }
    refuse_motion(arguments, kind)?;
    let a = Placed { shape: shapes.of_argument(a, "A")?, world_from_shape: arguments.pose_a.unwrap_or(Pose::IDENTITY) };
    let b = Placed { shape: shapes.of_argument(b, "B")?, world_from_shape: arguments.pose_b.unwrap_or(Pose::IDENTITY) };
    ask_pair(kind, &a, &b)
}

fn ask_ray(arguments: &Arguments, shapes: &mut Shapes) -> Result<Found, Failure> {
    let usage = |message: &str| Err(Failure::new("usage", message));
    let Some(a) = &arguments.a else { return usage("`query ray` needs a shape A: a mesh file or inline JSON") };
    if arguments.b.is_some() || arguments.pose_b.is_some() {
        return usage("`query ray` is about one shape; leave B and --pose-b out");
    }
    let (Some(origin), Some(direction)) = (arguments.origin, arguments.direction) else {
        return usage("`query ray` needs --origin x,y,z and --direction x,y,z");
    };
    refuse_motion(arguments, Kind::Ray)?;
    let a = Placed { shape: shapes.of_argument(a, "A")?, world_from_shape: arguments.pose_a.unwrap_or(Pose::IDENTITY) };
    ray::ask_ray(&a, &ray::RayText { origin, direction, max: arguments.max })
}

fn refuse_motion(arguments: &Arguments, kind: Kind) -> Result<(), Failure> {
    if arguments.motion_a.is_none() && arguments.motion_b.is_none() {
        return Ok(());
    }
    let message =
        format!("--motion-a and --motion-b do not belong to `query {}`: it is about bodies that stand still", kind.name());
    Err(Failure::new("motion", message))
}

/// The answer for people: one line per key.
fn print(console: &mut Console, found: &Found) {
    if let Some(Value::Bool(intersects)) = found.keys.get("intersects") {
        let (style, word) = if *intersects { (BAD, "they touch or overlap") } else { (GOOD, "apart") };
        let line = format!("{}\n", console.styled(style, word));
        console.text(&line);
    }
    for (key, value) in &found.keys {
        match value {
            Value::Array(items) if items.iter().any(Value::is_object) => {
                for item in items {
                    console.fact(key, plain(item));
                }
            }
            other => console.fact(key, plain(other)),
        }
    }
}

/// A value in as few characters as it takes.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(b) => if *b { "yes" } else { "no" }.to_owned(),
        Value::Number(n) => n.as_f64().map_or_else(|| n.to_string(), super::output::number),
        Value::String(s) => s.replace('_', " "),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => format!("({})", items.iter().map(plain).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => map.iter().map(|(k, v)| format!("{k} {}", plain(v))).collect::<Vec<_>>().join("  "),
    }
}
