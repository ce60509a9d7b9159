//! Changes of a scene file, each with a label for undo.

use super::ask::{no_body, no_step};
use super::robot;
use crate::protocol::{Command, NewMove, NewPiece, NewStep, NewTravel, Refusal, Screw, received};
use freiraum_check::words;
use freiraum_formats::notation::{Angle, MotionGrammar, MotionPiece, MotionText};
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::Vec3;
use freiraum_geometry::path::Axis;
use freiraum_scene::{Color, Move, Place, PlannerChoice, Step, Travel};

/// Changes of the same thing in a row are one for undo.
#[derive(Debug)]
pub(super) struct Merge {
    /// What is changed.
    pub(super) what: String,
    /// Whether this joins the change before it; else it begins a new one.
    pub(super) joins: bool,
}

/// What was done.
pub(super) struct Done {
    /// In words, for undo.
    pub(super) label: String,
    /// What further changes can be part of, or this one is.
    pub(super) merge: Option<Merge>,
    /// The step of the file that is answered.
    pub(super) step: Option<usize>,
    /// A body that was added.
    pub(super) body: Option<usize>,
}

impl Done {
    pub(super) fn new(label: impl Into<String>) -> Done {
        Done { label: label.into(), merge: None, step: None, body: None }
    }
}

/// Changes the file; `None` if the command changes nothing. On an error the file may be half changed: work on a copy.
pub(super) fn apply(file: &mut SceneFile, command: &Command) -> Option<Result<Done, Refusal>> {
    Some(match command {
        Command::SetPose { body, pose, merge } => body_name(file, *body).and_then(|name| {
            file.set_pose(*body, &received(pose)?)?;
            let merge = Merge { what: format!("pose {body}"), joins: *merge };
            Ok(Done { merge: Some(merge), ..Done::new(format!("move {name}")) })
        }),
        Command::SetGoal { body, pose } => part_name(file, *body).and_then(|name| {
            file.set_goal(*body, pose.as_ref().map(received).transpose()?.as_ref())?;
            Ok(Done::new(if pose.is_some() {
                format!("set the goal of {name}")
            } else {
                format!("remove the goal of {name}")
            }))
        }),
        Command::SetColor { body, color } => part_name(file, *body).and_then(|name| {
            file.set_color(*body, Color(color.map(|c| (255.0 * c).round().clamp(0.0, 255.0) as u8)))?;
            let merge = Merge { what: format!("color {body}"), joins: true };
            Ok(Done { merge: Some(merge), ..Done::new(format!("colour {name}")) })
        }),
        Command::SetFixed { body, fixed } => part_name(file, *body).and_then(|name| {
            file.set_fixed(*body, *fixed)?;
            Ok(Done::new(if *fixed { format!("fix {name}") } else { format!("release {name}") }))
        }),
        Command::RenameBody { body, name } => part_name(file, *body).and_then(|old| {
            file.rename_body(*body, name)?;
            Ok(Done::new(format!("rename {old}")))
        }),
        Command::SetText { text } => {
            file.replace_text(text.clone()).map_err(Refusal::from).map(|()| Done::new("edit the text"))
        }
        Command::AddStep(step) => add_step(file, step),
        Command::UpdateStep { step, name, seconds, moves } => {
            update_step(file, *step, name.as_deref(), *seconds, moves.as_deref())
        }
        Command::RemoveStep { step } => step_name(file, *step).and_then(|name| {
            file.remove_step(*step)?;
            Ok(Done::new(format!("delete {name}")))
        }),
        Command::MoveStep { from, to } => step_name(file, *from).and_then(|name| {
            file.move_step(*from, *to)?;
            Ok(Done::new(format!("reorder {name}")))
        }),
        Command::DuplicateStep { step } => step_name(file, *step).and_then(|name| {
            let mut copy = file.scene().steps[*step].clone();
            copy.name = format!("{name} again");
            file.insert_step(*step + 1, &copy)?;
            Ok(Done { step: Some(*step + 1), ..Done::new(format!("duplicate {name}")) })
        }),
        Command::RenameStep { step, name } => step_name(file, *step).and_then(|old| {
            file.rename_step(*step, name)?;
            Ok(Done::new(format!("rename {old}")))
        }),
        Command::AddBody { mesh, name } => add_body(file, mesh, name.as_deref()),
        command => return robot::apply(file, command),
    })
}

fn body_name(file: &SceneFile, body: usize) -> Result<String, Refusal> {
    file.scene().bodies.get(body).map(|body| body.name.clone()).ok_or_else(|| no_body(body))
}

/// The name of a body that the file itself has.
fn part_name(file: &SceneFile, body: usize) -> Result<String, Refusal> {
    if let Some((robot, _)) = file.scene().link_of(body) {
        let robot = &file.scene().robots[robot].name;
        return Err(Refusal::new(
            "request",
            format!("this is a link of the robot {robot:?}: its model says what it is"),
        ));
    }
    body_name(file, body)
}

fn step_name(file: &SceneFile, step: usize) -> Result<String, Refusal> {
    file.scene().steps.get(step).map(|step| step.name.clone()).ok_or_else(|| no_step(step))
}

/// Adds a body with a mesh file of the scene's folder, under a name that is free.
fn add_body(file: &mut SceneFile, mesh: &str, name: Option<&str>) -> Result<Done, Refusal> {
    let stem = std::path::Path::new(mesh).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let wanted = name.map(str::to_owned).or(stem).unwrap_or_else(|| "body".to_owned());
    let mut name = wanted.clone();
    let mut number = 2;
    while file.scene().named(&name).is_some() {
        name = format!("{wanted} {number}");
        number += 1;
    }
    file.push_body(&name, mesh)?;
    // Links of robots come after all others.
    Ok(Done { body: file.scene().body(&name), ..Done::new(format!("add {name}")) })
}

fn add_step(file: &mut SceneFile, new: &NewStep) -> Result<Done, Refusal> {
    let moves = moves(file, &new.moves)?;
    let name = new.name.clone().unwrap_or_else(|| suggested(file, &moves));
    let index = new.index.unwrap_or(file.scene().steps.len());
    let seconds = new.seconds.unwrap_or(1.0);
    file.insert_step(
        index,
        &Step { name: name.clone(), moves, tasks: Vec::new(), seconds, place: Place::default() },
    )?;
    Ok(Done { step: Some(index), ..Done::new(format!("add {name}")) })
}

fn update_step(
    file: &mut SceneFile,
    step: usize,
    name: Option<&str>,
    seconds: Option<f64>,
    new: Option<&[NewMove]>,
) -> Result<Done, Refusal> {
    let old = step_name(file, step)?;
    if let Some(new) = new {
        if !file.scene().steps[step].tasks.is_empty() {
            let refusal = Refusal::new("request", format!("{old:?} is what robots do"));
            return Err(refusal.help("add a step of its own for what moves by itself"));
        }
        let moves = moves(file, new)?;
        let before = &file.scene().steps[step];
        let is_same = before.moves.len() == moves.len()
            && before.moves.iter().zip(&moves).all(|(a, b)| a.subject == b.subject);
        if is_same {
            for (number, one) in moves.iter().enumerate() {
                file.set_travel(step, number, &one.travel)?;
            }
        } else {
            let changed = Step { moves, tasks: Vec::new(), ..before.clone() };
            file.remove_step(step)?;
            file.insert_step(step, &changed)?;
        }
    }
    if let Some(seconds) = seconds {
        file.set_seconds(step, seconds)?;
    }
    if let Some(name) = name {
        file.rename_step(step, name)?;
    }
    let merge = Merge { what: format!("step {step}"), joins: true };
    Ok(Done { merge: Some(merge), ..Done::new(format!("change {old}")) })
}

/// The moves of a step; groups that are missing are added to the file.
pub(super) fn moves(file: &mut SceneFile, new: &[NewMove]) -> Result<Vec<Move>, Refusal> {
    let mut moves = Vec::with_capacity(new.len());
    for one in new {
        let travel = travel(&one.travel)?;
        let subject = subject(file, &one.bodies)?;
        let bodies = file.scene().named(&subject).unwrap_or_else(|| one.bodies.clone());
        moves.push(Move { subject, bodies, travel, place: Place::default() });
    }
    Ok(moves)
}

/// The name for bodies that move as one: that of the body, of a group that has just these, or of a new group.
pub(super) fn subject(file: &mut SceneFile, bodies: &[usize]) -> Result<String, Refusal> {
    let scene = file.scene();
    if let [one] = bodies {
        return body_name(file, *one);
    }
    if bodies.is_empty() {
        return Err(Refusal::new("request", "a move needs bodies"));
    }
    // The order says only which one leads, and groups of the file say that for themselves.
    let mut sorted = bodies.to_vec();
    sorted.sort_unstable();
    let is_it = |members: &[usize]| {
        let mut members = members.to_vec();
        members.sort_unstable();
        members == sorted
    };
    if let Some(group) = scene.groups.iter().find(|group| group.members == bodies) {
        return Ok(group.name.clone());
    }
    if let Some(group) =
        scene.groups.iter().find(|group| is_it(&group.members) && group.members[0] == bodies[0])
    {
        return Ok(group.name.clone());
    }
    let names = bodies.iter().map(|body| body_name(file, *body)).collect::<Result<Vec<_>, _>>()?;
    let wanted = if names.len() <= 3 {
        names.join(" + ")
    } else {
        format!("{} and {} others", names[0], names.len() - 1)
    };
    let mut name = wanted.clone();
    let mut number = 2;
    while scene.named(&name).is_some() {
        name = format!("{wanted} {number}");
        number += 1;
    }
    file.push_group(&name, bodies)?;
    Ok(name)
}

/// A name for a step that says what it does.
fn suggested(file: &SceneFile, moves: &[Move]) -> String {
    let Some(first) = moves.first() else { return "step".to_owned() };
    let verb = match &first.travel {
        Travel::Translate(by) if by.z < 0.0 && by.z.abs() > 0.99 * by.length() => "lower",
        Travel::Translate(by) if by.z > 0.0 && by.z.abs() > 0.99 * by.length() => "lift",
        Travel::Turn { advance, .. } if *advance != 0.0 => "screw",
        Travel::Turn { .. } => "turn",
        _ => "move",
    };
    free_step_name(file, format!("{verb} {}", words::named(&first.subject)))
}

/// This name, or one with a number that no step has yet.
pub(super) fn free_step_name(file: &SceneFile, wanted: String) -> String {
    let mut name = wanted.clone();
    let mut number = 2;
    while file.scene().steps.iter().any(|step| step.name == name) {
        name = format!("{wanted} {number}");
        number += 1;
    }
    name
}

fn travel(new: &NewTravel) -> Result<Travel, Refusal> {
    let nothing = || Refusal::new("request", "nothing moves");
    written(new)?.travel().ok_or_else(nothing)
}

/// The message in the grammar of motions.
fn written(new: &NewTravel) -> Result<MotionText, Refusal> {
    Ok(match new {
        NewTravel::Translate(by) => {
            let by = Vec3::from_array(*by);
            if !by.is_finite() {
                return Err(Refusal::new("request", "a translation is three finite numbers"));
            }
            MotionText::Translate(by)
        }
        NewTravel::Rotate(screw) => {
            let (axis, angle, _) = turn(&Screw { advance: 0.0, ..*screw })?;
            MotionText::Rotate(axis, angle)
        }
        NewTravel::Screw(screw) => {
            let (axis, angle, advance) = turn(screw)?;
            MotionText::Screw(axis, angle, advance)
        }
        NewTravel::To(pose) => MotionText::To(received(pose)?),
        NewTravel::Path(pieces) => {
            let piece = |piece: &NewPiece| match piece {
                NewPiece::Pose(pose) => {
                    Ok(MotionPiece { motion: MotionText::To(received(pose)?), share: 1.0 })
                }
                NewPiece::Travel { share, travel: one } => {
                    let motion = written(one)?;
                    if !MotionGrammar::STUDIO.in_paths.contains(&motion.kind()) {
                        return Err(Refusal::new("request", "a path in a path"));
                    }
                    Ok(MotionPiece { motion, share: share.unwrap_or(1.0) })
                }
            };
            MotionText::Path(pieces.iter().map(piece).collect::<Result<_, _>>()?)
        }
        NewTravel::Plan { to, planner: wanted } => {
            MotionText::Plan(received(to)?, wanted.as_deref().map(planner).transpose()?.flatten())
        }
    })
}

fn turn(screw: &Screw) -> Result<(Axis, Angle, f64), Refusal> {
    let axis = Axis::new(Vec3::from_array(screw.point), Vec3::from_array(screw.axis));
    match axis {
        Some(axis) if screw.angle.is_finite() && screw.advance.is_finite() => {
            Ok((axis, Angle::Radians(screw.angle), screw.advance))
        }
        _ => {
            Err(Refusal::new("request", "a turn needs a point, an axis that is not zero, and a finite angle"))
        }
    }
}

/// A planner by its name; none for `auto`.
pub(super) fn planner(name: &str) -> Result<Option<PlannerChoice>, Refusal> {
    Ok(Some(match name {
        "plane" => PlannerChoice::Plane,
        "detours" => PlannerChoice::Detours,
        "sampling" => PlannerChoice::Sampling,
        "" | "auto" | "all" => return Ok(None),
        other => {
            let refusal = Refusal::new("request", format!("there is no planner {other:?}"));
            return Err(refusal.help("plane, detours or sampling"));
        }
    }))
}
