//! One moving body, or a group of them, against all others.
//!
//! A [`DynamicTree`] of the boxes around the ways of the others gives those that are near the way of one that moves; their
//! [`SweptAabbs`] say before what time a pair cannot touch. The pairs are looked at in that order, in parallel, until none
//! can be earlier than the best.

use crate::fit::time_of_contact_with_allowance;
use crate::movable::Movable;
use crate::overlaps::{OverlapInterval, OverlapRequest, overlap_intervals};
use crate::sweep::MotionWorkspace;
use crate::swept_aabbs::{Margin, SweptAabbs};
use crate::verdict::{Limits, MotionError, Verdict};
use freiraum_geometry::Aabb;
use freiraum_geometry::path::Motion;
use freiraum_geometry::tolerance::ROUND_TOUCH_RELATIVE;
use freiraum_query::broad_phase::DynamicTree;
use rayon::prelude::*;
use std::cell::RefCell;

/// A body on its way.
#[derive(Clone, Copy)]
pub struct Moving<'m> {
    /// What moves.
    pub body: &'m Movable,
    /// How it moves; bodies that stay have [`UniformMotion::still`](freiraum_geometry::path::UniformMotion::still).
    pub motion: &'m dyn Motion,
}

/// What happens between one pair of bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairVerdict {
    /// The numbers of the two bodies in their lists.
    pub pair: [usize; 2],
    /// Never [`Verdict::Free`].
    pub verdict: Verdict,
}

/// The first contact between any body of one list and any of the other; `None` if all pairs are free.
///
/// A pair that overlaps at the start counts as a contact at time 0, an undecided one at the time up to which it is free, one of which it is unknown whether
/// one is inside the other at time 1. Among equal
/// times the smallest numbers win. **Guarantee.** The same answer on any number of threads. **Cost.** Pairs whose ways do not come
/// near each other cost nothing; the others are solved in parallel on the current rayon pool, earliest first.
pub fn first_contact(
    moving: &[Moving],
    others: &[Moving],
    allowance: f64,
    limits: &Limits,
) -> Result<Option<PairVerdict>, MotionError> {
    let mut candidates = candidates(moving, others, limits);
    candidates.sort_by(|x, y| x.earliest.total_cmp(&y.earliest).then(x.pair.cmp(&y.pair)));
    let mut best: Option<PairVerdict> = None;
    // A few at a time, more and more: the earliest ones nearly always hold the answer, and what comes later need not be looked
    // at. How many does not depend on the threads, so that the same pairs are looked at and the same error is found.
    let (mut rest, mut count) = (&candidates[..], FIRST_AT_ONCE);
    while !rest.is_empty() {
        let some;
        (some, rest) = rest.split_at(count.min(rest.len()));
        count *= 2;
        let limit = best.map_or(1.0, |best| start_of(&best.verdict));
        let near: Vec<&Candidate> = some.iter().filter(|candidate| candidate.earliest <= limit).collect();
        if near.is_empty() {
            break;
        }
        for verdict in solve_all(&near, moving, others, allowance, limits)? {
            let key = |v: &PairVerdict| (start_of(&v.verdict), v.pair);
            if best.is_none_or(|best| key(&verdict) < key(&best)) {
                best = Some(verdict);
            }
        }
    }
    Ok(best)
}

/// How many pairs are solved before the first look at what was found.
const FIRST_AT_ONCE: usize = 8;

/// What happens between all pairs of bodies of two lists: those that are not free, in the order of their numbers.
///
/// **Guarantee** and **Cost** as [`first_contact`], with all pairs that come near each other solved.
pub fn all_contacts(
    moving: &[Moving],
    others: &[Moving],
    allowance: f64,
    limits: &Limits,
) -> Result<Vec<PairVerdict>, MotionError> {
    let mut candidates = candidates(moving, others, limits);
    candidates.sort_by_key(|candidate| candidate.pair);
    solve_all(&candidates.iter().collect::<Vec<_>>(), moving, others, allowance, limits)
}

/// When a pair of bodies touches or overlaps.
#[derive(Clone, Debug, PartialEq)]
pub struct PairOverlaps {
    /// The numbers of the two bodies in their lists.
    pub pair: [usize; 2],
    /// At least one.
    pub intervals: Vec<OverlapInterval>,
}

/// When bodies of one list touch or overlap bodies of the other: pairs that are always apart are left out, the others come in the order of
/// their numbers. [`free_between`](crate::free_between) of all intervals is when the whole list is proven free.
///
/// **Guarantee** as [`overlap_intervals`]; the same answer on any number of threads. **Cost.** Pairs whose ways do not come near each other
/// cost nothing; the others are solved in parallel on the current rayon pool.
pub fn all_overlaps(
    moving: &[Moving],
    others: &[Moving],
    request: &OverlapRequest,
) -> Result<Vec<PairOverlaps>, MotionError> {
    let mut candidates = candidates(moving, others, &request.limits);
    candidates.sort_by_key(|candidate| candidate.pair);
    let solve = |candidate: &Candidate| {
        let (a, b) = (&moving[candidate.pair[0]], &others[candidate.pair[1]]);
        let intervals = MEMORY.with_borrow_mut(|memory| {
            overlap_intervals(a.body, a.motion, b.body, b.motion, request, memory)
        })?;
        Ok(PairOverlaps { pair: candidate.pair, intervals })
    };
    let all: Vec<Result<PairOverlaps, MotionError>> = candidates.par_iter().map(solve).collect();
    let mut all: Vec<PairOverlaps> = all.into_iter().collect::<Result<_, _>>()?;
    all.retain(|one| !one.intervals.is_empty());
    Ok(all)
}

/// Those of the candidates that are not free, in their order; the error of the first that has one.
fn solve_all(
    candidates: &[&Candidate],
    moving: &[Moving],
    others: &[Moving],
    allowance: f64,
    limits: &Limits,
) -> Result<Vec<PairVerdict>, MotionError> {
    let found: Vec<_> = candidates
        .par_iter()
        .map(|candidate| solve(moving, others, candidate.pair, allowance, limits))
        .collect();
    found.into_iter().filter_map(Result::transpose).collect()
}

thread_local! {
    static MEMORY: RefCell<MotionWorkspace> = RefCell::default();
}

fn solve(
    moving: &[Moving],
    others: &[Moving],
    pair: [usize; 2],
    allowance: f64,
    limits: &Limits,
) -> Result<Option<PairVerdict>, MotionError> {
    let (a, b) = (&moving[pair[0]], &others[pair[1]]);
    let verdict = MEMORY.with_borrow_mut(|memory| {
        time_of_contact_with_allowance(a.body, a.motion, b.body, b.motion, allowance, limits, memory)
    })?;
    Ok((verdict != Verdict::Free).then_some(PairVerdict { pair, verdict }))
}

/// The time up to which a verdict says free.
fn start_of(verdict: &Verdict) -> f64 {
    match verdict {
        Verdict::Free => f64::INFINITY,
        Verdict::Contact(contact) => contact.time,
        Verdict::OverlapAtStart => 0.0,
        Verdict::Undecided { open } => open[0],
        // Contacts that are proven come first.
        Verdict::InsideUnknown { .. } => 1.0,
    }
}

/// A pair that may touch.
struct Candidate {
    pair: [usize; 2],
    /// Not before this time.
    earliest: f64,
}

/// The boxes of a body on its way; those that touch within the tolerance overlap.
fn swept(one: &Moving, limits: &Limits) -> SweptAabbs {
    let prepared = one.body.prepared();
    let bounds = prepared.bounds().filter(|_| !prepared.fills_beyond_bounds());
    let margin = Margin { length: limits.tolerance, share: ROUND_TOUCH_RELATIVE };
    SweptAabbs::moving(bounds.as_ref(), one.motion, margin)
}

/// All pairs that may touch, in no particular order. An allowance only makes bodies smaller.
fn candidates(moving: &[Moving], others: &[Moving], limits: &Limits) -> Vec<Candidate> {
    let others: Vec<SweptAabbs> = others.iter().map(|other| swept(other, limits)).collect();
    let is_finite = |bounds: &Aabb| bounds.min.is_finite() && bounds.max.is_finite();
    let (mut tree, mut endless) = (DynamicTree::default(), Vec::new());
    for (key, other) in (0u32..).zip(&others) {
        if is_finite(other.whole()) {
            tree.insert(key, *other.whole());
        } else {
            endless.push(key);
        }
    }
    let mut found = Vec::new();
    let mut near = Vec::new();
    for (number, one) in moving.iter().enumerate() {
        let one = swept(one, limits);
        near.clone_from(&endless);
        tree.overlapping(one.whole(), |key| near.push(key));
        found.extend(near.iter().filter_map(|&other| {
            let earliest = one.apart_until(&others[other as usize])?;
            Some(Candidate { pair: [number, other as usize], earliest })
        }));
    }
    found
}
