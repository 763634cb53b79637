//! Whether the person at the terminal is still there: somebody who has touched nothing for long is away, and what waits
//! for them goes into the docket. The first touch brings them back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mind::Event;
use tokio::sync::{Notify, mpsc};

use crate::{clock, limits};

/// When the person last touched something.
#[derive(Debug, Clone)]
pub struct HumanPresence {
    touched_at: Arc<AtomicU64>,
    touched: Arc<Notify>,
}

impl HumanPresence {
    /// Somebody is there now.
    pub fn begin() -> HumanPresence {
        HumanPresence { touched_at: Arc::new(AtomicU64::new(clock::now().0)), touched: Arc::default() }
    }

    /// Something was typed.
    pub fn touch(&self) {
        self.touched_at.store(clock::now().0, Ordering::Relaxed);
        self.touched.notify_waiters();
    }

    /// Tells the mission when the person goes and comes, until it hears no more.
    pub async fn watch(self, away_after: Duration, events: mpsc::Sender<Event>) {
        let away_ms = away_after.as_millis() as u64;
        let mut here = true;
        loop {
            // Asked for before the look: no touch falls between the two.
            let touched = self.touched.notified();
            let idle = clock::now().0.saturating_sub(self.touched_at.load(Ordering::Relaxed));
            let still = idle < away_ms;
            if still != here {
                here = still;
                if events.send(Event::Attended(here)).await.is_err() {
                    return;
                }
            }
            if here {
                // Looked at when they could be away; a machine that slept counts no time meanwhile.
                let left = Duration::from_millis(away_ms.saturating_sub(idle)).min(limits::PRESENCE_LOOK);
                tokio::select! {
                    () = tokio::time::sleep(left) => {}
                    () = events.closed() => return,
                }
            } else {
                tokio::select! {
                    () = touched => {}
                    () = events.closed() => return,
                }
            }
        }
    }
}
