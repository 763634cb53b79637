//! A policy file: the keys of a configuration that moves rest on, in YAML.

use std::path::Path;

use mind::conductor::replay::ReplayPolicy;
use serde_json::Value;

use crate::cli_error::{CliError, ExitCode};
use crate::commands::journal_position::offset_ms;
use crate::project::config::read_file;

/// The keys that a policy has, told to a person who wrote another.
const HINT: &str = "a policy has limits (maxIterations, maxFailures, deadline, budgetUsd, budgetTokens), \
                    agents (default) and transitions (by agent: onSuccess, onFailure, onMaxIterations, custom)";

/// Reads a policy file.
pub fn read(file: &Path) -> Result<ReplayPolicy, CliError> {
    let bytes = read_file(file, file).map_err(|error| CliError::of(ExitCode::Usage, &error))?;
    let bytes = bytes.ok_or_else(|| {
        CliError::new(ExitCode::Usage, format!("{} is not there", file.display())).hint("name a YAML file")
    })?;
    let wrong = |why: String| CliError::new(ExitCode::Usage, format!("{}: {why}", file.display())).hint(HINT);
    let text = str::from_utf8(&bytes).map_err(|_| wrong("it is not text".to_owned()))?;
    parse(text).map_err(wrong)
}

fn parse(text: &str) -> Result<ReplayPolicy, String> {
    let mut value: Value = serde_saphyr::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| error.to_string().lines().next().unwrap_or_default().to_owned())?;
    // A configuration writes it as people do.
    if let Some(limits) = value.get_mut("limits").and_then(Value::as_object_mut)
        && let Some(deadline) = limits.remove("deadline")
    {
        let written =
            deadline.as_str().and_then(offset_ms).ok_or("deadline: write a number and a unit: 30m, 8h")?;
        limits.insert("deadlineMs".to_owned(), written.into());
    }
    let policy: ReplayPolicy = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if policy.limits.budget_usd.is_some_and(|dollars| !(0.0..=1e9).contains(&dollars)) {
        return Err("budgetUsd: write dollars, 0 or more".to_owned());
    }
    Ok(policy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_written_like_a_configuration() {
        let text = "limits: {maxIterations: 10, deadline: 8h, budgetUsd: 2.5}\nagents: {default: developer}\n\
                    transitions:\n  developer: {onSuccess: reviewer}\n";
        let policy = parse(text).expect("a policy");
        assert_eq!(policy.limits.max_iterations, Some(10));
        assert_eq!(policy.limits.deadline_ms, Some(8 * 60 * 60 * 1000));
        assert_eq!(policy.agents.default.as_deref(), Some("developer"));
        assert_eq!(policy.transitions.len(), 1);
    }

    #[test]
    fn what_a_policy_cannot_have_is_named() {
        for (text, word) in [
            ("limit: {}", "limit"),
            ("limits: {maxIterations: many}", "invalid type"),
            ("limits: {deadline: soon}", "deadline"),
            ("limits: {budgetUsd: -1}", "budgetUsd"),
            ("- a list", "invalid"),
            ("{", ""),
        ] {
            let why = parse(text).expect_err(text);
            assert!(why.contains(word), "{text}: {why}");
        }
    }
}
