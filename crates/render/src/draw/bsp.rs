//! Binary space partitioning: polygons in an order in which they can be painted, each over those before it.
//!
//! Works in picture space, where the eye is far away along z ([`super::view`]). Space is cut by planes of faces, as few polygons as possible with it; large sets
//! are first cut by planes across an axis, or a smooth surface, of which no face has another one before it, would take time with the
//! square of its faces.

use super::view::Plane;
use freiraum_geometry::Vec3;

/// Convex polygons, their corners in one list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polygons {
    points: Vec<Vec3>,
    items: Vec<Item>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    start: u32,
    len: u32,
    face: u32,
}

impl Polygons {
    /// Adds a polygon of a face; less than three corners are none.
    pub(crate) fn push(&mut self, face: u32, corners: &[Vec3]) {
        if corners.len() >= 3 {
            self.items.push(Item { start: self.points.len() as u32, len: corners.len() as u32, face });
            self.points.extend_from_slice(corners);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn corners(&self, polygon: u32) -> &[Vec3] {
        let item = self.items[polygon as usize];
        &self.points[item.start as usize..(item.start + item.len) as usize]
    }

    pub(crate) fn face(&self, polygon: u32) -> u32 {
        self.items[polygon as usize].face
    }

    /// How far it reaches below and above a plane.
    fn heights(&self, polygon: u32, plane: &Plane) -> (f64, f64) {
        let heights = self.corners(polygon).iter().map(|p| plane.height(*p));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), h| (lo.min(h), hi.max(h)))
    }

    /// Cuts a polygon that reaches to both sides of a plane: the part behind and the part in front.
    fn split(&mut self, polygon: u32, plane: &Plane, tolerance: f64) -> [u32; 2] {
        let corners = self.corners(polygon).to_vec();
        let heights: Vec<f64> = corners.iter().map(|p| plane.height(*p)).collect();
        let mut sides = [Vec::with_capacity(corners.len() + 1), Vec::with_capacity(corners.len() + 1)];
        for k in 0..corners.len() {
            let next = (k + 1) % corners.len();
            let (p, q, h, next_h) = (corners[k], corners[next], heights[k], heights[next]);
            if h <= tolerance {
                sides[0].push(p);
            }
            if h >= -tolerance {
                sides[1].push(p);
            }
            if h.min(next_h) < -tolerance && h.max(next_h) > tolerance {
                let cut = p + (q - p) * (h / (h - next_h));
                sides.iter_mut().for_each(|side| side.push(cut));
            }
        }
        let face = self.face(polygon);
        sides.map(|side| {
            self.push(face, &side);
            self.items.len() as u32 - 1
        })
    }
}

/// The tree: what lies in the plane of a node, behind it and before it.
pub(crate) struct Tree {
    pub(crate) polygons: Polygons,
    nodes: Vec<Node>,
}

struct Node {
    /// True if the eye is before the plane.
    faces_eye: bool,
    on: Vec<u32>,
    /// Behind, before; [`NONE`] if nothing is there.
    children: [u32; 2],
}

const NONE: u32 = u32::MAX;
/// Polygons after cutting that a drawing may have: more would take gigabytes.
pub(crate) const MAX_POLYGONS: usize = 4_000_000;
/// Planes of faces that are tried for a cut.
const CANDIDATES: usize = 6;
/// Polygons that a plane is tried on.
const TRIED_ON: usize = 192;
/// Larger sets may also be cut across an axis.
const LARGE: usize = 24;
/// What a cut polygon costs, beside one that is on the wrong side of an even share.
const CUT_COST: usize = 6;

/// The polygons are too many to be drawn, or became so by cutting.
#[derive(Debug, PartialEq)]
pub(crate) struct TooMany;

/// A set of polygons that is still to be put into a tree, and where it belongs.
struct Task {
    set: Vec<u32>,
    parent: u32,
    side: usize,
}

impl Tree {
    /// Sorts polygons; `planes` are those of the faces, and what is within `tolerance` of a plane lies in it.
    pub(crate) fn of(polygons: Polygons, planes: &[Plane], tolerance: f64) -> Result<Tree, TooMany> {
        let mut tree = Tree { polygons, nodes: Vec::new() };
        let all: Vec<u32> = (0..tree.polygons.len() as u32).collect();
        let mut tasks = vec![Task { set: all, parent: NONE, side: 0 }];
        while let Some(Task { set, parent, side }) = tasks.pop() {
            if set.is_empty() {
                continue;
            }
            if tree.polygons.len() > MAX_POLYGONS {
                return Err(TooMany);
            }
            let mut cut = tree.choose(&set, planes, tolerance);
            let mut parts = tree.part(&set, &cut, tolerance);
            if cut.face == NONE && (parts.behind.len() >= set.len() || parts.before.len() >= set.len()) {
                // Cutting across an axis made nothing smaller; the plane of a face takes at least that face away.
                let face = tree.polygons.face(set[0]);
                cut = Cut { plane: planes[face as usize], face };
                parts = tree.part(&set, &cut, tolerance);
            }
            let node = tree.nodes.len() as u32;
            if parent != NONE {
                tree.nodes[parent as usize].children[side] = node;
            }
            tree.nodes.push(Node {
                faces_eye: cut.plane.normal.z >= 0.0,
                on: parts.on,
                children: [NONE, NONE],
            });
            tasks.push(Task { set: parts.before, parent: node, side: 1 });
            tasks.push(Task { set: parts.behind, parent: node, side: 0 });
        }
        Ok(tree)
    }

    /// All polygons, the farthest first; those in one plane in the order of their faces.
    pub(crate) fn back_to_front(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.polygons.len());
        // The number of a node, and whether what is farther than its plane has been painted.
        let mut stack = vec![(0, false)];
        while let Some((number, is_ready)) = stack.pop() {
            let Some(node) = self.nodes.get(number as usize) else { continue };
            let [far, near] = if node.faces_eye { [0, 1] } else { [1, 0] }.map(|side| node.children[side]);
            if is_ready {
                let start = order.len();
                order.extend_from_slice(&node.on);
                order[start..].sort_by_key(|polygon| (self.polygons.face(*polygon), *polygon));
                stack.push((near, false));
            } else {
                stack.push((number, true));
                stack.push((far, false));
            }
        }
        order
    }

    fn part(&mut self, set: &[u32], cut: &Cut, tolerance: f64) -> Parts {
        let mut parts = Parts { on: Vec::new(), behind: Vec::new(), before: Vec::new() };
        for &polygon in set {
            match cut.side(&self.polygons, polygon, tolerance) {
                Side::On => parts.on.push(polygon),
                Side::Behind => parts.behind.push(polygon),
                Side::Before => parts.before.push(polygon),
                Side::Both => {
                    let [behind, before] = self.polygons.split(polygon, &cut.plane, tolerance);
                    parts.behind.push(behind);
                    parts.before.push(before);
                }
            }
        }
        parts
    }

    /// A plane that cuts few polygons and leaves about as many on either side.
    fn choose(&self, set: &[u32], planes: &[Plane], tolerance: f64) -> Cut {
        let spread = |count: usize| {
            let step = set.len().div_ceil(count).max(1);
            set.iter().copied().step_by(step)
        };
        let of_face = |polygon: u32| {
            let face = self.polygons.face(polygon);
            Cut { plane: planes[face as usize], face }
        };
        let first = of_face(set[0]);
        if set.len() <= 2 {
            return first;
        }
        let mut candidates: Vec<Cut> = spread(CANDIDATES).map(of_face).collect();
        if set.len() > LARGE {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let mut places: Vec<f64> =
                    spread(TRIED_ON).map(|polygon| axis.dot(self.polygons.corners(polygon)[0])).collect();
                places.sort_by(f64::total_cmp);
                let plane = Plane { normal: axis, offset: places[places.len() / 2] };
                candidates.push(Cut { plane, face: NONE });
            }
        }
        let cost = |cut: &Cut| {
            let (mut behind, mut before, mut both, mut on) = (0usize, 0usize, 0usize, 0usize);
            for polygon in spread(TRIED_ON) {
                match cut.side(&self.polygons, polygon, tolerance) {
                    Side::On => on += 1,
                    Side::Behind => behind += 1,
                    Side::Before => before += 1,
                    Side::Both => both += 1,
                }
            }
            CUT_COST * both + behind.abs_diff(before) + behind.max(before) - on.min(behind.max(before))
        };
        candidates.into_iter().min_by_key(cost).unwrap_or(first)
    }
}

struct Parts {
    on: Vec<u32>,
    behind: Vec<u32>,
    before: Vec<u32>,
}

/// A plane to cut with; the number of the face that lies in it, [`NONE`] if it was made up.
#[derive(Clone, Copy)]
struct Cut {
    plane: Plane,
    face: u32,
}

enum Side {
    On,
    Behind,
    Before,
    Both,
}

impl Cut {
    fn side(&self, polygons: &Polygons, polygon: u32, tolerance: f64) -> Side {
        // Whatever its corners say: the polygons of the face go, so that every cut makes the set smaller.
        if polygons.face(polygon) == self.face {
            return Side::On;
        }
        let (lo, hi) = polygons.heights(polygon, &self.plane);
        match (lo < -tolerance, hi > tolerance) {
            (false, false) if self.face != NONE => Side::On,
            (true, true) => Side::Both,
            (_, true) => Side::Before,
            _ => Side::Behind,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    fn area(corners: &[Vec3]) -> f64 {
        let fan = |k: usize| (corners[k] - corners[0]).cross(corners[k + 1] - corners[0]);
        (1..corners.len() - 1).map(fan).sum::<Vec3>().length() / 2.0
    }

    fn plane_of(corners: &[Vec3]) -> Plane {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).try_normalize().unwrap();
        let plane = Plane { normal, offset: normal.dot(corners[0]) };
        if normal.z < 0.0 { plane.flipped() } else { plane }
    }

    fn tree_of(all: &[Vec<Vec3>]) -> Tree {
        let mut polygons = Polygons::default();
        all.iter().zip(0..).for_each(|(corners, face)| polygons.push(face, corners));
        let planes: Vec<Plane> = all.iter().map(|corners| plane_of(corners)).collect();
        Tree::of(polygons, &planes, 1e-9).unwrap()
    }

    #[test]
    fn cutting_keeps_the_area_of_every_face() {
        let mut random = Random::new(5);
        let all: Vec<Vec<Vec3>> = (0..200).map(|_| (0..3).map(|_| random.in_cube(1.0)).collect()).collect();
        let tree = tree_of(&all);
        let mut areas = vec![0.0; all.len()];
        let order = tree.back_to_front();
        assert!(order.len() > 400, "nothing was cut");
        for polygon in order {
            areas[tree.polygons.face(polygon) as usize] += area(tree.polygons.corners(polygon));
        }
        for (found, corners) in areas.iter().zip(&all) {
            assert!((found - area(corners)).abs() < 1e-6, "{found} {}", area(corners));
        }
    }

    #[test]
    fn three_bars_in_a_ring_are_cut() {
        // Each lies over the next one.
        let bar = |turn: f64| {
            let corner = |x: f64, y: f64, z: f64| {
                let (sin, cos) = turn.sin_cos();
                Vec3::new(cos * x - sin * y, sin * x + cos * y, z)
            };
            vec![
                corner(-3.0, -1.5, -0.5),
                corner(3.0, -1.5, 0.5),
                corner(3.0, -1.0, 0.5),
                corner(-3.0, -1.0, -0.5),
            ]
        };
        let third = std::f64::consts::TAU / 3.0;
        let bars = [bar(0.0), bar(third), bar(2.0 * third)];
        let tree = tree_of(&bars);
        assert!(tree.back_to_front().len() > 3);
    }

    #[test]
    fn a_large_smooth_surface_is_not_cut_to_pieces() {
        let (points, faces) = freiraum_testkit::bumpy::geodesic(40);
        let front: Vec<Vec<Vec3>> = faces
            .iter()
            .map(|f| f.iter().map(|i| points[*i as usize]).collect::<Vec<Vec3>>())
            .filter(|c| (c[1] - c[0]).cross(c[2] - c[0]).z > 0.0)
            .collect();
        let tree = tree_of(&front);
        let made = tree.back_to_front().len();
        assert!(made < 2 * front.len(), "{made} of {}", front.len());
    }

    #[test]
    fn nothing_and_flat_polygons() {
        assert!(tree_of(&[]).back_to_front().is_empty());
        let square = vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y];
        // The same square twice, and one a rounding error above: one plane, in the order of the faces.
        let lifted = square.iter().map(|p| *p + 1e-12 * Vec3::Z).collect();
        assert_eq!(tree_of(&[square.clone(), square, lifted]).back_to_front(), [0, 1, 2]);
    }
}
