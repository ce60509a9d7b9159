//! The Pioneer: two driven wheels, a castor, a gripper in front and a camera. 8 bodies, 8 joints.

use super::{JointKind, Model, Part, PlannedJoint, cuboid};
use crate::vehicle::steering::{Castor, Running, Sides};
use freiraum_geometry::{Pose, Vec3};

pub(super) fn pioneer() -> Model {
    let sides = Sides {
        radius: 0.0825,
        track: 0.32,
        axles: vec![0.0],
        castor: Some(Castor { radius: 0.0375, trail: 0.03, at: Vec3::new(-0.2, 0.0, 0.0) }),
        torque: 4.0,
        most_speed: 1.6,
    };
    let castor = sides.castor.unwrap_or_default();
    let (radius, track) = (sides.radius, sides.track);
    let body = Part::new("body", cuboid(0.44, 0.26, 0.16), Vec3::new(-0.05, 0.0, 0.15), 6.0, [190, 30, 30]);
    let running = Running::Sides(sides);
    let mut model = Model { parts: vec![body], joints: Vec::new(), seats: Vec::new(), running };
    let names = [("left wheel", "left roll", 0.5), ("right wheel", "right roll", -0.5)];
    for (wheel, roll, side) in names {
        let at = Vec3::new(0.0, side * track, radius);
        let part = model.add(Part::wheel(wheel, radius, 0.037, at, 0.6));
        let joint = PlannedJoint::new(roll, JointKind::Roll, part, at, Vec3::Y);
        model.joints.push(PlannedJoint { most: 4.0, ..joint });
    }
    // The castor trails behind its swivel when the vehicle drives forward.
    let wheel = castor.at + Vec3::new(-castor.trail, 0.0, castor.radius);
    let part = model.add(Part::wheel("castor", castor.radius, 0.02, wheel, 0.15));
    model.joints.push(PlannedJoint::new("castor swivel", JointKind::Swivel, part, castor.at, Vec3::Z));
    model.joints.push(PlannedJoint::new("castor roll", JointKind::Roll, part, wheel, Vec3::Y));
    gripper(&mut model);
    let camera = Vec3::new(0.1, 0.0, 0.26);
    let part = model.add(Part::new("camera", cuboid(0.08, 0.06, 0.06), camera, 0.3, [210, 210, 215]));
    let pan = PlannedJoint::new("camera pan", JointKind::Turn, part, camera, Vec3::Z);
    model.joints.push(PlannedJoint { limits: [-1.7, 1.7], speed: 2.0, most: 5.0, ..pan });
    model.seats = vec![
        ("camera", Pose::from_translation(camera + Vec3::new(0.03, 0.0, 0.0))),
        ("laser scanner", Pose::from_translation(Vec3::new(0.0, 0.0, 0.3))),
    ];
    model
}

/// A bar that goes up and down, and two hands that slide along it.
fn gripper(model: &mut Model) {
    let bar = Vec3::new(0.2, 0.0, 0.08);
    let part = model.add(Part::new("gripper", cuboid(0.06, 0.3, 0.08), bar, 0.6, [150, 150, 155]));
    let lift = PlannedJoint::new("lift", JointKind::Slide, part, bar, Vec3::Z);
    model.joints.push(PlannedJoint { limits: [0.0, 0.06], speed: 0.1, most: 60.0, ..lift });
    for (name, side) in [("left hand", 1.0), ("right hand", -1.0)] {
        let at = Vec3::new(0.26, side * 0.115, 0.06);
        let mut hand = Part::new(name, cuboid(0.1, 0.02, 0.03), at, 0.08, [90, 90, 95]);
        (hand.on, hand.friction) = (part, 0.9);
        let hand = model.add(hand);
        let joint = PlannedJoint::new(name, JointKind::Slide, hand, at, -side * Vec3::Y);
        model.joints.push(PlannedJoint { limits: [0.0, 0.1], speed: 0.1, most: 20.0, ..joint });
    }
}
