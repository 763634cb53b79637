//! `arbiter mcp` with real clients: the public one for Python, in both protocols it speaks, and Claude Code.

mod claude;
mod python;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::Value;
use sim::Theatre;

/// The binary under test.
const BINARY: &str = crate::BINARY;
/// How long anything here may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A person answers at the command line.
fn answer(theatre: &Theatre, arguments: &[&str]) {
    let ran = theatre.run(&[&["answer"], arguments].concat());
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}{}", ran.out, ran.err);
}

/// A client of ours that runs. It is ended when it is dropped.
struct Agent {
    process: Child,
    said: Receiver<String>,
}

impl Agent {
    fn begin(command: &mut Command) -> Agent {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let (tell, said) = mpsc::channel();
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        Agent { process, said }
    }

    /// The next thing that it tells, which must be this.
    fn next(&self, event: &str) -> Value {
        let line =
            self.said.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("waited in vain for {event:?}"));
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(told["event"], event, "{told}");
        told
    }

    /// Waits for its end: whether it was a good one, and everything it still had to say.
    fn ends(&mut self) -> (bool, String) {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("it can be asked") {
                break status;
            }
            assert!(began.elapsed() < PATIENCE, "it did not end");
            std::thread::sleep(Duration::from_millis(10));
        };
        let mut text: String = self.said.iter().collect();
        let _ = self.process.stderr.take().map(|mut pipe| pipe.read_to_string(&mut text));
        (status.success(), text)
    }

    fn kill(&mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it ends");
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
