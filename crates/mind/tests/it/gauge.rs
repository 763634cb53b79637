//! The gauge and the warnings: for any window, once each per session, to the model itself.

use insta::assert_snapshot;
use mind::Event;
use mind::event::{AgentEvent, TurnEnd};
use mind::play::{Stage, play};

#[test]
fn the_gauge_is_a_fact_with_its_source_for_any_window() {
    assert_snapshot!(play("
        ~ at work
        orchestrator gauge 100000/200000
        arbiter gauge 100000/1000000
        show gauges
    "), @"
    orchestrator gauge 100000/200000
      + Gauged s2 50% (100000 of 200000, usage)
    arbiter gauge 100000/1000000
      + Gauged s1 10% (100000 of 1000000, usage)
    show gauges
      s1.1 10% (100000 of 1000000, usage)
      s2.1 50% (100000 of 200000, usage)
    ");
}

#[test]
fn a_fall_of_the_gauge_is_a_fact() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator gauge 100000/200000
        orchestrator gauge 20000/200000
    "), @"
    orchestrator gauge 20000/200000
      + Gauged s2 10% (20000 of 200000, usage)
    ");
}

#[test]
fn the_same_gauge_again_is_only_noted() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator gauge 100000/200000
        orchestrator gauge 100000/200000
    "), @"
    orchestrator gauge 100000/200000
      > Note s2.1 gauges the same
    ");
}

#[test]
fn at_seventy_the_orchestrator_is_warned_to_conclude() {
    assert_snapshot!(play("
        ~ at work
        orchestrator gauge 139999/200000
        orchestrator gauge 140000/200000
        read warning
        orchestrator warned 70
    "), @"
    orchestrator gauge 139999/200000
      + Gauged s2 69% (139999 of 200000, usage)
    orchestrator gauge 140000/200000
      + Gauged s2 70% (140000 of 200000, usage)
      + WarningSet s2 70%
      > Warn s2.1 70%: «Notice» / Your context is 70% full. There is still room: this is the time to begin to conclude, not...
    read warning
      | «Notice»
      | Your context is 70% full. There is still room: this is the time to begin to conclude, not to hurry.
      | Bring the item in hand to a verified, committed end with your usual care, or to a clean stop if it is large.
      | Begin no large new item. Make the task list true, and prepare to hand off: done, remains, NOT completed, what the next
      | needs to know.
    orchestrator warned 70
      + Warned s2 70%
    ");
}

#[test]
fn at_eighty_five_it_is_warned_to_cease() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator gauge 140000/200000
        ~ orchestrator warned 70
        orchestrator gauge 170000/200000
        read warning
        orchestrator warned 85
    "), @"
    orchestrator gauge 170000/200000
      + Gauged s2 85% (170000 of 200000, usage)
      + WarningSet s2 85%
      > Warn s2.1 85%: «Notice» / Your context is 85% full. Cease now, calmly: start nothing more. / Commit what is sound, ...
    read warning
      | «Notice»
      | Your context is 85% full. Cease now, calmly: start nothing more.
      | Commit what is sound, make the task list true, and report now with a `handoff` that expects a response.
      | Unfinished work is no fault when it is named: say exactly what remains and what was NOT completed.
      | Claim nothing unverified.
    orchestrator warned 85
      + Warned s2 85%
    ");
}

#[test]
fn a_jump_past_both_gives_the_last_warning_only() {
    assert_snapshot!(play("
        ~ at work
        orchestrator gauge 190000/200000
    "), @"
    orchestrator gauge 190000/200000
      + Gauged s2 95% (190000 of 200000, usage)
      + WarningSet s2 85%
      + Overflowed s2
      + Interrupting s2 by policy:overflow
      > Warn s2.1 85%: «Notice» / Your context is 95% full. Cease now, calmly: start nothing more. / Commit what is sound, ...
      > Interrupt s2.1 t5
    ");
}

#[test]
fn each_warning_comes_once_per_session_even_after_a_fall() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator gauge 140000/200000
        ~ orchestrator warned 70
        orchestrator gauge 150000/200000
        ~ orchestrator gauge 20000/200000
        orchestrator gauge 141000/200000
        orchestrator warned 70
    "), @"
    orchestrator gauge 150000/200000
      + Gauged s2 75% (150000 of 200000, usage)
    orchestrator gauge 141000/200000
      + Gauged s2 70% (141000 of 200000, usage)
    orchestrator warned 70
      > Note s2.1 has no warning at 70 to hear
    ");
}

#[test]
fn a_warning_that_was_never_set_up_is_only_noted() {
    assert_snapshot!(play("
        ~ at work
        orchestrator warned 70
    "), @"
    orchestrator warned 70
      > Note s2.1 has no warning at 70 to hear
    ");
}

#[test]
fn the_next_orchestrator_is_warned_anew() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator gauge 170000/200000
        ~ orchestrator handoff: My context thins.
        ~ arbiter summon_orchestrator: Another.
        orchestrator gauge 140000/200000
    "), @"
    orchestrator gauge 140000/200000
      + Gauged s3 70% (140000 of 200000, usage)
      + WarningSet s3 70%
      > Warn s3.1 70%: «Notice» / Your context is 70% full. There is still room: this is the time to begin to conclude, not...
    ");
}

#[test]
fn the_arbiter_itself_gets_no_workers_warning() {
    assert_snapshot!(play("
        ~ at work
        arbiter gauge 190000/200000
    "), @"
    arbiter gauge 190000/200000
      + Gauged s1 95% (190000 of 200000, usage)
      + TestamentAsked s1
      + Prompted s1 t6: «Notice» / Your context is 95% full. A fresh Arbiter session will take your place; it remembers noth...
      > Deliver s1.1 t6: «Notice» / Your context is 95% full. A fresh Arbiter session will take your place; it remembers noth...
    ");
}

#[test]
fn thresholds_and_texts_are_configurable() {
    assert_snapshot!(play(r#"
        ~ open warn 50 60 prompt warn-first.md "At {percent}%, {numeral}."
        ~ at work
        orchestrator gauge 100000/200000
        orchestrator gauge 120000/200000
    "#), @"
    orchestrator gauge 100000/200000
      + Gauged s2 50% (100000 of 200000, usage)
      + WarningSet s2 50%
      > Warn s2.1 50%: At 50%, I.
    orchestrator gauge 120000/200000
      + Gauged s2 60% (120000 of 200000, usage)
      + WarningSet s2 60%
      > Warn s2.1 60%: «Notice» / Your context is 60% full. Cease now, calmly: start nothing more. / Commit what is sound, ...
    ");
}

/// Each cost is booked once, to the session that caused it; the mission's is their sum.
#[test]
fn costs_and_tool_calls_are_booked_to_their_session() {
    let mut stage = Stage::new();
    for line in [
        "open policy night",
        "settled",
        "arbiter summon_orchestrator: I call one.",
        "orchestrator tool Read a.md",
        "orchestrator tool ok",
        "orchestrator tool Bash ls",
        "orchestrator tool failed",
    ] {
        stage.perform(line);
    }
    for cost_microusd in [1_200, 300] {
        let worker = stage.state.worker().expect("a worker").clone();
        let turn = worker.turns.current.as_ref().expect("a turn").id;
        let output = serde_json::json!({"kind": "progress", "expects_response": false, "message": "On."});
        let end = TurnEnd::Spoke { output: Some(output), text: "".into() };
        let report = turn.to_string().into();
        let spent = AgentEvent::Spent { report, input: 10, output: 1, cost_microusd };
        stage.happen(Event::Agent(worker.address(), spent));
        stage.happen(Event::Agent(worker.address(), AgentEvent::Rested { turn, end, tree: None }));
    }
    let worker = stage.state.worker().expect("a worker");
    assert_eq!((worker.tool_use.calls, worker.usage.cost_microusd), (2, 1_500));
    assert_eq!(stage.state.arbiter().expect("the Arbiter").usage.cost_microusd, 0);
    assert_eq!(stage.state.cost_microusd(), 1_500);
}

/// A window that is only concluded from a model's name may be a fifth of the real one.
#[test]
fn a_guessed_window_neither_warns_nor_stops() {
    assert_snapshot!(play("
        ~ at work
        orchestrator gauge 150000/~200000
        orchestrator gauge 190000/~200000
        show gauges
        orchestrator gauge 190000/1000000
        orchestrator gauge 710000/1000000
    "), @"
    orchestrator gauge 150000/~200000
      + Gauged s2 ~75% (150000 of ~200000, usage)
    orchestrator gauge 190000/~200000
      + Gauged s2 ~95% (190000 of ~200000, usage)
    show gauges
      s2.1 ~95% (190000 of ~200000, usage)
    orchestrator gauge 190000/1000000
      + Gauged s2 19% (190000 of 1000000, usage)
    orchestrator gauge 710000/1000000
      + Gauged s2 71% (710000 of 1000000, usage)
      + WarningSet s2 70%
      > Warn s2.1 70%: «Notice» / Your context is 71% full. There is still room: this is the time to begin to conclude, not...
    ");
}

#[test]
fn a_guessed_window_asks_for_no_handoff_and_no_testament() {
    assert_snapshot!(play("
        ~ open warnings silent
        ~ at work
        ~ orchestrator gauge 190000/~200000
        orchestrator progress: Committed.
        arbiter gauge 190000/~200000
    "), @"
    orchestrator progress: Committed.
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> nobody: Committed.
      + Logged s2 (quiet): Committed.
      + Queued s2 notice: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      + Prompted s2 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      > FetchBack
      > Deliver s2.1 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
    arbiter gauge 190000/~200000
      + Gauged s1 ~95% (190000 of ~200000, usage)
    ");
}

/// The window that a session last named is a fact: the process of the next start is told of it.
#[test]
fn a_named_window_outlives_the_loop() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator gauge 300000/1000000
        restart
    "), @"
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Spawn s2.2 Orchestrator I, rehearsal (resume) at 30% (300000 of 1000000, usage)
      > Deliver s2.2 t5: The brief.
    ");
}
