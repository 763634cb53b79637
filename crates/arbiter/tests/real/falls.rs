//! The house and its agents die at every kind of moment, and the mission still comes to its proven end.

use std::fs;

use mind::Fact;
use mind::SessionId;
use mind::fact::{SessionFact, WorkFact};
use sim::api::{Step, Usage};

use sim::real_stage::{RealStage, act, bash, mission, reports};

const CHECK: &str = "checks: [[\"grep\", \"-q\", \"stone\", \"bridge.txt\"]]\n";
/// What the model is told when it may have run something.
const MAY_HAVE_RUN: &str = "May have run, wholly, in part or not at all";
const CUT_OFF: &str = "Your last turn was cut off";

fn cost(fact: &Fact) -> u64 {
    match fact {
        Fact::Session(_, SessionFact::Work(WorkFact::Spent { cost_microusd, .. })) => *cost_microusd,
        Fact::Mission(_)
        | Fact::Talk(_)
        | Fact::Session(..)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => 0,
    }
}

fn build() -> Step {
    bash("printf 'stone\\n' > bridge.txt && git add -A && git commit -qm Bridge")
}

fn built() -> Step {
    reports("handoff", "It is built.")
}

#[test]
fn killed_in_the_middle_of_a_tool_the_model_is_told_that_it_may_have_run() {
    let work = vec![
        bash("echo ran >> ran.log; sleep 30").when("Write bridge.txt."),
        build().when(MAY_HAVE_RUN).usage(Usage {
            input: 10,
            cache_read: 50_000,
            cache_creation: 90,
            output: 50,
        }),
        built(),
    ];
    let Some(stage) = RealStage::set(crate::BINARY, CHECK, mission(work)) else { return };
    let house = stage.begin();
    stage.wait_for("ToolStarted s2 Bash");
    let log = stage.clone_folder().join("ran.log");
    stage.wait_until("the tool to run", || log.exists());
    house.dies();
    // Neither the agent nor its tool outlives the house.
    stage.theatre.assert_nobody_left();
    stage.resume().completes();
    let told = stage.requests_of("orchestrator I");
    let told = told.iter().find(|request| request.heard().contains(MAY_HAVE_RUN)).unwrap();
    assert!(told.heard().contains("- Bash echo ran >> ran.log; sleep 30"), "{}", told.heard());
    assert!(told.messages().to_string().contains("Write bridge.txt."), "the brief is still in its history");
    assert_eq!(
        stage.count("Gauged s2 25% (50150 of 200000"),
        1,
        "the gauge is right again: {}",
        stage.story()
    );
    assert_eq!(fs::read_to_string(&log).expect("a log"), "ran\n", "nobody ran it again");
}

#[test]
fn killed_in_the_middle_of_an_answer_the_turn_is_continued_once() {
    let work = vec![
        Step::say("I think about it. ".repeat(60)).chunks(60, 100).when("Write bridge.txt."),
        build().when(CUT_OFF),
        built(),
    ];
    let Some(stage) = RealStage::set(crate::BINARY, CHECK, mission(work)) else { return };
    let house = stage.begin();
    stage.wait_for_request("Write bridge.txt.");
    stage.wait_until_kept(SessionId(2), &["Write bridge.txt."]);
    house.dies();
    stage.theatre.assert_nobody_left();
    stage.resume().completes();
    assert_eq!(stage.heard_by("orchestrator I", CUT_OFF), 1, "{}", stage.story());
}

#[test]
fn killed_as_the_prompt_is_given_it_is_given_again_or_continued() {
    // Whether the program had written it down is a matter of milliseconds; the work is done in either case.
    let work = vec![
        build().delay_ms(1_500).when("Write bridge.txt."),
        build().when("Write bridge.txt."),
        build().when(CUT_OFF),
        built(),
    ];
    let Some(stage) = RealStage::set(crate::BINARY, CHECK, mission(work)) else { return };
    let house = stage.begin();
    stage.wait_for("Prompted s2 t4");
    house.dies();
    stage.theatre.assert_nobody_left();
    stage.resume().completes();
}

#[test]
fn killed_between_two_turns_nothing_is_said_twice() {
    let mut voices = mission(vec![build(), built()]);
    voices[0].steps.insert(0, act("address_human", "Of stone?").when("Study it and the code base"));
    let Some(stage) = RealStage::set(crate::BINARY, CHECK, voices) else { return };
    let house = stage.begin();
    stage.wait_for("Arbiter -> human: Of stone?");
    // Every process is idle, and the program has written its conversation down.
    stage.wait_until_kept(SessionId(1), &["Of stone?", "tool_result"]);
    house.dies();
    stage.theatre.assert_nobody_left();
    let house = stage.resume();
    stage.wait_for("Restarted run 2");
    stage.tell(&["mission", "say", &stage.id(), "Of stone."]);
    house.completes();
    assert_eq!(stage.heard_by("arbiter", "Study it and the code base"), 1, "{}", stage.story());
    assert_eq!(stage.heard_by("arbiter", "Of stone."), 1, "{}", stage.story());
    // What was spent is known to the last request, over the fall: every answer here costs the same.
    let spent: u64 = stage.facts().iter().map(cost).sum();
    assert_eq!(spent, 750 * stage.api.requests().len() as u64, "{}", stage.story());
    let answered =
        stage.requests_of("arbiter").into_iter().find(|request| request.heard().contains("Of stone."));
    assert!(answered.unwrap().messages().to_string().contains("Of stone?"), "it remembers its question");
}

#[test]
fn an_agent_that_is_killed_is_taken_up_again() {
    let work = vec![bash("sleep 30").when("Write bridge.txt."), build().when(MAY_HAVE_RUN), built()];
    let Some(stage) = RealStage::set(crate::BINARY, CHECK, mission(work)) else { return };
    let house = stage.begin();
    stage.wait_for("ToolStarted s2 Bash");
    let worker = rustix::process::Pid::from_raw(stage.agent_of(SessionId(2))).unwrap();
    rustix::process::kill_process(worker, rustix::process::Signal::KILL).unwrap();
    house.completes();
    assert_eq!(stage.count("Revived s2"), 1, "{}", stage.story());
}
