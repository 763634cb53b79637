//! A rehearsal actor as a program of its own, for the tests of this crate. An environment variable makes it kill itself
//! before or after its n-th line, as a crash would.

use std::io::{self, Write};
use std::process::ExitCode;

use rustix::process::{Signal, getpid, kill_process};

fn main() -> ExitCode {
    let number = |name: &str| std::env::var(name).ok()?.parse().ok();
    let stdout = Mortal {
        out: io::stdout(),
        lines: 0,
        die_before: number("REHEARSAL_DIE_BEFORE_LINE"),
        die_after: number("REHEARSAL_DIE_AFTER_LINE"),
    };
    providers::rehearsal::actor::run(io::stdin(), stdout, std::env::args_os().skip(1))
}

/// A stdout whose process dies at a line.
struct Mortal {
    out: io::Stdout,
    lines: u64,
    die_before: Option<u64>,
    die_after: Option<u64>,
}

impl Write for Mortal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.lines += lines;
        if lines > 0 && self.die_before == Some(self.lines) {
            die();
        }
        self.out.write_all(bytes)?;
        self.out.flush()?;
        if lines > 0 && self.die_after == Some(self.lines) {
            die();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn die() {
    let _ = kill_process(getpid(), Signal::KILL);
    std::thread::park();
}
