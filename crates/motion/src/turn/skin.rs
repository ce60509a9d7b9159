//! Full turns and slides of spheres and capsules: points and segments with a radius around them.
//!
//! The nearest that two points come to each other in a full turn is the distance of their images in the plane, and likewise for a
//! slide. A ball around a point is therefore a disc around its image.

use super::gap::{between_nearest, gap};
use super::{SlideContact, TurnContact, apart, profile};
use crate::chart::{Chart, RotationChart, TranslationChart};
use crate::movable::{Form, Movable, Piece};
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::Axis;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::elementary::triangle_triangle;

/// Triangles, perhaps without area, with a radius around them.
struct Skin<'p> {
    triangles: &'p [[Vec3; 3]],
    radius: f64,
    /// The largest coordinate.
    reach: f64,
    /// The face of each triangle, where there are faces.
    faces: Option<&'p [u32]>,
}

/// The single triangle of a sphere or capsule, with its radius.
fn spine(piece: &Piece) -> Option<([[Vec3; 3]; 1], f64)> {
    let segment = |height: f64| [[-0.5 * height * Vec3::Z, 0.5 * height * Vec3::Z, 0.5 * height * Vec3::Z]];
    match &piece.form {
        Form::Round(Shape::Sphere(sphere)) => Some((segment(0.0), sphere.radius())),
        Form::Round(Shape::Capsule(capsule)) => Some((segment(capsule.height()), capsule.radius())),
        _ => None,
    }
}

/// Calls `f` with the pairs of pieces with a sphere or capsule among them and nothing but faces else, until it gives something.
fn each_pair<T>(
    a: &Movable,
    b: &Movable,
    a_from_b: &Pose,
    mut f: impl FnMut(&Skin, &Pose, &Skin, &Pose) -> Option<T>,
) -> Option<T> {
    for p in a.pieces() {
        for q in b.pieces().iter().filter(|q| p.may_meet(q)) {
            let (spine_p, spine_q) = (spine(p), spine(q));
            if spine_p.is_none() && spine_q.is_none() {
                continue;
            }
            let (Some(on_a), Some(on_b)) = (skin(p, spine_p.as_ref()), skin(q, spine_q.as_ref())) else {
                continue;
            };
            let found = f(&on_a, &p.body_from_piece, &on_b, &(*a_from_b * q.body_from_piece));
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

fn skin<'p>(piece: &'p Piece, spine: Option<&'p ([[Vec3; 3]; 1], f64)>) -> Option<Skin<'p>> {
    if let Some((triangles, radius)) = spine {
        return Some(Skin { triangles, radius: *radius, reach: triangles[0][1].z + radius, faces: None });
    }
    let Form::Faces(tree) = &piece.form else { return None };
    let reach = tree.mesh().aabb().reach();
    Some(Skin { triangles: tree.triangles(), radius: 0.0, reach, faces: Some(tree.faces()) })
}

fn faces(a: &Skin, i: usize, b: &Skin, j: usize) -> Option<[u32; 2]> {
    Some([a.faces?[i], b.faces?[j]])
}

fn reach(a: &Skin, a_from_p: &Pose, b: &Skin, a_from_q: &Pose) -> f64 {
    let of = |skin: &Skin, pose: &Pose| 2.0 * skin.reach + pose.translation().abs().max_element();
    of(a, a_from_p) + of(b, a_from_q)
}

/// Full turn; lowers `lower` to a lower bound of the distance.
pub(super) fn turn(
    a: &Movable,
    b: &Movable,
    a_from_b: &Pose,
    axis: &Axis,
    lower: &mut f64,
) -> Option<TurnContact> {
    let axes = RotationChart::axes(axis);
    each_pair(a, b, a_from_b, |on_a, a_from_p, on_b, a_from_q| {
        let shift = axis.direction.dot(a_from_p.translation() - axis.point);
        let origin = axis.point + axis.direction * shift;
        let slack =
            rounding::coordinate(2.0 * (reach(on_a, a_from_p, on_b, a_from_q) + origin.abs().max_element()));
        let chart_a = RotationChart::new(axes, origin, a_from_p, slack);
        let chart_b = RotationChart::new(axes, origin, a_from_q, slack);
        let radius = on_a.radius + on_b.radius + 2.0 * slack;
        for (i, p) in on_a.triangles.iter().enumerate() {
            let box_a = chart_a.triangle_box(*p);
            for (j, q) in on_b.triangles.iter().enumerate() {
                let bound = apart(&box_a, &chart_b.triangle_box(*q)) - radius;
                if bound >= *lower {
                    continue;
                }
                let (p, q) = (p.map(|p| chart_a.point(p)), q.map(|q| chart_b.point(q)));
                let common = profile::common_point(&p, &q, slack, 0.0);
                let room = if common.is_some() { 0.0 } else { gap(&p, &q, radius, *lower) };
                if !(room > 0.0) {
                    let [distance, height] =
                        common.map_or_else(|| between_nearest(&p, &q), |at| [at.distance, at.height]);
                    let contact = TurnContact {
                        distance,
                        height: height + shift,
                        faces: faces(on_a, i, on_b, j),
                        decided: true,
                    };
                    return Some(contact);
                }
                *lower = lower.min(room.max(bound));
            }
        }
        None
    })
}

/// Slide along a unit direction; lowers `lower` to the smallest distance.
pub(super) fn slide(
    a: &Movable,
    b: &Movable,
    a_from_b: &Pose,
    direction: Vec3,
    lower: &mut f64,
) -> Option<SlideContact> {
    let axes = TranslationChart::axes(direction);
    let flat = |p: Vec3| {
        let p = axes.transpose() * p;
        Vec3::new(p.y, p.z, 0.0)
    };
    each_pair(a, b, a_from_b, |on_a, a_from_p, on_b, a_from_q| {
        let slack = rounding::coordinate(reach(on_a, a_from_p, on_b, a_from_q));
        let radius = on_a.radius + on_b.radius + 2.0 * slack;
        for (i, p) in on_a.triangles.iter().enumerate() {
            let p = p.map(|p| flat(a_from_p.transform_point(p)));
            for (j, q) in on_b.triangles.iter().enumerate() {
                let nearest = triangle_triangle(p, q.map(|q| flat(a_from_q.transform_point(q))));
                let room = nearest.distance() - radius;
                if !(room > 0.0) {
                    let across = nearest.point_on_a;
                    let point = axes * Vec3::new(0.0, across.x, across.y);
                    return Some(SlideContact { point, faces: faces(on_a, i, on_b, j), decided: true });
                }
                *lower = lower.min(room);
            }
        }
        None
    })
}
