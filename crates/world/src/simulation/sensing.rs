//! All sensors of a world: when each of them measures, and what there is to see.

use super::instrument::{Around, Due, Instrument};
use crate::dynamics::{BodyId, ColliderId, Engine, Kind};
use crate::event::{Event, EventKind};
use crate::reading::Reading;
use crate::sensors::depth::{Models, Renderer};
use crate::sensors::noise::Source;
use crate::sensors::odometry::Track;
use crate::sensors::{Surroundings, Thing, Touch};
use freiraum_geometry::Pose;
use freiraum_scene::{Mount, Problem, Scene};
use rayon::prelude::*;
use std::ops::Range;

/// How far the triangles of depth pictures and ultrasonic sensors are from the true surfaces, in metres.
const DEVIATION: f64 = 0.002;

/// Of bodies that have no colour.
const COLOR: [u8; 3] = [0x9a, 0xa0, 0xa8];

/// The sensors of a scene.
pub(super) struct Sensing {
    pub(super) instruments: Vec<Instrument>,
    /// The newest of each.
    pub(super) readings: Vec<Option<Reading>>,
    /// Whether it was measured before the last step.
    pub(super) is_new: Vec<bool>,
    surroundings: Surroundings,
    models: Option<Models>,
    /// What pictures are drawn with, if any sensor needs them.
    pub(super) renderer: Option<Renderer>,
    /// True after it was told that the renderer does not do its work.
    has_told: bool,
    /// Of every thing of the surroundings.
    colliders: Vec<ColliderId>,
    /// True if somebody may have put things elsewhere that do not move by themselves.
    is_moved: bool,
    colors: Vec<[u8; 3]>,
    due: Vec<Option<Due>>,
    touches: Vec<(u32, Touch)>,
}

/// Where things are that sensors move with.
pub(super) struct Mounts<'m> {
    pub(super) engine: &'m Engine,
    pub(super) bodies: &'m [BodyId],
    /// `world_from_vehicle` of a vehicle, and where its wheels say that it is.
    pub(super) vehicle: &'m dyn Fn(usize) -> (Pose, Track),
}

/// The number of the measurement or question that is due before step `number` for one `rate` times per second, 0 for every step: the
/// first at the start, the others at the first step that is not before their time. Nothing is due more often than every step.
pub(super) fn due(rate: f64, step: f64, number: u64) -> Option<u64> {
    if rate == 0.0 || rate * step >= 1.0 {
        return Some(number);
    }
    // Products that are whole numbers but for rounding count as such.
    let count = |number: u64| (number as f64 * step * rate * (1.0 + 4.0 * f64::EPSILON)).floor() as u64;
    (number == 0 || count(number) > count(number - 1)).then(|| count(number))
}

impl Sensing {
    /// The sensors of a scene with all parts of its vehicles.
    ///
    /// **Errors.** Sensors that cannot measure.
    pub(super) fn new(
        scene: &Scene,
        vehicles: &[Range<usize>],
        engine: &Engine,
        bodies: &[BodyId],
        renderer: &Renderer,
    ) -> Result<Sensing, Vec<Problem>> {
        let (mut instruments, mut problems, mut beams) = (Vec::new(), Vec::new(), Vec::new());
        for sensor in &scene.world.sensors {
            match Instrument::new(sensor, vehicles, renderer, &mut beams) {
                Ok(instrument) => instruments.push(instrument),
                Err(message) => {
                    let message = format!("the sensor {:?} cannot measure: {message}", sensor.name);
                    problems.push(Problem::new(sensor.place, message));
                }
            }
        }
        let mut things = Vec::new();
        let mut colliders = Vec::new();
        if instruments.iter().any(Instrument::sees) {
            for (number, id) in bodies.iter().enumerate() {
                // Goals are places, not things.
                if scene.world.goals.iter().any(|goal| goal.body == number) {
                    continue;
                }
                for collider in engine.colliders(*id) {
                    let (shape, world_from_thing) = engine.shape(collider);
                    let shape = shape.shape().clone();
                    things.push(Thing { body: number as u32, world_from_thing, shape });
                    colliders.push(collider);
                }
            }
        }
        let mut models = None;
        if let Some(number) =
            instruments.iter().position(Instrument::needs_models).filter(|_| problems.is_empty())
        {
            match Models::of_things(&things, DEVIATION) {
                Ok(found) => models = Some(found),
                Err(error) => {
                    let sensor = &scene.world.sensors[number];
                    let message = format!("the sensor {:?} cannot draw what is there: {error}", sensor.name);
                    problems.push(Problem::new(sensor.place, message).help("use a sensor with rays"));
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let count = instruments.len();
        let color = |body: &freiraum_scene::Body| body.color.map_or(COLOR, |color| color.0);
        Ok(Sensing {
            instruments,
            readings: vec![None; count],
            is_new: vec![false; count],
            surroundings: Surroundings::new(things),
            models,
            renderer: scene
                .world
                .sensors
                .iter()
                .any(|sensor| sensor.kind.is_drawn())
                .then(|| renderer.clone()),
            has_told: false,
            colliders,
            is_moved: false,
            colors: scene.bodies.iter().map(color).collect(),
            due: vec![None; count],
            touches: Vec::new(),
        })
    }

    /// Everything that is due before step `number`.
    ///
    /// **Cost.** Nothing is put in its place unless a sensor looks; no allocation after the first measurements but for pictures.
    pub(super) fn measure(&mut self, scene: &Scene, number: u64, mounts: &Mounts, events: &mut Vec<Event>) {
        let settings = &scene.world.settings;
        let time = number as f64 * settings.step;
        let (mut is_any, mut slow) = (false, 0);
        for (k, sensor) in scene.world.sensors.iter().enumerate() {
            self.due[k] = due(sensor.rate, settings.step, number).map(|measurement| {
                let (world_from_mount, track) = match sensor.mount {
                    Mount::World => (Pose::IDENTITY, Track::default()),
                    Mount::Body(body) => (mounts.engine.pose(mounts.bodies[body]), Track::default()),
                    Mount::Vehicle(vehicle) => (mounts.vehicle)(vehicle),
                };
                let source = Source { seed: settings.seed, sensor: k as u64, measurement };
                let world_from_sensor = world_from_mount * sensor.mount_from_sensor;
                Due { source, time, world_from_sensor, track }
            });
            is_any |= self.due[k].is_some();
            slow += usize::from(self.due[k].is_some() && self.instruments[k].is_slow());
            self.is_new[k] = false;
        }
        if !is_any {
            return;
        }
        self.look(mounts);
        let around = Around {
            surroundings: &self.surroundings,
            models: self.models.as_ref(),
            touches: &self.touches,
            colors: &self.colors,
        };
        let measure =
            |instrument: &mut Instrument, due: &Option<Due>, reading: &mut Option<Reading>| match due {
                Some(due) => instrument.measure(&around, due, reading),
                None => Ok(()),
            };
        let mut failed = Vec::new();
        // Each sensor writes to its own place: the threads make no difference.
        if slow > 1 && rayon::current_num_threads() > 1 {
            let all = self.instruments.par_iter_mut().zip(&self.due).zip(&mut self.readings);
            let said = all.map(|((instrument, due), reading)| measure(instrument, due, reading));
            failed.extend(
                said.collect::<Vec<_>>()
                    .into_iter()
                    .enumerate()
                    .filter_map(|(k, said)| Some((k, said.err()?))),
            );
        } else {
            let all = self.instruments.iter_mut().zip(&self.due).zip(&mut self.readings);
            for (k, ((instrument, due), reading)) in all.enumerate() {
                failed.extend(measure(instrument, due, reading).err().map(|said| (k, said)));
            }
        }
        for (k, due) in self.due.iter().enumerate() {
            self.is_new[k] =
                due.is_some() && self.readings[k].as_ref().is_some_and(|reading| reading.time == time);
        }
        if let Some(said) = self.renderer.as_ref().filter(|_| !self.has_told).and_then(Renderer::failure) {
            self.has_told = true;
            let message = format!("{said}; pictures are drawn in software from now on");
            events.push(Event { time, kind: EventKind::Warning { vehicle: None, message } });
        }
        for (k, said) in failed {
            self.readings[k] = None;
            self.is_new[k] = false;
            if !std::mem::replace(&mut self.instruments[k].has_failed, true) {
                let sensor = &scene.world.sensors[k];
                let vehicle = if let Mount::Vehicle(vehicle) = sensor.mount { Some(vehicle) } else { None };
                let message = format!("the sensor {:?} cannot measure any more: {said}", sensor.name);
                events.push(Event { time, kind: EventKind::Warning { vehicle, message } });
            }
        }
    }

    /// Somebody may have put things elsewhere that do not move by themselves.
    pub(super) fn look_again(&mut self) {
        self.is_moved = true;
    }

    /// Puts things in their places and gathers contacts, if anybody who is due wants to know.
    fn look(&mut self, mounts: &Mounts) {
        let wants = |what: fn(&Instrument) -> bool| {
            self.instruments.iter().zip(&self.due).any(|(instrument, due)| due.is_some() && what(instrument))
        };
        let (sees, feels) = (wants(Instrument::sees), wants(Instrument::feels));
        if sees {
            let is_moved = std::mem::take(&mut self.is_moved);
            let (engine, colliders) = (mounts.engine, &self.colliders);
            // Bodies are switched on and off while the world runs, so whether they move is asked each time.
            let moves = |thing: usize| engine.kind(engine.body_of(colliders[thing])) != Kind::Fixed;
            self.surroundings
                .place(|thing| (is_moved || moves(thing)).then(|| engine.shape(colliders[thing]).1));
        }
        if feels {
            self.touches.clear();
            for contact in mounts.engine.contacts() {
                let numbers = contact.bodies.map(|id| mounts.bodies.binary_search(&id));
                let [Ok(a), Ok(b)] = numbers else { continue };
                for point in contact.points.iter().filter(|point| point.impulse > 0.0) {
                    for (own, other) in [(a, b), (b, a)] {
                        let (point, impulse) = (point.point, point.impulse);
                        self.touches.push((own as u32, Touch { body: other as u32, point, impulse }));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::due;

    #[test]
    fn as_often_as_the_rate_says_and_no_more_than_every_step() {
        let count = |rate, step, steps: u64| (0..steps).filter(|n| due(rate, step, *n).is_some()).count();
        for rate in [0.0, 100.0, 101.0, 1e6, 1e300, f64::MAX] {
            assert_eq!(count(rate, 0.01, 50), 50, "{rate}");
            assert_eq!(due(rate, 0.01, 7), Some(7));
        }
        assert_eq!(count(50.0, 0.01, 100), 50);
        assert_eq!(count(30.0, 0.001, 3000), 90);
        assert_eq!(count(0.5, 0.01, 1000), 5);
    }
}
