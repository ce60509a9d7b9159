//! Vehicles that start inside of something.

use crate::event::{Event, EventKind};
use crate::rigid::{BodyId, Engine};
use freiraum_scene::{Drive, Scene};
use std::ops::Range;

/// A warning for every vehicle and body that it starts in, or for two vehicles that start in each other. `bodies` are those of the scene, with all parts.
///
/// What touches a little more than it should is pushed apart without harm: a quarter of half the thickness of a part. Kinematic vehicles rise onto what
/// is fixed below their wheels.
pub(super) fn warnings(
    scene: &Scene,
    engine: &Engine,
    bodies: &[BodyId],
    vehicles: &[Range<usize>],
) -> Vec<Event> {
    let mut events = Vec::new();
    let mut near = Vec::new();
    let vehicle_of = |body: usize| vehicles.iter().position(|parts| parts.contains(&body));
    for (number, parts) in vehicles.iter().enumerate() {
        let mut told: Vec<String> = Vec::new();
        let own: Vec<BodyId> = bodies[parts.clone()].to_vec();
        for collider in own.iter().flat_map(|body| engine.colliders(*body)) {
            let (shape, place) = engine.shape(collider);
            let Some(bounds) = engine.bounds_at(collider, &place) else { continue };
            if !engine.meets_anything(collider) {
                continue;
            }
            let slight = SLIGHT * shape.bounds().map_or(0.0, |bounds| 0.5 * bounds.size().min_element());
            engine.within(&bounds, &mut near);
            for other in &near {
                let body = engine.body_of(*other);
                let Ok(at) = bodies.binary_search(&body) else { continue };
                let ignored = own.iter().any(|part| *part == body || engine.is_ignored(*part, body));
                if ignored || engine.gap(collider, &place, *other) >= -slight {
                    continue;
                }
                let other_vehicle = vehicle_of(at);
                let is_ground = scene.world.vehicles[number].drive == Drive::Kinematic
                    && engine.kind(body) == crate::rigid::Kind::Fixed
                    && engine.closest(collider, &place, *other).is_some_and(|c| c.normal.z < -0.5);
                // Of two vehicles the first tells.
                if is_ground || other_vehicle.is_some_and(|other| other < number) {
                    continue;
                }
                let name = match other_vehicle {
                    Some(other) => &scene.world.vehicles[other].name,
                    None => &scene.bodies[at].name,
                };
                if !told.contains(name) {
                    told.push(name.clone());
                }
            }
        }
        let own = &scene.world.vehicles[number].name;
        events.extend(told.iter().map(|name| {
            let message = format!("{own} starts inside of {name}");
            Event { time: 0.0, kind: EventKind::Warning { vehicle: Some(number), message } }
        }));
    }
    events
}

/// Share of half the thickness of a part that it may be in something.
const SLIGHT: f64 = 0.25;
