//! What a person types: words for the Arbiter or an Orchestrator, or a command. The plain prompt and the screen read it
//! alike.

use mind::State;
use mind::charter::Way;
use mind::event::HumanAction;

use crate::near::nearest;
use crate::{agents, permission_answers};

/// What can be typed.
pub const HELP: &str = "type words for the Arbiter, or: @orchestrator WORDS, /pause, /resume, /interrupt, /release, \
                        /cancel, /yes QUESTION [mission|hour], /no QUESTION [WHY], /quit (the mission can be resumed)";

/// The same, where a mission is conducted.
pub const HELP_CONDUCTED: &str = "type words for the agents, or: /force AGENT, /skip, /retry, /pause, /resume, \
                                  /interrupt, /cancel, /yes QUESTION [mission|hour], /no QUESTION [WHY], /quit (the \
                                  mission can be resumed)";

/// What can be typed to this mission.
pub fn help(state: &State) -> &'static str {
    if state.way() == Way::Conductor { HELP_CONDUCTED } else { HELP }
}

const ORCHESTRATOR: &str = "@orchestrator";
const COMMANDS: [&str; 9] =
    ["/pause", "/resume", "/interrupt", "/release", "/cancel", "/yes", "/no", "/quit", "/help"];
const CONDUCTED: [&str; 11] = [
    "/pause",
    "/resume",
    "/force",
    "/skip",
    "/retry",
    "/interrupt",
    "/cancel",
    "/yes",
    "/no",
    "/quit",
    "/help",
];

/// What a line means.
#[derive(Debug, Clone, PartialEq)]
pub enum Typed {
    Nothing,
    /// Somebody is to hear this, or something is to be done.
    Actions(Vec<HumanAction>),
    /// It cannot be meant as it stands: nothing is done, and the person is told why.
    Unclear(String),
    /// What can be typed.
    Help,
    /// The person leaves.
    Quit,
}

/// Reads one line, or a text of many.
pub fn read(line: &str, state: &State) -> Typed {
    if line.starts_with(ORCHESTRATOR) && state.way() == Way::Conductor {
        return Typed::Unclear("there is no Orchestrator here: words go to the agents".to_owned());
    }
    if let Some(words) = line.strip_prefix("@orchestrator") {
        let words = words.trim_start_matches(':').trim();
        return if words.is_empty() {
            Typed::Unclear("there are no words for the Orchestrator: @orchestrator WORDS".to_owned())
        } else {
            Typed::Actions(vec![HumanAction::SayToOrchestrator(words.into())])
        };
    }
    let first = line.split_whitespace().next().unwrap_or_default();
    if first.starts_with('@') && nearest(first, [ORCHESTRATOR]).is_some() {
        return Typed::Unclear(format!("there is no {first}; did you mean {ORCHESTRATOR}? nothing was said"));
    }
    match line {
        "" => Typed::Nothing,
        "/pause" => Typed::Actions(vec![HumanAction::Pause]),
        "/resume" => Typed::Actions(vec![HumanAction::Resume]),
        "/interrupt" => Typed::Actions(vec![HumanAction::Interrupt]),
        "/release" if state.way() == Way::Council => Typed::Actions(vec![HumanAction::Release]),
        "/cancel" => Typed::Actions(vec![HumanAction::Cancel]),
        "/quit" => Typed::Quit,
        "/help" => Typed::Help,
        other if is_command(other, "/yes") || is_command(other, "/no") => {
            permission_answers::read(other, state).map_or_else(Typed::Unclear, Typed::Actions)
        }
        other
            if ["/force", "/skip", "/retry"].iter().any(|command| is_command(other, command))
                && is_meant_as_command(other) =>
        {
            conducted(other, state)
        }
        other if is_meant_as_command(other) => unknown(other, state),
        word if is_bare_answer(word)
            && state.alignment_asked().is_none()
            && state.open_permissions().next().is_some() =>
        {
            // It is more likely meant for the tool than for the Arbiter.
            let open: Vec<String> = state.open_permissions().map(|(_, ask)| ask.id.to_string()).collect();
            let open = open.join(", ");
            Typed::Unclear(format!(
                "{open} waits for `/yes` or `/no` with its number; the Arbiter hears longer words"
            ))
        }
        words => Typed::Actions(vec![HumanAction::Say(words.into())]),
    }
}

fn is_bare_answer(line: &str) -> bool {
    let word = line.trim_end_matches(['.', '!']).to_lowercase();
    ["y", "n", "yes", "no", "ok", "okay"].contains(&word.as_str())
}

/// One word after the other behind a `/`. A path, or a text of many lines, is something to say.
fn is_meant_as_command(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    first.strip_prefix('/').is_some_and(|rest| !rest.contains('/')) && !line.contains('\n')
}

/// What only a conducted mission does.
fn conducted(line: &str, state: &State) -> Typed {
    let mut words = line.split_whitespace();
    let command = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let Some(conductor) = &state.conductor else {
        return Typed::Unclear(format!(
            "{command} is for missions that are conducted (`arbiter run --way conductor`); nothing was done"
        ));
    };
    match (command, rest.is_empty()) {
        ("/skip", true) => Typed::Actions(vec![HumanAction::Skip]),
        ("/retry", true) => Typed::Actions(vec![HumanAction::Retry]),
        ("/force", _) => {
            let agent = agents::named(&rest.join(" "), conductor);
            agent.map_or_else(Typed::Unclear, |agent| Typed::Actions(vec![HumanAction::Force(agent)]))
        }
        _ => Typed::Unclear(format!("{command} stands alone; nothing was done")),
    }
}

/// A command that there is not. What was typed is never thrown away.
fn unknown(line: &str, state: &State) -> Typed {
    let typed = line.split_whitespace().next().unwrap_or_default();
    let commands: &[&str] = if state.way() == Way::Conductor { &CONDUCTED } else { &COMMANDS };
    Typed::Unclear(match nearest(typed, commands.iter().copied()) {
        Some(meant) if typed == meant => format!("{meant} stands alone; nothing was done"),
        Some(meant) => format!("there is no {typed}; did you mean {meant}? nothing was done"),
        None => {
            format!("there is no {typed}, and nothing was said or done; there are {}", commands.join(" "))
        }
    })
}

fn is_command(line: &str, command: &str) -> bool {
    line.split_whitespace().next() == Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Typed {
        super::read(line, &State::default())
    }

    #[test]
    fn a_path_and_a_text_of_many_lines_are_words() {
        for words in ["/usr/bin/env is wrong", "/log\nsays: error", "/home"] {
            let said = Typed::Actions(vec![HumanAction::Say(words.into())]);
            assert_eq!(read(words) == said, words != "/home", "{words}");
        }
    }

    #[test]
    fn what_is_not_understood_is_told_and_never_thrown_away() {
        for (line, why) in [
            ("/home", "there is no /home"),
            ("/puase", "did you mean /pause?"),
            ("/pause now", "/pause stands alone"),
            ("@orchestrator", "no words"),
            ("@orchestrater hi", "did you mean @orchestrator?"),
        ] {
            assert!(matches!(read(line), Typed::Unclear(said) if said.contains(why)), "{line}");
        }
        assert_eq!(read("/help"), Typed::Help);
        assert_eq!(
            read("@src/lib.rs is wrong"),
            Typed::Actions(vec![HumanAction::Say("@src/lib.rs is wrong".into())])
        );
    }

    #[test]
    fn what_only_a_conducted_mission_does_is_a_hint_in_a_council() {
        for line in ["/skip", "/retry", "/force developer"] {
            assert!(matches!(read(line), Typed::Unclear(said) if said.contains("--way conductor")), "{line}");
        }
    }
}
