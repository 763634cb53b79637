//! `missions`: the list of them, and how each stands in a word, read from journals without disturbing who writes them.

use mind::charter::Way;
use mind::owner::Owner;
use mind::state::Ended;
use mind::talk::Proof;
use mind::{MissionId, State};
use serde_json::json;
use view::conducted;

use super::Desk;
use crate::clock;
use crate::complaint::{Code, Complaint};
use crate::mission::port::MissionPort as _;
use crate::project::home::{MissionPlaces, Project};
use crate::project::registry::{self, Presence};
use crate::project::scroll;
use crate::terminal::console;

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

pub(super) fn title(state: &State) -> String {
    state.charter.as_ref().map(|charter| scroll::title(&charter.scroll)).unwrap_or_default()
}

/// Where a conducted mission is, and with whom.
fn course(state: &State) -> String {
    let word = conducted::phase_word(state).unwrap_or("idle");
    let run = state.podium.as_ref().and_then(|podium| podium.run.as_ref());
    match run {
        _ if word == "awaiting you" => "waits for you".to_owned(),
        Some(run) => format!("{word}: {}", run.agent),
        None => word.to_owned(),
    }
}

/// The status, or that the mission was discarded.
pub(super) fn standing(state: &State, running: bool, places: &MissionPlaces) -> String {
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
