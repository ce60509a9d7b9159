//! `freiraum robot info`: what a robot is.

use super::model::{Files, Model, finite, link, unit};
use super::table;
use super::values::{put, range, shown_value};
use crate::commands::output::{Console, counted, grouped, number, point};
use crate::commands::{Answer, Failure};
use freiraum::geometry::{Pose, Shape, Vec3};
use freiraum::robot::inverse::{Method, Options, Reason};
use freiraum::robot::{JointKind, Limits, Link, Robot, Workspace, WorkspaceOptions, inverse, workspace};
use serde_json::{Map, Value, json};

pub(super) const EXAMPLES: &str = "\
Joint limits in degrees or metres, speeds per second. The reach is an estimate from random joint values: every point counted is reached, others may be too.

Examples:
  freiraum robot info arm.urdf
  freiraum robot info arm.urdf --package my_robot=../my_robot --json | jq .joints";

#[derive(clap::Args)]
pub(in crate::commands) struct Arguments {
    #[command(flatten)]
    model: Model,
    /// The link whose reach is told [default: the end of the arm]
    #[arg(long, value_name = "NAME")]
    link: Option<String>,
    /// Random joint values for the reach
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    samples: u32,
}

/// What is told beside the model itself.
struct Told {
    tip: usize,
    method: Option<Method>,
    workspace: Workspace,
}

pub(super) fn run(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    let files = arguments.model.read(console)?;
    let robot = &files.robot;
    let tip = link(robot, arguments.link.as_deref())?;
    let options = WorkspaceOptions { samples: arguments.samples as usize, ..WorkspaceOptions::default() };
    let workspace = workspace(robot, tip, Vec3::ZERO, &Pose::IDENTITY, &options);
    let told = Told { tip, method: method(robot, tip), workspace };
    if console.json() {
        console.document(&document(&files, &told));
    } else {
        print(&files, &told, console);
    }
    Ok(Answer::Good)
}

/// Which inverse kinematics applies to a link; `None` if nothing moves it.
fn method(robot: &Robot, link: usize) -> Option<Method> {
    let middle = |freedom: usize| {
        let range = robot.range(freedom);
        let middle = 0.5 * (range.lower + range.upper);
        if middle.is_finite() { middle } else { 0.0 }
    };
    let values: Vec<f64> = (0..robot.freedoms().len()).map(middle).collect();
    let target = robot.place(&Pose::IDENTITY, &values).links[link];
    let options = Options { solutions: 1, starts: 1, ..Options::default() };
    let found = inverse(robot, link, &Pose::IDENTITY, &target, &Pose::IDENTITY, &values, &options);
    let is_moved = !matches!(found.reason, Some(Reason::NothingMoves(_)));
    is_moved.then_some(found.method)
}

fn kind(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Fixed => "fixed",
        JointKind::Revolute => "revolute",
        JointKind::Continuous => "continuous",
        JointKind::Prismatic => "prismatic",
    }
}

/// Number of triangles of all meshes of a link.
fn triangles(link: &Link) -> usize {
    let of = |shape: &Shape| if let Shape::Mesh(mesh) = shape { mesh.faces().len() } else { 0 };
    link.collision.iter().map(|part| of(&part.shape)).sum()
}

fn shapes(link: &Link) -> Vec<String> {
    link.collision.iter().map(|part| part.shape.kind().name().to_owned()).collect()
}

/// The values that a freedom can take, for people; followers may have left none.
fn left(turns: bool, possible: Limits) -> String {
    if possible.lower > possible.upper {
        "none".to_owned()
    } else if possible.lower == possible.upper {
        format!("only {}", number(shown_value(turns, possible.lower + 0.0)))
    } else {
        range(turns, possible)
    }
}

/// Where followers leave a joint less than its own limits: a sentence for each.
fn narrowed(robot: &Robot) -> Vec<String> {
    let follower = |joint: &usize| {
        let joint = &robot.joints()[*joint];
        let turns = joint.kind.turns();
        let mimic = joint.mimic.map_or(String::new(), |mimic| {
            let shift = match mimic.offset {
                0.0 => String::new(),
                offset => format!(" and offset {}", number(shown_value(turns, offset))),
            };
            format!("{} with factor {}{shift}", robot.joints()[mimic.joint].name, number(mimic.factor))
        });
        format!(
            "{} follows {mimic}, and its limits are {} {}",
            joint.name,
            range(turns, joint.limits),
            unit(joint.kind)
        )
    };
    let sentence = |(freedom, joint): (usize, &usize)| {
        let narrowing = robot.narrowing(freedom);
        let joint = &robot.joints()[*joint];
        let (turns, possible) = (joint.kind.turns(), robot.range(freedom));
        let what = match left(turns, possible) {
            none if none == "none" => "no value is possible".to_owned(),
            one if one.starts_with("only") => format!("{one} {} is possible", unit(joint.kind)),
            some => format!("{some} {} instead of {}", unit(joint.kind), range(turns, joint.limits)),
        };
        let why: Vec<String> = narrowing.iter().map(follower).collect();
        (!why.is_empty()).then(|| format!("{}: {what}: {}", joint.name, why.join("; ")))
    };
    robot.freedoms().iter().enumerate().filter_map(sentence).collect()
}

fn document(files: &Files, told: &Told) -> Value {
    let robot = &files.robot;
    let link =
        |link: &Link| json!({ "name": link.name, "shapes": shapes(link), "triangles": triangles(link) });
    let joint = |(number_of, joint): (usize, &freiraum::robot::Joint)| {
        let turns = joint.kind.turns();
        let mut map = Map::new();
        map.insert("name".to_owned(), json!(joint.name));
        map.insert("type".to_owned(), json!(kind(joint.kind)));
        map.insert("parent".to_owned(), json!(robot.links()[joint.parent].name));
        map.insert("child".to_owned(), json!(robot.links()[joint.child].name));
        if joint.kind != JointKind::Fixed {
            map.insert("axis".to_owned(), json!(joint.axis.to_array()));
            put(&mut map, "lower", turns, joint.limits.lower);
            put(&mut map, "upper", turns, joint.limits.upper);
            if let Some(own) = robot.freedoms().iter().position(|own| *own == number_of) {
                // What is left by followers, which have limits too.
                let left = robot.range(own);
                put(&mut map, "range_lower", turns, left.lower);
                put(&mut map, "range_upper", turns, left.upper);
            }
            put(&mut map, "velocity", turns, joint.velocity.unwrap_or(f64::INFINITY));
            let follows = joint.mimic.map(|mimic| {
                let other = &robot.joints()[mimic.joint];
                json!({ "joint": other.name, "factor": mimic.factor, "offset": shown_value(turns, mimic.offset) })
            });
            map.insert("follows".to_owned(), json!(follows));
        }
        Value::Object(map)
    };
    let states: Vec<&str> = files.srdf.states.iter().map(|state| state.name.as_str()).collect();
    let freedoms: Vec<&str> =
        robot.freedoms().iter().map(|joint| robot.joints()[*joint].name.as_str()).collect();
    let Workspace { region, reach, volume, ref points, .. } = told.workspace;
    json!({
        "robot": robot.name(),
        "root": robot.links()[0].name,
        "tip": robot.links()[told.tip].name,
        "freedoms": freedoms,
        "links": robot.links().iter().map(link).collect::<Value>(),
        "joints": robot.joints().iter().enumerate().map(joint).collect::<Value>(),
        "inverse": told.method.map(|method| json!({ "method": method.to_string(), "complete": method.is_complete() })),
        "workspace": {
            "reach": finite(reach), "volume": finite(volume), "samples": points.len(),
            "min": region.min.to_array(), "max": region.max.to_array(),
        },
        "states": states,
        "disabled_pairs": files.srdf.disabled.len(),
        "notes": files.notes.iter().cloned().chain(narrowed(robot)).collect::<Vec<String>>(),
    })
}

fn print(files: &Files, told: &Told, console: &mut Console) {
    let robot = &files.robot;
    let (links, freedoms) = (robot.links(), robot.freedoms());
    let followers = robot.joints().iter().filter(|joint| joint.mimic.is_some()).count();
    let head = format!(
        "{}: {}, {}, {}",
        robot.name(),
        counted(links.len(), "link"),
        counted(robot.joints().len(), "joint"),
        match freedoms.len() {
            1 => "1 of them free".to_owned(),
            n => format!("{n} of them free"),
        }
    );
    console.heading(&head);
    let faces: usize = links.iter().map(triangles).sum();
    let shaped = links.iter().filter(|link| !link.collision.is_empty()).count();
    console.fact("shapes", format!("{} with shapes, {} triangles", counted(shaped, "link"), grouped(faces)));
    if followers > 0 {
        console.fact("followers", counted(followers, "joint"));
    }
    let tip = &links[told.tip].name;
    let way = match told.method {
        Some(method) if method.is_complete() => format!("{method}: all solutions"),
        Some(method) => format!("{method}: solutions are searched, not all may be found"),
        None => "no joint moves it".to_owned(),
    };
    console.fact("inverse", format!("of {tip}: {way}"));
    let Workspace { region, reach, volume, ref points, .. } = told.workspace;
    if told.method.is_some() {
        console.fact(
            "reach",
            format!(
                "of {tip}: {} m from the root, {} m³ (estimated from {} samples)",
                number(reach),
                number(volume),
                grouped(points.len())
            ),
        );
        console.fact(
            "",
            format!("{} to {}", point(region.min.to_array(), reach), point(region.max.to_array(), reach)),
        );
    }
    if !files.srdf.states.is_empty() {
        let states: Vec<&str> = files.srdf.states.iter().map(|state| state.name.as_str()).collect();
        console.fact("states", states.join(", "));
    }
    if !files.srdf.disabled.is_empty() {
        console.fact("ignored", counted(files.srdf.disabled.len(), "pair") + " of links, by the SRDF file");
    }
    console.gap();
    let row = |(number_of, joint): (usize, &freiraum::robot::Joint)| {
        let turns = joint.kind.turns();
        let own = freedoms.iter().position(|own| *own == number_of);
        let follows =
            joint.mimic.map(|m| format!("follows {} × {}", robot.joints()[m.joint].name, number(m.factor)));
        let possible = own.map_or(joint.limits, |own| robot.range(own));
        let limits = format!("{} {}", left(turns, possible), unit(joint.kind));
        let speed =
            joint.velocity.map(|v| format!("{} {}/s", number(shown_value(turns, v)), unit(joint.kind)));
        let is_fixed = joint.kind == JointKind::Fixed;
        [
            own.map_or(String::new(), |own| (own + 1).to_string()),
            joint.name.clone(),
            follows.unwrap_or_else(|| kind(joint.kind).to_owned()),
            if is_fixed { String::new() } else { limits },
            speed.filter(|_| !is_fixed).unwrap_or_default(),
            format!("{} → {}", links[joint.parent].name, links[joint.child].name),
        ]
    };
    let rows: Vec<[String; 6]> = robot.joints().iter().enumerate().map(row).collect();
    table::print(console, ["", "joint", "type", "limits", "speed", "links"], &rows);
    for note in narrowed(robot) {
        console.text(&format!("  {note}\n"));
    }
    console.gap();
    let row = |link: &Link| {
        let count = triangles(link);
        [link.name.clone(), shapes(link).join(", "), if count > 0 { grouped(count) } else { String::new() }]
    };
    let rows: Vec<[String; 3]> = links.iter().map(row).collect();
    table::print(console, ["link", "shapes", "triangles"], &rows);
}
