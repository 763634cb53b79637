//! Answers: what a button or a text of one's own does to a decision, and what is shown after it. A button that was drawn when
//! something else stood there decides nothing.

use std::sync::Arc;

use docket::{DocketError, StoredPetition};
use mind::actor::{Actor, Door};
use mind::petition::{
    AnswerChoice, AssignmentRule, Decision, GivenAnswer, Petition, PetitionRefusal, SeenAnswer, SeenQuestion,
};
use view::decision::{chosen, said};
use view::refusal::already;

use super::reply::Turn;
use super::{Desk, Visit};
use crate::telegram::screen::ScreenKey;
use crate::telegram::settings::PersonRole;
use crate::telegram::tap::{PetitionRef, Revision};

/// A button of a decision.
#[derive(Debug)]
pub(super) struct DecisionButton<'a> {
    pub petition: &'a PetitionRef,
    pub decision: usize,
    pub revision: &'a Revision,
    pub instead: bool,
}

impl Desk {
    /// The petition and the place of the decision of a button, if the person may answer it and it stands as it did when
    /// the button was drawn.
    pub(super) fn answerable(
        &self,
        visit: &Visit,
        button: &DecisionButton<'_>,
    ) -> Result<(StoredPetition, usize), Turn> {
        let stored = self.find(button.petition)?;
        let decision = Desk::decision(&stored, button.decision)?;
        let key = decision_key(&stored.petition, decision, button.instead);
        if !visit.person.may(PersonRole::Answer) {
            return Err(Turn::to(key).warning("You may look here, and not answer."));
        }
        if Revision::of_decision(&stored.petition, decision) != *button.revision {
            let stands = decision.answer.as_ref().map(|given| already(&self.by_name(given), self.now()));
            let word = stands.unwrap_or_else(|| "The question has changed: look at it again.".to_owned());
            return Err(Turn::to(key).warning(first_large(&word)));
        }
        Ok((stored, button.decision))
    }

    /// An option is chosen; where several can be, it is added or taken away.
    pub(super) fn choose(
        &mut self,
        visit: &Visit,
        button: &DecisionButton<'_>,
        option: usize,
    ) -> Result<Turn, Turn> {
        if let Some(turn) = self.is_done(visit, button, option) {
            return Ok(turn);
        }
        let (stored, at) = self.answerable(visit, button)?;
        let decision = Desk::decision(&stored, at)?;
        let key = decision_key(&stored.petition, decision, button.instead);
        let Some(picked) = decision.options.get(option) else {
            return Err(Turn::to(key).warning("This option is no longer there."));
        };
        let standing = chosen(decision);
        if !decision.multi {
            let choice = AnswerChoice::Answer(picked.key.as_str().into());
            return self.answer(visit, &stored, decision, choice, button.instead);
        }
        let mut keys: Vec<usize> = standing;
        match keys.iter().position(|known| *known == option) {
            Some(_) if keys.len() == 1 => {
                return Err(
                    Turn::to(key).warning("One has to stay: choose another first, or skip the decision.")
                );
            }
            Some(known) => _ = keys.remove(known),
            None => keys.push(option),
        }
        keys.sort_unstable();
        let keys =
            keys.into_iter().filter_map(|at| decision.options.get(at)).map(|option| option.key.as_str());
        let choice = AnswerChoice::Answer(keys.collect::<Vec<_>>().join(", ").into());
        let (id, instead) = (decision.id.clone(), button.instead);
        let turn = self.answer(visit, &stored, decision, choice, instead)?;
        // More can be chosen: the person goes on by a button.
        let (petition, page) = (stored.petition.id.clone(), 0);
        let key = ScreenKey::Decision { petition, decision: id, page, instead };
        Ok(Turn { key, banner: None, ..turn })
    }

    /// A button that was tapped twice, or taken twice since the program fell, has done what it says.
    fn is_done(&self, visit: &Visit, button: &DecisionButton<'_>, option: usize) -> Option<Turn> {
        let stored = self.find(button.petition).ok()?;
        let decision = stored.petition.decisions.get(button.decision).filter(|decision| !decision.multi)?;
        let given = decision.answer.as_ref().filter(|given| !given.late)?;
        let is_own = given.by.as_deref() == Some(&*visit.person.actor().to_string());
        let picked = decision.options.get(option)?;
        (is_own && chosen(decision) == [option] && stored.petition.closed.is_none()).then(|| {
            self.next(visit, &stored.petition).saying(format!("✓ {} stands", view::line::line(&picked.key)))
        })
    }

    /// The same answer, whose giver is called as the people here call them.
    fn by_name(&self, given: &GivenAnswer) -> GivenAnswer {
        let person = given
            .by
            .as_deref()
            .and_then(|by| self.people.all().iter().find(|person| person.actor().to_string() == by));
        let by = person.map(|person| Actor::human(Door::Telegram, &person.name).to_string().into());
        GivenAnswer { by: by.or_else(|| given.by.clone()), ..given.clone() }
    }

    pub(super) fn skip(&mut self, visit: &Visit, button: &DecisionButton<'_>) -> Result<Turn, Turn> {
        let (stored, at) = self.answerable(visit, button)?;
        let decision = Desk::decision(&stored, at)?;
        self.answer(visit, &stored, decision, AnswerChoice::Skipped, button.instead)
    }

    /// Records an answer to the question as it was shown, and leads on.
    pub(super) fn answer(
        &self,
        visit: &Visit,
        stored: &StoredPetition,
        decision: &Decision,
        choice: AnswerChoice,
        instead: bool,
    ) -> Result<Turn, Turn> {
        let petition = &stored.petition;
        let key = decision_key(petition, decision, instead);
        if let Some(other) = self.asked_instead(visit, petition, decision).filter(|_| !instead) {
            return Err(Turn::to(key).warning(format!("{other} is asked: you can answer instead.")));
        }
        let standing = decision.answer.as_ref().filter(|given| !given.late);
        let seen = SeenQuestion {
            question: Some(petition.digest(decision)),
            answer: standing.map_or(SeenAnswer::None, |given| SeenAnswer::This(given.choice.clone())),
            instead_of: self.asked_instead(visit, petition, decision).filter(|_| instead).map(Into::into),
            assignment: AssignmentRule::Binding { names: own_names(visit, petition, decision) },
        };
        let by = visit.person.actor();
        let answered = self.docket.answer(&petition.id, &decision.id, choice.clone(), &seen, &by, self.now());
        let after = match answered.or_else(DocketError::recorded) {
            Ok(after) => after.petition,
            Err(DocketError::Refused { refusal: PetitionRefusal::AlreadyAnswered(given), petition })
                if given.choice == choice && given.by.as_deref() == Some(&*by.to_string()) =>
            {
                // It was recorded before the program fell.
                *petition
            }
            Err(error) => return Err(Turn::to(key).warning(first_large(&self.in_words(&error)))),
        };
        let said = after.decision(&decision.id).and_then(|decision| {
            decision.answer.as_ref().map(|given| (said(decision, &given.choice), given.late))
        });
        let (said, is_late) = said.unwrap_or_default();
        let title = view::line::line(&decision.title);
        let turn = self.next(visit, &after);
        if is_late {
            return Ok(turn.under(format!("🕗 {title} → {said} (late: it is kept, and decides nothing)")));
        }
        let mark = if choice == AnswerChoice::Skipped { "⏭️" } else { "✅" };
        let toast = format!("{mark} {said}");
        let banner = format!("{mark} {title} → {said}{}", next_words(&after, &turn.key));
        Ok(turn.under(banner).saying(toast))
    }

    /// Who else is asked this, if the person is not.
    pub(super) fn asked_instead(
        &self,
        visit: &Visit,
        petition: &Petition,
        decision: &Decision,
    ) -> Option<String> {
        let asked = decision.assignee.as_ref().or(petition.assignee.as_ref())?;
        (!visit.person.is_called(asked)).then(|| asked.to_string())
    }

    /// Where the person goes on: the next open decision that is theirs and can be made, the next open one, or the review.
    pub(super) fn next(&self, visit: &Visit, petition: &Petition) -> Turn {
        if petition.closed.is_some() {
            return Turn::to(ScreenKey::Completion { petition: petition.id.clone() });
        }
        let waits = |decision: &Decision| {
            let first = decision.depends_on.iter().filter_map(|id| petition.decision(id));
            first.into_iter().any(|first| !first.is_decided())
        };
        let open = || petition.decisions.iter().filter(|decision| !decision.is_decided());
        let mine = open()
            .find(|decision| !waits(decision) && self.asked_instead(visit, petition, decision).is_none());
        match mine.or_else(|| open().find(|decision| !waits(decision))).or_else(|| open().next()) {
            Some(decision) => Turn::to(decision_key(petition, decision, false)),
            None => Turn::to(ScreenKey::Review { petition: petition.id.clone(), page: 0 }),
        }
    }

    pub(super) fn submit(
        &mut self,
        visit: &Visit,
        petition: &PetitionRef,
        revision: Option<&Revision>,
    ) -> Result<Turn, Turn> {
        let stored = self.find(petition)?;
        let id = stored.petition.id.clone();
        let review = ScreenKey::Review { petition: id.clone(), page: 0 };
        if stored.petition.closed.is_some() {
            return Ok(Turn::to(ScreenKey::Completion { petition: id }));
        }
        if !visit.person.may(PersonRole::Answer) {
            return Err(Turn::to(review).warning("You may look here, and not answer."));
        }
        if revision.is_some_and(|drawn| Revision::of_petition(&stored.petition) != *drawn) {
            return Err(
                Turn::to(review).warning("An answer has changed meanwhile: look at all of them again.")
            );
        }
        let submitted = self.docket.submit(&id, &visit.person.actor(), self.now());
        match submitted.or_else(DocketError::recorded) {
            Ok(_) => Ok(Turn::to(ScreenKey::Completion { petition: id }).saying("📤 Submitted")),
            Err(DocketError::Refused { refusal: PetitionRefusal::Closed(_), .. }) => {
                Ok(Turn::to(ScreenKey::Completion { petition: id }))
            }
            Err(error) => Err(Turn::to(review).warning(first_large(&self.in_words(&error)))),
        }
    }
}

/// The names that the person answers to: the configuration's, and however the asker wrote it.
fn own_names(visit: &Visit, petition: &Petition, decision: &Decision) -> Vec<Arc<str>> {
    let asked = [&decision.assignee, &petition.assignee].into_iter().flatten();
    let own = asked.filter(|name| visit.person.is_called(name)).cloned();
    own.chain([Arc::clone(&visit.person.name)]).collect()
}

pub(super) fn decision_key(petition: &Petition, decision: &Decision, instead: bool) -> ScreenKey {
    let (petition, decision) = (petition.id.clone(), decision.id.clone());
    ScreenKey::Decision { petition, decision, page: 0, instead }
}

/// "\nNext: 2/3...", if there is a next one.
fn next_words(petition: &Petition, key: &ScreenKey) -> String {
    let ScreenKey::Decision { decision, .. } = key else { return String::new() };
    let at = petition.decisions.iter().position(|other| other.id == *decision);
    at.map(|at| format!("\nNext: {}/{}...", at + 1, petition.decisions.len())).unwrap_or_default()
}

pub(super) fn first_large(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map(|first| first.to_uppercase().chain(signs).collect()).unwrap_or_default()
}
