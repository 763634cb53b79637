//! Who answers: voices, steps, what is off script, and scenarios from YAML.

use std::time::Duration;

use serde_json::json;
use sim::api::{Api, Block, How, OffScript, Place, Scenario, Step, Usage, Voice};

use crate::client::{ask, ask_body, question};

#[test]
fn a_request_takes_the_first_step_that_fits_and_is_left() {
    let steps = [
        Step::say("milk it is").when("milk"),
        Step::say("twice").times(2),
        Step::say("eggs it is").when("eggs"),
        Step::say("always").forever(),
    ];
    let api = Api::start(Scenario::new([Voice::new("all", steps)]));
    let said: Vec<String> = ["eggs", "milk", "milk", "eggs", "milk", "eggs"]
        .iter()
        .map(|text| ask(&api, "s", text).text())
        .collect();
    assert_eq!(said, ["twice", "milk it is", "twice", "eggs it is", "always", "always"]);
    let steps: Vec<Option<usize>> = api.requests().iter().map(|request| request.step).collect();
    assert_eq!(steps, [1, 0, 1, 2, 3, 3].map(Some));
}

#[test]
fn what_came_since_the_last_answer_decides() {
    let steps = [Step::say("found").when("needle"), Step::say("not found").forever()];
    let api = Api::start(Scenario::new([Voice::new("all", steps)]));
    let mut body = question("the needle is in the prompt", true);
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(json!({ "role": "assistant", "content": "a needle" }));
    messages.push(json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "t", "content": "hay" }] }));
    assert_eq!(ask_body(&api, &[], &body).text(), "not found");
    let result = json!([{ "type": "tool_result", "tool_use_id": "t", "content": [{ "type": "text", "text": "a needle" }] }]);
    body["messages"][2]["content"] = result;
    body["messages"].as_array_mut().unwrap().push(json!({ "role": "system", "content": "a reminder" }));
    assert_eq!(ask_body(&api, &[], &body).text(), "found");
    assert_eq!(api.requests()[1].heard(), "a needle\na reminder");
}

#[test]
fn each_session_has_its_own_voice_by_the_order_in_which_it_came() {
    let one =
        |nth: usize| Voice::new(format!("one {nth}"), [Step::say(format!("I am {nth}")).forever()]).nth(nth);
    let api = Api::start(Scenario::new([one(1), one(2), Voice::new("rest", [Step::say("rest").forever()])]));
    let said: Vec<String> = ["a", "b", "a", "c", "b"].map(|session| ask(&api, session, "x").text()).to_vec();
    assert_eq!(said, ["I am 1", "I am 2", "I am 1", "rest", "I am 2"]);
}

#[test]
fn a_voice_is_known_by_its_system_prompt_its_agent_and_its_first_message() {
    let say = |text: &str| [Step::say(text).forever()];
    let api = Api::start(Scenario::new([
        Voice::new("scout", say("scout")).agent(true),
        Voice::new("judge", say("judge")).system_contains("You judge"),
        Voice::new("milk", say("milk")).prompt_contains("buy milk").agent(false),
    ]));
    let with_system = |system: serde_json::Value| {
        let mut body = question("x", true);
        body["system"] = system;
        body
    };
    assert_eq!(
        ask_body(&api, &[("x-claude-code-agent-id", "a1")], &question("buy milk", true)).text(),
        "scout"
    );
    assert_eq!(ask_body(&api, &[], &with_system(json!("You judge."))).text(), "judge");
    let blocks = json!([{ "type": "text", "text": "Hello." }, { "type": "text", "text": "You judge." }]);
    assert_eq!(ask_body(&api, &[], &with_system(blocks)).text(), "judge");
    assert_eq!(ask(&api, "s", "go and buy milk").text(), "milk");
    let got = ask(&api, "s", "nobody knows me");
    assert_eq!(got.text(), "off script: no voice has a step for this request");
    let off: Vec<String> = api.off_script().iter().map(|request| request.prompt()).collect();
    assert_eq!(off, ["nobody knows me"]);
    assert_eq!(api.requests()[2].system, "Hello.\nYou judge.");
}

#[test]
fn off_script_can_be_an_error() {
    let scenario = Scenario { off_script: OffScript::Error, ..Scenario::new([Voice::new("mute", [])]) };
    let api = Api::start(scenario);
    let got = ask(&api, "s", "hello");
    assert_eq!((got.status, got.json()["error"]["type"].as_str()), (500, Some("api_error")));
    let off = api.off_script();
    assert_eq!((off.len(), off[0].voice.as_deref(), off[0].step), (1, Some("mute"), None));
}

#[test]
fn a_test_waits_for_what_is_to_come() {
    let api = Api::start(Scenario::new([Voice::new("all", [Step::say("yes").forever()])]));
    assert!(api.wait_for(|_| true, Duration::from_millis(10)).is_none());
    std::thread::scope(|scope| {
        scope.spawn(|| ask(&api, "s", "first"));
        scope.spawn(|| ask(&api, "s", "second"));
        let found = api.wait_for(|request| request.heard() == "second", Duration::from_secs(10)).unwrap();
        assert_eq!(found.session.as_deref(), Some("s"));
    });
}

#[test]
fn a_scenario_is_read_from_yaml() {
    let read = Scenario::from_yaml(
        r#"
off_script: error
ids: again
voices:
  - name: orchestrator II
    system_contains: You are an Orchestrator
    agent: false
    nth: 2
    prompt_contains: brief
    steps:
      - message:
          - thinking: hm
          - text: I look.
          - tool: Bash
            input: { command: echo hi }
          - tool: Bash
            raw: "{broken"
        usage: { input: 5, cache_read: 3000 }
        cut: mid_block 3
        how: close
      - when: hi
        times: 2
        status: 429
        headers: { retry-after: "3" }
        error: { type: rate_limit_error, message: slow }
      - { delay: 5, malformed: html }
      - { hang: true, forever: true }
"#,
    )
    .unwrap();
    assert_eq!((read.off_script, read.ids.as_str()), (OffScript::Error, "again"));
    let voice = &read.voices[0];
    assert_eq!((voice.nth, voice.agent, voice.steps.len()), (Some(2), Some(false), 4));
    let blocks = [
        Block::Thinking("hm".to_owned()),
        Block::Text("I look.".to_owned()),
        Block::Tool { name: "Bash".to_owned(), input: json!({ "command": "echo hi" }) },
        Block::RawTool { name: "Bash".to_owned(), text: "{broken".to_owned() },
    ];
    let usage = Usage { input: 5, cache_read: 3000, ..Usage::default() };
    let step = Step::message(blocks).usage(usage).cut(Place::MidBlock(3), How::Close);
    assert_eq!(voice.steps[0], step);
}

#[test]
fn the_example_in_the_documentation_can_be_read() {
    let text = include_str!("../../src/api/mod.rs");
    let fenced = text.split("//! ```").nth(1).unwrap().trim_start_matches("yaml\n");
    let yaml: Vec<&str> = fenced.lines().map(|line| line.trim_start_matches("//! ")).collect();
    let read = Scenario::from_yaml(&yaml.join("\n")).unwrap();
    assert_eq!(read.voices.iter().map(|voice| voice.steps.len()).collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn nonsense_is_named_with_its_line() {
    let told = |step: &str| {
        let text = format!("voices:\n  - name: x\n    steps:\n      - {step}\n");
        Scenario::from_yaml(&text).unwrap_err().to_string()
    };
    let one_of = "a step is one of `message`, `status`, `malformed`, `hang: true`";
    assert_eq!(told("{ when: x }"), format!("scenario, line 4: {one_of}"));
    assert_eq!(told("{ status: 500, hang: true }"), format!("scenario, line 4: {one_of}"));
    assert_eq!(told("{ hang: true, times: 0 }"), "scenario, line 4: `times` is 0");
    assert_eq!(
        told("{ status: 500, cut: before_start }"),
        "scenario, line 4: `usage`, `stop_reason`, `chunks`, `chunk_delay`, `cut`, `how` go with `message`"
    );
    assert_eq!(told("{ status: 200 }"), "scenario, line 4: `status` is 200, which is no error");
    assert_eq!(
        told("{ message: [], cut: after_block 0 }"),
        "scenario, line 4: `cut: after_block 0` is none of before_start, after_block N, mid_block N"
    );
    assert_eq!(told("{ mesage: [] }"), "cannot read the scenario");
}
