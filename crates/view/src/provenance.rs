//! Who did something, and through which door: `human:cli:ada` is "ada, at the command line".

use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::GivenAnswer;

use crate::actor::actor_words;
use crate::line::line;
use crate::when::span;

/// An actor in words, and the door where the actor does not name it.
#[must_use]
pub fn by_whom_through(actor: &Actor, door: Door) -> String {
    match actor {
        Actor::Agent(_) => format!("{}, {}", actor_words(actor), door.in_words()),
        Actor::Human { door: own, .. } if *own != door => {
            format!("{}, {}", actor_words(actor), door.in_words())
        }
        Actor::Human { .. } | Actor::Policy(_) => actor_words(actor),
    }
}

/// Who gave an answer; none if its file does not say. A name that is written in no way of ours is told as it stands.
#[must_use]
pub fn giver(given: &GivenAnswer) -> Option<String> {
    match (given.by.as_deref(), given.via) {
        (Some(by), via) => Some(match (Actor::parse(by), via) {
            (Some(actor), Some(door)) => by_whom_through(&actor, door),
            (Some(actor), None) => actor_words(&actor),
            (None, Some(door)) => format!("{}, {}", line(by), door.in_words()),
            (None, None) => line(by),
        }),
        (None, Some(door)) => Some(format!("someone, {}", door.in_words())),
        (None, None) => None,
    }
}

/// Whose answer it is, and since when: "by ada, in the terminal, instead of sam, 2m ago"; empty if nothing is known.
#[must_use]
pub fn source(given: &GivenAnswer, now: Timestamp) -> String {
    let by = giver(given).map(|by| format!("by {by}"));
    let instead = given.instead_of.as_deref().map(instead_of);
    let since = given.at.map(|at| ago(at, now));
    by.into_iter().chain(instead).chain(since).collect::<Vec<_>>().join(", ")
}

/// In whose place somebody answered or may answer: "instead of sam".
#[must_use]
pub fn instead_of(assignee: &str) -> String {
    format!("instead of {}", line(assignee))
}

/// How long ago: "2m ago".
#[must_use]
pub fn ago(at: Timestamp, now: Timestamp) -> String {
    format!("{} ago", span(now.0.saturating_sub(at.0)))
}

/// A door's name, where doors are listed.
#[must_use]
pub fn door_name(door: Door) -> &'static str {
    match door {
        Door::Terminal => "terminal",
        Door::Telegram => "Telegram",
        Door::Web => "browser",
        Door::Cli => "command line",
        Door::Mcp => "MCP",
        Door::File => "petition file",
        Door::Policy => "rule",
    }
}
