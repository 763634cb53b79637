//! Wakes the followers of a log when it grew. It counts its rings, so that no ring is lost between a read and the wait
//! after it. Threads wait for it, and so do tasks of any runtime.

use std::{
    future::poll_fn,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
    time::Duration,
};

/// Clones are the same signal.
#[derive(Debug, Clone, Default)]
pub struct LogSignal {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    rang: Condvar,
}

#[derive(Debug, Default)]
struct State {
    count: u64,
    /// Tasks that wait; each is woken once.
    wakers: Vec<Waker>,
}

impl LogSignal {
    /// Wakes all waiting threads and tasks.
    pub fn ring(&self) {
        let wakers = {
            let mut state = self.state();
            state.count += 1;
            std::mem::take(&mut state.wakers)
        };
        self.shared.rang.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }

    /// How often it rang. Ask before reading the log, then wait for more than that.
    pub fn count(&self) -> u64 {
        self.state().count
    }

    /// Waits on this thread until it has rung more often than `seen`, or for `patience`; returns the count.
    pub fn wait(&self, seen: u64, patience: Duration) -> u64 {
        let waiting = |state: &mut State| state.count <= seen;
        let state = self.shared.rang.wait_timeout_while(self.state(), patience, waiting);
        state.unwrap_or_else(PoisonError::into_inner).0.count
    }

    /// The same for a task, without an end.
    pub async fn moved(&self, seen: u64) -> u64 {
        poll_fn(|context| {
            let mut state = self.state();
            if state.count > seen {
                return Poll::Ready(state.count);
            }
            if !state.wakers.iter().any(|waker| waker.will_wake(context.waker())) {
                state.wakers.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A count and wakers are whole at every moment.
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
