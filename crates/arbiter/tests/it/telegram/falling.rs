//! The door is killed, restarted and cut off, and loses and doubles nothing.

use std::time::Duration;

use serde_json::{Value, json};
use sim::bot_api::BotFault;

use super::{ADA, Phone, urgent};

#[test]
fn a_review_goes_on_after_a_restart_in_the_middle_of_each_step() {
    let mut phone = Phone::of_ada();
    phone.ask_three();
    phone.ada().says("/queue");
    phone.sees("API Design Decisions");
    let steps = [
        ("1", "Context for the human"),
        ("▶️ Continue", "1/3"),
        ("A", "2/3"),
        ("A", "3/3"),
        ("⏭️ Skip", "1 skipped"),
        ("📤 Submit", "submitted"),
    ];
    for (button, words) in steps {
        phone.kill();
        phone.tap(button);
        phone.serve();
        phone.sees(words);
    }
    assert_eq!(
        phone.ledger(),
        [
            format!("answered auth-strategy jwt human:telegram:{ADA}"),
            format!("answered db pg human:telegram:{ADA}"),
            format!("answered name skipped human:telegram:{ADA}"),
            format!("submitted human:telegram:{ADA}"),
        ]
    );
    phone.verified();
}

#[test]
fn two_hundred_taps_made_while_the_door_was_closed_are_taken_at_its_start() {
    let mut phone = Phone::of_ada();
    let ids: Vec<String> = (0..200).map(|nth| phone.ask(&calm(nth))).collect();
    phone.ada().says("/queue");
    let shown = phone.sees("200 normal");
    phone.kill();
    let before = phone.api.taps().len();
    // By buttons of the older program: those name petitions that are on no page.
    for id in &ids {
        phone.ada().forges(ADA, shown.id, &format!("answer:{id}:go:no"));
    }
    phone.serve();
    super::until("all are taken", || phone.api.waiting_updates() == 0);
    let ledger = phone.ledger_of(200);
    assert_eq!(ledger.len(), 200);
    super::until("all are answered", || phone.api.taps()[before..].iter().all(|tap| tap.answer.is_some()));
}

fn calm(nth: usize) -> Value {
    json!({"title": format!("Q{nth}"), "agent": "ceo",
           "decisions": [{"id": "go", "title": "Go?", "options": [{"key": "yes"}, {"key": "no"}]}]})
}

#[test]
fn a_server_that_fails_in_all_ways_loses_no_tap() {
    let phone = Phone::of_ada();
    phone.ask(&urgent("Deploy now?"));
    phone.taps("▶️ Continue", "1/1");
    for fault in [BotFault::BadGateway, BotFault::CloseAfter, BotFault::ResetBefore, BotFault::TooMany(1)] {
        phone.api.fault("*", 2, fault);
    }
    phone.tap("A");
    phone.sees("1 answered");
    assert_eq!(phone.ledger(), [format!("answered go yes human:telegram:{ADA}")]);
}

#[test]
fn a_message_that_the_person_deleted_is_sent_anew() {
    let phone = Phone::of_ada();
    let id = phone.ask(&urgent("Deploy now?"));
    let shown = phone.taps("▶️ Continue", "1/1");
    phone.ada().deletes(ADA, shown.id);
    phone.done(&["answer", &id, "go", "no"]);
    super::until("it is there again", || {
        phone
            .api
            .chat(ADA)
            .newest()
            .is_some_and(|newest| newest.id != shown.id && newest.text.contains("at the command line"))
    });
}

#[test]
fn what_is_sent_while_the_door_stops_is_not_sent_again_by_the_next_one() {
    let mut phone = Phone::of_ada();
    let before = phone.api.requests_of("sendMessage").len();
    phone.api.fault("sendMessage", 1, BotFault::SlowAfter(Duration::from_secs(1)));
    phone.ada().says("/help");
    super::until("it is under way", || phone.api.requests_of("sendMessage").len() > before);
    assert_eq!(phone.stop(), Some(0));
    phone.serve();
    phone.ada().says("/status");
    phone.sees("Telegram is reached");
    assert_eq!(phone.api.requests_of("sendMessage").len(), before + 2, "{}", phone.api.chat(ADA));
}

#[test]
fn the_door_stops_when_it_is_asked_to() {
    let mut phone = Phone::of_ada();
    assert_eq!(phone.stop(), Some(0));
}
