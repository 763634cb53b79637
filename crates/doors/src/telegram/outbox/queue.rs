//! Whose turn it is: taps at once, chats beside one another, each chat in order. It has no clock and no network: time and dice
//! come in as values.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::time::Duration;

use super::errand::{Answered, Before, Errand, News, Request, Turn};
use super::lane::{Lane, LaneEnd};
use crate::limits::{
    OUTBOX_CHAT_MAX, OUTBOX_CHATS_AT_ONCE, OUTBOX_CHATS_KEPT, OUTBOX_TAP_TIME_MAX, OUTBOX_TAPS_AT_ONCE,
    OUTBOX_TAPS_MAX, PAUSE_FIRST, PAUSE_MAX, TAP_TEXT_CHARS_MAX,
};
use crate::telegram::backoff::pause;
use crate::telegram::effect::{ChatEffect, ChatOutcome};
use crate::telegram::wire::{ApiTrouble, ChatId};

/// What is to be sent.
#[derive(Debug, Default)]
pub(super) struct OutboxQueue {
    lanes: BTreeMap<ChatId, Lane>,
    /// The chat whose turn was last.
    last: Option<ChatId>,
    chats_flying: usize,
    taps: BTreeMap<u64, TapAnswer>,
    taps_flying: usize,
    next_tap: u64,
    /// Groups that became other chats, as far as the desk may not know it yet.
    moved: BTreeMap<ChatId, ChatId>,
}

#[derive(Debug)]
struct TapAnswer {
    tap: String,
    text: Option<String>,
    is_alert: bool,
    since: Duration,
    not_before: Duration,
    failures: u32,
    is_flying: bool,
}

impl OutboxQueue {
    /// Takes an effect; what had to give way for it is told.
    pub(super) fn push(&mut self, effect: ChatEffect, now: Duration) -> Vec<News> {
        match effect {
            ChatEffect::AnswerTap { tap, text, is_alert } => {
                let text = text.map(|text| shortened(&text));
                let (since, not_before) = (now, now);
                let answer =
                    TapAnswer { tap, text, is_alert, since, not_before, failures: 0, is_flying: false };
                self.taps.insert(self.next_tap, answer);
                self.next_tap += 1;
                if self.taps.len() > OUTBOX_TAPS_MAX { self.drop_tap() } else { Vec::new() }
            }
            ChatEffect::Edit { chat, message, key, screen } => {
                match self.moved.contains_key(&chat) {
                    // The message stayed behind in the chat that was.
                    true => self.push_errand(
                        chat,
                        Errand::Send { key, screen, before: Before::Nothing, is_silent: true },
                    ),
                    false => self.push_errand(chat, Errand::Edit { message, key, screen }),
                }
            }
            ChatEffect::Send { chat, key, screen, replaces, is_silent } => {
                let before = replaces.filter(|_| !self.moved.contains_key(&chat));
                let before = before.map_or(Before::Nothing, Before::Stands);
                self.push_errand(chat, Errand::Send { key, screen, before, is_silent })
            }
        }
    }

    fn push_errand(&mut self, chat: ChatId, errand: Errand) -> Vec<News> {
        let chat = self.moved.get(&chat).copied().unwrap_or(chat);
        match self.lane(chat).push(errand) {
            // A message that has a successor: its buttons stay.
            None | Some(Errand::TakeAway { .. } | Errand::StripButtons { .. }) => Vec::new(),
            Some(Errand::Edit { .. } | Errand::Send { .. }) => {
                let why = format!("more than {OUTBOX_CHAT_MAX} messages wait for this chat");
                let note = News::trouble(format!("the oldest message is dropped: {why}"));
                vec![note, News::Outcome(ChatOutcome::Refused { chat, why })]
            }
        }
    }

    fn lane(&mut self, chat: ChatId) -> &mut Lane {
        if self.lanes.len() >= OUTBOX_CHATS_KEPT && !self.lanes.contains_key(&chat) {
            self.lanes.retain(|_, lane| !lane.is_idle());
        }
        self.lanes.entry(chat).or_default()
    }

    fn drop_tap(&mut self) -> Vec<News> {
        let oldest = self.taps.iter().find(|(_, tap)| !tap.is_flying).map(|(number, _)| *number);
        oldest.and_then(|number| self.taps.remove(&number));
        vec![News::trouble(format!(
            "more than {OUTBOX_TAPS_MAX} taps wait for an answer: the oldest is dropped"
        ))]
    }

    /// A request whose time has come.
    pub(super) fn next(&mut self, now: Duration) -> Option<(Turn, Request)> {
        self.next_tap(now).or_else(|| self.next_chat(now))
    }

    fn next_tap(&mut self, now: Duration) -> Option<(Turn, Request)> {
        if self.taps_flying >= OUTBOX_TAPS_AT_ONCE {
            return None;
        }
        let ready = self.taps.iter_mut().find(|(_, tap)| !tap.is_flying && tap.not_before <= now);
        let (number, answer) = ready?;
        answer.is_flying = true;
        self.taps_flying += 1;
        let (tap, text) = (answer.tap.clone(), answer.text.clone());
        Some((Turn::Tap(*number), Request::AnswerTap { tap, text, is_alert: answer.is_alert }))
    }

    fn next_chat(&mut self, now: Duration) -> Option<(Turn, Request)> {
        if self.chats_flying >= OUTBOX_CHATS_AT_ONCE {
            return None;
        }
        // The turn goes round: a chat with much to say holds up no other.
        let after = self.last.map_or(Bound::Unbounded, Bound::Excluded);
        let upto = self.last.map_or(Bound::Excluded(ChatId(i64::MIN)), Bound::Included);
        let later: Vec<_> = self.lanes.range((after, Bound::Unbounded)).map(|(chat, _)| *chat).collect();
        let earlier = self.lanes.range((Bound::Unbounded, upto)).map(|(chat, _)| *chat);
        let order: Vec<_> = later.into_iter().chain(earlier).collect();
        let (chat, errand) = order.into_iter().find_map(|chat| {
            let errand = self.lanes.get_mut(&chat)?.next(now)?;
            Some((chat, errand))
        })?;
        self.last = Some(chat);
        self.chats_flying += 1;
        Some((Turn::Chat(chat), Request::Chat { chat, errand }))
    }

    /// Takes the answer to a request.
    pub(super) fn done(&mut self, turn: Turn, answered: Answered, now: Duration, dice: u64) -> Vec<News> {
        let mut news = Vec::new();
        match turn {
            Turn::Tap(number) => {
                self.taps_flying -= 1;
                self.tap_done(number, answered, now, dice, &mut news);
            }
            Turn::Chat(chat) => {
                self.chats_flying -= 1;
                let end = match self.lanes.get_mut(&chat) {
                    Some(lane) => lane.done(chat, answered, now, dice, &mut news),
                    None => LaneEnd::GoesOn,
                };
                match end {
                    LaneEnd::GoesOn => {}
                    LaneEnd::Moved(to) => self.moves(chat, to, &mut news),
                }
            }
        }
        news
    }

    fn tap_done(&mut self, number: u64, answered: Answered, now: Duration, dice: u64, news: &mut Vec<News>) {
        let Some(mut tap) = self.taps.remove(&number) else { return };
        let wait = match answered {
            Ok(_) | Err(ApiTrouble::TapTooOld) => return,
            Err(ApiTrouble::RetryAfter(wait)) => wait,
            Err(
                ApiTrouble::Server(_)
                | ApiTrouble::Unreachable(_)
                | ApiTrouble::TimedOut
                | ApiTrouble::Unreadable(_),
            ) => {
                tap.failures = tap.failures.saturating_add(1);
                pause(PAUSE_FIRST, PAUSE_MAX, tap.failures, dice)
            }
            Err(
                trouble @ (ApiTrouble::Unauthorized
                | ApiTrouble::Conflict { .. }
                | ApiTrouble::Blocked(_)
                | ApiTrouble::NoChat
                | ApiTrouble::Migrated(_)
                | ApiTrouble::NotModified
                | ApiTrouble::MessageGone
                | ApiTrouble::Undeletable
                | ApiTrouble::Rejected(_)),
            ) => {
                news.push(News::trouble(format!("a tap is not answered: {trouble}")));
                return;
            }
        };
        if now + wait > tap.since + OUTBOX_TAP_TIME_MAX {
            // Its button has stopped spinning by itself, and the message shows what became of the tap.
            news.push(News::trouble("a tap is not answered: it is too late".to_owned()));
            return;
        }
        (tap.not_before, tap.is_flying) = (now + wait, false);
        self.taps.insert(number, tap);
    }

    fn moves(&mut self, from: ChatId, to: ChatId, news: &mut Vec<News>) {
        let errands = self.lanes.get_mut(&from).map(Lane::moved).unwrap_or_default();
        self.lanes.remove(&from);
        if from == to || self.moved.contains_key(&to) {
            // A chat that moves in a circle is in no place.
            let why = "the group moves in a circle".to_owned();
            news.push(News::trouble(format!("{why}; messages that are dropped: {}", errands.len())));
            news.push(News::Outcome(ChatOutcome::Lost { chat: from, why }));
            return;
        }
        self.moved.values_mut().filter(|chat| **chat == from).for_each(|chat| *chat = to);
        self.moved.insert(from, to);
        if self.moved.len() > OUTBOX_CHATS_KEPT {
            self.moved.pop_first();
        }
        news.push(News::Outcome(ChatOutcome::Moved { from, to }));
        for errand in errands {
            news.extend(self.push_errand(to, errand));
        }
    }

    /// When a request may be sent that cannot be sent now; none if only an answer or an effect changes anything.
    pub(super) fn wakes_at(&self, now: Duration) -> Option<Duration> {
        let taps = self.taps.values().filter(|tap| !tap.is_flying).map(|tap| tap.not_before);
        let lanes = self.lanes.values().filter_map(Lane::wakes_at);
        taps.chain(lanes).filter(|at| *at > now).min()
    }

    /// How many effects are not done.
    pub(super) fn waiting(&self) -> usize {
        self.taps.len() + self.lanes.values().map(Lane::waiting).sum::<usize>()
    }

    /// Whether requests wait for their answers.
    pub(super) fn is_flying(&self) -> bool {
        self.taps_flying + self.chats_flying > 0
    }
}

/// Within Telegram's bound, with a mark where it was cut.
fn shortened(text: &str) -> String {
    match text.chars().nth(TAP_TEXT_CHARS_MAX) {
        None => text.to_owned(),
        Some(_) => text.chars().take(TAP_TEXT_CHARS_MAX - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests;
