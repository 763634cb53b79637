//! The docket of a world: the mission's petitions lie on a disk of their own and outlive every crash. People answer
//! late, by halves or not at all; petitions expire, cannot be asked, or are answered as another question.

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::actor::{Actor, Door};
use mind::event::{DocketCall, DocketEvent};
use mind::mission_petition::Outcome;
use mind::petition::{
    AnswerChoice, Answered, DraftDecision, Petition, PetitionChange, PetitionDraft, PetitionEnd, PetitionId,
    SeenQuestion, subject,
};
use mind::talk::DecisionOption;
use mind::{Address, AgentEvent, Event, State, Timestamp, TurnId};
use serde_json::Value;

use super::agents::Act;
use super::fault::Fault;
use super::{DAY, HOUR, Happening, MINUTE, World};

/// All petitions that were ever asked, whatever became of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Docket {
    petitions: BTreeMap<PetitionId, Kept>,
}

/// One petition, and what is told of its end.
#[derive(Debug, Clone)]
struct Kept {
    petition: Petition,
    told: Option<DocketEvent>,
}

/// A call of an agent that waits for the docket's answer.
#[derive(Debug, Clone)]
pub(super) struct Pleading {
    pub(super) turn: TurnId,
    pub(super) call: Arc<str>,
    /// It asked, and would wait for the answer next.
    pub(super) awaits: bool,
}

impl World {
    /// The mission asks. What is there already is told once more.
    pub(super) fn petition(&mut self, id: PetitionId, draft: &PetitionDraft) {
        if self.strikes(Fault::DocketRefuses, 30) && !self.docket.petitions.contains_key(&id) {
            let why = Arc::from("the docket cannot be written");
            if self.dice.between(0, 2) == 0 {
                return self.send_docket(&id, DocketEvent::Unasked { why });
            }
            self.send_docket(&id, DocketEvent::Delayed { why });
        }
        if let Some(kept) = self.docket.petitions.get(&id) {
            let same = draft.petition(id.clone(), kept.petition.created_at);
            let now = kept.petition.decisions.iter().map(|decision| kept.petition.digest(decision));
            let then = same.decisions.iter().map(|decision| same.digest(decision));
            assert!(now.eq(then), "{id} means two things");
            if let Some(told) = kept.told.clone() {
                self.send_docket(&id, told);
            }
            return;
        }
        let petition = draft.petition(id.clone(), Timestamp(self.now));
        self.docket.petitions.insert(id.clone(), Kept { petition, told: None });
        let times = self.people.hesitate();
        let after = if self.strikes(Fault::NeverAnswers, 12) {
            self.dice.between(2 * DAY, 9 * DAY)
        } else if self.strikes(Fault::AnswersLate, 6) {
            self.dice.between(HOUR, 20 * HOUR)
        } else {
            self.dice.between(500, 10 * MINUTE) * times
        };
        self.later(after, Happening::Decide(id));
    }

    /// The mission needs it no more.
    pub(super) fn withdraw(&mut self, id: &PetitionId, why: &str) {
        let at = Timestamp(self.now);
        let Some(kept) = self.docket.petitions.get_mut(id) else { return };
        let by = Actor::policy("mission");
        if let Ok(change) = kept.petition.withdraw(why, &by) {
            kept.petition.apply(&change, &by, at);
        }
    }

    /// A person opens a petition, whether the mission runs or not.
    pub(super) fn decide_petition(&mut self, id: &PetitionId) {
        let Some(kept) = self.docket.petitions.get(id).cloned() else { return };
        let mut petition = kept.petition;
        let at = Timestamp(self.now);
        let by = Actor::human(Door::Cli, "ann");
        if petition.closed.as_ref().is_some_and(|closed| closed.end == PetitionEnd::Completed) {
            return;
        }
        if petition.closed.is_some() {
            return self.answer_late(id, petition, &by);
        }
        if self.strikes(Fault::DocketExpires, 8) {
            let why: Arc<str> = Arc::from("nobody came");
            petition.apply(&PetitionChange::Expired { why: why.clone() }, &Actor::policy("deadline"), at);
            self.record(id, petition, Some(DocketEvent::Closed { why }));
            let after = self.dice.between(MINUTE, DAY);
            return self.later(after, Happening::Decide(id.clone()));
        }
        let forged = self.strikes(Fault::DocketForged, 10);
        let mut answers = Vec::new();
        for decision in petition.decisions.clone() {
            let choice = self.choice(&decision.id);
            let change = petition.answer(&decision.id, choice, &SeenQuestion::default(), &by);
            let change = change.unwrap_or_else(|refusal| panic!("{id} cannot be answered: {refusal:?}"));
            petition.apply(&change, &by, at);
            answers.extend(answered(&change, &by, at, forged));
        }
        let submitted = petition.submit().unwrap_or_else(|refusal| panic!("{id}: {refusal:?}"));
        petition.apply(&submitted, &by, at);
        self.record(id, petition, Some(DocketEvent::Decided { answers }));
    }

    fn answer_late(&mut self, id: &PetitionId, mut petition: Petition, by: &Actor) {
        let at = Timestamp(self.now);
        let Some(first) = petition.decisions.first().map(|decision| decision.id.clone()) else { return };
        let choice = self.choice(&first);
        let Ok(change) = petition.answer(&first, choice, &SeenQuestion::default(), by) else { return };
        petition.apply(&change, by, at);
        let late = answered(&change, by, at, false).map(DocketEvent::Late);
        self.record(id, petition, None);
        if let Some(late) = late
            && self.house.is_some()
        {
            self.send_docket(id, late);
        }
    }

    /// Records a change of a petition, and sends it to the mission if that runs; else the mission finds it there.
    fn record(&mut self, id: &PetitionId, petition: Petition, told: Option<DocketEvent>) {
        if let Some(kept) = self.docket.petitions.get_mut(id) {
            kept.petition = petition;
            kept.told = told.clone().or(kept.told.take());
        }
        if let Some(told) = told
            && self.house.is_some()
        {
            self.send_docket(id, told);
        }
    }

    fn send_docket(&mut self, id: &PetitionId, event: DocketEvent) {
        let after = self.dice.between(1, 2_000);
        let told = Happening::Docket(self.life, Box::new(Event::Docket(id.clone(), event)));
        if self.strikes(Fault::DocketTwice, 8) {
            self.later(after + 10, told.clone());
        }
        self.later(after, told);
    }

    fn choice(&mut self, decision: &str) -> AnswerChoice {
        let answers: &[&str] = match decision {
            subject::ALLOW => &["yes", "yes", "hour", "mission", "no", "not like this"],
            subject::ALIGN => &["yes", "yes", "Yes.", "go ahead"],
            subject::REPLY => &["yes", "the other way"],
            _ => &["left", "right", "neither", ""],
        };
        match self.dice.pick(answers) {
            "" => AnswerChoice::Skipped,
            answer => AnswerChoice::Answer(Arc::from(answer)),
        }
    }

    /// An agent pushes a petition in the middle of its turn. The turn goes on after the reply. Returns whether the
    /// agent did so.
    pub(super) fn plead(&mut self, address: Address, turn: TurnId, at: u64) -> bool {
        if !self.strikes(Fault::Pleads, 10) {
            return false;
        }
        let number = self.dice.below(1 << 30);
        let call: Arc<str> = Arc::from(format!("{address}-{turn}-{number}-push"));
        let title = self.dice.pick(&["Which way?", "Where to?"]);
        let awaits = !self.dice.one_in(3);
        if let Some(agent) = self.living(address) {
            agent.pleading = Some(Pleading { turn, call: call.clone(), awaits });
        }
        let plea = DocketCall::Push(Arc::new(draft(title)));
        self.act(at, address, Act::During(turn, AgentEvent::Pleads { call, plea }));
        true
    }

    /// The docket's answer comes to the process, which goes on if it still waits.
    pub(super) fn replied(&mut self, address: Address, call: &str, told: &Value, refused: bool) {
        let Some(agent) = self.living(address) else { return };
        let Some(Pleading { turn, awaits, .. }) = agent.pleading.take_if(|waiting| *waiting.call == *call)
        else {
            return;
        };
        agent.parked = told["parked"] == true;
        let after = self.dice.between(5, MINUTE);
        let id = told["id"].as_str().filter(|_| awaits && !refused).map(PetitionId::from);
        let Some(id) = id else { return self.act(after, address, Act::Rests(turn)) };
        let plea = match self.dice.below(4) {
            0 => DocketCall::Status(id),
            1 => DocketCall::Get { id, partial: self.dice.one_in(2) },
            _ => DocketCall::Await(id),
        };
        let call: Arc<str> = Arc::from(format!("{call}-then"));
        if let Some(agent) = self.living(address) {
            agent.pleading = Some(Pleading { turn, call: call.clone(), awaits: false });
        }
        self.act(after, address, Act::During(turn, AgentEvent::Pleads { call, plea }));
    }

    /// While the mission runs, what the docket has decided is known to it or on its way there.
    pub(super) fn nothing_decided_is_lost(&self) {
        let Some(house) = &self.house else { return };
        for (id, _) in self.docket.petitions.iter().filter(|(_, kept)| kept.told.is_some()) {
            let comes = |happening: &Happening| match happening {
                Happening::Docket(life, event) => {
                    *life == self.life && matches!(&**event, Event::Docket(of, _) if of == id)
                }
                Happening::Act(..)
                | Happening::Emit(_)
                | Happening::Gate(..)
                | Happening::Write(_)
                | Happening::Answer(_)
                | Happening::Conductor(..)
                | Happening::Decide(_)
                | Happening::Post(_)
                | Happening::Start => false,
            };
            let known = !house.state.is_open(id);
            assert!(known || self.queue.values().any(comes), "what became of {id} never reaches the mission");
        }
    }

    /// At the end nothing of the mission is open, and the mission has heard what was decided.
    pub(super) fn judge_docket(&self, state: &State) {
        if self.laws.robbed {
            return;
        }
        for (id, kept) in &self.docket.petitions {
            assert!(kept.petition.closed.is_some(), "{id} is open after the end");
            let Some(raised) = state.petitions.get(id) else { panic!("{id} was never raised") };
            assert!(raised.outcome.is_some(), "the mission does not know what became of {id}");
            if let (Some(DocketEvent::Decided { answers }), Some(Outcome::Decided { answers: known, .. })) =
                (&kept.told, &raised.outcome)
            {
                assert_eq!(answers, known, "{id} was answered otherwise");
            }
        }
    }
}

fn answered(change: &PetitionChange, by: &Actor, at: Timestamp, forged: bool) -> Option<Answered> {
    let (PetitionChange::Answered { decision, choice, digest, .. }
    | PetitionChange::Late { decision, choice, digest, .. }) = change
    else {
        return None;
    };
    if let Actor::Agent(_) = by {
        return None;
    }
    let digest = if forged { Arc::from("sha256:something else") } else { digest.clone() };
    Some(Answered { decision: decision.clone(), choice: choice.clone(), by: by.clone(), at, digest })
}

fn draft(title: &str) -> PetitionDraft {
    let option = |key: &str| DecisionOption { key: key.to_owned(), label: key.to_owned() };
    let decision = DraftDecision {
        id: Arc::from("way"),
        title: Arc::from(title),
        options: vec![option("left"), option("right")],
        ..DraftDecision::default()
    };
    PetitionDraft {
        tag: Arc::from("general"),
        title: Arc::from(title),
        decisions: vec![decision],
        ..PetitionDraft::default()
    }
}

/// So many words of the human came by the docket.
pub(super) fn words_of(state: &State) -> usize {
    let words = state.petitions.values().map(|raised| {
        let decided = matches!(raised.outcome, Some(Outcome::Decided { .. }));
        match raised.subject {
            subject::PetitionSubject::Question(_) => usize::from(decided) + raised.late.len(),
            subject::PetitionSubject::Session(_) => raised.late.len(),
            subject::PetitionSubject::Permission(_) => 0,
        }
    });
    words.sum()
}
