//! A conducted mission: select, run, evaluate, claim.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn a_mission_goes_from_plan_to_proof() {
    assert_snapshot!(play(r#"
        open conducted checks "make test"
        settled
        prepared
        agent plan: Build it @developer | Review it @reviewer <1
        inspected
        prepared
        tree c2
        agent success: Built.
        inspected src/a.rs
        decides {"type": "SELECT_MODE", "mode": "reviewer", "reason": "it is built"}
        prepared
        agent needsChanges: Not yet. | No test for zero.
        inspected
        prepared
        read agent
        tree c3
        agent success: Mended.
        inspected src/a.rs
        decides {"type": "SELECT_MODE", "mode": "reviewer", "reason": "look again"}
        prepared
        agent approved: Good.
        inspected
        surveyed c3
        brought
        check pass
    "#), @r#"
    open conducted checks "make test"
      + Opened m1 with scroll.md
      > Settle
    settled
      + Settled /clone at c1 on arbiter/m1
      + Selecting
      + Decided d1 SELECT_MODE planner by rules: it works first
      + Prepared r1 planner iteration 1
      > Prepare r1
    prepared
      + Summoned s1 agent planner, rehearsal
      + Began s1
      + Posted s1 notice:
      + Prompted s1 t1:
      > Spawn s1.1 agent planner, rehearsal
      > Deliver s1.1 t1:
    agent plan: Build it @developer | Review it @reviewer <1
      + Rested s1 t1 at c1
      + Ending Success: A plan.
      + Released s1
      > End s1.1
      > FetchBack
      > Inspect r1
    inspected
      + Ended #1 planner Success: A plan.
      + Planned v1 2 steps
      + Decided d2 SELECT_MODE developer by rules: after planner
      + Prepared r2 developer iteration 2 step 1
      > Prepare r2
    prepared
      + Summoned s2 agent developer, rehearsal
      + Began s2
      + Step 1 in progress
      + Posted s2 notice:
      + Prompted s2 t2:
      > Spawn s2.1 agent developer, rehearsal
      > Deliver s2.1 t2:
    tree c2
    agent success: Built.
      + Rested s2 t2 at c2
      + Ending Success: Built.
      + Released s2
      > End s2.1
      > FetchBack
      > Inspect r2
    inspected src/a.rs
      + Ended #2 developer Success: Built.
      + Step 1 complete: Built.
      + Asked d3 Evaluate attempt 1
      > Decide d3.1 by rehearsal
    decides {"type": "SELECT_MODE", "mode": "reviewer", "reason": "it is built"}
      + Decided d3 SELECT_MODE reviewer by model: it is built
      + Prepared r3 reviewer iteration 3 step 2
      > Prepare r3
    prepared
      + Summoned s3 agent reviewer, rehearsal
      + Began s3
      + Step 2 in progress
      + Posted s3 notice:
      + Prompted s3 t3:
      > Spawn s3.1 agent reviewer, rehearsal
      > Deliver s3.1 t3:
    agent needsChanges: Not yet. | No test for zero.
      + Rested s3 t3 at c2
      + Ending Success: Not yet.
      + Released s3
      > End s3.1
      > FetchBack
      > Inspect r3
    inspected
      + Ended #3 reviewer Success needsChanges objects: Not yet.
      + Step 2 pending
      + Decided d4 SELECT_MODE developer by rules: reviewer said needsChanges
      + Guided reviewer found this wrong: / - No test for zero.
      + Prepared r4 developer iteration 4 step 2 mends
      > Prepare r4
    prepared
      + Summoned s4 agent developer, rehearsal
      + Began s4
      + Posted s4 notice:
      + Prompted s4 t4:
      > Spawn s4.1 agent developer, rehearsal
      > Deliver s4.1 t4:
    read agent
    tree c3
    agent success: Mended.
      + Rested s4 t4 at c3
      + Ending Success: Mended.
      + Released s4
      > End s4.1
      > FetchBack
      > Inspect r4
    inspected src/a.rs
      + Ended #4 developer Success: Mended.
      + Asked d5 Evaluate attempt 1
      > Decide d5.1 by rehearsal
    decides {"type": "SELECT_MODE", "mode": "reviewer", "reason": "look again"}
      + Decided d5 SELECT_MODE reviewer by model: look again
      + Prepared r5 reviewer iteration 5 step 2
      > Prepare r5
    prepared
      + Summoned s5 agent reviewer, rehearsal
      + Began s5
      + Step 2 in progress
      + Posted s5 notice:
      + Prompted s5 t5:
      > Spawn s5.1 agent reviewer, rehearsal
      > Deliver s5.1 t5:
    agent approved: Good.
      + Rested s5 t5 at c3
      + Ending Success: Good.
      + Released s5
      > End s5.1
      > FetchBack
      > Inspect r5
    inspected
      + Ended #5 reviewer Success approved: Good.
      + Step 2 complete: Good.
      + Decided d6 COMPLETE by rules: Every step is done: / 1. Build it / 2. Review it
      + Claimed Every step is done: / 1. Build it / 2. Review it
      + Said m1 Arbiter -> nobody (claim): Every step is done: / 1. Build it / 2. Review it
      + Claimed g1: Every step is done: / 1. Build it / 2. Review it
      > Survey g1
    surveyed c3
      + Surveyed g1 c3
      > Bring g1 c3
    brought
      + Brought g1 c3
      > Check g1 #0 make test at c3
    check pass
      + Receipt g1 #0 make test at c3: exit 0
      + Said m2 Arbiter -> human: Every step is done: / 1. Build it / 2. Review it
      + Completed proven
      > Leave completed
    "#);
}

#[test]
fn without_a_model_the_fixed_order_carries_a_mission() {
    assert_snapshot!(play(r#"
        ~open conducted no-model checks "make test"
        ~settled
        ~prepared
        ~agent plan: Build it @developer | Test it @tester <1
        inspected
        ~prepared
        ~agent failure: The tool is missing.
        inspected
        ~prepared
        ~tree c2
        ~agent success: Built.
        inspected src/a.rs
        ~prepared
        ~agent someFailures: One fails. | zero divides
        inspected
        ~prepared
        ~tree c3
        ~agent success: Mended.
        inspected
        ~prepared
        ~agent allPassed: All pass.
        inspected
        ~surveyed c3
        ~brought
        check fail 101: boom
        ~prepared
        ~tree c4
        ~agent success: Mended again.
        inspected
        ~surveyed c4
        ~brought
        check pass
    "#), @"
    inspected
      + Ended #1 planner Success: A plan.
      + Planned v1 2 steps
      + Decided d2 SELECT_MODE developer by rules: after planner
      + Prepared r2 developer iteration 2 step 1
      > Prepare r2
    inspected
      + Ended #2 developer Failure: The tool is missing.
      + Step 1 failed: The tool is missing.
      + Decided d3 RETRY by fallback: developer failed: The tool is missing.
      + Guided developer failed: The tool is missing.
      + Step 1 pending
      + Prepared r3 developer iteration 3 step 1
      > Prepare r3
    inspected src/a.rs
      + Ended #3 developer Success: Built.
      + Step 1 complete: Built.
      + Decided d4 SELECT_MODE tester by fallback: step 2 is next
      + Prepared r4 tester iteration 4 step 2
      > Prepare r4
    inspected
      + Ended #4 tester Success someFailures objects: One fails.
      + Step 2 pending
      + Decided d5 SELECT_MODE developer by rules: tester said someFailures
      + Guided tester found this wrong: / - zero divides
      + Prepared r5 developer iteration 5 step 2 mends
      > Prepare r5
    inspected
      + Ended #5 developer Success: Mended.
      + Decided d6 SELECT_MODE tester by fallback: tester has objected and looks again
      + Prepared r6 tester iteration 6 step 2
      > Prepare r6
    inspected
      + Ended #6 tester Success allPassed: All pass.
      + Step 2 complete: All pass.
      + Decided d7 COMPLETE by rules: Every step is done: / 1. Build it / 2. Test it
      + Claimed Every step is done: / 1. Build it / 2. Test it
      + Said m1 Arbiter -> nobody (claim): Every step is done: / 1. Build it / 2. Test it
      + Claimed g1: Every step is done: / 1. Build it / 2. Test it
      > Survey g1
    check fail 101: boom
      + Receipt g1 #0 make test at c3: exit 101
      + Refused g1: the check `make test` did not pass (exit 101). The end of its output: / boom
      + TurnedBack the check `make test` did not pass (exit 101). The end of its output: / boom
      + Guided It was said to be complete, and that was turned back: the check `make test` did not pass (exit 101)....
      + Decided d8 SELECT_MODE developer by fallback: the claim was turned back
      + Guided the check `make test` did not pass (exit 101). The end of its output: / boom
      + Prepared r7 developer iteration 7
      > Prepare r7
    inspected
      + Ended #7 developer Success: Mended again.
      + Decided d9 COMPLETE by rules: Every step is done: / 1. Build it / 2. Test it
      + Claimed Every step is done: / 1. Build it / 2. Test it
      + Said m2 Arbiter -> nobody (claim): Every step is done: / 1. Build it / 2. Test it
      + Claimed g2: Every step is done: / 1. Build it / 2. Test it
      > Survey g2
    check pass
      + Receipt g2 #0 make test at c4: exit 0
      + Said m3 Arbiter -> human: Every step is done: / 1. Build it / 2. Test it
      + Completed proven
      > Leave completed
    ");
}

#[test]
fn a_model_that_cannot_be_reached_is_tried_again_and_then_left() {
    assert_snapshot!(play(r#"
        ~open conducted
        ~settled
        ~prepared
        ~agent plan: Build it @developer | Ship it @developer <1
        ~inspected
        ~prepared
        ~agent success: Built.
        inspected
        decides unavailable: overloaded
        alarm
        decides unavailable +5m: rate limit
        ~prepared
        ~agent success: Shipped.
        inspected
        again
    "#), @"
    inspected
      + Ended #2 developer Success: Built.
      + Step 1 complete: Built.
      + Asked d3 Evaluate attempt 1
      > Decide d3.1 by rehearsal
    decides unavailable: overloaded
      + Unavailable overloaded
    alarm
      + Asked d3 Evaluate attempt 2
      > Decide d3.2 by rehearsal
    decides unavailable +5m: rate limit
      + Decided d3 SELECT_MODE developer by fallback: step 2 is next
      + Prepared r3 developer iteration 3 step 2
      > Prepare r3
    inspected
      + Ended #3 developer Success: Shipped.
      + Step 2 complete: Shipped.
      + Decided d4 COMPLETE by rules: Every step is done: / 1. Build it / 2. Ship it
      + Claimed Every step is done: / 1. Build it / 2. Ship it
      + Prepared r4 verifier to verify
      > Prepare r4
    again
      > Note r3 is not looked at
    ");
}

#[test]
fn a_reply_that_cannot_be_read_is_asked_again_twice() {
    assert_snapshot!(play(r#"
        ~open conducted
        ~settled
        ~prepared
        ~agent plan: Build it @developer | Ship it @developer <1
        ~inspected
        ~prepared
        ~agent success: Built.
        inspected
        decides text: I think the developer should continue.
        decides {"type": "SELECT_MODE", "mode": "plumber", "reason": "pipes"}
        decides cut: {"type": "CONT
    "#), @r#"
    inspected
      + Ended #2 developer Success: Built.
      + Step 1 complete: Built.
      + Asked d3 Evaluate attempt 1
      > Decide d3.1 by rehearsal
    decides text: I think the developer should continue.
      + Misread I think the developer should continue.: no JSON object was found in the reply; answer with one JSON object whose `type` is one of: SELECT_MO...
      + Asked d3 Evaluate attempt 2
      > Decide d3.2 by rehearsal
    decides {"type": "SELECT_MODE", "mode": "plumber", "reason": "pipes"}
      + Misread {"mode":"plumber","reason":"pipes","type":"SELECT_MODE"}: no agent "plumber" can be chosen now; `mode` must be one of: planner, developer, tester, reviewer
      + Asked d3 Evaluate attempt 3
      > Decide d3.3 by rehearsal
    decides cut: {"type": "CONT
      + Misread {"type": "CONT: the answer was cut off at the token limit; the JSON object is never closed: the reply was cut off, o...
      + Decided d3 SELECT_MODE developer by fallback: step 2 is next
      + Prepared r3 developer iteration 3 step 2
      > Prepare r3
    "#);
}

#[test]
fn a_login_that_fails_falls_back_at_once() {
    assert_snapshot!(play(r#"
        ~open conducted
        ~settled
        ~prepared
        ~agent plan: Build it @developer | Ship it @developer <1
        ~inspected
        ~prepared
        ~agent success: Built.
        ~inspected
        decides refused: invalid x-api-key
        decides {"type": "FAIL", "reason": "late"}
    "#), @r#"
    decides refused: invalid x-api-key
      + Said m1 House -> nobody (notice): The model that decides cannot be asked: invalid x-api-key. The fixed order decides in its place.
      + Decided d3 SELECT_MODE developer by fallback: step 2 is next
      + Prepared r3 developer iteration 3 step 2
      > Prepare r3
    decides {"type": "FAIL", "reason": "late"}
      > Note nobody waits for d0.0: Answer { end: Said { output: Some(Object {"reason": String("late"), "type": S...
    "#);
}

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
      + Decided d2 RETRY by fallback: planner failed: No idea.
      + Guided planner failed: No idea.
      + Prepared r2 planner iteration 2
      > Prepare r2
    inspected
      + Ended #2 planner Failure: No idea.
      + Decided d3 RETRY by fallback: planner failed: No idea.
      + Guided planner failed: No idea.
      + Prepared r3 planner iteration 3
      > Prepare r3
    inspected
      + Ended #3 planner Failure: No idea.
      + Decided d4 FAIL by rules: 3 runs in a row failed: No idea.
      + Failed 3 runs in a row failed: No idea.
      > FetchBack
      > Leave failed
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
      + Exhausted the deadline is over: 600 s were given
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
      + Ending Timeout: it took longer than it may
      + Released s1
      > End s1.1
      > FetchBack
      > Inspect r1
    inspected
      + Ended #1 planner Timeout: it took longer than it may
      + Decided d2 RETRY by fallback: planner failed: it took longer than it may
      + Guided planner failed: it took longer than it may
      + Prepared r2 planner iteration 2
      > Prepare r2
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
      > Inspect r1
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
      + Taken l1
      + Answered s1 q1 yes by human:terminal:ada
      > Discard l1
      > Permit s1.1 s1.1:rm yes
    agent stirs
      + Stirred s1
    alarm
      + Ending Timeout: it took longer than it may
      + Released s1
      > End s1.1
      > FetchBack
      > Inspect r1
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
      > Inspect r1
    inspected src/sneaky.rs
      + Said m1 House -> nobody (notice): planner may only read, but the clone is not as it was: src/sneaky.rs
      + Ended #1 planner Failure: A plan.
      + Decided d2 RETRY by fallback: planner failed: planner may only read, but the clone is not as it was: src/sneaky.rs
      + Guided planner failed: planner may only read, but the clone is not as it was: src/sneaky.rs
      + Prepared r2 planner iteration 2
      > Prepare r2
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
        ~agent notes: The build needs make
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
      > Prepare r3
    prepared
      + Summoned s3 agent memory-keeper, rehearsal
      + Began s3
      + Posted s3 notice:
      + Prompted s3 t3:
      > Spawn s3.1 agent memory-keeper, rehearsal
      > Deliver s3.1 t3:
    agent notes: The build needs make
      + Rested s3 t3 at c2
      + Ending Success: noted
      + Released s3
      > End s3.1
      > FetchBack
      > Inspect r3
    inspected
      + Remembered The build needs make
      + Ended
      + Prepared r4 verifier to verify
      > Remember The build needs make
      > Prepare r4
    prepared
      + Summoned s4 agent verifier, rehearsal
      + Began s4
      + Posted s4 notice:
      + Prompted s4 t4:
      > Spawn s4.1 agent verifier, rehearsal
      > Deliver s4.1 t4:
    agent fail: Not all. | No docs.
      + Rested s4 t4 at c2
      + Ending Success: Not all.
      + Released s4
      > End s4.1
      > FetchBack
      > Inspect r4
    inspected
      + Ended
      + TurnedBack the verifier did not pass it: Not all. / - No docs.
      + Guided It was said to be complete, and that was turned back: the verifier did not pass it: Not all. / - No ...
      + Decided d4 SELECT_MODE developer by fallback: the claim was turned back
      + Guided the verifier did not pass it: Not all. / - No docs.
      + Prepared r5 developer iteration 3
      > Prepare r5
    inspected
      + Ended #3 developer Success: Docs.
      + Decided d5 COMPLETE by rules: Every step is done: / 1. Build it
      + Claimed Every step is done: / 1. Build it
      + Prepared r6 memory-keeper to keep notes
      > Prepare r6
    inspected
      + Remembered The build needs make
      + Ended
      + Prepared r7 verifier to verify
      > Remember The build needs make
      > Prepare r7
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
      + Sketched without confidence
      > FetchBack
      > Leave sketched
    ");
}

#[test]
fn a_human_forces_skips_and_retries_in_every_phase() {
    assert_snapshot!(play(r#"
        ~open conducted
        human force developer
        settled
        human force plumber
        human force Planner
        ~prepared
        human retry
        ~prepared
        ~agent plan: Build it @developer | Ship it @developer | Tell it @developer
        ~inspected
        ~prepared
        human skip
        decides {"type": "SELECT_MODE", "mode": "developer", "reason": "on"}
        ~prepared
        ~agent success: Shipped.
        ~inspected
        human force tester
        decides {"type": "FAIL", "reason": "late"}
        human pause
        prepared
        human resume
        prepared
        human cancel
    "#), @r#"
    human force developer
      + Taken l1
      + Steered by human:terminal:ada: developer runs next
      + Decided d1 SELECT_MODE developer by human: forced by human:terminal:ada
      + Prepared r1 developer iteration 1
      > Discard l1
    settled
      + Settled /clone at c1 on arbiter/m1
      > Prepare r1
    human force plumber
      + Taken l2
      + Said m1 House -> nobody (notice): There is no agent plumber; there are: planner, developer, tester, reviewer.
      > Discard l2
    human force Planner
      + Taken l3
      + Steered by human:terminal:ada: planner runs next
      + Selecting
      + Decided d2 SELECT_MODE planner by human: forced by human:terminal:ada
      + Prepared r2 planner iteration 1
      > Discard l3
      > Prepare r2
    human retry
      + Taken l4
      + Steered by human:terminal:ada: the last agent tries again
      + Ending Cancelled: planner was stopped by human:terminal:ada
      + Released s1
      + Ended #1 planner Cancelled: planner was stopped by human:terminal:ada
      + Decided d3 RETRY by human: wanted by human:terminal:ada
      + Guided wanted by human:terminal:ada
      + Prepared r3 planner iteration 2
      > Discard l4
      > End s1.1
      > FetchBack
      > Inspect r2
      > Prepare r3
    human skip
      + Taken l5
      + Steered by human:terminal:ada: step 1 is skipped
      + Ending Cancelled: developer was stopped by human:terminal:ada
      + Released s3
      + Ended #3 developer Cancelled: developer was stopped by human:terminal:ada
      + Step 1 pending
      + Decided d5 SKIP_STEP by human: skipped by human:terminal:ada
      + Step 1 skipped: skipped by human:terminal:ada
      + Selecting
      + Asked d6 Select attempt 1
      > Discard l5
      > End s3.1
      > FetchBack
      > Inspect r4
      > Decide d6.1 by rehearsal
    decides {"type": "SELECT_MODE", "mode": "developer", "reason": "on"}
      + Decided d6 SELECT_MODE developer by model: on
      + Prepared r5 developer iteration 4 step 2
      > Prepare r5
    human force tester
      + Taken l6
      + Steered by human:terminal:ada: tester runs next
      + Decided d7 SELECT_MODE tester by human: forced by human:terminal:ada
      + Prepared r6 tester iteration 5
      > Discard l6
      > Dismiss d7
      > Prepare r6
    decides {"type": "FAIL", "reason": "late"}
      > Note nobody waits for d0.0: Answer { end: Said { output: Some(Object {"reason": String("late"), "type": S...
    human pause
      + Taken l7
      + Paused by human:terminal:ada
      > Discard l7
    prepared
      > Note r6 is not to be begun now
    human resume
      + Taken l8
      + Resumed by human:terminal:ada
      > Discard l8
      > Prepare r6
    prepared
      + Summoned s5 agent tester, rehearsal
      + Began s5
      + Posted s5 notice:
      + Prompted s5 t5:
      > Spawn s5.1 agent tester, rehearsal
      > Deliver s5.1 t5:
    human cancel
      + Taken l9
      + Cancelled by human:terminal:ada
      > Discard l9
      > End s5.1
      > FetchBack
      > Leave cancelled
    "#);
}

#[test]
fn a_stopped_agent_waits_for_the_human() {
    assert_snapshot!(play(r#"
        ~open conducted
        ~settled
        ~prepared
        human interrupt
        agent interrupted
        inspected
        human: Use the other library.
        decides {"type": "SELECT_MODE", "mode": "developer", "reason": "as told"}
        prepared
        agent heard
        show words
    "#), @r#"
    human interrupt
      + Taken l1
      + Interrupting s1 by human:terminal:ada
      > Discard l1
      > Interrupt s1.1 t1
    agent interrupted
      + Rested s1 t1 at c1 (interrupted)
      + Ending Cancelled: planner was stopped by human:terminal:ada
      + Released s1
      > End s1.1
      > FetchBack
      > Inspect r1
    inspected
      + Ended #1 planner Cancelled: planner was stopped by human:terminal:ada
      + Said m1 Arbiter -> human: planner was stopped. Say what should happen, or use retry, skip, force AGENT or cancel.
      + AskedHuman m1
      > Ask m1
    human: Use the other library.
      + Taken l2
      + Said m2 You -> Arbiter: Use the other library.
      + Guided The human was asked: planner was stopped. Say what should happen, or use retry, skip, force AGENT or...
      + Selecting
      + Asked d2 Select attempt 1
      > Discard l2
      > Decide d2.1 by rehearsal
    decides {"type": "SELECT_MODE", "mode": "developer", "reason": "as told"}
      + Decided d2 SELECT_MODE developer by model: as told
      + Prepared r2 developer iteration 2
      > Prepare r2
    prepared
      + Summoned s2 agent developer, rehearsal
      + Began s2
      + Posted s2 notice:
      + Posted s2 words m2
      + Prompted s2 t2 (words m2): «Human Interjection» / Use the other library.
      > Spawn s2.1 agent developer, rehearsal
      > Deliver s2.1 t2: «Human Interjection» / Use the other library.
    agent heard
      + Heard s2 t2
    show words
      m2 heard: Use the other library.
    "#);
}

#[test]
fn words_reach_the_agent_that_works_or_the_next_one() {
    assert_snapshot!(play(r#"
        ~open conducted checks "make test"
        ~settled
        ~prepared
        human: No new dependencies.
        agent heard t2
        ~agent plan: Build it @developer
        ~inspected
        human: And tabs.
        ~prepared
        show words
        ~agent heard
        ~agent success: Built.
        inspected
        human: One more thing.
        surveyed c1
        brought
        check pass
    "#), @"
    human: No new dependencies.
      + Taken l1
      + Said m1 You -> Arbiter: No new dependencies.
      + Posted s1 words m1
      + Steered s1 t2 (words m1): «Human Interjection» / No new dependencies.
      > Discard l1
      > Steer s1.1 t2: «Human Interjection» / No new dependencies.
    agent heard t2
      + Heard s1 t2
    human: And tabs.
      + Taken l2
      + Said m2 You -> Arbiter: And tabs.
      > Discard l2
    show words
      m1 heard: No new dependencies.
      m2 delivered: And tabs.
    inspected
      + Ended #2 developer Success: Built.
      + Step 1 complete: Built.
      + Decided d3 COMPLETE by rules: Every step is done: / 1. Build it
      + Claimed Every step is done: / 1. Build it
      + Said m3 Arbiter -> nobody (claim): Every step is done: / 1. Build it
      + Claimed g1: Every step is done: / 1. Build it
      > Survey g1
    human: One more thing.
      + Taken l3
      + Said m4 You -> Arbiter: One more thing.
      > Discard l3
    surveyed c1
      + Surveyed g1 c1
      > Bring g1 c1
    brought
      + Brought g1 c1
      > Check g1 #0 make test at c1
    check pass
      + Receipt g1 #0 make test at c1: exit 0
      + Refused g1: the mission went on while the checks ran; they passed. Claim again when all is settled
      + TurnedBack the mission went on while the checks ran; they passed. Claim again when all is settled
      + Guided It was said to be complete, and that was turned back: the mission went on while the checks ran; they...
      + Asked d4 Select attempt 1
      > Decide d4.1 by rehearsal
    ");
}

#[test]
fn only_a_human_can_decide_some_things() {
    assert_snapshot!(play(r#"
        ~open conducted docket
        ~unattended
        ~settled
        ~prepared
        ~agent plan: Build it @developer
        ~inspected
        ~prepared
        ~agent failure: Two ways.
        ~inspected
        decides {"type": "ASK_HUMAN", "question": "Which store?", "options": ["SQLite", "Postgres"]}
        docket 1 decided: answer=a
        decides {"type": "RETRY", "reason": "SQLite it is"}
    "#), @r#"
    decides {"type": "ASK_HUMAN", "question": "Which store?", "options": ["SQLite", "Postgres"]}
      + Decided d3 ASK_HUMAN by model: Which store?
      + Said m1 Arbiter -> human (decisions answer): Which store?
      + AskedHuman m1
      + Raised ma0d8fd7c6f3 about m1: Arbiter asks: Which store?
      > Ask m1
      > Petition ma0d8fd7c6f3: Arbiter asks: Which store?
    docket 1 decided: answer=a
      + Decided ma0d8fd7c6f3 answer=a by human:cli:ada
      + Said m2 You -> Arbiter: Which store?: a (SQLite)
      + Guided The human was asked: Which store? / The human answered: Which store?: a (SQLite)
      + Selecting
      + Asked d4 Select attempt 1
      > Decide d4.1 by rehearsal
    decides {"type": "RETRY", "reason": "SQLite it is"}
      + Decided d4 RETRY by model: SQLite it is
      + Guided SQLite it is
      + Step 1 pending
      + Prepared r3 developer iteration 3 step 1
      > Prepare r3
    "#);
}

#[test]
fn agents_are_read_anew_between_runs() {
    assert_snapshot!(play(r#"
        ~open conducted
        ~settled
        prepared planner, developer
        ~agent plan: Build it @developer
        ~inspected
        prepared faults: reviewer.md:3: unknown key
        ~agent success: Built.
        ~inspected
        decides {"type": "SELECT_MODE", "mode": "reviewer", "reason": "look"}
    "#), @r#"
    prepared planner, developer
      + Said m1 House -> nobody (notice): The agents were read anew: planner, developer.
      + Agents planner, developer
      + Summoned s1 agent planner, rehearsal
      + Began s1
      + Posted s1 notice:
      + Prompted s1 t1:
      > Spawn s1.1 agent planner, rehearsal
      > Deliver s1.1 t1:
    prepared faults: reviewer.md:3: unknown key
      + Said m2 House -> nobody (notice): The agents stay as they were: reviewer.md:3: unknown key
      + Summoned s2 agent developer, rehearsal
      + Began s2
      + Step 1 in progress
      + Posted s2 notice:
      + Prompted s2 t2:
      > Spawn s2.1 agent developer, rehearsal
      > Deliver s2.1 t2:
    decides {"type": "SELECT_MODE", "mode": "reviewer", "reason": "look"}
      + Misread {"mode":"reviewer","reason":"look","type":"SELECT_MODE"}: no agent "reviewer" can be chosen now; `mode` must be one of: planner, developer
      + Asked d4 Select attempt 2
      > Decide d4.2 by rehearsal
    "#);
}

#[test]
fn a_fall_in_any_phase_is_taken_up() {
    assert_snapshot!(play(r#"
        ~open conducted checks "make test"
        ~settled
        restart
        ~prepared
        restart
        ~agent plan: Build it @developer
        restart
        ~inspected
        ~prepared
        ~agent success: Built.
        ~inspected
        restart
        ~surveyed c1
        restart
        ~brought
        restart
        check pass
    "#), @"
    restart
      + Woken run 1
      > Prepare r1
    restart
      + Woken run 2
      > Spawn s1.2 agent planner, rehearsal (resume)
      > Deliver s1.2 t1:
    restart
      + Woken run 3
      > Inspect r1
    restart
      + Woken run 4
      > Survey g1
    restart
      + Woken run 5
      > Bring g1 c1
    restart
      + Woken run 6
      > Check g1 #0 make test at c1
    check pass
      + Receipt g1 #0 make test at c1: exit 0
      + Said m2 Arbiter -> human: Every step is done: / 1. Build it
      + Completed proven
      > Leave completed
    ");
}

#[test]
fn a_provider_that_refuses_gives_way_to_the_next_on_the_route() {
    assert_snapshot!(play(r#"
        ~open conducted no-model routes rehearsal deaf
        ~settled
        ~prepared
        agent refused: model not found
        inspected
        prepared
        agent fails: connection reset
        lost agent: it died
        restart
    "#), @"
    agent refused: model not found
      + Rested s1 t1 (interrupted)
      + Ending Failure: its provider refused the turn: model not found
      + Released s1
      > End s1.1
      > FetchBack
      > Inspect r1
    inspected
      + Ended #1 planner Failure: its provider refused the turn: model not found
      + Said m1 House -> nobody (notice): The provider cannot work: deaf takes its place.
      + Rerouted to deaf
      + Decided d2 RETRY by fallback: planner failed: its provider refused the turn: model not found
      + Guided planner failed: its provider refused the turn: model not found
      + Prepared r2 planner iteration 2
      > Prepare r2
    prepared
      + Summoned s2 agent planner, deaf
      + Began s2
      + Posted s2 notice:
      + Prompted s2 t2:
      > Spawn s2.1 agent planner, deaf
      > Deliver s2.1 t2:
    agent fails: connection reset
      + Waits s2 backoff until 1043: connection reset
    lost agent: it died
      > Note s2.1 is gone while it waits: it died
    restart
      + Woken run 1
      > Spawn s2.2 agent planner, deaf (resume)
    ");
}

/// A house that fell between the last fact and its effects.
#[test]
fn a_note_of_the_last_moment_is_written_after_a_fall() {
    let played = play(
        r#"
        ~open conducted dry
        ~settled
        ~prepared
        ~agent raw {"outcome": "success", "summary": "A plan.", "plan": {"steps": [{"description": "Build it"}], "confidence": 90}, "notes": [{"title": "Use make", "text": "Everything is built with make here."}]}
        ~inspected
        restart
    "#,
    );
    assert!(played.contains("> Remember Use make"), "{played}");
    assert!(played.contains("> Leave"), "{played}");
}
