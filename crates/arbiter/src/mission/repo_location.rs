//! `ground.json`: which repository and commit a mission starts from, and where its clone is. Written beside the journal
//! when the mission is opened, and again when it is taken up in another folder; a resume reads the same file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cli_error::{CliError, ExitCode};
use crate::limits;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RepoLocation {
    /// The project whose `.arbiter/` holds the mission.
    pub project: PathBuf,
    /// The repository that is cloned.
    pub source: PathBuf,
    /// The commit the mission starts from.
    pub base: String,
    /// The mission's own clone.
    pub clone: PathBuf,
    /// The source is a scratch repository that the demo made: its user does not look for the work there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scratch: bool,
    /// The base is a commit of what was uncommitted in the user's tree.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub snapshot: bool,
    /// The source is a repository of our own, kept for a folder that has none; the base is a commit of its files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_place: bool,
    /// How fast a rehearsal plays.
    #[serde(default)]
    pub pace: RehearsalPace,
}

/// How fast a rehearsal plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum RehearsalPace {
    /// Without pauses between the steps
    Fast,
    /// As fast as a person can follow: a demo takes most of a minute
    #[default]
    Human,
}

impl RepoLocation {
    /// Reads the ground of the mission in `folder`.
    pub fn read(folder: &Path) -> Result<RepoLocation, String> {
        let path = folder.join("ground.json");
        let text = host::files::read_text(&path, limits::GROUND_BYTES_MAX)
            .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        serde_json::from_str(&text).map_err(|e| format!("cannot understand {}: {e}", path.display()))
    }

    /// Writes it into a mission's folder, whole, in place of what is there.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::other)?;
        host::files::replace(&folder.join("ground.json"), text.as_bytes())
    }
}

/// [`Ground::read`], with an error for the person.
pub fn ground_of(folder: &Path) -> Result<RepoLocation, CliError> {
    RepoLocation::read(folder)
        .map_err(|why| CliError::new(ExitCode::Failed, why).hint("restore the file, or begin a new mission"))
}
