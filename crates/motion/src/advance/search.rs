//! The search through pairs of parts, the one that is proven apart for the shortest time first.

use super::boxes::{self, Apart, BoxView, Boxes, Part, PartBox, TRIANGLE};
use super::instant::{Instant, Mover};
use super::last::{Last, Near, meet, nearest, round, signed_gap, widest};
use super::round::Cores;
use super::triangles::Corners;
use super::{Advanced, AdvancedContact, half_space};
use crate::cancel::CancelToken;
use crate::movable::{Form, Piece};
use crate::triangles::latest;
use crate::verdict::Limits;
use freiraum_geometry::math::{power_of_two, rounding};
use freiraum_geometry::path::Uniform;
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_geometry::tolerance::{ADVANCE_RELATIVE, DISTANCE_RELATIVE};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::convex::{ConvexBody, NO_VERTEX, Points};
use freiraum_query::mesh_tree::MeshTree;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Memory that searches use again.
#[derive(Debug, Default)]
pub(crate) struct AdvanceMemory {
    heap: BinaryHeap<Reverse<Candidate>>,
    boxes: [Boxes; 2],
    pub(super) times: Vec<f64>,
    pub(crate) cancel: CancelToken,
}

/// A pair of parts and the time up to which they are proven apart.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    time: f64,
    parts: [Part; 2],
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Candidate) -> Ordering {
        // Parts break ties, so that the order does not depend on how the heap was filled.
        self.time.total_cmp(&other.time).then_with(|| self.parts.cmp(&other.parts))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Candidate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A piece that is searched.
enum Side<'p> {
    Tree(&'p MeshTree),
    Round(&'p Shape),
    HalfSpace(HalfSpace),
}

pub(super) struct Search<'p> {
    sides: [Side<'p>; 2],
    roots: [PartBox; 2],
    /// Bounds of the acceleration of the cores of round pieces.
    cores: [Option<f64>; 2],
    movers: [Mover<'p>; 2],
    /// The world in the frame of a, if a stands.
    standing: Option<Pose>,
    span: [f64; 2],
    /// Gaps are proven to exceed this, rounding included.
    margin: f64,
    at_least: f64,
    /// Gaps up to this are contacts.
    contact: f64,
    /// Gaps up to this are contacts where no step is left: times cannot tell, or no plane was found between round parts.
    unresolved: f64,
    /// Twists and accelerations are known.
    is_second_order: bool,
    /// a stands, and the twist of b does not change.
    is_steady: bool,
}

/// How a pair of last parts goes on.
enum Next {
    Later(f64),
    Contact(AdvancedContact),
    Stuck,
}

/// A pair of parts farther apart than this share of the larger one is moved on, a nearer one is opened.
const FAR: f64 = 0.25;

/// How many times a step its plane is looked at ahead.
const AHEAD: f64 = 2.0;

/// The least share of the span over which it is measured how fast a normal turns: 2^-24. Normals are good to rounding.
const TURNING: f64 = power_of_two(-24);

impl<'p> Search<'p> {
    /// `reach`: of the coordinates that the motions come from. `is_exact`: gaps between cylinders, cones and others are contacts only if
    /// they are of the size of rounding, whatever the tolerance is.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        pieces: [&'p Piece; 2],
        movers: [Mover<'p>; 2],
        span: [f64; 2],
        reach: f64,
        at_least: f64,
        limits: &Limits,
        is_exact: bool,
    ) -> Search<'p> {
        let sides = pieces.map(|piece| match &piece.form {
            Form::Faces(tree) => Side::Tree(tree),
            Form::Round(shape) => Side::Round(shape),
            Form::HalfSpace(half_space) => Side::HalfSpace(*half_space),
        });
        let roots: [PartBox; 2] = std::array::from_fn(|i| match &sides[i] {
            Side::Tree(tree) => boxes::child_box(tree, 0, 0, &movers[i], span),
            Side::Round(shape) => {
                let body = round(shape);
                let grown = Vec3::splat(body.radius());
                let (min, max) = core_box(body);
                PartBox::new(0.5 * (min + max), 0.5 * (max - min) + grown, &movers[i], span)
            }
            Side::HalfSpace(_) => PartBox::new(Vec3::ZERO, Vec3::ZERO, &movers[i], span),
        });
        let cores = std::array::from_fn(|i| match &sides[i] {
            Side::Round(shape) => {
                let (min, max) = core_box(round(shape));
                Some(PartBox::new(0.5 * (min + max), 0.5 * (max - min), &movers[i], span).acceleration)
            }
            _ => None,
        });
        // All coordinates on the way: in the world, and in the frame of a.
        let mut reach = reach;
        // Of the smaller one: beside a large floor a small part is not coarser.
        let mut size = f64::INFINITY;
        let mut is_round = false;
        // Those that iterations see: in the frame of a alone.
        let [a_place, b_place] = [0, 1].map(|i| movers[i].pose(span[0]));
        let mut near = (a_place.inverse() * b_place).translation().length();
        for (i, place) in [a_place, b_place].iter().enumerate() {
            let root = &roots[i];
            let own = root.center.length() + root.radius + movers[i].travel(root.center, root.radius, span);
            near += own;
            reach += place.translation().length() + own;
            if !matches!(sides[i], Side::HalfSpace(_)) {
                size = size.min(2.0 * root.radius);
            }
            is_round |= matches!(sides[i], Side::Round(shape) if !round(shape).is_polyhedral());
            if let Side::HalfSpace(half_space) = &sides[i] {
                reach += half_space.offset().abs();
                near += half_space.offset().abs();
            }
        }
        let slack = rounding::coordinate(2.0 * reach);
        let mut tolerance = if limits.tolerance > 0.0 { limits.tolerance } else { ADVANCE_RELATIVE * size };
        let mut unresolved = if is_round { DISTANCE_RELATIVE * near } else { 0.0 };
        if is_round && is_exact {
            unresolved = ADVANCE_RELATIVE * size;
            tolerance = 0.0;
        }
        let standing = match movers[0].motion.uniform(span[0], span[1]) {
            Some(Uniform::Translation(Vec3::ZERO)) => Some(movers[0].pose(span[0]).inverse()),
            _ => None,
        };
        let is_steady = standing.is_some() && movers[1].motion.uniform(span[0], span[1]).is_some();
        let is_second_order =
            (0..2).all(|i| movers[i].motion.twist(span[0]).is_some() && roots[i].acceleration.is_finite());
        Search {
            sides,
            roots,
            cores,
            movers,
            standing,
            span,
            // Where steps end there is still enough of a gap to tell its direction.
            margin: at_least + slack.max(0.25 * tolerance),
            at_least,
            contact: at_least + tolerance.max(4.0 * slack),
            unresolved: at_least + unresolved,
            is_second_order,
            is_steady,
        }
    }

    pub(super) fn run(&self, memory: &mut AdvanceMemory, left: &mut u64) -> Advanced {
        let AdvanceMemory { heap, boxes, cancel, .. } = memory;
        heap.clear();
        let [first, last] = self.span;
        let parts = std::array::from_fn(|i| {
            let tree = self.tree(i);
            boxes[i].begin(tree, self.roots[i]);
            Part { code: if tree.is_some() { 0 } else { TRIANGLE }, slot: 0 }
        });
        heap.push(Reverse(Candidate { time: first, parts }));
        let mut now = self.at(first);
        let mut view = BoxView::new(&now);
        let mut viewed = first;
        while let Some(Reverse(Candidate { time, parts })) = heap.pop() {
            if time != now.time {
                now = self.at(time);
            }
            let part_boxes = [0, 1].map(|i| boxes[i].boxes[parts[i].slot as usize]);
            let can_open = parts.map(|part| part.code & TRIANGLE == 0);
            if *left == 0 || cancel.is_cancelled() {
                return Advanced::Undecided { open: [time, last] };
            }
            *left -= 1;
            if !can_open[0] && !can_open[1] {
                let next = heap.peek().map_or(last, |Reverse(other)| other.time);
                match self.last_pair(&mut now, parts, &part_boxes, next, left) {
                    Next::Later(time) if time < last => heap.push(Reverse(Candidate { time, parts })),
                    Next::Later(_) => {}
                    Next::Contact(contact) => return Advanced::Contact(contact),
                    Next::Stuck => return Advanced::Undecided { open: [now.time, last] },
                }
                continue;
            }
            if viewed != time {
                view = BoxView::new(&now);
                viewed = time;
            }
            let whole = self.apart(&view, &now, [&part_boxes[0], &part_boxes[1]]);
            // A half space has no size.
            let larger =
                usize::from(!can_open[0] || (can_open[1] && part_boxes[1].radius > part_boxes[0].radius));
            let later = time + whole.step;
            // Steps too short for times to tell are left to the parts: in the end they are stuck, and say so.
            if whole.gap > FAR * part_boxes[larger].radius && later > time {
                if later < last {
                    heap.push(Reverse(Candidate { time: later, parts }));
                }
                continue;
            }
            let Some(tree) = self.tree(larger) else { continue };
            let (part, count) = boxes[larger].open(tree, parts[larger].code, &self.movers[larger], self.span);
            *left = left.saturating_sub(count.into());
            for i in 0..count {
                let mut parts = parts;
                parts[larger] = Part { code: part.code + i, slot: part.slot + i };
                let mut pair = [&part_boxes[0], &part_boxes[1]];
                pair[larger] = &boxes[larger].boxes[parts[larger].slot as usize];
                let apart = self.apart(&view, &now, pair);
                // A part stays apart for as long as the whole.
                let later = time + apart.step.max(whole.step);
                if later < last {
                    heap.push(Reverse(Candidate { time: later, parts }));
                }
            }
        }
        Advanced::Free { clearance_lower: self.at_least }
    }

    fn at(&self, time: f64) -> Instant {
        Instant::at(time, &self.movers, self.standing.as_ref())
    }

    fn tree(&self, i: usize) -> Option<&'p MeshTree> {
        match self.sides[i] {
            Side::Tree(tree) => Some(tree),
            _ => None,
        }
    }

    /// For how long the boxes of two parts stay apart.
    fn apart(&self, view: &BoxView, now: &Instant, pair: [&PartBox; 2]) -> Apart {
        let last = self.span[1];
        if let Side::HalfSpace(half_space) = &self.sides[0] {
            let n = half_space.normal();
            let spread = (now.turn.transpose() * n).abs().dot(pair[1].half);
            let low = n.dot(now.place(pair[1].center)) - half_space.offset() - spread;
            return self.above(half_space, now, pair[1], low);
        }
        let apart = view.apart(now, pair[0], pair[1], self.margin, last - now.time);
        if self.is_second_order || apart.gap <= 0.0 {
            return apart;
        }
        boxes::apart_first_order(apart, pair, &self.movers, now, last)
    }

    fn above(&self, plane: &HalfSpace, now: &Instant, part: &PartBox, low: f64) -> Apart {
        if self.is_second_order {
            half_space::apart(plane, part, low, &self.movers, now, self.margin, self.span)
        } else {
            half_space::apart_first_order(low - self.margin, part, &self.movers, now, self.span[1])
        }
    }

    /// Moves a pair on until it is later than `next`, or meets.
    fn last_pair(
        &self,
        now: &mut Instant,
        parts: [Part; 2],
        pair: &[PartBox; 2],
        next: f64,
        left: &mut u64,
    ) -> Next {
        let last_parts = [0, 1].map(|i| self.last(i, parts[i]));
        let mut before = None;
        loop {
            let (found, step) = self.last_step(now, &last_parts, pair, before.as_ref());
            before = Some(found);
            if found.distance <= self.contact {
                return Next::Contact(self.bracketed(found, now, parts, &last_parts));
            }
            let later = now.time + step;
            // Before all else: two pairs without a step would wait for each other until the budget ends.
            if !(later > now.time) {
                if found.distance <= self.unresolved {
                    return Next::Contact(self.bracketed(found, now, parts, &last_parts));
                }
                return Next::Stuck;
            }
            if later >= next {
                return Next::Later(later);
            }
            if *left == 0 {
                return Next::Stuck;
            }
            *left -= 1;
            *now = self.at(later);
        }
    }

    fn last(&self, i: usize, part: Part) -> Last<'p> {
        match &self.sides[i] {
            Side::Tree(tree) => Last::Triangle(tree.triangles()[(part.code & !TRIANGLE) as usize]),
            Side::Round(shape) => Last::Round(shape),
            Side::HalfSpace(half_space) => Last::HalfSpace(*half_space),
        }
    }

    /// The nearest points of two last parts and for how long they stay apart; no time if they are in contact.
    /// `before`: those of a little earlier.
    fn last_step(
        &self,
        now: &Instant,
        last: &[Last; 2],
        pair: &[PartBox; 2],
        before: Option<&Near>,
    ) -> (Near, f64) {
        let longest = self.span[1] - now.time;
        let near = nearest(now, last, before);
        if near.distance <= self.contact {
            return (near, 0.0);
        }
        if !self.is_second_order {
            let gap = near.distance - self.margin;
            if matches!(last[0], Last::HalfSpace(_)) {
                return (
                    near,
                    half_space::apart_first_order(gap, &pair[1], &self.movers, now, self.span[1]).step,
                );
            }
            let apart = Apart { gap, step: 0.0 };
            let pair = [&pair[0], &pair[1]];
            return (near, boxes::apart_first_order(apart, pair, &self.movers, now, self.span[1]).step);
        }
        let accelerations = [0, 1].map(|i| self.cores[i].unwrap_or(pair[i].acceleration));
        let acceleration = accelerations[0] + accelerations[1];
        let step = match last {
            [Last::Triangle(a), Last::Triangle(b)] => {
                let corners = Corners::new(now, *a, *b, acceleration, self.margin);
                let size = pair[0].radius.max(pair[1].radius);
                corners.step(near.normal, near.distance - self.at_least < FAR * size, longest)
            }
            [Last::HalfSpace(plane), b] => {
                let corners = b.corners();
                let points = Points(&corners);
                let (foot, b) = ([near.on_a], b.body(&points));
                let (at_foot, curve) =
                    half_space::curves(plane, &pair[1], near.on_a, &self.movers, now, self.span);
                let (a, margin) = (&Points(&foot), self.margin + b.radius());
                let acceleration = at_foot + accelerations[1];
                let turning = now.twists[0].angular.cross(plane.normal());
                let is_steady = self.is_steady;
                Cores { a, b, acceleration, curve, margin, is_steady }.long_plane(
                    now,
                    plane.normal(),
                    turning,
                    longest,
                )
            }
            [a, b] => {
                let corners = [a.corners(), b.corners()];
                let points = [Points(&corners[0]), Points(&corners[1])];
                let (body_a, body_b) = (a.body(&points[0]), b.body(&points[1]));
                let margin = self.margin + body_a.radius() + body_b.radius();
                let is_steady = self.is_steady;
                let cores = Cores { a: body_a, b: body_b, acceleration, curve: 0.0, margin, is_steady };
                let mut step = cores.step(now, near.normal, longest);
                // The normal turns: how fast, is measured over the time that the step may take, which a better plane makes longer.
                let size = pair[0].radius.max(pair[1].radius);
                let mut last_step = 0.0;
                while step < longest
                    && step > 2.0 * last_step
                    && near.distance - self.at_least < FAR * size
                    && let Some(turning) = self.turning(now, [a, b], &near, AHEAD * step)
                {
                    last_step = step;
                    step = step.max(cores.long_plane(now, near.normal, turning, longest));
                }
                step
            }
        };
        (near, step)
    }

    /// How fast the normal of the widest plane between two round parts turns during `time`; `None` if it does not turn, or if a does not
    /// stand.
    fn turning(&self, now: &Instant, last: [&Last; 2], near: &Near, time: f64) -> Option<Vec3> {
        if self.standing.is_none() || now.twists[1].angular == Vec3::ZERO || near.normal == Vec3::ZERO {
            return None;
        }
        let longest = self.span[1] - now.time;
        let time = time.max(TURNING * (self.span[1] - self.span[0])).min(longest);
        let later = widest(&self.at(now.time + time), last, near);
        let turned = (later - near.normal) / time;
        let across = turned - turned.dot(near.normal) * near.normal;
        (across.is_finite() && across != Vec3::ZERO).then_some(across)
    }

    /// The contact with the time at which the parts have certainly met, if there is one near.
    fn bracketed(&self, near: Near, now: &Instant, parts: [Part; 2], last: &[Last; 2]) -> AdvancedContact {
        let faces = [0, 1].map(|i| match self.tree(i) {
            Some(tree) => tree.faces()[(parts[i].code & !TRIANGLE) as usize],
            None => 0,
        });
        let mut normal = near.normal;
        if let [Last::Triangle(a), Last::Triangle(b)] = last
            && normal != Vec3::ZERO
        {
            normal = Corners::new(now, *a, *b, 0.0, 0.0).widest(normal);
        }
        let world_from_a = self.movers[0].pose(now.time);
        let mut contact = AdvancedContact {
            time: now.time,
            error: 0.0,
            is_crossing: near.distance <= 0.0,
            distance: near.distance,
            faces,
            point_on_a: near.on_a,
            point_on_b: near.on_b,
            normal,
        }
        .placed(&world_from_a);
        if contact.is_crossing || self.at_least > 0.0 {
            return contact;
        }
        let [a, b] = now.twists;
        let closing = near.normal.dot(a.velocity(near.on_a) - b.velocity(near.on_b));
        let longest = self.span[1] - now.time;
        // Twice the time that the gap takes at this speed; where there is none, what times resolve.
        let mut step = if closing > 0.0 { 2.0 * near.distance / closing } else { longest * ADVANCE_RELATIVE };
        for _ in 0..LOOKS {
            step = step.min(longest);
            if !(step > 0.0) {
                break;
            }
            if meet(&self.at(now.time + step), last, &near) {
                for _ in 0..LOOKS {
                    if meet(&self.at(now.time + 0.5 * step), last, &near) {
                        step *= 0.5;
                    }
                }
                contact.is_crossing = true;
                contact.error = 0.5 * step;
                contact.time = now.time + contact.error;
                break;
            }
            step *= 4.0;
        }
        // Round parts that graze meet within rounding long before they truly do, if at all.
        if signed_gap(now, last, &near).is_some() {
            let gap = |time: f64| signed_gap(&self.at(time), last, &near).unwrap_or(0.0);
            let step = 2.0 * contact.error;
            let end = latest(gap, [now.time, self.span[1]], step, 2.0 * self.margin);
            contact.error = contact.error.max(0.5 * (end - now.time));
            contact.time = now.time + contact.error;
        }
        contact
    }
}

/// How many times a later meeting is looked for.
const LOOKS: usize = 6;

/// The axis-parallel box of a core.
fn core_box(body: &dyn ConvexBody) -> (Vec3, Vec3) {
    let end = |axis: Vec3| body.farthest(axis, NO_VERTEX).point.dot(axis);
    let max = Vec3::new(end(Vec3::X), end(Vec3::Y), end(Vec3::Z));
    let min = -Vec3::new(end(-Vec3::X), end(-Vec3::Y), end(-Vec3::Z));
    (min, max)
}
