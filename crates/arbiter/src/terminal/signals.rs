//! Ctrl-C, SIGTERM and SIGHUP stop the mission in order; a second one, after a moment, ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::cli_error::ExitCode;
use crate::mission::last_session;
use crate::mission::mission_loop::MissionSnapshot;
use crate::terminal::console;
use crate::terminal::screen::News;
use crate::terminal::sound;

/// Signals that come together count as one: a terminal and a supervisor may both pass on the same one.
const ONE_WISH: Duration = Duration::from_millis(500);

/// Set once a mission handles the signals.
static HEARD: AtomicBool = AtomicBool::new(false);

/// Before a mission handles signals, one restores the terminal and ends the program: nothing has begun yet.
pub fn watch_curtain() {
    for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
        tokio::spawn(async move {
            let Ok(mut signals) = signal(kind) else { return };
            signals.recv().await;
            if !HEARD.load(Ordering::SeqCst) {
                sound::silence();
                console::patiently(console::lower);
                std::process::exit(ExitCode::Cancelled as i32);
            }
        });
    }
}

/// Sets `stop` at the first signal and ends the program at the second.
pub fn watch(stop: watch::Sender<bool>, view: watch::Receiver<MissionSnapshot>, mission: String) {
    HEARD.store(true, Ordering::SeqCst);
    tokio::spawn(async move {
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let mut signals: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect();
        let [interrupt, terminate, hangup] = signals.as_mut_slice() else { return };
        let mut wished: Option<Instant> = None;
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
            match wished {
                Some(first) if first.elapsed() < ONE_WISH => {}
                Some(_) => {
                    // The files on disk are whole at every moment; only our processes must not outlive us.
                    sandbox::strike_leftovers(&mission);
                    sound::silence();
                    console::patiently(console::lower);
                    console::remark(last_session::line(&view.borrow().state));
                    std::process::exit(ExitCode::Cancelled as i32);
                }
                None => {
                    wished = Some(Instant::now());
                    stop.send_replace(true);
                }
            }
        }
    });
}

/// Tells a screen when the process was continued (SIGCONT).
pub fn watch_return(news: std::sync::mpsc::Sender<News>) {
    tokio::spawn(async move {
        let Ok(mut returns) = signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw())) else {
            return;
        };
        while returns.recv().await.is_some() && news.send(News::Continued).is_ok() {}
    });
}

/// Closes the screen of `attach` or `replay` at the first signal.
pub fn watch_screen(news: &std::sync::mpsc::Sender<News>) {
    watch_return(news.clone());
    for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
        let news = news.clone();
        tokio::spawn(async move {
            let Ok(mut signals) = signal(kind) else { return };
            signals.recv().await;
            let _ = news.send(News::Close);
        });
    }
}
