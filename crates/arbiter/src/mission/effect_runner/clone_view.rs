//! A cache of the clone's git state. Reading it costs a process while a session waits, so the result is reused until the
//! clone may have changed: by a tool that ran, a process that was ended at work, or files that another program touched. The
//! check of a claim never uses the cache.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mind::session::CloneTree;
use sandbox::Sandbox;
use workspace::WorkspaceError;

use super::sandboxes::SessionSandboxes;
use crate::mission::receipts;

/// File times and sizes that show, without git, whether the clone was touched.
type Traces = Vec<Option<(u64, u64, i64, i64)>>;

pub struct CloneView {
    folder: PathBuf,
    sandboxes: Arc<SessionSandboxes>,
    /// Counts the times at which something may have changed.
    changes: AtomicU64,
    seen: Mutex<Option<Seen>>,
    /// The last commit that was fetched into the source, as far as we know.
    brought: Mutex<Option<Arc<str>>>,
}

struct Seen {
    tree: CloneTree,
    changes: u64,
    traces: Option<Traces>,
}

impl CloneView {
    /// An empty cache.
    pub fn new(folder: PathBuf, sandboxes: Arc<SessionSandboxes>) -> CloneView {
        let (seen, brought) = (Mutex::default(), Mutex::default());
        CloneView { folder, sandboxes, changes: AtomicU64::new(0), seen, brought }
    }

    /// Marks the cached state as possibly old.
    pub fn may_have_changed(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
    }

    /// Reads the clone's state with git.
    pub async fn observe(&self) -> Result<CloneTree, WorkspaceError> {
        // Counted before git reads: a change in the meantime makes the result old.
        let changes = self.changes.load(Ordering::SeqCst);
        let traces = self.traces().await;
        let sandbox = self.sandbox().await?;
        let tree = receipts::tree(workspace::inspect_in(&self.folder, sandbox.as_ref()).await?);
        *lock(&self.seen) = Some(Seen { tree: tree.clone(), changes, traces });
        Ok(tree)
    }

    /// The clone's state, from the cache if nothing can have changed since.
    pub async fn tree(&self) -> Result<CloneTree, WorkspaceError> {
        let seen =
            lock(&self.seen).as_ref().map(|seen| (seen.tree.clone(), seen.changes, seen.traces.clone()));
        if let Some((tree, changes, before)) = seen
            && changes == self.changes.load(Ordering::SeqCst)
            && before.is_some()
            && before == self.traces().await
        {
            return Ok(tree);
        }
        self.observe().await
    }

    /// The traces as they are now, read on a thread that may wait for the disk; none if that thread panicked.
    async fn traces(&self) -> Option<Traces> {
        let (folder, delay) = (self.folder.clone(), self.sandboxes.delay.clone());
        let seen = tokio::task::spawn_blocking(move || {
            delay.wait();
            traces(&folder)
        });
        seen.await.ok()
    }

    /// Records that this commit is in the source.
    pub fn is_brought(&self, commit: &str) {
        *lock(&self.brought) = Some(Arc::from(commit));
    }

    /// Whether the clone's commit is not in the source yet.
    pub async fn is_ahead(&self) -> Result<bool, WorkspaceError> {
        let tree = self.tree().await?;
        Ok(lock(&self.brought).as_ref() != Some(&tree.commit))
    }

    /// The sandbox in which git reads it.
    pub async fn sandbox(&self) -> Result<Option<Arc<Sandbox>>, WorkspaceError> {
        self.sandboxes.git().await.map_err(|why| WorkspaceError::Unheld { why })
    }
}

fn traces(folder: &Path) -> Traces {
    let places = ["", ".git", ".git/HEAD", ".git/index", ".git/logs/HEAD"];
    let stamp = |place: &&str| {
        let found = std::fs::symlink_metadata(folder.join(place)).ok()?;
        Some((found.ino(), found.len(), found.ctime(), found.ctime_nsec()))
    };
    places.iter().map(stamp).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
