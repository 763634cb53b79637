//! A mission's inbox: how other processes speak to it. A letter is a file that appears whole, is read until it
//! has become a fact, and is then discarded; its id makes it count once. What is no letter is moved aside with
//! the reason, so that it neither stops the mission nor is lost.

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::actor::Actor;
use mind::event::{HumanAction, HumanEvent};
use mind::id::Timestamp;
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use crate::project::home::{is_plain_name, make_folder};

/// The largest letter, in bytes.
pub const INBOX_MESSAGE_BYTES_MAX: u64 = 512 * 1024;
/// How many letters are read at once; the others wait.
pub const INBOX_MESSAGES_READ_MAX: usize = 256;
/// The longest id, in bytes.
const ID_BYTES_MAX: usize = 64;
/// Where in the inbox lies what is no letter.
const REFUSED: &str = "refused";

/// What can go wrong with letters.
#[derive(Debug, thiserror::Error)]
pub enum InboxError {
    /// The id could name another file than a letter's.
    #[error("{id:?} cannot be a letter's id")]
    BadId { id: String },
    /// A letter of this id lies there and says something else.
    #[error("letter {id} is already there and says something else")]
    Taken { id: String },
    /// The letter is too long to be read.
    #[error("the letter has {bytes} bytes, more than the {INBOX_MESSAGE_BYTES_MAX} that are read")]
    TooLarge { bytes: u64 },
    /// The disk refused. The letters stay where they are.
    #[error("cannot use {}: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
}

impl InboxError {
    fn disk(path: &Path) -> impl FnOnce(io::Error) -> InboxError + use<> {
        let path = path.to_path_buf();
        move |source| InboxError::Disk { path, source }
    }
}

/// One action of a person, on its way to a mission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InboxMessage {
    /// Unique; letters are read in the order of their ids.
    pub id: Arc<str>,
    /// Who sends it, as the sender says.
    pub actor: Actor,
    /// When it was written. A letter that does not say counts as older than any question.
    #[serde(default)]
    pub written_at: Timestamp,
    /// What to do.
    pub action: HumanAction,
}

impl From<InboxMessage> for HumanEvent {
    fn from(letter: InboxMessage) -> HumanEvent {
        let InboxMessage { id, actor, written_at, action } = letter;
        HumanEvent { inbox_id: id, actor, written: written_at, action }
    }
}

/// What lay in the inbox.
#[derive(Debug, Clone, PartialEq)]
pub enum Arrival {
    /// A letter. It stays until it is discarded.
    Letter(InboxMessage),
    Malformed(MalformedMessage),
}

/// A file of the inbox that is no letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MalformedMessage {
    /// Its name in the inbox.
    pub file: String,
    /// What is wrong with it.
    pub why: String,
    /// Where it lies now; none if it could not be moved, and then it is told again at the next reading.
    pub moved_to: Option<PathBuf>,
}

/// A new letter's id; later letters have greater ones.
#[must_use]
pub fn new_letter_id(now: Timestamp, dice: u64) -> Arc<str> {
    Arc::from(format!("{:014}-{:08x}", now.0, dice & 0xffff_ffff))
}

/// Puts a letter into the inbox: it is on the disk, whole, when this returns. The same letter may be put twice.
pub fn write_message(inbox: &Path, letter: &InboxMessage) -> Result<(), InboxError> {
    let path = file_of(inbox, &letter.id)?;
    let mut bytes = serde_json::to_vec(letter).map_err(io::Error::other).map_err(InboxError::disk(&path))?;
    bytes.push(b'\n');
    if bytes.len() as u64 > INBOX_MESSAGE_BYTES_MAX {
        return Err(InboxError::TooLarge { bytes: bytes.len() as u64 });
    }
    make_folder(inbox).map_err(InboxError::disk(inbox))?;
    if let Ok(Some(Content::Bytes(earlier))) = read_file(&path)
        && earlier != bytes
    {
        return Err(InboxError::Taken { id: letter.id.to_string() });
    }
    host::files::replace(&path, &bytes).map_err(InboxError::disk(&path))
}

/// What lies in the inbox, by name. Letters stay; anything else is moved aside and told.
pub fn read_messages(inbox: &Path) -> Result<Vec<Arrival>, InboxError> {
    let mut arrivals = Vec::new();
    for name in names(inbox)? {
        let path = inbox.join(&name);
        let why = match read_file(&path).map_err(InboxError::disk(&path))? {
            // It was discarded while we looked.
            None => continue,
            Some(Content::Unfit(why)) => why,
            Some(Content::Bytes(bytes)) => match parse(&name, &bytes) {
                Ok(letter) => {
                    arrivals.push(Arrival::Letter(letter));
                    continue;
                }
                Err(why) => why,
            },
        };
        arrivals.push(Arrival::Malformed(move_aside(inbox, &name, why)));
    }
    Ok(arrivals)
}

/// Takes a letter away that has become a fact. One that is gone already is no fault.
pub fn discard(inbox: &Path, id: &str) -> Result<(), InboxError> {
    let path = file_of(inbox, id)?;
    match fs::remove_file(&path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(InboxError::disk(&path)(error)),
    }
}

pub(super) fn file_of(inbox: &Path, id: &str) -> Result<PathBuf, InboxError> {
    if is_plain_name(id, ID_BYTES_MAX) {
        Ok(inbox.join(format!("{id}.json")))
    } else {
        Err(InboxError::BadId { id: mind::limits::cut(id, ID_BYTES_MAX) })
    }
}

/// The first names of the inbox in order, without temporaries and what was refused before.
fn names(inbox: &Path) -> Result<Vec<OsString>, InboxError> {
    let entries = match fs::read_dir(inbox) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(InboxError::disk(inbox)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(InboxError::disk(inbox))?.file_name();
        if name != REFUSED && !name.as_encoded_bytes().starts_with(b".") {
            names.push(name);
        }
    }
    names.sort_unstable();
    names.truncate(INBOX_MESSAGES_READ_MAX);
    Ok(names)
}

enum Content {
    Bytes(Vec<u8>),
    /// It cannot be a letter, and why.
    Unfit(String),
}

/// Reads a file that any program may have put there: no link is followed, no pipe waited for.
fn read_file(path: &Path) -> io::Result<Option<Content>> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
    let file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Ok(Some(Content::Unfit("we may not read it".to_owned())));
        }
        Err(_) if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) => {
            return Ok(Some(Content::Unfit("it is not a file".to_owned())));
        }
        Err(error) => return Err(error),
    };
    if !file.metadata()?.is_file() {
        return Ok(Some(Content::Unfit("it is not a file".to_owned())));
    }
    let mut bytes = Vec::new();
    file.take(INBOX_MESSAGE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > INBOX_MESSAGE_BYTES_MAX {
        return Ok(Some(Content::Unfit(format!("it has more than {INBOX_MESSAGE_BYTES_MAX} bytes"))));
    }
    Ok(Some(Content::Bytes(bytes)))
}

fn parse(name: &OsStr, bytes: &[u8]) -> Result<InboxMessage, String> {
    let id = name
        .to_str()
        .and_then(|name| name.strip_suffix(".json"))
        .filter(|id| is_plain_name(id, ID_BYTES_MAX));
    let Some(id) = id else {
        return Err("its name is not an id and `.json`".to_owned());
    };
    let letter: InboxMessage = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if *letter.id != *id {
        return Err(format!(
            "its id is {:?}, another than its name",
            mind::limits::cut(&letter.id, ID_BYTES_MAX)
        ));
    }
    if !letter.actor.is_human() {
        return Err(format!("{} is no person, and letters are a person's", letter.actor));
    }
    Ok(letter)
}

/// Moves what is no letter to `refused/`, with the reason in a file beside it.
fn move_aside(inbox: &Path, name: &OsStr, why: String) -> MalformedMessage {
    let folder = inbox.join(REFUSED);
    let place = || {
        make_folder(&folder)?;
        let target = free_name(&folder, name)?;
        fs::rename(inbox.join(name), &target).map(|()| target)
    };
    let moved_to = place().ok();
    if let Some(target) = &moved_to {
        let mut reason_file = target.clone().into_os_string();
        reason_file.push(".why");
        // The reason is also in what we return: a full disk may keep it from being written.
        let _ = host::files::replace_lightly(Path::new(&reason_file), format!("{why}\n").as_bytes());
    }
    MalformedMessage { file: name.to_string_lossy().into_owned(), why, moved_to }
}

/// A name in `folder` that nothing has yet: what was refused before is kept, also where it cannot be looked at.
fn free_name(folder: &Path, name: &OsStr) -> io::Result<PathBuf> {
    for number in 0..u32::MAX {
        let mut name = name.to_owned();
        if number > 0 {
            name.push(format!(".{number}"));
        }
        let path = folder.join(name);
        if !host::files::is_there(&path)? {
            return Ok(path);
        }
    }
    Err(io::Error::other("every name is taken"))
}
