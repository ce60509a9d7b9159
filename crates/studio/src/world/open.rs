//! A world that is open.

use super::attributes::Change;
use super::described::may_move;
use super::frame::Frame;
use super::meshes::Drawn;
use super::pace::Pace;
use super::pages::Stage;
use super::recorder::{MOST_BYTES, Recorded, Recorder};
use super::sensors::Watching;
use super::stamp::stamp;
use super::statistics::Measure;
use super::vehicles::{Seat, seats};
use crate::clock::Clock;
use crate::document::{Answer, Snapshot};
use crate::protocol::{
    RecordingInfo, Refusal, RunState, RunningBody, WorldBodies, WorldFrameHead, WorldState, sent,
};
use freiraum_geometry::Unit;
use freiraum_query::Prepared;
use freiraum_scene::Physics;
use freiraum_world::Simulation;
use freiraum_world::control::Programs;
use freiraum_world::event::{Event, EventKind};
use freiraum_world::sensors::depth::Renderer;
use freiraum_world::vehicle::expanded;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So long the world is simulated before it is looked whether somebody wants something.
const SLICE: Duration = Duration::from_millis(8);

/// A world that is open.
pub(super) struct Open {
    pub(super) run: u64,
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) stamp: [u8; 32],
    pub(super) simulation: Simulation,
    /// Bodies that frames have poses of.
    pub(super) moving: Vec<usize>,
    /// Of every body, as it is now.
    pub(super) physics: Vec<Physics>,
    /// What was changed and is not kept.
    pub(super) changes: BTreeMap<usize, Change>,
    pub(super) meshes: Vec<String>,
    pub(super) drawn: BTreeMap<String, Drawn>,
    /// While it runs.
    pub(super) pace: Option<Pace>,
    /// As asked for last.
    pub(super) speed: f64,
    /// Steps that are left to do, how many there were before, and who waits for them.
    pub(super) steps: Option<(u64, Answer)>,
    pub(super) is_stale: bool,
    pub(super) recorder: Option<Recorder>,
    pub(super) measure: Measure,
    /// Of every vehicle.
    pub(super) seats: Vec<Seat>,
    pub(super) watching: Watching,
}

impl Open {
    /// The world of a scene at its start.
    pub(super) fn of(snapshot: Arc<Snapshot>, run: u64, programs: &Programs) -> Result<Open, Refusal> {
        let scene = snapshot.scene();
        let shapes: Result<Vec<Prepared>, _> = (0..scene.bodies.len())
            .map(|body| Ok(snapshot.parts.movable(body)?.prepared().clone()))
            .collect();
        let shapes =
            shapes.map_err(|error: freiraum_assets::LoadError| Refusal::new("mesh", error.to_string()))?;
        let in_file = |problems| Refusal::from(snapshot.file.errors(problems));
        let simulation = Simulation::with_programs(scene, &shapes, &Renderer::default(), programs);
        let mut simulation = simulation.map_err(in_file)?;
        let shapes = expanded(scene, &shapes).map_err(in_file)?.shapes;
        let seats = seats(&mut simulation);
        let count = simulation.scene().bodies.len();
        let (meshes, drawn) = super::meshes::of(&snapshot, &simulation, &shapes);
        Ok(Open {
            run,
            stamp: stamp(&snapshot),
            moving: (0..count).filter(|body| may_move(&simulation, *body)).collect(),
            physics: (0..count).map(|body| simulation.scene().physics(body)).collect(),
            simulation,
            snapshot,
            changes: BTreeMap::new(),
            meshes,
            drawn,
            pace: None,
            speed: 1.0,
            steps: None,
            is_stale: false,
            recorder: None,
            measure: Measure::default(),
            seats,
            watching: Watching::default(),
        })
    }

    pub(super) fn is_busy(&self) -> bool {
        self.pace.is_some() || self.steps.is_some()
    }

    pub(super) fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    /// How long there is nothing to do; `None` for ever.
    pub(super) fn wait(&self, now: Instant) -> Option<Duration> {
        if self.steps.is_some() {
            return Some(Duration::ZERO);
        }
        let step = self.simulation.scene().world.settings.step;
        self.pace.map(|pace| pace.until(now, self.simulation.time() + step))
    }

    /// Does what is due, for a while.
    pub(super) fn advance(&mut self, stage: &Stage, recorded: &Mutex<Recorded>, clock: &Clock) {
        // How long it works and how fast it is: real time, whatever the clock shows.
        let start = Instant::now();
        self.look_at(&stage.watched().sensors);
        let step = self.simulation.scene().world.settings.step;
        while self.is_busy() {
            let now = Instant::now();
            let is_due = self.steps.is_some()
                || self.pace.is_some_and(|pace| self.simulation.time() + step <= pace.due(clock.now()));
            if !is_due || now.duration_since(start) >= SLICE {
                break;
            }
            self.step(stage, recorded);
            self.measure.stepped(now.elapsed(), step);
            // A world that fails ends what is left.
            if let Some((left, _)) = &mut self.steps {
                *left -= 1;
                if *left == 0 {
                    self.stop_steps();
                }
            }
        }
        let (now, time) = (Instant::now(), self.simulation.time());
        if let Some(pace) = &mut self.pace {
            pace.settle(clock.now(), time);
        }
        self.measure.look(now, &self.simulation, self.is_busy());
    }

    /// Somebody watches these sensors; those of another scene are none.
    fn look_at(&mut self, sensors: &[usize]) {
        let count = self.simulation.readings().len();
        self.watching.sensors = sensors.iter().copied().filter(|sensor| *sensor < count).collect();
    }

    fn step(&mut self, stage: &Stage, recorded: &Mutex<Recorded>) {
        self.watching.before(&self.simulation);
        self.simulation.step();
        self.watching.after(&self.simulation);
        if self.simulation.failure().is_some() {
            // It would stand still for ever; the warning among the events says why.
            self.pause();
        }
        let mut events = self.simulation.take_events();
        if let Some(recorder) = &mut self.recorder {
            let mut recorded = recorded.lock().unwrap_or_else(PoisonError::into_inner);
            recorder.after(&self.simulation, &events, &mut recorded);
            if recorded.size() > MOST_BYTES {
                let text = format!("the recording is {} MiB large and ended", MOST_BYTES >> 20);
                let kind = EventKind::Warning { vehicle: None, message: text };
                events.push(Event { time: self.simulation.time(), kind });
                self.recorder.take().into_iter().for_each(|r| r.end(&self.simulation, &mut recorded));
            }
        }
        if !events.is_empty() {
            let mut log = stage.log();
            events.iter().for_each(|event| log.push(event.document(self.simulation.scene(), Unit::Metre)));
        }
    }

    /// Answers whoever waits for steps: this is how far it got.
    pub(super) fn stop_steps(&mut self) {
        if let Some((_, answer)) = self.steps.take() {
            // Whoever asked may be gone.
            let _ = answer.send(Ok(self.state().into()));
        }
    }

    /// Stands still from now on.
    pub(super) fn pause(&mut self) {
        self.stop_steps();
        self.pace = None;
    }

    /// What is answered to commands.
    pub(super) fn state(&self) -> WorldState {
        WorldState {
            run: self.run,
            time: self.simulation.time(),
            steps: self.simulation.steps(),
            state: self.run_state(),
            state_hash: format!("{:016x}", self.simulation.state_hash()),
            stale: self.is_stale,
        }
    }

    fn run_state(&self) -> RunState {
        if self.is_busy() { RunState::Running } else { RunState::Paused }
    }

    /// What it looks like now.
    pub(super) fn frame(&mut self, number: u64, stage: &Stage, recorded: &Mutex<Recorded>) -> Frame {
        let watched = stage.watched();
        self.look_at(&watched.sensors);
        let readings = self.watching.readings(&self.simulation);
        Frame::of(&self.simulation, self.frame_head(number, recorded), readings, &watched)
    }

    /// What all pages get to see of it now.
    pub(super) fn frame_head(&self, number: u64, recorded: &Mutex<Recorded>) -> WorldFrameHead {
        let simulation = &self.simulation;
        let recording = self.recorder.as_ref().map(|recorder| {
            let bytes = recorded.lock().unwrap_or_else(PoisonError::into_inner).size();
            RecordingInfo { seconds: recorder.seconds(simulation), bytes }
        });
        WorldFrameHead {
            run: self.run,
            frame: number,
            state: self.run_state(),
            speed: self.speed,
            stale: self.is_stale,
            changed: !self.changes.is_empty(),
            time: simulation.time(),
            steps: simulation.steps(),
            recording,
            statistics: self.measure.statistics(simulation),
            vehicles: self.vehicles_now(),
            scores: simulation.scores().to_vec(),
            poses: self.moving.iter().flat_map(|body| sent(&simulation.pose(*body))).collect(),
            speeds: self.moving.iter().map(|body| simulation.velocity(*body)[0].length()).collect(),
        }
    }

    /// All bodies as they are now.
    pub(super) fn bodies(&self) -> WorldBodies {
        let one = |body: usize| {
            let [velocity, spin] = self.simulation.velocity(body).map(|v| v.to_array());
            RunningBody {
                values: super::described::attributes(&self.simulation, body, &self.physics[body]),
                pose: sent(&self.simulation.pose(body)),
                velocity,
                spin,
                changed: self.changes.contains_key(&body),
            }
        };
        WorldBodies { time: self.simulation.time(), bodies: (0..self.physics.len()).map(one).collect() }
    }
}
