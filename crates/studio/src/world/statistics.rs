//! How fast a world is.

use crate::protocol::Statistics;
use freiraum_world::{Simulation, Totals};
use std::time::{Duration, Instant};

/// Numbers are of the last so long.
const WINDOW: Duration = Duration::from_millis(500);

/// Measures over a while.
#[derive(Default)]
pub(super) struct Measure {
    begin: Option<(Instant, Totals)>,
    /// In steps, since then.
    busy: Duration,
    steps: u64,
    world: f64,
    last: Last,
}

/// Of the last window.
#[derive(Clone, Copy, Default)]
struct Last {
    steps_per_second: f64,
    reached: f64,
    factor: f64,
    tests: f64,
    contacts: f64,
}

impl Measure {
    /// A step was done in this time.
    pub(super) fn stepped(&mut self, took: Duration, step: f64) {
        self.busy += took;
        self.steps += 1;
        self.world += step;
    }

    /// Looks at the clock.
    pub(super) fn look(&mut self, now: Instant, simulation: &Simulation, is_busy: bool) {
        let totals = simulation.totals();
        let Some((begin, before)) = self.begin else {
            self.begin = Some((now, totals));
            return;
        };
        let passed = now.saturating_duration_since(begin);
        if passed < WINDOW && is_busy {
            return;
        }
        if self.steps > 0 {
            let (seconds, busy, steps) = (passed.as_secs_f64(), self.busy.as_secs_f64(), self.steps as f64);
            self.last = Last {
                steps_per_second: steps / seconds,
                reached: self.world / seconds,
                factor: if busy > 0.0 { self.world / busy } else { 0.0 },
                tests: (totals.pairs - before.pairs) as f64 / steps,
                contacts: (totals.contacts - before.contacts) as f64 / steps,
            };
        }
        let last = self.last;
        // The next window begins with the next step if it stands still now.
        *self = Measure { begin: is_busy.then_some((now, totals)), last, ..Measure::default() };
    }

    /// As pages get to know it.
    pub(super) fn statistics(&self, simulation: &Simulation) -> Statistics {
        let Last { steps_per_second, reached, factor, tests, contacts } = self.last;
        Statistics {
            steps_per_second,
            speed_reached: reached,
            real_time_factor: factor,
            tests_per_step: tests,
            contacts,
            energy: simulation.energy(),
        }
    }
}
