//! Printing the state in a play: `read` shows a prompt in full, `show` one aspect of the mission.

use crate::effect::{Effect, SessionCommand};
use crate::session::{Session, WaitKind};
use crate::show::line;
use crate::state::State;
use crate::talk::Delivery;

/// The prompt that `who` has in flight, word for word.
pub(super) fn read(state: &State, who: &str) -> String {
    let session = match who {
        "arbiter" => state.arbiter(),
        "orchestrator" | "verifier" => state.worker(),
        "agent" => state.active_agent(),
        "warning" => return warning(state),
        other => panic!("there is no {other:?}: read arbiter, orchestrator or warning"),
    };
    let turn = session.and_then(|session| session.turns.current.as_ref());
    let text = turn.map_or_else(|| panic!("{who} has no turn in flight"), |turn| turn.text.clone());
    quoted(&text)
}

fn warning(state: &State) -> String {
    let warning = state.on_start().into_iter().find_map(|effect| {
        let Effect::Session(_, SessionCommand::Warn { text, .. }) = effect else { return None };
        Some(text)
    });
    quoted(&warning.unwrap_or_else(|| panic!("no warning is on its way")))
}

/// One aspect of the mission.
pub(super) fn show(state: &State, what: &str) -> String {
    let lines: Vec<String> = match what {
        "talk" => state
            .talk
            .iter()
            .map(|message| format!("{} -> {}: {}", message.from, message.to, line(&message.text)))
            .collect(),
        "words" => state
            .talk
            .iter()
            .filter_map(|message| Some((message, word(message.delivery?))))
            .map(|(message, word)| format!("{} {word}: {}", message.id, line(&message.text)))
            .collect(),
        "tasks" => state
            .tasks
            .iter()
            .map(|(owner, task)| format!("{task} (Orchestrator {})", crate::id::roman(*owner)))
            .collect(),
        "gauges" => state.sessions.values().filter_map(|session| session_gauge(session)).collect(),
        "wake" => state.on_start().iter().map(|effect| format!("> {effect}")).collect(),
        "waits" => waits(state),
        "forecast" => state
            .live_sessions()
            .filter_map(|session| Some(format!("{} {} turns", session.address(), session.forecast()?)))
            .collect(),
        "asks" => state
            .permissions()
            .map(|(session, ask)| {
                let waits = if ask.call.is_some() { "waits" } else { "dormant" };
                let answer = ask.answer.as_ref().map_or("", |(yes, _)| if *yes { ", yes" } else { ", no" });
                format!("{} {} {waits}{answer}: {}", session.address(), ask.id, line(&ask.request.what))
            })
            .collect(),
        "grants" => state
            .grants
            .iter()
            .map(|grant| format!("{} by {} ({})", grant.shape, grant.by, grant.permission))
            .collect(),
        "owner" => vec![format!("{:?}", state.waiting_on())],
        "question" => {
            let question = state.question.and_then(|id| state.message(id));
            vec![
                question
                    .map_or("none".to_owned(), |message| format!("{}: {}", message.id, line(&message.text))),
            ]
        }
        other => panic!(
            "cannot show {other:?}: talk, words, tasks, gauges, waits, asks, grants, forecast, wake, owner or question"
        ),
    };
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

/// Who waits for what, and when the alarm rings, in seconds from the newest fact.
fn waits(state: &State) -> Vec<String> {
    let seconds = |until: u64| until.saturating_sub(state.now.0) / 1000;
    let waiting = state.live_sessions().filter_map(|session| Some((session, session.health.wait.as_ref()?)));
    let mut lines: Vec<String> = waiting
        .map(|(session, wait)| match wait.kind {
            WaitKind::Login => format!("{} waits for a login: {}", session.address(), wait.why),
            WaitKind::Backoff | WaitKind::Limit | WaitKind::Revival => {
                format!("{} waits {} s: {}", session.address(), seconds(wait.until.0), wait.why)
            }
        })
        .collect();
    lines.push(match state.deadline() {
        Some(deadline) => format!("the alarm rings in {} s", seconds(deadline.0)),
        None => "no alarm".to_owned(),
    });
    lines
}

fn session_gauge(session: &Session) -> Option<String> {
    let gauge = session.context.gauge.as_ref()?;
    Some(format!("{} {gauge}", session.address()))
}

fn word(delivery: Delivery) -> &'static str {
    match delivery {
        Delivery::Queued => "queued",
        Delivery::Delivered => "delivered",
        Delivery::Heard => "heard",
    }
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("  | {line}").trim_end().to_owned() + "\n").collect()
}
