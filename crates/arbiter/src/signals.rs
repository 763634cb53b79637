//! Ctrl-C, SIGTERM and SIGHUP ask the house to stop; the second Ctrl-C does not ask.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::complaint::Code;

/// Raises `stop` at the first signal and leaves at once at the second.
pub fn watch(stop: watch::Sender<bool>) {
    tokio::spawn(async move {
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let mut signals: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect();
        let [interrupt, terminate, hangup] = signals.as_mut_slice() else { return };
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
            if *stop.borrow() {
                // What is on disk is whole at every moment; there is nothing left to do for it.
                std::process::exit(Code::Cancelled as i32);
            }
            stop.send_replace(true);
        }
    });
}
