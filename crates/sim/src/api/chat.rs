//! A message in the words of OpenAI's Chat Completions: as one body, or as the parts of a stream. Pure.

use serde_json::{Value, json};

use super::log::text_of;
use super::scenario::{Block, Place, Refusal};
use super::wire::{Piece, Reply, split};

/// The messages of a request that say who the model is.
pub(super) fn system(body: &Value) -> String {
    let messages = body["messages"].as_array().into_iter().flatten();
    let told = messages.filter(|message| message["role"] == "system" || message["role"] == "developer");
    told.map(|message| text_of(&message["content"])).collect::<Vec<_>>().join("\n")
}

/// The message as the body of an answer without streaming.
pub(super) fn body(reply: &Reply<'_>) -> Value {
    let content: String = reply.message.blocks.iter().filter_map(words).collect();
    json!({
        "id": reply.id, "object": "chat.completion", "model": reply.model,
        "choices": [{
            "index": 0, "message": { "role": "assistant", "content": content }, "finish_reason": finish(reply),
        }],
        "usage": usage(reply),
    })
}

/// The parts of the stream, up to where the answer breaks off.
pub(super) fn pieces(reply: &Reply<'_>, counts: bool) -> Vec<Piece> {
    let place = reply.message.cut.map(|cut| cut.place);
    let mut pieces = Vec::new();
    if place == Some(Place::BeforeStart) {
        return pieces;
    }
    let delta = |delta: Value, finish: Value| {
        json!({
            "id": reply.id, "object": "chat.completion.chunk", "model": reply.model,
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
        })
    };
    pieces.push(part(&delta(json!({ "role": "assistant", "content": "" }), Value::Null)));
    for (index, block) in reply.message.blocks.iter().enumerate() {
        let here = place == Some(Place::MidBlock(index + 1));
        let parts =
            split(words(block).unwrap_or_default(), reply.message.chunks.max(if here { 2 } else { 1 }));
        let sent = if here { parts.len() / 2 } else { parts.len() };
        for text in parts.into_iter().take(sent) {
            let piece = part(&delta(json!({ "content": text }), Value::Null));
            pieces.push(Piece { paced: true, ..piece });
        }
        if here || place == Some(Place::AfterBlock(index + 1)) {
            return pieces;
        }
    }
    if place.is_some() {
        return pieces;
    }
    pieces.push(part(&delta(json!({}), json!(finish(reply)))));
    let counted =
        json!({ "id": reply.id, "object": "chat.completion.chunk", "choices": [], "usage": usage(reply) });
    pieces.extend(counts.then(|| part(&counted)));
    pieces.push(Piece { text: "data: [DONE]\n\n".to_owned(), paced: false });
    pieces
}

/// One part of a stream.
pub(super) fn part(data: &Value) -> Piece {
    Piece { text: format!("data: {data}\n\n"), paced: false }
}

/// The body of an error.
pub(super) fn error(kind: &str, code: Option<&str>, message: &str) -> Value {
    json!({ "error": { "message": message, "type": kind, "param": null, "code": code } })
}

/// The body of a refusal, with what goes with its status where the scenario says nothing.
pub(super) fn refusal(refusal: &Refusal) -> Value {
    let (kind, code, message) = match refusal.status {
        401 => ("invalid_request_error", Some("invalid_api_key"), "Incorrect API key provided."),
        404 => ("invalid_request_error", Some("model_not_found"), "The model does not exist."),
        429 => ("requests", Some("rate_limit_exceeded"), "Rate limit reached."),
        400..=499 => ("invalid_request_error", None, "invalid request"),
        _ => ("server_error", None, "The server had an error."),
    };
    // A type that the scenario names is a code here: that is where this API says what it means.
    let code = refusal.kind.as_deref().or(code);
    error(kind, code, refusal.message.as_deref().unwrap_or(message))
}

/// Only words have a place in this content.
fn words(block: &Block) -> Option<&str> {
    match block {
        Block::Text(text) => Some(text),
        Block::Thinking(_) | Block::Tool { .. } | Block::RawTool { .. } => None,
    }
}

fn finish<'a>(reply: &'a Reply<'_>) -> &'a str {
    match reply.message.stop_reason.as_deref() {
        None | Some("end_turn") => "stop",
        Some("max_tokens") => "length",
        Some("refusal") => "content_filter",
        Some(other) => other,
    }
}

fn usage(reply: &Reply<'_>) -> Value {
    let usage = reply.message.usage;
    let prompt = usage.input + usage.cache_read + usage.cache_creation;
    json!({
        "prompt_tokens": prompt, "completion_tokens": usage.output, "total_tokens": prompt + usage.output,
        "prompt_tokens_details": { "cached_tokens": usage.cache_read },
    })
}
