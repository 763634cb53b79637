//! How far a conducted mission has gone, of how far it may go.

use mind::{State, Timestamp};
use serde::Serialize;

use crate::amount::{money, tokens};
use crate::tone::Tone;
use crate::when;

/// One thing that a mission may take only so much of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// "iterations", "failures", "cost", "tokens", "time".
    pub name: &'static str,
    pub used: String,
    /// How much it may take, if that is limited.
    pub most: Option<String>,
    /// How near the end is.
    pub tone: Tone,
}

impl Limit {
    /// In words: "4 of 50", "1 of 3 in a row".
    pub fn words(&self) -> String {
        let in_a_row = if self.name == "failures" { " in a row" } else { "" };
        match &self.most {
            Some(most) => format!("{} of {most}{in_a_row}", self.used),
            None => format!("{}{in_a_row}", self.used),
        }
    }

    /// As short as it goes: "4/50".
    pub fn short(&self) -> String {
        match &self.most {
            Some(most) => format!("{}/{most}", self.used),
            None => self.used.clone(),
        }
    }
}

/// Iterations, failures in a row, cost, tokens and time, in this order. What is neither known nor limited is left out.
pub fn limits(state: &State, now: Timestamp) -> Vec<Limit> {
    let (Some(conductor), Some(conducting)) = (&state.conductor, state.conducting()) else {
        return Vec::new();
    };
    let most = &conducting.limits;
    let count = |name, used: u32, most: u32| Limit {
        name,
        used: used.to_string(),
        most: Some(most.to_string()),
        tone: nearness(u64::from(used), Some(u64::from(most))),
    };
    let mut limits = vec![count("iterations", conductor.iterations, most.max_iterations)];
    let mut failures = count("failures", conductor.failures, most.max_failures);
    // One failure is nothing yet, but the last one before the end is.
    failures.tone = match most.max_failures.saturating_sub(conductor.failures) {
        _ if conductor.failures == 0 => Tone::Plain,
        0 | 1 => Tone::Bad,
        _ => Tone::Warning,
    };
    limits.push(failures);
    let cost = state.cost_microusd();
    if cost > 0 || most.budget_microusd.is_some() {
        limits.push(Limit {
            name: "cost",
            used: money(cost),
            most: most.budget_microusd.map(money),
            tone: nearness(cost, most.budget_microusd),
        });
    }
    if conductor.tokens.is_some() || most.budget_tokens.is_some() {
        let used = conductor.tokens.unwrap_or(0);
        limits.push(Limit {
            name: "tokens",
            used: tokens(used),
            most: most.budget_tokens.map(tokens),
            tone: nearness(used, most.budget_tokens),
        });
    }
    let took = now.0.saturating_sub(state.opened_at.0);
    limits.push(Limit {
        name: "time",
        used: when::clock(took),
        most: most.deadline_ms.map(when::clock),
        tone: nearness(took, most.deadline_ms),
    });
    limits
}

fn nearness(used: u64, most: Option<u64>) -> Tone {
    match most.map(|most| used.saturating_mul(100) / most.max(1)) {
        Some(85..) => Tone::Bad,
        Some(70..) => Tone::Warning,
        Some(_) | None => Tone::Plain,
    }
}
