//! What people do, and what a bot hears of it: taps, groups, privacy.

use std::time::Duration;

use serde_json::{Value, json};
use sim::bot_api::BotApi;

use super::client::{ok, refused, sent, updates};

fn with_button(api: &BotApi) -> i64 {
    api.user(7).has_started();
    let markup = json!({ "inline_keyboard": [[{ "text": "A", "callback_data": "v1:a" }]] });
    let message = ok(api, "sendMessage", &json!({ "chat_id": 7, "text": "?", "reply_markup": markup }));
    message["message_id"].as_i64().expect("a number")
}

fn answer(tap: &str, text: &str) -> Value {
    json!({ "callback_query_id": tap, "text": text, "show_alert": true })
}

const TOO_OLD: &str = "400 Bad Request: query is too old and response timeout expired or query ID is invalid";

#[test]
fn a_tap_brings_its_data_and_is_answered_once() {
    let api = BotApi::start();
    let message = with_button(&api);
    let tap = api.user(7).taps(message, "A");
    let told = updates(&api, &json!({})).pop().expect("an update")["callback_query"].clone();
    assert_eq!((&told["id"], &told["data"]), (&json!(tap), &json!("v1:a")));
    assert_eq!((&told["from"]["id"], &told["message"]["message_id"]), (&json!(7), &json!(message)));
    assert_eq!(told["message"]["chat"], json!({ "id": 7, "first_name": "Person 7", "type": "private" }));
    assert_eq!(
        refused(&api, "answerCallbackQuery", &answer(&tap, &"x".repeat(201))),
        "400 Bad Request: MESSAGE_TOO_LONG"
    );
    ok(&api, "answerCallbackQuery", &answer(&tap, "noted"));
    let seen = api.tap(&tap).and_then(|tap| tap.answer).expect("an answer");
    assert_eq!((seen.text.as_str(), seen.is_alert), ("noted", true));
    assert_eq!(refused(&api, "answerCallbackQuery", &answer(&tap, "")), TOO_OLD);
}

#[test]
fn a_tap_can_be_answered_too_late() {
    let api = BotApi::start();
    let message = with_button(&api);
    let tap = api.user(7).taps_newest("v1:a");
    api.advance(Duration::from_secs(61));
    assert_eq!(refused(&api, "answerCallbackQuery", &answer(&tap, "")), TOO_OLD);
    assert_eq!(refused(&api, "answerCallbackQuery", &answer("12", "")), TOO_OLD);
    assert_eq!(api.taps().len(), 1);
    assert!(api.chat(7).message(message).is_some());
}

#[test]
fn a_tap_on_what_is_gone_or_was_edited_still_comes() {
    let api = BotApi::start();
    let message = with_button(&api);
    ok(&api, "editMessageText", &json!({ "chat_id": 7, "message_id": message, "text": "!" }));
    api.user(7).taps(message, "A");
    ok(&api, "deleteMessage", &json!({ "chat_id": 7, "message_id": message }));
    api.user(7).taps(message, "A");
    api.user(9).forges(7, message, "v9:nonsense");
    let told = updates(&api, &json!({}));
    let told: Vec<&Value> = told.iter().map(|update| &update["callback_query"]).collect();
    assert_eq!(told[0]["message"]["text"], "!");
    assert_eq!(told[1]["message"]["date"], 0);
    assert_eq!((&told[2]["from"]["id"], &told[2]["data"]), (&json!(9), &json!("v9:nonsense")));
}

#[test]
fn in_groups_a_bot_hears_little() {
    let api = BotApi::start();
    api.group(-5, "A group", &[7, 8]);
    let own = sent(&api, -5, "a question");
    let ada = api.user(7).named("Ada", Some("ada"));
    for text in
        ["plain", "/queue", "/queue@arbiter_test_bot x", "/queue@other_bot", "@arbiter_test_bot hello"]
    {
        ada.says_in(-5, text);
    }
    ada.replies(-5, own, "an answer");
    let theirs = ada.says_in(-5, "words");
    api.user(8).replies(-5, theirs, "among themselves");
    let told = updates(&api, &json!({}));
    let texts: Vec<&str> = told.iter().filter_map(|update| update["message"]["text"].as_str()).collect();
    assert_eq!(texts, ["/queue", "/queue@arbiter_test_bot x", "an answer"]);
    let last = &told[2]["message"];
    assert_eq!(
        (&last["reply_to_message"]["message_id"], &last["from"]["username"]),
        (&json!(own), &json!("ada"))
    );
    assert_eq!(last["chat"]["type"], "group");
    assert_eq!(told[0]["message"]["entities"][0]["type"], "bot_command");
}

#[test]
fn a_block_is_told_and_a_message_takes_it_back() {
    let api = BotApi::start();
    api.user(7).says("/start plan_a");
    api.user(7).blocks();
    api.user(7).says("again");
    let told = updates(&api, &json!({}));
    let kinds: Vec<String> = told
        .iter()
        .map(|update| {
            let status = update["my_chat_member"]["new_chat_member"]["status"].as_str();
            status.or(update["message"]["text"].as_str()).unwrap_or_default().to_owned()
        })
        .collect();
    assert_eq!(kinds, ["/start plan_a", "kicked", "member", "again"]);
}
