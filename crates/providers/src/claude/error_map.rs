//! What an error of Claude Code means for the mission: which kind it is, and when to try again.

use std::sync::Arc;

use mind::Timestamp;
use mind::event::Failure;
use mind::limits::cut;

use super::wire::{System, TurnResult};
use crate::limits::{ERROR_CHARS_MAX, OWN_RETRIES_MAX, OWN_WAIT_MAX};

/// A request to the API failed, and the process would wait and try again. Returns why we end that wait, if we do: the
/// mission loop must be the only one that waits and retries.
pub fn of_retry(retry: &System, now: Timestamp) -> Option<Failure> {
    let delay_ms = retry.retry_delay_ms.unwrap_or(0.0).max(0.0) as u64;
    let is_patient = retry.attempt.unwrap_or(1) <= OWN_RETRIES_MAX;
    match of_first_retry(retry, now) {
        Failure::Limited { why, until } if delay_ms > OWN_WAIT_MAX.as_millis() as u64 => {
            Some(Failure::Limited { why, until })
        }
        Failure::Limited { .. } | Failure::Transient(_) if is_patient => None,
        Failure::Limited { why, .. } => Some(Failure::Limited { why, until: None }),
        failure @ (Failure::Transient(_) | Failure::Unauthorised(_) | Failure::Refused(_)) => Some(failure),
    }
}

/// The same for a caller that makes no second try.
pub fn of_first_retry(retry: &System, now: Timestamp) -> Failure {
    let error = retry.error.as_deref().unwrap_or("unknown");
    let delay_ms = retry.retry_delay_ms.unwrap_or(0.0).max(0.0) as u64;
    let status = retry.error_status.map(|status| format!(" ({status})")).unwrap_or_default();
    let why: Arc<str> = Arc::from(format!("{}{status}", plain(error)));
    match error {
        "authentication_failed" | "oauth_org_not_allowed" => Failure::Unauthorised(why),
        _ if retry.error_status == Some(401) => Failure::Unauthorised(why),
        "rate_limit" => Failure::Limited { why, until: Some(Timestamp(now.0.saturating_add(delay_ms))) },
        _ => Failure::Transient(why),
    }
}

/// What the program says, in any version that was seen, when it has no login or none that counts.
const LOGIN_WORDS: [&str; 8] = [
    "not logged in",
    "run /login",
    "claude auth login",
    "claude setup-token",
    "invalid api key",
    "oauth token revoked",
    "oauth token has expired",
    "sign in again",
];

/// Whether the program's own words tell of a login that a person has to mend.
pub fn is_login(words: &str) -> bool {
    let words = words.to_lowercase();
    LOGIN_WORDS.iter().any(|login| words.contains(login))
}

/// A turn ended in an error. `error` is what the last message of the model's side said of it.
pub fn of_result(result: &TurnResult, error: Option<&str>) -> Failure {
    let words = result.result.as_deref().filter(|words| !words.trim().is_empty());
    let words = words.map(str::to_owned).unwrap_or_else(|| result.errors.join("; "));
    let words = if words.trim().is_empty() { result.subtype.clone() } else { words };
    let why: Arc<str> = Arc::from(cut(words.lines().next().unwrap_or("").trim(), ERROR_CHARS_MAX));
    let ended = result.terminal_reason.as_deref().unwrap_or("");
    let walls = ["prompt_too_long", "blocking_limit", "image_error", "rapid_refill_breaker"];
    let limits = ["error_max_turns", "error_max_budget_usd"];
    let refused = result.stop_reason.as_deref() == Some("refusal");
    if refused || walls.contains(&ended) || limits.contains(&result.subtype.as_str()) {
        return Failure::Refused(why);
    }
    if is_login(&why) {
        return Failure::Unauthorised(why);
    }
    if ended.starts_with("aborted") {
        return Failure::Transient(Arc::from("the turn was aborted, and not by us"));
    }
    match error.unwrap_or("") {
        "authentication_failed" | "oauth_org_not_allowed" | "billing_error" => Failure::Unauthorised(why),
        "rate_limit" => Failure::Limited { why, until: None },
        "overloaded" | "server_error" => Failure::Transient(why),
        "invalid_request" | "model_not_found" | "max_output_tokens" => Failure::Refused(why),
        _ => match result.api_error_status {
            Some(401 | 403) => Failure::Unauthorised(why),
            Some(429) => Failure::Limited { why, until: None },
            Some(408 | 409) => Failure::Transient(why),
            Some(400..=499) => Failure::Refused(why),
            Some(_) => Failure::Transient(why),
            None => Failure::Transient(why),
        },
    }
}

fn plain(error: &str) -> &str {
    match error {
        "authentication_failed" => "the API does not accept the login",
        "oauth_org_not_allowed" => "the organisation does not allow this login",
        "rate_limit" => "the API's rate limit is reached",
        "overloaded" => "the API is overloaded",
        "server_error" => "the API failed",
        _ => "the API cannot be reached",
    }
}
