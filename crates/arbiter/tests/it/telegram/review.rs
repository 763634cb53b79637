//! A whole review by taps, from the announcement to the completion, and what other doors see of it meanwhile.

use super::{ADA, Phone, urgent};

#[test]
fn a_review_goes_from_the_announcement_to_the_completion_by_taps_alone() {
    let phone = Phone::of_ada();
    let id = phone.ask(&{
        let mut three = super::three();
        three["priority"] = "urgent".into();
        three
    });
    let told = phone.sees("API Design Decisions");
    assert!(told.text.contains("0/3") && !told.is_silent, "{}", told.text);
    let first = phone.taps("▶️ Continue", "How should admins log in?");
    assert!(first.text.contains("1/3"), "{}", first.text);
    assert_eq!(first.id, told.id, "one message is edited");
    let second = phone.taps("A", "Database");
    assert!(second.text.contains("Auth Strategy → jwt") && second.text.contains("2/3"), "{}", second.text);
    assert!(second.button("✏️ Custom").is_none(), "the asker wants an option");
    phone.taps("B", "The name");
    let review = phone.taps("⏭️ Skip", "2 answered");
    assert!(review.text.contains("1 skipped"), "{}", review.text);
    let end = phone.taps("📤 Submit", "submitted");
    for words in ["Auth Strategy → jwt", "Database → node:22", "agent:swe2:main"] {
        assert!(end.text.contains(words), "{words}: {}", end.text);
    }
    assert_eq!(
        phone.ledger(),
        [
            format!("answered auth-strategy jwt human:telegram:{ADA}"),
            format!("answered db node:22 human:telegram:{ADA}"),
            format!("answered name skipped human:telegram:{ADA}"),
            format!("submitted human:telegram:{ADA}"),
        ]
    );
    assert!(phone.done(&["get", &id]).contains("node:22"));
    phone.taps("📋 Back to Queue", "Decision Queue");
    phone.verified();
}

#[test]
fn an_answer_of_another_door_is_seen_in_the_open_message_with_who_gave_it() {
    let phone = Phone::of_ada();
    let id = phone.ask(&urgent("Deploy now?"));
    phone.taps("▶️ Continue", "1/1");
    phone.done(&["answer", &id, "go", "no"]);
    let seen = phone.sees("at the command line");
    assert!(seen.button("✓ B").is_some(), "{:?}", seen.button_texts());
    phone.done(&["submit", &id]);
    let seen = phone.sees("submitted");
    assert!(seen.text.contains("at the command line"), "{}", seen.text);
}

#[test]
fn a_change_is_possible_until_it_is_submitted_and_an_outdated_button_decides_nothing() {
    let phone = Phone::of_ada();
    phone.ask(&urgent("Deploy now?"));
    let shown = phone.taps("▶️ Continue", "1/1");
    let yes = shown.button("A").expect("a button").data.clone().expect("data");
    phone.taps("A", "1 answered");
    phone.taps("Go?", "1/1");
    phone.tap("B");
    phone.ledger_of(2);
    // The first button once more, by a client that is behind.
    let tap = phone.ada().forges(ADA, shown.id, &yes);
    let answer = phone.api.wait_for_answer(&tap, super::PATIENCE).expect("an answer");
    assert!(answer.text.contains("Already answered: no, by ada"), "{answer:?}");
    phone.taps("Back", "Deploy now?");
    phone.taps("Submit", "submitted");
    assert_eq!(
        phone.ledger(),
        [
            format!("answered go yes human:telegram:{ADA}"),
            format!("changed go no human:telegram:{ADA}"),
            format!("submitted human:telegram:{ADA}"),
        ]
    );
}

#[test]
fn two_taps_at_once_count_once() {
    let phone = Phone::of_ada();
    phone.ask(&urgent("Deploy now?"));
    let shown = phone.taps("▶️ Continue", "1/1");
    for _ in 0..5 {
        phone.ada().taps(shown.id, "A");
    }
    super::until("all taps are answered", || phone.api.taps().iter().all(|tap| tap.answer.is_some()));
    phone.sees("1 answered");
    assert_eq!(phone.ledger(), [format!("answered go yes human:telegram:{ADA}")]);
}

#[test]
fn the_queue_has_pages_and_a_petition_of_any_page_is_opened() {
    let phone = Phone::of_ada();
    for nth in 1..=23 {
        let id = format!("p{nth:02}");
        phone.done(&["ask", &format!("Question {nth:02}"), "--id", &id, "-o", "yes", "-o", "no"]);
    }
    phone.ada().says("/queue");
    let first = phone.sees("23 normal");
    assert!(first.text.contains("Question 01") && !first.text.contains("Question 23"), "{}", first.text);
    let last = first
        .button_texts()
        .into_iter()
        .find(|text| text.contains("▶") || text.contains("➡"))
        .map(str::to_owned);
    let next = last.expect("a page further");
    let second = phone.taps(&next, "Question 11");
    let _third = second;
    let third = phone.taps(&next, "Question 23");
    assert!(third.button("23").is_some(), "{:?}", third.button_texts());
    let opened = phone.taps("23", "Question 23");
    assert!(opened.text.contains("0/1"), "{}", opened.text);
}
