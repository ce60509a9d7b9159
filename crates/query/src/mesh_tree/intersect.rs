//! The faces of two meshes that have points in common.

use super::MeshTree;
use super::placement::Placement;
use super::walk::{ROOTS, open, slack};
use super::workspace::MeshWorkspace;
use crate::elementary::triangles_intersect;
use freiraum_geometry::math::rounding;
use freiraum_geometry::{Pose, Vec3};
use std::ops::ControlFlow;

/// A face of mesh a and a face of mesh b that have a point in common, or `None` if the surfaces are apart.
///
/// This is about surfaces: of a mesh inside a closed one no faces meet; see `relation` for solids.
/// **Guarantee.** Exact, touching included, for the vertices of b rounded into the frame of a; so a yes or no is
/// right for bodies whose clearance exceeds `rounding::coordinate` of the largest coordinate involved. The same input
/// gives the same pair. **Cost.** Microseconds, growing with the logarithm of the sizes where the surfaces are
/// apart or touch at few places; no allocation once the workspace has grown.
pub fn any_intersection(
    a: &MeshTree,
    b: &MeshTree,
    a_from_b: &Pose,
    workspace: &mut MeshWorkspace,
) -> Option<[u32; 2]> {
    let mut found = None;
    walk(a, b, a_from_b, workspace, |pair| {
        found = Some(pair);
        ControlFlow::Break(())
    });
    found
}

/// All pairs of a face of mesh a and a face of mesh b that have a point in common, ascending, in place of what `pairs`
/// held.
///
/// **Guarantee.** As of [`any_intersection`]: none too few, none too many.
pub fn all_intersections(
    a: &MeshTree,
    b: &MeshTree,
    a_from_b: &Pose,
    workspace: &mut MeshWorkspace,
    pairs: &mut Vec<[u32; 2]>,
) {
    pairs.clear();
    walk(a, b, a_from_b, workspace, |pair| {
        pairs.push(pair);
        ControlFlow::Continue(())
    });
    pairs.sort_unstable();
}

fn walk(
    a: &MeshTree,
    b: &MeshTree,
    a_from_b: &Pose,
    workspace: &mut MeshWorkspace,
    mut found: impl FnMut([u32; 2]) -> ControlFlow<()>,
) {
    if are_far_apart(a, b, a_from_b) {
        return;
    }
    let placement = Placement::new(a, b, a_from_b);
    let slack = slack(&placement);
    let stack = &mut workspace.stack;
    stack.clear();
    stack.push(ROOTS);
    while let Some(pair) = stack.pop() {
        let leaves = [a.leaf(pair.a), b.leaf(pair.b)];
        if let [Some(of_a), Some(of_b)] = leaves {
            for j in of_b {
                let t = placement.triangle(b.triangles[j]);
                for i in of_a.clone() {
                    if boxes_meet(&a.triangles[i], &t)
                        && triangles_intersect(a.triangles[i], t)
                        && found([a.faces[i], b.faces[j]]).is_break()
                    {
                        return;
                    }
                }
            }
            continue;
        }
        let opened = open(a, b, &placement, pair, leaves.map(|l| l.is_some()));
        opened.push_overlaps(slack, stack);
    }
}

/// True if spheres round both meshes have no point in common, with more between them than rounding: a few nanoseconds for what
/// is asked most.
fn are_far_apart(a: &MeshTree, b: &MeshTree, a_from_b: &Pose) -> bool {
    let (from, to) = (a.grid.center, b.grid.center);
    let shift = a_from_b.translation();
    let reach = [from, to, shift].map(|p| p.abs().element_sum()).iter().sum::<f64>() + a.radius + b.radius;
    let between = (a_from_b.rotation() * to + shift).distance(from);
    between > a.radius + b.radius + 2.0 * rounding::coordinate(reach)
}

#[inline]
pub(super) fn boxes_meet(t: &[Vec3; 3], u: &[Vec3; 3]) -> bool {
    let low = |t: &[Vec3; 3]| t[0].min(t[1]).min(t[2]);
    let high = |t: &[Vec3; 3]| t[0].max(t[1]).max(t[2]);
    (low(t).cmple(high(u)) & low(u).cmple(high(t))).all()
}
