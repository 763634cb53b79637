//! What a conducted mission does now, or waits for.

use mind::conductor::{ConductorState, DecisionPoint, Phase};
use mind::{State, Timestamp};

use super::{ended_word, errand};
use crate::clean::clean;
use crate::session::model_wait_words;
use crate::status::{StatusLine, check, paused, preparing, sentence, stopped};
use crate::tone::Tone;
use crate::when;

/// What it does now or waits for, in one sentence. Nothing once it is over: how it ended is `status::ending`.
#[must_use]
pub fn course(state: &State, now: Timestamp) -> Option<StatusLine> {
    let conductor = state.conductor.as_ref().filter(|_| state.ended.is_none())?;
    if state.paused {
        return Some(paused());
    }
    if state.clone_place.is_none() {
        return Some(preparing());
    }
    if let Some(session) = state.active_agent() {
        if session.awaits_person() {
            let text = format!("{} waits for your word.", clean(session.profile.agent()));
            return Some(StatusLine::new(text, Tone::Wanted));
        }
        if let Some(wait) = &session.health.wait {
            return Some(stopped(&clean(session.profile.agent()), &session.profile.provider, wait));
        }
    }
    Some(phase(conductor, state, now))
}

fn phase(conductor: &ConductorState, state: &State, now: Timestamp) -> StatusLine {
    let agent = conductor.run.as_ref().map(|run| clean(&run.agent).into_owned());
    let agent = agent.unwrap_or_else(|| "an agent".to_owned());
    let asked = conductor.asking.as_ref().map(|asking| asking.call);
    let text = match conductor.phase {
        Phase::Idle => "The mission is starting.".to_owned(),
        Phase::Selecting | Phase::Evaluating if conductor.run.is_some() => {
            format!("What {agent} changed is being inspected.")
        }
        Phase::Selecting | Phase::Evaluating => match asked {
            Some(DecisionPoint::Select) => "The model is asked who works next.".to_owned(),
            Some(DecisionPoint::Evaluate) => "The model is asked how to go on.".to_owned(),
            None => "The next move is being chosen.".to_owned(),
        },
        Phase::Preparing => format!("{agent} is being prepared."),
        Phase::Executing => match conductor.run.as_ref() {
            Some(run) if run.ending.is_some() => format!("What {agent} changed is being inspected."),
            Some(run) => format!("{agent} {}.", errand(run.kind).unwrap_or("is at work")),
            None => "An agent is at work.".to_owned(),
        },
        Phase::Recovering => {
            let left = when::left(conductor.wakes_at.unwrap_or(now), now);
            let text = sentence(&model_wait_words(&left));
            return StatusLine::new(text, Tone::Warning);
        }
        Phase::AwaitingHuman => return StatusLine::new("Awaiting your answer.", Tone::Wanted),
        Phase::Completing => match (&conductor.run, &state.gate) {
            (Some(run), _) => format!("{agent} {}.", errand(run.kind).unwrap_or("is at work")),
            (None, Some(_)) => check(state),
            (None, None) => "The claim of completion is being inspected.".to_owned(),
        },
    };
    StatusLine::new(text, Tone::Plain)
}

/// Where it is, in one or two words.
pub fn phase_word(state: &State) -> Option<&'static str> {
    Some(match state.phase()? {
        _ if state.ended.is_some() => return state.ended.as_ref().map(ended_word),
        _ if state.paused => "paused",
        Phase::Idle => "idle",
        Phase::Selecting => "selecting",
        Phase::Preparing => "preparing",
        Phase::Executing => "executing",
        Phase::Evaluating => "evaluating",
        Phase::Recovering => "recovering",
        Phase::AwaitingHuman => "awaiting you",
        Phase::Completing => "completing",
    })
}
