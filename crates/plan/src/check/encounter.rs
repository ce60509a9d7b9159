//! Two bodies during a step: do they collide, do they fit, how close do they come?
//!
//! A pair is *in contact by design*, a fit, if it touches before or after the step, or overlaps there within its allowance. A fit may slide, separate and come
//! together; only getting deeper than the allowance is a collision. Without an allowance a fit gets the few billionths of its size that [`fit`]
//! grants to resting contact.

use super::result::FindingKind;
use super::shrinker::Shrinker;
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_motion::path::{Ball, Motion};
use freiraum_motion::{
    Clearance, ClearanceRequest, Limits, MotionError, MotionWorkspace, Movable, Verdict, clearance, fit,
    time_of_contact,
};
use freiraum_query::Prepared;
use freiraum_query::contact::regions::contact_regions;

/// Two bodies, their motions, and what they must keep to.
#[derive(Clone, Copy)]
pub(crate) struct Encounter<'m> {
    pub(crate) bodies: [&'m Movable; 2],
    pub(crate) motions: [&'m dyn Motion; 2],
    /// How deep they may overlap, in metres.
    pub(crate) allowance: f64,
    pub(crate) limits: Limits,
}

/// Whether two bodies get past each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Passage {
    /// They never touch.
    Apart,
    /// They touch, which is no collision; `is_fit` if they are in contact before or after the step.
    Touching { is_fit: bool },
    /// They collide, or it is not known.
    Blocked { time: f64, kind: FindingKind },
}

impl Encounter<'_> {
    /// Whether they get past each other; the shrinkers remember the bodies, which they must not outlive.
    pub(crate) fn passage(
        &self,
        shrinkers: [&Shrinker; 2],
        memory: &mut MotionWorkspace,
    ) -> Result<Passage, MotionError> {
        let resting = self.resting();
        let is_fit = self.touches(0.0, resting)? || self.rests(1.0, resting, shrinkers)?;
        if !is_fit {
            let verdict = self.time_of_contact(self.bodies, memory)?;
            if verdict == Verdict::Free || self.allowance == 0.0 {
                return self.blocked(&verdict, 0.0);
            }
        }
        let allowance = if is_fit { self.allowance.max(resting) } else { self.allowance };
        let is_resting = self.allowance < resting;
        let verdict = match Shrinker::pair(shrinkers, self.bodies, allowance, is_resting) {
            Ok([a, b]) => self.time_of_contact([&a, &b], memory)?,
            // Thinner than rounding: as it is.
            Err(_) if self.allowance == 0.0 => {
                return self.blocked(&self.time_of_contact(self.bodies, memory)?, 0.0);
            }
            Err(error) => return Err(error.into()),
        };
        if verdict == Verdict::Free {
            return Ok(Passage::Touching { is_fit });
        }
        if let (Verdict::Contact(later), true) = (&verdict, self.allowance == 0.0) {
            // The first touch itself is what resting contact gave way to, and has a sharper time.
            let first = self.time_of_contact(self.bodies, memory)?;
            if self.is_soon(&first, later.time, resting) {
                return self.blocked(&first, 0.0);
            }
        }
        self.blocked(&verdict, self.allowance)
    }

    /// The same as [`passage`](Self::passage); if a body cannot be made smaller by the allowance, without any: on the safe side.
    pub(crate) fn passage_or_strict(
        &self,
        shrinkers: [&Shrinker; 2],
        memory: &mut MotionWorkspace,
    ) -> Result<Passage, MotionError> {
        match self.passage(shrinkers, memory) {
            Err(MotionError::Allowance(_)) => {
                Encounter { allowance: 0.0, ..*self }.passage(shrinkers, memory)
            }
            answer => answer,
        }
    }

    fn time_of_contact(
        &self,
        [a, b]: [&Movable; 2],
        memory: &mut MotionWorkspace,
    ) -> Result<Verdict, MotionError> {
        time_of_contact(a, self.motions[0], b, self.motions[1], &self.limits, memory)
    }

    /// Whether a contact after the start is so soon before `time` that the bodies hardly move between the two.
    fn is_soon(&self, first: &Verdict, time: f64, resting: f64) -> bool {
        let Verdict::Contact(first) = first else { return false };
        let travel = |k: usize| {
            let bounds = self.bodies[k].prepared().bounds();
            bounds.map_or(0.0, |bounds| {
                let ball = Ball { center: bounds.center(), radius: 0.5 * (bounds.max - bounds.min).length() };
                self.motions[k].travel(&ball, first.time.min(time), time)
            })
        };
        first.time > first.time_error && travel(0) + travel(1) <= 16.0 * resting
    }

    /// How deep they may overlap without being told, in metres. A power of two, so that bodies are shrunk by few different depths.
    pub(crate) fn resting(&self) -> f64 {
        let ([a, b], [motion_a, motion_b]) = (self.bodies, self.motions);
        let resting = fit::resting_allowance(a, motion_a, b, motion_b).max(4.0 * self.limits.tolerance);
        resting.log2().ceil().exp2()
    }

    /// Whether they touch at a time without being deeper in each other than a fit may: what is run into collides where it is first touched, not where it
    /// is as deep as resting contact.
    pub(crate) fn rests(
        &self,
        time: f64,
        resting: f64,
        shrinkers: [&Shrinker; 2],
    ) -> Result<bool, MotionError> {
        if !self.touches(time, resting)? {
            return Ok(false);
        }
        let allowance = self.allowance.max(resting);
        match Shrinker::pair(shrinkers, self.bodies, allowance, self.allowance < resting) {
            Ok([a, b]) => Ok(!freiraum_query::intersects(a.prepared(), b.prepared(), &self.a_from_b(time))?),
            // Thinner than rounding: as it is.
            Err(_) if self.allowance == 0.0 => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether they are no farther apart than `gap` before or after the step.
    pub(crate) fn touches_in_a_state(&self, gap: f64) -> Result<bool, MotionError> {
        Ok(self.touches(0.0, gap)? || self.touches(1.0, gap)?)
    }

    /// Whether they are no farther apart than `gap` before the step.
    pub(crate) fn touches_at_start(&self, gap: f64) -> Result<bool, MotionError> {
        self.touches(0.0, gap)
    }

    /// Whether they are no farther apart than `gap` at a time.
    fn touches(&self, time: f64, gap: f64) -> Result<bool, MotionError> {
        let a_from_b = self.a_from_b(time);
        let [a, b] = self.bodies.map(Movable::prepared);
        // Most pairs are farther apart than that by their boxes, which costs next to nothing.
        if let (Some(of_a), Some(of_b)) = (a.bounds(), b.bounds())
            && super::way::boxes_apart(&of_a, &of_b, &a_from_b) > gap
        {
            return Ok(false);
        }
        Ok(freiraum_query::distance(a, b, &a_from_b)?.distance <= gap)
    }

    fn a_from_b(&self, time: f64) -> Pose {
        self.motions[0].pose(time).inverse() * self.motions[1].pose(time)
    }

    fn blocked(&self, verdict: &Verdict, allowance: f64) -> Result<Passage, MotionError> {
        Ok(match verdict {
            Verdict::Free => Passage::Apart,
            Verdict::Contact(contact) => Passage::Blocked {
                time: contact.time,
                kind: FindingKind::Contact {
                    time_error: contact.time_error,
                    point: contact.point,
                    normal: contact.normal,
                    features: [contact.feature_a, contact.feature_b],
                    allowance,
                },
            },
            Verdict::OverlapAtStart => Passage::Blocked { time: 0.0, kind: self.overlap(allowance)? },
            Verdict::Undecided { open } => {
                Passage::Blocked { time: open[0], kind: FindingKind::Undecided { open: *open } }
            }
            // Surfaces never meet in this step; nothing of it is proven free.
            Verdict::InsideUnknown { .. } => {
                Passage::Blocked { time: 0.0, kind: FindingKind::Undecided { open: [0.0, 1.0] } }
            }
        })
    }

    /// Where and how deep they overlap at the start.
    fn overlap(&self, allowance: f64) -> Result<FindingKind, MotionError> {
        let world_from_a = self.motions[0].pose(0.0);
        let a_from_b = self.a_from_b(0.0);
        let bodies = self.bodies.map(Movable::prepared);
        let (point, depth) = match deepest_region(bodies, &a_from_b)? {
            Some(deepest) => deepest,
            None => {
                let contact = freiraum_query::contact(bodies[0], bodies[1], &a_from_b)?;
                let deepest = contact.points.iter().max_by(|x, y| x.depth.total_cmp(&y.depth));
                (deepest.map_or(a_from_b.translation(), |contact| contact.point), contact.depth)
            }
        };
        Ok(FindingKind::Overlap { point: world_from_a.transform_point(point), depth: Some(depth), allowance })
    }

    /// How close they come, missed by no more than the share `accuracy`; if `at_least` is given, only whether they keep that.
    pub(crate) fn closeness(
        &self,
        at_least: Option<f64>,
        accuracy: f64,
        memory: &mut MotionWorkspace,
    ) -> Result<Clearance, MotionError> {
        let request = ClearanceRequest { at_least, accuracy, limits: self.limits };
        clearance(self.bodies[0], self.motions[0], self.bodies[1], self.motions[1], &request, memory)
    }
}

/// The deepest place of two closed meshes that cross, in the frame of a, and how deep it is; `None` where only the search for a way out tells, which
/// costs some hundred distances.
fn deepest_region([a, b]: [&Prepared; 2], a_from_b: &Pose) -> Result<Option<(Vec3, f64)>, MotionError> {
    let is_closed = |body: &Prepared| matches!(body.shape(), Shape::Mesh(_)) && !body.has_open_surface();
    if !(is_closed(a) && is_closed(b)) {
        return Ok(None);
    }
    let regions = contact_regions(a, b, a_from_b)?;
    if regions.iter().any(|region| region.normal.is_none()) {
        return Ok(None);
    }
    let deepest = regions.iter().max_by(|x, y| x.depth.total_cmp(&y.depth));
    Ok(deepest.filter(|region| region.depth > 0.0).map(|region| (region.point, region.depth)))
}

/// The direction in which the first body has to give way to get farther from the second.
pub(crate) fn give_way(points: [Vec3; 2]) -> Vec3 {
    freiraum_geometry::math::unit(points[0] - points[1]).unwrap_or(Vec3::ZERO)
}
