//! A shape prepared for questions about its motion.

use crate::path::Ball;
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_geometry::{AxisBox, Mesh, Pose};
use freiraum_query::Prepared;
use freiraum_query::mesh_tree::MeshTree;
use std::sync::Arc;

/// A shape with what questions about its motion need, made once.
///
/// **Cost.** As [`Prepared::new`]; copies share their data.
#[derive(Clone, Debug)]
pub struct Movable {
    prepared: Prepared,
    pieces: Arc<[Piece]>,
}

/// A part of a body that is treated as one: compounds have many, all others one.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) body_from_piece: Pose,
    pub(crate) form: Form,
    /// Around the piece, in the frame of the body; `None` for half spaces.
    pub(crate) ball: Option<Ball>,
}

/// How a piece is treated.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// Plane faces: boxes, convex polyhedra, meshes, height fields.
    Faces(Arc<MeshTree>),
    /// Round and convex: a sphere, capsule, cylinder or cone.
    Round(Shape),
    /// Everything below a plane.
    HalfSpace(HalfSpace),
}

impl Movable {
    /// Prepares a shape.
    pub fn new(shape: Shape) -> Movable {
        Movable::from_prepared(Prepared::new(shape))
    }

    /// Uses a shape that is prepared for queries already.
    pub fn from_prepared(prepared: Prepared) -> Movable {
        let mut pieces = Vec::new();
        collect(&prepared, &Pose::IDENTITY, &mut pieces);
        Movable { prepared, pieces: pieces.into() }
    }

    /// The shape, ready for queries in one pose.
    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
}

fn collect(prepared: &Prepared, body_from_part: &Pose, out: &mut Vec<Piece>) {
    let form = match prepared.shape() {
        Shape::Compound(_) => {
            for (compound_from_part, part) in prepared.parts() {
                collect(part, &(*body_from_part * *compound_from_part), out);
            }
            return;
        }
        Shape::HalfSpace(half_space) => Form::HalfSpace(*half_space),
        Shape::Sphere(_) | Shape::Capsule(_) | Shape::Cylinder(_) | Shape::Cone(_) => {
            Form::Round(prepared.shape().clone())
        }
        Shape::Cuboid(_) | Shape::Convex(_) => {
            Form::Faces(Arc::new(MeshTree::build(flat_faces(prepared.shape()))))
        }
        Shape::Mesh(_) | Shape::HeightField(_) => {
            Form::Faces(prepared.mesh_tree().expect("meshes and height fields have one").clone())
        }
    };
    let ball = prepared.bounds().map(|bounds: AxisBox| Ball {
        center: body_from_part.transform_point(bounds.center()),
        radius: 0.5 * (bounds.max - bounds.min).length() * (1.0 + 4.0 * f64::EPSILON),
    });
    out.push(Piece { body_from_piece: *body_from_part, form, ball });
}

/// The faces of a box or convex polyhedron, exactly.
fn flat_faces(shape: &Shape) -> Mesh {
    // Plane faces come as they are, whatever the deviation.
    shape.tessellate(1.0).expect("boxes and convex bodies were checked when they came in")
}
