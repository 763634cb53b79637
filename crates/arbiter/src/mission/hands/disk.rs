//! The small writes of a running mission, in order, on a thread of their own: notes, letters that were taken, the id
//! line. None of them is needed: one that does not fit into the queue is counted and told among the notes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tokio::sync::oneshot;

use super::disk_delay::DiskDelay;
use crate::limits;
use crate::mission::port::inbox;
use crate::mission::{last_session, notes};

/// A write.
#[derive(Debug)]
pub enum DiskWrite {
    /// A line for the mission's `notes.log`.
    Note(String),
    /// A letter became a fact: its file goes.
    Discard(Arc<str>),
    /// The id line of the project's newest session.
    LastSession(String),
}

/// The queue to the thread. It may be cloned.
#[derive(Debug, Clone)]
pub struct DiskQueue {
    writes: SyncSender<DiskWrite>,
    left_out: Arc<AtomicU64>,
}

/// The thread's end of it.
#[derive(Debug)]
pub struct DiskThread {
    done: oneshot::Receiver<()>,
}

impl DiskQueue {
    /// Starts the thread for a mission's folder and its project.
    pub fn open(folder: PathBuf, project: PathBuf) -> (DiskQueue, DiskThread) {
        DiskQueue::with_delay(folder, project, DiskDelay::default())
    }

    /// The same on a slow disk.
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

    /// Hands a write over, without waiting.
    pub fn write(&self, write: DiskWrite) {
        if self.writes.try_send(write).is_err() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Keeps a line among the notes.
    pub fn note(&self, text: String) {
        self.write(DiskWrite::Note(text));
    }
}

impl DiskThread {
    /// Waits until all is written. Every queue has to be dropped by then.
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
                DiskWrite::Note(text) => notes::keep(&self.folder, &text),
                // A letter that stays is read again, and counts for nothing.
                DiskWrite::Discard(letter) => {
                    let _ = inbox::discard(&self.folder.join("inbox"), &letter);
                }
                DiskWrite::LastSession(line) => last_session::write_line(&self.project, line),
            }
            match self.missed.swap(0, Ordering::Relaxed) {
                0 => {}
                missed => {
                    notes::keep(&self.folder, &format!("{missed} writes did not fit and were left out"))
                }
            }
        }
    }
}
