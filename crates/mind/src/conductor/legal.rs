//! Which moves are legal now, and the schema that tells a model so.

use serde_json::{Value, json};

use super::choice;
use super::next_move::{DecisionPoint, MoveKind};
use super::state::ConductorState;
use crate::state::State;

/// What can be decided in this call, as the mission stands. What tells the two calls apart is whether a run went
/// before: an evaluation always has one, a selection only sometimes.
pub fn legal(state: &State, _call: DecisionPoint) -> Vec<MoveKind> {
    let Some(conductor) = &state.conductor else { return vec![MoveKind::AskHuman, MoveKind::Fail] };
    MoveKind::ALL.into_iter().filter(|kind| is_legal(conductor, *kind)).collect()
}

fn is_legal(conductor: &ConductorState, kind: MoveKind) -> bool {
    match kind {
        MoveKind::SelectMode => conductor.eligible().next().is_some(),
        MoveKind::Continue => choice::previous(conductor).is_some_and(|agent| conductor.is_eligible(agent)),
        MoveKind::Retry => {
            conductor.last().is_some_and(|last| choice::can_retry(conductor, &last.agent, last.step))
        }
        // The same claim would be turned back for the same reason.
        MoveKind::Complete => conductor.turned_back.is_none(),
        MoveKind::SkipStep => conductor.plan.as_deref().and_then(choice::open_step).is_some(),
        MoveKind::Replan => choice::planner(conductor).is_some(),
        MoveKind::AskHuman | MoveKind::Fail => true,
    }
}

/// What a reply must look like.
///
/// One flat object in the narrow dialect that every provider's strict mode takes: each property is required, what a
/// decision has no use for is null, nothing else may be added, and no length is bounded here (strict modes refuse
/// such words; `reading` bounds instead). Nullable is written as `anyOf`, which all of them know.
pub fn schema(legal: &[MoveKind], agents: &[&str]) -> Value {
    let kinds: Vec<&str> = legal.iter().map(|kind| kind.word()).collect();
    let mode = if agents.is_empty() {
        json!({"type": "null", "description": "Always null: no agent can be chosen now."})
    } else {
        json!({
            "description": "For SELECT_MODE: the name of the agent that runs next. Otherwise null.",
            "anyOf": [{"type": "string", "enum": agents}, {"type": "null"}],
        })
    };
    json!({
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": kinds, "description": "What is decided."},
            "mode": mode,
            "reason": text_or_null("For every decision but COMPLETE and ASK_HUMAN: why, in one or two sentences. Otherwise null."),
            "guidance": text_or_null("For SELECT_MODE: what that agent should know or do, or null. Otherwise null."),
            "summary": text_or_null("For COMPLETE: what was done. Otherwise null."),
            "question": text_or_null("For ASK_HUMAN: what only a human can decide. Otherwise null."),
            "options": {
                "description": "For ASK_HUMAN: short answers to choose from, or null if the question is open. Otherwise null.",
                "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}],
            },
        },
        "required": ["type", "mode", "reason", "guidance", "summary", "question", "options"],
        "additionalProperties": false,
    })
}

fn text_or_null(description: &str) -> Value {
    json!({"description": description, "anyOf": [{"type": "string"}, {"type": "null"}]})
}
