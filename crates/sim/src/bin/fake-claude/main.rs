//! A fake Claude Code: it speaks the same lines from a scenario (`FAKE_CLAUDE_SCENARIO`), for faults that the real one
//! cannot be made to show. The messages to a session are kept beside the scenario, so that it can be resumed.

mod memory;
mod pipes;
mod scenario;
mod stage;

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use serde_json::json;

use memory::Memory;
use pipes::Pipes;
use scenario::Scenario;
use stage::Stage;

fn main() -> ExitCode {
    match play() {
        Ok(code) => code,
        Err(why) => {
            eprintln!("Error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn play() -> Result<ExitCode, String> {
    let path = std::env::var("FAKE_CLAUDE_SCENARIO").map_err(|_| "FAKE_CLAUDE_SCENARIO names no scenario")?;
    let scenario = Scenario::load(&path)?;
    let words: Vec<String> = std::env::args().collect();
    let value = |flag: &str| words.iter().skip_while(|word| *word != flag).nth(1).cloned();
    let (new, old) = (value("--session-id"), value("--resume"));
    let key = new.as_ref().or(old.as_ref()).ok_or("neither --session-id nor --resume")?;
    let memory = Memory::open(&format!("{path}.store"), key).map_err(|error| error.to_string())?;

    if new.is_some() && (memory.is_begun() || scenario.manners.in_use) {
        return Err(format!("Session ID {key} is already in use."));
    }
    if !scenario.manners.leaves {
        ignore_term()?;
    }
    if !scenario.manners.reads {
        thread::sleep(Duration::from_secs(600));
        return Ok(ExitCode::SUCCESS);
    }
    let pipes = Pipes::open(key);
    if old.is_some() && (!memory.is_begun() || scenario.manners.forgets) {
        let why = format!("No conversation found with session ID: {key}");
        pipes.say(
            json!({"type": "result", "subtype": "error_during_execution", "is_error": true, "errors": [why]}),
        );
        return Err(why);
    }
    Ok(Stage::new(scenario, memory, pipes).play())
}

/// From now on SIGTERM is heard and nothing is done about it.
fn ignore_term() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let _guard = runtime.enter();
    let term = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
    // The handler of the process stays when its stream is dropped.
    term.map(drop).map_err(|error| error.to_string())
}
