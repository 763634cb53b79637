//! What is asked in decisions: an agent's petition, or the mission's own question as the petition that it would be
//! elsewhere, so that both look and mean the same.

use std::borrow::Cow;
use std::sync::Arc;

use mind::petition::{AnswerChoice, GivenAnswer, Petition, PetitionDraft, PetitionId, subject};
use mind::talk::Message;
use mind::{MessageId, State};

use super::items::Item;

/// What was chosen of the mission's own question and is not sent yet. It outlives the page: a look at the conversation in
/// between loses nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Begun {
    of: Option<MessageId>,
    choices: Vec<(Arc<str>, AnswerChoice)>,
}

impl Begun {
    /// What was chosen of this question.
    fn of(&self, message: MessageId) -> &[(Arc<str>, AnswerChoice)] {
        if self.of == Some(message) { &self.choices } else { &[] }
    }

    /// Chooses, or chooses otherwise. There is one question at a time: what was chosen of another is moot.
    pub(super) fn put(&mut self, message: MessageId, decision: &Arc<str>, choice: AnswerChoice) {
        if self.of != Some(message) {
            *self = Begun { of: Some(message), choices: Vec::new() };
        }
        self.choices.retain(|(other, _)| other != decision);
        self.choices.push((Arc::clone(decision), choice));
    }
}

/// The mission's question as a petition, if it asks for decisions that can be made one by one.
pub(super) fn draft(message: &Message, state: &State) -> Option<PetitionDraft> {
    let charter = state.charter.as_ref().filter(|_| !message.decisions.is_empty())?;
    let draft = subject::question(&charter.mission.0, &charter.scroll.name, message);
    // The mind makes no petition of such decisions either: they are answered in words.
    draft.faults().is_empty().then_some(draft)
}

/// What an item asks in decisions, with the answers so far.
pub(super) fn petition<'a>(item: &Item<'a>, state: &State, begun: &Begun) -> Option<Cow<'a, Petition>> {
    let message = match item {
        Item::Ask(..) | Item::Fault(_) => return None,
        Item::Petition(petition) => return Some(Cow::Borrowed(petition)),
        Item::Alignment(message) | Item::Words(message) => message,
    };
    let id = PetitionId(Arc::from(message.id.to_string()));
    let mut petition = draft(message, state)?.petition(id, message.at);
    for (decision, choice) in begun.of(message.id) {
        if let Some(asked) = petition.decisions.iter_mut().find(|asked| asked.id == *decision) {
            let choice = choice.clone();
            asked.answer =
                Some(GivenAnswer { choice, at: None, by: None, via: None, instead_of: None, late: false });
        }
    }
    Some(Cow::Owned(petition))
}

/// What the Arbiter is told, in the words that an answer through any other door has.
pub(super) fn words(message: &Message, petition: &Petition, state: &State) -> Option<String> {
    let draft = draft(message, state)?;
    let given = petition.decisions.iter().filter_map(|decision| {
        let given = decision.answer.as_ref()?;
        Some((Arc::clone(&decision.id), given.choice.clone()))
    });
    Some(subject::words(&draft, &given.collect::<Vec<_>>()))
}
