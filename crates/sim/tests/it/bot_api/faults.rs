//! What goes wrong by script, how often one may write, and the record of it all.

use std::time::{Duration, Instant};

use serde_json::json;
use sim::bot_api::{BotApi, BotFault};

use super::client::{ok, post, sent};

fn api() -> BotApi {
    let api = BotApi::start();
    api.user(7).has_started();
    api
}

#[test]
fn connections_are_cut_before_and_after_the_deed() {
    let api = api();
    let body = json!({ "chat_id": 7, "text": "x" });
    for (fault, done) in [
        (BotFault::ResetBefore, 0),
        (BotFault::CloseBefore, 0),
        (BotFault::ResetAfter, 1),
        (BotFault::CloseAfter, 2),
    ] {
        api.fault("sendMessage", 1, fault.clone());
        assert_eq!(post(&api, "sendMessage", &body).status, 0, "{fault:?}");
        assert_eq!(api.chat(7).messages().len(), done, "{fault:?}");
    }
    assert_eq!(api.requests().last().map(|request| request.status), Some(None));
    sent(&api, 7, "x");
}

#[test]
fn proxies_and_garbage_answer_too() {
    let api = api();
    let body = json!({ "chat_id": 7, "text": "x" });
    api.fault("*", 1, BotFault::BadGateway);
    let got = post(&api, "sendMessage", &body);
    assert!(got.status == 502 && got.head.contains("text/html"), "{got:?}");
    api.fault("sendMessage", 1, BotFault::Garbage);
    let got = post(&api, "sendMessage", &body);
    assert_eq!((got.status, got.body.ends_with('}')), (200, false));
    api.fault("sendMessage", 1, BotFault::TooMany(3));
    let got = post(&api, "sendMessage", &body);
    assert_eq!(
        got.json(),
        json!({ "ok": false, "error_code": 429, "description": "Too Many Requests: retry after 3",
                "parameters": { "retry_after": 3 } })
    );
    assert!(got.head.to_ascii_lowercase().contains("retry-after: 3"), "{}", got.head);
    api.fault("sendMessage", 1, BotFault::SlowAfter(Duration::from_millis(200)));
    let began = Instant::now();
    sent(&api, 7, "x");
    assert!(began.elapsed() >= Duration::from_millis(200));
    // Other methods are not meant.
    api.fault("sendMessage", 1, BotFault::BadGateway);
    ok(&api, "getMe", &json!({}));
}

#[test]
fn who_writes_too_often_has_to_wait() {
    let api = api();
    api.group(-5, "A group", &[7]);
    api.limit_rate(true);
    let status = |chat: i64| post(&api, "sendMessage", &json!({ "chat_id": chat, "text": "x" })).status;
    let of_person: Vec<u16> = (0..4).map(|_| status(7)).collect();
    assert_eq!(of_person, [200, 200, 200, 429]);
    api.advance(Duration::from_secs(3));
    assert_eq!(status(7), 200);
    let of_group = (0..21).map(|_| status(-5)).filter(|status| *status == 200).count();
    assert_eq!(of_group, 20);
    api.advance(Duration::from_secs(60));
    assert_eq!(status(-5), 200);
}

#[test]
fn every_request_is_recorded() {
    let api = api();
    sent(&api, 7, "x");
    post(&api, "sendMessage", &json!({ "chat_id": 7 }));
    let requests = api.requests_of("sendmessage");
    assert_eq!(requests.iter().map(|request| request.number).collect::<Vec<_>>(), [1, 2]);
    assert!(requests[0].is_ok() && requests[0].parameters["text"] == "x");
    assert_eq!(
        (requests[1].status, requests[1].description()),
        (Some(400), "Bad Request: message text is empty")
    );
    assert!(requests[0].answered <= Some(requests[1].at));
}
