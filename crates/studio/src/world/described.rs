//! What is in a world, for pages.

use super::open::Open;
use crate::protocol::{
    BodyKind, BodyValues, SharedEvent, WorldBody, WorldFrame, WorldGoal, WorldInfo, WorldSettings, sent,
};
use freiraum_render::picture::color_of;
use freiraum_scene::{Body, Goal, Kind, Physics};
use freiraum_world::{Simulation, record};

/// Whether a body may come to move: also one that is not active yet.
pub(super) fn may_move(simulation: &Simulation, body: usize) -> bool {
    let scene = simulation.scene();
    let is_goal = scene.world.goals.iter().any(|goal| goal.body == body);
    let physics = scene.physics(body);
    let waits = !physics.is_active && physics.kind != Kind::Fixed;
    simulation.can_move(body) || (waits && !is_goal && scene.robot_of(body).is_none())
}

/// The attributes of a body as they are now.
pub(super) fn attributes(simulation: &Simulation, body: usize, physics: &Physics) -> BodyValues {
    let mass = simulation.engine().mass(simulation.body(body));
    BodyValues {
        mass: (mass > 0.0).then_some(mass),
        friction: physics.friction,
        restitution: physics.restitution,
        active: physics.is_active,
    }
}

/// All that does not change while a world runs, with this frame and these events.
pub(super) fn described(open: &Open, frame: WorldFrame, events: Vec<SharedEvent>) -> WorldInfo {
    let Open { snapshot, simulation, meshes, physics, moving, .. } = open;
    let scene = simulation.scene();
    let settings = &scene.world.settings;
    let body = |(number, body): (usize, &Body)| WorldBody {
        values: attributes(simulation, number, &physics[number]),
        name: body.name.clone(),
        mesh: meshes[number].clone(),
        color: color_of(body, number).0.map(|c| f64::from(c) / 255.0),
        kind: match physics[number].kind {
            Kind::Fixed => BodyKind::Fixed,
            Kind::Movable => BodyKind::Movable,
            Kind::Kinematic => BodyKind::Kinematic,
        },
        can_move: moving.binary_search(&number).is_ok(),
        vehicle: simulation.vehicle_of(number),
        pose: sent(&simulation.pose(number)),
    };
    let goal = |goal: &Goal| WorldGoal { name: goal.name.clone(), body: goal.body, ball: goal.ball };
    WorldInfo {
        revision: snapshot.revision,
        scene_hash: record::hex(&simulation.scene_hash()),
        settings: WorldSettings {
            step: settings.step,
            gravity: settings.gravity.to_array(),
            drag: settings.drag,
        },
        bodies: scene.bodies.iter().enumerate().map(body).collect(),
        vehicles: open.vehicles(),
        sensors: open.sensors(),
        described: snapshot.has_world(),
        goals: scene.world.goals.iter().map(goal).collect(),
        frame,
        events,
        run: open.run,
    }
}
