//! The ledger: one line for everything that happened to a petition, chained by hashes. Nothing is ever taken out of it.

use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{By, Change, PetitionId};
use serde::{Deserialize, Serialize};

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its number, counted from 1.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// Which petition.
    pub petition: PetitionId,
    /// What happened.
    #[serde(flatten)]
    pub change: Change,
    /// Who did it.
    pub by: By,
    /// Through which door: terminal, telegram, web, cli, mcp, file, policy.
    pub door: Arc<str>,
    /// The SHA-256 of the line before, as it stands; of nothing for the first.
    pub prev: Arc<str>,
}

/// What `audit verify` found wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discrepancy {
    /// Where: a line of the ledger, or a petition's file.
    pub place: String,
    /// What is wrong there.
    pub what: String,
}
