//! The first step of a run: opens the mission's journal for writing and reads the files beside it. Files that do not belong
//! together are refused here, before anything is started.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use journal::{Cut, LogStore};
use mind::State;
use providers::{Provider, rehearsal};
use workspace::CloneLock;

use crate::cli_error::{CliError, ExitCode};
use crate::mission::fact_log::{FactLog, MissionJournal};
use crate::mission::refusal::refuse;
use crate::mission::repo_location::{RepoLocation, ground_of};
use crate::project::home::MissionPlaces;
use crate::terminal::console;

/// A mission whose journal this process holds.
pub(super) struct OpenedMission {
    pub(super) places: MissionPlaces,
    pub(super) journal: MissionJournal,
    pub(super) fact_log: FactLog,
    pub(super) state: State,
    pub(super) location: RepoLocation,
    /// Held until the run ends: a copy of the mission would work in the same clone.
    pub(super) clone_lock: CloneLock,
    /// The file of the rehearsal's script.
    pub(super) script: PathBuf,
    /// The human's lines in the script.
    pub(super) lines: Vec<String>,
}

impl OpenedMission {
    pub(super) fn open(folder: PathBuf, journals: &Arc<dyn LogStore>) -> Result<OpenedMission, CliError> {
        let places = MissionPlaces { folder };
        let journal = MissionJournal::new(Arc::clone(journals), places.journal());
        let opened = FactLog::open(&journal);
        let (fact_log, state, cut) = opened.map_err(|error| refuse(&error, &places.folder))?;
        is_its_own(&fact_log, &places.folder)?;
        refuse_unknown_providers(&state)?;
        if let Some(cut) = cut {
            tell_cut(&cut);
        }
        let location = ground_of(&places.folder)?;
        let clone_lock = CloneLock::take(&location.clone)?;
        let script = places.folder.join("rehearsal.yaml");
        let lines = lines_of(&script, &state)?;
        Ok(OpenedMission { places, journal, fact_log, state, location, clone_lock, script, lines })
    }

    /// The mission's id; empty if its journal does not say.
    pub(super) fn mission(&self) -> String {
        self.state.charter.as_ref().map(|charter| charter.mission.to_string()).unwrap_or_default()
    }
}

/// Refuses a folder with the journal of another mission.
fn is_its_own(fact_log: &FactLog, folder: &Path) -> Result<(), CliError> {
    let named = folder.file_name().unwrap_or_default().to_string_lossy();
    if fact_log.mission() == named {
        return Ok(());
    }
    let told = format!("the journal in the folder of mission {named} is that of {}", fact_log.mission());
    Err(CliError::new(ExitCode::Failed, told)
        .hint("nothing was begun; put each mission's own journal back, or remove the folder"))
}

/// Refuses a mission with a provider that this version does not have: its sessions could not be started.
fn refuse_unknown_providers(state: &State) -> Result<(), CliError> {
    let Some(charter) = &state.charter else { return Ok(()) };
    let seats = [&charter.seats.arbiter, &charter.seats.orchestrator, &charter.seats.verifier];
    let sessions = state.sessions.values().map(|session| session.profile.provider.as_str());
    let decider = charter.conducting.as_ref().and_then(|conducting| conducting.decider.as_ref());
    let named = seats.iter().map(|seat| seat.provider.as_str()).chain(sessions);
    for name in
        named.chain(charter.providers.keys().map(String::as_str)).chain(decider.map(|one| &*one.provider))
    {
        Provider::named(name).map_err(|unknown| {
            CliError::new(
                ExitCode::Provider,
                format!("the journal of mission {}: {unknown}", charter.mission),
            )
            .hint("nothing was changed; resume it with the newer arbiter that began it")
        })?;
    }
    Ok(())
}

fn tell_cut(cut: &Cut) {
    let (bytes, kept) = (cut.bytes, cut.kept_in.display());
    console::remark(format!("note: {bytes} bytes of an unfinished write were cut and are kept in {kept}"));
}

/// The human's lines of the script at `path`. A rehearsal without its script is refused.
fn lines_of(path: &Path, state: &State) -> Result<Vec<String>, CliError> {
    let arbiter = state.charter.as_ref().map(|charter| charter.seats.arbiter.provider.as_str());
    let is_there = host::files::is_there(path).map_err(|error| {
        CliError::new(ExitCode::Failed, format!("cannot look at {}: {error}", path.display()))
    })?;
    if !is_there && arbiter != Some(Provider::Rehearsal.name()) {
        return Ok(Vec::new());
    }
    let script = rehearsal::RehearsalScript::load(path);
    let mission = state.charter.as_ref().map(|charter| charter.mission.to_string()).unwrap_or_default();
    let spoilt = |error| {
        CliError::of(ExitCode::Failed, &error)
            .hint(format!("put the script back, then `arbiter resume {mission}`; nothing was begun"))
    };
    Ok(script.map_err(spoilt)?.human)
}
