//! States and the steps between them.

use crate::{Place, Task};
use freiraum_geometry::path::Axis;
use freiraum_geometry::{Pose, Vec3};

/// A placement of the bodies.
#[derive(Clone, Debug)]
pub struct State {
    /// How people call it.
    pub name: String,
    /// Bodies and where they are; all others are where they were in the state before, or at the start.
    pub poses: Vec<(usize, Pose)>,
    /// Where the file says so.
    pub place: Place,
}

/// One motion from state to state: everything that moves at the same time, over t in [0, 1].
#[derive(Clone, Debug)]
pub struct Step {
    /// How people call it.
    pub name: String,
    /// What moves; no body twice.
    pub moves: Vec<Move>,
    /// What robots do, each in at most one; a step has moves or tasks.
    pub tasks: Vec<Task>,
    /// How long it takes, for animations, in seconds.
    pub seconds: f64,
    /// Where the file says so.
    pub place: Place,
}

/// Bodies that move as one during a step.
#[derive(Clone, Debug)]
pub struct Move {
    /// The name of the body or group.
    pub subject: String,
    /// Numbers of bodies. The first one leads: [`Travel::To`] says where it goes, and the others keep their place beside it.
    pub bodies: Vec<usize>,
    /// What they do.
    pub travel: Travel,
    /// Where the file says so.
    pub place: Place,
}

/// How bodies get from one state to the next.
#[derive(Clone, Debug)]
pub enum Travel {
    /// Along a line by this vector.
    Translate(Vec3),
    /// About an axis and perhaps along it.
    Turn {
        /// In the frame of the world.
        axis: Axis,
        /// Whole angle in radians, right-hand rule, any number of turns.
        angle: f64,
        /// Shift along the axis in metres: 0 for a rotation, else a screw.
        advance: f64,
    },
    /// To a pose: the origin of the leading body on a straight line, the shortest rotation.
    To(Pose),
    /// One after the other.
    Path(Vec<Piece>),
    /// To a pose on a path that a planner has to find.
    Plan {
        /// Where the leading body goes.
        to: Pose,
        /// Which planner; `None` to try them all.
        planner: Option<PlannerChoice>,
    },
}

/// A part of a path.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What is done; neither a path nor to be planned.
    pub travel: Travel,
    /// Its share of the time beside those of the others, above 0.
    pub share: f64,
}

/// Which planner looks for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlannerChoice {
    /// Two translations in a plane: complete.
    Plane,
    /// Three translations by detours.
    Detours,
    /// Translations and rotations by sampling.
    Sampling,
}
