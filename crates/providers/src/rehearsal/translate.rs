//! Between the house's words and an actor's lines. Pure: the same line always means the same.

use std::sync::Arc;

use mind::event::{Failure, TurnEnd};
use mind::limits::{TOOL_DETAIL_CHARS_MAX, cut};
use mind::{AgentEvent, Timestamp, TurnId};

use super::wire::{FailKind, Failed, Report, Told};
use crate::Order;

/// The line that carries an order.
pub fn say(order: &Order) -> String {
    let told = match order {
        Order::Deliver { turn, key, text, .. } => {
            Told::Deliver { turn: turn.0, key: key.clone(), text: text.to_string() }
        }
        Order::Steer { turn, key, text } => {
            Told::Steer { turn: turn.0, key: key.clone(), text: text.to_string() }
        }
        Order::Warn { percent, text } => Told::Warn { percent: *percent, text: text.to_string() },
        Order::Interrupt { turn } => Told::Interrupt { turn: turn.0 },
        Order::End => Told::End,
    };
    // These types hold nothing that JSON cannot: no maps with odd keys, no failing fields.
    serde_json::to_string(&told).unwrap_or_default()
}

/// The event that a line carries; `None` for a line we do not know.
pub fn hear(line: &str) -> Option<AgentEvent> {
    Some(match serde_json::from_str::<Report>(line).ok()? {
        Report::Heard { turn } => AgentEvent::Heard(TurnId(turn)),
        Report::ToolStarted { name, detail } => AgentEvent::ToolStarted {
            call: Arc::from(""),
            name: Arc::from(name),
            detail: Arc::from(cut(&detail, TOOL_DETAIL_CHARS_MAX)),
        },
        Report::ToolEnded { ok } => AgentEvent::ToolEnded { call: Arc::from(""), ok },
        Report::Gauge { used, window } => AgentEvent::Gauged { used, window, source: Arc::from("rehearsal") },
        Report::Warned { percent } => AgentEvent::Warned { percent },
        Report::Tasks { tasks } => AgentEvent::Tasks(tasks),
        Report::Stirred => AgentEvent::Stirred,
        Report::AwaitsHuman { waiting } => AgentEvent::AwaitsHuman(waiting),
        Report::Failed { turn, failed } => {
            AgentEvent::Failed { turn: TurnId(turn), failure: failure(failed) }
        }
        Report::Rested { turn, interrupted, output, text, cost_microusd } => AgentEvent::Rested {
            turn: TurnId(turn),
            end: if interrupted {
                TurnEnd::Interrupted
            } else {
                TurnEnd::Spoke { output, text: Arc::from(text) }
            },
            tree: None,
            cost_microusd,
        },
    })
}

fn failure(failed: Failed) -> Failure {
    let why = Arc::from(failed.why);
    match failed.kind {
        FailKind::Transient => Failure::Transient(why),
        FailKind::Limit => Failure::Limited { why, until: failed.until_ms.map(Timestamp) },
        FailKind::Login => Failure::Unauthorised(why),
        FailKind::Refused => Failure::Refused(why),
    }
}
