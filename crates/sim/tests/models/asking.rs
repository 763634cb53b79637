//! One question, one answer: what is sent, and what is made of what comes back.

use std::sync::Arc;

use mind::conductor::execution::RunTokens;
use mind::conductor::move_record::{ModelCall, ReplyEnd};
use providers::api::{ApiDialect, ModelOptions, ask};
use providers::prices::ModelPrice;
use serde_json::json;
use sim::api::{Block, How, Malformed, Place, Step, Usage};

use crate::world::{KINDS, PATIENCE, api, asked, ending, leading_to, options, question, said, schema};

const DECIDES: &str = r#"{"action": "SELECT", "agent": "coder", "confidence": 80}"#;

#[tokio::test]
async fn an_answer_in_the_form_of_the_schema_is_typed() {
    let usage = Usage { input: 40, cache_read: 3000, cache_creation: 5, output: 12 };
    for kind in KINDS {
        let again = api([Step::say(DECIDES).usage(usage)]);
        let api = api([Step::say(DECIDES).chunks(9, 1).usage(usage)]);
        let answer = ask(&options(kind, &api), &question(), PATIENCE).await;
        let (output, text, cut) = said(&answer);
        assert_eq!(output, Some(json!({"action": "SELECT", "agent": "coder", "confidence": 80})));
        assert_eq!((text.as_str(), cut), (DECIDES, false));
        assert_eq!(answer.tokens, Some(RunTokens { input: 3045, output: 12, total: 3057 }));
        assert_eq!(answer.cost_microusd, 0, "what it costs is not known");
        let price =
            ModelPrice { input: 1_000_000, cache_write: 2_000_000, cache_read: 100_000, output: 5_000_000 };
        let priced = ModelOptions { price: Some(price), ..options(kind, &again) };
        // OpenAI's protocol tells nothing of tokens written to a cache.
        let expected = if kind == ApiDialect::OpenAi { 45 + 300 + 60 } else { 40 + 10 + 300 + 60 };
        assert_eq!(ask(&priced, &question(), PATIENCE).await.cost_microusd, expected, "{kind:?}");
        assert!(answer.latency_ms < 30_000);
        assert_eq!(api.requests().len(), 1);
        assert_eq!(api.others(), []);
    }
}

/// A server counts at the end of an answer, or never: what broke off is estimated by its length, and costs something.
#[tokio::test]
async fn what_no_server_has_counted_is_estimated() {
    let price = ModelPrice { input: 1_000_000, cache_write: 0, cache_read: 0, output: 5_000_000 };
    let step = Step::say(DECIDES).chunks(9, 1).cut(Place::MidBlock(1), How::Reset);
    let api = api([step]);
    let options = ModelOptions { price: Some(price), ..options(ApiDialect::OpenAi, &api) };
    let answer = ask(&options, &question(), PATIENCE).await;
    assert!(matches!(answer.end, ReplyEnd::Unavailable { .. }), "{:?}", answer.end);
    let tokens = answer.tokens.expect("it is estimated");
    let sent = "You decide who is next.The plan has one step.".len() + schema().to_string().len();
    assert_eq!(tokens.input, sent.div_ceil(4) as u64);
    assert!((1..=DECIDES.len() as u64 / 4 + 1).contains(&tokens.output), "{tokens:?}");
    assert_eq!(answer.cost_microusd, tokens.input + 5 * tokens.output);
    // A port without a server got nothing.
    let gone = ModelOptions { base_url: "http://127.0.0.1:9/v1".to_owned(), ..options.clone() };
    assert_eq!(ask(&gone, &question(), PATIENCE).await.tokens, None);
}

#[tokio::test]
async fn the_schema_is_sent_as_each_vendor_wants_it() {
    let api = api([Step::say(DECIDES).forever()]);
    for kind in KINDS {
        ask(&options(kind, &api), &question(), PATIENCE).await;
    }
    let requests = api.requests();
    let closed = json!({
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["SELECT", "COMPLETE"]},
            "agent": {"type": "string"},
            "confidence": {"type": "integer"}
        },
        "required": ["action", "confidence"],
        "additionalProperties": false
    });
    assert_eq!(requests[0].path, "/v1/messages");
    assert_eq!(
        requests[0].body["output_config"],
        json!({"format": {"type": "json_schema", "schema": closed}})
    );
    assert_eq!(requests[1].path, "/v1/chat/completions");
    let format = &requests[1].body["response_format"];
    assert_eq!((&format["type"], &format["json_schema"]["strict"]), (&json!("json_schema"), &json!(true)));
    let whole = &format["json_schema"]["schema"];
    assert_eq!(whole["required"].as_array().unwrap().len(), 3);
    assert_eq!(whole["properties"]["agent"]["type"], json!(["string", "null"]));
    for request in &requests {
        assert!(request.streaming);
        assert_eq!(request.system, "You decide who is next.");
        assert_eq!(request.prompt(), "The plan has one step.");
    }
}

#[tokio::test]
async fn a_field_that_was_left_out_by_a_null_is_left_out() {
    let answer =
        asked(ApiDialect::OpenAi, Step::say(r#"{"action": "COMPLETE", "agent": null, "confidence": 9}"#))
            .await;
    assert_eq!(said(&answer).0, Some(json!({"action": "COMPLETE", "confidence": 9})));
}

#[tokio::test]
async fn model_tokens_and_temperature_are_seen_in_the_request() {
    for kind in KINDS {
        let api = api([Step::say(DECIDES).forever()]);
        let options = ModelOptions { temperature: Some(0.9), ..options(kind, &api) };
        let named = ModelCall {
            model: Some(Arc::from("model-of-the-question")),
            max_tokens: 123,
            temperature_milli: Some(200),
            ..question()
        };
        ask(&options, &named, PATIENCE).await;
        ask(&options, &question(), PATIENCE).await;
        ask(
            &ModelOptions { temperature: None, ..options },
            &ModelCall { max_tokens: 0, ..question() },
            PATIENCE,
        )
        .await;
        let seen = |at: usize| {
            let body = api.requests()[at].body.clone();
            (body["model"].clone(), body["max_tokens"].clone(), body.get("temperature").cloned())
        };
        assert_eq!(seen(0), (json!("model-of-the-question"), json!(123), Some(json!(0.2))));
        assert_eq!(seen(1), (json!("model-of-the-options"), json!(300), Some(json!(0.9))));
        assert_eq!(seen(2), (json!("model-of-the-options"), json!(700), None), "only where it is set");
    }
}

#[tokio::test]
async fn plain_words_and_half_an_object_are_words() {
    for kind in KINDS {
        for text in ["I would take the coder.", "{\"action\": \"SEL", "[1, 2]", "Here: {} and {}"] {
            let (output, heard, _) = said(&asked(kind, Step::say(text)).await);
            assert_eq!((output, heard.as_str()), (None, text));
        }
        let thinking = Step::message([Block::Thinking("hm {}".to_owned()), Block::Text(DECIDES.to_owned())]);
        assert!(said(&asked(kind, thinking).await).0.is_some(), "thoughts are no answer");
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_by_the_token_limit_says_so() {
    for kind in KINDS {
        let (output, text, cut) = said(&asked(kind, ending("{\"action\": \"SEL", "max_tokens")).await);
        assert_eq!((output, text.as_str(), cut), (None, "{\"action\": \"SEL", true));
    }
}

#[tokio::test]
async fn a_local_server_needs_no_key() {
    let api = api([Step::say(DECIDES)]);
    let options = ModelOptions { key: None, ..options(ApiDialect::OpenAi, &api) };
    assert!(said(&ask(&options, &question(), PATIENCE).await).0.is_some());
    let request = &api.requests()[0];
    assert_eq!((request.header("authorization"), request.header("x-api-key")), (None, None));
    assert_eq!(request.body["max_tokens"], json!(300), "as local servers know it");
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    let message = json!({"choices": [{
        "message": {"role": "assistant", "content": DECIDES}, "finish_reason": "stop"
    }], "usage": {"prompt_tokens": 7, "completion_tokens": 2}});
    let whole = crate::troubles::answering("200 OK", "application/json", message.to_string());
    let answer = ask(&leading_to(ApiDialect::OpenAi, whole), &question(), PATIENCE).await;
    assert_eq!(said(&answer).1, DECIDES);
    assert_eq!(answer.tokens, Some(RunTokens { input: 7, output: 2, total: 9 }));
    // Nor is the kind of its answer always told.
    let stream =
        format!("data: {}\n\ndata: [DONE]\n\n", json!({"choices": [{"delta": {"content": DECIDES}}]}));
    let odd = crate::troubles::answering("200 OK", "text/plain", stream);
    assert_eq!(said(&ask(&leading_to(ApiDialect::OpenAi, odd), &question(), PATIENCE).await).1, DECIDES);
}

#[tokio::test]
async fn what_a_hostile_schema_says_is_no_reason_to_fall() {
    let api = api([Step::say(DECIDES).forever(), Step::new(sim::api::Act::Malformed(Malformed::Empty))]);
    for odd in
        [json!(null), json!([]), json!({"properties": 3, "required": "x"}), schema()["properties"].clone()]
    {
        for kind in KINDS {
            let question = ModelCall { schema: Arc::new(odd.clone()), ..question() };
            said(&ask(&options(kind, &api), &question, PATIENCE).await);
        }
    }
}
