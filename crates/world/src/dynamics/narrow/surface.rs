//! Meshes and height fields: triangle by triangle.
//!
//! Faces of the surface meet the farthest points of a convex shape. Edges and corners of the surface meet its flat sides, or else the shape by the exact signed
//! distance, but only where they stick out: over an edge between faces that lie in one plane, or that form a valley, nothing can catch.

use super::clip::best_four;
use super::probe::{flat_side, probes};
use super::{Form, Found, MOST_POINTS, Side, Touch};
use freiraum_geometry::math::{power_of_two, unit};
use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_query::convex::{NO_VERTEX, PenetrationWorkspace, Points, convex_body, penetration_convex};
use freiraum_query::elementary::point_segment;
use freiraum_query::mesh_tree::MeshTree;
use freiraum_query::{QueryError, contact};

/// What was found of a pair with a surface.
pub(crate) enum Surfaces {
    /// Groups of points with one normal each.
    Touching(Vec<Touch>),
    /// Apart by at least this much.
    Apart(f64),
    /// It could not be found.
    Failed(QueryError),
}

/// Points of contact whose normals differ by less than the angle of this cosine (10 degrees) are one group.
const ONE_GROUP: f64 = 0.985;

/// More groups than this are not kept: a body in a funnel has three.
const MOST_GROUPS: usize = 6;

/// A candidate, in the frame of the surface.
#[derive(Clone, Copy)]
struct Candidate {
    /// Half way between the surfaces.
    at: Vec3,
    /// Out of the surface, towards the convex shape.
    out: Vec3,
    separation: f64,
}

/// A convex shape against a mesh or height field.
pub(crate) fn convex_surface(a: &Side, b: &Side, margin: f64, thickness: f64) -> Surfaces {
    let (Some(body), Some(tree), Some(bounds), Form::Surface { ridges }) =
        (convex_body(a.shape.shape()), b.shape.mesh_tree(), a.shape.bounds(), b.form)
    else {
        return Surfaces::Apart(0.0);
    };
    let world_from_b = b.placed.pose();
    let b_from_a = world_from_b.inverse() * a.placed.pose();
    // Some more is searched, so that a body well above the surface is left alone for a while.
    let search = margin + 0.25 * thickness;
    let near = placed_box(&bounds, &b_from_a, search);
    let mut faces = Vec::new();
    triangles_within(tree, &near, &mut faces);
    if faces.is_empty() {
        return Surfaces::Apart(search);
    }
    let is_two_sided = b.shape.has_open_surface();
    let center = b_from_a.transform_point(bounds.center());
    let slack = SLACK * thickness;
    let mut candidates = Vec::new();
    let mut workspace = PenetrationWorkspace::new();
    let a_from_b = b_from_a.inverse();
    for face in faces {
        let mut triangle = tree.triangles()[face as usize];
        let mut ridges = ridges[face as usize];
        let [p, q, r] = triangle;
        let Some(mut normal) = unit((q - p).cross(r - p)) else { continue };
        if is_two_sided && normal.dot(center - p) < 0.0 {
            // Seen from behind, what sticks out there is what does not here: all edges are taken for ridges.
            (triangle, normal, ridges) = ([p, r, q], -normal, 7);
        }
        let down = a_from_b.rotate(-normal);
        let lowest = body.farthest(down, NO_VERTEX).point + body.radius() * down;
        let lowest = normal.dot(b_from_a.transform_point(lowest) - triangle[0]);
        if lowest > margin {
            continue;
        }
        for probe in probes(a.shape.shape(), down) {
            let point = b_from_a.transform_point(probe);
            let height = normal.dot(point - triangle[0]);
            if height <= margin && height >= -thickness && is_over(&triangle, normal, point, slack) {
                candidates.push(Candidate {
                    at: point - 0.5 * height * normal,
                    out: normal,
                    separation: height,
                });
            }
        }
        if ridges == 0 {
            continue;
        }
        if let Some(side) = flat_side(a.shape.shape(), down) {
            let side: Vec<Vec3> = side.iter().map(|p| b_from_a.transform_point(*p)).collect();
            for k in (0..3).filter(|k| ridges & 1 << k != 0) {
                let edge = [triangle[k], triangle[(k + 1) % 3]];
                edge_over_side(edge, &side, normal, |at, height| {
                    if height <= margin && height >= -thickness {
                        let at = at + 0.5 * height * normal;
                        candidates.push(Candidate { at, out: normal, separation: height });
                    }
                });
            }
            continue;
        }
        let corners = triangle.map(|p| a_from_b.transform_point(p));
        let closest = penetration_convex(body, &Points(&corners), &Pose::IDENTITY, &mut workspace);
        let out = -b_from_a.rotate(closest.normal);
        // From behind, or deeper than the shape is thick: another face tells.
        if closest.distance > margin || closest.distance < -thickness || out.dot(normal) <= 0.0 {
            continue;
        }
        let on_surface = b_from_a.transform_point(closest.point_on_b);
        if is_on_ridge(&triangle, ridges, normal, on_surface, out, slack) {
            let at = on_surface + 0.5 * closest.distance * out;
            candidates.push(Candidate { at, out, separation: closest.distance });
        }
    }
    if candidates.is_empty() {
        return Surfaces::Apart(0.0);
    }
    Surfaces::Touching(grouped(&candidates, slack, &world_from_b))
}

/// Whether a point of a triangle where something touches with the normal `out` lies on one of its edges that stick out, or inside it.
fn is_on_ridge(triangle: &[Vec3; 3], ridges: u8, normal: Vec3, point: Vec3, out: Vec3, slack: f64) -> bool {
    let far = [0, 1, 2].map(|k| point_segment(point, [triangle[k], triangle[(k + 1) % 3]]).distance());
    // A normal that is not that of the face belongs to an edge, and looks away from the face; the point that is found on it is not exact.
    let is_of_edge = out.dot(normal) < 1.0 - TILTED;
    let near = slack + if is_of_edge { 2.0 * far[0].min(far[1]).min(far[2]) } else { 0.0 };
    let looks_away = |k: usize| out.dot(normal.cross(triangle[(k + 1) % 3] - triangle[k])) <= 0.0;
    let is_near = |k: &usize| far[*k] <= near;
    let is_ridge = |k: usize| ridges & 1 << k != 0 && (!is_of_edge || looks_away(k));
    !(0..3).any(|k| is_near(&k)) || (0..3).filter(is_near).any(is_ridge)
}

/// A normal whose cosine with that of a face is less than one by more than this is not that of the face.
const TILTED: f64 = power_of_two(-20);

/// The ends of what of an edge lies under a flat side, seen along a direction, and how far the side is above them.
fn edge_over_side(edge: [Vec3; 2], side: &[Vec3], up: Vec3, mut found: impl FnMut(Vec3, f64)) {
    let along = edge[1] - edge[0];
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for k in 0..side.len() {
        let (p, q) = (side[k], side[(k + 1) % side.len()]);
        // The side looks down: counter-clockwise from below is clockwise from above.
        let inward = (q - p).cross(up);
        let (start, change) = (inward.dot(edge[0] - p), inward.dot(along));
        if change == 0.0 {
            if start < 0.0 {
                return;
            }
        } else if change > 0.0 {
            from = from.max(-start / change);
        } else {
            to = to.min(-start / change);
        }
    }
    if from > to {
        return;
    }
    let Some(flat) = unit((side[1] - side[0]).cross(side[2] - side[0])) else { return };
    for t in [from, to] {
        let at = edge[0] + t * along;
        found(at, flat.dot(side[0] - at) / flat.dot(up));
    }
}

/// Lengths below this share of the thickness of a body do not matter where edges and corners of a surface are told apart.
const SLACK: f64 = 1.0 / 4096.0;

/// A surface against a surface or a half space, from the places of contact that `freiraum_query` finds.
pub(crate) fn surface_any(a: &Side, b: &Side, margin: f64, thickness: f64) -> Surfaces {
    let world_from_a = a.placed.pose();
    let a_from_b = world_from_a.inverse() * b.placed.pose();
    if let (Form::HalfSpace { normal, offset }, Some(tree)) = (b.form, a.shape.mesh_tree()) {
        let out = a_from_b.rotate(*normal);
        let level = out.dot(a_from_b.transform_point(*offset * *normal));
        let vertices = tree.mesh().vertices();
        let lowest = vertices.iter().map(|p| p.dot(out) - level).fold(f64::INFINITY, f64::min);
        if lowest > margin {
            return Surfaces::Apart(lowest);
        }
        let candidates: Vec<Candidate> = vertices
            .iter()
            .map(|p| (*p, p.dot(out) - level))
            .filter(|(_, height)| *height <= margin)
            .map(|(p, separation)| Candidate { at: p - 0.5 * separation * out, out, separation })
            .collect();
        return Surfaces::Touching(grouped(&candidates, SLACK * thickness, &world_from_a));
    }
    let found = match contact(a.shape, b.shape, &a_from_b) {
        Ok(found) => found,
        Err(error) => return Surfaces::Failed(error),
    };
    if !found.intersects {
        return match freiraum_query::distance(a.shape, b.shape, &a_from_b) {
            Ok(closest) => Surfaces::Apart(closest.distance),
            Err(error) => Surfaces::Failed(error),
        };
    }
    let candidates: Vec<Candidate> = found
        .points
        .iter()
        .map(|p| Candidate { at: p.point, out: -p.normal, separation: -p.depth })
        .collect();
    if candidates.is_empty() {
        return Surfaces::Apart(0.0);
    }
    Surfaces::Touching(grouped(&candidates, SLACK * thickness, &world_from_a))
}

/// Candidates in groups with nearly the same normal, at most four points each, deepest group first.
fn grouped(candidates: &[Candidate], slack: f64, world_from_surface: &Pose) -> Vec<Touch> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|i, j| candidates[*i].separation.total_cmp(&candidates[*j].separation));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for k in order {
        let one = &candidates[k];
        let group = groups.iter().position(|g| candidates[g[0]].out.dot(one.out) > ONE_GROUP);
        match group {
            // The corner of a box over the edge of two triangles is found twice.
            Some(number) => {
                let group = &mut groups[number];
                if group.iter().all(|other| candidates[*other].at.distance(one.at) > slack) {
                    group.push(k);
                }
            }
            None if groups.len() < MOST_GROUPS => groups.push(vec![k]),
            None => {}
        }
    }
    groups
        .iter()
        .map(|group| {
            let out = candidates[group[0]].out;
            let across = out.any_orthonormal_vector();
            let other = out.cross(across);
            let seen: Vec<(f64, f64, f64)> = group
                .iter()
                .map(|k| &candidates[*k])
                .map(|c| (c.at.dot(across), c.at.dot(other), c.separation))
                .collect();
            let mut chosen = [0; MOST_POINTS];
            let count = best_four(&seen, &mut chosen);
            let mut touch = Touch { normal: -world_from_surface.rotate(out), count, ..Touch::NONE };
            for (slot, k) in chosen[..count].iter().enumerate() {
                let c = &candidates[group[*k]];
                touch.points[slot] = Found {
                    at: world_from_surface.transform_point(c.at),
                    separation: c.separation,
                    feature: 0,
                };
            }
            touch
        })
        .collect()
}

/// Whether a point is over a triangle, seen along its normal.
pub(super) fn is_over(triangle: &[Vec3; 3], normal: Vec3, point: Vec3, slack: f64) -> bool {
    (0..3).all(|k| {
        let (p, q) = (triangle[k], triangle[(k + 1) % 3]);
        let inward = normal.cross(q - p);
        inward.dot(point - p) >= -slack * inward.length()
    })
}

/// The box of a shape in another frame, grown by a margin.
pub(super) fn placed_box(bounds: &Aabb, other_from_shape: &Pose, margin: f64) -> Aabb {
    // Not `Aabb::transformed`: one triangle more at a border is another state of the world to the last bit.
    let center = other_from_shape.transform_point(bounds.center());
    let reach = other_from_shape.rotation_matrix().abs() * (0.5 * bounds.size()) + Vec3::splat(margin);
    Aabb { min: center - reach, max: center + reach }
}

/// The triangles of a tree, in the order of its leaves, whose boxes overlap a box in the frame of the mesh.
pub(super) fn triangles_within(tree: &MeshTree, near: &Aabb, found: &mut Vec<u32>) {
    let grid = tree.grid();
    let (min, max) = (grid.tree_from_mesh(near.min), grid.tree_from_mesh(near.max));
    let mut stack = vec![0u32];
    while let Some(at) = stack.pop() {
        let node = &tree.nodes()[at as usize];
        for lane in 0..usize::from(node.len) {
            let is_near = (0..3)
                .all(|k| f64::from(node.min[k][lane]) <= max[k] && f64::from(node.max[k][lane]) >= min[k]);
            if !is_near {
                continue;
            }
            let first = node.child[lane];
            match node.count[lane] {
                0 => stack.push(first),
                count => found.extend(first..first + u32::from(count)),
            }
        }
    }
    found.sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle in the plane z = 0 of which only the edge along y = 0 sticks out; the one along x = 0 lies in a flat face.
    #[test]
    fn edges_that_stick_out_are_told_from_others() {
        let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let (ridges, slack) = (1, 1.0 / 4096.0);
        let told = |x: f64, y: f64, out: Vec3| {
            is_on_ridge(&triangle, ridges, Vec3::Z, Vec3::new(x, y, 0.0), unit(out).unwrap(), slack)
        };
        let (from_ridge, from_flat) = (Vec3::new(0.0, -0.05, 1.0), Vec3::new(-0.05, 0.0, 1.0));
        // On the ridge, with the normal of the face or one that looks away from it.
        assert!(told(0.5, 0.0, Vec3::Z) && told(0.5, 0.0, from_ridge));
        // A normal that leans over the face is none of this edge.
        assert!(!told(0.5, 0.0, -from_ridge.with_z(-1.0)));
        // Inside the face its own normal is right, and another one is that of the nearest edge, although the point is not quite there.
        assert!(told(0.3, 0.3, Vec3::Z));
        assert!(told(0.5, 0.001, from_ridge) && !told(0.001, 0.5, from_flat));
        // On the flat edge there is nothing.
        assert!(!told(0.0, 0.5, Vec3::Z) && !told(0.0, 0.5, from_flat));
        // Near a corner a point of the ridge that is not quite there may be nearer to the flat edge.
        assert!(told(0.001, 0.0015, from_ridge));
    }
}
