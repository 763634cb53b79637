//! The actor of an event: a person at a door, a policy or an agent, so that neither is taken for a person. An
//! actor is stored and shown as one word: `human:telegram:ada`, `policy:night`, `agent:ceo`.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// A person, through a door.
    Human {
        door: Door,
        /// The user's name at that door.
        user: Arc<str>,
    },
    Policy(Arc<str>),
    /// An agent: it asks and withdraws, and never answers.
    Agent(Arc<str>),
}

impl Actor {
    /// A person at a door.
    pub fn human(door: Door, user: &str) -> Actor {
        Actor::Human { door, user: Arc::from(user) }
    }

    pub fn policy(name: &str) -> Actor {
        Actor::Policy(Arc::from(name))
    }

    pub fn agent(name: &str) -> Actor {
        Actor::Agent(Arc::from(name))
    }

    /// It is a person.
    pub fn is_human(&self) -> bool {
        matches!(self, Actor::Human { .. })
    }

    /// The door it came through, as far as an actor says so by itself: an agent does not.
    pub fn door(&self) -> Option<Door> {
        match self {
            Actor::Human { door, .. } => Some(*door),
            Actor::Policy(_) => Some(Door::Policy),
            Actor::Agent(_) => None,
        }
    }

    /// As people read it in a sentence: "ada, at the command line", "the rehearsal's script". What others wrote in it is not
    /// cleaned here.
    pub fn in_words(&self) -> String {
        match self {
            Actor::Human { door, user } if user.is_empty() => format!("a person, {}", door.in_words()),
            Actor::Human { door, user } => format!("{user}, {}", door.in_words()),
            Actor::Policy(name) => policy_in_words(name),
            Actor::Agent(name) => format!("the agent {name}"),
        }
    }

    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Actor> {
        let (kind, rest) = text.split_once(':')?;
        match kind {
            "human" => {
                let (door, user) = rest.split_once(':')?;
                let door = Door::of(door).filter(|door| door.is_for_people())?;
                Some(Actor::human(door, user))
            }
            "policy" => Some(Actor::policy(rest)),
            "agent" => Some(Actor::agent(rest)),
            _ => None,
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actor::Human { door, user } => write!(f, "human:{}:{user}", door.word()),
            Actor::Policy(name) => write!(f, "policy:{name}"),
            Actor::Agent(name) => write!(f, "agent:{name}"),
        }
    }
}

impl Serialize for Actor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Actor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Actor, D::Error> {
        let text = String::deserialize(deserializer)?;
        Actor::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("{text:?} names no actor")))
    }
}

/// A way in. Petition files and ledger lines name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Door {
    /// The terminal's screen.
    Terminal,
    Telegram,
    Web,
    /// The command line.
    Cli,
    /// MCP: for agents only.
    Mcp,
    /// An edit of the file itself.
    File,
    /// What petition files write in a door's place where a policy answered.
    Policy,
}

/// None of these is a person: each is a rule that acted by itself. The ones that Arbiter acts by have names of their own.
fn policy_in_words(name: &str) -> String {
    let own = match name {
        "rehearsal" => "the rehearsal's script",
        "headless" => "the policy for missions without a person",
        "watchdog" => "the watchdog",
        "overflow" => "the context limit",
        "default" => "the asker's default, at the deadline",
        "deadline" => "the petition's deadline",
        "asker" => "its asker",
        "mission" => "the mission that asked",
        _ => return format!("the policy {name}"),
    };
    own.to_owned()
}

impl Door {
    /// Where it is, as people say it.
    pub fn in_words(self) -> &'static str {
        match self {
            Door::Terminal => "in the terminal",
            Door::Telegram => "in Telegram",
            Door::Web => "in the browser",
            Door::Cli => "at the command line",
            Door::Mcp => "over MCP",
            Door::File => "in the petition's file",
            Door::Policy => "by a policy",
        }
    }

    const ALL: [Door; 7] =
        [Door::Terminal, Door::Telegram, Door::Web, Door::Cli, Door::Mcp, Door::File, Door::Policy];

    pub fn word(self) -> &'static str {
        match self {
            Door::Terminal => "terminal",
            Door::Telegram => "telegram",
            Door::Web => "web",
            Door::Cli => "cli",
            Door::Mcp => "mcp",
            Door::File => "file",
            Door::Policy => "policy",
        }
    }

    /// The door of this word.
    pub fn of(word: &str) -> Option<Door> {
        Door::ALL.into_iter().find(|door| door.word() == word)
    }

    /// People come through it.
    pub fn is_for_people(self) -> bool {
        match self {
            Door::Terminal | Door::Telegram | Door::Web | Door::Cli | Door::File => true,
            Door::Mcp | Door::Policy => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let ada = Actor::human(Door::Telegram, "ada:93533553");
        for actor in [ada, Actor::policy("night"), Actor::agent("ceo:main")] {
            assert_eq!(Actor::parse(&actor.to_string()), Some(actor.clone()));
            let stored = serde_json::to_string(&actor).expect("it is a text");
            assert_eq!(stored, format!("\"{actor}\""));
            assert_eq!(serde_json::from_str::<Actor>(&stored).expect("it is read"), actor);
        }
    }

    #[test]
    fn a_person_comes_through_a_door_for_people() {
        for text in
            ["human:policy:ada", "human:mcp:ada", "human:window:ada", "human:ada", "somebody:ada", "ada"]
        {
            assert_eq!(Actor::parse(text), None, "{text}");
        }
    }
}
