//! A scene that lives in time.

mod build;
mod goal;
mod reading;
mod save;

pub use reading::{Measured, Reading};
pub use save::ResumeError;

use crate::event::{Event, EventKind};
use crate::rigid::{self, BodyId, Engine};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::Prepared;
use freiraum_scene::{Problem, Scene};
use goal::Scores;
use std::collections::BTreeMap;

/// A scene that lives in time: bodies under gravity and in contact, goals, events.
///
/// **Determinism.** The same scene gives the same states, bit by bit, on every run and every number of threads.
pub struct Simulation {
    scene: Scene,
    /// Stands for all of the scene that matters here.
    scene_hash: [u8; 32],
    engine: Engine,
    /// Of every body of the scene.
    bodies: Vec<BodyId>,
    /// Steps that were done.
    steps: u64,
    scores: Scores,
    /// How many shapes of two bodies press on each other.
    touching: BTreeMap<[u32; 2], u32>,
    events: Vec<Event>,
    actors: Vec<Box<dyn Actor>>,
    totals: Totals,
}

/// Something that takes part in a world beside its bodies: it may push them before a step, and see what came of it afterwards.
pub trait Actor: Send {
    /// Before a step of this many seconds.
    fn before(&mut self, engine: &mut Engine, step: f64);
    /// After it; what it has to tell goes to the events of the step.
    fn after(&mut self, engine: &mut Engine, events: &mut Vec<Event>);
    /// Its state, for [`Simulation::save`].
    fn save(&self) -> Vec<u8>;
    /// Goes on from a state that it saved; false if it is none.
    fn resume(&mut self, state: &[u8]) -> bool;
}

/// What all steps together did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Steps.
    pub steps: u64,
    /// Pairs of shapes that were near each other, of all steps.
    pub pairs: u64,
    /// Pairs in contact, of all steps.
    pub contacts: u64,
    /// Points of contact, of all steps.
    pub points: u64,
    /// How often steps were interrupted at a first contact.
    pub interruptions: u64,
}

impl Simulation {
    /// The world of a scene at its start; `shapes` are those of its bodies, in their order.
    ///
    /// **Errors.** What cannot be simulated, with where the file says so, all of it at once.
    pub fn new(scene: &Scene, shapes: &[Prepared]) -> Result<Simulation, Vec<Problem>> {
        let (engine, bodies) = build::engine(scene, shapes)?;
        Ok(Simulation {
            scene: scene.clone(),
            scene_hash: build::hash(scene, shapes),
            engine,
            bodies,
            steps: 0,
            scores: Scores::new(scene, shapes),
            touching: BTreeMap::new(),
            events: Vec::new(),
            actors: Vec::new(),
            totals: Totals::default(),
        })
    }

    /// Lets something take part from now on. Who resumes adds the same ones in the same order before.
    pub fn add_actor(&mut self, actor: Box<dyn Actor>) {
        self.actors.push(actor);
    }

    /// Lets one step of time pass.
    pub fn step(&mut self) {
        let step = self.scene.world.settings.step;
        for actor in &mut self.actors {
            actor.before(&mut self.engine, step);
        }
        self.engine.step(step);
        self.steps += 1;
        let told = self.engine.take_events();
        told.iter().for_each(|event| self.hear(event));
        self.scores.after(&self.scene, &mut self.engine, &self.bodies, &mut self.events);
        for actor in &mut self.actors {
            actor.after(&mut self.engine, &mut self.events);
        }
        let found = self.engine.statistics();
        self.totals.steps += 1;
        self.totals.pairs += found.pairs as u64;
        self.totals.contacts += found.contacts as u64;
        self.totals.points += found.points as u64;
        self.totals.interruptions += found.interruptions as u64;
    }

    /// Bodies have several shapes, and meet with the first of them and part with the last.
    fn hear(&mut self, event: &rigid::Event) {
        let [a, b] = event.bodies.map(|id| self.number(id));
        let (Some(a), Some(b)) = (a, b) else { return };
        let key = [a.min(b) as u32, a.max(b) as u32];
        let bodies = key.map(|body| body as usize);
        let normal = if a <= b { event.normal } else { -event.normal };
        let count = self.touching.entry(key).or_insert(0);
        let kind = match event.kind {
            rigid::EventKind::Begin => {
                *count += 1;
                (*count == 1).then_some(EventKind::Collision {
                    bodies,
                    point: event.point,
                    normal,
                    impulse: event.impulse,
                })
            }
            rigid::EventKind::End => {
                *count = count.saturating_sub(1);
                (*count == 0).then_some(EventKind::Separation { bodies, point: event.point })
            }
        };
        if *count == 0 {
            self.touching.remove(&key);
        }
        self.events.extend(kind.map(|kind| Event { time: event.time, kind }));
    }

    /// The body of the scene that a body of the engine is; `None` for what others have added.
    fn number(&self, id: BodyId) -> Option<usize> {
        self.bodies.binary_search(&id).ok()
    }

    /// What happened since this was asked last, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The scene at its start.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Stands for all of the scene that matters to a simulation: shapes, poses, physics, settings. Comments in its file do not.
    #[must_use]
    pub fn scene_hash(&self) -> [u8; 32] {
        self.scene_hash
    }

    /// Seconds since the start.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.scene.world.settings.step
    }

    /// Steps since the start, also those before it was resumed.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The bodies in motion.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The bodies in motion, to push them.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// The body of the engine that a body of the scene is.
    #[must_use]
    pub fn body(&self, body: usize) -> BodyId {
        self.bodies[body]
    }

    /// Whether a body can move at all.
    #[must_use]
    pub fn can_move(&self, body: usize) -> bool {
        self.engine.kind(self.bodies[body]) != rigid::Kind::Fixed
    }

    /// `world_from_body` now.
    #[must_use]
    pub fn pose(&self, body: usize) -> Pose {
        self.engine.pose(self.bodies[body])
    }

    /// Velocity of the centre of mass in m/s, and spin in rad/s.
    #[must_use]
    pub fn velocity(&self, body: usize) -> [Vec3; 2] {
        [self.engine.linear_velocity(self.bodies[body]), self.engine.angular_velocity(self.bodies[body])]
    }

    /// How often each goal was scored.
    #[must_use]
    pub fn scores(&self) -> &[u64] {
        self.scores.counts()
    }

    /// What the steps since this was made or resumed did together.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Kinetic and potential energy of all movable bodies, in joules; the potential is 0 at the origin.
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.engine.energy()
    }

    /// A fingerprint of the state: equal states have equal ones, and a difference in a single bit nearly always shows.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.engine.state_hash()
    }
}
