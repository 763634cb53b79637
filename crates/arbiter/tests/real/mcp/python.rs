//! The public MCP client for Python.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sim::{Theatre, real};

use super::{Agent, BINARY, answer};

/// The version that is tested; `cargo xtask test` installs it.
const VERSION: &str = include_str!("../mcp.version").trim_ascii();

/// A Python that has the client; without it the test is to end.
fn python() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/mcp");
    let packages = std::fs::read_dir(folder.join("lib")).into_iter().flatten().flatten();
    let info = format!("site-packages/mcp-{VERSION}.dist-info");
    let found = packages.into_iter().any(|python| python.path().join(&info).is_dir());
    if found {
        return Some(folder.join("bin/python"));
    }
    let why = "it is not in target/tools/mcp, where `cargo xtask test` installs it with pip";
    real::missing(format!("the Python client mcp {VERSION}"), why);
    None
}

fn begin(theatre: &Theatre, python: &Path, mode: &str) -> Agent {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real/mcp_client.py");
    let mut command = Command::new(python);
    theatre.place(&mut command);
    Agent::begin(command.arg(script).args([mode, BINARY]))
}

fn whole_conversation(mode: &str, protocol: &str) {
    let Some(python) = python() else { return };
    let theatre = Theatre::new(BINARY);
    let mut agent = begin(&theatre, &python, mode);
    assert_eq!(agent.next("connected")["protocol"], protocol);
    let tools = agent.next("tools");
    let names = json!(["arbiter_await", "arbiter_get", "arbiter_push", "arbiter_status"]);
    assert_eq!(tools["names"], names);
    assert_eq!(tools["always"], json!(["arbiter_await", "arbiter_push"]));
    assert!(tools["instructions"].as_str().is_some_and(|text| text.contains("arbiter_await")), "{tools}");
    let bad = agent.next("bad");
    assert_eq!(bad["is_error"], true);
    assert_eq!(bad["faults"].as_array().map(Vec::len), Some(3), "{bad}");
    assert!(
        agent.next("unknown")["message"].as_str().is_some_and(|text| text.contains("no tool `arbiter_ask`"))
    );
    let pushed = agent.next("pushed");
    assert_eq!(pushed["again"], true, "pushed twice, asked once");

    let waiting = agent.next("waiting");
    assert_eq!(waiting["message"], "waiting for a person");
    let id = waiting["id"].as_str().expect("an id");
    answer(&theatre, &[id, "auth", "jwt"]);
    answer(&theatre, &[id, "name", "--custom", "Ada's door", "--submit"]);
    let decided = agent.next("decided");
    let answers = json!({"auth": "jwt", "name": "Ada's door"});
    assert_eq!((&decided["state"], &decided["answers"]), (&json!("decided"), &answers));
    assert_eq!(decided["provenance"]["auth"]["by"], "human:cli:tester");
    assert_eq!(decided["same"], true, "the text says what the structure says");
    let done = agent.next("done");
    let expected: [(&str, Value); 3] =
        [("answers", answers), ("status", json!("completed")), ("agent", json!("python-agent"))];
    for (name, value) in expected {
        assert_eq!(done[name], value);
    }
    let (succeeded, complaint) = agent.ends();
    assert!(succeeded, "{complaint}");
    theatre.assert_nobody_left();
}

#[test]
fn a_python_agent_asks_waits_and_goes_on_with_the_answers() {
    whole_conversation("legacy", "2025-11-25");
}

#[test]
fn so_does_one_that_speaks_the_newest_protocol() {
    whole_conversation("auto", "2026-07-28");
}

#[test]
fn a_client_killed_while_it_waits_leaves_nothing_stuck() {
    let Some(python) = python() else { return };
    let theatre = Theatre::new(BINARY);
    let mut agent = begin(&theatre, &python, "hang");
    agent.next("connected");
    let id = agent.next("waiting")["id"].as_str().expect("an id").to_owned();
    let began = Instant::now();
    agent.kill();
    theatre.assert_nobody_left();
    assert!(began.elapsed() < Duration::from_secs(4), "the server lived on for {:?}", began.elapsed());

    answer(&theatre, &[&id, "auth", "session"]);
    answer(&theatre, &[&id, "name", "--custom", "door", "--submit"]);
    let ran = theatre.run(&["get", &id, "--json"]);
    let got: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(got["answers"], json!({"auth": "session", "name": "door"}));
}
