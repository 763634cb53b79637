//! How petitions end, and what became of those of a mission.

use std::sync::Arc;

use mind::actor::{Actor, Door};
use mind::mission_petition::{MissionPetition, Outcome};
use mind::petition::{
    AnswerChoice, Answered, ClosedPetition, DraftDecision, PetitionDraft, PetitionEnd, PetitionSubject,
};
use mind::talk::DecisionOption;
use mind::{SessionId, Timestamp};
use view::completion::{completion, notified, outcome};

use crate::petitions::{after, asked, told};

#[test]
fn every_end_is_told_with_when_by_whom_and_why() {
    let (ada, ceo, deadline) =
        (Actor::human(Door::Web, "ada"), Actor::agent("ceo"), Actor::policy("deadline"));
    let why = Some(Arc::from("no\nneed\u{7}"));
    let ends = [
        completion(
            &ClosedPetition { end: PetitionEnd::Completed, at: after(1), why: None },
            Some(&ada),
            after(3),
        ),
        completion(&ClosedPetition { end: PetitionEnd::Withdrawn, at: after(1), why }, Some(&ceo), after(3)),
        completion(
            &ClosedPetition { end: PetitionEnd::Expired, at: after(1), why: Some(Arc::from("")) },
            Some(&deadline),
            after(3),
        ),
        completion(&ClosedPetition { end: PetitionEnd::Completed, at: after(1), why: None }, None, after(3)),
    ];
    insta::assert_snapshot!(told(&ends));
}

#[test]
fn a_missions_petition_is_told_answer_by_answer() {
    let answered = |decision: &str, choice, by| Answered {
        decision: Arc::from(decision),
        choice,
        by,
        at: Timestamp(5),
        digest: Arc::from(""),
    };
    let answers = vec![
        answered("way", AnswerChoice::Answer(Arc::from("left")), Actor::human(Door::Telegram, "ada")),
        answered("name", AnswerChoice::Answer(Arc::from("left")), Actor::human(Door::File, "ada")),
        answered("log", AnswerChoice::Skipped, Actor::policy("default")),
    ];
    let outcomes = [
        Some(Outcome::Decided { answers, at: Timestamp(6) }),
        Some(Outcome::Void),
        Some(Outcome::Withdrawn(Arc::from("it is over"))),
        Some(Outcome::Closed(Arc::from("expired"))),
        None,
    ];
    insta::assert_snapshot!(told(&outcomes.map(|end| outcome(&mission_petition(end)))));
}

fn mission_petition(outcome: Option<Outcome>) -> MissionPetition {
    let left = DecisionOption { key: "left".to_owned(), label: "Left".to_owned() };
    let decision = |id: &str, options: Vec<DecisionOption>| DraftDecision {
        id: Arc::from(id),
        title: Arc::from(id),
        options,
        ..DraftDecision::default()
    };
    let decisions = vec![decision("way", vec![left]), decision("name", vec![]), decision("log", vec![])];
    MissionPetition {
        subject: PetitionSubject::Session(SessionId(1)),
        draft: Arc::new(PetitionDraft { decisions, ..PetitionDraft::default() }),
        at: Timestamp(1),
        outcome,
        run: 0,
        late: Vec::new(),
    }
}

#[test]
fn the_session_that_hears_of_the_end_is_named() {
    let mut petition = asked();
    assert_eq!(notified(&petition), None);
    petition.notify_session = Some(Arc::from("agent:swe2:\nmain\u{7}"));
    assert_eq!(notified(&petition).as_deref(), Some("agent:swe2: main"));
    petition.notify_session = Some(Arc::from(""));
    assert_eq!(notified(&petition), None);
}
