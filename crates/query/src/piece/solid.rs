//! A piece and a shape, in the frame of the shape.

use super::arc::arc_core;
use super::pairs::nearest;
use super::{Piece, PieceDistance, found, met, slack};
use crate::convex::{ConvexBody, ConvexGraph, NO_VERTEX, Points};
use crate::distance::point_solid::{point_capsule, point_cone, point_cuboid, point_cylinder};
use crate::distance::shared::shared_point;
use crate::distance::signed_convex;
use crate::elementary::{Arc, Line, Nearest, Ray, point_arc, segment_arc};
use crate::mesh_tree::PointPlace;
use crate::prepared::{Class, PreparedPart, Solid, Surface, convex_meet_to_rounding};
use crate::{Closest, Prepared};
use freiraum_geometry::math::{power_of_two, rounding};
use freiraum_geometry::path::Ball;
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_geometry::{Aabb, Pose, Vec3};

/// Directions that a rotation or a normal of several coordinates has made parallel to a plane are so within this.
const PARALLEL: f64 = 8.0 * f64::EPSILON;

/// How much of an arc is looked at in one walk through a tree, in radians: boxes around more hold much that is far from it.
const TURN: f64 = std::f64::consts::FRAC_PI_8;

/// The distance of a piece from a shape in whose frame it is. `is_turned`: whether a rotation has rounded its directions.
pub(super) fn distance(piece: &Piece, shape: &Prepared, is_turned: bool) -> PieceDistance {
    let answer = match shape.class() {
        Class::Convex(solid) => of_convex(piece, &solid),
        Class::HalfSpace(half_space) => of_half_space(piece, half_space, is_turned),
        Class::Surface(surface) => of_surface(piece, surface),
        Class::Compound(parts) => of_parts(piece, parts, is_turned),
    };
    if answer.intersects == Some(false)
        && shape.shared_hulls().iter().any(|hull| reaches_into(piece, hull, is_turned))
    {
        return PieceDistance { intersects: None, ..answer };
    }
    answer
}

fn reaches_into(piece: &Piece, hull: &Prepared, is_turned: bool) -> bool {
    distance(piece, hull, is_turned).intersects == Some(true)
}

/// The part of a line or a ray that can be nearest to what is within `radius` of `center`, as a segment; other pieces as they are.
fn clipped(piece: &Piece, around: &Aabb) -> Piece {
    let Ball { center, radius } = around.bounding_sphere();
    let (start, direction, is_ray) = match *piece {
        Piece::Line(Line { point, direction }) => (point, direction, false),
        Piece::Ray(Ray { origin, direction }) => (origin, direction, true),
        _ => return *piece,
    };
    let length = direction.length();
    if !(length > 0.0) {
        return Piece::Point(start);
    }
    let along = direction / length;
    let least = if is_ray { 0.0 } else { f64::NEG_INFINITY };
    let foot = along.dot(center - start).max(least);
    // A point farther from the foot than this is farther from all of the ball than the foot is from the farthest of it.
    let away = center.distance(start + foot * along);
    // Far above the rounding of the square root and the products.
    const ROUNDING: f64 = power_of_two(-30);
    let around =
        2.0 * (radius * (radius + away)).sqrt() * (1.0 + ROUNDING) + rounding::coordinate(away + radius);
    let at = |t: f64| start + t * along;
    Piece::Segment([at((foot - around).max(least)), at(foot + around)])
}

fn of_convex(piece: &Piece, solid: &Solid) -> PieceDistance {
    let (body, radius) = (solid.body, solid.body.radius());
    let piece = &clipped(piece, &solid.bounds);
    let reach = piece.reach() + solid.reach();
    if let Piece::Arc(arc) = piece {
        let slack = rounding::coordinate(reach);
        let core = match solid.shape {
            Shape::Sphere(_) => point_arc(Vec3::ZERO, arc).swapped(),
            Shape::Capsule(capsule) => {
                let end = Vec3::new(0.0, 0.0, 0.5 * capsule.height());
                segment_arc([-end, end], arc).swapped()
            }
            _ => arc_core(arc, body, slack),
        };
        return grown(core, radius, slack);
    }
    if let Piece::Point(p) = piece
        && let Some(to_surface) = point_solid(*p, solid.shape)
    {
        let (distance, normal) = (to_surface.distance, -to_surface.normal);
        if distance <= rounding::coordinate(reach) {
            return met(*p, normal);
        }
        let closest = Closest { distance, point_on_a: *p, point_on_b: to_surface.point, normal };
        return PieceDistance { closest, intersects: Some(false) };
    }
    // Every other piece is the hull of its corners by now.
    let Some(corners) = piece.corners() else { return met(piece.point(), Vec3::X) };
    let points = Points(corners.points());
    let closest = signed_convex(&points, body, &Pose::IDENTITY);
    if closest.distance <= rounding::coordinate(reach) {
        let guesses = [closest.point_on_b, closest.point_on_a];
        return met(shared_point(&points, body, &Pose::IDENTITY, &guesses), closest.normal);
    }
    PieceDistance { closest, intersects: Some(false) }
}

fn point_solid(p: Vec3, shape: &Shape) -> Option<crate::distance::point_solid::ToSurface> {
    Some(match shape {
        Shape::Cuboid(s) => point_cuboid(p, s),
        Shape::Cylinder(s) => point_cylinder(p, s),
        Shape::Capsule(s) => point_capsule(p, s),
        Shape::Cone(s) => point_cone(p, s),
        _ => return None,
    })
}

/// The answer for the core of a body, grown by its radius.
fn grown(core: Nearest, radius: f64, slack: f64) -> PieceDistance {
    let answer = found(core, slack);
    if answer.closest.distance <= radius + slack {
        return met(core.point_on_a, answer.closest.normal);
    }
    PieceDistance { closest: answer.closest.grown(0.0, radius), ..answer }
}

fn of_half_space(piece: &Piece, half_space: &HalfSpace, is_turned: bool) -> PieceDistance {
    let (up, offset) = (half_space.normal(), half_space.offset());
    let height = |p: Vec3| up.dot(p) - offset;
    let lowest = match piece {
        Piece::Arc(arc) => arc.extremes(up)[0],
        Piece::Line(Line { point, direction }) => {
            falls(*point, *direction, (up, is_turned), height(*point), false)
        }
        Piece::Ray(Ray { origin, direction }) => {
            falls(*origin, *direction, (up, is_turned), height(*origin), true)
        }
        _ => {
            let corners = piece.corners();
            let points = corners.iter().flat_map(|c| c.points().iter().copied());
            points.min_by(|p, q| height(*p).total_cmp(&height(*q))).unwrap_or(piece.point())
        }
    };
    let distance = height(lowest);
    if distance <= rounding::coordinate(piece.reach() + lowest.abs().max_element() + offset.abs()) {
        return met(lowest, -up);
    }
    let closest = Closest { distance, point_on_a: lowest, point_on_b: lowest - distance * up, normal: -up };
    PieceDistance { closest, intersects: Some(false) }
}

/// True if a pose rounds directions.
pub(super) fn turns(pose: &Pose) -> bool {
    pose.rotation().xyz() != Vec3::ZERO
}

/// The point of a line or ray that is lowest, or at height 0 if there is one; `height`: that of its start.
fn falls(start: Vec3, direction: Vec3, (up, is_turned): (Vec3, bool), height: f64, is_ray: bool) -> Vec3 {
    let rise = up.dot(direction);
    // Where one coordinate alone decides, as beside a level floor, its sign is exact.
    let products = (up * direction).to_array();
    let is_exact = !is_turned && products.iter().filter(|product| **product != 0.0).count() <= 1;
    let rounding = if is_exact { 0.0 } else { PARALLEL * direction.length() };
    let is_level = rise.abs() <= rounding;
    if is_level || height <= 0.0 || (is_ray && rise > 0.0) {
        start
    } else {
        start - (height / rise) * direction
    }
}

fn of_surface(piece: &Piece, surface: &Surface) -> PieceDistance {
    let bounds = surface.bounds();
    let piece = &match clipped(piece, bounds) {
        Piece::Segment(ends) if surface.height_field().is_some() => beside_field(piece, ends, bounds),
        clipped => clipped,
    };
    let mut best: Option<Nearest> = None;
    for (part, near) in parts_with_boxes(piece) {
        nearest_triangle(&part, &near, surface, &mut best);
        if let Some(sides) = surface.sides_near(&near) {
            nearest_triangle(&part, &near, sides, &mut best);
        }
    }
    // Surfaces have a triangle.
    let Some(best) = best else { return met(piece.point(), Vec3::X) };
    let answer = found(best, slack(piece.reach() + bounds.reach(), &best));
    if answer.intersects == Some(true) {
        return answer;
    }
    // Clear of the surface, it is all in one place: the first of its points that is known tells.
    let points = match piece {
        Piece::Arc(arc) => [0.0, 0.5, 1.0, 1.0].map(|share| arc.at(share * arc.angle())),
        _ => piece.corners().map_or([piece.point(); 4], |corners| corners.points),
    };
    let mut places = points.into_iter().map(|p| (p, surface.place(p)));
    match places.find(|(_, place)| *place != PointPlace::Unknown) {
        Some((p, PointPlace::Inside)) => met(p, answer.closest.normal),
        Some(_) if !is_in_hull(piece, surface.hulls()) => answer,
        _ => PieceDistance { intersects: None, ..answer },
    }
}

/// The segment that was cut from a line or ray, with the place where that is nearest to the sides of a height field
/// below its surface: they have no end there.
fn beside_field(piece: &Piece, ends: [Vec3; 2], bounds: &Aabb) -> Piece {
    let flat = |v: Vec3| v.with_z(0.0);
    let column = Aabb { min: flat(bounds.min), max: flat(bounds.max) };
    // Where it is, seen from above, nearest to the rectangle of the field.
    let (start, direction, seen) = match *piece {
        Piece::Line(Line { point, direction }) => {
            let seen = crate::elementary::straight_box(
                Line { point: flat(point), direction: flat(direction) },
                &column,
            );
            (point, direction, seen)
        }
        Piece::Ray(Ray { origin, direction }) => {
            let seen = crate::elementary::straight_box(
                Ray { origin: flat(origin), direction: flat(direction) },
                &column,
            );
            (origin, direction, seen)
        }
        _ => return Piece::Segment(ends),
    };
    let across = flat(direction);
    let t = across.dot(seen.point_on_a - flat(start)) / across.length_squared();
    let place = start + t * direction;
    if !(place.is_finite() && place.abs().max_element() <= MAX_COORDINATE && place.z < bounds.min.z) {
        return Piece::Segment(ends);
    }
    let share = |p: Vec3| direction.dot(p - start);
    let [first, last] = ends;
    if share(place) < share(first) {
        Piece::Segment([place, last])
    } else if share(place) > share(last) {
        Piece::Segment([first, place])
    } else {
        Piece::Segment(ends)
    }
}

/// The piece in parts with small boxes around them.
fn parts_with_boxes(piece: &Piece) -> Vec<(Piece, Aabb)> {
    let Piece::Arc(arc) = piece else {
        let corners = piece.corners();
        let points = corners.iter().flat_map(|c| c.points());
        return vec![(*piece, Aabb::of_points(points))];
    };
    let count = (arc.angle() / TURN).ceil().max(1.0);
    let part = |i: f64| arc.part(arc.angle() * (i / count), arc.angle() * ((i + 1.0) / count));
    (0..count as usize).map(|i| part(i as f64)).map(|part| (Piece::Arc(part), arc_box(&part))).collect()
}

fn arc_box(arc: &Arc) -> Aabb {
    let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| arc.extremes(axis));
    let slack = Vec3::splat(rounding::coordinate(arc.center().abs().max_element() + arc.radius()));
    Aabb { min: Vec3::new(x[0].x, y[0].y, z[0].z) - slack, max: Vec3::new(x[1].x, y[1].y, z[1].z) + slack }
}

/// The triangle nearest to a piece in this box, if it is nearer than what is known.
fn nearest_triangle(piece: &Piece, near: &Aabb, surface: &Surface, best: &mut Option<Nearest>) {
    let known = |best: &Option<Nearest>| best.map_or(f64::INFINITY, |best| best.distance());
    surface.visit_near(near, known(best), |leaf| {
        let offered = nearest(piece, &Piece::Triangle(*leaf.corners));
        if best.is_none_or(|best| offered.distance_squared < best.distance_squared) {
            *best = Some(offered);
        }
        if offered.distance_squared == 0.0 { -1.0 } else { known(best) }
    });
}

/// Whether a piece that does not meet a surface reaches into one of the hulls of what bounds no solid there.
fn is_in_hull(piece: &Piece, hulls: &[ConvexGraph]) -> bool {
    hulls.iter().any(|hull| match (piece, piece.corners()) {
        (_, Some(corners)) => convex_meet_to_rounding(&Points(corners.points()), hull, &Pose::IDENTITY),
        (Piece::Arc(arc), _) => {
            let slack =
                rounding::coordinate(piece.reach() + hull.farthest(Vec3::X, NO_VERTEX).point.length());
            arc_core(arc, hull, slack).distance() <= slack
        }
        _ => false,
    })
}

/// The nearest part; what is unknown of one is unknown of all, unless another one is met.
fn of_parts(piece: &Piece, parts: &[PreparedPart], is_turned: bool) -> PieceDistance {
    let mut nearest: Option<PieceDistance> = None;
    let mut is_unknown = false;
    for PreparedPart { compound_from_part, part, .. } in parts {
        let is_turned = is_turned || turns(compound_from_part);
        let in_part = distance(&piece.placed(&compound_from_part.inverse()), part, is_turned);
        let of_part = PieceDistance { closest: in_part.closest.placed(compound_from_part), ..in_part };
        if of_part.intersects == Some(true) {
            return of_part;
        }
        is_unknown |= of_part.intersects.is_none();
        if nearest.is_none_or(|best| of_part.closest.distance < best.closest.distance) {
            nearest = Some(of_part);
        }
    }
    // Compounds have a part.
    let Some(nearest) = nearest else { return met(piece.point(), Vec3::X) };
    PieceDistance { intersects: if is_unknown { None } else { nearest.intersects }, ..nearest }
}
