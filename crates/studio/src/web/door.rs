//! Who stands at the door: connections that have not shown the token yet are few and do not stay, so that they keep nobody out.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Connections without a token at once. If one more comes, the one that stands there longest has to go.
const MOST_STRANGERS: usize = 256;

/// Connections with a token at once; more are told to come again.
const MOST_GUESTS: usize = 256;

/// Whoever has not shown the token after this time is gone; browsers come again.
const PATIENCE: Duration = Duration::from_secs(5);

/// All connections.
#[derive(Default)]
pub(super) struct Door {
    /// In the order in which they came.
    strangers: Mutex<VecDeque<Arc<Standing>>>,
    guests: AtomicUsize,
}

/// One connection.
#[derive(Default)]
struct Standing {
    is_guest: AtomicBool,
    is_sent_away: Notify,
}

/// A connection, as requests that come over it carry it.
#[derive(Clone)]
pub(super) struct Visitor {
    door: Arc<Door>,
    own: Arc<Standing>,
}

/// Ends with its connection.
pub(super) struct Stay(Visitor);

impl Door {
    /// Somebody has come.
    pub(super) fn enter(self: &Arc<Door>) -> Stay {
        let own = Arc::<Standing>::default();
        let mut strangers = self.strangers.lock().unwrap_or_else(PoisonError::into_inner);
        while strangers.len() >= MOST_STRANGERS {
            if let Some(oldest) = strangers.pop_front() {
                oldest.is_sent_away.notify_one();
            }
        }
        strangers.push_back(own.clone());
        Stay(Visitor { door: self.clone(), own })
    }
}

impl Visitor {
    /// It has shown the token. False if there are too many who have.
    pub(super) fn let_in(&self) -> bool {
        if self.own.is_guest.load(Ordering::Relaxed) {
            return true;
        }
        let room = |count: usize| (count < MOST_GUESTS).then_some(count + 1);
        if self.door.guests.fetch_update(Ordering::Relaxed, Ordering::Relaxed, room).is_err() {
            return false;
        }
        // Requests of one connection come one after the other.
        self.own.is_guest.store(true, Ordering::Relaxed);
        self.leave_the_door();
        true
    }

    fn leave_the_door(&self) {
        let mut strangers = self.door.strangers.lock().unwrap_or_else(PoisonError::into_inner);
        strangers.retain(|one| !Arc::ptr_eq(one, &self.own));
    }
}

impl Stay {
    pub(super) fn visitor(&self) -> Visitor {
        self.0.clone()
    }

    /// Ends when it has to go.
    pub(super) async fn is_over(&self) {
        let own = &self.0.own;
        tokio::select! {
            () = own.is_sent_away.notified() => {}
            () = tokio::time::sleep(PATIENCE) => {}
        }
        if own.is_guest.load(Ordering::Relaxed) {
            // It was let in meanwhile.
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        if self.0.own.is_guest.load(Ordering::Relaxed) {
            self.0.door.guests.fetch_sub(1, Ordering::Relaxed);
        } else {
            self.0.leave_the_door();
        }
    }
}
