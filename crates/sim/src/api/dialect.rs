//! The two protocols of the scripted API: the same scenario answers in either.

use serde_json::Value;

use super::log::text_of;
use super::scenario::Refusal;
use super::wire::{Piece, Reply};
use super::{chat, wire};

/// The words of an API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// The Messages protocol of Anthropic.
    Messages,
    /// OpenAI's Chat Completions.
    Chat,
}

impl Dialect {
    /// The one that is spoken at a path.
    pub(super) fn of(path: &str) -> Dialect {
        if path.ends_with("/chat/completions") { Dialect::Chat } else { Dialect::Messages }
    }

    /// The system prompt of a request.
    pub(super) fn system(self, body: &Value) -> String {
        match self {
            Dialect::Messages => text_of(&body["system"]),
            Dialect::Chat => chat::system(body),
        }
    }

    /// A message in one piece.
    pub(super) fn body(self, reply: &Reply<'_>) -> Value {
        match self {
            Dialect::Messages => reply.body(),
            Dialect::Chat => chat::body(reply),
        }
    }

    /// Whether a request wants the tokens of a stream counted. Only one of the two has to be asked.
    pub(super) fn counts(self, body: &Value) -> bool {
        match self {
            Dialect::Messages => true,
            Dialect::Chat => body["stream_options"]["include_usage"] == true,
        }
    }

    /// A message as a stream.
    pub(super) fn pieces(self, reply: &Reply<'_>, counts: bool) -> Vec<Piece> {
        match self {
            Dialect::Messages => reply.pieces(),
            Dialect::Chat => chat::pieces(reply, counts),
        }
    }

    /// What is sent in a stream that is not gone on with.
    pub(super) fn overloaded(self) -> Piece {
        match self {
            Dialect::Messages => wire::event(&wire::error("overloaded_error", "Overloaded")),
            Dialect::Chat => chat::part(&chat::error("overloaded_error", None, "Overloaded")),
        }
    }

    /// An event that is no JSON.
    pub(super) fn half_an_event(self) -> &'static str {
        match self {
            Dialect::Messages => "event: message_start\ndata: {\"type\": \"message_start\", \"mess\n\n",
            Dialect::Chat => "data: {\"object\": \"chat.completion.chunk\", \"choi\n\n",
        }
    }

    /// The body of an error.
    pub(super) fn error(self, kind: &str, message: &str) -> Value {
        match self {
            Dialect::Messages => wire::error(kind, message),
            Dialect::Chat => chat::error(kind, None, message),
        }
    }

    /// The body of a refusal, with what goes with its status where the scenario says nothing.
    pub(super) fn refusal(self, refusal: &Refusal) -> Value {
        match self {
            Dialect::Messages => wire::refusal(refusal),
            Dialect::Chat => chat::refusal(refusal),
        }
    }
}
