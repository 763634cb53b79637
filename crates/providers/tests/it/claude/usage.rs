//! What a process has cost so far becomes reports: each part of it is told once, with the end of a turn or without one.

use std::sync::Arc;

use mind::session::Role;
use mind::{AgentEvent, Timestamp};
use providers::claude::conversation::Conversation;
use providers::limits::USAGE_REFUSALS_MAX;
use serde_json::{Value, json};

use super::conversation::{deliver, failed, greeted, hear, init, ready, result, steer, told, written};

/// The line of a process that has cost so much.
fn costing(mut line: Value, total_usd: f64) -> Value {
    line["total_cost_usd"] = json!(total_usd);
    line
}

#[test]
fn what_a_turn_cost_is_told_before_its_end_whether_it_rests_or_fails() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    let deeds = hear(&mut conversation, &costing(failed(), 0.25));
    let [AgentEvent::Spent { report: first, cost_microusd: 250_000, .. }, AgentEvent::Failed { .. }] =
        told(&deeds)[..]
    else {
        panic!("{deeds:?}")
    };
    let first = first.clone();
    conversation.obey(deliver(2, "Build it.", None));
    let deeds = hear(&mut conversation, &costing(result("built"), 0.75));
    let [AgentEvent::Spent { report, cost_microusd: 500_000, .. }, AgentEvent::Rested { .. }] =
        told(&deeds)[..]
    else {
        panic!("{deeds:?}")
    };
    assert_ne!(*report, first, "lines without a name, in one millisecond");
    conversation.obey(deliver(3, "More.", None));
    let deeds = hear(&mut conversation, &costing(result("more"), 0.75));
    assert!(matches!(told(&deeds)[..], [AgentEvent::Rested { .. }]), "nothing is told twice: {deeds:?}");
}

#[test]
fn another_process_counts_from_nothing() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    hear(&mut conversation, &costing(failed(), 0.25));
    conversation.greet(Timestamp(2_000));
    hear(&mut conversation, &greeted());
    conversation.obey(deliver(2, "Build it.", None));
    let deeds = hear(&mut conversation, &costing(result("built"), 0.125));
    assert!(matches!(told(&deeds)[0], AgentEvent::Spent { cost_microusd: 125_000, .. }), "{deeds:?}");
}

#[test]
fn what_belongs_to_no_turn_of_ours_is_paid_for_all_the_same() {
    let mut conversation = ready(Role::Orchestrator);
    let mut unasked = costing(result("a task is over"), 0.125);
    unasked["origin"] = json!({"kind": "task-notification"});
    unasked["uuid"] = json!("u-1");
    let report = Arc::from("u-1");
    let spent = AgentEvent::Spent { report, input: 0, output: 0, cost_microusd: 125_000 };
    assert_eq!(told(&hear(&mut conversation, &unasked)), [&spent]);
    let deeds = hear(&mut conversation, &costing(result("whose?"), 0.25));
    assert!(matches!(told(&deeds)[..], [AgentEvent::Spent { cost_microusd: 125_000, .. }]), "{deeds:?}");
    conversation.obey(deliver(1, "Build it.", None));
    hear(&mut conversation, &init());
    conversation.obey(steer(2, "in red"));
    let deeds = hear(&mut conversation, &costing(failed(), 0.5));
    assert!(matches!(told(&deeds)[..], [AgentEvent::Spent { cost_microusd: 250_000, .. }]), "{deeds:?}");
}

/// A conversation whose process is asked for its usage inside a turn, with a turn that runs.
fn watched() -> Conversation {
    let mut conversation = ready(Role::Orchestrator);
    conversation.watch_usage();
    conversation.obey(deliver(1, "Build it.", None));
    hear(&mut conversation, &init());
    conversation
}

/// The id of the request for the usage that an answer of the model leads to.
fn asked(conversation: &mut Conversation) -> Option<String> {
    let event = json!({"type": "message_delta", "usage": {"input_tokens": 9, "output_tokens": 1}});
    let deeds =
        hear(conversation, &json!({"type": "stream_event", "event": event, "parent_tool_use_id": null}));
    let lines = written(&deeds);
    let ask = lines.iter().find(|line| line["request"]["subtype"] == "get_usage")?;
    assert_eq!(ask["request"]["skip_behaviors"], json!(true), "no transcript need be read for it");
    Some(ask["request_id"].as_str().expect("a request has an id").to_owned())
}

fn refuses(request: &str) -> Value {
    let error = json!({"subtype": "error", "request_id": request, "error": "EMFILE: too many open files"});
    json!({"type": "control_response", "response": error})
}

fn tells(request: &str, total_usd: f64) -> Value {
    let usage = json!({"session": {"total_cost_usd": total_usd, "model_usage": {}}});
    json!({"type": "control_response", "response": {"subtype": "success", "request_id": request, "response": usage}})
}

#[test]
fn usage_that_is_not_told_once_is_asked_for_again() {
    let mut conversation = watched();
    for round in 1..=3 {
        let request = asked(&mut conversation).expect("it is asked for");
        let deeds = hear(&mut conversation, &refuses(&request));
        assert_eq!(told(&deeds), Vec::<&AgentEvent>::new());
        let request = asked(&mut conversation).expect("it is asked for again");
        let deeds = hear(&mut conversation, &tells(&request, 0.25 * f64::from(round)));
        assert!(matches!(told(&deeds)[..], [AgentEvent::Spent { cost_microusd: 250_000, .. }]), "{deeds:?}");
    }
}

#[test]
fn a_person_is_told_once_that_a_budget_is_counted_at_the_end_of_turns_alone() {
    let mut conversation = watched();
    for round in 1..=USAGE_REFUSALS_MAX {
        let request = asked(&mut conversation).expect("it is asked for");
        let deeds = hear(&mut conversation, &refuses(&request));
        match told(&deeds)[..] {
            [] => assert!(round < USAGE_REFUSALS_MAX, "at once, and not when the mission is over"),
            [AgentEvent::Remarked(remark)] => {
                assert_eq!(round, USAGE_REFUSALS_MAX);
                assert!(remark.contains("EMFILE") && remark.contains("end of each turn"), "{remark}");
            }
            _ => panic!("{deeds:?}"),
        }
    }
    assert_eq!(asked(&mut conversation), None);
    // Another process may tell it.
    conversation.greet(Timestamp(2_000));
    hear(&mut conversation, &greeted());
    conversation.obey(deliver(2, "Paint it.", None));
    hear(&mut conversation, &init());
    assert!(asked(&mut conversation).is_some());
}
