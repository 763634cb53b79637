//! From the workshop's words to the mind's: trees and receipts.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mind::talk::{CheckStatus, Receipt};
use providers::workshop::{self, Check, Exit, WorkshopError, Written};

/// The clone as the mind knows it.
pub fn tree(tree: workshop::Tree) -> mind::session::Tree {
    mind::session::Tree {
        commit: Arc::from(tree.commit),
        dirty: tree.dirty,
        fingerprint: Arc::from(tree.fingerprint),
    }
}

/// Runs a check and writes its receipt. It proves something only if it ran on `commit` and on nothing else.
pub async fn run(
    folder: &Path,
    argv: Vec<String>,
    limit: Duration,
    commit: &str,
) -> Result<Receipt, WorkshopError> {
    let check = Check::parse(Written::Argv(argv))?;
    let ran = workshop::run_check(folder, &check, limit).await?;
    let status = if ran.commit != commit {
        CheckStatus::Failed(format!("the clone stands at {}, not at {commit}", ran.commit))
    } else if !ran.tree_clean {
        CheckStatus::Failed("the clone has changes that are not committed".to_owned())
    } else if let Some(moved) = ran.moved_to {
        CheckStatus::Failed(format!("the clone moved to {moved} while it ran"))
    } else {
        match ran.status {
            Exit::Code(code) => CheckStatus::Exited(code),
            Exit::Signal(signal) => CheckStatus::Signalled(signal),
            Exit::TimedOut => CheckStatus::TimedOut,
            Exit::NotFound => CheckStatus::Failed("there is no such program".to_owned()),
            Exit::NotStarted(why) => CheckStatus::Failed(why),
        }
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
