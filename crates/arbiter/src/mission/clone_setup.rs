//! Sets up a mission's clone: when the mission begins, and again when the clone was lost.

use mind::Charter;
use providers::Provider;
use workspace::{MissionClone, WorkspaceError};

use crate::mission::repo_location::RepoLocation;

/// Makes the clone, or finds the one that stands, with the requirements in it, and keeps what providers leave there out of
/// its commits.
pub async fn set_up(location: &RepoLocation, charter: &Charter) -> Result<MissionClone, WorkspaceError> {
    let mission = charter.mission.to_string();
    let clone = workspace::prepare(&location.source, &location.base, &location.clone, &mission).await?;
    workspace::put_scroll(&clone.folder, &charter.scroll.text).await?;
    for provider in Provider::ALL {
        workspace::leave_out(&clone.folder, provider.entry().leavings)?;
    }
    Ok(clone)
}
