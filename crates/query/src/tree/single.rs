//! All objects of one tree that something may touch: a point, a box, a half space, whatever the caller tests.

use super::{Counts, Node, Stack, Tree, Volume};
use std::ops::ControlFlow;

/// Calls `meet(object)` for every object below nodes that all satisfy `may_touch`.
///
/// `may_touch` is a volume test and counted as one, `meet` an object test. `meet` ends the traversal by
/// `ControlFlow::Break`, which is returned. **Cost.** No allocation once `stack` is warm.
pub fn visit<V: Volume>(
    tree: &Tree<V>,
    stack: &mut Stack,
    counts: &mut Counts,
    mut may_touch: impl FnMut(&V) -> bool,
    mut meet: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    stack.open.clear();
    if !tree.is_empty() {
        stack.open.push((0, 0, 0));
    }
    while let Some((at, ..)) = stack.open.pop() {
        let node: &Node<V> = &tree.nodes()[at as usize];
        counts.volume_tests += 1;
        if !may_touch(&node.volume) {
            continue;
        }
        match node.object() {
            Some(object) => {
                counts.object_tests += 1;
                meet(object)?;
            }
            None => stack.open.extend(node.children().rev().map(|child| (child, 0, 0))),
        }
    }
    ControlFlow::Continue(())
}
