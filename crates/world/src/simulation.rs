//! A scene that lives in time.

mod build;
mod bytes;
mod contact;
mod content;
mod drivers;
mod goal;
mod instrument;
mod meeting;
mod save;
mod sensing;
mod solidity;
mod start;
mod vehicles;

pub use contact::Contact;
pub use content::{CONTENT_VERSION, WriteShape, write_content};
pub use save::ResumeError;

use crate::control::{self, Programs};
use crate::dynamics::{self, BodyId, Engine};
use crate::event::{Event, EventKind};
use crate::sensors::depth::Renderer;
use crate::vehicle::{Expanded, Machine, expanded, seat};
use drivers::{Drivers, Known, Own};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::Prepared;
use freiraum_scene::{Mount, Problem, Scene, SensorKind, plain};
use goal::Scores;
use meeting::Meetings;
use sensing::{Mounts, Sensing};
pub use solidity::NoSolid;
use std::ops::Range;

/// A scene that lives in time: bodies under gravity and in contact, vehicles with sensors and drivers, goals, events.
///
/// A step: sensors that are due measure; drivers see it and command; vehicles push; bodies move; what happened is told; goals count.
///
/// **Determinism.** The same scene gives the same states, bit by bit, on every run and every number of threads, unless a driver is
/// another program that does not answer the same.
pub struct Simulation {
    /// With the parts of all vehicles as bodies.
    scene: Scene,
    /// Stands for all of the scene that matters here.
    scene_hash: [u8; 32],
    engine: Engine,
    /// Of every body of the scene.
    bodies: Vec<BodyId>,
    /// The numbers of the parts of every vehicle.
    vehicles: Vec<Range<usize>>,
    machines: Vec<Machine>,
    /// Of every vehicle: whether it lies on its side or back, and what it could not do last.
    troubles: Vec<Trouble>,
    sensing: Sensing,
    drivers: Drivers,
    /// For drivers, while they are asked.
    poses: Vec<Pose>,
    /// Steps that were done.
    steps: u64,
    scores: Scores,
    meetings: Meetings,
    events: Vec<Event>,
    totals: Totals,
    failure: Option<Failure>,
    no_solid: Vec<NoSolid>,
}

/// Why a world stands still: a question about its bodies could not be answered, and nothing is assumed in place of an answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// Seconds since the start.
    pub time: f64,
    /// The bodies of the scene that it is about.
    pub bodies: Vec<usize>,
    /// What is wrong, with the names of the bodies.
    pub message: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the world stands still at {} s: {}", self.time, self.message)
    }
}

impl std::error::Error for Failure {}

/// What was already told of a vehicle.
#[derive(Clone, Debug, Default)]
struct Trouble {
    has_fallen: bool,
    refusal: String,
}

/// What all steps together did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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
    /// Measurements of all sensors.
    pub measurements: u64,
}

/// The cosine of the lean from which on a vehicle lies, and of the one at which it stands again.
const FALLEN: [f64; 2] = [0.5, 0.8];

impl Simulation {
    /// The world of a scene at its start; `shapes` are those of its bodies, in their order. It starts no programs:
    /// [`Simulation::with_programs`] does.
    ///
    /// **Errors.** What cannot be simulated, with where the file says so, all of it at once; a vehicle that is driven by a program which may not run.
    pub fn new(scene: &Scene, shapes: &[Prepared]) -> Result<Simulation, Vec<Problem>> {
        Simulation::with_renderer(scene, shapes, &Renderer::default())
    }

    /// The same with cameras and depth buffers that copies of this renderer draw. What they measure differs within the bounds of the
    /// renderers (`docs/sensors.md`); states differ only if a driver looks at it.
    pub fn with_renderer(
        scene: &Scene,
        shapes: &[Prepared],
        renderer: &Renderer,
    ) -> Result<Simulation, Vec<Problem>> {
        Simulation::with_programs(scene, shapes, renderer, &Programs::none())
    }

    /// The same for a scene that may start these programs.
    pub fn with_programs(
        scene: &Scene,
        shapes: &[Prepared],
        renderer: &Renderer,
        programs: &Programs,
    ) -> Result<Simulation, Vec<Problem>> {
        if let Some((vehicle, command)) = programs.refused(scene) {
            let vehicle = &scene.world.vehicles[vehicle];
            let message = format!("{:?} is driven by a program that may not run: {command:?}", vehicle.name);
            let help = "a simulation starts only programs that its user has allowed; see docs/controllers.md";
            return Err(vec![Problem::new(vehicle.place, message).help(help)]);
        }
        build::check(scene, shapes)?;
        let Expanded { mut scene, shapes, vehicles } = expanded(scene, shapes)?;
        take_seats(&mut scene);
        let (mut engine, bodies) = build::engine(&scene, &shapes)?;
        let sensing = Sensing::new(&scene, &vehicles, &engine, &bodies, renderer)?;
        let mut machines = Vec::with_capacity(vehicles.len());
        for (number, (vehicle, parts)) in scene.world.vehicles.iter().zip(&vehicles).enumerate() {
            machines.push(Machine::new(&mut engine, vehicle, number, &bodies[parts.clone()]));
        }
        let no_solid = solidity::no_solid(&scene, &shapes);
        let warning = |one: &NoSolid| EventKind::Warning { vehicle: None, message: one.message.clone() };
        let mut events: Vec<Event> =
            no_solid.iter().map(|one| Event { time: 0.0, kind: warning(one) }).collect();
        events.extend(start::warnings(&scene, &engine, &bodies, &vehicles));
        let mut drivers = Drivers::new(vehicles.len());
        for (number, vehicle) in scene.world.vehicles.iter().enumerate() {
            // Who is not active does not drive.
            if let Some(said) = vehicle.controller.as_ref().filter(|_| vehicle.is_active) {
                drivers.put(&scene, number, Some(control::of(said)), Some(said));
            }
        }
        Ok(Simulation {
            scene_hash: content::hash(&scene, &shapes),
            engine,
            troubles: vec![Trouble::default(); vehicles.len()],
            vehicles,
            machines,
            sensing,
            drivers,
            poses: Vec::new(),
            steps: 0,
            scores: Scores::new(&scene, &shapes),
            meetings: Meetings::default(),
            events,
            totals: Totals::default(),
            failure: None,
            no_solid,
            bodies,
            scene,
        })
    }

    /// The bodies whose surfaces bound no solid and are not declared sheets: what is inside of them is not pushed out. Each is among the events of the
    /// start as a warning, too.
    #[must_use]
    pub fn no_solid(&self) -> &[NoSolid] {
        &self.no_solid
    }

    /// Lets one step of time pass.
    ///
    /// **Errors.** If a question about two bodies has no answer, the world stands still from then on, which is told as a warning:
    /// [`Simulation::failure`] says why.
    pub fn step(&mut self) {
        if self.failure.is_some() {
            return;
        }
        let (step, known) = (self.scene.world.settings.step, self.events.len());
        self.measure();
        self.ask();
        // The engine adds up parts of steps; whole steps are counted, so that no rounding adds up.
        self.engine.set_time(self.time());
        let parts = (step / LONGEST_PUSH - SLACK).ceil().max(1.0);
        let parts = if self.machines.is_empty() { 1.0 } else { parts };
        let part = step / parts;
        // What others push with acts for the whole step.
        let pushes = if parts > 1.0 { self.engine.forces() } else { Vec::new() };
        for number in 0..parts as u64 {
            if number > 0 {
                for machine in &mut self.machines {
                    machine.after(&mut self.engine, part, &mut self.events);
                }
                self.engine.add_forces(&pushes);
            }
            for machine in &mut self.machines {
                machine.before(&mut self.engine, part);
            }
            self.engine.step(part);
            self.totals.interruptions += self.engine.statistics().interruptions as u64;
        }
        self.steps += 1;
        self.engine.set_time(self.time());
        let told = self.engine.take_events();
        for event in &told {
            let [Some(a), Some(b)] = event.bodies.map(|id| self.number(id)) else { continue };
            self.events.extend(self.meetings.hear(event, [a, b], self.steps));
        }
        self.meetings.after(self.steps, step, &mut self.events);
        self.scores.after(&self.scene, &mut self.engine, &self.bodies, &mut self.events);
        for machine in &mut self.machines {
            machine.after(&mut self.engine, part, &mut self.events);
        }
        self.watch();
        self.look_for_failure();
        self.events[known..].sort_by(|a, b| a.time.total_cmp(&b.time));
        let parts = &self.vehicles;
        let is_own = |vehicle: usize, body: usize| parts[vehicle].contains(&body);
        self.drivers.hear(&self.scene, &self.events[known..], is_own);
        let found = self.engine.statistics();
        self.totals.steps += 1;
        self.totals.pairs += found.pairs as u64;
        self.totals.contacts += found.contacts as u64;
        self.totals.points += found.points as u64;
    }

    /// Sensors that are due look at the state before the step.
    fn measure(&mut self) {
        let (engine, machines) = (&self.engine, &self.machines);
        let vehicle = |number: usize| (machines[number].pose(engine), machines[number].track());
        let mounts = Mounts { engine, bodies: &self.bodies, vehicle: &vehicle };
        self.sensing.measure(&self.scene, self.steps, &mounts, &mut self.events);
        self.drivers.note(&self.sensing.is_new);
        self.totals.measurements += self.sensing.is_new.iter().filter(|is_new| **is_new).count() as u64;
    }

    /// Drivers whose time it is say what their vehicles shall do.
    fn ask(&mut self) {
        let step = self.scene.world.settings.step;
        if !self.drivers.are_asked(step, self.steps) {
            return;
        }
        if self.poses.is_empty() {
            self.poses.extend(self.bodies.iter().map(|id| self.engine.pose(*id)));
        }
        for (pose, id) in self.poses.iter_mut().zip(&self.bodies) {
            if self.engine.kind(*id) != dynamics::Kind::Fixed {
                *pose = self.engine.pose(*id);
            }
        }
        let time = self.time();
        for number in 0..self.machines.len() {
            if !self.drivers.is_asked(number, step, self.steps) {
                continue;
            }
            let (engine, bodies, machine) = (&self.engine, &self.bodies, &mut self.machines[number]);
            let readings = &self.sensing.readings[..];
            let known = Known { scene: &self.scene, number: self.steps, readings, poses: &self.poses };
            let own = Own {
                pose: machine.pose(engine),
                speed: machine.speed(engine),
                holds: machine.holds().and_then(|id| bodies.binary_search(&id).ok()),
            };
            let (events, trouble) = (&mut self.events, &mut self.troubles[number]);
            self.drivers.ask(number, &known, own, |commands, notes| {
                let mut warn = |message: String| {
                    let kind =
                        EventKind::Warning { vehicle: Some(number), message: plain(&message).into_owned() };
                    events.push(Event { time, kind });
                };
                notes.iter().for_each(|note| warn(note.clone()));
                for command in commands {
                    // The same refusal again and again is told once.
                    if let Err(refusal) = machine.command(command)
                        && refusal != trouble.refusal
                    {
                        trouble.refusal.clone_from(&refusal);
                        warn(refusal);
                    }
                }
            });
        }
    }

    /// Why the world stands still, if it does.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Stops the world if a question had no answer.
    fn look_for_failure(&mut self) {
        let Some(fault) = self.engine.fault() else { return };
        let mut bodies: Vec<usize> = fault.bodies.iter().filter_map(|id| self.number(*id)).collect();
        bodies.dedup();
        let names: Vec<String> =
            bodies.iter().map(|body| format!("{:?}", self.scene.bodies[*body].name)).collect();
        let message = format!("{}: {}", names.join(" and "), fault.message);
        let failure = Failure { time: fault.time, bodies, message };
        let kind = EventKind::Warning { vehicle: None, message: failure.to_string() };
        self.events.push(Event { time: fault.time, kind });
        self.failure = Some(failure);
    }

    /// Tells of vehicles that fell over.
    fn watch(&mut self) {
        let time = self.time();
        for (number, machine) in self.machines.iter().enumerate() {
            let upright = machine.up(&self.engine).z;
            let has_fallen = &mut self.troubles[number].has_fallen;
            if !*has_fallen && upright < FALLEN[0] {
                *has_fallen = true;
                let message = "it turned over".to_owned();
                self.events.push(Event { time, kind: EventKind::Warning { vehicle: Some(number), message } });
            } else if upright > FALLEN[1] {
                *has_fallen = false;
            }
        }
    }

    /// The body of the scene that a body of the engine is; `None` for what others have added.
    fn number(&self, id: BodyId) -> Option<usize> {
        self.bodies.binary_search(&id).ok()
    }

    /// What happened since this was asked last, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The scene at its start, with the parts of all vehicles as bodies after those of the file.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Stands for all of the scene that matters to a simulation: shapes, poses, physics, settings, vehicles with their drivers, sensors.
    /// Comments in its file do not.
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
        self.sensing.look_again();
        self.poses.clear();
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
        self.engine.kind(self.bodies[body]) != dynamics::Kind::Fixed
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

    /// A fingerprint of the state of bodies and vehicles: equal states have equal ones, and a difference in a single bit nearly always
    /// shows.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let bodies = self.engine.state_hash();
        if self.machines.is_empty() {
            return bodies;
        }
        let mut state = bodies.to_le_bytes().to_vec();
        self.machines.iter().for_each(|machine| machine.put(&mut state));
        blake3::hash(&state).as_bytes().first_chunk().map_or(bodies, |hash| u64::from_le_bytes(*hash))
    }
}

/// What vehicles do and push with is found anew after this many seconds at most.
const LONGEST_PUSH: f64 = 0.01;

/// A step that is longer than a whole number of those by rounding only is not cut once more.
const SLACK: f64 = 1.0 / 1024.0;

/// Models have places for sensors: those of that name or kind that are not said to be elsewhere sit there.
fn take_seats(scene: &mut Scene) {
    let vehicles = &scene.world.vehicles;
    for sensor in &mut scene.world.sensors {
        if let Mount::Vehicle(vehicle) = sensor.mount
            && sensor.mount_from_sensor == Pose::IDENTITY
        {
            let model = vehicles[vehicle].model;
            let usual = match sensor.kind {
                SensorKind::Laser { .. } => "laser scanner",
                SensorKind::Camera { .. } => "camera",
                _ => "",
            };
            let found = seat(model, &sensor.name).or_else(|| seat(model, usual));
            sensor.mount_from_sensor = found.unwrap_or(Pose::IDENTITY);
        }
    }
}
