//! Runs one check on one commit and records what happened in a receipt, the only evidence for "done".

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::blame::is_lack;
use super::check::Check;
use super::error::WorkspaceError;
use super::git::Git;
use super::limits::CHECK_ROOM_BYTES_MIN;
use super::objects::object_folders;
use super::process::{Exit, Job, run};
use super::proof::{ProofCheckout, stand_at};
use super::refs::find;
use sandbox::MISSION;

/// The record of one check that we ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckRun {
    pub argv: Vec<String>,
    /// The commit it ran on, and nothing else.
    pub commit: String,
    /// The commit at HEAD afterwards, if the check changed it: then it is not known what was checked.
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

/// A check that could not be started for want of something, or that failed on a full disk, says nothing about the commit.
fn refuse_machine_fault(job: &Job, status: &Exit) -> Result<(), WorkspaceError> {
    match status {
        Exit::NotStarted(why) if is_lack(why) => {
            let doing = format!("start the check `{}`", job.argv.join(" "));
            Err(WorkspaceError::Git { doing, said: why.clone() })
        }
        Exit::Code(0) => Ok(()),
        Exit::Code(_) | Exit::Signal(_) | Exit::TimedOut | Exit::NotFound | Exit::NotStarted(_) => {
            let room = rustix::fs::statvfs(&job.folder);
            match room.map(|room| room.f_bavail.saturating_mul(room.f_frsize)) {
                Ok(bytes) if bytes < CHECK_ROOM_BYTES_MIN => Err(WorkspaceError::Disk {
                    path: job.folder.clone(),
                    source: io::ErrorKind::StorageFull.into(),
                }),
                Ok(_) | Err(_) => Ok(()),
            }
        }
    }
}

/// Puts the proof folder at the commit and runs `check` there. An error means that there was no commit to run it on; a
/// failed check is a receipt.
pub async fn run_check(
    stand: &ProofCheckout,
    check: &Check,
    time_limit: Duration,
) -> Result<CheckRun, WorkspaceError> {
    stand_at(stand).await?;
    let sandbox = match &stand.site {
        Some(site) => {
            let borrowed = object_folders(&site.project);
            let sandbox =
                site.for_commands(&stand.folder, &borrowed).map_err(|why| WorkspaceError::Unheld { why })?;
            Some(Arc::new(sandbox))
        }
        None => None,
    };
    let job = Job {
        argv: check.argv().to_vec(),
        folder: stand.folder.clone(),
        environment: vec![("CI".into(), "true".into()), (MISSION.into(), stand.mission.clone())],
        time_limit,
        sandbox: sandbox.clone(),
    };
    let finished = run(&job).await;
    refuse_machine_fault(&job, &finished.status)?;
    let git = Git::among_names(&stand.folder)?.caged(sandbox.as_ref());
    // The check has run. What cannot be read for a moment is read once more, and the check is not made again for it.
    let after = match find(&git, "HEAD").await {
        Err(_) => find(&git, "HEAD").await?,
        found => found?,
    };
    let after = after.unwrap_or_else(|| "no commit".to_owned());
    Ok(CheckRun {
        argv: job.argv,
        commit: stand.commit.clone(),
        moved_to: (after != stand.commit).then_some(after),
        status: finished.status,
        duration_ms: finished.duration_ms,
        output_bytes: finished.output_bytes,
        output_digest: finished.output_digest,
        output_tail: finished.output_tail,
    })
}
