//! A point that two bodies have in common.

use crate::movable::{Core, Form, Movable, Piece};
use crate::sweep::{MotionWorkspace, TranslatingPair};
use crate::verdict::MotionError;
use freiraum_geometry::shape::{Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::Prepared;
use freiraum_query::elementary::triangle_triangle;

/// A point of two bodies that touch or overlap, in the frame of a. `guess`: tried first; `rounding`: how far off a point may be.
///
/// **Guarantee.** In both, up to rounding, unless all that meets is a cylinder or cone that crosses something else:
/// then it is the guess, if nothing better is found.
pub(super) fn common_point(
    a: &Movable,
    b: &Movable,
    a_from_b: &Pose,
    guess: Vec3,
    rounding: f64,
    memory: &mut MotionWorkspace,
) -> Result<Vec3, MotionError> {
    let Ok(ball) = Sphere::new(rounding) else { return Ok(guess) };
    let ball = Prepared::new(Shape::Sphere(ball));
    // Where a part of one body is inside the other, any point of it will do; below a plane, the lowest.
    let of_a = a.pieces().iter().flat_map(|piece| points_of(piece, b, a_from_b));
    let of_b = b.pieces().iter().flat_map(|piece| points_of(piece, a, &a_from_b.inverse()));
    let of_b = of_b.map(|point| a_from_b.transform_point(point));
    for point in std::iter::once(guess).chain(of_a).chain(of_b) {
        let at = Pose::from_translation(point);
        if freiraum_query::intersects(a.prepared(), &ball, &at)?
            && freiraum_query::intersects(b.prepared(), &ball, &(a_from_b.inverse() * at))?
        {
            return Ok(point);
        }
    }
    for piece_a in a.pieces() {
        for piece_b in b.pieces().iter().filter(|piece_b| piece_a.may_meet(piece_b)) {
            let (Some(core_a), Some(core_b)) = (&piece_a.core, &piece_b.core) else { continue };
            let place = piece_a.body_from_piece.inverse() * *a_from_b * piece_b.body_from_piece;
            if let Some(point) = where_surfaces_meet(core_a, core_b, &place, memory) {
                return Ok(piece_a.body_from_piece.transform_point(point));
            }
        }
    }
    Ok(guess)
}

/// Some points of a piece, in the frame of its body: any one, and the lowest over every half space of the other body.
fn points_of<'p>(
    piece: &'p Piece,
    other: &'p Movable,
    body_from_other: &Pose,
) -> impl Iterator<Item = Vec3> + use<'p> {
    let any = match (&piece.core, &piece.form) {
        (Some(core), _) => core.tree.triangles()[0][0],
        (None, Form::HalfSpace(half_space)) => half_space.offset() * half_space.normal(),
        // Cylinders and cones have their middle at the origin.
        (None, _) => Vec3::ZERO,
    };
    let piece_from_other = piece.body_from_piece.inverse() * *body_from_other;
    let lowest = other.pieces().iter().filter_map(move |below| {
        let (Form::HalfSpace(half_space), Some(core)) = (&below.form, &piece.core) else { return None };
        let up = piece_from_other.rotate(below.body_from_piece.rotate(half_space.normal()));
        let corners = core.tree.mesh().vertices().iter();
        let corner = corners.min_by(|p, q| up.dot(**p).total_cmp(&up.dot(**q)))?;
        Some(*corner - core.radius * up)
    });
    std::iter::once(any).chain(lowest).map(|point| piece.body_from_piece.transform_point(point))
}

/// A point of both cores, grown by their radii, in the frame of the first; `None` if their surfaces do not meet.
fn where_surfaces_meet(a: &Core, b: &Core, a_from_b: &Pose, memory: &mut MotionWorkspace) -> Option<Vec3> {
    // The start of a motion, whichever.
    let start = TranslatingPair::new(&a.tree, &b.tree, a_from_b, a.radius + b.radius, Vec3::X);
    let [face_a, face_b] = start.any_contact(0.0, memory)?.faces;
    let corners = |core: &Core, face: u32| {
        core.tree.mesh().faces()[face as usize].map(|i| core.tree.mesh().vertices()[i as usize])
    };
    let on_b = corners(b, face_b).map(|p| a_from_b.transform_point(p));
    let nearest = triangle_triangle(corners(a, face_a), on_b);
    // As far into a as it reaches beyond its core; what is left is in b.
    let way = nearest.point_on_b - nearest.point_on_a;
    let share = if way.length() > a.radius { a.radius / way.length() } else { 1.0 };
    Some(nearest.point_on_a + share * way)
}
