//! `missions` and `show`: what was and what is, read from journals without disturbing whoever writes them.

use mind::charter::Way;
use mind::mission_petition::MissionPetition;
use mind::owner::Owner;
use mind::petition::{PetitionId, PetitionSubject};
use mind::policy::Mode;
use mind::session::Role;
use mind::state::Ended;
use mind::talk::{Proof, Verdict};
use mind::{MissionId, State, Timestamp};
use serde_json::{Value, json};

use crate::clock;
use crate::complaint::{Code, Complaint};
use crate::mission::port::{self, MissionPort as _};
use crate::mission::stage;
use crate::project::home::{MissionPlaces, Project};
use crate::project::registry::{self, Presence};
use crate::project::scroll;
use crate::terminal::console;
use tui::{narrate, podium};

use super::{Desk, conducted};

/// Lists missions, the newest first.
pub fn list(desk: &Desk, all: bool, as_json: bool) -> Result<Code, Complaint> {
    let mut rows: Vec<(MissionId, MissionPlaces, Option<registry::Entry>)> = Vec::new();
    if all {
        let listing = desk.registry().list()?;
        for damaged in &listing.damaged {
            console::remark(format!(
                "note: {} cannot be understood: {}",
                damaged.file.display(),
                damaged.why
            ));
        }
        for entry in listing.entries {
            let places = Project { root: entry.project.clone() }.mission(&entry.id);
            rows.push((entry.id.clone(), places, Some(entry)));
        }
    } else {
        rows.extend(desk.newest_first()?.into_iter().map(|(id, places)| (id, places, None)));
    }
    if rows.is_empty() && !as_json {
        console::line(format!(
            "no missions {}; `arbiter demo` plays one",
            if all { "anywhere" } else { "in this project" }
        ));
    }
    for (id, places, entry) in rows {
        let port = desk.port(&places)?;
        let running = port.is_running();
        let gone = entry.as_ref().and_then(|entry| match entry.presence() {
            Presence::Here => None,
            Presence::MissionGone => Some(("the mission is gone".to_owned(), entry.title.clone(), 0)),
            Presence::ProjectGone => Some(("the project is gone".to_owned(), entry.title.clone(), 0)),
        });
        let (status, title, at) = gone.unwrap_or_else(|| match port.state() {
            Ok(state) => (standing(&state, running, &places), title(&state), state.now.0),
            Err(error) => (format!("unreadable: {error}"), String::new(), 0),
        });
        let project = entry.map(|entry| entry.project);
        if as_json {
            console::line(json!({"id": id, "status": status, "title": title, "at": at, "running": running,
                                  "project": project}));
        } else {
            let ago =
                if at == 0 { String::new() } else { clock::span(clock::now().0.saturating_sub(at)) + " ago" };
            let place = project.map(|project| format!("  {}", project.display())).unwrap_or_default();
            console::line(format!("{id}  {status:<28} {ago:>10}  {title}{place}"));
        }
    }
    Ok(Code::Done)
}

/// Shows one mission.
pub fn show(desk: &Desk, typed: Option<&str>, as_json: bool) -> Result<Code, Complaint> {
    let (id, places) = match typed {
        Some(typed) => desk.named(typed)?,
        None => desk.newest_first()?.into_iter().next().ok_or_else(|| {
            Complaint::new(Code::Usage, "there is no mission here").hint("`arbiter missions --all` lists all")
        })?,
    };
    let state = desk.port(&places)?.state().map_err(|error| stage::refuse(&error, &places.folder))?;
    let holder = port::holder(&places);
    if as_json {
        console::line(as_value(&id, &state, holder, &places));
        return Ok(Code::Done);
    }
    for line in describe(&id, &state, holder, &places) {
        console::line(line);
    }
    Ok(Code::Done)
}

fn describe(id: &MissionId, state: &State, holder: Option<u32>, places: &MissionPlaces) -> Vec<String> {
    let mut lines = vec![format!("mission   {id}: {}", title(state))];
    lines.push(format!("status    {}", standing(state, holder.is_some(), places)));
    if let Some(pid) = holder {
        lines.push(format!("process   {pid}"));
    }
    lines.push(format!("journal   {}", places.journal().display()));
    if places.discarded().exists() {
        lines.push(format!("work      refs/arbiter/salvage/{id}"));
    } else if let Some(settled) = &state.settled {
        lines.push(format!("clone     {} (branch {})", settled.folder, settled.branch));
    }
    if state.charter.as_ref().is_some_and(|charter| charter.policy.mode == Mode::Open) {
        lines.push("policy    open: agents run every command unasked".to_owned());
    }
    // A mission that is conducted begins without a yes.
    if state.way() == Way::Council {
        let yes = state.consent.as_ref().map_or("nobody yet".to_owned(), ToString::to_string);
        lines.push(format!("yes by    {yes}"));
    }
    lines.push(format!("messages  {}", state.talk.len()));
    let runs = holder.is_some() && state.ended.is_none();
    lines.extend(conducted::describe(state, runs.then(clock::now)));
    let cost = state.cost_microusd();
    if cost > 0 && state.way() == Way::Council {
        lines.push(format!("cost      ${:.2}", cost as f64 / 1e6));
    }
    for session in state.sessions.values() {
        let gauge = session.context.gauge.as_ref();
        let gauge = gauge.map(|gauge| format!("  {}% full (by {})", gauge.percent(), gauge.source));
        let gauge = gauge.unwrap_or_default();
        let role = if session.profile.role == Role::Verifier { " (verifier)" } else { "" };
        let waits = session.waits_for_petition.as_ref().is_some_and(|petition| state.is_open(petition));
        let now = match (session.live, &session.turns.current) {
            (false, _) => "released",
            (true, Some(_)) => "at work",
            (true, None) if waits => "waits",
            (true, None) => "at rest",
        };
        let who = format!("{}{role}", session.profile.speaker());
        let calls = session.tool_use.calls;
        let level = session.sandbox.map(|level| format!("  sandbox {level}")).unwrap_or_default();
        lines.push(format!(
            "session   {who:<26} {now:<9} {calls:>4} tool calls{gauge}{level}  {}",
            session.profile.key
        ));
    }
    for (owner, task) in &state.tasks {
        let mark = task.status.mark();
        lines.push(format!("task      [{mark}] {} (Orchestrator {})", task.title, mind::id::roman(*owner)));
    }
    if let Some(judgement) = &state.judgement {
        let word = match judgement.verdict {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
        };
        lines
            .push(format!("verdict   {word} on commit {}", judgement.commit.as_deref().unwrap_or("unknown")));
    }
    for receipt in &state.receipts {
        lines.push(format!(
            "receipt   `{}` {} in {} ms on commit {}, output sha256 {}",
            receipt.argv.join(" "),
            receipt.status,
            receipt.duration_ms,
            receipt.commit,
            receipt.output_digest
        ));
    }
    for (session, ask) in state.asks().filter(|(_, ask)| ask.answer.is_none()) {
        let name = session.profile.speaker();
        lines
            .push(format!("asks      {} by {name} ({} risk): {}", ask.id, ask.request.risk, ask.request.why));
        lines.extend(ask.request.what.lines().map(|line| format!("            {line}")));
        lines
            .push(format!("          answer with: arbiter mission allow {id} {0}, or deny {id} {0}", ask.id));
    }
    for (petition, raised) in open_petitions(state) {
        lines.push(format!("petition  {petition} by {}: {}", raised.draft.agent, raised.draft.title));
        lines.push(format!("          answer with: arbiter inbox {petition}"));
    }
    lines.extend(narrate::tally(state).map(|text| format!("tools     {text}")));
    for grant in &state.grants {
        let until = grant.until.map_or("to the end".to_owned(), |until| {
            format!("until {}", clock::local(until).strftime("%H:%M:%S"))
        });
        lines.push(format!("allowed   {} {until}, by {} ({})", grant.shape, grant.by, grant.permission));
    }
    lines.extend(owed(state).into_iter().map(|(who, what, until)| {
        let until = until.map_or("without a limit".to_owned(), |until| {
            format!("until {}", clock::local(until).strftime("%H:%M:%S"))
        });
        format!("owed      by {who}: {what}, {until}")
    }));
    if let Some(question) =
        state.question.and_then(|question| state.message(question)).filter(|_| state.ended.is_none())
    {
        lines.push(format!("question  {}", question.text.trim().replace('\n', "\n          ")));
        lines.push(format!("          answer with: arbiter mission say {id} WORDS"));
    }
    lines
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
                owed.push(("the house".to_owned(), what, Some(wait.until)));
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
        owed.push(("the house".to_owned(), format!("claim {} at the gate", gate.id), Some(until)));
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

pub(super) fn title(state: &State) -> String {
    state.charter.as_ref().map(|charter| scroll::title(&charter.scroll)).unwrap_or_default()
}

/// Where a conducted mission is, and with whom.
fn course(state: &State) -> String {
    let word = podium::phase_word(state).unwrap_or("idle");
    let run = state.podium.as_ref().and_then(|podium| podium.run.as_ref());
    match run {
        _ if word == "awaiting you" => "waits for you".to_owned(),
        Some(run) => format!("{word}: {}", run.agent),
        None => word.to_owned(),
    }
}

/// The status, or that the mission was discarded.
fn standing(state: &State, running: bool, places: &MissionPlaces) -> String {
    if places.discarded().exists() { "discarded".to_owned() } else { status(state, running) }
}

pub(super) fn status(state: &State, running: bool) -> String {
    match &state.ended {
        Some(Ended::Completed(Proof::Proven)) => return "complete, proven".to_owned(),
        Some(Ended::Completed(Proof::VerifiedByAgent)) => return "complete, verified by agent".to_owned(),
        Some(Ended::Cancelled(by)) => return format!("cancelled by {by}"),
        Some(Ended::Failed(_)) => return "failed".to_owned(),
        Some(Ended::Exhausted(_)) => return "ended at a limit".to_owned(),
        Some(Ended::PlanOnly { .. }) => return "a plan only".to_owned(),
        None => {}
    }
    let next = match state.owner() {
        Owner::House(_) | Owner::Session(_) | Owner::Human if state.paused => "paused".to_owned(),
        Owner::House(_) | Owner::Session(_) | Owner::Human if state.way() == Way::Conductor => course(state),
        Owner::House(what) => format!("next: {what}"),
        Owner::Session(session) => {
            let who = state.sessions.get(&session).map(|session| session.profile.speaker().to_string());
            format!("next: {}", who.unwrap_or_default())
        }
        Owner::Human => "waits for you".to_owned(),
        Owner::Nobody => "over".to_owned(),
    };
    if running { next } else { format!("at rest ({next})") }
}
