//! What presses on what, for those who draw it.

use super::Simulation;
use freiraum_geometry::Vec3;

/// A point where two bodies pressed on each other in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Which two: numbers of bodies of the scene, in no order that means anything.
    pub bodies: [usize; 2],
    /// Half way between the surfaces, in the world.
    pub point: Vec3,
    /// Unit vector from the first body to the second.
    pub normal: Vec3,
    /// How hard, in newton seconds.
    pub impulse: f64,
}

impl Simulation {
    /// Where bodies pressed on each other in the last step.
    #[must_use]
    pub fn contacts(&self) -> Vec<Contact> {
        let mut found = Vec::new();
        for contact in self.engine.contacts() {
            let [Some(a), Some(b)] = contact.bodies.map(|id| self.number(id)) else { continue };
            let pressing = contact.points.iter().filter(|point| point.impulse > 0.0);
            found.extend(pressing.map(|point| Contact {
                bodies: [a, b],
                point: point.point,
                normal: contact.normal,
                impulse: point.impulse,
            }));
        }
        found
    }
}
