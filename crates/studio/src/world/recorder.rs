//! Recordings that are being made.

use axum::body::Bytes;
use freiraum_world::event::Event;
use freiraum_world::{Simulation, record};

/// Moments per second of the world.
const RATE: f64 = 30.0;

/// A recording that is larger ends, in bytes.
pub(super) const MOST_BYTES: usize = 1 << 28;

/// Bytes that are kept as one piece.
const PIECE: usize = 1 << 20;

/// A recording as a file, whole or so far.
#[derive(Clone, Default)]
pub(crate) struct Recorded {
    pieces: Vec<Bytes>,
    rest: Vec<u8>,
    size: usize,
}

impl Recorded {
    fn push(&mut self, line: &str) {
        self.rest.extend_from_slice(line.as_bytes());
        self.size += line.len();
        if self.rest.len() >= PIECE {
            self.pieces.push(std::mem::take(&mut self.rest).into());
        }
    }

    /// All of it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.size);
        self.pieces.iter().for_each(|piece| all.extend_from_slice(piece));
        all.extend_from_slice(&self.rest);
        all
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }
}

/// Writes down what a world does.
pub(super) struct Recorder {
    /// When it began, in seconds of the world.
    since: f64,
    /// Every so many steps.
    every: u64,
    /// The step after the last moment.
    next: u64,
}

impl Recorder {
    pub(super) fn start(simulation: &Simulation, into: &mut Recorded) -> Recorder {
        let step = simulation.scene().world.settings.step;
        let every = (1.0 / (RATE * step)).round().max(1.0) as u64;
        *into = Recorded::default();
        into.push(&record::header(simulation, 1.0 / (step * every as f64)));
        into.push(&record::frame(simulation));
        Recorder { since: simulation.time(), every, next: simulation.steps() + every }
    }

    /// Seconds of the world so far.
    pub(super) fn seconds(&self, simulation: &Simulation) -> f64 {
        simulation.time() - self.since
    }

    /// After every step.
    pub(super) fn after(&mut self, simulation: &Simulation, events: &[Event], into: &mut Recorded) {
        events.iter().for_each(|event| into.push(&record::event(event, simulation.scene())));
        if simulation.steps() >= self.next {
            into.push(&record::frame(simulation));
            self.next = simulation.steps() + self.every;
        }
    }

    pub(super) fn end(self, simulation: &Simulation, into: &mut Recorded) {
        if simulation.steps() + self.every != self.next {
            into.push(&record::frame(simulation));
        }
        into.push(&record::end(simulation));
    }
}
