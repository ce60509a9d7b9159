//! Which bodies come near each other in a step, nearest boxes first, without looking at all pairs.
//!
//! A body *stays* in one place from the end of one of its motions to the beginning of the next. One bounding tree holds the boxes of all stays of
//! a plan, each with the stages that it lasts, so that one tree serves every stage. What moves in a stage is sought in it best first: a queue
//! holds nodes and pairs by the least distance that their boxes allow, and what comes out of it is no farther than everything that is left.
//! Bodies that move are sought among each other in the same way, in a tree over the boxes of their ways.
//!
//! So a stage costs in proportion to what moves and what is near, and a check in proportion to the bodies and their motions.

use crate::timeline::{Stage, Timeline};
use freiraum_geometry::tolerance::RESTING_RELATIVE;
use freiraum_geometry::{Aabb, Pose};
use freiraum_motion::SweptAabbs;
use freiraum_motion::swept_aabbs::{Margin, placed};
use freiraum_query::broad_phase::BroadPhaseKind;
use freiraum_query::tree::build::SurfaceArea;
use freiraum_query::tree::{Builder, Counts, Tree};
use freiraum_scene::Travel;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A box around a body in its own frame, `None` if it has no end.
pub(crate) type Bounds = Option<Aabb>;

/// Two bodies, and a lower bound of their distance in metres.
pub(crate) type Near = ([usize; 2], f64);

/// Whether boxes with this gap may touch, or are less than `within` metres apart.
pub(crate) fn is_near(gap: f64, within: f64) -> bool {
    gap == 0.0 || gap < within
}

/// All pairs of bodies whose boxes are near each other where they stand, the lower number first, in ascending order.
pub(crate) fn standing_near(bounds: &[Bounds], poses: &[Pose], within: f64) -> Vec<Near> {
    standing_near_counted(bounds, poses, within, &mut Counts::default())
}

fn standing_near_counted(bounds: &[Bounds], poses: &[Pose], within: f64, counts: &mut Counts) -> Vec<Near> {
    let boxes: Vec<Aabb> =
        bounds.iter().zip(poses).map(|(bounds, pose)| box_at(bounds.as_ref(), pose)).collect();
    let mut broad = BroadPhaseKind::DynamicTree.start();
    for (key, bounds) in (0u32..).zip(&boxes) {
        broad.set(key, wider(bounds, 0.5 * within));
    }
    let mut pairs = Vec::new();
    broad.pairs(&mut pairs, counts);
    let pairs = pairs.into_iter().map(|(a, b)| [a as usize, b as usize]);
    let near = pairs.map(|[a, b]| ([a, b], boxes[a].gap(&boxes[b])));
    near.filter(|(_, gap)| is_near(*gap, within)).collect()
}

/// Gaps that count as contact are left to the pairs themselves.
fn margin(bounds: Option<&Aabb>) -> Margin {
    let size = bounds.map_or(0.0, |bounds| bounds.size().length());
    Margin { length: RESTING_RELATIVE * size, share: 0.0 }
}

/// The box in the world of a body that stays.
fn box_at(bounds: Option<&Aabb>, pose: &Pose) -> Aabb {
    placed(bounds, pose, margin(bounds))
}

/// A box with this much more on every side, rounded outwards.
fn wider(bounds: &Aabb, more: f64) -> Aabb {
    let (min, max) = (bounds.min - more, bounds.max + more);
    Aabb { min: min.map(f64::next_down), max: max.map(f64::next_up) }
}

/// A body that stays where it is for some stages.
struct Stay {
    body: usize,
    bounds: Aabb,
    /// The first stage and the last one.
    stages: [u32; 2],
}

/// Where bodies stay, in all stages of a plan.
pub(crate) struct Stays {
    /// Those with a finite box, as the tree numbers them.
    finite: Vec<Stay>,
    tree: BoxTree,
    /// For every node of the tree the first and the last stage of what is below it.
    stages: Vec<[u32; 2]>,
    /// Those without an end.
    endless: Vec<Stay>,
}

impl Stays {
    /// Of all stages of a plan.
    pub(crate) fn of(timeline: &Timeline, bounds: &[Bounds]) -> Stays {
        Stays::of_stages(&timeline.stages, bounds)
    }

    /// Of stages that follow each other.
    pub(crate) fn of_stages(stages: &[Stage], bounds: &[Bounds]) -> Stays {
        let mut all = Vec::with_capacity(bounds.len());
        let mut add = |body: usize, first: usize, end: usize| {
            if first < end {
                let pose = &stages[first].before[body];
                let bounds = box_at(bounds[body].as_ref(), pose);
                all.push(Stay { body, bounds, stages: [first as u32, end as u32 - 1] });
            }
        };
        let mut since = vec![0; bounds.len()];
        for (number, stage) in stages.iter().enumerate() {
            for body in stage.movers.iter().flat_map(|mover| &mover.bodies) {
                add(*body, since[*body], number);
                since[*body] = number + 1;
            }
        }
        for (body, since) in since.iter().enumerate() {
            add(body, *since, stages.len());
        }
        let (finite, endless): (Vec<Stay>, Vec<Stay>) =
            all.into_iter().partition(|stay| is_finite(&stay.bounds));
        let tree = BoxTree::of(&finite.iter().map(|stay| stay.bounds).collect::<Vec<_>>());
        let stages =
            tree.gathered(|stay| finite[stay].stages, |[a, b], [c, d]: [u32; 2]| [a.min(c), b.max(d)]);
        Stays { finite, tree, stages, endless }
    }

    /// The pairs that move against each other in a stage, nearest boxes first.
    pub(crate) fn nearest<'n>(&'n self, number: usize, stage: &Stage, bounds: &[Bounds]) -> Nearest<'n> {
        Nearest::of(self, number as u32, stage, bounds)
    }
}

/// A tree of finite boxes; one without boxes has no nodes.
struct BoxTree(Option<Tree<Aabb>>);

impl BoxTree {
    fn of(boxes: &[Aabb]) -> BoxTree {
        BoxTree(Tree::of_volumes(&SurfaceArea.form(boxes), boxes).filter(|tree| !tree.is_empty()))
    }

    /// For every node what `join` makes of `of` all objects below it.
    fn gathered<T: Copy>(&self, of: impl Fn(usize) -> T, join: impl Fn(T, T) -> T) -> Vec<T> {
        let Some(tree) = &self.0 else { return Vec::new() };
        let nodes = tree.nodes();
        let mut found: Vec<Option<T>> = vec![None; nodes.len()];
        // Children stand behind their parents.
        for (number, node) in nodes.iter().enumerate().rev() {
            found[number] = match node.object() {
                Some(object) => Some(of(object as usize)),
                None => node.children().filter_map(|child| found[child as usize]).reduce(&join),
            };
        }
        found.into_iter().flatten().collect()
    }
}

/// A body that moves in a stage.
struct Moving {
    body: usize,
    /// The number of its mover.
    mover: usize,
    way: SweptAabbs,
}

/// Gives the pairs that move against each other in a stage, nearest boxes first, those with equal gaps in the order of their numbers. The first body of
/// a pair moves; of two that move it is the one with the lower number.
pub(crate) struct Nearest<'n> {
    stays: &'n Stays,
    stage: u32,
    moving: Vec<Moving>,
    /// Over those that move and have an end, and their numbers in `moving`.
    moving_tree: BoxTree,
    in_tree: Vec<usize>,
    queue: BinaryHeap<Entry>,
    /// How many pairs there are in all.
    count: usize,
}

impl<'n> Nearest<'n> {
    fn of(stays: &'n Stays, number: u32, stage: &Stage, bounds: &[Bounds]) -> Nearest<'n> {
        let moving = moving(stage, bounds);
        let in_tree: Vec<usize> =
            (0..moving.len()).filter(|one| is_finite(moving[*one].way.whole())).collect();
        let boxes: Vec<Aabb> = in_tree.iter().map(|one| *moving[*one].way.whole()).collect();
        // One mover alone does not move against itself.
        let moving_tree = BoxTree::of(if stage.movers.len() > 1 { &boxes } else { &[] });
        let count = count_of_pairs(stage, moving.len(), bounds.len());
        let mut nearest =
            Nearest { stays, stage: number, moving, moving_tree, in_tree, queue: BinaryHeap::new(), count };
        nearest.begin();
        nearest
    }

    /// How many pairs move against each other in the stage, near or far.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The next pair, if its gap is less than `within`, or nothing.
    pub(crate) fn next_within(&mut self, within: f64) -> Option<Near> {
        while let Some(entry) = self.queue.peek() {
            if !is_near(entry.gap, within) {
                return None;
            }
            let entry = self.queue.pop()?;
            match entry.what {
                What::Pair(pair) => return Some((pair.map(|body| body as usize), entry.gap)),
                What::Standing { one, node } => self.open_standing(one, node),
                What::Moving { one, node } => self.open_moving(one, node),
            }
        }
        None
    }

    /// Puts the roots of both trees into the queue, and what is in none.
    fn begin(&mut self) {
        for one in 0..self.moving.len() {
            for stay in &self.stays.endless {
                if lasts(stay.stages, self.stage) {
                    self.queue.push(pair_of(&self.moving[one], stay));
                }
            }
            self.add_standing(one, 0);
            if is_finite(self.moving[one].way.whole()) {
                self.add_moving(one, 0);
            } else {
                self.add_endless(one);
            }
        }
    }

    /// All pairs of one that moves and has no end with others that move: each of two such ones does it for those before it.
    fn add_endless(&mut self, one: usize) {
        for other in 0..self.moving.len() {
            if other < one || is_finite(self.moving[other].way.whole()) {
                self.add_pair(one, other);
            }
        }
    }

    fn add_standing(&mut self, one: usize, node: u32) {
        let Some(tree) = &self.stays.tree.0 else { return };
        if lasts(self.stays.stages[node as usize], self.stage) {
            let gap = self.moving[one].way.gap_to(&tree.nodes()[node as usize].volume);
            self.queue.push(Entry { gap, what: What::Standing { one, node } });
        }
    }

    fn open_standing(&mut self, one: usize, node: u32) {
        let Some(tree) = &self.stays.tree.0 else { return };
        let node = &tree.nodes()[node as usize];
        if let Some(stay) = node.object() {
            self.queue.push(pair_of(&self.moving[one], &self.stays.finite[stay as usize]));
        }
        for child in node.children() {
            self.add_standing(one, child);
        }
    }

    fn add_moving(&mut self, one: usize, node: u32) {
        let Some(tree) = &self.moving_tree.0 else { return };
        let gap = self.moving[one].way.gap_to(&tree.nodes()[node as usize].volume);
        self.queue.push(Entry { gap, what: What::Moving { one, node } });
    }

    fn open_moving(&mut self, one: usize, node: u32) {
        let Some(tree) = &self.moving_tree.0 else { return };
        let (object, children) =
            (tree.nodes()[node as usize].object(), tree.nodes()[node as usize].children());
        if let Some(object) = object {
            let other = self.in_tree[object as usize];
            // Both find the pair; the one with the lower number tells it.
            if self.moving[one].body < self.moving[other].body {
                self.add_pair(one, other);
            }
        }
        for child in children {
            self.add_moving(one, child);
        }
    }

    /// Two that move, if they do not move as one.
    fn add_pair(&mut self, one: usize, other: usize) {
        let (a, b) = (&self.moving[one], &self.moving[other]);
        if a.mover != b.mover {
            let pair = [a.body.min(b.body), a.body.max(b.body)].map(|body| body as u32);
            self.queue.push(Entry { gap: a.way.gap(&b.way), what: What::Pair(pair) });
        }
    }
}

/// What moves in a stage, and how.
fn moving(stage: &Stage, bounds: &[Bounds]) -> Vec<Moving> {
    let mut found = Vec::new();
    for (number, mover) in stage.movers.iter().enumerate() {
        let is_straight = matches!(mover.travel(), Some(Travel::Translate(_)));
        for &body in &mover.bodies {
            let motion = mover.motion(body, &stage.before);
            let swept = if is_straight { SweptAabbs::straight } else { SweptAabbs::moving };
            let bounds = bounds[body].as_ref();
            found.push(Moving { body, mover: number, way: swept(bounds, &*motion, margin(bounds)) });
        }
    }
    found
}

/// All pairs of which one moves, but for those that move as one.
fn count_of_pairs(stage: &Stage, moving: usize, bodies: usize) -> usize {
    let within = |count: usize| count * count.saturating_sub(1) / 2;
    let as_one: usize = stage.movers.iter().map(|mover| within(mover.bodies.len())).sum();
    moving * (bodies - moving) + within(moving) - as_one
}

fn pair_of(one: &Moving, stay: &Stay) -> Entry {
    let gap = one.way.gap_to(&stay.bounds);
    Entry { gap, what: What::Pair([one.body as u32, stay.body as u32]) }
}

fn lasts([first, last]: [u32; 2], stage: u32) -> bool {
    first <= stage && stage <= last
}

fn is_finite(bounds: &Aabb) -> bool {
    bounds.min.is_finite() && bounds.max.is_finite()
}

/// Something in the queue.
struct Entry {
    /// A lower bound of the distance of all pairs in it.
    gap: f64,
    what: What,
}

/// In the order in which things with equal gaps are looked at: nodes before pairs, so that all pairs with one gap are known before the first of
/// them is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// One that moves, and a node of the tree of stays.
    Standing { one: usize, node: u32 },
    /// One that moves, and a node of the tree of those that move.
    Moving { one: usize, node: u32 },
    /// Numbers of bodies.
    Pair([u32; 2]),
}

impl Ord for Entry {
    /// The queue gives the greatest first: that with the least gap.
    fn cmp(&self, other: &Entry) -> Ordering {
        other.gap.total_cmp(&self.gap).then(other.what.cmp(&self.what))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

#[cfg(test)]
mod tests;
