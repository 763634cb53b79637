//! The history of messages. Edits of an earlier message are kept until something is sent.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The slot of the unsent text.
pub const UNSENT: usize = usize::MAX;

/// The position in the history.
#[derive(Debug, Clone)]
pub struct Recall {
    messages: Vec<Arc<str>>,
    slot: usize,
    /// Edited texts of slots that are not on the screen.
    kept: BTreeMap<usize, String>,
}

impl Default for Recall {
    fn default() -> Self {
        Recall { messages: Vec::new(), slot: UNSENT, kept: BTreeMap::new() }
    }
}

impl Recall {
    /// The slot on the screen.
    pub fn slot(&self) -> usize {
        self.slot
    }

    /// The unsent text, if it is not on the screen.
    pub fn unsent(&self) -> Option<String> {
        self.kept.get(&UNSENT).filter(|_| self.slot != UNSENT).cloned()
    }

    /// Moves to another slot, after an undo.
    pub fn stand(&mut self, slot: usize) {
        self.slot = slot;
    }

    /// The message before, if there is one; `now` is what is on the screen.
    pub fn older(&mut self, now: &str, history: &dyn Fn() -> Vec<Arc<str>>) -> Option<String> {
        if self.slot == UNSENT {
            self.messages = history();
            // Equal messages in a row count as one.
            self.messages.dedup();
        }
        let slot = self.slot.min(self.messages.len()).checked_sub(1)?;
        Some(self.go(slot, now))
    }

    /// The message after, and after the last one the unsent text.
    pub fn newer(&mut self, now: &str) -> Option<String> {
        if self.slot == UNSENT {
            return None;
        }
        let next = self.slot + 1;
        Some(self.go(if next < self.messages.len() { next } else { UNSENT }, now))
    }

    fn go(&mut self, slot: usize, now: &str) -> String {
        if self.original(self.slot) == now {
            self.kept.remove(&self.slot);
        } else {
            self.kept.insert(self.slot, now.to_owned());
        }
        self.slot = slot;
        self.kept.get(&slot).map_or_else(|| self.original(slot).to_owned(), String::clone)
    }

    fn original(&self, slot: usize) -> &str {
        self.messages.get(slot).map_or("", |message| message)
    }
}
