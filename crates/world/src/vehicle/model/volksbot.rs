//! The Volksbot: three driven wheels on each side. 7 bodies, 6 joints.

use super::{JointKind, Model, Part, PlannedJoint, cuboid};
use crate::vehicle::steering::{Running, Sides};
use freiraum_geometry::{Pose, Vec3};

const WHEELS: [[&str; 2]; 6] = [
    ["front left wheel", "front left roll"],
    ["middle left wheel", "middle left roll"],
    ["rear left wheel", "rear left roll"],
    ["front right wheel", "front right roll"],
    ["middle right wheel", "middle right roll"],
    ["rear right wheel", "rear right roll"],
];

pub(super) fn volksbot() -> Model {
    let sides = Sides {
        radius: 0.11,
        track: 0.42,
        axles: vec![0.24, 0.0, -0.24],
        castor: None,
        torque: 8.0,
        most_speed: 2.0,
    };
    let places = [1.0, -1.0].map(|side| sides.axles.clone().into_iter().map(move |x| (x, side)));
    let (radius, track, torque) = (sides.radius, sides.track, sides.torque);
    let body = Part::new("body", cuboid(0.6, 0.34, 0.18), Vec3::new(0.0, 0.0, 0.18), 13.0, [40, 140, 60]);
    let running = Running::Sides(sides);
    let mut model = Model { parts: vec![body], joints: Vec::new(), seats: Vec::new(), running };
    for ((x, side), [wheel, roll]) in places.into_iter().flatten().zip(WHEELS) {
        let at = Vec3::new(x, 0.5 * side * track, radius);
        let part = model.add(Part::wheel(wheel, radius, 0.06, at, 0.7));
        let joint = PlannedJoint::new(roll, JointKind::Roll, part, at, Vec3::Y);
        model.joints.push(PlannedJoint { most: torque, ..joint });
    }
    model.seats = vec![
        ("camera", Pose::from_translation(Vec3::new(0.3, 0.0, 0.3))),
        ("laser scanner", Pose::from_translation(Vec3::new(0.2, 0.0, 0.32))),
    ];
    model
}
