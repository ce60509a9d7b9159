//! Freiraum's engine.

use crate::World;
use crate::heap::{HALF, Thing};
use freiraum_geometry::shape::{Cuboid, HalfSpace, Sphere};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_world::dynamics::{BodyDescription, BodyId, ColliderDescription, Engine, Kind, Settings};

pub(crate) struct Ours {
    engine: Engine,
    things: Vec<BodyId>,
    time: f64,
}

impl Ours {
    pub(crate) fn new(things: &[Thing], time: f64) -> Ours {
        let mut engine = Engine::new(Settings { parallel: false, ..Settings::default() });
        let plane = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).expect("a plane"));
        let ground = BodyDescription::new(Kind::Fixed, Pose::IDENTITY, vec![ColliderDescription::new(plane)]);
        engine.add(ground).expect("fixed bodies need no mass");
        let things = things
            .iter()
            .map(|thing| {
                let shape = if thing.is_ball {
                    Shape::Sphere(Sphere::new(HALF).expect("a ball"))
                } else {
                    Shape::Cuboid(Cuboid::new(Vec3::splat(2.0 * HALF)).expect("a box"))
                };
                let colliders = vec![ColliderDescription::new(shape)];
                engine.add(BodyDescription::new(Kind::Dynamic, thing.pose, colliders)).expect("solid")
            })
            .collect();
        Ours { engine, things, time }
    }
}

impl World for Ours {
    fn step(&mut self) {
        self.engine.step(self.time);
    }

    fn poses(&self) -> Vec<Pose> {
        self.things.iter().map(|id| self.engine.pose(*id)).collect()
    }
}
