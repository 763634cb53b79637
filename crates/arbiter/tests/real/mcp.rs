//! `arbiter mcp` with real clients: the public one for Python, in both protocols it speaks, and Claude Code.

mod claude;
mod python;

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::Value;
use sim::Theatre;

/// The binary under test.
const BINARY: &str = env!("CARGO_BIN_EXE_arbiter");
/// How long anything here may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A person answers at the command line.
fn answer(theatre: &Theatre, arguments: &[&str]) {
    let ran = theatre.run(&[&["answer"], arguments].concat());
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}{}", ran.out, ran.err);
}

/// What a client tells the test, line by line.
struct Told(Receiver<String>);

impl Told {
    fn by(output: ChildStdout) -> Told {
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        Told(told)
    }

    /// The next thing that happens, which must be this.
    fn next(&self, event: &str) -> Value {
        let line = self.0.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("waited in vain for {event:?}"));
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(told["event"], event, "{told}");
        told
    }
}

/// Waits for the end of a process. One that does not end is killed, and the test fails.
fn ends(child: &mut Child) -> std::process::ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            return status;
        }
        if began.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            panic!("it did not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
