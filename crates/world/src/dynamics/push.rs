//! Whether what is pushed can get out of the way, for those who move bodies by their own rules.

use super::body::{BodyId, Kind};
use super::collider::ColliderId;
use super::engine::Engine;
use super::pair::Manifold;
use super::solver::tangent_across;
use freiraum_geometry::math::unit;
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::MotionWorkspace;

/// Somebody who pushes bodies.
pub(crate) struct Pusher<'s> {
    /// The bodies that it is made of: they are not in the way.
    pub(crate) own: &'s [BodyId],
    /// What is heavier than this, in kilograms, does not give way.
    pub(crate) mass: f64,
    /// For how long others go on with their velocities, in seconds.
    pub(crate) time: f64,
}

impl Engine {
    /// How far a body can be pushed along a direction until it, or what it pushes in turn, is stopped by something that does not give way: at most `far`, in metres.
    ///
    /// What it touches at a slant it slides along, and what it stands on carries it. What is stopped may still be able to turn away: as long as it is squeezed by less than
    /// a small share of the thickness of the thinner one, there is room for that much. `squeezed` is how deep whoever pushes is in the body.
    ///
    /// **Guarantee.** A body that is shifted straight ahead by no more than this gets no deeper into anything that does not give way than that share, unless that is below it.
    pub(crate) fn room_ahead(
        &self,
        body: BodyId,
        along: Vec3,
        [far, squeezed]: [f64; 2],
        pusher: &Pusher,
        memory: &mut MotionWorkspace,
    ) -> f64 {
        // The nearest first: nobody is pushed sooner than when it is looked at, so that once is enough.
        let mut chain = vec![Link { body, along, before: 0.0, squeezed }];
        let mut room = far;
        let mut done = 0;
        while done < chain.len() {
            let nearest = (done..chain.len()).min_by(|a, b| chain[*a].before.total_cmp(&chain[*b].before));
            chain.swap(done, nearest.unwrap_or(done));
            let link = chain[done];
            done += 1;
            if link.before >= room {
                break;
            }
            room = link.before + self.room_of(link, room - link.before, pusher, &mut chain, memory);
        }
        room
    }

    /// How far one body of a chain gets, at most `far`, if all that give way do; those are added to the chain.
    fn room_of(
        &self,
        Link { body, along, before, squeezed }: Link,
        far: f64,
        pusher: &Pusher,
        chain: &mut Vec<Link>,
        memory: &mut MotionWorkspace,
    ) -> f64 {
        let down = unit(self.settings.gravity).unwrap_or(Vec3::ZERO);
        let around = self.around_way(body, far, pusher);
        let touch = TOUCH * self.bodies[body.index()].core;
        let mut along = along;
        // Twice: what one of them turns it to may lead into another.
        for _ in 0..2 {
            for [own, other] in &around {
                if !self.is_stiff(*other, pusher) {
                    continue;
                }
                let Some(found) = self.closest(*own, &self.shape(*own).1, *other) else { return 0.0 };
                let into = along.dot(found.normal);
                if found.distance > touch || into <= 0.0 {
                    continue;
                }
                if into > SLANT {
                    let give = self.give(*own, *other) - squeezed + found.distance.min(0.0);
                    return give.clamp(0.0, far);
                }
                let Some(beside) = unit(along - into * found.normal) else { return 0.0 };
                along = beside;
            }
        }
        let mut room = far;
        for [own, other] in &around {
            let here = self.shape(*own).1;
            // What carries it goes on below it.
            let is_below = |found: freiraum_query::Closest| found.normal.dot(down) > SLANT;
            if self.closest(*own, &here, *other).is_some_and(is_below) {
                continue;
            }
            let way = [here, Pose::from_translation(room * along) * here];
            let is_stiff = self.is_stiff(*other, pusher);
            let driven = self.kind(self.body_of(*other)) == Kind::Driven;
            let share = self.free_share(*own, way, *other, if driven { pusher.time } else { 0.0 }, memory);
            if share >= 1.0 {
                continue;
            }
            let alone = share * room;
            let squeezed = squeezed + (-self.gap(*own, &here, *other)).max(0.0);
            let next = Link { body: self.body_of(*other), along, before: before + alone, squeezed };
            if is_stiff || !push_on(chain, next) {
                room = alone;
            }
        }
        room
    }

    /// Shapes of a body, and those of others that it might meet within so many metres.
    fn around_way(&self, body: BodyId, far: f64, pusher: &Pusher) -> Vec<[ColliderId; 2]> {
        let mut near = Vec::new();
        let mut around = Vec::new();
        for own in self.colliders(body).filter(|c| self.meets_anything(*c)) {
            let Some(bounds) = self.bounds_at(own, &self.shape(own).1) else { continue };
            self.within(&bounds.inflated(far), &mut near);
            for other in &near {
                let with = self.body_of(*other);
                if with != body && !pusher.own.contains(&with) && !self.is_ignored(body, with) {
                    around.push([own, *other]);
                }
            }
        }
        around
    }

    /// How deep two shapes may be squeezed into each other.
    fn give(&self, a: ColliderId, b: ColliderId) -> f64 {
        let thin = [a, b].map(|c| self.colliders[c.0 as usize].local_box);
        TOUCH * thin.iter().flatten().map(|(_, half)| half.min_element()).fold(f64::INFINITY, f64::min)
    }

    /// Whether a shape does not give way to somebody who pushes.
    fn is_stiff(&self, collider: ColliderId, pusher: &Pusher) -> bool {
        let body = self.body_of(collider);
        self.kind(body) != Kind::Dynamic || self.mass(body) > pusher.mass
    }

    /// Whether a body that is pushed along a direction at a point presses on something else, in the last step, that stops it there: something fixed or driven, or
    /// something that is itself stopped, on either side of the line of the push. What it could turn about gives way. `own` do not count.
    pub(crate) fn is_stopped(&self, body: BodyId, point: Vec3, along: Vec3, own: &[BodyId]) -> bool {
        self.is_stopped_in_chain(body, [point, along], own, CHAIN)
    }

    fn is_stopped_in_chain(
        &self,
        body: BodyId,
        [point, along]: [Vec3; 2],
        own: &[BodyId],
        chain: usize,
    ) -> bool {
        let across = tangent_across(along);
        let sides = [across, along.cross(across)];
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let colliders = &self.bodies[body.index()].colliders;
        for (_, pair) in colliders.iter().flat_map(|c| &self.colliders[*c as usize].pairs) {
            let pair = &self.broad.pairs[*pair as usize];
            let is_first = pair.bodies[0] == body.0;
            let other = BodyId(pair.bodies[usize::from(is_first)]);
            let sign = if is_first { 1.0 } else { -1.0 };
            let stops = |m: &&Manifold| {
                sign * m.normal.dot(along) > SLANT && m.points().iter().any(|point| point.impulse > 0.0)
            };
            let mut stopping = pair.manifolds.iter().filter(stops).peekable();
            let is_held = stopping.peek().is_some()
                && !own.contains(&other)
                && (self.kind(other) != Kind::Dynamic
                    || (chain > 0 && self.is_stopped_in_chain(other, [point, along], own, chain - 1)));
            if !is_held {
                continue;
            }
            let from = self.motions[pair.bodies[0] as usize].center - point;
            for at in stopping.flat_map(|m| m.points()).filter(|point| point.impulse > 0.0) {
                for (k, side) in sides.iter().enumerate() {
                    let off = side.dot(from + at.from_a);
                    (low[k], high[k]) = (low[k].min(off), high[k].max(off));
                }
            }
        }
        let room = self.bodies[body.index()].core;
        (0..2).all(|k| low[k] <= room && high[k] >= -room)
    }

    /// A number that changes whenever something fixed is added, taken out, put elsewhere or made another kind.
    pub(crate) fn fixed_changes(&self) -> (usize, u64) {
        (self.bodies.len(), self.broad.changes)
    }
}

/// A body that others push on.
#[derive(Clone, Copy)]
struct Link {
    body: BodyId,
    along: Vec3,
    /// How far the first of the chain goes before this one is pushed.
    before: f64,
    /// How deep all before it are in each other.
    squeezed: f64,
}

/// Adds a body to those that are pushed, unless it is among them. Tells whether there was room for it.
fn push_on(chain: &mut Vec<Link>, next: Link) -> bool {
    let is_full = chain.len() >= MOST_PUSHED;
    match chain.iter_mut().find(|link| link.body == next.body) {
        Some(link) if next.before < link.before => *link = next,
        Some(_) => {}
        None if is_full => return false,
        None => chain.push(next),
    }
    true
}

/// So many bodies at most are pushed by one; the next one counts as a wall.
const MOST_PUSHED: usize = 256;

/// So many bodies push each other on.
const CHAIN: usize = 4;

/// Bodies that are nearer than this share of half their thickness touch.
const TOUCH: f64 = 1.0 / 64.0;

/// What is met at more than the angle of this cosine from head-on is slid along: 60 degrees.
const SLANT: f64 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{BodyDescription, ColliderDescription, Settings};
    use freiraum_geometry::shape::{Cuboid, HalfSpace, Shape};

    /// A sheet on the ground, and on it, on one half, another one.
    #[test]
    fn what_can_turn_away_is_not_stopped() {
        let mut engine = Engine::new(Settings::default());
        let mut add = |kind: Kind, shape: Shape, at: Vec3| {
            let shapes = vec![ColliderDescription::new(shape)];
            engine.add(BodyDescription::new(kind, Pose::from_translation(at), shapes)).unwrap()
        };
        let sheet = |x: f64| Shape::Cuboid(Cuboid::new(Vec3::new(x, 1.0, 0.02)).unwrap());
        let ground = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
        let ground = add(Kind::Fixed, ground, Vec3::ZERO);
        let low = add(Kind::Dynamic, sheet(1.0), Vec3::new(0.0, 0.0, 0.01));
        let high = add(Kind::Dynamic, sheet(1.6), Vec3::new(0.2, 0.0, 0.03));
        for _ in 0..300 {
            engine.step(0.001);
        }
        let is_stopped = |body: BodyId, x: f64, own: &[BodyId]| {
            engine.is_stopped(body, Vec3::new(x, 0.1, 0.04), -Vec3::Z, own)
        };
        assert!(is_stopped(low, 0.0, &[]) && is_stopped(low, 0.4, &[]));
        assert!(is_stopped(high, 0.2, &[]), "the ground holds what is below it");
        assert!(!is_stopped(high, 0.9, &[]), "it hangs over there");
        assert!(!is_stopped(low, 0.0, &[ground]) && !is_stopped(low, 0.8, &[]));
        assert!(!engine.is_stopped(low, Vec3::ZERO, Vec3::Z, &[]), "nothing is above it");
    }
}
