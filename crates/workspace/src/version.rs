//! Which git this is, and whether it can do what is asked of it here.

use std::path::Path;

use super::error::WorkspaceError;
use super::git::Git;
use super::limits::{GIT_VERSION_GUARDED, GIT_VERSION_MIN};

/// The git that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitVersion {
    /// As it calls itself.
    pub text: String,
    /// It can be told to fetch nothing that is missing, whatever a clone's configuration says.
    pub is_guarded: bool,
}

/// Asks git for its version. One that is too old is an error.
pub async fn git_version() -> Result<GitVersion, WorkspaceError> {
    let doing = "ask git for its version";
    let text = Git::at(Path::new("/")).probing().run(doing, &["version"]).await?;
    // What is not understood is no reason to refuse: the number stands elsewhere in a git that another built.
    let Some(found) = number(&text) else { return Ok(GitVersion { text, is_guarded: false }) };
    if found < GIT_VERSION_MIN {
        return Err(WorkspaceError::OldGit { found: text });
    }
    Ok(GitVersion { text, is_guarded: found >= GIT_VERSION_GUARDED })
}

/// The first two numbers of `git version 2.47.3`.
fn number(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.strip_prefix("git version ")?.split(['.', '-', ' ']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_people_build_them() {
        assert_eq!(number("git version 2.47.3"), Some((2, 47)));
        assert_eq!(number("git version 1.8.3.1"), Some((1, 8)));
        assert_eq!(number("git version 2.39.5 (Apple Git-154)"), Some((2, 39)));
        assert_eq!(number("git version 2.53.0-rc1.windows.1"), Some((2, 53)));
        assert_eq!(number("git version master"), None);
    }
}
