//! Guards against hanging. They say nothing about speed: the machine does other things as well, so a limit is many times
//! what the work takes.

use std::time::{Duration, Instant};

/// Does the work and fails if it took longer than `limit`.
#[track_caller]
pub fn within<T>(limit: Duration, work: impl FnOnce() -> T) -> T {
    let limit = Limit::new(limit);
    let done = work();
    limit.check();
    done
}

/// A guard around work that is no closure: waits, loops, asynchronous code.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    start: Instant,
    limit: Duration,
}

impl Limit {
    /// Begins now.
    pub fn new(limit: Duration) -> Limit {
        Limit { start: Instant::now(), limit }
    }

    /// Fails if more time has passed since the beginning.
    #[track_caller]
    pub fn check(&self) {
        let took = self.start.elapsed();
        assert!(took <= self.limit, "{took:?} have passed, more than {:?}: it hangs", self.limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_in_time_is_handed_on() {
        assert_eq!(within(Duration::from_secs(60), || 7), 7);
    }

    #[test]
    #[should_panic(expected = "it hangs")]
    fn what_takes_too_long_fails() {
        within(Duration::ZERO, || std::thread::sleep(Duration::from_millis(2)));
    }
}
