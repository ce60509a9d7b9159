//! Contacts with meshes and height fields.

use super::polygon::Polygon;
use super::regions::{Region, regions};
use super::separation::{Extents, placed_extent, search};
use super::{Contact, ContactPoint};
use crate::Closest;
use crate::convex::{ConvexCache, Points};
use crate::dispatch::PairQuery;
use crate::distance::half_space::placed;
use crate::distance::{Distance, signed_convex};
use crate::intersect::Relation;
use crate::prepared::{Exactness, Solid, Surface, convex_meet, touch_limit, touch_slack};
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::HalfSpace;
use freiraum_geometry::{Pose, Vec3};

/// Convex body a and surface b. The regions are the connected pieces of b in a; the area of each is that of its faces
/// within the own box of a.
pub(super) fn contact_convex_surface(a: &Solid, b: &Surface, a_from_b: &Pose, is_searched: bool) -> Contact {
    let b_from_a = a_from_b.inverse();
    let faces = touched_faces(a, b, a_from_b);
    // A body that is inside may touch the surface from there.
    let center_inside = b.contains(b_from_a.transform_point(a.body.center()));
    if faces.is_empty() && !center_inside {
        return Contact::none();
    }
    let groups = connected(&faces, a, b, a_from_b);
    let mut pieces: Vec<Piece> = groups.iter().map(|faces| piece(faces, a, b, a_from_b)).collect();
    let is_deep = center_inside
        || faces.iter().any(|&face| {
            let corners = b.mesh().triangle(face as usize);
            let exactness = Exactness::of_pair(a.body, &Points(&corners), a_from_b);
            signed_convex(a.body, &Points(&corners), a_from_b).distance < -exactness.depth
        });
    let shifted = |shift: Vec3| Pose::from_translation(-shift) * *a_from_b;
    let of_a = |d: Vec3| a.support(d).dot(d);
    let of_b = |d: Vec3| placed_extent(a_from_b, d, |d| b.farthest(d).1);
    let depth_of = |p: &Piece, n: Vec3| (a.support(n).dot(n) - p.lowest).max(0.0);
    let hints: Vec<Vec3> = pieces.iter().filter_map(|p| p.normal.map(|n| -depth_of(p, n) * n)).collect();
    // A piece without a direction of its own takes that of the way out.
    let is_needed = is_searched || hints.len() < groups.len().max(1);
    let translation = match (is_deep, is_needed) {
        (false, _) => Some(Vec3::ZERO),
        (true, false) => None,
        (true, true) => {
            let gap = |shift: Vec3| Distance.convex_surface(a, b, &shifted(shift));
            search(&Extents { of_a: &of_a, of_b: &of_b }, &hints, gap)
        }
    };
    if pieces.is_empty() {
        // All of a is inside b, clear of its surface.
        pieces.push(Piece { point: a.body.center(), normal: None, lowest: f64::INFINITY });
    }
    let fallback = translation.and_then(|t| unit(-t)).unwrap_or(Vec3::X);
    let whole = translation.map_or(f64::INFINITY, |t| t.length());
    let points = pieces.iter().enumerate().map(|(region, p)| {
        let (normal, depth) = match p.normal {
            Some(n) => (n, depth_of(p, n)),
            None => (fallback, whole),
        };
        ContactPoint { point: p.point, normal, depth: if is_deep { depth } else { 0.0 }, region }
    });
    Contact {
        intersects: true,
        depth: whole,
        translation,
        is_exact: !is_deep,
        points: points.collect(),
        regions: pieces.len(),
    }
}

/// The faces that have a point in common with a, ascending.
fn touched_faces(a: &Solid, b: &Surface, a_from_b: &Pose) -> Vec<u32> {
    let (near, mut cache, mut faces) = (a.placed_box(&a_from_b.inverse()), ConvexCache::new(), Vec::new());
    let limit = touch_limit(a, b, a_from_b);
    b.visit_near(&near, limit, |leaf| {
        if convex_meet(a.body, &Points(leaf.corners), a_from_b, &mut cache) {
            faces.push(leaf.face);
        }
        limit
    });
    faces.sort_unstable();
    faces
}

/// The faces in connected groups: neighbours whose common edge meets a too.
fn connected(faces: &[u32], a: &Solid, b: &Surface, a_from_b: &Pose) -> Vec<Vec<u32>> {
    let topology = b.topology();
    let mut is_grouped = vec![false; faces.len()];
    let mut groups = Vec::new();
    let mut cache = ConvexCache::new();
    for start in 0..faces.len() {
        if std::mem::replace(&mut is_grouped[start], true) {
            continue;
        }
        let (mut group, mut next) = (vec![faces[start]], 0);
        while let Some(&face) = group.get(next) {
            next += 1;
            for edge in topology.face_edges(face as usize).into_iter().flatten() {
                let ends = topology.edges()[edge as usize].map(|v| b.mesh().vertices()[v as usize]);
                let neighbours = topology.edge_uses(edge as usize).iter().map(|u| u.face());
                let new: Vec<usize> = neighbours
                    .filter_map(|f| faces.binary_search(&f).ok())
                    .filter(|&i| !is_grouped[i])
                    .collect();
                if !new.is_empty() && convex_meet(a.body, &Points(&ends), a_from_b, &mut cache) {
                    for i in new {
                        if !std::mem::replace(&mut is_grouped[i], true) {
                            group.push(faces[i]);
                        }
                    }
                }
            }
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

/// A connected piece of the surface in a convex body.
struct Piece {
    point: Vec3,
    /// From a towards b; `None` where the areas cancel.
    normal: Option<Vec3>,
    /// The least height of the piece along the normal.
    lowest: f64,
}

/// Area-weighted point and normal of faces, as far as they lie in the own box of a.
fn piece(faces: &[u32], a: &Solid, b: &Surface, a_from_b: &Pose) -> Piece {
    let (mut total, mut moment, mut area_vector) = (0.0, Vec3::ZERO, Vec3::ZERO);
    let (mut corners, mut touching) = (Vec::new(), Vec::new());
    for &face in faces {
        let triangle = b.mesh().triangle(face as usize).map(|p| a_from_b.transform_point(p));
        let normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        let clipped = [Vec3::X, Vec3::Y, Vec3::Z].iter().fold(Polygon::of(triangle), |rest, &axis| {
            rest.below(a.bounds.max, axis).below(a.bounds.min, -axis)
        });
        for i in 1..clipped.len().max(1) - 1 {
            let (p, q, r) = (clipped[0], clipped[i], clipped[i + 1]);
            let part = 0.5 * (q - p).cross(r - p);
            total += part.length();
            moment += part.length() * (p + q + r) / 3.0;
            area_vector += part;
        }
        corners.extend_from_slice(&clipped);
        let closest = signed_convex(a.body, &Points(&b.mesh().triangle(face as usize)), a_from_b);
        touching.push((0.5 * closest.point_on_a + 0.5 * closest.point_on_b, closest.normal, normal));
    }
    let count = touching.len().max(1) as f64;
    let middle = touching.iter().map(|t| t.0).sum::<Vec3>() / count;
    let point = if total > 0.0 { moment / total } else { middle };
    // What is left of areas that cancel is rounding.
    let own = if area_vector.length() > f64::EPSILON.sqrt() * total { unit(-area_vector) } else { None };
    let normal = if b.is_solid() {
        own
    } else {
        // A surface has no outside: away from the middle of a.
        own.map(|n| if n.dot(point - a.body.center()) < 0.0 { -n } else { n })
    };
    // Where the piece is a point or a line, the faces that touch tell.
    let normal = if total > 0.0 { normal } else { unit(touching.iter().map(|t| t.1).sum::<Vec3>()) };
    let lowest =
        normal.map_or(f64::INFINITY, |n| corners.iter().map(|p| p.dot(n)).fold(f64::INFINITY, f64::min));
    Piece { point, normal, lowest }
}

/// Half space a and surface b: one contact per connected piece of b below the plane, at its deepest corner.
pub(super) fn contact_half_space_surface(a: &HalfSpace, b: &Surface, a_from_b: &Pose) -> Contact {
    let closest = Distance.half_space_surface(a, b, a_from_b);
    let slack = touch_slack(a.offset().abs(), b.bounds().reach(), a_from_b);
    if closest.distance > slack {
        return Contact::none();
    }
    let (up, offset) = placed(a, &a_from_b.inverse());
    let depth = |v: u32| offset - up.dot(b.mesh().vertices()[v as usize]);
    let topology = b.topology();
    let mut is_seen = vec![false; b.mesh().vertices().len()];
    let mut points = Vec::new();
    for start in b.mesh().faces().iter().flatten().copied() {
        if std::mem::replace(&mut is_seen[start as usize], true) || depth(start) < -slack {
            continue;
        }
        let (mut stack, mut total, mut moment) = (vec![start], 0.0, Vec3::ZERO);
        let (mut deepest, mut count, mut sum) = (0.0f64, 0.0, Vec3::ZERO);
        while let Some(v) = stack.pop() {
            let (here, p) = (depth(v).max(0.0), b.mesh().vertices()[v as usize]);
            deepest = deepest.max(here);
            (total, moment) = (total + here, moment + here * p);
            (count, sum) = (count + 1.0, sum + p);
            for &face in topology.vertex_faces(v as usize) {
                for corner in b.mesh().faces()[face as usize] {
                    if depth(corner) >= -slack && !std::mem::replace(&mut is_seen[corner as usize], true) {
                        stack.push(corner);
                    }
                }
            }
        }
        let middle = if total > 0.0 { moment / total } else { sum / count };
        let on_plane = middle - (up.dot(middle) - offset + 0.5 * deepest) * up;
        points.push(ContactPoint {
            point: a_from_b.transform_point(on_plane),
            normal: a.normal(),
            depth: deepest,
            region: points.len(),
        });
    }
    Contact { regions: points.len(), ..Contact::exact(&closest, points) }
}

/// Two surfaces: one contact per region, see [`super::regions`].
pub(super) fn contact_surfaces(a: &Surface, b: &Surface, a_from_b: &Pose, is_searched: bool) -> Contact {
    let relation = crate::intersect::surfaces::relate_surfaces(a, b, a_from_b);
    if relation == Relation::Separate {
        return Contact::none();
    }
    let found: Vec<Region> = regions(a, b, a_from_b);
    let hints: Vec<Vec3> = found.iter().filter_map(|r| r.normal.map(|n| -r.depth * n)).collect();
    // A region without a direction of its own takes that of the way out.
    let is_needed = is_searched || hints.len() < found.len().max(1);
    let translation = if relation == Relation::Touching {
        Some(Vec3::ZERO)
    } else if !is_needed {
        None
    } else {
        let of_a = |d: Vec3| a.farthest(d).1;
        let of_b = |d: Vec3| placed_extent(a_from_b, d, |d| b.farthest(d).1);
        let gap = |shift: Vec3| -> Closest {
            Distance.surfaces(a, b, &(Pose::from_translation(-shift) * *a_from_b))
        };
        search(&Extents { of_a: &of_a, of_b: &of_b }, &hints, gap)
    };
    let depth = translation.map_or(f64::INFINITY, |t| t.length());
    let fallback = translation.and_then(|t| unit(-t)).unwrap_or(Vec3::X);
    let mut points: Vec<ContactPoint> = found
        .iter()
        .enumerate()
        .map(|(region, r)| ContactPoint {
            point: r.point,
            normal: r.normal.unwrap_or(fallback),
            depth: if r.normal.is_some() { r.depth } else { depth },
            region,
        })
        .collect();
    if points.is_empty() {
        // One inside the other, clear of its surface: the corner that was found inside.
        let of_b = || Some(a_from_b.transform_point(b.shell_in(a, a_from_b)?));
        let inner = a.shell_in(b, &a_from_b.inverse()).or_else(of_b);
        points.extend(inner.map(|point| ContactPoint { point, normal: fallback, depth, region: 0 }));
    }
    Contact {
        intersects: true,
        depth,
        translation,
        is_exact: relation == Relation::Touching,
        regions: points.len(),
        points,
    }
}
