//! Petitions as agents and other programs write them: nothing in them breaks a message, and what is gone is said.

use std::fs;

use serde_json::json;

use super::{ADA, Phone};

#[test]
fn texts_of_any_length_and_script_are_cut_visibly_and_never_rejected() {
    let phone = Phone::of_ada();
    let nasty = "<&>*_[]()~`\u{202e}abc\u{200f}";
    for (nth, title) in
        [nasty.repeat(12), "x".repeat(200), "漢字".repeat(100), "👩‍👩‍👧".repeat(40)].iter().enumerate()
    {
        let id = format!("{nth}{}", "i".repeat(60));
        let petition = json!({"id": id, "title": title, "agent": "ceo", "context": nasty.repeat(300), "priority": "urgent",
            "decisions": [{"id": "d".repeat(64), "title": title, "context": nasty.repeat(300),
                "options": (0..50).map(|at| json!({"key": format!("k{at}"), "label": nasty.repeat(5)})).collect::<Vec<_>>()}]});
        phone.ask(&petition);
    }
    phone.ada().says("/queue");
    phone.sees("4 urgent");
    phone.tap("2");
    phone.taps("▶️ Continue", "1/1");
    super::until("the door has said all", || phone.api.waiting_updates() == 0);
    let refused: Vec<_> = phone
        .api
        .requests()
        .into_iter()
        .filter(|request| request.answered.is_some() && !request.is_ok())
        .collect();
    let refused: Vec<_> =
        refused.iter().filter(|request| !request.description().contains("not modified")).collect();
    assert!(refused.is_empty(), "{refused:?}");
}

#[test]
fn a_malformed_file_among_good_ones_is_told_with_its_reason() {
    let phone = Phone::of_ada();
    phone.ask_three();
    let pending = phone.theatre.path().join("home/.arbiter/queue/pending");
    fs::write(pending.join("broken.md"), "---\nid: x\n").expect("a file");
    phone.ada().says("/queue");
    let seen = phone.sees("broken.md");
    assert!(seen.text.contains("API Design Decisions"), "{}", seen.text);
}

#[test]
fn a_decision_that_is_gone_from_its_file_and_a_file_that_is_deleted_are_told() {
    let phone = Phone::of_ada();
    let id = phone.ask_three();
    phone.ada().says(&format!("/start plan_{id}"));
    phone.sees("0/3");
    phone.taps("▶️ Continue", "1/3");
    let pending = phone.theatre.path().join("home/.arbiter/queue/pending");
    let file = fs::read_dir(&pending).expect("a folder").flatten().map(|entry| entry.path());
    let file = file.into_iter().find(|path| path.extension().is_some_and(|end| end == "md")).expect("a file");
    let text = fs::read_to_string(&file).expect("a file");
    let (head, rest) = text.split_once("## Decision 1").expect("a decision");
    let (_, others) = rest.split_once("## Decision 2").expect("another");
    fs::write(&file, format!("{head}## Decision 2{others}")).expect("a file");
    let gone = phone.sees("Decision not found");
    assert!(gone.button("🔄 Reload").is_some(), "{:?}", gone.button_texts());
    phone.taps("🔄 Reload", "0/2");
    fs::remove_file(&file).expect("it is there");
    phone.sees("Plan not found");
    let queue =
        phone.sees("Plan not found").button_texts().into_iter().next().map(str::to_owned).expect("a button");
    phone.taps(&queue, "Decision Queue");
}

#[test]
fn forged_foreign_and_garbled_buttons_do_nothing() {
    let phone = Phone::of_ada();
    phone.ask_three();
    phone.ada().says("/queue");
    let shown = phone.sees("API Design Decisions");
    for data in [
        "",
        "1",
        "1:",
        "zzz",
        "answer:::",
        "answer:x:y:z",
        "1:c:x:0:0:AAAAAA",
        "\u{0}",
        &"x".repeat(64),
        "submit:..:..:..",
    ] {
        let tap = phone.ada().forges(ADA, shown.id, data);
        phone.api.wait_for_answer(&tap, super::PATIENCE).unwrap_or_else(|| panic!("{data:?} is answered"));
    }
    assert_eq!(phone.ledger(), Vec::<String>::new());
}
