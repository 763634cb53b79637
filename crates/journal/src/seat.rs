//! The writer lock of a log that only this process has: in memory it takes the place of the lock file beside a journal.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Clones are the same lock.
#[derive(Debug, Clone, Default)]
pub(crate) struct WriterSeat {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    taken: bool,
    /// How often the lock was taken.
    fence: u64,
}

/// The right to write; it ends when this is dropped, or when a crash took it away.
#[derive(Debug)]
pub(crate) struct Seated {
    seat: WriterSeat,
    pub(crate) fence: u64,
}

impl WriterSeat {
    /// Takes the lock, if it is free.
    pub(crate) fn take(&self) -> Option<Seated> {
        let mut state = self.state();
        if state.taken {
            return None;
        }
        state.taken = true;
        state.fence += 1;
        Some(Seated { seat: self.clone(), fence: state.fence })
    }

    pub(crate) fn is_taken(&self) -> bool {
        self.state().taken
    }

    /// Frees the lock, because its writer is dead.
    pub(crate) fn clear(&self) {
        self.state().taken = false;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seated {
    /// Whether this writer may still write.
    pub(crate) fn may_write(&self) -> bool {
        let state = self.seat.state();
        state.taken && state.fence == self.fence
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        let mut state = self.seat.state();
        if state.fence == self.fence {
            state.taken = false;
        }
    }
}
