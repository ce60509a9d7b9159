//! Where a point lies: inside, outside or on a closed surface; and the point of a surface next to it.

use super::MeshTree;
use super::boxes::{Bounds, all_separations, squared_distances};
use super::node::WIDTH;
use super::shells::{Crossing, CrossingShell, Doubt, sense};
use super::void::is_in_void;
use super::walk::ROOTS;
use super::workspace::{Candidate, MeshWorkspace, Pair};
use crate::elementary::point_triangle;
use crate::ray::{Ray, ray_mesh_any};
use freiraum_geometry::math::Vec2;
use freiraum_geometry::math::predicates::{side_of_line, side_of_plane};
use freiraum_geometry::mesh::SolidityFault;
use freiraum_geometry::shape::Convex;
use freiraum_geometry::tolerance::CRACK_RELATIVE;
use freiraum_geometry::{Aabb, Vec3};
use std::cmp::{Ordering, Reverse};

/// Where a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointPlace {
    /// Strictly inside the solid.
    Inside,
    /// Neither inside nor on the surface: proven.
    Outside,
    /// On a face.
    OnSurface,
    /// Not on the surface, and the surface does not tell whether inside or outside: it is open there, or doubled, or crosses itself.
    Unknown,
}

/// A point of a surface next to a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The point, in the frame of the mesh.
    pub point: Vec3,
    /// Its distance from the given one in metres.
    pub distance: f64,
    /// The face it lies on.
    pub face: u32,
}

/// Where a point lies, seen from the solids that a mesh bounds.
///
/// Inside is where the sound shells of the mesh wind round the point ([`MeshTree::solidity`]): overlapping shells are united, cavities
/// with faces turned into them are outside. What bounds no solid leaves the points in its convex hull unknown, as far as they
/// are not inside of a sound shell; a shell that may be a cavity leaves them unknown there, too. So does a
/// place that the surface encloses without winding round it, unless a free ray was found, or six lines of
/// sight
/// show a void and no shell around it goes through itself. **Frames.** The frame of the mesh. **Guarantee.** Exact for the
/// coordinates given, whatever edges and corners the point is in line with; where cracks were closed, for the surface so closed.
/// **Degenerate input.** A point that is not finite is outside. **Cost.** O(log n) for most meshes; the first call judges
/// the mesh, O(n log n).
pub fn locate(tree: &MeshTree, point: Vec3, workspace: &mut MeshWorkspace) -> PointPlace {
    if !point.is_finite() {
        return PointPlace::Outside;
    }
    let Some(all) = crossings(tree, point, workspace) else { return PointPlace::OnSurface };
    let winding = match tree.sound() {
        Some(sound) if std::ptr::eq(sound, tree) => all.winding,
        Some(sound) => match crossings(sound, point, workspace) {
            Some(met) => met.winding,
            None => return PointPlace::OnSurface,
        },
        None => 0,
    };
    let is_in = |bounds: &Aabb, hull: &Option<Convex>| {
        bounds.contains(point) && hull.as_ref().is_some_and(|hull| hull.contains(point))
    };
    let mut around = tree.solidity().pieces().iter().filter(|piece| is_in(&piece.bounds, &piece.hull));
    if winding != 0 {
        // A shell of unknown sense may be a cavity.
        let is_doubtful = around.any(|piece| piece.fault == SolidityFault::Winding);
        return if is_doubtful { PointPlace::Unknown } else { PointPlace::Inside };
    }
    if around.next().is_some() {
        return PointPlace::Unknown;
    }
    // Enclosed without being wound round: outside, unless contributions of opposite sign may have cancelled.
    let Some(sound) = tree.sound().filter(|_| all.count > 0 && is_in_box(tree, point)) else {
        return PointPlace::Outside;
    };
    let Crossing { bounds, doubtful } = tree.crossing();
    let around = bounds.iter().filter(|bounds| bounds.contains(point));
    let Some(smallest) = around.map(|bounds| bounds.size().length()).reduce(f64::min) else {
        return PointPlace::Outside;
    };
    // What faces that go through each other enclose looks like a void.
    let crosses = |shell: &CrossingShell| shell.doubt == Doubt::Crosses && is_in(&shell.bounds, &shell.hull);
    let is_void = !doubtful.iter().any(crosses)
        && is_in_void([tree, sound], sense(tree.solidity()), point, CRACK_RELATIVE * smallest, workspace);
    if is_void || sees_out(tree, point) { PointPlace::Outside } else { PointPlace::Unknown }
}

/// True if the point is in the box of the mesh, or no farther outside than rounding. What is not, is not enclosed.
fn is_in_box(tree: &MeshTree, point: Vec3) -> bool {
    let (p, root) = (Bounds::of_point(tree.grid.tree_from_mesh(point)), &tree.nodes[0]);
    let lanes = 0..usize::from(root.len);
    (0..3).all(|axis| {
        let low = lanes.clone().map(|lane| root.min[axis][lane]).fold(f32::INFINITY, f32::min);
        let high = lanes.clone().map(|lane| root.max[axis][lane]).fold(f32::NEG_INFINITY, f32::max);
        low <= p.max[axis] && p.min[axis] <= high
    })
}

/// True if one of some rays from the point meets no face, so that it is outside whatever the winding.
fn sees_out(tree: &MeshTree, point: Vec3) -> bool {
    (0..27).filter(|code| *code != 13).any(|code| {
        let step = |k: i32| f64::from(code / k % 3 - 1);
        let ray = Ray::new(point, Vec3::new(step(1), step(3), step(9)), f64::INFINITY);
        ray.is_ok_and(|ray| !ray_mesh_any(tree, &ray))
    })
}

/// How often a ray crosses the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crossings {
    /// Out of the surface less into it.
    pub(super) winding: i32,
    count: u32,
}

/// The crossings of the ray along x; `None` if the point lies on a face.
///
/// The ray is thought to be moved by an infinitely small step along y and an infinitely smaller one along z, so that
/// it meets neither edges nor corners nor faces along it.
pub(super) fn crossings(tree: &MeshTree, p: Vec3, workspace: &mut MeshWorkspace) -> Option<Crossings> {
    let mut bounds = Bounds::of_point(tree.grid.tree_from_mesh(p));
    bounds.max[0] = f32::INFINITY;
    let mut total = Crossings { winding: 0, count: 0 };
    let stack = &mut workspace.children;
    stack.clear();
    stack.push(0);
    while let Some(index) = stack.pop() {
        let node = &tree.nodes[index as usize];
        let gaps = all_separations(node, &bounds);
        for (lane, gap) in gaps.iter().enumerate().take(usize::from(node.len)) {
            if *gap > 0.0 {
                continue;
            }
            let (child, count) = (node.child[lane], usize::from(node.count[lane]));
            if count == 0 {
                stack.push(child);
                continue;
            }
            for t in &tree.triangles[child as usize..child as usize + count] {
                let sign = crossing(t, p)?;
                total.winding += sign;
                total.count += sign.unsigned_abs();
            }
        }
    }
    Some(total)
}

/// 1 if the ray along x from `p` leaves through the triangle, -1 if it enters, 0 if it misses; `None` if p lies on it.
pub(super) fn crossing(t: &[Vec3; 3], p: Vec3) -> Option<i32> {
    let view = |q: Vec3| Vec2::new(q.y, q.z);
    let (low, high) = (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]));
    if p.x > high.x || p.y < low.y || p.y > high.y || p.z < low.z || p.z > high.z {
        return Some(0);
    }
    if p.x >= low.x && is_on_triangle(t, p) {
        return None;
    }
    let mut turns = [0i32; 3];
    for k in 0..3 {
        let (from, to) = (view(t[k]), view(t[(k + 1) % 3]));
        turns[k] = match side_of_line(from, to, view(p)) {
            Ordering::Greater => 1,
            Ordering::Less => -1,
            // The derivative along y, then along z, of (to - from) x (p - from).
            Ordering::Equal if to.y != from.y => {
                if from.y > to.y {
                    1
                } else {
                    -1
                }
            }
            Ordering::Equal if to.x != from.x => {
                if to.x > from.x {
                    1
                } else {
                    -1
                }
            }
            Ordering::Equal => 0,
        };
    }
    let turn = turns[0];
    if turn == 0 || turns != [turn; 3] {
        return Some(0);
    }
    // Seen along -x, which is from the far side of the ray, the triangle turns with the sign of its normal's x.
    let side = side_of_plane(t[0], t[1], t[2], p) as i32;
    // A normal along x with the point below: the ray leaves. Not in the plane, as p is not on the triangle.
    Some(if side == -turn { turn } else { 0 })
}

/// True if the point lies on the closed triangle, exactly.
fn is_on_triangle(t: &[Vec3; 3], p: Vec3) -> bool {
    if side_of_plane(t[0], t[1], t[2], p).is_ne() {
        return false;
    }
    let views: [fn(Vec3) -> Vec2; 3] =
        [|p| Vec2::new(p.x, p.y), |p| Vec2::new(p.y, p.z), |p| Vec2::new(p.z, p.x)];
    let mut has_area = false;
    for view in views {
        let [a, b, c] = t.map(view);
        let q = view(p);
        let turn = side_of_line(a, b, c);
        if turn.is_eq() {
            continue;
        }
        has_area = true;
        let sides = [side_of_line(a, b, q), side_of_line(b, c, q), side_of_line(c, a, q)];
        if sides.iter().any(|s| s.is_ne() && *s != turn) {
            return false;
        }
    }
    if has_area {
        return true;
    }
    // Without area: on one of the edges, that is in line with it and in its box.
    (0..3).any(|k| {
        let (a, b) = (t[k], t[(k + 1) % 3]);
        let in_line = views.iter().all(|view| side_of_line(view(a), view(b), view(p)).is_eq());
        in_line && a.min(b).cmple(p).all() && p.cmple(a.max(b)).all()
    })
}

/// The point of the surface next to `point`.
///
/// **Frames.** The frame of the mesh. **Guarantee.** The distance is off by a few units of rounding of the largest
/// coordinate involved. `None` only for a point that is not finite. **Cost.** O(log n) for most meshes and points not much
/// farther away than the mesh is large.
pub fn closest_point(tree: &MeshTree, point: Vec3, workspace: &mut MeshWorkspace) -> Option<SurfacePoint> {
    if !point.is_finite() {
        return None;
    }
    let p = tree.grid.tree_from_mesh(point);
    let narrow = p.as_vec3().to_array();
    // The point is rounded by half a unit, each coordinate of a gap by another, and its square by four.
    let slack = 4.0 * f32::EPSILON * (2.0 + p.as_vec3().abs().max_element());
    let mut best = SurfacePoint { point, distance: f64::INFINITY, face: 0 };
    let mut limit = f32::INFINITY;
    let heap = &mut workspace.heap;
    heap.clear();
    // One tree only: the second half of the pairs stays 0.
    heap.push(Reverse(Candidate::new(0.0, ROOTS)));
    while let Some(Reverse(candidate)) = heap.pop() {
        if candidate.gap() > limit {
            break;
        }
        if let Some(leaf) = tree.leaf(candidate.pair.a) {
            for k in leaf {
                let nearest = point_triangle(point, tree.triangles[k]);
                let distance = nearest.distance();
                if distance < best.distance {
                    best = SurfacePoint { point: nearest.point_on_b, distance, face: tree.faces[k] };
                    let reach = ((distance * tree.grid.scale) as f32).next_up() + slack;
                    limit = reach * reach * (1.0 + 8.0 * f32::EPSILON);
                }
            }
            continue;
        }
        let index = tree.open(candidate.pair.a);
        let node = &tree.nodes[index];
        let squares = squared_distances(node, narrow);
        for (a, square) in ((index * WIDTH) as u32..).zip(&squares[..usize::from(node.len)]) {
            if !(*square > limit) {
                heap.push(Reverse(Candidate::new(*square, Pair { a, b: 0 })));
            }
        }
    }
    Some(best)
}
