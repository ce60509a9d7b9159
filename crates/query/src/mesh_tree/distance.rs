//! The distance of two surfaces, with closest points.

use super::MeshTree;
use super::placement::Placement;
use super::walk::{ROOTS, open, slack};
use super::workspace::{Candidate, MeshWorkspace};
use crate::Closest;
use crate::elementary::{Nearest, triangle_triangle};
use freiraum_geometry::{Pose, Vec3};
use std::cmp::Reverse;

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

/// Where the last answer was found: with it the next question about the same two meshes, a little moved, is faster.
///
/// **Guarantee.** It changes the time, never the distance; where several pairs of points are equally close, another pair may
/// be given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshDistanceCache {
    /// Triangles of both trees in the order of their leaves.
    last: Option<[u32; 2]>,
}

/// The distance of the surfaces of two meshes.
///
/// This is about surfaces: a mesh inside a closed one has a distance too; see `relation` for solids.
/// **Guarantee.** Off by a few units of rounding of the largest coordinate involved; 0 exactly if
/// [`any_intersection`](super::any_intersection) finds a pair. **Cost.** Tens of microseconds, growing with the logarithm of the
/// sizes; where large parts of the surfaces are equally far apart (parallel walls), with the number of their faces.
/// No allocation once the workspace has grown.
pub fn surface_distance(
    a: &MeshTree,
    b: &MeshTree,
    a_from_b: &Pose,
    workspace: &mut MeshWorkspace,
    cache: &mut MeshDistanceCache,
) -> MeshDistance {
    let placement = Placement::new(a, b, a_from_b);
    let slack = slack(&placement);
    let mut best = Best::new(a, slack);
    if let Some([i, j]) = cache.last
        && let (Some(&t), Some(&u)) = (a.triangles.get(i as usize), b.triangles.get(j as usize))
    {
        best.offer(triangle_triangle(t, placement.triangle(u)), i, j);
    }
    let MeshWorkspace { heap, stack, .. } = workspace;
    heap.clear();
    stack.clear();
    stack.push(ROOTS);
    // What may overlap comes first, deepest overlap first, as in a search for any intersection; what is known to be
    // apart waits in the heap and comes in the order of its gaps.
    while best.nearest.distance_squared > 0.0 {
        let pair = match stack.pop() {
            Some(pair) => pair,
            None => match heap.pop() {
                Some(Reverse(candidate)) if !(candidate.gap() > best.limit) => candidate.pair,
                _ => break,
            },
        };
        let leaves = [a.leaf(pair.a), b.leaf(pair.b)];
        if let [Some(of_a), Some(of_b)] = leaves {
            for j in of_b {
                let u = placement.triangle(b.triangles[j]);
                for i in of_a.clone() {
                    let t = a.triangles[i];
                    if best.may_improve(&t, &u) {
                        best.offer(triangle_triangle(t, u), i as u32, j as u32);
                    }
                }
            }
            continue;
        }
        let opened = open(a, b, &placement, pair, leaves.map(|l| l.is_some()));
        opened.push_overlaps(slack, stack);
        for lane in 0..opened.len() {
            let gap = opened.gaps[lane];
            if gap > slack && !(gap > best.limit) {
                heap.push(Reverse(Candidate::new(gap, opened.pair(lane))));
            }
        }
    }
    cache.last = Some([best.i, best.j]);
    best.answer(a, b)
}

/// The closest pair so far.
struct Best {
    nearest: Nearest,
    /// Unit vector from a to b, or zero.
    direction: Vec3,
    distance: f64,
    /// Gaps above this cannot lead to a closer pair.
    limit: f32,
    scale: f64,
    slack: f32,
    i: u32,
    j: u32,
}

impl Best {
    fn new(a: &MeshTree, slack: f32) -> Best {
        Best {
            nearest: Nearest {
                distance_squared: f64::INFINITY,
                point_on_a: Vec3::ZERO,
                point_on_b: Vec3::ZERO,
            },
            direction: Vec3::ZERO,
            distance: f64::INFINITY,
            limit: f32::INFINITY,
            scale: a.grid().scale,
            slack,
            i: 0,
            j: 0,
        }
    }

    fn offer(&mut self, nearest: Nearest, i: u32, j: u32) {
        if nearest.distance_squared < self.nearest.distance_squared {
            let (from, to) = (nearest.point_on_a, nearest.point_on_b);
            self.distance = nearest.distance();
            self.direction = (to - from).try_normalize().unwrap_or(Vec3::ZERO);
            self.limit = ((self.distance * self.scale) as f32).next_up() + self.slack;
            self.nearest = nearest;
            (self.i, self.j) = (i, j);
        }
    }

    /// False if the shadows of the triangles on the direction of the best pair are farther apart than that pair.
    #[inline]
    fn may_improve(&self, t: &[Vec3; 3], u: &[Vec3; 3]) -> bool {
        let d = self.direction;
        let high = d.dot(t[0]).max(d.dot(t[1])).max(d.dot(t[2]));
        let low = d.dot(u[0]).min(d.dot(u[1])).min(d.dot(u[2]));
        !(low - high > self.distance)
    }

    fn answer(&self, a: &MeshTree, b: &MeshTree) -> MeshDistance {
        let [p, q, r] = a.triangles[self.i as usize];
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
            face_a: a.faces[self.i as usize],
            face_b: b.faces[self.j as usize],
        }
    }
}
