//! What shows a running mission in this process and takes a person's words: the screen, or printed lines and a prompt; in a
//! rehearsal also the scripted human. They start before the loop runs and end after it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{oneshot, watch};

use super::running::RunningMission;
use crate::cli_error::{CliError, ExitCode};
use crate::limits;
use crate::mission::fact_log::FactLogError;
use crate::mission::scripted_human;
use crate::terminal::console::{Answers, Console, LineInk, Style};
use crate::terminal::prompt::LinePrompt;
use crate::terminal::screen::{self, News, Showing, ShownScreen};
use crate::terminal::sound::Sound;
use crate::terminal::{Attachment, Theme, console, signals};

pub(super) struct Watchers {
    shown: Option<ShownScreen>,
    printer: Option<oneshot::Receiver<()>>,
    speechless: Arc<AtomicBool>,
}

/// How they ended.
pub(super) struct Parted {
    /// Why the journal could not be shown any more, if so.
    pub(super) unseen: Option<FactLogError>,
    /// How the last lines are printed; none if a stuck reader blocks stdout.
    pub(super) style: Option<Style>,
    /// The human was asked, the script had no line left, and no person could type one.
    pub(super) speechless: bool,
}

impl Watchers {
    /// Starts the screen, or the printer and the prompt.
    pub(super) fn admit(running: &RunningMission, sound: Sound) -> Result<Watchers, CliError> {
        let audience = running.audience;
        let shown = audience.theme.map(|theme| put_up(theme, showing(running, sound))).transpose()?;
        let printer = shown.is_none().then(|| print_beside(console_of(running)));
        let speechless = Arc::new(AtomicBool::new(false));
        if !running.lines.is_empty() {
            play(running, Arc::clone(&speechless));
        }
        if audience.typing && shown.is_none() {
            listen(running);
        }
        Ok(Watchers { shown, printer, speechless })
    }

    /// Waits until everything was shown, or until its reader is stuck. A finished mission stays on the screen
    /// until the person quits.
    pub(super) async fn part(self, over: bool, running: &RunningMission) -> Parted {
        let unseen = match self.shown {
            Some(shown) => take_down(shown, over, running.stop.subscribe()).await,
            None => None,
        };
        let style = running.audience.style;
        let style = match self.printer {
            Some(printer) => finish_printing(printer).await.then_some(style),
            None => Some(style),
        };
        Parted { unseen, style, speechless: self.speechless.load(Ordering::Relaxed) }
    }
}

fn showing(running: &RunningMission, sound: Sound) -> Showing {
    let stop = running.stop.clone();
    Showing {
        port: Arc::clone(&running.port),
        project: running.files(),
        seat: Attachment::House,
        leave: Box::new(move || {
            stop.send_replace(true);
        }),
        from: 0,
        docket: Some(running.docket.clone()),
        manner: running.audience.manner,
        sound,
        presence: running.presence.clone(),
    }
}

fn put_up(theme: Theme, showing: Showing) -> Result<ShownScreen, CliError> {
    let shown =
        screen::taken_terminal().and_then(|glass| screen::show(glass, theme, showing)).map_err(|error| {
            CliError::new(ExitCode::Failed, format!("the terminal cannot be used: {error}"))
                .hint("--plain prints lines instead")
        })?;
    signals::watch_return(shown.news.clone());
    Ok(shown)
}

/// Takes the screen down; that of a finished mission when the person quits. Returns why the journal could not be shown any
/// more, if so.
async fn take_down(
    mut shown: ShownScreen,
    over: bool,
    mut stop: watch::Receiver<bool>,
) -> Option<FactLogError> {
    if over {
        tokio::select! {
            closed = &mut shown.closed => return closed.ok()?.err(),
            _ = stop.wait_for(|stop| *stop) => {}
        }
    }
    let _ = shown.news.send(News::Close);
    match tokio::time::timeout(limits::READER_PATIENCE, &mut shown.closed).await {
        Ok(closed) => closed.ok()?.err(),
        Err(_) => {
            // The terminal is gone or stuck.
            console::patiently(screen::give_back);
            None
        }
    }
}

fn console_of(running: &RunningMission) -> Console {
    let audience = running.audience;
    Console {
        port: running.port.clone(),
        after: if audience.from_start { 0 } else { running.view.borrow().head },
        style: audience.style,
        answers: match (running.lines.is_empty(), audience.typing) {
            (false, _) => Answers::Scripted,
            (true, true) => Answers::Here,
            (true, false) => Answers::Elsewhere(format!("arbiter mission say {} WORDS", running.mission)),
        },
    }
}

/// Prints on a thread of its own: if it is stuck in a full pipe, it ends with the program.
fn print_beside(console: Console) -> oneshot::Receiver<()> {
    let (done, printer) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = console.follow();
        let _ = done.send(());
    });
    printer
}

/// Waits for the printer while its reader reads. False if the printer is stuck and blocks stdout.
async fn finish_printing(mut printer: oneshot::Receiver<()>) -> bool {
    loop {
        let printed = console::printed();
        if tokio::time::timeout(limits::READER_PATIENCE, &mut printer).await.is_ok() {
            return true;
        }
        if console::printed() == printed {
            return false;
        }
    }
}

/// Plays the human's part of a rehearsal. When the script has no more lines, the person types or the mission stops.
fn play(running: &RunningMission, speechless: Arc<AtomicBool>) {
    let (stop, typing) = (running.stop.clone(), running.audience.typing);
    let aloud = move || {
        if typing {
            console::remark("note: the rehearsal's script has no more lines for you; type your own");
        } else {
            speechless.store(true, Ordering::Relaxed);
            stop.send_replace(true);
        }
    };
    tokio::spawn(scripted_human::play(running.lines.clone(), running.port.clone(), aloud));
}

/// Reads typed lines, on a thread that ends with the program.
fn listen(running: &RunningMission) {
    let prompt = LinePrompt {
        port: running.port.clone(),
        stop: running.stop.clone(),
        presence: running.presence.clone(),
        aloud: match running.audience.style {
            Style::Text => |text| drop(console::write(&[(LineInk::House, format!("  = {text}"))])),
            Style::Json => |text| console::remark(format!("note: {text}")),
        },
    };
    std::thread::spawn(move || prompt.listen(std::io::stdin().lock()));
}
