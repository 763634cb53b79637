//! What sessions use up: each report of usage is booked once, with its cost, to the session that told it.

use insta::assert_snapshot;
use mind::conductor::{ConductorEvent, ConductorFact};
use mind::play::{Stage, play};
use mind::state::Ended;
use mind::{Entry, Event, Fact};

fn staged(lines: &str) -> Stage {
    let mut stage = Stage::new();
    go(&mut stage, lines);
    stage
}

fn go(stage: &mut Stage, lines: &str) {
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        stage.perform(line);
    }
}

/// The tokens and the cost of the worker, and the cost of the mission.
fn booked(stage: &Stage) -> (Option<(u64, u64)>, u64, u64) {
    let usage = &stage.state.worker().expect("a worker").usage;
    (usage.tokens, usage.cost_microusd, stage.state.cost_microusd())
}

const AT_WORK: &str = "
    open policy night
    settled
    arbiter summon_orchestrator: I call one.
";

#[test]
fn a_death_between_usage_and_rest_loses_nothing_and_books_nothing_twice() {
    assert_snapshot!(play("
        ~ at work
        orchestrator spent 1200 90 for 4500 as u-1
        ~ lost orchestrator: exit 1
        ~ alarm
        orchestrator spent 1200 90 for 4500 as u-1
        orchestrator spent 800 70 for 1500 as u-2
        orchestrator progress?: Built.
    "), @"
    orchestrator spent 1200 90 for 4500 as u-1
      + Spent s2 1200 in 90 out for $0.0045
    orchestrator spent 1200 90 for 4500 as u-1
      > Note s2.2 tells its usage u-1 again
    orchestrator spent 800 70 for 1500 as u-2
      + Spent s2 800 in 70 out for $0.0015
    orchestrator progress?: Built.
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> Arbiter: Built.
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Built.
      + Prompted s1 t6: «Notice» / The process of Orchestrator I ended and was taken up again. / «Orchestrator I - Awaiting ...
      > FetchBack
      > Deliver s1.1 t6: «Notice» / The process of Orchestrator I ended and was taken up again. / «Orchestrator I - Awaiting ...
    ");
}

#[test]
fn a_fall_of_the_house_between_usage_and_rest_books_it_once() {
    let mut stage = staged(AT_WORK);
    go(&mut stage, "orchestrator spent 1200 90 for 4500 as u-1\nrestart");
    assert_eq!(booked(&stage), (Some((1200, 90)), 4500, 4500));
    go(&mut stage, "orchestrator spent 1200 90 for 4500 as u-1\norchestrator progress?: Built.");
    assert_eq!(booked(&stage), (Some((1200, 90)), 4500, 4500));
}

#[test]
fn what_a_failed_turn_cost_is_booked_although_its_process_dies() {
    let mut stage = staged(AT_WORK);
    go(&mut stage, "orchestrator spent 300 10 for 700 as u-1\norchestrator fails: overloaded");
    go(&mut stage, "lost orchestrator: exit 1\nalarm");
    assert_eq!(booked(&stage), (Some((300, 10)), 700, 700));
    go(&mut stage, "orchestrator spent 400 20 for 900 as u-2\norchestrator progress?: Built.");
    assert_eq!(booked(&stage), (Some((700, 30)), 1600, 1600));
}

#[test]
fn a_report_without_tokens_books_its_cost_and_says_nothing_of_tokens() {
    let mut stage = staged(AT_WORK);
    go(&mut stage, "orchestrator spent 0 0 for 2000 as u-1");
    assert_eq!(booked(&stage), (None, 2000, 2000));
}

#[test]
fn a_budget_that_a_report_uses_up_ends_the_mission_after_the_run_that_told_it() {
    let mut stage = staged("open conducted budget 1000 checks \"make test\"\nsettled\nprepared");
    go(&mut stage, "agent spent 90 20 for 1000\nagent tool Read a.md\nagent tool ok");
    assert_eq!(stage.state.ended, None, "its answer is still heard");
    go(&mut stage, "agent plan: Build it @developer\ninspected");
    let conductor = stage.state.conductor.as_ref().expect("a podium");
    assert_eq!((conductor.history.len(), conductor.plan.is_some()), (1, true));
    assert!(matches!(stage.state.ended, Some(Ended::Exhausted(_))), "{:?}", stage.state.ended);
}

/// A run that took too long, was stopped, or used too many tools: its process tells what the turn took on its way out.
#[test]
fn a_released_run_is_booked_whole_whether_its_report_comes_before_or_after_the_run_is_looked_at() {
    for (opening, stop) in [("timeout", "later 61s\nalarm"), ("calls 0", "agent tool Bash x")] {
        for late in [false, true] {
            let mut stage =
                staged(&format!("open conducted {opening} checks \"make test\"\nsettled\nprepared"));
            go(&mut stage, "agent spent 100 20 for 500 as u-1");
            go(&mut stage, stop);
            assert!(stage.state.active_agent().is_none(), "{opening}: it was released");
            let report = "stale s1.1 spent 900 30 for 4000 as u-2";
            let lines = if late { ["inspected", report, report] } else { [report, report, "inspected"] };
            go(&mut stage, &lines.join("\n"));
            let session = &stage.state.sessions.values().next().expect("a session").usage;
            assert_eq!((session.tokens, session.cost_microusd), (Some((1000, 50)), 4500), "{opening}");
            assert_eq!(
                (stage.state.tokens_used(), stage.state.cost_microusd()),
                (1050, 4500),
                "{opening} {late}"
            );
            let history = &stage.state.conductor.as_ref().expect("it is conducted").history;
            let run = history.last().and_then(|run| run.tokens).map(|tokens| tokens.total);
            assert_eq!(run, Some(if late { 120 } else { 1050 }), "{opening}");
        }
    }
}

#[test]
fn what_an_orchestrator_took_that_is_released_inside_its_turn_is_booked() {
    let mut stage = staged(AT_WORK);
    go(
        &mut stage,
        "human release\nstale s2.1 spent 700 20 for 3000 as u-1\nstale s2.1 spent 700 20 for 3000 as u-1",
    );
    assert!(stage.state.worker().is_none());
    assert_eq!((stage.state.tokens_used(), stage.state.cost_microusd()), (720, 3000));
    // A life that never was has used nothing.
    go(&mut stage, "stale s2.2 spent 700 20 for 3000 as u-2");
    assert_eq!(stage.state.tokens_used(), 720);
}

#[test]
fn what_is_told_after_the_end_is_in_the_books_and_changes_nothing_else() {
    for opening in ["open policy night", "open conducted"] {
        let mut stage = staged(&format!("{opening}\nsettled"));
        if opening.ends_with("conducted") {
            go(&mut stage, "prepared\nagent plan: Build it @developer\ninspected\nprepared");
            go(&mut stage, "agent failure: No.\ninspected");
            assert!(stage.state.conductor.as_ref().is_some_and(|conductor| conductor.asking.is_some()));
        }
        go(&mut stage, "human cancel");
        let before = (stage.state.tokens_used(), stage.state.cost_microusd());
        let told = stage.perform("stale s1.1 spent 700 20 for 3000 as late");
        assert!(told.contains("+ Spent s1 700 in 20 out"), "{told}");
        let after = (before.0 + 720, before.1 + 3000);
        assert_eq!((stage.state.tokens_used(), stage.state.cost_microusd()), after, "{opening}");
        if opening.ends_with("conducted") {
            go(&mut stage, r#"decides took 900 for 2500 {"type": "FAIL", "reason": "late"}"#);
            let after = (after.0 + 900, after.1 + 2500);
            assert_eq!((stage.state.tokens_used(), stage.state.cost_microusd()), after);
        }
        assert!(matches!(stage.state.ended, Some(Ended::Cancelled(_))), "{:?}", stage.state.ended);
    }
}

#[test]
fn what_a_program_has_to_say_to_a_person_is_told_while_the_mission_runs_and_once() {
    let mut stage = staged(AT_WORK);
    let told = stage.perform("orchestrator remarks: The budget is checked at the end of each turn alone.");
    assert!(told.contains("House -> nobody (notice): The budget is checked"), "{told}");
    let again = stage.perform("arbiter remarks: The budget is checked at the end of each turn alone.");
    assert!(again.contains("> Note told before"), "{again}");
    let late = stage.perform("stale s9.1 remarks: Of nobody.");
    assert!(late.contains("> Note s9.1 is unknown"), "{late}");
}

/// A call that was ended has no answer, and was paid for.
#[test]
fn a_call_that_was_dropped_is_booked_and_decides_nothing() {
    let mut stage = staged("open conducted\nsettled\nprepared\nagent failure: No.\ninspected");
    let asking = stage.state.conductor.as_ref().and_then(|conductor| conductor.asking.clone());
    let number = asking.expect("a model is asked").number;
    for _ in 0..2 {
        let mut state = stage.state.clone();
        let dropped = ConductorEvent::Dropped { number, attempt: 1, tokens: 900, cost_microusd: 40 };
        let step = state.decide(Event::Conductor(dropped), stage.now());
        assert_eq!(step.facts, [Fact::Conductor(ConductorFact::Spent { tokens: 900, cost_microusd: 40 })]);
        for fact in step.facts {
            state.apply(&Entry { at: stage.now(), fact });
        }
        assert_eq!((state.tokens_used(), state.cost_microusd()), (900, 40));
        go(&mut stage, "human cancel");
    }
}
