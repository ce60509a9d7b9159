//! Fits: bodies that are meant to touch. The one place that decides what a fit is.
//!
//! **Definition.** *A pair is a fit in a motion if the bodies touch before it, or touch after it without being deeper in each other than
//! they may. A fit is free if the bodies never get deeper into each other than the allowance, or than the [resting allowance](resting) if that
//! is larger. A pair that is no fit is free if the bodies never touch, or with an allowance, never get deeper than it.*
//!
//! Depth is measured below the surface: both bodies are eroded by half the allowance on all sides, and the eroded bodies must never touch. So bodies
//! that touch at the start, or overlap by design, may slide along each other, separate, or stay as deep as they are; what goes deeper, or comes
//! into contact elsewhere by more than the allowance, is a contact at the time when it does. `freiraum check`, `freiraum query toc` and the
//! studio ask for the [outcome](PairCheck::outcome), planners for the [pair in a search](PairCheck::for_search),
//! which is the same before the motions are known. [`time_of_contact`](crate::time_of_contact()) knows no fits: it
//! says when bodies first touch.
//!
//! Parts thinner than the allowance would vanish, and are an error. Bodies with an open surface, height fields, meshes that cross themselves, and bodies of parts that touch,
//! whose joints would open, stay as they are; the other body then gives way for both. If neither can, because
//! of joints, an
//! allowance is an error. Two surfaces, of which neither gives way, collide as soon as they touch: from which
//! side they came into contact, and to which they leave it, is unknown.

mod convex;
mod erosion_cache;
mod error;
mod joints;
mod planes;
pub mod resting;
mod search;
mod shrink;
mod solid;

pub use erosion_cache::ErosionCache;
pub use error::ShrinkError;
pub(crate) use joints::Bond;
pub use joints::{Joint, shares};
pub(crate) use resting::Leaf;
pub use search::{IfThin, SearchPair};

use crate::clearance::{Clearance, ClearanceRequest, clearance};
use crate::contact_time::{contact_from, time_of_contact};
use crate::containment::settled;
use crate::movable::Movable;
use crate::overlaps::{OverlapInterval, OverlapRequest, overlap_intervals};
use crate::sweep::MotionWorkspace;
use crate::verdict::{Limits, MotionError, Verdict};
use freiraum_geometry::path::{Ball, Motion};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::intersect::{Relation, relation_to_rounding};

/// Two bodies, their motions, and how deep they may overlap.
#[derive(Clone, Copy)]
pub struct PairCheck<'m> {
    /// The bodies.
    pub bodies: [&'m Movable; 2],
    /// Their motions over t in [0, 1]: `world_from_a` and `world_from_b`.
    pub motions: [&'m dyn Motion; 2],
    /// How deep they may overlap, in metres; 0: not at all, but for resting contact.
    pub allowance: f64,
    /// When to give up.
    pub limits: Limits,
}

/// Why a pair is a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FitReason {
    /// The bodies touch before the motion.
    TouchesAtStart,
    /// The bodies touch after the motion and are not deeper in each other than they may.
    TouchesAtEnd,
}

/// A pair that is meant to touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fit {
    /// Why it is one.
    pub reason: FitReason,
    /// The [resting allowance](resting) of the pieces that touch, in metres; granted if no larger allowance is stated.
    pub resting: f64,
}

/// Whether two bodies get past each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PairOutcome {
    /// They never touch.
    Apart,
    /// They touch, which is no collision; with an allowance that may be no fit.
    Touching {
        /// Whether and why they are meant to touch.
        fit: Option<Fit>,
    },
    /// They collide, or it is not known.
    Blocked {
        /// What happens; never [`Verdict::Free`].
        verdict: Verdict,
        /// How deep they were allowed to overlap in it, in metres: the stated allowance, or 0.
        allowance: f64,
        /// Whether and why they are meant to touch; none for what overlaps at the start by more than a fit
        /// may.
        fit: Option<Fit>,
    },
}

impl PairOutcome {
    /// The outcome beside how close the same bodies come in the same motions, which other solvers find.
    ///
    /// Bodies that never touch keep a distance. Should it be found to be 0, the two answers contradict each
    /// other, and nothing is proven from that time on.
    #[must_use]
    pub fn confirmed(self, closest: &Clearance) -> PairOutcome {
        match self {
            PairOutcome::Apart if closest.distance == 0.0 => {
                let verdict = Verdict::Undecided { open: [closest.time, 1.0] };
                PairOutcome::Blocked { verdict, allowance: 0.0, fit: None }
            }
            outcome => outcome,
        }
    }

    /// What happens, without what is meant to touch: bodies that get past each other are free.
    pub fn verdict(&self) -> Verdict {
        match self {
            PairOutcome::Apart | PairOutcome::Touching { .. } => Verdict::Free,
            PairOutcome::Blocked { verdict, .. } => *verdict,
        }
    }

    /// Whether and why the bodies are meant to touch, if that was found to matter: bodies that never touch
    /// have no fit.
    pub fn fit(&self) -> Option<Fit> {
        match self {
            PairOutcome::Apart => None,
            PairOutcome::Touching { fit } | PairOutcome::Blocked { fit, .. } => *fit,
        }
    }

    /// The same of the bodies in the other order.
    fn exchanged(self) -> PairOutcome {
        match self {
            PairOutcome::Blocked { verdict, allowance, fit } => {
                PairOutcome::Blocked { verdict: verdict.exchanged(), allowance, fit }
            }
            other => other,
        }
    }
}

/// When two bodies first touch, or with an allowance, first get deeper into each other than it; see the [definition](self).
///
/// **Frames.** As [`time_of_contact`](crate::time_of_contact()). **Guarantee.** As there, for the eroded bodies. An allowance of 0 for bodies
/// that are apart at the start and at the end is exactly [`time_of_contact`](crate::time_of_contact()).
/// **Cost.** Eroding meshes costs as much as preparing them; [`PairCheck`] takes bodies that were kept.
pub fn time_of_contact_with_allowance(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    allowance: f64,
    limits: &Limits,
    memory: &mut MotionWorkspace,
) -> Result<Verdict, MotionError> {
    let check = PairCheck { bodies: [a, b], motions: [motion_a, motion_b], allowance, limits: *limits };
    Ok(check.outcome(&ErosionCache::default(), memory)?.verdict())
}

impl PairCheck<'_> {
    /// Whether the bodies get past each other; see the [definition](self).
    ///
    /// **Errors.** A stated allowance that a body is too thin for, or that would open joints of both.
    pub fn outcome(
        &self,
        cache: &ErosionCache,
        memory: &mut MotionWorkspace,
    ) -> Result<PairOutcome, MotionError> {
        self.valid()?;
        if let Some(exchanged) = self.exchanged() {
            return Ok(exchanged.outcome(cache, memory)?.exchanged());
        }
        match self.fit(cache)? {
            Some(fit) => self.fit_outcome(fit, cache, memory),
            None => self.free_outcome(cache, memory),
        }
    }

    /// The same with the body that moves first, if that is the second one and the other stands still. Answers
    /// differ by rounding with the order,
    /// and all callers are to get the same one.
    fn exchanged(&self) -> Option<PairCheck<'_>> {
        let is_still = |k: usize| {
            let ball = ball_of(self.bodies[k]).unwrap_or(Ball { center: Vec3::ZERO, radius: 1.0 });
            self.motions[k].travel(&ball, 0.0, 1.0) == 0.0
        };
        let ([a, b], [of_a, of_b]) = (self.bodies, self.motions);
        (is_still(0) && !is_still(1)).then_some(PairCheck { bodies: [b, a], motions: [of_b, of_a], ..*self })
    }

    fn valid(&self) -> Result<(), MotionError> {
        if self.allowance >= 0.0 { Ok(()) } else { Err(MotionError::BadAllowance(self.allowance)) }
    }

    /// Whether and why the bodies are meant to touch.
    pub fn fit(&self, cache: &ErosionCache) -> Result<Option<Fit>, MotionError> {
        if let Some(exchanged) = self.exchanged() {
            return exchanged.fit(cache);
        }
        match self.rests_at_start()? {
            Some(fit) => Ok(Some(fit)),
            None if self.ends_where_it_begins() => Ok(None),
            None => self.rests_at_end(cache),
        }
    }

    /// What does not touch before such a motion does not touch after it, and need not be asked twice.
    fn ends_where_it_begins(&self) -> bool {
        self.a_from_b(1.0) == self.a_from_b(0.0)
    }

    /// Whether the bodies touch before the motion.
    pub fn rests_at_start(&self) -> Result<Option<Fit>, MotionError> {
        let resting = self.resting_at(0.0)?;
        Ok(resting.map(|resting| Fit { reason: FitReason::TouchesAtStart, resting }))
    }

    /// Whether the bodies touch after the motion without being deeper in each other than a fit may: what is run into collides where it is first
    /// touched, not where it is as deep as resting contact.
    pub fn rests_at_end(&self, cache: &ErosionCache) -> Result<Option<Fit>, MotionError> {
        match self.resting_at(1.0)? {
            Some(resting) => self.fit_at_end(resting, cache),
            None => Ok(None),
        }
    }

    fn fit_at_end(&self, resting: f64, cache: &ErosionCache) -> Result<Option<Fit>, MotionError> {
        let fit = Fit { reason: FitReason::TouchesAtEnd, resting };
        let is_apart = match self.eroded(fit, cache) {
            Ok([a, b]) => {
                matches!(surely([&a, &b], &self.a_from_b(1.0))?, Relation::Separate | Relation::Unknown)
            }
            // Thinner than rounding: as it is.
            Err(_) if self.allowance == 0.0 => true,
            Err(error) => return Err(error.into()),
        };
        Ok(is_apart.then_some(fit))
    }

    /// The [resting allowance](resting) of the bodies at a time, in metres; `None` if they do not touch then.
    pub fn resting_at(&self, time: f64) -> Result<Option<f64>, MotionError> {
        let roundings = resting::position_rounding(self.bodies, self.motions);
        Ok(resting::resting_allowance(self.bodies, &self.a_from_b(time), roundings)?)
    }

    /// Whether the bodies touch at a time, but for rounding.
    pub fn touches_at(&self, time: f64) -> Result<bool, MotionError> {
        Ok(self.resting_at(time)?.is_some())
    }

    /// Whether the bodies touch before or after the motion, but for rounding.
    pub fn touches_in_a_state(&self) -> Result<bool, MotionError> {
        Ok(self.touches_at(0.0)? || self.touches_at(1.0)?)
    }

    /// The most that the [resting allowance](resting) of the bodies can be, in metres, wherever they touch.
    pub fn largest_resting(&self) -> f64 {
        let roundings = resting::position_rounding(self.bodies, self.motions);
        resting::largest_resting_allowance(self.bodies, roundings)
    }

    /// How close the bodies come, missed by no more than the share `accuracy`; if `at_least` is given, in metres,
    /// only whether they keep that.
    pub fn closeness(
        &self,
        at_least: Option<f64>,
        accuracy: f64,
        memory: &mut MotionWorkspace,
    ) -> Result<Clearance, MotionError> {
        let request = ClearanceRequest { at_least, accuracy, limits: self.limits };
        clearance(self.bodies[0], self.motions[0], self.bodies[1], self.motions[1], &request, memory)
    }

    /// Both bodies eroded by what a fit is allowed.
    pub fn eroded(&self, fit: Fit, cache: &ErosionCache) -> Result<[Movable; 2], ShrinkError> {
        cache.pair(self.bodies, self.allowance.max(fit.resting), self.allowance < fit.resting)
    }

    fn free_outcome(
        &self,
        cache: &ErosionCache,
        memory: &mut MotionWorkspace,
    ) -> Result<PairOutcome, MotionError> {
        let verdict = self.contact(self.bodies, &self.limits, memory)?;
        if verdict == Verdict::Free {
            return Ok(PairOutcome::Apart);
        }
        if self.allowance == 0.0 {
            return Ok(PairOutcome::Blocked { verdict, allowance: 0.0, fit: None });
        }
        let [a, b] = cache.pair(self.bodies, self.allowance, false)?;
        Ok(match self.contact([&a, &b], &self.limits, memory)? {
            Verdict::Free => PairOutcome::Touching { fit: None },
            verdict => PairOutcome::Blocked { verdict, allowance: self.allowance, fit: None },
        })
    }

    fn fit_outcome(
        &self,
        fit: Fit,
        cache: &ErosionCache,
        memory: &mut MotionWorkspace,
    ) -> Result<PairOutcome, MotionError> {
        let fit_or_none = Some(fit);
        let blocked = |verdict: Verdict, allowance: f64| match verdict {
            Verdict::Free => PairOutcome::Apart,
            // What is deeper at the start than a fit may be is none.
            Verdict::OverlapAtStart => PairOutcome::Blocked { verdict, allowance, fit: None },
            verdict => PairOutcome::Blocked { verdict, allowance, fit: fit_or_none },
        };
        let Some(([a, b], limits)) = self.judged_as(fit, cache)? else {
            return Ok(blocked(self.contact(self.bodies, &self.limits, memory)?, 0.0));
        };
        let verdict = self.contact([&a, &b], &limits, memory)?;
        if verdict == Verdict::Free {
            return Ok(PairOutcome::Touching { fit: fit_or_none });
        }
        if let (Verdict::Contact(later), true) = (&verdict, self.allowance == 0.0) {
            // The first touch itself is what resting contact gave way to, and has a sharper time.
            let first = self.contact(self.bodies, &self.limits, memory)?;
            if self.is_soon(&first, later.time, fit.resting) {
                return Ok(blocked(first, 0.0));
            }
        }
        Ok(blocked(verdict, self.allowance))
    }

    /// The bodies as they are judged in a fit: eroded, and the limits that go with it. `None` for those that
    /// are thinner than rounding and
    /// have no allowance, which are judged as they are.
    fn judged_as(
        &self,
        fit: Fit,
        cache: &ErosionCache,
    ) -> Result<Option<([Movable; 2], Limits)>, MotionError> {
        let bodies = match self.eroded(fit, cache) {
            Ok(bodies) => bodies,
            Err(_) if self.allowance == 0.0 => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        // Gaps that count as contact must be smaller than those that erosion leaves.
        let mut limits = self.limits;
        if limits.tolerance == 0.0 && self.allowance < fit.resting {
            limits.tolerance = 0.25 * fit.resting;
        }
        Ok(Some((bodies, limits)))
    }

    /// All times at which the bodies are deeper in each other than they may, by the rule of
    /// [`outcome`](PairCheck::outcome).
    ///
    /// **Guarantee.** That of [`overlap_intervals`] for the eroded bodies; a first interval that begins with
    /// the first contact begins at its time. **Errors.** As [`outcome`](PairCheck::outcome).
    pub fn collisions(
        &self,
        cache: &ErosionCache,
        memory: &mut MotionWorkspace,
    ) -> Result<Vec<OverlapInterval>, MotionError> {
        let outcome = self.outcome(cache, memory)?;
        self.collisions_of(&outcome, cache, memory)
    }

    /// The same, where the [`outcome`](PairCheck::outcome) is known.
    pub fn collisions_of(
        &self,
        outcome: &PairOutcome,
        cache: &ErosionCache,
        memory: &mut MotionWorkspace,
    ) -> Result<Vec<OverlapInterval>, MotionError> {
        self.valid()?;
        if let Some(exchanged) = self.exchanged() {
            return exchanged.collisions_of(&outcome.exchanged(), cache, memory);
        }
        let verdict = outcome.verdict();
        let fit = if verdict == Verdict::OverlapAtStart { None } else { self.fit(cache)? };
        let as_fit = match fit {
            Some(fit) => self.judged_as(fit, cache)?,
            None if self.allowance > 0.0 => {
                Some((cache.pair(self.bodies, self.allowance, false)?, self.limits))
            }
            None => None,
        };
        let ([a, b], limits) = match &as_fit {
            Some((bodies, limits)) => (bodies.each_ref(), *limits),
            None => (self.bodies, self.limits),
        };
        let request = OverlapRequest { limits, ..OverlapRequest::default() };
        let mut found = overlap_intervals(a, self.motions[0], b, self.motions[1], &request, memory)?;
        // The time of the contact itself is sharper: resting contact gave way to what comes before.
        if let (Some(first), Verdict::Contact(contact)) = (found.first_mut(), &verdict)
            && contact.time < first.time[0]
        {
            (first.time[0], first.error[0]) = (contact.time, contact.time_error);
        }
        Ok(found)
    }

    /// When these bodies, eroded or not, first touch.
    fn contact(
        &self,
        bodies: [&Movable; 2],
        limits: &Limits,
        memory: &mut MotionWorkspace,
    ) -> Result<Verdict, MotionError> {
        contact(bodies, self.motions, limits, memory)
    }

    /// Whether a contact after the start is so soon before `time` that the bodies hardly move between the two.
    fn is_soon(&self, first: &Verdict, time: f64, resting: f64) -> bool {
        let Verdict::Contact(first) = first else { return false };
        let travel = |k: usize| {
            ball_of(self.bodies[k])
                .map_or(f64::INFINITY, |ball| self.motions[k].travel(&ball, first.time.min(time), time))
        };
        first.time > first.time_error && travel(0) + travel(1) <= 16.0 * resting
    }

    /// The pose of b in the frame of a at a time.
    pub fn a_from_b(&self, time: f64) -> Pose {
        self.motions[0].pose(time).inverse() * self.motions[1].pose(time)
    }
}

/// When bodies, eroded or not, first touch.
fn contact(
    [a, b]: [&Movable; 2],
    [motion_a, motion_b]: [&dyn Motion; 2],
    limits: &Limits,
    memory: &mut MotionWorkspace,
) -> Result<Verdict, MotionError> {
    let start = motion_a.pose(0.0).inverse() * motion_b.pose(0.0);
    let relation = surely([a, b], &start)?;
    if matches!(relation, Relation::Separate | Relation::Unknown) {
        let verdict = contact_from(a, motion_a, b, motion_b, limits, memory)?;
        return settled(verdict, relation, a, motion_a, b, motion_b);
    }
    time_of_contact(a, motion_a, b, motion_b, limits, memory)
}

/// A ball around a body, in its frame; `None` for one without an end.
fn ball_of(body: &Movable) -> Option<Ball> {
    Some(body.prepared().bounds()?.bounding_sphere())
}

/// How two bodies stand to each other, to rounding: the gaps that erosion leaves are smaller than what iteration counts as touching.
fn surely([a, b]: [&Movable; 2], a_from_b: &Pose) -> Result<Relation, MotionError> {
    Ok(relation_to_rounding(a.prepared(), b.prepared(), a_from_b)?)
}
