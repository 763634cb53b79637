//! Who did something, in words: "ada, at the terminal", "the rehearsal's policy". Journals, petition files and `--json`
//! keep the token (`human:cli:ada`, `policy:rehearsal`); every text for people says it as here.

use mind::actor::{Actor, Door};
use mind::talk::Speaker;

use crate::clean::clean;

/// An actor in words, fit for the middle of a sentence: "cancelled by ada, at the terminal".
#[must_use]
pub fn actor_words(actor: &Actor) -> String {
    match actor {
        Actor::Human { door, user } if user.is_empty() => format!("a person, {}", door_words(*door)),
        Actor::Human { door, user } => format!("{}, {}", clean(user), door_words(*door)),
        Actor::Policy(name) => policy_words(name),
        Actor::Agent(name) => format!("the agent {}", clean(name)),
    }
}

/// A stored token in words, where only its text is at hand. What is no token stays as it is written.
#[must_use]
pub fn token_words(token: &str) -> String {
    Actor::parse(token).map_or_else(|| clean(token).into_owned(), |actor| actor_words(&actor))
}

/// Who speaks: "You", "Arbiter", "Orchestrator II", an agent's name. A policy that speaks in the person's place is named.
#[must_use]
pub fn speaker_words(speaker: &Speaker) -> String {
    match speaker {
        Speaker::Human(actor @ (Actor::Policy(_) | Actor::Agent(_))) => {
            format!("You ({})", actor_words(actor))
        }
        Speaker::Agent(name) => clean(name).into_owned(),
        Speaker::House => "Program".to_owned(),
        Speaker::Human(Actor::Human { .. }) | Speaker::Arbiter | Speaker::Orchestrator(_) => {
            speaker.to_string()
        }
    }
}

fn door_words(door: Door) -> &'static str {
    match door {
        Door::Terminal => "on the screen",
        Door::Cli => "at the terminal",
        Door::Telegram => "in Telegram",
        Door::Web => "in the browser",
        Door::File => "in the petition's file",
        Door::Mcp => "through MCP",
        Door::Policy => "by a policy",
    }
}

/// The policies that Arbiter itself acts by have names of their own.
fn policy_words(name: &str) -> String {
    match name {
        "rehearsal" => "the rehearsal's policy".to_owned(),
        "headless" => "the policy for missions without a person".to_owned(),
        "watchdog" => "the watchdog".to_owned(),
        "overflow" => "the context limit".to_owned(),
        "default" => "the petition's default".to_owned(),
        "deadline" => "the petition's deadline".to_owned(),
        _ => format!("the policy {}", clean(name)),
    }
}
