//! Who gets where: goals that count.

use crate::dynamics::{BodyId, Engine};
use crate::event::{Event, EventKind};
use freiraum_geometry::shape::Sphere;
use freiraum_geometry::{Pose, Shape};
use freiraum_query::{Prepared, intersects};
use freiraum_scene::Scene;

/// The score.
pub(super) struct Scores {
    /// The shapes of the goals.
    areas: Vec<Prepared>,
    /// As good as a point.
    point: Option<Prepared>,
    pub(super) counts: Vec<u64>,
    /// Whether the ball is in the goal: it has to leave before it counts again.
    pub(super) inside: Vec<bool>,
}

impl Scores {
    pub(super) fn new(scene: &Scene, shapes: &[Prepared]) -> Scores {
        let goals = &scene.world.goals;
        Scores {
            areas: goals.iter().map(|goal| shapes[goal.body].clone()).collect(),
            point: Sphere::new(f64::EPSILON).ok().map(|ball| Prepared::new(Shape::Sphere(ball))),
            counts: vec![0; goals.len()],
            inside: vec![false; goals.len()],
        }
    }

    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Looks where the balls are after a step.
    pub(super) fn after(
        &mut self,
        scene: &Scene,
        engine: &mut Engine,
        bodies: &[BodyId],
        events: &mut Vec<Event>,
    ) {
        for (number, goal) in scene.world.goals.iter().enumerate() {
            let ball = bodies[goal.ball];
            let point = engine.center(ball);
            let area_from_point = engine.pose(bodies[goal.body]).inverse() * Pose::from_translation(point);
            let is_inside = self.point.as_ref().is_some_and(|point| {
                let found = intersects(&self.areas[number], point, &area_from_point);
                // Then time stops, and no goal is missed.
                found
                    .inspect_err(|error| engine.failed_bodies([bodies[goal.body], ball], error))
                    .unwrap_or(false)
            });
            if is_inside && !self.inside[number] {
                self.counts[number] += 1;
                let kind = EventKind::Goal { goal: number, count: self.counts[number], point };
                events.push(Event { time: engine.time(), kind });
            }
            self.inside[number] = is_inside;
            if is_inside && goal.resets {
                let physics = scene.physics(goal.ball);
                engine.set_pose(ball, scene.bodies[goal.ball].pose);
                engine.set_velocity(ball, physics.velocity, physics.spin);
                self.inside[number] = false;
            }
        }
    }
}
