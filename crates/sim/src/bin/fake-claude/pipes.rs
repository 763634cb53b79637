//! The two pipes: lines out at once, lines in as they come, from a thread of their own.

use std::cell::Cell;
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// What comes in.
#[derive(Debug)]
pub enum Input {
    Line(Value),
    /// No more of them.
    Closed,
}

/// The pipes of the process.
#[derive(Debug)]
pub struct Pipes {
    key: String,
    inputs: Receiver<Value>,
    lines: Cell<u32>,
}

impl Pipes {
    pub fn open(key: &str) -> Pipes {
        let (sender, inputs) = channel();
        thread::spawn(move || {
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                if line.trim().is_empty() {
                    continue;
                }
                let Ok(value) = serde_json::from_str(&line) else {
                    eprintln!("Error parsing streaming input line: {line}");
                    exit(1);
                };
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        Pipes { key: key.to_owned(), inputs, lines: Cell::new(0) }
    }

    /// Waits for what comes in, for so long at most; without a time, for ever.
    pub fn hear(&self, time: Option<Duration>) -> Option<Input> {
        let heard = match time {
            Some(time) => self.inputs.recv_timeout(time),
            None => self.inputs.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match heard {
            Ok(line) => Some(Input::Line(line)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Input::Closed),
        }
    }

    /// Says a message, with the ids that every message has.
    pub fn say(&self, mut message: Value) {
        message["session_id"] = json!(self.key);
        if message.get("uuid").is_none() {
            message["uuid"] = json!(self.id("line"));
        }
        self.write(format!("{message}\n").as_bytes());
    }

    /// A new id.
    pub fn id(&self, kind: &str) -> String {
        self.lines.set(self.lines.get() + 1);
        format!("{kind}-{}-{}", std::process::id(), self.lines.get())
    }

    /// Writes bytes as they are. If the pipe is closed, nothing is left to do.
    pub fn write(&self, bytes: &[u8]) {
        let mut stdout = io::stdout().lock();
        if stdout.write_all(bytes).and_then(|()| stdout.flush()).is_err() {
            exit(0);
        }
    }
}
