//! Contacts with meshes and height fields.

use super::polygon::Polygon;
use super::regions::{Measured, Regions, Seen};
use super::separation::{Extents, placed_extent, search};
use super::{ContactPoint, Found, Points as Output, Touch};
use crate::Closest;
use crate::convex::{ConvexCache, Points};
use crate::dispatch::PairQuery;
use crate::distance::half_space::placed;
use crate::distance::{Distance, signed_convex};
use crate::intersect::Relation;
use crate::prepared::{Exactness, Solid, Surface, convex_meet, touch_limit, touch_slack};
use crate::surface::Held;
use crate::workspace::with_contacts;
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
    corners: Vec<Vec3>,
}

/// Convex body a and surface b. The regions are the connected pieces of b in a; the area of each is that of its faces
/// within the own box of a.
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
    let ContactWorkspace { faces, grouped, ends, pieces, corners, .. } = workspace;
    pieces.clear();
    let mut from = 0;
    for &end in ends.iter() {
        pieces.push(piece(&grouped[from..end], a, b, a_from_b, corners));
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
    let depth_of = |p: &Piece, n: Vec3| (a.support(n).dot(n) - p.lowest).max(0.0);
    let hints = pieces.iter().filter_map(|p| p.normal.map(|n| -depth_of(p, n) * n));
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
    if pieces.is_empty() {
        // All of a is inside b, clear of its surface.
        pieces.push(Piece { point: inner, normal: None, lowest: f64::INFINITY });
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

/// A connected piece of the surface in a convex body.
#[derive(Debug)]
struct Piece {
    point: Vec3,
    /// From a towards b; `None` where the areas cancel.
    normal: Option<Vec3>,
    /// The least height of the piece along the normal.
    lowest: f64,
}

/// Area-weighted point and normal of faces, as far as they lie in the own box of a.
fn piece(faces: &[u32], a: &Solid, b: &Surface, a_from_b: &Pose, corners: &mut Vec<Vec3>) -> Piece {
    let (mut total, mut moment, mut area_vector) = (0.0, Vec3::ZERO, Vec3::ZERO);
    let (mut middle, mut towards) = (Vec3::ZERO, Vec3::ZERO);
    corners.clear();
    for &face in faces {
        let triangle = b.mesh().triangle(face as usize).map(|p| a_from_b.transform_point(p));
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
        middle += (0.5 * closest.point_on_a + 0.5 * closest.point_on_b) / faces.len() as f64;
        towards += closest.normal;
    }
    let point = if total > 0.0 { moment / total } else { middle };
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
    let lowest =
        normal.map_or(f64::INFINITY, |n| corners.iter().map(|p| p.dot(n)).fold(f64::INFINITY, f64::min));
    Piece { point, normal, lowest }
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
            stack.push(start);
            while let Some(v) = stack.pop() {
                let (here, p) = (depth(v).max(0.0), b.mesh().vertices()[v as usize]);
                deepest = deepest.max(here);
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
            let on_plane = middle - (up.dot(middle) - offset + 0.5 * deepest) * up;
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
    let hints = found.iter().filter_map(|r| r.normal.map(|_| r.translation));
    let is_touching = relation == Relation::Touching;
    let is_open = !(a.is_solid() && b.is_solid());
    // A region without a direction of its own takes that of the way out.
    let held = regions.held();
    let is_needed = touch.is_searched || is_open || held.count() + found.len() > hints.clone().count();
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
    let with_rings = found.iter().map(|r| {
        let has_own = r.normal.is_some() && !is_open;
        let own_depth = if has_own { r.translation.length() } else { depth };
        // Open surfaces may face either way; the way out tells which side b is on.
        let own = r.normal.map(|n| if is_open && way_out.is_some_and(|t| n.dot(t) > 0.0) { -n } else { n });
        (r.point, own.unwrap_or(fallback), own_depth)
    });
    // Shells inside the other body, clear of its surface.
    let held = regions.held().map(|point| (point, fallback, depth));
    let none = Found::none(touch.points);
    let mut points = touch.points.borrow_mut();
    for (region, (point, normal, depth)) in with_rings.chain(held).enumerate() {
        points.push(ContactPoint { point, normal, depth: if is_touching { 0.0 } else { depth }, region });
    }
    if points.len() == none.first {
        // Apart by no more than rounding.
        let graze = a.grazes(b, a_from_b).filter(|_| is_touching);
        points.extend(graze.map(|closest| ContactPoint { depth: 0.0, ..super::single(&closest) }));
    }
    if points.len() == none.first {
        // Faces without area inside the other body, or turned inside out: a corner that was found inside.
        let of_b = || Some(a_from_b.transform_point(b.shell_in(a, a_from_b)?));
        let inner = a.shell_in(b, &a_from_b.inverse()).or_else(of_b);
        points.extend(inner.map(|point| ContactPoint { point, normal: fallback, depth, region: 0 }));
    }
    let regions = points.len() - none.first;
    Found { intersects: true, depth, translation, is_exact: is_touching, regions, ..none }
}
