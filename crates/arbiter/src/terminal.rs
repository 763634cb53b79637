//! The plain prompt: a person types lines, each is words for the Arbiter or a command. The full screen comes elsewhere;
//! this door works on anything that has lines.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;

use mind::event::Deed;
use mind::talk::Actor;
use mind::{Event, HumanEvent};
use tokio::sync::{mpsc, watch};

use crate::clock;
use crate::console;
use crate::house::Picture;
use crate::narrate::Ink;

const HELP: &str = "type words for the Arbiter, or: @orchestrator WORDS, /pause, /resume, /interrupt, /release, \
                    /cancel, /quit (the mission can be resumed)";

/// A person can type here.
pub fn is_there() -> bool {
    io::stdin().is_terminal()
}

/// Who types.
pub fn user() -> Actor {
    let name = std::env::var("USER").or_else(|_| std::env::var("LOGNAME")).unwrap_or_default();
    let name = if name.is_empty() { "somebody" } else { &name };
    Actor::Human { door: Arc::from("terminal"), user: Arc::from(name) }
}

/// Reads lines until the input ends. Blocks: it wants a thread of its own, which dies with the program.
pub fn listen(events: &mpsc::Sender<Event>, stop: &watch::Sender<bool>) {
    let actor = user();
    let began = clock::now().0;
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let Ok(line) = line else { return };
        let deed = match read(&line) {
            Typed::Nothing => continue,
            Typed::Deed(deed) => deed,
            Typed::Quit => {
                stop.send_replace(true);
                return;
            }
            Typed::Help => {
                let _ = console::write(&[(Ink::House, format!("  = {HELP}"))]);
                continue;
            }
        };
        let letter = Arc::from(format!("terminal-{began}-{number}"));
        let event = HumanEvent { letter, actor: actor.clone(), deed };
        if events.blocking_send(Event::Human(event)).is_err() {
            return;
        }
    }
}

/// Shows a prompt sign whenever the human is wanted.
pub async fn beckon(mut view: watch::Receiver<Picture>) {
    let mut asked = None;
    loop {
        let question = view.borrow_and_update().state.question;
        if question != asked {
            asked = question;
            if question.is_some() {
                // The words of the question are printed by the console; let them come first.
                tokio::time::sleep(std::time::Duration::from_millis(60)).await;
                print!("> ");
                let _ = io::stdout().flush();
            }
        }
        if view.changed().await.is_err() {
            return;
        }
    }
}

enum Typed {
    Nothing,
    Deed(Deed),
    Help,
    Quit,
}

fn read(line: &str) -> Typed {
    let line = line.trim();
    if let Some(words) = line.strip_prefix("@orchestrator") {
        let words = words.trim_start_matches(':').trim();
        return if words.is_empty() {
            Typed::Help
        } else {
            Typed::Deed(Deed::SayToOrchestrator(words.into()))
        };
    }
    match line {
        "" => Typed::Nothing,
        "/pause" => Typed::Deed(Deed::Pause),
        "/resume" => Typed::Deed(Deed::Resume),
        "/interrupt" => Typed::Deed(Deed::Interrupt),
        "/release" => Typed::Deed(Deed::Release),
        "/cancel" => Typed::Deed(Deed::Cancel),
        "/quit" => Typed::Quit,
        other if other.starts_with('/') => Typed::Help,
        words => Typed::Deed(Deed::Say(words.into())),
    }
}
