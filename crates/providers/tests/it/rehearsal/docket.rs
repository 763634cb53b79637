//! An actor that asks in the docket.

use providers::rehearsal::RehearsalScript;
use serde_json::{Value, json};

use super::actor::{Actor, Theatre};

const PART: &str = "- does:
  - {push: {title: Which way?, decisions: [{id: way, title: Left?, options: [left, right]}]}}
  - {await: true}
  says: {kind: progress, expects_response: false, message: 'I rest for {petition}.'}";

/// The next call, by its tool; it is not answered yet.
fn call(actor: &Actor, tool: &str) -> Value {
    loop {
        let line = actor.next().expect("a call");
        if line["type"] == "pleads" {
            assert_eq!(line["tool"], tool);
            return line;
        }
        assert_ne!(line["type"], "rested");
    }
}

fn reply(actor: &mut Actor, call: &Value, told: Value, refused: bool) {
    actor.tell(json!({"type": "reply", "call": call["call"], "told": told, "refused": refused}));
}

#[test]
fn an_actor_asks_waits_and_names_its_petition() {
    let theatre = Theatre::new(PART);
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    let push = call(&actor, "arbiter_push");
    assert_eq!(push["given"]["title"], "Which way?");
    assert_eq!(push["given"]["key"], "turn 1 step 1");
    // Words for another call are not for this one.
    actor.tell(json!({"type": "reply", "call": "another", "told": {"id": "m9"}}));
    reply(&mut actor, &push, json!({"id": "m1"}), false);
    let awaits = call(&actor, "arbiter_await");
    assert_eq!(awaits["given"], json!({"id": "m1"}));
    reply(&mut actor, &awaits, json!({"parked": true}), false);
    assert_eq!(actor.until("rested"), ["tool_ended true", "rested 1 I rest for m1."]);
}

#[test]
fn a_killed_actor_asks_again_under_the_same_key_and_knows_what_it_asked() {
    let theatre = Theatre::new(PART);
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    let first = call(&actor, "arbiter_push");
    actor.close();
    drop(actor);
    let mut actor = theatre.start(&["--resume"]);
    actor.deliver(1, "t-1");
    let second = call(&actor, "arbiter_push");
    assert_eq!(first["given"], second["given"]);
    reply(&mut actor, &second, json!({"id": "m1"}), false);
    let awaits = call(&actor, "arbiter_await");
    actor.close();
    drop(actor);
    let mut actor = theatre.start(&["--resume"]);
    actor.deliver(1, "t-1");
    let again = call(&actor, "arbiter_await");
    assert_eq!(awaits["given"], again["given"], "what was asked is not asked a third time");
    reply(&mut actor, &again, json!({}), false);
    assert_eq!(actor.until("rested").last().map(String::as_str), Some("rested 1 I rest for m1."));
}

#[test]
fn a_refusal_is_a_tool_that_failed() {
    let theatre = Theatre::new(PART);
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    let push = call(&actor, "arbiter_push");
    reply(&mut actor, &push, json!({"error": "no"}), true);
    let awaits = call(&actor, "arbiter_await");
    assert_eq!(awaits["given"], json!({"id": null}), "there is none");
    reply(&mut actor, &awaits, json!({"error": "none"}), true);
    assert_eq!(actor.until("rested"), ["tool_ended false", "rested 1 I rest for {petition}."]);
    assert!(actor.end().1.contains("the docket refused"));
}

#[test]
fn a_script_is_judged_with_its_petitions() {
    let script = |step: &str| {
        let says = "{kind: handoff, expects_response: true, message: x}";
        format!(
            "rehearsal: 1\ntitle: t\nscroll: s\narbiter: []\norchestrators: [[{{does: [{step}], says: {says}}}]]"
        )
    };
    for (step, fault) in [
        ("{push: {title: x, decisions: []}}", "`push`: there is no decision"),
        (
            "{push: {decisions: [{id: a, title: b}]}}",
            "`title` is missing or empty; decision \"a\": it has no options",
        ),
        ("{await: false}", "`await` is false"),
    ] {
        let error = RehearsalScript::parse(&script(step)).unwrap_err();
        assert!(error.to_string().contains(fault), "{error}");
    }
    assert!(RehearsalScript::parse(&script("{await: true}")).is_ok());
}
