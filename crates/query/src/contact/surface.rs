//! Contacts with meshes and height fields.

use super::leaving::{Walk, shift_to_leave};
use super::regions::{Measured, Regions, Seen};
use super::section::section;
use super::separation::{Extents, placed_extent, search};
use super::{ContactPoint, Found, Points as Output, Touch};
use crate::Closest;
use crate::convex::{ConvexCache, Points};
use crate::dispatch::PairQuery;
use crate::distance::half_space::placed;
use crate::distance::shared::shared_point;
use crate::distance::{Distance, signed_convex};
use crate::intersect::Relation;
use crate::mesh_tree::closest_point;
use crate::prepared::{Exactness, Solid, Surface, convex_meet, touch_limit, touch_slack};
use crate::surface::Held;
use crate::workspace::{with_contacts, with_meshes};
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::HalfSpace;
use freiraum_geometry::{Pose, Vec3};

/// Memory for contacts with surfaces.
#[derive(Debug, Default)]
pub(crate) struct ContactWorkspace {
    pub(super) regions: Regions,
    seen: Seen,
    stack: Vec<u32>,
    /// Faces that meet a body, and the same group by group.
    faces: Vec<u32>,
    grouped: Vec<u32>,
    /// Where each group of faces ends.
    ends: Vec<usize>,
    pieces: Vec<Piece>,
    walk: Walk,
}

/// Convex body a and surface b. The regions are the connected pieces of b in a; the area of each is that of its faces
/// within a.
pub(super) fn contact_convex_surface(a: &Solid, b: &Surface, a_from_b: &Pose, touch: &Touch) -> Found {
    with_contacts(|workspace| convex_surface(a, b, a_from_b, touch, workspace))
}

fn convex_surface(
    a: &Solid,
    b: &Surface,
    a_from_b: &Pose,
    touch: &Touch,
    workspace: &mut ContactWorkspace,
) -> Found {
    let b_from_a = a_from_b.inverse();
    workspace.find_touched_faces(a, b, a_from_b);
    // A body that is inside may touch the surface from there.
    let mut inner = a.body.center();
    let center_inside = if workspace.faces.is_empty() {
        match b.holds_convex(a, a_from_b) {
            Held::Inside(point) => inner = point,
            Held::Outside => return Found::none(touch.points),
            Held::Unknown => return Found::unknown(touch.points),
        }
        true
    } else {
        b.contains(b_from_a.transform_point(inner))
    };
    workspace.group(a, b, a_from_b);
    let ContactWorkspace { faces, grouped, ends, pieces, walk, .. } = workspace;
    pieces.clear();
    let mut from = 0;
    for &end in ends.iter() {
        pieces.push(piece(&grouped[from..end], a, b, a_from_b));
        from = end;
    }
    let is_deep = center_inside
        || faces.iter().any(|&face| {
            let corners = b.mesh().triangle(face as usize);
            let exactness = Exactness::of_pair(a.body, &Points(&corners), a_from_b);
            signed_convex(a.body, &Points(&corners), a_from_b).distance < -exactness.depth
        });
    let shifted = |shift: Vec3| Pose::from_translation(-shift) * *a_from_b;
    let of_a = |d: Vec3| a.support(d).dot(d);
    let of_b = |d: Vec3| placed_extent(a_from_b, d, |d| b.farthest(d).1);
    let mut depth_along = |number: usize, n: Vec3| {
        let from = if number == 0 { 0 } else { ends[number - 1] };
        shift_to_leave(a, b, a_from_b, &grouped[from..ends[number]], n, walk)
    };
    if is_deep {
        for (number, piece) in pieces.iter_mut().enumerate() {
            piece.depth = piece.normal.and_then(|n| depth_along(number, n)).unwrap_or(0.0);
        }
    }
    let hints = pieces.iter().filter_map(|p| p.normal.map(|n| -p.depth * n));
    // A piece without a direction of its own takes that of the way out.
    let is_needed = touch.is_searched || hints.clone().count() < pieces.len().max(1);
    let translation = match (is_deep, is_needed) {
        (false, _) => Some(Vec3::ZERO),
        (true, false) => None,
        (true, true) => {
            let gap = |shift: Vec3| Distance.convex_surface(a, b, &shifted(shift));
            search(&Extents { a_from_b, of_a: &of_a, of_b: &of_b }, hints, gap)
        }
    };
    let fallback = translation.and_then(|t| unit(-t)).unwrap_or(Vec3::X);
    let whole = translation.map_or(f64::INFINITY, |t| t.length());
    if pieces.is_empty() {
        // All of a is inside b, clear of its surface.
        let none = Piece { point: inner, on_surface: inner, normal: None, depth: whole };
        pieces.push(none);
    } else if is_deep {
        // What has no direction of its own is left by the way out.
        for (number, piece) in pieces.iter_mut().enumerate().filter(|(_, p)| p.normal.is_none()) {
            piece.depth = depth_along(number, fallback).map_or(whole, |own| own.min(whole));
        }
    }
    let slack = touch_slack(a.reach(), b.bounds().reach(), a_from_b);
    let points = pieces.iter().enumerate().map(|(region, p)| {
        // A piece that is bent may have its centroid beside it.
        let is_on_both = is_near(b, b_from_a.transform_point(p.point), p.depth + slack);
        let point = if is_on_both { p.point } else { p.on_surface };
        ContactPoint { point, normal: p.normal.unwrap_or(fallback), depth: p.depth, region }
    });
    let none = Found::none(touch.points);
    touch.points.borrow_mut().extend(points);
    let regions = pieces.len();
    Found { intersects: true, depth: whole, translation, is_exact: !is_deep, regions, ..none }
}

impl ContactWorkspace {
    /// Finds the faces that have a point in common with a, ascending.
    fn find_touched_faces(&mut self, a: &Solid, b: &Surface, a_from_b: &Pose) {
        let (near, mut cache) = (a.placed_box(&a_from_b.inverse()), ConvexCache::new());
        let limit = touch_limit(a, b, a_from_b);
        self.faces.clear();
        b.visit_near(&near, limit, |leaf| {
            if convex_meet(a.body, &Points(leaf.corners), a_from_b, &mut cache) {
                self.faces.push(leaf.face);
            }
            limit
        });
        self.faces.sort_unstable();
    }

    /// Puts the faces into connected groups: neighbours whose common edge meets a too.
    fn group(&mut self, a: &Solid, b: &Surface, a_from_b: &Pose) {
        let ContactWorkspace { seen, faces, grouped, ends, .. } = self;
        let topology = b.topology();
        seen.start(b.mesh().faces().len());
        grouped.clear();
        ends.clear();
        let mut cache = ConvexCache::new();
        for &start in faces.iter() {
            if !seen.is_new(start) {
                continue;
            }
            let first = grouped.len();
            let mut next = first;
            grouped.push(start);
            while let Some(&face) = grouped.get(next) {
                next += 1;
                for edge in topology.face_edges(face as usize).into_iter().flatten() {
                    let neighbours = topology.edge_uses(edge as usize).iter().map(|u| u.face());
                    let touched = neighbours.filter(|f| *f != face && faces.binary_search(f).is_ok());
                    if touched.clone().next().is_none() {
                        continue;
                    }
                    let ends = topology.edges()[edge as usize].map(|v| b.mesh().vertices()[v as usize]);
                    if convex_meet(a.body, &Points(&ends), a_from_b, &mut cache) {
                        touched.for_each(|f| {
                            if seen.is_new(f) {
                                grouped.push(f);
                            }
                        });
                    }
                }
            }
            grouped[first..].sort_unstable();
            ends.push(grouped.len());
        }
    }
}

/// A connected piece of the surface in a convex body, in the frame of the body.
#[derive(Debug)]
struct Piece {
    /// The centroid of the piece.
    point: Vec3,
    /// The point of the piece nearest to that.
    on_surface: Vec3,
    /// From a towards b; `None` where the areas cancel.
    normal: Option<Vec3>,
    /// The smallest shift against the normal after which a has left the piece; 0 as long as it is not known.
    depth: f64,
}

/// Area-weighted point and normal of faces, as far as they lie in a.
fn piece(faces: &[u32], a: &Solid, b: &Surface, a_from_b: &Pose) -> Piece {
    let (mut total, mut moment, mut area_vector) = (0.0, Vec3::ZERO, Vec3::ZERO);
    let (mut middle, mut towards) = (Vec3::ZERO, Vec3::ZERO);
    let placed = |face: u32| b.mesh().triangle(face as usize).map(|p| a_from_b.transform_point(p));
    for &face in faces {
        let clipped = section(a, placed(face));
        for i in 1..clipped.len().max(1) - 1 {
            let (p, q, r) = (clipped[0], clipped[i], clipped[i + 1]);
            let part = 0.5 * (q - p).cross(r - p);
            total += part.length();
            moment += part.length() * (p + q + r) / 3.0;
            area_vector += part;
        }
        let closest = signed_convex(a.body, &Points(&b.mesh().triangle(face as usize)), a_from_b);
        middle += (0.5 * closest.point_on_a + 0.5 * closest.point_on_b) / faces.len() as f64;
        towards += closest.normal;
    }
    let point = if total > 0.0 { moment / total } else { middle };
    let nearest =
        faces.iter().map(|&face| shared_point(a.body, &Points(&placed(face)), &Pose::IDENTITY, &[point]));
    let nearer = |p: &Vec3, q: &Vec3| p.distance_squared(point).total_cmp(&q.distance_squared(point));
    let on_surface = nearest.min_by(nearer).unwrap_or(point);
    // What is left of areas that cancel is rounding.
    let own = if area_vector.length() > f64::EPSILON.sqrt() * total { unit(-area_vector) } else { None };
    let normal = if b.has_sides() {
        own
    } else {
        // A surface has no outside: away from the middle of a.
        own.map(|n| if n.dot(point - a.body.center()) < 0.0 { -n } else { n })
    };
    // Where the piece is a point or a line, the faces that touch tell.
    let normal = if total > 0.0 { normal } else { unit(towards) };
    Piece { point, on_surface, normal, depth: 0.0 }
}

/// Half space a and surface b: one contact per connected piece of b below the plane, at its deepest corner.
pub(super) fn contact_half_space_surface(
    a: &HalfSpace,
    b: &Surface,
    a_from_b: &Pose,
    output: &Output,
) -> Found {
    let closest = Distance.half_space_surface(a, b, a_from_b);
    let slack = touch_slack(a.offset().abs(), b.bounds().reach(), a_from_b);
    let none = Found::none(output);
    if closest.distance > slack {
        return none;
    }
    let (up, offset) = placed(a, &a_from_b.inverse());
    let depth = |v: u32| offset - up.dot(b.mesh().vertices()[v as usize]);
    let topology = b.topology();
    let mut points = output.borrow_mut();
    with_contacts(|ContactWorkspace { seen, stack, .. }| {
        seen.start(b.mesh().vertices().len());
        for start in b.mesh().faces().iter().flatten().copied() {
            if depth(start) < -slack || !seen.is_new(start) {
                continue;
            }
            let (mut total, mut moment) = (0.0, Vec3::ZERO);
            let (mut deepest, mut count, mut sum) = (0.0f64, 0.0, Vec3::ZERO);
            let mut lowest = b.mesh().vertices()[start as usize];
            stack.push(start);
            while let Some(v) = stack.pop() {
                let (here, p) = (depth(v).max(0.0), b.mesh().vertices()[v as usize]);
                if here > deepest {
                    (deepest, lowest) = (here, p);
                }
                (total, moment) = (total + here, moment + here * p);
                (count, sum) = (count + 1.0, sum + p);
                for &face in topology.vertex_faces(v as usize) {
                    for corner in b.mesh().faces()[face as usize] {
                        if depth(corner) >= -slack && seen.is_new(corner) {
                            stack.push(corner);
                        }
                    }
                }
            }
            let middle = if total > 0.0 { moment / total } else { sum / count };
            let half_way = |p: Vec3| p - (up.dot(p) - offset + 0.5 * deepest) * up;
            let is_on_both = is_near(b, half_way(middle), deepest + slack);
            // Round a hole the middle lies beside the surface.
            let on_plane = half_way(if is_on_both { middle } else { lowest });
            let point = a_from_b.transform_point(on_plane);
            let region = points.len() - none.first;
            points.push(ContactPoint { point, normal: a.normal(), depth: deepest, region });
        }
    });
    let regions = points.len() - none.first;
    drop(points);
    Found { regions, ..Found::exact(&closest, output, none.first) }
}

/// Two surfaces: one contact per region, see [`super::regions`].
pub(super) fn contact_surfaces(a: &Surface, b: &Surface, a_from_b: &Pose, touch: &Touch) -> Found {
    let relation = crate::intersect::surfaces::relate_surfaces(a, b, a_from_b);
    match relation {
        Relation::Separate => return Found::none(touch.points),
        Relation::Unknown => return Found::unknown(touch.points),
        _ => {}
    }
    with_contacts(|workspace| surfaces(a, b, a_from_b, touch, relation, &mut workspace.regions))
}

fn surfaces(
    a: &Surface,
    b: &Surface,
    a_from_b: &Pose,
    touch: &Touch,
    relation: Relation,
    regions: &mut Regions,
) -> Found {
    regions.find(a, b, a_from_b);
    let found: &[Measured] = &regions.found;
    // The shorter of two shifts that may take the region apart.
    let short = |r: &Measured, n: Vec3| if r.hint.length() < r.depth { r.hint } else { -r.depth * n };
    let hints = found.iter().filter_map(|r| Some(short(r, r.normal?)));
    let is_touching = relation == Relation::Touching;
    let is_open = !(a.is_solid() && b.is_solid());
    // A region without a direction of its own takes that of the way out.
    let held = regions.held().count();
    let is_needed = touch.is_searched || is_open || held > 0 || found.iter().any(|r| r.normal.is_none());
    let translation = if is_touching {
        Some(Vec3::ZERO)
    } else if !is_needed {
        None
    } else {
        let of_a = |d: Vec3| a.farthest(d).1;
        let of_b = |d: Vec3| placed_extent(a_from_b, d, |d| b.farthest(d).1);
        let gap = |shift: Vec3| -> Closest {
            Distance.surfaces(a, b, &(Pose::from_translation(-shift) * *a_from_b))
        };
        search(&Extents { a_from_b, of_a: &of_a, of_b: &of_b }, hints, gap)
    };
    let depth = translation.map_or(f64::INFINITY, |t| t.length());
    let way_out = translation.and_then(unit);
    let fallback = way_out.map_or(Vec3::X, |t| -t);
    let none = Found::none(touch.points);
    let mut points = touch.points.borrow_mut();
    for region in 0..regions.found.len() {
        let r = regions.found[region];
        // Open surfaces may face either way; the way out tells which side b is on.
        let own = r.normal.map(|n| if is_open && way_out.is_some_and(|t| n.dot(t) > 0.0) { -n } else { n });
        let normal = own.unwrap_or(fallback);
        let depth = if is_touching {
            0.0
        } else if r.normal == Some(normal) {
            r.depth
        } else {
            regions.depth_along(region, normal, [a, b], a_from_b).map_or(depth, |own| own.min(depth))
        };
        let place = |point: Vec3| ContactPoint { point, normal, depth, region };
        let reach = depth + touch_slack(a.bounds().reach(), b.bounds().reach(), a_from_b);
        let is_on_both =
            is_near(a, r.point, reach) && is_near(b, a_from_b.inverse().transform_point(r.point), reach);
        if is_on_both || r.rim.points().is_empty() {
            points.push(place(r.point));
        } else {
            // The region runs round a hole or a bend: points all round it.
            points.extend(r.rim.points().iter().map(|p| place(*p)));
        }
    }
    // Shells inside the other body, clear of its surface.
    let count = regions.found.len();
    let held = regions.held().zip(count..);
    points.extend(held.map(|(point, region)| ContactPoint { point, normal: fallback, depth, region }));
    if points.len() == none.first {
        // Apart by no more than rounding.
        let beside = || {
            Surface::sides_between(a, b, a_from_b).find_map(|(sides, is_b)| {
                if is_b { a.grazes(sides, a_from_b) } else { sides.grazes(b, a_from_b) }
            })
        };
        let graze = a.grazes(b, a_from_b).or_else(beside).filter(|_| is_touching);
        points.extend(graze.map(|closest| ContactPoint { depth: 0.0, ..super::single(&closest) }));
    }
    if points.len() == none.first {
        // Faces without area inside the other body, or turned inside out: a corner that was found inside.
        let of_b = || Some(a_from_b.transform_point(b.shell_in(a, a_from_b)?));
        let inner = a.shell_in(b, &a_from_b.inverse()).or_else(of_b);
        points.extend(inner.map(|point| ContactPoint { point, normal: fallback, depth, region: 0 }));
    }
    let regions = points.last().filter(|_| points.len() > none.first).map_or(0, |p| p.region + 1);
    Found { intersects: true, depth, translation, is_exact: is_touching, regions, ..none }
}

/// True if a point, in the frame of the surface, is inside or no farther than `limit` from it.
fn is_near(surface: &Surface, point: Vec3, limit: f64) -> bool {
    let nearest = with_meshes(|workspace| closest_point(surface.tree(), point, workspace));
    nearest.is_some_and(|p| p.distance <= limit) || surface.contains(point)
}
