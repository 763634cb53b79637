//! The format as it is written down: reading it, editing it in place, writing it anew.

use std::sync::Arc;

use docket::text::{PetitionText, notification};
use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{AnswerChoice, Petition, PetitionChange, PetitionEnd, PetitionStatus, SeenQuestion};

pub(crate) const NOON: Timestamp = Timestamp(1_800_000_000_000);

pub(crate) fn ada() -> Actor {
    Actor::human(Door::Cli, "ada")
}

/// Reads a text that is a petition.
pub(crate) fn sheet(text: &str) -> PetitionText {
    PetitionText::read(text.as_bytes(), Timestamp(7_000)).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// A change that answers.
pub(crate) fn answered(petition: &Petition, decision: &str, choice: AnswerChoice) -> PetitionChange {
    let digest = petition.digest(petition.decision(decision).expect("it is there"));
    PetitionChange::Answered { decision: Arc::from(decision), choice, digest, instead_of: None }
}

pub(crate) fn words(text: &str) -> AnswerChoice {
    AnswerChoice::Answer(Arc::from(text))
}

/// The lines that are not the same: `-` went, `+` came.
pub(crate) fn difference(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    // For each pair of places how many lines the rests have in common.
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for at in (0..old.len()).rev() {
        for to in (0..new.len()).rev() {
            common[at][to] = if old[at] == new[to] {
                common[at + 1][to + 1] + 1
            } else {
                common[at + 1][to].max(common[at][to + 1])
            };
        }
    }
    let (mut at, mut to) = (0, 0);
    let mut told = String::new();
    while at < old.len() || to < new.len() {
        if at < old.len() && to < new.len() && old[at] == new[to] {
            (at, to) = (at + 1, to + 1);
        } else if at < old.len() && (to == new.len() || common[at + 1][to] >= common[at][to + 1]) {
            told.push_str(&format!("-{}\n", old[at]));
            at += 1;
        } else {
            told.push_str(&format!("+{}\n", new[to]));
            to += 1;
        }
    }
    told
}

const CANONICAL: &str = include_str!("../fixtures/canonical.petition");

#[test]
fn the_format_is_read_as_it_is_written_down() {
    let sheet = sheet(CANONICAL);
    let petition = sheet.petition();
    assert_eq!(petition.id, "abc123".into());
    assert_eq!(&*petition.title, "API Design Decisions");
    assert_eq!(petition.notify_session.as_deref(), Some("agent:swe2:main"));
    assert_eq!(&*petition.context, "Context for the human reviewer.");
    assert_eq!(petition.status(), PetitionStatus::Pending);
    let ids: Vec<&str> = petition.decisions.iter().map(|decision| &*decision.id).collect();
    assert_eq!(ids, ["auth-strategy", "db", "db-backup"]);
    assert_eq!(petition.decisions[0].options[0].label, "JWT tokens (stateless, scalable)");
    assert_eq!(&*petition.decisions[2].context, "Where to?\n\nIt may be far away.");
    assert_eq!(petition.decisions[2].allow_custom, Some(true));
}

#[test]
fn an_answer_changes_its_own_lines_and_the_counters() {
    let before = sheet(CANONICAL);
    let after = before.with(&answered(before.petition(), "db", words("sqlite")), &ada(), NOON).unwrap();
    insta::assert_snapshot!(difference(CANONICAL, after.text()), @r"
    -status: pending            # pending | in_progress | completed
    +status: in_progress            # pending | in_progress | completed
    -updated_at: 2026-01-30T01:30:00Z
    +updated_at: 2027-01-15T08:00:00Z
    -answered: 0
    -remaining: 3
    +answered: 1
    +remaining: 2
    -status: pending
    -answer: null
    -answered_at: null
    +status: answered
    +answer: sqlite
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
}

#[test]
fn an_end_is_written_into_the_frontmatter() {
    let mut now = sheet(CANONICAL);
    for id in ["auth-strategy", "db", "db-backup"] {
        now = now.with(&answered(now.petition(), id, AnswerChoice::Skipped), &ada(), NOON).unwrap();
    }
    let ready = now.clone();
    let change = now.petition().submit().unwrap();
    now = now.with(&change, &ada(), NOON).unwrap();
    assert_eq!(now.claims(), Some(PetitionEnd::Completed));
    insta::assert_snapshot!(difference(ready.text(), now.text()), @r"
    -status: in_progress            # pending | in_progress | completed
    +status: completed            # pending | in_progress | completed
    -completed_at: null
    +completed_at: 2027-01-15T08:00:00Z
    ");
    let (name, text) = notification(now.petition()).unwrap();
    assert_eq!(name, "YWdlbnQ6c3dl-abc123.md");
    insta::assert_snapshot!(text, @r#"
    ---
    plan_id: abc123
    plan_title: "API Design Decisions"
    agent: ceo
    session: agent:ceo:main
    notify_session: agent:swe2:main
    completed_at: 2027-01-15T08:00:00Z
    ---

    ## Answers

    - auth-strategy: __skipped__
    - db: __skipped__
    - db-backup: __skipped__
    "#);
}

#[test]
fn a_late_answer_decides_nothing() {
    let open = sheet(CANONICAL);
    let gone = open.with(&open.petition().withdraw("not needed", &ada()).unwrap(), &ada(), NOON).unwrap();
    let change =
        gone.petition().answer("db", words("a\n---\nid: x"), &SeenQuestion::default(), &ada()).unwrap();
    let late = gone.with(&change, &ada(), NOON).unwrap();
    assert_eq!(late.petition().status(), PetitionStatus::Withdrawn);
    insta::assert_snapshot!(difference(CANONICAL, late.text()), @r#"
    -status: pending            # pending | in_progress | completed
    +status: withdrawn            # pending | in_progress | completed
    -updated_at: 2026-01-30T01:30:00Z
    -completed_at: null
    +updated_at: 2027-01-15T08:00:00Z
    +completed_at: 2027-01-15T08:00:00Z
    +reason: "not needed"
    -answer: null
    -answered_at: null
    +answer: "a\n---\nid: x"
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    +late: true
    "#);
    insta::assert_snapshot!(notification(late.petition()).unwrap().1, @r#"
    ---
    plan_id: abc123
    plan_title: "API Design Decisions"
    agent: ceo
    session: agent:ceo:main
    notify_session: agent:swe2:main
    completed_at: 2027-01-15T08:00:00Z
    status: withdrawn
    reason: "not needed"
    ---

    ## Answers

    ## Late answers

    - db: a\n---\nid: x
    "#);
    assert_eq!(late.without_answer("db", NOON).unwrap().text(), gone.text());
}

#[test]
fn what_is_written_is_the_format() {
    let petition = sheet(CANONICAL).petition().clone();
    let written = PetitionText::write(&petition);
    assert_eq!(written.petition(), &petition);
    insta::assert_snapshot!(difference(CANONICAL, written.text()), @r"
    -priority: normal           # low | normal | high | urgent
    -status: pending            # pending | in_progress | completed
    +priority: normal
    +status: pending
    -notify_session: agent:swe2:main   # optional
    +notify_session: agent:swe2:main
    ");
}
