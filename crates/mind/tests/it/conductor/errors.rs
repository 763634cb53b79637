//! What can be done about an error, row by row of the table; and what words alone say of one.

use mind::conductor::errors::{Circumstances, by_words, is_login, recovery};
use mind::conductor::execution::{ErrorCategory, Recovery};

use ErrorCategory::{PermissionError, ProviderError, Timeout, ToolFailure, Unknown, ValidationError};
use Recovery::{Abort, AskHuman, Fallback, Retry, Skip};

fn actions(category: ErrorCategory, known: Circumstances) -> Vec<Recovery> {
    recovery(category, &known).into_iter().map(|option| option.action).collect()
}

#[test]
fn every_row_of_the_table_gives_its_options_in_order() {
    let plain = Circumstances { retryable: true, ..Circumstances::default() };
    let in_step = Circumstances { in_step: true, ..plain };
    let refused = Circumstances { retryable: false, ..plain };
    assert_eq!(actions(ToolFailure, plain), [Retry]);
    assert_eq!(actions(ToolFailure, in_step), [Retry, Skip]);
    assert_eq!(actions(ProviderError, plain), [Retry]);
    assert_eq!(actions(ProviderError, refused), [Abort]);
    assert_eq!(actions(ValidationError, plain), [Retry]);
    assert_eq!(actions(PermissionError, plain), [AskHuman, Skip]);
    assert_eq!(actions(Timeout, plain), [Retry, Abort]);
    assert_eq!(actions(Unknown, plain), [Retry]);
}

#[test]
fn another_agent_comes_last() {
    let known = Circumstances { retryable: true, in_step: true, others: true, ..Circumstances::default() };
    assert_eq!(actions(ToolFailure, known), [Retry, Skip, Fallback]);
    assert_eq!(actions(Timeout, known), [Retry, Abort, Fallback]);
    assert_eq!(actions(PermissionError, known), [AskHuman, Skip, Fallback]);
}

#[test]
fn at_the_limit_a_retry_becomes_an_abort_and_is_said_once() {
    let known = Circumstances { retryable: true, in_step: true, at_limit: true, ..Circumstances::default() };
    assert_eq!(actions(ToolFailure, known), [Abort, Skip]);
    assert_eq!(actions(Timeout, known), [Abort]);
    assert_eq!(actions(ProviderError, known), [Abort]);
    assert_eq!(actions(PermissionError, known), [AskHuman, Skip]);
}

#[test]
fn the_wait_that_a_provider_named_is_said() {
    let known = Circumstances { retryable: true, wait_ms: Some(30_001), ..Circumstances::default() };
    assert_eq!(&*recovery(ProviderError, &known)[0].description, "try again in 31 seconds");
}

#[test]
fn words_alone_are_the_last_resort() {
    let cases = [
        ("API Error: 529 {\"type\":\"overloaded_error\"}", ProviderError),
        ("HTTP 429", ProviderError),
        ("429 Too Many Requests", ProviderError),
        ("got status 503 from upstream", ProviderError),
        ("the model is Overloaded", ProviderError),
        ("Connection reset by peer", ProviderError),
        ("401 Unauthorized", ProviderError),
        ("Invalid API key · Please run /login", ProviderError),
        ("bash: /etc/shadow: Permission denied", PermissionError),
        ("The request timed out", Timeout),
        ("invalid value for `count`", ValidationError),
        ("the answer does not match the schema", ValidationError),
        ("could not parse the reply", ValidationError),
        ("Command failed with exit code 1", ToolFailure),
        ("Command failed: curl: connection refused", ToolFailure),
        ("process ended with exit code 500", ToolFailure),
        ("ENOENT: package.json", ToolFailure),
        ("Cannot find module 'jsonwebtoken'", ToolFailure),
        ("the test on line 512 is red", Unknown),
        ("", Unknown),
    ];
    for (message, category) in cases {
        assert_eq!(by_words(message), category, "{message}");
    }
}

#[test]
fn a_login_is_told_from_an_overload() {
    assert!(is_login("HTTP 403") && is_login("Not logged in") && is_login("authentication_error"));
    assert!(!is_login("HTTP 503") && !is_login("overloaded"));
}
