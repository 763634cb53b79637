//! Buttons that an older program left in the chat: understood where they still fit, else what stands is shown. They name no
//! revision, so that one decides only what is still open.

use mind::petition::{AnswerChoice, Decision};

use super::answering::{DecisionButton, decision_key};
use super::reply::{Reply, Turn};
use super::{Desk, Visit};
use crate::telegram::screen::ScreenKey;
use crate::telegram::settings::PersonRole;
use crate::telegram::tap::{OlderAction, OlderTap, PetitionRef, Revision};

impl Desk {
    pub(super) fn obey_older(
        &mut self,
        visit: &Visit,
        tap: &OlderTap,
        reply: &mut Reply,
    ) -> Result<Turn, Turn> {
        let queue = Turn::to(ScreenKey::Queue { page: 0 });
        let Some(id) = &tap.petition else { return Ok(queue) };
        let petition = PetitionRef::Id(id.clone());
        let stored = self.find(&petition)?;
        let id = stored.petition.id.clone();
        let at = tap
            .decision
            .as_ref()
            .and_then(|name| stored.petition.decisions.iter().position(|decision| *decision.id == **name));
        let decision = || -> Result<(usize, &Decision), Turn> {
            let at = at.ok_or_else(|| {
                let key = ScreenKey::Petition { petition: id.clone(), page: 0 };
                Turn::to(key).warning("This decision is no longer in its petition.")
            })?;
            Ok((at, Desk::decision(&stored, at)?))
        };
        match tap.action {
            OlderAction::Refresh | OlderAction::Queue | OlderAction::Noop => Ok(queue),
            OlderAction::Open => Ok(Turn::to(ScreenKey::Petition { petition: id, page: 0 })),
            OlderAction::Start => Ok(self.next(visit, &stored.petition)),
            OlderAction::Prev | OlderAction::Next | OlderAction::GoTo => match decision() {
                Ok((_, decision)) => Ok(Turn::to(decision_key(&stored.petition, decision, false))),
                // Some of them carry a place and no name.
                Err(_) => Ok(self.next(visit, &stored.petition)),
            },
            OlderAction::Review => Ok(Turn::to(ScreenKey::Review { petition: id, page: 0 })),
            OlderAction::Submit => self.submit(visit, &petition, None),
            OlderAction::Answer | OlderAction::Skip | OlderAction::Custom => {
                let (at, asked) = decision()?;
                let key = decision_key(&stored.petition, asked, false);
                if !visit.person.may(PersonRole::Answer) {
                    return Err(Turn::to(key).warning("You may look here, and not answer."));
                }
                let is_exact = asked.digest.is_some() || asked.requires_human;
                if is_exact || asked.is_decided() || stored.petition.closed.is_some() {
                    return Err(Turn::to(key).warning("This button is from before: here is what stands."));
                }
                let choice = match (tap.action, &tap.value) {
                    (OlderAction::Skip, _) => AnswerChoice::Skipped,
                    (OlderAction::Answer, Some(value))
                        if asked.options.iter().any(|option| *option.key == **value) =>
                    {
                        AnswerChoice::Answer(value.clone())
                    }
                    (OlderAction::Custom, _) => {
                        let revision = Revision::of_decision(&stored.petition, asked);
                        let button = DecisionButton {
                            petition: &petition,
                            decision: at,
                            revision: &revision,
                            instead: false,
                        };
                        return self.await_words(visit, &button, reply);
                    }
                    _ => return Err(Turn::to(key).warning("This option is no longer there.")),
                };
                self.answer(visit, &stored, asked, choice, false)
            }
        }
    }
}
