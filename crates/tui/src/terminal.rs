//! The terminal: put into screen mode while a screen is shown, and restored in every case.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{self, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::theme::{Colours, Signs, Theme};

/// The terminal is in screen mode and must be restored.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// How long the stop signal may take to arrive. The wait costs nothing: a suspended process is continued later than that.
const STOP: std::time::Duration = std::time::Duration::from_millis(250);

/// The size of a terminal that does not tell it.
const SIZE: (u16, u16) = (80, 24);
/// The usual largest size of a frame.
const FRAME_BYTES: usize = 64 * 1024;
/// No more columns or rows than this are drawn, whatever a terminal says it has.
const SIDE_MAX: u16 = 1_000;

/// A terminal that shows a screen. Dropping it restores the terminal.
pub struct TerminalGuard {
    /// Each frame is written in one piece. It is never dropped: with a closed window its drop would print to stderr, which is
    /// gone as well, and panic. We restore all that it would.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<BufWriter<Stdout>>>>,
}

impl TerminalGuard {
    /// Takes the terminal. A panic restores it before its message is printed.
    pub fn take() -> io::Result<TerminalGuard> {
        static HOOK: std::sync::Once = std::sync::Once::new();
        HOOK.call_once(|| {
            let told = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                give_back();
                told(panic);
            }));
        });
        enter()?;
        let backend = CrosstermBackend::new(BufWriter::with_capacity(FRAME_BYTES, io::stdout()));
        let options = ratatui::TerminalOptions { viewport: ratatui::Viewport::Fixed(size()) };
        match Terminal::with_options(backend, options) {
            Ok(terminal) => Ok(TerminalGuard { terminal: ManuallyDrop::new(terminal) }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// The whole of it.
    pub fn area(&self) -> Rect {
        size()
    }

    /// Draws a frame: only what differs from the last one is written. `draw` says where the cursor is.
    pub fn draw(&mut self, draw: impl FnOnce(Rect, &mut Buffer) -> Option<Position>) -> io::Result<()> {
        let area = size();
        if self.terminal.get_frame().area() != area {
            self.terminal.resize(area)?;
        }
        self.terminal.draw(|frame| {
            let cursor = draw(frame.area(), frame.buffer_mut());
            if let Some(cursor) = cursor {
                frame.set_cursor_position(cursor);
            }
        })?;
        Ok(())
    }

    /// Forgets the last frame: the next one is drawn whole.
    pub fn forget(&mut self) -> io::Result<()> {
        self.terminal.resize(size())
    }

    /// Restores the terminal and suspends until the process is continued.
    pub fn step_aside(&mut self, stop: impl FnOnce()) -> io::Result<()> {
        give_back();
        stop();
        // The stop signal may arrive a moment later: the terminal must not be taken again before.
        std::thread::sleep(STOP);
        self.come_back()
    }

    /// Whether the terminal is in screen mode; code that printed lines may have restored it meanwhile.
    pub fn is_taken(&self) -> bool {
        TAKEN.load(Ordering::SeqCst)
    }

    /// Takes the terminal again after the shell had it.
    pub fn come_back(&mut self) -> io::Result<()> {
        // After a stop by SIGSTOP the library still believes in raw mode, which the shell has ended since.
        let _ = terminal::disable_raw_mode();
        enter()?;
        self.forget()
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let taken = execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableBracketedPaste,
        EnableMouseCapture,
        terminal::Clear(terminal::ClearType::All)
    );
    if taken.is_err() {
        give_back();
    }
    taken
}

/// Restores the terminal. It can be called at any time, and more than once.
pub fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // A terminal that is stuck takes no output, but its mode can still be restored.
    let _ = terminal::disable_raw_mode();
    let _ = execute!(
        io::stdout(),
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = io::stdout().flush();
}

/// The terminal's size; a common one if it reports none.
fn size() -> Rect {
    let (columns, rows) = terminal::size().unwrap_or(SIZE);
    let (columns, rows) = if columns == 0 || rows == 0 { SIZE } else { (columns, rows) };
    Rect::new(0, 0, columns.min(SIDE_MAX), rows.min(SIDE_MAX))
}

/// The environment variables that say what a terminal can do.
#[derive(Debug, Clone, Copy, Default)]
pub struct Claims<'a> {
    pub term: Option<&'a str>,
    pub colour_term: Option<&'a str>,
    /// NO_COLOR is set.
    pub no_colour: bool,
    /// LC_ALL, LC_CTYPE or LANG, the first that says anything.
    pub locale: Option<&'a str>,
}

impl Claims<'_> {
    /// It can show a screen: cursor movements and all.
    pub fn can_show(&self) -> bool {
        self.term.is_some_and(|term| !term.is_empty() && term != "dumb")
    }

    fn colours(&self) -> Colours {
        let term = self.term.unwrap_or_default();
        let says = self.colour_term.is_some_and(|says| says == "truecolor" || says == "24bit");
        let known = TRUE_COLOURED.iter().any(|name| term.starts_with(name)) || term.ends_with("-direct");
        if self.no_colour {
            Colours::None
        } else if says || known {
            Colours::True
        } else if term.contains("256") {
            Colours::Many
        } else {
            Colours::Sixteen
        }
    }

    /// How things look on it.
    pub fn theme(&self) -> Theme {
        // Without a locale, UTF-8 is assumed; a locale that names another encoding counts.
        let folded = self.locale.map(|locale| locale.to_ascii_lowercase().replace('-', ""));
        let ascii = folded.is_some_and(|locale| !locale.contains("utf8"));
        let signs = if ascii { Signs::Ascii } else { Signs::Unicode };
        Theme { colours: self.colours(), signs }
    }
}

/// Terminals that show every colour, by the beginning of their names, whether or not they say so.
const TRUE_COLOURED: [&str; 7] =
    ["xterm-kitty", "xterm-ghostty", "alacritty", "wezterm", "foot", "contour", "rio"];

/// Whether input and output are both a terminal.
pub fn is_there() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_believed_what_it_says() {
        let claims = |term, locale| Claims { term, locale, ..Claims::default() };
        assert!(claims(Some("xterm-256color"), None).can_show());
        assert!(!claims(Some("dumb"), None).can_show());
        assert!(!claims(Some(""), None).can_show());
        assert!(!claims(None, None).can_show());
        assert_eq!(claims(Some("alacritty"), Some("en_GB.UTF-8")).theme(), Theme::COLOURED);
        assert_eq!(claims(None, None).theme().signs, Signs::Unicode);
        assert_eq!(claims(None, Some("C.utf8")).theme().signs, Signs::Unicode);
        assert_eq!(claims(None, Some("de_DE.ISO-8859-1")).theme().signs, Signs::Ascii);
        assert_eq!(claims(None, Some("C")).theme().signs, Signs::Ascii);
        assert!(!Claims { no_colour: true, ..Claims::default() }.theme().is_coloured());
    }

    #[test]
    fn colours_are_as_many_as_a_terminal_says() {
        let colours = |term, colour_term, no_colour| {
            Claims { term: Some(term), colour_term, no_colour, locale: None }.theme().colours
        };
        assert_eq!(colours("xterm-256color", Some("truecolor"), false), Colours::True);
        assert_eq!(colours("screen", Some("24bit"), false), Colours::True);
        assert_eq!(colours("xterm-kitty", None, false), Colours::True);
        assert_eq!(colours("xterm-direct", None, false), Colours::True);
        assert_eq!(colours("tmux-256color", Some("yes"), false), Colours::Many);
        assert_eq!(colours("linux", None, false), Colours::Sixteen);
        assert_eq!(colours("xterm-256color", Some("truecolor"), true), Colours::None);
    }
}
