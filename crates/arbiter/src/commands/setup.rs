//! `setup telegram`: asks for the bot's token, finds out who writes to the bot, and writes both into the user's own
//! configuration; and, on a yes, the unit that keeps `arbiter serve` running.

mod bot;
mod own_file;
mod typing;

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use doors::telegram::settings::{AllowedPerson, BotToken};
use doors::telegram::wire::types::{ChatText, User};

use self::bot::{Bot, BotTrouble};
use self::own_file::NewUser;
use super::context::refuse_agents;
use super::own_config::OwnConfig;
use super::{run, serve};
use crate::cli_error::{CliError, ExitCode};
use crate::project::bot_token::{self, TokenError, TokenPlace};
use crate::project::config::{Config, SettingOrigin};
use crate::project::home::UserFolders;
use crate::serving::{lock, unit};
use crate::terminal::console;

/// How long a person may take to write to the bot.
const WRITE_TIME_MAX: Duration = Duration::from_secs(10 * 60);
/// The longest name of a user that is proposed, in characters.
const NAME_CHARS_MAX: usize = 40;

/// Sets up a bot.
pub fn telegram() -> Result<ExitCode, CliError> {
    refuse_agents()?;
    let OwnConfig { places, config } = OwnConfig::read()?;
    let Some(file) = places.user_config.clone() else {
        return Err(CliError::new(
            ExitCode::Usage,
            "there is no place for your configuration: HOME is not set",
        )
        .hint("set HOME, or XDG_CONFIG_HOME"));
    };
    let api_url = serve::api_url(&config)?;
    let known = bot_token::find(&config, &places.home);
    let (token, is_new) = token(known)?;
    let bot = Bot::new(api_url, token.clone())?;
    let runtime = run::runtime()?;
    let me = runtime.block_on(bot.me())?;
    let name = me.username.as_deref().unwrap_or(&me.first_name);
    console::line(format!("This is @{name}."));
    if let Some(process) = lock::holder(&places.home) {
        return Err(CliError::new(
            ExitCode::Failed,
            format!("`arbiter serve` runs (process {process}), and polls"),
        )
        .hint("stop it (`systemctl --user stop arbiter`), and run this again"));
    }
    console::line(format!("Write /start to it: https://t.me/{name}?start=setup"));
    console::line("Waiting for your message; Ctrl-C leaves, and nothing is changed.");
    let user = runtime.block_on(greeted(&bot))?;
    let known = config.telegram_people.value.iter().any(|person| person.id == user.id);
    let shown = format!("{} ({})", shown_name(&user), user.id.0);
    if known {
        console::line(format!("{shown} is let in already."));
    } else if !typing::yes(&format!("Let {shown} in?"), true) {
        return Err(CliError::new(ExitCode::Cancelled, "nothing was changed"));
    }
    let token_file =
        is_new.then(|| config.telegram_token_file.value.clone().unwrap_or_else(|| beside(&file)));
    let names_file = config.telegram_token_file.value.is_none();
    let added = NewFile {
        token_file: token_file.as_deref().filter(|_| names_file).map(|path| path.display().to_string()),
        users: if known { Vec::new() } else { users(&config, &user) },
    };
    if let Some(path) = &token_file {
        path.parent().map_or(Ok(()), host::files::make_folder).map_err(cannot_write(path))?;
        let line = format!("{}\n", token.expose());
        host::files::replace(path, line.as_bytes()).map_err(cannot_write(path))?;
        console::line(format!("The token is in {}, readable by you alone.", path.display()));
    }
    added.write(&file, &places, user.id.0)?;
    offer_unit(&places)?;
    Ok(ExitCode::Done)
}

/// The token that is typed, and whether it is new. Without a word the one that is configured stays.
fn token(known: Result<(BotToken, TokenPlace), TokenError>) -> Result<(BotToken, bool), CliError> {
    let asked = match &known {
        Ok((_, place)) => format!("The bot's token (Enter keeps the one in {place}): "),
        Err(_) => "The bot's token, as @BotFather gave it (it is not shown): ".to_owned(),
    };
    let typed = typing::secret(&asked);
    match (typed.as_deref(), known) {
        (None, _) if !io::stdin().is_terminal() => {
            Err(CliError::new(ExitCode::Usage, "there is no terminal, and nothing on stdin")
                .hint("run this in a terminal, or give the token as the first line of stdin"))
        }
        (Some(""), Ok((token, _))) => Ok((token, false)),
        (Some("") | None, _) => {
            Err(CliError::new(ExitCode::Cancelled, "nothing was typed, and nothing was changed"))
        }
        (Some(typed), _) => match BotToken::parse(typed) {
            Some(token) => Ok((token, true)),
            // What was typed may be a part of it, and is not repeated.
            None => Err(CliError::new(ExitCode::Usage, "this is not a bot's token").hint(
                "a token is a number, a colon and 35 signs; @BotFather shows it after /newbot or /token",
            )),
        },
    }
}

/// Waits for a `/start` in a chat of the person's own. That message stays with the server: `arbiter serve` answers it.
async fn greeted(bot: &Bot) -> Result<User, CliError> {
    let (began, mut offset) = (Instant::now(), 0);
    while began.elapsed() < WRITE_TIME_MAX {
        for update in bot.updates(offset).await? {
            if let Some(user) = update.message.as_ref().and_then(greeting) {
                return Ok(user);
            }
            offset = offset.max(update.update_id + 1);
        }
    }
    let minutes = WRITE_TIME_MAX.as_secs() / 60;
    Err(CliError::new(ExitCode::Failed, format!("no /start came to the bot within {minutes} minutes"))
        .hint("open the bot's chat, press Start, and run this again"))
}

fn greeting(message: &ChatText) -> Option<User> {
    let user = message.from.clone().filter(|user| !user.is_bot)?;
    let is_own_chat = message.chat.id.0 == user.id.0;
    let is_start =
        message.text.as_deref().is_some_and(|text| text.split_whitespace().next() == Some("/start"));
    (is_own_chat && is_start).then_some(user)
}

fn shown_name(user: &User) -> String {
    let name = console::printable(&user.first_name);
    let name = mind::limits::cut(name.trim(), NAME_CHARS_MAX);
    match &user.username {
        Some(username) => format!("{name} @{username}"),
        None => name,
    }
}

/// A name that the configuration takes; empty if nothing of theirs is one.
fn plain_name(user: &User) -> String {
    let written = user.username.as_deref().unwrap_or(&user.first_name);
    let plain = written.chars().filter(|sign| sign.is_alphanumeric() || " ._-".contains(*sign));
    plain.take(NAME_CHARS_MAX).collect::<String>().trim().to_owned()
}

/// Whom the user's own file names now: the new user, and those of an existing installation, whose list counts no more.
fn users(config: &Config, user: &User) -> Vec<NewUser> {
    let people = &config.telegram_people;
    let taken: &[AllowedPerson] =
        if matches!(people.origin, SettingOrigin::Existing(_)) { &people.value } else { &[] };
    let taken = taken.iter().map(|person| NewUser { id: person.id.0, name: String::new() });
    taken.chain([NewUser { id: user.id.0, name: plain_name(user) }]).collect()
}

/// The token's file where none is configured.
fn beside(config: &Path) -> PathBuf {
    config.with_file_name("telegram.token")
}

/// What the configuration gets.
struct NewFile {
    token_file: Option<String>,
    users: Vec<NewUser>,
}

impl NewFile {
    /// Writes it into `file`, if what comes out is a configuration that lets this user in.
    fn write(&self, file: &Path, places: &UserFolders, user: i64) -> Result<(), CliError> {
        let (token_file, users) = (self.token_file.as_deref(), self.users.as_slice());
        if token_file.is_none() && users.is_empty() {
            return Ok(());
        }
        // A file that is linked from elsewhere stays linked.
        let real = fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
        let before = match fs::read_to_string(&real) {
            Ok(before) => Some(before),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(cannot_write(file)(error)),
        };
        let by_hand = || {
            CliError::new(
                ExitCode::Failed,
                format!("{} is written in a way that only you can add to", file.display()),
            )
            .hint(format!("add to it: {}", own_file::by_hand(token_file, users)))
        };
        let text = own_file::with_bot(before.as_deref().unwrap_or_default(), token_file, users)
            .ok_or_else(by_hand)?;
        real.parent().map_or(Ok(()), host::files::make_folder).map_err(cannot_write(file))?;
        host::files::replace(&real, text.as_bytes()).map_err(cannot_write(file))?;
        let lets_in = OwnConfig::of(places)
            .is_ok_and(|config| config.telegram_people.value.iter().any(|person| person.id.0 == user));
        if !lets_in {
            match before {
                Some(before) => host::files::replace(&real, before.as_bytes()).map_err(cannot_write(file))?,
                None => fs::remove_file(&real).map_err(cannot_write(file))?,
            }
            return Err(by_hand());
        }
        console::line(format!("{} has the bot now.", file.display()));
        Ok(())
    }
}

/// Offers to write the unit. Where there is no systemd, or no home, the command is told.
fn offer_unit(places: &UserFolders) -> Result<(), CliError> {
    let here = "`arbiter serve` opens the door, for as long as it runs.";
    let folder =
        std::env::var_os("XDG_CONFIG_HOME").filter(|base| Path::new(base).is_absolute()).map(PathBuf::from);
    let folder = folder.or_else(|| places.user.as_ref().map(|user| user.join(".config")));
    let (Some(folder), Ok(program)) = (folder, std::env::current_exe()) else {
        console::line(here);
        return Ok(());
    };
    let file = folder.join("systemd/user").join(unit::NAME);
    let verb = if host::files::is_there(&file).unwrap_or(true) { "Replace" } else { "Write" };
    if !typing::yes(&format!("{verb} {}, so that systemd keeps it running?", file.display()), false) {
        console::line(here);
        return Ok(());
    }
    let text = unit::text(&program, |name| std::env::var_os(name));
    file.parent().map_or(Ok(()), host::files::make_folder).map_err(cannot_write(&file))?;
    host::files::replace(&file, format!("{text}\n").as_bytes()).map_err(cannot_write(&file))?;
    console::line("Now:");
    console::line("  systemctl --user daemon-reload");
    console::line("  systemctl --user enable --now arbiter");
    console::line("  loginctl enable-linger    # also while you are not logged in");
    Ok(())
}

fn cannot_write(path: &Path) -> impl Fn(io::Error) -> CliError + use<> {
    let path = path.to_path_buf();
    move |error| {
        let cause = format!("cannot write {}: {error}", path.display());
        let hint = crate::project::home::disk_hint(&path, error.kind());
        CliError { code: ExitCode::Failed, cause, hint }
    }
}

impl From<BotTrouble> for CliError {
    fn from(trouble: BotTrouble) -> CliError {
        let hint = match &trouble {
            BotTrouble::Refused(_) => "@BotFather shows the token of your bot after /token",
            BotTrouble::Taken(_) => "stop the other program that polls for this bot, or remove its webhook",
            BotTrouble::Unreachable { .. } => {
                "is the network there? `telegram.api_url` and ARBITER_TELEGRAM_API_URL name another server"
            }
            BotTrouble::Strange { .. } => "is it a Bot API? `telegram.api_url` names it",
        };
        CliError::of(ExitCode::Provider, &trouble).hint(hint)
    }
}
