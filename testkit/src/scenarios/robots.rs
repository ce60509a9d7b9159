//! The machines of the scenes: bodies, links, and where the bodies are for a place of the whole.

use super::{Crew, Place, Solid};
use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;

/// A vehicle: boxes at fixed places and wheels that roll.
pub(super) struct Vehicle {
    name: &'static str,
    boxes: &'static [([f64; 3], [f64; 3])],
    wheels: &'static [[f64; 2]],
    radius: f64,
    width: f64,
}

/// Four wheels, chassis, cabin and a scanner on the roof: 7 bodies.
pub(super) const TRUCK: Vehicle = Vehicle {
    name: "monster truck",
    boxes: &[
        ([0.50, 0.20, 0.10], [0.0, 0.0, 0.16]),
        ([0.22, 0.18, 0.10], [-0.04, 0.0, 0.26]),
        ([0.06, 0.06, 0.06], [0.0, 0.0, 0.34]),
    ],
    wheels: &[[0.17, 0.15], [0.17, -0.15], [-0.17, 0.15], [-0.17, -0.15]],
    radius: 0.09,
    width: 0.07,
};

/// Six wheels and a body: 7 bodies.
pub(super) const VOLKSBOT: Vehicle = Vehicle {
    name: "volksbot",
    boxes: &[([0.56, 0.30, 0.20], [0.0, 0.0, 0.20])],
    wheels: &[[0.2, 0.2], [0.2, -0.2], [0.0, 0.2], [0.0, -0.2], [-0.2, 0.2], [-0.2, -0.2]],
    radius: 0.09,
    width: 0.06,
};

/// Three wheels, hull, deck, a ring of sonars and two fingers: 8 bodies.
pub(super) const PIONEER: Vehicle = Vehicle {
    name: "pioneer",
    boxes: &[
        ([0.40, 0.24, 0.14], [0.0, 0.0, 0.15]),
        ([0.44, 0.36, 0.02], [0.0, 0.0, 0.24]),
        ([0.06, 0.30, 0.04], [0.23, 0.0, 0.20]),
        ([0.10, 0.02, 0.04], [0.30, 0.08, 0.08]),
        ([0.10, 0.02, 0.04], [0.30, -0.08, 0.08]),
    ],
    wheels: &[[0.08, 0.16], [0.08, -0.16], [-0.16, 0.0]],
    radius: 0.08,
    width: 0.05,
};

/// How deep a wheel or foot stands in the ground: enough to touch in spite of rounding.
pub(super) const SINK: f64 = 1e-4;

impl Vehicle {
    /// The crew, with links as a robot model has them: joints and mounts without a body between the bodies.
    pub(super) fn crew(&self, layers: (u32, u32)) -> Crew {
        let boxes = self.boxes.iter().map(|(size, _)| Solid::Box(DVec3::from(*size)));
        let wheel = Solid::Cylinder { radius: self.radius, height: self.width };
        let solids: Vec<Solid> = boxes.chain(self.wheels.iter().map(|_| wheel)).collect();
        let mut links = vec![(None, None), (Some(0), Some(0))];
        for body in 1..self.boxes.len() as u32 {
            links.push((Some(1), None));
            links.push((Some(links.len() as u32 - 1), Some(body)));
        }
        // Wheels in pairs on an axle, each behind its own joint; a camera mount carries nothing.
        for (i, _) in self.wheels.iter().enumerate() {
            if i % 2 == 0 {
                links.push((Some(1), None));
            }
            let axle = if i % 2 == 0 { links.len() as u32 - 1 } else { links.len() as u32 - 3 };
            links.push((Some(axle), None));
            links.push((Some(links.len() as u32 - 1), Some((self.boxes.len() + i) as u32)));
        }
        links.extend([(Some(0), None), (Some(links.len() as u32), None)]);
        Crew { name: self.name, solids, links, is_movable: true, layers }
    }

    /// Where the bodies are after a way, at a place on the ground with a heading.
    pub(super) fn places(&self, place: DVec3, heading: f64, way: f64) -> Vec<Place> {
        let turn = DQuat::from_rotation_z(heading);
        let put = |offset: DVec3| place + turn * offset;
        let boxes = self.boxes.iter().map(|(_, offset)| (turn, put(DVec3::from(*offset))));
        // The axle along y, turned by the way.
        let roll = turn * DQuat::from_rotation_y(way / self.radius) * DQuat::from_rotation_x(FRAC_PI_2);
        let wheel = |[x, y]: [f64; 2]| (roll, put(DVec3::new(x, y, self.radius - SINK)));
        boxes.chain(self.wheels.iter().map(|&w| wheel(w))).collect()
    }
}

/// Parent, edge lengths and place (of the right or only one) of each part of a humanoid; no size: no body.
///
/// The parts from the shoulder on come twice, mirrored.
const MIDDLE: [(Option<u32>, [f64; 3], [f64; 3]); 6] = [
    (None, [0.10, 0.14, 0.08], [0.0, 0.0, 0.30]),
    (Some(0), [0.10, 0.18, 0.14], [0.0, 0.0, 0.43]),
    (Some(1), [0.08, 0.09, 0.10], [0.0, 0.0, 0.57]),
    (Some(1), [0.04, 0.12, 0.12], [-0.08, 0.0, 0.43]),
    (Some(2), [0.0; 3], [0.05, 0.0, 0.57]),
    (Some(1), [0.0; 3], [0.0, 0.0, 0.43]),
];
const LIMBS: [(Option<u32>, [f64; 3], [f64; 3]); 8] = [
    (Some(1), [0.05, 0.04, 0.05], [0.0, 0.12, 0.47]),
    (Some(6), [0.04, 0.04, 0.12], [0.0, 0.15, 0.40]),
    (Some(7), [0.04, 0.04, 0.14], [0.0, 0.15, 0.26]),
    (Some(0), [0.06, 0.05, 0.05], [0.0, 0.05, 0.24]),
    (Some(9), [0.05, 0.05, 0.09], [0.0, 0.05, 0.17]),
    (Some(10), [0.05, 0.05, 0.08], [0.0, 0.05, 0.085]),
    (Some(11), [0.05, 0.05, 0.02], [0.0, 0.05, 0.035]),
    (Some(12), [0.14, 0.08, 0.025], [0.02, 0.05, 0.0125 - SINK]),
];

/// Parent, size and place of each of the 22 parts.
fn humanoid_parts() -> Vec<(Option<u32>, DVec3, DVec3)> {
    let vector = |v: [f64; 3]| DVec3::from(v);
    let mut parts: Vec<_> = MIDDLE.iter().map(|&(parent, s, p)| (parent, vector(s), vector(p))).collect();
    for side in [0, 1] {
        for &(parent, size, place) in &LIMBS {
            // Limbs stand behind the six parts of the middle, those of the second side eight further on.
            let parent = parent.map(|p| if p >= 6 { p + 8 * side } else { p });
            let mirror = if side == 0 { 1.0 } else { -1.0 };
            parts.push((parent, vector(size), vector(place) * DVec3::new(1.0, mirror, 1.0)));
        }
    }
    parts
}

/// A humanoid: 22 parts, 20 of them with a body.
pub(super) fn humanoid(layers: (u32, u32)) -> Crew {
    let (mut solids, mut links) = (Vec::new(), Vec::new());
    for (parent, size, _) in humanoid_parts() {
        let body = (size != DVec3::ZERO).then(|| {
            solids.push(Solid::Box(size));
            solids.len() as u32 - 1
        });
        links.push((parent, body));
    }
    Crew { name: "humanoid", solids, links, is_movable: true, layers }
}

/// Where the bodies are: arms swung by an angle about the shoulders, the whole turned about the ground under its feet.
pub(super) fn humanoid_places(place: DVec3, turn: DQuat, swing: f64) -> Vec<Place> {
    let shoulder = DVec3::new(0.0, 0.0, 0.47);
    let parts = humanoid_parts();
    let posed = parts.iter().enumerate().map(|(i, &(_, size, offset))| {
        let is_arm = matches!(i, 7 | 8 | 15 | 16);
        let side = if i >= 14 { -1.0 } else { 1.0 };
        let bend = if is_arm { DQuat::from_rotation_y(side * swing) } else { DQuat::IDENTITY };
        (size, turn * bend, place + turn * (shoulder + bend * (offset - shoulder)))
    });
    posed.filter(|(size, ..)| *size != DVec3::ZERO).map(|(_, rotation, at)| (rotation, at)).collect()
}
