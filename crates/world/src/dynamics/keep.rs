//! What is kept of contacts after a stretch of time.

use super::body::BodyId;
use super::collider::ColliderId;
use super::engine::Engine;
use super::event::{Event, EventKind};
use freiraum_geometry::Vec3;

impl Engine {
    /// Writes impulses back to the pairs, and tells of contacts that begin or end.
    pub(super) fn keep_impulses(&mut self) {
        let contacts = &self.scratch.contacts;
        let movers = &self.scratch.movers;
        let pairs = &mut self.broad.pairs;
        self.statistics.pairs = pairs.len();
        self.statistics.points = contacts.points.len();
        self.statistics.contacts = contacts.patches.len();
        let mut next = contacts.patches.iter().peekable();
        let mut rollers = contacts.rollers.iter().peekable();
        let mut number_of_patch = 0;
        for (at, pair) in (0..).zip(pairs.iter_mut()) {
            let was_touching = pair.is_touching;
            let [a, b] = pair.bodies.map(|b| &self.scratch.inverses[b as usize]);
            // Pairs that sleep stay as they are.
            if (pair.manifolds.is_empty() && !was_touching) || a.mass + b.mass == 0.0 {
                continue;
            }
            let mut pressed = std::mem::take(&mut pair.impact);
            let mut place = (pair.pressed_at, pair.manifolds.first().map_or(Vec3::ZERO, |m| m.normal));
            for (number, manifold) in (0..).zip(&mut pair.manifolds) {
                for point in &mut manifold.points[..manifold.count as usize] {
                    point.impulse = 0.0;
                }
                manifold.friction_impulse = Vec3::ZERO;
                manifold.twist_impulse = 0.0;
                let Some(patch) = next.next_if(|p| p.pair == at && p.manifold == number) else {
                    manifold.slip = Vec3::ZERO;
                    continue;
                };
                let sum = patch.total;
                for point in &contacts.points[patch.first as usize..][..patch.count as usize] {
                    manifold.points[point.source as usize].impulse = point.impulse;
                }
                let [t0, t1] = patch.tangents();
                manifold.friction_impulse = patch.tangent_impulse[0] * t0 + patch.tangent_impulse[1] * t1;
                manifold.twist_impulse = patch.twist_impulse;
                let number = number_of_patch;
                number_of_patch += 1;
                manifold.rolling_impulse =
                    rollers.next_if(|r| r.patch == number).map_or(Vec3::ZERO, |r| r.impulse);
                if patch.is_sliding || sum == 0.0 {
                    manifold.slip = Vec3::ZERO;
                } else {
                    let (a, b) = (&movers[patch.a as usize], &movers[patch.b as usize]);
                    manifold.slip +=
                        b.moved - a.moved + b.turned.cross(patch.middle_b) - a.turned.cross(patch.middle_a);
                }
                if sum > pressed {
                    place = (self.motions[patch.a as usize].center + patch.middle_a, patch.normal);
                }
                pressed += sum;
            }
            pair.is_touching = pressed > 0.0;
            if pair.is_touching {
                pair.pressed_at = place.0;
            }
            if pair.is_touching != was_touching {
                let kind = if was_touching { EventKind::End } else { EventKind::Begin };
                self.events.push(Event {
                    kind,
                    time: self.time,
                    bodies: pair.bodies.map(BodyId),
                    colliders: pair.colliders.map(ColliderId),
                    point: place.0,
                    normal: place.1,
                    impulse: pressed,
                });
            }
        }
    }
}
