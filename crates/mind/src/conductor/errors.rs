//! What an error is, when it happens, and what can be done about it.

use super::execution::{Category, RecoveryOption};

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
pub fn recovery(_category: Category, _circumstances: &Circumstances) -> Vec<RecoveryOption> {
    Vec::new()
}

/// The kind of an error of which only words are known. Typed errors come first; this is the last resort.
pub fn by_words(_message: &str) -> Category {
    Category::Unknown
}
