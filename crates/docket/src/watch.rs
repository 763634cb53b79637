//! Hears of changes in the folders from the system, which may forget some: so everything is looked at now and then as well.
//! Folders are watched and never files, since a file that is replaced would be lost from sight.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::docket::{Docket, Place};
use crate::error::DocketError;
use crate::files::names;
use crate::limits;

/// What is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// Files of these names were written, moved or removed.
    Files(BTreeSet<String>),
    /// Anything may have changed: everything is to be looked at.
    Sweep,
}

/// It watches until it is dropped.
#[derive(Debug)]
pub struct Watch {
    /// Dropped first: it ends the thread.
    stop: Option<Sender<Heard>>,
    _watcher: Option<RecommendedWatcher>,
    thread: Option<JoinHandle<()>>,
}

enum Heard {
    Names(Vec<String>),
    /// The system lost count.
    Lost,
    Stop,
}

pub(crate) fn watch(docket: &Docket, tell: impl FnMut(News) + Send + 'static) -> Result<Watch, DocketError> {
    let folders = [docket.place(Place::Pending), docket.place(Place::Completed)];
    for folder in docket.folders() {
        docket.disk().folder(&folder)?;
    }
    let (sender, receiver) = mpsc::channel();
    let hear = sender.clone();
    let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Nobody listens only when the watch is being dropped.
        let _ = hear.send(heard(event));
    });
    // Without the system's help the sweeps remain.
    let watcher = watcher.ok().and_then(|mut watcher| {
        let watched = folders.iter().all(|folder| watcher.watch(folder, RecursiveMode::NonRecursive).is_ok());
        watched.then_some(watcher)
    });
    let thread = thread::Builder::new().name("docket-watch".to_owned());
    let thread = thread.spawn(move || listen(&receiver, tell)).map_err(DocketError::disk(docket.folder()))?;
    Ok(Watch { stop: Some(sender), _watcher: watcher, thread: Some(thread) })
}

fn heard(event: notify::Result<notify::Event>) -> Heard {
    let Ok(event) = event else { return Heard::Lost };
    if event.need_rescan() {
        return Heard::Lost;
    }
    if event.kind.is_access() {
        return Heard::Names(Vec::new());
    }
    let names = event.paths.iter().filter_map(|path| path.file_name()?.to_str());
    Heard::Names(names.filter(|name| names::is_petition(name)).map(str::to_owned).collect())
}

fn listen(receiver: &Receiver<Heard>, mut tell: impl FnMut(News)) {
    let mut swept = Instant::now();
    let mut gathered = BTreeSet::new();
    let mut since: Option<Instant> = None;
    loop {
        let wait = match since {
            Some(since) => limits::GATHER.saturating_sub(since.elapsed()),
            None => limits::SWEEP_EVERY.saturating_sub(swept.elapsed()),
        };
        match receiver.recv_timeout(wait) {
            Ok(Heard::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            Ok(Heard::Names(names)) => {
                if !names.is_empty() {
                    since.get_or_insert_with(Instant::now);
                }
                gathered.extend(names);
            }
            Ok(Heard::Lost) => {
                swept = Instant::now();
                tell(News::Sweep);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if since.is_some_and(|since| since.elapsed() >= limits::GATHER) {
            since = None;
            tell(News::Files(std::mem::take(&mut gathered)));
        }
        if swept.elapsed() >= limits::SWEEP_EVERY {
            swept = Instant::now();
            tell(News::Sweep);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(Heard::Stop);
        }
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != thread::current().id()
        {
            let _ = thread.join();
        }
    }
}
