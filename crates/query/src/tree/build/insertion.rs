//! One object after the other, each to where it costs least.

use super::Builder;
use crate::tree::Form;
use freiraum_geometry::Aabb;

/// Inserts the objects in their order, each beside the node where the boxes of the tree grow least.
///
/// The order matters: sorted input makes deep trees. **Cost.** O(n depth).
#[derive(Clone, Copy, Debug, Default)]
pub struct Insertion;

/// A node while the tree grows; leaves have no children.
struct Growing {
    bounds: Aabb,
    children: Option<[u32; 2]>,
    object: u32,
}

impl Builder for Insertion {
    fn form(&self, boxes: &[Aabb]) -> Form {
        let mut nodes: Vec<Growing> = Vec::with_capacity(2 * boxes.len());
        for (object, bounds) in boxes.iter().enumerate() {
            let leaf = Growing { bounds: *bounds, children: None, object: object as u32 };
            if nodes.is_empty() {
                nodes.push(leaf);
                continue;
            }
            insert(&mut nodes, leaf);
        }
        form_of(&nodes, boxes.len())
    }
}

/// Goes down from the root (node 0, which stays there) to the best sibling and puts a join in its place.
fn insert(nodes: &mut Vec<Growing>, leaf: Growing) {
    let mut at = 0;
    while let Some(children) = nodes[at].children {
        let joined = nodes[at].bounds.union(&leaf.bounds);
        // A new join here costs its own area; going on costs what this node and then the child grow by.
        let here = joined.half_area();
        let growth = here - nodes[at].bounds.half_area();
        let below = children.map(|c| {
            let child = &nodes[c as usize];
            let area = child.bounds.union(&leaf.bounds).half_area();
            growth + if child.children.is_some() { area - child.bounds.half_area() } else { area }
        });
        if here < below[0] && here < below[1] {
            break;
        }
        nodes[at].bounds = joined;
        at = children[usize::from(below[1] < below[0])] as usize;
    }
    let next = nodes.len() as u32;
    let old = &mut nodes[at];
    let joined =
        Growing { bounds: old.bounds.union(&leaf.bounds), children: Some([next, next + 1]), object: 0 };
    let old = std::mem::replace(old, joined);
    nodes.extend([old, leaf]);
}

/// Joins from below: children first, without recursion because the tree may be deep.
fn form_of(nodes: &[Growing], objects: usize) -> Form {
    let mut form = Form::new(objects);
    let mut number = vec![0u32; nodes.len()];
    let mut open = if nodes.is_empty() { Vec::new() } else { vec![(0u32, false)] };
    while let Some((at, children_done)) = open.pop() {
        let node = &nodes[at as usize];
        match node.children {
            None => number[at as usize] = node.object,
            Some(children) if children_done => {
                number[at as usize] = form.join(&children.map(|c| number[c as usize]));
            }
            Some([a, b]) => open.extend([(at, true), (b, false), (a, false)]),
        }
    }
    form
}
