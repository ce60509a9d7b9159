//! Where the descent into two groups ended last time, and until when that holds.
//!
//! A front is a list of pairs of nodes (or bodies) that together cover all pairs of bodies of two groups. Each was found
//! apart by some distance, or is a pair of bodies that was tested. As long as the two sides of a record together
//! travelled less than the distance, nothing below it can touch, and it is passed over.

use super::body::Bounds;
use super::group::{Member, Placed, moved};
use super::records::{List, Records};
use crate::tree::volume::TurnedBox;
use crate::tree::{Counts, Extent, Rule, Volume, descend::Open};
use freiraum_geometry::shape::HalfSpace;
use freiraum_geometry::tolerance::DISTANCE_RELATIVE;
use freiraum_geometry::{Pose, Vec3};

/// A node of a group's tree, or a body outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Node(u32),
    Outside(u32),
}

/// Two sides and what is known of them.
#[derive(Clone, Debug)]
struct Record<C> {
    sides: [Side; 2],
    /// Openings that led here.
    steps: u32,
    /// Travels of both sides when they were tested; `None` if they were not yet.
    marks: Option<[f64; 2]>,
    /// Distance of the two sides at the marks, or less.
    gap: f64,
    /// What was found where the two touch.
    contact: Option<C>,
}

impl<C> Record<C> {
    fn untested(sides: [Side; 2], steps: u32) -> Record<C> {
        Record { sides, steps, marks: None, gap: 0.0, contact: None }
    }
}

/// The front of two groups, or of one with itself.
#[derive(Clone, Debug)]
pub(super) struct Front {
    pub(super) groups: [u32; 2],
    records: List,
    /// Travels of both groups at the last look, and how far they may come together until the next.
    marks: [f64; 2],
    slack: f64,
    /// Records after the last fresh start.
    fresh_size: usize,
    contacts: usize,
    /// Whether nothing is known: new, told to forget, or ended by an error.
    is_new: bool,
}

/// The memory of all fronts of a set.
#[derive(Clone, Debug)]
pub(super) struct Memory<C> {
    kept: Records<Record<C>>,
    /// Records that are still to be looked at.
    open: Vec<Record<C>>,
}

impl<C> Memory<C> {
    pub(super) fn new() -> Memory<C> {
        Memory { kept: Records::new(), open: Vec::new() }
    }
}

/// What a step needs besides the front.
pub(super) struct Scene<'s, V> {
    pub(super) groups: &'s [Option<Member<V>>],
    pub(super) bodies: &'s [Placed],
    pub(super) rule: &'s dyn Rule,
    /// Pairs of bodies that are never tested, sorted.
    pub(super) ignored: &'s [(u32, u32)],
    /// Whether the distances of earlier steps may be used.
    pub(super) skips: bool,
}

impl<V: Volume> Scene<'_, V> {
    pub(super) fn may_meet(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a.min(b), a.max(b));
        let layers = self.bodies[a as usize].layers.meet(&self.bodies[b as usize].layers);
        layers && self.ignored.binary_search(&(a, b)).is_err()
    }

    /// How much of a distance can be relied on.
    fn trusted(&self, distance: f64, a: u32, b: u32) -> f64 {
        let size = |body: u32| match &self.bodies[body as usize].bounds {
            Bounds::Limited(extent) => 2.0 * extent.radius,
            // The distance from a plane has a closed form.
            Bounds::HalfSpace(_) | Bounds::Unlimited => 0.0,
        };
        (distance - DISTANCE_RELATIVE * (size(a) + size(b))).max(0.0)
    }
}

/// What the test of two bodies found.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding<C> {
    /// They do not touch.
    Apart {
        /// Their distance in metres or any lower bound of it; 0 if nothing is known. It may be too large by
        /// [`DISTANCE_RELATIVE`] of the sizes of the two, as the answers of iterations are.
        distance: f64,
    },
    /// They touch: whatever the caller wants to know about it.
    Touching(C),
}

/// A front grows while its groups are close. Beyond this multiple of its first size (and some) it starts afresh.
const WORN_OUT: usize = 3;

impl Front {
    pub(super) fn new(groups: [u32; 2]) -> Front {
        Front {
            groups,
            records: List::EMPTY,
            marks: [0.0; 2],
            slack: 0.0,
            fresh_size: 0,
            contacts: 0,
            is_new: true,
        }
    }

    /// Starts over at the next look.
    pub(super) fn forget(&mut self) {
        self.is_new = true;
    }

    /// Gives its memory back.
    pub(super) fn dissolve<C>(mut self, memory: &mut Memory<C>) {
        memory.kept.clear(&mut self.records);
    }

    /// Finds the pairs of bodies that touch now: `test(a, b)` is asked where the bounds do not decide, `touch(a, b, c)`
    /// is told of every contact. If a test fails, the front starts over at the next look.
    pub(super) fn look<V: Volume, C, E>(
        &mut self,
        scene: &Scene<'_, V>,
        memory: &mut Memory<C>,
        counts: &mut Counts,
        mut test: impl FnMut(u32, u32) -> Result<Finding<C>, E>,
        mut touch: impl FnMut(u32, u32, &C),
    ) -> Result<(), E> {
        let [Some(a), Some(b)] = self.groups.map(|g| scene.groups[g as usize].as_ref()) else {
            return Ok(());
        };
        let now = [a.travel, b.travel];
        let is_worn_out = self.records.len > WORN_OUT * self.fresh_size + 8;
        let is_fresh = self.is_new || !scene.skips || is_worn_out || a.has_jumped || b.has_jumped;
        if is_fresh {
            self.start(a, b, &mut memory.kept);
        } else if self.contacts == 0 && moved(self.marks, now) < self.slack {
            counts.skipped += 1;
            return Ok(());
        }
        let pair = Pair { scene, members: [a, b], is_one: self.groups[0] == self.groups[1] };
        let Memory { kept, open } = memory;
        open.clear();
        open.extend(kept.take(&mut self.records));
        // In the order of the front: the stack is turned round.
        open.reverse();
        self.is_new = true;
        self.contacts = 0;
        self.slack = f64::INFINITY;
        while let Some(mut record) = open.pop() {
            let travels = [pair.travel(0, record.sides[0]), pair.travel(1, record.sides[1])];
            if let Some(marks) = record.marks {
                let way = moved(marks, travels);
                // Nothing moved at all: what was found still holds, contacts too.
                if way < record.gap || marks == travels {
                    counts.skipped += 1;
                    self.keep(record, way, &pair, kept, &mut touch);
                    continue;
                }
            }
            let bodies = [pair.body(0, record.sides[0]), pair.body(1, record.sides[1])];
            if let [Some(x), Some(y)] = bodies
                && (x == y || !scene.may_meet(x, y))
            {
                continue;
            }
            record.marks = Some(travels);
            record.contact = None;
            record.gap = pair.gap(record.sides, counts);
            if record.gap > 0.0 {
                self.keep(record, 0.0, &pair, kept, &mut touch);
            } else if let [Some(x), Some(y)] = bodies {
                counts.object_tests += 1;
                match test(x.min(y), x.max(y))? {
                    Finding::Apart { distance } => record.gap = scene.trusted(distance, x, y),
                    Finding::Touching(contact) => (record.gap, record.contact) = (0.0, Some(contact)),
                }
                self.keep(record, 0.0, &pair, kept, &mut touch);
            } else {
                pair.open(&record, open);
            }
        }
        self.marks = now;
        self.is_new = false;
        if is_fresh {
            self.fresh_size = self.records.len;
        }
        Ok(())
    }

    /// Books a record whose sides came `way` since its marks.
    fn keep<V: Volume, C>(
        &mut self,
        record: Record<C>,
        way: f64,
        pair: &Pair<'_, V>,
        kept: &mut Records<Record<C>>,
        touch: &mut impl FnMut(u32, u32, &C),
    ) {
        self.slack = self.slack.min((record.gap - way).next_down());
        if let (Some(contact), Some(x), Some(y)) =
            (&record.contact, pair.body(0, record.sides[0]), pair.body(1, record.sides[1]))
        {
            self.contacts += 1;
            touch(x.min(y), x.max(y), contact);
        }
        kept.push(&mut self.records, record);
    }

    /// All pairs of roots and bodies outside.
    fn start<V: Volume, C>(&mut self, a: &Member<V>, b: &Member<V>, kept: &mut Records<Record<C>>) {
        kept.clear(&mut self.records);
        let is_one = self.groups[0] == self.groups[1];
        for (i, first) in sides(a).enumerate() {
            // Of a group with itself, each two once; a tree also with itself, a body not.
            let skip = if is_one { i } else { 0 };
            for second in sides(b).skip(skip) {
                if !(is_one && first == second && matches!(first, Side::Outside(_))) {
                    kept.push(&mut self.records, Record::untested([first, second], 0));
                }
            }
        }
    }
}

/// The tree of a group, if it has one, and its bodies outside.
fn sides<V: Volume>(member: &Member<V>) -> impl Iterator<Item = Side> {
    let root = member.tree.root().map(|_| Side::Node(0));
    root.into_iter().chain((0..member.outside.len() as u32).map(Side::Outside))
}

/// Two groups, or one twice.
struct Pair<'s, V> {
    scene: &'s Scene<'s, V>,
    members: [&'s Member<V>; 2],
    is_one: bool,
}

impl<V: Volume> Pair<'_, V> {
    fn travel(&self, which: usize, side: Side) -> f64 {
        match side {
            Side::Node(node) => self.members[which].node_travel[node as usize],
            Side::Outside(place) => self.outside(which, place).travel,
        }
    }

    fn outside(&self, which: usize, place: u32) -> &Placed {
        &self.scene.bodies[self.members[which].outside[place as usize] as usize]
    }

    /// The body of a leaf or outside the tree; `None` for an inner node.
    fn body(&self, which: usize, side: Side) -> Option<u32> {
        let member = self.members[which];
        match side {
            Side::Node(node) => {
                member.tree.nodes()[node as usize].object().map(|object| member.inside[object as usize])
            }
            Side::Outside(place) => Some(member.outside[place as usize]),
        }
    }

    /// A lower bound on the distance of two sides; zero or less if they may touch.
    fn gap(&self, sides: [Side; 2], counts: &mut Counts) -> f64 {
        let volume = |which: usize, node: u32| &self.members[which].tree.nodes()[node as usize].volume;
        let (gap, tests) = match sides {
            [Side::Node(i), Side::Node(j)] if self.is_one && i == j => (0.0, 0),
            [Side::Node(i), Side::Node(j)] => (volume(0, i).gap(volume(1, j)), 1),
            [Side::Node(i), Side::Outside(j)] => volume_body_gap(volume(0, i), self.outside(1, j)),
            [Side::Outside(i), Side::Node(j)] => volume_body_gap(volume(1, j), self.outside(0, i)),
            [Side::Outside(i), Side::Outside(j)] => body_gap(self.outside(0, i), self.outside(1, j)),
        };
        counts.volume_tests += tests;
        gap
    }

    /// Puts what lies below two sides on the stack; at least one of them is an inner node.
    fn open<C>(&self, record: &Record<C>, open: &mut Vec<Record<C>>) {
        let inner = |which: usize| match record.sides[which] {
            Side::Node(node) => {
                Some(&self.members[which].tree.nodes()[node as usize]).filter(|n| n.object().is_none())
            }
            Side::Outside(_) => None,
        };
        let steps = record.steps + 1;
        let mut push = |a: Side, b: Side| {
            open.push(Record::untested([a, b], steps));
        };
        // Pushed backwards, so that children are visited in their order.
        if let (Some(node), true) = (inner(0), self.is_one && record.sides[0] == record.sides[1]) {
            for i in node.children().rev() {
                for j in (i..node.children().end).rev() {
                    push(Side::Node(i), Side::Node(j));
                }
            }
            return;
        }
        let choice = match (inner(0), inner(1)) {
            (Some(a), Some(b)) => self.scene.rule.open(a.area(), b.area(), record.steps),
            (Some(_), None) => Open::First,
            _ => Open::Second,
        };
        let [a, b] = record.sides;
        let children = |which: usize| inner(which).map_or(0..0, |node| node.children()).rev().map(Side::Node);
        match choice {
            Open::First => children(0).for_each(|child| push(child, b)),
            Open::Second => children(1).for_each(|child| push(a, child)),
            Open::Both => children(0).for_each(|x| children(1).for_each(|y| push(x, y))),
        }
    }
}

/// The gap between a volume and a body outside the trees, and the number of tests that took.
fn volume_body_gap<V: Volume>(volume: &V, body: &Placed) -> (f64, u64) {
    match &body.bounds {
        Bounds::Limited(extent) => (volume_box_gap(volume, extent, &body.world_from_body), 1),
        Bounds::HalfSpace(half_space) => {
            let (normal, offset) = placed(half_space, &body.world_from_body);
            (-volume.reach_along(-normal) - offset - direction_error(volume), 1)
        }
        Bounds::Unlimited => (0.0, 0),
    }
}

/// What the rounding of a turned direction amounts to at the place of a volume.
fn direction_error<V: Volume>(volume: &V) -> f64 {
    32.0 * f64::EPSILON * volume.aabb().reach()
}

/// The box of a body in its own frame, against the box around a volume in the same frame.
fn volume_box_gap<V: Volume>(volume: &V, extent: &Extent, world_from_body: &Pose) -> f64 {
    let axes = world_from_body.rotation_matrix();
    let origin = world_from_body.translation();
    let slack = 32.0 * f64::EPSILON * (origin.length() + extent.bounds.reach()) + direction_error(volume);
    let mut apart = Vec3::ZERO;
    for (i, axis) in [axes.x_axis, axes.y_axis, axes.z_axis].into_iter().enumerate() {
        let (least, most) = (-volume.reach_along(-axis), volume.reach_along(axis));
        let along = axis.dot(origin);
        let gap = (least - along - extent.bounds.max[i]).max(along + extent.bounds.min[i] - most);
        apart[i] = (gap - slack).max(0.0);
    }
    apart.length() * (1.0 - 8.0 * f64::EPSILON)
}

/// The gap between two bodies outside the trees, and the number of tests that took.
fn body_gap(a: &Placed, b: &Placed) -> (f64, u64) {
    match (&a.bounds, &b.bounds) {
        (Bounds::Limited(x), Bounds::Limited(y)) => {
            let x = TurnedBox::of_extent(x, &a.world_from_body);
            (x.gap(&TurnedBox::of_extent(y, &b.world_from_body)), 1)
        }
        (Bounds::Limited(extent), Bounds::HalfSpace(half_space)) => {
            let (normal, offset) = placed(half_space, &b.world_from_body);
            let reach = a.world_from_body.translation().length() + extent.bounds.reach();
            let least = -extent.reach_along(-normal, &a.world_from_body) - 32.0 * f64::EPSILON * reach;
            (least - offset, 1)
        }
        (Bounds::HalfSpace(_), Bounds::Limited(_)) => body_gap(b, a),
        _ => (0.0, 0),
    }
}

/// Normal and offset of a half space in the world; the offset is rounded up.
fn placed(half_space: &HalfSpace, world_from_body: &Pose) -> (Vec3, f64) {
    let normal = world_from_body.rotate(half_space.normal());
    let shift = normal.dot(world_from_body.translation());
    let slack = 32.0 * f64::EPSILON * (world_from_body.translation().length() + half_space.offset().abs());
    (normal, half_space.offset() + shift + slack)
}
