//! The plain prompt: a person types lines, each a message for the Arbiter or a command. It works on any terminal that has
//! lines; the full screen is `screen`.

use std::io::{self, BufRead, IsTerminal, Read};
use std::sync::Arc;

use mind::actor::{Actor, Door};
use mind::event::HumanAction;
use mind::limits::WORDS_BYTES_MAX;
use tokio::sync::watch;
use view::typed::{self, Typed};

use crate::limits;
use crate::mission::port::{MissionPort, SayError};
use crate::terminal::presence::HumanPresence;

/// Whether a person can type here.
pub fn is_there() -> bool {
    io::stdin().is_terminal()
}

/// The logged-in user as an actor, at this door.
pub fn person(door: Door) -> Actor {
    Actor::human(door, &user_name())
}

/// The name of the user who is logged in.
pub fn user_name() -> String {
    let named = ["USER", "LOGNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
    let name = named.into_iter().find(|name| !name.is_empty());
    name.unwrap_or_else(|| format!("uid-{}", rustix::process::getuid().as_raw()))
}

/// Where the lines of a prompt go.
pub struct LinePrompt {
    /// The mission: a permission's answer is bound to its present state.
    pub port: Arc<dyn MissionPort>,
    /// Set when the person quits.
    pub stop: watch::Sender<bool>,
    /// Every line counts as a sign that the person is there.
    pub presence: HumanPresence,
    /// Prints a message for the person.
    pub aloud: fn(&str),
}

impl LinePrompt {
    /// Reads lines until the input ends. It blocks, so it needs a thread of its own, which ends with the program.
    pub fn listen(&self, mut input: impl BufRead) {
        loop {
            let line = match next_line(&mut input) {
                Ok(Some(Line::Words(line))) => line,
                Ok(Some(Line::TooLong)) => {
                    (self.aloud)(&format!(
                        "that line was not sent: it has more than the {WORDS_BYTES_MAX} bytes of one message; put \
                         the text into a file of the project and name that file"
                    ));
                    continue;
                }
                // A terminal that is gone counts as the end of the input.
                Ok(None) | Err(_) => break,
            };
            self.presence.touch();
            let Ok(state) = self.port.state() else { return };
            let actions = match typed::read(&line, &state) {
                Typed::Nothing => continue,
                Typed::Actions(actions) => actions,
                Typed::Unclear(why) => {
                    (self.aloud)(&why);
                    continue;
                }
                Typed::Quit => {
                    // Earlier lines are in the inbox already.
                    self.stop.send_replace(true);
                    return;
                }
                Typed::Help => {
                    (self.aloud)(typed::help(&state));
                    continue;
                }
            };
            if !actions.into_iter().all(|action| self.say(action)) {
                return;
            }
        }
        self.presence.close();
        let mission = self.port.mission();
        (self.aloud)(&format!(
            "the input has ended; the mission continues. Speak to it with `arbiter mission say {mission} WORDS`; \
             Ctrl-C stops it, and it can be resumed"
        ));
    }

    /// Sends the action to the mission, once its inbox has room; false if the loop has ended.
    fn say(&self, action: HumanAction) -> bool {
        let event = self.port.sign(action);
        loop {
            match self.port.send(event.clone()) {
                Ok(_) => return true,
                Err(SayError::Busy) => std::thread::sleep(limits::BUSY_PAUSE),
                Err(_) => return false,
            }
        }
    }
}

enum Line {
    Words(String),
    TooLong,
}

/// The next line, whatever its bytes are; none at the end. One that is longer than a message may be is [`Line::TooLong`].
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut piece = |bytes: &mut Vec<u8>| {
        bytes.clear();
        (&mut *input).take(WORDS_BYTES_MAX as u64 + 2).read_until(b'\n', bytes)
    };
    if piece(&mut bytes)? == 0 {
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&bytes).trim().to_owned();
    let whole = bytes.ends_with(b"\n") || bytes.len() <= WORDS_BYTES_MAX;
    if whole && line.len() <= WORDS_BYTES_MAX {
        return Ok(Some(Line::Words(line)));
    }
    while !bytes.ends_with(b"\n") && piece(&mut bytes)? > 0 {}
    Ok(Some(Line::TooLong))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use mind::Event;
    use providers::live::LiveTails;
    use tokio::sync::mpsc;

    use super::*;
    use crate::mission::fact_log::MissionJournal;
    use crate::mission::mission_loop::MissionSnapshot;
    use crate::mission::port::LocalPort;
    use crate::project::home::MissionPlaces;

    thread_local! {
        static ALOUD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    /// What the mission hears of `input`, what the person is told, and whether the program should stop.
    fn typed(input: &[u8]) -> (Vec<HumanAction>, Vec<String>, bool) {
        let (events, mut inbox) = mpsc::channel(16);
        let (stop, stopped) = watch::channel(false);
        let aloud = |text: &str| ALOUD.with_borrow_mut(|all| all.push(text.to_owned()));
        let (_picture, view) = watch::channel(MissionSnapshot { state: Arc::default(), head: 0 });
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let _within = runtime.enter();
        let places = MissionPlaces { folder: "/nowhere/m-1".into() };
        let store = Arc::new(journal::FileStore::new(journal::JournalKey::new(&[7; 32])));
        let journal = MissionJournal::new(store, places.journal());
        let port = Arc::new(LocalPort::open(
            places,
            journal,
            person(Door::Terminal),
            events,
            view,
            LiveTails::default(),
        ));
        LinePrompt { port, stop, presence: HumanPresence::begin(), aloud }.listen(input);
        let mut actions = Vec::new();
        while let Ok(Event::Human(human)) = inbox.try_recv() {
            assert!(human.written > mind::Timestamp(0));
            actions.push(human.action);
        }
        let stopping = *stopped.borrow();
        (actions, ALOUD.take(), stopping)
    }

    #[test]
    fn a_line_that_is_not_utf8_is_heard_and_so_is_the_next() {
        let (actions, _, _) = typed(b"caf\xe9\nand more\n");
        assert_eq!(actions, [HumanAction::Say("caf\u{fffd}".into()), HumanAction::Say("and more".into())]);
    }

    #[test]
    fn a_line_too_long_is_refused_aloud_and_the_next_is_heard() {
        for length in [WORDS_BYTES_MAX + 1, 3 * WORDS_BYTES_MAX] {
            let (actions, aloud, _) = typed(format!("{}\nshort\n", "x".repeat(length)).as_bytes());
            assert_eq!(actions, [HumanAction::Say("short".into())]);
            assert!(aloud[0].contains("not sent") && aloud[0].contains("a file"), "{aloud:?}");
        }
        let longest = "x".repeat(WORDS_BYTES_MAX);
        assert_eq!(typed(format!("{longest}\n").as_bytes()).0, [HumanAction::Say(longest.into())]);
    }

    #[test]
    fn at_the_end_of_the_input_the_other_ways_to_speak_are_told() {
        let (actions, aloud, stopping) = typed(b"no newline");
        assert_eq!(actions, [HumanAction::Say("no newline".into())]);
        assert!(aloud[0].contains("continues") && aloud[0].contains("arbiter mission say m-1"), "{aloud:?}");
        assert!(aloud[0].contains("Ctrl-C"), "{aloud:?}");
        assert!(!stopping);
    }

    #[test]
    fn words_before_a_quit_are_sent_before_it() {
        let (actions, aloud, stopping) = typed(b"@orchestrator: wait\n/pause\n/quit\nnever read\n");
        assert_eq!(actions, [HumanAction::SayToOrchestrator("wait".into()), HumanAction::Pause]);
        assert!(stopping && aloud.is_empty());
    }
}
