//! Which vertex, edge or face a point of a surface belongs to.

use crate::movable::{Form, Movable, Piece, bounds};
use crate::verdict::Feature;
use freiraum_geometry::math::rounding;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::convex::{ConvexCache, ConvexDistance, Points, convex_body, distance_convex};
use freiraum_query::elementary::point_segment;
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, closest_point};

/// The feature of a face at a point on it: a corner or an edge that is no farther than rounding, else the face.
pub(crate) fn on_face(tree: &MeshTree, face: u32, point: Vec3) -> Feature {
    let mesh = tree.mesh();
    let numbers = mesh.faces()[face as usize];
    let corners = numbers.map(|i| mesh.vertices()[i as usize]);
    // A contact point has gone through a few dozen operations; four times the bound of one transformation is plenty.
    let close = 4.0 * rounding::coordinate(bounds(tree).reach() + point.abs().max_element());
    for (corner, number) in corners.iter().zip(numbers) {
        if corner.distance(point) <= close {
            return Feature::Vertex(number);
        }
    }
    for k in 0..3 {
        let next = (k + 1) % 3;
        if point_segment(point, [corners[k], corners[next]]).distance() <= close {
            let (i, j) = (numbers[k], numbers[next]);
            return Feature::Edge([i.min(j), i.max(j)]);
        }
    }
    Feature::Face(face)
}

/// The feature of a round shape at a point on it, in its own frame.
pub(crate) fn on_round(shape: &Shape, point: Vec3) -> Feature {
    let across = point.truncate().length();
    let (radius, half, has_top) = match shape {
        Shape::Cylinder(s) => (s.radius(), 0.5 * s.height(), true),
        Shape::Cone(s) => (s.radius(), 0.5 * s.height(), false),
        _ => return Feature::Face(0),
    };
    // Round contacts are found by iteration, to a billionth.
    let close = freiraum_geometry::tolerance::ROUND_TOUCH_RELATIVE * (4.0 * radius + 4.0 * half);
    let (at_bottom, at_top) = (point.z <= close - half, point.z >= half - close);
    match (at_bottom, at_top) {
        (true, _) if across >= radius - close => Feature::Rim(0),
        (true, _) => Feature::Face(1),
        (_, true) if !has_top => Feature::Vertex(0),
        (_, true) if across >= radius - close => Feature::Rim(1),
        (_, true) => Feature::Face(2),
        _ => Feature::Face(0),
    }
}

/// The feature of a body next to a point, in its own frame, and the number of the piece it belongs to.
pub(super) fn nearest(body: &Movable, point: Vec3) -> (Feature, u32) {
    let mut memory = MeshWorkspace::default();
    let mut near = |piece: &Piece| {
        let p = piece.body_from_piece.inverse().transform_point(point);
        match &piece.form {
            Form::Faces(tree) => closest_point(tree, p, &mut memory)
                .map_or((Feature::Face(0), f64::INFINITY), |on| {
                    (piece.feature(tree, on.face, on.point), on.distance)
                }),
            Form::Round(shape) => (on_round(shape, p), distance_from(shape, p)),
            Form::HalfSpace(s) => (Feature::Face(0), s.normal().dot(p) - s.offset()),
        }
    };
    let all = body.pieces().iter().map(|piece| (near(piece), piece.part));
    let nearest = all.min_by(|(x, _), (y, _)| x.1.total_cmp(&y.1));
    nearest.map_or((Feature::Face(0), 0), |((feature, _), number)| (feature, number))
}

/// The distance of a point from a round shape, 0 inside.
fn distance_from(shape: &Shape, point: Vec3) -> f64 {
    let Some(body) = convex_body(shape) else { return f64::INFINITY };
    match distance_convex(body, &Points(&[point]), &Pose::IDENTITY, &mut ConvexCache::default()) {
        ConvexDistance::Separated(closest) => closest.distance,
        ConvexDistance::Overlapping => 0.0,
    }
}
