//! Whether a point that a surface encloses without winding round it lies in a void, as far as lines of sight tell.
//!
//! In a void, every line of sight goes into material and comes out of it again: the winding number along it is never negative, and what it goes through
//! is thicker than a crack. Two skins of one surface, or shells that are wound against each other, have a winding number of 0 between
//! them, too; there a line of sight meets opposite faces at one place, or goes on where the surface winds the wrong way round.

use super::MeshTree;
use super::boxes::{Bounds, all_separations};
use super::locate::crossing;
use super::workspace::MeshWorkspace;
use freiraum_geometry::Vec3;

/// True if the six lines of sight along the axes show a point in a void. `sound` has the faces of `tree` that bound solids, wound as they count, or if `sense` is -1 all the other way round; faces closer than
/// `wall` metres along a line are at one place. **Guarantee.** None: the answer is evidence, which [`locate`](super::locate()) asks for where a
/// point is enclosed.
pub(super) fn is_in_void(
    [tree, sound]: [&MeshTree; 2],
    sense: i32,
    p: Vec3,
    wall: f64,
    workspace: &mut MeshWorkspace,
) -> bool {
    let mut met = std::mem::take(&mut workspace.sight);
    let mut is_void = true;
    for code in 0..6 {
        let line = Line { axis: code / 2, is_back: code % 2 == 1 };
        let is_known = line.meet(tree, p, workspace, &mut met);
        if is_known && met.is_empty() {
            // It sees out.
            is_void = true;
            break;
        }
        let count = met.len();
        // A face that bounds nothing is no wall of a void.
        let has_others =
            !(std::ptr::eq(tree, sound) || line.meet(sound, p, workspace, &mut met) && met.len() == count);
        is_void &= is_known && !has_others && are_walls(&mut met, sense, wall);
    }
    met.clear();
    workspace.sight = met;
    is_void
}

/// True if the faces that a line meets from a void on are walls of material.
fn are_walls(met: &mut [Met], sense: i32, wall: f64) -> bool {
    met.sort_unstable_by(|one, other| one.at.total_cmp(&other.at));
    let mut winding = 0;
    met.chunk_by(|one, other| other.at - one.at <= wall).all(|place| {
        let before = winding;
        winding -= sense * place.iter().map(|face| face.sign).sum::<i32>();
        // Opposite faces at one place are two skins, unless there is material before or behind them: then solids touch there.
        let is_skin = before == 0 && winding == 0;
        winding >= 0 && !(is_skin && place.iter().any(|face| face.sign != place[0].sign))
    })
}

/// A line of sight along an axis, or against it.
struct Line {
    axis: usize,
    is_back: bool,
}

/// A face that a line of sight goes through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    /// How far from the point, in metres.
    at: f64,
    /// 1 if the line leaves the material there, -1 if it enters it.
    sign: i32,
}

impl Line {
    /// A point seen so that the line runs along x; seen backwards it is mirrored.
    fn view(&self, p: Vec3) -> Vec3 {
        let along = if self.is_back { -p[self.axis] } else { p[self.axis] };
        Vec3::new(along, p[(self.axis + 1) % 3], p[(self.axis + 2) % 3])
    }

    /// All faces that the line from a point goes through, in no order, in place of what `met` held; false if the point lies on one.
    fn meet(&self, tree: &MeshTree, p: Vec3, workspace: &mut MeshWorkspace, met: &mut Vec<Met>) -> bool {
        met.clear();
        let mut bounds = Bounds::of_point(tree.grid.tree_from_mesh(p));
        if self.is_back {
            bounds.min[self.axis] = f32::NEG_INFINITY;
        } else {
            bounds.max[self.axis] = f32::INFINITY;
        }
        let eye = self.view(p);
        let stack = &mut workspace.children;
        stack.clear();
        stack.push(0);
        while let Some(index) = stack.pop() {
            let node = &tree.nodes[index as usize];
            let gaps = all_separations(node, &bounds);
            for (lane, _) in
                gaps.iter().enumerate().take(usize::from(node.len)).filter(|(_, gap)| **gap <= 0.0)
            {
                let (child, count) = (node.child[lane], usize::from(node.count[lane]));
                if count == 0 {
                    stack.push(child);
                    continue;
                }
                for t in &tree.triangles[child as usize..child as usize + count] {
                    let seen = t.map(|q| self.view(q));
                    let Some(sign) = crossing(&seen, eye) else { return false };
                    if sign != 0 {
                        let sign = if self.is_back { -sign } else { sign };
                        met.push(Met { at: along(seen, eye), sign });
                    }
                }
            }
        }
        true
    }
}

/// How far along x a triangle is from a point that looks at it.
fn along([a, b, c]: [Vec3; 3], eye: Vec3) -> f64 {
    let normal = (b - a).cross(c - a);
    let (low, high) = (a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x));
    let x = a.x - (normal.y * (eye.y - a.y) + normal.z * (eye.z - a.z)) / normal.x;
    // Of a face nearly along the line rounding leaves nothing else.
    x.max(low).min(high) - eye.x
}
