//! What sessions use up: each report of usage is booked once, with its cost, to the session that told it.

use insta::assert_snapshot;
use mind::play::{Stage, play};
use mind::state::Ended;

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
