//! A slow disk, for tests: how much longer each piece of work on it takes, and how many of them are under way. Whatever
//! touches the disk for an effect waits here first, where it is done; without a delay that is nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How much longer each piece of work takes. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct DiskDelay {
    each: Duration,
    under_way: Arc<AtomicUsize>,
}

impl DiskDelay {
    /// Each takes so much longer.
    #[must_use]
    pub fn of(each: Duration) -> DiskDelay {
        DiskDelay { each, under_way: Arc::default() }
    }

    /// Waits that long, and with it the thread.
    pub fn wait(&self) {
        if !self.each.is_zero() {
            self.under_way.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(self.each);
            self.under_way.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// How many wait right now.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::SeqCst)
    }
}
