//! Which files of the clone differ from an earlier commit: committed since, staged, changed, or new and not ignored.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use mind::conductor::limits::FILES_MAX;

use sandbox::Sandbox;

use super::error::WorkspaceError;
use super::git::{Git, GitOutput};
use super::limits::GIT_ANSWER_BYTES_MAX;

const DOING: &str = "read what changed in the clone";

/// The files of the clone in `folder` that differ from `commit`, by name, up to the bound for one run. The clone can
/// lie, so this is news and no proof; git runs in the sandbox, if there is one.
pub async fn changed_since(
    folder: &Path,
    commit: &str,
    sandbox: Option<&Arc<Sandbox>>,
) -> Result<Vec<String>, WorkspaceError> {
    if commit.len() < 40 || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(WorkspaceError::Git { doing: DOING.into(), said: "that is no commit".into() });
    }
    let mut git = Git::among_names(folder)?.patient().caged(sandbox);
    if sandbox.is_none() {
        // In a sandbox a filter may run.
        let filters = git.filters().await?;
        git = git.without(filters);
    }
    // A file that is staged and missing from the work tree differs all the same.
    let (files, staged) = (difference(commit, false), difference(commit, true));
    let (files, staged, new, tagged) = tokio::try_join!(
        ask(&git, &files),
        ask(&git, &staged),
        ask(&git, &["ls-files", "--others", "--exclude-standard", "-z"]),
        ask(&git, &["ls-files", "-v", "-z"]),
    )?;
    let mut found: BTreeSet<String> = BTreeSet::new();
    for answer in [&files, &staged, &new] {
        found.extend(names(answer).map(shown));
    }
    // Files that the index tells git to overlook may differ without showing in the status.
    let hidden = names(&tagged).filter(|entry| entry.first().is_some_and(|tag| is_hidden(*tag)));
    found.extend(hidden.map(|entry| shown(entry.get(2..).unwrap_or_default())));
    Ok(found.into_iter().take(FILES_MAX).collect())
}

fn difference(commit: &str, staged: bool) -> Vec<&str> {
    let mut words = vec!["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];
    words.extend(["--submodule=short", "--ignore-submodules=dirty"]);
    words.extend(staged.then_some("--cached"));
    words.extend([commit, "--"]);
    words
}

async fn ask(git: &Git, words: &[&str]) -> Result<GitOutput, WorkspaceError> {
    git.ask(DOING, words).await?.succeeded(DOING)
}

/// The names in git's output; of one that was cut, the last name is torn.
fn names(answer: &GitOutput) -> impl Iterator<Item = &[u8]> {
    let output = answer.output.as_slice();
    let end = match output.len() < GIT_ANSWER_BYTES_MAX {
        true => output.len(),
        false => output.iter().rposition(|byte| *byte == 0).unwrap_or(0),
    };
    output[..end].split(|byte| *byte == 0).filter(|name| !name.is_empty())
}

/// A name as it can be told: on one line, whatever signs it has.
fn shown(name: &[u8]) -> String {
    let plain = |sign: char| if sign.is_control() { char::REPLACEMENT_CHARACTER } else { sign };
    String::from_utf8_lossy(name).chars().map(plain).collect()
}

fn is_hidden(tag: u8) -> bool {
    tag == b'S' || tag.is_ascii_lowercase()
}
