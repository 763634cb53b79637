//! Whose a mission in a folder is. The registry says in which project each mission of this user lives; a copy of it, a
//! project that was moved and a mission that came with a repository are told apart here, before any of them runs or
//! removes anything.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use mind::MissionId;
use view::refusal::JournalTrouble;

use crate::cli_error::{CliError, ExitCode};
use crate::mission::port::MissionPort as _;
use crate::project::home::{MissionPlaces, Project};
use crate::terminal::console;

use super::{CommandContext, adopt};

/// How a mission in a folder stands to the registry.
#[derive(Debug, PartialEq, Eq)]
pub enum Ownership {
    /// It is registered for this very folder.
    Listed,
    /// It is registered for a folder that is gone, and this is the same folder: its project was renamed.
    Moved { from: PathBuf },
    /// It is registered for a folder that is gone, and this is another one. The project may be on a disk that is not there now.
    Elsewhere { project: PathBuf },
    /// The one that is registered is there, in another project: this is a copy.
    Copy { original: PathBuf },
    /// It is not registered, or its entry cannot be read.
    Unlisted { damage: Option<String> },
}

impl Ownership {
    /// How the mission in `places` stands.
    pub fn of(
        context: &CommandContext,
        id: &MissionId,
        places: &MissionPlaces,
    ) -> Result<Ownership, CliError> {
        let entry = match context.registry().find(id)? {
            Some(Ok(entry)) => entry,
            Some(Err(damaged)) => {
                let damage = format!("{}: {}", damaged.file.display(), damaged.why);
                return Ok(Ownership::Unlisted { damage: Some(damage) });
            }
            None => return Ok(Ownership::Unlisted { damage: None }),
        };
        let listed = Project { root: entry.project.clone() }.mission(id).folder;
        Ok(match (identity(&listed)?, identity(&places.folder)?) {
            (Some(listed), Some(here)) if listed == here => Ownership::Listed,
            (Some(_), _) => Ownership::Copy { original: entry.project },
            (None, Some((_, inode))) if entry.inode == Some(inode) => {
                Ownership::Moved { from: entry.project }
            }
            (None, _) => Ownership::Elsewhere { project: entry.project },
        })
    }
}

/// Which folder it is, by whatever path; none if it is gone.
fn identity(folder: &Path) -> Result<Option<(u64, u64)>, CliError> {
    match fs::metadata(folder) {
        Ok(found) => Ok(Some((found.dev(), found.ino()))),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => {
            Err(CliError::new(ExitCode::Failed, format!("cannot look at {}: {error}", folder.display()))
                .hint("is the disk well, and may you read there?"))
        }
    }
}

/// Refuses every mission but the user's own, in the folder where it lives; `hint` says what one of another user's might do.
/// One whose project was renamed is taken up where it is now.
pub fn require_own(
    context: &CommandContext,
    id: &MissionId,
    places: &MissionPlaces,
    hint: &str,
) -> Result<(), CliError> {
    match Ownership::of(context, id, places)? {
        Ownership::Listed => Ok(()),
        Ownership::Moved { from } => {
            adopt::take_up(context, id, places)?;
            console::remark(format!(
                "note: the project of mission {id} was renamed: it was {}, and is registered here now",
                from.display()
            ));
            Ok(())
        }
        Ownership::Elsewhere { project } => Err(elsewhere(id, places, &project)?),
        Ownership::Copy { original } => Err(copy(id, places, &original)),
        Ownership::Unlisted { damage } => Err(unlisted(context, id, places, damage, hint)?),
    }
}

/// Refuses a copy of a mission: what is said to it would reach no session.
pub fn refuse_copy(context: &CommandContext, id: &MissionId, places: &MissionPlaces) -> Result<(), CliError> {
    match Ownership::of(context, id, places)? {
        Ownership::Copy { original } => Err(copy(id, places, &original)),
        Ownership::Listed
        | Ownership::Moved { .. }
        | Ownership::Elsewhere { .. }
        | Ownership::Unlisted { .. } => Ok(()),
    }
}

fn copy(id: &MissionId, places: &MissionPlaces, original: &Path) -> CliError {
    let cause = format!("mission {id} belongs to {}: what is here is a copy", original.display());
    CliError::new(ExitCode::Usage, cause).hint(format!(
        "change to that folder to go on with it; `arbiter adopt {}` makes a mission of its own of this copy",
        places.folder.display()
    ))
}

fn elsewhere(id: &MissionId, places: &MissionPlaces, project: &Path) -> Result<CliError, CliError> {
    let project = project.display();
    if identity(&places.folder)?.is_none() {
        let cause = format!("mission {id} belongs to {project}, which is gone");
        return Ok(CliError::new(ExitCode::Usage, cause).hint(
            "if you moved the project, `arbiter adopt NEW-FOLDER` takes its missions up where it is now",
        ));
    }
    let cause = format!("mission {id} belongs to {project}, which is gone, and this is another folder");
    Ok(CliError::new(ExitCode::Usage, cause).hint(format!(
        "if you moved the project here, `arbiter adopt {}` takes the mission up; if it is on a disk that is not there now, \
         bring that back",
        places.folder.display()
    )))
}

fn unlisted(
    context: &CommandContext,
    id: &MissionId,
    places: &MissionPlaces,
    damage: Option<String>,
    hint: &str,
) -> Result<CliError, CliError> {
    let here = places.folder.display();
    match context.port(places)?.state() {
        Ok(_) => {
            let why = damage.map(|damage| format!(" ({damage})")).unwrap_or_default();
            let cause = format!("mission {id} is not in the list of your missions{why}");
            Ok(CliError::new(ExitCode::Usage, cause)
                .hint(format!("its journal is yours: `arbiter adopt {here}` puts it back")))
        }
        Err(refusal) if matches!(refusal.trouble, JournalTrouble::Foreign { line: 1 }) => {
            let cause = format!("mission {id} was not begun by you on this machine");
            Ok(CliError::new(ExitCode::Usage, cause)
                .hint(format!("{hint}; `arbiter adopt {here}` shows what it would run, and asks you")))
        }
        // Whose it is cannot be told now.
        Err(refusal) => Err(refusal.into()),
    }
}
