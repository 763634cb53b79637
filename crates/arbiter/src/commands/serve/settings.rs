//! The settings of the Telegram door, from the user's own configuration and the environment.

use std::path::Path;
use std::sync::Arc;

use doors::telegram::settings::TelegramSettings;
use jiff::tz::TimeZone;

use crate::cli_error::{CliError, ExitCode};
use crate::clock;
use crate::project::bot_token::{self, TokenError};
use crate::project::config::{Config, is_address};
use crate::serving::standing;

const API_VARIABLE: &str = "ARBITER_TELEGRAM_API_URL";

/// The settings, or that no bot is configured. Anything that is configured wrongly is an error.
pub fn telegram_settings(
    config: &Config,
    home: &Path,
) -> Result<Result<TelegramSettings, TokenError>, CliError> {
    let (token, _) = match bot_token::find(config, home) {
        Ok(found) => found,
        Err(missing @ TokenError::Missing) => return Ok(Err(missing)),
        Err(error) => return Err(error.into()),
    };
    if config.telegram_people.value.is_empty() {
        return Err(CliError::new(ExitCode::Usage, "the Telegram bot lets no user in").hint(
            "`telegram.allowedUsers` names users by their numbers; `arbiter setup telegram` finds yours",
        ));
    }
    Ok(Ok(TelegramSettings {
        token,
        api_url: api_url(config)?,
        people: config.telegram_people.value.clone(),
        announces: config.announces.value,
        quiet: config.quiet.value,
        gather: config.gather.value,
        folder: standing::telegram_folder(home),
        zone: TimeZone::system(),
        now: clock::now,
    }))
}

/// Where the Bot API is, without a `/` at its end.
pub fn api_url(config: &Config) -> Result<Arc<str>, CliError> {
    let given = std::env::var(API_VARIABLE).ok().filter(|value| !value.trim().is_empty());
    let Some(given) = given else { return Ok(Arc::from(config.telegram_api_url.value.as_str())) };
    let given = given.trim().trim_end_matches('/');
    if !is_address(given) {
        // It may hold a password, and is not printed.
        return Err(CliError::new(ExitCode::Usage, format!("{API_VARIABLE} is no address of a Bot API"))
            .hint("write where your own Bot API is: http://127.0.0.1:8081"));
    }
    Ok(Arc::from(given))
}

impl From<TokenError> for CliError {
    fn from(error: TokenError) -> CliError {
        let hint = error.hint();
        CliError::of(ExitCode::Usage, &error).hint(hint)
    }
}
