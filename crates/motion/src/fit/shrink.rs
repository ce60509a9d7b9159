//! Bodies made smaller on all sides.

use crate::movable::Movable;
use freiraum_geometry::mesh::Topology;
use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Part, Shape, Sphere,
};
use freiraum_geometry::tolerance::COPLANAR_FOLD_ANGLE;
use freiraum_geometry::{Mat3, Mesh, Pose, Vec3};
use std::sync::Arc;

/// Why a body cannot be made smaller.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "an allowance of {allowance} m is too large: a part of a body is thinner than {lost} m, what it would lose"
)]
pub struct ShrinkError {
    /// What was allowed, in metres.
    pub allowance: f64,
    /// What was to be taken away from the body on opposite sides together, in metres: as much as was allowed, or twice that if the other
    /// body has no inside and cannot give way.
    pub lost: f64,
}

impl Movable {
    /// The body made smaller by `depth` metres on all sides.
    ///
    /// **Guarantee.** Every face moves inwards by at most `depth`, and by exactly that where the faces at its corners allow it:
    /// always for primitives, boxes, and corners where three planes meet. Nothing that is deeper below the surface is lost. Open meshes stay as they
    /// are; height fields are lowered.
    pub fn shrunk(&self, depth: f64) -> Result<Movable, ShrinkError> {
        if depth == 0.0 {
            return Ok(self.clone());
        }
        let shape = shrink(self.prepared().shape(), depth, self.prepared().has_open_surface());
        shape.map(Movable::new).ok_or(ShrinkError { allowance: 2.0 * depth, lost: 2.0 * depth })
    }
}

/// `None` if nothing would be left of it, or of a part.
fn shrink(shape: &Shape, depth: f64, is_open: bool) -> Option<Shape> {
    let less = |x: f64| x - 2.0 * depth;
    Some(match shape {
        Shape::Sphere(s) => Shape::Sphere(Sphere::new(s.radius() - depth).ok()?),
        Shape::Cuboid(s) => Shape::Cuboid(Cuboid::new(s.size() - Vec3::splat(2.0 * depth)).ok()?),
        Shape::Cylinder(s) => Shape::Cylinder(Cylinder::new(s.radius() - depth, less(s.height())).ok()?),
        Shape::Capsule(s) => Shape::Capsule(Capsule::new(s.radius() - depth, s.height()).ok()?),
        Shape::Cone(s) => shrink_cone(s, depth)?,
        Shape::HalfSpace(s) => Shape::HalfSpace(HalfSpace::new(s.normal(), s.offset() - depth).ok()?),
        Shape::Convex(s) => {
            let smaller = shrink_mesh(s.surface(), depth)?;
            Shape::Convex(Convex::from_points(smaller.vertices()).ok()?)
        }
        Shape::Mesh(mesh) if is_open => Shape::Mesh(mesh.clone()),
        Shape::Mesh(mesh) => Shape::Mesh(Arc::new(shrink_mesh(mesh, depth)?)),
        Shape::HeightField(field) => lower(field, depth)?,
        Shape::Compound(compound) => {
            let parts = compound.parts().iter().map(|part| {
                let is_open = freiraum_query::Prepared::new(part.shape.clone()).has_open_surface();
                Some(Part {
                    compound_from_part: part.compound_from_part,
                    shape: shrink(&part.shape, depth, is_open)?,
                })
            });
            Shape::Compound(Compound::new(parts.collect::<Option<Vec<_>>>()?).ok()?)
        }
    })
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

/// A closed mesh with every corner moved so that the faces at it move inwards by `depth`, or by less where they do not agree.
/// `None` if a plane face turns over, so that something thinner than twice the depth is there.
fn shrink_mesh(mesh: &Mesh, depth: f64) -> Option<Mesh> {
    let corners = mesh.vertices();
    let normal = |face: &[u32; 3]| {
        let [p, q, r] = face.map(|i| corners[i as usize]);
        (q - p).cross(r - p)
    };
    // Least squares over the planes at a corner, each weighted by the angle that its faces take there, so that it does not
    // matter into how many triangles a plane is cut: M d = -depth * s.
    let mut planes = vec![(Mat3::ZERO, Vec3::ZERO); corners.len()];
    for face in mesh.faces() {
        let Some(n) = plane_normal(face.map(|i| corners[i as usize])) else { continue };
        let outer = Mat3::from_cols(n * n.x, n * n.y, n * n.z);
        for k in 0..3 {
            let [p, q, r] = [k, (k + 1) % 3, (k + 2) % 3].map(|k| corners[face[k] as usize]);
            let weight = (q - p).angle_between(r - p);
            let (m, s) = &mut planes[face[k] as usize];
            *m += outer * weight;
            *s += weight * n;
        }
    }
    let mut moves: Vec<Vec3> = planes.iter().map(|(m, s)| -depth * shortest_solution(m, *s)).collect();
    // No face may move inwards by more than the depth: shorten what does.
    let mut excess = vec![1.0f64; corners.len()];
    for face in mesh.faces() {
        let Some(n) = normal(face).try_normalize() else { continue };
        for i in face {
            excess[*i as usize] = excess[*i as usize].max(-n.dot(moves[*i as usize]) / depth);
        }
    }
    for (shift, excess) in moves.iter_mut().zip(excess) {
        *shift /= excess;
    }
    let moved: Vec<Vec3> = corners.iter().zip(moves).map(|(p, shift)| *p + shift).collect();
    let smaller = Mesh::new(moved, mesh.faces().to_vec()).ok()?;
    if has_lost_a_plane(mesh, &smaller) {
        return None;
    }
    Some(smaller)
}

/// Whether a plane face of a mesh, of however many triangles, has no area any more or is turned over. Single triangles of it may be turned over: slivers
/// do, and then the others cover what they uncover.
fn has_lost_a_plane(mesh: &Mesh, smaller: &Mesh) -> bool {
    let product = |mesh: &Mesh, face: usize| {
        let [p, q, r] = mesh.faces()[face].map(|i| mesh.vertices()[i as usize]);
        (q - p).cross(r - p)
    };
    let is_turned = |face: usize| {
        let corners = mesh.faces()[face].map(|i| mesh.vertices()[i as usize]);
        product(smaller, face).dot(product(mesh, face)) <= 0.0 && plane_normal(corners).is_some()
    };
    let count = mesh.faces().len();
    if !(0..count).any(is_turned) {
        return false;
    }
    let topology = Topology::of(mesh);
    let mut is_seen = vec![false; count];
    let mut open = Vec::new();
    for first in (0..count).filter(|face| is_turned(*face)) {
        if std::mem::replace(&mut is_seen[first], true) {
            continue;
        }
        let (mut before, mut after) = (Vec3::ZERO, Vec3::ZERO);
        open.push(first);
        while let Some(face) = open.pop() {
            before += product(mesh, face);
            after += product(smaller, face);
            for edge in topology.face_edges(face).into_iter().flatten() {
                for side in topology.edge_uses(edge as usize) {
                    let next = side.face() as usize;
                    let fold = product(mesh, face).angle_between(product(mesh, next));
                    if fold <= COPLANAR_FOLD_ANGLE && !std::mem::replace(&mut is_seen[next], true) {
                        open.push(next);
                    }
                }
            }
        }
        if after.dot(before) <= 0.0 {
            return true;
        }
    }
    false
}

/// The unit normal of a triangle; `None` if it is so thin that rounding makes it.
fn plane_normal([p, q, r]: [Vec3; 3]) -> Option<Vec3> {
    let product = (q - p).cross(r - p);
    let longest = (q - p).length_squared().max((r - q).length_squared()).max((p - r).length_squared());
    product.try_normalize().filter(|_| product.length() > SLIVER * longest)
}

/// Height of a triangle as a share of its longest side below which its plane is not looked at: the resolution of f32, which
/// most mesh files store.
const SLIVER: f64 = f32::EPSILON as f64;

/// The shortest x with M x = s for a symmetric positive matrix, leaving out directions in which the planes say nearly nothing: those
/// whose eigenvalue is below a thousandth of the largest.
fn shortest_solution(m: &Mat3, s: Vec3) -> Vec3 {
    let (values, vectors) = eigen(m);
    let largest = values.max_element();
    let mut x = Vec3::ZERO;
    for k in 0..3 {
        if values[k] > WEAK * largest {
            let axis = vectors.col(k);
            x += axis * (axis.dot(s) / values[k]);
        }
    }
    x
}

/// Share of the largest eigenvalue below which a direction is left out: planes within two degrees of each other count as one.
const WEAK: f64 = 1.0 / 1024.0;

/// Eigenvalues and unit eigenvectors of a symmetric matrix, by Jacobi rotations.
fn eigen(m: &Mat3) -> (Vec3, Mat3) {
    let mut a = *m;
    let mut vectors = Mat3::IDENTITY;
    // Converges quadratically; six sweeps reach the last digit.
    for _ in 0..6 {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let off = a.col(j)[i];
            if off == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * off).atan2(a.col(j)[j] - a.col(i)[i]);
            let (sin, cos) = angle.sin_cos();
            let mut turn = Mat3::IDENTITY;
            turn.col_mut(i)[i] = cos;
            turn.col_mut(j)[j] = cos;
            turn.col_mut(j)[i] = sin;
            turn.col_mut(i)[j] = -sin;
            a = turn.transpose() * a * turn;
            vectors *= turn;
        }
    }
    (Vec3::new(a.x_axis.x, a.y_axis.y, a.z_axis.z), vectors)
}
