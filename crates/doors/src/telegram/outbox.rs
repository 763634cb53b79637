//! Sends what the door wants to show: at once where it can, in order in each chat, and again after a failure. It takes every
//! effect without waiting, so a slow chat holds up neither the desk nor another chat.

mod errand;
mod lane;
mod queue;

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::{Id, JoinHandle, JoinSet};
use tokio::time::{Instant, sleep_until};

use self::errand::{Answered, Errand, News, Request, Turn};
use self::queue::OutboxQueue;
use super::effect::{ChatEffect, ChatOutcome};
use super::screen::ChatScreen;
use super::tap::Tap;
use super::wire::types::{InlineButton, InlineKeyboard};
use super::wire::{ApiTrouble, BotClient, MessageText};
use super::{DoorLogger, DoorNote};
use crate::limits::{OUTBOX_EFFECTS_MAX, OUTBOX_FINISH_TIME_MAX, OUTBOX_OUTCOMES_MAX};

/// What the outbox works with.
pub struct OutboxSettings {
    pub client: BotClient,
    /// What a button carries for its tap, within 64 bytes.
    pub tap_data: fn(&Tap) -> String,
    pub log: DoorLogger,
    pub dice: fn() -> u64,
}

/// The outbox at work.
#[derive(Debug)]
pub struct Outbox {
    effects: mpsc::Sender<ChatEffect>,
    task: JoinHandle<()>,
}

impl Outbox {
    /// Begins to send. What came of it is heard from the receiver; while that is not taken, sending stops after some.
    pub fn open(settings: OutboxSettings) -> (Outbox, mpsc::Receiver<ChatOutcome>) {
        let (effects, wanted) = mpsc::channel(OUTBOX_EFFECTS_MAX);
        let (told, outcomes) = mpsc::channel(OUTBOX_OUTCOMES_MAX);
        let sender = Sender {
            settings,
            queue: OutboxQueue::default(),
            began: Instant::now(),
            requests: JoinSet::new(),
            turns: HashMap::new(),
            outcomes: VecDeque::new(),
        };
        (Outbox { effects, task: tokio::spawn(sender.run(wanted, told)) }, outcomes)
    }

    /// Takes an effect. It does not wait for Telegram.
    pub async fn send(&self, effect: ChatEffect) {
        // The task ends after the channel is closed, or by a panic, which `finish` tells.
        let _ = self.effects.send(effect).await;
    }

    /// Waits until what was taken is sent, at most for a bounded time. Outcomes are to be heard meanwhile.
    pub async fn finish(self) {
        drop(self.effects);
        if let Err(error) = self.task.await
            && error.is_panic()
        {
            std::panic::resume_unwind(error.into_panic());
        }
    }
}

/// The task of the outbox.
struct Sender {
    settings: OutboxSettings,
    queue: OutboxQueue,
    began: Instant,
    requests: JoinSet<Answered>,
    turns: HashMap<Id, Turn>,
    /// Those that the desk has not heard yet.
    outcomes: VecDeque<ChatOutcome>,
}

impl Sender {
    async fn run(mut self, mut wanted: mpsc::Receiver<ChatEffect>, told: mpsc::Sender<ChatOutcome>) {
        // When the door closes, this is the time until which it is sent.
        let mut until: Option<Instant> = None;
        loop {
            self.start();
            if until.is_some_and(|until| self.is_finished(until)) {
                break;
            }
            let wakes_at = self.queue.wakes_at(self.now()).map(|at| self.began + at);
            let wakes_at = wakes_at.into_iter().chain(until).min();
            tokio::select! {
                effect = wanted.recv(), if until.is_none() => match effect {
                    Some(effect) => {
                        let news = self.queue.push(effect, self.now());
                        self.tell(news);
                    }
                    None => until = Some(Instant::now() + OUTBOX_FINISH_TIME_MAX),
                },
                Some(joined) = self.requests.join_next_with_id() => {
                    let (id, answered) = match joined {
                        Ok((id, answered)) => (id, answered),
                        Err(error) => (error.id(), Err(ApiTrouble::Unreachable("the request broke off".to_owned()))),
                    };
                    self.done(id, answered);
                }
                permit = told.reserve(), if !self.outcomes.is_empty() => match (permit, self.outcomes.pop_front()) {
                    (Ok(permit), Some(outcome)) => permit.send(outcome),
                    // The desk is gone and hears them no more.
                    (Err(_), _) | (_, None) => self.outcomes.clear(),
                },
                () = sleep_until(wakes_at.unwrap_or_else(Instant::now)), if wakes_at.is_some() => {}
            }
        }
        let waiting = self.queue.waiting();
        if waiting > 0 {
            let text = format!("the door closes; messages that are not sent: {waiting}");
            (self.settings.log)(DoorNote { is_trouble: true, text });
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// Sends what can be sent now.
    fn start(&mut self) {
        while self.outcomes.len() < OUTBOX_OUTCOMES_MAX {
            let Some((turn, request)) = self.queue.next(self.now()) else { return };
            let (client, tap_data) = (self.settings.client.clone(), self.settings.tap_data);
            let task = self.requests.spawn(async move { perform(&client, request, tap_data).await });
            self.turns.insert(task.id(), turn);
        }
    }

    fn done(&mut self, id: Id, answered: Answered) {
        let Some(turn) = self.turns.remove(&id) else { return };
        let news = self.queue.done(turn, answered, self.now(), (self.settings.dice)());
        self.tell(news);
    }

    fn tell(&mut self, news: Vec<News>) {
        for news in news {
            match news {
                News::Outcome(outcome) => self.outcomes.push_back(outcome),
                News::Note(note) => (self.settings.log)(note),
            }
        }
    }

    /// Whether nothing more comes of waiting until then.
    fn is_finished(&self, until: Instant) -> bool {
        if Instant::now() >= until {
            return true;
        }
        let wakes_at = self.queue.wakes_at(self.now()).map(|at| self.began + at);
        let is_held = wakes_at.is_none_or(|at| at > until);
        let is_full = self.outcomes.len() >= OUTBOX_OUTCOMES_MAX;
        !self.queue.is_flying() && is_held && !is_full && self.outcomes.is_empty()
    }
}

/// Sends one request.
async fn perform(client: &BotClient, request: Request, tap_data: fn(&Tap) -> String) -> Answered {
    let (chat, errand) = match request {
        Request::AnswerTap { tap, text, is_alert } => {
            return client.answer_callback_query(&tap, text.as_deref(), is_alert).await.map(|()| None);
        }
        Request::Chat { chat, errand } => (chat, errand),
    };
    match errand {
        Errand::Edit { message, screen, .. } => {
            let keyboard = keyboard(&screen, tap_data);
            client.edit_message_text(chat, message, text(&screen, &keyboard)).await.map(|()| None)
        }
        Errand::Send { screen, is_silent, .. } => {
            let keyboard = keyboard(&screen, tap_data);
            client.send_message(chat, text(&screen, &keyboard), is_silent).await.map(Some)
        }
        Errand::TakeAway { message } => client.delete_message(chat, message).await.map(|()| None),
        Errand::StripButtons { message } => {
            let none = InlineKeyboard::default();
            client.edit_message_reply_markup(chat, message, &none).await.map(|()| None)
        }
    }
}

fn text<'a>(screen: &'a ChatScreen, keyboard: &'a InlineKeyboard) -> MessageText<'a> {
    MessageText { html: &screen.html, keyboard, asks_for_reply: screen.asks_for_reply }
}

fn keyboard(screen: &ChatScreen, tap_data: fn(&Tap) -> String) -> InlineKeyboard {
    let rows = screen.buttons.iter().map(|row| {
        let buttons = row
            .iter()
            .map(|button| InlineButton { text: button.text.clone(), callback_data: tap_data(&button.tap) });
        buttons.collect()
    });
    InlineKeyboard { inline_keyboard: rows.collect() }
}
