//! What the Bot API says when it refuses: a code, a text, and what else the client may need. The texts are those of
//! telegram-bot-api's `Client.cpp` (commit 025884a) where no other source is named.

use serde_json::{Value, json};

/// A refusal as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ApiRefusal {
    pub(super) code: u16,
    pub(super) description: String,
    pub(super) parameters: Option<Value>,
}

impl ApiRefusal {
    pub(super) fn new(code: u16, description: &str) -> ApiRefusal {
        ApiRefusal { code, description: description.to_owned(), parameters: None }
    }

    /// `fail_query_with_error`: the prefix, and the text with its first letter small, unless it is a name in capitals.
    pub(super) fn bad(text: &str) -> ApiRefusal {
        let mut letters = text.chars();
        let first = letters.next().unwrap_or_default();
        let is_name =
            letters.clone().next().is_some_and(|second| second == '_' || second.is_ascii_uppercase());
        let first = if is_name { first } else { first.to_ascii_lowercase() };
        ApiRefusal::new(400, &format!("Bad Request: {first}{}", letters.as_str()))
    }

    pub(super) fn forbidden(text: &str) -> ApiRefusal {
        ApiRefusal::new(403, &format!("Forbidden: {text}"))
    }

    pub(super) fn conflict(text: &str) -> ApiRefusal {
        ApiRefusal::new(409, &format!("Conflict: {text}"))
    }

    /// `send_http_error(404, "Not Found")`, and what api.telegram.org answers to a malformed token and an unknown method.
    pub(super) fn not_found() -> ApiRefusal {
        ApiRefusal::new(404, "Not Found")
    }

    pub(super) fn unauthorized() -> ApiRefusal {
        ApiRefusal::new(401, "Unauthorized")
    }

    /// Query.cpp, `set_retry_after_error`.
    pub(super) fn too_many(seconds: u64) -> ApiRefusal {
        ApiRefusal {
            parameters: Some(json!({ "retry_after": seconds })),
            ..ApiRefusal::new(429, &format!("Too Many Requests: retry after {seconds}"))
        }
    }

    /// `check_chat_access`.
    pub(super) fn upgraded(to: i64) -> ApiRefusal {
        ApiRefusal {
            parameters: Some(json!({ "migrate_to_chat_id": to })),
            ..ApiRefusal::bad("group chat was upgraded to a supergroup chat")
        }
    }

    /// What the header `Retry-After` says (`send_response`).
    pub(super) fn retry_after(&self) -> Option<u64> {
        self.parameters.as_ref()?["retry_after"].as_u64()
    }

    pub(super) fn body(&self) -> Value {
        let mut body = json!({ "ok": false, "error_code": self.code, "description": self.description });
        if let Some(parameters) = &self.parameters {
            body["parameters"] = parameters.clone();
        }
        body
    }
}
