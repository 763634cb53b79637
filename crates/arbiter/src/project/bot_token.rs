//! The bot's token: from the environment, else from the file that the user's configuration names, else from the
//! `config.json` of an existing installation. Where it comes from can be told; the token itself never is.

use std::fmt;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use doors::telegram::settings::BotToken;

use crate::project::config::{Config, existing_token};
use crate::project::token_variable;

/// The largest file that is read as a token, in bytes.
const FILE_BYTES_MAX: usize = 4096;

/// Where the token stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenPlace {
    Environment,
    /// The file that `telegram.token_file` names.
    File(PathBuf),
    /// The `config.json` of an existing installation.
    Existing(PathBuf),
}

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error("no Telegram bot is configured")]
    Missing,
    #[error("{place} holds no bot's token")]
    NoToken { place: TokenPlace },
    /// Others could read it.
    #[error("{} can be read by others (mode {mode:o})", path.display())]
    Open { path: PathBuf, mode: u32 },
    #[error("cannot read {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

impl TokenError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            TokenError::Missing => "`arbiter setup telegram` sets one up".to_owned(),
            TokenError::NoToken { .. } => {
                "@BotFather gives one: a number, a colon and 35 signs; `arbiter setup telegram` asks for it"
                    .to_owned()
            }
            TokenError::Open { path, .. } => format!("`chmod 600 {}`", path.display()),
            TokenError::Unreadable { path, .. } => {
                format!("`telegram.token_file` names {}; `arbiter setup telegram` writes it", path.display())
            }
        }
    }
}

impl fmt::Display for TokenPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenPlace::Environment => f.write_str(token_variable::NAME),
            TokenPlace::File(path) | TokenPlace::Existing(path) => path.display().fmt(f),
        }
    }
}

/// The token and where it stands.
pub fn find(config: &Config, arbiter_home: &Path) -> Result<(BotToken, TokenPlace), TokenError> {
    let (text, place) = match (token_variable::value(), &config.telegram_token_file.value) {
        (Some(value), _) => (value.to_owned(), TokenPlace::Environment),
        (None, Some(file)) => (read(file)?, TokenPlace::File(file.clone())),
        (None, None) => {
            let (token, file) = existing_token(arbiter_home).ok_or(TokenError::Missing)?;
            (token, TokenPlace::Existing(file))
        }
    };
    match BotToken::parse(&text) {
        Some(token) => Ok((token, place)),
        None => Err(TokenError::NoToken { place }),
    }
}

/// Whether a bot is configured at all, rightly or wrongly.
#[must_use]
pub fn is_configured(config: &Config, arbiter_home: &Path) -> bool {
    token_variable::value().is_some()
        || config.telegram_token_file.value.is_some()
        || existing_token(arbiter_home).is_some()
}

/// Who else may read the file at `path`: its mode, if anybody may.
pub fn open_to_others(path: &Path) -> io::Result<Option<u32>> {
    let mode = std::fs::metadata(path)?.permissions().mode() & 0o7777;
    Ok((mode & 0o077 != 0).then_some(mode))
}

fn read(path: &Path) -> Result<String, TokenError> {
    let unreadable = |source| TokenError::Unreadable { path: path.to_path_buf(), source };
    if let Some(mode) = open_to_others(path).map_err(unreadable)? {
        return Err(TokenError::Open { path: path.to_path_buf(), mode });
    }
    host::files::read_text(path, FILE_BYTES_MAX).map_err(unreadable)
}
