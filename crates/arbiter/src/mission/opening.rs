//! Opens a mission: makes a folder with a journal whose first fact is the charter. It is made under another name and
//! renamed, so a mission that exists is whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use journal::LogStore;
use mind::{Charter, Event, LoopMode, State, Timestamp};

use crate::cli_error::{CliError, ExitCode};
use crate::mission::fact_log::{FactLog, MissionJournal};
use crate::mission::refusal;
use crate::mission::repo_location::RepoLocation;
use crate::project::home::{MissionPlaces, Project};
use crate::project::registry::{self, Registry};
use crate::project::requirements;

#[derive(Debug)]
pub struct NewMission {
    pub charter: Charter,
    pub location: RepoLocation,
    /// The text of the rehearsal's script, if it is a rehearsal.
    pub script: Option<String>,
}

/// Writes the mission's files and returns its folder. Nothing runs yet.
pub fn open(
    new: NewMission,
    journals: &Arc<dyn LogStore>,
    registry: &Registry,
    now: Timestamp,
) -> Result<PathBuf, CliError> {
    let project = Project { root: new.location.project.clone() };
    let id = new.charter.mission.clone();
    let title = requirements::title(&new.charter.scroll);
    let places = project.mission(&id);
    if host::files::is_there(&places.folder).map_err(|error| unseen(&places.folder, &error))? {
        return Err(CliError::new(ExitCode::Failed, format!("mission {id} exists already"))
            .hint("try again: the next mission gets another id"));
    }
    let aside = MissionPlaces { folder: places.folder.with_file_name(format!(".{id}.making")) };
    aside.make()?;
    // Where that fails, the run tries it again, and says so.
    let _ = hide_from_git(&project);

    // Registered before it is renamed into place: a mission that is found can then be resumed at once.
    let inode = registry::inode_of(&aside.folder).map_err(|error| {
        CliError::new(ExitCode::Failed, format!("cannot look at {}: {error}", aside.folder.display()))
    })?;
    let entry =
        registry::RegistryEntry { id, project: project.root, title, opened_at_ms: now, inode: Some(inode) };
    let written = write(new, journals, &aside, now)
        .and_then(|()| Ok(registry.add(&entry)?))
        .and_then(|()| put_in_place(&aside.folder, &places.folder));
    if let Err(cli_error) = written {
        // It never became a mission: the unfinished folder is removed.
        let _ = fs::remove_dir_all(&aside.folder);
        registry.forget(&entry);
        return Err(cli_error);
    }
    Ok(places.folder)
}

fn write(
    new: NewMission,
    journals: &Arc<dyn LogStore>,
    aside: &MissionPlaces,
    now: Timestamp,
) -> Result<(), CliError> {
    let mission = new.charter.mission.to_string();
    let disk = |error: std::io::Error| {
        CliError::new(ExitCode::Failed, format!("cannot write {}: {error}", aside.folder.display()))
            .hint("is there room on the disk, and may you write there?")
    };
    new.location.write(&aside.folder).map_err(disk)?;
    if let Some(script) = new.script {
        host::files::replace(&aside.folder.join("rehearsal.yaml"), script.as_bytes()).map_err(disk)?;
    }
    // Opening only writes facts. Their effects are performed when the mission is started.
    let mut opened = vec![Event::Opened(Box::new(new.charter))];
    let round = State::default().round(&mut opened, LoopMode::Running, now, &mut ());
    let journal = MissionJournal::new(Arc::clone(journals), aside.journal());
    FactLog::create(&journal, &mission, &round.entries)
        .map_err(|error| refusal::refuse(&error, &aside.folder))
}

fn put_in_place(aside: &Path, folder: &Path) -> Result<(), CliError> {
    let put = || {
        fs::rename(aside, folder)?;
        let synced = fs::File::open(folder.parent().unwrap_or(folder)).and_then(|above| above.sync_all());
        match synced {
            // It is no mission then, and its folder is removed with its first name.
            Err(error) if fs::rename(folder, aside).is_ok() => Err(error),
            // If it has to stay, it is one.
            Err(_) | Ok(()) => Ok(()),
        }
    };
    put().map_err(|error| {
        CliError::new(ExitCode::Failed, format!("cannot make {}: {error}", folder.display()))
    })
}

/// The file that hides missions from git; configuration, prompts and agents stay the project's to commit.
pub fn ignore_file(project: &Project) -> PathBuf {
    project.folder().join(".gitignore")
}

/// Hides missions from git in `.arbiter/`.
pub fn hide_from_git(project: &Project) -> io::Result<()> {
    let path = ignore_file(project);
    let is_there = || matches!(host::files::is_there(&path), Ok(true));
    // One that is there stays, also a link; without one git shows what we keep, and no more. A death leaves drafts.
    if is_there() {
        return Ok(());
    }
    match host::files::create(&path, b"missions/\nlast-session.json\n.*.tmp\n.gitignore\n") {
        Err(_) if is_there() => Ok(()),
        made => made,
    }
}

fn unseen(path: &Path, error: &std::io::Error) -> CliError {
    CliError::new(ExitCode::Failed, format!("cannot look at {}: {error}", path.display()))
        .hint("nothing was begun; may you read there?")
}
