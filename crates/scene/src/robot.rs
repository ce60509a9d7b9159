//! Robots of a scene and what they are told to do.

use crate::Place;
use freiraum_geometry::Pose;
use freiraum_robot::Robot;
use freiraum_robot::inverse::Wanted;
use freiraum_robot::trajectory::{Mode, Profile};
use std::path::PathBuf;
use std::sync::Arc;

/// A robot that stands in the scene.
///
/// Every link with a shape is a body of the scene, so that it is seen, drawn and checked like any other; its pose is the frame of the link.
#[derive(Clone, Debug)]
pub struct PlacedRobot {
    /// Unique among bodies, groups and robots.
    pub name: String,
    /// What it is.
    pub model: Arc<Robot>,
    /// Where the model is written.
    pub source: RobotSource,
    /// Where the root link stands.
    pub base: Pose,
    /// Joint values before the first step, one per freedom, in radians or metres.
    pub start: Vec<f64>,
    /// The number of the body of each link; `None` for links without shape.
    pub links: Vec<Option<usize>>,
    /// The number of the link that carries tools.
    pub flange: usize,
    /// Where the tool centre point is on the flange.
    pub flange_from_tool: Pose,
    /// Bodies that are fixed to the flange, with where they are on it.
    pub tools: Vec<(usize, Pose)>,
    /// Joint values that have a name.
    pub states: Vec<NamedJoints>,
    /// Where the file says so.
    pub place: Place,
}

/// How fast the tool centre point goes on a line that does not say so, in metres per second: what standards allow while people are near.
pub const LINE_SPEED: f64 = 0.25;

impl PlacedRobot {
    /// Numbers of all its bodies: links with a shape, then tools.
    pub fn bodies(&self) -> impl Iterator<Item = usize> {
        self.links.iter().copied().flatten().chain(self.tools.iter().map(|(body, _)| *body))
    }

    /// Numbers of the bodies that touch what it grasps: tools, the flange and all links beyond it.
    pub fn gripper(&self) -> Vec<usize> {
        let is_beyond = |link: usize| self.model.meeting_link(link, self.flange) == self.flange;
        let links = (0..self.links.len()).filter(|link| is_beyond(*link));
        links.filter_map(|link| self.links[link]).chain(self.tools.iter().map(|(body, _)| *body)).collect()
    }

    /// Where the flange is at the start.
    pub fn flange_at_start(&self) -> Pose {
        self.model.place(&self.base, &self.start).links[self.flange]
    }

    /// The joint values that have this name.
    pub fn state(&self, name: &str) -> Option<&NamedJoints> {
        self.states.iter().find(|state| state.name == name)
    }

    /// The name of the joint of a freedom.
    pub fn joint_name(&self, freedom: usize) -> &str {
        &self.model.joints()[self.model.freedoms()[freedom]].name
    }

    /// True if a freedom turns; else it slides.
    pub fn turns(&self, freedom: usize) -> bool {
        self.model.joints()[self.model.freedoms()[freedom]].kind.turns()
    }
}

/// Where the model of a robot is written.
#[derive(Clone, Debug, PartialEq)]
pub enum RobotSource {
    /// In a file of its own.
    File {
        /// Where it is: absolute, or relative to the working folder.
        path: PathBuf,
        /// As the scene file says it, relative to that file.
        written: String,
    },
    /// In the scene file, as a table of Denavit and Hartenberg.
    Table,
}

/// Joint values that have a name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedJoints {
    /// How people call them.
    pub name: String,
    /// One per freedom; `None` for those that keep their value.
    pub values: Vec<Option<f64>>,
}

/// What one robot does during a step.
#[derive(Clone, Debug)]
pub struct Task {
    /// The number of the robot.
    pub robot: usize,
    /// One after the other.
    pub actions: Vec<Action>,
    /// Where the file says so.
    pub place: Place,
}

/// One thing that a robot does.
#[derive(Clone, Debug)]
pub struct Action {
    /// What it is.
    pub kind: ActionKind,
    /// Where the file says so.
    pub place: Place,
}

/// What a robot can do.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// All joints go to their values, the tool wherever that leads it (`ptp`).
    PointToPoint {
        /// Where to.
        to: Target,
        /// How the joints share the time.
        mode: Mode,
        /// Share of the full speed, in (0, 1].
        speed: f64,
        /// How it gathers speed.
        profile: Profile,
    },
    /// The tool centre point goes on a straight line, turning evenly (`lin`).
    Line {
        /// Where to.
        to: LineEnd,
        /// Of the tool centre point, in metres per second.
        speed: f64,
        /// How it gathers speed.
        profile: Profile,
    },
    /// One joint alone (`joint`).
    Joint {
        /// The number of the freedom.
        freedom: usize,
        /// Where to, in radians or metres.
        to: JointEnd,
        /// Share of the full speed, in (0, 1].
        speed: f64,
        /// How it gathers speed.
        profile: Profile,
    },
    /// To joint values on a path that a planner has to find (`path = "plan"`).
    Plan {
        /// Where to.
        to: Target,
        /// Share of the full speed, in (0, 1].
        speed: f64,
    },
    /// From here on the body moves with the flange.
    Grasp {
        /// The number of the body.
        body: usize,
        /// How deep gripper and body may overlap, in metres; `None` for what the scene allows.
        depth: Option<f64>,
    },
    /// The body stays where it is.
    Release {
        /// The number of the body.
        body: usize,
    },
    /// Nothing moves for so many seconds.
    Wait(f64),
    /// Waits for all other robots of the step that name the same point.
    Sync(String),
}

/// Where joints go.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// To these values, one per freedom; `None` keeps its value.
    Joints(Vec<Option<f64>>),
    /// So that the tool centre point is here, by the joint values nearest to those before.
    Tool(Pose),
    /// The same, by the nearest joint values in a configuration of the arm.
    Configured(Pose, Wanted),
}

/// Where the tool centre point goes on a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineEnd {
    /// To this pose.
    Pose(Pose),
    /// By this vector in the frame of the world, keeping its orientation.
    By(freiraum_geometry::Vec3),
}

/// Where a joint goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointEnd {
    /// To this value.
    To(f64),
    /// By so much.
    By(f64),
}
