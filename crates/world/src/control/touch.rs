//! What a driver feels.

use super::Seen;
use crate::event::EventKind;
use crate::simulation::Measured;

/// Whether the vehicle has hit something at its side since it was asked last: a bumper says so, or a collision.
pub(super) fn is_hit(seen: &Seen) -> bool {
    let is_bumped = seen
        .readings
        .iter()
        .any(|reading| reading.is_new && reading.reading.value == Measured::Touched(Some(true)));
    is_bumped
        || seen.events.iter().any(|event| match &event.kind {
            // Steeper than 45 degrees: what is flatter carries it.
            EventKind::Collision { bodies, normal, .. } => {
                normal.z * normal.z < 0.5 && bodies.iter().filter(|body| is_own(seen, **body)).count() == 1
            }
            _ => false,
        })
}

/// Whether a body is a part of a vehicle with this number.
pub(super) fn is_part(seen: &Seen, vehicle: usize, body: usize) -> bool {
    let name = &seen.scene.world.vehicles[vehicle].name;
    let part = seen.scene.bodies[body].name.strip_prefix(name.as_str());
    part.is_some_and(|rest| rest.starts_with('/'))
}

fn is_own(seen: &Seen, body: usize) -> bool {
    is_part(seen, seen.vehicle, body)
}
