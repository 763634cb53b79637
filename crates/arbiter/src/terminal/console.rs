//! Prints a mission as it happens: lines for people, or one entry per line as JSON. It reads the journal like any other
//! process would, so that a slow terminal never holds up the loop. A reader that stops reading or goes away loses the
//! rest; the mission goes on.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use mind::talk::Asks;
use mind::{State, WaitingOn};
use serde::Serialize;
use view::refusal::JournalRefusal;

use crate::limits;
use crate::mission::port::{MissionPort, Moved};
pub use tui::lines::{Line, LineInk, of as told, of_ending as ending, of_entry};
pub use tui::text::wrap::{cut as fitted, folded, width as columns_of};

/// Lines that reached stdout.
static PRINTED: AtomicU64 = AtomicU64::new(0);

/// How a mission is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Text,
    /// For programs: one entry per line.
    Json,
}

/// What is printed, from where.
pub struct Console {
    pub port: Arc<dyn MissionPort>,
    /// Entries up to here are known already and not printed.
    pub after: u64,
    /// For people or for programs.
    pub style: Style,
    /// Who answers when the human is wanted.
    pub answers: Answers,
}

/// Who answers when the human is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answers {
    /// The scripted human of a rehearsal.
    Scripted,
    /// A person at this terminal.
    Here,
    /// A person elsewhere, by this command.
    Elsewhere(String),
}

#[derive(Serialize)]
struct Printed<'a> {
    seq: u64,
    #[serde(flatten)]
    entry: &'a mind::Entry,
}

impl Console {
    /// Follows the mission until its loop has ended. Blocks: it wants a thread of its own.
    pub fn follow(self) -> Result<(), JournalRefusal> {
        let (tell, told) = sync_channel(1);
        self.port.follow(Box::new(move |moved| match moved {
            Moved::Facts => !matches!(tell.try_send(()), Err(TrySendError::Disconnected(()))),
            Moved::Live => true,
            Moved::Running => false,
        }));
        let mut state = State::default();
        let mut facts = self.port.facts()?;
        let mut asked = None;
        let (mut seen, mut over) = (0, false);
        loop {
            let mut lines = Vec::new();
            for fact in facts.by_ref() {
                let (seq, entry) = fact?;
                let before = state.clone();
                state.apply(&entry);
                seen = seq;
                if seq > self.after {
                    self.print(seq, &entry, (&before, &state), &mut lines);
                }
            }
            let mut wanted = false;
            let waiting = state.question.filter(|_| state.waiting_on() == WaitingOn::Human && !state.paused);
            if seen > self.after && waiting != asked {
                asked = waiting;
                wanted = asked.is_some() && self.style == Style::Text;
            }
            if wanted {
                lines.extend(self.beckon(&state));
            }
            let written = write(&lines).and_then(|()| match self.answers {
                Answers::Here if wanted => ask(">"),
                Answers::Here | Answers::Scripted | Answers::Elsewhere(_) => Ok(()),
            });
            if let Err(error) = written {
                // The reader is gone; the mission goes on.
                if error.kind() != io::ErrorKind::BrokenPipe {
                    remark(format!("note: stdout cannot be written ({error}); all of it is in the journal"));
                }
                return Ok(());
            }
            if over {
                return Ok(());
            }
            // What became a fact before the end is read once more.
            over = told.recv().is_err();
        }
    }

    /// How a person answers what is asked now.
    fn beckon(&self, state: &State) -> Vec<Line> {
        let mut lines = Vec::new();
        let question = state.question.and_then(|question| state.message(question));
        if question.is_some_and(|message| message.asks == Some(Asks::Alignment))
            && self.answers != Answers::Scripted
        {
            let text = "answer \"yes\" and nothing else to begin; anything else is a conversation";
            lines.push((LineInk::House, format!("  ? {text}")));
        }
        if let Answers::Elsewhere(command) = &self.answers {
            lines.push((LineInk::House, format!("  ? the mission waits for you: {command}")));
        }
        lines
    }

    fn print(&self, seq: u64, entry: &mind::Entry, states: (&State, &State), lines: &mut Vec<Line>) {
        match self.style {
            Style::Text => lines.extend(of_entry(entry, states.0, states.1)),
            Style::Json => lines.extend(as_json(seq, entry)),
        }
    }
}

/// An entry for programs, as one line.
pub fn as_json(seq: u64, entry: &mind::Entry) -> Option<Line> {
    Some((LineInk::Words, serde_json::to_string(&Printed { seq, entry }).ok()?))
}

/// Why stdout could not be written, the first time that it could not.
static UNWRITTEN: Mutex<Option<String>> = Mutex::new(None);

/// Remembers that stdout could not be written: the program then ends as failed. A reader that went away is no failure.
fn remember<T>(written: io::Result<T>) -> io::Result<T> {
    if let Err(error) = &written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let mut unwritten = UNWRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
        unwritten.get_or_insert_with(|| error.to_string());
    }
    written
}

/// Why not all of the output reached stdout, if so. Each write ends a line or flushes, so that nothing is held back; stdout
/// itself is not touched here, since its lock may be held by a write to a reader that reads nothing.
pub fn unwritten() -> Option<String> {
    UNWRITTEN.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Prints one line to stdout.
pub fn line(text: impl std::fmt::Display) {
    lower();
    let _ = remember(writeln!(io::stdout().lock(), "{}", harmless(&text.to_string())));
}

/// Prints bytes to stdout as they are: a document, a patch, a script for a shell.
pub fn print(mut bytes: impl io::Read) -> io::Result<()> {
    lower();
    let mut out = io::stdout().lock();
    remember(io::copy(&mut bytes, &mut out).and_then(|_| out.flush()))
}

/// Asks for an answer on the same line.
pub fn ask(text: &str) -> io::Result<()> {
    lower();
    let mut out = io::stdout().lock();
    remember(write!(out, "{} ", harmless(text)).and_then(|()| out.flush()))
}

/// What is said while a screen has the terminal.
struct Held {
    aloud: Box<dyn Fn(&str) + Send>,
    remarks: Vec<String>,
}

static HELD: Mutex<Option<Held>> = Mutex::new(None);

/// A screen has the terminal: remarks are told to it, and kept until it gives the terminal back.
pub fn hold(aloud: impl Fn(&str) + Send + 'static) {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let remarks = held.take().map(|held| held.remarks).unwrap_or_default();
    remarks.iter().for_each(|remark| aloud(remark));
    *held = Some(Held { aloud: Box::new(aloud), remarks });
}

/// Lines can only be printed on a terminal that shows lines: a screen that is still up is taken down first.
pub fn lower() {
    tui::terminal::give_back();
    release();
}

/// The terminal has lines again: what was remarked meanwhile is said now.
pub fn release() {
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner).take();
    held.into_iter().flat_map(|held| held.remarks).for_each(remark);
}

/// Remarks something on stderr.
pub fn remark(text: impl std::fmt::Display) {
    let text = format!("{}\n", harmless(&text.to_string()));
    if let Some(held) = HELD.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        (held.aloud)(text.trim_end());
        if held.remarks.len() >= limits::REMARKS_MAX {
            held.remarks.remove(0);
        }
        held.remarks.push(text.trim_end().to_owned());
        return;
    }
    patiently(move || drop(io::stderr().lock().write_all(text.as_bytes())));
}

/// Prints on another thread and waits only so long: a reader that does not read holds up nothing.
pub fn patiently(print: impl FnOnce() + Send + 'static) {
    let (done, printed) = std::sync::mpsc::channel();
    let speaker = std::thread::Builder::new().spawn(move || {
        print();
        let _ = done.send(());
    });
    if speaker.is_ok() {
        let _ = printed.recv_timeout(limits::READER_PATIENCE);
    }
}

/// How many lines reached stdout so far, to see whether a printer still makes progress.
pub fn printed() -> u64 {
    PRINTED.load(Ordering::Relaxed)
}

/// Prints lines to stdout, in colour where colour is welcome.
pub fn write(lines: &[Line]) -> io::Result<()> {
    write_beside("", lines)
}

/// The same beside a dim margin: it stands before the first line that says anything, as much space before the others.
pub fn write_beside(margin: &str, lines: &[Line]) -> io::Result<()> {
    remember(write_lines(margin, lines))
}

fn write_lines(margin: &str, lines: &[Line]) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    lower();
    let colours = colours_welcome();
    let room = margin.chars().count();
    let width = width().map(|columns| columns.saturating_sub(room)).filter(|columns| *columns >= 20);
    let mut margin = Some(margin).filter(|margin| !margin.is_empty());
    let mut out = io::stdout().lock();
    for (ink, text) in lines {
        for text in wrap(&printable(text), width) {
            match margin.take_if(|_| !text.is_empty()) {
                Some(margin) if colours => write!(out, "\x1b[2m{margin}\x1b[0m")?,
                Some(margin) => write!(out, "{margin}")?,
                None if text.is_empty() => {}
                None => write!(out, "{:room$}", "")?,
            }
            match paint(*ink).filter(|_| colours) {
                Some(code) => writeln!(out, "\x1b[{code}m{text}\x1b[0m")?,
                None => writeln!(out, "{text}")?,
            }
            PRINTED.fetch_add(1, Ordering::Relaxed);
        }
    }
    out.flush()
}

/// The columns of the terminal; a file has no end of a line.
pub(crate) fn width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns >= 20)
}

/// Breaks a line between words; what follows stands under its first word.
fn wrap(text: &str, width: Option<usize>) -> Vec<String> {
    let Some(width) = width.filter(|width| text.chars().count() > *width) else {
        return vec![text.to_owned()];
    };
    let margin: String = text.chars().take_while(|sign| " ·=!?-".contains(*sign)).take(width / 2).collect();
    let hang = " ".repeat(margin.chars().count());
    let mut lines = Vec::new();
    let mut line = margin.clone();
    let mut length = margin.chars().count();
    for word in text[margin.len()..].split(' ') {
        let word_length = word.chars().count();
        if length > hang.len() && length + 1 + word_length > width {
            lines.push(std::mem::replace(&mut line, hang.clone()));
            length = hang.len();
        } else if length > hang.len() {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += word_length;
    }
    lines.push(line);
    lines
}

fn colours_welcome() -> bool {
    let no = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    io::stdout().is_terminal() && !no("NO_COLOR") && !dumb
}

fn paint(ink: LineInk) -> Option<&'static str> {
    match ink {
        LineInk::Name => Some("1"),
        LineInk::Words => None,
        LineInk::Dim | LineInk::Work => Some("2"),
        LineInk::House => Some("36"),
        LineInk::Good => Some("1;32"),
        LineInk::Bad => Some("33"),
    }
}

/// An agent's text may not move the cursor or ring the bell, nor turn the direction of writing around.
pub fn printable(text: &str) -> String {
    text.chars().filter(|sign| (!sign.is_control() || *sign == '\t') && !turns(*sign)).collect()
}

/// The same for a text of many lines. Names of files are an agent's text too.
fn harmless(text: &str) -> String {
    text.chars().filter(|sign| (!sign.is_control() || "\t\n".contains(*sign)) && !turns(*sign)).collect()
}

/// A sign that turns the direction of writing around.
fn turns(sign: char) -> bool {
    matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_broken_between_words_and_hangs() {
        let lines = wrap("  = the house ran the test itself", Some(20));
        assert_eq!(lines, ["  = the house ran", "    the test itself"]);
    }

    #[test]
    fn a_word_longer_than_the_line_is_left_whole() {
        assert_eq!(wrap("  refs/arbiter/2026-11-15-k3f9", Some(20)), ["  refs/arbiter/2026-11-15-k3f9"]);
    }

    #[test]
    fn a_file_gets_the_line_as_it_is() {
        let text = "word ".repeat(100);
        assert_eq!(wrap(&text, None), [text]);
    }

    #[test]
    fn no_text_moves_the_cursor_or_turns_around() {
        assert_eq!(printable("a\u{1b}[2Jb\u{202e}c\u{7}"), "a[2Jbc");
        assert_eq!(harmless("a\u{1b}]0;b\u{9b}2J\n\tc\r\u{2066}\u{200f}d"), "a]0;b2J\n\tcd");
    }
}
