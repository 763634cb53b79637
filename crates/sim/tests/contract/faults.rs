//! What the house hears of an agent that misbehaves, and that it can always be rid of it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use mind::effect::SessionCommand;
use mind::event::{Failure, TurnEnd};
use mind::{AgentEvent, TurnId};
use providers::claude::Routing;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::cast::{Posing, output};
use crate::house::{House, world};
use crate::processes;

/// No ordered end may take longer: a moment to stop, to leave, after SIGTERM and after SIGKILL, on a busy machine.
const END_TIME_MAX: Duration = Duration::from_secs(8);
/// How much memory this process may grow by while a session floods it with 100 MB, other tests included.
const FLOOD_BYTES_MAX: u64 = 48 * 1024 * 1024;

fn pose(scenario: Value) -> House {
    pose_by(scenario, Routing::Typed)
}

fn pose_by(scenario: Value, routing: Routing) -> House {
    let world = world();
    let cast = Posing::open(world.path(), &scenario, routing);
    House::with(world, Box::new(cast), false)
}

/// An impostor whose turns all do these steps and then say `Done.`, with these manners.
fn does(manners: Value, steps: Value) -> House {
    pose(json!({"manners": manners, "turns": [{"does": steps, "says": output("Done.")}]}))
}

/// What is told within a while, but for signs of life.
async fn told_within(house: &mut House, ms: u64) -> Vec<AgentEvent> {
    let until = Instant::now() + Duration::from_millis(ms);
    while let Ok(Some(_)) = timeout(until.saturating_duration_since(Instant::now()), house.next()).await {}
    house.told.iter().filter(|event| **event != AgentEvent::Stirred).cloned().collect()
}

async fn close_in_time(house: House) {
    let took = house.close().await;
    assert!(took < END_TIME_MAX, "{took:?}");
}

/// The one loss of a session that nobody ended; nothing of it is left.
async fn lost(house: &mut House) -> String {
    let losses = house.losses().await;
    assert_eq!(losses.len(), 1, "{losses:?}\n{}", house.logbook());
    house.handle.ended().await;
    processes::assert_none(&house.mission);
    losses[0].clone()
}

#[tokio::test]
async fn one_that_never_answers_can_be_interrupted_and_ended() {
    let mut house = does(json!({"initialize": "withheld"}), json!([]));
    house.deliver(1, "build it");
    assert_eq!(told_within(&mut house, 700).await, []);
    house.order(SessionCommand::Interrupt { turn: TurnId(1) });
    assert_eq!(house.rested(1).await, TurnEnd::Interrupted);
    close_in_time(house).await;
}

#[tokio::test]
async fn one_that_refuses_to_be_initialised_is_lost_at_once() {
    let mut house = does(json!({"initialize": "refused"}), json!([]));
    house.deliver(1, "build it");
    let why = lost(&mut house).await;
    assert!(why.contains("it refuses to be initialised"), "{why}");
}

#[tokio::test]
async fn half_a_line_before_the_exit_is_a_loss() {
    let mut house = does(json!({}), json!([{"complain": 1}, {"break": 1}]));
    house.deliver(1, "build it");
    let why = lost(&mut house).await;
    assert!(why.contains("exit status: 1") && why.contains("it hurts"), "{why}");
    let ends = |event: &&AgentEvent| matches!(event, AgentEvent::Rested { .. } | AgentEvent::Failed { .. });
    assert_eq!(house.told.iter().find(ends), None);
}

#[tokio::test]
async fn a_line_of_five_megabytes_is_cut_and_the_turn_goes_on() {
    let mut house = does(json!({}), json!([{"long": 5_000_000}]));
    house.deliver(1, "build it");
    house.spoke(1, "Done.").await;
    let notes = house.notes().join("\n");
    assert!(notes.contains("the line was too long"), "{notes}");
    close_in_time(house).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_is_taken_in_with_bounded_memory() {
    let before = processes::peak_memory();
    let line = json!({"type": "news", "text": "n".repeat(1_000)}).to_string();
    let mut house = does(json!({}), json!([{"flood": {"lines": 100_000, "line": line}}]));
    house.deliver(1, "build it");
    house.spoke(1, "Done.").await;
    let grown = processes::peak_memory() - before;
    assert!(grown < FLOOD_BYTES_MAX, "{} MiB", grown >> 20);
    assert!(house.told.len() < 20, "each line is no news: {}", house.told.len());
    close_in_time(house).await;
}

/// The house is busy with other things, and wants to be rid of the session before it has heard it out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_news_that_nobody_takes_can_be_ended() {
    let before = processes::peak_memory();
    let block =
        json!({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "x".repeat(1_000)}});
    let line = json!({"type": "assistant", "message": {"content": [block]}}).to_string();
    let mut house = does(json!({}), json!([{"flood": {"lines": 100_000, "line": line}}]));
    house.deliver(1, "build it");
    house.until("the first tool", |event| matches!(event, AgentEvent::ToolStarted { .. })).await;
    let events = house.stop_listening();
    sleep(Duration::from_secs(1)).await;
    let grown = processes::peak_memory() - before;
    assert!(grown < FLOOD_BYTES_MAX, "{} MiB", grown >> 20);
    close_in_time(house).await;
    drop(events);
}

#[tokio::test]
async fn garbage_and_unknown_messages_are_passed_over() {
    let lines = [
        "not json",
        "",
        "\u{0}\u{1b}[31m",
        r#"{"type":"hologram","x":1}"#,
        r#"{"type":"system","subtype":"brand_new"}"#,
        r#"{"type":"system"}"#,
        r#"{"no":"type"}"#,
        r#"[1,2]"#,
        r#"{"type":"assistant","message":{"content":"a text"}}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result"}]}}"#,
        r#"{"type":"control_request","request_id":"x1","request":{"subtype":"brand_new"}}"#,
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"nobody's"}}"#,
        r#"{"type":"user","isReplay":true,"uuid":"nobody's","message":{"role":"user","content":""}}"#,
    ];
    let steps: Vec<Value> = lines.iter().map(|line| json!({"line": line})).collect();
    let mut house = does(json!({}), json!(steps));
    house.deliver(1, "build it");
    house.spoke(1, "Done.").await;
    let signs = house.told.iter().filter(|event| **event == AgentEvent::Stirred).count();
    assert!(signs <= 1, "{:#?}", house.told);
    house.deliver(2, "build it");
    house.spoke(2, "Done.").await;
    close_in_time(house).await;
}

#[tokio::test]
async fn a_result_without_a_turn_is_nobodys() {
    let result = json!({"type": "result", "subtype": "success", "is_error": false, "result": "Surprise."});
    let mut house = pose(json!({"greets": [result.to_string()], "turns": [{"says": output("Done.")}]}));
    assert_eq!(told_within(&mut house, 300).await, []);
    house.deliver(1, "build it");
    house.spoke(1, "Done.").await;
    house.is_quiet().await;
    close_in_time(house).await;
}

#[tokio::test]
async fn two_results_are_one_rest() {
    let ends = json!({"type": "result", "subtype": "success", "structured_output": output("First.")});
    let turns = json!([
        {"when": "first", "does": [{"line": ends.to_string()}], "says": output("First, again.")},
        {"when": "second", "says": output("Second.")},
    ]);
    let mut house = pose(json!({"turns": turns}));
    house.deliver(1, "the first");
    house.spoke(1, "First.").await;
    house.is_quiet().await;
    house.deliver(2, "the second");
    house.spoke(2, "Second.").await;
    house.is_quiet().await;
    close_in_time(house).await;
}

#[tokio::test]
async fn a_result_of_another_shape_ends_the_turn() {
    let odd = json!({"type": "result", "subtype": "success", "is_error": false, "result": "Words.",
                     "structured_output": output("Odd."), "total_cost_usd": null, "modelUsage": [], "errors": null,
                     "stop_reason": 7, "terminal_reason": {}, "api_error_status": "none", "usage": 1});
    let turns = json!([
        {"when": "bare", "ends": {"type": "result"}},
        {"when": "odd", "ends": odd},
        {"when": "senseless", "ends": {"type": "result", "subtype": {}, "is_error": "perhaps"}},
        {"when": "good", "says": output("Good.")},
    ]);
    let mut house = pose(json!({"turns": turns}));
    house.deliver(1, "bare");
    assert_eq!(house.rested(1).await, TurnEnd::Spoke { output: None, text: "".into() });
    house.deliver(2, "odd");
    house.spoke(2, "Odd.").await;
    house.deliver(3, "senseless");
    let ended = |event: &AgentEvent| matches!(event, AgentEvent::Rested { .. } | AgentEvent::Failed { .. });
    let failed = house.until("the end of turn 3", ended).await;
    let AgentEvent::Failed { turn: TurnId(3), failure: Failure::Transient(_) } = failed else {
        panic!("{failed:?}")
    };
    house.deliver(4, "good");
    house.spoke(4, "Good.").await;
    close_in_time(house).await;
}

#[tokio::test]
async fn one_that_ignores_an_interrupt_can_be_ended() {
    let mut house = does(json!({"stops": false}), json!([{"run": "touch tool-began; sleep 300"}]));
    house.deliver(1, "build it");
    house.began("tool").await;
    house.told.clear();
    house.order(SessionCommand::Interrupt { turn: TurnId(1) });
    assert_eq!(told_within(&mut house, 500).await, []);
    close_in_time(house).await;
}

#[tokio::test]
async fn one_that_ignores_the_end_of_its_input_and_sigterm_is_killed() {
    let mut house = does(json!({"leaves": false}), json!([]));
    house.deliver(1, "build it");
    house.spoke(1, "Done.").await;
    close_in_time(house).await;
}

#[tokio::test]
async fn one_that_does_not_read_can_be_ended() {
    let mut house = does(json!({"reads": false, "leaves": false}), json!([]));
    house.deliver(1, &"x".repeat(1_000_000));
    assert_eq!(told_within(&mut house, 300).await, []);
    close_in_time(house).await;
}

/// Its questions are answered as long as it could still read the answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_asks_and_does_not_read_is_lost() {
    let request =
        json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "x".repeat(400)}});
    let line = json!({"type": "control_request", "request_id": "r", "request": request});
    let asks = format!("setsid sleep 300 & while :; do echo '{line}'; done");
    let mut house = does(json!({}), json!([{"become": asks}]));
    house.deliver(1, "build it");
    let why = lost(&mut house).await;
    assert!(why.contains("does not read"), "{why}");
}

#[tokio::test]
async fn one_that_takes_a_message_and_never_begins_is_told_to_go_on_a_few_times() {
    let mut house = does(json!({"begins": false}), json!([]));
    house.deliver(1, "build it");
    assert_eq!(told_within(&mut house, 6_000).await, []);
    let told = house.notes().iter().filter(|note| note.contains("told to go on")).count();
    assert!((1..=3).contains(&told), "{told} times");
    close_in_time(house).await;
}

#[tokio::test]
async fn an_exit_after_a_turn_is_a_loss_after_a_rest() {
    let mut house = does(json!({"turns_max": 2}), json!([]));
    for turn in [1, 2] {
        house.deliver(turn, "build it");
        house.spoke(turn, "Done.").await;
    }
    assert!(lost(&mut house).await.contains("exit status: 1"));
}

#[tokio::test]
async fn a_flood_of_complaints_is_drained() {
    let mut house = does(json!({}), json!([{"complain": 100_000}]));
    house.deliver(1, "build it");
    house.spoke(1, "Done.").await;
    let book = |end: &str| house.world.path().join(format!("sessions/1.jsonl{end}"));
    let bytes = |path: PathBuf| std::fs::metadata(path).map_or(0, |found| found.len());
    assert!(bytes(book("")) + bytes(book(".1")) < 40 << 20, "the logbook is bounded");
    close_in_time(house).await;
}

#[tokio::test]
async fn one_that_closes_its_input_and_talks_on_can_be_ended() {
    let talks = "exec 0<&-; while :; do echo '{\"type\":\"keep_alive\"}'; sleep 0.05; done";
    let mut house = does(json!({}), json!([{"become": talks}]));
    house.deliver(1, "build it");
    house.until("turn 1", |event| *event == AgentEvent::Heard(TurnId(1))).await;
    house.told.clear();
    house.steer(2, "in red");
    assert_eq!(told_within(&mut house, 300).await, []);
    close_in_time(house).await;
}

#[tokio::test]
async fn one_that_closes_its_output_and_lives_on_is_lost() {
    let mut house = does(json!({}), json!([{"become": "exec >/dev/null 2>&1; sleep 300"}]));
    house.deliver(1, "build it");
    let why = lost(&mut house).await;
    assert!(why.contains("it did not end by itself"), "{why}");
}

#[tokio::test]
async fn one_that_can_neither_begin_nor_go_on_is_lost() {
    let mut house = does(json!({"in_use": true, "forgets": true}), json!([]));
    house.deliver(1, "build it");
    let why = lost(&mut house).await;
    assert!(why.contains("neither begin"), "{why}");
}

#[tokio::test]
async fn a_daemon_that_holds_the_pipes_does_not_hide_the_end_of_its_parent() {
    let mut house = does(
        json!({}),
        json!([{"daemon": "daemon"}, {"run": "while [ ! -e daemon ]; do sleep 0.02; done"}, {"exit": 3}]),
    );
    house.deliver(1, "build it");
    let began = Instant::now();
    let why = lost(&mut house).await;
    assert!(why.contains("exit status: 3"), "{why}");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    let daemon = processes::pid_in(&house.clone_folder().join("daemon")).unwrap();
    assert!(!processes::is_alive(daemon));
}

#[tokio::test]
async fn a_daemon_is_ended_with_its_session() {
    let mut house =
        does(json!({}), json!([{"daemon": "daemon"}, {"run": "while [ ! -e daemon ]; do sleep 0.02; done"}]));
    house.deliver(1, "build it");
    house.spoke(1, "Done.").await;
    let daemon = processes::pid_in(&house.clone_folder().join("daemon")).unwrap();
    assert!(processes::is_alive(daemon));
    close_in_time(house).await;
    assert!(!processes::is_alive(daemon));
}

#[tokio::test]
async fn questions_of_the_process_are_answered() {
    let mut house = does(json!({}), json!([{"ask": "true"}]));
    house.deliver(1, "build it");
    house.spoke(1, "Done.").await;
    assert_eq!(house.cast.was_told("may: allow"), Some(true));
    close_in_time(house).await;

    let call = json!({"tool": "report", "arguments": output("By a tool.")});
    let mut house = pose_by(json!({"turns": [{"does": [{"call": call}]}]}), Routing::Tools);
    house.deliver(1, "build it");
    house.spoke(1, "By a tool.").await;
    close_in_time(house).await;
}

/// Nobody orders the end: the handle is dropped, as when the house falls in the middle of something.
#[tokio::test]
async fn a_handle_that_is_dropped_leaves_nothing() {
    let mut house = does(
        json!({"stops": false, "leaves": false}),
        json!([{"daemon": "daemon"}, {"run": "touch tool-began; sleep 300"}]),
    );
    house.deliver(1, "build it");
    house.began("tool").await;
    let mission = house.mission.clone();
    let events: tokio::sync::mpsc::Receiver<AgentEvent> = house.stop_listening();
    drop(house);
    sim::until("nothing of it lives", || processes::of(&mission).is_empty()).await;
    drop(events);
}
