//! Squeezed bodies: what is pressed between others, or by more than its contacts can bear, gets no deeper into anything.
//!
//! The solver goes through contacts one after the other, which takes as many sweeps as the heavier of two bodies is heavier: a truck drives a light board
//! through a wall before the solver knows of the wall's resistance. So, before bodies move, contacts that would get deeper than a share of the
//! thickness of their bodies are looked at again, from fixed bodies outwards: a body that its supports hold does not yield to the next one. What comes last in the row
//! is what stops. Bodies on rails cannot be stopped: they get into what they press, which stays on its side of fixed ones.
//!
//! Every impulse here takes energy away: it makes two bodies approach less fast, and never part. Where a body is between two that do not yield, that does not hold: what was gained is taken back.

mod gain;
mod rows;

use super::body::{Body, Kind};
use super::pair::Pair;
use super::solver::{Inverse, Mover, Prepared};
use freiraum_geometry::math::power_of_two;
use gain::Gain;
use rows::{Row, Support};

/// How deep contacts may get before they are held, as a share of half the thickness of the thinner body.
const DEPTH_SHARE: f64 = 0.25;

/// Contacts that are half as deep, or may become so in a part of a step, are looked at.
const WATCHED_SHARE: f64 = 0.5;

/// Speeds that differ by less than this share of the depth per part are the same.
const SAME: f64 = power_of_two(-20);

/// A contact holds if it is slower than what is allowed by this share of the depth per part at most.
const HOLDING: f64 = power_of_two(-16);

/// How often all bodies are gone through, and how often the contacts of one body.
const ROUNDS: usize = 8;
const SWEEPS: usize = 16;

/// How deep the contacts of a pair may get before they are held, in metres.
pub(crate) fn depth_of(bodies: [&Body; 2]) -> f64 {
    let movable = bodies.iter().filter(|b| b.kind == Kind::Dynamic);
    DEPTH_SHARE * movable.map(|b| b.core).fold(f64::INFINITY, f64::min)
}

/// What is known of the contacts of one stretch of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Squeeze {
    /// Of every patch: how deep it may get, and whether it is nearly so already. Springs may get as deep as they need.
    depths: Vec<(f64, bool)>,
    pub(crate) is_any_deep: bool,
    least_depth: f64,
    /// Of every body: how far it has moved and will have at the end of the part.
    ways: Vec<f64>,
    rows: Vec<Row>,
    /// Bodies and the rows they take part in, sorted.
    of_body: Vec<(u32, u32)>,
    /// How near bodies are to fixed ones, and which come when.
    ranks: Vec<u32>,
    order: Vec<u32>,
    /// Bodies that are pressed against others and cannot get away, and those that friction holds.
    is_pressed: Vec<bool>,
    is_stuck: Vec<bool>,
    gain: Gain,
}

/// What the search reads.
#[derive(Clone, Copy)]
pub(crate) struct Pressed<'s> {
    pub(crate) bodies: &'s [Body],
    pub(crate) inverses: &'s [Inverse],
    pub(crate) movable: &'s [u32],
    /// Length of the part of a step.
    pub(crate) part: f64,
    /// Whether bodies have moved since the contacts were found.
    pub(crate) has_moved: bool,
}

impl Squeeze {
    /// Contacts have been found.
    pub(crate) fn begin(&mut self, pairs: &[Pair], contacts: &Prepared) {
        (self.is_any_deep, self.least_depth) = (false, f64::INFINITY);
        self.depths.clear();
        self.depths.extend(contacts.patches.iter().map(|patch| {
            let pair = &pairs[patch.pair as usize];
            let depth = if patch.give > 0.0 { f64::INFINITY } else { pair.depth };
            let points = &contacts.points[patch.first as usize..][..patch.count as usize];
            let is_deep = points.iter().any(|p| p.separation < -WATCHED_SHARE * depth);
            self.is_any_deep |= is_deep;
            self.least_depth = self.least_depth.min(depth);
            (depth, is_deep)
        }));
    }

    /// Slows bodies down that would get too deep into others in this part of a step. Tells whether there were any.
    pub(crate) fn hold(&mut self, pressed: Pressed, contacts: &Prepared, movers: &mut [Mover]) -> bool {
        if !self.may_be_squeezed(&pressed, movers) || !self.is_squeezed(&pressed, contacts, movers) {
            return false;
        }
        self.find_rows(&pressed, contacts, movers);
        self.find_order(&pressed);
        self.is_pressed.clear();
        self.is_pressed.resize(pressed.bodies.len(), false);
        self.gain.begin(&self.order, &self.rows, &pressed, movers);
        self.settle_all(&pressed, movers, false);
        self.rub(&pressed, contacts, movers);
        if !self.settle_all(&pressed, movers, false) {
            // What could not be reached: nothing gets into fixed bodies, whatever else.
            self.settle_all(&pressed, movers, true);
        }
        self.gain.end(&self.order, &pressed, movers);
        true
    }

    /// Goes through all bodies until nothing gets too deep; tells whether that was reached.
    fn settle_all(&mut self, pressed: &Pressed, movers: &mut [Mover], only_fixed: bool) -> bool {
        for _ in 0..ROUNDS {
            let mut has_changed = false;
            for at in 0..self.order.len() {
                has_changed |= self.settle(self.order[at], pressed, movers, only_fixed);
            }
            if !has_changed {
                return true;
            }
        }
        false
    }

    /// Friction of what was held. What rubs on fixed bodies, or on what they hold, comes to rest as far as friction can.
    fn rub(&mut self, pressed: &Pressed, contacts: &Prepared, movers: &mut [Mover]) {
        self.is_stuck.clear();
        self.is_stuck.extend(pressed.bodies.iter().map(|b| b.kind == Kind::Fixed));
        for own in &self.order {
            let mut rows = self.rows_of(*own).iter().map(|(_, k)| &self.rows[*k as usize]).peekable();
            let mut is_stuck = false;
            while let Some(row) = rows.next() {
                let mut pressure = row.impulse;
                while let Some(next) = rows.next_if(|next| next.patch == row.patch) {
                    pressure += next.impulse;
                }
                let other = row.other(*own);
                let patch = &contacts.patches[row.patch as usize];
                if pressure > 0.0 && patch.friction > 0.0 && self.is_stuck[other as usize] {
                    rows::rub(patch, *own, pressure, &pressed.inverses[*own as usize], movers);
                    is_stuck = true;
                }
            }
            self.is_stuck[*own as usize] |= is_stuck;
        }
    }

    /// The impulses of contacts that were held are not known: they begin anew, or light bodies would be shot away by what has pressed on them.
    pub(crate) fn forget(&self, contacts: &mut Prepared) {
        for patch in &mut contacts.patches {
            let is_pressed = [patch.a, patch.b].iter().any(|at| self.is_pressed[*at as usize]);
            if is_pressed {
                patch.tangent_impulse = [0.0; 2];
                patch.twist_impulse = 0.0;
                for point in &mut contacts.points[patch.first as usize..][..patch.count as usize] {
                    point.impulse = 0.0;
                }
            }
        }
    }

    fn is_below(&self, other: u32, own: u32, pressed: &Pressed) -> bool {
        pressed.inverses[other as usize].mass == 0.0 || self.ranks[other as usize] < self.ranks[own as usize]
    }

    /// A first look, at bodies alone.
    fn may_be_squeezed(&mut self, pressed: &Pressed, movers: &[Mover]) -> bool {
        if self.depths.is_empty() {
            return false;
        }
        let part = pressed.part;
        self.ways.resize(pressed.bodies.len(), 0.0);
        let mut farthest = 0.0f64;
        for at in pressed.movable {
            let (body, mover) = (&pressed.bodies[*at as usize], &movers[*at as usize]);
            let shift = mover.moved + part * mover.linear;
            let turn = mover.turned + part * mover.angular;
            let way = shift.length() + body.reach * turn.length();
            self.ways[*at as usize] = way;
            farthest = farthest.max(way);
        }
        self.is_any_deep || 2.0 * farthest > WATCHED_SHARE * self.least_depth
    }

    /// Whether any contact gets too deep.
    fn is_squeezed(&self, pressed: &Pressed, contacts: &Prepared, movers: &[Mover]) -> bool {
        contacts.patches.iter().zip(&self.depths).any(|(patch, &(depth, is_deep))| {
            let ends = [patch.a as usize, patch.b as usize];
            let way = self.ways[ends[0]] + self.ways[ends[1]];
            if !(is_deep || way > WATCHED_SHARE * depth) {
                return false;
            }
            let [a, b] = ends.map(|at| &movers[at]);
            if pressed.has_moved && (a.is_wild || b.is_wild) {
                return false;
            }
            let points = &contacts.points[patch.first as usize..][..patch.count as usize];
            points.iter().any(|point| {
                let row = Row::new(patch, point, depth, a, b, pressed.part);
                row.is_violated(movers)
            })
        })
    }

    /// All contacts that press, or would by the end of the part.
    fn find_rows(&mut self, pressed: &Pressed, contacts: &Prepared, movers: &[Mover]) {
        self.rows.clear();
        for (number, (patch, (depth, _))) in (0..).zip(contacts.patches.iter().zip(&self.depths)) {
            let [a, b] = [patch.a, patch.b].map(|at| &movers[at as usize]);
            if depth.is_infinite() || (pressed.has_moved && (a.is_wild || b.is_wild)) {
                continue;
            }
            let points = &contacts.points[patch.first as usize..][..patch.count as usize];
            for point in points {
                let mut row = Row::new(patch, point, *depth, a, b, pressed.part);
                if point.impulse > 0.0 || row.gap <= 0.0 || row.gap + pressed.part * row.speed(movers) <= 0.0
                {
                    row.patch = number;
                    self.rows.push(row);
                }
            }
        }
        self.of_body.clear();
        let ends = (0..).zip(&self.rows).flat_map(|(k, row)| row.ends.map(|end| (end, k)));
        self.of_body.extend(ends);
        self.of_body.sort_unstable();
    }

    fn rows_of(&self, body: u32) -> &[(u32, u32)] {
        let from = self.of_body.partition_point(|(b, _)| *b < body);
        let count = self.of_body[from..].partition_point(|(b, _)| *b == body);
        &self.of_body[from..from + count]
    }

    /// Bodies from fixed ones outwards; then those that only bodies on rails hold; then the rest.
    fn find_order(&mut self, pressed: &Pressed) {
        self.ranks.clear();
        self.ranks.resize(pressed.bodies.len(), u32::MAX);
        self.order.clear();
        let kind = |at: u32| pressed.bodies[at as usize].kind;
        let is_held = |at: u32| pressed.inverses[at as usize].mass > 0.0;
        for start in [Kind::Fixed, Kind::Driven, Kind::Dynamic] {
            let from = self.order.len();
            for row in 0..self.rows.len() {
                let [a, b] = self.rows[row].ends;
                for (own, other) in [(a, b), (b, a)] {
                    let begins = start == Kind::Dynamic
                        || (kind(other) == start
                            || (start == Kind::Fixed && !is_held(other) && kind(other) == Kind::Dynamic));
                    if begins && is_held(own) && self.ranks[own as usize] == u32::MAX {
                        self.ranks[own as usize] = self.order.len() as u32;
                        self.order.push(own);
                    }
                }
            }
            let mut next = from;
            while next < self.order.len() {
                let own = self.order[next];
                next += 1;
                let neighbours: Vec<u32> =
                    self.rows_of(own).iter().map(|(_, k)| self.rows[*k as usize].other(own)).collect();
                for other in neighbours {
                    if is_held(other) && self.ranks[other as usize] == u32::MAX {
                        self.ranks[other as usize] = self.order.len() as u32;
                        self.order.push(other);
                    }
                }
            }
        }
    }

    /// Slows a body down that gets too deep into those below it; with `only_fixed`, into fixed ones. Tells whether it had to.
    fn settle(&mut self, own: u32, pressed: &Pressed, movers: &mut [Mover], only_fixed: bool) -> bool {
        // What holds best comes last.
        let class = |other: u32| match pressed.bodies[other as usize].kind {
            Kind::Dynamic if pressed.inverses[other as usize].mass > 0.0 => {
                (1, u32::MAX - self.ranks[other as usize])
            }
            Kind::Driven => (0, 0),
            _ => (2, 0),
        };
        let mut below: Vec<((u8, u32), u32)> = Vec::new();
        for (_, k) in self.rows_of(own) {
            let other = self.rows[*k as usize].other(own);
            let class = class(other);
            if self.is_below(other, own, pressed) && (!only_fixed || class.0 == 2) {
                below.push((class, *k));
            }
        }
        below.sort_unstable();
        let mut has_changed = false;
        for _ in 0..SWEEPS {
            let mut is_settled = true;
            for ((class, _), k) in &below {
                let row = self.rows[*k as usize];
                if row.is_violated(movers) && self.stop(own, *k, *class == 0, pressed, movers) {
                    is_settled = false;
                    has_changed = true;
                }
            }
            if is_settled {
                break;
            }
        }
        has_changed
    }

    /// Stops a body at one of its rows. Tells whether that was possible.
    fn stop(&mut self, own: u32, k: u32, by_driven: bool, pressed: &Pressed, movers: &mut [Mover]) -> bool {
        let row = self.rows[k as usize];
        let other = row.other(own);
        let free = row.inverse(own, &pressed.inverses[own as usize]);
        // Whoever presses on a body on rails is stopped; whom it presses against others gets out of its way as far as they let him.
        let pushed = if by_driven { own } else { other };
        let support = self.supported(pushed, &row, pressed, movers);
        let inverse = if by_driven { support.inverse } else { free + support.inverse };
        if inverse <= LEAST_YIELD * free {
            return false;
        }
        let impulse = (row.least - row.speed(movers)) / inverse;
        if !by_driven {
            row.response(own, &pressed.inverses[own as usize]).push(impulse, &mut movers[own as usize]);
            // How much what is below gives way, for those that press on this one.
            self.rows[k as usize].below = support.inverse;
        }
        support.push(impulse, &mut movers[pushed as usize]);
        self.is_pressed[pushed as usize] |=
            support.inverse == 0.0 && pressed.inverses[pushed as usize].mass > 0.0;
        self.rows[k as usize].impulse += impulse;
        for (holding, share) in &support.shares {
            self.rows[*holding as usize].impulse += share * impulse;
        }
        true
    }

    /// What a body that a row presses on does, while the contacts that hold it hold.
    fn supported(&self, at: u32, row: &Row, pressed: &Pressed, movers: &[Mover]) -> Support {
        let inverse = &pressed.inverses[at as usize];
        let mut support = row.response(at, inverse);
        if inverse.mass == 0.0 {
            return support;
        }
        let holds = |k: &u32| {
            let row = &self.rows[*k as usize];
            let other = row.other(at);
            pressed.bodies[other as usize].kind != Kind::Driven
                && self.is_below(other, at, pressed)
                && row.is_holding(movers)
        };
        let holding: Vec<u32> = self.rows_of(at).iter().map(|(_, k)| *k).filter(holds).collect();
        support.hold(at, inverse, &self.rows, &holding);
        support.inverse = row.along(at, &support).max(0.0);
        if support.inverse <= BLOCKED * row.inverse(at, inverse) {
            // It cannot get away: what is left is no more than what the search has left open.
            support.stand_still();
        }
        support
    }
}

/// A body that yields to a body on rails by less than this share of what it would alone is not moved: it would be shot away.
const LEAST_YIELD: f64 = 0.25;

/// A body that yields to another one by less than this share of what it would alone does not move.
const BLOCKED: f64 = 1.0 / 64.0;
