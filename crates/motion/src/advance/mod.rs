//! The first contact under any motion: from one instant to a later one, never past a contact.
//!
//! At an instant t, take a plane between two convex parts a and b with unit normal n from a to b, and let it turn: its
//! normal at t + τ is `n + τ m` with any m across n. A point x of b with velocity v and acceleration at most `α` is at
//! `x + τ v + r` with `|r| <= ½ α τ²`. So for all x of b and y of a
//!
//! `(n + τ m)·(x(τ) - y(τ)) >= n·(x - y) + τ [n·(v_x - v_y) + m·(x - y)] + τ² m·(v_x - v_y) - ½ (α_a + α_b) τ² |n + τ m|`,
//!
//! and as long as the right side exceeds `d |n + τ m|` for all pairs of points, the parts are more than d apart. Everything in
//! it is known at t; the first τ at which it no longer holds is a proven step. Corners are enough for x and y, because the
//! right side is linear in x and in y. With m = 0 the plane stands, with m = ω × n it turns with a body, with the derivative of
//! the product of two edges it follows both: then the pair of features that will meet is the only one that limits the step, and
//! what is left of the gap is of the order of `α τ²`: the digits double from step to step.
//!
//! Cylinders and cones have the widest plane between them ([`part_convex`](freiraum_query::convex::part_convex)), good to rounding. How fast it
//! turns is measured, which is allowed, as any m will do; and the acceleration of a steady rotation is known by its direction, so that what
//! keeps its distance along the axis makes one long step. Under translations and rotations steps end where the gap is of the size of rounding.
//!
//! Where twist or acceleration are not known, the parts are proven apart as long as they travel less than their gap together
//! (text 001, 4.2).
//!
//! Two trees are searched by pairs of parts, the pair that is proven apart for the shortest time first. It is either moved
//! on, if its boxes are far from each other for their size, or opened, its parts going on from the time of the whole. Far
//! parts make long steps and are never opened. When two triangles are next and they are no farther apart than the tolerance,
//! that is the first contact: everything else is proven apart up to that time.
//!
//! Surfaces are what meets here: a body inside a hollow of another is apart from it.

mod boxes;
mod half_space;
mod instant;
mod last;
mod round;
mod search;
mod step;
mod touch;
mod triangles;

#[cfg(test)]
mod tests;

pub(crate) use search::AdvanceMemory;
pub(crate) use step::first_zero;
pub(crate) use touch::first_touch;

use crate::contact_time::is_round_about;
use crate::movable::{Form, Piece, bounds};
use crate::relative::Relative;
use crate::turn::Screwed;
use crate::verdict::Limits;
use freiraum_geometry::path::{Motion, Uniform, UniformMotion};
use freiraum_geometry::tolerance::{ADVANCE_RELATIVE, FULL_TURN_SLACK};
use freiraum_geometry::{Pose, Vec3};
use instant::Mover;
use search::Search;

/// What is known about two moving pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Advanced {
    /// Proven: the surfaces are never closer than this many metres, which is what was asked for.
    Free { clearance_lower: f64 },
    /// They come as close as the tolerance.
    Contact(AdvancedContact),
    /// The budget ended, or the steps became shorter than times can tell: free up to `open[0]`.
    Undecided { open: [f64; 2] },
}

/// The first time at which two pieces are as close as the tolerance.
///
/// **Frames.** The world at `time - error`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AdvancedContact {
    /// See `error`.
    pub(crate) time: f64,
    /// Before `time - error` the pieces are proven apart by more than was asked for. If `is_crossing`, they have met at
    /// `time + error`; otherwise they are only known to be as close as `distance` at `time - error`, and round pieces to come closest
    /// before `time + error`; for others `error` is 0 then.
    pub(crate) error: f64,
    /// True if the surfaces meet; false if they graze each other within the tolerance, or come as close as `at_least`.
    pub(crate) is_crossing: bool,
    /// Distance at `time - error` in metres, at most `at_least` and the tolerance together; more only for round pieces between which no
    /// plane was found.
    pub(crate) distance: f64,
    /// The faces next to each other; 0 for a round piece or a half space.
    pub(crate) faces: [u32; 2],
    pub(crate) point_on_a: Vec3,
    pub(crate) point_on_b: Vec3,
    /// Unit vector from a to b; zero if they meet at `time - error`.
    pub(crate) normal: Vec3,
}

/// When the surfaces of two pieces first come closer than `at_least` metres (0: touch) between `t0` and `t1`.
///
/// **Guarantee.** `Free` is proven up to the rounding of coordinates. `Contact`: see [`AdvancedContact`]; gaps of at most the
/// tolerance beyond `at_least` count. **Degenerate input.** Pieces that are closer than that at `t0` meet at `t0`. Two half
/// spaces are undecided.
#[allow(clippy::too_many_arguments)]
pub(crate) fn advance_pair(
    piece_a: &Piece,
    motion_a: &dyn Motion,
    piece_b: &Piece,
    motion_b: &dyn Motion,
    [t0, t1]: [f64; 2],
    at_least: f64,
    limits: &Limits,
    memory: &mut AdvanceMemory,
) -> Advanced {
    if matches!(piece_b.form, Form::HalfSpace(_)) {
        if matches!(piece_a.form, Form::HalfSpace(_)) {
            return Advanced::Undecided { open: [t0, t1] };
        }
        let swapped = advance_pair(piece_b, motion_b, piece_a, motion_a, [t0, t1], at_least, limits, memory);
        return match swapped {
            Advanced::Contact(contact) => Advanced::Contact(contact.swapped()),
            other => other,
        };
    }
    let mut times = std::mem::take(&mut memory.times);
    times.clear();
    motion_a.breaks(&mut times);
    motion_b.breaks(&mut times);
    times.retain(|t| *t > t0 && *t < t1);
    times.push(t1);
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut left = limits.budget;
    let mut start = t0;
    let mut answer = Advanced::Free { clearance_lower: at_least };
    for &end in &times {
        let limits = Limits { budget: left, ..*limits };
        let span = Span { start, end, at_least, limits };
        answer = span.answer([piece_a, piece_b], [motion_a, motion_b], memory, &mut left);
        if let Advanced::Undecided { open } = &mut answer {
            open[1] = t1;
        }
        if !matches!(answer, Advanced::Free { .. }) {
            break;
        }
        start = end;
    }
    memory.times = times;
    answer
}

/// A stretch of time without breaks.
struct Span {
    start: f64,
    end: f64,
    at_least: f64,
    limits: Limits,
}

impl Span {
    fn answer(
        &self,
        pieces: [&Piece; 2],
        motions: [&dyn Motion; 2],
        memory: &mut AdvanceMemory,
        left: &mut u64,
    ) -> Advanced {
        let [a, b] = motions;
        let (start, end) = (self.start, self.end);
        // Bodies that move alike are only accelerated by what differs.
        if let Some((a_from_b, motion)) = Relative::uniform_between(a, b, start, end) {
            let (motion, turned_with_a) = without_turn(pieces, &a_from_b, motion);
            // What is free for a full turn is free for all others.
            let (motion, turned) = first_turn(motion);
            let end_of_search = start + turned * (end - start);
            let still = UniformMotion::still(Pose::IDENTITY);
            let moving = UniformMotion::new(a_from_b, motion);
            // The pose between the bodies is as good as the two it comes from.
            let reach = a.pose(start).translation().length() + b.pose(start).translation().length();
            let reach = reach + pieces[0].offset() + pieces[1].offset();
            // Cylinders and cones under translations and rotations: all else that is exact does not come here.
            let is_exact = self.at_least == 0.0
                && match motion {
                    Uniform::Translation(_) => true,
                    Uniform::Screw { advance, .. } => advance == 0.0,
                };
            let search = |span: [f64; 2], memory: &mut AdvanceMemory, left: &mut u64| {
                self.search(pieces, [&still, &moving], span, reach, is_exact, memory, left)
            };
            let found = match screwed(pieces, &a_from_b, &motion, reach) {
                Some(screwed) => self.screw(&screwed, search, memory, left),
                None => search([0.0, 1.0], memory, left),
            };
            let time = |s: f64| start + s * (end_of_search - start);
            return match found {
                Advanced::Contact(mut contact) => {
                    if let Some(turn) = turned_with_a {
                        contact = contact.placed(&turn.at(contact.time - contact.error));
                    }
                    let first =
                        if contact.time > contact.error { time(contact.time - contact.error) } else { start };
                    let placed = contact.placed(&a.pose(first));
                    let error = contact.error * (end_of_search - start);
                    Advanced::Contact(AdvancedContact { time: (first + error).min(end), error, ..placed })
                }
                Advanced::Undecided { open } => Advanced::Undecided { open: [time(open[0]), end] },
                free => free,
            };
        }
        let reach = pieces[0].offset() + pieces[1].offset();
        self.search(pieces, motions, [start, end], reach, false, memory, left)
    }

    /// Bodies that stand in each other are next to each other all the way, which takes many steps: after some, their contours are asked.
    fn screw(
        &self,
        screwed: &Screwed,
        search: impl Fn([f64; 2], &mut AdvanceMemory, &mut u64) -> Advanced,
        memory: &mut AdvanceMemory,
        left: &mut u64,
    ) -> Advanced {
        let faces: usize = screwed.cores.iter().map(|core| core.tree.triangles().len()).sum();
        let patience = (PATIENCE * faces as u64).min(*left);
        let mut few = patience;
        let found = search([0.0, 1.0], memory, &mut few);
        *left -= patience - few;
        let Advanced::Undecided { open } = found else { return found };
        // What is within the tolerance counts as contact, whoever finds it.
        let sizes = screwed.cores.iter().map(|core| bounds(&core.tree).size().length());
        let size = sizes.fold(f64::INFINITY, f64::min);
        let tolerance =
            if self.limits.tolerance > 0.0 { self.limits.tolerance } else { ADVANCE_RELATIVE * size };
        if screwed.is_apart(self.at_least, tolerance) {
            return Advanced::Free { clearance_lower: self.at_least };
        }
        search([open[0], 1.0], memory, left)
    }

    #[allow(clippy::too_many_arguments)]
    fn search(
        &self,
        pieces: [&Piece; 2],
        motions: [&dyn Motion; 2],
        span: [f64; 2],
        reach: f64,
        is_exact: bool,
        memory: &mut AdvanceMemory,
        left: &mut u64,
    ) -> Advanced {
        let [a, b] = pieces;
        let movers = [
            Mover { motion: motions[0], body_from_piece: a.body_from_piece },
            Mover { motion: motions[1], body_from_piece: b.body_from_piece },
        ];
        Search::new(pieces, movers, span, reach, self.at_least, &self.limits, is_exact).run(memory, left)
    }
}

/// Pairs of parts per face that are looked at before contours are: about as much work.
const PATIENCE: u64 = 4;

/// A rotation without its turns after the first, and which share of it that is.
fn first_turn(motion: Uniform) -> (Uniform, f64) {
    match motion {
        Uniform::Screw { axis, angle, advance } if advance == 0.0 && angle.abs() > LONGEST_TURN => (
            Uniform::Screw { axis, angle: LONGEST_TURN.copysign(angle), advance },
            LONGEST_TURN / angle.abs(),
        ),
        other => (other, 1.0),
    }
}

/// A full turn and what rounding may leave of it, in radians.
const LONGEST_TURN: f64 = std::f64::consts::TAU + FULL_TURN_SLACK;

/// A screw of two pieces with faces, if it is one.
fn screwed<'p>(pieces: [&'p Piece; 2], a_from_b: &Pose, motion: &Uniform, reach: f64) -> Option<Screwed<'p>> {
    let Uniform::Screw { axis, advance, .. } = *motion else { return None };
    let [a, b] = pieces;
    let cores = [a.core.as_ref()?, b.core.as_ref()?];
    let places = [a.body_from_piece, *a_from_b * b.body_from_piece];
    (advance != 0.0).then_some(Screwed { cores, places, axis, advance, reach })
}

/// A screw about the axis of a cylinder, cone or another round body is a translation for all that can be seen. If the body is a, what is found
/// has turned with it, which is the second part of the answer.
fn without_turn(pieces: [&Piece; 2], a_from_b: &Pose, motion: Uniform) -> (Uniform, Option<Uniform>) {
    let Uniform::Screw { axis, angle, advance } = motion else { return (motion, None) };
    if advance == 0.0 {
        return (motion, None);
    }
    let straight = Uniform::Translation(advance * axis.direction);
    let [a, b] = pieces;
    if is_round_about(&axis, b, &(*a_from_b * b.body_from_piece)) {
        return (straight, None);
    }
    if is_round_about(&axis, a, &a.body_from_piece) {
        return (straight, Some(Uniform::Screw { axis, angle, advance: 0.0 }));
    }
    (motion, None)
}

impl AdvancedContact {
    fn swapped(self) -> AdvancedContact {
        AdvancedContact {
            faces: [self.faces[1], self.faces[0]],
            point_on_a: self.point_on_b,
            point_on_b: self.point_on_a,
            normal: -self.normal,
            ..self
        }
    }

    fn placed(self, world_from_a: &Pose) -> AdvancedContact {
        AdvancedContact {
            point_on_a: world_from_a.transform_point(self.point_on_a),
            point_on_b: world_from_a.transform_point(self.point_on_b),
            normal: world_from_a.rotate(self.normal),
            ..self
        }
    }
}
