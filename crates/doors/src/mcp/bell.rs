//! Rings when the docket may have changed. One thread listens to the folder for all calls that wait; it is there only while
//! somebody waits.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use docket::Docket;
use tokio::sync::watch;

/// Rings for everybody at once. Whoever listens before looking misses nothing.
#[derive(Debug, Default)]
pub(super) struct Bell {
    rings: watch::Sender<()>,
    /// Somebody listens to the folder. Locked while one begins or stops to wait, so that nobody waits for a listener that
    /// is just leaving.
    watched: Mutex<bool>,
}

impl Bell {
    /// From now on every ring is heard.
    pub(super) fn listen(self: &Arc<Bell>, docket: &Docket) -> watch::Receiver<()> {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let rings = self.rings.subscribe();
        if !*watched {
            let (bell, docket) = (Arc::clone(self), docket.clone());
            let begun = thread::Builder::new().name("docket".to_owned()).spawn(move || bell.watch(&docket));
            // Without a thread the calls still look by themselves from time to time.
            *watched = begun.is_ok();
        }
        rings
    }

    fn watch(&self, _docket: &Docket) {
        loop {
            thread::sleep(Duration::from_millis(500));
            let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
            if self.rings.receiver_count() == 0 {
                *watched = false;
                return;
            }
            drop(watched);
            self.rings.send_replace(());
        }
    }
}
