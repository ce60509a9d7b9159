//! Which robot, read from which files.

use crate::commands::Failure;
use crate::commands::output::Console;
use freiraum::formats::robot::srdf::{self, Srdf};
use freiraum::formats::robot::{Packages, RobotFile, RobotOptions, read};
use freiraum::formats::scene::SceneErrors;
use freiraum::geometry::Pose;
use freiraum::robot::{JointKind, Robot};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The files of a robot.
#[derive(clap::Args)]
pub(in crate::commands) struct Model {
    /// The robot: a URDF file
    #[arg(value_name = "MODEL")]
    pub(super) file: PathBuf,
    /// Where the package NAME is that the file names as package://NAME/…; may be given several times
    #[arg(long = "package", value_name = "NAME=DIR", value_parser = package)]
    packages: Vec<(String, PathBuf)>,
    /// SRDF file of the robot, with named joint values and pairs of links to ignore
    #[arg(long, value_name = "FILE")]
    pub(super) srdf: Option<PathBuf>,
}

fn package(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(folder)))
        }
        _ => Err("expected NAME=DIR, as in my_robot=/opt/ros/share/my_robot".to_owned()),
    }
}

/// A robot as its files say.
pub(super) struct Files {
    pub(super) robot: Robot,
    pub(super) srdf: Srdf,
    pub(super) notes: Vec<String>,
}

impl Model {
    /// Reads all files; what was passed over is said on stderr.
    pub(super) fn read(&self, console: &mut Console) -> Result<Files, Failure> {
        let options = RobotOptions {
            packages: Packages { named: self.packages.clone(), ..Packages::default() },
            ..RobotOptions::default()
        };
        let RobotFile { robot, notes, .. } = read(&self.file, &options).map_err(failure)?;
        let srdf = match &self.srdf {
            Some(file) => srdf::read(file, &robot).map_err(failure)?,
            None => Srdf::default(),
        };
        for note in &notes {
            console.warning(note);
        }
        Ok(Files { robot, srdf, notes })
    }
}

fn failure(errors: SceneErrors) -> Failure {
    Failure { code: "robot", ..Failure::from(errors) }
}

/// The link with this name, or that at the end of the arm.
pub(super) fn link(robot: &Robot, name: Option<&str>) -> Result<usize, Failure> {
    let Some(name) = name else { return Ok(tip(robot)) };
    robot.link(name).ok_or_else(|| {
        let names: Vec<&str> = robot.links().iter().map(|link| link.name.as_str()).collect();
        Failure::new("link", format!("the robot has no link named '{name}'; it has {}", names.join(", ")))
    })
}

/// The end of the arm: from the root always on to the link with most moving joints behind it, as long as there is one such link.
pub(super) fn tip(robot: &Robot) -> usize {
    let links = robot.links().len();
    let mut behind = vec![0usize; links];
    for (number, joint) in robot.joints().iter().enumerate().rev() {
        let own = usize::from(joint.kind != JointKind::Fixed);
        debug_assert!(robot.carrier(joint.child) == Some(number));
        behind[joint.parent] += own + behind[joint.child];
    }
    let mut at = 0;
    loop {
        let weight = |joint: &&freiraum::robot::Joint| {
            usize::from(joint.kind != JointKind::Fixed) + behind[joint.child]
        };
        let carried = robot.joints().iter().filter(|joint| joint.parent == at);
        let most = carried.clone().map(|joint| weight(&joint)).max().unwrap_or(0);
        let mut next = carried.filter(|joint| weight(joint) == most);
        match (next.next(), next.next()) {
            (Some(joint), None) => at = joint.child,
            _ => return at,
        }
    }
}

/// A pose for programs.
pub(super) fn pose_json(pose: &Pose) -> Value {
    let (roll, pitch, yaw) = pose.to_zyx_euler();
    let angles = [roll, pitch, yaw].map(f64::to_degrees);
    json!({
        "position": pose.translation().to_array(),
        "rpy_deg": angles,
        "quaternion": pose.rotation().to_array(),
    })
}

/// The unit of the values of a joint, for people.
pub(super) fn unit(kind: JointKind) -> &'static str {
    if kind.turns() { "deg" } else { "m" }
}

/// A finite number, or nothing.
pub(super) fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}
