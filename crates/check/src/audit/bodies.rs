//! Links as bodies that can be asked, whole and in pieces.

use freiraum_geometry::enclose::smallest_sphere;
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::Ball;
use freiraum_geometry::shape::Sphere;
use freiraum_geometry::{Mesh, Pose, Shape, Vec3};
use freiraum_query::intersect::Relation;
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, PointPlace, closest_point, locate};
use freiraum_query::{Prepared, distance, intersect, intersects};
use freiraum_robot::{Link, LinkShape};
use std::sync::Arc;

/// A mesh is cut into at most so many pieces.
const MOST_PIECES: usize = 8;

/// What a link touches things with.
pub(super) struct LinkBody {
    pub(super) shapes: Vec<(Pose, Prepared)>,
    /// All shapes together: open surfaces of several of them may be the walls of one solid.
    whole: Prepared,
    /// The same surface, in pieces: what is far from an axis, moves far, and what is near to it does not.
    pub(super) pieces: Vec<Piece>,
    /// Holds all of it.
    pub(super) ball: Ball,
}

/// Whether links touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// Their surfaces meet, or the one is inside of the other.
    Yes,
    /// Their surfaces do not meet, and neither is inside of the other.
    No,
    /// Their surfaces do not meet; a surface that bounds no solid leaves it open whether one is inside of the other.
    Unknown,
}

/// A part of a link.
pub(super) struct Piece {
    /// Holds it, in the frame of the link.
    pub(super) ball: Ball,
    link_from_shape: Pose,
    shape: Prepared,
}

impl Piece {
    /// The distance to a piece of another link, 0 if they touch. Of meshes it is that of their surfaces: what is inside of another one is not at distance 0.
    pub(super) fn distance(&self, other: &Piece, a_from_b: &Pose) -> f64 {
        let pose = self.link_from_shape.inverse() * *a_from_b * other.link_from_shape;
        // What cannot be asked may be anything.
        distance(&self.shape, &other.shape, &pose).map_or(0.0, |found| found.distance.max(0.0))
    }
}

fn ball(points: &[Vec3]) -> Option<Ball> {
    let sphere = smallest_sphere(points)?;
    Some(Ball { center: sphere.center, radius: sphere.radius })
}

/// Points whose hull holds a shape, in the frame of the link; `None` for a shape without end.
fn hull_points(part: &LinkShape) -> Option<Vec<Vec3>> {
    let to_link = |p: Vec3| part.link_from_shape.transform_point(p);
    if let Shape::Mesh(mesh) = &part.shape {
        return Some(mesh.vertices().iter().map(|v| to_link(*v)).collect());
    }
    let bounds = part.shape.aabb()?;
    Some(bounds.corners().map(to_link).to_vec())
}

/// Faces of a mesh in at most `most` lists that are each as compact as cuts across the longest side of their box make them.
fn cut(mesh: &Mesh, most: usize) -> Vec<Vec<u32>> {
    let middle = |face: &u32| {
        let [a, b, c] = mesh.faces()[*face as usize].map(|v| mesh.vertices()[v as usize]);
        (a + b + c) / 3.0
    };
    let extent = |faces: &Vec<u32>| {
        let (mut lo, mut hi) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for face in faces {
            let p = middle(face);
            (lo, hi) = (lo.min(p), hi.max(p));
        }
        (lo, hi)
    };
    let mut lists: Vec<Vec<u32>> = vec![(0..mesh.faces().len() as u32).collect()];
    while lists.len() < most {
        // The largest one is cut next.
        let sizes: Vec<f64> =
            lists.iter().map(|faces| (extent(faces).1 - extent(faces).0).max_element()).collect();
        let largest = (0..lists.len()).max_by(|x, y| sizes[*x].total_cmp(&sizes[*y])).unwrap_or(0);
        let (lo, hi) = extent(&lists[largest]);
        let size = (hi - lo).to_array();
        let axis = (0..3).max_by(|x, y| size[*x].total_cmp(&size[*y])).unwrap_or(0);
        let at = 0.5 * (lo.to_array()[axis] + hi.to_array()[axis]);
        let faces = lists.swap_remove(largest);
        let (low, high): (Vec<u32>, Vec<u32>) =
            faces.into_iter().partition(|face| middle(face).to_array()[axis] <= at);
        if low.is_empty() || high.is_empty() {
            lists.push([low, high].concat());
            break;
        }
        lists.extend([low, high]);
    }
    lists
}

/// A mesh of some faces of another one.
fn part_of(mesh: &Mesh, faces: &[u32]) -> Option<Mesh> {
    let mut used: Vec<u32> = faces.iter().flat_map(|face| mesh.faces()[*face as usize]).collect();
    used.sort_unstable();
    used.dedup();
    let number = |vertex: u32| used.binary_search(&vertex).map_or(0, |at| at as u32);
    let vertices = used.iter().map(|v| mesh.vertices()[*v as usize]).collect();
    Mesh::new(vertices, faces.iter().map(|face| mesh.faces()[*face as usize].map(number)).collect()).ok()
}

fn pieces(part: &LinkShape) -> Option<Vec<Piece>> {
    let whole = || {
        let shape = Prepared::new(part.shape.clone());
        Some(vec![Piece { ball: ball(&hull_points(part)?)?, link_from_shape: part.link_from_shape, shape }])
    };
    let Shape::Mesh(mesh) = &part.shape else { return whole() };
    let lists = cut(mesh, MOST_PIECES);
    let piece = |faces: &Vec<u32>| {
        let mesh = part_of(mesh, faces)?;
        let points: Vec<Vec3> =
            mesh.vertices().iter().map(|v| part.link_from_shape.transform_point(*v)).collect();
        // A part of a surface has no inside of its own.
        let shape = Prepared::new(Shape::Mesh(Arc::new(mesh))).as_sheet();
        Some(Piece { ball: ball(&points)?, link_from_shape: part.link_from_shape, shape })
    };
    lists.iter().map(piece).collect::<Option<Vec<Piece>>>().or_else(whole)
}

impl LinkBody {
    /// `None` for a link without shapes, or with one that has no end. Of a declared sheet only the surface counts.
    pub(super) fn of(link: &Link, is_sheet: bool) -> Option<LinkBody> {
        let points = link.collision.iter().map(hull_points).collect::<Option<Vec<_>>>()?.concat();
        let ball = ball(&points)?;
        let pieces = link.collision.iter().map(pieces).collect::<Option<Vec<_>>>()?;
        let prepared = |part: &LinkShape| {
            let shape = Prepared::new(part.shape.clone());
            (part.link_from_shape, if is_sheet { shape.as_sheet() } else { shape })
        };
        let shapes: Vec<(Pose, Prepared)> = link.collision.iter().map(prepared).collect();
        let whole = Prepared::of_parts(&shapes)?;
        Some(LinkBody { shapes, whole, pieces: pieces.into_iter().flatten().collect(), ball })
    }

    fn pairs<'p>(
        &'p self,
        other: &'p LinkBody,
        a_from_b: &'p Pose,
    ) -> impl Iterator<Item = (&'p Prepared, &'p Prepared, Pose)> {
        self.shapes.iter().flat_map(move |(a_from_shape, a)| {
            let shape_from_a = a_from_shape.inverse();
            let pair = move |(b_from_shape, b): &'p (Pose, Prepared)| {
                (a, b, shape_from_a * *a_from_b * *b_from_shape)
            };
            other.shapes.iter().map(pair)
        })
    }

    /// The distance to another link, 0 if they touch; at least right from below.
    pub(super) fn distance(&self, other: &LinkBody, a_from_b: &Pose) -> f64 {
        // What cannot be asked may be anything.
        let gap = |(a, b, pose): (&Prepared, &Prepared, Pose)| {
            distance(a, b, &pose).map_or(0.0, |found| found.distance)
        };
        self.pairs(other, a_from_b).map(gap).fold(f64::INFINITY, f64::min).max(0.0)
    }

    /// How many pairs there are with another link of which one may hold the other: of shapes, and that of both links as a whole.
    pub(super) fn count_pairs(&self, other: &LinkBody) -> usize {
        self.shapes.len() * other.shapes.len() + 1
    }

    /// True if there are places of which it is unknown whether they are inside.
    pub(super) fn is_doubtful(&self) -> bool {
        self.whole.is_doubtful()
    }

    /// Whether the links touch. Takes the pairs that are separate, containment included, out of `open`, which has an entry for
    /// each pair of shapes and one for the links as a whole, or none.
    pub(super) fn touch(&self, other: &LinkBody, a_from_b: &Pose, open: &mut [bool]) -> Touch {
        let mut is_unknown = false;
        for (a, b, pose) in self.pairs(other, a_from_b) {
            match intersects(a, b, &pose) {
                Ok(true) => return Touch::Yes,
                Ok(false) => {}
                // What cannot be asked may be anything.
                Err(_) => is_unknown = true,
            }
        }
        let wholes = (&self.whole, &other.whole, *a_from_b);
        for ((a, b, pose), is_open) in self.pairs(other, a_from_b).chain([wholes]).zip(open) {
            let is_known = !(a.is_doubtful() || b.is_doubtful())
                || intersect(a, b, &pose).is_ok_and(|found| found.relation == Relation::Separate);
            is_unknown |= !is_known;
            *is_open &= !is_known;
        }
        if is_unknown { Touch::Unknown } else { Touch::No }
    }

    /// The radius of a ball about a point, in the frame of the link, that is all inside; 0 if the point is not. The largest one, or for shapes that are no meshes the largest of some radii.
    pub(super) fn depth(&self, point: Vec3, radii: &[f64], workspace: &mut MeshWorkspace) -> f64 {
        let mut deepest = 0.0_f64;
        // Nothing is inside of a sheet.
        for (link_from_shape, shape) in self.shapes.iter().filter(|(_, shape)| !shape.is_sheet()) {
            let at = link_from_shape.inverse().transform_point(point);
            let depth = match shape.mesh_tree().filter(|_| matches!(shape.shape(), Shape::Mesh(_))) {
                Some(tree) => depth_in_mesh(tree, at, workspace),
                None => radii
                    .iter()
                    .copied()
                    .take_while(|radius| holds_ball(shape, at, *radius))
                    .fold(0.0, f64::max),
            };
            deepest = deepest.max(depth);
        }
        deepest
    }
}

fn depth_in_mesh(tree: &MeshTree, point: Vec3, workspace: &mut MeshWorkspace) -> f64 {
    if locate(tree, point, workspace) != PointPlace::Inside {
        return 0.0;
    }
    let found = closest_point(tree, point, workspace);
    found.map_or(0.0, |found| {
        (found.distance - rounding::coordinate(point.length() + found.distance)).max(0.0)
    })
}

fn holds_ball(shape: &Prepared, center: Vec3, radius: f64) -> bool {
    let Ok(sphere) = Sphere::new(radius) else { return false };
    let found = intersect(shape, &Prepared::new(Shape::Sphere(sphere)), &Pose::from_translation(center));
    found.is_ok_and(|found| found.relation == Relation::BInsideA && !found.a_is_open)
}
