//! Puts the requirements into the clone, where every session can read them and no commit picks them up.

use std::io::{self, Write};
use std::path::Path;

use super::error::WorkshopError;

/// Writes `.arbiter/scroll.md` in the clone: the old text or the new one is there, never a part.
pub async fn put_scroll(clone_folder: &Path, text: &str) -> Result<(), WorkshopError> {
    let folder = clone_folder.join(".arbiter");
    let file = folder.join("scroll.md");
    // A link of that name, committed or made by an agent, would carry our text out of the clone.
    if folder.is_symlink() || !clone_folder.is_dir() {
        return Err(WorkshopError::Bent { folder: clone_folder.to_path_buf() });
    }
    let text = text.to_owned();
    let target = file.clone();
    tokio::task::spawn_blocking(move || replace(&folder, &target, &text))
        .await
        .unwrap_or_else(|panic| Err(io::Error::other(panic)))
        .map_err(WorkshopError::disk(&file))
}

fn replace(folder: &Path, target: &Path, text: &str) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let making = folder.join(".scroll.md.making");
    match std::fs::remove_file(&making) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut file = std::fs::File::create_new(&making)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&making, target)?;
    std::fs::File::open(folder)?.sync_all()
}
