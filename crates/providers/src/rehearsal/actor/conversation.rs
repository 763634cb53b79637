//! An actor's conversation on disk: one line for each thing done, locked by one process at a time.
//!
//! It lets a killed actor go on exactly where it was: a turn's key that was finished gives the same output again, a
//! turn in flight continues after the steps that are done.

use std::fs::{self, File, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::thread::sleep;
use std::time::{Duration, Instant};

use mind::session::{Role, Task};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ActorError;
use super::part::Part;
use crate::limits::HELD_TIME_MAX;
use crate::rehearsal::script::Spent;
use crate::rehearsal::wire::Failed;

/// One line of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "snake_case")]
pub(super) enum Deed {
    /// An Arbiter took its part: the first of its mission is 0, its successors count from 1.
    Cast { mission: String, heir: u32 },
    /// A turn began.
    Began { key: String },
    /// A steered text was heard in it.
    Steered { key: String, turn: u32 },
    /// The context is this full.
    Gauged { used: u64 },
    /// The checklist is this.
    Tasked { tasks: Vec<Task> },
    /// So many steps of the course are done. A warning may have been heard after the last of them, so that another
    /// course was taken.
    Stepped {
        done: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        warned: Option<u8>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<u8>,
    },
    /// The docket accepted a petition with this id.
    Pushed { petition: String },
    /// The turn is over.
    Rested(Rest),
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Rest {
    /// An interrupt stopped it: the next turn takes its steps up again.
    pub(super) interrupted: bool,
    /// It ended a turn of the script, unless it was interrupted. Any other end leaves the script where it is.
    pub(super) scripted: bool,
    /// It ended in an error: the next turn takes its steps up again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<Failed>,
    /// The turn before it had no effect and is played again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) back: bool,
    pub(super) output: Option<Value>,
    pub(super) cost_microusd: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) spent: Option<Spent>,
}

/// The state of a conversation.
#[derive(Debug, Clone, Default)]
pub(super) struct Past {
    turns: Vec<Played>,
    /// The number of the Arbiter it plays, if it plays one.
    pub(super) heir: Option<u32>,
    /// The place in the script.
    pub(super) cursor: Cursor,
    pub(super) gauge: Option<u64>,
    pub(super) tasks: Option<Vec<Task>>,
    /// The petition that was last pushed to the docket.
    pub(super) petition: Option<String>,
    /// The highest warning heard, in percent; 0 is none.
    pub(super) warned: u8,
}

/// A place in the script.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cursor {
    /// Which turn of the part.
    pub(super) turn: usize,
    /// How many steps of its course are done.
    pub(super) done: usize,
    /// Which course, if a warning changed it.
    pub(super) branch: Option<u8>,
}

/// A turn that was begun.
#[derive(Debug, Clone)]
pub(super) struct Played {
    key: String,
    /// The texts heard in it: key and number.
    pub(super) steered: Vec<(String, u32)>,
    /// How it ended; `None` while it is in flight.
    pub(super) rest: Option<Rest>,
}

impl Past {
    fn apply(&mut self, deed: Deed) {
        match deed {
            Deed::Cast { heir, .. } => self.heir = Some(heir),
            Deed::Began { key } => self.turns.push(Played { key, steered: Vec::new(), rest: None }),
            Deed::Steered { key, turn } => {
                if let Some(played) = self.turns.last_mut() {
                    played.steered.push((key, turn));
                }
            }
            Deed::Gauged { used } => self.gauge = Some(used),
            Deed::Tasked { tasks } => self.tasks = Some(tasks),
            Deed::Pushed { petition } => self.petition = Some(petition),
            Deed::Stepped { done, warned, branch } => {
                self.cursor.done = done;
                self.warned = self.warned.max(warned.unwrap_or(0));
                if branch.is_some() {
                    self.cursor = Cursor { turn: self.cursor.turn, done: 0, branch };
                }
            }
            Deed::Rested(rest) => {
                if rest.scripted && !rest.interrupted {
                    self.cursor = Cursor { turn: self.cursor.turn + 1, ..Cursor::default() };
                }
                if rest.back {
                    let turn = self.cursor.turn.saturating_sub(1);
                    self.cursor = Cursor { turn, ..Cursor::default() };
                }
                if let Some(played) = self.turns.last_mut() {
                    played.rest = Some(rest);
                }
            }
        }
    }

    /// The turn that was begun under this key.
    pub(super) fn turn(&self, key: &str) -> Option<&Played> {
        self.turns.iter().find(|played| played.key == key)
    }

    /// Whether a steered text of this key was heard.
    pub(super) fn was_steered(&self, key: &str) -> bool {
        self.turns.iter().flat_map(|played| &played.steered).any(|(heard, _)| heard == key)
    }
}

/// An open conversation, held by this process alone.
pub(super) struct Conversation {
    file: File,
    path: String,
    pub(super) past: Past,
}

impl Conversation {
    /// Opens the conversation of `part`, waiting a while for a dying predecessor; `None` if Arbiter left meanwhile.
    pub(super) fn open(part: &Part, has_left: impl Fn() -> bool) -> Result<Option<Conversation>, ActorError> {
        let path = part.store.join(format!("{}.jsonl", part.key));
        let name = path.display().to_string();
        let disk = |source| ActorError::Disk { path: name.clone(), source };
        host::files::make_folder(&part.store).map_err(disk)?;
        let mut options = File::options();
        let mut file =
            host::files::open_plain(options.read(true).append(true).create(true), &path).map_err(disk)?;
        if !lock(&file, &part.key, has_left)? {
            return Ok(None);
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(disk)?;
        let past = recall(&text, &name)?;
        if !part.resume && !past.turns.is_empty() {
            return Err(ActorError::Begun { key: part.key.clone() });
        }
        // A line cut short by a crash was never acted upon.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            file.set_len(whole as u64).map_err(disk)?;
            file.seek(SeekFrom::End(0)).map_err(disk)?;
        }
        let mut conversation = Conversation { file, path: name, past };
        if part.role == Role::Arbiter
            && conversation.past.heir.is_none()
            && conversation.past.turns.is_empty()
        {
            let (mission, heir) = (part.mission.clone(), predecessors(part));
            conversation.note(Deed::Cast { mission, heir })?;
        }
        Ok(Some(conversation))
    }

    /// Records a step: on disk first, then in memory.
    pub(super) fn note(&mut self, deed: Deed) -> Result<(), ActorError> {
        let disk = |source| ActorError::Disk { path: self.path.clone(), source };
        let mut line = serde_json::to_vec(&deed).map_err(|error| disk(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(disk)?;
        self.past.apply(deed);
        Ok(())
    }
}

/// How many Arbiters of the same mission came before: each has left a conversation that begins with its part.
fn predecessors(part: &Part) -> u32 {
    let Ok(files) = fs::read_dir(&part.store) else { return 0 };
    let paths = files.filter_map(|file| Some(file.ok()?.path()));
    let casts = paths.filter(|path| {
        let mut line = String::new();
        let file = host::files::open_plain(File::options().read(true), path);
        let read = file.and_then(|file| BufReader::new(file).read_line(&mut line));
        let deed = read.ok().and_then(|_| serde_json::from_str(&line).ok());
        matches!(deed, Some(Deed::Cast { mission, .. }) if mission == part.mission)
    });
    u32::try_from(casts.count()).unwrap_or(u32::MAX)
}

fn lock(file: &File, key: &str, has_left: impl Fn() -> bool) -> Result<bool, ActorError> {
    let deadline = Instant::now() + HELD_TIME_MAX;
    loop {
        match host::files::try_lock(file) {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if has_left() => return Ok(false),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => sleep(Duration::from_millis(10)),
            Err(TryLockError::WouldBlock) => return Err(ActorError::Held { key: key.to_owned() }),
            Err(TryLockError::Error(source)) => {
                return Err(ActorError::Disk { path: key.to_owned(), source });
            }
        }
    }
}

fn recall(text: &str, path: &str) -> Result<Past, ActorError> {
    let mut past = Past::default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    for (index, line) in whole.lines().enumerate() {
        let damaged = |_| ActorError::Damaged { path: path.to_owned(), line: index + 1 };
        past.apply(serde_json::from_str(line).map_err(damaged)?);
    }
    Ok(past)
}
