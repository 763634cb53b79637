//! Anthropic's Messages protocol: the body of a request, and the meaning of the events in an answer. Pure.

use serde_json::{Value, json};

use super::error::Trouble;
use super::memory::{Format, Manner};
use super::request::{Reading, Request, Stop};
use super::strict;

/// The version of the protocol.
pub(super) const VERSION: &str = "2023-06-01";

/// The body of a request.
pub(super) fn body(request: &Request<'_>, manner: Manner) -> Value {
    let mut messages: Vec<Value> =
        request.speeches().map(|(role, text)| json!({"role": role, "content": text})).collect();
    if request.goes_on
        && let Some(last) = messages.last_mut()
    {
        let text = last["content"].take();
        last["content"] = json!([{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}]);
    }
    let mut body = json!({
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": messages,
        "stream": true,
    });
    let system = request.instructions(manner);
    if !system.is_empty() {
        body["system"] = json!(system);
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = number(temperature);
    }
    match manner.format {
        Format::Schema => {
            let schema = strict::closed(request.schema);
            body["output_config"] = json!({"format": {"type": "json_schema", "schema": schema}});
        }
        Format::Object | Format::Prompt => {}
    }
    body
}

/// In thousandths, as it was written: not as the nearest binary number.
pub(super) fn number(value: f32) -> Value {
    json!((f64::from(value) * 1000.0).round() / 1000.0)
}

/// Adds one event of a stream to the answer; returns the text that the event carried.
pub(super) fn hear(reading: &mut Reading, event: &Value) -> Result<Option<String>, Trouble> {
    match event["type"].as_str().unwrap_or_default() {
        "message_start" => count(reading, &event["message"]["usage"]),
        "content_block_delta" => {
            let piece = event["delta"]["text"].as_str().filter(|_| event["delta"]["type"] == "text_delta");
            if let Some(piece) = piece {
                reading.text.push_str(piece);
                return Ok(Some(piece.to_owned()));
            }
        }
        "message_delta" => {
            count(reading, &event["usage"]);
            reading.stop = event["delta"]["stop_reason"].as_str().map(stop).or(reading.stop);
        }
        "message_stop" => reading.is_over = true,
        "error" => return Err(Trouble::of_event(event)),
        // Pings, thoughts, and what a later version may add.
        _ => {}
    }
    Ok(None)
}

/// Adds an answer that came in one piece.
pub(super) fn read(reading: &mut Reading, body: &Value) -> Result<(), Trouble> {
    if body["type"] == "error" || body.get("error").is_some() {
        return Err(Trouble::of_event(body));
    }
    let Some(blocks) = body["content"].as_array() else {
        return Err(Trouble::passing("the server's answer is no message"));
    };
    for block in blocks.iter().filter(|block| block["type"] == "text") {
        reading.text.push_str(block["text"].as_str().unwrap_or_default());
    }
    count(reading, &body["usage"]);
    reading.stop = body["stop_reason"].as_str().map(stop);
    reading.is_over = true;
    Ok(())
}

fn stop(reason: &str) -> Stop {
    match reason {
        "max_tokens" | "model_context_window_exceeded" => Stop::Cut,
        "refusal" => Stop::Declined,
        _ => Stop::Said,
    }
}

/// What was read from a cache was read all the same.
fn count(reading: &mut Reading, usage: &Value) {
    let inputs = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let counts: Vec<u64> = inputs.iter().filter_map(|name| usage[name].as_u64()).collect();
    if !counts.is_empty() {
        // The end of a stream may tell less of it than its beginning.
        let input = counts.into_iter().fold(0, u64::saturating_add);
        reading.input = reading.input.max(Some(input));
    }
    let cached = |name: &str| usage[name].as_u64().unwrap_or(0);
    reading.cache_write = reading.cache_write.max(cached("cache_creation_input_tokens"));
    reading.cache_read = reading.cache_read.max(cached("cache_read_input_tokens"));
    reading.output = usage["output_tokens"].as_u64().or(reading.output);
}

#[cfg(test)]
mod tests {
    use mind::conductor::execution::RunTokens;

    use super::super::request::tests::manner;
    use super::*;

    fn request(schema: &Value) -> Request<'_> {
        Request {
            model: "claude-test",
            max_tokens: 300,
            temperature: None,
            system: "You decide.",
            texts: vec!["Who is next?".to_owned()],
            schema,
            goes_on: false,
        }
    }

    #[test]
    fn a_request_is_golden() {
        let schema =
            json!({"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]});
        let plain = body(&request(&schema), manner(Format::Schema));
        assert_eq!(
            serde_json::to_string_pretty(&plain).unwrap(),
            r#"{
  "max_tokens": 300,
  "messages": [
    {
      "content": "Who is next?",
      "role": "user"
    }
  ],
  "model": "claude-test",
  "output_config": {
    "format": {
      "schema": {
        "additionalProperties": false,
        "properties": {
          "who": {
            "type": "string"
          }
        },
        "required": [
          "who"
        ],
        "type": "object"
      },
      "type": "json_schema"
    }
  },
  "stream": true,
  "system": "You decide."
}"#
        );
        let warm = Request { temperature: Some(0.2), ..request(&schema) };
        assert_eq!(body(&warm, manner(Format::Schema))["temperature"].to_string(), "0.2");
        let told = body(&request(&schema), manner(Format::Prompt));
        assert_eq!(told.get("output_config"), None);
        assert!(told["system"].as_str().unwrap().contains("\"who\""));
    }

    #[test]
    fn a_conversation_that_goes_on_is_worth_keeping() {
        let schema = json!({});
        let texts = ["one", "two", "three"].map(str::to_owned).into();
        let body = body(&Request { texts, goes_on: true, ..request(&schema) }, manner(Format::Schema));
        let messages = json!([
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "two"},
            {"role": "user", "content": [
                {"type": "text", "text": "three", "cache_control": {"type": "ephemeral"}}
            ]},
        ]);
        assert_eq!(body["messages"], messages);
    }

    #[test]
    fn a_stream_is_read() {
        let mut reading = Reading::default();
        let mut said = Vec::new();
        for event in [
            json!({"type": "message_start", "message": {"usage": {
                "input_tokens": 5, "cache_read_input_tokens": 3000, "cache_creation_input_tokens": 40, "output_tokens": 1
            }}}),
            json!({"type": "ping"}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking"}}),
            json!({"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}}),
            json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "{\"a\":"}}),
            json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "1}"}}),
            json!({"type": "from the future"}),
            json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 9}}),
            json!({"type": "message_stop"}),
        ] {
            said.extend(hear(&mut reading, &event).unwrap());
        }
        assert_eq!((said.concat().as_str(), reading.text.as_str()), ("{\"a\":1}", "{\"a\":1}"));
        assert_eq!(reading.tokens(), Some(RunTokens { input: 3045, output: 9, total: 3054 }));
        assert_eq!((reading.stop, reading.is_over), (Some(Stop::Cut), true));
    }

    #[test]
    fn errors_and_oddities_are_no_reason_to_fall() {
        let overloaded =
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
        let trouble = hear(&mut Reading::default(), &overloaded).unwrap_err();
        assert_eq!(trouble.to_string(), "the server is overloaded: Overloaded");
        for odd in
            [json!(null), json!([]), json!({"type": 7}), json!({"type": "content_block_delta", "delta": []})]
        {
            assert_eq!(hear(&mut Reading::default(), &odd), Ok(None));
        }
        read(&mut Reading::default(), &json!({"hello": 1})).unwrap_err();
        let mut reading = Reading::default();
        let content = json!([{"type": "thinking"}, {"type": "text", "text": "x"}]);
        read(&mut reading, &json!({"content": content, "stop_reason": "refusal"})).unwrap();
        assert_eq!((reading.text.as_str(), reading.stop), ("x", Some(Stop::Declined)));
    }
}
