//! The mission's petitions: a question or permission that waits for an absent human becomes one; its answer goes back to
//! the session that asked; a petition that is needed no more is withdrawn. The same is not asked twice.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::actor::{Actor, Door};
use crate::charter::WhenAway;
use crate::effect::{DocketEffect, Effect, SessionCommand};
use crate::event::{DocketCall, DocketEvent};
use crate::fact::{DocketFact, Fact, LifeFact, SessionFact};
use crate::id::{MessageId, PermissionId, uuid};
use crate::limits;
use crate::mission_petition::{MissionPetition, Outcome};
use crate::petition::{
    AnswerChoice, Answered, Decision, PetitionDraft, PetitionId, PetitionSubject, subject, tell,
};
use crate::policy::GrantScope;
use crate::prompt;
use crate::session::{QueuedMessage, Session};
use crate::talk::Asks;

use super::StepBuilder;
use super::permission::PermissionAnswer;

impl StepBuilder {
    /// After every event: withdraws petitions that are needed no more, and asks what waits for an absent human.
    pub(crate) fn update_petitions(&mut self) {
        let open: Vec<(PetitionId, PetitionSubject)> =
            self.state.open_petitions().map(|(id, raised)| (id.clone(), raised.subject)).collect();
        for (id, subject) in open {
            if let Some(why) = self.is_moot(subject) {
                self.docket(id.clone(), DocketFact::Withdrawn { why: Arc::from(why) });
                self.effect(Effect::Docket(id, DocketEffect::Withdraw { why: Arc::from(why) }));
            }
        }
        let away = self.charter().map_or(WhenAway::Scripted, |charter| charter.away);
        let has_script = away == WhenAway::Scripted;
        if has_script || !self.state.unattended || self.state.ended.is_some() || self.state.halted.is_some() {
            return;
        }
        for subject in self.unasked_matters() {
            if let Some(draft) = self.draft_of(subject) {
                self.raise(subject, Arc::new(draft));
            }
        }
        if away == WhenAway::Refuse {
            return;
        }
        // A permission that stands in no open petition would wait for ever, so it is refused.
        for ask in self.state.open_permissions().map(|(_, ask)| ask.id).collect::<Vec<_>>() {
            let of = |raised: &MissionPetition| raised.subject == PetitionSubject::Permission(ask);
            let is_asked = self.state.open_petitions().any(|(_, raised)| of(raised));
            if !is_asked && let Some(session) = self.state.permission(ask).map(|(session, _)| session.clone())
            {
                self.refuse_unattended(&session, ask);
            }
        }
    }

    fn docket(&mut self, id: PetitionId, fact: DocketFact) {
        self.fact(Fact::Docket(id, fact));
    }

    fn raise(&mut self, subject: PetitionSubject, draft: Arc<PetitionDraft>) -> PetitionId {
        let seed = self.charter().map_or(0, |charter| charter.seed);
        let number = self.state.petitions.len() as u32 + 1;
        // It begins with a letter, so that no YAML reader takes it for a number.
        let drawn: String =
            uuid(seed, "petition", number).chars().filter(|sign| *sign != '-').take(11).collect();
        let petition = PetitionId(Arc::from(format!("m{drawn}")));
        self.docket(petition.clone(), DocketFact::Asked { subject, draft: Arc::clone(&draft) });
        self.effect(Effect::Docket(petition.clone(), DocketEffect::Push { draft }));
        petition
    }

    /// Why the mission needs its answer no more; none while it does.
    fn is_moot(&self, subject: PetitionSubject) -> Option<&'static str> {
        if self.state.ended.is_some() {
            return Some("the mission is over");
        }
        match subject {
            PetitionSubject::Question(message) if self.state.question == Some(message) => None,
            PetitionSubject::Question(_) => Some("it was answered elsewhere, or is no longer asked"),
            PetitionSubject::Permission(ask)
                if self.state.open_permissions().any(|(_, open)| open.id == ask) =>
            {
                None
            }
            PetitionSubject::Permission(_) => Some("it was answered elsewhere, or the tool waits no more"),
            PetitionSubject::Session(_) => None,
        }
    }

    /// What waits for a person and was never asked in the docket.
    fn unasked_matters(&self) -> Vec<PetitionSubject> {
        let question = self.state.question.map(PetitionSubject::Question);
        // Where tools are refused, they are not asked about.
        let asks = self.state.open_permissions().filter(|_| !self.refuses());
        let asks = asks.map(|(_, ask)| PetitionSubject::Permission(ask.id));
        let all: Vec<PetitionSubject> = question.into_iter().chain(asks).collect();
        all.into_iter().filter(|subject| self.may_raise(*subject)).collect()
    }

    /// It is asked once; again if the answer was void, or if it was closed and the mission loop has started again since.
    fn may_raise(&self, subject: PetitionSubject) -> bool {
        let of = || self.state.petitions.values().filter(|raised| raised.subject == subject);
        let may_again = |raised: &Arc<MissionPetition>| match raised.outcome {
            Some(Outcome::Void) => true,
            Some(Outcome::Closed(_)) => raised.run < self.state.run,
            Some(Outcome::Decided { .. } | Outcome::Withdrawn(_)) | None => false,
        };
        of().all(may_again) && of().count() < limits::PETITIONS_VOID_MAX
    }

    fn draft_of(&self, about: PetitionSubject) -> Option<PetitionDraft> {
        let charter = self.charter()?;
        let (mission, title) = (charter.mission.0.as_ref(), charter.scroll.name.as_str());
        match about {
            PetitionSubject::Question(id) => {
                let message = self.state.message(id)?;
                let draft = subject::question(mission, title, message);
                if draft.faults().is_empty() {
                    return Some(draft);
                }
                // What the model wrote as decisions makes no petition; its words still do.
                let plain = crate::talk::Message { decisions: Vec::new(), ..message.clone() };
                Some(subject::question(mission, title, &plain))
            }
            PetitionSubject::Permission(ask) => {
                let (session, ask) = self.state.permission(ask)?;
                let who = session.profile.speaker().to_string();
                let draft = subject::permission(mission, title, &who, &ask.request);
                // What cannot be shown whole is not asked.
                draft.faults().is_empty().then_some(draft)
            }
            PetitionSubject::Session(_) => None,
        }
    }

    /// What became of a petition.
    pub(crate) fn docket_told(&mut self, id: PetitionId, event: DocketEvent) {
        let Some(raised) = self.state.petitions.get(&id).cloned() else {
            return self.note(format!("petition {id} is not ours: {event:?}"));
        };
        if self.state.ended.is_some() {
            return self.note(format!("the mission is over; petition {id}: {event:?}"));
        }
        match event {
            DocketEvent::Late(answer) if raised.late.contains(&answer.decision) => {
                self.note(format!("petition {id}: the late answer {answer} was heard before"));
            }
            DocketEvent::Late(answer) => self.answered_late(&id, &raised, answer),
            DocketEvent::Decided { answers } if matches!(raised.outcome, Some(Outcome::Withdrawn(_))) => {
                self.decided_too_late(&id, &raised, answers);
            }
            DocketEvent::Decided { .. }
            | DocketEvent::Closed { .. }
            | DocketEvent::Unasked { .. }
            | DocketEvent::Delayed { .. }
                if raised.outcome.is_some() =>
            {
                self.note(format!("petition {id} is closed already: {event:?}"));
            }
            DocketEvent::Decided { answers } => self.decided(id, &raised, answers),
            DocketEvent::Closed { why } => {
                let text =
                    format!("The petition \"{}\" was closed without an answer: {why}.", raised.draft.title);
                self.unanswered_petition(&id, &raised, why, &text);
            }
            DocketEvent::Unasked { why } => {
                let text = format!("\"{}\" could not be put into the docket: {why}.", raised.draft.title);
                self.unanswered_petition(&id, &raised, why, &text);
            }
            // Whether the docket has it is not known: it stays open, and no tool is refused for it.
            DocketEvent::Delayed { why } => {
                let title = &raised.draft.title;
                let text =
                    format!("\"{title}\" cannot be put into the docket yet: {why}. It is tried again.");
                let elsewhere = match (raised.subject, self.charter()) {
                    (PetitionSubject::Permission(ask), Some(charter)) => {
                        format!(" `arbiter mission allow {} {ask}` also answers it.", charter.mission)
                    }
                    (subject, _) => self.answered_elsewhere(subject),
                };
                self.remark(&format!("{text}{elsewhere}"));
            }
        }
    }

    /// The petition was closed without answers: its asker is told. A tool is refused when this step ends.
    fn unanswered_petition(&mut self, id: &PetitionId, raised: &MissionPetition, why: Arc<str>, text: &str) {
        self.docket(id.clone(), DocketFact::Closed { why });
        let elsewhere = self.answered_elsewhere(raised.subject);
        self.remark(&format!("{text}{elsewhere}"));
        self.post_to_asker(id, raised, text);
    }

    /// How a question of the mission can still be answered.
    fn answered_elsewhere(&self, subject: PetitionSubject) -> String {
        match (subject, self.charter()) {
            (PetitionSubject::Question(message), Some(charter)) if self.state.question == Some(message) => {
                let mission = &charter.mission;
                format!(
                    " The mission still waits for the answer: `arbiter mission say {mission} WORDS` gives it."
                )
            }
            (
                PetitionSubject::Question(_) | PetitionSubject::Permission(_) | PetitionSubject::Session(_),
                _,
            ) => String::new(),
        }
    }

    fn decided(&mut self, id: PetitionId, raised: &MissionPetition, answers: Vec<Answered>) {
        let petition = raised.draft.petition(id.clone(), raised.at);
        let stands = |answer: &Answered| match petition.decision(&answer.decision) {
            Some(asked) => {
                // Whether a person is required stands in the draft; the file may have been edited since.
                let by_person = is_person_at_a_door(&answer.by);
                petition.digest(asked) == answer.digest && (by_person || !asked.requires_human)
            }
            None => false,
        };
        let is_answered = |asked: &Decision| answers.iter().any(|answer| answer.decision == asked.id);
        if !answers.iter().all(stands) || !petition.decisions.iter().all(is_answered) {
            let why = "it answers another text than was asked, leaves a decision open, or no person gave it";
            self.docket(id.clone(), DocketFact::Void { why: Arc::from(why) });
            let text = format!("The answer to \"{}\" does not count: {why}.", raised.draft.title);
            let elsewhere = match self.may_raise(raised.subject) {
                true => String::new(),
                false => self.answered_elsewhere(raised.subject),
            };
            self.remark(&format!("{text}{elsewhere}"));
            return self.post_to_asker(&id, raised, &text);
        }
        self.docket(id.clone(), DocketFact::Decided { answers: answers.clone() });
        match raised.subject {
            PetitionSubject::Question(message) => self.question_decided(message, &raised.draft, &answers),
            PetitionSubject::Permission(ask) => self.permission_decided(ask, &answers),
            PetitionSubject::Session(_) => {
                let told = answers_in_words(&raised.draft, &answers);
                let line = told.replace("- ", "").replace('\n', "; ");
                self.remark(&format!("\"{}\" was answered: {line}", raised.draft.title));
                let text = self.answered_notice(&id, &raised.draft, &told);
                self.post_to_asker(&id, raised, &text);
            }
        }
    }

    fn question_decided(&mut self, message: MessageId, draft: &PetitionDraft, answers: &[Answered]) {
        if self.state.question != Some(message) {
            return self.remark("An answer came to a question that is no longer asked.");
        }
        let Some(first) = answers.first() else { return };
        let choices: Vec<(Arc<str>, AnswerChoice)> =
            answers.iter().map(|answer| (answer.decision.clone(), answer.choice.clone())).collect();
        let yes = AnswerChoice::Answer(Arc::from("yes"));
        // Only the question for the yes has one: a model may give any decision any id.
        let for_yes = self.state.message(message).is_some_and(|asked| asked.asks == Some(Asks::Alignment));
        let consents = for_yes
            && answers.iter().any(|answer| &*answer.decision == subject::ALIGN && answer.choice == yes);
        // A policy among those who answered makes none of it a person's word.
        let policy = answers.iter().find(|answer| !answer.by.is_human());
        let actor = policy.unwrap_or(first).by.clone();
        self.say_consenting(actor, &subject::words(draft, &choices), consents.then_some(message));
    }

    fn permission_decided(&mut self, ask: PermissionId, answers: &[Answered]) {
        let Some(answer) = answers.iter().find(|answer| &*answer.decision == subject::ALLOW) else { return };
        let Some(digest) = self.state.permission(ask).map(|(_, asked)| asked.request.digest.clone()) else {
            return self.remark(&format!("Permission {ask} is not open: its tool waits no more."));
        };
        let (mut allowed, mut scope, mut why) = subject::verdict(&answer.choice);
        let is_once = self.state.permission(ask).is_some_and(|(_, asked)| asked.request.shapes.is_empty());
        if scope != GrantScope::Once && is_once {
            // A lasting yes was not among the options: it is free text, and free text is a no.
            (allowed, scope, why) = (false, GrantScope::Once, Arc::from(answer.choice.text()));
        }
        self.answer(answer.by.clone(), ask, &PermissionAnswer { digest, allowed, scope, why });
    }

    /// A late answer decides nothing, but it is passed on: nothing a person says is dropped.
    fn answered_late(&mut self, id: &PetitionId, raised: &MissionPetition, answer: Answered) {
        let said = match &answer.choice {
            AnswerChoice::Answer(text) => text.to_string(),
            AnswerChoice::Skipped => "I leave this to you.".to_owned(),
        };
        let (by, at) = (answer.by.clone(), answer.at);
        self.docket(id.clone(), DocketFact::Late(answer));
        let title = &raised.draft.title;
        match raised.subject {
            PetitionSubject::Permission(_) => {
                self.remark(&format!("\"{title}\" was answered too late; nothing was allowed."));
            }
            PetitionSubject::Question(_) | PetitionSubject::Session(_) => {
                let text = format!("(late, to \"{title}\", which was closed before) {said}");
                self.say_to_arbiter(by, &text, at);
            }
        }
    }

    /// It was submitted while the mission withdrew it.
    fn decided_too_late(&mut self, id: &PetitionId, raised: &MissionPetition, answers: Vec<Answered>) {
        let (heard, new): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(|answer| raised.late.contains(&answer.decision));
        for answer in heard {
            self.note(format!("petition {id}: the late answer {answer} was heard before"));
        }
        for answer in new {
            self.answered_late(id, raised, answer);
        }
    }

    /// Posts to the session that asked and to sessions that rest for it; to the Arbiter if the asker is gone.
    fn post_to_asker(&mut self, id: &PetitionId, raised: &MissionPetition, text: &str) {
        let PetitionSubject::Session(session) = raised.subject else { return };
        let text: Arc<str> = Arc::from(text);
        let rests = |other: &&Session| {
            other.waits_for_petition.as_ref() == Some(id) && other.profile.session != session
        };
        let resting: Vec<_> =
            self.state.live_sessions().filter(rests).map(|other| other.profile.session).collect();
        for other in resting {
            self.post(other, QueuedMessage::Notice(Arc::clone(&text)));
        }
        match self.state.sessions.get(&session).filter(|session| session.live) {
            Some(_) => self.post(session, QueuedMessage::Notice(text)),
            None => {
                let gone = format!("{} asked this and is no longer there:\n{text}", raised.draft.agent);
                self.post_to_arbiter(QueuedMessage::Notice(Arc::from(gone)));
            }
        }
    }

    fn answered_notice(&self, id: &PetitionId, draft: &PetitionDraft, answers: &str) -> Arc<str> {
        let Some(charter) = self.charter() else { return Arc::from("") };
        let values = [("petition", &*id.0), ("title", &*draft.title), ("answers", answers)];
        prompt::render_with(&charter, "petition-answered.md", &self.setting(0), &values)
    }

    /// Answers a docket tool that a session calls.
    pub(crate) fn plead(&mut self, session: &Session, call: Arc<str>, plea: DocketCall) {
        let id = session.profile.session;
        let (told, refused) = match plea {
            DocketCall::Push(draft) => self.push(session, &draft),
            DocketCall::Status(petition) => match self.own(&petition) {
                Ok(raised) => (tell::status(&raised.petition(&petition)), false),
                Err(unknown) => (unknown, true),
            },
            DocketCall::Get { id: petition, partial } => match self.own(&petition) {
                Ok(raised) => match tell::answers(&raised.petition(&petition), partial) {
                    Ok(told) => (told, false),
                    Err(told) => (told, true),
                },
                Err(unknown) => (unknown, true),
            },
            DocketCall::Await(petition) => match self.own(&petition) {
                Ok(raised) if raised.outcome.is_some() => {
                    let told = tell::answers(&raised.petition(&petition), true);
                    (told.unwrap_or_else(|told| told), false)
                }
                Ok(raised) if matches!(raised.subject, PetitionSubject::Session(_)) => {
                    self.session(
                        id,
                        SessionFact::Life(LifeFact::WaitsForPetition { petition: petition.clone() }),
                    );
                    (parked(&petition), false)
                }
                // Its answer goes to the mission itself: no message would wake a session that rested for it.
                Ok(raised) => (tell::status(&raised.petition(&petition)), false),
                Err(unknown) => (unknown, true),
            },
        };
        let address = session.address();
        self.effect(Effect::Session(address, SessionCommand::Reply { call, told, refused }));
    }

    fn push(&mut self, session: &Session, draft: &PetitionDraft) -> (Value, bool) {
        let Some(charter) = self.charter() else { return (json!({"error": "no mission"}), true) };
        let id = session.profile.session;
        let draft = PetitionDraft {
            agent: Arc::from(session.profile.speaker().to_string()),
            session: Arc::from(format!("mission:{}:{id}", charter.mission)),
            mission: Some(Arc::clone(&charter.mission.0)),
            // The answer comes back as the session's next prompt.
            notify_session: None,
            ..draft.clone()
        };
        let faults = draft.faults();
        if !faults.is_empty() {
            return (json!({"error": "the petition cannot be asked", "faults": faults}), true);
        }
        let same = |raised: &MissionPetition| match (&raised.draft.key, &draft.key) {
            (Some(earlier), Some(key)) => earlier == key,
            (None, None) => raised.outcome.is_none() && *raised.draft == draft,
            (Some(_), None) | (None, Some(_)) => false,
        };
        // A successor that asks what its predecessor asked waits for the same answer.
        let inherited = |raised: &MissionPetition| {
            let asker = matches!(raised.subject, PetitionSubject::Session(asker) if self.state.sessions.get(&asker).is_none_or(|asker| !asker.live));
            let renamed = PetitionDraft {
                agent: draft.agent.clone(),
                session: draft.session.clone(),
                ..(*raised.draft).clone()
            };
            asker && raised.outcome.is_none() && renamed == draft
        };
        let mut known = self.state.petitions.iter().filter(|(_, raised)| match raised.subject {
            PetitionSubject::Session(asker) if asker == id => same(raised),
            PetitionSubject::Session(_) => inherited(raised),
            PetitionSubject::Question(_) | PetitionSubject::Permission(_) => false,
        });
        if let Some((petition, raised)) = known.next() {
            return (tell::pushed(&raised.petition(petition), None, true), false);
        }
        let open =
            self.state.open_petitions().filter(|(_, raised)| raised.subject == PetitionSubject::Session(id));
        if open.count() >= limits::PETITIONS_OPEN_MAX {
            return (json!({"error": "too many petitions of yours wait for the human already"}), true);
        }
        let draft = Arc::new(draft);
        let petition = self.raise(PetitionSubject::Session(id), Arc::clone(&draft));
        self.remark(&format!("{} asks you in the docket: {}", session.profile.speaker(), draft.title));
        (tell::pushed(&draft.petition(petition, self.now()), None, false), false)
    }

    /// A session sees the petitions of its mission, and no others.
    fn own(&self, id: &PetitionId) -> Result<Arc<MissionPetition>, Value> {
        let found = self.state.petitions.get(id).cloned();
        found.ok_or_else(|| json!({"error": format!("there is no petition {id} of this mission")}))
    }
}

/// An edit of the file names no person who could be asked, and a policy is no person.
fn is_person_at_a_door(actor: &Actor) -> bool {
    matches!(actor, Actor::Human { door, .. } if *door != Door::File)
}

fn parked(petition: &PetitionId) -> Value {
    json!({
        "planId": petition,
        "id": petition,
        "state": "pending",
        "status": "pending",
        "parked": true,
        "hint": "No answer yet. Go on with other work, or end your turn without expecting a response: you rest then, \
                 and the answers are your next message. Do not call arbiter_await again.",
    })
}

/// One line for each answer, as a session reads it.
fn answers_in_words(draft: &PetitionDraft, answers: &[Answered]) -> String {
    let line = |answer: &Answered| {
        let title = draft.decisions.iter().find(|decision| decision.id == answer.decision);
        let title = title.map_or("", |decision| &decision.title);
        match &answer.choice {
            AnswerChoice::Answer(text) => format!("- {} ({title}): {text} [{}]", answer.decision, answer.by),
            AnswerChoice::Skipped => {
                format!("- {} ({title}): skipped; the human leaves it to you", answer.decision)
            }
        }
    };
    answers.iter().map(line).collect::<Vec<_>>().join("\n")
}
