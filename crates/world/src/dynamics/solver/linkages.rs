//! All linkages of an engine: which bodies hang together, and how those that touch nothing move.

use super::Mover;
use super::factor::Pattern;
use super::linkage::{Held, Linkage, moved};
use super::prepare::Inverse;
use crate::dynamics::body::{Body, Motion};
use crate::dynamics::joint::JointState;
use std::collections::BTreeSet;

/// All linkages of an engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linkages {
    linkages: Vec<Linkage>,
    /// How many joints there were, and how many of them gone, when the list was made.
    made_for: (usize, usize),
    /// Which linkage a body belongs to.
    of_body: Vec<u32>,
    starts: Vec<Motion>,
    wanted: Vec<[f64; 6]>,
}

const NONE: u32 = u32::MAX;

/// A body with several joints is light if it has less than this share of the mass of a neighbour.
const LIGHT: f64 = 0.25;

/// How often impulses are corrected until joints fit.
const MOST_CORRECTIONS: usize = 8;

impl Linkages {
    /// Finds the linkages that are free in a step, cut into parts, and marks their bodies. `touched` tells bodies that touch something.
    #[expect(clippy::too_many_arguments, reason = "one caller, which has all of them at hand")]
    pub(crate) fn prepare(
        &mut self,
        held: Held,
        motions: &[Motion],
        movers: &mut [Mover],
        inverses: &[Inverse],
        touched: impl Iterator<Item = u32>,
        [time, part]: [f64; 2],
        scale: f64,
    ) {
        let Held { bodies, joints, .. } = held;
        let state = (joints.len(), joints.iter().filter(|j| j.is_removed).count());
        if self.made_for != state || self.of_body.len() != bodies.len() {
            self.find(bodies, joints);
            self.made_for = state;
        }
        if self.linkages.is_empty() {
            return;
        }
        for linkage in &mut self.linkages {
            linkage.is_free = true;
        }
        for body in touched {
            if let Some(linkage) = self.linkages.get_mut(self.of_body[body as usize] as usize) {
                linkage.is_free = false;
            }
        }
        for linkage in self.linkages.iter_mut().filter(|l| l.is_free) {
            linkage.is_free = linkage.may_be_free(held, motions, inverses, [time, part]);
            if !linkage.is_free {
                continue;
            }
            linkage.place(held, motions, inverses);
            linkage.impulses.clear();
            for (joint, at) in linkage.joints.iter().zip(&linkage.held) {
                let mut impulses = [0.0; 6];
                let locks = &linkage.locks[at.first as usize..][..at.count as usize];
                for (impulse, lock) in impulses.iter_mut().zip(locks) {
                    *impulse = 0.5 * scale * joints[*joint as usize].impulses[usize::from(lock.axis)][0];
                }
                linkage.impulses.push(impulses);
            }
            for at in &linkage.bodies {
                movers[*at as usize].is_linked = true;
            }
        }
    }

    /// Bodies that hang together by joints; fixed ones and those on rails hold nothing together.
    fn find(&mut self, bodies: &[Body], joints: &[JointState]) {
        let mut group: Vec<u32> = (0..bodies.len() as u32).collect();
        let root = |group: &[u32], mut at: u32| {
            while group[at as usize] != at {
                at = group[at as usize];
            }
            at
        };
        let is_dynamic = |at: u32| bodies[at as usize].is_dynamic();
        let ends = |joint: &JointState| joint.joint.bodies.map(|id| id.0);
        for joint in joints.iter().filter(|j| !j.is_removed) {
            let [a, b] = ends(joint);
            if is_dynamic(a) && is_dynamic(b) {
                let (a, b) = (root(&group, a), root(&group, b));
                group[a.max(b) as usize] = a.min(b);
            }
        }
        self.linkages.clear();
        self.of_body = vec![NONE; bodies.len()];
        let mut of_root = vec![NONE; bodies.len()];
        for (number, joint) in (0..).zip(joints).filter(|(_, j)| !j.is_removed) {
            let Some(one) = ends(joint).into_iter().find(|at| is_dynamic(*at)) else { continue };
            let root = root(&group, one) as usize;
            if of_root[root] == NONE {
                of_root[root] = self.linkages.len() as u32;
                self.linkages.push(Linkage::default());
            }
            self.linkages[of_root[root] as usize].joints.push(number);
        }
        for at in (0..bodies.len() as u32).filter(|at| is_dynamic(*at)) {
            let linkage = of_root[root(&group, at) as usize];
            if linkage != NONE {
                self.of_body[at as usize] = linkage;
                self.linkages[linkage as usize].bodies.push(at);
            }
        }
        for linkage in &mut self.linkages {
            let joined = |k: u32| ends(&joints[linkage.joints[k as usize] as usize]);
            let count = linkage.joints.len() as u32;
            let is_coupled = |i: u32, j: u32| {
                i != j && joined(i).into_iter().any(|at| is_dynamic(at) && joined(j).contains(&at))
            };
            let neighbours: Vec<BTreeSet<u32>> =
                (0..count).map(|i| (0..count).filter(|j| is_coupled(i, *j)).collect()).collect();
            linkage.pattern = Pattern::new(neighbours);
            // Several joints on a body that is lighter than what they hold.
            let is_light = |at: &u32| {
                let mut own = (0..count).map(joined).filter(|ends| ends.contains(at));
                let first = own.next();
                let others = first.into_iter().chain(own.clone()).flatten();
                let heaviest = others.map(|other| bodies[other as usize].mass).fold(0.0, f64::max);
                own.next().is_some() && bodies[*at as usize].mass < LIGHT * heaviest
            };
            linkage.is_uneven = linkage.bodies.iter().any(is_light);
            let order = &linkage.pattern.order;
            linkage.joints = order.iter().map(|k| linkage.joints[*k as usize]).collect();
        }
    }

    /// Linkages that are not free and have light bodies between heavier ones, with their joints in the order of elimination.
    pub(crate) fn uneven(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let linkages = self.linkages.iter().enumerate();
        linkages.filter(|(_, l)| !l.is_free && l.is_uneven).map(|(at, l)| (at, &l.joints[..]))
    }

    /// How the joints of a linkage hang together.
    pub(crate) fn pattern(&self, linkage: usize) -> &Pattern {
        &self.linkages[linkage].pattern
    }

    /// One part of a step of all free linkages. Bodies on rails have moved already.
    pub(crate) fn advance(
        &mut self,
        held: Held,
        motions: &mut [Motion],
        movers: &mut [Mover],
        inverses: &mut [Inverse],
        part: f64,
    ) {
        for linkage in self.linkages.iter_mut().filter(|l| l.is_free) {
            self.starts.clear();
            self.starts.extend(linkage.bodies.iter().map(|at| motions[*at as usize]));
            linkage.kick(held, movers, inverses, 0.5 * part);
            for at in 0..linkage.held.len() {
                linkage.apply(at, linkage.impulses[at], movers, inverses);
            }
            // Impulses along the joints of the start, until they fit where the bodies get to.
            for correction in 0..=MOST_CORRECTIONS {
                for (at, start) in linkage.bodies.iter().zip(&self.starts) {
                    let at = *at as usize;
                    motions[at] = moved(&held.bodies[at], start, &movers[at], part);
                }
                if correction == MOST_CORRECTIONS || linkage.misfit(held, motions, &mut self.wanted) {
                    break;
                }
                for x in self.wanted.iter_mut().flatten() {
                    *x *= -1.0 / part;
                }
                linkage.factor.solve(&linkage.pattern, &mut self.wanted);
                for (at, change) in self.wanted.iter().enumerate() {
                    linkage.apply(at, *change, movers, inverses);
                }
            }
            for (at, start) in linkage.bodies.iter().zip(&self.starts) {
                let at = *at as usize;
                let mover = &mut movers[at];
                mover.moved += motions[at].center - start.center;
                mover.turned += part * mover.angular;
                mover.angular = motions[at].angular;
                inverses[at].inertia = held.bodies[at].inverse_inertia(motions[at].rotation);
            }
            linkage.place(held, motions, inverses);
            linkage.kick(held, movers, inverses, 0.5 * part);
            linkage.speeds(movers, &mut self.wanted);
            linkage.factor.solve(&linkage.pattern, &mut self.wanted);
            for (at, impulse) in self.wanted.iter().enumerate() {
                linkage.apply(at, *impulse, movers, inverses);
            }
            // Those of the next part begin with those of the end of this one.
            linkage.impulses.clone_from(&self.wanted);
        }
    }

    /// Writes impulses back: those of whole parts.
    pub(crate) fn keep(&self, joints: &mut [JointState]) {
        for linkage in self.linkages.iter().filter(|l| l.is_free) {
            for ((joint, at), impulses) in linkage.joints.iter().zip(&linkage.held).zip(&linkage.impulses) {
                let locks = &linkage.locks[at.first as usize..][..at.count as usize];
                for (lock, impulse) in locks.iter().zip(impulses) {
                    joints[*joint as usize].impulses[usize::from(lock.axis)][0] = 2.0 * impulse;
                }
            }
        }
    }
}
