//! Translates orders of the mission loop into an actor's lines, and an actor's lines into events. Pure: the same line
//! always means the same.

use std::sync::Arc;

use mind::digest::Digest;
use mind::event::{Failure, TurnEnd};
use mind::limits::{TOOL_DETAIL_CHARS_MAX, cut};
use mind::petition::tools;
use mind::policy::{PermissionRequest, Risk};
use mind::session::Gauge;
use mind::{AgentEvent, Timestamp, TurnId};
use serde_json::{Value, json};

use super::wire::{FailKind, Failed, Report, Told};
use crate::protocol::{DriverAction, Live};
use mind::effect::SessionCommand;

/// The line that carries an order.
pub fn say(order: &SessionCommand) -> String {
    let told = match order {
        SessionCommand::Deliver { turn, key, text, .. } => {
            Told::Deliver { turn: turn.0, key: key.clone(), text: text.to_string() }
        }
        SessionCommand::Steer { turn, key, text } => {
            Told::Steer { turn: turn.0, key: key.clone(), text: text.to_string() }
        }
        SessionCommand::Warn { percent, text } => Told::Warn { percent: *percent, text: text.to_string() },
        SessionCommand::Permit { call, allowed, .. } => {
            Told::Permit { call: call.to_string(), allowed: *allowed }
        }
        SessionCommand::Reply { call, told, refused } => {
            Told::Reply { call: call.to_string(), told: told.clone(), refused: *refused }
        }
        SessionCommand::Interrupt { turn } => Told::Interrupt { turn: turn.0 },
        SessionCommand::End => Told::End,
    };
    // These types hold nothing that JSON cannot: no maps with odd keys, no failing fields.
    serde_json::to_string(&told).unwrap_or_default()
}

/// The action for a line that comes now; `None` for an unknown line.
pub fn deed(line: &str, now: Timestamp) -> Option<DriverAction> {
    let event = match serde_json::from_str::<Report>(line).ok()? {
        Report::Live { text } => return Some(DriverAction::Live(Live::Text(text))),
        Report::Heard { turn } => AgentEvent::Heard(TurnId(turn)),
        Report::ToolStarted { name, detail } => AgentEvent::ToolStarted {
            call: Arc::from(""),
            name: Arc::from(name),
            detail: Arc::from(cut(&detail, TOOL_DETAIL_CHARS_MAX)),
        },
        Report::ToolEnded { ok } => AgentEvent::ToolEnded { call: Arc::from(""), ok },
        Report::Gauge { used, window } => AgentEvent::Gauged(Gauge::named(used, window, "rehearsal")),
        Report::Warned { percent } => AgentEvent::Warned { percent },
        Report::Tasks { tasks } => AgentEvent::Tasks(tasks),
        Report::Spent { report, input, output, cost_microusd } => {
            AgentEvent::Spent { report: Arc::from(report), input, output, cost_microusd }
        }
        Report::Stirred => AgentEvent::Stirred,
        Report::Asks { call, argv } => {
            AgentEvent::Asks { call: Arc::from(call), request: Arc::new(question(&argv)) }
        }
        Report::Pleads { call, tool, given } => {
            let call = Arc::from(call);
            match tools::plea(&tool, &given, now) {
                Some(Ok(plea)) => AgentEvent::Pleads { call, plea },
                Some(Err(told)) => return Some(refusal(call, told)),
                None => {
                    return Some(refusal(call, json!({"error": format!("there is no tool {tool:?} here")})));
                }
            }
        }
        Report::AwaitsHuman { waiting } => AgentEvent::AwaitsHuman(waiting),
        Report::Failed { turn, failed } => {
            AgentEvent::Failed { turn: TurnId(turn), failure: failure(failed) }
        }
        Report::Rested { turn, interrupted, output, text } => AgentEvent::Rested {
            turn: TurnId(turn),
            end: if interrupted {
                TurnEnd::Interrupted
            } else {
                TurnEnd::Spoke { output, text: Arc::from(text) }
            },
            tree: None,
        },
    };
    Some(DriverAction::Tell(event))
}

/// A wrong line is answered here, and goes no further.
fn refusal(call: Arc<str>, told: Value) -> DriverAction {
    DriverAction::Write(say(&SessionCommand::Reply { call, told, refused: true }))
}

/// The event that a line carries that comes now; `None` where it carries none.
pub fn hear(line: &str, now: Timestamp) -> Option<AgentEvent> {
    match deed(line, now)? {
        DriverAction::Tell(event) => Some(event),
        DriverAction::Live(_)
        | DriverAction::Write(_)
        | DriverAction::Note(_)
        | DriverAction::GiveUp(_)
        | DriverAction::Anew { .. } => None,
    }
}

/// An actor asks for a program as a whole; a lasting yes covers all that the program may be given.
fn question(argv: &[String]) -> PermissionRequest {
    let program = argv.first().map_or("", String::as_str);
    let what = argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let mut digest = Digest::default();
    for word in argv {
        digest.add((word.len() as u64).to_le_bytes());
        digest.add(word);
    }
    PermissionRequest {
        tool: Arc::from("Bash"),
        what: Arc::from(what),
        folder: Arc::from("the clone"),
        why: Arc::from("the script wants it to be asked"),
        risk: Risk::Unknown,
        shapes: vec![Arc::from(program)],
        digest: Arc::from(digest.hex()),
    }
}

/// A word as a shell would have to be given it.
fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_alphanumeric() || "-_./=:,+@%".contains(sign);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
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
