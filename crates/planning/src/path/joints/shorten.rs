//! Making a way of joint values shorter.

use super::edge::Prover;
use freiraum_geometry::math::random::Random;

/// So many failures in a row per knot end it.
const PATIENCE: usize = 10;

/// A way that is no longer, mostly much shorter, with proven lines as before.
pub(super) fn shorten(prover: &mut Prover, mut way: Vec<Vec<f64>>, until: u64, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Random::new(seed);
    skip(prover, &mut way, until);
    let mut failed = 0;
    while way.len() > 2 && prover.looks() < until && failed < PATIENCE * way.len() {
        if cut(prover, &mut way, &mut random) {
            failed = 0;
        } else {
            failed += 1;
        }
    }
    skip(prover, &mut way, until);
    way
}

/// Leaves out as many knots as possible.
fn skip(prover: &mut Prover, way: &mut Vec<Vec<f64>>, until: u64) {
    let mut first = 0;
    while first + 2 < way.len() {
        for last in (first + 2..way.len()).rev() {
            if prover.looks() >= until {
                return;
            }
            if prover.is_free(&way[first], &way[last]) {
                way.drain(first + 1..last);
                break;
            }
        }
        first += 1;
    }
}

/// Connects two random places on the way, if that is shorter and free.
fn cut(prover: &mut Prover, way: &mut Vec<Vec<f64>>, random: &mut Random) -> bool {
    let lengths: Vec<f64> = way.windows(2).map(|pair| prover.space.distance(&pair[0], &pair[1])).collect();
    let total: f64 = lengths.iter().sum();
    let place = |mut at: f64| {
        for (number, length) in lengths.iter().enumerate() {
            if at < *length {
                return (number, at / length);
            }
            at -= length;
        }
        (lengths.len() - 1, 1.0)
    };
    let (mut a, mut b) = (place(random.unit() * total), place(random.unit() * total));
    if b.0 < a.0 {
        std::mem::swap(&mut a, &mut b);
    }
    if a.0 == b.0 {
        return false;
    }
    let at = |(edge, share): (usize, f64)| -> Vec<f64> {
        way[edge].iter().zip(&way[edge + 1]).map(|(x, y)| x + share * (y - x)).collect()
    };
    let (from, to) = (at(a), at(b));
    let old = lengths[a.0] * (1.0 - a.1) + lengths[a.0 + 1..b.0].iter().sum::<f64>() + lengths[b.0] * b.1;
    if prover.space.distance(&from, &to) > SHORTER * old || !prover.is_free(&from, &to) {
        return false;
    }
    // The ends of the cut are on proven lines up to rounding, so what is left of those lines is proven anew.
    let (head, tail) = (way[a.0].clone(), way[b.0 + 1].clone());
    if !prover.is_free(&head, &from) || !prover.is_free(&to, &tail) {
        return false;
    }
    way.splice(a.0 + 1..=b.0, [from, to]);
    way.dedup();
    true
}

/// What is not shorter by this factor is not worth a change.
const SHORTER: f64 = 1.0 - 1.0 / 256.0;
