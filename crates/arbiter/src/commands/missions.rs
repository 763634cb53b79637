//! `missions`: the list of missions, read from their journals without disturbing the processes that write them.

use mind::MissionId;
use serde_json::json;
use view::mission::{self, MissionRowView};

use super::CommandContext;
use crate::cli_error::{CliError, ExitCode};
use crate::clock;
use crate::mission::port::MissionPort as _;
use crate::project::home::{MissionPlaces, Project};
use crate::project::registry::{self, Presence};
use crate::terminal::console;

/// Lists missions, the newest first.
pub fn list(context: &CommandContext, all: bool, as_json: bool) -> Result<ExitCode, CliError> {
    let mut rows: Vec<(MissionId, MissionPlaces, Option<registry::RegistryEntry>)> = Vec::new();
    if all {
        let listing = context.registry().list()?;
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
        rows.extend(context.newest_first()?.into_iter().map(|(id, places)| (id, places, None)));
    }
    if rows.is_empty() && !as_json {
        console::line(format!(
            "no missions {}; `arbiter demo` plays one",
            if all { "anywhere" } else { "in this project" }
        ));
    }
    for (id, places, entry) in rows {
        let port = context.port(&places)?;
        let running = port.is_running();
        let row = |status: String, standing: String, title: String, at: u64| MissionRowView {
            id: id.clone(),
            status,
            title,
            at,
            running,
            project: entry.as_ref().map(|entry| entry.project.display().to_string()),
            standing,
            parked_until: None,
        };
        let gone = entry.as_ref().and_then(|entry| match entry.presence() {
            Presence::Here => None,
            Presence::MissionGone => Some(("the mission is gone", entry.title.clone())),
            Presence::ProjectGone => Some(("the project is gone", entry.title.clone())),
        });
        let row = match gone.map_or_else(|| Ok(port.state()), Err) {
            Err((status, title)) => row(status.to_owned(), status.to_owned(), title, 0),
            Ok(Ok(state)) => {
                let discarded = places.is_discarded()?;
                let status = mission::status_token(&state, running, discarded);
                let standing = mission::standing(&state, running, discarded);
                row(status, standing, mission::title(&state), state.now.0)
            }
            Ok(Err(error)) => {
                let status = format!("unreadable: {error}");
                row(status.clone(), status, String::new(), 0)
            }
        };
        print(&row, as_json);
    }
    Ok(ExitCode::Done)
}

fn print(row: &MissionRowView, as_json: bool) {
    if as_json {
        return console::line(json!(row));
    }
    let MissionRowView { id, standing, title, at, project, .. } = row;
    let ago = if *at == 0 { String::new() } else { clock::span(clock::now().0.saturating_sub(*at)) + " ago" };
    let place = project.as_ref().map(|project| format!("  {project}")).unwrap_or_default();
    console::line(format!("{id}  {standing:<28} {ago:>10}  {title}{place}"));
}
