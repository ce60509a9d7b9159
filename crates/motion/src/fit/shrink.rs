//! Bodies made smaller on all sides.

use super::error::ShrinkError;
use super::{convex, solid};
use crate::movable::Movable;
use freiraum_geometry::mesh::SoundSurface;
use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Cuboid, Cylinder, HalfSpace, HeightField, Part, Shape, Sphere,
};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::Prepared;
use freiraum_query::mesh_tree::MeshTree;
use std::borrow::Cow;
use std::sync::Arc;

impl Movable {
    /// The body made smaller by `depth` metres on all sides.
    ///
    /// **Guarantee.** Nothing that is deeper than twice `depth` below the surface is lost, and nothing deeper than `depth` but at inner
    /// corners, where faces of a mesh rise from each other: there faces stay parallel to themselves, so that a key still fits its slot, and what
    /// is lost is up to twice as deep (1.41 times at a right angle).
    /// Faces move by exactly `depth` where the faces at their corners allow it, and otherwise less: always for primitives, boxes
    /// and convex polyhedra, and for meshes at corners where three planes meet; where edges are sharper than 60 degrees and faces
    /// small, less. Faces of chamfers and fillets that are too small for it vanish.
    /// Shapes of a compound lose their surface each: see [`Movable::joint`]. Open meshes stay as they are; height fields are lowered.
    /// **Errors.** [`ShrinkError::Thin`] if a part would vanish for which there is no ball of radius `depth` in the body nearby, within
    /// eight times as far. **Cost.** That of preparing the body, for meshes; convex polyhedra whose faces vanish cost two hulls more.
    pub fn shrunk(&self, depth: f64) -> Result<Movable, ShrinkError> {
        if depth == 0.0 {
            return Ok(self.clone());
        }
        let thin = ShrinkError::Thin { allowance: 2.0 * depth, lost: 2.0 * depth };
        let shrunk = shrink(self.prepared(), depth).map(Movable::new).ok_or(thin)?;
        // A solid of which less than a solid is left has a part that is too thin: nothing could be inside of
        // the rest.
        let is_lost = !self.prepared().has_open_surface() && shrunk.prepared().has_open_surface();
        if is_lost { Err(thin) } else { Ok(shrunk) }
    }
}

/// `None` if nothing would be left of it, or of a part.
fn shrink(body: &Prepared, depth: f64) -> Option<Shape> {
    let less = |x: f64| x - 2.0 * depth;
    Some(match body.shape() {
        Shape::Sphere(s) => Shape::Sphere(Sphere::new(s.radius() - depth).ok()?),
        Shape::Cuboid(s) => Shape::Cuboid(Cuboid::new(s.size() - Vec3::splat(2.0 * depth)).ok()?),
        Shape::Cylinder(s) => Shape::Cylinder(Cylinder::new(s.radius() - depth, less(s.height())).ok()?),
        Shape::Capsule(s) => Shape::Capsule(Capsule::new(s.radius() - depth, s.height()).ok()?),
        Shape::Cone(s) => shrink_cone(s, depth)?,
        Shape::HalfSpace(s) => Shape::HalfSpace(HalfSpace::new(s.normal(), s.offset() - depth).ok()?),
        Shape::Convex(s) => Shape::Convex(convex::shrink(s, depth)?),
        Shape::Mesh(mesh) if body.has_open_surface() => Shape::Mesh(mesh.clone()),
        Shape::Mesh(_) => {
            let tree = body.mesh_tree()?;
            Shape::Mesh(Arc::new(solid::shrink(tree, &outward_faces(tree), depth)?))
        }
        Shape::HeightField(field) => lower(field, depth)?,
        Shape::Compound(_) => {
            let parts = body.parts().map(|(compound_from_part, part)| {
                Some(Part { compound_from_part: *compound_from_part, shape: shrink(part, depth)? })
            });
            Shape::Compound(Compound::new(parts.collect::<Option<Vec<_>>>()?).ok()?)
        }
    })
}

/// The faces of a mesh where they are written, wound outwards: shells that are inside out would grow. What was closed or left out to tell what is inside is there all the same,
/// and can be run into.
fn outward_faces(tree: &MeshTree) -> Cow<'_, Mesh> {
    let (mesh, solidity) = (tree.mesh(), tree.solidity());
    match solidity.surface() {
        SoundSurface::Part(part) if solidity.is_only_turned() => Cow::Borrowed(part),
        SoundSurface::Whole if solidity.turned_shells() > 0 => {
            let turned = mesh.faces().iter().map(|[a, b, c]| [*a, *c, *b]).collect();
            Mesh::new(mesh.vertices().to_vec(), turned).map_or(Cow::Borrowed(mesh), Cow::Owned)
        }
        _ => Cow::Borrowed(mesh),
    }
}

/// A cone stays similar to itself and keeps the centre of its inscribed sphere.
fn shrink_cone(cone: &Cone, depth: f64) -> Option<Shape> {
    let (radius, height) = (cone.radius(), cone.height());
    let inscribed = radius * height / (radius + radius.hypot(height));
    let scale = 1.0 - depth / inscribed;
    let smaller = Cone::new(scale * radius, scale * height).ok()?;
    // The base is at -height / 2, the centre of the sphere `inscribed` above it.
    let shift = (1.0 - scale) * (inscribed - 0.5 * height);
    let compound_from_part = Pose::from_translation(shift * Vec3::Z);
    let part = Part { compound_from_part, shape: Shape::Cone(smaller) };
    Some(Shape::Compound(Compound::new(vec![part]).ok()?))
}

fn lower(field: &HeightField, depth: f64) -> Option<Shape> {
    let rows: Vec<Vec<f64>> = (0..field.rows())
        .map(|row| (0..field.columns()).map(|column| field.vertex(row, column).z - depth).collect())
        .collect();
    Some(Shape::HeightField(HeightField::new(field.size(), &rows).ok()?))
}
