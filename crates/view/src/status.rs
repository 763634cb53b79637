//! What a mission does now or waits for, in one sentence: the status line of the screen, of `show` and of doors to come. What
//! happened is `told`; what one session does is `session`.

use mind::session::{Role, Session, Wait, WaitKind};
use mind::state::Ended;
use mind::talk::Proof;
use mind::waiting_on::ProgramStep;
use mind::{MissionId, State, Timestamp, WaitingOn};
use serde::Serialize;

use crate::actor::{actor_words, speaker_words};
use crate::amount::counted;
use crate::clean::clean;
use crate::conducted;
use crate::login::login_command;
use crate::receipt::command_line;
use crate::tone::Tone;

/// A sentence, and how it is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StatusLine {
    pub text: String,
    pub tone: Tone,
}

impl StatusLine {
    pub(crate) fn new(text: impl Into<String>, tone: Tone) -> StatusLine {
        StatusLine { text: text.into(), tone }
    }
}

/// What the mission does now, what it waits for, or how it ended.
#[must_use]
pub fn status(state: &State, now: Timestamp) -> StatusLine {
    conducted::course(state, now).unwrap_or_else(|| council(state))
}

/// Whose step is next in a council.
fn council(state: &State) -> StatusLine {
    match state.waiting_on() {
        WaitingOn::Over => ending(state),
        WaitingOn::Human | WaitingOn::Session(_) if state.paused => paused(),
        WaitingOn::Human => match state.open_permissions().next() {
            Some((session, ask)) => {
                let who = speaker_words(&session.profile.speaker());
                StatusLine::new(format!("{who} waits for your answer to {}.", ask.id), Tone::Wanted)
            }
            None if state.question.is_none() && state.open_petitions().next().is_some() => {
                StatusLine::new("Awaiting your answers in the docket.", Tone::Plain)
            }
            None => StatusLine::new("Awaiting your command.", Tone::Plain),
        },
        WaitingOn::Session(id) => state
            .sessions
            .get(&id)
            .map_or_else(|| StatusLine::new(halted(state), Tone::Quiet), |session| at_work(session)),
        WaitingOn::Program(ProgramStep::Checks) => StatusLine::new(check(state), Tone::Plain),
        WaitingOn::Program(ProgramStep::Opening) => StatusLine::new("The mission is starting.", Tone::Quiet),
        WaitingOn::Program(ProgramStep::Clone) => preparing(),
        // A council has no conductor, so the rest cannot be owed to one.
        WaitingOn::Program(
            ProgramStep::Restart
            | ProgramStep::Move
            | ProgramStep::Run
            | ProgramStep::ModelRetry
            | ProgramStep::Inspection,
        ) => StatusLine::new(halted(state), Tone::Quiet),
    }
}

/// How a mission ended; nothing while it has not.
#[must_use]
pub fn ending(state: &State) -> StatusLine {
    let Some(ended) = &state.ended else { return StatusLine::new("", Tone::Plain) };
    let tone = match ended {
        Ended::Completed(_) | Ended::PlanOnly { confident: true } => Tone::Good,
        Ended::Cancelled(_) | Ended::PlanOnly { confident: false } => Tone::Warning,
        Ended::Failed(_) | Ended::Exhausted(_) => Tone::Bad,
    };
    let words = ended_words(ended);
    let stop = match ended {
        Ended::Cancelled(_) | Ended::PlanOnly { .. } => ".",
        // The first ends with one, and a reason is somebody else's text.
        Ended::Completed(_) | Ended::Failed(_) | Ended::Exhausted(_) => "",
    };
    let mut signs = words.chars();
    let first = signs.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    StatusLine::new(format!("{first}{}{stop}", signs.as_str()), tone)
}

/// How a mission ended, in words: "cancelled by ada, at the command line".
#[must_use]
pub fn ended_words(ended: &Ended) -> String {
    match ended {
        Ended::Completed(Proof::Proven) => "Done, and proven by receipts.".to_owned(),
        Ended::Completed(Proof::VerifiedByAgent) => {
            "Done; verified by an agent, not proven: no checks are configured.".to_owned()
        }
        Ended::Cancelled(by) => format!("cancelled by {}", actor_words(by)),
        Ended::Failed(why) => format!("failed: {}", clean(why)),
        Ended::Exhausted(why) => format!("a limit was reached: {}", clean(why)),
        Ended::PlanOnly { confident: true } => "the plan stands; nothing was done".to_owned(),
        Ended::PlanOnly { confident: false } => {
            "the plan stands, but the agent that made it is not sure of it; nothing was done".to_owned()
        }
    }
}

/// How many decisions wait for the person: "1 decision waits".
#[must_use]
pub fn waiting_words(count: usize) -> String {
    let waits = if count == 1 { "waits" } else { "wait" };
    format!("{} {waits}", counted(count, "decision"))
}

/// No process runs the mission: why, if it stopped by itself, and how it is continued.
#[must_use]
pub fn not_running(mission: &MissionId, state: &State) -> StatusLine {
    StatusLine::new(format!("{} `arbiter resume {mission}` continues.", halted(state)), Tone::Wanted)
}

fn halted(state: &State) -> String {
    match &state.halted {
        Some((_, why)) => format!("Stopped: {}.", clean(why.trim_end_matches('.')).replace('\n', " ")),
        None => "Stopped.".to_owned(),
    }
}

/// Words as a sentence of their own.
pub(crate) fn sentence(words: &str) -> String {
    let mut signs = words.chars();
    let first = signs.next().into_iter().flat_map(char::to_uppercase);
    first.chain(signs).chain(['.']).collect()
}

pub(crate) fn paused() -> StatusLine {
    StatusLine::new("Paused: /resume continues.", Tone::Warning)
}

pub(crate) fn preparing() -> StatusLine {
    StatusLine::new("The clone is being prepared.", Tone::Quiet)
}

/// The check that runs, as far as one does.
pub(crate) fn check(state: &State) -> String {
    let next = state.gate.as_ref().zip(state.charter.as_ref()).and_then(|(gate, charter)| {
        let argv = charter.checks.get(gate.passed as usize).filter(|_| gate.brought)?;
        Some(format!("Running check {} of {}: {}", gate.passed + 1, charter.checks.len(), command_line(argv)))
    });
    next.unwrap_or_else(|| "The work is being inspected.".to_owned())
}

/// A session with a turn in flight.
fn at_work(session: &Session) -> StatusLine {
    let who = speaker_words(&session.profile.speaker());
    match (&session.health.wait, session.profile.role) {
        (Some(wait), _) => stopped(&who, &session.profile.provider, wait),
        (None, Role::Arbiter) => StatusLine::new("The Arbiter ponders.", Tone::Quiet),
        (None, Role::Orchestrator | Role::Agent | Role::Verifier) => {
            StatusLine::new(format!("{who} is at work."), Tone::Quiet)
        }
    }
}

/// Why a session does not go on, and what helps.
pub(crate) fn stopped(who: &str, provider: &str, wait: &Wait) -> StatusLine {
    let text = match wait.kind {
        WaitKind::Backoff => format!("{who} gets no answer from its provider; /resume tries at once."),
        WaitKind::Limit => format!("{who} waits for a limit of its provider to end; /resume tries at once."),
        WaitKind::Login => format!("{who} cannot log in: {}, then /resume.", login_command(provider)),
        WaitKind::Revival => format!("{who} ended unexpectedly and is being resumed."),
    };
    let tone = if wait.kind == WaitKind::Login { Tone::Bad } else { Tone::Warning };
    StatusLine::new(text, tone)
}
