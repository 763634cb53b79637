//! Who did something to a petition, and through which door. Provenance is typed: a policy or an agent is never taken for a
//! person.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::talk::Actor;

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// A person or a policy.
    Actor(Actor),
    /// An agent: it asks and withdraws, and never answers.
    Agent(Arc<str>),
}

impl By {
    /// A person at a door.
    pub fn human(door: Door, user: &str) -> By {
        By::Actor(Actor::Human { door: Arc::from(door.word()), user: Arc::from(user) })
    }

    /// A policy.
    pub fn policy(name: &str) -> By {
        By::Actor(Actor::Policy(Arc::from(name)))
    }

    /// It is a person.
    pub fn is_human(&self) -> bool {
        matches!(self, By::Actor(Actor::Human { .. }))
    }

    /// The door it came through.
    pub fn door(&self) -> Option<Door> {
        match self {
            By::Actor(Actor::Human { door, .. }) => Door::of(door),
            By::Actor(Actor::Policy(_)) => Some(Door::Policy),
            By::Agent(_) => None,
        }
    }

    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<By> {
        let (kind, rest) = text.split_once(':')?;
        match kind {
            "human" => {
                let (door, user) = rest.split_once(':')?;
                Some(By::Actor(Actor::Human { door: Arc::from(door), user: Arc::from(user) }))
            }
            "policy" => Some(By::policy(rest)),
            "agent" => Some(By::Agent(Arc::from(rest))),
            _ => None,
        }
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            By::Actor(actor) => actor.fmt(f),
            By::Agent(name) => write!(f, "agent:{name}"),
        }
    }
}

impl Serialize for By {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for By {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<By, D::Error> {
        let text = String::deserialize(deserializer)?;
        By::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("{text:?} is nobody")))
    }
}

/// A way in for answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Door {
    /// The terminal's screen.
    Terminal,
    /// Telegram.
    Telegram,
    /// The browser.
    Web,
    /// The command line.
    Cli,
    /// An edit of the file itself.
    File,
    /// No person: a policy.
    Policy,
}

impl Door {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Door::Terminal => "terminal",
            Door::Telegram => "telegram",
            Door::Web => "web",
            Door::Cli => "cli",
            Door::File => "file",
            Door::Policy => "policy",
        }
    }

    /// The door of this word.
    pub fn of(word: &str) -> Option<Door> {
        [Door::Terminal, Door::Telegram, Door::Web, Door::Cli, Door::File, Door::Policy]
            .into_iter()
            .find(|door| door.word() == word)
    }
}
