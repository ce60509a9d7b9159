//! From a scene to an engine.

use crate::dynamics::{
    BodyDescription, BodyError, BodyId, ColliderDescription, ContactModel, Drag, Engine, Filter, Kind, Mass,
    Material, Rule, Settings,
};
use freiraum_geometry::Shape;
use freiraum_query::Prepared;
use freiraum_scene::{Body, Contacts, Geometry, Kind as Moved, Mass as Weight, Physics, Problem, Scene};

/// That there is a shape for every body.
pub(super) fn check(scene: &Scene, shapes: &[Prepared]) -> Result<(), Vec<Problem>> {
    if shapes.len() != scene.bodies.len() {
        let message = format!("{} shapes for {} bodies", shapes.len(), scene.bodies.len());
        return Err(vec![Problem::new(Default::default(), message)]);
    }
    Ok(())
}

/// The engine with all bodies of the scene, in their order; else all that cannot be simulated.
pub(super) fn engine(scene: &Scene, shapes: &[Prepared]) -> Result<(Engine, Vec<BodyId>), Vec<Problem>> {
    let mut problems = Vec::new();
    let settings = Settings {
        gravity: scene.world.settings.gravity,
        friction_rule: Rule::Product,
        restitution_rule: Rule::Minimum,
        ..Settings::default()
    };
    let mut engine = Engine::new(settings);
    let mut bodies = Vec::with_capacity(shapes.len());
    for (number, (body, shape)) in scene.bodies.iter().zip(shapes).enumerate() {
        let is_goal = scene.world.goals.iter().any(|goal| goal.body == number);
        let mut physics = scene.physics(number);
        if scene.robot_of(number).is_some() {
            physics.kind = Moved::Fixed;
        }
        match engine.add(description(body, shape, &physics, scene.world.settings.drag, is_goal)) {
            Ok(id) => bodies.push(id),
            Err(error) => problems.push(problem(body, shape.shape(), &error)),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    for rule in scene.pairs.iter().filter(|rule| rule.ignore.is_some()) {
        for (a, b) in rule.bodies[0].iter().flat_map(|a| rule.bodies[1].iter().map(move |b| (*a, *b))) {
            let can_move = [a, b].iter().any(|body| engine.kind(bodies[*body]) == Kind::Dynamic);
            if a != b && can_move {
                engine.ignore_pair(bodies[a], bodies[b]);
            }
        }
    }
    Ok((engine, bodies))
}

fn description(
    body: &Body,
    shape: &Prepared,
    physics: &Physics,
    drag: f64,
    is_goal: bool,
) -> BodyDescription {
    let kind = match physics.kind {
        _ if !physics.is_active => Kind::Fixed,
        Moved::Fixed => Kind::Fixed,
        Moved::Movable if is_goal => Kind::Fixed,
        Moved::Movable => Kind::Dynamic,
        Moved::Kinematic => Kind::Driven,
    };
    let mut material =
        Material { friction: physics.friction, restitution: physics.restitution, ..Material::default() };
    let mut contact = ContactModel::Impulse;
    if let Contacts::Springs { stiffness, damping } = physics.contacts {
        (material.stiffness, material.damping) = (stiffness, damping);
        contact = ContactModel::Penalty;
    }
    // Everything passes through a goal.
    let filter = if is_goal { Filter { groups: 0, meets: 0 } } else { Filter::ALL };
    let collider = ColliderDescription {
        shape: shape.clone(),
        body_from_shape: freiraum_geometry::Pose::IDENTITY,
        material,
        filter,
    };
    BodyDescription {
        linear_velocity: physics.velocity,
        angular_velocity: physics.spin,
        mass: match physics.mass {
            Weight::Kilograms(mass) => Mass::Total(mass),
            Weight::Density(density) => Mass::Density(density),
        },
        drag: Drag { linear: drag, angular: drag, ..Drag::default() },
        contact,
        ..BodyDescription::new(kind, body.pose, vec![collider])
    }
}

fn problem(body: &Body, shape: &Shape, error: &BodyError) -> Problem {
    let name = &body.name;
    let fix = "add fixed = true to the body";
    match (error, shape) {
        (BodyError::NoVolume, Shape::HalfSpace(_)) => {
            Problem::new(body.place, format!("{name:?} is endless and cannot move")).help(fix)
        }
        (BodyError::NoVolume, Shape::HeightField(_)) => {
            Problem::new(body.place, format!("{name:?} is a surface and cannot move")).help(fix)
        }
        (BodyError::NoVolume, _) => {
            let message = format!("{name:?} is movable, but its surface is open, so that it has no volume");
            let help = match body.geometry {
                Geometry::File { .. } => {
                    "close it (see `freiraum mesh info`), or add fixed = true to the body"
                }
                Geometry::Shape(_) => fix,
            };
            Problem::new(body.place, message).help(help)
        }
        _ => Problem::new(body.place, format!("{name:?} cannot be simulated: {error}")),
    }
}
