//! Links that have a point in common all over a cell.

use super::bodies::LinkBody;
use super::cell::Placed;
use super::crossing::cross_all_over;
use freiraum_geometry::Vec3;
use freiraum_geometry::path::Ball;
use freiraum_query::mesh_tree::MeshWorkspace;

/// True if two links touch all over a cell; and the freedom to split.
///
/// Either their surfaces go on crossing, or a point of one stays inside of the other.
pub(super) fn all_over(
    bodies: [&LinkBody; 2],
    placed: &Placed,
    workspace: &mut MeshWorkspace,
) -> (bool, usize) {
    let [a, b] = bodies;
    let a_from_b = placed.a_from_b();
    let b_from_a = a_from_b.inverse();
    let size = a.ball.radius.min(b.ball.radius);
    let radii: Vec<f64> = (1..=8).rev().map(|k| size * 0.5_f64.powi(k)).collect();
    let mut best: (f64, Option<usize>) = (f64::NEG_INFINITY, None);
    for point in candidates(bodies, placed) {
        let mut depth = a.depth(point, &radii, workspace);
        if depth > 0.0 {
            depth = depth.min(b.depth(b_from_a.transform_point(point), &radii, workspace));
        }
        if depth <= 0.0 {
            continue;
        }
        // The same point as one of a and as one of b: the ball about the one holds the other as long as they are not farther apart than its radius.
        let center = placed.links[0].transform_point(point);
        let (reach, widest) = placed.apart(&Ball { center, radius: 0.0 });
        if reach < depth {
            return (true, widest);
        }
        if depth - reach > best.0 {
            best = (depth - reach, Some(widest));
        }
    }
    let (is_proven, widest) = cross_all_over(bodies, placed, workspace);
    let middle = placed.links[0].transform_point(a.ball.center);
    let otherwise = || placed.apart(&Ball { center: middle, radius: a.ball.radius }).1;
    (is_proven, widest.or(best.1).unwrap_or_else(otherwise))
}

/// Points, in the frame of a, that may be inside of both: on the axes of the joints between them, where they hardly move against each other, and between their middles.
fn candidates([a, b]: [&LinkBody; 2], placed: &Placed) -> Vec<Vec3> {
    let a_from_meet = placed.links[0].inverse();
    let size = a.ball.radius.min(b.ball.radius);
    let mut points = Vec::new();
    for axis in &placed.axes {
        let (from, along) = (a_from_meet.transform_point(axis.origin), a_from_meet.rotate(axis.direction));
        points.extend((-16..=16).map(|k| from + f64::from(k) / 16.0 * size * along));
    }
    let (from, to) = (a.ball.center, placed.a_from_b().transform_point(b.ball.center));
    points.extend((0..=16).map(|k| from.lerp(to, f64::from(k) / 16.0)));
    points
}
