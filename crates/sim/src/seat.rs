//! A person at a terminal that stays open: a test reads what is printed, and types when the time has come.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::Ran;
use crate::window::pty;

/// How long anything may take to be shown.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the last words of a program that has ended may take.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// A program that runs at a terminal of its own.
#[derive(Debug)]
pub struct Seat {
    program: Child,
    keys: File,
    screen: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Seat {
    /// Starts the command at a terminal.
    ///
    /// # Panics
    ///
    /// Where the system gives none.
    pub fn take(mut command: Command) -> Seat {
        let (keys, theirs) = pty::open((0, 0));
        command.env("NO_COLOR", "1").stdin(theirs.try_clone().expect("a copy"));
        command.stdout(theirs.try_clone().expect("a copy")).stderr(Stdio::from(theirs));
        let program = command.spawn().expect("the program starts");
        drop(command);
        let screen: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (mut eyes, seen) = (keys.try_clone().expect("a copy"), Arc::clone(&screen));
        let reader = std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(count @ 1..) = eyes.read(&mut piece) {
                let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                seen.extend_from_slice(&piece[..count]);
            }
        });
        Seat { program, keys, screen, reader }
    }

    /// Everything that was shown so far.
    pub fn shown(&self) -> String {
        let screen = self.screen.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&screen).replace("\r\n", "\n")
    }

    /// Waits until this is shown.
    ///
    /// # Panics
    ///
    /// If it never is.
    pub fn sees(&self, text: &str) {
        let began = Instant::now();
        while !self.shown().contains(text) {
            assert!(began.elapsed() < PATIENCE, "never shown: {text}\n{}", self.shown());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Types a line.
    ///
    /// # Panics
    ///
    /// If no process reads it.
    pub fn types(&mut self, line: &str) {
        writeln!(self.keys, "{line}").expect("typed");
    }

    /// Waits for a good end, and tells all that was shown.
    ///
    /// # Panics
    ///
    /// If it is not good, or never comes.
    pub fn completes(self) -> String {
        let (code, shown) = self.ends();
        assert_eq!(code, Some(0), "{shown}");
        shown
    }

    /// Waits for the end, and tells its exit code and all that was shown.
    ///
    /// # Panics
    ///
    /// If it never comes.
    pub fn ends(mut self) -> (Option<i32>, String) {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.program.try_wait().expect("it can be asked") {
                break status;
            }
            assert!(began.elapsed() < PATIENCE, "it does not end\n{}", self.shown());
            std::thread::sleep(Duration::from_millis(10));
        };
        // The last words may still be on their way; a process that outlives the program would keep the terminal open.
        let ended = Instant::now();
        while !self.reader.is_finished() && ended.elapsed() < LAST_WORDS {
            std::thread::sleep(Duration::from_millis(5));
        }
        (status.code(), self.shown())
    }

    /// Kills it as a power cut would.
    pub fn dies(mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Runs the command at a terminal, where `words` are typed at once, to its end. What it remarks goes elsewhere.
///
/// # Panics
///
/// Where the system gives no terminal, or the program is not there.
pub fn typed(mut command: Command, words: &str) -> Ran {
    let (mut ours, theirs) = pty::open((0, 0));
    let mut remarks = tempfile::tempfile().expect("a file");
    command.env("NO_COLOR", "1").stdin(theirs.try_clone().expect("a copy"));
    command.stdout(theirs).stderr(remarks.try_clone().expect("a copy"));
    let mut program = command.spawn().expect("the program starts");
    drop(command);
    ours.write_all(words.as_bytes()).expect("typed");
    let (mut screen, mut piece) = (Vec::new(), [0; 4096]);
    // A terminal whose other end is closed cannot be read any more.
    while let Ok(count @ 1..) = ours.read(&mut piece) {
        screen.extend_from_slice(&piece[..count]);
    }
    let code = program.wait().expect("it ends").code();
    let out = String::from_utf8_lossy(&screen).replace("\r\n", "\n");
    let mut err = String::new();
    remarks.rewind().and_then(|()| remarks.read_to_string(&mut err)).expect("its remarks");
    Ran { code, out, err }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
