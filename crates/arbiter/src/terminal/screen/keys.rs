//! The keys, read on a thread of their own. It can be stopped, so that whoever reads lines afterwards gets them all.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, MouseEventKind};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::Signal;

use super::News;

/// How long a reader is waited for that does not hear us.
const PATIENCE: Duration = Duration::from_millis(500);

/// Somebody listens to the keys.
#[derive(Debug)]
pub struct Keys {
    stopping: Arc<AtomicBool>,
    listener: JoinHandle<()>,
}

impl Keys {
    /// Sends every input until it is stopped.
    pub fn listen(news: Sender<News>) -> io::Result<Keys> {
        let stopping = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopping);
        let gone = news.clone();
        std::thread::Builder::new().name("window".to_owned()).spawn(move || await_end(&gone))?;
        let listener = std::thread::Builder::new().name("keys".to_owned()).spawn(move || {
            while !stop.load(Ordering::SeqCst) {
                match event::read() {
                    Ok(Event::Mouse(mouse))
                        if matches!(mouse.kind, MouseEventKind::Moved | MouseEventKind::Drag(_)) => {}
                    Ok(event) => {
                        if news.send(News::Input(event)).is_err() {
                            return;
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => {
                        let _ = news.send(News::Gone);
                        return;
                    }
                }
            }
        })?;
        Ok(Keys { stopping, listener })
    }

    /// Reads no more keys. The reader wakes for a change of the size, so it is told of one that never was. One whose
    /// window is closed hears nothing any more; it ends with the program.
    pub fn stop(self) {
        self.stopping.store(true, Ordering::SeqCst);
        let began = Instant::now();
        while !self.listener.is_finished() && began.elapsed() < PATIENCE {
            let _ = rustix::process::kill_process(rustix::process::getpid(), Signal::WINCH);
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Waits until the window is closed. Whoever reads keys is not told: the reader looks for more of them, for ever.
fn await_end(news: &Sender<News>) {
    let keys = io::stdin();
    let mut ends = [PollFd::new(&keys, PollFlags::empty())];
    while let Err(rustix::io::Errno::INTR) = poll(&mut ends, None) {}
    let _ = news.send(News::Gone);
}
