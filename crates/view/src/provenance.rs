//! Who did something, and through which door: `human:cli:ada` is "ada, at the command line".

use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::GivenAnswer;

use crate::line::line;
use crate::when::span;

/// Who it was, and where.
#[must_use]
pub fn by_whom(actor: &Actor) -> String {
    match actor {
        Actor::Human { door, user } => format!("{}, {}", person(user), place(*door)),
        Actor::Policy(name) => policy(name),
        Actor::Agent(name) => format!("the agent {}", line(name)),
    }
}

/// The same for what came through a door that the actor does not name.
#[must_use]
pub fn by_whom_through(actor: &Actor, door: Door) -> String {
    match actor {
        Actor::Agent(_) => format!("{}, {}", by_whom(actor), place(door)),
        Actor::Human { door: own, .. } if *own != door => format!("{}, {}", by_whom(actor), place(door)),
        Actor::Human { .. } | Actor::Policy(_) => by_whom(actor),
    }
}

/// Who gave an answer; none if its file does not say. A name that is written in no way of ours is told as it stands.
#[must_use]
pub fn giver(given: &GivenAnswer) -> Option<String> {
    match (given.by.as_deref(), given.via) {
        (Some(by), via) => Some(match (Actor::parse(by), via) {
            (Some(actor), Some(door)) => by_whom_through(&actor, door),
            (Some(actor), None) => by_whom(&actor),
            (None, Some(door)) => format!("{}, {}", line(by), place(door)),
            (None, None) => line(by),
        }),
        (None, Some(door)) => Some(format!("someone, {}", place(door))),
        (None, None) => None,
    }
}

/// Whose answer it is, and since when: "by ada, in the terminal, 2m ago"; empty if neither is known.
#[must_use]
pub fn source(given: &GivenAnswer, now: Timestamp) -> String {
    let by = giver(given).map(|by| format!("by {by}"));
    let since = given.at.map(|at| ago(at, now));
    by.into_iter().chain(since).collect::<Vec<_>>().join(", ")
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

fn place(door: Door) -> &'static str {
    match door {
        Door::Terminal => "in the terminal",
        Door::Telegram => "in Telegram",
        Door::Web => "in the browser",
        Door::Cli => "at the command line",
        Door::Mcp => "over MCP",
        Door::File => "in the petition's file",
        Door::Policy => "by a rule",
    }
}

fn person(user: &str) -> String {
    let user = line(user);
    if user.is_empty() { "a person".to_owned() } else { user }
}

/// Nothing of these is a person: each is a rule that acted by itself.
fn policy(name: &str) -> String {
    match name {
        "default" => "the asker's default, at the deadline".to_owned(),
        "deadline" => "its deadline".to_owned(),
        "asker" => "its asker".to_owned(),
        "mission" => "the mission that asked".to_owned(),
        "rehearsal" => "the rehearsal's script".to_owned(),
        name => format!("the rule {}", line(name)),
    }
}
