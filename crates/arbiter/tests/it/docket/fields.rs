//! What can be asked: the same by flags, over MCP and in a session of a mission, all of it read, and all of it told in the
//! documents.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use arbiter::commands::cli::Cli;
use clap::CommandFactory as _;
use mind::petition::{PetitionDraft, tools};
use serde_json::{Value, json};

use super::{fed, json as parsed, queue, theatre};

type Names = BTreeSet<String>;

#[test]
fn what_can_be_asked_is_the_same_at_every_door() {
    let (over_mcp, in_session) = (over_mcp(), in_session());
    let mut offered = petition(&in_session);
    // A mission says who asks, and brings the answer back to its session.
    offered.extend(["agent", "session", "notify_session"].map(str::to_owned));
    assert_eq!(petition(&over_mcp), offered, "over MCP and in a session of a mission");
    assert_eq!(decision(&over_mcp), decision(&in_session), "over MCP and in a session of a mission");

    let mut by_flags = flags();
    // Flags ask one decision, which depends on no other, and say no lists of names.
    by_flags.extend(["decisions", "depends_on", "escalate"].map(str::to_owned));
    let over_mcp: Names = petition(&over_mcp).union(&decision(&over_mcp)).cloned().collect();
    assert_eq!(by_flags, over_mcp, "by flags and over MCP");
}

#[test]
fn all_that_is_offered_is_read() {
    let nonsense = |name: &str| json!({ name: {"no": "sense"} });
    let named = |faults: Vec<String>, name: &str| {
        faults.iter().any(|fault| fault.contains(&format!("`{name}` must be")))
    };
    let faults = |sent: &Value| PetitionDraft::read(sent, &|_| None).unwrap_err();
    for name in petition(&over_mcp()) {
        assert!(named(faults(&nonsense(&name)), &name), "`{name}` of a petition is not read");
    }
    for name in decision(&over_mcp()) {
        let sent = json!({"title": "T", "decisions": [nonsense(&name)]});
        assert!(named(faults(&sent), &name), "`{name}` of a decision is not read");
    }
}

#[test]
fn all_that_is_offered_is_in_the_documents() {
    let document = std::fs::read_to_string("../../docs/mcp.md").unwrap();
    let over_mcp = over_mcp();
    for name in petition(&over_mcp).union(&decision(&over_mcp)) {
        let is_told = [format!("`{name}`"), format!("`{name}:")].iter().any(|told| document.contains(told));
        assert!(is_told, "docs/mcp.md does not tell of `{name}`");
    }
    let document = std::fs::read_to_string("../../docs/docket.md").unwrap();
    for flag in asking().get_arguments().filter_map(|arg| arg.get_long()) {
        assert!(document.contains(&format!("--{flag}")), "docs/docket.md does not tell of --{flag}");
    }
}

#[test]
fn a_decision_that_only_a_human_may_answer_can_be_asked_by_flags() {
    let theatre = theatre();
    let ran = theatre.run(&["ask", "Drop it?", "-o", "yes", "-o", "no", "--requires", "human"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let file = queue(&theatre).join("pending").join(&super::names(&theatre, "pending")[0]);
    assert!(std::fs::read_to_string(file).unwrap().contains("requires: human"));
    let ran = theatre.run(&["ask", "Drop it?", "-o", "yes", "--requires", "god"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn flags_say_it_instead_of_what_was_sent_whatever_it_is_called_there() {
    let theatre = theatre();
    let text = r#"{"title": "T", "notify": "s1", "deadline": "soon", "blocks": "the release", "decisions": [
        {"id": "d", "title": "D", "options": ["a"]}]}"#;
    let ran = fed(&theatre, &["ask", "--json", "--notify", "s2", "--deadline", "30m"], text);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let file = parsed(&ran.out)["file"].as_str().map(std::fs::read_to_string).unwrap().unwrap();
    for part in ["notify_session: s2", "the release", "deadline: "] {
        assert!(file.contains(part), "{part}: {file}");
    }
    assert!(!file.contains("s1"), "{file}");
}

fn asking() -> clap::Command {
    Cli::command().find_subcommand("ask").expect("a command").clone()
}

/// What flags can say, by the names of the fields.
fn flags() -> Names {
    let asking = asking();
    let flags = asking.get_arguments().filter_map(|arg| arg.get_long());
    // Waiting and printing are no part of what is asked.
    let flags = flags.filter(|flag| !["wait", "timeout", "json", "help"].contains(flag));
    let named = flags.map(|flag| match flag {
        "option" => "options",
        "custom" => "allow_custom",
        "notify" => "notify_session",
        same => same,
    });
    named.map(str::to_owned).collect()
}

/// What `arbiter_push` takes in a session of a mission.
fn in_session() -> Value {
    let push = tools::all().into_iter().find(|tool| tool["name"] == tools::PUSH);
    push.expect("the tool")["inputSchema"].clone()
}

/// What `arbiter_push` takes from a client of the real server.
fn over_mcp() -> Value {
    let theatre = theatre();
    let mut server = theatre.command(&["mcp"]).stdin(Stdio::piped()).spawn().expect("the binary starts");
    let (mut input, output) = (server.stdin.take().expect("a pipe"), server.stdout.take().expect("a pipe"));
    let mut lines = BufReader::new(output).lines();
    let mut call = |message: Value| {
        writeln!(input, "{message}").expect("it listens");
        message.get("id").map(|_| parsed(&lines.next().expect("it answers").expect("a line")))
    };
    let who = json!({"name": "test", "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who});
    call(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}));
    call(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let listed = call(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})).expect("an answer");
    drop(input);
    server.wait().expect("it ends");
    let tools = listed["result"]["tools"].as_array().expect("tools").clone();
    let push = tools.into_iter().find(|tool| tool["name"] == tools::PUSH);
    push.expect("the tool")["inputSchema"].clone()
}

/// What may be said of a petition. How long the call waits is no part of it.
fn petition(schema: &Value) -> Names {
    let names = schema["properties"].as_object().expect("fields").keys();
    names.filter(|name| *name != "wait_seconds").cloned().collect()
}

/// What may be said of a decision.
fn decision(schema: &Value) -> Names {
    let decision = &schema["properties"]["decisions"]["items"]["properties"];
    decision.as_object().expect("fields").keys().cloned().collect()
}
