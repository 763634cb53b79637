//! Each view as it was really sent: the markup and the buttons of the request. The documents' pictures are drawn from these by
//! `cargo xtask pictures`.

use insta::assert_snapshot;
use serde_json::Value;

use super::{ADA, Phone, SAM};

/// What the newest message was last told to show, once it has these words: its markup, then a row of buttons a line.
fn sent(phone: &Phone, words: &str) -> String {
    phone.sees(words);
    let is_view = |method: &str| ["sendMessage", "editMessageText"].contains(&method);
    let requests = phone.api.requests();
    let with_words = requests.iter().rev().filter(|request| is_view(&request.method));
    let text = |request: &&sim::bot_api::BotRequest| request.parameters["text"].as_str().map(str::to_owned);
    let found = with_words.filter(|request| text(request).is_some_and(|text| plain(&text).contains(words)));
    let request = found.into_iter().next().expect("it was sent");
    let markup = &request.parameters["reply_markup"];
    let markup = markup.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(markup.clone());
    let rows = markup["inline_keyboard"].as_array().cloned().unwrap_or_default();
    let row = |row: &Value| -> String {
        let buttons = row.as_array().into_iter().flatten();
        buttons.map(|button| format!("[{}]", button["text"].as_str().unwrap_or_default())).collect()
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!("{}\n---\n{}", same_age(text(&request).unwrap_or_default().trim()), rows.join("\n"))
}

/// Without its tags.
fn plain(html: &str) -> String {
    let mut is_tag = false;
    let text = html.chars().filter(|sign| {
        is_tag |= *sign == '<';
        let is_text = !is_tag;
        is_tag &= *sign != '>';
        is_text
    });
    text.collect::<String>().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Nothing here is older than a minute, however slow the machine is: all ages are the same.
fn same_age(text: &str) -> String {
    let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
    let is_age = |at: usize| {
        let is_before = words.get(at + 1).is_some_and(|next| next.starts_with("ago"));
        is_before || (at > 0 && words.get(at - 1).is_some_and(|last| last.contains('⏱')))
    };
    let aged =
        words.iter().enumerate().map(|(at, word)| match word.find(|sign: char| sign.is_ascii_digit()) {
            Some(digit) if is_age(at) => {
                let end = word[digit..].find(char::is_whitespace).map_or("", |end| &word[digit + end..]);
                format!("{}2s{end}", &word[..digit])
            }
            _ => (*word).to_owned(),
        });
    aged.collect()
}

#[test]
fn every_view_of_a_petition_is_as_in_the_pictures() {
    let mut phone = Phone::with(
        &format!("[{{id: {ADA}, name: ada, role: steer}}, {{id: {SAM}, name: sam, role: answer}}]"),
        "notifications: {enabled: false}\n",
    );
    phone.serve();
    phone.ask_three();
    let id = phone.ask(&super::urgent("Deploy now?"));
    phone.ada().says("/queue");
    assert_snapshot!("telegram_queue", sent(&phone, "Deploy now?"));
    phone.taps("2", "Context for the human");
    assert_snapshot!("telegram_petition", sent(&phone, "Context for the human"));
    phone.tap("and over");
    assert_snapshot!("telegram_hand_over", sent(&phone, "The person you choose"));
    phone.tap("Back");
    phone.sees("Context for the human");
    phone.taps("▶️ Continue", "1/3");
    assert_snapshot!("telegram_decision", sent(&phone, "1/3"));
    phone.taps("A", "2/3");
    assert_snapshot!("telegram_after", sent(&phone, "2/3"));
    phone.taps("B", "3/3");
    phone.tap("Custom");
    assert_snapshot!("telegram_words", sent(&phone, "next"));
    phone.ada().says("Northwind");
    assert_snapshot!("telegram_review", sent(&phone, "3 answered"));
    phone.tap("📤 Submit");
    assert_snapshot!("telegram_completion", sent(&phone, "submitted"));
    phone.ada().says("/status");
    assert_snapshot!("telegram_status", sent(&phone, "Telegram is reached"));
    phone.ada().says("/help");
    assert_snapshot!("telegram_help", sent(&phone, "Nothing is final"));
    phone.done(&["answer", &id, "go", "yes"]);
}

#[test]
fn every_view_of_a_mission_is_as_in_the_pictures() {
    let phone = super::missions::of_a_mission(super::missions::SCRIPT);
    let mut mission = phone.theatre.start_rehearsal(&["--headless"]);
    phone.sees("Shall it begin?");
    let id = phone.theatre.mission_id();
    let day = id.get(..10).unwrap_or_default().to_owned();
    let sent = |words: &str| sent(&phone, words).replace(&id, "2026-11-19-k4tz").replace(&day, "2026-11-19");
    assert_snapshot!("telegram_question", sent("Shall it begin?"));
    phone.ada().says("/missions");
    assert_snapshot!("telegram_missions", sent("Missions"));
    phone.taps("1", "One file, one word");
    assert_snapshot!("telegram_mission", sent("One file, one word"));
    phone.taps("Cancel", "Cancel this mission?");
    assert_snapshot!("telegram_cancel", sent("Cancel this mission?"));
    mission.kill().expect("it runs");
    mission.wait().expect("it ends");
}
