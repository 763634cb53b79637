//! The format as it is written down: reading it, editing it in place, writing it anew.

use std::sync::Arc;

use docket::text::{Sheet, notification};
use mind::Timestamp;
use mind::petition::{By, Change, Choice, Door, End, Petition, Seen, Status};

pub(crate) const NOON: Timestamp = Timestamp(1_800_000_000_000);

pub(crate) fn ada() -> By {
    By::human(Door::Cli, "ada")
}

/// Reads a text that is a petition.
pub(crate) fn sheet(text: &str) -> Sheet {
    Sheet::read(text.as_bytes(), Timestamp(7_000)).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// A change that answers.
pub(crate) fn answered(petition: &Petition, decision: &str, choice: Choice) -> Change {
    let digest = petition.digest(petition.decision(decision).expect("it is there"));
    Change::Answered { decision: Arc::from(decision), choice, digest }
}

pub(crate) fn words(text: &str) -> Choice {
    Choice::Answer(Arc::from(text))
}

/// The lines that are not the same: `-` went, `+` came.
pub(crate) fn difference(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    let (mut at, mut to) = (0, 0);
    let mut told = String::new();
    while at < old.len() || to < new.len() {
        if at < old.len() && to < new.len() && old[at] == new[to] {
            (at, to) = (at + 1, to + 1);
            continue;
        }
        let back = old.get(at).and_then(|line| new[to..].iter().take(12).position(|other| other == line));
        let forth = new.get(to).and_then(|line| old[at..].iter().take(12).position(|other| other == line));
        let (gone, come) = match (back, forth) {
            (Some(come), None) => (0, come),
            (None, Some(gone)) => (gone, 0),
            (Some(come), Some(gone)) if come <= gone => (0, come),
            (Some(_), Some(gone)) => (gone, 0),
            (None, None) => (usize::from(at < old.len()), usize::from(to < new.len())),
        };
        old[at..at + gone].iter().for_each(|line| told.push_str(&format!("-{line}\n")));
        new[to..to + come].iter().for_each(|line| told.push_str(&format!("+{line}\n")));
        (at, to) = (at + gone, to + come);
    }
    told
}

const CANONICAL: &str = include_str!("../fixtures/canonical.md");

#[test]
fn the_format_is_read_as_it_is_written_down() {
    let sheet = sheet(CANONICAL);
    let petition = sheet.petition();
    assert_eq!(petition.id, "abc123".into());
    assert_eq!(&*petition.title, "API Design Decisions");
    assert_eq!(petition.notify_session.as_deref(), Some("agent:swe2:main"));
    assert_eq!(&*petition.context, "Context for the human reviewer.");
    assert_eq!(petition.status(), Status::Pending);
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
    +answered: 1
    -remaining: 3
    +remaining: 2
    -status: pending
    +status: answered
    -answer: null
    +answer: sqlite
    -answered_at: null
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
}

#[test]
fn an_end_is_written_into_the_frontmatter() {
    let mut now = sheet(CANONICAL);
    for id in ["auth-strategy", "db", "db-backup"] {
        now = now.with(&answered(now.petition(), id, Choice::Skipped), &ada(), NOON).unwrap();
    }
    let ready = now.clone();
    let change = now.petition().submit().unwrap();
    now = now.with(&change, &ada(), NOON).unwrap();
    assert_eq!(now.claims(), Some(End::Completed));
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
    let gone = open.with(&open.petition().withdraw("not needed").unwrap(), &ada(), NOON).unwrap();
    let change = gone.petition().answer("db", words("a\n---\nid: x"), &Seen::default(), &ada()).unwrap();
    let late = gone.with(&change, &ada(), NOON).unwrap();
    assert_eq!(late.petition().status(), Status::Withdrawn);
    insta::assert_snapshot!(difference(CANONICAL, late.text()), @r#"
    -status: pending            # pending | in_progress | completed
    +status: withdrawn            # pending | in_progress | completed
    -updated_at: 2026-01-30T01:30:00Z
    +updated_at: 2027-01-15T08:00:00Z
    -completed_at: null
    +completed_at: 2027-01-15T08:00:00Z
    +reason: "not needed"
    -answer: null
    +answer: "a\n---\nid: x"
    -answered_at: null
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
    let written = Sheet::write(&petition);
    assert_eq!(written.petition(), &petition);
    insta::assert_snapshot!(difference(CANONICAL, written.text()), @r"
    -priority: normal           # low | normal | high | urgent
    +priority: normal
    -status: pending            # pending | in_progress | completed
    +status: pending
    -notify_session: agent:swe2:main   # optional
    +notify_session: agent:swe2:main
    ");
}
