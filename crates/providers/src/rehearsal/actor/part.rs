//! The part of an actor: its command-line arguments, read once.

use std::ffi::OsString;
use std::path::PathBuf;

use mind::session::Role;

use super::ActorError;
use crate::rehearsal::Pace;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    pub(super) role: Role,
    pub(super) number: u32,
    /// The agent it plays, if it plays one.
    pub(super) agent: Option<String>,
    pub(super) key: String,
    /// The mission, whose actors share a cast.
    pub(super) mission: String,
    pub(super) script: PathBuf,
    pub(super) store: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) pace: Pace,
    pub(super) resume: bool,
}

impl Part {
    pub(super) fn read(args: impl IntoIterator<Item = OsString>) -> Result<Part, ActorError> {
        let mut args = args.into_iter();
        let (mut role, mut number, mut key) = (None, None, None);
        let (mut script, mut store, mut folder) = (None, None, None);
        let (mut pace, mut resume) = (Pace::Fast, false);
        let (mut mission, mut agent) = (String::new(), None);
        while let Some(name) = args.next() {
            if name == "--resume" {
                resume = true;
                continue;
            }
            let name = name.to_string_lossy().into_owned();
            let value = args.next().ok_or_else(|| ActorError::Usage(format!("{name} has no value")))?;
            let word = value.to_string_lossy().into_owned();
            let wrong = || ActorError::Usage(format!("{name} cannot be {word:?}"));
            match name.as_str() {
                "--role" => role = Some(read_role(&word).ok_or_else(wrong)?),
                "--number" => number = Some(word.parse().map_err(|_| wrong())?),
                "--key" => key = Some(Some(word.clone()).filter(|key| is_name(key)).ok_or_else(wrong)?),
                "--mission" => mission = word,
                "--agent" => agent = Some(word),
                "--script" => script = Some(PathBuf::from(value)),
                "--store" => store = Some(PathBuf::from(value)),
                "--folder" => folder = Some(PathBuf::from(value)),
                "--pace" => pace = read_pace(&word).ok_or_else(wrong)?,
                _ => return Err(ActorError::Usage(format!("unknown argument {name}"))),
            }
        }
        let (Some(role), Some(number), Some(key)) = (role, number, key) else {
            return Err(ActorError::Usage("an actor needs --role, --number and --key".to_owned()));
        };
        let (Some(script), Some(store), Some(folder)) = (script, store, folder) else {
            return Err(ActorError::Usage("an actor needs --script, --store and --folder".to_owned()));
        };
        Ok(Part { role, number, agent, key, mission, script, store, folder, pace, resume })
    }
}

fn read_role(word: &str) -> Option<Role> {
    match word {
        "arbiter" => Some(Role::Arbiter),
        "orchestrator" => Some(Role::Orchestrator),
        "verifier" => Some(Role::Verifier),
        "agent" => Some(Role::Agent),
        _ => None,
    }
}

fn read_pace(word: &str) -> Option<Pace> {
    match word {
        "fast" => Some(Pace::Fast),
        "human" => Some(Pace::Human),
        _ => None,
    }
}

/// The key becomes a file name.
fn is_name(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '-')
}
