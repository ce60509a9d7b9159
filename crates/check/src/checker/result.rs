//! What a check found.

use freiraum_geometry::Vec3;
use freiraum_motion::Feature;

/// The verdict on a step, or on a whole plan: the worst of its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlanVerdict {
    /// Nothing gets in the way, and all distances are kept: proven.
    Free,
    /// It is not known: a budget ended, no path was found where one is to be planned, or a body may be inside of another that bounds no solid.
    #[default]
    Undecided,
    /// Nothing touches, but something comes closer than required.
    TooClose,
    /// Something collides, or overlaps before a step.
    Collision,
    /// The plan does not do what it says: a body does not end at its goal, or it is proven that there is no way where one is to be planned.
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

/// What a check found about one step.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StepResult {
    /// The worst of its findings; [`PlanVerdict::Invalid`] if it is proven that there is no way.
    pub verdict: PlanVerdict,
    /// Numbers of the bodies that move.
    pub moving: Vec<usize>,
    /// The pair that comes closest; a fit only if all pairs are fits, whose gaps stand in `fit_gaps`. `None` if nothing else is there, or where it collides.
    pub closest: Option<Closest>,
    /// What is wrong: the earliest collision first, then what comes too close, then what is not known.
    pub findings: Vec<Finding>,
    /// Pairs that touch, or overlap within their allowance, before or after the step: they may do so then, and need not keep their distance on the approach.
    pub fits: Vec<[usize; 2]>,
    /// How close the fits come, and why they are fits.
    pub fit_gaps: Vec<FitGap>,
    /// Fits that are in contact or on their approach during the whole step, although a clearance is required
    /// elsewhere.
    pub unrequired: Vec<[usize; 2]>,
    /// Pairs that come closer than their clearance in contacts by design and on their approach only, and when
    /// that is.
    pub approaches: Vec<Approached>,
    /// Pairs that move against each other and that a rule takes out.
    pub exempt: Vec<Exempt>,
    /// How many more such pairs there are, of rules of so many pairs that they are not listed.
    pub exempt_unlisted: usize,
}

/// The smallest gap of a step over all pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SmallestGap {
    /// Numbers of the bodies; the first one moves.
    pub pair: [usize; 2],
    /// In metres; negative if they overlap.
    pub gap: f64,
    /// By how much it may be less, in metres; infinite where it collides.
    pub error: f64,
    /// True if the pair is a fit.
    pub is_fit: bool,
}

impl StepResult {
    /// The smallest gap over all pairs, fits and those that boxes alone tell apart among them; of a step that
    /// collides that of its first collision, of which it is only known how
    /// deep it is at least. `None` if nothing else is there, or where a pair could not be decided.
    pub fn smallest_gap(&self) -> Option<SmallestGap> {
        let is_met = |finding: &&Finding| finding.kind.verdict() == PlanVerdict::Collision;
        if let Some(finding) = self.findings.iter().find(is_met) {
            let depth = finding.kind.depth().unwrap_or(0.0);
            let is_fit = self.fits.contains(&finding.pair);
            return Some(SmallestGap { pair: finding.pair, gap: 0.0 - depth, error: f64::INFINITY, is_fit });
        }
        let is_open = |finding: &Finding| finding.kind.verdict() == PlanVerdict::Undecided;
        if self.closest.is_none() && self.findings.iter().any(is_open) {
            return None;
        }
        let is_fit = |pair: &[usize; 2]| self.fit_gaps.iter().any(|fit| fit.pair == *pair);
        let closest = self.closest.filter(|closest| !is_fit(&closest.pair)).map(|closest| SmallestGap {
            pair: closest.pair,
            gap: closest.distance,
            error: closest.error,
            is_fit: self.fits.contains(&closest.pair),
        });
        let of =
            |fit: &FitGap| SmallestGap { pair: fit.pair, gap: fit.gap, error: fit.gap_error, is_fit: true };
        closest.into_iter().chain(self.fit_gaps.iter().map(of)).min_by(|x, y| x.gap.total_cmp(&y.gap))
    }

    /// The fit with the smallest gap.
    pub fn tightest_fit(&self) -> Option<&FitGap> {
        self.fit_gaps.iter().min_by(|x, y| x.gap.total_cmp(&y.gap))
    }
}

/// A fit during a step: a pair that is meant to touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FitGap {
    /// Numbers of the bodies; the first one moves.
    pub pair: [usize; 2],
    /// The smallest gap over the step that was found, in metres; below 0 they overlap: an allowance of this size is not enough.
    pub gap: f64,
    /// By how much it may be less, in metres: an allowance of `gap_error - gap` is proven to be enough.
    pub gap_error: f64,
    /// How deep they may overlap, in metres.
    pub allowance: f64,
    /// How deep they may overlap without being told, in metres: the [resting allowance](freiraum_motion::fit::resting) of the pieces that touch.
    pub resting: f64,
    /// If they overlap by a quarter of the allowance or more, the shortest shift that takes them apart where they touch before or after the step, in metres, as far as it is
    /// known: that of a sharp tip is much larger than the allowance that lets it in.
    pub separating_shift: Option<f64>,
    /// Why they are a fit.
    pub reason: FitReason,
}

impl FitGap {
    /// How deep they overlap at most during the step, in metres: proven.
    pub fn deepest(&self) -> f64 {
        (self.gap_error - self.gap).max(0.0)
    }

    /// True if they overlap by no more than what is taken for rounding, and are no farther apart than that where they touch.
    pub fn only_touches(&self) -> bool {
        self.gap.abs() <= self.resting && self.deepest() <= self.resting
    }
}

/// Why a pair is in contact by design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitReason {
    /// They touch before the step.
    TouchesAtStart,
    /// They touch after the step.
    TouchesAtEnd,
    /// The one grasps the other.
    Grasped,
}

impl FitReason {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FitReason::TouchesAtStart => "touches_at_start",
            FitReason::TouchesAtEnd => "touches_at_end",
            FitReason::Grasped => "grasped",
        }
    }
}

/// When a pair need not keep its clearance in a step: in its contact and on its approach.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Approached {
    /// Numbers of the bodies; the first one moves.
    pub pair: [usize; 2],
    /// The stretches of t in [0, 1], in their order, at most four: of more the nearest are joined. At all
    /// other times the clearance is proven to be kept.
    pub times: Vec<[f64; 2]>,
    /// What it keeps at all other times, in metres.
    pub required: f64,
}

impl Approached {
    /// True if that is the whole step: no clearance was required in it.
    pub fn is_whole(&self) -> bool {
        self.holds_at(0.0) && self.times.first().is_some_and(|[_, to]| *to >= 1.0)
    }

    /// True if the pair need not keep its clearance at a time.
    pub fn holds_at(&self, time: f64) -> bool {
        self.times.iter().any(|[from, to]| *from <= time && time <= *to)
    }
}

/// A pair of a step that a rule takes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exempt {
    /// Numbers of the bodies, the lower one first.
    pub pair: [usize; 2],
    /// The number of the rule in [`Report::exempt`](super::Report::exempt).
    pub rule: usize,
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
    /// What the pair must keep then, in metres; 0 for fits, which are in contact where they are closest.
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
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum FindingKind {
    /// They overlap before the step, by more than is allowed.
    Overlap {
        /// A point in both, in the frame of the world.
        point: Vec3,
        /// How deep, in metres, as far as it is known: of two meshes at the deepest place, of others the way that takes them apart.
        depth: Option<f64>,
        /// The shortest shift that takes them apart, in metres, as far as it is known.
        separating_shift: Option<f64>,
        /// The smallest allowance with which the step would pass, in metres, rounded up to two digits: how deep they overlap below the surfaces of both. `None` if there is none, or if it was not looked for.
        passing_allowance: Option<f64>,
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
        /// The end of this contact; `None` if it was not asked for: checks ask it of every contact on the
        /// way.
        until: Option<Until>,
        /// How far they are in each other then, in metres, if an allowance let them: the shortest shift that takes them apart.
        depth: Option<f64>,
        /// The smallest allowance with which the step would pass, in metres, rounded up to two digits. `None` if there is none, or if it was not looked for: that is done where they touch before or after the step.
        passing_allowance: Option<f64>,
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
        /// They are in contact by design, and this is outside of the contact and its approach.
        is_fit: bool,
    },
    /// The budget ended: nothing is known in this part of the time.
    Undecided {
        /// From when to when.
        open: [f64; 2],
    },
    /// Their surfaces do not meet, and one may be inside of the other, whose surface bounds no solid.
    InsideUnknown {
        /// Which of the pair bounds no solid: 0 or 1.
        body: usize,
        /// Some places where its surface is open, doubled or wound both ways, in the frame of the world at that time.
        places: [Option<Vec3>; 3],
    },
    /// A planner has still to find the way, or found none.
    NoPath,
}

/// The end of a contact.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Until {
    /// When, in [0, 1].
    Time(f64),
    /// It lasts to the end of the step.
    End,
    /// The end was not found: it lasts at least until this time.
    AtLeast(f64),
}

impl FindingKind {
    /// The name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            FindingKind::Overlap { .. } => "overlap",
            FindingKind::Contact { .. } => "contact",
            FindingKind::TooClose { .. } => "too_close",
            FindingKind::Undecided { .. } => "undecided",
            FindingKind::InsideUnknown { .. } => "inside_unknown",
            FindingKind::NoPath => "no_path",
        }
    }

    /// How deep the bodies are in each other at least, in metres, as far as it is known.
    pub fn depth(&self) -> Option<f64> {
        match self {
            FindingKind::Overlap { depth, .. } | FindingKind::Contact { depth, .. } => *depth,
            _ => None,
        }
    }

    /// How bad it is.
    pub fn verdict(&self) -> PlanVerdict {
        match self {
            FindingKind::Overlap { .. } | FindingKind::Contact { .. } => PlanVerdict::Collision,
            FindingKind::TooClose { .. } => PlanVerdict::TooClose,
            FindingKind::Undecided { .. } | FindingKind::InsideUnknown { .. } | FindingKind::NoPath => {
                PlanVerdict::Undecided
            }
        }
    }
}
