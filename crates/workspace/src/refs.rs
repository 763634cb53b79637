//! Refs: found, listed, made and removed so that a disk which does not tell for a moment is never taken for a "no". Git reads
//! refs quietly: one that it cannot read is not there for it, and a folder that it cannot list is empty.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use host::untrusted_files;

use super::error::WorkspaceError;
use super::git::Git;
use super::limits::{REF_BYTES_MAX, REFS_LEFT_OUT_MAX, REFS_LOOKED_AT_MAX};
use super::preflight::path_of;
use super::ref_marks;

/// The commit that `name` stands for, if it is there.
pub(super) async fn find(git: &Git, name: &str) -> Result<Option<String>, WorkspaceError> {
    let commit = format!("{name}^{{commit}}");
    let doing = "find a commit";
    let ask = async || {
        let found = git.ask(doing, &["rev-parse", "--verify", "--quiet", &commit]).await?;
        match found.is_yes(doing)? {
            true => Ok(Some(found.text())),
            // Asked quietly, git says no without a word, or that what stands there is no ref; any other word is about
            // something that it could not read.
            false if found.said.lines().all(|line| line.starts_with("warning: ignoring ")) => Ok(None),
            false => Err(WorkspaceError::Git { doing: doing.into(), said: found.said }),
        }
    };
    match ask().await? {
        // Asked quietly, git says no of a ref that it cannot read, too.
        None if is_written(git, name).await? => ask().await,
        found => Ok(found),
    }
}

/// Whether a ref's own file is there with something in it. An unknown is an error.
async fn is_written(git: &Git, name: &str) -> Result<bool, WorkspaceError> {
    let doing = "find the file of a ref";
    let name = match name {
        "HEAD" => {
            let branch = git.ask(doing, &["symbolic-ref", "--quiet", "HEAD"]).await?;
            if !branch.is_yes(doing)? {
                return Ok(false);
            }
            branch.text()
        }
        name => name.to_owned(),
    };
    if !name.starts_with("refs/") {
        return Ok(false);
    }
    let found = git.ask(doing, &["rev-parse", "--git-path", &name]).await?.succeeded(doing)?;
    let file = git.folder().join(path_of(&found));
    is_ref_file(&file).map_err(|source| WorkspaceError::Unreadable { path: file, source })
}

/// Whether a file says where a ref leads. An agent may have put anything else in its place, which is no ref for git either.
fn is_ref_file(file: &Path) -> io::Result<bool> {
    match untrusted_files::read(file, REF_BYTES_MAX) {
        Ok(words) => {
            let is_commit = words.len() >= 40 && words[..40].iter().all(u8::is_ascii_hexdigit);
            Ok(is_commit || words.starts_with(b"ref: "))
        }
        Err(error) if untrusted_files::is_odd(&error) || host::files::is_absence(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The refs below `prefix`. What git leaves out although its file is there was not read: git is asked once more.
pub(super) async fn refs_below(git: &Git, prefix: &str) -> Result<Vec<String>, WorkspaceError> {
    let ask = async || {
        let listed = git.run("list refs", &["for-each-ref", "--format=%(refname)", prefix]).await?;
        Ok::<_, WorkspaceError>(listed.lines().map(str::to_owned).collect::<BTreeSet<String>>())
    };
    let mut listed = ask().await?;
    let loose = loose_refs(git, prefix).await?;
    if !loose.is_subset(&listed) {
        listed = ask().await?;
    }
    for (number, name) in loose.difference(&listed).enumerate() {
        // One that leads nowhere is none, and git says so of it alone.
        if number >= REFS_LEFT_OUT_MAX || find(git, name).await?.is_some() {
            let said = format!("git leaves {name} out");
            return Err(WorkspaceError::Git { doing: "list refs".into(), said });
        }
    }
    Ok(listed.into_iter().collect())
}

/// The refs below `prefix` that have files of their own.
async fn loose_refs(git: &Git, prefix: &str) -> Result<BTreeSet<String>, WorkspaceError> {
    let doing = "find the folder of refs";
    let found = git.ask(doing, &["rev-parse", "--git-path", prefix]).await?.succeeded(doing)?;
    let (mut refs, mut looked_at) = (BTreeSet::new(), 0);
    let first = git.folder().join(path_of(&found));
    // A link may lead anywhere.
    let mut folders = match std::fs::symlink_metadata(&first) {
        Ok(found) if found.is_dir() => vec![(first, prefix.trim_end_matches('/').to_owned())],
        Ok(_) => return Ok(refs),
        Err(error) if host::files::is_absence(&error) => return Ok(refs),
        Err(source) => return Err(WorkspaceError::Unreadable { path: first, source }),
    };
    while let Some((folder, name)) = folders.pop() {
        let unreadable = |source| WorkspaceError::Unreadable { path: folder.clone(), source };
        let entries = match std::fs::read_dir(&folder) {
            Err(error) if host::files::is_absence(&error) => continue,
            entries => entries.map_err(unreadable)?,
        };
        for entry in entries {
            let entry = entry.map_err(unreadable)?;
            looked_at += 1;
            if looked_at > REFS_LOOKED_AT_MAX {
                return Err(unreadable(io::Error::other(format!(
                    "it has more than {REFS_LOOKED_AT_MAX} refs"
                ))));
            }
            let Ok(last) = entry.file_name().into_string() else { continue };
            let (kind, name) = (entry.file_type().map_err(unreadable)?, format!("{name}/{last}"));
            if kind.is_dir() {
                folders.push((entry.path(), name));
            } else if !last.ends_with(".lock") && is_ref_file(&entry.path()).map_err(unreadable)? {
                refs.insert(name);
            }
        }
    }
    Ok(refs)
}

/// Makes `reference` if it is not there yet.
pub(super) async fn create_ref(
    source: &Git,
    reference: &str,
    commit: &str,
    mission: &str,
) -> Result<(), WorkspaceError> {
    if find(source, reference).await?.is_none() {
        // The empty old value means that the ref must not exist.
        let arguments = ["update-ref", "--create-reflog", reference, commit, ""];
        let doing = "keep the base commit";
        source.write_refs(doing, &arguments, mission).await?.succeeded(doing)?;
    }
    Ok(())
}

/// Removes `reference` if it is there.
pub(super) async fn drop_ref(source: &Git, reference: &str, mission: &str) -> Result<(), WorkspaceError> {
    let doing = "remove the mission's ref";
    let arguments = ["update-ref", "-d", reference];
    let dropping = async { source.write_refs(doing, &arguments, mission).await?.succeeded(doing) };
    ref_marks::while_locking(source, &[reference, "packed-refs"], dropping).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    async fn repository(format: &str) -> (tempfile::TempDir, Git) {
        let folder = tempfile::tempdir().unwrap();
        let git = Git::at(folder.path()).set("user.name=T").set("user.email=t@localhost");
        git.run("init", &["init", "-q", "-b", "main", &format!("--ref-format={format}")]).await.unwrap();
        git.run("commit", &["commit", "-q", "--allow-empty", "-m", "one"]).await.unwrap();
        (folder, git)
    }

    #[tokio::test]
    async fn refs_are_found_however_git_keeps_them() {
        for format in ["files", "reftable"] {
            let (_folder, git) = repository(format).await;
            for name in ["refs/heads/a/b", "refs/heads/packed"] {
                git.run("make", &["update-ref", name, "HEAD"]).await.unwrap();
            }
            git.run("pack", &["pack-refs", "--all"]).await.unwrap();
            git.run("make", &["update-ref", "refs/heads/loose", "HEAD"]).await.unwrap();
            git.run("make", &["symbolic-ref", "refs/heads/nowhere", "refs/heads/none"]).await.unwrap();
            let all = ["refs/heads/a/b", "refs/heads/loose", "refs/heads/main", "refs/heads/packed"];
            assert_eq!(refs_below(&git, "refs/heads").await.unwrap(), all, "{format}");
            assert!(find(&git, "refs/heads/packed").await.unwrap().is_some());
            assert_eq!(find(&git, "refs/heads/none").await.unwrap(), None);
            assert_eq!(find(&git, "refs/heads/nowhere").await.unwrap(), None);
        }
    }

    #[tokio::test]
    async fn what_an_agent_puts_in_the_place_of_a_ref_is_none() {
        let (folder, git) = repository("files").await;
        let heads = folder.path().join(".git/refs/heads");
        symlink("loop", heads.join("loop")).unwrap();
        fs::write(heads.join("long"), "x".repeat(5_000)).unwrap();
        fs::write(heads.join("words"), "no commit").unwrap();
        for name in ["loop", "long", "words"] {
            assert_eq!(find(&git, &format!("refs/heads/{name}")).await.unwrap(), None, "{name}");
        }
        assert_eq!(refs_below(&git, "refs/heads").await.unwrap(), ["refs/heads/main"]);
    }

    #[tokio::test]
    async fn a_commit_that_cannot_be_read_is_not_taken_for_none() {
        let (folder, git) = repository("files").await;
        git.run("detach", &["checkout", "-q", "--detach"]).await.unwrap();
        let commit = find(&git, "HEAD").await.unwrap().unwrap();
        let object = folder.path().join(".git/objects").join(&commit[..2]).join(&commit[2..]);
        fs::remove_file(&object).unwrap();
        symlink(&object, &object).unwrap();
        assert!(find(&git, "HEAD").await.is_err());
    }
}
