//! The user's own configuration, for commands that belong to no project.

use crate::cli_error::CliError;
use crate::project::config::{Config, ConfigTerms};
use crate::project::home::UserFolders;
use crate::project::project_files::ProjectFiles;
use crate::project::trust::Standing;
use crate::terminal::console;

use super::context::workers;

/// The user's folders and what their own file says.
#[derive(Debug)]
pub struct OwnConfig {
    pub places: UserFolders,
    pub config: Config,
}

impl OwnConfig {
    /// Reads it, and remarks what was skipped.
    pub fn read() -> Result<OwnConfig, CliError> {
        let places = UserFolders::find(|name| std::env::var_os(name))?;
        let config = OwnConfig::of(&places)?;
        for note in &config.notes {
            console::remark(format!("note: {note}"));
        }
        Ok(OwnConfig { places, config })
    }

    /// The configuration as it stands now.
    pub fn of(places: &UserFolders) -> Result<Config, CliError> {
        let terms = ConfigTerms {
            user_config: places.user_config.as_deref(),
            home: places.user.as_deref(),
            arbiter_home: &places.home,
            providers: workers(),
            standing: Standing::Untrusted,
        };
        Ok(Config::load(&ProjectFiles::none(), &terms)?)
    }
}
