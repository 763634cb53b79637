//! Builds a folder beside its target and moves it into place when it is whole, so that a crash leaves all of it
//! or nothing.

use std::io;
use std::path::{Path, PathBuf};

use tokio::fs;

use super::error::WorkspaceError;

/// A folder in the making.
#[derive(Debug)]
pub(super) struct Staging {
    making: PathBuf,
    target: PathBuf,
}

impl Staging {
    /// Clears what a crash left and picks a new name to build under, which no other process knows: a process of ours
    /// that outlived a crash by a moment may still be writing to the one it was given.
    pub(super) async fn for_folder(target: &Path) -> Result<Self, WorkspaceError> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let parent = target.parent().unwrap_or(target);
        host::files::make_folder(parent).map_err(WorkspaceError::disk(parent))?;
        clear_leftovers(parent, &format!(".{name}.")).await;
        let making = target.with_file_name(format!(".{name}.{:016x}.making", host::dice()));
        Ok(Self { making, target: target.to_path_buf() })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.making
    }

    /// Moves the finished folder into place.
    pub(super) async fn finish(self) -> Result<(), WorkspaceError> {
        fs::rename(&self.making, &self.target).await.map_err(WorkspaceError::disk(&self.target))
    }
}

/// Removes the unfinished folders of earlier processes. One that cannot be removed now harms nothing.
async fn clear_leftovers(parent: &Path, prefix: &str) {
    let Ok(mut entries) = fs::read_dir(parent).await else { return };
    while let Ok(Some(entry)) = entries.next_entry().await {
        let name = entry.file_name().to_string_lossy().into_owned();
        let mark = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix("making"));
        if mark.is_some() {
            let _ = fs::remove_dir_all(entry.path()).await;
        }
    }
}

/// Whether nothing stands at `folder`; an empty folder is nothing.
pub(super) async fn is_free(folder: &Path) -> Result<bool, WorkspaceError> {
    match fs::read_dir(folder).await {
        Ok(mut entries) => Ok(entries.next_entry().await.map_err(WorkspaceError::disk(folder))?.is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(WorkspaceError::disk(folder)(error)),
    }
}
