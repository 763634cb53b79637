//! Every recorded exchange with the real program, translated: no message is unknown, and what we make of it is pinned.

use std::fs;
use std::path::{Path, PathBuf};

use mind::effect::SessionCommand;
use mind::session::Role;
use mind::{Timestamp, TurnId};
use providers::claude::conversation::{Conversation, ConversationSetup};
use providers::protocol::{DriverAction, Live};
use serde_json::{Value, json};

use super::conversation::judge;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts")
}

/// Plays a transcript to a conversation: the host's messages as orders, the process's lines as they came.
fn translate(transcript: &str) -> String {
    let by_tools = transcript.contains("mcp__arbiter");
    let role = Role::Orchestrator;
    let part = ConversationSetup {
        role,
        by_tools,
        incarnation: 1,
        initialize: json!({}),
        spoke: false,
        gauge: None,
        judge: judge(role),
    };
    let mut conversation = Conversation::new(part, 200_000);
    conversation.greet(Timestamp(0));
    let ready =
        json!({"type": "control_response", "response": {"subtype": "success", "request_id": "arbiter-1"}});
    conversation.hear(&ready.to_string(), Timestamp(0));
    let mut story = Vec::new();
    let mut turns = 0;
    for line in transcript.lines() {
        let record: Value = serde_json::from_str(line).expect("a transcript is JSON lines");
        let now = Timestamp((record["t"].as_f64().unwrap_or(0.0) * 1000.0) as u64);
        let message = &record["msg"];
        let deeds = match record["dir"].as_str() {
            Some("in") => {
                let Some(order) = order(message, &conversation, &mut turns) else { continue };
                story.push(format!("> {order:?}"));
                // What the recorded host wrote itself is not written again.
                conversation
                    .obey(order)
                    .into_iter()
                    .filter(|deed| !matches!(deed, DriverAction::Write(_)))
                    .collect()
            }
            Some("out") => conversation.hear(&message.to_string(), now),
            _ => continue,
        };
        story.extend(deeds.iter().map(tell));
    }
    story.push(String::new());
    story.join("\n")
}

fn order(message: &Value, conversation: &Conversation, turns: &mut u32) -> Option<SessionCommand> {
    match (message["type"].as_str()?, message["request"]["subtype"].as_str()) {
        ("user", _) => {
            *turns += 1;
            let turn = TurnId(*turns);
            let key = message["uuid"].as_str().map_or_else(|| format!("u{turns}"), str::to_owned);
            let text = message["message"]["content"].to_string();
            let text = mind::limits::cut(&text, 60).into();
            Some(if conversation.is_busy() {
                SessionCommand::Steer { turn, key, text }
            } else {
                SessionCommand::Deliver { turn, key, text, again: None }
            })
        }
        ("control_request", Some("interrupt")) => Some(SessionCommand::Interrupt { turn: TurnId(*turns) }),
        _ => None,
    }
}

fn tell(deed: &DriverAction) -> String {
    match deed {
        DriverAction::Tell(event) => format!("{event:?}"),
        DriverAction::Write(line) => {
            let line: Value = serde_json::from_str(line).expect("we write JSON");
            let body =
                if line["response"].is_null() { &line["request"] } else { &line["response"]["response"] };
            format!("< {body}")
        }
        DriverAction::Live(Live::Text(piece)) => format!("~ {piece:?}"),
        DriverAction::Live(Live::Clear) => "~".to_owned(),
        DriverAction::Note(note) => format!("# {note}"),
        DriverAction::GiveUp(why) => format!("! gives up: {why}"),
        DriverAction::Anew { resume } => format!("! anew, resume: {resume}"),
    }
}

#[test]
fn every_recorded_exchange_translates_without_an_unknown_message() {
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    names.sort();
    assert!(names.len() > 150, "only {} transcripts", names.len());
    let mut wrong = Vec::new();
    for path in names {
        let story = translate(&fs::read_to_string(&path).unwrap());
        let golden = path.with_extension("events");
        if std::env::var_os("ARBITER_WRITE_GOLDEN").is_some() {
            fs::write(&golden, &story).unwrap();
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if story.contains("# unknown") {
            wrong.push(format!("{name} has an unknown message"));
        }
        if let Some((ours, golden)) =
            story.lines().zip(expected.lines()).find(|(ours, golden)| ours != golden)
        {
            wrong.push(format!("{name}:\n  now    {ours}\n  golden {golden}"));
        } else if story.lines().count() != expected.lines().count() {
            wrong.push(format!("{name} has another number of lines"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
