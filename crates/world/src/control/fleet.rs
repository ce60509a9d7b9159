//! Where the other vehicles are, and which things belong to none.

use super::Seen;
use super::body::OwnBody;
use super::ground::{Circle, Place, Vec2, flat};
use freiraum_geometry::{Aabb, Pose};
use freiraum_scene::{Geometry, Kind};
use std::ops::Range;

/// All vehicles of a scene, as its bodies. It follows from the scene alone.
#[derive(Debug)]
pub(super) struct Fleet {
    /// The bodies that a vehicle is made of.
    pub(super) parts: Vec<Range<usize>>,
    /// `main_from_vehicle`.
    main_from_vehicle: Vec<Pose>,
    pub(super) bodies: Vec<OwnBody>,
    /// Movable bodies that are no part of a vehicle, with the box of each in its own frame.
    pub(super) things: Vec<(usize, Aabb)>,
    /// Fixed bodies that stand on the ground or hang low: `body_from_world` and the box of each in its own frame.
    walls: Vec<(Pose, Aabb)>,
}

impl Fleet {
    pub(super) fn of(seen: &Seen) -> Fleet {
        let scene = seen.scene;
        let vehicles = &scene.world.vehicles;
        let mut fleet = Fleet {
            parts: Vec::new(),
            main_from_vehicle: Vec::new(),
            bodies: vehicles.iter().map(|vehicle| OwnBody::of_model(vehicle.model)).collect(),
            things: Vec::new(),
            walls: Vec::new(),
        };
        for vehicle in vehicles {
            let is_part = |name: &str| {
                name.strip_prefix(vehicle.name.as_str()).is_some_and(|rest| rest.starts_with('/'))
            };
            let first =
                scene.bodies.iter().position(|body| is_part(&body.name)).unwrap_or(scene.bodies.len());
            let count = scene.bodies[first..].iter().take_while(|body| is_part(&body.name)).count();
            fleet.parts.push(first..first + count);
            let main = scene.bodies.get(first).map_or(vehicle.pose, |body| body.pose);
            fleet.main_from_vehicle.push(main.inverse() * vehicle.pose);
        }
        let own = fleet.bodies[seen.vehicle];
        let ground = scene.world.vehicles[seen.vehicle].pose.translation().z;
        for (number, body) in scene.bodies.iter().enumerate() {
            let Geometry::Shape(shape) = &body.geometry else { continue };
            let (Some(around), Some(placed)) = (shape.aabb(), shape.aabb_placed(&body.pose)) else {
                continue;
            };
            let is_movable = !body.is_fixed && scene.physics(number).kind == Kind::Movable;
            let is_part = fleet.parts.iter().any(|parts| parts.contains(&number));
            let is_goal = scene.world.goals.iter().any(|goal| goal.body == number);
            if is_movable && !is_part {
                fleet.things.push((number, around));
            } else if !is_part
                && !is_goal
                && own.is_stopped_between(placed.min.z - ground, placed.max.z - ground)
            {
                fleet.walls.push((body.pose.inverse(), around));
            }
        }
        fleet
    }

    pub(super) fn pose(&self, seen: &Seen, vehicle: usize) -> Pose {
        let main = self.parts[vehicle].start;
        let world_from_main =
            seen.poses.get(main).copied().unwrap_or(seen.scene.world.vehicles[vehicle].pose);
        world_from_main * self.main_from_vehicle[vehicle]
    }

    pub(super) fn place(&self, seen: &Seen, vehicle: usize) -> Place {
        Place::of(&self.pose(seen, vehicle))
    }

    /// The other vehicles as circles in the way.
    pub(super) fn others(&self, seen: &Seen) -> Vec<Circle> {
        let others = (0..self.parts.len()).filter(|vehicle| *vehicle != seen.vehicle);
        others
            .map(|vehicle| {
                let (place, own) = (self.place(seen, vehicle), &self.bodies[vehicle]);
                let [front, back] = own.reach;
                let at = place.at + 0.5 * (front - back) * place.ahead();
                Circle { at, radius: (0.5 * (front + back)).hypot(own.half_width) }
            })
            .collect()
    }

    /// Whether a disc at a point meets a wall.
    pub(super) fn is_in_wall(&self, point: Vec2, radius: f64) -> bool {
        self.walls.iter().any(|(body_from_world, around)| {
            // Walls stand upright: only what is beside counts.
            let local = body_from_world.transform_point(point.extend(0.0));
            let beside = (around.min - local).max(local - around.max).max(Default::default());
            beside.x.hypot(beside.y) < radius
        })
    }

    /// Whether a point is in or at another vehicle.
    pub(super) fn is_other(others: &[Circle], point: Vec2) -> bool {
        others.iter().any(|other| other.at.distance(point) < 1.1 * other.radius)
    }
}

/// The middle of a body from above, and half of its size there, whichever way it is turned.
pub(super) fn circle(seen: &Seen, body: usize, around: &Aabb) -> Circle {
    let half = 0.5 * around.size();
    Circle { at: flat(seen.poses[body].transform_point(around.center())), radius: half.x.hypot(half.y) }
}
