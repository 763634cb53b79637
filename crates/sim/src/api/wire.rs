//! A message in the words of the Messages API: as one body, or as the events of a stream. Pure.

use serde_json::{Value, json};

use super::scenario::{Block, Message, Place, Refusal};

/// A message with the ids that it got.
pub(super) struct Reply<'a> {
    pub(super) id: String,
    pub(super) model: &'a str,
    pub(super) message: &'a Message,
    /// One for each block; only tools show theirs.
    pub(super) block_ids: Vec<String>,
}

/// One event of a stream, and whether a pause comes before it.
#[derive(Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) paced: bool,
}

impl Reply<'_> {
    /// The message as the body of an answer without streaming.
    pub(super) fn body(&self) -> Value {
        let blocks = self.message.blocks.iter().zip(&self.block_ids);
        let content: Vec<Value> = blocks.map(|(block, id)| whole(block, id)).collect();
        let mut body = self.envelope(content);
        body["stop_reason"] = json!(self.stop_reason());
        body["usage"] = self.usage(self.message.usage.output);
        body
    }

    /// The events of the stream, up to where the answer breaks off.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        let place = self.message.cut.map(|cut| cut.place);
        let mut pieces = Vec::new();
        if place == Some(Place::BeforeStart) {
            return pieces;
        }
        let mut opening = self.envelope(Vec::new());
        // As the real one: the final figure comes with `message_delta`.
        opening["usage"] = self.usage(1);
        pieces.push(event(&json!({ "type": "message_start", "message": opening })));
        pieces.push(event(&json!({ "type": "ping" })));
        for (index, (block, id)) in self.message.blocks.iter().zip(&self.block_ids).enumerate() {
            let start =
                json!({ "type": "content_block_start", "index": index, "content_block": opened(block, id) });
            pieces.push(event(&start));
            let here = place == Some(Place::MidBlock(index + 1));
            let deltas = deltas(block, self.message.chunks.max(if here { 2 } else { 1 }));
            let sent = if here { deltas.len() / 2 } else { deltas.len() };
            for delta in deltas.into_iter().take(sent) {
                let delta = json!({ "type": "content_block_delta", "index": index, "delta": delta });
                pieces.push(Piece { paced: true, ..event(&delta) });
            }
            if here {
                return pieces;
            }
            pieces.push(event(&json!({ "type": "content_block_stop", "index": index })));
            if place == Some(Place::AfterBlock(index + 1)) {
                return pieces;
            }
        }
        if place.is_some() {
            return pieces;
        }
        pieces.push(event(&json!({
            "type": "message_delta",
            "delta": { "stop_reason": self.stop_reason(), "stop_sequence": null },
            "usage": self.usage(self.message.usage.output),
        })));
        pieces.push(event(&json!({ "type": "message_stop" })));
        pieces
    }

    fn envelope(&self, content: Vec<Value>) -> Value {
        json!({
            "id": self.id, "type": "message", "role": "assistant", "model": self.model, "content": content,
            "stop_reason": null, "stop_sequence": null,
        })
    }

    fn stop_reason(&self) -> &str {
        let tool = |block: &Block| matches!(block, Block::Tool { .. } | Block::RawTool { .. });
        let natural = if self.message.blocks.iter().any(tool) { "tool_use" } else { "end_turn" };
        self.message.stop_reason.as_deref().unwrap_or(natural)
    }

    fn usage(&self, output: u64) -> Value {
        let usage = self.message.usage;
        json!({
            "input_tokens": usage.input, "cache_creation_input_tokens": usage.cache_creation,
            "cache_read_input_tokens": usage.cache_read, "output_tokens": output,
        })
    }
}

/// An event of a stream, named by its `type`.
pub(super) fn event(data: &Value) -> Piece {
    let name = data["type"].as_str().unwrap_or_default();
    Piece { text: format!("event: {name}\ndata: {data}\n\n"), paced: false }
}

/// The body of an error.
pub(super) fn error(kind: &str, message: &str) -> Value {
    json!({ "type": "error", "error": { "type": kind, "message": message } })
}

/// The body of a refusal, with what goes with its status where the scenario says nothing.
pub(super) fn refusal(refusal: &Refusal) -> Value {
    let (kind, message) = match refusal.status {
        400 => ("invalid_request_error", "invalid request"),
        401 => ("authentication_error", "invalid x-api-key"),
        403 => ("permission_error", "permission denied"),
        404 => ("not_found_error", "not found"),
        413 => ("request_too_large", "request exceeds the maximum size"),
        429 => ("rate_limit_error", "this request would exceed your rate limit"),
        529 => ("overloaded_error", "Overloaded"),
        _ => ("api_error", "internal server error"),
    };
    error(refusal.kind.as_deref().unwrap_or(kind), refusal.message.as_deref().unwrap_or(message))
}

fn whole(block: &Block, id: &str) -> Value {
    match block {
        Block::Text(text) => json!({ "type": "text", "text": text }),
        Block::Thinking(text) => json!({ "type": "thinking", "thinking": text, "signature": "c2lt" }),
        Block::Tool { name, input } => json!({ "type": "tool_use", "id": id, "name": name, "input": input }),
        Block::RawTool { name, text } => {
            let input: Value = serde_json::from_str(text).unwrap_or_default();
            json!({ "type": "tool_use", "id": id, "name": name, "input": input })
        }
    }
}

/// The block as it is before its deltas.
fn opened(block: &Block, id: &str) -> Value {
    match block {
        Block::Text(_) => json!({ "type": "text", "text": "" }),
        Block::Thinking(_) => json!({ "type": "thinking", "thinking": "", "signature": "" }),
        Block::Tool { name, .. } | Block::RawTool { name, .. } => {
            json!({ "type": "tool_use", "id": id, "name": name, "input": {} })
        }
    }
}

fn deltas(block: &Block, chunks: usize) -> Vec<Value> {
    let input = |text: &str| -> Vec<Value> {
        let delta = |part| json!({ "type": "input_json_delta", "partial_json": part });
        split(text, chunks).into_iter().map(delta).collect()
    };
    match block {
        Block::Text(text) => {
            let delta = |part| json!({ "type": "text_delta", "text": part });
            split(text, chunks).into_iter().map(delta).collect()
        }
        Block::Thinking(text) => {
            let delta = |part| json!({ "type": "thinking_delta", "thinking": part });
            let thoughts = split(text, chunks).into_iter().map(delta);
            thoughts.chain([json!({ "type": "signature_delta", "signature": "c2lt" })]).collect()
        }
        Block::Tool { input: value, .. } => input(&value.to_string()),
        Block::RawTool { text, .. } => input(text),
    }
}

/// The text in `chunks` parts of nearly equal length; fewer if it is too short for that.
pub(super) fn split(text: &str, chunks: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let length = characters.len().div_ceil(chunks.max(1)).max(1);
    let mut parts: Vec<String> = characters.chunks(length).map(|part| part.iter().collect()).collect();
    if parts.is_empty() {
        parts.push(String::new());
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_into_parts_that_make_it_whole() {
        assert_eq!(split("grüße", 2), ["grü", "ße"]);
        assert_eq!(split("ab", 5), ["a", "b"]);
        assert_eq!(split("", 3), [""]);
        assert_eq!(split("abcdefg", 3).concat(), "abcdefg");
    }
}
