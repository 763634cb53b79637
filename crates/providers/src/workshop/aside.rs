//! Builds a folder aside and moves it into place when it is whole, so that a crash leaves all of it or nothing.

use std::io;
use std::path::{Path, PathBuf};

use tokio::fs;

use super::error::WorkshopError;

/// A folder in the making.
#[derive(Debug)]
pub(super) struct Aside {
    making: PathBuf,
    target: PathBuf,
}

impl Aside {
    /// Clears what a crash left and names an absent folder to build in. One mission has one writer, so nobody else is
    /// building there.
    pub(super) async fn for_folder(target: &Path) -> Result<Self, WorkshopError> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let making = target.with_file_name(format!(".{name}.making"));
        let parent = target.parent().unwrap_or(target);
        fs::create_dir_all(parent).await.map_err(WorkshopError::disk(parent))?;
        match fs::remove_dir_all(&making).await {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(WorkshopError::disk(&making)(error)),
        }
        Ok(Self { making, target: target.to_path_buf() })
    }

    /// Where to build.
    pub(super) fn folder(&self) -> &Path {
        &self.making
    }

    /// Moves the finished folder into place.
    pub(super) async fn finish(self) -> Result<(), WorkshopError> {
        fs::rename(&self.making, &self.target).await.map_err(WorkshopError::disk(&self.target))
    }
}

/// Whether nothing stands at `folder`; an empty folder is nothing.
pub(super) async fn is_free(folder: &Path) -> Result<bool, WorkshopError> {
    match fs::read_dir(folder).await {
        Ok(mut entries) => Ok(entries.next_entry().await.map_err(WorkshopError::disk(folder))?.is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(WorkshopError::disk(folder)(error)),
    }
}
