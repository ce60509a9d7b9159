//! The tree itself: nodes with volumes over a form.

use super::{Form, Volume};
use freiraum_geometry::Vec3;
use std::ops::Range;

/// One node of a [`Tree`].
#[derive(Clone, Debug)]
pub struct Node<V> {
    /// Holds everything below the node.
    pub volume: V,
    /// First child, or the object of a leaf.
    first: u32,
    /// Number of children; none for a leaf.
    count: u32,
    /// [`Volume::area`], which descent rules compare.
    area: f64,
}

impl<V> Node<V> {
    /// The object of a leaf, or `None` for an inner node.
    #[inline]
    pub fn object(&self) -> Option<u32> {
        (self.count == 0).then_some(self.first)
    }

    /// The children of an inner node; empty for a leaf.
    #[inline]
    pub fn children(&self) -> Range<u32> {
        if self.count == 0 { 0..0 } else { self.first..self.first + self.count }
    }

    /// Surface area of the volume: the chance that something meets it.
    #[inline]
    pub fn area(&self) -> f64 {
        self.area
    }
}

/// A bounding tree over numbered objects, one object per leaf.
///
/// Parents stand before their children and siblings side by side, the root first.
#[derive(Clone, Debug)]
pub struct Tree<V> {
    nodes: Vec<Node<V>>,
    /// Node of each object.
    leaf_of: Vec<u32>,
}

impl<V: Volume> Tree<V> {
    /// A tree of that form over objects with the given volumes; inner nodes are unions of their children.
    ///
    /// `None` if the form is not whole or has another number of objects. **Cost.** O(n) unions.
    pub fn of_volumes(form: &Form, volumes: &[V]) -> Option<Tree<V>> {
        if volumes.len() != form.leaves() || !form.is_whole() {
            return None;
        }
        let mut tree = Tree { nodes: Vec::new(), leaf_of: vec![0; volumes.len()] };
        let Some(root) = form.root() else { return Some(tree) };
        // Breadth first: `order[i]` is the number in the form of node i. Volumes of inner nodes are set below.
        let mut order = vec![root];
        tree.nodes.reserve(form.leaves() + form.joins());
        let mut next = 0;
        while next < order.len() {
            let number = order[next];
            let children = form.children(number);
            let (first, volume) = if children.is_empty() {
                tree.leaf_of[number as usize] = next as u32;
                (number, &volumes[number as usize])
            } else {
                (order.len() as u32, &volumes[0])
            };
            tree.nodes.push(Node {
                volume: volume.clone(),
                first,
                count: children.len() as u32,
                area: volume.area(),
            });
            order.extend_from_slice(children);
            next += 1;
        }
        tree.refit_inner();
        Some(tree)
    }

    /// A tree of that form whose every node is fitted to the points of the objects below it, tighter than unions are.
    ///
    /// `points_of(object, points)` appends points whose convex hull holds the object. `None` if the form is not whole
    /// or an object has no (finite) points. **Cost.** A fit per node, over O(n log n) points in a balanced form.
    pub fn of_points(form: &Form, mut points_of: impl FnMut(u32, &mut Vec<Vec3>)) -> Option<Tree<V>> {
        let mut volumes = Vec::with_capacity(form.leaves());
        let mut points = Vec::new();
        for object in 0..form.leaves() as u32 {
            points.clear();
            points_of(object, &mut points);
            volumes.push(V::of_points(&points)?);
        }
        let mut tree = Tree::of_volumes(form, &volumes)?;
        tree.refit_points(points_of).then_some(tree)
    }

    /// All nodes, the root first; none for a tree of no objects.
    pub fn nodes(&self) -> &[Node<V>] {
        &self.nodes
    }

    /// The root, or `None` for a tree of no objects.
    pub fn root(&self) -> Option<&Node<V>> {
        self.nodes.first()
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.leaf_of.len()
    }

    /// True if the tree has no objects.
    pub fn is_empty(&self) -> bool {
        self.leaf_of.is_empty()
    }

    /// The node that holds an object.
    pub fn leaf_of(&self, object: u32) -> u32 {
        self.leaf_of[object as usize]
    }

    /// Fits the tree to moved or deformed objects: leaves get `volume_of(object)`, inner nodes the union below them.
    ///
    /// **Guarantee.** The form stays; after large changes another form may be better, but no answer is wrong.
    /// **Cost.** O(n) unions, no allocation.
    pub fn refit(&mut self, mut volume_of: impl FnMut(u32) -> V) {
        for node in self.nodes.iter_mut().filter(|n| n.count == 0) {
            node.volume = volume_of(node.first);
            node.area = node.volume.area();
        }
        self.refit_inner();
    }

    /// Fits every node to the points of the objects below it; see [`Tree::of_points`].
    ///
    /// False if an object has no (finite) points; the tree is then fitted in part only. Call it again or drop the tree.
    pub fn refit_points(&mut self, mut points_of: impl FnMut(u32, &mut Vec<Vec3>)) -> bool {
        let (mut points, mut open) = (Vec::new(), Vec::new());
        for i in 0..self.nodes.len() {
            points.clear();
            open.push(i as u32);
            while let Some(node) = open.pop() {
                match self.nodes[node as usize].object() {
                    Some(object) => points_of(object, &mut points),
                    None => open.extend(self.nodes[node as usize].children()),
                }
            }
            let Some(volume) = V::of_points(&points) else { return false };
            self.nodes[i].area = volume.area();
            self.nodes[i].volume = volume;
        }
        true
    }

    /// The depth of the deepest leaf; the root has depth 0.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0usize; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            for child in node.children() {
                depths[child as usize] = depths[i] + 1;
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    fn refit_inner(&mut self) {
        // Children stand behind their parents, so from the back every child is ready before its parent.
        for i in (0..self.nodes.len()).rev() {
            let (before, after) = self.nodes.split_at_mut(i + 1);
            let node = &mut before[i];
            if node.count == 0 {
                continue;
            }
            let start = node.first as usize - (i + 1);
            let children = &after[start..start + node.count as usize];
            let rest = children[2..].iter();
            let both = children[0].volume.union(&children[1].volume);
            node.volume = rest.fold(both, |v, child| v.union(&child.volume));
            node.area = node.volume.area();
        }
    }
}
