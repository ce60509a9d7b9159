//! What is squeezed gains no energy but from bodies on rails, and not more than that of their speed.
//!
//! A body between two others that neither yield is sent from one to the other; where their surfaces are not quite parallel it gets faster sideways each time.

use super::rows::Row;
use super::{Kind, Mover, Pressed};

/// Bodies that press on each other, and what they may have.
#[derive(Clone, Debug, Default)]
pub(super) struct Gain {
    /// Of every body: the first one of those that it presses on, directly or by others.
    heads: Vec<u32>,
    /// Of every body in the order: its kinetic energy before, in joules.
    energies: Vec<f64>,
    /// Of every head: mass of all, the fastest surface of a body on rails, energies before, and after of those that have gained and of those that have not.
    sums: Vec<Sum>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    mass: f64,
    driven: f64,
    before: f64,
    gained: f64,
    rest: f64,
}

impl Gain {
    /// Remembers what bodies have before they are pushed.
    pub(super) fn begin(&mut self, order: &[u32], rows: &[Row], pressed: &Pressed, movers: &[Mover]) {
        self.heads.clear();
        self.heads.extend(0..pressed.bodies.len() as u32);
        let is_held = |at: u32| pressed.inverses[at as usize].mass > 0.0;
        for row in rows.iter().filter(|row| row.ends.iter().all(|end| is_held(*end))) {
            let [a, b] = row.ends.map(|end| self.head(end));
            self.heads[a as usize] = b;
        }
        self.sums.clear();
        self.sums.resize(pressed.bodies.len(), Sum::default());
        self.energies.clear();
        for own in order {
            let energy = kinetic(*own, pressed, movers);
            self.energies.push(energy);
            let head = self.head(*own);
            let sum = &mut self.sums[head as usize];
            sum.mass += 1.0 / pressed.inverses[*own as usize].mass;
            sum.before += energy;
        }
        for row in rows {
            let [a, b] = row.ends;
            for (own, other) in [(a, b), (b, a)] {
                let (body, mover) = (&pressed.bodies[other as usize], &movers[other as usize]);
                if body.kind == Kind::Driven {
                    let head = self.head(own);
                    let sum = &mut self.sums[head as usize];
                    let speed = mover.linear.length() + body.reach * mover.angular.length();
                    sum.driven = sum.driven.max(speed);
                }
            }
        }
    }

    /// Slows down those that have gained more than others have lost. No contact with fixed bodies gets deeper by that.
    pub(super) fn end(&mut self, order: &[u32], pressed: &Pressed, movers: &mut [Mover]) {
        for (own, before) in order.iter().zip(&self.energies) {
            let after = kinetic(*own, pressed, movers);
            let sum = &mut self.sums[head_of(&self.heads, *own) as usize];
            if after > *before {
                sum.gained += after;
            } else {
                sum.rest += after;
            }
        }
        for (own, before) in order.iter().zip(&self.energies) {
            let sum = &self.sums[head_of(&self.heads, *own) as usize];
            let most = sum.before.max(0.5 * sum.mass * sum.driven * sum.driven);
            if sum.gained + sum.rest > most && kinetic(*own, pressed, movers) > *before {
                let share = ((most - sum.rest).max(0.0) / sum.gained).sqrt();
                let mover = &mut movers[*own as usize];
                mover.linear *= share;
                mover.angular *= share;
            }
        }
    }

    fn head(&mut self, at: u32) -> u32 {
        let head = head_of(&self.heads, at);
        self.heads[at as usize] = head;
        head
    }
}

fn head_of(heads: &[u32], mut at: u32) -> u32 {
    while heads[at as usize] != at {
        at = heads[at as usize];
    }
    at
}

fn kinetic(at: u32, pressed: &Pressed, movers: &[Mover]) -> f64 {
    let (inverse, mover) = (&pressed.inverses[at as usize], &movers[at as usize]);
    0.5 * (mover.linear.length_squared() / inverse.mass
        + mover.angular.dot(inverse.inertia.inverse() * mover.angular))
}
