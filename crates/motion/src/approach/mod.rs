//! The clearance of bodies that are meant to touch: everywhere but in contact and on the way to it.
//!
//! **Rule.** Two bodies are *in contact* while their gap is at most `contact`. An instant is *on the approach* if the fastest point of the one travels no more than
//! `approach` relative to the other between it and an instant of contact. At every other instant the bodies must keep the clearance.
//!
//! **How it is decided.** Instants of contact are proven by a distance each. Around one whose gap is `g`, all instants within a travel of `approach + contact - g` are
//! exempt: within `contact - g` of it the bodies are still in contact, since no gap changes by more than the travel. Outside of what is exempt so far, a
//! proven clearance over windows of the time tells whether a bound is broken. If it is, the nearest contacts before and after that instant are looked for, as far as
//! the approach reaches; where there is none, the bodies are too close there.
//! Travels are the proven upper bounds of [`Motion::travel`]: what is exempt may come out shorter than the rule says, never longer. For
//! translations the two are equal but for rounding.

mod travels;

use crate::clearance::{Clearance, ClearanceRequest, clearance};
use crate::movable::Movable;
use crate::sweep::MotionWorkspace;
use crate::verdict::{Limits, MotionError};
use freiraum_geometry::path::Motion;
use freiraum_geometry::path::Window;
use freiraum_geometry::tolerance::NEAREST_RELATIVE;
use travels::Travels;

/// What two bodies must keep, and where they need not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApproachRequest {
    /// The distance that they must keep, in metres.
    pub clearance: f64,
    /// The largest gap that counts as contact, in metres.
    pub contact: f64,
    /// How far the fastest point of the one may travel relative to the other before and after a contact without keeping the clearance, in metres.
    pub approach: f64,
    /// How much of the approach to contacts before and after this motion is left at its beginning and at its end, in metres; `None` without such a contact.
    pub left: [Option<f64>; 2],
    /// Whether contacts during the motion count.
    pub is_fit: bool,
    /// By which share the least distance may be missed.
    pub accuracy: f64,
    /// For motions and shapes without an exact method: when to give up.
    pub limits: Limits,
}

/// Whether two bodies keep their clearance outside of contact and approach.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Kept {
    /// They do: proven.
    Yes,
    /// They do not: the closest that they come there.
    No(Clearance),
    /// A budget ended.
    Unknown {
        /// The part of the time that is open.
        open: [f64; 2],
    },
}

/// Two bodies on their way, asked about contact and approach.
pub struct Approach<'m> {
    bodies: [&'m Movable; 2],
    motions: [&'m dyn Motion; 2],
    travels: Travels<'m>,
}

/// An instant of contact.
#[derive(Clone, Copy, Debug)]
struct Touch {
    time: f64,
    gap: f64,
}

/// What a search for a contact found.
enum Nearest {
    Found(Touch),
    /// There is none, as far as was asked.
    Nowhere,
    /// A budget ended.
    Unknown,
}

/// The two directions of time.
#[derive(Clone, Copy, PartialEq)]
enum Towards {
    Start,
    End,
}

impl<'m> Approach<'m> {
    /// The bodies and their motions, which give `world_from_a` and `world_from_b`.
    pub fn new(bodies: [&'m Movable; 2], motions: [&'m dyn Motion; 2]) -> Approach<'m> {
        Approach { bodies, motions, travels: Travels::new(bodies, motions) }
    }

    /// An upper bound of how far the fastest point of the one travels relative to the other during the whole motion, in metres; exact for translations.
    pub fn travel(&self) -> f64 {
        self.travels.between(0.0, 1.0)
    }

    /// How much of the approach to the last contact of this motion is left at its end (`is_end`), or of that to the first one at its beginning, in metres; `None` if
    /// there is no such contact, or none within reach.
    pub fn left(
        &self,
        is_end: bool,
        request: &ApproachRequest,
        memory: &mut MotionWorkspace,
    ) -> Result<Option<f64>, MotionError> {
        let (from, towards) = if is_end { (1.0, Towards::Start) } else { (0.0, Towards::End) };
        let Nearest::Found(touch) = self.nearest(from, towards, request, memory)? else { return Ok(None) };
        let left =
            self.radius(&touch, request) - self.travels.between(touch.time.min(from), touch.time.max(from));
        Ok((left >= 0.0).then_some(left))
    }

    /// Whether the bodies keep their clearance outside of contact and approach.
    ///
    /// **Guarantee.** [`Kept::Yes`] is proven for every instant outside, up to the accuracy and rounding. The instant of [`Kept::No`] is outside of all contacts and
    /// approaches, with the bounds of travel that there are; at its border if the bodies are closest there.
    /// **Errors.** A pose on the way that is not finite or too far out.
    pub fn keeps(
        &self,
        request: &ApproachRequest,
        memory: &mut MotionWorkspace,
    ) -> Result<Kept, MotionError> {
        Ok(self.keeps_outside(request, memory)?.0)
    }

    /// As [`keeps`](Approach::keeps), with the stretches of the time that are in contact or on an approach,
    /// in their order: all of those in which the bodies come closer than
    /// the clearance, and perhaps others.
    pub fn keeps_outside(
        &self,
        request: &ApproachRequest,
        memory: &mut MotionWorkspace,
    ) -> Result<(Kept, Vec<[f64; 2]>), MotionError> {
        let mut exempt = self.known(request)?;
        let kept = self.kept(&mut exempt, request, memory)?;
        Ok((kept, exempt))
    }

    /// Whether the clearance is kept outside of what is exempt, to which contacts are added that are found.
    fn kept(
        &self,
        exempt: &mut Vec<[f64; 2]>,
        request: &ApproachRequest,
        memory: &mut MotionWorkspace,
    ) -> Result<Kept, MotionError> {
        // First only whether the bound is broken; then where the bodies are closest.
        let mut at_least = Some(request.clearance);
        let mut found: Option<Clearance> = None;
        for _ in 0..ROUNDS {
            let closest = match self.outside(exempt, at_least, request, memory)? {
                Outside::Kept => return Ok(found.map_or(Kept::Yes, Kept::No)),
                Outside::Unknown { open } => return Ok(found.map_or(Kept::Unknown { open }, Kept::No)),
                Outside::Closest(closest) => closest,
            };
            match self.exempts(&closest, exempt, request, memory)? {
                Some(true) => continue,
                Some(false) => {}
                None => return Ok(Kept::Unknown { open: [closest.time, 1.0] }),
            }
            if at_least.take().is_none() {
                return Ok(Kept::No(closest));
            }
            found = Some(closest);
        }
        Ok(found.map_or(Kept::Unknown { open: [0.0, 1.0] }, Kept::No))
    }

    /// What is exempt at first: next to the neighbours, and around both ends if the bodies are in contact there.
    fn known(&self, request: &ApproachRequest) -> Result<Vec<[f64; 2]>, MotionError> {
        let mut exempt = Vec::new();
        if let Some(left) = request.left[0] {
            exempt.push([0.0, self.travels.reach(0.0, left, 1.0)]);
        }
        if let Some(left) = request.left[1] {
            exempt.push([self.travels.reach(1.0, left, 0.0), 1.0]);
        }
        if request.is_fit {
            for time in [0.0, 1.0] {
                let gap = self.gap(time)?;
                if gap <= request.contact {
                    self.add(&Touch { time, gap }, &mut exempt, request)?;
                }
            }
        }
        unite(&mut exempt);
        Ok(exempt)
    }

    /// Adds what is exempt around a contact, and goes on along both directions as long as contacts follow each other.
    fn add(
        &self,
        touch: &Touch,
        exempt: &mut Vec<[f64; 2]>,
        request: &ApproachRequest,
    ) -> Result<(), MotionError> {
        let mut reached =
            [0.0, 1.0].map(|until| self.travels.reach(touch.time, self.radius(touch, request), until));
        if exempt.iter().any(|known| known[0] <= reached[0] && reached[1] <= known[1]) {
            return Ok(());
        }
        for (end, until) in [0.0, 1.0].into_iter().enumerate() {
            let mut at = *touch;
            for _ in 0..LOOKS {
                if reached[end] == until {
                    break;
                }
                // A contact twice as far away leaves nothing between; one at the border of what is exempt carries on.
                let radius = self.radius(&at, request);
                let mut next = None;
                for share in [FAR, 1.0] {
                    let time = self.travels.reach(at.time, share * radius, until);
                    let gap = self.gap(time)?;
                    let touch = Touch { time, gap };
                    let is_joined = |touch: &Touch| {
                        let back = self.travels.reach(touch.time, self.radius(touch, request), 1.0 - until);
                        if until == 0.0 { back >= reached[end] } else { back <= reached[end] }
                    };
                    if time != at.time && gap <= request.contact && is_joined(&touch) {
                        next = Some(touch);
                        break;
                    }
                }
                let Some(next) = next else { break };
                at = next;
                reached[end] = self.travels.reach(at.time, self.radius(&at, request), until);
            }
        }
        exempt.push(reached);
        unite(exempt);
        Ok(())
    }

    /// How far around a contact nothing is asked, in metres of travel.
    fn radius(&self, touch: &Touch, request: &ApproachRequest) -> f64 {
        request.approach + (request.contact - touch.gap).max(0.0)
    }

    fn gap(&self, time: f64) -> Result<f64, MotionError> {
        let a_from_b = self.motions[0].pose(time).inverse() * self.motions[1].pose(time);
        let [a, b] = self.bodies.map(Movable::prepared);
        Ok(freiraum_query::distance(a, b, &a_from_b)?.distance.max(0.0))
    }

    /// Whether an instant that is not known to be exempt is so for a contact that was not known: then that is added. `None` if a budget ended.
    fn exempts(
        &self,
        closest: &Clearance,
        exempt: &mut Vec<[f64; 2]>,
        request: &ApproachRequest,
        memory: &mut MotionWorkspace,
    ) -> Result<Option<bool>, MotionError> {
        if !request.is_fit {
            return Ok(Some(false));
        }
        for towards in [Towards::Start, Towards::End] {
            match self.nearest(closest.time, towards, request, memory)? {
                Nearest::Unknown => return Ok(None),
                Nearest::Nowhere => {}
                Nearest::Found(touch) => {
                    let before = covered(exempt);
                    self.add(&touch, exempt, request)?;
                    if covered(exempt) > before + ROUNDING {
                        return Ok(Some(true));
                    }
                }
            }
        }
        Ok(Some(false))
    }

    /// The contact nearest to an instant in one direction, as far as the approach reaches.
    fn nearest(
        &self,
        from: f64,
        towards: Towards,
        request: &ApproachRequest,
        memory: &mut MotionWorkspace,
    ) -> Result<Nearest, MotionError> {
        let gap = self.gap(from)?;
        if gap <= request.contact {
            return Ok(Nearest::Found(Touch { time: from, gap }));
        }
        let until = if towards == Towards::Start { 0.0 } else { 1.0 };
        let reach = request.approach + request.contact;
        let mut far = self.travels.reach(from, reach, until);
        let mut best = Nearest::Nowhere;
        for _ in 0..NEARER {
            if far == from {
                return Ok(best);
            }
            let asked = ClearanceRequest {
                at_least: Some(request.contact),
                accuracy: NEAREST_RELATIVE,
                limits: request.limits,
            };
            let found = self.in_window([from, far], &asked, memory)?;
            if found.distance > request.contact {
                return Ok(match (found.is_kept, &best) {
                    (None, Nearest::Nowhere) => Nearest::Unknown,
                    _ => best,
                });
            }
            // The border of a contact between the two; what lies between it and the instant is looked at again.
            let (mut inside, mut outside) = (Touch { time: found.time, gap: self.gap(found.time)? }, from);
            if inside.gap > request.contact {
                // Rounding alone: the search and the look do not agree.
                return Ok(best);
            }
            for _ in 0..HALVINGS {
                let middle = 0.5 * (inside.time + outside);
                if middle == inside.time || middle == outside {
                    break;
                }
                let gap = self.gap(middle)?;
                if gap <= request.contact {
                    inside = Touch { time: middle, gap };
                } else {
                    outside = middle;
                }
            }
            best = Nearest::Found(inside);
            far = outside;
        }
        Ok(best)
    }

    /// How close they come from one time to another, which may be the earlier one.
    fn in_window(
        &self,
        [from, to]: [f64; 2],
        request: &ClearanceRequest,
        memory: &mut MotionWorkspace,
    ) -> Result<Clearance, MotionError> {
        let [motion_a, motion_b] = self.motions.map(|motion| Window { motion, from, to });
        let [a, b] = self.bodies;
        let mut found = clearance(a, &motion_a, b, &motion_b, request, memory)?;
        found.time = if found.time >= 1.0 { to } else { from + found.time * (to - from) };
        Ok(found)
    }

    /// How close the bodies come outside of what is exempt.
    fn outside(
        &self,
        exempt: &[[f64; 2]],
        at_least: Option<f64>,
        request: &ApproachRequest,
        memory: &mut MotionWorkspace,
    ) -> Result<Outside, MotionError> {
        let asked = ClearanceRequest { at_least, accuracy: request.accuracy, limits: request.limits };
        let mut best: Option<Clearance> = None;
        for window in rest(exempt) {
            let found = self.in_window(window, &asked, memory)?;
            if at_least.is_none() {
                let nearer = best.is_none_or(|best| found.distance < best.distance);
                let lower = best.map_or(f64::INFINITY, |best| best.lower()).min(found.lower());
                let one = if nearer { found } else { best.unwrap_or(found) };
                best = Some(Clearance { error: (one.distance - lower).max(0.0), ..one });
            } else if found.distance < request.clearance {
                return Ok(Outside::Closest(found));
            } else if found.is_kept != Some(true) {
                return Ok(Outside::Unknown { open: window });
            }
        }
        Ok(match best {
            Some(best) if best.distance < request.clearance => Outside::Closest(best),
            _ => Outside::Kept,
        })
    }
}

/// How close bodies come outside of what is exempt.
enum Outside {
    Kept,
    Closest(Clearance),
    Unknown { open: [f64; 2] },
}

/// Contacts that are found one by one, at most.
const ROUNDS: usize = 1 << 12;

/// Looks along a contact that lasts, at most.
const LOOKS: usize = 1 << 18;

/// Contacts nearer and nearer to an instant, at most.
const NEARER: usize = 64;

/// Halvings that end at rounding.
const HALVINGS: usize = 60;

/// Just below twice: where two contacts reach the same instant, rounding must not leave a gap.
const FAR: f64 = 2.0 - 1.0 / 1024.0;

/// What times are good for.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Sorts and joins intervals; gaps that rounding alone makes are closed.
fn unite(all: &mut Vec<[f64; 2]>) {
    all.sort_by(|x, y| x[0].total_cmp(&y[0]).then(x[1].total_cmp(&y[1])));
    let mut kept: Vec<[f64; 2]> = Vec::with_capacity(all.len());
    for one in all.iter() {
        match kept.last_mut() {
            Some(last) if one[0] <= last[1] + ROUNDING => last[1] = last[1].max(one[1]),
            _ => kept.push(*one),
        }
    }
    *all = kept;
}

/// How much of the time intervals cover.
fn covered(all: &[[f64; 2]]) -> f64 {
    all.iter().map(|[from, to]| to - from).sum()
}

/// What intervals in the order of time leave over of [0, 1].
fn rest(exempt: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut out = Vec::new();
    let mut from = 0.0;
    let mut is_first = true;
    for [start, end] in exempt {
        if *start > from + ROUNDING || (is_first && *start > from) {
            out.push([from, *start]);
        }
        (from, is_first) = (*end, false);
    }
    if is_first || from < 1.0 - ROUNDING {
        out.push([from, 1.0]);
    }
    out
}
