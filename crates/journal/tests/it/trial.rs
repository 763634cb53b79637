//! The stores that the suite is asked of, and what can be done to each: crashes, and writes and syncs that fail.

use std::path::{Path, PathBuf};

use journal::{
    FileStore, LogStore, MemoryStore,
    faulty::{FaultyStore, Syncs},
};
use tempfile::TempDir;

/// A store and what can be done to it.
pub trait Trial {
    fn store(&self) -> &dyn LogStore;

    /// A log of this name, which is not there yet.
    fn log(&self, name: &str) -> PathBuf;

    /// The writer's machine dies: of what was not synced only the first `spared` units remain. On the real disk only
    /// the process can die, and keeps all.
    fn crash(&self, log: &Path, spared: usize);

    /// How many units a crash could take from what was not synced.
    fn at_risk(&self, log: &Path, unsynced_batches: usize) -> usize;

    /// The next sync or write fails; says whether that can be arranged.
    fn fail_next_sync(&self, log: &Path) -> bool;
    fn fail_next_write(&self, log: &Path) -> bool;
}

/// Files in a folder of their own.
pub struct Files(pub TempDir, pub FileStore);

impl Trial for Files {
    fn store(&self) -> &dyn LogStore {
        &self.1
    }

    fn log(&self, name: &str) -> PathBuf {
        let folder = self.0.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        folder.join("journal.jsonl")
    }

    fn crash(&self, _: &Path, _: usize) {}

    fn at_risk(&self, _: &Path, _: usize) -> usize {
        0
    }

    fn fail_next_sync(&self, _: &Path) -> bool {
        false
    }

    fn fail_next_write(&self, _: &Path) -> bool {
        false
    }
}

impl Trial for FaultyStore {
    fn store(&self) -> &dyn LogStore {
        self
    }

    fn log(&self, name: &str) -> PathBuf {
        name.into()
    }

    fn crash(&self, log: &Path, spared: usize) {
        FaultyStore::crash(self, log, spared);
    }

    fn at_risk(&self, log: &Path, _: usize) -> usize {
        self.disk(log).unwrap().unsynced()
    }

    fn fail_next_sync(&self, log: &Path) -> bool {
        self.disk(log).unwrap().answer_syncs(Syncs::Failing);
        true
    }

    fn fail_next_write(&self, log: &Path) -> bool {
        self.disk(log).unwrap().leave_space(20);
        true
    }
}

impl Trial for MemoryStore {
    fn store(&self) -> &dyn LogStore {
        self
    }

    fn log(&self, name: &str) -> PathBuf {
        name.into()
    }

    fn crash(&self, log: &Path, spared: usize) {
        MemoryStore::crash(self, log, spared);
    }

    fn at_risk(&self, _: &Path, unsynced_batches: usize) -> usize {
        unsynced_batches
    }

    fn fail_next_sync(&self, log: &Path) -> bool {
        MemoryStore::fail_next_sync(self, log);
        true
    }

    fn fail_next_write(&self, log: &Path) -> bool {
        MemoryStore::fail_next_write(self, log);
        true
    }
}
