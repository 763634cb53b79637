//! `discard`: removes a mission's clone. Its work goes into a salvage ref first; only then is anything removed. The
//! journal stays.

use std::path::Path;
use std::sync::Arc;

use mind::MissionId;
use mind::access::SandboxLevel;
use sandbox::Sandbox;
use view::refusal::{MissionTrouble, RefusalCause};
use workspace::{CloneLock, Salvage};

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::DiscardArgs;
use crate::mission::fact_log::{FactLog, FactLogError};
use crate::mission::port::MissionFiles as _;
use crate::mission::repo_location::RepoLocation;
use crate::mission::sandbox_choice::{self, SandboxTerms};
use crate::mission::{lost_clone, refusal};
use crate::project::home::MissionPlaces;
use crate::terminal;
use crate::terminal::console;

use super::{CommandContext, context, leftovers, locate_repo, ownership, resume, run};

/// Discards the mission, or finishes a discard that was interrupted.
pub fn discard(context: &CommandContext, args: &DiscardArgs) -> Result<ExitCode, CliError> {
    context::refuse_agents()?;
    let (id, places) = context.named(&args.id)?;
    ownership::require_own(context, &id, &places, "its files may name any folder, so nothing is removed")?;
    let location =
        RepoLocation::read(&places.folder).map_err(|why| CliError::new(ExitCode::Failed, why).hint(KEPT))?;
    if location.clone != context.places.clone_of(&id) {
        let cause = format!("mission {id} names a clone in another place: {}", location.clone.display());
        return Err(CliError::new(ExitCode::Failed, cause).hint(KEPT));
    }
    if !args.yes && is_there(&places.discarded())? && !is_there(&location.clone)? {
        console::line(format!("mission {id} is discarded already; its journal stays"));
        console::remark(format!("hint: {}", discarded(&id).hint.unwrap_or_default()));
        return Ok(ExitCode::Done);
    }
    if let Some(pid) = resume::living_holder(&places) {
        return Err(CliError::new(ExitCode::Usage, format!("mission {id} is running in process {pid}"))
            .hint(format!("end it first: `arbiter mission cancel {id}`")));
    }
    if !args.yes {
        consent(&id, &location)?;
    }
    // Holding the journal's lock keeps every other process from the clone.
    let held = match FactLog::open(context.port(&places)?.journal()) {
        Err(error @ FactLogError::Journal(journal::JournalError::Held { .. })) => {
            return Err(refusal::refuse(&error, &places.folder));
        }
        held => held,
    };
    let lock = CloneLock::take(&location.clone)?;
    sandbox::strike_leftovers(&id.0);
    let sandbox = cage_of(context, &id, &location);
    let kept = run::runtime()?.block_on(let_go(&location, &places, &id, args.force, sandbox.as_ref()))?;
    if let Ok((_, state, _)) = &held {
        leftovers::withdraw(context, &places, state);
    }
    lock.remove()?;
    // It is a line of text; its mission is never started again.
    let _ = lost_clone::forget(&location.clone);
    drop(held);
    tell(&id, &location, kept.as_ref());
    Ok(ExitCode::Done)
}

const KEPT: &str = "nothing was removed";

/// Refuses to resume or merge a mission whose clone was removed.
pub(super) fn refuse_discarded(id: &MissionId, places: &MissionPlaces) -> Result<(), CliError> {
    if !is_there(&places.discarded())? {
        return Ok(());
    }
    Err(discarded(id))
}

fn discarded(id: &MissionId) -> CliError {
    RefusalCause::Mission(id.clone(), MissionTrouble::Discarded).into()
}

fn consent(id: &MissionId, location: &RepoLocation) -> Result<(), CliError> {
    if !terminal::is_there() {
        return Err(CliError::new(
            ExitCode::Usage,
            "discarding needs your yes, and there is no terminal to ask at",
        )
        .hint(format!("`arbiter discard {id} --yes` discards without asking")));
    }
    let question = format!(
        "Remove the clone {} and keep its work in refs/arbiter/salvage/{id}? [y/N]",
        location.clone.display()
    );
    match locate_repo::answer(&question).as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(CliError::new(ExitCode::Cancelled, "stopped: nothing was removed")),
    }
}

/// The sandbox in which git reads the clone that an agent worked in. Without one, git runs with careful settings only.
pub(super) fn cage_of(
    context: &CommandContext,
    id: &MissionId,
    location: &RepoLocation,
) -> Option<Arc<Sandbox>> {
    if !is_there(&location.clone).unwrap_or(true) {
        return None;
    }
    let site =
        sandbox_choice::choose_sandbox(SandboxTerms::default(), false, &context.places, id, location).ok()?;
    let borrowed = workspace::object_folders(&site.project);
    (site.level != SandboxLevel::Off)
        .then(|| site.for_commands(&location.clone, &borrowed).ok().map(Arc::new))
        .flatten()
}

/// Saves the work in the salvage ref, writes the mission's `discarded` marker, then removes the clone.
async fn let_go(
    location: &RepoLocation,
    places: &MissionPlaces,
    id: &MissionId,
    force: bool,
    sandbox: Option<&Arc<Sandbox>>,
) -> Result<Option<Salvage>, CliError> {
    let kept = if is_there(&location.clone)? {
        let mended = workspace::mend_clone(&location.source, &location.clone, &id.0).await;
        for line in mended.unwrap_or_default() {
            console::remark(format!("note: in the clone: {line}"));
        }
        match workspace::salvage(&location.source, &location.clone, &id.0, sandbox).await {
            Ok(salvage) => Some(salvage),
            Err(error) if force => {
                console::remark(format!("note: the clone's newest work is not kept: {error}"));
                workspace::salvage_result(&location.source, &id.0).await.unwrap_or_default()
            }
            Err(error) => {
                let mut cli_error = CliError::from(error);
                let kept = format!(
                    "nothing was removed; the files are in {}; --force removes them without a copy",
                    location.clone.display()
                );
                cli_error.hint = Some(match cli_error.hint {
                    Some(mends) => format!("{mends}; {kept}"),
                    None => kept,
                });
                return Err(cli_error);
            }
        }
    } else {
        match workspace::salvage_result(&location.source, &id.0).await {
            Err(error) if !force => return Err(error.into()),
            kept => kept.unwrap_or_default(),
        }
    };
    let marker = places.discarded();
    let words = kept.as_ref().map_or("\n".to_owned(), |kept| format!("{}\n", kept.reference));
    host::files::replace(&marker, words.as_bytes()).map_err(|error| {
        CliError::new(ExitCode::Failed, format!("cannot write {}: {error}", marker.display())).hint(KEPT)
    })?;
    workspace::remove_clone(&location.clone).await?;
    match workspace::remove_refs(&location.source, &id.0).await {
        Err(error) if !force => return Err(error.into()),
        Ok(()) | Err(_) => {}
    }
    Ok(kept)
}

/// Whether anything is at `path`: what cannot be looked at is not removed.
fn is_there(path: &Path) -> Result<bool, CliError> {
    match std::fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => {
            let cause = format!("cannot read {}: {error}", path.display());
            Err(CliError::new(ExitCode::Failed, cause).hint(KEPT))
        }
    }
}

fn tell(id: &MissionId, location: &RepoLocation, kept: Option<&Salvage>) {
    console::line(format!("mission {id} is discarded; its journal stays"));
    let Some(kept) = kept else {
        return console::line("it had no work to keep");
    };
    let more = if kept.has_uncommitted { ", uncommitted work included" } else { "" };
    console::line(format!("its work is in {}{more}", kept.reference));
    let there = if location.in_place || location.scratch {
        format!(" -C {}", location.source.display())
    } else {
        String::new()
    };
    console::remark(format!("hint: `git{there} branch NAME {}` brings it back", kept.reference));
}
