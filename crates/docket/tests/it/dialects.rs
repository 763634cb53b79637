//! Files as they are found in the wild, one fixture for each way to write. Each can be read, and answered without touching
//! anything but the fields of the answer and the counters.

use docket::text::PetitionText;
use mind::Timestamp;
use mind::petition::{AnswerChoice, Decision, Petition, PetitionEnd, PetitionStatus, Priority};

use crate::text::{NOON, ada, answered, difference, sheet, words};

/// Why a text is no petition.
pub(crate) fn fault(text: &str) -> String {
    match PetitionText::read(text.as_bytes(), NOON) {
        Ok(sheet) => panic!("it was read: {:?}", sheet.petition()),
        Err(why) => why.to_string(),
    }
}

/// The lines that an answer to `decision` changes.
pub(crate) fn change(text: &str, decision: &str, choice: AnswerChoice) -> String {
    let before = sheet(text);
    let after = before.with(&answered(before.petition(), decision, choice), &ada(), NOON);
    let after = after.expect("it can be answered");
    difference(text, after.text())
}

fn decision<'a>(petition: &'a Petition, id: &str) -> &'a Decision {
    petition.decision(id).unwrap_or_else(|| panic!("{id} is not there: {petition:?}"))
}

pub(crate) fn options(decision: &Decision) -> Vec<(&str, &str)> {
    decision.options.iter().map(|option| (&*option.key, &*option.label)).collect()
}

fn at(text: &str) -> Timestamp {
    docket::text::moment(text).expect("it is a moment")
}

#[test]
fn an_id_is_always_text() {
    let text = fixture!("unquoted_id");
    let uuid = "0e1f9d1c-9a43-4b5c-8f4e-5f2f3c1b7a90";
    for id in ["12345678", "1e5", "0x12", "no", "1.10", "00000012", "a_b-C9Zx", "deadbeef0123", uuid] {
        let read = sheet(&text.replace("12345678", id));
        assert_eq!(&*read.petition().id.0, id);
        assert_eq!(PetitionText::write(read.petition()).petition().id, read.petition().id);
    }
}

#[test]
fn names_may_be_in_camel_case() {
    let text = fixture!("camel_case");
    let petition = sheet(text).petition().clone();
    assert_eq!(petition.created_at, at("2026-01-30T01:30:00Z"));
    assert_eq!(petition.updated_at, at("2026-01-30T01:31:00Z"));
    assert_eq!(petition.notify_session.as_deref(), Some("agent:swe2:main"));
    assert_eq!(petition.decisions[0].allow_custom, Some(false));
    insta::assert_snapshot!(change(text, "auth", words("jwt")), @r"
    -status: pending
    +status: in_progress
    -updatedAt: 2026-01-30T01:31:00Z
    +updatedAt: 2027-01-15T08:00:00Z
    -status: pending
    -answer: null
    -answeredAt: null
    +status: answered
    +answer: jwt
    +answeredAt: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
}

#[test]
fn everything_but_the_id_and_a_decision_has_a_default() {
    let text = fixture!("required_only");
    let petition = sheet(text).petition().clone();
    assert_eq!((&*petition.tag, &*petition.session), ("", ""));
    assert_eq!(petition.priority, Priority::Normal);
    assert_eq!(petition.created_at, Timestamp(7_000));
    insta::assert_snapshot!(change(text, "auth", words("jwt")), @r"
    -status: pending
    +status: in_progress
    -status: pending
    -answer: null
    +status: answered
    +answer: jwt
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
}

#[test]
fn an_unknown_priority_is_kept_and_normal() {
    let text = fixture!("unknown_priority");
    assert_eq!(sheet(text).petition().priority, Priority::Normal);
    assert!(!change(text, "auth", words("jwt")).contains("priority"));
}

#[test]
fn times_are_quoted_or_not_with_or_without_milliseconds_or_none() {
    let text = fixture!("timestamps");
    let petition = sheet(text).petition().clone();
    assert_eq!(petition.created_at, at("2026-01-30T01:30:00.250Z"));
    assert_eq!(petition.updated_at, at("2026-01-30T01:30:00Z"));
    assert_eq!(petition.deadline, Some(at("2026-02-01T00:00:00Z")));
    assert_eq!(petition.decisions[0].answer, None);
    insta::assert_snapshot!(change(text, "auth", words("jwt")), @r"
    -status: pending
    +status: in_progress
    -updated_at: '2026-01-30T02:30:00+01:00'
    +updated_at: '2027-01-15T08:00:00Z'
    -status: pending
    -answer: null
    -answered_at: None
    +status: answered
    +answer: jwt
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
}

#[test]
fn texts_may_be_folded_escaped_or_lists() {
    let text = fixture!("folded");
    let petition = sheet(text).petition().clone();
    assert_eq!(&*petition.title, "A long title that is folded");
    assert_eq!(&*petition.tag, "a, b");
    assert_eq!(petition.blocks.as_deref(), Some("the release of the ox"));
    assert_eq!(petition.assignee.as_deref(), Some("🐂 ox"));
    assert_eq!(petition.id, "abc123".into());
    insta::assert_snapshot!(change(text, "auth", words("jwt")), @r"
    -status: pending
    +status: in_progress
    -status: pending
    -answer: null
    -answered_at: null
    +status: answered
    +answer: jwt
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
}

#[test]
fn quotes_inside_a_quoted_title_belong_to_it() {
    let text = fixture!("inner_quotes");
    assert_eq!(&*sheet(text).petition().title, "Use \"strict\" mode: yes or \"no\"?");
    assert_eq!(&*sheet(text).petition().context, "");
    let broken = text.replace("\"no\"?\"   # asked twice", "no").replace("\"Use \"strict\"", "\"Use strict");
    insta::assert_snapshot!(fault(&broken), @r"`title` in the frontmatter cannot be understood: a quote is never closed");
}

#[test]
fn a_byte_order_mark_stays() {
    let text = fixture!("byte_order_mark");
    assert!(text.starts_with('\u{feff}'));
    assert_eq!(sheet(text).petition().id, "abc123".into());
    insta::assert_snapshot!(change(text, "auth", words("jwt")), @r"
    -status: pending
    +status: in_progress
    +updated_at: 2027-01-15T08:00:00Z
    -status: pending
    -answer: null
    -answered_at: null
    +status: answered
    +answer: jwt
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
}

#[test]
fn carriage_returns_stay_and_new_lines_have_them_too() {
    let text = fixture!("carriage_returns");
    let before = sheet(text);
    assert_eq!(options(&before.petition().decisions[0]), [("jwt", "JWT"), ("oauth", "OAuth")]);
    let after = before.with(&answered(before.petition(), "auth", words("jwt")), &ada(), NOON).unwrap();
    assert!(after.text().split('\n').rev().skip(1).all(|line| line.ends_with('\r')));
    assert!(after.text().ends_with("---"), "no line end is added at the end");
    insta::assert_snapshot!(difference(text, after.text()).replace('\r', "␍"), @r"
    -status: pending␍
    +status: in_progress␍
    -answered: 0␍
    -remaining: 1␍
    +answered: 1␍
    +remaining: 0␍
    +updated_at: 2027-01-15T08:00:00Z␍
    -status: pending␍
    -answered_at: null␍
    +status: answered␍
    +answer: jwt␍
    +answered_at: 2027-01-15T08:00:00Z␍
    +answered_by: human:cli:ada␍
    +via: cli␍
    ");
}

#[test]
fn frontmatter_is_yaml_and_nothing_is_evaluated() {
    let text = fixture!("language");
    assert_eq!(fault(text), "frontmatter `---js` is not YAML; nothing is ever evaluated");
    let json = text.replacen("---js", "---json", 1);
    assert_eq!(fault(&json), "frontmatter `---json` is not YAML; nothing is ever evaluated");
}

#[test]
fn a_status_without_the_answers_to_match_is_not_believed() {
    let ready = sheet(fixture!("ready_without_answers"));
    assert_eq!((ready.petition().status(), ready.claims()), (PetitionStatus::Pending, None));
    let text = fixture!("completed_without_answers");
    let completed = sheet(text);
    assert_eq!(
        (completed.petition().status(), completed.claims()),
        (PetitionStatus::Pending, Some(PetitionEnd::Completed))
    );
    insta::assert_snapshot!(change(text, "auth", words("jwt")), @r"
    -status: completed
    -completed_at: 2026-01-30T01:30:00Z
    +status: in_progress
    +completed_at: null
    -status: pending
    -answer: null
    -answered_at: null
    +status: answered
    +answer: jwt
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
}

#[test]
fn an_id_before_the_title_is_no_part_of_it() {
    let petition = sheet(fixture!("old_headings")).petition().clone();
    let titles: Vec<&str> = petition.decisions.iter().map(|decision| &*decision.title).collect();
    assert_eq!(
        titles,
        ["Auth Strategy", "Long-term caching", "Long-term caching - really", "Which - of them"]
    );
}

#[test]
fn headings_need_no_number_and_sections_no_id() {
    let text = fixture!("headings_without_number");
    let petition = sheet(text).petition().clone();
    let found: Vec<(&str, &str)> = petition.decisions.iter().map(|d| (&*d.id, &*d.title)).collect();
    let expected = [
        ("one", "First"),
        ("decision-2", ""),
        ("naming-things-again", "Naming Things (again)"),
        ("where", "Where to?"),
    ];
    assert_eq!(found, expected);
    assert!(petition.context.contains("## Not a decision\n\nstatus: of things is fine"));
    insta::assert_snapshot!(change(text, "decision-2", words("a")), @r"
    -status: pending
    +status: in_progress
    -status: pending
    +status: answered
    +answer: a
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
}

#[test]
fn the_words_of_fields_in_a_text_are_text() {
    let text = fixture!("fields_in_text");
    let petition = sheet(text).petition().clone();
    assert_eq!(&*petition.context, "id: this is text");
    let auth = decision(&petition, "auth");
    assert_eq!(auth.answer, None);
    assert_eq!(auth.allow_custom, Some(true));
    insta::assert_snapshot!(auth.context, @r"
    id: still text
    status: answered
    answer: oauth

    The log says:
    status: answered
    answer: jwt
    id: other
    ");
    insta::assert_snapshot!(change(text, "auth", words("oauth")), @r"
    -status: pending
    +status: in_progress
    -status: pending
    +status: answered
    +answer: oauth
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
}

#[test]
fn a_skip_of_others_is_a_skip_and_ours_is_written_both_ways() {
    let text = fixture!("skip_of_others");
    let skipped = sheet(text);
    assert_eq!(skipped.petition().decisions[0].answer.as_ref().unwrap().choice, AnswerChoice::Skipped);
    assert_eq!(skipped.petition().status(), PetitionStatus::Ready);
    let ours = change(fixture!("node_22"), "auth", AnswerChoice::Skipped);
    assert!(ours.contains("+status: answered\n") && ours.contains("+answer: __skipped__\n"));
    assert!(ours.contains("+skipped: true\n"));
}

#[test]
fn an_answer_of_others_is_read_as_it_is() {
    let text = fixture!("raw_answers");
    let petition = sheet(text).petition().clone();
    let said = |id: &str| decision(&petition, id).answer.as_ref().map(|given| given.choice.clone());
    assert_eq!(said("one"), Some(words("use \"both\": yes # and no")));
    assert_eq!(said("two"), None);
    assert_eq!(said("three"), Some(words("ours\nin two lines")));
    assert_eq!(said("four"), None);
    assert_eq!(petition.status(), PetitionStatus::InProgress);
    insta::assert_snapshot!(change(text, "two", words("words of my own")), @r#"
    -status: pending
    +status: in_progress
    -status: pending
    -answer:
    +status: answered
    +answer: "words of my own"
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    "#);
}

#[test]
fn a_context_may_have_several_paragraphs_with_a_mark_or_without() {
    let petition = sheet(fixture!("contexts")).petition().clone();
    assert_eq!(&*petition.context, "First paragraph.\n\n---\n\nSecond, behind a rule.");
    assert_eq!(&*petition.decisions[0].context, "Plain mark.\n\n- a list\n* **bold** text\n\n  indented");
    assert_eq!(&*petition.decisions[1].context, "**Note:** behind the options.");
    assert_eq!(&*petition.decisions[2].context, "Without a mark.");
    let alone = fixture!("contexts").replace("\n**Note:** behind the options.\n", "");
    assert_eq!(&*sheet(&alone).petition().decisions[1].context, "");
    assert!(petition.decisions.iter().all(|decision| options(decision) == [("a", "A")]));
}

#[test]
fn an_option_has_a_key_some_dash_and_a_label() {
    let petition = sheet(fixture!("options")).petition().clone();
    let expected = [
        ("a", "em dash"),
        ("b", "en dash"),
        ("c", "hyphen"),
        ("d", "two hyphens"),
        ("e", "colon"),
        ("plain", "without backticks"),
        ("plain2", "colon"),
        ("two words", "and a label"),
        ("f", "f"),
        ("g", "g"),
        ("h", "Label (default)"),
        ("i", "Label (a note)"),
        ("node:22", "Node 22"),
        ("node:20", "Node 20"),
        ("j", "goes on in the next line"),
        ("k", "behind a blank line"),
    ];
    assert_eq!(options(&petition.decisions[0]), expected);
}

#[test]
fn separators_stay_also_before_the_first_decision() {
    let text = fixture!("separators");
    let mut now = sheet(text);
    for id in ["auth", "more"] {
        now = now.with(&answered(now.petition(), id, words("a\n---\nb")), &ada(), NOON).unwrap();
    }
    let separators = |text: &str| text.lines().filter(|line| *line == "---").count();
    assert_eq!(separators(now.text()), separators(text));
    assert!(now.text().contains("\n\nbetween\n\n---\n\n## Decision 2: More\n"));
    assert!(now.text().ends_with("- `oauth` — OAuth\n\n---"));
}

#[test]
fn decisions_may_stand_in_the_frontmatter_alone() {
    let text = fixture!("list_alone");
    let petition = sheet(text).petition().clone();
    let auth = decision(&petition, "auth");
    assert_eq!(options(auth), [("jwt", "JWT (small)"), ("oauth", "oauth"), ("saml", "SAML")]);
    assert_eq!(
        (&*auth.context, auth.allow_custom, auth.default.as_deref()),
        ("How?", Some(true), Some("jwt"))
    );
    let numbers = decision(&petition, "1e5");
    assert_eq!(options(numbers), [("1.10", "one ten"), ("no", "No")]);
    insta::assert_snapshot!(change(text, "auth", words("say \"no\"\n---")), @r#"
    -status: pending
    +status: in_progress
    -    status: pending
    -    answer: null
    -    answered_at: null
    +    status: answered
    +    answer: "say \"no\"\n---"
    +    answered_at: 2027-01-15T08:00:00Z
    +    answered_by: human:cli:ada
    +    via: cli
    "#);
    insta::assert_snapshot!(change(text, "1e5", AnswerChoice::Skipped), @r"
    -status: pending
    +status: in_progress
    -    status: pending
    +    status: answered
    +    answer: __skipped__
    +    answered_at: 2027-01-15T08:00:00Z
    +    answered_by: human:cli:ada
    +    via: cli
    +    skipped: true
    ");
}

#[test]
fn with_a_list_in_the_frontmatter_an_answer_goes_to_both_places() {
    let text = fixture!("list_and_body");
    let both = sheet(text);
    assert_eq!(&*decision(both.petition(), "auth").context, "How?");
    insta::assert_snapshot!(change(text, "auth", words("jwt")), @r"
    -status: pending
    +status: in_progress
    -    status: pending
    -    answer: null
    -    answered_at: null
    +    status: answered
    +    answer: jwt
    +    answered_at: 2027-01-15T08:00:00Z
    -status: pending
    -answer: null
    -answered_at: null
    +status: answered
    +answer: jwt
    +answered_at: 2027-01-15T08:00:00Z
    +answered_by: human:cli:ada
    +via: cli
    ");
    let after = both.with(&answered(both.petition(), "auth", AnswerChoice::Skipped), &ada(), NOON).unwrap();
    let back = after.without_answer("auth", NOON).unwrap();
    assert_eq!(decision(back.petition(), "auth").answer, None);
    // The program that keeps the list answers only there.
    let theirs = text.replacen("    answer: null", "    answer: oauth", 1);
    let theirs = sheet(&theirs);
    assert_eq!(decision(theirs.petition(), "auth").answer.as_ref().unwrap().choice, words("oauth"));
}

#[test]
fn the_list_may_be_json() {
    let text = fixture!("list_in_braces");
    insta::assert_snapshot!(change(text, "db", words("5")), @r#"
    -status: pending
    -decisions: [{"id": "auth", "title": "Auth", "options": ["jwt", "oauth"], "status": "pending", "answer": null}, {"id": "db", "title": "Database", "options": ["pg"], "answer": null}]
    +status: in_progress
    +decisions: [{"id": "auth", "title": "Auth", "options": ["jwt", "oauth"], "status": "pending", "answer": null}, {"status": "answered", "answered_at": "2027-01-15T08:00:00Z", "answered_by": "human:cli:ada", "via": "cli", "id": "db", "title": "Database", "options": ["pg"], "answer": "5"}]
    "#);
    let mut now = sheet(text);
    for id in ["auth", "db", "auth"] {
        now = now.with(&answered(now.petition(), id, words("a: {b}, \"c\"")), &ada(), NOON).unwrap();
    }
    assert_eq!(now.petition().status(), PetitionStatus::Ready);
}
