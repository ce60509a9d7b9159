//! The distance of two surfaces, with closest points.

use super::MeshTree;
use super::far::far;
use super::front::MeshDistanceCache;
use super::intersect::boxes_meet;
use super::leaves::LeafPairs;
use super::node::LEAF_SIZE;
use super::placement::Placement;
use super::walk::{Opened, ROOTS, open, slack};
use super::workspace::{Candidate, MeshWorkspace, Pair};
use crate::Closest;
use crate::elementary::{Nearest, triangle_triangle, triangles_intersect};
use freiraum_geometry::glam::Vec3A;
use freiraum_geometry::math::rounding;
use freiraum_geometry::{Pose, Vec3};
use std::cmp::Reverse;
use std::ops::Range;

/// The closest points of two surfaces and the faces they lie on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshDistance {
    /// Distance and points in the frame of a; the distance is 0 where the surfaces meet. The normal of surfaces that
    /// meet is that of the face of a.
    pub closest: Closest,
    /// The face of mesh a.
    pub face_a: u32,
    /// The face of mesh b.
    pub face_b: u32,
}

/// The distance of the surfaces of two meshes.
///
/// This is about surfaces: a mesh inside a closed one has a distance too; see [`relation`](super::relation()) for solids.
/// With a cache that has seen the same two meshes before, a little moved, the answer comes several times faster; a
/// fresh cache serves a single question.
/// **Guarantee.** Off by a few units of rounding of the largest coordinate involved; 0 exactly if
/// [`any_intersection`](super::any_intersection) finds a pair. The cache changes the time, never the distance; where
/// several pairs of points are equally close, another pair may be given. **Cost.** Tens of microseconds, growing with the
/// logarithm of the sizes; where large parts of the surfaces are equally far apart (parallel walls), with the number of
/// their faces. No allocation once workspace and cache have grown.
pub fn surface_distance(
    a: &MeshTree,
    b: &MeshTree,
    a_from_b: &Pose,
    workspace: &mut MeshWorkspace,
    cache: &mut MeshDistanceCache,
) -> MeshDistance {
    let search = Search::new(a, b, a_from_b);
    let mut best = Best::new(&search);
    if search.is_far() {
        far(&search, &mut best, workspace);
        cache.start(&search);
    } else if cache.is_of(&search) {
        cache.search(&search, &mut best, workspace);
    } else {
        cold(&search, &mut best, workspace);
        cache.start(&search);
    }
    cache.remember(&search, &best);
    best.answer(&search)
}

/// What one question is about.
pub(super) struct Search<'q> {
    pub(super) a: &'q MeshTree,
    pub(super) b: &'q MeshTree,
    pub(super) a_from_b: Pose,
    pub(super) placement: Placement,
    /// Bound on the rounding of gaps, in units of tree a.
    pub(super) slack: f32,
    /// Bound on the rounding of products of a unit vector and a point in either frame, in metres.
    pub(super) rounding: f64,
}

impl Search<'_> {
    pub(super) fn new<'q>(a: &'q MeshTree, b: &'q MeshTree, a_from_b: &Pose) -> Search<'q> {
        let placement = Placement::new(a, b, a_from_b);
        let slack = slack(&placement);
        let reach = |tree: &MeshTree| tree.grid.center.length() + 2.0 / tree.grid.scale;
        let rounding = rounding::coordinate(reach(a) + reach(b) + a_from_b.translation().length());
        Search { a, b, a_from_b: *a_from_b, placement, slack, rounding }
    }

    #[inline]
    pub(super) fn leaves(&self, pair: Pair) -> [Option<Range<usize>>; 2] {
        [self.a.leaf(pair.a), self.b.leaf(pair.b)]
    }

    #[inline]
    pub(super) fn open(&self, pair: Pair, leaves: [bool; 2]) -> Opened {
        open(self.a, self.b, &self.placement, pair, leaves)
    }
}

/// A search from the roots.
fn cold(search: &Search<'_>, best: &mut Best, workspace: &mut MeshWorkspace) {
    let MeshWorkspace { heap, stack, .. } = workspace;
    heap.clear();
    stack.clear();
    stack.push(ROOTS);
    // What may overlap comes first, deepest overlap first, as in a search for any intersection; what is known to be
    // apart waits in the heap and comes in the order of its gaps.
    while best.distance > 0.0 {
        let (pair, may_meet) = match stack.pop() {
            Some(pair) => (pair, true),
            None => match heap.pop() {
                Some(Reverse(candidate)) if !(candidate.gap() > best.limit) => (candidate.pair, false),
                _ => break,
            },
        };
        let leaves = search.leaves(pair);
        if let [Some(of_a), Some(of_b)] = leaves {
            best.offer_leaves(search, of_a, of_b, may_meet);
            continue;
        }
        let opened = search.open(pair, leaves.map(|l| l.is_some()));
        opened.push_overlaps(search.slack, stack);
        for lane in 0..opened.len() {
            let gap = opened.gaps[lane];
            if gap > search.slack && !(gap > best.limit) {
                heap.push(Reverse(Candidate::new(gap, opened.pair(lane))));
            }
        }
    }
}

/// The closest pair so far.
pub(super) struct Best {
    nearest: Nearest,
    pub(super) distance: f64,
    /// Gaps above this cannot lead to a closer pair.
    pub(super) limit: f32,
    /// Unit vector from a to b (or zero), the same in the frame of b, and its product with the translation.
    direction: (Vec3, Vec3, f64),
    scale: f64,
    slack: f32,
    /// Triangles of both trees in the order of their leaves.
    pub(super) triangles: [u32; 2],
}

impl Best {
    pub(super) fn new(search: &Search<'_>) -> Best {
        Best {
            nearest: Nearest {
                distance_squared: f64::INFINITY,
                point_on_a: Vec3::ZERO,
                point_on_b: Vec3::ZERO,
            },
            distance: f64::INFINITY,
            limit: f32::INFINITY,
            direction: (Vec3::ZERO, Vec3::ZERO, 0.0),
            scale: search.a.grid.scale,
            slack: search.slack,
            triangles: [0; 2],
        }
    }

    fn offer(&mut self, search: &Search<'_>, nearest: Nearest, triangles: [u32; 2]) {
        if nearest.distance_squared < self.nearest.distance_squared {
            self.distance = nearest.distance();
            self.limit = ((self.distance * self.scale) as f32).next_up() + self.slack;
            let n = (nearest.point_on_b - nearest.point_on_a).try_normalize().unwrap_or(Vec3::ZERO);
            self.direction =
                (n, search.placement.rotation.transpose() * n, n.dot(search.placement.translation));
            self.nearest = nearest;
            self.triangles = triangles;
        }
    }

    /// Offers one pair of triangles.
    pub(super) fn offer_pair(&mut self, search: &Search<'_>, [i, j]: [u32; 2]) {
        let u = search.placement.triangle(search.b.triangles[j as usize]);
        self.offer(search, triangle_triangle(search.a.triangles[i as usize], u), [i, j]);
    }

    /// Offers all pairs of two leaves, `may_meet` unless they are known to be apart. Returns a direction on which the
    /// shadows of the leaves are apart, where one has been found.
    pub(super) fn offer_leaves(
        &mut self,
        search: &Search<'_>,
        of_a: Range<usize>,
        of_b: Range<usize>,
        may_meet: bool,
    ) -> Option<Separation> {
        let ts = &search.a.triangles[of_a.clone()];
        if !may_meet && let Some(apart) = self.shadows(search, ts, &search.b.triangles[of_b.clone()]) {
            return Some(apart);
        }
        let mut us = [[Vec3::ZERO; 3]; LEAF_SIZE];
        for (u, t) in us.iter_mut().zip(&search.b.triangles[of_b.clone()]) {
            *u = search.placement.triangle(*t);
        }
        let us = &us[..of_b.len()];
        let name = |i: usize, j: usize| [(of_a.start + i) as u32, (of_b.start + j) as u32];
        if may_meet {
            for (j, u) in us.iter().enumerate() {
                if let Some(i) = ts.iter().position(|t| boxes_meet(t, u) && triangles_intersect(*t, *u)) {
                    self.offer(search, triangle_triangle(ts[i], *u), name(i, j));
                    return None;
                }
            }
        }
        let (mut least, mut direction) = (f32::INFINITY, Vec3A::ZERO);
        LeafPairs::new(ts, us, self.scale).bounds(|[i, j], bound, n| {
            if bound < least {
                (least, direction) = (bound, n);
            }
            if !(bound > self.limit) && self.may_improve(search, &ts[i], &us[j]) {
                self.offer(search, triangle_triangle(ts[i], us[j]), name(i, j));
            }
        });
        // The direction of the closest two triangles often separates the leaves as a whole.
        let n = direction.as_dvec3();
        let gap = shadow_gap(n, ts, n, us, 0.0) - search.rounding;
        Some(Separation { direction, gap: ((gap * self.scale) as f32).next_down() })
    }

    /// False if the triangles are no closer than the closest pair so far but for rounding, seen along its direction.
    #[inline]
    fn may_improve(&self, search: &Search<'_>, t: &[Vec3; 3], u: &[Vec3; 3]) -> bool {
        let n = self.direction.0;
        !(shadow_gap(n, &[*t], n, &[*u], 0.0) >= self.distance - search.rounding)
    }

    /// The gap between the shadows of two leaves on the direction of the closest pair so far, if it exceeds the distance of that
    /// pair: then none of their triangles is closer.
    #[inline]
    fn shadows(&self, search: &Search<'_>, ts: &[[Vec3; 3]], us: &[[Vec3; 3]]) -> Option<Separation> {
        let (n, n_in_b, shift) = self.direction;
        let gap = shadow_gap(n, ts, n_in_b, us, shift) - search.rounding;
        let apart = Separation { direction: n.as_vec3a(), gap: ((gap * self.scale) as f32).next_down() };
        (gap > self.distance).then_some(apart)
    }

    fn answer(&self, search: &Search<'_>) -> MeshDistance {
        let [i, j] = self.triangles.map(|k| k as usize);
        let [p, q, r] = search.a.triangles[i];
        let normal = (self.nearest.point_on_b - self.nearest.point_on_a)
            .try_normalize()
            .or_else(|| (q - p).cross(r - p).try_normalize())
            .unwrap_or(Vec3::Z);
        MeshDistance {
            closest: Closest {
                distance: self.distance,
                point_on_a: self.nearest.point_on_a,
                point_on_b: self.nearest.point_on_b,
                normal,
            },
            face_a: search.a.faces[i],
            face_b: search.b.faces[j],
        }
    }
}

/// A direction from a to b, and how far apart the shadows of two leaves on it are at least, in units of tree a.
pub(super) struct Separation {
    pub(super) direction: Vec3A,
    pub(super) gap: f32,
}

/// The gap between the shadows of two sets of triangles on a direction; the second set may be given in a frame of its own, with
/// the direction in it and the shift of its origin along the direction.
#[inline]
fn shadow_gap(n: Vec3, ts: &[[Vec3; 3]], n_of_us: Vec3, us: &[[Vec3; 3]], shift: f64) -> f64 {
    let high = ts.as_flattened().iter().fold(f64::NEG_INFINITY, |high, p| high.max(n.dot(*p)));
    let low = us.as_flattened().iter().fold(f64::INFINITY, |low, p| low.min(n_of_us.dot(*p)));
    low + shift - high
}
