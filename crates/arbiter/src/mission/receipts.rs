//! Translates trees and check results of `workspace` into the mind's types.

use std::sync::Arc;
use std::time::Duration;

use mind::talk::{CheckStatus, Receipt};
use workspace::{Check, Exit, ProofCheckout, WorkspaceError, Written};

/// The clone as the mind knows it.
pub fn tree(tree: workspace::ObservedTree) -> mind::session::CloneTree {
    mind::session::CloneTree {
        commit: Arc::from(tree.commit),
        dirty: tree.dirty,
        fingerprint: Arc::from(tree.fingerprint),
    }
}

/// Runs a check on a commit and writes its receipt. Only the receipt says whether it passed.
pub async fn run(
    stand: &ProofCheckout,
    argv: Vec<String>,
    limit: Duration,
) -> Result<Receipt, WorkspaceError> {
    let check = Check::parse(Written::Argv(argv))?;
    let ran = workspace::run_check(stand, &check, limit).await?;
    let status = match (ran.moved_to, ran.status) {
        (Some(moved), _) => CheckStatus::Failed(format!("HEAD moved to {moved} while it ran")),
        (None, Exit::Code(code)) => CheckStatus::Exited(code),
        (None, Exit::Signal(signal)) => CheckStatus::Signalled(signal),
        (None, Exit::TimedOut) => CheckStatus::TimedOut,
        (None, Exit::NotFound) => CheckStatus::Failed("there is no such program".to_owned()),
        (None, Exit::NotStarted(why)) => CheckStatus::Failed(why),
    };
    Ok(Receipt {
        argv: ran.argv,
        commit: Arc::from(ran.commit),
        status,
        duration_ms: ran.duration_ms,
        output_digest: Arc::from(ran.output_digest),
        output_tail: Arc::from(ran.output_tail),
    })
}
