//! The Khepera: a round robot of 55 mm and some 80 g on two wheels and two gliders; with a gripper if wanted. 5 bodies and 2 joints, or 8 and 5.

use super::{JointKind, Model, Part, PlannedJoint, cuboid, cylinder, sphere};
use crate::vehicle::steering::{Running, Sides};
use freiraum_geometry::{Pose, Vec3};

pub(super) fn khepera(has_gripper: bool) -> Model {
    let sides = Sides {
        radius: 0.0075,
        track: 0.053,
        axles: vec![0.0],
        castor: None,
        torque: 0.005,
        most_speed: 1.0,
    };
    let (radius, track, torque) = (sides.radius, sides.track, sides.torque);
    let body = Part::new("body", cylinder(0.0245, 0.024), Vec3::new(0.0, 0.0, 0.017), 0.064, [40, 150, 150]);
    let running = Running::Sides(sides);
    let mut model = Model { parts: vec![body], joints: Vec::new(), seats: Vec::new(), running };
    let names = [("left wheel", "left roll", 0.5), ("right wheel", "right roll", -0.5)];
    for (wheel, roll, side) in names {
        let at = Vec3::new(0.0, side * track, radius);
        // 55 mm from rim to rim.
        let part = model.add(Part::wheel(wheel, radius, 0.002, at, 0.004));
        let joint = PlannedJoint::new(roll, JointKind::Roll, part, at, Vec3::Y);
        model.joints.push(PlannedJoint { most: torque, ..joint });
    }
    // The rear one is heavier: with its centre of mass above the axle the robot would balance until rounding makes it fall.
    for (name, x, mass) in [("front glider", 0.02, 0.001), ("rear glider", -0.02, 0.003)] {
        // Not quite on the ground: a plane carries wheels and one of them.
        let at = Vec3::new(x, 0.0, 0.0027);
        let mut glider = Part::new(name, sphere(0.0025), at, mass, [120, 120, 125]);
        (glider.friction, glider.is_ground) = (0.05, true);
        model.add(glider);
    }
    if has_gripper {
        gripper(&mut model);
    }
    model.seats = vec![("camera", Pose::from_translation(Vec3::new(0.02, 0.0, 0.035)))];
    model
}

/// An arm that goes up and down before the robot, and two hands that slide along it.
fn gripper(model: &mut Model) {
    let arm = Vec3::new(0.031, 0.0, 0.016);
    let part = model.add(Part::new("gripper", cuboid(0.01, 0.052, 0.02), arm, 0.01, [170, 170, 175]));
    let lift = PlannedJoint::new("lift", JointKind::Slide, part, arm, Vec3::Z);
    model.joints.push(PlannedJoint { limits: [0.0, 0.03], speed: 0.05, most: 2.0, ..lift });
    for (name, side) in [("left hand", 1.0), ("right hand", -1.0)] {
        let at = Vec3::new(0.046, side * 0.024, 0.012);
        let mut hand = Part::new(name, cuboid(0.024, 0.003, 0.01), at, 0.001, [80, 80, 85]);
        (hand.on, hand.friction) = (part, 0.9);
        let hand = model.add(hand);
        let joint = PlannedJoint::new(name, JointKind::Slide, hand, at, -side * Vec3::Y);
        model.joints.push(PlannedJoint { limits: [0.0, 0.0215], speed: 0.05, most: 1.0, ..joint });
    }
}
