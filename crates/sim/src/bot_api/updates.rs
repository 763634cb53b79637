//! The queue of updates: numbered, kept until an offset confirms them, for a day at most.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::limits::UPDATE_AGE_MS_MAX;

/// Kinds that are only told to a bot that asks for them by name (core.telegram.org/bots/api#getupdates, `allowed_updates`).
const UNASKED: [&str; 3] = ["chat_member", "message_reaction", "message_reaction_count"];

#[derive(Debug)]
pub(super) struct UpdateQueue {
    next: i64,
    waiting: VecDeque<WaitingUpdate>,
    /// The kinds that are wanted; none for the usual ones.
    allowed: Option<Vec<String>>,
}

#[derive(Debug)]
struct WaitingUpdate {
    id: i64,
    at_ms: u64,
    update: Value,
}

impl UpdateQueue {
    pub(super) fn new() -> UpdateQueue {
        // "Update identifiers start from a certain positive number and increase sequentially" (#update).
        UpdateQueue { next: 727_000_001, waiting: VecDeque::new(), allowed: None }
    }

    /// Keeps an update, if its kind is wanted now; returns its number.
    pub(super) fn push(&mut self, kind: &str, content: Value, now_ms: u64) -> Option<i64> {
        let is_wanted = match &self.allowed {
            Some(kinds) => kinds.iter().any(|wanted| wanted == kind),
            None => !UNASKED.contains(&kind),
        };
        if !is_wanted {
            return None;
        }
        let id = self.next;
        self.next += 1;
        let mut update = json!({ "update_id": id });
        update[kind] = content;
        self.waiting.push_back(WaitingUpdate { id, at_ms: now_ms, update });
        Some(id)
    }

    /// "Specify an empty list to receive all update types except ...; if not specified, the previous setting will be used."
    pub(super) fn allow(&mut self, kinds: &[String]) {
        self.allowed = Some(kinds.to_vec()).filter(|kinds| !kinds.is_empty());
    }

    /// `do_get_updates`: a positive offset confirms all before it, a negative one all but the last ones.
    pub(super) fn take(&mut self, offset: i64, limit: usize, now_ms: u64) -> Vec<Value> {
        self.waiting.retain(|update| now_ms.saturating_sub(update.at_ms) <= UPDATE_AGE_MS_MAX);
        if offset < 0 {
            let keep = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
            let gone = self.waiting.len().saturating_sub(keep);
            self.waiting.drain(..gone);
        }
        // td's TQueue: an offset from the future is answered as none is, and confirms nothing. How far ahead the future begins
        // is unverified.
        if 0 < offset && offset <= self.next + 10 {
            self.waiting.retain(|update| update.id >= offset);
        }
        self.waiting.iter().take(limit).map(|update| update.update.clone()).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }
}
