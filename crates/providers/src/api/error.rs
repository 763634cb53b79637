//! Errors of a call to a model, by what is to be done about each. Pure: a status, headers and a body go in.

use std::sync::Arc;

use mind::Timestamp;
use mind::conductor::move_record::ReplyEnd;
use mind::event::Failure;
use mind::limits::cut;
use reqwest::header::{HeaderMap, LOCATION};
use serde_json::Value;

use super::options::ApiKey;
use super::until::until;
use crate::limits::ERROR_CHARS_MAX;

/// Why a model did not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The key is missing or not accepted: only a person can mend it.
    #[error("{0}")]
    Login(String),
    /// The account has nothing left to spend: only a person can mend it.
    #[error("{0}")]
    Quota(String),
    /// The request or where it goes is wrong: it will never be answered.
    #[error("{0}")]
    Setup(String),
    /// The model will not answer this.
    #[error("{0}")]
    Declined(String),
    /// A rate limit: it passes.
    #[error("{why}")]
    Limited {
        why: String,
        /// When the limit ends, if the server named a time.
        until: Option<Timestamp>,
    },
    /// Connection, overload, a server's error, an answer that broke off: it passes.
    #[error("{why}")]
    Passing {
        why: String,
        /// When to try again, if the server named a time.
        until: Option<Timestamp>,
    },
}

impl Trouble {
    pub(super) fn passing(why: impl Into<String>) -> Trouble {
        Trouble::Passing { why: why.into(), until: None }
    }

    /// The error for a status other than success.
    pub(super) fn of_status(status: u16, headers: &HeaderMap, body: &str, now: Timestamp) -> Trouble {
        let error = serde_json::from_str::<Value>(body).unwrap_or_default();
        let said = said(&error).unwrap_or_default();
        let with = |words: &str| if said.is_empty() { words.to_owned() } else { format!("{words}: {said}") };
        let until = until(headers, now);
        match status {
            300..=399 => {
                let place = headers.get(LOCATION).and_then(|place| place.to_str().ok()).unwrap_or("nowhere");
                let place = cut(&plain(place), ERROR_CHARS_MAX);
                Trouble::Setup(format!(
                    "the server points elsewhere ({status}), and a key is not carried there (hint: set the base URL to \
                     what answers itself; it points to {place})"
                ))
            }
            401 | 403 => Trouble::Login(with(&format!("the server does not accept the key ({status})"))),
            402 => Trouble::Quota(with("the account has nothing left to spend (402)")),
            _ if is_quota(&error) => Trouble::Quota(with("the account has nothing left to spend")),
            429 => Trouble::Limited { why: with("the server's rate limit is reached (429)"), until },
            408 | 409 | 425 | 500..=599 => {
                let words = if status == 529 { "the server is overloaded" } else { "the server failed" };
                Trouble::Passing { why: with(&format!("{words} ({status})")), until }
            }
            404 => Trouble::Setup(with(
                "the server knows no such model or address (404; hint: check the model's name and the base URL)",
            )),
            _ => Trouble::Setup(with(&format!("the server refuses the request ({status})"))),
        }
    }

    /// The error for an error event inside an answer.
    pub(super) fn of_event(error: &Value) -> Trouble {
        let said = said(error).unwrap_or_default();
        let inner = error.get("error").unwrap_or(error);
        let code = inner.get("code").and_then(Value::as_u64).or_else(|| inner.get("status")?.as_u64());
        if let Some(code) = code.and_then(|code| u16::try_from(code).ok()).filter(|code| *code >= 400) {
            return Trouble::of_status(code, &HeaderMap::new(), &error.to_string(), Timestamp(0));
        }
        if is_quota(error) {
            return Trouble::Quota(format!("the account has nothing left to spend: {said}"));
        }
        match word(error, "type").as_str() {
            "rate_limit_error" => {
                Trouble::Limited { why: format!("the server's rate limit is reached: {said}"), until: None }
            }
            "authentication_error" | "permission_error" => {
                Trouble::Login(format!("the server does not accept the key: {said}"))
            }
            "invalid_request_error" | "not_found_error" | "request_too_large" => {
                Trouble::Setup(format!("the server refuses the request: {said}"))
            }
            "overloaded_error" => Trouble::passing(format!("the server is overloaded: {said}")),
            _ => Trouble::passing(format!("the server failed in the middle of its answer: {said}")),
        }
    }

    /// The same error without the key, in case the server repeats it.
    #[must_use]
    pub(super) fn without(self, key: Option<&ApiKey>) -> Trouble {
        let Some(key) = key else { return self };
        let clean = |why: String| key.hide(why);
        match self {
            Trouble::Login(why) => Trouble::Login(clean(why)),
            Trouble::Quota(why) => Trouble::Quota(clean(why)),
            Trouble::Setup(why) => Trouble::Setup(clean(why)),
            Trouble::Declined(why) => Trouble::Declined(clean(why)),
            Trouble::Limited { why, until } => Trouble::Limited { why: clean(why), until },
            Trouble::Passing { why, until } => Trouble::Passing { why: clean(why), until },
        }
    }
}

impl From<Trouble> for ReplyEnd {
    fn from(trouble: Trouble) -> ReplyEnd {
        match trouble {
            Trouble::Login(why) | Trouble::Quota(why) | Trouble::Setup(why) | Trouble::Declined(why) => {
                ReplyEnd::Refused { why: Arc::from(why) }
            }
            Trouble::Limited { why, until } | Trouble::Passing { why, until } => {
                ReplyEnd::Unavailable { why: Arc::from(why), until }
            }
        }
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        match trouble {
            Trouble::Login(why) | Trouble::Quota(why) => Failure::Unauthorised(Arc::from(why)),
            Trouble::Setup(why) | Trouble::Declined(why) => Failure::Refused(Arc::from(why)),
            Trouble::Limited { why, until } => Failure::Limited { why: Arc::from(why), until },
            // A server that names the time at which it will be free is treated like a rate limit.
            Trouble::Passing { why, until: until @ Some(_) } => {
                Failure::Limited { why: Arc::from(why), until }
            }
            Trouble::Passing { why, until: None } => Failure::Transient(Arc::from(why)),
        }
    }
}

/// What a server says of an error, in the forms that are about: bounded, in one line, harmless to print.
pub(super) fn said(error: &Value) -> Option<String> {
    let inner = error.get("error").unwrap_or(error);
    let texts = [inner.get("message"), inner.get("detail"), Some(inner)];
    let text = texts.into_iter().flatten().find_map(Value::as_str)?;
    let text = plain(text);
    (!text.is_empty()).then(|| cut(&text, ERROR_CHARS_MAX))
}

fn plain(text: &str) -> String {
    let text: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_quota(error: &Value) -> bool {
    ["code", "type"].iter().any(|name| {
        ["insufficient_quota", "billing_error", "billing_not_active", "billing_hard_limit_reached"]
            .contains(&word(error, name).as_str())
    })
}

fn word(error: &Value, name: &str) -> String {
    let inner = error.get("error").unwrap_or(error);
    inner.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kind(trouble: &Trouble) -> &'static str {
        match trouble {
            Trouble::Login(_) => "login",
            Trouble::Quota(_) => "quota",
            Trouble::Setup(_) => "setup",
            Trouble::Declined(_) => "declined",
            Trouble::Limited { .. } => "limited",
            Trouble::Passing { .. } => "passing",
        }
    }

    fn of(status: u16, body: &Value) -> Trouble {
        Trouble::of_status(status, &HeaderMap::new(), &body.to_string(), Timestamp(0))
    }

    #[test]
    fn each_status_means_what_helps() {
        let body = json!({"type": "error", "error": {"type": "some_error", "message": "that is how it is"}});
        let cases = [
            (301, "setup"),
            (400, "setup"),
            (401, "login"),
            (402, "quota"),
            (403, "login"),
            (404, "setup"),
            (405, "setup"),
            (408, "passing"),
            (409, "passing"),
            (413, "setup"),
            (418, "setup"),
            (422, "setup"),
            (425, "passing"),
            (429, "limited"),
            (500, "passing"),
            (502, "passing"),
            (503, "passing"),
            (529, "passing"),
        ];
        for (status, expected) in cases {
            let trouble = of(status, &body);
            assert_eq!(kind(&trouble), expected, "{status}: {trouble}");
            assert!(status == 301 || trouble.to_string().contains("that is how it is"), "{trouble}");
        }
    }

    #[test]
    fn a_used_up_quota_is_no_limit_that_passes() {
        let quota =
            json!({"error": {"code": "insufficient_quota", "type": "insufficient_quota", "message": "no"}});
        assert_eq!(kind(&of(429, &quota)), "quota");
        assert_eq!(kind(&of(400, &json!({"error": {"type": "billing_error"}}))), "quota");
        assert_eq!(kind(&of(429, &json!({"error": {"code": "rate_limit_exceeded"}}))), "limited");
    }

    #[test]
    fn errors_inside_an_answer_have_their_kind() {
        let of = |kind: &str| json!({"type": "error", "error": {"type": kind, "message": "m"}});
        for (name, expected) in [
            ("overloaded_error", "passing"),
            ("api_error", "passing"),
            ("rate_limit_error", "limited"),
            ("authentication_error", "login"),
            ("invalid_request_error", "setup"),
            ("billing_error", "quota"),
            ("insufficient_quota", "quota"),
            ("never heard of", "passing"),
        ] {
            assert_eq!(kind(&Trouble::of_event(&of(name))), expected, "{name}");
        }
        assert_eq!(kind(&Trouble::of_event(&json!({"error": {"code": 429, "message": "m"}}))), "limited");
        assert_eq!(kind(&Trouble::of_event(&json!({"error": "only words"}))), "passing");
        assert_eq!(kind(&Trouble::of_event(&json!(7))), "passing");
    }

    #[test]
    fn what_a_server_says_is_bounded_and_harmless() {
        let long = json!({"error": {"message": format!("\u{1b}[31mred\nline {}", "x".repeat(9_000))}});
        let said = said(&long).unwrap();
        assert!(said.starts_with("[31mred line xxx") && said.chars().count() < 400, "{said}");
        assert_eq!(super::said(&json!({"detail": "not found"})).as_deref(), Some("not found"));
        assert_eq!(super::said(&json!({"error": "model not found"})).as_deref(), Some("model not found"));
        assert_eq!(super::said(&json!([1])), None);
        assert!(of(500, &json!("<html>")).to_string().contains("<html>"));
        let page =
            Trouble::of_status(502, &HeaderMap::new(), "<html><body>bad gateway</body></html>", Timestamp(0));
        assert_eq!(page.to_string(), "the server failed (502)");
    }

    #[test]
    fn a_key_that_the_server_repeats_is_taken_out() {
        let key = ApiKey::new("sk-secret");
        let trouble =
            of(401, &json!({"error": {"message": "incorrect key sk-secret given"}})).without(key.as_ref());
        assert!(trouble.to_string().contains("incorrect key (the key) given"), "{trouble}");
        let local = Trouble::passing("ollama is busy").without(ApiKey::new("ollama").as_ref());
        assert_eq!(local.to_string(), "ollama is busy");
    }

    #[test]
    fn a_busy_server_that_names_a_time_is_waited_for() {
        let until = Some(Timestamp(7));
        let busy = Trouble::Passing { why: "busy".into(), until };
        assert_eq!(Failure::from(busy.clone()), Failure::Limited { why: "busy".into(), until });
        assert_eq!(ReplyEnd::from(busy), ReplyEnd::Unavailable { why: "busy".into(), until });
        assert_eq!(Failure::from(Trouble::passing("gone")), Failure::Transient("gone".into()));
    }
}
