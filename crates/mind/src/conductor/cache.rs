//! The cache of moves, if the user wants it: equal inputs are given to the model once. Keys are made from the inputs of the
//! recorded decisions, so nothing is stored beside them.

use serde_json::Value;

use super::limits;
use super::move_record::{MoveAttempt, MoveRecord};
use super::next_move::{DecisionPoint, MoveKind, MoveSource, NextMove};
use super::state::ConductorState;
use crate::canonical;
use crate::charter::Charter;
use crate::digest::Digest;
use crate::state::State;

/// Which wording the prompts of the two calls have; another one asks another question.
const PROMPT_VERSION: &str = "1";

/// Fields of an input that tell moments or how long something has lasted: a later asking differs in them alone.
const PASSING: [&str; 10] = [
    "startedAt",
    "completedAt",
    "createdAt",
    "updatedAt",
    "timestamp",
    "lastSuccess",
    "lastFailure",
    "deadline",
    "timeElapsedMs",
    "estimatedTimeRemaining",
];

/// An earlier decision of a model about the same input; never one of the fallback.
pub fn find(state: &State, asking: &MoveAttempt) -> Option<NextMove> {
    let (conductor, charter) = (state.conductor.as_ref()?, state.charter.as_deref()?);
    let decider = charter.conducting.as_ref()?.decider.as_ref().filter(|decider| decider.cache)?;
    let model = decider.model.as_deref().unwrap_or_default();
    let key = |call, legal: &[MoveKind], input: &Value| key(charter, model, call, legal, input);
    let mut wanted = None;
    let recent = conductor.decisions.iter().rev().take(limits::CACHE_MAX);
    let mut alike =
        recent.filter(|record| is_alike(record, asking) && is_possible(conductor, &record.decision));
    let found = alike.find(|record| {
        let wanted = wanted.get_or_insert_with(|| key(asking.call, &asking.legal, &asking.input));
        key(record.call, &record.legal, &record.input) == *wanted
    })?;
    Some(found.decision.clone())
}

/// What can be told without a digest: by whom, for which call, out of what, in which iteration.
fn is_alike(record: &MoveRecord, asking: &MoveAttempt) -> bool {
    let iteration = |input: &Value| input.pointer("/constraints/currentIteration").cloned();
    matches!(record.source, MoveSource::Model | MoveSource::Cache)
        && record.call == asking.call
        && record.legal == asking.legal
        && iteration(&record.input) == iteration(&asking.input)
}

/// The agent that it names may still run.
fn is_possible(conductor: &ConductorState, decision: &NextMove) -> bool {
    let NextMove::SelectMode { mode, .. } = decision else { return true };
    conductor.agent(mode).is_some_and(|agent| conductor.is_eligible(agent))
}

/// The digest of everything that a model's decision rests on, without moments and elapsed time.
pub fn key(charter: &Charter, model: &str, call: DecisionPoint, legal: &[MoveKind], input: &Value) -> String {
    let mut digest = Digest::default();
    part(&mut digest, model);
    part(&mut digest, PROMPT_VERSION);
    for (name, text) in charter.prompts.iter().filter(|(name, _)| name.starts_with("conduct")) {
        part(&mut digest, name);
        part(&mut digest, text);
    }
    part(&mut digest, if call == DecisionPoint::Select { "select" } else { "evaluate" });
    for kind in legal {
        part(&mut digest, kind.word());
    }
    part(&mut digest, "");
    part(&mut digest, &canonical::json_without(input, &PASSING));
    digest.hex()
}

/// Each part with its length, so that no two lists of parts look alike.
fn part(digest: &mut Digest, text: &str) {
    digest.add((text.len() as u64).to_le_bytes());
    digest.add(text);
}
