//! `freiraum query`: one geometric question about two placed shapes, or many of them as JSON Lines.

mod batch;
mod files;
mod print;

use super::mesh_file::one_of;
use super::output::Console;
use super::progress::Progress;
use super::{Answer, Failure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use files::FileCache;
use freiraum::formats::mesh::Unit;
use freiraum::geometry::{Pose, Vec3};
use freiraum::question::{
    self, Kind, Placed, RayText, ask_pair, pose_of_text, shape_of_argument, vector_of_text,
};
use serde_json::Value;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
A shape is a mesh file, or inline JSON (metres, axis z, centred):
  {\"sphere\":{\"radius\":1}}                   {\"box\":{\"size\":[1,2,3]}}
  {\"cylinder\":{\"radius\":1,\"height\":2}}      {\"capsule\":{\"radius\":1,\"height\":2}}
  {\"cone\":{\"radius\":1,\"height\":2}}          {\"convex\":{\"points\":[[x,y,z],…]}}
  {\"plane\":{\"normal\":[0,0,1],\"offset\":0}}   (solid below)
  {\"mesh\":{\"vertices\":[[x,y,z],…],\"faces\":[[0,1,2],…]}}
  {\"heightfield\":{\"size\":[sx,sy],\"heights\":[[…],…]}}
  {\"compound\":[{\"shape\":SHAPE,\"pose\":[x,y,z]},…]}
Closed meshes are solids, open ones surfaces. Answers are in metres and world coordinates.

A line of a batch: {\"id\":7,\"query\":\"distance\",\"a\":SHAPE,\"b\":SHAPE,\"pose_a\":[…],\"pose_b\":[…]}
or {\"id\":8,\"query\":\"ray\",\"a\":SHAPE,\"origin\":[x,y,z],\"direction\":[x,y,z],\"max\":9}

Exit codes: 0 they are apart, or a ray was answered; 1 they touch or overlap; 2 bad input.
With --batch: 0 if every line was answered, whatever the answers; 2 if a line was bad.

Examples:
  freiraum query distance gear.stl housing.stl --pose-a 0,0,0.1 --units mm
  freiraum query contact '{\"sphere\":{\"radius\":1}}' part.stl --pose-a 0,0,0.4,0,90,0 --json
  freiraum query ray part.stl --origin 0,0,5 --direction 0,0,-1
  freiraum query --batch questions.jsonl > answers.jsonl";

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// What is asked
    #[arg(required_unless_present = "batch", conflicts_with = "batch", value_parser = kind_parser())]
    kind: Option<Kind>,
    /// The first shape: a mesh file or inline JSON
    #[arg(value_name = "A", conflicts_with = "batch")]
    a: Option<OsString>,
    /// The second shape (not for ray)
    #[arg(value_name = "B", conflicts_with = "batch")]
    b: Option<OsString>,
    /// Answer every line of a JSON Lines file; `-` reads stdin
    #[arg(long, value_name = "FILE")]
    batch: Option<PathBuf>,
    /// Where a is: x,y,z, or with roll,pitch,yaw in degrees, or with qx,qy,qz,qw
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_of_text)]
    pose_a: Option<Pose>,
    /// Where b is
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_of_text)]
    pose_b: Option<Pose>,
    /// How a moves; only for toc and clearance, which are not there yet
    #[arg(long, value_name = "JSON")]
    motion_a: Option<String>,
    /// How b moves; only for toc and clearance, which are not there yet
    #[arg(long, value_name = "JSON")]
    motion_b: Option<String>,
    /// Where a ray starts: x,y,z
    #[arg(long, value_name = "POINT", allow_hyphen_values = true, value_parser = vector_of_text)]
    origin: Option<Vec3>,
    /// Where a ray goes: x,y,z of any length
    #[arg(long, value_name = "VECTOR", allow_hyphen_values = true, value_parser = vector_of_text)]
    direction: Option<Vec3>,
    /// How far a ray goes in metres [default: without end]
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true)]
    max: Option<f64>,
    /// Unit of the numbers in mesh files; glTF and inline JSON are in metres always [default: m]
    #[arg(long, value_name = "UNIT", value_parser = one_of::<Unit, _>(Unit::ALL.map(Unit::symbol)))]
    units: Option<Unit>,
}

/// The questions of the contract; help and completions offer those that are answered.
fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    let value =
        |kind: Kind| clap::builder::PossibleValue::new(kind.name()).hide(!Kind::ANSWERED.contains(&kind));
    PossibleValuesParser::new(Kind::ALL.map(value))
        .try_map(|text| Kind::of_name(&text).ok_or("no such query"))
}

pub(super) fn run(
    arguments: &Arguments,
    threads: Option<NonZeroUsize>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let files = FileCache::new(arguments.units.unwrap_or_default());
    if let Some(file) = &arguments.batch {
        refuse_beside_batch(arguments)?;
        let threads = threads.or_else(|| std::thread::available_parallelism().ok());
        return batch::run(file, &files, threads.map_or(1, NonZeroUsize::get), console);
    }
    let Some(kind) = arguments.kind else { return Err(Failure::new("usage", "no query given; see --help")) };
    let progress = Progress::new("reading");
    let answer = match kind {
        Kind::Toc | Kind::Clearance | Kind::Turn => return Err(kind.not_there().into()),
        Kind::Ray => ask_ray(arguments, &files, &progress)?,
        Kind::Intersect | Kind::Distance | Kind::Contact => ask_two(kind, arguments, &files, &progress)?,
    };
    drop(progress);
    if console.json() {
        console.document(&Value::Object(answer.keys()));
    } else {
        print::print(console, &answer);
    }
    Ok(if answer.is_collision() { Answer::Bad } else { Answer::Good })
}

/// Every line of a batch says for itself what these options say; passing them over in silence would be wrong.
fn refuse_beside_batch(arguments: &Arguments) -> Result<(), Failure> {
    let given = [
        ("--pose-a", arguments.pose_a.is_some()),
        ("--pose-b", arguments.pose_b.is_some()),
        ("--motion-a", arguments.motion_a.is_some()),
        ("--motion-b", arguments.motion_b.is_some()),
        ("--origin", arguments.origin.is_some()),
        ("--direction", arguments.direction.is_some()),
        ("--max", arguments.max.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => {
            let key = option.trim_start_matches('-').replace('-', "_");
            let message =
                format!("{option} does not go with --batch; every line has its own, under the key \"{key}\"");
            Err(Failure::new("usage", message))
        }
    }
}

fn ask_two(
    kind: Kind,
    arguments: &Arguments,
    files: &FileCache,
    progress: &Progress,
) -> Result<question::Answer, Failure> {
    let usage = |message: String| Err(Failure::new("usage", message));
    let (Some(a), Some(b)) = (&arguments.a, &arguments.b) else {
        return usage(format!("`query {}` needs two shapes A and B: mesh files or inline JSON", kind.name()));
    };
    if arguments.origin.is_some() || arguments.direction.is_some() || arguments.max.is_some() {
        return usage(format!(
            "--origin, --direction and --max belong to `query ray`, not to `query {}`",
            kind.name()
        ));
    }
    refuse_motion(arguments, kind)?;
    let a = Placed {
        shape: shape_of_argument(a, "A", files)?,
        world_from_shape: arguments.pose_a.unwrap_or(Pose::IDENTITY),
    };
    let b = Placed {
        shape: shape_of_argument(b, "B", files)?,
        world_from_shape: arguments.pose_b.unwrap_or(Pose::IDENTITY),
    };
    progress.now("asking");
    Ok(ask_pair(kind, &a, &b)?)
}

fn ask_ray(
    arguments: &Arguments,
    files: &FileCache,
    progress: &Progress,
) -> Result<question::Answer, Failure> {
    let usage = |message: &str| Err(Failure::new("usage", message));
    let Some(a) = &arguments.a else {
        return usage("`query ray` needs a shape A: a mesh file or inline JSON");
    };
    if arguments.b.is_some() || arguments.pose_b.is_some() {
        return usage("`query ray` is about one shape; leave B and --pose-b out");
    }
    let (Some(origin), Some(direction)) = (arguments.origin, arguments.direction) else {
        return usage("`query ray` needs --origin x,y,z and --direction x,y,z");
    };
    refuse_motion(arguments, Kind::Ray)?;
    let a = Placed {
        shape: shape_of_argument(a, "A", files)?,
        world_from_shape: arguments.pose_a.unwrap_or(Pose::IDENTITY),
    };
    progress.now("asking");
    Ok(question::ask_ray(&a, &RayText { origin, direction, max: arguments.max })?)
}

fn refuse_motion(arguments: &Arguments, kind: Kind) -> Result<(), Failure> {
    if arguments.motion_a.is_none() && arguments.motion_b.is_none() {
        return Ok(());
    }
    let message = format!(
        "--motion-a and --motion-b do not belong to `query {}`: it is about bodies that stand still",
        kind.name()
    );
    Err(Failure::new("motion", message))
}
