//! A watcher at a terminal with a clock: the program runs at a pty of its own, and everything it writes is read at
//! once. Dropped, the program is ended.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{Winsize, tcsetwinsize};
use sim::Theatre;

use crate::live::processes;

/// How long anything may take to be shown.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// So long nothing comes between two frames.
const QUIET: Duration = Duration::from_millis(4);
/// What the last cell of every page is.
const CORNER: &str = "╝";
/// Where the cursor goes, which is told at the end of every frame.
const CURSOR: &[u8] = b"\x1b[?25";

/// Columns and rows of a large terminal.
pub const LARGE: (u16, u16) = (160, 50);

/// A program at a terminal of its own, whose output is read and timed.
pub struct Watcher {
    program: Child,
    terminal: File,
    began: Instant,
}

/// When a key was answered, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// The first byte came.
    pub first: f64,
    /// The frame was whole.
    pub whole: f64,
}

impl Watcher {
    /// Starts the binary at a large terminal.
    pub fn sit(theatre: &Theatre, words: &[&str]) -> Watcher {
        Watcher::sit_before(LARGE, theatre, words)
    }

    /// Starts the binary at a terminal of so many columns and rows.
    pub fn sit_before((columns, rows): (u16, u16), theatre: &Theatre, words: &[&str]) -> Watcher {
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pty");
        grantpt(&ours).expect("granted");
        unlockpt(&ours).expect("unlocked");
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&ours, size).expect("a size");
        let name = ptsname(&ours, Vec::new()).expect("a name");
        let theirs =
            File::options().read(true).write(true).open(name.to_str().expect("text")).expect("a terminal");
        let mut command = theatre.command(words);
        command.env("TERM", "xterm-256color").env("LANG", "C.UTF-8");
        command.stdin(theirs.try_clone().expect("a copy"));
        command.stdout(theirs.try_clone().expect("a copy")).stderr(Stdio::from(theirs));
        let began = Instant::now();
        let program = command.spawn().expect("the program starts");
        drop(command);
        Watcher { program, terminal: File::from(ours), began }
    }

    pub fn pid(&self) -> u32 {
        self.program.id()
    }

    /// Milliseconds since it was started.
    pub fn age(&self) -> f64 {
        self.began.elapsed().as_secs_f64() * 1000.0
    }

    /// What it writes next; none if nothing comes in time, or nothing ever again.
    pub fn next(&mut self, patience: Duration) -> Option<Vec<u8>> {
        let patience =
            Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: i64::from(patience.subsec_nanos()) };
        let ready = poll(&mut [PollFd::new(&self.terminal, PollFlags::IN)], Some(&patience));
        let mut piece = vec![0; 64 * 1024];
        match ready {
            Ok(1..) => match self.terminal.read(&mut piece) {
                Ok(count @ 1..) => {
                    piece.truncate(count);
                    Some(piece)
                }
                // The program has closed its terminal.
                Ok(0) | Err(_) => None,
            },
            Ok(0) | Err(_) => None,
        }
    }

    /// Reads until this is written; how old the program was then, in milliseconds.
    pub fn sees(&mut self, sign: &str) -> Option<f64> {
        let mut seen: Vec<u8> = Vec::new();
        let began = Instant::now();
        while let Some(piece) = self.next(PATIENCE) {
            // What moves by itself always writes something.
            if began.elapsed() > PATIENCE {
                return None;
            }
            let age = self.age();
            let from = seen.len().saturating_sub(sign.len());
            seen.extend(piece);
            if seen[from..].windows(sign.len()).any(|window| window == sign.as_bytes()) {
                return Some(age);
            }
        }
        None
    }

    /// Reads until the first frame stands whole; how old the program was then, in milliseconds.
    pub fn sees_frame(&mut self) -> Option<f64> {
        self.sees(CORNER)
    }

    /// Reads until the first frame stands whole and this is written; how old the program was then, in milliseconds.
    pub fn sees_frame_and(&mut self, sign: &str) -> Option<(f64, f64)> {
        let holds =
            |seen: &[u8], sign: &str| seen.windows(sign.len()).any(|window| window == sign.as_bytes());
        let mut seen: Vec<u8> = Vec::new();
        let (mut frame, mut told) = (None, None);
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            seen.extend(self.next(PATIENCE)?);
            let age = self.age();
            frame = frame.or_else(|| holds(&seen, CORNER).then_some(age));
            told = told.or_else(|| holds(&seen, sign).then_some(age));
            if let (Some(frame), Some(told)) = (frame, told) {
                return Some((frame, told.max(frame)));
            }
        }
        None
    }

    /// Reads for so long; how much came when.
    pub fn reads_for(&mut self, time: Duration) -> Vec<(Instant, usize)> {
        let end = Instant::now() + time;
        let mut pieces = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return pieces;
            }
            match self.next(left) {
                Some(piece) => pieces.push((Instant::now(), piece.len())),
                // Nothing more will come, or nothing came.
                None => std::thread::sleep(end.saturating_duration_since(Instant::now())),
            }
        }
    }

    /// Reads until the program has nothing to do.
    pub fn waits_until_quiet(&mut self) {
        const LOOK: Duration = Duration::from_millis(400);
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let before = processes::used(self.pid());
            self.reads_for(LOOK);
            let share = processes::used(self.pid()).since(&before);
            if share.nanoseconds < LOOK.as_nanos() as u64 / 20 {
                return;
            }
        }
    }

    pub fn types(&mut self, keys: &str) {
        self.terminal.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Presses a key between two frames; when it was answered.
    pub fn asks(&mut self, key: &str) -> Option<Answer> {
        while self.next(QUIET).is_some() {}
        let began = Instant::now();
        self.types(key);
        let mut first = None;
        let mut frame = Vec::new();
        loop {
            let piece = self.next(PATIENCE)?;
            let now = began.elapsed().as_secs_f64() * 1000.0;
            let first = *first.get_or_insert(now);
            frame.extend(piece);
            if frame.windows(CURSOR.len()).any(|window| window == CURSOR) {
                return Some(Answer { first, whole: now });
            }
        }
    }

    /// Ends the program as a closed window would, and waits for it. What it says meanwhile is read.
    pub fn leave(mut self) {
        let _ = kill_process(Pid::from_child(&self.program), Signal::TERM);
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(5) && matches!(self.program.try_wait(), Ok(None)) {
            self.next(Duration::from_millis(10));
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
