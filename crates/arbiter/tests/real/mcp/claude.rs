//! Claude Code with `arbiter mcp` among its servers, and a scripted model.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sim::Theatre;
use sim::api::{Api, End, Scenario, Step, Voice};

use super::{Agent, BINARY, PATIENCE, answer};

const PUSH: &str = "mcp__arbiter__arbiter_push";
const AWAIT: &str = "mcp__arbiter__arbiter_await";

/// Claude Code, about to say `prompt` to the model behind `api`.
fn claude(theatre: &Theatre, api: &Api, prompt: &str, more: &[&str]) -> Option<Agent> {
    let program = sim::claude::real()?;
    let servers = json!({"mcpServers": {"arbiter": {"command": BINARY, "args": ["mcp"]}}}).to_string();
    let mut command = Command::new(program);
    theatre.place(&mut command);
    command
        .envs(sim::claude::sandboxed_env(theatre.path(), &api.url()))
        .args(["-p", prompt, "--model", "claude-opus-4-8", "--strict-mcp-config", "--mcp-config", &servers])
        .args(["--allowedTools", &format!("{PUSH},{AWAIT}")])
        .args(more);
    Some(Agent::begin(&mut command))
}

fn model(ids: &str, steps: impl IntoIterator<Item = Step>) -> Api {
    let voice = Voice::new("model", steps.into_iter().collect::<Vec<_>>()).agent(false);
    Api::start(Scenario { ids: ids.to_owned(), ..Scenario::new([voice]) })
}

fn petition(more: Value) -> Value {
    let mut petition = json!({"title": "Login", "decisions": [{"id": "auth", "title": "How?", "options": [
        {"key": "jwt", "label": "Tokens"}, {"key": "session", "label": "Sessions"}]}]});
    petition
        .as_object_mut()
        .into_iter()
        .for_each(|own| own.extend(more.as_object().cloned().unwrap_or_default()));
    petition
}

/// The id of the only petition, once it is there.
fn asked(theatre: &Theatre) -> String {
    let began = Instant::now();
    loop {
        let folder = std::fs::read_dir(theatre.path().join("home/.arbiter/queue/pending"));
        let names = folder.into_iter().flatten().flatten().map(|file| file.file_name());
        let mut names = names.filter_map(|name| Some(name.to_str()?.strip_suffix(".md")?.to_owned()));
        if let Some(id) = names.find_map(|name| Some(name.rsplit_once('-')?.1.to_owned())) {
            return id;
        }
        assert!(began.elapsed() < PATIENCE, "nothing was asked");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn succeeds(mut claude: Agent, api: &Api) {
    let (succeeded, complaint) = claude.ends();
    let heard: Vec<String> = api.requests().iter().map(|request| request.heard()).collect();
    assert!(succeeded, "{complaint}\n{heard:#?}");
    let off: Vec<String> = api.off_script().iter().map(|request| request.heard()).collect();
    assert!(off.is_empty(), "off script: {off:?}");
}

#[test]
fn claude_code_asks_in_one_process_and_waits_in_another() {
    let theatre = Theatre::new(BINARY);
    let api = model("first", [Step::tool(PUSH, petition(json!({}))), Step::say("Asked.").when("planId")]);
    let Some(asking) = claude(&theatre, &api, "Ask how people log in.", &[]) else { return };
    succeeds(asking, &api);
    let id = asked(&theatre);
    let first = &api.requests()[0];
    let offered = |name: &str| first.tools.iter().any(|tool| tool == name);
    assert!(offered(PUSH) && offered(AWAIT), "both are in the prompt: {:?}", first.tools);

    let waits = Step::tool(AWAIT, json!({"id": id, "wait_seconds": 90}));
    let api = model("second", [waits.when("What do they say?"), Step::say("Tokens it is.").when("jwt")]);
    let waiting = claude(&theatre, &api, "What do they say?", &["--continue"]).expect("it was there");
    // The call is on its way when the model's first answer is out; the answer may come before or after it.
    let called = api.wait_for(|request| request.end == End::Sent, PATIENCE);
    assert!(called.is_some(), "the model was not asked");
    answer(&theatre, &[&id, "auth", "jwt", "--submit"]);
    succeeds(waiting, &api);
    let heard = api.requests().last().expect("a request").heard();
    assert!(heard.contains("decided") && heard.contains("human:cli:tester"), "{heard}");
    theatre.assert_nobody_left();
}

#[test]
fn claude_code_asks_and_waits_in_one_call() {
    let theatre = Theatre::new(BINARY);
    let push = Step::tool(PUSH, petition(json!({"wait_seconds": 90})));
    let api = model("once", [push, Step::say("Sessions it is.").when("\"auth\":\"session\"")]);
    let Some(asking) = claude(&theatre, &api, "Ask how people log in.", &[]) else { return };
    let id = asked(&theatre);
    answer(&theatre, &[&id, "auth", "session", "--submit"]);
    succeeds(asking, &api);
    theatre.assert_nobody_left();
}
