//! What happened in a world: events with numbers.

use crate::protocol::{NumberedEvent, SharedEvent};
use freiraum_world::event::EventDocument;
use std::collections::VecDeque;
use std::sync::Arc;

/// So many events are remembered.
const MOST: usize = 100_000;

/// So many are told at once.
const AT_ONCE: usize = 1000;

/// Events of one run, numbered from 0.
#[derive(Default)]
pub(super) struct Log {
    /// The number of the run: it begins anew with every world.
    pub(super) run: u64,
    /// The number of the first one that is remembered.
    first: u64,
    events: VecDeque<SharedEvent>,
}

impl Log {
    pub(super) fn of(run: u64) -> Log {
        Log { run, ..Log::default() }
    }

    /// The number of the next event.
    pub(super) fn next(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    /// Adds an event; it gets to know its number.
    pub(super) fn push(&mut self, event: EventDocument) {
        let number = self.next();
        self.events.push_back(SharedEvent(Arc::new(NumberedEvent { event, number })));
        if self.events.len() > MOST {
            self.events.pop_front();
            self.first += 1;
        }
    }

    /// A list of the events from this number on, at most so many: the newest of them or the oldest; and the number after the last.
    pub(super) fn list(&self, from: u64, most: usize, newest: bool) -> (Vec<SharedEvent>, u64) {
        let most = most.min(AT_ONCE);
        let from = from.clamp(self.first, self.next());
        let from = if newest { from.max(self.next().saturating_sub(most as u64)) } else { from };
        let start = (from - self.first) as usize;
        let end = (start + most).min(self.events.len());
        (self.events.range(start..end).cloned().collect(), self.first + end as u64)
    }

    /// The number of the oldest one that is remembered.
    pub(super) fn first(&self) -> u64 {
        self.first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::Unit;
    use freiraum_scene::Scene;
    use freiraum_world::event::{Event, EventKind};

    #[test]
    fn events_keep_their_numbers_when_old_ones_go() {
        let mut log = Log::of(3);
        let kind = EventKind::Warning { vehicle: None, message: String::new() };
        let event = |time| Event { time, kind: kind.clone() }.document(&Scene::default(), Unit::Metre);
        (0..MOST + 5).for_each(|k| log.push(event(k as f64)));
        assert_eq!((log.first(), log.next()), (5, MOST as u64 + 5));
        let of = |(list, next): (Vec<SharedEvent>, u64)| {
            // The time that an event was made with says which one it is.
            assert!(list.iter().all(|one| one.0.event == event(one.0.number as f64)));
            (list.first().map(|one| one.0.number), list.len(), next)
        };
        assert_eq!(of(log.list(0, 3, false)), (Some(5), 3, 8));
        assert_eq!(of(log.list(0, 3, true)), (Some(MOST as u64 + 2), 3, MOST as u64 + 5));
        assert_eq!(of(log.list(MOST as u64 + 4, 9, false)), (Some(MOST as u64 + 4), 1, MOST as u64 + 5));
        assert_eq!(of(log.list(u64::MAX, 9, true)), (None, 0, MOST as u64 + 5));
        assert_eq!(of(log.list(0, usize::MAX, false)), (Some(5), AT_ONCE, 5 + AT_ONCE as u64));
    }
}
