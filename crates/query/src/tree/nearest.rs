//! The nearest pair of objects of two trees.

use super::descend::Open;
use super::{Counts, Placement, Rule, Stack, Tree, Volume};

/// The nearest objects of two trees; see [`nearest_pair`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Object of the first tree.
    pub object_a: u32,
    /// Object of the second tree.
    pub object_b: u32,
    /// Their distance in metres, as the caller measured it.
    pub distance: f64,
}

/// Finds two objects of two trees with the least distance, where that is less than `below`.
///
/// `measure(object_a, object_b)` is the distance of two objects (negative in overlap); it is counted as an object test.
/// `a_from_b` takes coordinates of the second tree to the first. `None` if nothing is nearer than `below`.
/// **Guarantee.** No pair is nearer than the answer, provided that `measure` is right; of equals, the first found.
/// **Cost.** Nearer nodes are opened first; no allocation once `stack` is warm.
#[expect(
    clippy::too_many_arguments,
    reason = "two trees, their pose, the limit, and what every traversal takes"
)]
pub fn nearest_pair<V: Volume>(
    a: &Tree<V>,
    b: &Tree<V>,
    a_from_b: &Placement,
    below: f64,
    rule: &dyn Rule,
    stack: &mut Stack,
    counts: &mut Counts,
    mut measure: impl FnMut(u32, u32) -> f64,
) -> Option<Nearest> {
    let mut best: Option<Nearest> = None;
    let mut limit = below;
    stack.bounded.clear();
    if let (Some(root_a), Some(root_b)) = (a.root(), b.root()) {
        counts.volume_tests += 1;
        stack.bounded.push((root_a.volume.gap_placed(&root_b.volume, a_from_b), 0, 0, 0));
    }
    while let Some((gap, at_a, at_b, steps)) = stack.bounded.pop() {
        // Overlapping volumes say nothing: objects in them may overlap by any depth.
        if gap > 0.0 && gap >= limit {
            continue;
        }
        let (node_a, node_b) = (&a.nodes()[at_a as usize], &b.nodes()[at_b as usize]);
        let open = match (node_a.object(), node_b.object()) {
            (Some(object_a), Some(object_b)) => {
                counts.object_tests += 1;
                let distance = measure(object_a, object_b);
                if distance < limit {
                    limit = distance;
                    best = Some(Nearest { object_a, object_b, distance });
                }
                continue;
            }
            (Some(_), None) => Open::Second,
            (None, Some(_)) => Open::First,
            (None, None) => rule.open(node_a.area(), node_b.area(), steps),
        };
        let (of_a, of_b) = match open {
            Open::First => (node_a.children(), at_b..at_b + 1),
            Open::Second => (at_a..at_a + 1, node_b.children()),
            Open::Both => (node_a.children(), node_b.children()),
        };
        let start = stack.bounded.len();
        for i in of_a {
            for j in of_b.clone() {
                counts.volume_tests += 1;
                let gap = a.nodes()[i as usize].volume.gap_placed(&b.nodes()[j as usize].volume, a_from_b);
                if gap <= 0.0 || gap < limit {
                    stack.bounded.push((gap, i, j, steps + 1));
                }
            }
        }
        // The nearest on top; equal gaps in the order of the nodes.
        stack.bounded[start..].sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then((y.1, y.2).cmp(&(x.1, x.2))));
    }
    best
}
