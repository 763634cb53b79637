//! Prints a mission as it happens: lines for people, or one entry per line as JSON. It reads the journal like any other
//! process would, so that a slow terminal never holds up the loop.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use mind::State;
use serde::Serialize;
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::chronicle::{ChronicleError, Tail};
use crate::house::Picture;
use crate::narrate::{Ink, Line, narrate};

/// How a mission is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// For people.
    Text,
    /// For programs: one entry per line.
    Json,
}

/// What is printed, from where.
pub struct Console {
    /// The journal.
    pub journal: PathBuf,
    /// Entries up to here are known already and not printed.
    pub after: u64,
    /// How.
    pub style: Style,
    /// What to say, besides, when the human is wanted; none when somebody else answers.
    pub waiting: Option<String>,
}

#[derive(Serialize)]
struct Printed<'a> {
    seq: u64,
    #[serde(flatten)]
    entry: &'a mind::Entry,
}

impl Console {
    /// Follows the mission until its loop has ended. Blocks: it wants a thread of its own.
    pub fn follow(self, runtime: &Handle, mut view: watch::Receiver<Picture>) -> Result<(), ChronicleError> {
        let mut state = State::default();
        let mut tail = Tail::open(&self.journal)?;
        let mut asked = None;
        let mut seen = 0;
        loop {
            // Whatever is synced by now is below this head.
            let head = view.borrow_and_update().head;
            let mut lines = Vec::new();
            while seen < head {
                let Some(entries) = tail.next()? else { break };
                for (seq, entry) in &entries {
                    state.apply(entry);
                    seen = *seq;
                    if *seq > self.after {
                        self.print(*seq, entry, &state, &mut lines);
                    }
                }
            }
            if let (Some(text), Style::Text) = (&self.waiting, self.style)
                && state.question != asked
                && state.ended.is_none()
            {
                asked = state.question;
                if asked.is_some() && head > self.after {
                    lines.push((Ink::House, format!("  ? {text}")));
                }
            }
            if write(&lines).is_err() {
                // Nobody reads any more; the mission goes on.
                return Ok(());
            }
            if runtime.block_on(view.changed()).is_err() {
                return Ok(());
            }
        }
    }

    fn print(&self, seq: u64, entry: &mind::Entry, state: &State, lines: &mut Vec<Line>) {
        match self.style {
            Style::Text => lines.extend(narrate(entry, state)),
            Style::Json => {
                if let Ok(text) = serde_json::to_string(&Printed { seq, entry }) {
                    lines.push((Ink::Words, text));
                }
            }
        }
    }
}

/// Prints lines to stdout, in colour where colour is welcome.
pub fn write(lines: &[Line]) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let colours = colours_welcome();
    let mut out = io::stdout().lock();
    for (ink, text) in lines {
        let text = printable(text);
        match paint(*ink).filter(|_| colours) {
            Some(code) => writeln!(out, "\x1b[{code}m{text}\x1b[0m")?,
            None => writeln!(out, "{text}")?,
        }
    }
    out.flush()
}

fn colours_welcome() -> bool {
    let no = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    io::stdout().is_terminal() && !no("NO_COLOR") && !dumb
}

fn paint(ink: Ink) -> Option<&'static str> {
    match ink {
        Ink::Name => Some("1"),
        Ink::Words => None,
        Ink::Dim | Ink::Work => Some("2"),
        Ink::House => Some("36"),
        Ink::Good => Some("1;32"),
        Ink::Bad => Some("33"),
    }
}

/// An agent's text may not move the cursor or ring the bell.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || *c == '\t').collect()
}
