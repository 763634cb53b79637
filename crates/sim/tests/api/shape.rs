//! What an answer looks like: streamed, whole, refused; and what else is answered.

use serde_json::json;
use sim::api::{Answer, Api, Block, Scenario, Step, Usage, Voice};

use crate::client::{ask, ask_body, question, send};

fn one_voice(steps: impl IntoIterator<Item = Step>) -> Api {
    Api::start(Scenario::new([Voice::new("all", steps)]))
}

fn rich() -> Step {
    let usage = Usage { input: 5, cache_read: 3000, cache_creation: 200, output: 40 };
    let tool = Block::Tool { name: "Bash".to_owned(), input: json!({ "command": "echo hi" }) };
    Step::message([Block::Thinking("hm".to_owned()), Block::Text("grüße".to_owned()), tool]).usage(usage)
}

#[test]
fn a_stream_has_the_events_of_the_real_one() {
    let api = one_voice([rich().chunks(2, 1)]);
    let got = ask(&api, "s", "hello");
    assert!(got.status == 200 && got.whole, "{got:?}");
    assert!(got.headers.contains("text/event-stream") && got.headers.contains("request-id: req_sim_1"));
    assert_eq!(
        got.course(),
        "message_start ping start delta(h) delta(m) delta stop start delta(grü) delta(ße) stop \
         start delta({\"command\":) delta(\"echo hi\"}) stop message_delta message_stop"
    );
    let events = got.events();
    let start = &events[0]["message"];
    assert_eq!((&start["id"], &start["model"]), (&json!("msg_sim_1"), &json!("claude-test")));
    assert_eq!(
        start["usage"],
        json!({ "input_tokens": 5, "cache_creation_input_tokens": 200, "cache_read_input_tokens": 3000, "output_tokens": 1 })
    );
    let end = &events[events.len() - 2];
    assert_eq!(
        (&end["delta"]["stop_reason"], &end["usage"]["output_tokens"]),
        (&json!("tool_use"), &json!(40))
    );
    let tool = events.iter().find(|event| event["content_block"]["type"] == "tool_use").unwrap();
    assert_eq!(
        tool["content_block"],
        json!({ "type": "tool_use", "id": "toolu_sim_1_3", "name": "Bash", "input": {} })
    );
}

#[test]
fn without_streaming_the_same_message_is_one_body() {
    let api = one_voice([rich()]);
    let got = ask_body(&api, &[], &question("hello", false)).json();
    assert_eq!((&got["id"], &got["stop_reason"]), (&json!("msg_sim_1"), &json!("tool_use")));
    assert_eq!(got["usage"]["output_tokens"], 40);
    let tool = json!({ "type": "tool_use", "id": "toolu_sim_1_3", "name": "Bash", "input": { "command": "echo hi" } });
    assert_eq!((&got["content"][1]["text"], &got["content"][2]), (&json!("grüße"), &tool));
    assert!(!api.requests()[0].streaming);
}

#[test]
fn a_refusal_has_its_status_its_headers_and_its_error() {
    let limited =
        Step::status(429).header("retry-after", "3").header("anthropic-ratelimit-unified-reset", "99");
    let api = one_voice([limited, Step::status(529)]);
    let got = ask(&api, "s", "hello");
    assert_eq!(got.status, 429);
    assert!(got.headers.contains("retry-after: 3\r\n"), "{got:?}");
    assert!(got.headers.contains("anthropic-ratelimit-unified-reset: 99"), "{got:?}");
    assert_eq!(got.json()["error"]["type"], "rate_limit_error");
    let got = ask(&api, "s", "hello");
    assert_eq!((got.status, &got.json()["error"]["type"]), (529, &json!("overloaded_error")));
    let answers: Vec<Answer> = api.requests().iter().map(|request| request.answer).collect();
    assert_eq!(answers, [Answer::Status(429), Answer::Status(529)]);
}

#[test]
fn other_paths_are_answered_and_logged() {
    let api = one_voice([]);
    assert_eq!(send(&api, "GET /", &[], "").status, 200);
    assert_eq!(send(&api, "HEAD /", &[], "").status, 200);
    assert_eq!(send(&api, "GET /v1/models", &[], "").status, 404);
    let counted = send(&api, "POST /v1/messages/count_tokens?beta=true", &[], &"x".repeat(400));
    assert_eq!(counted.json(), json!({ "input_tokens": 100 }));
    assert_eq!(send(&api, "POST /v1/messages", &[], "no json").status, 400);
    let others: Vec<String> = api
        .others()
        .iter()
        .map(|other| format!("{} {} {}", other.method, other.path, other.status))
        .collect();
    assert_eq!(
        others,
        [
            "GET / 200",
            "HEAD / 200",
            "GET /v1/models 404",
            "POST /v1/messages/count_tokens?beta=true 200",
            "POST /v1/messages 400",
        ]
    );
    assert!(api.requests().is_empty());
}

#[test]
fn a_request_of_many_megabytes_is_read() {
    let api = one_voice([Step::say("heavy")]);
    assert_eq!(ask(&api, "s", &"x".repeat(20 << 20)).text(), "heavy");
}
