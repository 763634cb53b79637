//! Writes the mission's requirements into the clone, where every session can read them and no commit picks them up.

use std::io;
use std::path::Path;

use super::error::WorkspaceError;
use host::untrusted_files;

const FOLDER: &str = ".arbiter";
const FILE: &str = "scroll.md";

/// Writes `.arbiter/scroll.md` in the clone: the old text or the new one is there, never a part.
pub async fn put_scroll(clone_folder: &Path, text: &str) -> Result<(), WorkspaceError> {
    let folder = clone_folder.join(FOLDER);
    // A link of that name, committed or made by an agent, would carry our text out of the clone.
    let is_other = |found: &std::fs::Metadata| !found.is_dir();
    let bent = || WorkspaceError::Bent { folder: clone_folder.to_path_buf() };
    match folder.symlink_metadata() {
        Ok(found) if is_other(&found) => return Err(bent()),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => match clone_folder.metadata() {
            Ok(found) if is_other(&found) => return Err(bent()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(bent()),
            Err(source) => {
                return Err(WorkspaceError::Unreadable { path: clone_folder.to_path_buf(), source });
            }
        },
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Err(bent()),
        Err(source) => return Err(WorkspaceError::Unreadable { path: folder, source }),
    }
    let (clone, text) = (clone_folder.to_path_buf(), text.to_owned());
    tokio::task::spawn_blocking(move || untrusted_files::replace(&clone, FOLDER, FILE, text.as_bytes()))
        .await
        .unwrap_or_else(|panic| Err(io::Error::other(panic)))
        .map_err(WorkspaceError::disk(&folder.join(FILE)))
}
