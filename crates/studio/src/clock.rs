//! The time by which a world runs.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// What tells the time to the world: that of the system, or what a test says.
///
/// It decides how late it should be in the world and when the next frame is due. Threads wait in real time all the same.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Instant + Send + Sync>);

impl Clock {
    /// A clock that shows what `now` says, which must never go back.
    pub fn new(now: impl Fn() -> Instant + Send + Sync + 'static) -> Clock {
        Clock(Arc::new(now))
    }

    pub(crate) fn now(&self) -> Instant {
        (self.0)()
    }
}

impl Default for Clock {
    /// That of the system.
    fn default() -> Clock {
        Clock::new(Instant::now)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
