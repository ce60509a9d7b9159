//! `freiraum query`: one geometric question about two placed shapes, or many of them as JSON Lines.

mod arguments;
mod batch;
mod files;
mod print;
mod print_motion;

pub(super) use arguments::Arguments;

use super::output::Console;
use super::progress::Progress;
use super::{Answer, Failure};
use files::FileCache;
use freiraum::geometry::Pose;
use freiraum::geometry::path::Axis;
use freiraum::query::Prepared;
use freiraum::question::{
    self, ClearanceQuestion, ContactRequest, Figure, Kind, Moving, Outcome, Placed, PlacedFigure, RayText,
    WrittenMotion, ask_clearance, ask_contact_time, ask_distance, ask_pair, ask_turn, figure_of_argument,
    motion_of_text, shape_of_argument,
};
use serde_json::Value;
use std::ffi::OsString;
use std::num::NonZeroUsize;

pub(super) const EXAMPLES: &str = "\
A shape is a mesh file, or inline JSON (axis z, centred):
  {\"sphere\":{\"radius\":1}}                   {\"box\":{\"size\":[1,2,3]}}
  {\"cylinder\":{\"radius\":1,\"height\":2}}      {\"capsule\":{\"radius\":1,\"height\":2}}
  {\"cone\":{\"radius\":1,\"height\":2}}          {\"convex\":{\"points\":[[x,y,z],…]}}
  {\"plane\":{\"normal\":[0,0,1],\"offset\":0}}   (solid below)
  {\"mesh\":{\"vertices\":[[x,y,z],…],\"faces\":[[0,1,2],…]}}
  {\"heightfield\":{\"size\":[sx,sy],\"heights\":[[…],…]}}
  {\"compound\":[{\"shape\":SHAPE,\"pose\":[x,y,z]},…]}
For `distance` alone, what has no volume:
  {\"point\":[x,y,z]}   {\"segment\":[[x,y,z],[x,y,z]]}   {\"triangle\":[[x,y,z],[x,y,z],[x,y,z]]}
  {\"line\":{\"point\":[x,y,z],\"direction\":[x,y,z]}}   {\"ray\":{\"origin\":[x,y,z],\"direction\":[x,y,z]}}
  {\"rectangle\":{\"center\":[x,y,z],\"u\":[x,y,z],\"v\":[x,y,z]}}   (half edges)
  {\"arc\":{\"center\":[x,y,z],\"axis\":[x,y,z],\"start\":[x,y,z],\"degrees\":90}}   (the way of start about the axis)
Closed shells of meshes are solids, height fields are solid below. What is inside of a surface that bounds no solid is
unknown, unless it is declared a sheet. Lengths are in metres, or in what --units
says, in the question and in the answer alike; answers are in world coordinates.

A line of a batch: {\"id\":7,\"query\":\"distance\",\"a\":SHAPE,\"b\":SHAPE,\"pose_a\":[…],\"pose_b\":[…]}
or {\"id\":8,\"query\":\"ray\",\"a\":SHAPE,\"origin\":[x,y,z],\"direction\":[x,y,z],\"max\":9}
or {\"id\":9,\"query\":\"toc\",\"a\":SHAPE,\"b\":SHAPE,\"motion_a\":MOTION,\"motion_b\":MOTION}
or {\"id\":1,\"define\":\"gear\",\"shape\":SHAPE}: in the lines that follow, \"a\":\"gear\" is that shape, prepared once.
Lines with \"track\":\"name\" beside \"query\":\"distance\" follow a pair of convex shapes that moves a little from line to line.

A motion runs over t from 0 to 1 and starts at the pose (degrees, world coordinates):
  {\"still\":{}}   {\"translate\":[x,y,z]}   {\"to\":[x,y,z,roll,pitch,yaw]}
  {\"path\":[MOTION,…]}, each with \"share\":0.3 of the time if it is not to be equal
  {\"rotate\":{\"point\":[x,y,z],\"axis\":[x,y,z],\"degrees\":90}}
  {\"screw\":{\"point\":[x,y,z],\"axis\":[x,y,z],\"degrees\":90,\"advance\":0.1}}

Exit codes: 0 they are apart, or a ray was answered; 1 they touch, overlap or come too close;
2 bad input; 3 undecided.
With --batch: 0 if every line was answered, whatever the answers; 2 if a line was bad.

Examples:
  freiraum query distance gear.stl housing.stl --pose-a 0,0,100 --units mm
  freiraum query contact '{\"sphere\":{\"radius\":1}}' part.stl --pose-a 0,0,0.4,0,90,0 --json
  freiraum query ray part.stl --origin 0,0,5 --direction 0,0,-1
  freiraum query toc peg.stl hole.stl --pose-a 0,0,0.05 --motion-a '{\"translate\":[0,0,-0.05]}'
  freiraum query clearance lid.stl box.stl --motion-a '{\"translate\":[0,0,1]}' --at-least 0.002
  freiraum query turn door.stl frame.stl --axis 0,0,0,0,0,1
  freiraum query --batch questions.jsonl > answers.jsonl";

pub(super) fn run(
    arguments: &Arguments,
    threads: Option<NonZeroUsize>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let files = FileCache::default();
    if let Some(file) = &arguments.batch {
        arguments.refuse_beside_batch()?;
        let threads = threads.or_else(|| std::thread::available_parallelism().ok());
        return batch::run(file, arguments.units(), &files, threads.map_or(1, NonZeroUsize::get), console);
    }
    let Some(kind) = arguments.kind else { return Err(Failure::new("usage", "no query given; see --help")) };
    arguments.refuse_others(kind)?;
    let asked = Asked { kind, arguments, files: &files, progress: Progress::new("reading") };
    let (answer, motions) = match kind {
        Kind::Ray => (asked.ray()?, Vec::new()),
        Kind::Distance => (asked.distance()?, Vec::new()),
        Kind::Intersect | Kind::Contact => (asked.pair()?, Vec::new()),
        Kind::Toc | Kind::Clearance => asked.moving()?,
        Kind::Turn => (asked.turn()?, Vec::new()),
    };
    drop(asked);
    if console.json() {
        console.document(&Value::Object(answer.keys(arguments.units())));
    } else {
        print::print(console, &answer, &motions, arguments.sheets()?, arguments.units());
    }
    Ok(match answer.outcome() {
        Outcome::Good => Answer::Good,
        Outcome::Bad => Answer::Bad,
        Outcome::Undecided => Answer::Undecided,
    })
}

/// One question on the command line.
struct Asked<'c> {
    kind: Kind,
    arguments: &'c Arguments,
    files: &'c FileCache,
    progress: Progress,
}

impl Asked<'_> {
    fn usage<T>(&self, message: &str) -> Result<T, Failure> {
        Err(Failure::new("usage", format!("`query {}` {message}", self.kind.name())))
    }

    fn texts(&self) -> Result<[&OsString; 2], Failure> {
        match (&self.arguments.a, &self.arguments.b) {
            (Some(a), Some(b)) => Ok([a, b]),
            _ => self.usage("needs two shapes A and B: mesh files or inline JSON"),
        }
    }

    fn both(&self) -> Result<[Placed; 2], Failure> {
        let arguments = self.arguments;
        let [a, b] = self.texts()?;
        let units = arguments.units();
        let are_sheets = arguments.sheets()?;
        let declared = |shape: Prepared, name: &str, is_sheet: bool| {
            if is_sheet { question::declared_sheet(&shape, name) } else { Ok(shape) }
        };
        let a = Placed {
            shape: declared(shape_of_argument(a, "A", units, self.files)?, "--sheet: A", are_sheets[0])?,
            world_from_shape: arguments.pose(arguments.pose_a),
        };
        let b = Placed {
            shape: declared(shape_of_argument(b, "B", units, self.files)?, "--sheet: B", are_sheets[1])?,
            world_from_shape: arguments.pose(arguments.pose_b),
        };
        self.progress.now("asking");
        Ok([a, b])
    }

    fn pair(&self) -> Result<question::Answer, Failure> {
        let [a, b] = self.both()?;
        Ok(ask_pair(self.kind, &a, &b)?)
    }

    /// The question that takes what has no volume, too.
    fn distance(&self) -> Result<question::Answer, Failure> {
        let arguments = self.arguments;
        let [text_a, text_b] = self.texts()?;
        let are_sheets = arguments.sheets()?;
        let figure = |text: &OsString, name: &str, is_sheet: bool, pose: Option<Pose>| {
            let found = figure_of_argument(text, name, arguments.units(), self.files)?;
            let figure: Figure = if is_sheet { found.as_sheet(&format!("--sheet: {name}"))? } else { found };
            Ok::<_, Failure>(PlacedFigure { figure, world_from_figure: arguments.pose(pose) })
        };
        let a = figure(text_a, "A", are_sheets[0], arguments.pose_a)?;
        let b = figure(text_b, "B", are_sheets[1], arguments.pose_b)?;
        self.progress.now("asking");
        Ok(ask_distance(&a, &b)?)
    }

    fn moving(&self) -> Result<(question::Answer, Vec<WrittenMotion>), Failure> {
        let arguments = self.arguments;
        // Wrong options are told before large files are read.
        let allowance = arguments.length("--allowance", arguments.allowance)?.unwrap_or(0.0);
        let at_least = arguments.length("--at-least", arguments.at_least)?;
        let limits = arguments.limits()?;
        let units = arguments.units();
        let motion = |text: &Option<String>, name: &str, start: Option<Pose>| {
            let start = arguments.pose(start);
            match text {
                Some(text) => motion_of_text(text, name, &start, units),
                None => Ok(WrittenMotion::still(start)),
            }
        };
        let motion_a = motion(&arguments.motion_a, "--motion-a", arguments.pose_a)?;
        let motion_b = motion(&arguments.motion_b, "--motion-b", arguments.pose_b)?;
        let [a, b] = self.both()?;
        let a = Moving { shape: a.shape, motion: motion_a };
        let b = Moving { shape: b.shape, motion: motion_b };
        let answer = match self.kind {
            Kind::Clearance => {
                ask_clearance(&a, &b, &ClearanceQuestion { at_least, curve: arguments.curve, limits })?
            }
            _ => ask_contact_time(&a, &b, &ContactRequest { allowance, all: arguments.all, limits, units })?,
        };
        Ok((answer, vec![a.motion, b.motion]))
    }

    fn turn(&self) -> Result<question::Answer, Failure> {
        let Some(axis) = &self.arguments.axis else {
            return self.usage("needs --axis px,py,pz,ax,ay,az: a point and a direction");
        };
        let [a, b] = self.both()?;
        let axis = Axis { point: self.arguments.point(axis.point), ..*axis };
        Ok(ask_turn(&a, &b, &axis)?)
    }

    fn ray(&self) -> Result<question::Answer, Failure> {
        let arguments = self.arguments;
        let Some(a) = &arguments.a else {
            return self.usage("needs a shape A: a mesh file or inline JSON");
        };
        if arguments.b.is_some() {
            return self.usage("is about one shape; leave B out");
        }
        let (Some(origin), Some(direction)) = (arguments.origin, arguments.direction) else {
            return self.usage("needs --origin x,y,z and --direction x,y,z");
        };
        let a = Placed {
            shape: shape_of_argument(a, "A", arguments.units(), self.files)?,
            world_from_shape: arguments.pose(arguments.pose_a),
        };
        self.progress.now("asking");
        let max = arguments.max.map(|max| arguments.units().to_metres(max));
        Ok(question::ask_ray(&a, &RayText { origin: arguments.point(origin), direction, max })?)
    }
}
