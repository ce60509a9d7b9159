//! Distance from the last answer: what was known about the pairs of a search stays useful while the bodies move little.
//!
//! A search leaves behind a front: pairs of parts that together make up all pairs of faces, each with a lower bound of its
//! distance. When body b moves so that no point of it moves by more than m, no distance shrinks by more than m. So only
//! pairs whose bound, less all movement since, has come down to the present distance have to be looked at again.

use super::distance::{Best, Search};
use super::oriented::gaps;
use super::walk::ROOTS;
use super::workspace::{Candidate, MeshWorkspace, Pair};
use super::{MeshTree, WIDTH};
use freiraum_geometry::{Pose, Vec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What the last answers found: with it the next question about the same two meshes, a little moved, is faster.
///
/// **Use.** One cache per pair of bodies, from step to step. Given other meshes, it starts anew. The first question is as fast
/// as without, the second sets up what the later ones profit from. **Memory.** Some ten kilobytes, up to a megabyte on long
/// paths.
#[derive(Clone, Debug, Default)]
pub struct MeshDistanceCache {
    names: [u64; 2],
    last: Option<([u32; 2], Pose)>,
    /// Pairs with their bounds, each as large as it was plus the movement up to then; empty if there is no front.
    front: BinaryHeap<Reverse<Candidate>>,
    /// Size of the front after the search from the roots.
    first_len: usize,
    /// All movement since that search, in units of tree a.
    moved: f64,
}

/// A front may grow by this factor before it is made anew: it only ever becomes finer.
const MOST_GROWTH: usize = 3;

/// A front is made anew when the bodies have moved this far, in tree units: bounds are kept in single precision.
const MOST_MOVED: f64 = 8.0;

impl MeshDistanceCache {
    /// True if the last question was about the same trees.
    pub(super) fn is_of(&self, search: &Search<'_>) -> bool {
        self.last.is_some() && self.names == [search.a.name, search.b.name]
    }

    /// Begins with other trees.
    pub(super) fn start(&mut self, search: &Search<'_>) {
        self.names = [search.a.name, search.b.name];
        self.front.clear();
    }

    pub(super) fn remember(&mut self, search: &Search<'_>, best: &Best) {
        self.last = Some((best.triangles, search.a_from_b));
    }

    pub(super) fn search(&mut self, search: &Search<'_>, best: &mut Best, workspace: &mut MeshWorkspace) {
        let Some((triangles, last_pose)) = self.last else { return };
        best.offer_pair(search, triangles);
        if best.distance == 0.0 {
            self.front.clear();
            return;
        }
        let step = movement(search.b, &last_pose, &search.a_from_b) * search.a.grid.scale;
        self.moved += step;
        let MeshWorkspace { fresh, done, .. } = workspace;
        fresh.clear();
        done.clear();
        let is_worn = self.front.len() > MOST_GROWTH * self.first_len || !(self.moved < MOST_MOVED);
        let starts_anew = self.front.is_empty() || is_worn || !(step < best.distance * search.a.grid.scale);
        if starts_anew {
            self.front.clear();
            self.moved = 0.0;
            fresh.push(Candidate::new(f32::NEG_INFINITY, ROOTS));
        }
        // Rounded so that bounds only ever become too low.
        let moved = self.moved as f32;
        let stored = |gap: f32| (gap + moved).next_down().next_down();
        while best.distance > 0.0 {
            // Pairs whose gap is known for this pose come first.
            let candidate = match fresh.pop() {
                Some(candidate) => candidate,
                None => {
                    let limit = (best.limit + moved).next_up().next_up();
                    match self.front.peek() {
                        Some(Reverse(top)) if !(top.gap() > limit) => {}
                        _ => break,
                    }
                    let Some(Reverse(top)) = self.front.pop() else { break };
                    Candidate::new(gap(search, top.pair), top.pair)
                }
            };
            if candidate.gap() > best.limit {
                // Back to the front, but not before this question is answered, or it might come up again at once.
                done.push(Candidate::new(stored(candidate.gap()), candidate.pair));
                continue;
            }
            let leaves = search.leaves(candidate.pair);
            if let [Some(of_a), Some(of_b)] = leaves {
                let bound = best.offer_leaves(search, of_a, of_b, !(candidate.gap() > search.slack));
                let bound = stored(candidate.gap().max(bound - search.slack));
                done.push(Candidate::new(bound, candidate.pair));
                continue;
            }
            let opened = search.open(candidate.pair, leaves.map(|l| l.is_some()));
            let first = fresh.len();
            for lane in 0..opened.len() {
                let next = Candidate::new(opened.gaps[lane], opened.pair(lane));
                if next.gap() > best.limit {
                    self.front.push(Reverse(Candidate::new(stored(next.gap()), next.pair)));
                } else {
                    fresh.push(next);
                }
            }
            // The least gap is taken first.
            fresh[first..].sort_unstable_by(|p, q| q.cmp(p));
        }
        if best.distance == 0.0 {
            self.front.clear();
            return;
        }
        self.front.extend(done.drain(..).map(Reverse));
        if starts_anew {
            self.first_len = self.front.len();
        }
    }
}

/// The gap of a pair, in units of tree a; see [`gaps`].
fn gap(search: &Search<'_>, pair: Pair) -> f32 {
    let lane =
        |tree: &MeshTree, child: u32| tree.oriented[child as usize / WIDTH].lane(child as usize % WIDTH);
    let b = search.placement.into_a.apply(&lane(search.b, pair.b));
    gaps(&search.a.oriented[pair.a as usize / WIDTH], &b)[pair.a as usize % WIDTH]
}

/// How far a point of body b moves at most from one pose to the other, in metres.
fn movement(b: &MeshTree, from: &Pose, to: &Pose) -> f64 {
    let whole = b.oriented[0].lane(0);
    let center = b.grid.center + whole.center.as_dvec3() / b.grid.scale;
    let radius = whole.half.as_dvec3().length() / b.grid.scale;
    let turn = to.rotation() * from.rotation().conjugate();
    // A rotation moves a point by twice its distance from the axis times the sine of half the angle.
    let turned = 2.0 * Vec3::new(turn.x, turn.y, turn.z).length() * radius;
    let shifted = to.transform_point(center).distance(from.transform_point(center));
    // The parts below f64 rounding count too: slack in the last digits of the poses.
    let reach = center.length() + radius + to.translation().length() + from.translation().length();
    (turned + shifted) * (1.0 + 8.0 * f64::EPSILON) + 32.0 * f64::EPSILON * reach
}
