//! Faults of other programs that are not ours, and faults of files that are told and not guessed at.

use docket::text::PetitionText;

use crate::dialects::{change, fault, options};
use crate::text::{NOON, ada, answered, sheet, words};

#[test]
fn an_answer_to_db_does_not_touch_db_backup() {
    let text = fixture!("canonical");
    let before = sheet(text);
    let after = before.with(&answered(before.petition(), "db", words("sqlite")), &ada(), NOON).unwrap();
    assert_eq!(after.petition().decision("db-backup"), before.petition().decision("db-backup"));
    assert!(after.petition().decision("db").unwrap().is_decided());
}

#[test]
fn a_key_with_a_colon_survives() {
    let text = fixture!("node_22");
    assert_eq!(options(&sheet(text).petition().decisions[0])[0], ("node:22", "Node 22"));
    assert!(change(text, "auth", words("node:22")).contains("+answer: node:22\n"));
}

#[test]
fn a_tag_may_be_a_number_and_a_title_empty() {
    assert_eq!(&*sheet(fixture!("numeric_tag")).petition().tag, "2026");
    let text = fixture!("empty_title");
    assert_eq!(&*sheet(text).petition().title, "");
    assert!(change(text, "auth", words("jwt")).contains("+answer: jwt\n"));
    assert_eq!(&*PetitionText::write(sheet(text).petition()).petition().title, "");
}

#[test]
fn backslashes_are_only_backslashes() {
    let text = fixture!("backslashes");
    let petition = sheet(text).petition().clone();
    assert_eq!(&*petition.title, r"C:\temp \ and \q");
    assert_eq!(options(&petition.decisions[0])[0], (r"a\b", r"\n is no line end\"));
    assert_eq!(&*petition.decisions[0].context, "`C:\\new\\table` and \\d+ \\\n\\--- \\## x\\");
    assert!(change(text, "auth", words(r"a\b")).contains("+answer: a\\b\n"));
    assert!(change(text, "auth", words(r"c\d\")).contains("+answer: \"c\\\\d\\\\\"\n"));
}

#[test]
fn no_path_is_smuggled_through_an_id() {
    let text = fixture!("path_id").replace("status: pending\n---", "status: pending\nnotify_session: a\n---");
    let petition = sheet(&text);
    assert_eq!(&*petition.petition().id.0, "/../../x");
    let gone = petition.with(&petition.petition().withdraw("", &ada()).unwrap(), &ada(), NOON).unwrap();
    let (name, _) = docket::text::notification(gone.petition()).unwrap();
    insta::assert_snapshot!(name, @r"YQ-x-f8e77bfe043a.md");
}

#[test]
fn what_is_no_petition_is_told_in_a_sentence() {
    assert_eq!(fault(fixture!("duplicate_decision")), "decision `auth` stands twice");
    insta::assert_snapshot!(fault(fixture!("no_decision")), @r"no decision: there is no heading `## Decision 1: ...` at the beginning of a line");
    insta::assert_snapshot!(fault(fixture!("no_id")), @r"the id is missing: the frontmatter must have a line `id: ...`");
    insta::assert_snapshot!(fault(fixture!("no_frontmatter")), @r"there is no frontmatter: the file must begin with a line `---`");
    insta::assert_snapshot!(fault(fixture!("open_frontmatter")), @r"the frontmatter is never closed: it must end with a line `---`");
    insta::assert_snapshot!(fault(&fixture!("no_id").replace("agent: ceo", "id: a\nid: b")), @r"`id` stands twice in the frontmatter");
    insta::assert_snapshot!(fault(""), @r"there is no frontmatter: the file must begin with a line `---`");
    assert_eq!(PetitionText::read(b"---\n\xff", NOON).unwrap_err().0, "the file is not UTF-8 text");
}

#[test]
fn what_nobody_knows_stays_as_it_is() {
    let text = fixture!("unknown_fields");
    insta::assert_snapshot!(change(text, "auth", words("jwt")), @r"
    -status: pending
    +status: in_progress
    -status: pending
    -answer: null
    +status: answered
    +answer: jwt
    -answered_at: null
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
}

#[test]
fn a_heading_that_is_not_the_title_belongs_to_the_text() {
    for heading in ["# Background", "#"] {
        let text =
            fixture!("empty_title").replace("---\n\n---", &format!("---\n\n{heading}\n\nWords.\n\n---"));
        let petition = sheet(&text).petition().clone();
        assert_eq!(*petition.context, format!("{heading}\n\nWords."));
        assert_eq!(PetitionText::write(&petition).petition().context, petition.context);
    }
}
