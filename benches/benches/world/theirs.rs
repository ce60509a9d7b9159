//! rapier with its defaults, as in the baselines.

use crate::World;
use crate::heap::{HALF, Thing};
use freiraum_geometry::glam::{DQuat, DVec3};
use rapier3d::prelude::*;

pub(crate) struct Theirs {
    world: PhysicsWorld,
    things: Vec<RigidBodyHandle>,
}

impl Theirs {
    pub(crate) fn new(things: &[Thing], time: f64) -> Theirs {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::new(0.0, 0.0, -9.81);
        world.integration_parameters.dt = time as f32;
        let plane = SharedShape::halfspace(Vector::Z);
        world.insert_collider(ColliderBuilder::new(plane).friction(0.5).build(), None);
        let half = HALF as f32;
        let things = things
            .iter()
            .map(|thing| {
                let (q, t) = (thing.pose.rotation().as_quat(), thing.pose.translation().as_vec3());
                let pose = rapier3d::math::Pose::from_parts(
                    Vector::new(t.x, t.y, t.z),
                    Rotation::from_xyzw(q.x, q.y, q.z, q.w),
                );
                let body = RigidBodyBuilder::dynamic().pose(pose).can_sleep(false).build();
                let shape = if thing.is_ball {
                    ColliderBuilder::ball(half)
                } else {
                    ColliderBuilder::cuboid(half, half, half)
                };
                world.insert(body, shape.density(1000.0).friction(0.5).build()).0
            })
            .collect();
        Theirs { world, things }
    }
}

impl World for Theirs {
    fn step(&mut self) {
        self.world.step();
    }

    fn poses(&self) -> Vec<freiraum_geometry::Pose> {
        let pose = |handle: &RigidBodyHandle| {
            let body = &self.world.bodies[*handle];
            let (t, q) = (body.translation(), body.rotation());
            let turn = DQuat::from_xyzw(q.x.into(), q.y.into(), q.z.into(), q.w.into());
            let place = DVec3::new(t.x.into(), t.y.into(), t.z.into());
            freiraum_geometry::Pose::new(turn, place).expect("the peer stays finite")
        };
        self.things.iter().map(pose).collect()
    }
}
