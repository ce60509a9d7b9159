//! Vehicles and movable bodies that start inside of something.

use crate::dynamics::{BodyId, Engine, Kind};
use crate::event::{Event, EventKind};
use freiraum_scene::{Drive, Scene};
use std::ops::Range;

/// Share of half the thickness of a shape that it may be in something: so much is pushed apart without harm.
const SLIGHT: f64 = 0.25;

/// So many pairs of bodies are told one by one.
const MOST: usize = 20;

/// After so many pairs nobody looks for more.
const ENOUGH: usize = 1000;

/// A warning for everything that starts in something else, with its name and the depth in the unit of the scene: vehicles in bodies and in
/// each other, then movable bodies in what is fixed and in each other. `bodies` are those of the scene, with all parts.
///
/// Kinematic vehicles rise onto what is fixed below their wheels.
pub(super) fn warnings(
    scene: &Scene,
    engine: &Engine,
    bodies: &[BodyId],
    vehicles: &[Range<usize>],
) -> Vec<Event> {
    let start = Start { scene, engine, bodies, vehicles };
    let mut events = Vec::new();
    let mut warn = |vehicle: Option<usize>, message: String| {
        events.push(Event { time: 0.0, kind: EventKind::Warning { vehicle, message } });
    };
    for vehicle in 0..vehicles.len() {
        for (name, depth) in start.around_vehicle(vehicle) {
            warn(Some(vehicle), format!("starts inside of {name}{}", start.deep(depth)));
        }
    }
    let pairs = start.pairs();
    for (a, b, depth) in pairs.iter().take(MOST) {
        let [a, b] = [*a, *b].map(|body| &scene.bodies[body].name);
        warn(None, format!("{a} starts inside of {b}{}", start.deep(*depth)));
    }
    if pairs.len() > MOST {
        let more = pairs.len() - MOST;
        let least = if pairs.len() >= ENOUGH { "at least " } else { "" };
        warn(None, format!("{least}{more} more pairs of bodies start inside of each other"));
    }
    events
}

struct Start<'s> {
    scene: &'s Scene,
    engine: &'s Engine,
    bodies: &'s [BodyId],
    vehicles: &'s [Range<usize>],
}

impl Start<'_> {
    fn vehicle_of(&self, body: usize) -> Option<usize> {
        self.vehicles.iter().position(|parts| parts.contains(&body))
    }

    /// What a vehicle starts in, by name and with the depth. Of two vehicles the first tells.
    fn around_vehicle(&self, vehicle: usize) -> Vec<(&str, f64)> {
        let own = &self.bodies[self.vehicles[vehicle].clone()];
        let is_kinematic = self.scene.world.vehicles[vehicle].drive == Drive::Kinematic;
        let mut found: Vec<(&str, f64)> = Vec::new();
        for part in self.vehicles[vehicle].clone() {
            self.inside(part, |body, depth, up| {
                let id = self.bodies[body];
                let other = self.vehicle_of(body);
                let is_ground = is_kinematic && self.engine.kind(id) == Kind::Fixed && up > 0.5;
                let is_ignored = own.iter().any(|part| *part == id || self.engine.is_ignored(*part, id));
                if is_ground || is_ignored || other.is_some_and(|other| other < vehicle) {
                    return;
                }
                let name = match other {
                    Some(other) => &self.scene.world.vehicles[other].name,
                    None => &self.scene.bodies[body].name,
                };
                note(&mut found, name.as_str(), depth);
            });
        }
        found
    }

    /// Movable bodies and what they start in, with the depth; pairs of movable bodies once.
    fn pairs(&self) -> Vec<(usize, usize, f64)> {
        let mut all = Vec::new();
        let is_loose = |body: usize| self.engine.kind(self.bodies[body]) == Kind::Dynamic;
        let count = self.vehicles.first().map_or(self.bodies.len(), |parts| parts.start);
        for body in (0..count).filter(|body| is_loose(*body)) {
            if all.len() >= ENOUGH {
                break;
            }
            let mut found: Vec<(usize, f64)> = Vec::new();
            self.inside(body, |other, depth, _| {
                let is_told = other >= count || (is_loose(other) && other < body);
                if !is_told && !self.engine.is_ignored(self.bodies[body], self.bodies[other]) {
                    note(&mut found, other, depth);
                }
            });
            all.extend(found.into_iter().map(|(other, depth)| (body, other, depth)));
        }
        all
    }

    /// Everything that the shapes of a body are in by more than a little: the other body, the depth, and how much of the way out is up.
    fn inside(&self, body: usize, mut then: impl FnMut(usize, f64, f64)) {
        let (engine, mut near) = (self.engine, Vec::new());
        for collider in engine.colliders(self.bodies[body]) {
            let (shape, place) = engine.shape(collider);
            let Some(bounds) = engine.bounds_at(collider, &place) else { continue };
            if !engine.meets_anything(collider) {
                continue;
            }
            let slight = SLIGHT * shape.bounds().map_or(0.0, |bounds| 0.5 * bounds.size().min_element());
            engine.within(&bounds, &mut near);
            for other in &near {
                let id = engine.body_of(*other);
                let Ok(at) = self.bodies.binary_search(&id) else { continue };
                if at == body {
                    continue;
                }
                let found = engine.clearance(collider, &place, *other, slight);
                if found.gap < -slight {
                    then(at, -found.gap, found.out.z);
                }
            }
        }
    }

    /// How deep, for people; nothing where it is not known.
    fn deep(&self, depth: f64) -> String {
        if !depth.is_finite() {
            return String::new();
        }
        let unit = self.scene.units;
        let depth = unit.from_metres(depth);
        let decimals = (2.0 - depth.log10().floor()).clamp(0.0, 6.0) as usize;
        format!(", {depth:.decimals$} {unit} deep")
    }
}

/// Keeps the greatest depth of each.
fn note<T: PartialEq>(found: &mut Vec<(T, f64)>, other: T, depth: f64) {
    match found.iter_mut().find(|(known, _)| *known == other) {
        Some((_, deepest)) => *deepest = deepest.max(depth),
        None => found.push((other, depth)),
    }
}
