//! Answers in the person's own words.

use serde_json::json;

use super::{ADA, Phone, SAM};

/// Asks three, and opens the one that takes one's own words.
fn at_the_name(phone: &Phone) {
    phone.ask_three();
    phone.ada().says("/queue");
    phone.sees("API Design Decisions");
    phone.tap("1");
    phone.taps("The name", "3/3");
}

#[test]
fn the_next_text_is_the_answer_whatever_is_in_it() {
    for words in
        ["Arbiter", "two\nlines", "/usr/bin/env is it", "<b>&\"'*_[]()~`", "مرحبا بالعالم", "null", "- a"]
    {
        let phone = Phone::of_ada();
        at_the_name(&phone);
        phone.taps("✏️ Custom", "The name");
        phone.ada().says(words);
        phone.sees("1/3");
        let ledger = phone.ledger_of(1);
        assert_eq!(ledger, [format!("answered name {words} human:telegram:{ADA}")]);
        phone.verified();
    }
}

#[test]
fn writing_survives_a_restart_and_can_be_left() {
    let mut phone = Phone::of_ada();
    at_the_name(&phone);
    phone.taps("✏️ Custom", "The name");
    phone.kill();
    phone.serve();
    phone.ada().says("/cancel");
    phone.sees("Left");
    phone.taps("✏️ Custom", "The name");
    phone.kill();
    phone.ada().says("Arbiter");
    phone.serve();
    assert_eq!(phone.ledger_of(1), [format!("answered name Arbiter human:telegram:{ADA}")]);
}

#[test]
fn a_text_never_lands_on_a_decision_that_is_no_longer_looked_at() {
    let phone = Phone::of_ada();
    at_the_name(&phone);
    phone.taps("✏️ Custom", "The name");
    phone.ada().says("/queue");
    phone.sees("Decision Queue");
    phone.ada().says("Arbiter");
    phone.sees("Nothing waits for your words");
    assert_eq!(phone.ledger(), Vec::<String>::new());
}

#[test]
fn a_question_that_changed_meanwhile_takes_no_text() {
    let phone = Phone::of_ada();
    let id = phone.ask_three();
    at_the_name_of(&phone, &id);
    phone.taps("✏️ Custom", "✏️ The name");
    phone.done(&["answer", &id, "name", "x"]);
    phone.ada().says("Arbiter");
    phone.sees("changed since you began to write");
    assert_eq!(phone.ledger().len(), 1);
}

fn at_the_name_of(phone: &Phone, id: &str) {
    phone.ada().says(&format!("/start plan_{id}"));
    phone.taps("The name", "3/3");
}

#[test]
fn in_a_group_only_a_reply_of_an_allowed_person_is_an_answer() {
    let mut phone = Phone::with(&format!("[{{id: {ADA}, name: ada, role: steer}}]"), "");
    phone.serve();
    let group = phone.api.group(-100_500, "House", &[ADA, SAM]);
    let id = phone.ask(&json!({"title": "Name it", "agent": "ceo", "priority": "urgent",
        "decisions": [{"id": "name", "title": "The name", "options": [{"key": "x"}], "allow_custom": true}]}));
    phone.ada().says_in(-100_500, &format!("/start@arbiter_test_bot plan_{id}"));
    let seen = |words: &str| super::sees(&phone.api, -100_500, words);
    let opened = seen("Name it");
    phone.sam().taps_in(-100_500, opened.id, "▶️ Continue");
    phone.ada().taps_in(-100_500, opened.id, "▶️ Continue");
    let decision = seen("1/1");
    phone.ada().taps_in(-100_500, decision.id, "✏️ Custom");
    super::until("the question is a message of its own", || {
        group.chat().newest().is_some_and(|newest| newest.id != decision.id)
    });
    let prompt = group.chat().newest().expect("a message");
    phone.sam().replies(-100_500, prompt.id, "Mine");
    phone.ada().replies(-100_500, prompt.id, "Ours");
    assert_eq!(phone.ledger_of(1), [format!("answered name Ours human:telegram:{ADA}")]);
}
