//! What is in a world, for pages.

use super::open::Open;
use crate::protocol::sent;
use freiraum_plan::picture::color_of;
use freiraum_scene::{Kind, Physics};
use freiraum_world::{Simulation, record};
use serde_json::{Value, json};

/// Whether a body may come to move: also one that is not active yet.
pub(super) fn may_move(simulation: &Simulation, body: usize) -> bool {
    let scene = simulation.scene();
    let is_goal = scene.world.goals.iter().any(|goal| goal.body == body);
    let physics = scene.physics(body);
    let waits = !physics.is_active && physics.kind != Kind::Fixed;
    simulation.can_move(body) || (waits && !is_goal && scene.robot_of(body).is_none())
}

/// The attributes of a body as they are now.
pub(super) fn attributes(simulation: &Simulation, body: usize, physics: &Physics) -> Value {
    let mass = simulation.engine().mass(simulation.body(body));
    json!({
        "mass": (mass > 0.0).then_some(mass), "friction": physics.friction, "restitution": physics.restitution,
        "active": physics.is_active,
    })
}

/// All that does not change while a world runs.
pub(super) fn described(open: &Open) -> Value {
    let Open { snapshot, simulation, meshes, physics, moving, .. } = open;
    let scene = simulation.scene();
    let settings = &scene.world.settings;
    let bodies = scene.bodies.iter().enumerate().map(|(number, body)| {
        let kind = match physics[number].kind {
            Kind::Fixed => "fixed",
            Kind::Movable => "movable",
            Kind::Kinematic => "kinematic",
        };
        let mut one = attributes(simulation, number, &physics[number]);
        one["name"] = json!(body.name);
        one["mesh"] = json!(meshes[number]);
        one["color"] = json!(color_of(body, number).0.map(|c| f64::from(c) / 255.0));
        one["kind"] = json!(kind);
        one["can_move"] = json!(moving.binary_search(&number).is_ok());
        one["vehicle"] = json!(simulation.vehicle_of(number));
        one["pose"] = json!(sent(&simulation.pose(number)));
        one
    });
    let goal =
        |goal: &freiraum_scene::Goal| json!({ "name": goal.name, "body": goal.body, "ball": goal.ball });
    json!({
        "revision": snapshot.revision,
        "scene_hash": record::hex(&simulation.scene_hash()),
        "settings": { "step": settings.step, "gravity": settings.gravity.to_array(), "drag": settings.drag },
        "bodies": bodies.collect::<Vec<_>>(),
        "vehicles": open.vehicles(), "sensors": open.sensors(), "described": snapshot.has_world(),
        "goals": scene.world.goals.iter().map(goal).collect::<Vec<_>>(),
    })
}
