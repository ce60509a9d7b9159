//! Free stretches between overlaps, from a look outwards.

use super::exact::{ROUNDING, touching, united};
use super::{OverlapInterval, OverlapRequest};
use crate::contact_time::contact_from;
use crate::containment::is_excluded_between;
use crate::movable::{Movable, Piece};
use crate::relative::{Relative, RelativeMotion};
use crate::sweep::MotionWorkspace;
use crate::verdict::{MotionError, Verdict};
use freiraum_geometry::Pose;
use freiraum_geometry::path::Window;
use freiraum_geometry::path::{Ball, Motion};
use freiraum_geometry::shape::Shape;
use freiraum_geometry::tolerance::ROUND_DEPTH_RELATIVE;
use freiraum_query::convex::convex_body;
use freiraum_query::intersect::Relation;
use freiraum_query::mesh_tree::{MeshDistanceCache, MeshWorkspace, surface_distance};
use std::f64::consts::TAU;

/// Two bodies on their way, and what is known so far; all times are those of the motions.
pub(super) struct Explorer<'m> {
    bodies: [&'m Movable; 2],
    motions: [&'m dyn Motion; 2],
    request: OverlapRequest,
    looks_left: u32,
    found: Found,
}

/// What has been found out about the time.
#[derive(Default)]
struct Found {
    free: Vec<Free>,
    /// They touch or overlap all the time; instants too.
    sure: Vec<[f64; 2]>,
    /// Short stretches next to those, not looked at any more.
    rest: Vec<[f64; 2]>,
}

/// A stretch that is proven free, its ends up to the errors.
#[derive(Clone, Copy, Debug)]
struct Free {
    time: [f64; 2],
    error: [f64; 2],
}

/// The end of a free stretch.
#[derive(Clone, Copy)]
struct Reached {
    time: f64,
    error: f64,
    /// The bodies meet there.
    is_met: bool,
    /// What was to be reached is reached, but for rounding.
    is_end: bool,
}

impl Reached {
    fn new(time: f64, error: f64, is_met: bool) -> Reached {
        Reached { time, error, is_met, is_end: false }
    }

    fn end(&self) -> End {
        if self.is_met { End::Touching } else { End::Undecided }
    }
}

/// What is known about the end of a gap.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// Nothing.
    New,
    /// The bodies touch or overlap.
    Touching,
    /// They are apart, and it is not known up to when.
    Undecided,
}

/// A stretch that nothing is known about.
#[derive(Clone, Copy)]
struct Gap {
    time: [f64; 2],
    ends: [End; 2],
    /// Surfaces do not touch in it, as far as exact methods tell.
    is_closed: bool,
    /// Not looked at yet, however short it is.
    is_new: bool,
}

/// Looks at most.
const LOOKS: u32 = 1 << 20;

/// Turns at most: all intervals of all of them are listed.
const TURNS: f64 = 1_048_576.0;

impl<'m> Explorer<'m> {
    pub(super) fn new(
        bodies: [&'m Movable; 2],
        motions: [&'m dyn Motion; 2],
        request: &OverlapRequest,
    ) -> Explorer<'m> {
        Explorer { bodies, motions, request: *request, looks_left: LOOKS, found: Found::default() }
    }

    /// Finds out about a stretch without breaks.
    pub(super) fn stretch(
        &mut self,
        [from, to]: [f64; 2],
        memory: &mut MotionWorkspace,
    ) -> Result<(), MotionError> {
        let relative = Relative::between(self.motions[0], self.motions[1], from, to);
        match relative.motion {
            RelativeMotion::Still => {
                if self.meet(from)? {
                    self.found.sure.push([from, to]);
                } else {
                    self.found.free.push(Free { time: [from, to], error: [0.0; 2] });
                }
            }
            RelativeMotion::Rotation { axis, angle } if angle > TAU => {
                if angle > TAU * TURNS {
                    return Err(MotionError::Unsupported("overlap intervals of more than a million turns"));
                }
                let turn = (to - from) * (TAU / angle);
                let before = std::mem::take(&mut self.found);
                let motion = RelativeMotion::Rotation { axis, angle: TAU };
                self.uniform([from, from + turn], &Relative { motion, ..relative }, memory)?;
                let once = std::mem::replace(&mut self.found, before).condensed();
                self.found.repeat(&once, turn, to);
            }
            _ => self.uniform([from, to], &relative, memory)?,
        }
        Ok(())
    }

    /// A stretch with one turn at most.
    fn uniform(
        &mut self,
        [from, to]: [f64; 2],
        relative: &Relative,
        memory: &mut MotionWorkspace,
    ) -> Result<(), MotionError> {
        let (spans, is_all) = touching(self.bodies, self.motions, [from, to], relative, memory);
        let time = |share: f64| (from + (to - from) * share).min(to);
        let spans: Vec<[f64; 2]> = spans.into_iter().map(|span| span.map(time)).collect();
        let starts = std::iter::once(from).chain(spans.iter().map(|span| span[1]));
        let ends = spans.iter().map(|span| span[0]).chain(std::iter::once(to));
        let mut gaps: Vec<Gap> = starts
            .zip(ends)
            .enumerate()
            .map(|(k, (start, end))| Gap {
                time: [start, end],
                ends: [k > 0, k < spans.len()].map(|is_met| if is_met { End::Touching } else { End::New }),
                is_closed: is_all,
                is_new: true,
            })
            .filter(|gap| gap.time[0] < gap.time[1])
            .collect();
        self.found.sure.extend(spans);
        // In the order of time.
        gaps.reverse();
        let is_translation = matches!(relative.motion, RelativeMotion::Translation(_));
        if is_translation && !is_all && self.bodies.iter().all(|body| is_convex(body.prepared().shape())) {
            return self.convex([from, to], memory);
        }
        let length = self.request.resolution * (to - from);
        while let Some(gap) = gaps.pop() {
            self.gap(gap, length, memory, &mut gaps)?;
        }
        Ok(())
    }

    /// Convex bodies under translation overlap for one stretch of time.
    fn convex(&mut self, [from, to]: [f64; 2], memory: &mut MotionWorkspace) -> Result<(), MotionError> {
        let [mut start, mut end] = [from, to];
        for (at, until) in [(from, to), (to, from)] {
            if self.meet(at)? {
                self.found.sure.push([at, at]);
                continue;
            }
            let reached = self.free_until(at, until, memory)?;
            let Reached { time, error, is_met, .. } = reached;
            if at == from {
                self.found.free.push(Free { time: [from, time], error: [0.0, error] });
                if time == to && !is_met {
                    return Ok(());
                }
                start = time;
            } else {
                self.found.free.push(Free { time: [time, to], error: [error, 0.0] });
                end = time;
            }
            if !is_met {
                // Undecided: nothing is known about what lies between.
                return Ok(());
            }
        }
        self.found.sure.push([start.min(end), end.max(start)]);
        Ok(())
    }

    /// Looks into a gap, and appends what is left of it. `length`: what is shorter is left alone.
    fn gap(
        &mut self,
        gap: Gap,
        length: f64,
        memory: &mut MotionWorkspace,
        gaps: &mut Vec<Gap>,
    ) -> Result<(), MotionError> {
        let [start, end] = gap.time;
        if self.looks_left == 0 || memory.is_cancelled() {
            return Ok(());
        }
        let is_short = end - start <= length.max(ROUNDING);
        if !gap.is_new && is_short && !gap.ends.contains(&End::New) {
            if gap.ends == [End::Touching; 2] {
                self.found.rest.push(gap.time);
            }
            return Ok(());
        }
        self.looks_left -= 1;
        // From an end one way is enough.
        let t = match gap.ends {
            [End::New, _] => start,
            [_, End::New] => end,
            _ => 0.5 * (start + end),
        };
        let left = Gap { time: [start, t], is_new: false, ..gap };
        let right = Gap { time: [t, end], is_new: false, ..gap };
        // Both parts, the earlier one next.
        let mut push = |left: Gap, right: Gap| {
            gaps.extend([right, left].into_iter().filter(|part| part.time[0] < part.time[1]));
        };
        if self.meet(t)? {
            if gap.is_closed && self.is_inside(t)? {
                // Surfaces do not touch: one stays inside the other.
                self.found.sure.push([start, end]);
                return Ok(());
            }
            let [low, high] = self.overlap_around(t, gap.time)?;
            self.found.sure.push([low, high]);
            push(
                Gap { time: [start, low], ends: [gap.ends[0], End::Touching], ..left },
                Gap { time: [high, end], ends: [End::Touching, gap.ends[1]], ..right },
            );
            return Ok(());
        }
        let mut ends = [self.free_until(t, start, memory)?, self.free_until(t, end, memory)?];
        for (k, reached) in ends.iter_mut().enumerate() {
            // What exact methods know and what the contact says is one, but for rounding.
            let rest = (gap.time[k] - reached.time).abs();
            if gap.ends[k] == End::Touching && reached.is_met && rest <= 4.0 * reached.error + ROUNDING {
                reached.error = reached.error.max(rest);
                self.found.sure.push([reached.time.min(gap.time[k]), reached.time.max(gap.time[k])]);
                reached.is_end = true;
            } else if reached.is_met {
                self.found.sure.push([reached.time; 2]);
            }
        }
        let [low, high] = ends;
        self.found.free.push(Free { time: [low.time, high.time], error: [low.error, high.error] });
        let rest = |reached: Reached, end: f64| if reached.is_end { end } else { reached.time };
        push(
            Gap { time: [start, rest(low, start)], ends: [gap.ends[0], low.end()], ..left },
            Gap { time: [rest(high, end), end], ends: [high.end(), gap.ends[1]], ..right },
        );
        Ok(())
    }

    fn a_from_b(&self, t: f64) -> Pose {
        self.motions[0].pose(t).inverse() * self.motions[1].pose(t)
    }

    fn meet(&self, t: f64) -> Result<bool, MotionError> {
        let [a, b] = self.bodies;
        Ok(freiraum_query::intersects(a.prepared(), b.prepared(), &self.a_from_b(t))?)
    }

    /// True if one is inside the other and they do not only touch.
    fn is_inside(&self, t: f64) -> Result<bool, MotionError> {
        let [a, b] = self.bodies;
        let found = freiraum_query::intersect(a.prepared(), b.prepared(), &self.a_from_b(t))?;
        Ok(matches!(found.relation, Relation::AInsideB | Relation::BInsideA))
    }

    /// Up to when bodies that are apart at `t` stay so on the way to `until`.
    fn free_until(&self, t: f64, until: f64, memory: &mut MotionWorkspace) -> Result<Reached, MotionError> {
        if t == until {
            return Ok(Reached::new(until, 0.0, false));
        }
        let [a, b] = self.bodies;
        let [motion_a, motion_b] = self.motions.map(|motion| Window { motion, from: t, to: until });
        let length = until - t;
        let time = |share: f64| if share >= 1.0 { until } else { t + share * length };
        Ok(match contact_from(a, &motion_a, b, &motion_b, &self.request.limits, memory)? {
            Verdict::Free => Reached::new(until, 0.0, false),
            Verdict::Contact(contact) => {
                let error = length.abs() * contact.time_error + 4.0 * f64::EPSILON;
                Reached::new(time(contact.time), error, true)
            }
            Verdict::OverlapAtStart => Reached::new(t, 0.0, true),
            Verdict::Undecided { open } => Reached::new(time(open[0]), 4.0 * f64::EPSILON, false),
            // Containment is looked at for the whole stretch.
            Verdict::InsideUnknown { .. } => Reached::new(until, 0.0, false),
        })
    }

    /// The part of a stretch around t, at which the bodies meet, in which they are too deep in each other to part.
    fn overlap_around(&self, t: f64, [start, end]: [f64; 2]) -> Result<[f64; 2], MotionError> {
        let depth = self.depth(t)?;
        if !(depth > 0.0) {
            return Ok([t, t]);
        }
        Ok([self.travels(t, start, depth), self.travels(t, end, depth)])
    }

    /// The latest time found from t towards `until` up to which the bodies travel less than `depth`.
    fn travels(&self, t: f64, until: f64, depth: f64) -> f64 {
        let travel = |other: f64| {
            let span = [t.min(other), t.max(other)];
            let of = |k: usize| {
                let balls = self.bodies[k].pieces().iter().map(|piece: &Piece| match &piece.ball {
                    Some(ball) => self.motions[k].travel(ball, span[0], span[1]),
                    None => f64::INFINITY,
                });
                balls.fold(0.0, f64::max)
            };
            (of(0) + of(1)) * (1.0 + 8.0 * f64::EPSILON)
        };
        let mut step = until - t;
        for _ in 0..HALVINGS {
            let travelled = travel(t + step);
            if travelled < depth {
                return t + step;
            }
            // Bounds of travel mostly grow evenly; where they do not, half of that.
            let share = depth / travelled;
            step *= (share * (1.0 - 1.0 / 64.0)).min(0.5);
        }
        t
    }

    /// How far the bodies have to travel at least to part, in metres; 0 if that is not known.
    fn depth(&self, t: f64) -> Result<f64, MotionError> {
        let [a, b] = self.bodies;
        let a_from_b = self.a_from_b(t);
        let mut depth: f64 = 0.0;
        let mut memory = MeshWorkspace::default();
        for piece_a in a.pieces() {
            for piece_b in b.pieces().iter().filter(|piece_b| piece_a.may_meet(piece_b)) {
                if let (Some(core_a), Some(core_b)) = (&piece_a.core, &piece_b.core)
                    && core_a.radius + core_b.radius > 0.0
                {
                    // Cores stay within the radius of each other.
                    let place = piece_a.body_from_piece.inverse() * a_from_b * piece_b.body_from_piece;
                    let (a, b) = (&core_a.tree, &core_b.tree);
                    let apart =
                        surface_distance(a, b, &place, &mut memory, &mut MeshDistanceCache::default());
                    depth = depth.max(core_a.radius + core_b.radius - apart.closest.distance);
                }
            }
        }
        if [a, b].iter().all(|body| convex_body(body.prepared().shape()).is_some()) {
            let found = freiraum_query::distance(a.prepared(), b.prepared(), &a_from_b)?;
            depth = depth.max(-found.distance);
        }
        // Rounding, and what iterations leave.
        let reach = |ball: &Ball| ball.center.length() + ball.radius;
        let reaches =
            |body: &Movable| body.pieces().iter().filter_map(|p| p.ball.as_ref()).map(reach).sum::<f64>();
        let all: f64 = [a, b].map(reaches).into_iter().sum();
        Ok(depth - 2.0 * ROUND_DEPTH_RELATIVE * (all + a_from_b.translation().length()))
    }

    /// What is not free.
    /// The intervals. Stretches in which surfaces do not meet are free only if containment is excluded at some time in them.
    pub(super) fn finish(mut self) -> Result<Vec<OverlapInterval>, MotionError> {
        self.found.free.sort_by(|x, y| x.time[0].total_cmp(&y.time[0]));
        let sure = united(std::mem::take(&mut self.found.sure));
        let meets_at = |t: f64| {
            let next = sure.partition_point(|span| span[1] < t - ROUNDING);
            sure.get(next).is_some_and(|span| span[0] <= t + ROUNDING)
        };
        let free = std::mem::take(&mut self.found.free);
        // Neighbours without a contact in between are one.
        for run in free.chunk_by(|x, y| y.time[0] <= x.time[1] + ROUNDING && !meets_at(y.time[0])) {
            let span = [run[0].time[0], run[run.len() - 1].time[1]];
            if self.is_excluded_in(span)? {
                self.found.free.extend_from_slice(run);
            }
        }
        self.found.sure = sure;
        Ok(self.found.intervals())
    }

    /// True if neither body is inside the other in a stretch in which their surfaces do not meet.
    fn is_excluded_in(&self, span: [f64; 2]) -> Result<bool, MotionError> {
        let [a, b] = self.bodies.map(Movable::prepared);
        let middle = self.a_from_b(0.5 * (span[0] + span[1]));
        let is_known = freiraum_query::intersect(a, b, &middle)?.relation != Relation::Unknown;
        Ok(is_known || is_excluded_between(a, self.motions[0], b, self.motions[1], span)?)
    }
}

/// Attempts to find a step.
const HALVINGS: usize = 8;

fn is_convex(shape: &Shape) -> bool {
    convex_body(shape).is_some() || matches!(shape, Shape::HalfSpace(_))
}

impl Found {
    /// The same with fewer entries: between free stretches, what is sure and the short rests in it become one
    /// of each, the rest as long as the longest one,
    /// so that it says the same of what may be unseen. Looks at round bodies leave a thousand entries for
    /// each turn.
    fn condensed(mut self) -> Found {
        self.free.sort_by(|x, y| x.time[0].total_cmp(&y.time[0]));
        let starts: Vec<f64> = self.free.iter().map(|free| free.time[0]).collect();
        // Which gap between free stretches a span is in.
        let gap = |span: &[f64; 2]| starts.partition_point(|start| *start <= span[0]);
        let mut of_gap = vec![(Vec::new(), Vec::new()); starts.len() + 1];
        self.sure.iter().for_each(|span| of_gap[gap(span)].0.push(*span));
        self.rest.iter().for_each(|span| of_gap[gap(span)].1.push(*span));
        (self.sure, self.rest) = (Vec::new(), Vec::new());
        for (sure, rest) in of_gap {
            let all = united([&sure[..], &rest[..]].concat());
            let is_whole = !sure.is_empty() && !rest.is_empty();
            if let (true, [[from, to]]) = (is_whole, &all[..]) {
                let longest = rest.iter().map(|[from, to]| to - from).fold(0.0, f64::max);
                let middle = (to - longest).max(*from);
                self.sure.push([*from, middle]);
                self.rest.push([middle, *to]);
            } else {
                self.sure.extend(united(sure));
                self.rest.extend(rest);
            }
        }
        self
    }

    /// Adds what happens in a turn of a given length again and again, up to `last`.
    fn repeat(&mut self, once: &Found, turn: f64, last: f64) {
        for number in 0u32.. {
            let shift = f64::from(number) * turn;
            let moved = |span: &[f64; 2]| {
                let [from, to] = span.map(|t| t + shift);
                (from <= last).then_some([from, to.min(last)])
            };
            // The first turn starts where it starts; when the last one has begun, all is done.
            let start = once.start() + shift;
            if !(start < last) {
                break;
            }
            self.free.extend(once.free.iter().filter_map(|free| {
                let error = [free.error[0], if free.time[1] + shift > last { 0.0 } else { free.error[1] }];
                moved(&free.time).filter(|time| time[0] < time[1]).map(|time| Free { time, error })
            }));
            self.sure.extend(once.sure.iter().filter_map(moved));
            self.rest.extend(once.rest.iter().filter_map(moved));
        }
    }

    /// The earliest time anything is known about.
    fn start(&self) -> f64 {
        let all = self.free.iter().map(|free| &free.time).chain(&self.sure).chain(&self.rest);
        all.map(|span| span[0]).fold(f64::INFINITY, f64::min)
    }

    fn intervals(mut self) -> Vec<OverlapInterval> {
        self.free.sort_by(|x, y| x.time[0].total_cmp(&y.time[0]));
        let sure = united(self.sure);
        let mut rest = self.rest;
        rest.sort_by(|x, y| x[0].total_cmp(&y[0]));
        let mut out = Vec::new();
        let (mut end, mut end_error) = (0.0, 0.0);
        let last = Free { time: [1.0, 1.0], error: [0.0; 2] };
        for free in self.free.iter().chain(std::iter::once(&last)) {
            let (start, start_error) = (free.time[0], free.error[0]);
            // Neighbours without a contact in between are one.
            let first = sure.partition_point(|span| span[1] < end - end_error - ROUNDING);
            let touches = sure.get(first).is_some_and(|span| span[0] <= start + start_error + ROUNDING);
            if start - end > ROUNDING || (touches && end - start <= end_error + start_error + ROUNDING) {
                split([end, start.max(end)], [end_error, start_error], &sure[first..], &rest, &mut out);
            }
            if free.time[1] >= end {
                (end, end_error) = (free.time[1], free.error[1]);
            }
        }
        out
    }
}

/// Splits what is not free between the times into what is sure, short rests included, and what is not decided.
fn split(
    [from, to]: [f64; 2],
    error: [f64; 2],
    sure: &[[f64; 2]],
    rest: &[[f64; 2]],
    out: &mut Vec<OverlapInterval>,
) {
    let near = |span: &&[f64; 2]| span[0] <= to + error[1] + ROUNDING;
    let first = rest.partition_point(|span| span[1] < from - error[0] - ROUNDING);
    let mut known: Vec<([f64; 2], f64)> = sure.iter().take_while(near).map(|span| (*span, 0.0)).collect();
    known.extend(rest[first..].iter().take_while(near).map(|span| (*span, span[1] - span[0])));
    known.sort_by(|x, y| x.0[0].total_cmp(&y.0[0]));
    let mut at = from;
    let mut add = |time: [f64; 2], unseen: f64, is_decided: bool| {
        let ends = [if time[0] == from { error[0] } else { 0.0 }, if time[1] == to { error[1] } else { 0.0 }];
        match out.last_mut() {
            Some(last) if is_decided && last.is_decided && last.time[1] == time[0] && time[0] > from => {
                last.time[1] = time[1];
                last.error[1] = ends[1];
                last.unseen = last.unseen.max(unseen);
            }
            _ => out.push(OverlapInterval { time, error: ends, unseen, is_decided }),
        }
    };
    let mut open: Option<(f64, f64)> = None;
    for (span, unseen) in known {
        let [start, end] = [span[0].clamp(from, to), span[1].clamp(from, to)];
        if start > at + ROUNDING + if open.is_none() { error[0] } else { 0.0 } {
            if let Some((begin, unseen)) = open.take() {
                add([begin, at], unseen, true);
            }
            add([at, start], start - at, false);
            open = Some((start, unseen));
        }
        let begin = open.map_or(from, |(begin, _)| begin);
        let most = open.map_or(unseen, |(_, most)| most.max(unseen));
        open = Some((begin, most));
        at = at.max(end);
    }
    let is_rest = to > at + ROUNDING + error[1];
    match open {
        Some((begin, unseen)) => {
            add([begin, if is_rest { at } else { to }], unseen, true);
            if is_rest {
                add([at, to], to - at, false);
            }
        }
        None => add([from, to], to - from, false),
    }
}
