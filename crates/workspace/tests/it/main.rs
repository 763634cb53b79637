//! The workshop with real processes and real repositories: nothing is left alive, nothing of the user's is touched.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod changes;
mod check;
mod clone;
// Only there can descendants be found that left their group.
#[cfg(target_os = "linux")]
mod process;
mod proof;
mod receipt;
mod snapshot;
mod snares;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use workspace::{
    Base, Check, CheckRun, MissionClone, ProofCheckout, WorkspaceError, Written, fetch_back, prepare,
    proof_folder, run_check, scratch,
};

/// A user's repository with one commit, and the clone of mission `m1` beside it.
struct House {
    folder: TempDir,
    base: Base,
    clone: MissionClone,
}

impl House {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("source");
        let base = scratch(&source, &[("readme.md", "hello\n"), ("src/lib.rs", "//! x\n")]).await.unwrap();
        let clone = prepare(&source, &base.commit, &folder.path().join("clones/m1"), "m1").await.unwrap();
        Self { folder, base, clone }
    }

    fn source(&self) -> &Path {
        &self.base.root
    }

    async fn fetch_back(&self) -> Result<String, WorkspaceError> {
        fetch_back(self.source(), &self.clone.folder, "m1", None).await
    }

    /// The proof folder at `commit`.
    fn stand(&self, commit: &str) -> ProofCheckout {
        ProofCheckout {
            site: None,
            source: self.source().to_path_buf(),
            folder: proof_folder(&self.clone.folder),
            mission: "m1".into(),
            commit: commit.into(),
        }
    }

    /// Brings the work over and runs a check on it, as the gate does.
    async fn check(&self, words: &[&str]) -> CheckRun {
        let commit = self.fetch_back().await.unwrap();
        let check = Check::parse(Written::Argv(words.iter().map(ToString::to_string).collect())).unwrap();
        run_check(&self.stand(&commit), &check, Duration::from_secs(10)).await.unwrap()
    }
}

/// Git as a person or an agent would run it.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .args(["-c", "user.name=Tester", "-c", "user.email=tester@localhost"])
        .args(arguments);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_string()
}

fn commit(folder: &Path, name: &str, text: &str) -> String {
    std::fs::write(folder.join(name), text).unwrap();
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", name]);
    git(folder, &["rev-parse", "HEAD"])
}
