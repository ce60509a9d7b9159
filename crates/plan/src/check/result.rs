//! What a check found.

use freiraum_geometry::Vec3;
use freiraum_motion::Feature;

/// The verdict on a step, or on a whole plan: the worst of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlanVerdict {
    /// Nothing gets in the way, and all distances are kept: proven.
    Free,
    /// It is not known: a budget ended, or no path was found where one is to be planned.
    Undecided,
    /// Nothing touches, but something comes closer than required.
    TooClose,
    /// Something collides, or overlaps before a step.
    Collision,
    /// The plan does not do what it says: a body does not end at its goal.
    Invalid,
}

impl PlanVerdict {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            PlanVerdict::Free => "free",
            PlanVerdict::Undecided => "undecided",
            PlanVerdict::TooClose => "too_close",
            PlanVerdict::Collision => "collision",
            PlanVerdict::Invalid => "invalid",
        }
    }
}

/// What a check of a plan found.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckResult {
    /// The worst of all.
    pub verdict: PlanVerdict,
    /// Pairs that overlap by more than is allowed, or are closer than required, before anything has moved.
    pub start: Vec<Finding>,
    /// One per step.
    pub steps: Vec<StepResult>,
    /// Numbers of the bodies that have a goal and are elsewhere after the last step.
    pub missed: Vec<usize>,
    /// Numbers of the bodies that are surfaces without inside, such as meshes with holes: what is behind the surface does not touch it.
    pub open: Vec<usize>,
    /// How many pairs of bodies were looked at, all steps together: those that boxes alone could not tell apart.
    pub pairs_tested: usize,
    /// How many of those answers were known from an earlier check.
    pub pairs_remembered: usize,
    /// How many pairs of bodies boxes around their ways told apart so that nothing had to be computed.
    pub pairs_apart: usize,
    /// How many more pairs boxes told apart, but were asked how close they come.
    pub pairs_measured: usize,
}

/// What a check found about one step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepResult {
    /// The worst of its findings.
    pub verdict: PlanVerdict,
    /// Numbers of the bodies that move.
    pub moving: Vec<usize>,
    /// The pair that comes closest, beside those that are in contact by design; those only if there are no others. `None` if nothing else is there, or where it collides.
    pub closest: Option<Closest>,
    /// What is wrong: the earliest collision first, then what comes too close, then what is not known.
    pub findings: Vec<Finding>,
    /// Pairs that touch, or overlap within their allowance, before or after the step: of them only deeper overlap is wrong.
    pub fits: Vec<[usize; 2]>,
}

/// How close two bodies come during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Numbers of the bodies; the first one moves.
    pub pair: [usize; 2],
    /// Smallest distance in metres; 0 if they touch.
    pub distance: f64,
    /// By how much it may be less, in metres.
    pub error: f64,
    /// When, in [0, 1].
    pub time: f64,
    /// The nearest points of both, in the frame of the world at that time.
    pub points: [Vec3; 2],
    /// What the pair must keep, in metres; 0 for fits.
    pub required: f64,
}

/// One thing that is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// What is wrong.
    pub kind: FindingKind,
    /// Numbers of the bodies; the first one moves, if any does.
    pub pair: [usize; 2],
    /// When, in [0, 1]: the motion is free of this pair up to here.
    pub time: f64,
}

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FindingKind {
    /// They overlap before the step, by more than is allowed.
    Overlap {
        /// A point in both, in the frame of the world.
        point: Vec3,
        /// How deep, in metres, as far as it is known: of two meshes at the deepest place, of others the way that takes them apart.
        depth: Option<f64>,
        /// What is allowed, in metres.
        allowance: f64,
    },
    /// They touch on the way, or get deeper into each other than is allowed.
    Contact {
        /// By how much the time may be off.
        time_error: f64,
        /// In the frame of the world at that time.
        point: Vec3,
        /// Unit vector from the first body to the second; zero if it is not known.
        normal: Vec3,
        /// What of each touches.
        features: [Feature; 2],
        /// What is allowed, in metres.
        allowance: f64,
    },
    /// They come closer than required.
    TooClose {
        /// Smallest distance, in metres.
        distance: f64,
        /// By how much it may be less, in metres.
        error: f64,
        /// What is required, in metres.
        required: f64,
        /// The nearest points of both, in the frame of the world at that time.
        points: [Vec3; 2],
        /// Unit vector in which the moving body would have to give way by what is missing; zero if they touch.
        give_way: Vec3,
    },
    /// The budget ended: nothing is known in this part of the time.
    Undecided {
        /// From when to when.
        open: [f64; 2],
    },
    /// A planner has still to find the way, or found none.
    NoPath,
}

impl FindingKind {
    /// How bad it is.
    pub fn verdict(&self) -> PlanVerdict {
        match self {
            FindingKind::Overlap { .. } | FindingKind::Contact { .. } => PlanVerdict::Collision,
            FindingKind::TooClose { .. } => PlanVerdict::TooClose,
            FindingKind::Undecided { .. } | FindingKind::NoPath => PlanVerdict::Undecided,
        }
    }
}
