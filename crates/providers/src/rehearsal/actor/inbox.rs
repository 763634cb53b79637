//! The lines from Arbiter to an actor, read by a thread of its own, so that they are heard while the actor works.
//!
//! A line that cannot be read may have been a turn to play. The actor stops reading then and leaves with the reason, so
//! that Arbiter hears of it and does not wait for ever.

use std::io::{BufRead, BufReader, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use crate::limits::{TOLD_BYTES_MAX, TOLD_MAX};
use crate::rehearsal::wire::Told;

/// The receiving end of the actor's input.
pub(super) struct Inbox {
    told: Receiver<Told>,
    is_closed: Arc<AtomicBool>,
    fault: Arc<OnceLock<String>>,
}

impl Inbox {
    pub(super) fn open(stdin: impl Read + Send + 'static) -> Inbox {
        let (sender, told) = sync_channel(TOLD_MAX);
        let is_closed = Arc::new(AtomicBool::new(false));
        let fault = Arc::new(OnceLock::new());
        let (closed, found) = (Arc::clone(&is_closed), Arc::clone(&fault));
        thread::spawn(move || {
            if let Err(why) = read(BufReader::new(stdin), &sender, TOLD_BYTES_MAX) {
                let _ = found.set(why);
            }
            closed.store(true, Ordering::Release);
            let _ = sender.send(Told::End);
        });
        Inbox { told, is_closed, fault }
    }

    /// Whether Arbiter has closed our input.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Why no more lines can be read, if Arbiter did not close the input.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }

    /// Waits for the next line. A closed input is the order to leave.
    pub(super) fn wait(&self) -> Told {
        self.told.recv().unwrap_or(Told::End)
    }

    /// The next line, if it comes in time.
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

fn read(mut stdin: impl BufRead, sender: &SyncSender<Told>, bytes_max: usize) -> Result<(), String> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = stdin.by_ref().take(bytes_max as u64).read_until(b'\n', &mut line);
        if !length.is_ok_and(|length| length > 0) {
            return Ok(());
        }
        if line.len() >= bytes_max && !line.ends_with(b"\n") {
            return Err(format!("a line from Arbiter is longer than {bytes_max} bytes"));
        }
        match serde_json::from_slice(&line) {
            Ok(told) => {
                if sender.send(told).is_err() {
                    return Ok(());
                }
            }
            // Arbiter died in the middle of a line; it waits for no answer.
            Err(_) if !line.ends_with(b"\n") => return Ok(()),
            Err(error) => return Err(format!("a line from Arbiter was not understood: {error}")),
        }
    }
}
