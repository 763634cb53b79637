//! The small writes of a running mission, in order, on a thread of their own: lines of `notes.log`, the removal of inbox
//! messages that were taken, `last-session.json`. None of them is needed: one that does not fit into the queue is dropped
//! and counted in `notes.log`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tokio::sync::oneshot;

use super::disk_delay::DiskDelay;
use crate::limits;
use crate::mission::port::inbox;
use crate::mission::{last_session, notes};

#[derive(Debug)]
pub enum DiskWrite {
    /// A line for the mission's `notes.log`.
    Note(String),
    /// Removes the file of an inbox message that became a fact.
    Discard(Arc<str>),
    /// The line of `last-session.json`.
    LastSession(String),
}

/// The queue to the thread.
#[derive(Debug, Clone)]
pub struct DiskQueue {
    writes: SyncSender<DiskWrite>,
    left_out: Arc<AtomicU64>,
}

/// The running thread.
#[derive(Debug)]
pub struct DiskThread {
    done: oneshot::Receiver<()>,
}

impl DiskQueue {
    /// Starts the thread for a mission's folder and its project.
    pub fn open(folder: PathBuf, project: PathBuf) -> (DiskQueue, DiskThread) {
        DiskQueue::with_delay(folder, project, DiskDelay::default())
    }

    /// With a slow disk, for tests.
    pub fn with_delay(folder: PathBuf, project: PathBuf, delay: DiskDelay) -> (DiskQueue, DiskThread) {
        let (writes, queue) = sync_channel(limits::DISK_WRITES_MAX);
        let (finished, done) = oneshot::channel();
        let left_out = Arc::new(AtomicU64::new(0));
        let missed = Arc::clone(&left_out);
        std::thread::spawn(move || {
            Writer { folder, project, delay, missed }.write_all(&queue);
            let _ = finished.send(());
        });
        (DiskQueue { writes, left_out }, DiskThread { done })
    }

    /// Queues a write, without waiting.
    pub fn write(&self, write: DiskWrite) {
        if self.writes.try_send(write).is_err() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Queues a line for `notes.log`.
    pub fn note(&self, text: String) {
        self.write(DiskWrite::Note(text));
    }
}

impl DiskThread {
    /// Waits until all is written. Every [`DiskQueue`] must have been dropped before.
    pub async fn finish(self) {
        let _ = self.done.await;
    }
}

struct Writer {
    folder: PathBuf,
    project: PathBuf,
    delay: DiskDelay,
    missed: Arc<AtomicU64>,
}

impl Writer {
    fn write_all(&self, queue: &Receiver<DiskWrite>) {
        while let Ok(write) = queue.recv() {
            self.delay.wait();
            match write {
                DiskWrite::Note(text) => notes::append(&self.folder, &text),
                // If the file stays, the message is read again and ignored: its id counts once.
                DiskWrite::Discard(letter) => {
                    let _ = inbox::discard(&self.folder.join("inbox"), &letter);
                }
                DiskWrite::LastSession(line) => last_session::write_line(&self.project, line),
            }
            match self.missed.swap(0, Ordering::Relaxed) {
                0 => {}
                missed => notes::append(
                    &self.folder,
                    &format!("{missed} writes did not fit into the queue and were dropped"),
                ),
            }
        }
    }
}
