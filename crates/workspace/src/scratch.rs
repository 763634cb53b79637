//! Makes a small repository for the demo.

use std::path::Path;

use tokio::fs;

use super::error::WorkspaceError;
use super::git::Git;
use super::preflight::{Base, preflight};
use super::staging::{Staging, is_free};
use super::submodule::is_there;
use super::version::git_version;

/// Makes a repository in `folder` with one commit of `files` (path, text), or finds the one that is already there.
pub async fn scratch(folder: &Path, files: &[(&str, &str)]) -> Result<Base, WorkspaceError> {
    git_version().await?;
    if is_free(folder).await? {
        let aside = Staging::for_folder(folder).await?;
        build(aside.folder(), files).await?;
        aside.finish().await?;
    } else if !is_there(&folder.join(".git")).await? {
        return Err(WorkspaceError::Occupied { folder: folder.to_path_buf() });
    }
    preflight(folder).await
}

async fn build(folder: &Path, files: &[(&str, &str)]) -> Result<(), WorkspaceError> {
    fs::create_dir(folder).await.map_err(WorkspaceError::disk(folder))?;
    for (name, text) in files {
        let file = folder.join(name);
        let parent = file.parent().unwrap_or(folder);
        fs::create_dir_all(parent).await.map_err(WorkspaceError::disk(parent))?;
        fs::write(&file, text).await.map_err(WorkspaceError::disk(&file))?;
    }
    let git = Git::at(folder);
    git.clone().making().run("make a repository", &["init", "--quiet", "-b", "main"]).await?;
    git.run("add the first files", &["add", "--all", "--force"]).await?;
    // Arbiter's name and no signature: the commit is not the user's work.
    let commit = ["commit", "--quiet", "--allow-empty", "--no-gpg-sign", "-m", "Begin"];
    let author = ["-c", "user.name=Arbiter", "-c", "user.email=arbiter@localhost"];
    git.run("make the first commit", &[author.as_slice(), &commit].concat()).await?;
    Ok(())
}
