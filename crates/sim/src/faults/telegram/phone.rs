//! The phone: a chat with the bot, and a person who opens a petition by its link, answers with the first option and submits.
//! A tap that changed nothing for a while is made again, as an impatient person does.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};

use crate::bot_api::{BotApi, BotApiOptions, ChatMessage};
use crate::faults::limits;

pub const ADA: i64 = 93_533_553;
/// What stands in the chat when the petition is submitted.
pub const DONE: &str = "submitted";
const NONE_LEFT: &str = "Nothing waits for you.";
/// The buttons that lead to the end, the last one first.
const WAY: [&str; 6] = ["📤 Submit", "A", "▶️ Continue", "1", "📋 Back to Queue", "🔄 Reload"];
/// The same for one who answers in words, and what stands above the place for them.
const IN_WORDS: [&str; 6] = ["📤 Submit", "Custom", "▶️ Continue", "1", "📋 Back to Queue", "🔄 Reload"];
const ASKED: &str = "Your next message is the answer";
/// The same where the decision is answered already.
const ON: [&str; 4] = ["📤 Submit", "▶️ Continue", "↩️ Back to Plan", "1"];

/// How the person answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewHabit {
    /// With the first option.
    Taps,
    /// In their own words.
    Words,
}

#[derive(Debug)]
pub struct ReviewPhone {
    pub api: BotApi,
    petition: String,
    habit: ReviewHabit,
    last: Mutex<Option<LastTap>>,
}

/// What the person tapped on last, and when.
#[derive(Debug)]
struct LastTap {
    message: i64,
    text: String,
    at: Instant,
}

impl ReviewPhone {
    pub fn new(petition: &str, habit: ReviewHabit) -> io::Result<ReviewPhone> {
        let api = BotApi::start_with(&BotApiOptions::default())?;
        Ok(ReviewPhone { api, petition: petition.to_owned(), habit, last: Mutex::new(None) })
    }

    /// A new phone at the same address, whose person has sent the petition's link before any door is there.
    pub fn begin_anew(&self) {
        self.api.begin_anew();
        *self.last() = None;
        self.api.user(ADA).says(&format!("/start plan_{}", self.petition));
    }

    fn last(&self) -> MutexGuard<'_, Option<LastTap>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Taps or says what leads on, once for each look of the chat.
    pub fn look(&self) {
        let Some(newest) = self.newest() else { return };
        let texts = newest.button_texts();
        let way = match self.habit {
            _ if newest.text.contains("answered by") => &ON[..],
            ReviewHabit::Taps => &WAY,
            ReviewHabit::Words => &IN_WORDS,
        };
        let speaks = newest.text.contains(ASKED);
        let button = way.iter().find_map(|way| texts.iter().find(|text| is_button(text, way)));
        let Some(button) = button.filter(|_| !speaks).or(texts.first().filter(|_| speaks)) else { return };
        let mut last = self.last();
        let is_new = last.as_ref().is_none_or(|last| {
            last.message != newest.id || last.text != newest.text || last.at.elapsed() > limits::TAP_PATIENCE
        });
        if is_new {
            match speaks {
                true => _ = self.api.user(ADA).says("neither\nof /them"),
                false => _ = self.api.user(ADA).taps(newest.id, button),
            }
            *last = Some(LastTap { message: newest.id, text: newest.text.clone(), at: Instant::now() });
        }
    }

    /// Whether the chat shows that the petition is submitted, or that it waits no longer.
    pub fn is_done(&self) -> bool {
        self.newest().is_some_and(|newest| newest.text.contains(DONE) || newest.text.contains(NONE_LEFT))
    }

    /// Whether any look of the chat had these words.
    pub fn has_seen(&self, words: &str) -> bool {
        self.messages().iter().any(|message| {
            message.text.contains(words) || message.earlier.iter().any(|version| version.text.contains(words))
        })
    }

    pub fn shown(&self) -> String {
        self.newest().map_or_else(|| "nothing".to_owned(), |newest| newest.text)
    }

    fn newest(&self) -> Option<ChatMessage> {
        self.messages().pop()
    }

    fn messages(&self) -> Vec<ChatMessage> {
        if self.api.has_chat(ADA) { self.api.chat(ADA).from_bot() } else { Vec::new() }
    }
}

fn is_button(text: &str, way: &str) -> bool {
    text == way || (way.chars().count() > 2 && text.contains(way))
}

/// Asks the door to stop, by the number that it wrote down, unless it was asked already; one that is gone is let be.
pub fn stop(lock: &Path, asked: &mut Option<Pid>) {
    let pid = fs::read_to_string(lock).ok().and_then(|text| text.trim().parse().ok()).and_then(Pid::from_raw);
    let Some(pid) = pid.filter(|pid| *asked != Some(*pid)) else { return };
    let line = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero()));
    if line.is_ok_and(|line| line.ends_with(b"\0serve\0")) {
        // It may have gone meanwhile.
        let _ = kill_process(pid, Signal::TERM);
        *asked = Some(pid);
    }
}
