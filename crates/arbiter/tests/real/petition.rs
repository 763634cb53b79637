//! A session of the real program puts a question to the docket by its tools, rests, and is told the answer.

use serde_json::{Value, json};
use sim::api::Step;

use sim::real_stage::{RealStage, act, bash, mission, mission_that_begins, reports, says};

const CONFIG: &str =
    "docket: { headless: petition }\nchecks: [[\"grep\", \"-q\", \"stone\", \"bridge.txt\"]]\n";

fn call(name: &str, input: Value) -> Step {
    Step::tool(format!("mcp__arbiter__arbiter_{name}"), input)
}

fn which_stone() -> Value {
    let options = json!([{"key": "granite", "label": "Granite"}, {"key": "slate", "label": "Slate"}]);
    json!({"title": "Which stone?", "decisions": [{"id": "stone", "title": "Granite or slate?", "options": options}]})
}

fn rests() -> Step {
    says(json!({"kind": "progress", "expects_response": false, "message": "I asked, and rest."}))
}

/// The name of the petition with this title, once it lies in the docket.
fn petition(stage: &RealStage, title: &str) -> String {
    let raised = || {
        let lines = stage.lines();
        let raised = lines.iter().filter_map(|line| line.strip_prefix("DocketAsked "));
        let named = raised.filter(|rest| rest.ends_with(title)).map(str::to_owned).next_back();
        named.and_then(|rest| rest.split(' ').next().map(str::to_owned))
    };
    let asked = |id: &str| {
        let output = stage.command(&["status", id]).output().expect("the binary starts");
        output.status.success()
    };
    stage.wait_until(title, || raised().is_some_and(|id| asked(&id)));
    raised().expect("it was raised")
}

#[test]
fn an_orchestrator_asks_in_the_docket_rests_and_goes_on_with_the_answer() {
    let work = vec![
        // A bad one is refused on the spot, and reaches nobody.
        call("push", json!({"title": "", "decisions": []})),
        call("push", which_stone()).when("cannot be asked"),
        call("await", json!({"id": "{heard:id}"})),
        rests().when("\"parked\":true"),
        bash("printf 'stone: granite\\n' > bridge.txt && git add -A && git commit -qm Bridge")
            .when("granite"),
        reports("handoff", "It is built."),
    ];
    let begins = says(json!({"intent": "address_human", "asks": "alignment", "message": "Shall it begin?"}));
    let voices = mission_that_begins(vec![begins.when("Study it")], work);
    let Some(stage) = RealStage::set(crate::BINARY, CONFIG, voices) else { return };
    let running = stage.begin();
    // Nobody is there: the yes is asked in the docket too.
    let yes = petition(&stage, "The Arbiter asks for your yes");
    stage.tell(&["answer", &yes, "align", "yes", "--submit"]);
    let id = petition(&stage, "Which stone?");
    stage.wait_for("WaitsForPetition s2");
    stage.wait_for("I asked, and rest.");
    assert_eq!(stage.count("DocketAsked "), 2, "{}", stage.story());
    let shown = stage.tell(&["show"]);
    assert!(!shown.contains("at work") && shown.contains(&format!("waits for petition {id}")), "{shown}");
    stage.tell(&["answer", &id, "stone", "granite", "--submit"]);
    running.completes();
    assert_eq!(stage.count(&format!("Decided {id}")), 1, "{}", stage.story());
    assert_eq!(stage.heard_by("orchestrator I", "granite"), 1, "{}", stage.story());
    assert_eq!(stage.heard_by("orchestrator I", "`title` is missing or empty"), 1, "{}", stage.story());
}

#[test]
fn an_answer_that_comes_while_nobody_runs_waits_for_the_mission() {
    let work = vec![
        call("push", which_stone()),
        call("await", json!({"id": "{heard:id}"})),
        rests().when("\"parked\":true"),
        bash("printf 'stone: slate\\n' > bridge.txt && git add -A && git commit -qm Bridge").when("slate"),
        reports("handoff", "It is built."),
    ];
    let Some(stage) = RealStage::set(crate::BINARY, CONFIG, mission(work)) else { return };
    let running = stage.start(&["run", "--headless", "--yes", "scroll.md"]);
    let id = petition(&stage, "Which stone?");
    stage.wait_for("I asked, and rest.");
    running.dies();
    stage.theatre.assert_nobody_left();
    stage.tell(&["answer", &id, "stone", "slate", "--submit"]);
    stage.resume().completes();
    assert_eq!(stage.count(&format!("Decided {id}")), 1, "{}", stage.story());
    assert_eq!(stage.heard_by("orchestrator I", "slate"), 1, "{}", stage.story());
}

#[test]
fn a_tool_of_the_real_program_waits_in_the_docket_for_the_yes_to_exactly_that() {
    // Nobody knows this command, so it asks; it leaves a mark each time it runs.
    let asks = r#"awk 'BEGIN { print "ran" >> "ran.log" }'"#;
    let work = vec![
        bash(asks),
        bash("printf 'stone\\n' > bridge.txt && git add -A && git commit -qm Bridge"),
        reports("handoff", "It is built."),
    ];
    let Some(stage) = RealStage::set(crate::BINARY, CONFIG, mission(work)) else { return };
    let running = stage.start(&["run", "--headless", "--yes", "scroll.md"]);
    let id = petition(&stage, asks);
    let mark = stage.clone_folder().join("ran.log");
    assert!(!mark.exists(), "it waits");
    stage.tell(&["answer", &id, "allow", "yes", "--submit"]);
    running.completes();
    assert_eq!(stage.count("Answered s2 q1 yes by human:cli:tester"), 1, "{}", stage.story());
    assert_eq!(std::fs::read_to_string(mark).expect("it ran"), "ran\n", "once");
}

/// Tools are refused without a person, but what the mission waits for lies where a person looks.
#[test]
fn a_mission_that_refuses_tools_asks_its_own_question_in_the_docket() {
    let asks = act("address_human", "Of which stone?").when("Study it");
    let build = bash("printf 'stone: granite\\n' > bridge.txt && git add -A && git commit -qm Bridge");
    let work = vec![build, reports("handoff", "It is built.")];
    let mut voices = mission_that_begins(vec![asks], work);
    voices[0].steps[1] = act("summon_orchestrator", "Let one come.").when("of granite");
    let config = CONFIG.replace("petition", "refuse");
    let Some(stage) = RealStage::set(crate::BINARY, &config, voices) else { return };
    let running = stage.begin();
    let id = petition(&stage, "Arbiter asks: Of which stone?");
    let inbox = stage.command(&["inbox"]).output().expect("the binary starts");
    let inbox = String::from_utf8_lossy(&inbox.stdout).into_owned();
    assert!(inbox.contains(&id) && inbox.contains("Of which stone?"), "{inbox}");
    stage.tell(&["answer", &id, "reply", "--custom", "of granite", "--submit"]);
    running.completes();
    assert_eq!(stage.count("DocketAsked "), 1, "{}", stage.story());
}
