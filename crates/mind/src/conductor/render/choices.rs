//! Agents, transitions, constraints and legal moves in words, for a model.

use std::sync::Arc;

use super::runs::took;
use crate::conductor::agent::{Agent, TransitionTarget};
use crate::conductor::input::agents::{AgentDescription, EVERY_TOOL};
use crate::conductor::input::constraints::Constraints;
use crate::conductor::next_move::MoveKind;
use crate::conductor::texts::{inline, short};

/// The agents that can be chosen; each text about one has `max` characters.
pub fn agents(agents: &[AgentDescription], max: usize) -> String {
    if agents.is_empty() {
        return "No agent can be chosen.".to_owned();
    }
    agents.iter().map(|agent| one(agent, max)).collect::<Vec<_>>().join("\n")
}

fn one(agent: &AgentDescription, max: usize) -> String {
    let short = |text: &str| short(text, max);
    let names = |names: &[Arc<str>]| short(&names.join(", "));
    let allowed = match agent.tools.allowed.as_slice() {
        [] => "none".to_owned(),
        [every] if **every == *EVERY_TOOL => "all".to_owned(),
        some => names(some),
    };
    let mut text = format!(
        "- `{}` ({}): {}\n  Tools: {allowed}",
        short(&agent.name),
        short(&agent.display_name),
        short(&agent.when_to_use)
    );
    if !agent.tools.blocked.is_empty() {
        text.push_str(&format!("; never {}", names(&agent.tools.blocked)));
    }
    if let Some(did) = &agent.recent_performance {
        text.push_str(&format!("\n  So far: {}% of its runs succeeded", did.success_rate));
        if let Some(average) = did.iteration_average {
            text.push_str(&format!("; runs for each success: {average}"));
        }
    }
    text
}

/// What follows an agent by its configuration.
pub fn transitions(agent: Option<&Agent>) -> String {
    let Some(agent) = agent else { return "Nothing: there is no such agent any more.".to_owned() };
    let transitions = &agent.transitions;
    let mut lines = vec![
        format!("- after a success: {}", target(&transitions.on_success)),
        format!("- after a failure: {}", target(&transitions.on_failure)),
        format!("- when it has had its runs: {}", target(&transitions.on_max_iterations)),
    ];
    lines.extend(transitions.custom.iter().map(|custom| {
        let reason =
            custom.reason.as_ref().map(|reason| format!(" ({})", inline(reason))).unwrap_or_default();
        format!("- after the verdict {}: {}{reason}", inline(&custom.when), target(&custom.target))
    }));
    lines.join("\n")
}

fn target(target: &TransitionTarget) -> String {
    match target {
        TransitionTarget::Agent(name) => format!("`{}`", inline(name)),
        TransitionTarget::Complete => "the task is claimed to be done".to_owned(),
        TransitionTarget::Arbiter => "you decide".to_owned(),
    }
}

/// The constraints, in words.
pub fn constraints(constraints: &Constraints) -> String {
    let mut lines = vec![
        format!(
            "- Iteration {} of {}; {} remain after it.",
            constraints.current_iteration, constraints.max_iterations, constraints.iterations_remaining
        ),
        format!(
            "- Failures in a row: {}; {} in a row end the mission.",
            constraints.consecutive_failures, constraints.max_consecutive_failures
        ),
    ];
    let mut time = format!("- Time: {} elapsed", took(constraints.time_elapsed_ms));
    if let Some(remaining) = constraints.estimated_time_remaining {
        time.push_str(&format!("; about {} remain", took(remaining)));
    }
    if let Some(deadline) = constraints.deadline {
        time.push_str(&format!("; it must be over at {}", deadline.utc()));
    }
    lines.push(format!("{time}."));
    let used = constraints.estimated_tokens_used.map_or("unknown".to_owned(), |used| used.to_string());
    let budget = constraints.budget_tokens.map(|budget| format!(" of {budget}")).unwrap_or_default();
    lines.push(format!("- Tokens used: {used}{budget}."));
    if let Some(budget) = constraints.budget_microusd {
        let spent = dollars(constraints.spent_microusd.unwrap_or(0));
        lines.push(format!("- Money: {spent} of {} spent.", dollars(budget)));
    }
    lines.join("\n")
}

fn dollars(microusd: u64) -> String {
    let cents = microusd / 10_000;
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// The legal decisions with their form. The forms are no JSON by themselves: repeated, they decide nothing.
pub fn decisions(legal: &[MoveKind]) -> String {
    let lines = legal.iter().map(|kind| {
        let (fields, meaning) = form(*kind);
        format!("- `{{\"type\": \"{kind}\", {fields}}}`: {meaning}")
    });
    let lines: Vec<String> = lines.collect();
    format!("Answer with exactly one of these objects:\n\n{}", lines.join("\n"))
}

fn form(kind: MoveKind) -> (&'static str, &'static str) {
    match kind {
        MoveKind::SelectMode => (
            "\"mode\": <agent>, \"reason\": <why>, \"guidance\": <optional: what it is told>",
            "this agent runs next; `mode` is one of the names above.",
        ),
        MoveKind::Continue => {
            ("\"reason\": <why>", "what was done stands; the same agent goes on with the next step.")
        }
        MoveKind::Retry => (
            "\"reason\": <what went wrong, and what to do differently>",
            "the same agent tries what it just worked on again; it is told the reason.",
        ),
        MoveKind::Complete => {
            ("\"summary\": <what was done>", "the whole task is done; this is tested before it counts.")
        }
        MoveKind::SkipStep => {
            ("\"reason\": <why>", "the current step is left out; what depends on it goes on.")
        }
        MoveKind::Replan => {
            ("\"reason\": <what is wrong with the plan>", "the rest of the plan is made anew.")
        }
        MoveKind::AskHuman => (
            "\"question\": <what>, \"options\": [<answer>, <answer>]",
            "the mission waits for the human's answer.",
        ),
        MoveKind::Fail => ("\"reason\": <why>", "the mission ends as failed."),
    }
}
