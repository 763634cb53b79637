//! OpenAI's Chat Completions protocol, as OpenAI and compatible servers speak it: the body of a request, and the
//! meaning of the parts of an answer. Pure.

use serde_json::{Value, json};

use super::anthropic::number;
use super::error::Trouble;
use super::memory::{Format, Length, Manner};
use super::request::{Reading, Request, Stop};
use super::strict;

/// What ends a stream.
pub(super) const DONE: &str = "[DONE]";

/// The body of a request.
pub(super) fn body(request: &Request<'_>, manner: Manner) -> Value {
    let system = request.instructions(manner);
    let system = (!system.is_empty()).then(|| json!({"role": "system", "content": system}));
    let texts = request.speeches().map(|(role, text)| json!({"role": role, "content": text}));
    let messages: Vec<Value> = system.into_iter().chain(texts).collect();
    let mut body = json!({"model": request.model, "messages": messages, "stream": true});
    let length = match manner.length {
        Length::Plain => "max_tokens",
        Length::Completion => "max_completion_tokens",
    };
    body[length] = json!(request.max_tokens);
    if manner.counts {
        body["stream_options"] = json!({"include_usage": true});
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = number(temperature);
    }
    match manner.format {
        Format::Schema => {
            let whole = strict::complete(request.schema);
            let is_strict = whole.is_some();
            let schema = whole.unwrap_or_else(|| request.schema.clone());
            body["response_format"] = json!({
                "type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": is_strict}
            });
        }
        Format::Object => body["response_format"] = json!({"type": "json_object"}),
        Format::Prompt => {}
    }
    body
}

/// Adds one part of a stream to the answer; returns the text that the part carried.
pub(super) fn hear(reading: &mut Reading, part: &Value) -> Result<Option<String>, Trouble> {
    if part.get("error").is_some_and(|error| !error.is_null()) {
        return Err(Trouble::of_event(part));
    }
    count(reading, &part["usage"]);
    let choice = &part["choices"][0];
    end(reading, choice);
    let piece = choice["delta"]["content"].as_str().filter(|piece| !piece.is_empty());
    if let Some(piece) = piece {
        reading.text.push_str(piece);
    }
    refuse(reading, &choice["delta"]);
    Ok(piece.map(str::to_owned))
}

/// Adds an answer that came in one piece.
pub(super) fn read(reading: &mut Reading, body: &Value) -> Result<(), Trouble> {
    if body.get("error").is_some_and(|error| !error.is_null()) {
        return Err(Trouble::of_event(body));
    }
    let choice = &body["choices"][0];
    if !choice["message"].is_object() {
        return Err(Trouble::passing("the server's answer is no message"));
    }
    reading.text.push_str(choice["message"]["content"].as_str().unwrap_or_default());
    refuse(reading, &choice["message"]);
    count(reading, &body["usage"]);
    end(reading, choice);
    reading.is_over = true;
    Ok(())
}

fn end(reading: &mut Reading, choice: &Value) {
    let stop = match choice["finish_reason"].as_str() {
        None => return,
        Some("length") => Stop::Cut,
        Some("content_filter") => Stop::Declined,
        Some(_) => Stop::Said,
    };
    if reading.stop != Some(Stop::Declined) {
        reading.stop = Some(stop);
    }
}

/// A refusal stands beside the content.
fn refuse(reading: &mut Reading, message: &Value) {
    if message["refusal"].as_str().is_some_and(|words| !words.is_empty()) {
        reading.stop = Some(Stop::Declined);
    }
}

fn count(reading: &mut Reading, usage: &Value) {
    reading.input = usage["prompt_tokens"].as_u64().or(reading.input);
    let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap_or(0);
    reading.cache_read = reading.cache_read.max(cached);
    reading.output = usage["completion_tokens"].as_u64().or(reading.output);
}

#[cfg(test)]
mod tests {
    use mind::conductor::execution::RunTokens;

    use super::super::request::tests::manner;
    use super::*;

    fn request(schema: &Value) -> Request<'_> {
        Request {
            model: "qwen3:8b",
            max_tokens: 300,
            temperature: Some(0.7),
            system: "You decide.",
            texts: vec!["Who is next?".to_owned()],
            schema,
            goes_on: true,
        }
    }

    #[test]
    fn a_request_is_golden() {
        let schema = json!({"type": "object", "properties": {"who": {"type": "string"}, "why": {"type": "string"}},
            "required": ["who"]});
        assert_eq!(
            serde_json::to_string_pretty(&body(&request(&schema), manner(Format::Schema))).unwrap(),
            r#"{
  "max_tokens": 300,
  "messages": [
    {
      "content": "You decide.",
      "role": "system"
    },
    {
      "content": "Who is next?",
      "role": "user"
    }
  ],
  "model": "qwen3:8b",
  "response_format": {
    "json_schema": {
      "name": "answer",
      "schema": {
        "additionalProperties": false,
        "properties": {
          "who": {
            "type": "string"
          },
          "why": {
            "type": [
              "string",
              "null"
            ]
          }
        },
        "required": [
          "who",
          "why"
        ],
        "type": "object"
      },
      "strict": true
    },
    "type": "json_schema"
  },
  "stream": true,
  "stream_options": {
    "include_usage": true
  },
  "temperature": 0.7
}"#
        );
    }

    #[test]
    fn a_request_is_as_simple_as_its_server() {
        let schema = json!({"type": "object"});
        let manner = Manner { format: Format::Object, length: Length::Completion, counts: false };
        let object = body(&request(&schema), manner);
        assert_eq!(object["response_format"], json!({"type": "json_object"}));
        assert_eq!((&object["max_completion_tokens"], object.get("max_tokens")), (&json!(300), None));
        assert_eq!(object.get("stream_options"), None);
        assert!(object["messages"][0]["content"].as_str().unwrap().contains("JSON"));
        let prompt = body(&request(&schema), Manner { format: Format::Prompt, ..manner });
        assert_eq!(prompt.get("response_format"), None);
        // A schema that cannot be whole is not called strict.
        let loose = body(&request(&schema), Manner { format: Format::Schema, ..manner });
        assert_eq!(loose["response_format"]["json_schema"]["strict"], json!(false));
        assert_eq!(loose["response_format"]["json_schema"]["schema"], schema);
    }

    #[test]
    fn a_stream_is_read() {
        let mut reading = Reading::default();
        let mut said = Vec::new();
        for part in [
            json!({"choices": [{"delta": {"role": "assistant", "content": ""}, "finish_reason": null}]}),
            json!({"choices": [{"delta": {"content": "{\"a\":"}}], "usage": null}),
            json!({"choices": [{"delta": {"content": "1}"}}]}),
            json!({"choices": [{"delta": {}, "finish_reason": "length"}]}),
            json!({"choices": [], "usage": {"prompt_tokens": 70, "completion_tokens": 9}}),
        ] {
            said.extend(hear(&mut reading, &part).unwrap());
        }
        assert_eq!((said.concat().as_str(), reading.text.as_str()), ("{\"a\":1}", "{\"a\":1}"));
        assert_eq!(reading.tokens(), Some(RunTokens { input: 70, output: 9, total: 79 }));
        assert_eq!(reading.stop, Some(Stop::Cut));
    }

    #[test]
    fn errors_refusals_and_oddities_are_no_reason_to_fall() {
        let error = json!({"error": {"message": "boom", "type": "server_error"}});
        let trouble = hear(&mut Reading::default(), &error).unwrap_err();
        assert_eq!(trouble.to_string(), "the server failed in the middle of its answer: boom");
        let mut reading = Reading::default();
        hear(&mut reading, &json!({"choices": [{"delta": {"refusal": "no"}}]})).unwrap();
        hear(&mut reading, &json!({"choices": [{"delta": {}, "finish_reason": "stop"}]})).unwrap();
        assert_eq!(reading.stop, Some(Stop::Declined));
        for odd in [json!(null), json!([]), json!({"choices": {}}), json!({"choices": [7], "error": null})] {
            assert_eq!(hear(&mut Reading::default(), &odd), Ok(None));
        }
        read(&mut Reading::default(), &json!({"choices": []})).unwrap_err();
        let mut reading = Reading::default();
        let message = json!({"role": "assistant", "content": "x"});
        read(&mut reading, &json!({"choices": [{"message": message, "finish_reason": "stop"}]})).unwrap();
        assert_eq!((reading.text.as_str(), reading.stop, reading.is_over), ("x", Some(Stop::Said), true));
    }
}
