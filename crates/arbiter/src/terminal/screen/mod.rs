//! The screen of a mission: one thread waits for keys, facts, live text or the time, and draws when something changed. It
//! reads the journal as another process would, so a slow terminal never delays the mission.

mod keys;
mod petitions;
mod screen_data;
mod startup_screen;
mod watch;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use docket::Docket;
use mind::petition::Petition;
use tui::manner::Manner;
use tui::terminal::TerminalGuard;
pub use tui::terminal::give_back;
use tui::theme::Theme;
use tui::view_model::{Attachment, Unreadable};

use crate::mission::fact_log::FactLogError;
use crate::mission::port::{MissionFiles, MissionPort, Moved};
use crate::terminal::console;
use crate::terminal::presence::HumanPresence;
use crate::terminal::sound::Sound;

pub use keys::Keys;
pub use startup_screen::{raise, taken_terminal, theme};

use watch::Watch;

/// What the screen's thread is told.
#[derive(Debug)]
pub enum News {
    /// A key, a paste, the mouse, or a new size.
    Input(Event),
    /// The terminal is gone.
    Gone,
    /// The journal has grown.
    Grown(Bell),
    /// There is new live text.
    Said(Bell),
    /// A process has begun to run the mission, or none does any more.
    Runs(Bell),
    /// The process was continued after a suspend.
    Continued,
    /// A remark for the person.
    Remark(String),
    /// The open petitions of the docket, and its files that are no petitions.
    Petitions(Vec<Petition>, Vec<Unreadable>),
    /// Names of the project's files.
    Files(Vec<Arc<str>>),
    /// The run is over: give the terminal back.
    Close,
}

/// What a screen shows and sends to.
pub struct Showing {
    pub port: Arc<dyn MissionFiles>,
    /// The project, whose files can be named.
    pub project: PathBuf,
    /// Whether this process runs the mission, watches it, or replays it.
    pub seat: Attachment,
    /// Called when the person quits.
    pub leave: Box<dyn FnMut() + Send>,
    /// The fact at which a replay begins.
    pub from: u64,
    /// None in a replay.
    pub docket: Option<Docket>,
    pub manner: Manner,
    pub sound: Sound,
    /// Every input counts as a sign that the person is there.
    pub presence: HumanPresence,
}

/// A notification that is sent once until it is received: at most one waits, however often it is sent.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<AtomicBool>);

impl Bell {
    /// Notifies the screen, unless a notification waits already; false if the screen is gone.
    pub fn ring(&self, news: &Sender<News>, what: impl FnOnce(Bell) -> News) -> bool {
        self.0.swap(true, Ordering::SeqCst) || news.send(what(self.clone())).is_ok()
    }

    fn heard(&self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

/// A screen on a thread of its own.
#[derive(Debug)]
pub struct ShownScreen {
    pub news: Sender<News>,
    /// Ends when the screen is closed.
    pub closed: tokio::sync::oneshot::Receiver<Result<(), FactLogError>>,
}

/// Shows a mission on the terminal until it is closed.
pub fn show(terminal: TerminalGuard, theme: Theme, showing: Showing) -> io::Result<ShownScreen> {
    let (news, inbox) = channel();
    let (done, closed) = tokio::sync::oneshot::channel();
    let keys = Keys::listen(news.clone())?;
    let told = news.clone();
    console::hold(move |text| drop(told.send(News::Remark(text.to_owned()))));
    if showing.seat != Attachment::Replay {
        follow(showing.port.as_ref(), news.clone());
    }
    let returning = news.clone();
    std::thread::Builder::new().name("screen".to_owned()).spawn(move || {
        let parting = Parting(Some(keys));
        let shown = Watch::open(terminal, theme, showing, returning).and_then(|mut watch| {
            let shown = watch.run(&inbox);
            watch.closed = shown.is_ok();
            shown
        });
        drop(parting);
        let _ = done.send(shown);
    })?;
    Ok(ShownScreen { news, closed })
}

/// Notifies the screen of every change of the mission.
fn follow(port: &dyn MissionPort, news: Sender<News>) {
    let (grown, said, runs) = (Bell::default(), Bell::default(), Bell::default());
    port.follow(Box::new(move |moved| match moved {
        Moved::Facts => grown.ring(&news, News::Grown),
        Moved::Live => said.ring(&news, News::Said),
        Moved::Running => runs.ring(&news, News::Runs),
    }));
}

/// Cleans up when a screen is gone, after a panic too: stops the reader of keys, and prints the remarks that waited.
struct Parting(Option<Keys>);

impl Drop for Parting {
    fn drop(&mut self) {
        if let Some(keys) = self.0.take() {
            keys.stop();
        }
        console::release();
    }
}

/// Whether the key is Ctrl+Z, which a terminal in raw mode leaves to us.
pub fn is_suspend(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('z') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Suspends this program, as a terminal itself does for Ctrl+Z.
pub fn stop_here() {
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
}
