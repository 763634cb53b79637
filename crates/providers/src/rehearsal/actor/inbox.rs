//! What the house says to an actor, read by a thread of its own, so that it is heard while the actor works.

use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::limits::{TOLD_BYTES_MAX, TOLD_MAX};
use crate::rehearsal::wire::Told;

/// The actor's ear.
pub(super) struct Inbox {
    told: Receiver<Told>,
    is_closed: Arc<AtomicBool>,
}

impl Inbox {
    pub(super) fn open(stdin: impl Read + Send + 'static) -> Inbox {
        let (sender, told) = sync_channel(TOLD_MAX);
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&is_closed);
        thread::spawn(move || {
            read(BufReader::new(stdin), &sender);
            closed.store(true, Ordering::Release);
            let _ = sender.send(Told::End);
        });
        Inbox { told, is_closed }
    }

    /// Whether the house has closed our input.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Waits for the next word. A closed input is the word to leave.
    pub(super) fn wait(&self) -> Told {
        self.told.recv().unwrap_or(Told::End)
    }

    /// The next word, if it comes in time.
    pub(super) fn wait_for(&self, time: Duration) -> Option<Told> {
        if self.is_closed() {
            return Some(Told::End);
        }
        match self.told.recv_timeout(time) {
            Ok(told) => Some(told),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Told::End),
        }
    }
}

fn read(mut stdin: impl BufRead, sender: &SyncSender<Told>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = TOLD_BYTES_MAX as u64;
        let length = stdin.by_ref().take(limit).read_until(b'\n', &mut line);
        if !length.is_ok_and(|length| length > 0) {
            return;
        }
        match serde_json::from_slice(&line) {
            Ok(told) => {
                if sender.send(told).is_err() {
                    return;
                }
            }
            Err(error) => eprintln!("rehearsal: a line was not understood: {error}"),
        }
    }
}
