//! Tells when the docket's folders change. The system's word makes it quick; whoever waits looks by themselves now and then
//! as well, because folders of other machines tell nothing.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use docket::Docket;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

/// Changes that come together are looked at together.
const PAUSE: Duration = Duration::from_millis(20);

/// Changes of the docket's folders.
pub(super) struct Changes {
    news: Receiver<()>,
    // It watches as long as it is kept.
    _watcher: Option<RecommendedWatcher>,
}

impl Changes {
    /// Watches from now on. Where that cannot be done, waiting is only slower.
    pub(super) fn of(docket: &Docket) -> Changes {
        let (tell, news) = mpsc::sync_channel(1);
        let hear = move |event: notify::Result<notify::Event>| {
            // Our own looking is no change, and would make us look again.
            if !event.is_ok_and(|event| event.kind.is_access()) {
                let _ = tell.try_send(());
            }
        };
        let watcher = notify::recommended_watcher(hear).ok();
        let watcher = watcher.and_then(|mut watcher| {
            let folders = ["pending", "completed"].map(|name| docket.folder().join(name));
            let watched = folders
                .iter()
                .filter(|folder| watcher.watch(folder, RecursiveMode::NonRecursive).is_ok())
                .count();
            (watched > 0).then_some(watcher)
        });
        Changes { news, _watcher: watcher }
    }

    /// Waits for a change, but not longer than this.
    pub(super) fn wait(&self, at_most: Duration) {
        match self.news.recv_timeout(at_most) {
            Ok(()) => thread::sleep(PAUSE.min(at_most)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => thread::sleep(at_most),
        }
        while self.news.try_recv().is_ok() {}
    }
}
