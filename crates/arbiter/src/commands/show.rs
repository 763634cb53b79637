//! `show`: one mission, for people and for programs, read from its journal without disturbing who writes it.

mod conducted;
mod lines;

use mind::mission_petition::MissionPetition;
use mind::petition::{PetitionId, PetitionSubject};
use mind::{MissionId, State, Timestamp};
use serde_json::{Value, json};

use super::Desk;
use super::missions::{standing, title};
use crate::complaint::{Code, Complaint};
use crate::mission::port::{self, MissionPort as _};
use crate::project::home::MissionPlaces;
use crate::terminal::console;

/// Shows one mission.
pub fn show(desk: &Desk, typed: Option<&str>, as_json: bool) -> Result<Code, Complaint> {
    let (id, places) = match typed {
        Some(typed) => desk.named(typed)?,
        None => desk.newest_first()?.into_iter().next().ok_or_else(|| {
            Complaint::new(Code::Usage, "there is no mission here").hint("`arbiter missions --all` lists all")
        })?,
    };
    let state = desk.port(&places)?.state()?;
    let holder = port::holder(&places);
    if as_json {
        console::line(as_value(&id, &state, holder, &places));
        return Ok(Code::Done);
    }
    for line in lines::describe(&id, &state, holder, &places) {
        console::line(line);
    }
    Ok(Code::Done)
}

/// What waits in the docket, the oldest first.
fn open_petitions(state: &State) -> Vec<(&PetitionId, &MissionPetition)> {
    let mut open: Vec<_> = state.open_petitions().collect();
    open.sort_by_key(|(_, raised)| raised.at);
    open
}

/// What is owed, by whom, until when. Only a person is waited for without a limit.
fn owed(state: &State) -> Vec<(String, String, Option<Timestamp>)> {
    if state.ended.is_some() {
        return Vec::new();
    }
    let mut owed = Vec::new();
    for session in state.live_sessions() {
        let who = session.profile.speaker().to_string();
        match (&session.health.wait, &session.turns.current) {
            (Some(wait), _) => {
                let what = format!("another try for {who} ({})", wait.why);
                owed.push(("the program".to_owned(), what, Some(wait.until)));
            }
            (None, Some(_)) if session.awaits_person() => {
                owed.push(("a person".to_owned(), format!("what {who} waits for"), None));
            }
            (None, Some(turn)) => {
                owed.push((who, format!("the end of turn {}", turn.id.0), state.deadline()))
            }
            (None, None) => {}
        }
    }
    if let Some(gate) = &state.gate {
        let limit = state.charter.as_ref().map_or(0, |charter| charter.check_limit_ms);
        let until = Timestamp(state.now.0.saturating_add(limit));
        owed.push(("the program".to_owned(), format!("claim {} at the gate", gate.id), Some(until)));
    }
    if state.question.is_some() {
        owed.push(("you".to_owned(), "an answer".to_owned(), None));
    }
    let of_sessions =
        |(_, raised): &(&PetitionId, &MissionPetition)| matches!(raised.subject, PetitionSubject::Session(_));
    for (petition, raised) in open_petitions(state).into_iter().filter(of_sessions) {
        owed.push(("you".to_owned(), format!("the answers to petition {petition}"), raised.draft.deadline));
    }
    owed
}

fn as_value(id: &MissionId, state: &State, holder: Option<u32>, places: &MissionPlaces) -> Value {
    let sessions: Vec<Value> = state
        .sessions
        .values()
        .map(|session| {
            json!({
                "session": session.profile.session, "role": session.profile.role, "number": session.profile.number,
                "provider": session.profile.provider, "key": session.profile.key, "live": session.live,
                "busy": session.turns.current.is_some(), "gauge": session.context.gauge,
                "sandbox": {"level": session.sandbox}, "tool_calls": session.tool_use.calls,
                "cost_microusd": session.usage.cost_microusd,
            })
        })
        .collect();
    let tasks: Vec<Value> =
        state.tasks.iter().map(|(owner, task)| json!({"orchestrator": owner, "task": task})).collect();
    json!({
        "id": id, "title": title(state), "status": standing(state, holder.is_some(), places), "process": holder,
        "consent": state.consent, "messages": state.talk.len(), "orchestrators": state.orchestrators,
        "sessions": sessions, "tasks": tasks, "conductor": conducted::as_value(state),
        "owed": owed(state).into_iter().map(|(by, what, until)| json!({"by": by, "what": what, "until": until}))
            .collect::<Vec<_>>(),
        "receipts": state.receipts.iter().map(|receipt| json!(receipt.as_ref())).collect::<Vec<_>>(),
        "question": state.question.and_then(|question| state.message(question)).map(|message| message.text.clone()),
        "permissions": state.asks().filter(|(_, ask)| ask.answer.is_none())
            .map(|(session, ask)| json!({"permission": ask.id, "session": session.profile.session, "request": &*ask.request}))
            .collect::<Vec<_>>(),
        "petitions": open_petitions(state).into_iter()
            .map(|(petition, raised)| json!({
                "id": petition, "title": raised.draft.title, "agent": raised.draft.agent, "subject": raised.subject,
                "at": raised.at, "deadline": raised.draft.deadline,
            }))
            .collect::<Vec<_>>(),
        "clone": state.settled.as_ref().map(|settled| settled.folder.clone()),
    })
}
