//! A tree of rectangles in the plane.

use super::polygon::Polygon;
use freiraum_geometry::Vec2;

/// Finds polygons by the rectangles around them. **Cost.** Built in O(n log n).
pub(super) struct Boxes {
    /// Depth first; a node is followed by its children.
    nodes: Vec<Node>,
    /// Numbers of polygons, those of a leaf side by side.
    order: Vec<u32>,
}

struct Node {
    min: Vec2,
    max: Vec2,
    /// The node that comes next if this one is left out.
    skip: u32,
    /// The polygons of a leaf, from and to in `order`; empty in inner nodes.
    leaf: [u32; 2],
}

/// Polygons per leaf.
const LEAF: usize = 4;

impl Boxes {
    pub(super) fn of(polygons: &[Polygon]) -> Boxes {
        let mut order: Vec<u32> = (0..polygons.len() as u32).collect();
        let mut nodes = Vec::with_capacity(polygons.len());
        build(polygons, &mut order, 0, &mut nodes);
        Boxes { nodes, order }
    }

    /// Visits polygons whose rectangle may touch that from `min` to `max`, until `visit` says true; whether it did.
    pub(super) fn any(&self, [min, max]: [Vec2; 2], visit: impl FnMut(usize) -> bool) -> bool {
        self.any_where(|node| !(node.max.cmplt(min).any() || max.cmplt(node.min).any()), visit)
    }

    /// Visits polygons whose rectangle may touch the segment from `a` to `b`, until `visit` says true; whether it did.
    pub(super) fn any_along(&self, a: Vec2, b: Vec2, visit: impl FnMut(usize) -> bool) -> bool {
        let (min, max) = (a.min(b), a.max(b));
        let normal = (b - a).perp();
        let may_touch = |node: &Node| {
            // The distance of the line from the centre of the box against the reach of the box; a little more for rounding.
            let (center, half) = (0.5 * (node.min + node.max), 0.5 * (node.max - node.min));
            let (gap, reach) = (normal.dot(center - a).abs(), normal.abs().dot(half));
            let slack = 16.0 * f64::EPSILON * normal.abs().dot(center.abs() + a.abs() + half);
            gap <= reach + slack && !(node.max.cmplt(min).any() || max.cmplt(node.min).any())
        };
        self.any_where(may_touch, visit)
    }

    fn any_where(&self, may_touch: impl Fn(&Node) -> bool, mut visit: impl FnMut(usize) -> bool) -> bool {
        let mut next = 0;
        while let Some(node) = self.nodes.get(next) {
            if !may_touch(node) {
                next = node.skip as usize;
                continue;
            }
            let [from, to] = node.leaf.map(|i| i as usize);
            if self.order[from..to].iter().any(|&i| visit(i as usize)) {
                return true;
            }
            next += 1;
        }
        false
    }
}

/// `first`: where `order` begins in the whole.
fn build(polygons: &[Polygon], order: &mut [u32], first: usize, nodes: &mut Vec<Node>) {
    let corner = |start: f64, f: fn(&Polygon) -> Vec2, pick: fn(Vec2, Vec2) -> Vec2| {
        order.iter().map(|&i| f(&polygons[i as usize])).fold(Vec2::splat(start), pick)
    };
    let min = corner(f64::INFINITY, |p| p.min, Vec2::min);
    let max = corner(f64::NEG_INFINITY, |p| p.max, Vec2::max);
    let node = nodes.len();
    nodes.push(Node { min, max, skip: 0, leaf: [0; 2] });
    if order.len() <= LEAF {
        nodes[node].leaf = [first as u32, (first + order.len()) as u32];
    } else {
        let axis = usize::from(max.y - min.y > max.x - min.x);
        let center = |i: &u32| {
            let polygon = &polygons[*i as usize];
            polygon.min[axis] + polygon.max[axis]
        };
        let middle = order.len() / 2;
        order.select_nth_unstable_by(middle, |i, k| center(i).total_cmp(&center(k)).then(i.cmp(k)));
        let (low, high) = order.split_at_mut(middle);
        build(polygons, low, first, nodes);
        build(polygons, high, first + middle, nodes);
    }
    nodes[node].skip = nodes.len() as u32;
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn what_is_found_is_what_touches() {
        let mut random = Random::new(3);
        let mut point = |half: f64| Vec2::new(random.range(-half, half), random.range(-half, half));
        let polygons: Vec<Polygon> = (0..200)
            .map(|_| {
                let center = point(10.0);
                Polygon::hull((0..4).map(|_| center + point(1.0)).collect()).unwrap()
            })
            .collect();
        let tree = Boxes::of(&polygons);
        for _ in 0..300 {
            let (a, b) = (point(12.0), point(12.0));
            let (min, max) = (a.min(b), a.max(b));
            let mut found = Vec::new();
            tree.any([min, max], |i| {
                found.push(i);
                false
            });
            let touches = |i: &usize| polygons[*i].min.cmple(max).all() && polygons[*i].max.cmpge(min).all();
            assert!((0..200).filter(touches).all(|i| found.contains(&i)));
            let blocked = polygons.iter().any(|polygon| polygon.blocks(a, b));
            assert_eq!(tree.any_along(a, b, |i| polygons[i].blocks(a, b)), blocked);
        }
        assert!(!Boxes::of(&[]).any([Vec2::ZERO; 2], |_| true));
    }
}
