//! Distance from the last answer: what a search has found out stays useful while the bodies move little.
//!
//! A search leaves behind a front: pairs of parts that together make up all pairs of faces, each with a direction on which
//! the shadows of its parts are apart. When body b moves, the shadow of a part of it moves with the centre of that part,
//! and by no more than its radius times the angle of the rotation besides. So one pass over the front, a few operations
//! per pair, tells which pairs have to be looked at again.

use super::distance::{Best, Search};
use super::oriented::directed_gaps;
use super::simd::{Kernel, Lanes, dispatch};
use super::walk::{ROOTS, opens_a};
use super::workspace::{Candidate, MeshWorkspace, Pair};
use super::{MeshTree, WIDTH};
use freiraum_geometry::glam::Vec3A;
use freiraum_geometry::{Pose, Quat, Vec3};

/// What the last answers found: with it the next question about the same two meshes, a little moved, is faster.
///
/// **Use.** One cache per pair of bodies, from step to step. Given other meshes, it starts anew. The first question is as fast
/// as without, the second sets up what the later ones profit from. **Memory.** Some hundred kilobytes.
#[derive(Clone, Debug, Default)]
pub struct MeshDistanceCache {
    names: [u64; 2],
    last: Option<([u32; 2], Pose)>,
    /// Every opening of a pair in the search from the roots and since; empty if there is no front.
    blocks: Vec<Block>,
    /// Their number after the search from the roots.
    first_len: usize,
    /// All rotation since that search: the sum of what a point at distance 1 from the axes has moved by.
    turned: f32,
}

/// The pairs that opening one pair has led to, lane by lane. **Frames.** Directions in frame a, centres in that of b, lengths
/// in units of tree a.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Block {
    /// Unit vector from a to b.
    direction: [[f32; WIDTH]; 3],
    /// Centre of the part of b, in tree coordinates of b.
    center: [[f32; WIDTH]; 3],
    /// The shadow of that centre on the direction, less the gap; -infinity if the pair needs no attention: because it has
    /// been opened itself, or there is none.
    level: [f32; WIDTH],
    /// Radius of the part of b.
    radius: [f32; WIDTH],
    pairs: [Pair; WIDTH],
    /// The rotation up to when the block was made.
    turned: f32,
}

/// A front is made anew when it has grown by this factor: it only ever becomes finer.
const MOST_GROWTH: usize = 2;

/// A front is made anew after this much rotation, about as many radians: gaps along directions found before are then poor.
const MOST_TURNED: f32 = 0.25;

impl MeshDistanceCache {
    /// True if the last question was about the same trees.
    pub(super) fn is_of(&self, search: &Search<'_>) -> bool {
        self.last.is_some() && self.names == [search.a.name, search.b.name]
    }

    /// Begins with other trees.
    pub(super) fn start(&mut self, search: &Search<'_>) {
        self.names = [search.a.name, search.b.name];
        self.blocks.clear();
    }

    pub(super) fn remember(&mut self, search: &Search<'_>, best: &Best) {
        self.last = Some((best.triangles, search.a_from_b));
    }

    pub(super) fn search(&mut self, search: &Search<'_>, best: &mut Best, workspace: &mut MeshWorkspace) {
        let Some((triangles, last_pose)) = self.last else { return };
        best.offer_pair(search, triangles);
        self.turned = (self.turned + angle(last_pose.rotation(), search.a_from_b.rotation())).next_up();
        let MeshWorkspace { fresh, due, .. } = workspace;
        fresh.clear();
        due.clear();
        if self.blocks.len() <= MOST_GROWTH * self.first_len && self.turned < MOST_TURNED {
            let blocks = &self.blocks;
            dispatch(Scan { blocks, search, turned: self.turned, limit: best.limit + search.slack, due });
        }
        // Where too much has come near, a search from the roots is faster.
        let starts_anew = self.blocks.is_empty()
            || self.blocks.len() > MOST_GROWTH * self.first_len
            || !(self.turned < MOST_TURNED)
            || due.len() > self.first_len;
        if starts_anew {
            self.blocks.clear();
            self.turned = 0.0;
            match search.leaves(ROOTS) {
                [Some(of_a), Some(of_b)] => drop(best.offer_leaves(search, of_a, of_b, true)),
                _ => fresh.push(Candidate::new(f32::NEG_INFINITY, ROOTS)),
            }
            self.refine(search, best, fresh);
            self.first_len = self.blocks.len();
        } else {
            // The nearest first, because they bring down the limit for the others.
            due.sort_unstable();
            for &candidate in due.iter() {
                if candidate.gap() > best.limit + search.slack {
                    continue;
                }
                let (block, lane) = (candidate.pair.a as usize, candidate.pair.b as usize);
                let block = &mut self.blocks[block];
                // The scan takes a few roundings more than a gap, hence the slack.
                let gap = candidate.gap() - search.slack;
                if !block.offer_leaves(search, best, lane, gap, self.turned) {
                    block.level[lane] = f32::NEG_INFINITY;
                    fresh.push(Candidate::new(gap, block.pairs[lane]));
                    self.refine(search, best, fresh);
                }
                if best.distance == 0.0 {
                    break;
                }
            }
        }
        if best.distance == 0.0 {
            self.blocks.clear();
        }
    }

    /// Opens pairs and what they lead to, as far as they are not too far apart; until none are left, or surfaces meet.
    fn refine(&mut self, search: &Search<'_>, best: &mut Best, fresh: &mut Vec<Candidate>) {
        while let Some(candidate) = fresh.pop() {
            if best.distance == 0.0 {
                fresh.clear();
                return;
            }
            let leaves = search.leaves(candidate.pair).map(|leaf| leaf.is_some());
            let (mut block, gaps, len) = Block::open(search, candidate.pair, leaves, self.turned);
            let first = fresh.len();
            for (lane, &gap) in gaps.iter().enumerate().take(len) {
                if !(gap > best.limit) && !block.offer_leaves(search, best, lane, gap, self.turned) {
                    // What is opened leaves the front.
                    block.level[lane] = f32::NEG_INFINITY;
                    fresh.push(Candidate::new(gap, block.pairs[lane]));
                }
            }
            // The least gap is taken first.
            fresh[first..].sort_unstable_by(|p, q| q.cmp(p));
            self.blocks.push(block);
        }
    }
}

impl Block {
    /// Offers the triangles of a lane that is a pair of leaves, and notes a better direction for it; false if it is none.
    fn offer_leaves(
        &mut self,
        search: &Search<'_>,
        best: &mut Best,
        lane: usize,
        gap: f32,
        turned: f32,
    ) -> bool {
        let [Some(of_a), Some(of_b)] = search.leaves(self.pairs[lane]) else { return false };
        if let Some(apart) = best.offer_leaves(search, of_a, of_b, !(gap > search.slack))
            && apart.gap > gap
        {
            let center = Vec3A::from(self.center.map(|x| x[lane]));
            // As if found when the block was made: the rotation since then will be taken off again.
            let since = (turned - self.turned) * self.radius[lane];
            self.level[lane] = apart.direction.dot(search.placement.into_a.point(center)) - apart.gap - since;
            for k in 0..3 {
                self.direction[k][lane] = apart.direction[k];
            }
        }
        true
    }

    /// Opens a pair: the block, the gaps of its lanes and the number of lanes in use.
    fn open(search: &Search<'_>, pair: Pair, leaves: [bool; 2], turned: f32) -> (Block, [f32; WIDTH], usize) {
        let (a, b, into_a) = (search.a, search.b, &search.placement.into_a);
        let boxed = |tree: &MeshTree, child: u32| {
            tree.oriented()[child as usize / WIDTH].lane(child as usize % WIDTH)
        };
        let mut block = Block {
            direction: [[0.0; WIDTH]; 3],
            center: [[0.0; WIDTH]; 3],
            level: [f32::NEG_INFINITY; WIDTH],
            radius: [0.0; WIDTH],
            pairs: [pair; WIDTH],
            turned,
        };
        if opens_a(a, b, &search.placement, pair, leaves) {
            let index = a.open(pair.a);
            let own = boxed(b, pair.b);
            let other = into_a.apply(&own);
            let (gaps, directions) = directed_gaps(&a.oriented()[index], &other);
            let len = usize::from(a.nodes[index].len);
            block.direction = directions;
            let radius = other.half.length();
            for lane in 0..len {
                let u = Vec3A::new(directions[0][lane], directions[1][lane], directions[2][lane]);
                block.level[lane] = u.dot(other.center) - gaps[lane];
                block.pairs[lane].a = (index * WIDTH + lane) as u32;
            }
            block.center = own.center.to_array().map(|x| [x; WIDTH]);
            block.radius = [radius; WIDTH];
            (block, gaps, len)
        } else {
            let index = b.open(pair.b);
            let node = &b.oriented()[index];
            let (gaps, directions) = directed_gaps(node, &search.placement.into_b.apply(&boxed(a, pair.a)));
            let gaps = gaps.map(|gap| gap * into_a.scale());
            let len = usize::from(b.nodes[index].len);
            for lane in 0..len {
                // From a to b, in the frame of a.
                let u = Vec3A::new(directions[0][lane], directions[1][lane], directions[2][lane]);
                let u = -into_a.rotate(u);
                let own = node.lane(lane);
                block.level[lane] = u.dot(into_a.point(own.center)) - gaps[lane];
                block.radius[lane] = own.half.length() * into_a.scale();
                block.pairs[lane].b = (index * WIDTH + lane) as u32;
                for k in 0..3 {
                    block.direction[k][lane] = u[k];
                    block.center[k][lane] = own.center[k];
                }
            }
            (block, gaps, len)
        }
    }
}

/// Finds the lanes of all blocks with gaps of at most `limit` at the present pose.
struct Scan<'q> {
    blocks: &'q [Block],
    search: &'q Search<'q>,
    turned: f32,
    limit: f32,
    /// Block and lane of each, in place of a pair.
    due: &'q mut Vec<Candidate>,
}

impl Kernel for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (rows, shift) = self.search.placement.into_a.rows();
        let limit = L::splat(self.limit);
        for (index, block) in self.blocks.iter().enumerate() {
            let c: [L; 3] = [L::load(&block.center[0]), L::load(&block.center[1]), L::load(&block.center[2])];
            let mut shadow = L::splat(0.0);
            for k in 0..3 {
                let row = rows[k];
                let moved =
                    c[0].mul(L::splat(row.x)).add(c[1].mul(L::splat(row.y))).add(c[2].mul(L::splat(row.z)));
                shadow = shadow.add(moved.add(L::splat(shift[k])).mul(L::load(&block.direction[k])));
            }
            let turned = L::splat(self.turned - block.turned);
            let gaps = shadow.sub(L::load(&block.level)).sub(L::load(&block.radius).mul(turned));
            let mut bits = gaps.not_greater(limit);
            if bits == 0 {
                continue;
            }
            let gaps = gaps.store();
            while bits != 0 {
                let lane = bits.trailing_zeros();
                bits &= bits - 1;
                let place = Pair { a: index as u32, b: lane };
                self.due.push(Candidate::new(gaps[lane as usize], place));
            }
        }
    }
}

/// By how much a point at distance 1 from the axis moves at most from one orientation to the other.
fn angle(from: Quat, to: Quat) -> f32 {
    let turn = to * from.conjugate();
    // What moves a point is the chord, 2 sin(angle / 2); chords of steps add up to no less than that of all together.
    let sine = Vec3::new(turn.x, turn.y, turn.z).length();
    (2.0 * sine + 16.0 * f64::EPSILON) as f32 * (1.0 + 4.0 * f32::EPSILON)
}
