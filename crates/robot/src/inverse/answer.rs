//! What is asked for and what comes back.

use std::fmt;

/// How to search; the default is right for people and programs that place a tool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// False to search numerically also where there is a closed form.
    pub closed_form: bool,
    /// False to tell also solutions outside of the joint limits ([`Note::OutsideLimits`]). The numeric search keeps the limits in any case.
    pub keep_limits: bool,
    /// The numeric search ends when it has so many different solutions, at least 1.
    pub solutions: usize,
    /// Most starts of the numeric search: the current joint values, the middle of the ranges, then random values.
    pub starts: usize,
    /// Most steps from each start.
    pub steps: usize,
    /// Seed of the random starts.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { closed_form: true, keep_limits: true, solutions: 8, starts: 64, steps: 100, seed: 1 }
    }
}

/// How the solutions were found, which tells whether they are all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Six turning axes of which the last three meet in one point: all solutions, up to eight.
    SphericalWrist,
    /// The same from the other end: the first three meet in one point.
    SphericalShoulder,
    /// Six turning axes, the second to fourth parallel, the last two meeting: all solutions, up to eight.
    ThreeParallel,
    /// The same from the other end: the third to fifth parallel, the first two meeting.
    ThreeParallelReversed,
    /// Three turning axes and one slide, all parallel: all solutions, up to two.
    Scara,
    /// Damped least squares from several starts: those that were found; there may be more, or infinitely many.
    Numeric,
}

impl Method {
    /// True if the solutions are all there are (see the module for what that means at singularities).
    pub fn is_complete(self) -> bool {
        self != Method::Numeric
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::SphericalWrist => "closed form, last three axes meet",
            Method::SphericalShoulder => "closed form, first three axes meet",
            Method::ThreeParallel => "closed form, axes 2, 3 and 4 parallel",
            Method::ThreeParallelReversed => "closed form, axes 3, 4 and 5 parallel",
            Method::Scara => "closed form, all axes parallel",
            Method::Numeric => "numeric",
        })
    }
}

/// Where an arm cannot move in some direction, or can move without moving its tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Singularity {
    /// The first axis moves the wrist centre nowhere that the next two do not, as where the wrist centre is on that axis.
    Shoulder,
    /// The arm is stretched or folded: two joints move the wrist centre the same way.
    Elbow,
    /// The three axes of the wrist are in one plane, as where two of them are in line.
    Wrist,
}

impl fmt::Display for Singularity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Singularity::Shoulder => "shoulder (the first axis does not help the next ones)",
            Singularity::Elbow => "elbow (stretched or folded)",
            Singularity::Wrist => "wrist (two axes in line, or three in a plane)",
        })
    }
}

/// Where the tool is beside where it should be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Residual {
    /// Metres.
    pub position: f64,
    /// Radians.
    pub angle: f64,
}

/// What to know about a solution.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// At a singularity any value of this freedom will do: it was left at its current value, or about as near to it
    /// as the limits and the reach of the others allow.
    Kept {
        /// Number of the freedom.
        freedom: usize,
        /// What leaves it open.
        because: Singularity,
    },
    /// These freedoms can do the same also one or several full turns away, within their limits.
    OtherTurns(Vec<usize>),
    /// These freedoms are outside of their limits; only if [`Options::keep_limits`] is off.
    OutsideLimits(Vec<usize>),
}

/// One way to hold the tool there.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Solution {
    /// One value per freedom of the robot; those that do not move the tool keep their current values.
    pub values: Vec<f64>,
    /// By forward kinematics at these values.
    pub residual: Residual,
    /// True for the one nearest to the current values.
    pub nearest: bool,
    /// How far the joints have to go from the current values: root of the sum of squares, radians, and metres for slides.
    pub way: f64,
    /// Signs that change only where the arm goes through a singularity; `None` for numeric solutions.
    pub configuration: Option<Configuration>,
    /// The same in words that say what is seen, as far as they make sense for the arm.
    pub posture: super::Posture,
    /// The singularities that it is at.
    pub singular: Vec<Singularity>,
    /// What to know about it.
    pub notes: Vec<Note>,
}

impl Solution {
    /// What a file says to get this solution: `front up noflip`, or the signs where the arm does not have all of these words (with those that it has: `+-+ (up)`); `None` for numeric solutions.
    pub fn name(&self) -> Option<String> {
        let signs = self.configuration?;
        let words = self.posture.to_string();
        Some(match (self.posture.is_named(), words.is_empty()) {
            (true, _) => words,
            (false, true) => signs.to_string(),
            (false, false) => format!("{signs} ({words})"),
        })
    }
}

/// On which sides of its singularities an arm is.
///
/// Along a motion without singularity none of the three changes; an arm with eight solutions has, as a rule, one for each combination. Signs at a singularity
/// mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Configuration {
    /// Side of [`Singularity::Shoulder`].
    pub shoulder: bool,
    /// Side of [`Singularity::Elbow`].
    pub elbow: bool,
    /// Side of [`Singularity::Wrist`].
    pub wrist: bool,
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in [self.shoulder, self.elbow, self.wrist] {
            f.write_str(if side { "+" } else { "-" })?;
        }
        Ok(())
    }
}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Reason {
    /// Too far away, or too near; proven by the closed form.
    #[error("out of reach by {by} m")]
    OutOfReach {
        /// How far the arm misses it at least, limits aside: of the wrist centre, in metres.
        by: f64,
    },
    /// The place can be reached but the tool not be turned as asked for; proven by the closed form.
    #[error("the tool cannot be turned this way: {by} rad off", by = .by)]
    Orientation {
        /// By how much it is off at best, in radians.
        by: f64,
    },
    /// Solutions exist, but not within the limits.
    #[error("{} within the joint limits: {}", none_of(*.solutions), people(.joints))]
    OutsideLimits {
        /// How many solutions there would be without limits.
        solutions: usize,
        /// The names of the joints, and in how many of the solutions each is outside of its limits; the most frequent first.
        joints: Vec<(String, usize)>,
    },
    /// The numeric search came no nearer than this; that does not prove that there is no solution.
    #[error("not reached: {} m and {} rad off after {} starts", .best.position, .best.angle, .starts)]
    NotReached {
        /// At the best place found, limits kept.
        best: Residual,
        /// How often it was tried.
        starts: usize,
    },
    /// No joint moves the tool.
    #[error("no joint moves link '{0}'")]
    NothingMoves(String),
    /// A number in the question is not finite.
    #[error("the target or the joint values are not finite numbers")]
    NotFinite,
}

fn none_of(solutions: usize) -> String {
    if solutions == 1 {
        "the only solution is not".to_owned()
    } else {
        format!("none of {solutions} solutions is")
    }
}

fn people(joints: &[(String, usize)]) -> String {
    let each: Vec<String> = joints.iter().map(|(name, times)| format!("'{name}' ({times})")).collect();
    each.join(", ")
}

/// All that was found; see [`crate::inverse()`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Inverse {
    /// How.
    pub method: Method,
    /// The nearest to the current joint values first.
    pub solutions: Vec<Solution>,
    /// The singularities that some solution is at, each once.
    pub singular: Vec<Singularity>,
    /// How many more there would be without limits (closed forms only).
    pub outside_limits: usize,
    /// Why there is no solution; `None` if there is one.
    pub reason: Option<Reason>,
}

impl Inverse {
    /// The solution nearest to the current joint values.
    pub fn nearest(&self) -> Option<&Solution> {
        self.solutions.first()
    }
}
