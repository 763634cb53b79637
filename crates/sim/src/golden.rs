//! What programs read, printed by runs of the real binary: every value of `--json`, the answers over MCP, and a ledger with
//! every kind of line. `cargo xtask golden` writes it into the golden files; tests run the same and compare.

mod conducted;
mod council;
mod docket;
mod mcp;
mod steady;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::{Ran, Theatre};
use steady::Steady;

/// What each command printed, by its name and by the situation: one golden file for each command.
pub type PrintedValues = BTreeMap<String, BTreeMap<String, Value>>;

/// One run of the product in a world of its own.
#[derive(Debug, Clone, Copy)]
pub enum GoldenRun {
    /// The docket from the command line, from the first question to a damaged ledger.
    Docket,
    /// A council's mission that is led from the docket.
    Council,
    /// A conducted mission whose journal is known.
    Conducted,
    /// A client of the MCP server.
    Mcp,
}

impl GoldenRun {
    /// All of them.
    pub const ALL: [GoldenRun; 4] =
        [GoldenRun::Docket, GoldenRun::Council, GoldenRun::Conducted, GoldenRun::Mcp];

    /// Does it, and tells what was printed and the ledger that came of it.
    pub fn with(self, binary: &Path) -> (PrintedValues, String) {
        let mut world = GoldenWorld::new(binary);
        match self {
            GoldenRun::Docket => docket::run(&mut world),
            GoldenRun::Council => council::run(&mut world),
            GoldenRun::Conducted => conducted::run(&mut world),
            GoldenRun::Mcp => mcp::run(&mut world),
        }
        (world.values, world.ledger)
    }
}

/// The world of a run, and what was printed in it so far.
struct GoldenWorld {
    theatre: Theatre,
    steady: Steady,
    values: PrintedValues,
    ledger: String,
}

impl GoldenWorld {
    fn new(binary: &Path) -> GoldenWorld {
        let theatre = Theatre::with_repository(binary, &[("README.md", "a river\n")])
            .with_env("LC_ALL", "C.UTF-8")
            .with_env("TZ", "UTC")
            // How strong a sandbox is differs from machine to machine.
            .with_config("sandbox: off\n");
        let steady = Steady::of(&theatre);
        GoldenWorld { theatre, steady, values: PrintedValues::new(), ledger: String::new() }
    }

    /// Runs a command that prints one value.
    fn one(&mut self, command: &str, situation: &str, arguments: &[&str]) -> Value {
        self.fed(command, situation, arguments, "")
    }

    /// The same with this on its stdin.
    fn fed(&mut self, command: &str, situation: &str, arguments: &[&str], input: &str) -> Value {
        let ran = self.run(arguments, input);
        let value = read(&ran.out, arguments);
        self.note(command, situation, ran.code, value.clone());
        value
    }

    /// Runs a command that prints one value on each line.
    fn lines(&mut self, command: &str, situation: &str, arguments: &[&str]) -> Value {
        let ran = self.run(arguments, "");
        let value: Value = ran.out.lines().map(|line| read(line, arguments)).collect();
        self.note(command, situation, ran.code, value.clone());
        value
    }

    /// Keeps what was printed, without what differs from run to run.
    fn note(&mut self, command: &str, situation: &str, code: Option<i32>, printed: Value) {
        let told = json!({"exit": code, "printed": self.steady.value(printed)});
        let before = self.values.entry(command.to_owned()).or_default().insert(situation.to_owned(), told);
        assert!(before.is_none(), "{command} has two situations {situation:?}");
    }

    fn run(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child =
            self.theatre.command(arguments).stdin(Stdio::piped()).spawn().expect("the binary starts");
        // A command that refuses at once reads nothing.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        Ran::from(child.wait_with_output().expect("it ends"))
    }

    /// Keeps the lines of the ledger that the run has written by now.
    fn keep_ledger(&mut self) {
        let file = self.theatre.home().join("ledger.jsonl");
        self.ledger.push_str(&std::fs::read_to_string(file).expect("a ledger"));
    }
}

fn read(out: &str, arguments: &[&str]) -> Value {
    serde_json::from_str(out).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {out:?}"))
}

/// The text of a field.
fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("no {field} in {value}"))
}
