//! The startup screen: whether the terminal can show a screen, and an empty one that is drawn while a mission is being
//! prepared.

use std::io;
use std::sync::{Mutex, PoisonError};

use jiff::tz::TimeZone;
use mind::{State, Timestamp};
use rustix::termios::{self, LocalModes, OptionalActions, SpecialCodeIndex};
use tui::draw;
use tui::manner::Manner;
use tui::screen::Screen;
use tui::terminal::{self, Claims, TerminalGuard};
use tui::theme::Theme;
use tui::transcript::Kept;
use tui::view_model::{Attachment, ViewModel};
use view::LiveText;
use view::stage_event::StageEvents;
use view::story::Story;

use crate::terminal::console;

/// The theme of this terminal, if it can show a screen and the person wants one.
pub fn theme(plain: bool) -> Option<Theme> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let term = variable("TERM");
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    let colour_term = variable("COLORTERM");
    let claims = Claims {
        term: term.as_deref(),
        colour_term: colour_term.as_deref(),
        no_colour: variable("NO_COLOR").is_some(),
        locale: locale.as_deref(),
    };
    let wanted = !plain && variable("ARBITER_PLAIN").is_none();
    (wanted && claims.can_show() && terminal::is_there()).then(|| claims.theme())
}

/// The terminal while the startup screen is drawn.
static STARTUP: Mutex<Option<TerminalGuard>> = Mutex::new(None);

/// Takes the terminal and draws an empty screen, so that the person sees that the program has started. Code that prints or
/// asks meanwhile takes it down again (`console::lower`).
pub fn raise(theme: Theme, manner: Manner) {
    let Ok(mut terminal) = TerminalGuard::take() else { return };
    console::hold(|_| {});
    let (state, story, live, zone) = (State::default(), Story::default(), LiveText::new(), TimeZone::UTC);
    let model = ViewModel {
        state: &state,
        story: &story,
        stage_events: &StageEvents::default(),
        beat: 0,
        manner,
        head: 0,
        last: 0,
        now: Timestamp(0),
        zone: &zone,
        live: &live,
        logbook: &[],
        files: &[],
        petitions: &[],
        unreadable: &[],
        seat: Attachment::House,
        over: false,
        waits: 0,
        runs: true,
        by_hand: providers::registry::by_hand,
    };
    let screen = Screen::default();
    let _ =
        terminal.draw(|area, buffer| draw::draw(&screen, &model, area, buffer, &theme, &mut Kept::default()));
    let _ = signal_by_key(true);
    *STARTUP.lock().unwrap_or_else(PoisonError::into_inner) = Some(terminal);
}

/// The terminal for a screen: that of the startup screen, if there is one.
pub fn taken_terminal() -> io::Result<TerminalGuard> {
    let curtain = STARTUP.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(mut terminal) = curtain else { return TerminalGuard::take() };
    if terminal.is_taken() {
        signal_by_key(false)?;
    } else {
        terminal.come_back()?;
    }
    Ok(terminal)
}

/// Makes Ctrl+C a signal or a key. During startup it is a signal, because no code reads keys yet.
fn signal_by_key(signals: bool) -> io::Result<()> {
    let terminal = io::stdin();
    let mut modes = termios::tcgetattr(&terminal)?;
    modes.local_modes.set(LocalModes::ISIG, signals);
    // A suspend in this state would leave the shell behind the startup screen.
    modes.special_codes[SpecialCodeIndex::VSUSP] = if signals { 0 } else { CTRL_Z };
    termios::tcsetattr(&terminal, OptionalActions::Now, &modes)?;
    Ok(())
}

/// The usual key that suspends a program.
const CTRL_Z: u8 = 0x1a;
