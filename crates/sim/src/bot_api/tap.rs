//! Taps: each has an id that can be answered once, and not too late.

use std::collections::BTreeMap;
use std::time::Duration;

use super::refusal::ApiRefusal;

/// A tap on a button, and what the person saw of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TapRecord {
    pub id: String,
    pub user: i64,
    pub chat: i64,
    pub message: i64,
    pub data: String,
    /// By the server's clock, in milliseconds.
    pub at_ms: u64,
    /// The answer; none while the button spins.
    pub answer: Option<TapAnswer>,
}

/// What the bot answered to a tap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TapAnswer {
    /// Shown for a moment, if there is one.
    pub text: String,
    /// It has to be closed.
    pub is_alert: bool,
    pub at_ms: u64,
}

#[derive(Debug)]
pub(super) struct TapBook {
    patience: Duration,
    taps: BTreeMap<String, TapRecord>,
    last: u64,
}

impl TapBook {
    pub(super) fn new(patience: Duration) -> TapBook {
        TapBook { patience, taps: BTreeMap::new(), last: 0 }
    }

    /// Keeps a tap and gives it an id: a number of 64 bits as text, as the real ones are.
    pub(super) fn add(&mut self, mut tap: TapRecord) -> String {
        self.last += 1;
        tap.id = (4_016_000_000_000_000_000 + self.last).to_string();
        let id = tap.id.clone();
        self.taps.insert(id.clone(), tap);
        id
    }

    /// `fail_query_with_error`: QUERY_ID_INVALID. How long a tap waits, and that it takes one answer, is unverified.
    pub(super) fn answer(&mut self, id: &str, answer: TapAnswer) -> Result<(), ApiRefusal> {
        let patience = u64::try_from(self.patience.as_millis()).unwrap_or(u64::MAX);
        let is_open =
            |tap: &&mut TapRecord| tap.answer.is_none() && answer.at_ms.saturating_sub(tap.at_ms) <= patience;
        match self.taps.get_mut(id).filter(is_open) {
            Some(tap) => tap.answer = Some(answer),
            None => {
                let text = "query is too old and response timeout expired or query ID is invalid";
                return Err(ApiRefusal::bad(text));
            }
        }
        Ok(())
    }

    pub(super) fn get(&self, id: &str) -> Option<TapRecord> {
        self.taps.get(id).cloned()
    }

    pub(super) fn all(&self) -> Vec<TapRecord> {
        self.taps.values().cloned().collect()
    }
}
