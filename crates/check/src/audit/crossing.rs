//! Surfaces that go on crossing each other while they move a little.
//!
//! Where an edge goes through a triangle, well away from the ends of the one and the border of the other, it still does when it is moved by less than that. Where two
//! triangles lie in one plane and turn about an axis across it, they stay in it.

use super::bodies::LinkBody;
use super::cell::Placed;
use freiraum_geometry::math::{rounding, unit};
use freiraum_geometry::path::Ball;
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::Prepared;
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, all_intersections};

/// Looking at more pairs of crossing faces than that brings nothing new.
const MOST_PAIRS: usize = 4000;

/// How far the points of a segment may move, as seen from a triangle, so that they still cross; 0 if they do not.
///
/// `way` says in which directions they move. The segment still crosses the plane while its ends stay on their sides. Where it does, it is moved by `r` at most from a point of the old
/// segment whose height is `r` at most times the share of the motion that is across the plane: that is within `r * share / sine` of the old crossing, the sine being that of the angle
/// between segment and plane.
pub(super) fn margin([p, q]: [Vec3; 2], [t0, t1, t2]: [Vec3; 3], way: Way) -> f64 {
    let Some(normal) = unit((t1 - t0).cross(t2 - t0)) else { return 0.0 };
    let [above, below] = [p, q].map(|end| normal.dot(end - t0));
    if !(above * below < 0.0) {
        return 0.0;
    }
    let at = p + (q - p) * (above / (above - below));
    let mut inside = f64::INFINITY;
    for [from, to] in [[t0, t1], [t1, t2], [t2, t0]] {
        let Some(inward) = unit(normal.cross(to - from)) else { return 0.0 };
        inside = inside.min(inward.dot(at - from));
    }
    let sine = (above - below).abs() / p.distance(q);
    let size = [p, q, t0, t1, t2].iter().map(|x| x.length()).fold(0.0, f64::max);
    let shortest =
        [t0.distance(t1), t1.distance(t2), t2.distance(t0)].into_iter().fold(f64::INFINITY, f64::min);
    // Heights are off by the rounding of the coordinates, more so where a small triangle says where the plane is.
    let slack = rounding::coordinate(size) * (1.0 + (p - t0).length().max((q - t0).length()) / shortest);
    let share = (way.share_along(normal) + rounding::coordinate(size) / shortest).min(1.0);
    let ends = (above.abs().min(below.abs()) - slack) / share;
    let border = (inside - 16.0 * slack / sine) / (1.0 + share / sine);
    ends.min(border).max(0.0)
}

/// In which directions points move against each other.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// In any.
    Any,
    /// Across this unit vector: a single joint turns about it.
    Across(Vec3),
    /// Along this unit vector: a single joint slides along it.
    Along(Vec3),
}

impl Way {
    /// The share of a motion that can be along a unit vector.
    fn share_along(self, normal: Vec3) -> f64 {
        match self {
            Way::Any => 1.0,
            Way::Across(axis) => normal.cross(axis).length(),
            Way::Along(axis) => normal.dot(axis).abs(),
        }
    }
}

/// True if the surfaces of two links cross all over a cell; otherwise the freedom that stands against it most, if they cross in the middle.
pub(super) fn cross_all_over(
    bodies: [&LinkBody; 2],
    placed: &Placed,
    workspace: &mut MeshWorkspace,
) -> (bool, Option<usize>) {
    let a_from_b = placed.a_from_b();
    let mut best: (f64, Option<usize>) = (f64::NEG_INFINITY, None);
    let mut pairs = Vec::new();
    for (a_from_shape, a) in &bodies[0].shapes {
        for (b_from_shape, b) in &bodies[1].shapes {
            let [Some(tree_a), Some(tree_b)] = [a, b].map(Prepared::mesh_tree) else { continue };
            let pose = a_from_shape.inverse() * a_from_b * *b_from_shape;
            all_intersections(tree_a, tree_b, &pose, workspace, &mut pairs);
            let meet_from_shape = placed.links[0] * *a_from_shape;
            let way = match &placed.axes[..] {
                [axis] => {
                    let direction = meet_from_shape.inverse().rotate(axis.direction);
                    if axis.turns { Way::Across(direction) } else { Way::Along(direction) }
                }
                _ => Way::Any,
            };
            let step = pairs.len().div_ceil(MOST_PAIRS).max(1);
            for [face_a, face_b] in pairs.iter().step_by(step) {
                let corners_a = corners(tree_a, *face_a, &Pose::IDENTITY);
                let corners_b = corners(tree_b, *face_b, &pose);
                let turned = [(corners_a, corners_b), (corners_b, corners_a)];
                if let Some((margin, ball)) = flush(placed, &meet_from_shape, corners_a, corners_b) {
                    let (reach, widest) = placed.apart(&ball);
                    if reach < margin {
                        return (true, None);
                    }
                    if margin - reach > best.0 {
                        best = (margin - reach, Some(widest));
                    }
                }
                for (edges, triangle) in turned {
                    for [from, to] in [[0, 1], [1, 2], [2, 0]] {
                        let segment = [edges[from], edges[to]];
                        let margin = margin(segment, triangle, way);
                        if margin <= 0.0 || margin <= best.0 {
                            continue;
                        }
                        // In the frame of the triangle all points of the segment move by less than points of this ball do.
                        let center = meet_from_shape.transform_point(0.5 * (segment[0] + segment[1]));
                        let radius = 0.5 * segment[0].distance(segment[1]);
                        let (reach, widest) = placed.apart(&Ball { center, radius });
                        if reach < margin {
                            return (true, None);
                        }
                        if margin - reach > best.0 {
                            best = (margin - reach, Some(widest));
                        }
                    }
                }
            }
        }
    }
    (false, best.1)
}

/// How far two triangles that lie in one plane may slide in it so that they still have a point in common, and the point as a ball of no size, in the frame of the link that carries both.
///
/// `None` unless the only joint between the links turns about an axis across the plane, or slides in it, so that they stay in it. What is in one plane to within rounding touches.
fn flush(placed: &Placed, meet_from_shape: &Pose, a: [Vec3; 3], b: [Vec3; 3]) -> Option<(f64, Ball)> {
    let [axis] = &placed.axes[..] else { return None };
    let [a, b] = [a, b].map(|corners| corners.map(|corner| meet_from_shape.transform_point(corner)));
    let size = a.iter().chain(&b).map(|p| p.length().max(p.distance(axis.origin))).fold(0.0, f64::max);
    let slack = rounding::coordinate(size);
    let normal = unit((a[1] - a[0]).cross(a[2] - a[0]))?;
    let is_flat = a.iter().chain(&b).all(|p| normal.dot(*p - a[0]).abs() <= slack);
    // Off by so little that no point leaves the plane by more than rounding.
    let off =
        if axis.turns { normal.cross(axis.direction).length() } else { normal.dot(axis.direction).abs() };
    if !is_flat || off * size > slack {
        return None;
    }
    let region = common(a, b, normal);
    let middle = region.iter().copied().sum::<Vec3>() / region.len().max(1) as f64;
    let mut inside = f64::INFINITY;
    for triangle in [a, b] {
        inside = inside.min(depth(triangle, normal, middle)?);
    }
    (inside > slack).then_some((inside - slack, Ball { center: middle, radius: 0.0 }))
}

/// How far a point in the plane of a triangle is from its border, negative outside; `None` for a triangle without area.
fn depth(triangle: [Vec3; 3], normal: Vec3, point: Vec3) -> Option<f64> {
    let [a, b, c] = triangle;
    let sign = normal.dot((b - a).cross(c - a)).signum();
    let mut least = f64::INFINITY;
    for [from, to] in [[a, b], [b, c], [c, a]] {
        least = least.min(sign * unit(normal.cross(to - from))?.dot(point - from));
    }
    Some(least)
}

/// The corners of what two triangles in one plane have in common.
fn common(a: [Vec3; 3], b: [Vec3; 3], normal: Vec3) -> Vec<Vec3> {
    let sign = normal.dot((b[1] - b[0]).cross(b[2] - b[0])).signum();
    let mut region = a.to_vec();
    for [from, to] in [[b[0], b[1]], [b[1], b[2]], [b[2], b[0]]] {
        let inward = sign * normal.cross(to - from);
        let mut kept = Vec::new();
        for (number, p) in region.iter().enumerate() {
            let q = region[(number + 1) % region.len()];
            let [at_p, at_q] = [*p, q].map(|x| inward.dot(x - from));
            if at_p >= 0.0 {
                kept.push(*p);
            }
            if at_p * at_q < 0.0 {
                kept.push(*p + (q - *p) * (at_p / (at_p - at_q)));
            }
        }
        region = kept;
    }
    region
}

fn corners(tree: &MeshTree, face: u32, to: &Pose) -> [Vec3; 3] {
    let mesh = tree.mesh();
    mesh.faces()[face as usize].map(|vertex| to.transform_point(mesh.vertices()[vertex as usize]))
}
