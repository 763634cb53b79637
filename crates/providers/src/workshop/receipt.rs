//! Runs one check in the clone and writes down what happened: the only thing that "done" is made of.

use std::path::Path;
use std::time::Duration;

use super::check::Check;
use super::error::WorkshopError;
use super::look::look;
use super::process::{Exit, Job, run};

/// The record of one check that we ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// What ran.
    pub argv: Vec<String>,
    /// The commit it ran on.
    pub commit: String,
    /// Whether the files were exactly that commit when it began.
    pub tree_clean: bool,
    /// The commit at HEAD afterwards, if it was another: then nobody can say what was checked.
    pub moved_to: Option<String>,
    /// How it ended.
    pub status: Exit,
    /// How long it ran.
    pub duration_ms: u64,
    /// How many bytes it wrote.
    pub output_bytes: u64,
    /// The SHA-256 of everything it wrote, in hexadecimal.
    pub output_digest: String,
    /// The beginning and the end of what it wrote.
    pub output_tail: String,
}

impl Receipt {
    /// Whether it proves something: exit status 0, on a commit and nothing else.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        self.status == Exit::Code(0) && self.tree_clean && self.moved_to.is_none()
    }
}

/// Runs `check` in the clone. An error means that the clone could not be looked at; a failed check is a receipt.
pub async fn run_check(
    clone_folder: &Path,
    check: &Check,
    time_limit: Duration,
) -> Result<Receipt, WorkshopError> {
    let before = look(clone_folder).await?;
    let job = Job {
        argv: check.argv().to_vec(),
        folder: clone_folder.to_path_buf(),
        environment: vec![("CI".into(), "true".into())],
        time_limit,
    };
    let finished = run(&job).await;
    let after = look(clone_folder).await?;
    Ok(Receipt {
        argv: job.argv,
        moved_to: (after.commit != before.commit).then_some(after.commit),
        commit: before.commit,
        tree_clean: !before.dirty,
        status: finished.status,
        duration_ms: finished.duration_ms,
        output_bytes: finished.output_bytes,
        output_digest: finished.output_digest,
        output_tail: finished.output_tail,
    })
}
