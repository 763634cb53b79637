//! The terminal UI joined to a mission: one thread waits for keys, facts, live text or the time, and draws when
//! something changed. It reads the journal like any other process would, so a slow terminal holds up nothing.

mod curtain;
mod eyes;
mod keys;
mod petitions;
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
use tui::sight::{Seat, Unreadable};
use tui::terminal::Glass;
pub use tui::terminal::give_back;
use tui::theme::Theme;

use crate::mission::chronicle::ChronicleError;
use crate::mission::port::{MissionFiles, MissionPort, Moved};
use crate::terminal::console;
use crate::terminal::presence::HumanPresence;
use crate::terminal::sound::Sound;

pub use curtain::{glass, raise, theme};
pub use keys::Keys;

use watch::Watch;

/// What happens around the screen.
#[derive(Debug)]
pub enum News {
    /// A key, a paste, the mouse, another size.
    Input(Event),
    /// The keys are gone, and with them the person.
    Gone,
    /// The journal has grown.
    Grown(Bell),
    /// Somebody is saying something.
    Said(Bell),
    /// A process has begun to run the mission, or none does any more.
    Runs(Bell),
    /// The shell has let us come back.
    Continued,
    /// The person should know this.
    Remark(String),
    /// What waits in the docket, and files there that are no petitions.
    Petitions(Vec<Petition>, Vec<Unreadable>),
    /// Names of the project's files.
    Files(Vec<Arc<str>>),
    /// It is over: give the terminal back.
    Close,
}

/// What a screen is joined to.
pub struct Showing {
    /// The mission.
    pub port: Arc<dyn MissionFiles>,
    /// The project, whose files can be named.
    pub project: PathBuf,
    /// Where the person sits.
    pub seat: Seat,
    /// The person wants to leave.
    pub leave: Box<dyn FnMut() + Send>,
    /// The fact at which a replay begins.
    pub from: u64,
    /// Where petitions wait; none in a replay.
    pub docket: Option<Docket>,
    /// How the person wants the terminal.
    pub manner: Manner,
    /// What is heard of it while it happens.
    pub sound: Sound,
    /// Who is there: whatever they touch says so.
    pub presence: HumanPresence,
}

/// A bell that rings once until it is heard: however often it is pulled, one ring waits at most.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<AtomicBool>);

impl Bell {
    /// Tells the screen, unless it is told already; false if there is none any more.
    pub fn ring(&self, news: &Sender<News>, what: impl FnOnce(Bell) -> News) -> bool {
        self.0.swap(true, Ordering::SeqCst) || news.send(what(self.clone())).is_ok()
    }

    fn heard(&self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

/// A screen that is shown on a thread of its own.
#[derive(Debug)]
pub struct Shown {
    /// How it learns what happens.
    pub news: Sender<News>,
    /// Ends when the screen is closed.
    pub closed: tokio::sync::oneshot::Receiver<Result<(), ChronicleError>>,
}

/// Shows a mission on the terminal until it is closed.
pub fn show(glass: Glass, theme: Theme, showing: Showing) -> io::Result<Shown> {
    let (news, inbox) = channel();
    let (done, closed) = tokio::sync::oneshot::channel();
    let keys = Keys::listen(news.clone())?;
    let told = news.clone();
    console::hold(move |text| drop(told.send(News::Remark(text.to_owned()))));
    if showing.seat != Seat::Replay {
        follow(showing.port.as_ref(), news.clone());
    }
    let returning = news.clone();
    std::thread::Builder::new().name("screen".to_owned()).spawn(move || {
        let parting = Parting(Some(keys));
        let shown = Watch::open(glass, theme, showing, returning).and_then(|mut watch| {
            let shown = watch.run(&inbox);
            watch.closed = shown.is_ok();
            shown
        });
        drop(parting);
        let _ = done.send(shown);
    })?;
    Ok(Shown { news, closed })
}

/// Lets the screen know whatever moves of the mission.
fn follow(port: &dyn MissionPort, news: Sender<News>) {
    let (grown, said, runs) = (Bell::default(), Bell::default(), Bell::default());
    port.follow(Box::new(move |moved| match moved {
        Moved::Facts => grown.ring(&news, News::Grown),
        Moved::Live => said.ring(&news, News::Said),
        Moved::Running => runs.ring(&news, News::Runs),
    }));
}

/// What is owed when a screen is gone, after a panic too: keys are for whoever reads next, and what was remarked
/// meanwhile is said.
struct Parting(Option<Keys>);

impl Drop for Parting {
    fn drop(&mut self) {
        if let Some(keys) = self.0.take() {
            keys.stop();
        }
        console::release();
    }
}

/// Ctrl+Z, where the terminal leaves it to us.
pub fn is_suspend(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('z') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Stops this program as Ctrl+Z does where the terminal sees to it itself.
pub fn stop_here() {
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
}
