//! How two meshes stand to each other.

use super::Relation;
use crate::contact::regions::crossing_segment;
use crate::mesh_tree::all_intersections;
use crate::prepared::{Surface, touch_slack};
use crate::workspace::with_meshes;
use freiraum_geometry::{AxisBox, Pose, Vec3};

/// The relation of two surfaces, solids where they are closed.
///
/// Faces that cross along a line decide at once. Without any contact, one point of every shell does. In between, where
/// faces only touch or lie in one plane, corners, middles of edges and of faces are looked at one by one.
pub(crate) fn relate_surfaces(a: &Surface, b: &Surface, a_from_b: &Pose) -> Relation {
    let mut pairs = Vec::new();
    with_meshes(|workspace| all_intersections(a.tree(), b.tree(), a_from_b, workspace, &mut pairs));
    let b_from_a = a_from_b.inverse();
    if pairs.is_empty() {
        return relate_apart(&Sides::of_shells(a, b, &b_from_a), &Sides::of_shells(b, a, a_from_b));
    }
    let slack = touch_slack(a.bounds().reach(), b.bounds().reach(), a_from_b);
    let crosses = |&[face_a, face_b]: &[u32; 2]| {
        let ta = a.mesh().triangle(face_a as usize);
        let tb = b.mesh().triangle(face_b as usize).map(|p| a_from_b.transform_point(p));
        crosses_deeply(&ta, &tb, slack)
    };
    if pairs.iter().any(crosses) {
        return Relation::Overlapping;
    }
    let of_a = Sides::of_samples(a, b, &b_from_a, slack);
    let of_b = Sides::of_samples(b, a, a_from_b, slack);
    relate_touching(&of_a, &of_b)
}

/// True if the triangles cross along a line of some length, each reaching beyond the plane of the other on both sides.
fn crosses_deeply(a: &[Vec3; 3], b: &[Vec3; 3], slack: f64) -> bool {
    let normal = |t: &[Vec3; 3]| freiraum_geometry::math::unit((t[1] - t[0]).cross(t[2] - t[0]));
    let (Some(na), Some(nb)) = (normal(a), normal(b)) else { return false };
    let straddles = |t: &[Vec3; 3], on_plane: Vec3, n: Vec3| {
        let heights = t.map(|p| (p - on_plane).dot(n));
        heights.iter().any(|h| *h > slack) && heights.iter().any(|h| *h < -slack)
    };
    straddles(a, b[0], nb)
        && straddles(b, a[0], na)
        && crossing_segment(a, b, na, nb).is_some_and(|[p, q]| p.distance(q) > slack)
}

/// Where points of one mesh were found.
#[derive(Default)]
struct Sides {
    inside: bool,
    outside: bool,
}

impl Sides {
    /// One corner of every shell of `mine`, none of which touches `other`.
    fn of_shells(mine: &Surface, other: &Surface, other_from_mine: &Pose) -> Sides {
        let mut sides = Sides::default();
        mine.shells().for_each(|p| sides.add(other, other_from_mine.transform_point(p)));
        sides
    }

    /// Corners and middles of all edges and faces that are clear of the other surface.
    fn of_samples(mine: &Surface, other: &Surface, other_from_mine: &Pose, slack: f64) -> Sides {
        let mut sides = Sides::default();
        for [a, b, c] in mine.mesh().triangles() {
            let middles = [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a), (a + b + c) / 3.0];
            for p in [a, b, c].into_iter().chain(middles).map(|p| other_from_mine.transform_point(p)) {
                if !is_on(other, p, slack) {
                    sides.add(other, p);
                }
            }
            if sides.inside && sides.outside {
                break;
            }
        }
        sides
    }

    fn add(&mut self, other: &Surface, p: Vec3) {
        if other.contains(p) {
            self.inside = true;
        } else {
            self.outside = true;
        }
    }
}

/// True if a point is within `slack` of a surface.
fn is_on(surface: &Surface, p: Vec3, slack: f64) -> bool {
    let mut found = false;
    let slack = 2.0 * slack;
    surface.visit_near(&AxisBox { min: p, max: p }, slack, |leaf| {
        found |= crate::elementary::point_triangle(p, *leaf.corners).distance() <= slack;
        if found { -1.0 } else { slack }
    });
    found
}

fn relate_apart(a: &Sides, b: &Sides) -> Relation {
    match (a.inside, b.inside) {
        (false, false) => Relation::Separate,
        // All shells of a are in b, and none of b in a: nothing of b's surface is in the way.
        (true, false) if !a.outside => Relation::AInsideB,
        (false, true) if !b.outside => Relation::BInsideA,
        _ => Relation::Overlapping,
    }
}

fn relate_touching(a: &Sides, b: &Sides) -> Relation {
    match ((a.inside, a.outside), (b.inside, b.outside)) {
        // Everything lies on the other's surface.
        ((false, false), (false, false)) => Relation::Same,
        ((true, false), (false, _)) => Relation::AInsideB,
        ((false, _), (true, false)) => Relation::BInsideA,
        ((false, _), (false, _)) => Relation::Touching,
        _ => Relation::Overlapping,
    }
}
