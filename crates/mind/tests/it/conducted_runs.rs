//! A conducted mission's runs: failures, limits, time, what a run may not do, and the verifier's.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn the_third_failure_in_a_row_ends_the_mission() {
    assert_snapshot!(play(r#"
        ~open conducted no-model
        ~settled
        ~prepared
        ~agent failure: No idea.
        inspected
        ~prepared
        ~agent failure: No idea.
        inspected
        ~prepared
        ~agent failure: No idea.
        inspected
    "#), @"
    inspected
      + Ended #1 planner Failure: No idea.
      + Decided d2 RETRY by fallback: planner failed: / | No idea.
      + Guided planner failed: / | No idea.
      + Prepared r2 planner iteration 2
      > PrepareRun r2
    inspected
      + Ended #2 planner Failure: No idea.
      + Decided d3 RETRY by fallback: planner failed: / | No idea.
      + Guided planner failed: / | No idea.
      + Prepared r3 planner iteration 3
      > PrepareRun r3
    inspected
      + Ended #3 planner Failure: No idea.
      + Decided d4 FAIL by rules: 3 runs in a row failed: No idea.
      + LimitReached failures: 3 runs in a row failed: No idea.
      + Exhausted 3 runs in a row failed: No idea.
      > FetchBack
      > Leave exhausted
    ");
}

#[test]
fn a_limit_is_no_success() {
    assert_snapshot!(play(r#"
        ~open conducted no-model most 2
        ~settled
        ~prepared
        ~agent plan: Build it @developer | Ship it @developer <1
        ~inspected
        ~prepared
        ~agent success: Built.
        inspected
    "#), @"
    inspected
      + Ended #2 developer Success: Built.
      + Step 1 complete: Built.
      + Decided d3 FAIL by rules: the iterations are used up: 2 of 2
      + LimitReached iterations: the iterations are used up: 2 of 2
      + Exhausted the iterations are used up: 2 of 2
      > FetchBack
      > Leave exhausted
    ");
    assert_snapshot!(play(r#"
        ~open conducted no-model deadline 10m
        ~settled
        ~prepared
        later 10m
        alarm
    "#), @"
    later 10m
    alarm
      + LimitReached deadline: the mission's deadline has passed: it was given 10 min
      + Interrupting s1 by policy:limit
      + Exhausted the mission's deadline has passed: it was given 10 min
      > Interrupt s1.1 t1
      > End s1.1
      > FetchBack
      > Leave exhausted
    ");
}

#[test]
fn a_run_that_takes_too_long_is_ended() {
    assert_snapshot!(play(r#"
        ~open conducted no-model timeout
        ~settled
        ~prepared
        alarm
        inspected
    "#), @"
    alarm
      + Ending Timeout: it took longer than its time limit
      + Released s1
      > End s1.1
      > FetchBack
      > InspectRun r1
    inspected
      + Ended #1 planner Timeout: it took longer than its time limit
      + Decided d2 RETRY by fallback: planner did not finish: / | it took longer than its time limit
      + Guided planner did not finish: / | it took longer than its time limit
      + Prepared r2 planner iteration 2
      > PrepareRun r2
    ");
    assert_snapshot!(play(r#"
        ~open conducted no-model calls 1
        ~settled
        ~prepared
        agent tool Read a
        agent tool Read b
        stale s1.1 tool ok
    "#), @r#"
    agent tool Read a
      + ToolStarted s1 Read a
    agent tool Read b
      + ToolStarted s1 Read b
      + Ending Timeout: it used more than its 1 tool calls
      + Released s1
      > End s1.1
      > FetchBack
      > InspectRun r1
    stale s1.1 tool ok
      > Note s1.1 is no more: ToolEnded { call: "", ok: true }
    "#);
}

#[test]
fn waiting_for_a_person_is_not_the_runs_own_time() {
    assert_snapshot!(play(r#"
        ~open conducted no-model timeout docket
        ~settled
        ~prepared
        ~agent asks rm -r build
        later 9h
        alarm
        human yes q1
        agent stirs
        alarm
    "#), @"
    later 9h
    alarm
      > Note nothing is due
    human yes q1
      + Received l1
      + Answered s1 q1 yes by human:terminal:ada
      > RemoveFromInbox l1
      > Permit s1.1 s1.1:rm yes
    agent stirs
      + SignOfLife s1
    alarm
      + Ending Timeout: it took longer than its time limit
      + Released s1
      > End s1.1
      > FetchBack
      > InspectRun r1
    ");
}

/// Signs of life, a death or a new start while it waits do not make the wait its own.
#[test]
fn no_part_of_a_wait_for_a_person_is_the_runs_own_time() {
    assert_snapshot!(play(r#"
        ~open conducted no-model timeout docket
        ~settled
        ~prepared
        agent awaits human
        later 9h
        agent stirs
        later 9h
        lost agent
        alarm
        agent awaits human
        later 9h
        agent stirs
        later 9h
        lost agent
        later 9h
        restart
        later 50s
        agent stirs
        alarm
    "#), @"
    agent awaits human
      + AwaitsHuman s1
    later 9h
    agent stirs
      + SignOfLife s1
    later 9h
    lost agent
      + Waits s1 revival until 64801012:
    alarm
      + Revived s1
      > Spawn s1.2 agent planner, rehearsal (resume)
      > Deliver s1.2 t1: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
    agent awaits human
      + AwaitsHuman s1
    later 9h
    agent stirs
      + SignOfLife s1
    later 9h
    lost agent
      + Waits s1 revival until 129606015:
    later 9h
    restart
      + Restarted run 1
      > Spawn s1.3 agent planner, rehearsal (resume)
      > Deliver s1.3 t1: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
    later 50s
    agent stirs
      + SignOfLife s1
    alarm
      + Ending Timeout: it took longer than its time limit
      + Released s1
      > End s1.3
      > FetchBack
      > InspectRun r1
    ");
}

#[test]
fn whoever_may_only_read_and_writes_has_failed() {
    assert_snapshot!(play(r#"
        ~open conducted no-model
        ~settled
        ~prepared
        tree c1 dirty
        agent plan: Build it @developer
        inspected src/sneaky.rs
    "#), @"
    tree c1 dirty
    agent plan: Build it @developer
      + Rested s1 t1 at c1 dirty
      + Ending Success: A plan.
      + Released s1
      > End s1.1
      > FetchBack
      > InspectRun r1
    inspected src/sneaky.rs
      + Said m1 House -> nobody (notice): planner may only read, but it changed the clone: src/sneaky.rs
      + Ended #1 planner Failure: A plan.
      + Decided d2 RETRY by fallback: planner failed: / | planner may only read, but it changed the clone: src/sneaky.rs
      + Guided planner failed: / | planner may only read, but it changed the clone: src/sneaky.rs
      + Prepared r2 planner iteration 2
      > PrepareRun r2
    ");
}

#[test]
fn without_checks_a_verifier_is_asked() {
    assert_snapshot!(play(r#"
        ~open conducted no-model keeper
        ~settled
        ~prepared
        ~agent plan: Build it @developer
        ~inspected
        ~prepared
        ~tree c2
        ~agent success: Built.
        inspected
        prepared
        agent notes: The build needs make
        inspected
        prepared
        agent fail: Not all. | No docs.
        inspected
        ~prepared
        ~tree c3
        ~agent success: Docs.
        inspected
        ~prepared
        ~agent pass: All there.
        inspected
        ~surveyed c3
        brought
    "#), @"
    inspected
      + Ended #2 developer Success: Built.
      + Step 1 complete: Built.
      + Decided d3 COMPLETE by rules: Every step is done: / 1. Build it
      + Claimed Every step is done: / 1. Build it
      + Prepared r3 memory-keeper to keep notes
      > PrepareRun r3
    prepared
      + Summoned s3 agent memory-keeper, rehearsal
      + Began s3
      + Queued s3 notice: The work on this task pauses so that you can write down what later missions in this project should k...
      + Prompted s3 t3: The work on this task pauses so that you can write down what later missions in this project should k...
      > Spawn s3.1 agent memory-keeper, rehearsal
      > Deliver s3.1 t3: The work on this task pauses so that you can write down what later missions in this project should k...
    agent notes: The build needs make
      + Rested s3 t3 at c2
      + Ending Success: noted
      + Released s3
      > End s3.1
      > FetchBack
      > InspectRun r3
    inspected
      + Remembered The build needs make
      + Ended
      + Prepared r4 verifier to verify
      > Remember The build needs make
      > PrepareRun r4
    prepared
      + Summoned s4 agent verifier, rehearsal
      + Began s4
      + Queued s4 notice: It is claimed that the task is done. No checks are configured for this project, so your verdict deci...
      + Prompted s4 t4: It is claimed that the task is done. No checks are configured for this project, so your verdict deci...
      > Spawn s4.1 agent verifier, rehearsal
      > Deliver s4.1 t4: It is claimed that the task is done. No checks are configured for this project, so your verdict deci...
    agent fail: Not all. | No docs.
      + Rested s4 t4 at c2
      + Ending Success: Not all.
      + Released s4
      > End s4.1
      > FetchBack
      > InspectRun r4
    inspected
      + Ended
      + TurnedBack the verifier did not pass it: Not all. / - No docs.
      + Guided It was said to be complete, and that was turned back: / | the verifier did not pass it: Not all. / |...
      + Decided d4 SELECT_MODE developer by fallback: the claim was turned back
      + Prepared r5 developer iteration 3
      > PrepareRun r5
    inspected
      + Ended #3 developer Success: Docs.
      + Decided d5 COMPLETE by rules: Every step is done: / 1. Build it
      + Claimed Every step is done: / 1. Build it
      + Prepared r6 verifier to verify
      > PrepareRun r6
    inspected
      + Ended
      + Verified c3
      + Said m1 Arbiter -> nobody (claim): Every step is done: / 1. Build it
      + Claimed g1: Every step is done: / 1. Build it
      > Survey g1
    brought
      + Brought g1 c3
      + Said m2 Arbiter -> human: Every step is done: / 1. Build it
      + Completed verified by agent
      > Leave completed
    ");
}

#[test]
fn a_dry_run_ends_with_the_plan() {
    assert_snapshot!(play(r#"
        ~open conducted dry
        ~settled
        ~prepared
        ~agent plan sure 40: Build it @developer
        inspected
    "#), @"
    inspected
      + Ended #1 planner Success: A plan.
      + Planned v1 1 steps
      + PlanOnly without confidence
      > FetchBack
      > Leave plan-only
    ");
}
