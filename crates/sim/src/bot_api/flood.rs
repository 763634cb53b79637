//! How often a bot may write, when a test wants it to matter. The numbers are those of core.telegram.org/bots/faq ("My bot is
//! hitting limits"); that edits count like messages, and how long one has to wait, is unverified.

use std::collections::{BTreeMap, VecDeque};

use super::limits::{BOT_PER_SECOND, CHAT_BURST, GROUP_PER_MINUTE};

#[derive(Debug, Default)]
pub(super) struct FloodControl {
    pub(super) is_on: bool,
    chats: BTreeMap<i64, VecDeque<u64>>,
    all: VecDeque<u64>,
}

impl FloodControl {
    /// Counts a message to a chat, or says after how many seconds it may be sent.
    pub(super) fn send(&mut self, chat: i64, now_ms: u64) -> Result<(), u64> {
        if !self.is_on {
            return Ok(());
        }
        let of_chat = self.chats.entry(chat).or_default();
        let (window_ms, most) =
            if chat < 0 { (60_000, GROUP_PER_MINUTE) } else { (1_000 * CHAT_BURST as u64, CHAT_BURST) };
        for (sent, window_ms, most) in [(&*of_chat, window_ms, most), (&self.all, 1_000, BOT_PER_SECOND)] {
            let recent = sent.iter().filter(|at| now_ms < **at + window_ms);
            // The oldest one that has to be forgotten first.
            if recent.clone().count() >= most
                && let Some(oldest) = recent.clone().next()
            {
                return Err((oldest + window_ms - now_ms).div_ceil(1_000).max(1));
            }
        }
        for sent in [of_chat, &mut self.all] {
            sent.retain(|at| now_ms < at + 60_000);
            sent.push_back(now_ms);
        }
        Ok(())
    }
}
