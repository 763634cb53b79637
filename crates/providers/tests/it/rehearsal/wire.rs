//! Wire lines and what they mean, as a table: both columns are what was released.

use std::sync::Arc;

use mind::effect::SessionCommand;
use mind::{Timestamp, TurnId};
use providers::protocol::{DriverAction, Live};
use providers::rehearsal::translate::{deed, hear, say};
use serde_json::json;

const NOW: Timestamp = Timestamp(1_000);

#[test]
fn every_line_of_an_actor_means_one_event() {
    let table = [
        (r#"{"type":"heard","turn":3}"#, "Heard(TurnId(3))"),
        (
            r#"{"type":"tool_started","name":"Read","detail":"a.md"}"#,
            r#"ToolStarted { call: "", name: "Read", detail: "a.md" }"#,
        ),
        (r#"{"type":"tool_ended","ok":false}"#, "ToolEnded { call: \"\", ok: false }"),
        (
            r#"{"type":"gauge","used":142000,"window":200000}"#,
            r#"Gauged(Gauge { used: 142000, window: 200000, source: "rehearsal", guessed: false })"#,
        ),
        (r#"{"type":"warned","percent":70}"#, "Warned { percent: 70 }"),
        (
            r#"{"type":"tasks","tasks":[{"id":"1","title":"Count","status":"in_progress"}]}"#,
            r#"Tasks([Task { id: "1", title: "Count", status: InProgress }])"#,
        ),
        (
            r#"{"type":"rested","turn":3,"output":{"intent":"musings"},"text":"hm"}"#,
            r#"Rested { turn: TurnId(3), end: Spoke { output: Some(Object {"intent": String("musings")}), text: "hm" }, tree: None }"#,
        ),
        (
            r#"{"type":"rested","turn":3}"#,
            r#"Rested { turn: TurnId(3), end: Spoke { output: None, text: "" }, tree: None }"#,
        ),
        (
            r#"{"type":"rested","turn":3,"interrupted":true}"#,
            "Rested { turn: TurnId(3), end: Interrupted, tree: None }",
        ),
        (
            r#"{"type":"spent","report":"k","input":1200,"output":90,"cost_microusd":4500}"#,
            r#"Spent { report: "k", input: 1200, output: 90, cost_microusd: 4500 }"#,
        ),
        (
            r#"{"type":"spent","report":"k","input":1200,"output":90}"#,
            r#"Spent { report: "k", input: 1200, output: 90, cost_microusd: 0 }"#,
        ),
        (r#"{"type":"stirred"}"#, "Stirred"),
        (r#"{"type":"awaits_human","waiting":true}"#, "AwaitsHuman(true)"),
        (
            r#"{"type":"pleads","call":"c","tool":"arbiter_await","given":{"id":"m1"}}"#,
            r#"Pleads { call: "c", plea: Await(PetitionId("m1")) }"#,
        ),
        (
            r#"{"type":"failed","turn":3,"kind":"transient","why":"cut"}"#,
            r#"Failed { turn: TurnId(3), failure: Transient("cut") }"#,
        ),
        (
            r#"{"type":"failed","turn":3,"kind":"limit","why":"full","until_ms":1700000000000}"#,
            r#"Failed { turn: TurnId(3), failure: Limited { why: "full", until: Some(Timestamp(1700000000000)) } }"#,
        ),
        (
            r#"{"type":"failed","turn":3,"kind":"limit","why":"full"}"#,
            r#"Failed { turn: TurnId(3), failure: Limited { why: "full", until: None } }"#,
        ),
        (
            r#"{"type":"failed","turn":3,"kind":"login","why":"who?"}"#,
            r#"Failed { turn: TurnId(3), failure: Unauthorised("who?") }"#,
        ),
        (
            r#"{"type":"failed","turn":3,"kind":"refused","why":"no"}"#,
            r#"Failed { turn: TurnId(3), failure: Refused("no") }"#,
        ),
    ];
    for (line, event) in table {
        assert_eq!(format!("{:?}", hear(line, NOW).unwrap()), event);
    }
}

#[test]
fn words_while_they_come_are_no_event() {
    let line = r#"{"type":"live","text":"a few «words» "}"#;
    assert_eq!(deed(line, NOW), Some(DriverAction::Live(Live::Text("a few «words» ".to_owned()))));
    assert_eq!(hear(line, NOW), None);
}

#[test]
fn a_line_that_nobody_knows_means_nothing() {
    for line in
        ["", "hello", "{}", r#"{"type":"sung","turn":1}"#, r#"{"type":"heard","turn":-1}"#, "[1]", "null"]
    {
        assert_eq!(hear(line, NOW), None, "{line}");
    }
}

#[test]
fn a_plea_that_makes_no_sense_is_refused_on_the_spot() {
    for (line, told) in [
        (
            r#"{"type":"pleads","call":"c","tool":"arbiter_sing"}"#,
            json!({"error": "there is no tool \"arbiter_sing\" here"}),
        ),
        (
            r#"{"type":"pleads","call":"c","tool":"arbiter_status","given":{}}"#,
            json!({"error": "`id` is missing: give the id that arbiter_push returned"}),
        ),
    ] {
        let refusal = SessionCommand::Reply { call: Arc::from("c"), told, refused: true };
        assert_eq!(deed(line, NOW), Some(DriverAction::Write(say(&refusal))));
        assert_eq!(hear(line, NOW), None);
    }
}

#[test]
fn a_tools_detail_is_cut() {
    let line = format!(r#"{{"type":"tool_started","name":"Bash","detail":"{}"}}"#, "x".repeat(10_000));
    assert!(format!("{:?}", hear(&line, NOW).unwrap()).len() < 300);
}

#[test]
fn every_order_is_one_line() {
    let table = [
        (
            SessionCommand::Deliver { turn: TurnId(1), key: "k".into(), text: "a\nb".into(), again: None },
            r#"{"type":"deliver","turn":1,"key":"k","text":"a\nb"}"#,
        ),
        (
            SessionCommand::Steer { turn: TurnId(2), key: "k".into(), text: "«c»".into() },
            r#"{"type":"steer","turn":2,"key":"k","text":"«c»"}"#,
        ),
        (
            SessionCommand::Warn { percent: 70, text: "w".into() },
            r#"{"type":"warn","percent":70,"text":"w"}"#,
        ),
        (
            SessionCommand::Reply { call: "c".into(), told: json!({"id": "m1"}), refused: false },
            r#"{"type":"reply","call":"c","told":{"id":"m1"}}"#,
        ),
        (SessionCommand::Interrupt { turn: TurnId(2) }, r#"{"type":"interrupt","turn":2}"#),
        (SessionCommand::End, r#"{"type":"end"}"#),
    ];
    for (order, line) in table {
        assert_eq!(say(&order), line);
    }
}
