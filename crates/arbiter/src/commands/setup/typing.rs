//! What a person types in a setup, line by line: at a terminal, secrets without echo; or from a pipe.

use std::io::{self, BufRead as _, IsTerminal as _};

use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};

use crate::terminal::console;

/// The longest line that is read, in bytes.
const LINE_BYTES_MAX: u64 = 4096;
const CTRL_C: u8 = 0x03;

/// The next line; none when nothing comes any more.
pub(super) fn line(prompt: &str) -> Option<String> {
    let _ = console::ask(prompt);
    let mut bytes = Vec::new();
    // One byte more than a line is never taken from what follows it: stdin is buffered for the whole program.
    let mut stdin = io::Read::take(io::stdin().lock(), LINE_BYTES_MAX);
    loop {
        let (end, count) = match stdin.fill_buf() {
            Ok(read) => (read.iter().position(|byte| [b'\n', CTRL_C].contains(byte)), read.len()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        let taken = end.map_or(count, |end| end + 1);
        bytes.extend(stdin.fill_buf().ok()?.iter().take(taken));
        stdin.consume(taken);
        if end.is_some() || count == 0 {
            break;
        }
    }
    let is_left = bytes.is_empty() || bytes.ends_with(&[CTRL_C]);
    (!is_left).then(|| String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// The same for a secret: a terminal does not show it. Ctrl+C ends the line there, and nothing was typed: a signal would leave
/// the shell without echo.
pub(super) fn secret(prompt: &str) -> Option<String> {
    let quiet = QuietTerminal::begin();
    let typed = line(prompt);
    if quiet.is_some() {
        console::line("");
    }
    typed
}

/// Whether the answer is yes; Enter means `otherwise`, and so does the end of what is typed, unless that would be a yes.
pub(super) fn yes(question: &str, otherwise: bool) -> bool {
    let keys = if otherwise { "[Y/n]" } else { "[y/N]" };
    match line(&format!("{question} {keys} ")) {
        None => false,
        Some(typed) if typed.is_empty() => otherwise,
        Some(typed) => matches!(typed.to_lowercase().as_str(), "y" | "yes"),
    }
}

/// A terminal without echo, until it is dropped.
struct QuietTerminal {
    before: Termios,
}

impl QuietTerminal {
    fn begin() -> Option<QuietTerminal> {
        let stdin = io::stdin();
        if !stdin.is_terminal() {
            return None;
        }
        let before = tcgetattr(&stdin).ok()?;
        let mut modes = before.clone();
        modes.local_modes.remove(LocalModes::ECHO | LocalModes::ISIG);
        modes.special_codes[SpecialCodeIndex::VEOL] = CTRL_C;
        // What was typed before the question may be meant for something else.
        tcsetattr(&stdin, OptionalActions::Flush, &modes).ok()?;
        Some(QuietTerminal { before })
    }
}

impl Drop for QuietTerminal {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}
