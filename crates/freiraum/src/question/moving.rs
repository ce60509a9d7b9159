//! Questions about two moving bodies.

use super::{Answer, OpenSurfaces, Placed, QuestionError, Remarks, WrittenMotion};
use freiraum_check::words::{length, not_smaller};
use freiraum_geometry::Unit;
use freiraum_geometry::mesh::{EdgeKind, Topology};
use freiraum_geometry::path::Axis;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::tolerance::{FREE_BOUND_FACES, FREE_BOUND_RELATIVE, FREE_BOUND_RELATIVE_LARGE};
use freiraum_motion::containment::is_excluded_during;
use freiraum_motion::fit::{ErosionCache, Fit, PairCheck, ShrinkError};
use freiraum_motion::turn::{TurnAnswer, TurnContact, full_turn};
use freiraum_motion::{
    Clearance, ClearanceRequest, Feature, Limits, MotionError, MotionWorkspace, Movable, OverlapInterval,
    Verdict, clearance,
};
use freiraum_query::{self as query, Prepared};
use std::borrow::Cow;

/// A shape and how it moves.
pub struct Moving {
    /// The shape in its own frame.
    pub shape: Prepared,
    /// Its motion in the frame of the world.
    pub motion: WrittenMotion,
}

/// What the question when two bodies touch takes beside them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactRequest {
    /// How deep the bodies may get into each other, in metres.
    pub allowance: f64,
    /// Whether all intervals in which they touch or overlap are wanted, too.
    pub all: bool,
    /// When to give up.
    pub limits: Limits,
    /// The unit in which errors tell lengths.
    pub units: Unit,
}

/// When two bodies touch.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactTime {
    /// What happens.
    pub verdict: Verdict,
    /// Whether and why the bodies are meant to touch, and how much overlap is taken for rounding then.
    pub fit: Option<Fit>,
    /// The named features that touch, of a and of b; only for a contact.
    pub features: Option<[NamedFeature; 2]>,
    /// If they are free: they are proven never to come closer than this, in metres.
    pub clearance_lower: Option<f64>,
    /// True if they are free although they touch: they slide along each other or part.
    pub rests: bool,
    /// How deep the bodies were allowed to get into each other, in metres.
    pub allowance: f64,
    /// All intervals in which they touch or overlap, deeper than they may; if that was asked.
    pub intervals: Option<Vec<OverlapInterval>>,
    /// Which of the bodies have no inside.
    pub open: OpenSurfaces,
    /// What is unknown about inside and outside.
    pub remarks: Remarks,
}

/// A feature as programs find it in a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedFeature {
    /// `vertex`, `edge` or `face`.
    pub kind: &'static str,
    /// Its number; edges as in [`Topology::edges`], those between
    /// faces of one plane are named as one of the faces; the rims of cylinders and cones are edge 0 at the bottom and 1 at the top.
    pub index: u32,
    /// The vertices at the ends of an edge.
    pub vertices: Option<[u32; 2]>,
    /// Which shape of a compound, counted depth first.
    pub part: Option<u32>,
}

/// What the question how close two bodies come takes beside them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClearanceQuestion {
    /// Only ask whether they keep this many metres.
    pub at_least: Option<f64>,
    /// At how many equidistant times the distance is wanted, too; from 2 on.
    pub curve: Option<usize>,
    /// When to give up.
    pub limits: Limits,
}

/// How close two bodies come.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosestApproach {
    /// The answer.
    pub clearance: Clearance,
    /// What was to be kept, in metres.
    pub at_least: Option<f64>,
    /// The distance at equidistant times, if it was wanted.
    pub curve: Option<Vec<[f64; 2]>>,
    /// Which of the bodies have no inside.
    pub open: OpenSurfaces,
    /// What is unknown about inside and outside.
    pub remarks: Remarks,
}

impl ClosestApproach {
    /// Whether they keep what was asked for, or stay apart if nothing was; `None` if the budget ended before it was known.
    /// Bodies that touch keep nothing, not even 0: they may overlap.
    pub fn is_kept(&self) -> Option<bool> {
        match self.at_least {
            _ if self.clearance.distance == 0.0 => Some(false),
            // Too close is too close, whatever is inside what.
            Some(_) if self.clearance.is_kept == Some(false) => Some(false),
            _ if self.remarks.unknown.is_some() => None,
            // To keep 0 is to stay apart.
            Some(at_least) if at_least > 0.0 => self.clearance.is_kept,
            _ => (self.clearance.lower() > 0.0).then_some(true),
        }
    }
}

/// How many points a curve may have.
pub(super) const MAX_CURVE: usize = 100_000;

/// Asks when two bodies touch.
pub fn ask_contact_time(a: &Moving, b: &Moving, request: &ContactRequest) -> Result<Answer, QuestionError> {
    ask_contact_time_with(a, b, request, &ErosionCache::default())
}

/// The same, with the eroded bodies that earlier questions have left.
pub(super) fn ask_contact_time_with(
    a: &Moving,
    b: &Moving,
    request: &ContactRequest,
    cache: &ErosionCache,
) -> Result<Answer, QuestionError> {
    let [body_a, body_b] = [a, b].map(Moving::body);
    let (motion_a, motion_b) = (a.motion.motion(), b.motion.motion());
    let memory = &mut MotionWorkspace::default();
    let check = PairCheck {
        bodies: [&body_a, &body_b],
        motions: [motion_a, motion_b],
        allowance: request.allowance,
        limits: request.limits,
    };
    let in_words = |e: MotionError| in_words(e, request.units);
    let mut outcome = check.outcome(cache, memory).map_err(in_words)?;
    let mut closest = None;
    if outcome.verdict() == Verdict::Free {
        let is_large = faces(body_a.prepared()) + faces(body_b.prepared()) > FREE_BOUND_FACES;
        let accuracy = if is_large { FREE_BOUND_RELATIVE_LARGE } else { FREE_BOUND_RELATIVE };
        let found = check.closeness(None, accuracy, memory).map_err(in_words)?;
        outcome = outcome.confirmed(&found);
        closest = Some(found);
    }
    let (verdict, fit) = (outcome.verdict(), outcome.fit());
    let features = match &verdict {
        Verdict::Contact(contact) => {
            let [part_a, part_b] = contact.parts;
            Some([named(&a.shape, part_a, contact.feature_a), named(&b.shape, part_b, contact.feature_b)])
        }
        _ => None,
    };
    let intervals = request.all.then(|| check.collisions_of(&outcome, cache, memory));
    let intervals = intervals.transpose().map_err(in_words)?;
    let open = OpenSurfaces::of(&a.shape, &b.shape);
    Ok(Answer::ContactTime(ContactTime {
        verdict,
        fit,
        features,
        clearance_lower: closest.filter(|_| verdict == Verdict::Free).map(|closest| closest.lower()),
        rests: closest.is_some_and(|closest| closest.distance == 0.0),
        allowance: request.allowance,
        intervals,
        open,
        remarks: remarks(a, b, matches!(verdict, Verdict::InsideUnknown { .. })),
    }))
}

/// How many triangles the meshes of a body have.
fn faces(body: &Prepared) -> usize {
    let own = body.mesh_tree().map_or(0, |tree| tree.faces().len());
    own + body.parts().map(|(_, part)| faces(part)).sum::<usize>()
}

/// Asks how close two bodies come.
pub fn ask_clearance(a: &Moving, b: &Moving, question: &ClearanceQuestion) -> Result<Answer, QuestionError> {
    let points = match question.curve {
        Some(points @ 2..=MAX_CURVE) => points,
        None => 0,
        Some(points) => {
            let message = format!("curve: found {points}, expected a number of times from 2 to {MAX_CURVE}");
            return Err(QuestionError::new("curve", message));
        }
    };
    let request = ClearanceRequest {
        at_least: question.at_least.filter(|at_least| *at_least > 0.0),
        limits: question.limits,
        ..ClearanceRequest::default()
    };
    let found = clearance(
        &a.body(),
        a.motion.motion(),
        &b.body(),
        b.motion.motion(),
        &request,
        &mut MotionWorkspace::default(),
    )
    .map_err(|e| in_words(e, Unit::Metre))?;
    let curve = (0..points).map(|k| {
        let t = k as f64 / (points - 1) as f64;
        distance_at(a, b, t).map(|distance| [t, distance])
    });
    let curve = curve.collect::<Result<Vec<_>, QuestionError>>()?;
    let curve = question.curve.map(|_| curve);
    let open = OpenSurfaces::of(&a.shape, &b.shape);
    let (motion_a, motion_b) = (a.motion.motion(), b.motion.motion());
    let is_unknown = found.distance > 0.0
        && !is_excluded_during(&a.shape, motion_a, &b.shape, motion_b)
            .map_err(|e| QuestionError::new("query", e))?;
    let remarks = remarks(a, b, is_unknown);
    let at_least = question.at_least;
    Ok(Answer::Clearance(ClosestApproach { clearance: found, at_least, curve, open, remarks }))
}

/// Asks whether a can turn completely about an axis of the world without touching b.
pub fn ask_turn(a: &Placed, b: &Placed, axis: &Axis) -> Result<Answer, QuestionError> {
    let [body_a, body_b] = [a, b].map(|placed| Movable::from_prepared(placed.shape.clone()));
    let b_from_world = b.world_from_shape.inverse();
    let b_from_a = b_from_world * a.world_from_shape;
    let axis = axis.placed(&b_from_world);
    let found = full_turn(&body_b, &body_a, &b_from_a, &axis, &mut MotionWorkspace::default());
    let TurnAnswer { free, clearance_lower, contact, inside_unknown } =
        found.map_err(|e| in_words(e, Unit::Metre))?;
    // Asked with a and b exchanged.
    let contact = contact
        .map(|contact| TurnContact { faces: contact.faces.map(|[of_b, of_a]| [of_a, of_b]), ..contact });
    let found = TurnAnswer { free, clearance_lower, contact, inside_unknown };
    let open = OpenSurfaces::of(&a.shape, &b.shape);
    Ok(Answer::Turn { found, open, remarks: super::pair::remarks(a, b, inside_unknown) })
}

impl Moving {
    fn body(&self) -> Movable {
        Movable::from_prepared(self.shape.clone())
    }
}

/// About two bodies where they start.
fn remarks(a: &Moving, b: &Moving, is_unknown: bool) -> Remarks {
    let [start_a, start_b] = [a, b].map(|body| body.motion.motion().pose(0.0));
    Remarks::of((&a.shape, &start_a), (&b.shape, &start_b), is_unknown)
}

fn distance_at(a: &Moving, b: &Moving, t: f64) -> Result<f64, QuestionError> {
    let a_from_b = a.motion.motion().pose(t).inverse() * b.motion.motion().pose(t);
    let failed = |e| QuestionError::new("query", e);
    let distance = query::distance(&a.shape, &b.shape, &a_from_b).map_err(failed)?.distance;
    let is_apart = distance > 0.0 && !query::intersects(&a.shape, &b.shape, &a_from_b).map_err(failed)?;
    Ok(if is_apart { distance } else { 0.0 })
}

/// Names the part of the question that is wrong, with lengths in this unit.
fn in_words(error: MotionError, units: Unit) -> QuestionError {
    match error {
        MotionError::Query(e) => QuestionError::new("query", e),
        MotionError::Allowance(e @ ShrinkError::Thin { .. }) => {
            let found = not_smaller(&e, units);
            QuestionError::new("allowance", format!("allowance: {found}; expected less, or thicker parts"))
        }
        MotionError::Allowance(e) => {
            let found = not_smaller(&e, units);
            let message = format!("allowance: {found}; expected one of them as a single solid");
            QuestionError::new("allowance", message)
        }
        MotionError::BadAllowance(found) => QuestionError::new(
            "allowance",
            format!("allowance: found {}, expected a length that is not negative", length(found, units)),
        ),
        other => QuestionError::new("query", other),
    }
}

/// A feature with the number that its own shape gives it.
fn named(body: &Prepared, part: u32, feature: Feature) -> NamedFeature {
    let mut leaves = Vec::new();
    collect_leaves(body, &mut leaves);
    let is_compound = matches!(body.shape(), Shape::Compound(_));
    let leaf = leaves.get(part as usize).copied().unwrap_or(body);
    let (kind, index, vertices) = match feature {
        Feature::Vertex(i) => ("vertex", i, None),
        Feature::Edge(ends) => named_edge(leaf, ends),
        Feature::Rim(i) => ("edge", i, None),
        Feature::Face(i) => ("face", i, None),
    };
    NamedFeature { kind, index, vertices, part: is_compound.then_some(part) }
}

fn collect_leaves<'s>(body: &'s Prepared, out: &mut Vec<&'s Prepared>) {
    if !matches!(body.shape(), Shape::Compound(_)) {
        return out.push(body);
    }
    for (_, part) in body.parts() {
        collect_leaves(part, out);
    }
}

/// The edges of a shape; those of a mesh are found once, however many are named.
fn edges_of(leaf: &Prepared) -> Option<Cow<'_, Topology>> {
    match leaf.topology() {
        Some(topology) => Some(Cow::Borrowed(topology)),
        // Plane faces come as they are, whatever the deviation.
        None => leaf.shape().tessellate(1.0).ok().map(|mesh| Cow::Owned(Topology::of(&mesh))),
    }
}

/// An edge with its number; one between two faces of a plane is no edge to people, but one of the faces.
fn named_edge(leaf: &Prepared, ends: [u32; 2]) -> (&'static str, u32, Option<[u32; 2]>) {
    let found = edges_of(leaf).and_then(|topology| {
        let edge = topology.edge_between(ends[0], ends[1])?;
        let face = topology.edge_uses(edge as usize).first().map(|side| side.face());
        Some((edge, face.filter(|_| topology.edge_kind(edge as usize) == EdgeKind::Flat)))
    });
    match found {
        Some((_, Some(face))) => ("face", face, None),
        // Every edge that is touched belongs to a face.
        other => ("edge", other.map_or(0, |(edge, _)| edge), Some(ends)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::shape::Sphere;

    /// Before, the topology of the whole mesh was built again for each of them.
    #[test]
    fn all_edges_of_a_mesh_are_named_from_one_topology() {
        let ball = Shape::Sphere(Sphere::new(1.0).unwrap()).tessellate(0.01).unwrap();
        let faces = ball.faces().to_vec();
        let body = Prepared::new(Shape::Mesh(ball.into()));
        let first = body.topology().unwrap();
        let mut edges = 0;
        for [a, b, c] in faces {
            for ends in [[a, b], [b, c], [c, a]] {
                // Bodies of questions are copies.
                let copy = body.clone();
                let is_first = |found: Cow<'_, Topology>| matches!(found, Cow::Borrowed(found) if std::ptr::eq(found, first));
                assert!(edges_of(&copy).is_some_and(is_first));
                let found = named(&copy, 0, Feature::Edge(ends));
                assert_eq!((found.kind, Some(found.index)), ("edge", first.edge_between(ends[0], ends[1])));
                edges += 1;
            }
        }
        assert!(edges > 300, "{edges}");
    }
}
