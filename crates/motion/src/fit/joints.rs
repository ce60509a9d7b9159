//! Bodies of parts that touch: where each part alone loses its surface, the joint between them opens.
//!
//! Shapes of a compound and shells of a mesh that touch or overlap are one solid, and the faces between them are no surface of it. Made
//! smaller one by one they would leave a slit, twice the depth wide, through which a blade could pass. Such a body therefore
//! stays as it is, and the other one gives way for both.

use super::error::ShrinkError;
use crate::movable::Movable;
use freiraum_geometry::mesh::weld;
use freiraum_geometry::tolerance::WELD_RELATIVE;
use freiraum_geometry::{AxisBox, Mesh, Pose};
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
/// Both by half of it; a body with an open surface cannot, nor one with a [joint](Movable::joint), and the other then does so for both.
/// Two open surfaces stay as they are. `is_resting` says that the allowance is the [resting](super::resting_allowance) one: then bodies
/// that both have joints are made smaller all the same, and their joints open by some billionths.
/// **Errors.** [`ShrinkError::Joints`] if a body with joints would have to give way to more than that. **Cost.** That of [`Movable::joint`].
pub fn shares(bodies: [&Movable; 2], allowance: f64, is_resting: bool) -> Result<[f64; 2], ShrinkError> {
    let is_open = bodies.map(|body| body.prepared().has_open_surface());
    let joints = [0, 1].map(|k| if is_open[k] || allowance == 0.0 { None } else { bodies[k].joint() });
    match [0, 1].map(|k| !is_open[k] && joints[k].is_none()) {
        [true, true] => return Ok([0.5, 0.5]),
        [true, false] => return Ok([1.0, 0.0]),
        [false, true] => return Ok([0.0, 1.0]),
        [false, false] => {}
    }
    match joints {
        [None, None] => Ok([0.0, 0.0]),
        _ if is_resting => Ok(match is_open {
            [false, true] => [1.0, 0.0],
            [true, false] => [0.0, 1.0],
            _ => [0.5, 0.5],
        }),
        [Some(joint), other] | [other, Some(joint)] => Err(ShrinkError::Joints { allowance, joint, other }),
    }
}

impl Movable {
    /// Two parts of the body that touch or overlap, if it has such: shapes of a compound, or shells of a mesh. Nearer than a millionth of
    /// the size of the body counts as touching, as files round. A part inside of another one is joined to it, a cavity in a mesh is not.
    ///
    /// **Cost.** O(n log n) for meshes, and the distances of parts whose boxes touch; the first time only.
    pub fn joint(&self) -> Option<Joint> {
        *self.known_joint().get_or_init(|| find(self.prepared()))
    }
}

fn find(body: &Prepared) -> Option<Joint> {
    let mut parts = Vec::new();
    flatten(body, &Pose::IDENTITY, &mut parts);
    let near = body.bounds().map_or(0.0, |bounds| near(&bounds));
    let touch = |i: usize, k: usize| {
        let i_from_k = parts[i].0.inverse() * parts[k].0;
        // What has no distance is taken to touch.
        freiraum_query::distance(parts[i].1, parts[k].1, &i_from_k)
            .map_or(true, |found| found.distance <= near)
    };
    let boxes: Vec<Option<AxisBox>> =
        parts.iter().map(|(pose, part)| part.bounds().map(|bounds| placed(&bounds, pose))).collect();
    if let Some(parts) = first_touching(&boxes, near, touch) {
        return Some(Joint { kind: "parts", parts });
    }
    parts.iter().find_map(|(_, part)| part.mesh_tree().and_then(|tree| joint_of_shells(tree)))
}

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

fn placed(bounds: &AxisBox, pose: &Pose) -> AxisBox {
    let matrix = pose.rotation_matrix();
    let half = 0.5 * bounds.size();
    let half = matrix.x_axis.abs() * half.x + matrix.y_axis.abs() * half.y + matrix.z_axis.abs() * half.z;
    let middle = pose.transform_point(bounds.center());
    AxisBox { min: middle - half, max: middle + half }
}

/// Parts that are nearer than this touch, in metres.
fn near(bounds: &AxisBox) -> f64 {
    WELD_RELATIVE * bounds.size().length()
}

/// The first two that touch, of those whose boxes are near each other; what has no box is endless.
fn first_touching(
    boxes: &[Option<AxisBox>],
    near: f64,
    touch: impl Fn(usize, usize) -> bool,
) -> Option<[usize; 2]> {
    let is_near = |a: &Option<AxisBox>, b: &Option<AxisBox>| match (a, b) {
        (Some(a), Some(b)) => {
            (a.min - 2.0 * near).cmple(b.max).all() && (b.min - 2.0 * near).cmple(a.max).all()
        }
        _ => true,
    };
    let first = |b: &Option<AxisBox>| b.map_or(f64::NEG_INFINITY, |b| b.min.x);
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|i, k| first(&boxes[*i]).total_cmp(&first(&boxes[*k])));
    for (at, &i) in order.iter().enumerate() {
        for &k in &order[at + 1..] {
            // The rest begins behind the end of this one.
            if boxes[i].is_some_and(|b| first(&boxes[k]) > b.max.x + 2.0 * near) {
                break;
            }
            if is_near(&boxes[i], &boxes[k]) && touch(i.min(k), i.max(k)) {
                return Some([i.min(k), i.max(k)]);
            }
        }
    }
    None
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
    let boxes: Vec<Option<AxisBox>> = (0..count).map(|k| Some(AxisBox::of_points(corners(k)))).collect();
    let near = near(&mesh.axis_box());
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
    let touch = |i: usize, k: usize| {
        let (Some(a), Some(b)) = (surface(i), surface(k)) else { return true };
        let (memory, cache) = (&mut MeshWorkspace::default(), &mut MeshDistanceCache::default());
        surface_distance(&a, &b, &Pose::IDENTITY, memory, cache).closest.distance <= near
    };
    first_touching(&boxes, near, touch).map(|parts| Joint { kind: "shells", parts })
}

/// The shell of every face, counted by their first faces, and how many there are. Faces are of one shell if they are connected through edges that
/// have exactly two faces; a face with a corner twice is of none.
fn shells(mesh: &Mesh) -> (Vec<Option<usize>>, usize) {
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
    let mut parent: Vec<u32> = (0..mesh.faces().len() as u32).collect();
    for uses in edges.chunk_by(|e, f| (e.0, e.1) == (f.0, f.1)) {
        if let [e, f] = uses {
            let (i, k) = (root(&mut parent, e.2), root(&mut parent, f.2));
            parent[i.max(k) as usize] = i.min(k);
        }
    }
    let mut number = vec![usize::MAX; parent.len()];
    let mut count = 0;
    let shell_of = (0u32..).zip(mesh.faces()).map(|(i, face)| {
        if !is_whole(face) {
            return None;
        }
        let first = root(&mut parent, i) as usize;
        if number[first] == usize::MAX {
            number[first] = count;
            count += 1;
        }
        Some(number[first])
    });
    (shell_of.collect(), count)
}

fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}
