//! getUpdates: offsets, the long poll, and the one poller.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sim::bot_api::BotApi;

use super::client::{ok, post, refused, send, updates};

fn texts(updates: &[Value]) -> Vec<&str> {
    updates.iter().filter_map(|update| update["message"]["text"].as_str()).collect()
}

fn three() -> BotApi {
    let api = BotApi::start();
    ["one", "two", "three"].iter().for_each(|text| _ = api.user(7).says(text));
    api
}

#[test]
fn updates_come_again_until_an_offset_confirms_them() {
    let api = three();
    let first = updates(&api, &json!({ "limit": 2 }));
    assert_eq!(texts(&first), ["one", "two"]);
    let id = first[1]["update_id"].as_i64().unwrap_or_default();
    assert_eq!(first[0]["update_id"].as_i64(), Some(id - 1));
    assert_eq!(texts(&updates(&api, &json!({ "offset": id }))), ["two", "three"]);
    assert_eq!(texts(&updates(&api, &json!({ "offset": id + 1 }))), ["three"]);
    assert_eq!(api.waiting_updates(), 1);
}

#[test]
fn a_negative_offset_forgets_all_but_the_last() {
    let api = three();
    assert_eq!(texts(&updates(&api, &json!({ "offset": -1 }))), ["three"]);
    assert_eq!(api.waiting_updates(), 1);
}

#[test]
fn what_was_not_asked_for_does_not_come() {
    let api = BotApi::start();
    api.user(7).says("before");
    let asked = json!({ "allowed_updates": ["callback_query"], "offset": -1 });
    assert_eq!(texts(&updates(&api, &asked)), ["before"]);
    api.user(7).says("after");
    // The setting stays.
    assert_eq!(texts(&updates(&api, &json!({ "offset": 1 }))), ["before"]);
}

#[test]
fn updates_are_kept_for_a_day() {
    let api = three();
    api.advance(Duration::from_secs(25 * 60 * 60));
    assert!(updates(&api, &json!({})).is_empty());
}

#[test]
fn a_long_poll_ends_when_something_happens() {
    let api = BotApi::start();
    thread::scope(|scope| {
        let poll = scope.spawn(|| updates(&api, &json!({ "timeout": 15 })));
        assert!(api.wait_for_request(1, Duration::from_secs(5), |_| true).is_some());
        let began = Instant::now();
        api.user(7).says("hello");
        assert_eq!(texts(&poll.join().unwrap_or_default()), ["hello"]);
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    });
}

#[test]
fn the_older_of_two_pollers_is_terminated() {
    let api = BotApi::start();
    thread::scope(|scope| {
        let older = scope.spawn(|| refused(&api, "getUpdates", &json!({ "timeout": 15 })));
        assert!(api.wait_for_request(1, Duration::from_secs(5), |_| true).is_some());
        // The request is recorded a moment before it takes the place.
        thread::sleep(Duration::from_millis(200));
        let newer = scope.spawn(|| updates(&api, &json!({ "timeout": 15, "offset": 5 })));
        assert_eq!(
            older.join().unwrap_or_default(),
            "409 Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
        );
        api.user(7).says("hello");
        assert_eq!(texts(&newer.join().unwrap_or_default()), ["hello"]);
    });
}

#[test]
fn a_webhook_and_a_poll_exclude_one_another() {
    let api = BotApi::start();
    ok(&api, "setWebhook", &json!({ "url": "https://example.org/" }));
    assert_eq!(
        refused(&api, "getUpdates", &json!({})),
        "409 Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
    );
    assert_eq!(ok(&api, "getWebhookInfo", &json!({}))["url"], "https://example.org/");
    ok(&api, "deleteWebhook", &json!({}));
    assert!(updates(&api, &json!({})).is_empty());
}

#[test]
fn tokens_and_methods_are_judged() {
    let api = BotApi::start();
    let get = |line: &str| {
        let got = send(&api, line, "", "");
        (got.status, got.json()["description"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(get("GET /bot1234:AAwrong/getMe"), (401, "Unauthorized".to_owned()));
    assert_eq!(get("GET /botnonsense/getMe"), (404, "Not Found".to_owned()));
    assert_eq!(get("GET /"), (404, "Not Found".to_owned()));
    assert_eq!(refused(&api, "getYou", &json!({})), "404 Not Found");
    let me = ok(&api, "GETME", &json!({}));
    assert_eq!((&me["is_bot"], &me["username"]), (&json!(true), &json!("arbiter_test_bot")));
    api.revoke_token();
    assert_eq!(post(&api, "getMe", &json!({})).status, 401);
}

#[test]
fn parameters_come_as_a_form_and_in_the_address_too() {
    let api = BotApi::start();
    api.user(7).has_started();
    let line = format!("POST /bot{}/sendMessage", api.token());
    let got = send(&api, &line, "application/x-www-form-urlencoded", "chat_id=7&text=a+%26%20b");
    assert_eq!(got.json()["result"]["text"], "a & b");
    let got = send(&api, &format!("{line}?chat_id=7&text=c"), "", "");
    assert_eq!(got.json()["result"]["text"], "c");
}
