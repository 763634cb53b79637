//! Whether the person at the terminal is still there. After a long time without a key they count as away, and questions go
//! to the docket. The next key brings them back. Where no key can come any more they are away at once, and for good.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use mind::Event;
use tokio::sync::{Notify, mpsc};

use crate::{clock, limits};

/// The time of the person's last key.
#[derive(Debug, Clone)]
pub struct HumanPresence {
    touched_at: Arc<AtomicU64>,
    /// The terminal's input has ended.
    is_closed: Arc<AtomicBool>,
    /// A key came, or the input has ended.
    stirred: Arc<Notify>,
}

impl HumanPresence {
    /// Starts with the person present.
    pub fn begin() -> HumanPresence {
        HumanPresence {
            touched_at: Arc::new(AtomicU64::new(clock::now().0)),
            is_closed: Arc::default(),
            stirred: Arc::default(),
        }
    }

    /// Records a key.
    pub fn touch(&self) {
        self.touched_at.store(clock::now().0, Ordering::Relaxed);
        self.stirred.notify_waiters();
    }

    /// Records that no key can come any more.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.stirred.notify_waiters();
    }

    /// Tells the mission when the person leaves and comes back, until its loop ends.
    pub async fn watch(self, away_after: Duration, events: mpsc::Sender<Event>) {
        let away_ms = away_after.as_millis() as u64;
        let mut here = true;
        loop {
            // Registered before the time is read, so that no key is missed in between.
            let stirred = self.stirred.notified();
            let is_closed = self.is_closed.load(Ordering::Relaxed);
            let idle = clock::now().0.saturating_sub(self.touched_at.load(Ordering::Relaxed));
            let still = idle < away_ms && !is_closed;
            if still != here {
                here = still;
                if events.send(Event::Attended(here)).await.is_err() {
                    return;
                }
            }
            if is_closed {
                // Said of a person who is away already: the terminal is gone, too.
                let _ = events.send(Event::Attended(false)).await;
                return;
            }
            if here {
                // Checked again at the latest when they could be away; the time a machine slept does not count.
                let left = Duration::from_millis(away_ms.saturating_sub(idle)).min(limits::PRESENCE_LOOK);
                tokio::select! {
                    () = tokio::time::sleep(left) => {}
                    () = stirred => {}
                    () = events.closed() => return,
                }
            } else {
                tokio::select! {
                    () = stirred => {}
                    () = events.closed() => return,
                }
            }
        }
    }
}
