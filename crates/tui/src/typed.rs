//! What a person types: words for the Arbiter or an Orchestrator, or a command. The plain prompt and the screen read it
//! alike.

use mind::State;
use mind::event::Deed;

use crate::answers;
use crate::near::nearest;

/// What can be typed.
pub const HELP: &str = "type words for the Arbiter, or: @orchestrator WORDS, /pause, /resume, /interrupt, /release, \
                        /cancel, /yes QUESTION [mission|hour], /no QUESTION [WHY], /quit (the mission can be resumed)";

/// What a line means.
#[derive(Debug, Clone, PartialEq)]
pub enum Typed {
    /// Nothing.
    Nothing,
    /// Somebody is to hear this, or something is to be done.
    Deeds(Vec<Deed>),
    /// It cannot be meant as it stands: nothing is done, and the person is told why.
    Unclear(String),
    /// What can be typed.
    Help,
    /// The person leaves.
    Quit,
}

/// Reads one line, or a text of many.
pub fn read(line: &str, state: &State) -> Typed {
    if let Some(words) = line.strip_prefix("@orchestrator") {
        let words = words.trim_start_matches(':').trim();
        return if words.is_empty() {
            Typed::Help
        } else {
            Typed::Deeds(vec![Deed::SayToOrchestrator(words.into())])
        };
    }
    match line {
        "" => Typed::Nothing,
        "/pause" => Typed::Deeds(vec![Deed::Pause]),
        "/resume" => Typed::Deeds(vec![Deed::Resume]),
        "/interrupt" => Typed::Deeds(vec![Deed::Interrupt]),
        "/release" => Typed::Deeds(vec![Deed::Release]),
        "/cancel" => Typed::Deeds(vec![Deed::Cancel]),
        "/quit" => Typed::Quit,
        other if is_command(other, "/yes") || is_command(other, "/no") => {
            answers::read(other, state).map_or_else(Typed::Unclear, Typed::Deeds)
        }
        other if other.starts_with('/') => unknown(other),
        word if is_bare_answer(word)
            && state.alignment_asked().is_none()
            && state.asks().next().is_some() =>
        {
            // It is more likely meant for the tool than for the Arbiter.
            let open: Vec<String> = state.asks().map(|(_, ask)| ask.id.to_string()).collect();
            let open = open.join(", ");
            Typed::Unclear(format!(
                "{open} waits for `/yes` or `/no` with its number; the Arbiter hears longer words"
            ))
        }
        words => Typed::Deeds(vec![Deed::Say(words.into())]),
    }
}

fn is_bare_answer(line: &str) -> bool {
    let word = line.trim_end_matches(['.', '!']).to_lowercase();
    ["y", "n", "yes", "no", "ok", "okay"].contains(&word.as_str())
}

/// A command that there is not.
fn unknown(line: &str) -> Typed {
    const COMMANDS: [&str; 8] =
        ["/pause", "/resume", "/interrupt", "/release", "/cancel", "/yes", "/no", "/quit"];
    let typed = line.split_whitespace().next().unwrap_or_default();
    match nearest(typed, COMMANDS) {
        Some(meant) => Typed::Unclear(format!("there is no {typed}; did you mean {meant}? nothing was done")),
        None => Typed::Help,
    }
}

fn is_command(line: &str, command: &str) -> bool {
    line.split_whitespace().next() == Some(command)
}
