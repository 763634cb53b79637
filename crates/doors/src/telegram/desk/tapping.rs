//! Taps: each is answered once, and the message with the button shows what comes of it.

use mind::petition::PetitionId;

use super::answering::{DecisionButton, decision_key};
use super::reply::{Reply, Turn};
use super::{Desk, NewMessage, Visit};
use crate::telegram::effect::ChatEffect;
use crate::telegram::fact::{AwaitedWords, DoorFact};
use crate::telegram::screen::ScreenKey;
use crate::telegram::settings::PersonRole;
use crate::telegram::tap::{PetitionRef, Revision, Tap, TapData};
use crate::telegram::wire::types::CallbackQuery;
use crate::telegram::wire::{ChatId, MessageId, UserId};

impl Desk {
    pub(super) fn tapped(&mut self, visit: &Visit, query: &CallbackQuery, reply: &mut Reply) {
        let Some(message) = &query.message else { return };
        let turn = match TapData::read(query.data.as_deref().unwrap_or_default()) {
            TapData::Ours(Tap::Nothing) => return reply.answer_tap(query.id.clone(), None, false),
            TapData::Ours(tap) => self.obey(visit, &tap, reply),
            TapData::Older(tap) => self.obey_older(visit, &tap, reply),
            TapData::Unknown => Ok(Turn::to(ScreenKey::Queue { page: 0 })
                .saying("This button is none of mine: here is what waits.")),
        };
        let turn = match turn {
            Ok(turn) | Err(turn) => turn,
        };
        // A person who goes elsewhere answers nothing with the next text.
        if !matches!(turn.key, ScreenKey::OwnWords { .. }) {
            self.stop_awaiting(visit, reply);
        }
        reply.answer_tap(query.id.clone(), turn.toast.clone(), turn.is_alert);
        self.show_in(visit, message.message_id, turn, reply);
    }

    /// The message shows this now.
    pub(super) fn show_in(&mut self, visit: &Visit, message: MessageId, turn: Turn, reply: &mut Reply) {
        if matches!(turn.key, ScreenKey::OwnWords { .. }) && visit.is_group {
            // A bot hears only replies there: the question is a message of its own.
            return self.show_new(visit, turn, reply);
        }
        let (key, screen) = self.draw(&visit.person, visit.is_group, turn.key, turn.banner.as_deref());
        self.follow(&key);
        match turn.banner {
            Some(banner) => _ = self.banners.insert((visit.chat, message), banner),
            None => _ = self.banners.remove(&(visit.chat, message)),
        }
        reply.effects.push(ChatEffect::Edit { chat: visit.chat, message, key, screen });
    }

    /// A new message shows this, in the place of the one before.
    pub(super) fn show_new(&mut self, visit: &Visit, turn: Turn, reply: &mut Reply) {
        let (key, screen) = self.draw(&visit.person, visit.is_group, turn.key, turn.banner.as_deref());
        let (chat, banner, update) = (visit.chat, turn.banner, visit.update);
        reply.facts.push(DoorFact::Acted { update, key: key.clone(), banner: banner.clone() });
        self.sends(NewMessage { chat, key: key.clone(), banner, screen: screen.clone() });
        let replaces = self.live(visit.chat).filter(|_| !matches!(key, ScreenKey::OwnWords { .. }));
        let replaces = replaces.map(|(message, _)| message);
        reply.effects.push(ChatEffect::Send { chat: visit.chat, key, screen, replaces, is_silent: true });
    }

    /// The newest message of a chat, and what it shows.
    pub(super) fn live(&self, chat: ChatId) -> Option<(MessageId, ScreenKey)> {
        self.memory.read(|state| state.chats.get(&chat).and_then(|chat| chat.shown.last().cloned()))
    }

    /// What this message of a chat shows, if it is kept up to date.
    pub(super) fn shown_by(&self, chat: ChatId, message: MessageId) -> Option<ScreenKey> {
        self.memory.read(|state| {
            let shown = state.chats.get(&chat)?.shown.iter().find(|(known, _)| *known == message);
            shown.map(|(_, key)| key.clone())
        })
    }

    fn obey(&mut self, visit: &Visit, tap: &Tap, reply: &mut Reply) -> Result<Turn, Turn> {
        match tap {
            Tap::Queue { page } => Ok(Turn::to(ScreenKey::Queue { page: *page })),
            Tap::Petition { petition, page } => {
                let petition = self.find(petition)?.petition.id;
                Ok(Turn::to(ScreenKey::Petition { petition, page: *page }))
            }
            Tap::Continue { petition } => {
                let stored = self.find(petition)?;
                Ok(self.next(visit, &stored.petition))
            }
            Tap::Decision { petition, decision, page } => {
                self.open_decision(petition, *decision, *page, false)
            }
            Tap::Instead { petition, decision, page } => self.open_decision(petition, *decision, *page, true),
            Tap::Choose { petition, decision, option, revision, instead } => {
                let button = DecisionButton { petition, decision: *decision, revision, instead: *instead };
                self.choose(visit, &button, *option)
            }
            Tap::Skip { petition, decision, revision, instead } => {
                let button = DecisionButton { petition, decision: *decision, revision, instead: *instead };
                self.skip(visit, &button)
            }
            Tap::OwnWords { petition, decision, revision, instead } => {
                let button = DecisionButton { petition, decision: *decision, revision, instead: *instead };
                self.await_words(visit, &button, reply)
            }
            Tap::Review { petition, page } => {
                let petition = self.find(petition)?.petition.id;
                Ok(Turn::to(ScreenKey::Review { petition, page: *page }))
            }
            Tap::Submit { petition, revision } => self.submit(visit, petition, Some(revision)),
            Tap::HandOver { petition, decision } => {
                let stored = self.find(petition)?;
                let decision = decision.map(|at| Desk::decision(&stored, at).map(|found| found.id.clone()));
                let (petition, decision) = (stored.petition.id.clone(), decision.transpose()?);
                Ok(Turn::to(ScreenKey::HandOver { petition, decision }))
            }
            Tap::HandTo { petition, decision, person, revision } => {
                self.hand_over(visit, petition, *decision, *person, revision, reply)
            }
            Tap::Missions { page } => Ok(Turn::to(ScreenKey::Missions { page: *page })),
            Tap::Mission { mission } => self.open_mission(visit, mission, reply),
            Tap::Pause { mission } => self.steer(visit, mission, mind::event::HumanAction::Pause),
            Tap::Resume { mission } => self.steer(visit, mission, mind::event::HumanAction::Resume),
            Tap::AskCancel { mission } => Ok(Turn::to(ScreenKey::MissionCancel { mission: mission.clone() })),
            Tap::Cancel { mission } => self.steer(visit, mission, mind::event::HumanAction::Cancel),
            Tap::Nothing => Ok(Turn::to(ScreenKey::Queue { page: 0 })),
        }
    }

    pub(super) fn open_decision(
        &self,
        petition: &PetitionRef,
        at: usize,
        page: usize,
        instead: bool,
    ) -> Result<Turn, Turn> {
        let stored = self.find(petition)?;
        let decision = Desk::decision(&stored, at)?;
        let (petition, decision) = (stored.petition.id.clone(), decision.id.clone());
        Ok(Turn::to(ScreenKey::Decision { petition, decision, page, instead }))
    }

    /// The next text of the person is the answer.
    pub(super) fn await_words(
        &self,
        visit: &Visit,
        button: &DecisionButton<'_>,
        reply: &mut Reply,
    ) -> Result<Turn, Turn> {
        let (stored, at) = self.answerable(visit, button)?;
        let decision = Desk::decision(&stored, at)?;
        let (petition, id) = (stored.petition.id.clone(), decision.id.clone());
        if !decision.takes_custom() {
            return Err(Turn::to(decision_key(&stored.petition, decision, button.instead))
                .warning("Choose one of the options."));
        }
        let words = AwaitedWords {
            petition: petition.clone(),
            decision: id.clone(),
            revision: button.revision.0.clone(),
            instead: button.instead,
        };
        reply.facts.push(DoorFact::Awaits { chat: visit.chat, user: visit.person.id, words: Some(words) });
        Ok(Turn::to(ScreenKey::OwnWords { petition, decision: id, instead: button.instead }))
    }

    /// The petition, or one decision of it, is somebody else's now, who is told.
    fn hand_over(
        &mut self,
        visit: &Visit,
        petition: &PetitionRef,
        decision: Option<usize>,
        person: UserId,
        revision: &Revision,
        reply: &mut Reply,
    ) -> Result<Turn, Turn> {
        let stored = self.find(petition)?;
        let id: PetitionId = stored.petition.id.clone();
        let asked = decision.map(|at| Desk::decision(&stored, at)).transpose()?;
        let key = match asked {
            Some(decision) => decision_key(&stored.petition, decision, false),
            None => ScreenKey::Petition { petition: id.clone(), page: 0 },
        };
        if !visit.person.may(PersonRole::Answer) {
            return Err(Turn::to(key).warning("You may look here, and not hand over."));
        }
        let is_current = match asked {
            Some(decision) => Revision::of_decision(&stored.petition, decision) == *revision,
            None => Revision::of_petition(&stored.petition) == *revision,
        };
        let other = self.people.find(person).filter(|other| is_current && other.may(PersonRole::Answer));
        let Some(other) = other.cloned() else {
            return Err(Turn::to(key).warning("It has changed meanwhile: look at it again."));
        };
        let asked = asked.map(|decision| decision.id.clone());
        let assigned =
            self.docket.assign(&id, asked.as_deref(), &other.name, &visit.person.actor(), self.now());
        if let Err(error) = assigned.or_else(docket::DocketError::recorded) {
            return Err(Turn::to(key).warning(super::answering::first_large(&self.in_words(&error))));
        }
        self.tell_of_handing(visit, &other, &id, reply);
        Ok(Turn::to(key).saying(format!("👤 {} is asked now", other.name)))
    }
}
