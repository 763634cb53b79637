//! The desk decides: what an update means, what is done in the docket and in missions, and what is shown of it. It is one
//! thread, so that taps are taken one after the other, and it waits for the docket alone.

mod answering;
mod commands;
mod draw;
mod finding;
mod missions;
mod news;
mod older;
mod reply;
mod tapping;
mod telling;
mod words;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use docket::{Docket, DocketFeed, PetitionFollower, PetitionNews, QueueNews};
use mind::petition::{Petition, PetitionId};
use mind::{MissionId, Timestamp};
use serde_json::value::RawValue;
use tokio::sync::mpsc::UnboundedSender;
use view::queue::{QueueCounts, UnreadableFile};

pub use self::commands::COMMANDS;

use self::reply::Reply;
use super::announce::OpenPetition;
use super::effect::{ChatEffect, ChatOutcome};
use super::fact::DoorFact;
use super::log::Durability;
use super::memory::DoorMemory;
use super::people::People;
use super::screen::{ChatScreen, ScreenKey};
use super::settings::{AllowedPerson, MissionDirectory, TelegramSettings};
use super::wire::types::Update;
use super::wire::{ChatId, MessageId};
use super::{DoorLogger, DoorNote};
use crate::limits;

/// What reaches the desk.
#[derive(Debug)]
pub enum DeskEvent {
    /// An update that is safe on the disk.
    Update {
        update: i64,
        at: Timestamp,
        raw: Box<RawValue>,
    },
    Queue(QueueNews),
    Petition(PetitionNews),
    Outcome(ChatOutcome),
    /// The door closes: what came before is finished first, and then nothing is sent any more.
    Stop,
    /// All that was sent has come to something.
    Settled,
}

/// Where an update comes from.
#[derive(Debug, Clone)]
struct Visit {
    person: AllowedPerson,
    chat: ChatId,
    is_group: bool,
    /// The number of the update, and when it was taken: what it does has a name of its own by these.
    update: i64,
    at: Timestamp,
}

/// A mission as people are told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SeenMission {
    standing: String,
    /// When its newest fact was.
    at: u64,
    parked_until: Option<Timestamp>,
}

/// A message that is on its way.
struct NewMessage {
    chat: ChatId,
    key: ScreenKey,
    banner: Option<String>,
    screen: ChatScreen,
}

pub struct Desk {
    docket: Docket,
    settings: TelegramSettings,
    people: People,
    directory: Arc<dyn MissionDirectory>,
    memory: DoorMemory,
    /// None once the door closes: the outbox ends with the last sender.
    effects: Option<UnboundedSender<ChatEffect>>,
    log: DoorLogger,
    follower: PetitionFollower,
    /// Petitions that news come of.
    followed: BTreeSet<PetitionId>,
    /// The first petitions that wait, how many there are in all, and files that are none, as the feed last told.
    waiting: Vec<Arc<Petition>>,
    unreadable: Vec<UnreadableFile>,
    counts: QueueCounts,
    is_told: bool,
    /// The same petitions, as announcements see them.
    open: Vec<OpenPetition>,
    /// Since when each of them is known here.
    seen: BTreeMap<PetitionId, Timestamp>,
    /// What each message was last told to show, so that news that change nothing are not sent.
    drawn: BTreeMap<(ChatId, MessageId), ChatScreen>,
    /// The line above the screen of each message. It stays until the person does something there.
    banners: BTreeMap<(ChatId, MessageId), String>,
    /// The same for messages that are on their way, whose numbers are not known yet.
    on_their_way: VecDeque<NewMessage>,
    /// Updates whose new messages are not sent yet.
    unsent: VecDeque<(i64, ChatId, ScreenKey)>,
    /// Strangers who were told of in the log.
    turned_away: BTreeSet<i64>,
    /// How each mission was when it was last looked at.
    standings: BTreeMap<MissionId, SeenMission>,
    /// What became of missions after this time is news: an earlier life last reached the server then, or this one began.
    news_since: Timestamp,
    missions_looked: Timestamp,
    /// Chats that show the queue, and are to show it anew.
    queue_moved: bool,
}

/// What a desk works with.
pub struct DeskParts {
    pub settings: TelegramSettings,
    pub docket: Docket,
    pub missions: Arc<dyn MissionDirectory>,
    pub memory: DoorMemory,
    /// When an earlier life last reached the server.
    pub closed_at: Option<Timestamp>,
    pub send: UnboundedSender<ChatEffect>,
    pub log: DoorLogger,
}

impl Desk {
    pub fn new(parts: DeskParts, feed: &DocketFeed, tell: Sender<DeskEvent>) -> Desk {
        let DeskParts { settings, docket, missions, memory, closed_at, send, log } = parts;
        let begun_at = (settings.now)();
        // The desk may have gone already.
        let follower = feed.petitions(move |news| _ = tell.send(DeskEvent::Petition(news)));
        let people = People::new(settings.people.clone());
        Desk {
            docket,
            settings,
            people,
            directory: missions,
            memory,
            effects: Some(send),
            log,
            follower,
            followed: BTreeSet::new(),
            turned_away: BTreeSet::new(),
            waiting: Vec::new(),
            unreadable: Vec::new(),
            counts: QueueCounts::default(),
            is_told: false,
            open: Vec::new(),
            seen: BTreeMap::new(),
            drawn: BTreeMap::new(),
            banners: BTreeMap::new(),
            on_their_way: VecDeque::new(),
            unsent: VecDeque::new(),
            standings: BTreeMap::new(),
            news_since: closed_at
                .map_or(begun_at, |at| Timestamp(at.0.saturating_sub(limits::NEWS_MARGIN_MS))),
            missions_looked: Timestamp(0),
            queue_moved: false,
        }
    }

    /// Serves until it is stopped.
    pub fn run(mut self, events: &Receiver<DeskEvent>) {
        self.follow_what_is_shown();
        self.redraw_all();
        let mut wait = Duration::ZERO;
        loop {
            match events.recv_timeout(wait) {
                Ok(DeskEvent::Stop) | Err(RecvTimeoutError::Disconnected) => return self.close(events),
                Ok(event) => {
                    self.hear_safely(event);
                    // What came meanwhile is taken before anybody is told of anything.
                    while let Ok(event) = events.try_recv() {
                        if matches!(event, DeskEvent::Stop) {
                            return self.close(events);
                        }
                        self.hear_safely(event);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            wait = self.tend();
        }
    }

    /// What was sent is remembered, so that the next start does not send it again; nothing else is heard.
    fn close(mut self, events: &Receiver<DeskEvent>) {
        self.effects = None;
        while let Ok(event) = events.recv() {
            match event {
                DeskEvent::Settled => return,
                DeskEvent::Outcome(_) => self.hear_safely(event),
                DeskEvent::Update { .. } | DeskEvent::Queue(_) | DeskEvent::Petition(_) | DeskEvent::Stop => {
                }
            }
        }
    }

    /// An event that we fall over costs itself and nothing else: the next start would fall over it again.
    fn hear_safely(&mut self, event: DeskEvent) {
        let update = match &event {
            DeskEvent::Update { update, .. } => Some(*update),
            DeskEvent::Queue(_)
            | DeskEvent::Petition(_)
            | DeskEvent::Outcome(_)
            | DeskEvent::Stop
            | DeskEvent::Settled => None,
        };
        if catch_unwind(AssertUnwindSafe(|| self.hear(event))).is_err() {
            self.note(
                true,
                "the door fell over something, and goes on without it; please report it".to_owned(),
            );
            self.keep(&update.map(|update| DoorFact::Handled { update }).into_iter().collect::<Vec<_>>());
        }
    }

    fn hear(&mut self, event: DeskEvent) {
        match event {
            DeskEvent::Update { update, at, raw } => self.take(update, at, &raw),
            DeskEvent::Queue(news) => self.hear_queue(news),
            DeskEvent::Petition(news) => self.hear_petition(news),
            DeskEvent::Outcome(outcome) => self.settle(outcome),
            DeskEvent::Stop | DeskEvent::Settled => {}
        }
    }

    /// Does what an update asks for, and forgets it when nothing of it is left to do.
    fn take(&mut self, update: i64, at: Timestamp, raw: &RawValue) {
        let mut reply = Reply::default();
        match serde_json::from_str::<Update>(raw.get()) {
            Ok(known) => self.understand(known, at, &mut reply),
            Err(_) => self.note(true, format!("update {update} cannot be understood and is left out")),
        }
        let sent: Vec<_> = reply.new_messages().collect();
        if sent.is_empty() {
            reply.facts.push(DoorFact::Handled { update });
        }
        self.unsent.extend(sent.into_iter().map(|(chat, key)| (update, chat, key)));
        self.carry_out(reply);
    }

    fn understand(&mut self, update: Update, at: Timestamp, reply: &mut Reply) {
        let number = update.update_id;
        if let Some(query) = update.callback_query {
            let Some(person) = self.people.find(query.from.id).cloned() else {
                return self.turn_away(query.from.id.0);
            };
            let Some(message) = &query.message else {
                return reply.answer_tap(
                    query.id,
                    Some("This message is too old: send /queue.".to_owned()),
                    true,
                );
            };
            let chat = message.chat.id;
            let visit = Visit { person, chat, is_group: message.chat.is_group(), update: number, at };
            self.reached(&visit, reply);
            return self.tapped(&visit, &query, reply);
        }
        let Some(message) = update.message else { return };
        if let Some(to) = message.migrate_to_chat_id {
            reply.facts.push(DoorFact::Moved { from: message.chat.id, to });
            return;
        }
        let Some(from) = message.from.as_ref().filter(|from| !from.is_bot) else { return };
        let Some(person) = self.people.find(from.id).cloned() else {
            // In a group strangers talk among themselves.
            if !message.chat.is_group() {
                self.turn_away(from.id.0);
            }
            return;
        };
        let visit =
            Visit { person, chat: message.chat.id, is_group: message.chat.is_group(), update: number, at };
        if !visit.is_group && self.memory.read(|state| state.met.get(&visit.person.id) != Some(&visit.chat)) {
            reply.facts.push(DoorFact::Met { user: visit.person.id, chat: visit.chat });
        }
        self.reached(&visit, reply);
        self.spoken(&visit, &message, reply);
    }

    /// A chat that was lost can be reached again: somebody of ours is there.
    fn reached(&self, visit: &Visit, reply: &mut Reply) {
        let chat = visit.chat;
        if self.memory.read(|state| state.chats.get(&chat).is_some_and(|chat| chat.is_lost)) {
            reply.facts.push(DoorFact::Found { chat });
        }
    }

    /// Strangers get nothing, and one line in the log.
    fn turn_away(&mut self, user: i64) {
        if self.turned_away.len() < limits::STRANGERS_TOLD_MAX && self.turned_away.insert(user) {
            self.note(false, format!("user {user} is not let in"));
        }
    }

    /// Keeps the facts, then sends what is to be sent.
    fn carry_out(&mut self, reply: Reply) {
        let Reply { effects, facts } = reply;
        self.keep(&facts);
        for effect in effects {
            self.send(effect);
        }
    }

    fn send(&mut self, effect: ChatEffect) {
        if let ChatEffect::Edit { chat, message, key, screen } = &effect {
            if self.drawn.get(&(*chat, *message)) == Some(screen) {
                return;
            }
            self.remember_drawn(*chat, *message, screen.clone());
            self.keep_shown(*chat, *message, key.clone());
        }
        if let ChatEffect::Send { chat, replaces: Some(message), .. } = &effect {
            self.keep(&[DoorFact::Unshown { chat: *chat, message: *message }]);
        }
        if let Some(effects) = &self.effects {
            // The outbox has gone already where it fell.
            let _ = effects.send(effect);
        }
    }

    /// What came of a request.
    fn settle(&mut self, outcome: ChatOutcome) {
        match outcome {
            ChatOutcome::Shown { chat, message, key, instead_of } => {
                if let Some(gone) = instead_of {
                    self.keep(&[DoorFact::Unshown { chat, message: gone }]);
                }
                // A tap that was faster than the server's answer has led on already.
                let is_first = self.shown_by(chat, message).is_none();
                self.sent(chat, Some(&key));
                if is_first {
                    self.arrived(chat, message, key);
                }
            }
            ChatOutcome::Lost { chat, why } => {
                self.note(true, format!("chat {} cannot be reached: {why}", chat.0));
                self.keep(&[DoorFact::Lost { chat }]);
                self.forget_drawn(chat);
                self.sent(chat, None);
            }
            ChatOutcome::Moved { from, to } => self.keep(&[DoorFact::Moved { from, to }]),
            ChatOutcome::Refused { chat, why } => {
                self.note(true, format!("a message to chat {} was refused: {why}", chat.0));
                self.forget_drawn(chat);
                self.sent(chat, None);
            }
        }
    }

    /// The oldest update of this chat that waited for its message has it now; without a key, all of them are given up.
    fn sent(&mut self, chat: ChatId, key: Option<&ScreenKey>) {
        let is_it =
            |waits: &(i64, ChatId, ScreenKey)| waits.1 == chat && key.is_none_or(|key| waits.2 == *key);
        while let Some(at) = self.unsent.iter().position(is_it) {
            let Some((update, ..)) = self.unsent.remove(at) else { return };
            if self.unsent.iter().all(|(other, ..)| *other != update) {
                self.keep(&[DoorFact::Handled { update }]);
            }
            if key.is_some() {
                return;
            }
        }
    }

    /// Keeps facts that can be found out anew: they reach the disk, and are not waited for.
    fn keep(&self, facts: &[DoorFact]) {
        if let Err(error) = self.memory.keep(facts, Durability::Lazy) {
            self.note(true, format!("cannot remember what is shown: {error}"));
        }
    }

    /// Notes what a message shows. A screen that is only drawn anew makes no message the newest.
    fn keep_shown(&self, chat: ChatId, message: MessageId, key: ScreenKey) {
        if self.shown_by(chat, message).as_ref() != Some(&key) {
            self.keep(&[DoorFact::Shown { chat, message, key }]);
        }
    }

    /// What a chat shows is not known any more: the next screen is sent, whatever it is.
    fn forget_drawn(&mut self, chat: ChatId) {
        self.drawn.retain(|(of, _), _| *of != chat);
        self.on_their_way.retain(|new| new.chat != chat);
    }

    fn remember_drawn(&mut self, chat: ChatId, message: MessageId, screen: ChatScreen) {
        if self.drawn.len() >= limits::DRAWN_MAX {
            self.drawn.clear();
            self.banners.clear();
        }
        self.drawn.insert((chat, message), screen);
    }

    /// A message of ours has its number. What it shows may have changed while it was on its way.
    fn arrived(&mut self, chat: ChatId, message: MessageId, key: ScreenKey) {
        let its = self.on_their_way.iter().position(|new| new.chat == chat && new.key == key);
        if let Some(new) = its.and_then(|at| self.on_their_way.remove(at)) {
            self.remember_drawn(chat, message, new.screen);
            self.banners.extend(new.banner.map(|banner| ((chat, message), banner)));
        }
        self.keep(&[DoorFact::Shown { chat, message, key: key.clone() }]);
        self.follow(&key);
        self.redraw(chat, message, key);
    }

    /// Remembers a message that is about to be sent.
    fn sends(&mut self, new: NewMessage) {
        if self.on_their_way.len() >= limits::DRAWN_MAX {
            self.on_their_way.pop_front();
        }
        self.on_their_way.push_back(new);
    }

    fn now(&self) -> Timestamp {
        (self.settings.now)()
    }

    fn note(&self, is_trouble: bool, text: String) {
        (self.log)(DoorNote { is_trouble, text });
    }
}
