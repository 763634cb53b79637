//! What a process has cost so far becomes reports: each part of it is told once, with the end of a turn or without one.

use std::sync::Arc;

use mind::session::Role;
use mind::{AgentEvent, Timestamp};
use serde_json::{Value, json};

use super::conversation::{deliver, failed, greeted, hear, init, ready, result, steer, told};

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
