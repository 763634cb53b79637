//! The receipt of a check that Arbiter itself ran: the command as one line, how it ended in words, how long it took, on
//! which commit.

use std::sync::Arc;

use mind::talk::{CheckStatus, Receipt};
use serde::Serialize;

use crate::clean::clean;
use crate::when;

/// A receipt; programs get it as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ReceiptView {
    pub receipt: Arc<Receipt>,
    /// The argv as one line, without backquotes.
    #[serde(skip)]
    pub check: String,
    #[serde(skip)]
    pub outcome: String,
    #[serde(skip)]
    pub took: String,
    #[serde(skip)]
    pub commit_short: String,
}

impl ReceiptView {
    #[must_use]
    pub fn of(receipt: &Arc<Receipt>) -> ReceiptView {
        ReceiptView {
            check: command_line(&receipt.argv),
            outcome: outcome_words(&receipt.status),
            took: when::took(receipt.duration_ms),
            commit_short: short_commit(&receipt.commit).to_owned(),
            receipt: Arc::clone(receipt),
        }
    }

    /// The whole receipt in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let ReceiptView { check, outcome, took, commit_short, .. } = self;
        format!("`{check}` {outcome} after {took} on commit {commit_short}")
    }
}

/// A command as one line.
#[must_use]
pub fn command_line(argv: &[String]) -> String {
    clean(&argv.join(" ")).replace('\n', " ")
}

/// As much of a commit as people compare.
#[must_use]
pub fn short_commit(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

fn outcome_words(status: &CheckStatus) -> String {
    match status {
        CheckStatus::Exited(0) => "passed (exit 0)".to_owned(),
        CheckStatus::Exited(code) => format!("failed (exit {code})"),
        CheckStatus::Signalled(signal) => format!("was ended by signal {signal}"),
        CheckStatus::TimedOut => "timed out".to_owned(),
        CheckStatus::Failed(why) => format!("could not run: {}", clean(why)),
    }
}
