//! What happened in a world: events with numbers, as JSON.

use std::collections::VecDeque;

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
    events: VecDeque<String>,
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
    pub(super) fn push(&mut self, mut event: serde_json::Value) {
        event["number"] = serde_json::json!(self.next());
        self.events.push_back(event.to_string());
        if self.events.len() > MOST {
            self.events.pop_front();
            self.first += 1;
        }
    }

    /// A list of the events from this number on, at most so many: the newest of them or the oldest; and the number after the last.
    pub(super) fn list(&self, from: u64, most: usize, newest: bool) -> (String, u64) {
        let most = most.min(AT_ONCE);
        let from = from.clamp(self.first, self.next());
        let from = if newest { from.max(self.next().saturating_sub(most as u64)) } else { from };
        let start = (from - self.first) as usize;
        let end = (start + most).min(self.events.len());
        let mut text = String::from("[");
        for (number, event) in self.events.range(start..end).enumerate() {
            if number > 0 {
                text.push(',');
            }
            text.push_str(event);
        }
        text.push(']');
        (text, self.first + end as u64)
    }

    /// The number of the oldest one that is remembered.
    pub(super) fn first(&self) -> u64 {
        self.first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn events_keep_their_numbers_when_old_ones_go() {
        let mut log = Log::of(3);
        (0..MOST + 5).for_each(|k| log.push(json!({ "k": k })));
        assert_eq!((log.first(), log.next()), (5, MOST as u64 + 5));
        let of = |(text, next): (String, u64)| {
            let list: Vec<Value> = serde_json::from_str(&text).unwrap();
            (list.first().map(|e| e["number"].as_u64().unwrap()), list.len(), next)
        };
        assert_eq!(of(log.list(0, 3, false)), (Some(5), 3, 8));
        assert_eq!(of(log.list(0, 3, true)), (Some(MOST as u64 + 2), 3, MOST as u64 + 5));
        assert_eq!(of(log.list(MOST as u64 + 4, 9, false)), (Some(MOST as u64 + 4), 1, MOST as u64 + 5));
        assert_eq!(of(log.list(u64::MAX, 9, true)), (None, 0, MOST as u64 + 5));
        assert_eq!(of(log.list(0, usize::MAX, false)), (Some(5), AT_ONCE, 5 + AT_ONCE as u64));
    }
}
