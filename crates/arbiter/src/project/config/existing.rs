//! The `config.json` of an existing installation: what of it counts where the user's own file says nothing. It belongs to
//! another program, so what cannot be read of it is only noted. The bot's token in it is no setting: `bot_token` reads it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use doors::telegram::settings::AllowedPerson;
use serde_json::Value as Json;

use super::error::shown;
use super::people;
use super::reader::read_file;
use super::values::plain_path;
use super::{Config, Setting, SettingOrigin};

/// Where it lies, below ARBITER_HOME.
const FILE: &str = "config.json";

/// Sets what the user's own file does not: the docket's folder, who is let in, whether anything is announced.
pub(super) fn complete(config: &mut Config, arbiter_home: &Path, home: Option<&Path>) {
    let file: Arc<Path> = Arc::from(arbiter_home.join(FILE));
    let json = match parse(&file) {
        Ok(json) => json.unwrap_or_default(),
        Err(why) => {
            config.notes.push(format!("{} does not count: {why}", file.display()));
            Json::Null
        }
    };
    let mut notes = Vec::new();
    let mut note = |why: String| notes.push(format!("{} does not count there: {why}", file.display()));
    let origin = || SettingOrigin::Existing(Arc::clone(&file));
    if config.docket_dir.origin == SettingOrigin::Default {
        let written = queue(&json, home).unwrap_or_else(|why| {
            note(why);
            None
        });
        config.docket_dir = match written {
            Some(value) => Setting { value, origin: origin() },
            None => Setting { value: arbiter_home.join("queue"), origin: SettingOrigin::Default },
        };
    }
    if config.telegram_people.origin == SettingOrigin::Default
        && !is_nothing(&json, "telegram", "allowedUsers")
    {
        let (value, faults) = allowed(&json["telegram"]["allowedUsers"]);
        faults.into_iter().for_each(&mut note);
        config.telegram_people = Setting { value, origin: origin() };
    }
    if config.announces.origin == SettingOrigin::Default {
        match json.get("notifications").and_then(|section| section.get("enabled")) {
            None | Some(Json::Null) => {}
            Some(Json::Bool(value)) => config.announces = Setting { value: *value, origin: origin() },
            Some(_) => note("`notifications.enabled` is neither true nor false".to_owned()),
        }
    }
    config.notes.extend(notes);
}

/// The bot's token in it, and the file.
pub(crate) fn token(arbiter_home: &Path) -> Option<(String, PathBuf)> {
    let file = arbiter_home.join(FILE);
    let json = parse(&file).ok()??;
    let token = json.get("telegram")?.get("token")?.as_str()?.trim().to_owned();
    (!token.is_empty()).then_some((token, file))
}

fn parse(file: &Path) -> Result<Option<Json>, String> {
    // The error would name the file a second time.
    let bytes = read_file(file, file).map_err(|_| "it cannot be read".to_owned())?;
    let Some(bytes) = bytes else { return Ok(None) };
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    serde_json::from_slice(text).map(Some).map_err(|error| {
        // The parser's own message could quote the file.
        format!("it is not JSON (line {}, column {})", error.line(), error.column())
    })
}

fn is_nothing(json: &Json, section: &str, key: &str) -> bool {
    json.get(section).and_then(|section| section.get(key)).is_none_or(Json::is_null)
}

fn queue(json: &Json, home: Option<&Path>) -> Result<Option<PathBuf>, String> {
    let written = match json.get("queue").and_then(|queue| queue.get("dir")) {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::String(written)) => written,
        Some(_) => return Err("`queue.dir` is no text".to_owned()),
    };
    let path = plain_path(written, home);
    let refused = || format!("`queue.dir` is {}, which is not an absolute path without `..`", shown(written));
    path.map(Some).ok_or_else(refused)
}

/// The users, numbers or texts that are numbers; and what is none.
fn allowed(written: &Json) -> (Vec<AllowedPerson>, Vec<String>) {
    let Some(items) = written.as_array() else {
        return (Vec::new(), vec!["`telegram.allowedUsers` is no list".to_owned()]);
    };
    let (mut people, mut faults): (Vec<AllowedPerson>, _) = (Vec::new(), Vec::new());
    for (index, item) in items.iter().enumerate().take(people::PEOPLE_MAX) {
        let number = item.as_i64().or_else(|| item.as_str()?.trim().parse().ok());
        match number.and_then(|number| people::person(number, items.len())) {
            Some(person) if people.iter().any(|known| known.id == person.id) => {}
            Some(person) => people.push(person),
            None => faults.push(format!("`telegram.allowedUsers[{index}]` is no user's number")),
        }
    }
    (people, faults)
}
