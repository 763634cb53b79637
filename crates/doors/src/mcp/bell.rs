//! Rings when files of the docket changed. One watch listens for all calls that wait, and only while somebody waits.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use docket::{Docket, News, Watch};
use tokio::sync::watch;

/// Rings for everybody at once. Whoever listens before looking misses nothing.
#[derive(Debug, Default)]
pub(super) struct Bell {
    rings: watch::Sender<()>,
    rope: Mutex<Rope>,
}

/// What pulls the bell, and for how many.
#[derive(Debug, Default)]
struct Rope {
    listeners: usize,
    watch: Option<Watch>,
}

/// Somebody who listens.
#[derive(Debug)]
pub(super) struct Listener {
    bell: Arc<Bell>,
    rings: watch::Receiver<()>,
}

impl Bell {
    /// From now on every ring is heard.
    pub(super) fn listen(self: &Arc<Bell>, docket: &Docket) -> Listener {
        let mut rope = self.rope();
        rope.listeners += 1;
        if rope.watch.is_none() {
            let rings = self.rings.clone();
            // Without a watch the calls still look by themselves from time to time, as they do instead of the sweeps.
            rope.watch = docket
                .watch(move |news| match news {
                    News::Files(_) => rings.send_replace(()),
                    News::Sweep => {}
                })
                .ok();
        }
        drop(rope);
        Listener { bell: Arc::clone(self), rings: self.rings.subscribe() }
    }

    fn rope(&self) -> MutexGuard<'_, Rope> {
        self.rope.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener {
    /// What rang until now is known.
    pub(super) fn forget(&mut self) {
        self.rings.mark_unchanged();
    }

    /// Comes back with the next ring.
    pub(super) async fn ring(&mut self) {
        // The bell is ours, so it cannot be gone.
        let _ = self.rings.changed().await;
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut rope = self.bell.rope();
        rope.listeners -= 1;
        let watch = if rope.listeners == 0 { rope.watch.take() } else { None };
        drop(rope);
        // It waits for its thread, and nobody else needs to.
        drop(watch);
    }
}
