//! Ending work that nobody waits for any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Says that work is to end; copies say the same. The default never does, and costs nothing.
///
/// Searches ask it in their innermost loops. Once it is cancelled it stays so: whatever was found since is not used, and the questions end with
/// [`MotionError::Cancelled`](crate::MotionError::Cancelled).
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Option<Arc<State>>);

#[derive(Debug)]
struct State {
    is_cancelled: AtomicBool,
    /// How often it was asked, and when that cancels it; for tests that stop at any place.
    count: Option<(AtomicU64, u64)>,
}

impl CancelToken {
    /// One that can be cancelled.
    pub fn new() -> CancelToken {
        CancelToken(Some(Arc::new(State { is_cancelled: AtomicBool::new(false), count: None })))
    }

    /// One that counts how often it is asked, and is cancelled when that has been so often.
    pub fn after(asks: u64) -> CancelToken {
        let count = Some((AtomicU64::new(0), asks));
        CancelToken(Some(Arc::new(State { is_cancelled: AtomicBool::new(asks == 0), count })))
    }

    /// Ends the work; without effect on the default.
    pub fn cancel(&self) {
        if let Some(state) = &self.0 {
            state.is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the work is to end.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        let Some(state) = &self.0 else { return false };
        if let Some((asked, most)) = &state.count
            && asked.fetch_add(1, Ordering::Relaxed) + 1 >= *most
        {
            state.is_cancelled.store(true, Ordering::Relaxed);
        }
        state.is_cancelled.load(Ordering::Relaxed)
    }

    /// How often it was asked, of one that counts; else 0.
    pub fn asked(&self) -> u64 {
        let count = self.0.as_ref().and_then(|state| state.count.as_ref());
        count.map_or(0, |(asked, _)| asked.load(Ordering::Relaxed))
    }

    /// Whether both are one.
    fn is(&self, other: &CancelToken) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// Becomes the other one.
    pub(crate) fn set(&mut self, other: &CancelToken) {
        if !self.is(other) {
            *self = other.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_say_the_same_and_the_default_never_ends() {
        let token = CancelToken::new();
        let copy = token.clone();
        assert!(!copy.is_cancelled());
        token.cancel();
        assert!(copy.is_cancelled());
        let never = CancelToken::default();
        never.cancel();
        assert!(!never.is_cancelled());
        let counted = CancelToken::after(3);
        assert_eq!([(); 4].map(|()| counted.is_cancelled()), [false, false, true, true]);
        assert_eq!(counted.asked(), 4);
    }
}
