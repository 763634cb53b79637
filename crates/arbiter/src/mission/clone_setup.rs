//! Sets up a mission's clone: when the mission begins, and again when the clone was lost. What providers leave in a clone is
//! kept out of its commits, also in one that an earlier version of Arbiter made.

use std::path::Path;

use mind::Charter;
use providers::Provider;
use workspace::{MissionClone, WorkspaceError};

use crate::mission::repo_location::RepoLocation;

/// Makes the clone, or finds the one that stands, with the requirements in it.
pub async fn set_up(location: &RepoLocation, charter: &Charter) -> Result<MissionClone, WorkspaceError> {
    let mission = charter.mission.to_string();
    let clone = workspace::prepare(&location.source, &location.base, &location.clone, &mission).await?;
    workspace::put_scroll(&clone.folder, &charter.scroll.text).await?;
    keep_leavings_out(&clone.folder)?;
    Ok(clone)
}

/// Keeps what providers leave in the clone out of its commits. What is kept out already stays as it is.
pub fn keep_leavings_out(clone: &Path) -> Result<(), WorkspaceError> {
    Provider::ALL.iter().try_for_each(|provider| workspace::leave_out(clone, provider.entry().leavings))
}
