//! Runs and errors in words. What agents and tools said stands behind a margin.

use std::sync::Arc;

use crate::conductor::execution::{
    ErrorCategory, ErrorContext, Execution, Recovery, RecoveryOption, RunError, RunStatus,
};
use crate::conductor::plan::shown;
use crate::conductor::texts::{both_ends, inline, quoted, short};

const FILES_SHOWN: usize = 10;
const NAME_CHARS_MAX: usize = 200;

/// A run of the history.
pub fn line(run: &Execution) -> String {
    let mut text = format!("{}\n{}", head(run), quoted(&run.output.summary));
    if let Some(error) = &run.error {
        text.push_str(&format!("\n{}", run_error(error, usize::MAX)));
    }
    text
}

/// The run that an evaluation is about; its texts have `max` characters each.
pub fn last(run: &Execution, max: usize) -> String {
    let mut text = format!("{}\nWhat it says:\n{}", head(run), quoted(&both_ends(&run.output.summary, max)));
    if let Some(full) = run.output.full.as_ref().filter(|full| **full != run.output.summary) {
        text.push_str(&format!("\nIts output:\n{}", quoted(&both_ends(full, max))));
    }
    if let Some(error) = &run.error {
        text.push_str(&format!("\n{}", run_error(error, max)));
    }
    if !run.issues.is_empty() {
        let issues: Vec<String> = run.issues.iter().map(|issue| format!("- {}", inline(issue))).collect();
        text.push_str(&format!("\nIssues that it found:\n{}", quoted(&both_ends(&issues.join("\n"), max))));
    }
    if let Some(changed) = &run.output.files_modified {
        text.push_str(&format!("\nFiles that changed: {}", files(changed)));
    }
    if let Some(tokens) = run.tokens {
        text.push_str(&format!("\nTokens: {} read, {} written.", tokens.input, tokens.output));
    }
    text
}

/// The last error with what can be done about it; its message has `max` characters.
pub fn error(error: &ErrorContext, max: usize) -> String {
    let mut who = format!("{} failed", name(&error.agent));
    if let Some(tool) = &error.tool {
        who.push_str(&format!(" with the tool {}", name(tool)));
    }
    if let Some(step) = error.plan_step {
        who.push_str(&format!(" in step {step}"));
    }
    let mut lines = vec![
        format!("{who} ({}, {}).", category(error.category), error.timestamp.utc()),
        format!("What it tried:\n{}", quoted(&both_ends(&error.attempted, max.min(500)))),
        format!("What came of it:\n{}", quoted(&both_ends(&error.message, max))),
    ];
    if let Some(context) = &error.context {
        if let Some(command) = &context.command_executed {
            lines.push(format!("The command:\n{}", quoted(&both_ends(command, max.min(500)))));
        }
        if let Some(accessed) = &context.files_accessed {
            lines.push(format!("Files: {}", files(accessed)));
        }
    }
    lines.push(options(&error.recovery_options));
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// Who ran, for what, how it ended: in one line.
pub fn head(run: &Execution) -> String {
    let mut text = format!("#{} {}, iteration {}", run.seq, name(&run.agent), run.iteration);
    if let Some(step) = run.step {
        text.push_str(&format!(", step {}", shown(step)));
    }
    text.push_str(&format!(": {}", status(run.status)));
    if let Some(ms) = run.duration_ms {
        text.push_str(&format!(" after {}", took(ms)));
    }
    if let Some(verdict) = &run.verdict {
        text.push_str(&format!(", verdict {}", name(verdict)));
    }
    text
}

/// A time in words, as coarse as it is long.
pub fn took(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0 => format!("{ms} ms"),
        1..=119 => format!("{seconds} s"),
        120..=7_199 => format!("{} min", seconds / 60),
        7_200.. => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

fn run_error(error: &RunError, max: usize) -> String {
    let mut head = format!("Error ({}", category(error.category));
    if let Some(tool) = &error.tool {
        head.push_str(&format!(", tool {}", name(tool)));
    }
    format!("{head}):\n{}", quoted(&both_ends(&error.message, max)))
}

fn options(options: &[RecoveryOption]) -> String {
    if options.is_empty() {
        return String::new();
    }
    let lines = options.iter().take(8).map(|option| {
        format!(
            "- {}: {}, since {}",
            recovery(option.action),
            name(&option.description),
            name(&option.reason)
        )
    });
    format!("What can be done, best first:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

fn files(files: &[Arc<str>]) -> String {
    let mut names: Vec<String> = files.iter().take(FILES_SHOWN).map(|file| name(file)).collect();
    if files.len() > FILES_SHOWN {
        names.push(format!("and {} more", files.len() - FILES_SHOWN));
    }
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn name(text: &str) -> String {
    short(text, NAME_CHARS_MAX)
}

fn status(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Success => "success",
        RunStatus::Failure => "failure",
        RunStatus::Timeout => "timeout",
        RunStatus::Cancelled => "cancelled",
    }
}

fn recovery(action: Recovery) -> &'static str {
    match action {
        Recovery::Retry => "retry",
        Recovery::Skip => "skip",
        Recovery::Fallback => "fallback",
        Recovery::Abort => "abort",
        Recovery::AskHuman => "ask_human",
    }
}

fn category(category: ErrorCategory) -> &'static str {
    match category {
        ErrorCategory::ToolFailure => "tool_failure",
        ErrorCategory::ProviderError => "provider_error",
        ErrorCategory::ValidationError => "validation_error",
        ErrorCategory::PermissionError => "permission_error",
        ErrorCategory::Timeout => "timeout",
        ErrorCategory::Unknown => "unknown",
    }
}
