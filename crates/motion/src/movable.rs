//! A shape prepared for questions about its motion.

use crate::fit::{Bond, Leaf};
use crate::outward::is_outward;
use crate::verdict::Feature;
use freiraum_geometry::path::Ball;
use freiraum_geometry::shape::{Convex, HalfSpace, Shape};
use freiraum_geometry::{Aabb, Mesh, Pose, Vec3};
use freiraum_query::Prepared;
use freiraum_query::convex::ConvexGraph;
use freiraum_query::mesh_tree::{MeshTree, WIDTH};
use std::sync::{Arc, OnceLock};

/// A shape with what questions about its motion need, made once.
///
/// **Cost.** As [`Prepared::new`]; copies share their data.
#[derive(Clone, Debug)]
pub struct Movable {
    prepared: Prepared,
    pieces: Arc<[Piece]>,
    /// Where parts of it touch, once that was asked.
    joints: Arc<OnceLock<Box<[Bond]>>>,
    /// Its parts with the boxes of their shells, once that was asked.
    leaves: Arc<OnceLock<Vec<Leaf>>>,
    /// The digest of its content, once that was asked.
    content: Arc<OnceLock<[u8; 32]>>,
}

/// Bytes that are digested at a time: the vectorised hash wants many at once.
const CONTENT_BUFFER: usize = 1 << 14;

/// A part of a body that is treated as one: compounds have many, all others one.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Which shape of the body it belongs to: those in compounds are counted depth first.
    pub(crate) part: u32,
    pub(crate) body_from_piece: Pose,
    pub(crate) form: Form,
    /// What the exact methods need: all points within a radius of these triangles are the piece, or its surface. `None` for
    /// cylinders, cones and half spaces.
    pub(crate) core: Option<Core>,
    /// Of boxes and convex polyhedra, the vertex graph, for their translations.
    pub(crate) outline: Outline,
    /// True if the faces are those of a solid and known to look outwards.
    pub(crate) is_outward: bool,
    /// Around the piece, in the frame of the body; `None` for half spaces.
    pub(crate) ball: Option<Ball>,
    pub(crate) below: Below,
    /// Of the piece that closes the cracks of a mesh, which face of the mesh each of its faces is or is a
    /// part of.
    pub(crate) written: Option<Arc<[u32]>>,
}

/// What a piece has to do with height fields, which are solid below.
#[derive(Clone, Debug)]
pub(crate) enum Below {
    /// Nothing.
    Nothing,
    /// It is the surface of one.
    Field(Prepared),
    /// It is the sides under the border of one that has this many triangles; see [`sides`](crate::sides).
    Sides { triangles: u32 },
}

impl Piece {
    /// Whether two pieces may meet: sides are no obstacle to half spaces, nor to other sides. They are one to
    /// the surface of another height
    /// field, which is below the field once it is past them.
    pub(crate) fn may_meet(&self, other: &Piece) -> bool {
        let is_side = |piece: &Piece| matches!(piece.below, Below::Sides { .. });
        let is_open = |one: &Piece, other: &Piece| {
            is_side(one) && (is_side(other) || matches!(other.form, Form::HalfSpace(_)))
        };
        !is_open(self, other) && !is_open(other, self)
    }

    /// The feature of a face of its tree at a point in its own frame.
    pub(crate) fn feature(&self, tree: &MeshTree, face: u32, point: Vec3) -> Feature {
        if let Some(written) = &self.written {
            return Feature::Face(written[face as usize]);
        }
        match self.below {
            Below::Sides { triangles } => Feature::Face(triangles + crate::sides::number(tree, face)),
            _ => crate::contact_time::on_face(tree, face, point),
        }
    }
}

/// Triangles and how far the piece reaches beyond them: the centre of a sphere and the axis of a capsule are triangles without
/// area.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub(crate) tree: Arc<MeshTree>,
    pub(crate) radius: f64,
}

/// The box around a mesh, read off its tree: at once, where the mesh would look at all its vertices.
pub(crate) fn bounds(tree: &MeshTree) -> Aabb {
    let (node, grid) = (&tree.nodes()[0], tree.grid());
    let corner = |v: &[[f32; WIDTH]; 3]| {
        grid.center + Vec3::new(v[0][0].into(), v[1][0].into(), v[2][0].into()) / grid.scale
    };
    Aabb { min: corner(&node.min), max: corner(&node.max) }
}

/// The vertex graph of a piece, if it is a convex polyhedron.
#[derive(Clone, Debug)]
pub(crate) enum Outline {
    /// It is none.
    Unknown,
    /// That of the shape: vertices and faces have the numbers that they have in the tree of the piece.
    Own(Arc<ConvexGraph>),
    /// That of the corners of a box, with numbers of its own; made when it is first asked for. `None` in it
    /// for a box that is flat to rounding.
    Box(Arc<OnceLock<Option<ConvexGraph>>>),
}

impl Piece {
    /// How far the piece stands from the origin of its body, in metres: poses of the piece that come from
    /// those of the body are rounded as coordinates of this size are.
    pub(crate) fn offset(&self) -> f64 {
        self.body_from_piece.translation().length()
    }
}

impl Outline {
    fn of(prepared: &Prepared) -> Outline {
        match (prepared.shape(), prepared.graph()) {
            (_, Some(graph)) => Outline::Own(graph.clone()),
            (Shape::Cuboid(_), _) => Outline::Box(Arc::default()),
            _ => Outline::Unknown,
        }
    }

    /// The graph; `faces`: those of the piece.
    pub(crate) fn graph(&self, faces: &Mesh) -> Option<&ConvexGraph> {
        match self {
            Outline::Unknown => None,
            Outline::Own(graph) => Some(graph),
            Outline::Box(graph) => graph
                .get_or_init(|| Convex::from_points(faces.vertices()).ok().map(ConvexGraph::new))
                .as_ref(),
        }
    }
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

    /// A digest of the shape and of whether it is declared a sheet (BLAKE3): equal for equal content, different
    /// for different content.
    pub fn content(&self) -> &[u8; 32] {
        self.content.get_or_init(|| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(&[u8::from(self.prepared.is_sheet())]);
            let mut buffer = Vec::with_capacity(CONTENT_BUFFER);
            self.prepared.shape().write_content(&mut |piece| {
                if buffer.len() + piece.len() > CONTENT_BUFFER {
                    hasher.update(&buffer);
                    buffer.clear();
                }
                buffer.extend_from_slice(piece);
            });
            *hasher.update(&buffer).finalize().as_bytes()
        })
    }

    /// Uses a shape that is prepared for queries already.
    pub fn from_prepared(prepared: Prepared) -> Movable {
        let mut pieces = Vec::new();
        collect(&prepared, &Pose::IDENTITY, &mut pieces);
        Movable {
            prepared,
            pieces: pieces.into(),
            joints: Arc::default(),
            leaves: Arc::default(),
            content: Arc::default(),
        }
    }

    /// The shape, ready for queries in one pose.
    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    pub(crate) fn known_joints(&self) -> &OnceLock<Box<[Bond]>> {
        &self.joints
    }

    /// Its parts, none of them a compound, with the boxes of their shells.
    pub(crate) fn leaves(&self) -> &[Leaf] {
        self.leaves.get_or_init(|| Leaf::all(&self.prepared))
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The same body without vertex graphs: its translations go through all faces.
    #[cfg(test)]
    pub(crate) fn without_outlines(&self) -> Movable {
        let plain = |piece: &Piece| Piece { outline: Outline::Unknown, ..piece.clone() };
        Movable { pieces: self.pieces.iter().map(plain).collect(), ..self.clone() }
    }

    /// The same body with more pieces.
    pub(crate) fn with_pieces(&self, more: Vec<Piece>) -> Movable {
        Movable { pieces: self.pieces.iter().cloned().chain(more).collect(), ..self.clone() }
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
    let core = match (&form, prepared.shape()) {
        (Form::Faces(tree), _) => Some(Core { tree: tree.clone(), radius: 0.0 }),
        (_, Shape::Sphere(sphere)) => Some(thin_core(0.0, sphere.radius())),
        (_, Shape::Capsule(capsule)) => Some(thin_core(0.5 * capsule.height(), capsule.radius())),
        _ => None,
    };
    let ball = prepared.bounds().map(|bounds| {
        let own = bounds.bounding_sphere();
        Ball { center: body_from_part.transform_point(own.center), ..own }
    });
    let is_outward = match prepared.shape() {
        Shape::Cuboid(_) | Shape::Convex(_) => true,
        // A sheet has no inside: what is in it may go through its faces from either side.
        Shape::Mesh(_) if !prepared.is_sheet() => core.as_ref().is_some_and(|core| is_outward(&core.tree)),
        _ => false,
    };
    let is_solid_below = matches!(prepared.shape(), Shape::HeightField(_)) && prepared.fills_beyond_bounds();
    let below = if is_solid_below { Below::Field(prepared.clone()) } else { Below::Nothing };
    let part = out.last().map_or(0, |piece| piece.part + 1);
    let patches = patches(prepared);
    let written = None;
    let outline = Outline::of(prepared);
    let body_from_piece = *body_from_part;
    let piece = Piece { part, body_from_piece, form, core, outline, is_outward, ball, below, written };
    let closing = patches.map(|(tree, written)| Piece {
        form: Form::Faces(tree.clone()),
        core: Some(Core { tree, radius: 0.0 }),
        is_outward: false,
        written: Some(written),
        ..piece.clone()
    });
    out.push(piece);
    out.extend(closing);
}

/// The faces that close the cracks of a mesh, with the faces of the mesh that they belong to. What is inside
/// of the closed surface can only have come there
/// through these or through the faces as they are written.
fn patches(prepared: &Prepared) -> Option<(Arc<MeshTree>, Arc<[u32]>)> {
    let Shape::Mesh(mesh) = prepared.shape() else { return None };
    if prepared.is_sheet() {
        return None;
    }
    let patches = prepared.mesh_tree()?.solidity().patches();
    if patches.is_empty() {
        return None;
    }
    let corners =
        patches.iter().flat_map(|patch| patch.corners.map(|i| mesh.vertices()[i as usize])).collect();
    let faces = (0..patches.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let closing = Mesh::new(corners, faces).ok()?;
    let written = patches.iter().map(|patch| patch.written).collect();
    Some((Arc::new(MeshTree::build(closing)), written))
}

/// The faces of a box or convex polyhedron, exactly.
fn flat_faces(shape: &Shape) -> Mesh {
    // Plane faces come as they are, whatever the deviation.
    shape.tessellate(1.0).expect("boxes and convex bodies were checked when they came in")
}

/// A segment on the z axis, or the origin, as a triangle without area.
fn thin_core(half: f64, radius: f64) -> Core {
    let end = half * Vec3::Z;
    let mesh = Mesh::new(vec![-end, end, end], vec![[0, 1, 2]]).expect("corners are finite");
    Core { tree: Arc::new(MeshTree::build(mesh)), radius }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::shape::{Capsule, Sphere};

    #[test]
    fn round_shapes_have_thin_cores() {
        for shape in
            [Shape::Sphere(Sphere::new(0.5).unwrap()), Shape::Capsule(Capsule::new(0.5, 2.0).unwrap())]
        {
            let movable = Movable::new(shape);
            let core = movable.pieces()[0].core.as_ref().unwrap();
            assert_eq!(core.radius, 0.5);
            assert_eq!(core.tree.triangles().len(), 1);
        }
    }
}
