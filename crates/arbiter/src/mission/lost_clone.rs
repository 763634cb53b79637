//! A clone that was lost is made again from the work that was fetched, before any session starts in it. A mark beside the
//! clone is written first and says the how manieth time it is, so that a start that dies before the journal has the fact
//! leaves it to the next one to tell.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mind::State;
use workspace::WorkspaceError;

use crate::cli_error::{CliError, ExitCode};
use crate::limits::REBUILD_MARK_BYTES_MAX;
use crate::mission::clone_setup;
use crate::mission::repo_location::RepoLocation;
use crate::terminal::console;

/// What became of the clone of a mission that is started again.
#[derive(Debug, PartialEq, Eq)]
pub enum CloneState {
    /// It stands, or was never made.
    AsItWas,
    /// It was gone, and was made again at this commit; the journal does not have that yet.
    Rebuilt { commit: String },
}

/// Makes the clone anew if it is gone. Without it every session would die at once.
pub async fn rebuild(state: &State, location: &RepoLocation) -> Result<CloneState, CliError> {
    let Some(charter) = state.charter.as_deref().filter(|_| state.clone_place.is_some()) else {
        return Ok(CloneState::AsItWas);
    };
    let (clone, mark) = (&location.clone, mark_of(&location.clone));
    let unusable = |error: &dyn std::error::Error, hint: Option<String>| {
        let cause = format!("the clone {} is gone, and cannot be made again: {error}", clone.display());
        let source = location.source.display();
        CliError::new(ExitCode::Failed, cause).hint(hint.unwrap_or_else(|| {
            format!("the mission's work is in refs/arbiter/{} of {source}", charter.mission)
        }))
    };
    if workspace::is_clone_gone(clone).await? {
        sandbox::strike_leftovers(&charter.mission.0);
        let number = format!("{}\n", state.clones_rebuilt + 1);
        host::files::replace(&mark, number.as_bytes()).map_err(|error| unusable(&error, None))?;
        clone_setup::set_up(location, charter).await.map_err(|error| unusable(&error, error.hint()))?;
    } else if rebuilt_before(&mark)? <= state.clones_rebuilt {
        return Ok(CloneState::AsItWas);
    }
    let fetched = workspace::fetched_work(&location.source, &charter.mission.0).await?;
    let commit = fetched.unwrap_or_else(|| location.base.clone());
    let short = commit.get(..12).unwrap_or(&commit);
    let place = clone.display();
    console::remark(if commit == location.base {
        format!(
            "note: the clone {place} was gone; it is made again at commit {short}, with which the mission began: no work was \
             fetched from it. What was done there is lost"
        )
    } else {
        format!(
            "note: the clone {place} was gone; it is made again at commit {short}, the last work that was fetched from it. \
             What was not committed by then is lost"
        )
    });
    Ok(CloneState::Rebuilt { commit })
}

/// Removes the mark of a clone that is no longer needed.
pub fn forget(clone: &Path) -> io::Result<()> {
    match fs::remove_file(mark_of(clone)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn mark_of(clone: &Path) -> PathBuf {
    let mut path = clone.as_os_str().to_owned();
    path.push(".rebuilt");
    PathBuf::from(path)
}

/// How often the clone was made again, as the mark says.
fn rebuilt_before(mark: &Path) -> Result<u32, WorkspaceError> {
    match host::files::read_text(mark, REBUILD_MARK_BYTES_MAX) {
        Ok(text) => Ok(text.trim().parse().unwrap_or_default()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        Err(source) => Err(WorkspaceError::Unreadable { path: mark.to_path_buf(), source }),
    }
}
