//! A window with a real terminal in it: of a size, the controlling one of the program in it, so that closing it, Ctrl+Z
//! and another size mean what they mean in life. Whatever is written is read as a terminal would read it.

mod glass;
pub(crate) mod pty;

use std::fs::File;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use self::glass::Glass;
use crate::Theatre;
use crate::theatre::REHEARSAL;

/// How long anything may take to be shown.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often one looks.
const GLANCE: Duration = Duration::from_millis(5);

/// A window that is about to be opened.
#[derive(Debug)]
pub struct Opening<'a> {
    theatre: &'a Theatre,
    size: (u16, u16),
    environment: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Opening<'a> {
    /// Of so many columns and rows.
    #[must_use]
    pub fn sized(mut self, columns: u16, rows: u16) -> Opening<'a> {
        self.size = (columns, rows);
        self
    }

    /// With this in the program's environment.
    #[must_use]
    pub fn with(mut self, name: &'a str, value: &'a str) -> Opening<'a> {
        self.environment.push((name, Some(value)));
        self
    }

    /// Where the binary dies at this point.
    #[must_use]
    pub fn dying_at(self, point: &'a str) -> Opening<'a> {
        self.with("ARBITER_DIE_AT", point)
    }

    #[must_use]
    pub fn without(mut self, name: &'a str) -> Opening<'a> {
        self.environment.push((name, None));
        self
    }

    /// Opens it, with the binary of the theatre running in it.
    pub fn runs(self, arguments: &[&str]) -> Window {
        let binary = self.theatre.binary().display().to_string();
        self.runs_program(&[&[binary.as_str()], arguments].concat())
    }

    /// Opens it, with the rehearsal of the theatre running in it.
    pub fn rehearses(self, flags: &[&str]) -> Window {
        self.runs(&[&REHEARSAL[..], flags].concat())
    }

    /// Opens it, with any program running in it.
    ///
    /// # Panics
    ///
    /// Where the system has no terminal to give, or the program is not there.
    pub fn runs_program(self, argv: &[&str]) -> Window {
        let (ours, theirs) = pty::open(self.size);
        // Makes the terminal the controlling one and becomes the program: the process stays the same.
        let mut command = Command::new("setsid");
        self.theatre.place(&mut command);
        command.arg("--ctty").args(argv).env("TERM", "xterm-256color").env("LANG", "C.UTF-8");
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let copy = || theirs.try_clone().expect("a copy");
        command.stdin(copy()).stdout(copy()).stderr(Stdio::from(copy()));
        let before = pty::Manners::of(&theirs);
        let program = command.spawn().expect("the program starts");
        drop(command);
        let glass = Arc::new(Mutex::new(Glass::new(self.size)));
        let closing: Arc<AtomicBool> = Arc::default();
        let eyes = ours.try_clone().expect("a copy");
        let (seen, stop) = (Arc::clone(&glass), Arc::clone(&closing));
        let reader = std::thread::spawn(move || {
            pty::read(eyes, &stop, |piece| {
                seen.lock().unwrap_or_else(PoisonError::into_inner).hear(piece);
            });
        });
        Window { program, keys: Some(ours), theirs, before, glass, closing, reader: Some(reader) }
    }
}

/// A window, and the program in it.
#[derive(Debug)]
pub struct Window {
    program: Child,
    /// None once the window is closed.
    keys: Option<File>,
    theirs: File,
    before: pty::Manners,
    glass: Arc<Mutex<Glass>>,
    closing: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
}

impl Window {
    /// A window in this world, 80 columns wide and 24 rows high unless it is said otherwise.
    pub fn of(theatre: &Theatre) -> Opening<'_> {
        Opening { theatre, size: (80, 24), environment: Vec::new() }
    }

    /// The program's id.
    pub fn id(&self) -> u32 {
        self.program.id()
    }

    /// Every byte that was written so far.
    pub fn raw(&self) -> Vec<u8> {
        self.glass().raw.clone()
    }

    /// When each piece of it came, and how many bytes there were with it.
    pub fn came(&self) -> Vec<(Instant, usize)> {
        self.glass().came.clone()
    }

    /// What stands in the window, row by row, without blanks at the ends.
    pub fn rows(&self) -> Vec<String> {
        self.glass().rows()
    }

    /// What stands in the window.
    pub fn screen(&self) -> String {
        self.rows().join("\n")
    }

    /// Row and column of the cursor, if it is shown.
    pub fn cursor(&self) -> Option<(u16, u16)> {
        self.glass().cursor()
    }

    /// A page stands over what the shell had written.
    pub fn is_covered(&self) -> bool {
        self.glass().is_covered()
    }

    /// What was asked of the terminal besides text: titles, the clipboard, the bell, unknown sequences.
    pub fn oddities(&self) -> Vec<String> {
        self.glass().oddities()
    }

    /// Waits until a row of the window shows this.
    pub fn sees(&self, text: &str) {
        self.waits(&format!("to see {text:?}"), |rows| rows.iter().any(|row| row.contains(text)));
    }

    /// Waits until no row of the window shows this.
    pub fn sees_no(&self, text: &str) {
        self.waits(&format!("not to see {text:?}"), |rows| !rows.iter().any(|row| row.contains(text)));
    }

    /// Waits until the rows are as they should be.
    ///
    /// # Panics
    ///
    /// If they never are.
    pub fn waits(&self, what: &str, mut done: impl FnMut(&[String]) -> bool) {
        let began = Instant::now();
        while !done(&self.rows()) {
            assert!(began.elapsed() < PATIENCE, "waited in vain {what}\n{}", self.screen());
            std::thread::sleep(GLANCE);
        }
    }

    /// Types these keys.
    ///
    /// # Panics
    ///
    /// If the window is closed.
    pub fn types(&self, text: &str) {
        self.keys().write_all(text.as_bytes()).expect("typed");
    }

    /// Presses a key that has a name: `Enter`, `Alt+Enter`, `Ctrl+C`, `Up`.
    ///
    /// # Panics
    ///
    /// If there is no such key.
    pub fn key(&self, name: &str) {
        self.types(&bytes_of(name));
    }

    /// Pastes, as a terminal does for a program that wants to know what was pasted.
    pub fn pastes(&self, text: &str) {
        self.types(&format!("\u{1b}[200~{text}\u{1b}[201~"));
    }

    /// Clicks on a text.
    ///
    /// # Panics
    ///
    /// If it never stands there.
    pub fn clicks(&self, text: &str) {
        self.sees(text);
        let (row, column) = self.glass().find(text).expect("it stands there");
        let (row, column) = (row + 1, column + 1);
        self.types(&format!("\u{1b}[<0;{column};{row}M\u{1b}[<0;{column};{row}m"));
    }

    /// Gives the window another size.
    ///
    /// # Panics
    ///
    /// If the window is closed.
    pub fn resizes(&self, columns: u16, rows: u16) {
        // The page is held meanwhile: what is drawn for the new size is not read at the old one.
        let mut glass = self.glass();
        glass.resize((columns, rows));
        pty::resize(self.keys(), (columns, rows));
    }

    /// Sends a signal to the program.
    ///
    /// # Panics
    ///
    /// If it is gone.
    pub fn signals(&self, signal: Signal) {
        rustix::process::kill_process(self.pid(), signal).expect("it is there");
    }

    /// Sends a signal to the process group in front of a shell.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn signals_front(&self, signal: Signal) {
        let front = rustix::termios::tcgetpgrp(self.keys()).expect("a process group is in front");
        rustix::process::kill_process_group(front, signal).expect("it is there");
    }

    /// Closes the window while the program runs, as a person closes one.
    pub fn closes(&mut self) {
        self.stop_reading();
        self.keys = None;
    }

    /// Waits for the program's end.
    ///
    /// # Panics
    ///
    /// If it never comes.
    pub fn ends(&mut self) -> ExitStatus {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.program.try_wait().expect("it can be asked") {
                break status;
            }
            assert!(began.elapsed() < PATIENCE, "it does not end\n{}", self.screen());
            std::thread::sleep(GLANCE);
        };
        self.stop_reading();
        status
    }

    /// Waits for the program's end, and tells its exit code.
    ///
    /// # Panics
    ///
    /// If it never comes, or a signal brought it.
    pub fn ends_with(&mut self) -> i32 {
        let status = self.ends();
        status.code().unwrap_or_else(|| panic!("signal {:?}\n{}", status.signal(), self.screen()))
    }

    /// What of the terminal is not as it was before the program began; nothing if it was given back.
    pub fn left_behind(&self) -> Vec<String> {
        let mut left = self.glass().modes();
        left.extend(self.before.differences(&pty::Manners::of(&self.theirs)));
        left
    }

    /// The terminal is as it was before.
    pub fn is_restored(&self) -> bool {
        self.left_behind().is_empty()
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.program)
    }

    fn keys(&self) -> &File {
        self.keys.as_ref().expect("the window is open")
    }

    fn glass(&self) -> MutexGuard<'_, Glass> {
        self.glass.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what was written to the last byte, and then no more.
    fn stop_reading(&mut self) {
        self.closing.store(true, Ordering::SeqCst);
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.closes();
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// What a terminal sends for a key.
fn bytes_of(name: &str) -> String {
    let bytes = match name {
        "Enter" => "\r",
        "Alt+Enter" => "\u{1b}\r",
        "Esc" => "\u{1b}",
        "Tab" => "\t",
        "Backspace" => "\u{7f}",
        "Up" => "\u{1b}[A",
        "Down" => "\u{1b}[B",
        "Right" => "\u{1b}[C",
        "Left" => "\u{1b}[D",
        "Home" => "\u{1b}[H",
        "End" => "\u{1b}[F",
        "PageUp" => "\u{1b}[5~",
        "PageDown" => "\u{1b}[6~",
        "F12" => "\u{1b}[24~",
        _ => {
            let letter = name.strip_prefix("Ctrl+").and_then(|rest| rest.bytes().next());
            let letter = letter.unwrap_or_else(|| panic!("there is no key {name}"));
            return char::from(letter & 0x1f).to_string();
        }
    };
    bytes.to_owned()
}
