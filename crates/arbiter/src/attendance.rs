//! Whether the person at the terminal is still there: somebody who has touched nothing for long is away, and what waits
//! for them goes into the docket. The first touch brings them back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mind::Event;
use tokio::sync::mpsc;

use crate::clock;

/// When the person last touched something.
#[derive(Debug, Clone)]
pub struct Attendance(Arc<AtomicU64>);

impl Attendance {
    /// Somebody is there now.
    pub fn begin() -> Attendance {
        Attendance(Arc::new(AtomicU64::new(clock::now().0)))
    }

    /// Something was typed.
    pub fn touch(&self) {
        self.0.store(clock::now().0, Ordering::Relaxed);
    }

    /// Tells the mission when the person goes and comes, until it hears no more.
    pub async fn watch(self, away_after: Duration, events: mpsc::Sender<Event>) {
        let away_ms = away_after.as_millis() as u64;
        let mut here = true;
        loop {
            let idle = clock::now().0.saturating_sub(self.0.load(Ordering::Relaxed));
            let still = idle < away_ms;
            if still != here {
                here = still;
                if events.send(Event::Attended(here)).await.is_err() {
                    return;
                }
            }
            // Who is here is looked at when they could be away; who is away, as soon as a person would notice.
            let pause = if here { away_ms.saturating_sub(idle).clamp(50, 5_000) } else { 200 };
            tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(pause)) => {}
                () = events.closed() => return,
            }
        }
    }
}
