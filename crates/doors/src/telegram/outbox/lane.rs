//! One chat of the outbox: its errands in order, one of them in the air. A newer screen of a message replaces one that waits,
//! and a message that took another one's place is written to in its stead.

use std::collections::VecDeque;
use std::mem;
use std::time::Duration;

use super::errand::{Answered, Before, Errand, News};
use crate::limits::{OUTBOX_CHAT_MAX, OUTBOX_SUCCESSORS_MAX, OUTBOX_UNREADABLE_MAX, PAUSE_FIRST, PAUSE_MAX};
use crate::telegram::backoff::pause;
use crate::telegram::effect::ChatOutcome;
use crate::telegram::screen::{ChatScreen, ScreenKey};
use crate::telegram::wire::{ApiTrouble, ChatId, MessageId};

#[derive(Debug, Default)]
pub(super) struct Lane {
    waiting: VecDeque<Errand>,
    flying: Option<Errand>,
    /// Nothing is sent before this time.
    not_before: Duration,
    failures: u32,
    /// How many answers in a row could not be read.
    unreadable: u32,
    /// Messages, and those that took their place: the desk may not know yet.
    successors: VecDeque<(MessageId, MessageId)>,
}

/// What came of a request, besides news.
#[derive(Debug, PartialEq)]
pub(super) enum LaneEnd {
    GoesOn,
    /// The chat has another number now.
    Moved(ChatId),
}

impl Lane {
    /// Takes an errand; what had to give way for it is returned.
    pub(super) fn push(&mut self, errand: Errand) -> Option<Errand> {
        let errand = self.addressed(errand);
        if let Errand::Edit { message, key, screen } = &errand
            && let Some((old_key, old_screen)) = self.shown_by_waiting(*message)
        {
            (*old_key, *old_screen) = (key.clone(), screen.clone());
            return None;
        }
        self.waiting.push_back(errand);
        if self.waiting.len() > OUTBOX_CHAT_MAX { self.waiting.pop_front() } else { None }
    }

    /// The errand whose time has come.
    pub(super) fn next(&mut self, now: Duration) -> Option<Errand> {
        if self.flying.is_some() || now < self.not_before {
            return None;
        }
        let errand = self.waiting.pop_front()?;
        let errand = self.addressed(errand);
        self.flying = Some(errand.clone());
        Some(errand)
    }

    /// When its next errand may be sent; none if it has none, or waits for an answer.
    pub(super) fn wakes_at(&self) -> Option<Duration> {
        (self.flying.is_none() && !self.waiting.is_empty()).then_some(self.not_before)
    }

    pub(super) fn is_idle(&self) -> bool {
        self.flying.is_none() && self.waiting.is_empty()
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len() + usize::from(self.flying.is_some())
    }

    /// Takes the answer to what was in the air.
    pub(super) fn done(
        &mut self,
        chat: ChatId,
        answered: Answered,
        now: Duration,
        dice: u64,
        news: &mut Vec<News>,
    ) -> LaneEnd {
        let Some(errand) = self.flying.take() else { return LaneEnd::GoesOn };
        let (failures, unreadable) = (mem::take(&mut self.failures), mem::take(&mut self.unreadable));
        match answered {
            Ok(message) => self.succeeded(chat, errand, message, news),
            Err(ApiTrouble::NotModified | ApiTrouble::TapTooOld) => self.succeeded(chat, errand, None, news),
            Err(ApiTrouble::RetryAfter(wait)) => {
                self.not_before = now + wait;
                self.again(errand);
            }
            Err(ApiTrouble::MessageGone) => self.gone(chat, errand, news),
            Err(ApiTrouble::Undeletable) => self.undeletable(chat, errand, news),
            Err(trouble @ (ApiTrouble::Blocked(_) | ApiTrouble::NoChat)) => {
                let dropped = mem::take(&mut self.waiting).len();
                let why = trouble.to_string();
                if dropped > 0 {
                    news.push(News::trouble(format!("{why}; messages that are dropped: {dropped}")));
                }
                news.push(News::Outcome(ChatOutcome::Lost { chat, why }));
            }
            Err(ApiTrouble::Migrated(to)) => {
                self.again(errand);
                return LaneEnd::Moved(to);
            }
            Err(trouble @ ApiTrouble::Rejected(_)) => refused(chat, &trouble, news),
            Err(trouble @ ApiTrouble::Unreadable(_)) => {
                self.unreadable = unreadable + 1;
                match self.unreadable >= OUTBOX_UNREADABLE_MAX {
                    true => refused(chat, &trouble, news),
                    false => self.failed(errand, failures, now, dice),
                }
            }
            // The poll tells what is wrong with the token and with the updates; here all of these pass.
            Err(
                ApiTrouble::Server(_)
                | ApiTrouble::Unreachable(_)
                | ApiTrouble::TimedOut
                | ApiTrouble::Unauthorized
                | ApiTrouble::Conflict { .. },
            ) => self.failed(errand, failures, now, dice),
        }
        LaneEnd::GoesOn
    }

    /// What waits, for a chat that is another one now: its messages are not there.
    pub(super) fn moved(&mut self) -> Vec<Errand> {
        let errands = mem::take(&mut self.waiting).into_iter();
        let sent_anew = errands.filter_map(|errand| match errand {
            Errand::Edit { key, screen, .. } => {
                Some(Errand::Send { key, screen, before: Before::Nothing, is_silent: true })
            }
            Errand::Send { key, screen, is_silent, .. } => {
                Some(Errand::Send { key, screen, before: Before::Nothing, is_silent })
            }
            Errand::TakeAway { .. } | Errand::StripButtons { .. } => None,
        });
        sent_anew.collect()
    }

    fn succeeded(&mut self, chat: ChatId, errand: Errand, made: Option<MessageId>, news: &mut Vec<News>) {
        // The desk knows what it edited.
        let Errand::Send { key, before, .. } = errand else { return };
        let Some(message) = made else { return };
        let instead_of = match before {
            Before::Nothing => None,
            Before::Gone(old) => {
                self.succeeds(old, message);
                Some(old)
            }
            Before::Stands(old) => {
                self.waiting.push_front(Errand::TakeAway { message: old });
                Some(old)
            }
        };
        news.push(News::Outcome(ChatOutcome::Shown { chat, message, key, instead_of }));
    }

    /// The message is not there. What it was to show is sent anew; a message that was to go is gone.
    fn gone(&mut self, chat: ChatId, errand: Errand, news: &mut Vec<News>) {
        match errand {
            Errand::Edit { message, key, screen } => {
                let before = Before::Gone(message);
                self.again(Errand::Send { key, screen, before, is_silent: true });
            }
            Errand::Send { .. } => refused(chat, &ApiTrouble::MessageGone, news),
            Errand::TakeAway { .. } | Errand::StripButtons { .. } => {}
        }
    }

    fn undeletable(&mut self, chat: ChatId, errand: Errand, news: &mut Vec<News>) {
        match errand {
            Errand::TakeAway { message } => self.waiting.push_front(Errand::StripButtons { message }),
            Errand::Edit { .. } | Errand::Send { .. } | Errand::StripButtons { .. } => {
                refused(chat, &ApiTrouble::Undeletable, news);
            }
        }
    }

    /// It is sent again. A message whose answer was lost can come to be there twice; none comes to be nowhere.
    fn failed(&mut self, errand: Errand, failures: u32, now: Duration, dice: u64) {
        self.failures = failures.saturating_add(1);
        self.not_before = now + pause(PAUSE_FIRST, PAUSE_MAX, self.failures, dice);
        self.again(errand);
    }

    /// It is the next one again, unless a newer screen of its message has come meanwhile.
    fn again(&mut self, errand: Errand) {
        let message = match &errand {
            Errand::Edit { message, .. } => Some(*message),
            Errand::Send { before: Before::Gone(message), .. } => Some(*message),
            Errand::Send { .. } | Errand::TakeAway { .. } | Errand::StripButtons { .. } => None,
        };
        let newer = message.and_then(|message| self.take_newer(message));
        let errand = match (errand, newer) {
            (Errand::Edit { message, .. }, Some((key, screen))) => Errand::Edit { message, key, screen },
            (Errand::Send { before, is_silent, .. }, Some((key, screen))) => {
                Errand::Send { key, screen, before, is_silent }
            }
            (errand, _) => errand,
        };
        self.waiting.push_front(errand);
    }

    fn take_newer(&mut self, message: MessageId) -> Option<(ScreenKey, ChatScreen)> {
        let is_newer = |errand: &Errand| matches!(errand, Errand::Edit { message: of, .. } if *of == message);
        let at = self.waiting.iter().position(is_newer)?;
        match self.waiting.remove(at) {
            Some(Errand::Edit { key, screen, .. }) => Some((key, screen)),
            Some(Errand::Send { .. } | Errand::TakeAway { .. } | Errand::StripButtons { .. }) | None => None,
        }
    }

    /// What a waiting errand would show in the place of this message.
    fn shown_by_waiting(&mut self, wanted: MessageId) -> Option<(&mut ScreenKey, &mut ChatScreen)> {
        self.waiting.iter_mut().find_map(|errand| match errand {
            Errand::Edit { message, key, screen } if *message == wanted => Some((key, screen)),
            Errand::Send { key, screen, before: Before::Gone(message), .. } if *message == wanted => {
                Some((key, screen))
            }
            Errand::Edit { .. }
            | Errand::Send { .. }
            | Errand::TakeAway { .. }
            | Errand::StripButtons { .. } => None,
        })
    }

    fn succeeds(&mut self, old: MessageId, new: MessageId) {
        self.successors.push_back((old, new));
        if self.successors.len() > OUTBOX_SUCCESSORS_MAX {
            self.successors.pop_front();
        }
    }

    /// The errand for the message that stands where the named one stood.
    fn addressed(&self, mut errand: Errand) -> Errand {
        match &mut errand {
            Errand::Edit { message, .. } | Errand::Send { before: Before::Stands(message), .. } => {
                // They are kept in the order in which they came, so one pass follows them all.
                for (old, new) in &self.successors {
                    if old == message {
                        *message = *new;
                    }
                }
            }
            Errand::Send { .. } | Errand::TakeAway { .. } | Errand::StripButtons { .. } => {}
        }
        errand
    }
}

fn refused(chat: ChatId, trouble: &ApiTrouble, news: &mut Vec<News>) {
    let why = trouble.to_string();
    news.push(News::trouble(format!("a message is dropped: {why}")));
    news.push(News::Outcome(ChatOutcome::Refused { chat, why }));
}
