//! Who may do what: strangers, watchers, two people at once, assigned decisions and handing over.

use serde_json::json;

use super::{ADA, Phone, SAM, sees, urgent};

fn two(role: &str) -> Phone {
    let mut phone = Phone::with(
        &format!("[{{id: {ADA}, name: ada, role: steer}}, {{id: {SAM}, name: sam, role: {role}}}]"),
        "",
    );
    phone.serve();
    phone.ada().says("/start");
    phone.sees("Decision Queue");
    phone.sam().says("/start");
    sees(&phone.api, SAM, "Decision Queue");
    phone
}

#[test]
fn a_stranger_gets_nothing_and_one_line_in_the_log() {
    let phone = Phone::of_ada();
    let mallory = phone.api.user(666);
    mallory.says("/start");
    mallory.says("/queue with words of a stranger");
    phone.ask(&urgent("Deploy now?"));
    phone.sees("Deploy now?");
    let tap = mallory.forges(666, 1, "1");
    super::until("it is taken", || phone.api.waiting_updates() == 0);
    assert!(phone.api.chat(666).from_bot().is_empty());
    assert!(phone.api.tap(&tap).is_some_and(|tap| tap.answer.is_none()));
    assert!(phone.log().contains("user 666 is not let in"), "{}", phone.log());
    let memory = std::fs::read_to_string(phone.theatre.home().join("telegram/door.jsonl")).expect("a file");
    assert!(memory.contains("666") && !memory.contains("words of a stranger"), "{memory}");
}

#[test]
fn who_only_watches_answers_nothing() {
    let phone = two("watch");
    let id = phone.ask(&urgent("Deploy now?"));
    let opened = phone.taps("▶️ Continue", "1/1");
    let yes = opened.button("A").expect("a button").data.clone().expect("data");
    phone.sam().says(&format!("/start plan_{id}"));
    super::tap(&phone.api, SAM, "Go?");
    let decision = sees(&phone.api, SAM, "1/1");
    assert!(decision.button("A").is_none(), "{:?}", decision.button_texts());
    let tap = phone.sam().forges(SAM, decision.id, &yes);
    phone.api.wait_for_answer(&tap, super::PATIENCE).expect("an answer");
    assert_eq!(phone.ledger(), Vec::<String>::new());
}

#[test]
fn of_two_at_once_the_first_answer_stands_and_the_other_sees_it() {
    let phone = two("answer");
    phone.ask(&urgent("Deploy now?"));
    phone.taps("▶️ Continue", "1/1");
    super::tap(&phone.api, SAM, "▶️ Continue");
    sees(&phone.api, SAM, "1/1");
    phone.tap("A");
    phone.sam().taps_newest("B");
    let ledger = phone.ledger_of(1);
    assert_eq!(ledger.len(), 1, "{ledger:?}");
    phone.sees("answered");
    sees(&phone.api, SAM, "ada");
}

#[test]
fn an_assigned_decision_is_answered_by_others_only_instead_of_its_person() {
    let phone = two("answer");
    let id = phone.ask(&json!({"title": "Budget", "agent": "ceo", "priority": "urgent", "assignee": "sam",
        "decisions": [{"id": "go", "title": "Go?", "options": [{"key": "yes"}, {"key": "no"}]}]}));
    sees(&phone.api, SAM, "Budget");
    phone.ada().says(&format!("/start plan_{id}"));
    phone.sees("Budget");
    let opened = phone.taps("▶️ Continue", "1/1");
    assert!(opened.button("A").is_none(), "{:?}", opened.button_texts());
    phone.tap("nstead of sam");
    phone.taps("A", "1 answered");
    let ledger = phone.done(&["audit", "--json"]);
    assert!(ledger.contains("\"instead_of\":\"sam\""), "{ledger}");
}

#[test]
fn a_petition_is_handed_to_another_person_who_is_told() {
    let phone = two("answer");
    phone.ask_three();
    phone.ada().says("/queue");
    phone.sees("API Design Decisions");
    phone.tap("1");
    phone.tap("and over");
    phone.tap("sam");
    sees(&phone.api, SAM, "ada hands you this");
    assert!(phone.ledger().iter().any(|line| line.starts_with("assigned")), "{:?}", phone.ledger());
}

/// A button means a person, wherever they stand in the list by then.
#[test]
fn a_button_that_hands_over_means_the_person_and_not_their_place_in_the_list() {
    let mut phone = two("answer");
    phone.ask_three();
    phone.ada().says("/queue");
    phone.sees("API Design Decisions");
    phone.tap("1");
    phone.tap("and over");
    phone.sees("Hand over");
    phone.kill();
    let file = phone.theatre.path().join("home/.config/arbiter/config.yaml");
    let text = std::fs::read_to_string(&file).expect("a file");
    let sam = format!("{{id: {SAM}, name: sam");
    let text = text.replacen(&sam, &format!("{{id: 444, name: eve, role: answer}}, {sam}"), 1);
    std::fs::write(&file, text).expect("it is written");
    phone.tap("sam");
    phone.serve();
    let audit = || phone.done(&["audit", "--json"]);
    let assigned = || audit().lines().find(|line| line.contains(r#""did":"assigned""#)).map(str::to_owned);
    super::until("it is handed over", || assigned().is_some());
    let line = assigned().unwrap_or_default();
    assert!(line.contains("sam") && !line.contains("eve"), "{line}");
}

#[test]
fn a_person_who_unblocked_the_bot_is_told_of_news_again() {
    let phone = two("answer");
    phone.ada().blocks();
    phone.ask(&urgent("Deploy now?"));
    super::until("it is told", || phone.log().contains("cannot be reached"));
    phone.ada().unblocks();
    // A tap is a word of theirs as well as a text.
    let queue =
        phone.api.chat(ADA).from_bot().into_iter().find(|message| message.button("🔄 Refresh").is_some());
    phone.ada().taps(queue.expect("the queue").id, "🔄 Refresh");
    phone.sees("Deploy now?");
    phone.ask(&urgent("And now?"));
    phone.sees("And now?");
}

#[test]
fn a_person_who_is_let_in_no_longer_sees_nothing_more() {
    let mut phone = two("answer");
    let id = phone.ask(&urgent("Deploy now?"));
    sees(&phone.api, SAM, "Deploy now?");
    phone.sees("Deploy now?");
    assert_eq!(phone.stop(), Some(0));
    let file = phone.theatre.path().join("home/.config/arbiter/config.yaml");
    let text = std::fs::read_to_string(&file).expect("a file");
    let text = text.replace(&format!(", {{id: {SAM}, name: sam, role: answer}}"), "");
    std::fs::write(&file, text).expect("it is written");
    let before = phone.api.requests_so_far();
    phone.serve();
    phone.done(&["answer", &id, "go", "no"]);
    phone.sees("1/1");
    let sent = phone.api.requests().into_iter().filter(|request| request.number > before);
    let to_sam = |request: &sim::bot_api::BotRequest| request.parameters.get("chat_id") == Some(&json!(SAM));
    assert_eq!(sent.filter(to_sam).count(), 0);
    // A button of theirs is a stranger's.
    let shown = sees(&phone.api, SAM, "Deploy now?");
    phone.sam().taps(shown.id, "▶️ Continue");
    super::until("it is taken", || phone.log().contains(&format!("user {SAM} is not let in")));
    assert_eq!(phone.ledger(), ["answered go no human:cli:tester".to_owned()]);
}
