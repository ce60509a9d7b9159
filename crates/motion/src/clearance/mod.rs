//! How close two moving bodies come.
//!
//! - [`clearance`]: the least distance over the whole motion, when and where, or whether it is at least so much
//! - [`distance_curve`]: the distance over time, for plots
//!
//! The time is cut where a motion changes its kind. While b translates or rotates as seen from a, pairs of parts of both trees
//! are opened in the order of a lower bound of their distance during the stretch, and pairs of triangles are solved exactly. For
//! other motions, and for cylinders and cones, the answer is a proven one of the steps of [`advance`](crate::advance): nothing comes
//! closer than what has been found, less the error that the answer states.

mod common_point;
mod cores;
mod curve;
mod edges_rotating;
mod general;
mod half_space;
mod pieces;
mod search;
#[cfg(test)]
mod tests;
mod travel;
mod triangles_rotating;
mod triangles_translating;
mod turned;

pub(crate) use search::ClearanceMemory;

pub use curve::{DistanceCurve, distance_curve, distance_samples};

use crate::contact_time::{breaks, turn_changes, turns_into_itself};
use crate::movable::Movable;
use crate::relative::{Relative, RelativeMotion};
use crate::sides;
use crate::sweep::MotionWorkspace;
use crate::verdict::{Limits, MotionError, Verdict};
use common_point::common_point;
use cores::Goal;
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::Motion;
use freiraum_geometry::tolerance::NEAREST_RELATIVE;
use freiraum_geometry::{Pose, Vec3};

/// What is asked about the clearance of two moving bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClearanceRequest {
    /// Asks only whether the bodies always keep at least this many metres, which is faster.
    pub at_least: Option<f64>,
    /// By which share of it the least distance may be missed; smaller ones take a little longer, rounding is the limit.
    pub accuracy: f64,
    /// For motions and shapes without an exact method: when to give up.
    pub limits: Limits,
}

impl Default for ClearanceRequest {
    fn default() -> ClearanceRequest {
        ClearanceRequest { at_least: None, accuracy: NEAREST_RELATIVE, limits: Limits::default() }
    }
}

impl ClearanceRequest {
    /// Whether the bodies always keep at least this many metres.
    pub fn at_least(distance: f64) -> ClearanceRequest {
        ClearanceRequest { at_least: Some(distance), ..ClearanceRequest::default() }
    }
}

/// How close two bodies come during their motion.
///
/// **Frames.** Points are in the frame of the world at `time`. **Guarantee.** At `time` the bodies are `distance` apart, up to
/// rounding; at no time are they closer than `distance - error`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clearance {
    /// The least distance that was found, in metres; 0 if the bodies touch or overlap at some time.
    pub distance: f64,
    /// By how much the true least distance may be below, in metres. Large only where the bound of the request was enough to
    /// know, or where the budget ended.
    pub error: f64,
    /// When they are so close, in [0, 1]: the first contact if they touch.
    pub time: f64,
    /// The nearest point of a; a point of both bodies if they touch or overlap.
    pub point_on_a: Vec3,
    /// The nearest point of b; the same point if they touch or overlap.
    pub point_on_b: Vec3,
    /// Whether the bodies always keep the distance that was asked for, up to the accuracy and rounding; `None` if nothing was asked for, or if
    /// the budget ended before it was known.
    pub is_kept: Option<bool>,
}

impl Clearance {
    /// The bodies are proven never to be closer than this, in metres.
    pub fn lower(&self) -> f64 {
        (self.distance - self.error).max(0.0)
    }
}

/// How close two bodies come, each with its own motion over t in [0, 1].
///
/// With [`ClearanceRequest::at_least`] the search ends as soon as that is known: when it is kept, `distance` is that at some time and
/// `error` reaches down to what was asked for; when it is not, `time` is one at which the bodies are closer, not necessarily
/// the closest.
///
/// **Frames.** Motions give `world_from_a` and `world_from_b`; the answer is in the frame of the world. **Guarantee.** See
/// [`Clearance`]. Relative translations and rotations are exact to the accuracy asked for, a billionth unless told otherwise,
/// and rounding; so are half spaces. Other motions are exact to what `error` says.
/// Closed meshes are solids: a body inside another one has no clearance.
/// **Errors.** A pose on the way that is not finite or too far out.
pub fn clearance(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    request: &ClearanceRequest,
    memory: &mut MotionWorkspace,
) -> Result<Clearance, MotionError> {
    let motions = [motion_a, motion_b];
    let sided = sides::during([a, b], motions)?;
    let [a, b] = sided.bodies([a, b]);
    let found = search_closest(Bodies { a, b, motions }, request, memory);
    memory.unless_cancelled(found)
}

fn search_closest(
    bodies: Bodies,
    request: &ClearanceRequest,
    memory: &mut MotionWorkspace,
) -> Result<Clearance, MotionError> {
    let [motion_a, motion_b] = bodies.motions;
    let mut best = bodies.look(0.0)?;
    if best.distance == 0.0 {
        return bodies.touching(0.0, request, memory);
    }
    if request.at_least.is_none() {
        best = best.or_closer(bodies.look(1.0)?);
    }
    let mut from = 0.0;
    for to in breaks(motion_a, motion_b) {
        if best.distance == 0.0 || request.at_least.is_some_and(|least| best.distance < least) {
            break;
        }
        let relative = Relative::between(motion_a, motion_b, from, to);
        if relative.motion == RelativeMotion::Still {
            let look = bodies.look(from)?;
            best = best.or_closer(Closest { lower: look.distance, ..look });
        } else {
            bodies.in_stretch(&relative, [from, to], request, &mut best, memory)?;
        }
        from = to;
    }
    bodies.answer(best, request, memory)
}

/// Two bodies and their motions.
struct Bodies<'m> {
    a: &'m Movable,
    b: &'m Movable,
    motions: [&'m dyn Motion; 2],
}

/// The closest so far.
#[derive(Clone, Copy, Debug)]
struct Closest {
    distance: f64,
    time: f64,
    /// In the frame of a at that time.
    points: [Vec3; 2],
    /// What has been searched is nowhere closer than this.
    lower: f64,
}

impl Closest {
    fn or_closer(self, other: Closest) -> Closest {
        let lower = self.lower.min(other.lower);
        Closest { lower, ..if other.distance < self.distance { other } else { self } }
    }
}

impl Bodies<'_> {
    fn a_from_b(&self, t: f64) -> Pose {
        self.motions[0].pose(t).inverse() * self.motions[1].pose(t)
    }

    /// The distance at one time.
    fn look(&self, t: f64) -> Result<Closest, MotionError> {
        let found = freiraum_query::distance(self.a.prepared(), self.b.prepared(), &self.a_from_b(t))?;
        let distance = found.distance.max(0.0);
        Ok(Closest { distance, time: t, points: [found.point_on_a, found.point_on_b], lower: f64::INFINITY })
    }

    /// How far off a distance may be by rounding.
    fn rounding(&self) -> f64 {
        let size = |body: &Movable| {
            let sizes = body.pieces().iter().filter_map(|piece| piece.ball);
            sizes.map(|ball| ball.center.length() + ball.radius).fold(0.0, f64::max)
        };
        let farthest = |f: &dyn Fn(f64) -> f64| [0.0, 0.5, 1.0].into_iter().map(f).fold(0.0, f64::max);
        let between = farthest(&|t| self.a_from_b(t).translation().length());
        // The pose of one body in the frame of the other is as good as the two it comes from.
        let home = |motion: &dyn Motion| farthest(&|t| motion.pose(t).translation().length());
        let reach = size(self.a) + size(self.b) + 2.0 * between;
        4.0 * rounding::coordinate(reach + home(self.motions[0]) + home(self.motions[1]))
    }

    /// The distance at a time, if that is all that has to be known where it changes by no more than `changes`.
    fn steady(
        &self,
        time: f64,
        changes: Option<f64>,
        request: &ClearanceRequest,
    ) -> Result<Option<(Closest, f64)>, MotionError> {
        let Some(changes) = changes else { return Ok(None) };
        let look = self.look(time)?;
        let is_enough = match request.at_least {
            Some(least) => look.distance - changes >= least || look.distance < least,
            None => changes <= request.accuracy * look.distance,
        };
        Ok((changes == 0.0 || is_enough).then_some((look, changes)))
    }

    /// Searches one stretch of time.
    fn in_stretch(
        &self,
        relative: &Relative,
        time: [f64; 2],
        request: &ClearanceRequest,
        best: &mut Closest,
        memory: &mut MotionWorkspace,
    ) -> Result<(), MotionError> {
        for piece_a in self.a.pieces() {
            for piece_b in self.b.pieces().iter().filter(|piece_b| piece_a.may_meet(piece_b)) {
                // Where turning changes nothing, or less than has to be known, one look is enough, and that of the whole bodies tells no more than this pair.
                let changes = match turns_into_itself(piece_a, piece_b, relative) {
                    true => Some(0.0),
                    false => turn_changes(piece_a, piece_b, relative),
                };
                if let Some((look, changes)) = self.steady(time[0], changes, request)? {
                    *best = best.or_closer(Closest { lower: look.distance - changes, ..look });
                    if best.distance == 0.0 {
                        return Ok(());
                    }
                    continue;
                }
                // A bound that is asked for is all that has to be beaten.
                let below = request.at_least.map_or(best.distance, |least| least.min(best.distance));
                let goal = Goal { below, relative: request.accuracy, any: request.at_least.is_some() };
                match pieces::exact(piece_a, piece_b, relative, &goal, memory) {
                    pieces::Exact::Farther => best.lower = best.lower.min(below * (1.0 - request.accuracy)),
                    pieces::Exact::Found(found) => {
                        let t = (time[0] + found.share * (time[1] - time[0])).min(time[1]);
                        let lower = if goal.any { 0.0 } else { found.lower };
                        let found =
                            Closest { distance: found.distance, time: t, points: found.points, lower };
                        *best = best.or_closer(found);
                    }
                    pieces::Exact::Unknown => {
                        general::search(self, [piece_a, piece_b], time, request, best, memory)?;
                    }
                }
                if best.distance == 0.0 || (goal.any && best.distance < below) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn answer(
        &self,
        best: Closest,
        request: &ClearanceRequest,
        memory: &mut MotionWorkspace,
    ) -> Result<Clearance, MotionError> {
        if best.distance == 0.0 {
            // The first contact is told.
            let [motion_a, motion_b] = self.motions;
            let verdict =
                crate::time_of_contact(self.a, motion_a, self.b, motion_b, &request.limits, memory)?;
            return match verdict {
                Verdict::Contact(contact) => Ok(Clearance {
                    distance: 0.0,
                    error: 0.0,
                    time: contact.time,
                    point_on_a: contact.point,
                    point_on_b: contact.point,
                    is_kept: request.at_least.map(|least| least <= 0.0),
                }),
                _ => self.touching(best.time, request, memory),
            };
        }
        let world_from_a = self.motions[0].pose(best.time);
        let is_broken = request.at_least.is_some_and(|least| best.distance < least);
        // The search ended as soon as that was known.
        let lower = if is_broken { 0.0 } else { best.lower };
        let error = (best.distance - lower).max(0.0) + self.rounding();
        let is_kept = request.at_least.and_then(|least| {
            let is_proven = lower >= least - general::margin(self, request, least);
            if is_broken { Some(false) } else { is_proven.then_some(true) }
        });
        Ok(Clearance {
            distance: best.distance,
            error: error.min(best.distance),
            time: best.time,
            point_on_a: world_from_a.transform_point(best.points[0]),
            point_on_b: world_from_a.transform_point(best.points[1]),
            is_kept,
        })
    }

    /// The answer for bodies that touch or overlap at this time.
    fn touching(
        &self,
        t: f64,
        request: &ClearanceRequest,
        memory: &mut MotionWorkspace,
    ) -> Result<Clearance, MotionError> {
        let [p, q] = self.look(t)?.points;
        let point = common_point(self.a, self.b, &self.a_from_b(t), 0.5 * (p + q), self.rounding(), memory)?;
        let point = self.motions[0].pose(t).transform_point(point);
        Ok(Clearance {
            distance: 0.0,
            error: 0.0,
            time: t,
            point_on_a: point,
            point_on_b: point,
            is_kept: request.at_least.map(|least| least <= 0.0),
        })
    }
}
