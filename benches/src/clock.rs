//! Processor time of this thread or process, so that other work on the machine does not count.

use std::time::Duration;

/// A point in the processor time of this thread (where the system has no such clock: in wall time). A reading costs
/// some 0.3 us: short questions are to be timed in batches.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(#[cfg(unix)] Duration, #[cfg(not(unix))] std::time::Instant);

impl Stopwatch {
    /// Starts now.
    #[must_use]
    pub fn start() -> Stopwatch {
        #[cfg(unix)]
        return Stopwatch(processor_time());
        #[cfg(not(unix))]
        return Stopwatch(std::time::Instant::now());
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        #[cfg(unix)]
        return processor_time().saturating_sub(self.0);
        #[cfg(not(unix))]
        return self.0.elapsed();
    }
}

#[cfg(unix)]
fn processor_time() -> Duration {
    time_of(rustix::time::ClockId::ThreadCPUTime)
}

/// Processor time of all threads of this process so far; zero where the system has no such clock.
#[must_use]
pub fn process_time() -> Duration {
    #[cfg(unix)]
    return time_of(rustix::time::ClockId::ProcessCPUTime);
    #[cfg(not(unix))]
    return Duration::ZERO;
}

#[cfg(unix)]
fn time_of(clock: rustix::time::ClockId) -> Duration {
    let now = rustix::time::clock_gettime(clock);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}
