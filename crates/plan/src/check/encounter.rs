//! Two bodies during a step: do they collide, do they fit, how close do they come?
//!
//! What a fit is, and what it may do, is decided by [`fit`](freiraum_motion::fit).

use super::result::FindingKind;
use super::shrinker::{Shrinker, Shrinkers};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_motion::fit::resting::{largest_resting_allowance, position_rounding};
use freiraum_motion::fit::{Fit, PairCheck, PairOutcome};
use freiraum_motion::path::{Motion, Window};
use freiraum_motion::{
    Clearance, ClearanceRequest, Limits, MotionError, MotionWorkspace, Movable, OverlapRequest, Unbounded,
    Verdict, clearance, contact_until,
};
use freiraum_query::Prepared;
use freiraum_query::contact::regions::contact_regions;

/// In contacts that last, free stretches shorter than this share of the motion may be overlooked where there is no exact method.
pub(crate) const CONTACT_RESOLUTION: f64 = 1.0 / 256.0;

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
    /// They touch, which is no collision; a fit if they are in contact before or after the step.
    Touching { fit: Option<Fit> },
    /// They collide, or it is not known.
    Blocked { time: f64, kind: FindingKind },
}

impl<'m> Encounter<'m> {
    fn pair_check(&self) -> PairCheck<'m> {
        let Encounter { bodies, motions, allowance, limits } = *self;
        PairCheck { bodies, motions, allowance, limits }
    }

    /// Whether they get past each other; the shrinkers remember the bodies, which they must not outlive.
    pub(crate) fn passage(
        &self,
        shrinkers: [&Shrinker; 2],
        memory: &mut MotionWorkspace,
    ) -> Result<Passage, MotionError> {
        match self.pair_check().outcome(&Shrinkers(shrinkers), memory)? {
            PairOutcome::Apart => Ok(Passage::Apart),
            PairOutcome::Touching { fit } => Ok(Passage::Touching { fit }),
            PairOutcome::Blocked { verdict, allowance, .. } => self.blocked(&verdict, allowance),
        }
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

    /// The `passage` from the end of the contact on that they have at the start; with that contact where its end is not known.
    pub(crate) fn after_contact(
        &self,
        memory: &mut MotionWorkspace,
        passage: impl Fn(&Encounter, &mut MotionWorkspace) -> Result<Passage, MotionError>,
    ) -> Result<Passage, MotionError> {
        let request = OverlapRequest { resolution: CONTACT_RESOLUTION, limits: self.limits };
        let ([a, b], [of_a, of_b]) = (self.bodies, self.motions);
        let from = match contact_until(a, of_a, b, of_b, 0.0, &request, memory) {
            Ok(None) => return Ok(Passage::Touching { fit: None }),
            Ok(Some(end)) => end,
            // More turns than can be listed.
            Err(MotionError::Unsupported(_)) => 0.0,
            Err(error) => return Err(error),
        };
        let [first, second] = [of_a, of_b].map(|motion| Window { motion, from, to: 1.0 });
        let rest = Encounter { motions: [&first, &second], ..*self };
        Ok(match passage(&rest, memory)? {
            Passage::Blocked { time, kind } => {
                let time_of = |share: f64| from + share * (1.0 - from);
                let mut kind = kind;
                match &mut kind {
                    FindingKind::Contact { time_error, .. } => *time_error *= 1.0 - from,
                    FindingKind::Undecided { open } => *open = open.map(time_of),
                    _ => {}
                }
                Passage::Blocked { time: time_of(time), kind }
            }
            other => other,
        })
    }

    /// Whether and why they are in contact by design.
    pub(crate) fn fit(&self, shrinkers: [&Shrinker; 2]) -> Result<Option<Fit>, MotionError> {
        match self.pair_check().fit(&Shrinkers(shrinkers)) {
            Err(MotionError::Allowance(_)) => {
                Encounter { allowance: 0.0, ..*self }.pair_check().fit(&Shrinkers(shrinkers))
            }
            answer => answer,
        }
    }

    /// Whether they touch before or after the step, but for rounding.
    pub(crate) fn touches_in_a_state(&self) -> Result<bool, MotionError> {
        Ok(self.touches_at(0.0)? || self.touches_at(1.0)?)
    }

    /// Whether they touch at a time, but for rounding.
    pub(crate) fn touches_at(&self, time: f64) -> Result<bool, MotionError> {
        Ok(self.pair_check().resting_at(time)?.is_some())
    }

    /// The most that they may overlap without an allowance where they touch, in metres.
    pub(crate) fn resting(&self) -> f64 {
        let roundings = position_rounding(self.bodies, self.motions);
        largest_resting_allowance(self.bodies, roundings)
    }

    fn a_from_b(&self, time: f64) -> Pose {
        self.pair_check().a_from_b(time)
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
                    until: None,
                    depth: None,
                    passing_allowance: None,
                    allowance,
                },
            },
            Verdict::OverlapAtStart => Passage::Blocked { time: 0.0, kind: self.overlap(allowance)? },
            Verdict::Undecided { open } => {
                Passage::Blocked { time: open[0], kind: FindingKind::Undecided { open: *open } }
            }
            Verdict::InsideUnknown { body } => {
                let body = usize::from(*body == Unbounded::B);
                let pose = self.motions[body].pose(0.0);
                let pieces = self.bodies[body].prepared().open_pieces();
                let middles =
                    pieces.iter().flat_map(|piece| piece.edges.iter().map(|[p, q]| 0.5 * (*p + *q)));
                let mut middles = middles.map(|place| pose.transform_point(place));
                let places = std::array::from_fn(|_| middles.next());
                Passage::Blocked { time: 0.0, kind: FindingKind::InsideUnknown { body, places } }
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
        Ok(FindingKind::Overlap {
            point: world_from_a.transform_point(point),
            depth: Some(depth),
            separating_shift: None,
            passing_allowance: None,
            allowance,
        })
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
