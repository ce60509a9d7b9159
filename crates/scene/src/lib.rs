//! What is there? The document: named bodies, robots, groups, states and the steps of a plan. Data, no algorithms.
//!
//! A [`Scene`] holds what a scene file says, checked and in metres and radians: names are resolved to numbers of bodies, groups to
//! their members. Reading and writing the file is `formats::scene`; carrying out the steps is `plan`.
//!
//! **Units.** Metres and radians, whatever the file is written in; [`Scene::units`] remembers that. **Frames.** Poses are
//! `world_from_body`, axes and vectors are in the frame of the world.

mod body;
mod plain;
mod problem;
mod remedy;
mod robot;
mod rule;
mod step;
mod world;

pub use body::{Body, Color, Geometry, Group, can_be_sheet};
pub use plain::{is_odd, markup, plain, plain_json, plain_lines};
pub use problem::{Place, Problem, ProblemKind};
pub use remedy::solid_remedy;
pub use robot::{
    Action, ActionKind, JointEnd, LINE_SPEED, LineEnd, NamedJoints, PlacedRobot, RobotSource, Target, Task,
};
pub use rule::{PairRule, Requirement};
pub use step::{Move, Piece, PlannerChoice, State, Step, Travel};
pub use world::limits;
pub use world::{
    Beams, Contacts, Controller, Drive, Goal, Kind, Laser, Mass, MassModel, Mount, Noise, Physics, Sensor,
    SensorKind, Vehicle, VehicleModel, World, WorldSettings,
};

use freiraum_geometry::Unit;

/// How many times the required distance bodies may travel before and after a contact by design without keeping it, unless the scene says otherwise.
pub const APPROACH: f64 = 10.0;

/// Bodies and what is to be done with them.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The unit of lengths in the file, for messages and for saving; everything in here is in metres.
    pub units: Unit,
    /// Smallest distance that bodies must keep unless a pair says otherwise, in metres.
    pub clearance: f64,
    /// How deep bodies may overlap unless a pair says otherwise, in metres.
    pub allowance: f64,
    /// How far bodies may travel against each other before and after a contact by design without keeping their distance, unless a pair says otherwise, in metres; `None` for
    /// [`APPROACH`] times the distance that the pair must keep.
    pub approach: Option<f64>,
    /// All bodies, at the start.
    pub bodies: Vec<Body>,
    /// The bodies that are declared sheets (`solid = false`), ascending: only their surfaces count, and nothing is inside of them.
    pub sheets: Vec<usize>,
    /// Robots; their links are among the bodies.
    pub robots: Vec<PlacedRobot>,
    /// Names for several bodies.
    pub groups: Vec<Group>,
    /// What holds for some pairs; of several that name a pair the last one wins.
    pub pairs: Vec<PairRule>,
    /// How deep grippers may overlap what they grasp, while they hold it; what [`Scene::pairs`] says of such a pair wins.
    pub grasps: Vec<PairRule>,
    /// Placements that the bodies go through one after the other; a scene has states or steps, not both.
    pub states: Vec<State>,
    /// What is done, in this order.
    pub steps: Vec<Step>,
    /// What a simulation needs to know.
    pub world: World,
}

impl Scene {
    /// The number of the body with this name.
    pub fn body(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    /// The bodies that a name stands for: one, the members of a group, or the links and tools of a robot.
    pub fn named(&self, name: &str) -> Option<Vec<usize>> {
        let group = || self.groups.iter().find(|group| group.name == name).map(|group| group.members.clone());
        let robot = || self.robot(name).map(|robot| self.robots[robot].bodies().collect());
        self.body(name).map(|body| vec![body]).or_else(group).or_else(robot)
    }

    /// The robot that a body belongs to, as a link or as a tool.
    pub fn robot_of(&self, body: usize) -> Option<usize> {
        self.robots.iter().position(|robot| robot.bodies().any(|own| own == body))
    }

    /// The robot and the link that a body is, if it is one.
    pub fn link_of(&self, body: usize) -> Option<(usize, usize)> {
        self.robots.iter().enumerate().find_map(|(robot, placed)| {
            let link = placed.links.iter().position(|of| *of == Some(body))?;
            Some((robot, link))
        })
    }

    /// The number of the robot with this name.
    pub fn robot(&self, name: &str) -> Option<usize> {
        self.robots.iter().position(|robot| robot.name == name)
    }

    /// What moves a body in a simulation.
    pub fn physics(&self, body: usize) -> Physics {
        let said = self.world.physics.binary_search_by_key(&body, |(of, _)| *of);
        said.map_or_else(
            |_| Physics::of_unsaid(self.bodies[body].is_fixed),
            |at| self.world.physics[at].1.clone(),
        )
    }

    /// The name of the vehicle or body that a sensor is on; none for one that stands in the world.
    pub fn mount_name(&self, sensor: &Sensor) -> Option<&str> {
        match sensor.mount {
            Mount::World => None,
            Mount::Body(body) => Some(&self.bodies[body].name),
            Mount::Vehicle(vehicle) => Some(&self.world.vehicles[vehicle].name),
        }
    }

    /// What two bodies must keep to while one may hold the other: with what grasps allow, whenever that is.
    pub fn requirement(&self, a: usize, b: usize) -> Requirement<'_> {
        let depths = self.grasps.iter().filter(|rule| rule.covers(a, b)).filter_map(|rule| rule.allowance);
        self.requirement_held(a, b, depths.reduce(f64::max))
    }

    /// What two bodies must keep to; `depth` is how deep a gripper may overlap what it holds, if one of the two holds the other.
    pub fn requirement_held(&self, a: usize, b: usize, depth: Option<f64>) -> Requirement<'_> {
        let mut found = Requirement {
            clearance: self.clearance,
            allowance: depth.unwrap_or(self.allowance),
            approach: 0.0,
            is_explicit: false,
            ignore: None,
        };
        let mut approach = self.approach;
        for rule in self.pairs.iter().filter(|rule| rule.covers(a, b)) {
            if let Some(clearance) = rule.clearance {
                (found.clearance, found.is_explicit) = (clearance, true);
            }
            found.allowance = rule.allowance.unwrap_or(found.allowance);
            approach = rule.approach.or(approach);
            found.ignore = rule.ignore.as_deref().or(found.ignore);
        }
        found.approach = approach.unwrap_or(APPROACH * found.clearance);
        found
    }
}
