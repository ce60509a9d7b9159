//! Cars with Ackermann steering: the monster truck and the stretch limousine, both of the size of model cars as in text 000.

use super::{JointKind, Model, Part, PlannedJoint, cuboid, cylinder};
use crate::vehicle::steering::{Axles, Running, Suspension};
use freiraum_geometry::{Pose, Vec3};

/// What all cars have.
struct Frame {
    axles: Axles,
    /// Of one wheel, in kilograms.
    wheel_mass: f64,
    wheel_width: f64,
    /// Which wheels are sprung, front left first.
    sprung: [bool; 4],
}

const WHEELS: [[&str; 4]; 4] = [
    ["front left wheel", "front left roll", "front left steering", "front left suspension"],
    ["front right wheel", "front right roll", "front right steering", "front right suspension"],
    ["rear left wheel", "rear left roll", "", "rear left suspension"],
    ["rear right wheel", "rear right roll", "", "rear right suspension"],
];

/// A main part with four wheels.
fn car(chassis: Part, frame: &Frame) -> Model {
    let Frame { axles, .. } = *frame;
    let mut model =
        Model { parts: vec![chassis], joints: Vec::new(), seats: Vec::new(), running: Running::Cars(axles) };
    for (number, [wheel, roll, steering, suspension]) in WHEELS.into_iter().enumerate() {
        let at = axles.wheel(number);
        let part = model.add(Part::wheel(wheel, axles.radius, frame.wheel_width, at, frame.wheel_mass));
        let joint = |name, kind, axis| PlannedJoint::new(name, kind, part, at, axis);
        if frame.sprung[number] {
            let limits = [-axles.suspension.travel, axles.suspension.travel];
            model.joints.push(PlannedJoint { limits, ..joint(suspension, JointKind::Suspension, Vec3::Z) });
        }
        if number < 2 {
            let steered = joint(steering, JointKind::Steer, Vec3::Z);
            let limits = [-axles.most_steering, axles.most_steering];
            model.joints.push(PlannedJoint { limits, speed: axles.steering_speed, ..steered });
        }
        model.joints.push(PlannedJoint { most: axles.torque, ..joint(roll, JointKind::Roll, Vec3::Y) });
    }
    model
}

/// Four big driven wheels, each on its own spring; camera and laser scanner on the roof. 7 bodies, 10 joints.
pub(super) fn monster_truck() -> Model {
    let axles = Axles {
        radius: 0.073,
        track: 0.33,
        base: 0.34,
        most_steering: 0.7,
        steering_speed: 4.0,
        torque: 1.8,
        most_speed: 6.0,
        suspension: Suspension { stiffness: 1500.0, damping: 70.0, travel: 0.035 },
    };
    let frame = Frame { axles, wheel_mass: 0.35, wheel_width: 0.09, sprung: [true; 4] };
    let chassis = Part::new("chassis", cuboid(0.5, 0.2, 0.12), Vec3::new(0.0, 0.0, 0.16), 3.6, [30, 90, 200]);
    let mut model = car(chassis, &frame);
    let camera = Vec3::new(0.16, 0.0, 0.245);
    let scanner = Vec3::new(0.0, 0.0, 0.255);
    model.add(Part::new("camera", cuboid(0.04, 0.05, 0.05), camera, 0.2, [200, 200, 205]));
    model.add(Part::new("laser scanner", cylinder(0.03, 0.07), scanner, 0.8, [240, 180, 20]));
    model.seats = vec![
        ("camera", Pose::from_translation(camera)),
        ("laser scanner", Pose::from_translation(scanner + Vec3::new(0.0, 0.0, 0.01))),
        ("scanner", Pose::from_translation(scanner + Vec3::new(0.0, 0.0, 0.01))),
    ];
    model
}

/// A long car: body, bonnet and cabin; the rear wheels are sprung. 7 bodies, 8 joints.
pub(super) fn stretch_limousine() -> Model {
    let axles = Axles {
        radius: 0.05,
        track: 0.25,
        base: 0.66,
        most_steering: 0.6,
        steering_speed: 3.0,
        torque: 1.2,
        most_speed: 4.0,
        suspension: Suspension { stiffness: 3000.0, damping: 120.0, travel: 0.015 },
    };
    let frame = Frame { axles, wheel_mass: 0.25, wheel_width: 0.045, sprung: [false, false, true, true] };
    let body = Part::new("body", cuboid(0.98, 0.2, 0.07), Vec3::new(0.0, 0.0, 0.085), 5.0, [20, 20, 24]);
    let mut model = car(body, &frame);
    model.add(Part::new("bonnet", cuboid(0.22, 0.22, 0.02), Vec3::new(0.37, 0.0, 0.13), 0.6, [20, 20, 24]));
    model.add(Part::new("cabin", cuboid(0.6, 0.22, 0.07), Vec3::new(-0.05, 0.0, 0.155), 1.4, [60, 62, 70]));
    model.seats = vec![
        ("camera", Pose::from_translation(Vec3::new(0.48, 0.0, 0.13))),
        ("laser scanner", Pose::from_translation(Vec3::new(-0.05, 0.0, 0.2))),
    ];
    model
}
