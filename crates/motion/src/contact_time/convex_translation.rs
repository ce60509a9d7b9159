//! The first contact of two convex polyhedra, one of them translating, through their vertex graphs.
//!
//! Method: a ray cast of the Minkowski difference by portal refinement, whose farthest points come from the
//! Dobkin-Kirkpatrick hierarchy ([`cast_convex`], with its sources), finds a plane between the bodies and the
//! two features that meet. The faces at these features are then solved like all pairs of triangles
//! ([`TranslatingPair`]).
//!
//! Guarantee: that of [`TranslatingPair::first_contact`], from two sides. The plane proves that the bodies
//! are apart before; the faces prove that they meet. Where one of the two leaves more than rounding open
//! (bodies that graze each other, parallel faces or edges, a corner on an edge), the search through all faces
//! decides, as it does for all other bodies. Cost: that of the cast, and of a few pairs of faces.

use super::Touch;
use crate::movable::{Form, Outline, Piece};
use crate::sweep::TranslatingPair;
use crate::triangles::Meeting;
use crate::verdict::Feature;
use freiraum_geometry::math::power_of_two;
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::convex::{CastContact, CastFeature, ConvexCast, ConvexGraph, SearchCost, cast_convex};
use freiraum_query::mesh_tree::MeshTree;

/// What follows from the vertex graphs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Followed {
    /// The pieces never meet in the time asked for: proven.
    Apart,
    /// They meet, in one point.
    Contact(Touch),
    /// Nothing is known.
    Open,
}

/// How many pairs of faces at the features are solved at most. Nearly always the first one has all digits.
const MOST_PAIRS: usize = 16;

/// How many faces at a feature are tried at most: those of most vertices.
const MOST_FACES: usize = 8;

/// Sine of the angle between the normal of the faces that meet and that of the plane that parts the bodies,
/// above which they are no witness for each other.
const SAME_DIRECTION: f64 = power_of_two(-26);

/// The largest error of a time that is taken, as a share of the motion: beyond that, the bodies graze each
/// other.
const MOST_ERROR: f64 = power_of_two(-30);

/// The first contact in the share `until` of the motion `by`, which is that of the pair; in the frame of the
/// first piece.
pub(super) fn first_contact(
    pieces: [&Piece; 2],
    pair: &TranslatingPair<'_>,
    a_from_b: &Pose,
    by: Vec3,
    until: f64,
) -> Followed {
    let [Some(a), Some(b)] = pieces.map(Side::of) else { return Followed::Open };
    let mut cost = SearchCost::default();
    match cast_convex(a.graph, b.graph, a_from_b, by, until, pair.slack(), &mut cost) {
        Some(ConvexCast::Apart) => Followed::Apart,
        Some(ConvexCast::Contact(contact)) => {
            let Some((error, meeting, faces)) = faces_meet([a, b], pair, &contact, until) else {
                return Followed::Open;
            };
            let Some(normal) = meeting.normal.try_normalize() else { return Followed::Open };
            let share = meeting.enter;
            let in_b =
                (Pose::from_translation(share * by) * *a_from_b).inverse().transform_point(contact.point);
            let features = [
                a.feature(contact.features[0], faces[0], contact.point),
                b.feature(contact.features[1], faces[1], in_b),
            ];
            let (is_proven, is_met) = (true, true);
            Followed::Contact(Touch {
                share,
                error,
                point: contact.point,
                normal,
                features,
                is_proven,
                is_met,
            })
        }
        None => Followed::Open,
    }
}

/// A piece with its graph.
#[derive(Clone, Copy)]
struct Side<'p> {
    piece: &'p Piece,
    tree: &'p MeshTree,
    graph: &'p ConvexGraph,
    mesh: &'p Mesh,
    has_own_numbers: bool,
}

/// Some faces of a mesh.
#[derive(Clone, Copy, Debug, Default)]
struct Faces {
    numbers: [u32; MOST_FACES],
    count: usize,
}

impl Faces {
    /// The first few of them.
    fn of(faces: impl Iterator<Item = u32>) -> Faces {
        let mut found = Faces::default();
        for (place, face) in found.numbers.iter_mut().zip(faces) {
            *place = face;
            found.count += 1;
        }
        found
    }

    fn all(&self) -> &[u32] {
        &self.numbers[..self.count]
    }
}

impl<'p> Side<'p> {
    fn of(piece: &'p Piece) -> Option<Side<'p>> {
        let Form::Faces(tree) = &piece.form else { return None };
        let mesh = tree.mesh();
        let has_own_numbers = matches!(piece.outline, Outline::Own(_));
        Some(Side { piece, tree, graph: piece.outline.graph(mesh)?, mesh, has_own_numbers })
    }

    /// The feature by the numbers of the mesh; `face` is the one that meets at the point, in the frame of the
    /// piece.
    ///
    /// Vertices and edges are those of the graph and not read off the point, which the way during the
    /// rounding of the time may shift along an edge.
    fn feature(&self, feature: CastFeature, face: u32, point: Vec3) -> Feature {
        let number = |i: u32| {
            let at = self.graph.body().vertices()[i as usize];
            let corners = self.mesh.faces()[face as usize];
            let found = corners.into_iter().find(|&k| self.mesh.vertices()[k as usize] == at);
            found.unwrap_or(i)
        };
        match feature {
            CastFeature::Vertex(i) => Feature::Vertex(number(i)),
            CastFeature::Edge([i, k]) => {
                let (i, k) = (number(i), number(k));
                Feature::Edge([i.min(k), i.max(k)])
            }
            CastFeature::Face(_) => self.piece.feature(self.tree, face, point),
        }
    }

    /// Some faces of the mesh at a feature of the graph.
    fn faces_at(&self, feature: CastFeature) -> Faces {
        if self.has_own_numbers {
            return match feature {
                CastFeature::Vertex(i) => Faces::of(self.graph.faces_around(i).iter().copied()),
                CastFeature::Edge(ends) => Faces::of(self.graph.faces_of(ends).into_iter()),
                CastFeature::Face(face) => Faces::of(std::iter::once(face)),
            };
        }
        // A box has twelve faces, with the same corners but with numbers and diagonals of their own.
        let at = |i: u32| self.graph.body().vertices()[i as usize];
        let triangles = || (0..).zip(self.mesh.triangles());
        let with = |corners: &[Vec3]| {
            let is_at = |(_, triangle): &(u32, [Vec3; 3])| corners.iter().all(|p| triangle.contains(p));
            Faces::of(triangles().filter(is_at).map(|(face, _)| face))
        };
        match feature {
            CastFeature::Vertex(i) => with(&[at(i)]),
            CastFeature::Edge(ends) => with(&ends.map(at)),
            CastFeature::Face(face) => {
                let corners = self.graph.body().surface().triangle(face as usize);
                let is_level =
                    |axis: usize, triangle: &[Vec3; 3]| triangle.iter().all(|p| p[axis] == corners[0][axis]);
                let Some(axis) = (0..3).find(|&axis| is_level(axis, &corners)) else {
                    return Faces::default();
                };
                Faces::of(triangles().filter(|(_, triangle)| is_level(axis, triangle)).map(|(face, _)| face))
            }
        }
    }
}

/// The faces at the features that meet when the plane says so, and by how much the time may be off.
fn faces_meet(
    sides: [Side<'_>; 2],
    pair: &TranslatingPair<'_>,
    contact: &CastContact,
    until: f64,
) -> Option<(f64, Meeting, [u32; 2])> {
    let early = contact.time - contact.not_before;
    let is_witness = |meeting: &Meeting| {
        let off = meeting.normal.cross(contact.normal).length();
        (meeting.enter - contact.time).abs() <= early
            && off <= SAME_DIRECTION * meeting.normal.length() * contact.normal.length()
            && meeting.normal.dot(contact.normal) > 0.0
    };
    let mut best: Option<([u32; 2], Meeting)> = None;
    let [on_a, on_b] = [0, 1].map(|body| sides[body].faces_at(contact.features[body]));
    let pairs = on_a.all().iter().flat_map(|&i| on_b.all().iter().map(move |&j| [i, j]));
    for faces in pairs.take(MOST_PAIRS) {
        let Some(meeting) = pair.faces_meet(faces).filter(is_witness) else { continue };
        if best.is_none_or(|(_, other)| meeting.latest < other.latest) {
            best = Some((faces, meeting));
        }
        if meeting.latest - meeting.enter <= early {
            break;
        }
    }
    let (faces, meeting) = best?;
    let time = meeting.enter;
    let error = (time - contact.not_before).max(meeting.latest - time);
    // Also for what is not a number.
    let is_sure = error <= MOST_ERROR && time > 0.0 && time + error < until;
    is_sure.then_some((error, meeting, faces))
}

#[cfg(test)]
mod tests;
