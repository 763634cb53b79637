//! The real `claude` takes the scripted API for a model: a tool, a subagent, an overload, a structured answer.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use sim::api::{Answer, Api, How, Place, Scenario};

const PATIENCE: Duration = Duration::from_secs(120);

/// Runs one turn and returns the lines up to its result; none where there is no `claude`.
fn turn(api: &Api, arguments: &[&str], prompt: &str) -> Option<Vec<Value>> {
    let binary = sim::claude::real()?;
    let world = tempfile::tempdir().unwrap();
    let project = world.path().join("project");
    std::fs::create_dir(&project).unwrap();
    let mut child = Command::new(binary)
        .args(["--print", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"])
        .args(["--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands"])
        .args(["--model", "claude-opus-4-8"])
        .args(arguments)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs(sim::claude::sandboxed_env(world.path(), &api.url()))
        .current_dir(&project)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let message = json!({ "type": "user", "message": { "role": "user", "content": prompt } });
    writeln!(stdin, "{message}").unwrap();

    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in stdout.lines().map_while(Result::ok) {
            let line: Value = serde_json::from_str(&line).unwrap();
            let over = line["type"] == "result";
            if sender.send(line).is_err() || over {
                break;
            }
        }
    });
    let mut lines = Vec::new();
    while let Ok(line) = receiver.recv_timeout(PATIENCE) {
        lines.push(line);
    }
    drop(stdin);
    if lines.last().is_none_or(|line| line["type"] != "result") {
        child.kill().unwrap();
    }
    child.wait().unwrap();
    reader.join().unwrap();
    Some(lines)
}

fn result(lines: &[Value]) -> &Value {
    let last = lines.last().expect("claude said something");
    assert_eq!((&last["type"], &last["is_error"]), (&json!("result"), &json!(false)), "{last}");
    last
}

#[test]
fn a_turn_with_a_tool_goes_through_after_an_overload() {
    let scenario = Scenario::from_yaml(
        r"
voices:
  - name: model
    steps:
      - status: 529
      - message:
          - text: I look.
          - tool: Bash
            input: { command: echo scripted-$((40 + 2)), description: count }
        usage: { input: 5, cache_read: 3000, cache_creation: 200, output: 40 }
        chunks: 3
      - when: scripted-42
        message: [{ text: it is 42 }]
",
    );
    let api = Api::start(scenario.unwrap());
    let Some(lines) = turn(&api, &["--tools", "Bash"], "count, please") else { return };
    assert_eq!(result(&lines)["result"], "it is 42");
    assert!(lines.iter().any(|line| line["subtype"] == "api_retry" && line["error_status"] == 529));
    let requests = api.requests();
    assert!(api.off_script().is_empty(), "{:?}", api.off_script());
    let answers: Vec<Answer> = requests.iter().map(|request| request.answer).collect();
    assert_eq!(answers, [Answer::Status(529), Answer::Message, Answer::Message]);
    assert!(requests[0].prompt().contains("count, please"));
    assert!(requests[2].heard().contains("scripted-42"));
    assert_eq!((requests[0].tools.as_slice(), requests[0].streaming), (["Bash".to_owned()].as_slice(), true));
    assert_eq!(requests[0].session.as_deref(), lines[0]["session_id"].as_str());
    let said = lines.iter().find(|line| line["type"] == "assistant").unwrap();
    assert_eq!(said["message"]["usage"]["cache_read_input_tokens"], 3000);
    for other in api.others() {
        assert_eq!(other.status, 200, "{other:?}");
    }
}

#[test]
fn a_subagent_has_a_voice_of_its_own() {
    let scenario = Scenario::from_yaml(
        r"
voices:
  - name: scout
    agent: true
    steps:
      - message: [{ text: the scout found a spring }]
  - name: captain
    agent: false
    steps:
      - message:
          - tool: Agent
            input: { description: look ahead, prompt: find water, subagent_type: general-purpose }
      - when: the scout found a spring
        message: [{ text: we drink }]
",
    );
    let api = Api::start(scenario.unwrap());
    let Some(lines) = turn(&api, &["--tools", "Task,Bash"], "find water") else { return };
    assert_eq!(result(&lines)["result"], "we drink");
    assert!(api.off_script().is_empty(), "{:?}", api.off_script());
    let requests = api.requests();
    let voices: Vec<&str> = requests.iter().filter_map(|request| request.voice.as_deref()).collect();
    assert_eq!(voices, ["captain", "scout", "captain"]);
    assert!(requests[1].agent.is_some() && requests[1].session == requests[0].session);
}

#[test]
fn a_structured_answer_is_a_tool_and_a_cut_is_survived() {
    let scenario = Scenario::from_yaml(
        r"
voices:
  - name: model
    steps:
      - message: [{ text: I was about to say }]
        cut: mid_block 1
        how: close
      - message:
          - tool: StructuredOutput
            input: { count: 3 }
",
    );
    let api = Api::start(scenario.unwrap());
    let schema = r#"{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]}"#;
    let Some(lines) = turn(&api, &["--tools", "Bash", "--json-schema", schema], "count") else { return };
    assert_eq!(result(&lines)["structured_output"], json!({ "count": 3 }));
    assert!(api.off_script().is_empty(), "{:?}", api.off_script());
    // After a polite end in the middle `claude` asks again without streaming.
    let streaming: Vec<bool> = api.requests().iter().map(|request| request.streaming).collect();
    assert_eq!(streaming, [true, false]);
}

#[test]
fn claude_asks_again_after_each_fault_before_the_first_word() {
    for (fault, streaming) in [
        ("{ message: [{ text: lost }], cut: before_start }", true),
        ("{ message: [{ text: lost }], cut: before_start, how: close }", true),
        ("{ message: [{ text: lost }], cut: before_start, how: overloaded }", true),
        ("{ malformed: html }", false),
        ("{ malformed: bad_json }", false),
        ("{ malformed: empty }", false),
    ] {
        let steps = format!("      - {fault}\n      - message: [{{ text: at last }}]\n");
        let scenario = Scenario::from_yaml(&format!("voices:\n  - name: model\n    steps:\n{steps}"));
        let api = Api::start(scenario.unwrap());
        let Some(lines) = turn(&api, &["--tools", ""], "hello") else { return };
        let again: Vec<bool> = api.requests().iter().map(|request| request.streaming).collect();
        assert_eq!(result(&lines)["result"], "at last", "{fault}");
        assert_eq!(again, [true, streaming], "{fault}");
    }
}

#[test]
fn a_tool_runs_though_the_answer_that_called_it_was_cut() {
    let scenario = Scenario::from_yaml(
        r"
voices:
  - name: model
    steps:
      - message:
          - tool: Bash
            input: { command: echo ran-$((1 + 1)), description: run }
          - text: never heard
        cut: after_block 1
      - when: ran-2
        message: [{ text: so it ran }]
",
    );
    let api = Api::start(scenario.unwrap());
    let Some(lines) = turn(&api, &["--tools", "Bash"], "run") else { return };
    assert_eq!(result(&lines)["result"], "so it ran");
    let answers: Vec<Answer> = api.requests().iter().map(|request| request.answer).collect();
    assert_eq!(answers, [Answer::Cut(Place::AfterBlock(1), How::Reset), Answer::Message]);
}
