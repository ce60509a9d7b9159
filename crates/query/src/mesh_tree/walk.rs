//! Both trees walked together: what the questions about two meshes share.

use super::MeshTree;
use super::node::WIDTH;
use super::oriented::gaps;
use super::placement::Placement;
use super::workspace::{Child, Pair};
use std::ops::Range;

/// The pairs that opening the larger child of a pair leads to.
pub(super) struct Opened {
    /// Gaps of the pairs, lane by lane, in units of tree a; see [`super::oriented::gaps`].
    pub(super) gaps: [f32; WIDTH],
    first: Child,
    len: u8,
    is_a: bool,
    kept: Child,
}

impl Opened {
    #[inline]
    pub(super) fn len(&self) -> usize {
        usize::from(self.len)
    }

    #[inline]
    pub(super) fn pair(&self, lane: usize) -> Pair {
        let opened = self.first + lane as u32;
        if self.is_a { Pair { a: opened, b: self.kept } } else { Pair { a: self.kept, b: opened } }
    }
}

impl Opened {
    /// Puts the pairs that are not certainly apart on the stack, so that the deepest overlap is taken off first.
    #[inline]
    pub(super) fn push_overlaps(&self, slack: f32, stack: &mut Vec<Pair>) {
        let mut order = [(0.0f32, 0usize); WIDTH];
        let mut len = 0;
        for lane in 0..self.len() {
            let gap = self.gaps[lane];
            if !(gap > slack) {
                let mut at = len;
                while at > 0 && order[at - 1].0 < gap {
                    order[at] = order[at - 1];
                    at -= 1;
                }
                order[at] = (gap, lane);
                len += 1;
            }
        }
        stack.extend(order[..len].iter().map(|&(_, lane)| self.pair(lane)));
    }
}

/// The pair of both whole meshes.
pub(super) const ROOTS: Pair = Pair { a: 0, b: 0 };

impl MeshTree {
    /// The triangles of a child that is a leaf; `None` of an inner one.
    #[inline]
    pub(super) fn leaf(&self, child: Child) -> Option<Range<usize>> {
        let (node, lane) = (&self.nodes[child as usize / WIDTH], child as usize % WIDTH);
        let (start, count) = (node.child[lane] as usize, usize::from(node.count[lane]));
        (count > 0).then_some(start..start + count)
    }

    /// A measure of how long and wide a child is.
    #[inline]
    fn extent(&self, child: Child) -> f32 {
        let (node, lane) = (&self.oriented()[child as usize / WIDTH], child as usize % WIDTH);
        node.half[1][lane] + node.half[2][lane]
    }

    /// The node of a child that is no leaf.
    #[inline]
    pub(super) fn open(&self, child: Child) -> usize {
        self.nodes[child as usize / WIDTH].child[child as usize % WIDTH] as usize
    }
}

/// True if the child of a is to be opened: the larger one of a pair, or the only one that is no leaf.
#[inline]
pub(super) fn opens_a(
    a: &MeshTree,
    b: &MeshTree,
    placement: &Placement,
    pair: Pair,
    leaves: [bool; 2],
) -> bool {
    !leaves[0] && (leaves[1] || a.extent(pair.a) >= b.extent(pair.b) * placement.into_a.scale())
}

/// Opens the larger child of a pair, or the only one that is no leaf; at least one is none.
#[inline]
pub(super) fn open(
    a: &MeshTree,
    b: &MeshTree,
    placement: &Placement,
    pair: Pair,
    leaves: [bool; 2],
) -> Opened {
    let scale = placement.into_a.scale();
    let is_a = opens_a(a, b, placement, pair, leaves);
    let lane =
        |tree: &MeshTree, child: Child| tree.oriented()[child as usize / WIDTH].lane(child as usize % WIDTH);
    if is_a {
        let index = a.open(pair.a);
        let other = placement.into_a.apply(&lane(b, pair.b));
        let gaps = gaps(&a.oriented()[index], &other);
        Opened { gaps, first: (index * WIDTH) as u32, len: a.nodes[index].len, is_a, kept: pair.b }
    } else {
        let index = b.open(pair.b);
        let other = placement.into_b.apply(&lane(a, pair.a));
        let gaps = gaps(&b.oriented()[index], &other).map(|gap| gap * scale);
        Opened { gaps, first: (index * WIDTH) as u32, len: b.nodes[index].len, is_a, kept: pair.a }
    }
}

/// Bound on the rounding of all gaps, in units of tree a.
pub(super) fn slack(placement: &Placement) -> f32 {
    placement.into_a.slack.max(placement.into_b.slack * placement.into_a.scale())
}
