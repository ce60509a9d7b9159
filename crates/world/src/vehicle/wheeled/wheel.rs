//! The wheels of a model.

use super::Gear;
use crate::dynamics::{BodyId, Engine};
use crate::vehicle::model::{JointKind, Model};
use crate::vehicle::steering::Running;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Vec3};

/// A wheel: a part that rolls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wheel {
    /// Among the wheels of the model.
    pub(super) number: usize,
    pub(super) part: usize,
    /// Numbers of its joints; gliders have none.
    pub(super) roll: usize,
    pub(super) steer: Option<usize>,
    pub(super) suspension: Option<usize>,
    pub(super) swivel: Option<usize>,
    /// Its middle when all joints are at 0.
    pub(super) at: Vec3,
    pub(super) radius: f64,
    /// False for castors and gliders.
    pub(super) is_driven: bool,
    /// Slides instead of rolling.
    pub(super) is_glider: bool,
    /// Whether odometry counts its turns: of cars the rear ones.
    pub(super) is_counted: bool,
}

/// All parts that roll, in their order.
pub(super) fn wheels(model: &Model) -> Vec<Wheel> {
    let mut found: Vec<Wheel> = Vec::new();
    for (part, planned) in model.parts.iter().enumerate() {
        let of = |kind| model.joints.iter().position(|joint| joint.part == part && joint.kind == kind);
        let Some(roll) = of(JointKind::Roll) else { continue };
        let radius = match &planned.shape {
            Shape::Cylinder(it) => it.radius(),
            Shape::Sphere(it) => it.radius(),
            _ => continue,
        };
        let is_driven = of(JointKind::Swivel).is_none();
        let is_car = matches!(model.running, Running::Cars(_));
        found.push(Wheel {
            number: found.len(),
            part,
            roll,
            steer: of(JointKind::Steer),
            suspension: of(JointKind::Suspension),
            swivel: of(JointKind::Swivel),
            at: planned.pose.translation(),
            radius,
            is_driven,
            is_glider: false,
            is_counted: is_driven && (!is_car || of(JointKind::Steer).is_none()),
        });
    }
    found
}

/// All parts that slide on the ground, as wheels that do not turn; `first` is the number of the first one.
pub(super) fn gliders(model: &Model, first: usize) -> Vec<Wheel> {
    let parts = (0..model.parts.len()).filter(|part| model.parts[*part].is_ground && model.is_rigid(*part));
    let glider = |(number, part): (usize, usize)| Wheel {
        number,
        part,
        roll: 0,
        steer: None,
        suspension: None,
        swivel: None,
        at: model.parts[part].pose.translation(),
        radius: model.parts[part].pose.translation().z,
        is_driven: false,
        is_glider: true,
        is_counted: false,
    };
    (first..).zip(parts).map(glider).collect()
}

/// The first half of the joint of a wheel, on the main part: turned by steering or swivel.
pub(super) fn first_half(gear: &Gear, wheel: &Wheel) -> Pose {
    let main_from_vehicle = gear.model.parts[0].pose.inverse();
    let at = Pose::from_translation(wheel.at);
    match (wheel.steer, wheel.swivel) {
        (Some(steer), _) => main_from_vehicle * at.turned_by(gear.positions[steer]),
        (None, Some(swivel)) => {
            let point = gear.model.joints[swivel].at;
            let turn = Pose::from_rotation_about(point, Vec3::Z, gear.positions[swivel]);
            main_from_vehicle * turn.unwrap_or(Pose::IDENTITY) * at
        }
        (None, None) => main_from_vehicle * at,
    }
}

trait Turned {
    fn turned_by(&self, angle: f64) -> Pose;
}

impl Turned for Pose {
    /// Turned about its own z.
    fn turned_by(&self, angle: f64) -> Pose {
        *self * Pose::from_axis_angle(Vec3::Z, angle).unwrap_or(Pose::IDENTITY)
    }
}

/// The angle of a castor after a step, from how the main part moves.
pub(super) fn follow(
    engine: &Engine,
    gear: &Gear,
    wheel: &Wheel,
    swivel: usize,
    main: BodyId,
    step: f64,
) -> f64 {
    let joint = &gear.model.joints[swivel];
    let world_from_vehicle = engine.pose(main) * gear.model.parts[0].pose.inverse();
    let vehicle_from_world = world_from_vehicle.inverse();
    let point = world_from_vehicle.transform_point(joint.at);
    let velocity = vehicle_from_world.rotate(engine.velocity_at(main, point));
    let turn = vehicle_from_world.rotate(engine.angular_velocity(main)).z;
    let trail = (wheel.at - joint.at).truncate().length();
    trailing(gear.positions[swivel], velocity, turn, trail, step)
}

/// The angle of a castor after `time` in which its swivel moves with this velocity and turns with the vehicle, all in the frame of the vehicle: it
/// rolls, and trails behind.
///
/// **Guarantee.** Exact for a swivel that moves straight on, for any time.
pub(super) fn trailing(angle: f64, velocity: Vec3, turn: f64, trail: f64, time: f64) -> f64 {
    // Its wheel slides sideways unless the angle changes by (v across) / trail - turn. Without turns, the tangent of half the angle
    // to the velocity decays.
    let turned = angle - turn * time;
    let speed = velocity.truncate().length();
    if speed == 0.0 || trail == 0.0 {
        return turned;
    }
    let (sine, cosine) = turned.sin_cos();
    let along = velocity.x * cosine + velocity.y * sine;
    let across = velocity.y * cosine - velocity.x * sine;
    // tan(d / 2) = sin d / (1 + cos d), with d from the castor to the velocity; it stays where it is when it trails the wrong way exactly.
    let off = across.atan2(along);
    let half = (0.5 * off).tan() * (-speed * time / trail).exp();
    turned + off - 2.0 * half.atan()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castors_trail() {
        // Against small steps of the differential equation.
        for (angle, velocity, turn) in [
            (1.0, Vec3::X, 0.0),
            (-2.5, Vec3::new(0.3, 0.4, 0.0), 0.0),
            (0.3, Vec3::new(-0.5, 0.1, 0.0), 0.7),
        ] {
            let (trail, time) = (0.03, 0.2);
            let steps = 20_000;
            let mut slow: f64 = angle;
            for _ in 0..steps {
                let across = velocity.y * slow.cos() - velocity.x * slow.sin();
                slow += (across / trail - turn) * time / f64::from(steps);
            }
            let parts = if turn == 0.0 { 1 } else { 2000 };
            let mut quick = angle;
            for _ in 0..parts {
                quick = trailing(quick, velocity, turn, trail, time / f64::from(parts));
            }
            assert!((slow - quick).abs() < 1e-3, "{slow} {quick}");
        }
    }
}
