//! What the door remembers: facts in a log of its own, and the state that is their sum. An update is a fact before Telegram
//! may forget it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use mind::petition::PetitionId;
use mind::{MissionId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::screen::ScreenKey;
use super::wire::{ChatId, MessageId, TakenUpdate, UserId};
use crate::limits::{CHATS_MAX, SHOWN_MAX, TOLD_MISSIONS_MAX, TOLD_WORDS_MAX};

/// Something that the door holds true.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DoorFact {
    /// An update came, as the server wrote it. What it does has a name by its number and this time.
    Took { update: i64, at: Timestamp, raw: Box<RawValue> },
    /// What a text asked for is done, and this is to be shown for it: done once, whatever comes after.
    Acted { update: i64, key: ScreenKey, banner: Option<String> },
    /// All that it asked for is done, and shown.
    Handled { update: i64 },
    /// The chat can be reached again.
    Found { chat: ChatId },
    /// The server is asked for the updates from this number on: it numbers anew, or those before it are
    /// handled.
    NextUpdate { update: i64 },
    /// A message of the chat shows this now, and is the newest one that was drawn.
    Shown { chat: ChatId, message: MessageId, key: ScreenKey },
    /// The message is gone.
    Unshown { chat: ChatId, message: MessageId },
    /// The chat's next text of this person is an answer; without words it is none any more.
    Awaits { chat: ChatId, user: UserId, words: Option<AwaitedWords> },
    /// Plain text of this person goes to this mission.
    Opened { chat: ChatId, user: UserId, mission: Option<MissionId> },
    /// The person began to talk to the bot: announcements can reach them.
    Met { user: UserId, chat: ChatId },
    /// The person blocked the bot, or the chat is gone.
    Lost { chat: ChatId },
    /// A group became another chat.
    Moved { from: ChatId, to: ChatId },
    /// These people were told of a petition.
    Announced { petition: PetitionId, at: Timestamp, users: Vec<UserId> },
    /// They were reminded, for the so manieth time.
    Reminded { petition: PetitionId, at: Timestamp, step: u32, users: Vec<UserId> },
    /// It is closed: nothing is remembered of it any more.
    Closed { petition: PetitionId },
    /// People were told this of a mission: a word for what it was.
    Told { mission: MissionId, what: Arc<str>, at: Timestamp },
}

/// A text that is waited for: an answer to a question as it was shown, or words to a mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwaitedWords {
    pub petition: PetitionId,
    pub decision: Arc<str>,
    /// The revision of the question and its answer when the person chose to write.
    pub revision: String,
    /// The person answers what another one is asked.
    #[serde(default)]
    pub instead: bool,
}

/// The sum of the facts.
#[derive(Debug, Clone, Default)]
pub struct DoorState {
    /// The number of the next update that the server is asked for.
    pub next_update: i64,
    /// Taken and not handled, in order.
    pub waiting: VecDeque<TakenUpdate>,
    /// Those of them whose work is done, and what is to be shown.
    pub acted: BTreeMap<i64, (ScreenKey, Option<String>)>,
    pub chats: BTreeMap<ChatId, ChatState>,
    /// Where each person talks to the bot alone.
    pub met: BTreeMap<UserId, ChatId>,
    /// Open petitions that people were told of.
    pub announced: BTreeMap<PetitionId, AnnouncedPetition>,
    /// What was told of each mission.
    pub told: BTreeMap<MissionId, BTreeSet<Arc<str>>>,
}

#[derive(Debug, Clone, Default)]
pub struct ChatState {
    /// The newest messages of the bot and what each shows; the last one is the newest.
    pub shown: Vec<(MessageId, ScreenKey)>,
    pub awaits: BTreeMap<UserId, AwaitedWords>,
    pub opened: BTreeMap<UserId, MissionId>,
    /// The bot is blocked there, or the chat is gone.
    pub is_lost: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnouncedPetition {
    pub at: Timestamp,
    pub users: BTreeSet<UserId>,
    /// How many reminders came, and when the newest did.
    pub reminders: u32,
    pub reminded: Option<Timestamp>,
}

impl DoorState {
    /// Takes a fact into account.
    pub fn apply(&mut self, fact: &DoorFact) {
        match fact {
            DoorFact::Took { update, at, raw } => {
                // The server repeats what it was not told to forget.
                if *update >= self.next_update {
                    self.next_update = update + 1;
                    self.waiting.push_back(TakenUpdate { update: *update, at: *at, raw: raw.clone() });
                }
            }
            DoorFact::Acted { update, key, banner } => {
                // One that is handled already is not remembered.
                if self.waiting.iter().any(|waiting| waiting.update == *update) {
                    self.acted.insert(*update, (key.clone(), banner.clone()));
                }
            }
            DoorFact::Handled { update } => {
                self.waiting.retain(|waiting| waiting.update != *update);
                self.acted.remove(update);
            }
            DoorFact::Found { chat } => self.chat(*chat).is_lost = false,
            DoorFact::NextUpdate { update } => self.next_update = *update,
            DoorFact::Shown { chat, message, key } => {
                let shown = &mut self.chat(*chat).shown;
                shown.retain(|(known, _)| known != message);
                shown.push((*message, key.clone()));
                let over = shown.len().saturating_sub(SHOWN_MAX);
                shown.drain(..over);
            }
            DoorFact::Unshown { chat, message } => {
                self.chat(*chat).shown.retain(|(known, _)| known != message);
            }
            DoorFact::Awaits { chat, user, words } => {
                let awaits = &mut self.chat(*chat).awaits;
                match words {
                    Some(words) => _ = awaits.insert(*user, words.clone()),
                    None => _ = awaits.remove(user),
                }
            }
            DoorFact::Opened { chat, user, mission } => {
                let opened = &mut self.chat(*chat).opened;
                match mission {
                    Some(mission) => _ = opened.insert(*user, mission.clone()),
                    None => _ = opened.remove(user),
                }
            }
            DoorFact::Met { user, chat } => {
                self.met.insert(*user, *chat);
                self.chat(*chat).is_lost = false;
            }
            DoorFact::Lost { chat } => self.chat(*chat).is_lost = true,
            DoorFact::Moved { from, to } => {
                if let Some(chat) = self.chats.remove(from) {
                    self.chats.insert(*to, ChatState { shown: Vec::new(), ..chat });
                }
                self.met.values_mut().filter(|chat| *chat == from).for_each(|chat| *chat = *to);
            }
            DoorFact::Announced { petition, at, users } => {
                let known = self.announced.entry(petition.clone()).or_insert_with(|| AnnouncedPetition {
                    at: *at,
                    users: BTreeSet::new(),
                    reminders: 0,
                    reminded: None,
                });
                known.users.extend(users);
            }
            DoorFact::Reminded { petition, at, step, users } => {
                if let Some(known) = self.announced.get_mut(petition) {
                    (known.reminders, known.reminded) = (*step, Some(*at));
                    known.users.extend(users);
                }
            }
            DoorFact::Closed { petition } => _ = self.announced.remove(petition),
            DoorFact::Told { mission, what, .. } => {
                if self.told.len() >= TOLD_MISSIONS_MAX && !self.told.contains_key(mission) {
                    self.told.pop_first();
                }
                let told = self.told.entry(mission.clone()).or_default();
                if told.len() >= TOLD_WORDS_MAX && !told.contains(what) {
                    told.pop_first();
                }
                told.insert(Arc::clone(what));
            }
        }
    }

    fn chat(&mut self, chat: ChatId) -> &mut ChatState {
        if self.chats.len() >= CHATS_MAX && !self.chats.contains_key(&chat) {
            // One that cannot be reached any more, else one that is no person's own.
            let own: BTreeSet<_> = self.met.values().collect();
            let lost = self.chats.iter().find(|(_, known)| known.is_lost);
            let spare = lost.or_else(|| self.chats.iter().find(|(chat, _)| !own.contains(chat)));
            if let Some(spare) = spare.or(self.chats.first_key_value()).map(|(chat, _)| *chat) {
                self.chats.remove(&spare);
            }
        }
        self.chats.entry(chat).or_default()
    }

    /// The facts that make this state anew, for a log that has grown long.
    pub fn facts(&self) -> Vec<DoorFact> {
        let mut facts = Vec::new();
        for (user, chat) in &self.met {
            facts.push(DoorFact::Met { user: *user, chat: *chat });
        }
        for (chat, known) in &self.chats {
            let chat = *chat;
            for (message, key) in &known.shown {
                facts.push(DoorFact::Shown { chat, message: *message, key: key.clone() });
            }
            for (user, words) in &known.awaits {
                facts.push(DoorFact::Awaits { chat, user: *user, words: Some(words.clone()) });
            }
            for (user, mission) in &known.opened {
                facts.push(DoorFact::Opened { chat, user: *user, mission: Some(mission.clone()) });
            }
            if known.is_lost {
                facts.push(DoorFact::Lost { chat });
            }
        }
        for (petition, known) in &self.announced {
            let (petition, at) = (petition.clone(), known.at);
            let users = known.users.iter().copied().collect();
            facts.push(DoorFact::Announced { petition: petition.clone(), at, users });
            if let Some(at) = known.reminded {
                let (step, users) = (known.reminders, Vec::new());
                facts.push(DoorFact::Reminded { petition, at, step, users });
            }
        }
        for (mission, told) in &self.told {
            for what in told {
                let (mission, what, at) = (mission.clone(), Arc::clone(what), Timestamp(0));
                facts.push(DoorFact::Told { mission, what, at });
            }
        }
        let mut next = DoorState::default().next_update;
        for TakenUpdate { update, at, raw } in self.waiting.iter().cloned() {
            if update < next {
                // The server began to number anew in between.
                facts.push(DoorFact::NextUpdate { update });
            }
            next = update + 1;
            facts.push(DoorFact::Took { update, at, raw });
        }
        for (update, (key, banner)) in &self.acted {
            let (update, key, banner) = (*update, key.clone(), banner.clone());
            facts.push(DoorFact::Acted { update, key, banner });
        }
        if next != self.next_update {
            // What was taken and handled is not taken again.
            facts.push(DoorFact::NextUpdate { update: self.next_update });
        }
        facts
    }
}
