//! A slow disk, for tests: by how much each access is delayed, and how many of them wait. Every effect that uses the disk
//! waits here first; without a delay this does nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The delay of each access. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct DiskDelay {
    each: Duration,
    under_way: Arc<AtomicUsize>,
}

impl DiskDelay {
    #[must_use]
    pub fn of(each: Duration) -> DiskDelay {
        DiskDelay { each, under_way: Arc::default() }
    }

    /// Blocks the thread for the delay.
    pub fn wait(&self) {
        if !self.each.is_zero() {
            self.under_way.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(self.each);
            self.under_way.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// How many accesses wait right now.
    #[must_use]
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::SeqCst)
    }
}
