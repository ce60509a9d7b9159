//! How fast the time of a world goes by.

use std::time::{Duration, Instant};

/// A world that is so far behind does not try to catch up any more.
const MOST_BEHIND: Duration = Duration::from_millis(100);

/// Real time and world time, hand in hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// World seconds per second; 0 for as many as can be.
    speed: f64,
    /// Then it was this late in the world.
    origin: (Instant, f64),
}

impl Pace {
    pub(super) fn new(speed: f64, now: Instant, time: f64) -> Pace {
        Pace { speed, origin: (now, time) }
    }

    /// How late it should be in the world.
    pub(super) fn due(&self, now: Instant) -> f64 {
        if self.speed == 0.0 {
            return f64::INFINITY;
        }
        self.origin.1 + self.speed * now.saturating_duration_since(self.origin.0).as_secs_f64()
    }

    /// How long it takes until it is this late in the world.
    pub(super) fn until(&self, now: Instant, time: f64) -> Duration {
        if self.speed == 0.0 {
            return Duration::ZERO;
        }
        Duration::try_from_secs_f64((time - self.due(now)) / self.speed).unwrap_or_default()
    }

    /// Gives up what cannot be caught up, so that the world goes on from here: never faster than asked for.
    pub(super) fn settle(&mut self, now: Instant, time: f64) {
        if self.speed > 0.0 && self.due(now) - time > self.speed * MOST_BEHIND.as_secs_f64() {
            self.origin = (now, time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_machine_skips_ahead_and_never_hurries() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut pace = Pace::new(2.0, start, 5.0);
        assert_eq!(pace.due(at(500)), 6.0);
        assert_eq!(pace.until(at(500), 6.5), Duration::from_millis(250));
        // 0.1 s of the world behind, that is 50 ms: it is caught up.
        pace.settle(at(500), 5.9);
        assert_eq!(pace.due(at(500)), 6.0);
        // 0.5 s behind: given up.
        pace.settle(at(500), 5.5);
        assert_eq!(pace.due(at(500)), 5.5);
        assert_eq!(pace.due(at(1000)), 6.5);
        // As fast as possible: always due, never behind.
        let mut fast = Pace::new(0.0, start, 0.0);
        fast.settle(at(100), 0.0);
        assert_eq!((fast.due(at(1)), fast.until(at(1), 9.0)), (f64::INFINITY, Duration::ZERO));
    }
}
