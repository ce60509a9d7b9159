//! Bodies of parts that touch: where each part alone loses its surface, the joint between them opens.
//!
//! Shapes of a compound and shells of a mesh that touch or overlap are one solid, and the faces between them are no surface of it. Made
//! smaller one by one they would leave a slit, twice the depth wide, through which a blade could pass. Such a body therefore
//! stays as it is, and the other one gives way for both.

use super::error::ShrinkError;
use crate::movable::Movable;
use freiraum_geometry::math::UnionFind;
use freiraum_geometry::mesh::weld;
use freiraum_geometry::tolerance::WELD_RELATIVE;
use freiraum_geometry::{Aabb, Mesh, Pose, Shape};
use freiraum_query::Prepared;
use freiraum_query::mesh_tree::{MeshDistanceCache, MeshTree, MeshWorkspace, surface_distance};

/// Two parts of a body that touch or overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    /// `parts` of a compound or `shells` of a mesh.
    pub kind: &'static str,
    /// Their numbers: parts of compounds are counted depth first, shells of meshes by their first faces.
    pub parts: [usize; 2],
}

/// Which share of an allowance each of two bodies gives way by.
///
/// Both by half of it; a body that is not eroded (open, cracked, a height field, crossing itself) does not,
/// nor
/// one with a [joint](Movable::joint) that would open, and the other then does so for both. Two open surfaces
/// stay as they are. `is_resting`
/// says that the allowance is that of [resting contact](super::resting). Then two solids that both have
/// joints are made smaller all the same,
/// and their joints open by some billionths, through which nothing goes that has a thickness. A surface
/// without thickness would: next to one
/// a body with joints stays as it is, too.
/// **Errors.** [`ShrinkError::Joints`] if a body with joints would have to give way to more than that. **Cost.** That of [`Movable::joint`].
pub fn shares(bodies: [&Movable; 2], allowance: f64, is_resting: bool) -> Result<[f64; 2], ShrinkError> {
    if allowance == 0.0 {
        return Ok([0.0, 0.0]);
    }
    let is_open = bodies.map(|body| stays(body.prepared()));
    // What gives way for both loses twice as much, and opens earlier.
    let joint = |k: usize, share: f64| bodies[k].joint(share * allowance);
    let (gives_way, joints) = match is_open {
        [true, true] => return Ok([0.0, 0.0]),
        [true, false] if is_resting && joint(1, 1.0).is_some() => return Ok([0.0, 0.0]),
        [false, true] if is_resting && joint(0, 1.0).is_some() => return Ok([0.0, 0.0]),
        [true, false] => ([0.0, 1.0], [None, joint(1, 1.0)]),
        [false, true] => ([1.0, 0.0], [joint(0, 1.0), None]),
        [false, false] => match [joint(0, 0.5), joint(1, 0.5)] {
            [Some(first), None] => ([0.0, 1.0], [joint(1, 1.0).map(|_| first), joint(1, 1.0)]),
            [None, Some(second)] => ([1.0, 0.0], [joint(0, 1.0), joint(0, 1.0).map(|_| second)]),
            both => ([0.5, 0.5], both),
        },
    };
    match joints {
        [None, None] => Ok(gives_way),
        _ if is_resting => Ok(gives_way),
        [Some(joint), other] | [other, Some(joint)] => Err(ShrinkError::Joints { allowance, joint, other }),
    }
}

/// True if a body is not eroded: it has an open surface, is a height field, crosses itself so that inside and outside cannot be told, which would
/// be forgotten with the crossing, has cracks, whose two sides would move apart, or has faces that are turned
/// round beside others that are left
/// out.
fn stays(body: &Prepared) -> bool {
    let is_mixed = |tree: &MeshTree| {
        let solidity = tree.solidity();
        let is_turned = solidity.turned_shells() + solidity.turned_faces() > 0;
        solidity.closed_gap() > 0.0 || (is_turned && !solidity.is_only_turned())
    };
    body.has_open_surface()
        || body.has_height_field()
        || body.crosses_itself()
        || body.solid_meshes().iter().any(|(_, tree)| is_mixed(tree))
}

impl Movable {
    /// Two parts of the body that touch or overlap so that a slit opens between them when both are made smaller by `depth` metres, if it has
    /// such: shapes of a compound, or shells of a mesh. Nearer than a millionth of the size of the body counts as touching, as
    /// files round. Parallel boxes that overlap by twice the depth stay together, those with an edge in common and nothing else near it never were; of all other
    /// shapes those that touch are taken to open. A cavity in a mesh is not joined to it.
    ///
    /// **Cost.** O(n log n) for meshes, and the distances of parts whose boxes touch; the first time only.
    pub fn joint(&self, depth: f64) -> Option<Joint> {
        let known = self.known_joints().get_or_init(|| find(self.prepared()).into());
        known.iter().find(|bond| bond.opens(2.0 * depth)).map(|bond| bond.joint)
    }
}

/// Parts that touch, and what becomes of that when they are made smaller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bond {
    joint: Joint,
    /// By so much together, and they still overlap.
    holds: f64,
    /// Above the first and up to the second, and nothing deep was lost between them.
    is_none: [f64; 2],
}

impl Bond {
    fn opens(&self, lost: f64) -> bool {
        self.holds < lost && !(self.is_none[0] < lost && lost <= self.is_none[1])
    }
}

fn find(body: &Prepared) -> Vec<Bond> {
    let mut parts = Vec::new();
    flatten(body, &Pose::IDENTITY, &mut parts);
    let near = body.bounds().map_or(0.0, |bounds| near(&bounds));
    let boxes: Vec<Option<Aabb>> =
        parts.iter().map(|(pose, part)| part.bounds().map(|bounds| bounds.transformed(pose))).collect();
    let mut bonds = Vec::new();
    each_near(&boxes, near, |i, k| {
        let i_from_k = parts[i].0.inverse() * parts[k].0;
        // What has no distance is taken to touch.
        let distance = freiraum_query::distance(parts[i].1, parts[k].1, &i_from_k);
        if distance.map_or(true, |found| found.distance <= near) {
            let joint = Joint { kind: "parts", parts: [i, k] };
            let always = Bond { joint, holds: f64::NEG_INFINITY, is_none: [f64::INFINITY; 2] };
            let overlap = overlap(parts[i].1.shape(), parts[k].1.shape(), &i_from_k);
            bonds.push(overlap.map_or(always, |overlap| {
                // Also where they are slightly apart, and there is no overlap.
                let between = Aabb::of_points([&overlap.min, &overlap.max]).transformed(&parts[i].0);
                let others = boxes.iter().enumerate().filter(|(other, _)| *other != i && *other != k);
                let gap = others.map(|(_, other)| other.map_or(0.0, |other| between.gap(&other)));
                let mut sides = overlap.size().to_array();
                sides.sort_by(f64::total_cmp);
                Bond {
                    holds: sides[0],
                    is_none: [sides[1], 0.5 * gap.fold(f64::INFINITY, f64::min)],
                    ..always
                }
            }));
        }
        false
    });
    let shells = parts.iter().filter_map(|(_, part)| part.mesh_tree().and_then(|tree| joint_of_shells(tree)));
    bonds.extend(shells.map(|joint| Bond { joint, holds: f64::NEG_INFINITY, is_none: [f64::INFINITY; 2] }));
    bonds
}

/// Where parallel boxes overlap, in the frame of the first, with negative sides where they are apart; `None` for all else.
///
/// A slit opens where they overlap by less than what they lose together in one direction: a cube of that size around any deep point is covered
/// by the boxes, and where all overlap by more, the one that reaches farthest holds all of it. Where they overlap by less in two directions, no ball whose
/// radius is that loss fits between them, if no third part fills the corners: none within twice the loss of where they overlap.
fn overlap(a: &Shape, b: &Shape, a_from_b: &Pose) -> Option<Aabb> {
    let (Shape::Cuboid(a), Shape::Cuboid(b)) = (a, b) else { return None };
    let turn = a_from_b.rotation_matrix().to_cols_array();
    let is_straight = |x: f64| x.abs() <= STRAIGHT || (x.abs() - 1.0).abs() <= STRAIGHT;
    if !turn.into_iter().all(is_straight) {
        return None;
    }
    let (a, b) = (a.aabb(), b.aabb().transformed(a_from_b));
    Some(Aabb { min: a.min.max(b.min), max: a.max.min(b.max) })
}

/// Rounding of a rotation by right angles.
const STRAIGHT: f64 = 64.0 * f64::EPSILON;

/// The leaves of a compound, depth first, with their poses in its frame.
fn flatten<'p>(body: &'p Prepared, pose: &Pose, out: &mut Vec<(Pose, &'p Prepared)>) {
    let before = out.len();
    for (body_from_part, part) in body.parts() {
        flatten(part, &(*pose * *body_from_part), out);
    }
    if out.len() == before {
        out.push((*pose, body));
    }
}

/// Parts that are nearer than this touch, in metres.
fn near(bounds: &Aabb) -> f64 {
    WELD_RELATIVE * bounds.size().length()
}

/// Hands out pairs of boxes that are near each other, the smaller number first, until `see` says that it has seen enough; what has no box
/// is endless.
fn each_near(boxes: &[Option<Aabb>], near: f64, mut see: impl FnMut(usize, usize) -> bool) {
    let is_near = |a: &Option<Aabb>, b: &Option<Aabb>| match (a, b) {
        (Some(a), Some(b)) => {
            (a.min - 2.0 * near).cmple(b.max).all() && (b.min - 2.0 * near).cmple(a.max).all()
        }
        _ => true,
    };
    let first = |b: &Option<Aabb>| b.map_or(f64::NEG_INFINITY, |b| b.min.x);
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|i, k| first(&boxes[*i]).total_cmp(&first(&boxes[*k])));
    for (at, &i) in order.iter().enumerate() {
        for &k in &order[at + 1..] {
            // The rest begins behind the end of this one.
            if boxes[i].is_some_and(|b| first(&boxes[k]) > b.max.x + 2.0 * near) {
                break;
            }
            if is_near(&boxes[i], &boxes[k]) && see(i.min(k), i.max(k)) {
                return;
            }
        }
    }
}

/// Two shells of a mesh that touch.
fn joint_of_shells(tree: &MeshTree) -> Option<Joint> {
    let mesh = tree.mesh();
    let (shell_of, count) = shells(mesh);
    if count < 2 {
        return None;
    }
    let mut faces = vec![Vec::new(); count];
    for (face, shell) in mesh.faces().iter().zip(shell_of) {
        if let Some(shell) = shell {
            faces[shell].push(*face);
        }
    }
    let corners = |k: usize| faces[k].iter().flatten().map(|i| &mesh.vertices()[*i as usize]);
    let boxes: Vec<Option<Aabb>> = (0..count).map(|k| Some(Aabb::of_points(corners(k)))).collect();
    let near = near(&mesh.aabb());
    let surface = |k: usize| {
        let mut corners = Vec::with_capacity(3 * faces[k].len());
        let mut triangles = Vec::with_capacity(faces[k].len());
        for face in &faces[k] {
            let first = corners.len() as u32;
            corners.extend(face.map(|i| mesh.vertices()[i as usize]));
            triangles.push([first, first + 1, first + 2]);
        }
        Mesh::new(corners, triangles).ok().map(MeshTree::build)
    };
    let mut found = None;
    each_near(&boxes, near, |i, k| {
        let (Some(a), Some(b)) = (surface(i), surface(k)) else { return false };
        let (memory, cache) = (&mut MeshWorkspace::default(), &mut MeshDistanceCache::default());
        let distance = surface_distance(&a, &b, &Pose::IDENTITY, memory, cache).closest.distance;
        if distance <= near {
            found = Some(Joint { kind: "shells", parts: [i, k] });
        }
        found.is_some()
    });
    found
}

/// The shell of every face, counted by their first faces, and how many there are. Faces are of one shell if they are connected through edges that
/// have exactly two faces; a face with a corner twice is of none.
pub(super) fn shells(mesh: &Mesh) -> (Vec<Option<usize>>, usize) {
    let welded = weld::exact(mesh.vertices(), |_| true);
    let is_whole = |face: &[u32; 3]| {
        let [a, b, c] = face.map(|v| welded[v as usize]);
        a != b && b != c && c != a
    };
    let mut edges = Vec::with_capacity(3 * mesh.faces().len());
    for (i, face) in (0u32..).zip(mesh.faces()).filter(|(_, face)| is_whole(face)) {
        let [a, b, c] = face.map(|v| welded[v as usize]);
        edges.extend([(a, b), (b, c), (c, a)].map(|(v, w)| (v.min(w), v.max(w), i)));
    }
    edges.sort_unstable();
    let mut sets = UnionFind::new(mesh.faces().len());
    for uses in edges.chunk_by(|e, f| (e.0, e.1) == (f.0, f.1)) {
        if let [e, f] = uses {
            sets.join(e.2, f.2);
        }
    }
    let (labels, count) = sets.labels(|i| is_whole(&mesh.faces()[i]));
    (labels.into_iter().map(|label| (label != u32::MAX).then_some(label as usize)).collect(), count as usize)
}
