//! The shortest way round convex polygons.
//!
//! It bends only at corners of the polygons that lie in no other one: where two polygons cross, the obstacle has a notch, and a taut
//! string does not go into it. So no arrangement is needed. The way may run along borders.

use super::polygon::Polygon;
use super::separation::Cover;
use freiraum_geometry::Vec2;
use freiraum_geometry::math::predicates::side_of_line;
use freiraum_motion::CancelToken;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A place where the way may bend.
struct Node {
    at: Vec2,
    /// The corners of its polygon before and after it; itself for start and goal.
    beside: [Vec2; 2],
}

impl Node {
    /// Whether a taut string from or to `other` can bend here: both edges lie on one side of it.
    fn is_tangent(&self, other: Vec2) -> bool {
        let [a, b] = self.beside.map(|p| side_of_line(other, self.at, p));
        a == Ordering::Equal || b == Ordering::Equal || a == b
    }
}

/// The shortest way from `s` to `t`, both included; an empty one if there is none. `None` if more than `budget` pairs of corners would have to
/// be looked at, or nobody waits for it.
pub(super) fn shortest(
    cover: &Cover,
    s: Vec2,
    t: Vec2,
    budget: u64,
    cancel: &CancelToken,
) -> Option<Vec<Vec2>> {
    let is_visible = |a: Vec2, b: Vec2| !cover.boxes.any_along(a, b, |i| cover.polygons[i].blocks(a, b));
    if is_visible(s, t) {
        return Some(vec![s, t]);
    }
    let nodes = nodes(cover, s, t);
    let mut tests = 0;
    // A*: the length so far, the node before, whether the length is final.
    let mut known = vec![(f64::INFINITY, 0, false); nodes.len()];
    known[0].0 = 0.0;
    let mut open = BinaryHeap::from([Reverse(Key(s.distance(t), 0))]);
    while let Some(Reverse(Key(_, from))) = open.pop() {
        if from == 1 {
            return Some(way_back(&nodes, &known));
        }
        if std::mem::replace(&mut known[from].2, true) {
            continue;
        }
        let (so_far, at) = (known[from].0, nodes[from].at);
        for (to, node) in nodes.iter().enumerate() {
            let length = so_far + at.distance(node.at);
            let estimate = length + node.at.distance(t);
            if known[to].2 || length >= known[to].0 || estimate >= known[1].0 {
                continue;
            }
            if !nodes[from].is_tangent(node.at) || !node.is_tangent(at) {
                continue;
            }
            tests += 1;
            if tests > budget || cancel.is_cancelled() {
                return None;
            }
            if is_visible(at, node.at) {
                known[to] = (length, from, false);
                open.push(Reverse(Key(estimate, to)));
            }
        }
    }
    Some(Vec::new())
}

/// Start, goal, and all corners that lie in no other polygon.
fn nodes(cover: &Cover, s: Vec2, t: Vec2) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for polygon in &cover.polygons[cover.endless..] {
        let (corners, count) = (polygon.corners(), polygon.corners().len());
        for (k, &at) in corners.iter().enumerate() {
            if !cover.boxes.any([at; 2], |i| cover.polygons[i].holds_inside(at)) {
                let beside = [corners[(k + count - 1) % count], corners[(k + 1) % count]];
                nodes.push(Node { at, beside });
            }
        }
    }
    let key = |node: &Node| [node.at, node.beside[0], node.beside[1]].map(|p| p.to_array());
    let compare = |a: &Node, b: &Node| {
        let (a, b) = (key(a), key(b));
        let mut pairs = a.as_flattened().iter().zip(b.as_flattened());
        pairs.find_map(|(a, b)| Some(a.total_cmp(b)).filter(|o| o.is_ne())).unwrap_or(Ordering::Equal)
    };
    nodes.sort_by(compare);
    nodes.dedup_by(|a, b| key(a) == key(b));
    let ends = [s, t].map(|at| Node { at, beside: [at; 2] });
    ends.into_iter().chain(nodes).collect()
}

fn way_back(nodes: &[Node], known: &[(f64, usize, bool)]) -> Vec<Vec2> {
    let mut way = vec![nodes[1].at];
    let mut node = 1;
    while node != 0 {
        node = known[node].1;
        // Corners of several polygons may coincide.
        if way.last() != Some(&nodes[node].at) {
            way.push(nodes[node].at);
        }
    }
    way.reverse();
    way
}

/// The way without places that are no farther than `deviation` from the line between those before and after them.
pub(super) fn straightened(way: &[Vec2], deviation: f64) -> Vec<Vec2> {
    let mut kept: Vec<Vec2> = Vec::with_capacity(way.len());
    let mut from = 0;
    while from + 1 < way.len() {
        kept.push(way[from]);
        // As far as all places between stay near.
        let is_near = |to: &usize| {
            let line = Polygon::hull(vec![way[from], way[*to]]).expect("two points");
            way[from + 1..*to].iter().all(|&p| line.distance(p) <= deviation)
        };
        from = (from + 1..way.len()).take_while(is_near).last().unwrap_or(from + 1);
    }
    kept.extend(way.last());
    kept
}

/// A node by its estimate.
struct Key(f64, usize);

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    fn cover(polygons: Vec<Polygon>) -> Cover {
        Cover::new(polygons, 0, &CancelToken::default()).unwrap()
    }

    fn rectangle(x: [f64; 2], y: [f64; 2]) -> Polygon {
        let corner = |i: usize, k: usize| Vec2::new(x[i], y[k]);
        Polygon::hull(vec![corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]).unwrap()
    }

    fn length(way: &[Vec2]) -> f64 {
        way.windows(2).map(|ends| ends[0].distance(ends[1])).sum()
    }

    #[test]
    fn bends_smaller_than_asked_for_are_left_out() {
        let way = [[0.0, 0.0], [1.0, 0.01], [2.0, 0.0], [2.001, 1.0], [2.0, 2.0]].map(Vec2::from);
        let check = |deviation: f64, expected: &[usize]| {
            let expected: Vec<Vec2> = expected.iter().map(|&i| way[i]).collect();
            assert_eq!(straightened(&way, deviation), expected);
        };
        check(0.0, &[0, 1, 2, 3, 4]);
        check(0.002, &[0, 1, 2, 4]);
        check(0.02, &[0, 2, 4]);
        assert_eq!(straightened(&way[..1], 1.0), way[..1]);
    }

    #[test]
    fn round_one_square() {
        let cover = cover(vec![rectangle([-1.0, 1.0], [-1.0, 1.0])]);
        let way =
            shortest(&cover, Vec2::new(-3.0, 0.0), Vec2::new(3.0, 0.0), 100, &CancelToken::new()).unwrap();
        assert_eq!(way.len(), 4);
        assert!((length(&way) - (2.0 + 2.0 * 5.0f64.sqrt())).abs() < 1e-12);
    }

    #[test]
    fn duplicates_and_touching_polygons_change_nothing() {
        let wall = rectangle([-1.0, 1.0], [-1.0, 0.0]);
        let cover = cover(vec![
            wall.clone(),
            wall.clone(),
            wall,
            rectangle([-1.0, 1.0], [0.0, 1.0]),
            rectangle([-1.0, 0.5], [-1.0, 1.0]),
        ]);
        let way =
            shortest(&cover, Vec2::new(-3.0, 0.0), Vec2::new(3.0, 0.0), 1000, &CancelToken::new()).unwrap();
        assert!((length(&way) - (2.0 + 2.0 * 5.0f64.sqrt())).abs() < 1e-12, "{way:?}");
    }

    #[test]
    fn the_outside_of_a_ring_is_not_reached() {
        let ring = vec![
            rectangle([0.0, 3.0], [0.0, 1.0]),
            rectangle([0.0, 3.0], [2.0, 3.0]),
            rectangle([0.0, 1.0], [0.0, 3.0]),
            rectangle([2.0, 3.0], [0.5, 2.5]),
        ];
        let cover = cover(ring);
        assert_eq!(
            shortest(&cover, Vec2::new(1.5, 1.5), Vec2::new(5.0, 5.0), 1000, &CancelToken::new()),
            Some(Vec::new())
        );
        assert_eq!(shortest(&cover, Vec2::new(1.5, 4.5), Vec2::new(1.6, -5.0), 1, &CancelToken::new()), None);
    }

    /// All pairs of corners of all polygons, checked one by one, and Floyd's algorithm.
    #[test]
    fn as_short_as_over_all_pairs_of_corners() {
        let mut random = Random::new(2);
        let mut bent = 0;
        for _ in 0..60 {
            let mut point = |half: f64| Vec2::new(random.range(-half, half), random.range(-half, half));
            let polygons: Vec<Polygon> = (0..12)
                .map(|_| {
                    let center = point(4.0);
                    Polygon::hull((0..5).map(|_| center + point(1.5)).collect()).unwrap()
                })
                .collect();
            let (s, t) = (point(5.0), point(5.0));
            let cover = cover(polygons.clone());
            if cover.contains(s) || cover.contains(t) {
                continue;
            }
            let places: Vec<Vec2> =
                [s, t].into_iter().chain(polygons.iter().flat_map(|p| p.corners().to_vec())).collect();
            let gap = |a: Vec2, b: Vec2| {
                let is_free = a == b || !polygons.iter().any(|p| p.blocks(a, b) || p.holds_inside(a));
                if is_free { a.distance(b) } else { f64::INFINITY }
            };
            let mut table: Vec<Vec<f64>> =
                places.iter().map(|&a| places.iter().map(|&b| gap(a, b)).collect()).collect();
            for k in 0..places.len() {
                for i in 0..places.len() {
                    for j in 0..places.len() {
                        table[i][j] = table[i][j].min(table[i][k] + table[k][j]);
                    }
                }
            }
            let way = shortest(&cover, s, t, u64::MAX, &CancelToken::new()).unwrap();
            assert_eq!(way.is_empty(), table[0][1].is_infinite());
            assert_eq!(cover.separates(s, t, u64::MAX, &CancelToken::new()), Some(way.is_empty()));
            bent += usize::from(way.len() > 2);
            if !way.is_empty() {
                assert!((length(&way) - table[0][1]).abs() < 1e-9);
            }
        }
        assert!(bent > 10, "{bent}");
    }
}
