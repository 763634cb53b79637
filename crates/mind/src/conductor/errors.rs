//! The category of a run's error, and the recovery options that follow from it.

use std::sync::Arc;

use super::execution::{ErrorCategory, Recovery, RecoveryOption};

/// What is known of an error besides its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Circumstances {
    /// Trying again can help: no login, no quota.
    pub retryable: bool,
    /// It happened in a step of a plan.
    pub in_step: bool,
    /// Another agent could try.
    pub others: bool,
    /// This failure is the last that the limit allows.
    pub at_limit: bool,
    /// How long the provider asked to wait.
    pub wait_ms: Option<u64>,
}

/// What can be done about an error, best first.
pub fn recovery(category: ErrorCategory, circumstances: &Circumstances) -> Vec<RecoveryOption> {
    let mut options: Vec<RecoveryOption> = Vec::new();
    for option in by_category(category, circumstances) {
        let option =
            if circumstances.at_limit && option.action == Recovery::Retry { given_up() } else { option };
        // At the limit a retry that became an abort may meet the abort that was there already.
        if !options.iter().any(|known| known.action == option.action) {
            options.push(option);
        }
    }
    if circumstances.others {
        options.push(option(Recovery::Fallback, "let another agent do it", "another agent is available"));
    }
    options
}

fn by_category(category: ErrorCategory, circumstances: &Circumstances) -> Vec<RecoveryOption> {
    match category {
        ErrorCategory::ToolFailure => {
            let retry = option(
                Recovery::Retry,
                "try again with other parameters",
                "the tool may work when used otherwise",
            );
            let skip = option(Recovery::Skip, "leave this step out", "the plan may be done without it");
            [retry].into_iter().chain(circumstances.in_step.then_some(skip)).collect()
        }
        ErrorCategory::ProviderError if circumstances.retryable => {
            let wait = match circumstances.wait_ms {
                Some(ms) => format!("try again in {} seconds", ms.div_ceil(1000)),
                None => "try again after a wait".to_owned(),
            };
            vec![option(Recovery::Retry, &wait, "the provider is expected to answer again by itself")]
        }
        ErrorCategory::ProviderError => {
            vec![option(
                Recovery::Abort,
                "stop here",
                "without a login or a quota every further call fails the same way",
            )]
        }
        ErrorCategory::ValidationError => {
            vec![option(
                Recovery::Retry,
                "try again with corrected input",
                "the form was wrong, not the work",
            )]
        }
        ErrorCategory::PermissionError => vec![
            option(Recovery::AskHuman, "ask the human for permission", "only a human can allow it"),
            option(Recovery::Skip, "leave this out", "it may be possible without what was refused"),
        ],
        ErrorCategory::Timeout => vec![
            option(Recovery::Retry, "try once more with a smaller scope", "less may be done in time"),
            option(Recovery::Abort, "stop here", "it may never be done in time"),
        ],
        ErrorCategory::Unknown => {
            vec![option(Recovery::Retry, "try once more", "the cause may have been in passing")]
        }
    }
}

fn given_up() -> RecoveryOption {
    option(Recovery::Abort, "stop here", "too many runs in a row have failed")
}

fn option(action: Recovery, description: &str, reason: &str) -> RecoveryOption {
    RecoveryOption { action, description: Arc::from(description), reason: Arc::from(reason) }
}

const PROVIDER: [&str; 13] = [
    "overloaded",
    "rate limit",
    "rate_limit",
    "too many requests",
    "connection",
    "econnre",
    "socket hang up",
    "network error",
    "bad gateway",
    "service unavailable",
    "internal server error",
    "quota",
    "provider error",
];
const LOGIN: [&str; 9] = [
    "unauthorized",
    "unauthenticated",
    "authentication",
    "authorization failed",
    "not logged in",
    "please log in",
    "invalid api key",
    "invalid x-api-key",
    "api key",
];
const PERMISSION: [&str; 5] =
    ["permission denied", "not permitted", "not allowed", "eacces", "requires permission"];
const TIME: [&str; 5] = ["timed out", "timeout", "time out", "etimedout", "deadline exceeded"];
const FORM: [&str; 5] = ["invalid", "schema", "parse", "malformed", "unexpected token"];
const TOOL: [&str; 8] = [
    "command failed",
    "exit code",
    "exit status",
    "exited with",
    "enoent",
    "cannot find module",
    "command not found",
    "no such file",
];

/// The kind of an error of which only words are known. Typed errors come first; this is the last resort.
pub fn by_words(message: &str) -> ErrorCategory {
    let message = message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    // What a command printed may name anything: that a command failed is the surer word.
    if message.trim_start().starts_with("command failed") {
        ErrorCategory::ToolFailure
    } else if has_server_code(&message) || says(&PROVIDER) || is_login(&message) {
        ErrorCategory::ProviderError
    } else if says(&PERMISSION) {
        ErrorCategory::PermissionError
    } else if says(&TIME) {
        ErrorCategory::Timeout
    } else if says(&FORM) {
        ErrorCategory::ValidationError
    } else if says(&TOOL) {
        ErrorCategory::ToolFailure
    } else {
        ErrorCategory::Unknown
    }
}

/// Whether the words tell of a login that is missing or wrong: trying again does not help.
pub fn is_login(message: &str) -> bool {
    let message = message.to_lowercase();
    LOGIN.iter().any(|word| message.contains(word)) || codes(&message).any(|code| matches!(code, 401 | 403))
}

fn has_server_code(message: &str) -> bool {
    codes(message).any(|code| code == 429 || (500..600).contains(&code))
}

/// Numbers that stand where a status stands: `HTTP 503`, `status 503`, `error: 503`, or in front of everything.
fn codes(message: &str) -> impl Iterator<Item = u32> {
    let parts = message.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = parts.collect();
    let codes: Vec<u32> = (0..words.len())
        .filter_map(|at| {
            let code = words[at].parse::<u32>().ok().filter(|_| words[at].len() == 3)?;
            let before = at.checked_sub(1).map(|before| words[before]);
            let exits = at.checked_sub(2).is_some_and(|before| words[before] == "exit");
            let told = before
                .is_none_or(|word| matches!(word, "http" | "status" | "error" | "code" | "api" | "got"));
            (told && !exits).then_some(code)
        })
        .collect();
    codes.into_iter()
}
