//! Earlier messages, taken up again. What is made of one of them is kept until something is sent: leafing through them
//! loses nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The slot of what has not been said yet.
pub const UNSENT: usize = usize::MAX;

/// Where one is among the earlier messages.
#[derive(Debug, Clone)]
pub struct Recall {
    messages: Vec<Arc<str>>,
    slot: usize,
    /// What was typed in a slot and is not on the screen now.
    kept: BTreeMap<usize, String>,
}

impl Default for Recall {
    fn default() -> Self {
        Recall { messages: Vec::new(), slot: UNSENT, kept: BTreeMap::new() }
    }
}

impl Recall {
    /// Which message is on the screen.
    pub fn slot(&self) -> usize {
        self.slot
    }

    /// What has not been said yet and is not on the screen.
    pub fn unsent(&self) -> Option<String> {
        self.kept.get(&UNSENT).filter(|_| self.slot != UNSENT).cloned()
    }

    /// Another one is on the screen: a change was taken back.
    pub fn stand(&mut self, slot: usize) {
        self.slot = slot;
    }

    /// The message before, if there is one; `now` is what is on the screen.
    pub fn older(&mut self, now: &str, history: &dyn Fn() -> Vec<Arc<str>>) -> Option<String> {
        if self.slot == UNSENT {
            self.messages = history();
            // Said twice is worth one step.
            self.messages.dedup();
        }
        let slot = self.slot.min(self.messages.len()).checked_sub(1)?;
        Some(self.go(slot, now))
    }

    /// The message after, at last what has not been said yet.
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
