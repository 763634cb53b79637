//! Limits of a mission: each counts in council and conductor, inside a turn too, and a mission that a limit ended goes on
//! once the limit is raised.

use insta::assert_snapshot;
use mind::mission_limits::LimitKind;
use mind::play::{Stage, play};
use mind::state::Ended;

pub fn staged(lines: &str) -> Stage {
    let mut stage = Stage::new();
    go(&mut stage, lines);
    stage
}

pub fn go(stage: &mut Stage, lines: &str) -> String {
    lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| stage.perform(line)).collect()
}

pub fn reached(stage: &Stage) -> Option<LimitKind> {
    let ended = matches!(stage.state.ended, Some(Ended::Exhausted(_)));
    stage.state.closing.as_ref().filter(|_| ended).map(|closing| closing.limit)
}

/// Orchestrator I is briefed and at work.
pub const AT_WORK: &str = "
    settled
    arbiter summon_orchestrator: I call one.
    orchestrator introduction: I am Orchestrator I.
    arbiter address_orchestrator: The brief.
";

pub fn at_work(limits: &str) -> Stage {
    staged(&format!("open policy night {limits}\n{AT_WORK}"))
}

fn conducted(limits: &str) -> Stage {
    staged(&format!("open conducted no-model {limits}\nsettled\nprepared"))
}

#[test]
fn a_budget_stops_a_council_inside_the_turn_and_the_handoff_is_kept() {
    let opening = format!("open policy night tokens 20000\n{AT_WORK}");
    let opening = opening.lines().map(str::trim).filter(|line| !line.is_empty());
    let opening: String = opening.map(|line| format!("~ {line}\n")).collect();
    assert_snapshot!(play(&format!("{opening}
        orchestrator heard
        orchestrator spent 9000 0 as u-1
        orchestrator spent 9500 0 as u-2
        orchestrator interrupted
        orchestrator spent 700 20 as u-3
        orchestrator handoff: Half of it stands.
    ")), @"
    orchestrator heard
      + Heard s2 t4
    orchestrator spent 9000 0 as u-1
      + Spent s2 9000 in 0 out
    orchestrator spent 9500 0 as u-2
      + Spent s2 9500 in 0 out
      + LimitReached tokens: the tokens are used up: 18500 of 20000; the rest is kept for the handoff
      + Interrupting s2 by policy:limit
      > Interrupt s2.1 t4
    orchestrator interrupted
      + Rested s2 t4 at c1 (interrupted)
      + HandoffAtLimit
      + HandoffAsked s2
      + Queued s2 notice: «Notice» / The mission has reached a limit and you were stopped: the tokens are used up: 18500 of 20...
      + Prompted s2 t5: «Notice» / The mission has reached a limit and you were stopped: the tokens are used up: 18500 of 20...
      > Deliver s2.1 t5: «Notice» / The mission has reached a limit and you were stopped: the tokens are used up: 18500 of 20...
    orchestrator spent 700 20 as u-3
      + Spent s2 700 in 20 out
    orchestrator handoff: Half of it stands.
      + Rested s2 t5 at c1
      + Said m4 Orchestrator I -> Arbiter: Half of it stands.
      + AwaitsReply s2
      + Queued s1 report of I, Handoff: Half of it stands.
      + Exhausted the tokens are used up: 18500 of 20000; the rest is kept for the handoff
      > FetchBack
      > End s1.1
      > End s2.1
      > FetchBack
      > Leave exhausted
    ");
}

/// One request reads the whole context, which can be more than what is kept, and its usage is told before its answer.
#[test]
fn the_one_answer_that_was_asked_for_is_let_finish_beyond_the_reserve() {
    for (opening, who) in [(at_work("tokens 200000"), "orchestrator"), (conducted("tokens 200000"), "agent")]
    {
        let mut stage = opening;
        go(&mut stage, &format!("{who} spent 185000 0 as u-1\n{who} interrupted"));
        let told = go(&mut stage, &format!("{who} spent 60000 300 as u-2"));
        assert!(!told.contains("> Interrupt"), "{told}");
        let answer = match who {
            "agent" => "agent failure: Half of it stands.\ninspected",
            _ => "orchestrator handoff: Half of it stands.",
        };
        go(&mut stage, answer);
        assert_eq!(reached(&stage), Some(LimitKind::Tokens), "{who}");
        let heard = match &stage.state.conductor {
            Some(conductor) => conductor.history.len() == 1,
            None => stage.perform("show talk").contains("Half of it stands."),
        };
        assert!(heard, "{who}");
    }
}

#[test]
fn a_handoff_that_uses_up_the_reserve_and_asks_once_more_is_stopped_and_the_mission_ends() {
    let mut stage = at_work("tokens 20000");
    go(&mut stage, "orchestrator spent 18500 0 as u-1\norchestrator interrupted");
    let told = go(&mut stage, "orchestrator spent 2000 0 as u-2\norchestrator tool Bash make");
    assert!(!told.contains("> Interrupt"), "{told}");
    let told = go(&mut stage, "orchestrator spent 2000 0 as u-3");
    assert!(told.contains("> Interrupt"), "{told}");
    assert_eq!(stage.state.ended, None, "what it has said is still heard");
    go(&mut stage, "orchestrator interrupted");
    assert_eq!(reached(&stage), Some(LimitKind::Tokens));
}

/// The steps of a turn are as large as its context: with less kept than one of them, none would end before the budget does.
#[test]
fn a_full_context_keeps_more_of_the_tokens_for_its_handoff() {
    let mut stage = at_work("tokens 200000");
    for (step, report) in [(55_000, "u-1"), (56_000, "u-2")] {
        go(
            &mut stage,
            &format!("orchestrator gauge {step}/1000000\norchestrator spent {step} 0 as {report}"),
        );
    }
    assert_eq!(stage.state.closing, None);
    let told = go(&mut stage, "orchestrator gauge 57000/1000000\norchestrator spent 57000 0 as u-3");
    assert!(told.contains("LimitReached tokens") && told.contains("> Interrupt"), "{told}");
    let told = go(&mut stage, "orchestrator interrupted");
    assert!(told.contains("HandoffAtLimit"), "{told}");

    let mut stage = at_work("tokens 20000");
    go(&mut stage, "orchestrator gauge 60000/1000000\norchestrator spent 9000 0 as u-1");
    assert_eq!(stage.state.closing, None, "at most half of a budget is kept");
}

#[test]
fn a_turn_that_overshoots_the_whole_budget_is_not_asked_for_a_handoff() {
    let mut stage = at_work("budget 1000000");
    go(&mut stage, "orchestrator spent 10 0 for 2000000 as u-1");
    let told = go(&mut stage, "orchestrator interrupted");
    assert!(!told.contains("HandoffAtLimit"), "{told}");
    assert_eq!(reached(&stage), Some(LimitKind::Money));
}

#[test]
fn a_turn_that_does_not_stop_is_ended_with_the_mission() {
    let mut stage = at_work("tokens 20000");
    go(&mut stage, "orchestrator spent 19000 0 as u-1\norchestrator tool Bash make\nalarm");
    assert_eq!(reached(&stage), Some(LimitKind::Tokens));
}

#[test]
fn the_usage_of_the_arbiter_counts_and_its_claim_is_still_judged() {
    let mut stage = staged("open policy night tokens 20000 checks \"make test\"");
    go(&mut stage, AT_WORK);
    for line in ["handed off", "judged"] {
        stage.set_up(line);
    }
    go(&mut stage, "arbiter spent 19000 0 as u-1");
    assert_eq!(stage.state.ended, None);
    go(&mut stage, "arbiter release_orchestrators claim complete: It is done.");
    assert!(stage.state.gate.is_some(), "a claim takes no tokens");
    go(&mut stage, "surveyed c2\nbrought\ncheck pass");
    assert!(matches!(stage.state.ended, Some(Ended::Completed(_))), "{:?}", stage.state.ended);
}

#[test]
fn a_claim_that_is_turned_back_at_a_limit_ends_there() {
    let mut stage = staged("open policy night tokens 20000 checks \"make test\"");
    go(&mut stage, AT_WORK);
    for line in ["handed off", "judged"] {
        stage.set_up(line);
    }
    go(&mut stage, "arbiter spent 19000 0 as u-1\narbiter release_orchestrators claim complete: It is done.");
    go(&mut stage, "surveyed c2\nbrought\ncheck fail 101: no");
    assert_eq!(reached(&stage), Some(LimitKind::Tokens));
}

#[test]
fn a_deadline_counts_in_a_council_while_it_works_and_while_it_waits() {
    let mut stage = at_work("deadline 10m");
    let told = go(&mut stage, "alarm");
    assert!(told.contains("LimitReached deadline") && told.contains("> Interrupt"), "{told}");
    go(&mut stage, "orchestrator interrupted\norchestrator handoff: So far.");
    assert_eq!(reached(&stage), Some(LimitKind::Deadline));

    let mut stage = staged("open deadline 10m\nsettled\narbiter address_human: What shall I build?");
    go(&mut stage, "later 9m\narbiter stirs");
    assert_eq!(stage.state.ended, None, "a person may still answer");
    go(&mut stage, "alarm");
    assert_eq!(reached(&stage), Some(LimitKind::Deadline));
}

#[test]
fn summons_count_as_iterations_of_a_council_and_verifiers_do_not() {
    let mut stage = at_work("most 2 failures 9");
    go(
        &mut stage,
        "
        tree c2
        orchestrator handoff: One.
        arbiter summon_orchestrator agent verifier: Judge.
        verifier introduction: II.
        arbiter summon_orchestrator: Another.
        orchestrator introduction: III.
    ",
    );
    assert_eq!(stage.state.ended, None);
    go(&mut stage, "arbiter summon_orchestrator: Yet another.");
    assert_eq!(reached(&stage), Some(LimitKind::Iterations));
}

#[test]
fn orchestrators_that_change_nothing_count_as_failures_of_a_council() {
    let mut stage = staged("open policy night failures 3\nsettled\narbiter summon_orchestrator: I call one.");
    let mut summons = 1;
    while stage.state.ended.is_none() {
        go(&mut stage, "orchestrator introduction: I am here.\narbiter summon_orchestrator: Another.");
        summons += 1;
        assert!(summons < 10, "endless summoning");
    }
    assert_eq!((reached(&stage), stage.state.orchestrators), (Some(LimitKind::Failures), 3));
}

#[test]
fn an_orchestrator_that_changed_something_is_no_failure() {
    let mut stage = staged("open policy night failures 2\nsettled\narbiter summon_orchestrator: I call one.");
    for round in 2..8 {
        go(&mut stage, "orchestrator introduction: I am here.\narbiter address_orchestrator: Build.");
        go(&mut stage, &format!("tree c{round}\norchestrator handoff: Done."));
        go(&mut stage, "arbiter summon_orchestrator: The next.");
        assert_eq!(stage.state.ended, None, "after {round}");
    }
}

#[test]
fn exchanges_without_a_change_are_iterations_too() {
    let mut stage = at_work("most 12");
    let mut exchanges = 1;
    while stage.state.ended.is_none() {
        go(&mut stage, "orchestrator question: And this?\narbiter address_orchestrator: It is said.");
        exchanges += 1;
        assert!(exchanges < 40, "an endless question loop");
        if stage.state.closing.is_some() && stage.state.ended.is_none() {
            go(&mut stage, "orchestrator interrupted\norchestrator handoff: Nothing.");
        }
    }
    assert_eq!((reached(&stage), exchanges), (Some(LimitKind::Iterations), 12));
}

#[test]
fn a_briefing_with_questions_is_no_loop_for_a_small_limit() {
    let mut stage = at_work("most 1");
    for _ in 0..8 {
        go(&mut stage, "orchestrator question: And this?\narbiter address_orchestrator: Thus.");
    }
    assert_eq!((stage.state.ended, stage.state.closing), (None, None));
}

#[test]
fn a_raised_limit_lets_the_mission_go_on_where_it_stood() {
    let mut stage = at_work("tokens 20000");
    go(
        &mut stage,
        "orchestrator spent 18500 0 as u-1\norchestrator interrupted\norchestrator handoff: Half.",
    );
    assert_eq!(reached(&stage), Some(LimitKind::Tokens));
    let told = go(&mut stage, "limits tokens 20500");
    assert!(told.contains("would stop again at once"), "{told}");
    assert!(stage.state.ended.is_some());
    go(&mut stage, "limits tokens 90000\nrestart");
    assert_eq!((&stage.state.ended, &stage.state.closing), (&None, &None));
    let text = stage.perform("read arbiter");
    assert!(text.contains("Half.") && text.contains("had stopped at a limit"), "{text}");
    assert_eq!(stage.state.tokens_used(), 18_500, "what was used still counts");
    go(
        &mut stage,
        "arbiter address_orchestrator: Go on.\norchestrator spent 70000 0 as u-9\norchestrator interrupted",
    );
    go(&mut stage, "orchestrator handoff: More.");
    assert_eq!(reached(&stage), Some(LimitKind::Tokens));
}

#[test]
fn a_summons_that_a_limit_stopped_is_made_again_after_the_limit_is_raised() {
    let mut stage = staged("open policy night failures 1\nsettled\narbiter summon_orchestrator: I call one.");
    go(&mut stage, "orchestrator introduction: I am here.\narbiter summon_orchestrator: Another.");
    assert_eq!(reached(&stage), Some(LimitKind::Failures));
    go(&mut stage, "limits failures 4\nrestart\narbiter summon_orchestrator: Another.");
    assert_eq!((stage.state.orchestrators, &stage.state.ended), (2, &None));
}

#[test]
fn a_fall_while_a_limit_stops_a_turn_changes_nothing() {
    for stop in ["", "orchestrator interrupted"] {
        let mut stage = at_work("tokens 20000");
        go(&mut stage, &format!("orchestrator spent 18500 0 as u-1\n{stop}\nrestart"));
        assert_eq!(stage.state.ended, None);
        let rest = if stop.is_empty() { "orchestrator interrupted\n" } else { "" };
        go(&mut stage, &format!("{rest}orchestrator handoff: Half."));
        assert_eq!(reached(&stage), Some(LimitKind::Tokens));
    }
}

/// A login is tried anew with each start, but nothing is asked behind a limit.
#[test]
fn a_turn_that_waits_for_a_login_is_not_tried_again_behind_a_limit() {
    let mut stage = at_work("tokens 20000");
    go(&mut stage, "unattended\nhuman: How far is it?\norchestrator spent 18500 0 as u-1");
    let told = go(&mut stage, "arbiter unauthorised: not logged in");
    assert!(told.contains("Halted"), "{told}");
    let told = go(&mut stage, "restart");
    assert!(!told.contains("Retried") && !told.contains("Deliver again s1"), "{told}");
    go(&mut stage, "orchestrator interrupted\norchestrator handoff: Half.");
    assert_eq!(reached(&stage), Some(LimitKind::Tokens));
}

/// The Arbiter waits for its next try while the worker writes the handoff that was asked for: it is asked nothing more.
#[test]
fn a_turn_that_waits_for_its_next_try_is_not_tried_again_behind_a_limit() {
    for trouble in ["fails: overloaded", "limited +20s: no more for now"] {
        let mut stage = at_work("tokens 20000");
        go(&mut stage, "human: How far is it?\norchestrator spent 18500 0 as u-1");
        let told = go(&mut stage, &format!("arbiter {trouble}\norchestrator interrupted"));
        assert!(told.contains("HandoffAtLimit"), "{told}");
        // The next moment is the end of the handoff's time, and not that of the next try.
        let due = stage.state.deadline().map(|due| due.0 - stage.now().0);
        assert!(due.is_some_and(|due| due > 60_000), "{due:?}");
        go(&mut stage, "orchestrator handoff: Half.");
        assert_eq!(reached(&stage), Some(LimitKind::Tokens));
        let told = go(&mut stage, "limits tokens 90000\nrestart\nalarm");
        assert!(told.contains("Retried s1"), "it goes on with what it owed: {told}");
    }
}

#[test]
fn a_worker_that_dies_or_fails_at_a_limit_ends_the_mission() {
    for end in ["lost orchestrator: exit 1", "orchestrator fails: overloaded"] {
        let mut stage = at_work("tokens 20000");
        go(&mut stage, &format!("orchestrator spent 18500 0 as u-1\n{end}"));
        assert_eq!(reached(&stage), Some(LimitKind::Tokens), "{end}");
    }
}

#[test]
fn a_budget_stops_a_conducted_run_inside_the_turn() {
    let mut stage = staged("open conducted tokens 20000 checks \"make test\"\nsettled\nprepared");
    let told = go(&mut stage, "agent spent 18500 0 as u-1");
    assert!(told.contains("LimitReached tokens") && told.contains("> Interrupt"), "{told}");
    let told = go(&mut stage, "agent interrupted");
    assert!(told.contains("HandoffAtLimit") && told.contains("> Deliver"), "{told}");
    go(&mut stage, "agent spent 500 20 as u-2\nagent failure: Half of it stands.\ninspected");
    assert_eq!(reached(&stage), Some(LimitKind::Tokens));
    let conductor = stage.state.conductor.as_ref().expect("it is conducted");
    assert_eq!(conductor.history.len(), 1, "what it said is kept");
    go(&mut stage, "limits tokens 90000\nrestart");
    assert_eq!(stage.state.ended, None);
    assert!(
        stage
            .state
            .conductor
            .as_ref()
            .is_some_and(|conductor| conductor.run.is_some() || conductor.asking.is_some())
    );
}

#[test]
fn an_iteration_limit_of_a_conducted_mission_can_be_raised() {
    let mut stage = staged("open conducted no-model most 1\nsettled\nprepared");
    go(&mut stage, "agent failure: It cannot be planned.\ninspected");
    assert_eq!(reached(&stage), Some(LimitKind::Iterations));
    go(&mut stage, "limits most 5\nrestart");
    assert_eq!(stage.state.ended, None);
    go(&mut stage, "prepared");
    assert!(stage.state.active_agent().is_some(), "the next run begins");
}

#[test]
fn failed_runs_in_a_row_are_a_limit_that_can_be_raised() {
    let mut stage = conducted("failures 1");
    go(&mut stage, "agent failure: No idea.\ninspected");
    assert_eq!(reached(&stage), Some(LimitKind::Failures));
    let told = go(&mut stage, "limits failures 1");
    assert!(told.contains("would stop again at once: 1 runs in a row failed: No idea."), "{told}");
    go(&mut stage, "limits failures 2\nrestart\nprepared");
    assert!(stage.state.active_agent().is_some(), "the next run begins");
    go(&mut stage, "agent failure: No idea yet.\ninspected");
    assert_eq!(reached(&stage), Some(LimitKind::Failures));
}
