//! Two bodies during a step: the outcome of their [`PairCheck`] as a finding.
//!
//! What a fit is, and what it may do, is decided by [`fit`](freiraum_motion::fit).

use super::result::FindingKind;
use freiraum_geometry::path::Window;
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_motion::fit::{ErosionCache, Fit, IfThin, PairCheck, PairOutcome};
use freiraum_motion::{
    Clearance, MotionError, MotionWorkspace, Movable, OverlapRequest, Unbounded, Verdict, contact_until,
};
use freiraum_query::Prepared;
use freiraum_query::contact::regions::contact_regions;

/// In contacts that last, free stretches shorter than this share of the motion may be overlooked where there is no exact method.
pub const CONTACT_RESOLUTION: f64 = 1.0 / 256.0;

/// Whether two bodies get past each other.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum StepOutcome {
    /// They never touch.
    Apart,
    /// They touch, which is no collision; a fit if they are in contact before or after the step.
    Touching {
        /// Why they are meant to touch, if they are.
        fit: Option<Fit>,
    },
    /// They collide, or it is not known.
    Blocked {
        /// When, in [0, 1].
        time: f64,
        /// What happens then.
        kind: FindingKind,
    },
}

impl StepOutcome {
    /// Whether two bodies get past each other; if a body is too thin for the allowance, as [`IfThin`] says.
    pub fn of(
        check: &PairCheck,
        if_thin: IfThin,
        cache: &ErosionCache,
        memory: &mut MotionWorkspace,
    ) -> Result<StepOutcome, MotionError> {
        check.asked(if_thin, |check| match check.outcome(cache, memory)? {
            PairOutcome::Apart => Ok(StepOutcome::Apart),
            PairOutcome::Touching { fit } => Ok(StepOutcome::Touching { fit }),
            PairOutcome::Blocked { verdict, allowance, .. } => blocked(check, &verdict, allowance),
        })
    }

    /// The outcome beside how close the same bodies come; see [`PairOutcome::confirmed`].
    #[must_use]
    pub fn confirmed(self, closest: &Clearance) -> StepOutcome {
        match (self, PairOutcome::Apart.confirmed(closest)) {
            (StepOutcome::Apart, PairOutcome::Blocked { verdict: Verdict::Undecided { open }, .. }) => {
                StepOutcome::Blocked { time: open[0], kind: FindingKind::Undecided { open } }
            }
            (outcome, _) => outcome,
        }
    }

    /// The `outcome` from the end of the contact on that two bodies have at the start; with that contact
    /// where its end is not known.
    pub fn after_contact(
        check: &PairCheck,
        memory: &mut MotionWorkspace,
        outcome: impl Fn(&PairCheck, &mut MotionWorkspace) -> Result<StepOutcome, MotionError>,
    ) -> Result<StepOutcome, MotionError> {
        let request = OverlapRequest { resolution: CONTACT_RESOLUTION, limits: check.limits };
        let ([a, b], [of_a, of_b]) = (check.bodies, check.motions);
        let from = match contact_until(a, of_a, b, of_b, 0.0, &request, memory) {
            Ok(None) => return Ok(StepOutcome::Touching { fit: None }),
            Ok(Some(end)) => end,
            // More turns than can be listed.
            Err(MotionError::Unsupported(_)) => 0.0,
            Err(error) => return Err(error),
        };
        let [first, second] = [of_a, of_b].map(|motion| Window { motion, from, to: 1.0 });
        let rest = PairCheck { motions: [&first, &second], ..*check };
        Ok(match outcome(&rest, memory)? {
            StepOutcome::Blocked { time, kind } => {
                let time_of = |share: f64| from + share * (1.0 - from);
                let mut kind = kind;
                match &mut kind {
                    FindingKind::Contact { time_error, .. } => *time_error *= 1.0 - from,
                    FindingKind::Undecided { open } => *open = open.map(time_of),
                    _ => {}
                }
                StepOutcome::Blocked { time: time_of(time), kind }
            }
            other => other,
        })
    }
}

fn blocked(check: &PairCheck, verdict: &Verdict, allowance: f64) -> Result<StepOutcome, MotionError> {
    Ok(match verdict {
        Verdict::Free => StepOutcome::Apart,
        Verdict::Contact(contact) => StepOutcome::Blocked {
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
        Verdict::OverlapAtStart => StepOutcome::Blocked { time: 0.0, kind: overlap(check, allowance)? },
        Verdict::Undecided { open } => {
            StepOutcome::Blocked { time: open[0], kind: FindingKind::Undecided { open: *open } }
        }
        Verdict::InsideUnknown { body } => {
            let body = usize::from(*body == Unbounded::B);
            let pose = check.motions[body].pose(0.0);
            let pieces = check.bodies[body].prepared().open_pieces();
            let middles = pieces.iter().flat_map(|piece| piece.edges.iter().map(|[p, q]| 0.5 * (*p + *q)));
            let mut middles = middles.map(|place| pose.transform_point(place));
            let places = std::array::from_fn(|_| middles.next());
            StepOutcome::Blocked { time: 0.0, kind: FindingKind::InsideUnknown { body, places } }
        }
    })
}

/// Where and how deep two bodies overlap at the start.
fn overlap(check: &PairCheck, allowance: f64) -> Result<FindingKind, MotionError> {
    let world_from_a = check.motions[0].pose(0.0);
    let a_from_b = check.a_from_b(0.0);
    let bodies = check.bodies.map(Movable::prepared);
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
pub fn give_way(points: [Vec3; 2]) -> Vec3 {
    freiraum_geometry::math::unit(points[0] - points[1]).unwrap_or(Vec3::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in `freiraum_motion`: what never touches by the one search, and has no distance by the other, is
    /// not free.
    #[test]
    fn what_the_distance_contradicts_is_undecided() {
        let closest = |distance: f64| Clearance {
            distance,
            error: 0.0,
            time: 0.5,
            point_on_a: Vec3::ZERO,
            point_on_b: Vec3::ZERO,
            is_kept: None,
        };
        let touching = StepOutcome::Touching { fit: None };
        assert_eq!(StepOutcome::Apart.confirmed(&closest(0.25)), StepOutcome::Apart);
        assert_eq!(touching.confirmed(&closest(0.0)), touching);
        let kind = FindingKind::Undecided { open: [0.5, 1.0] };
        let unproven = StepOutcome::Apart.confirmed(&closest(0.0));
        assert_eq!(unproven, StepOutcome::Blocked { time: 0.5, kind });
    }
}
