//! Making a way shorter: whatever can be skipped, is.

use super::space::Probe;
use super::way::{Leg, TurnFirst, angle, connection};
use freiraum_geometry::math::random::Random;
use freiraum_geometry::tolerance::SAME_POSE;
use freiraum_scene::Travel;

/// A way that is hardly longer than the one given, mostly much shorter, and free as well, after at most `tries` attempts.
pub(crate) fn shorten(probe: &mut Probe, mut legs: Vec<Leg>, tries: usize, seed: u64) -> Vec<Leg> {
    let mut random = Random::new(seed);
    if let Some(plain) = without_turns(probe, &legs) {
        legs = plain;
    }
    let mut failed = 0;
    for _ in 0..tries {
        if legs.len() < 2 || probe.is_spent() || failed > PATIENCE * (legs.len() + 4) {
            break;
        }
        if cut(probe, &mut legs, &mut random) { failed = 0 } else { failed += 1 }
    }
    for _ in 0..SKIPS {
        let before = legs.len();
        skip(probe, &mut legs);
        if legs.len() == before {
            break;
        }
    }
    legs
}

/// The same way of the middle of the group without any turn, if that is free: what samples turns even where nobody needs it.
fn without_turns(probe: &mut Probe, legs: &[Leg]) -> Option<Vec<Leg>> {
    let (first, last) = (legs.first()?, legs.last()?);
    let has_turns = legs.iter().any(|leg| !matches!(leg.travel, Travel::Translate(_)));
    if !has_turns || angle(&first.from, &last.to) > SAME_POSE {
        return None;
    }
    let center = probe.space.center;
    let mut plain: Vec<Leg> = Vec::with_capacity(legs.len());
    for leg in legs {
        let from = plain.last().map_or(first.from, |leg| leg.to);
        let by = leg.to.transform_point(center) - from.transform_point(center);
        // Turns about the middle leave it where it is, up to rounding.
        if by.length() > SAME_POSE * probe.space.size() {
            plain.push(Leg::new(from, Travel::Translate(by)));
        }
    }
    probe.are_free(&plain).then_some(plain)
}

/// How often it is tried to get along with fewer legs.
const SKIPS: usize = 4;

/// So many failures per leg end the search.
const PATIENCE: usize = 12;

fn length(probe: &Probe, legs: &[Leg]) -> f64 {
    legs.iter().map(|leg| leg.length(probe.space.center, probe.space.weight())).sum()
}

/// The shortest free connection of two poses; `None` if it is no shorter than `limit` or has more than `most` legs.
fn direct(probe: &mut Probe, ends: [&Leg; 2], limit: f64, most: usize) -> Option<Vec<Leg>> {
    let center = probe.space.center;
    for order in [TurnFirst::Yes, TurnFirst::No] {
        let legs = connection(&ends[0].from, &ends[1].to, center, order);
        if legs.len() <= most && length(probe, &legs) < limit && probe.are_free(&legs) {
            return Some(legs);
        }
    }
    None
}

/// What is not shorter by this factor is not worth a change.
const SHORTER: f64 = 1.0 - 1.0 / 4096.0;

/// Fewer legs may make a way longer by this factor.
const SIMPLER: f64 = 1.0 + 1.0 / 64.0;

/// Skips as many legs as possible, from the front.
fn skip(probe: &mut Probe, legs: &mut Vec<Leg>) {
    let mut first = 0;
    while first + 1 < legs.len() {
        for last in (first + 1..legs.len().min(first + AHEAD)).rev() {
            let limit = SIMPLER * length(probe, &legs[first..=last]);
            if let Some(better) = direct(probe, [&legs[first], &legs[last]], limit, last - first) {
                legs.splice(first..=last, better);
                break;
            }
        }
        first += 1;
    }
}

/// Legs that are skipped at once, at most.
const AHEAD: usize = 12;

/// Tries to connect two random places on the way.
fn cut(probe: &mut Probe, legs: &mut Vec<Leg>, random: &mut Random) -> bool {
    // Places are chosen by length, so that long legs get their share.
    let lengths: Vec<f64> = legs.iter().map(|leg| length(probe, std::slice::from_ref(leg))).collect();
    let total: f64 = lengths.iter().sum();
    let mut place = || {
        let mut at = random.unit() * total;
        for (number, length) in lengths.iter().enumerate() {
            if at <= *length {
                return (number, if *length > 0.0 { at / length } else { 0.0 });
            }
            at -= length;
        }
        (legs.len() - 1, 1.0)
    };
    let (mut a, mut b) = (place(), place());
    if b < a {
        std::mem::swap(&mut a, &mut b);
    }
    if a.0 == b.0 {
        return false;
    }
    let head = legs[a.0].part(a.1);
    let tail = legs[b.0].reversed().part(1.0 - b.1).reversed();
    let middle = [Leg { from: head.to, ..legs[a.0].clone() }, Leg { to: tail.from, ..legs[b.0].clone() }];
    let old = lengths[a.0] * (1.0 - a.1) + lengths[a.0 + 1..b.0].iter().sum::<f64>() + lengths[b.0] * b.1;
    let Some(better) = direct(probe, [&middle[0], &middle[1]], SHORTER * old, usize::MAX) else {
        return false;
    };
    let kept = |leg: &Leg, share: f64| share > SMALL && length_of(probe, leg) > 0.0;
    let mut new = Vec::with_capacity(better.len() + 2);
    if kept(&head, a.1) {
        new.push(head);
    }
    new.extend(better);
    if kept(&tail, 1.0 - b.1) {
        new.push(tail);
    }
    legs.splice(a.0..=b.0, new);
    true
}

fn length_of(probe: &Probe, leg: &Leg) -> f64 {
    length(probe, std::slice::from_ref(leg))
}

/// Parts of a leg with a smaller share are taken for none.
const SMALL: f64 = 4.0 * f64::EPSILON;
