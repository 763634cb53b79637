//! A text of the person's own as an answer. It counts for the question that they were looking at when they chose to write, and
//! for no other.

use mind::petition::AnswerChoice;

use super::answering::decision_key;
use super::reply::{Reply, Turn};
use super::{Desk, Visit};
use crate::telegram::fact::{AwaitedWords, DoorFact};
use crate::telegram::screen::ScreenKey;
use crate::telegram::settings::PersonRole;
use crate::telegram::tap::Revision;
use crate::telegram::wire::MessageId;

impl Desk {
    /// What is awaited of the person in this chat.
    pub(super) fn awaited(&self, visit: &Visit) -> Option<AwaitedWords> {
        self.memory.read(|state| state.chats.get(&visit.chat)?.awaits.get(&visit.person.id).cloned())
    }

    pub(super) fn stop_awaiting(&self, visit: &Visit, reply: &mut Reply) {
        if self.awaited(visit).is_some() {
            let (chat, user) = (visit.chat, visit.person.id);
            reply.facts.push(DoorFact::Awaits { chat, user, words: None });
        }
    }

    /// Takes a text as an answer, if one is awaited: the next text, or in a group a reply to the question.
    pub(super) fn own_words(
        &mut self,
        visit: &Visit,
        text: &str,
        replied: Option<MessageId>,
        reply: &mut Reply,
    ) -> Option<Turn> {
        let awaited = self.awaited(visit)?;
        let is_about_it = match replied {
            // A reply is an answer where it answers the question that is awaited, and nothing elsewhere.
            Some(message) => match self.shown_by(visit.chat, message) {
                Some(
                    ScreenKey::OwnWords { petition, decision, .. }
                    | ScreenKey::Decision { petition, decision, .. },
                ) => petition == awaited.petition && decision == awaited.decision,
                Some(_) => false,
                None => !visit.is_group,
            },
            // In a group people talk to one another.
            None => !visit.is_group,
        };
        if !is_about_it {
            return None;
        }
        let turn = self.answer_in_words(visit, &awaited, text);
        self.stop_awaiting(visit, reply);
        Some(match turn {
            Ok(turn) | Err(turn) => turn,
        })
    }

    fn answer_in_words(&self, visit: &Visit, words: &AwaitedWords, text: &str) -> Result<Turn, Turn> {
        let stored = self.read(&words.petition)?;
        let Some(decision) = stored.petition.decision(&words.decision) else {
            let key = ScreenKey::Petition { petition: words.petition.clone(), page: 0 };
            return Err(
                Turn::to(key).under("❌ This decision is no longer in its petition: nothing was answered.")
            );
        };
        let key = decision_key(&stored.petition, decision, words.instead);
        if !visit.person.may(PersonRole::Answer) {
            return Err(Turn::to(key).under("❌ You may look here, and not answer."));
        }
        let choice = AnswerChoice::Answer(text.trim().into());
        let is_same = decision.answer.as_ref().is_some_and(|given| {
            given.choice == choice && given.by.as_deref() == Some(&*visit.person.actor().to_string())
        });
        if is_same {
            // It was recorded before the program fell.
            return Ok(self.next(visit, &stored.petition));
        }
        if decision.digest.is_some() && decision.options.iter().any(|option| option.key == text.trim()) {
            let word = "❌ This approves exactly what is shown: use its buttons.";
            return Err(Turn::to(key).under(word));
        }
        if Revision::of_decision(&stored.petition, decision).0 != words.revision {
            let word = "❌ The question or its answer has changed since you began to write: your text was not taken.";
            return Err(Turn::to(key).under(word));
        }
        // There is no button to tell it beside.
        let aloud = |turn: Turn| match (&turn.banner, turn.is_alert, turn.toast.clone()) {
            (None, true, Some(word)) => turn.under(format!("❌ {word}")),
            _ => turn,
        };
        self.answer(visit, &stored, decision, choice, words.instead).map(aloud).map_err(aloud)
    }
}
