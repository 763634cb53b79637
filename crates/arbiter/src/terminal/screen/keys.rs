//! Reads keys on a thread of its own. The thread can be stopped, so that a later reader of lines gets all input.

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

/// How long a reader that does not stop is waited for.
const PATIENCE: Duration = Duration::from_millis(500);

/// The running reader.
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

    /// Stops the reader. It wakes for a change of the window's size, so it is sent the signal of one. After the window was
    /// closed it does not wake any more; it ends with the program.
    pub fn stop(self) {
        self.stopping.store(true, Ordering::SeqCst);
        let began = Instant::now();
        while !self.listener.is_finished() && began.elapsed() < PATIENCE {
            let _ = rustix::process::kill_process(rustix::process::getpid(), Signal::WINCH);
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Waits until the window is closed. The reader of keys does not notice that: it would wait for keys for ever.
fn await_end(news: &Sender<News>) {
    let keys = io::stdin();
    let mut ends = [PollFd::new(&keys, PollFlags::empty())];
    while let Err(rustix::io::Errno::INTR) = poll(&mut ends, None) {}
    let _ = news.send(News::Gone);
}
