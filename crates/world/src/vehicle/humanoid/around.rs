//! What is around a walker that it cannot push: how high it stands, and how far it may go.

use super::gait::{MOST_CLIMB, Print};
use super::model::{BODIES, FEET, FOOT, FOOT_FROM_ANKLE, Model};
use crate::dynamics::{BodyId, Bytes, ColliderId, Engine, Kind, Pusher, State};
use freiraum_geometry::shape::Cuboid;
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_motion::MotionWorkspace;
use freiraum_query::ray::Ray;
use freiraum_query::{Prepared, QueryError, distance};

/// It keeps at least this distance from what it cannot push, in metres.
pub const KEPT: f64 = 0.001;
/// What is lower than this under a foot does not stop it, in metres.
const TRODDEN: f64 = 0.008;
/// What is farther away than this from the middle of the body is not looked at until the next step: in metres.
const NEAR: f64 = 1.0;

/// Something that it cannot push, or that may have no room.
#[derive(Clone, Debug)]
struct Obstacle {
    collider: ColliderId,
    /// No part was nearer when it was looked at last, less the way that was made since.
    apart: f64,
}

/// What is known of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Nothing is in it.
    Free,
    /// Shorter ways would tell.
    Unsure,
    /// Its end is in something, or too near.
    Blocked,
}

/// How far a point of an obstacle moves by itself within a time.
fn own_way(engine: &Engine, collider: ColliderId, step: f64) -> f64 {
    let body = engine.body_of(collider);
    match engine.kind(body) {
        Kind::Fixed => 0.0,
        _ => {
            let spin = engine.angular_velocity(body).length() * engine.bodies[body.0 as usize].reach;
            step * (engine.linear_velocity(body).length() + spin)
        }
    }
}

/// What is around.
#[derive(Clone, Debug)]
pub(super) struct Around {
    /// Shapes of the parts; feet end a little above their soles.
    shapes: Vec<Prepared>,
    /// Where these shapes are on their bodies, and a radius about the origin of the body.
    places: Vec<(Vec3, f64)>,
    obstacles: Vec<Obstacle>,
}

impl Around {
    pub(super) fn new(model: &Model) -> Around {
        let mut shapes = Vec::new();
        let mut places = Vec::new();
        for (number, part) in model.parts.iter().enumerate() {
            let mut shape = Prepared::new(part.shape.clone());
            let mut at = Vec3::ZERO;
            let radius = shape.bounds().map_or(0.0, |bounds| bounds.bounding_sphere().radius);
            if FEET.contains(&number) {
                let upper = FOOT - Vec3::new(0.0, 0.0, TRODDEN);
                if let Ok(cuboid) = Cuboid::new(upper) {
                    shape = Prepared::new(Shape::Cuboid(cuboid));
                    at.z = 0.5 * TRODDEN;
                }
            }
            shapes.push(shape);
            places.push((at, radius));
        }
        Around { shapes, places, obstacles: Vec::new() }
    }

    /// Looks around, once for every step of the walk: all that is near, and all that may come near and that nobody of this mass can push.
    pub(super) fn look(&mut self, engine: &Engine, own: &[BodyId], mass: f64, middle: Vec3) {
        self.obstacles.clear();
        for body in engine.bodies().filter(|body| !own.contains(body)) {
            let stays = match engine.kind(body) {
                Kind::Fixed => true,
                Kind::Driven => false,
                Kind::Dynamic if engine.mass(body) > mass => false,
                // Pushed, unless it has no room.
                Kind::Dynamic => true,
            };
            for collider in engine.colliders(body) {
                let (shape, world_from_shape) = engine.shape(collider);
                let is_near = shape.bounds().is_none_or(|bounds| {
                    let from = world_from_shape.inverse().transform_point(middle);
                    let nearest = from.clamp(bounds.min, bounds.max);
                    nearest.distance(from) < NEAR
                });
                if (is_near || !stays) && engine.colliders[collider.0 as usize].filter.groups != 0 {
                    self.obstacles.push(Obstacle { collider, apart: f64::NEG_INFINITY });
                }
            }
        }
    }

    /// The distance of a part from an obstacle; what is farther than `enough` is told as a distance that is at least so large.
    fn part_to(&self, engine: &Engine, obstacle: ColliderId, part: usize, pose: &Pose, enough: f64) -> f64 {
        let (other, world_from_other) = engine.shape(obstacle);
        let (at, radius) = self.places[part];
        let other_from_part = world_from_other.inverse() * *pose;
        // A box about the other shape tells in most cases that it is far away.
        let far = other.bounds().map_or(f64::NEG_INFINITY, |bounds| {
            let from = other_from_part.translation();
            from.distance(from.clamp(bounds.min, bounds.max)) - radius
        });
        if far > enough {
            return far;
        }
        let found = distance(other, &self.shapes[part], &other_from_part.shifted(at));
        let found = found.inspect_err(|error| failed(engine, obstacle, part, error));
        found.map_or(f64::NEG_INFINITY, |closest| closest.distance)
    }

    /// The least distance of any part to an obstacle.
    fn distance_to(&self, engine: &Engine, obstacle: ColliderId, parts: &[Pose; BODIES]) -> f64 {
        (0..BODIES).fold(f64::INFINITY, |least, part| {
            least.min(self.part_to(engine, obstacle, part, &parts[part], least))
        })
    }

    /// Whether something is in the way from one pose of all parts to another; `far` bounds the way that points of each part make.
    ///
    /// **Guarantee.** Free only if no part gets into an obstacle, or nearer than [`KEPT`] at the end; or it was already, and gets no deeper.
    pub(super) fn way(
        &self,
        engine: &Engine,
        parts: [&[Pose; BODIES]; 2],
        far: &[f64; BODIES],
        pusher: &Pusher,
    ) -> Way {
        let step = pusher.time;
        let farthest = far.iter().copied().fold(0.0, f64::max);
        let mut found = Way::Free;
        for Obstacle { collider, apart } in &self.obstacles {
            let body = engine.body_of(*collider);
            if engine.kind(body) == Kind::Dynamic && engine.mass(body) <= pusher.mass {
                if !self.has_room(engine, *collider, parts, far, pusher) {
                    return Way::Blocked;
                }
                continue;
            }
            let own = own_way(engine, *collider, step);
            if *apart > farthest + own + KEPT {
                continue;
            }
            for (part, far) in far.iter().enumerate() {
                let enough = far + own + KEPT;
                let before = self.part_to(engine, *collider, part, &parts[0][part], enough);
                if before > enough {
                    continue;
                }
                let after = self.part_to(engine, *collider, part, &parts[1][part], enough);
                if after < before.min(KEPT) {
                    return Way::Blocked;
                }
                // Nothing on a way is nearer than what is left of the distances at its ends. What is inside of something may get out.
                if before + after <= far + own && before > 0.0 {
                    found = Way::Unsure;
                }
            }
        }
        found
    }

    /// Whether something light can be pushed as far as the parts go.
    fn has_room(
        &self,
        engine: &Engine,
        light: ColliderId,
        [from, to]: [&[Pose; BODIES]; 2],
        far: &[f64; BODIES],
        pusher: &Pusher,
    ) -> bool {
        let (shape, world_from_other) = engine.shape(light);
        let mut memory = MotionWorkspace::default();
        (0..BODIES).all(|part| {
            let before = self.part_to(engine, light, part, &from[part], far[part]);
            if before > far[part] {
                return true;
            }
            let other_from_part = world_from_other.inverse() * to[part].shifted(self.places[part].0);
            let after = distance(shape, &self.shapes[part], &other_from_part);
            let after = after.inspect_err(|error| failed(engine, light, part, error));
            let Ok(after) = after else { return false };
            let by = before.max(0.0) - after.distance;
            if after.distance >= before.min(0.0) || by <= 0.0 {
                return true;
            }
            let along = world_from_other.rotate(-after.normal);
            let far = [by, (-before).max(0.0)];
            engine.room_ahead(engine.body_of(light), along, far, pusher, &mut memory) >= by
        })
    }

    /// All parts have gone from one pose to another.
    pub(super) fn went(&mut self, engine: &Engine, to: &[Pose; BODIES], far: f64, step: f64) {
        for at in 0..self.obstacles.len() {
            let Obstacle { collider, apart } = self.obstacles[at];
            let own = own_way(engine, collider, step);
            let left = apart - far - own;
            self.obstacles[at].apart =
                if left > KEPT { left } else { self.distance_to(engine, collider, to) };
        }
    }

    /// Its state: what it has found.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let found: Vec<u32> = self.obstacles.iter().map(|o| o.collider.0).collect();
        found.put(out);
        self.obstacles.iter().for_each(|o| o.apart.put(out));
    }

    /// Goes on from a state.
    pub(super) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        let found: Vec<u32> = State::get(from)?;
        self.obstacles.clear();
        for collider in found {
            self.obstacles.push(Obstacle { collider: ColliderId(collider), apart: State::get(from)? });
        }
        Some(())
    }

    /// How high a foot stands that is put down at a place: the highest of five points below its sole. `None` if there is nothing below its middle, or it is inside of something.
    pub(super) fn height(&self, engine: &Engine, print: &Print) -> Option<f64> {
        let middle = print.pose();
        let half = 0.5 * FOOT;
        let mut highest: Option<f64> = None;
        for (x, y) in [(0.0, 0.0), (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let point = middle.transform_point(Vec3::new(FOOT_FROM_ANKLE.x + x * half.x, y * half.y, 0.0));
            // From above what it may climb: what is hit at once is higher.
            let above = 2.0 * MOST_CLIMB;
            let ray = Ray::new(point + above * Vec3::Z, -Vec3::Z, 2.0 * above);
            let is_middle = highest.is_none();
            for obstacle in &self.obstacles {
                let body = engine.body_of(obstacle.collider);
                if engine.kind(body) != Kind::Fixed {
                    continue;
                }
                let (shape, world_from_shape) = engine.shape(obstacle.collider);
                let seen = ray.and_then(|ray| ray.seen_from(&world_from_shape.inverse()));
                // Then time stops: no foot stands on ground that was not found.
                let seen = seen.inspect_err(|error| {
                    engine.failed_bodies([body, body], &format!("below a foot of a walking robot: {error}"));
                });
                let seen = seen.ok()?;
                if let Some(hit) = shape.ray_cast(&seen) {
                    if hit.distance == 0.0 {
                        return None;
                    }
                    let height = point.z + above - hit.distance;
                    highest = Some(highest.map_or(height, |h| h.max(height)));
                }
            }
            if is_middle && highest.is_none() {
                return None;
            }
        }
        highest
    }
}

/// Notes that a question about a part and an obstacle has no answer.
fn failed(engine: &Engine, obstacle: ColliderId, part: usize, error: &QueryError) {
    let body = engine.body_of(obstacle);
    engine.failed_bodies([body, body], &format!("beside part {part} of a walking robot: {error}"));
}
