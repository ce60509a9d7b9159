//! Questions about two moving bodies.

use super::{Answer, QuestionError, WrittenMotion};
use freiraum_geometry::Mesh;
use freiraum_geometry::mesh::Topology;
use freiraum_geometry::shape::Shape;
use freiraum_motion::fit::time_of_contact_with_allowance;
use freiraum_motion::{Feature, Limits, MotionError, MotionWorkspace, Movable, Verdict};
use freiraum_query::Prepared;
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
    /// When to give up.
    pub limits: Limits,
}

/// When two bodies touch.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactTime {
    /// What happens.
    pub verdict: Verdict,
    /// The named features that touch, of a and of b; only for a contact.
    pub features: Option<[NamedFeature; 2]>,
    /// If they are free: they are proven never to come closer than this, in metres.
    pub clearance_lower: Option<f64>,
}

/// A feature as programs find it in a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedFeature {
    /// `vertex`, `edge` or `face`.
    pub kind: &'static str,
    /// Its number; edges as in [`Topology::edges`], the rims of cylinders and cones are edge 0 at the bottom and 1 at the top.
    pub index: u32,
    /// The vertices at the ends of an edge.
    pub vertices: Option<[u32; 2]>,
    /// Which shape of a compound, counted depth first.
    pub part: Option<u32>,
}

/// Asks when two bodies touch.
pub fn ask_contact_time(a: &Moving, b: &Moving, request: &ContactRequest) -> Result<Answer, QuestionError> {
    let (body_a, body_b) = (Movable::from_prepared(a.shape.clone()), Movable::from_prepared(b.shape.clone()));
    let (motion_a, motion_b) = (a.motion.motion(), b.motion.motion());
    let memory = &mut MotionWorkspace::default();
    let verdict = time_of_contact_with_allowance(
        &body_a,
        motion_a,
        &body_b,
        motion_b,
        request.allowance,
        &request.limits,
        memory,
    )
    .map_err(in_words)?;
    let features = match &verdict {
        Verdict::Contact(contact) => {
            let [part_a, part_b] = contact.parts;
            Some([named(&a.shape, part_a, contact.feature_a), named(&b.shape, part_b, contact.feature_b)])
        }
        _ => None,
    };
    let clearance_lower = (verdict == Verdict::Free).then_some(0.0);
    Ok(Answer::ContactTime(ContactTime { verdict, features, clearance_lower }))
}

/// Names the part of the question that is wrong.
fn in_words(error: MotionError) -> QuestionError {
    match error {
        MotionError::Query(e) => QuestionError::new("query", e),
        MotionError::Allowance(e) => {
            QuestionError::new("allowance", format!("allowance: {e}; expected less, or thicker parts"))
        }
        MotionError::BadAllowance(found) => QuestionError::new(
            "allowance",
            format!("allowance: found {found:?}, expected a length in metres that is not negative"),
        ),
        MotionError::Unsupported(_) => QuestionError::new("query", error),
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
        Feature::Edge(ends) => ("edge", edge_number(leaf, ends), Some(ends)),
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

fn edge_number(leaf: &Prepared, [i, j]: [u32; 2]) -> u32 {
    let surface: Option<Cow<Mesh>> = match leaf.mesh_tree() {
        Some(tree) => Some(Cow::Borrowed(tree.mesh())),
        // Plane faces come as they are, whatever the deviation.
        None => leaf.shape().tessellate(1.0).ok().map(Cow::Owned),
    };
    // Every edge that is touched belongs to a face.
    surface.and_then(|mesh| Topology::of(&mesh).edge_between(i, j)).unwrap_or(0)
}
