//! Who did something, in words: "ada, in the terminal", "the rehearsal's script". Journals, petition files and `--json`
//! keep the token (`human:cli:ada`, `policy:rehearsal`); every text for people says it as here.

use mind::actor::Actor;
use mind::talk::Speaker;

use crate::line::line;

/// An actor in words, on one harmless line, fit for the middle of a sentence: "cancelled by ada, in the terminal".
#[must_use]
pub fn actor_words(actor: &Actor) -> String {
    line(&actor.in_words())
}

/// A stored token in words, where only its text is at hand. What is no token stays as it is written.
#[must_use]
pub fn token_words(token: &str) -> String {
    Actor::parse(token).map_or_else(|| line(token), |actor| actor_words(&actor))
}

/// Who speaks: "You", "Arbiter", "Orchestrator II", an agent's name. A policy that speaks in the person's place is named.
#[must_use]
pub fn speaker_words(speaker: &Speaker) -> String {
    match speaker {
        Speaker::Human(actor @ (Actor::Policy(_) | Actor::Agent(_))) => {
            format!("You ({})", actor_words(actor))
        }
        Speaker::Agent(name) => line(name),
        Speaker::House => "Program".to_owned(),
        Speaker::Human(Actor::Human { .. }) | Speaker::Arbiter | Speaker::Orchestrator(_) => {
            speaker.to_string()
        }
    }
}
