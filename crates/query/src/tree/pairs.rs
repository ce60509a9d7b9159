//! All pairs of objects whose leaf volumes may touch: of two trees, or within one.

use super::descend::Open;
use super::{Counts, Placement, Rule, Tree, Volume};
use std::ops::ControlFlow;

/// The memory of a traversal: keep it, and the next traversal allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// Nodes of both trees, and the number of openings that led to them.
    pub(super) open: Vec<(u32, u32, u32)>,
    /// The same with a lower bound on the distance, for the nearest pair.
    pub(super) bounded: Vec<(f64, u32, u32, u32)>,
}

impl Stack {
    /// An empty stack.
    pub fn new() -> Stack {
        Stack::default()
    }
}

/// Calls `meet(object_a, object_b)` for every pair of objects of two trees of one frame whose volumes may touch.
///
/// `meet` is an object test and counted as one; it ends the traversal by `ControlFlow::Break`, which is returned.
/// **Guarantee.** No pair whose volumes touch is left out, and no pair comes twice. **Cost.** No allocation once `stack`
/// is warm.
pub fn overlapping_pairs<V: Volume>(
    a: &Tree<V>,
    b: &Tree<V>,
    rule: &dyn Rule,
    stack: &mut Stack,
    counts: &mut Counts,
    meet: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    descend(a, b, false, rule, |x, y| x.gap(y) <= 0.0, stack, counts, meet)
}

/// The same for trees of two frames: `a_from_b` takes coordinates of the second to the first.
pub fn overlapping_pairs_placed<V: Volume>(
    a: &Tree<V>,
    b: &Tree<V>,
    a_from_b: &Placement,
    rule: &dyn Rule,
    stack: &mut Stack,
    counts: &mut Counts,
    meet: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    descend(a, b, false, rule, |x, y| x.gap_placed(y, a_from_b) <= 0.0, stack, counts, meet)
}

/// Calls `meet(first, second)` for every two objects of one tree whose volumes may touch, each two once, the smaller
/// number first; see [`overlapping_pairs`].
pub fn overlapping_pairs_within<V: Volume>(
    tree: &Tree<V>,
    rule: &dyn Rule,
    stack: &mut Stack,
    counts: &mut Counts,
    mut meet: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let may_touch = |x: &V, y: &V| x.gap(y) <= 0.0;
    descend(tree, tree, true, rule, may_touch, stack, counts, |i, j| meet(i.min(j), i.max(j)))
}

#[expect(clippy::too_many_arguments, reason = "the one loop behind all pair traversals")]
fn descend<V: Volume>(
    a: &Tree<V>,
    b: &Tree<V>,
    is_one_tree: bool,
    rule: &dyn Rule,
    may_touch: impl Fn(&V, &V) -> bool,
    stack: &mut Stack,
    counts: &mut Counts,
    mut meet: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    stack.open.clear();
    if !a.is_empty() && !b.is_empty() {
        stack.open.push((0, 0, 0));
    }
    while let Some((at_a, at_b, steps)) = stack.open.pop() {
        let (node_a, node_b) = (&a.nodes()[at_a as usize], &b.nodes()[at_b as usize]);
        if is_one_tree && at_a == at_b {
            // A node with itself: every child with itself and with its later siblings. A leaf has none.
            for i in node_a.children().rev() {
                for j in (i..node_a.children().end).rev() {
                    stack.open.push((i, j, steps + 1));
                }
            }
            continue;
        }
        counts.volume_tests += 1;
        if !may_touch(&node_a.volume, &node_b.volume) {
            continue;
        }
        let open = match (node_a.object(), node_b.object()) {
            (Some(object_a), Some(object_b)) => {
                counts.object_tests += 1;
                meet(object_a, object_b)?;
                continue;
            }
            (Some(_), None) => Open::Second,
            (None, Some(_)) => Open::First,
            (None, None) => rule.open(node_a.area(), node_b.area(), steps),
        };
        // Pushed backwards, so that children are visited in their order.
        let own = |at: u32| at..at + 1;
        let (of_a, of_b) = match open {
            Open::First => (node_a.children(), own(at_b)),
            Open::Second => (own(at_a), node_b.children()),
            Open::Both => (node_a.children(), node_b.children()),
        };
        for i in of_a.rev() {
            for j in of_b.clone().rev() {
                stack.open.push((i, j, steps + 1));
            }
        }
    }
    ControlFlow::Continue(())
}
