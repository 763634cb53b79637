//! A conducted mission and its human: actions and words in every phase, questions; and new starts.

use insta::assert_snapshot;
use mind::play::play;

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
      + Received l1
      + Steered by human:terminal:ada: developer runs next
      + Decided d1 SELECT_MODE developer by human: forced by ada, in the terminal
      + Prepared r1 developer iteration 1
      > RemoveFromInbox l1
    settled
      + CloneReady /clone at c1 on arbiter/m1
      > PrepareRun r1
    human force plumber
      + Received l2
      + Said m1 House -> nobody (notice): There is no agent plumber; there are: planner, developer, tester, reviewer.
      > RemoveFromInbox l2
    human force Planner
      + Received l3
      + Steered by human:terminal:ada: planner runs next
      + Selecting
      + Decided d2 SELECT_MODE planner by human: forced by ada, in the terminal
      + Prepared r2 planner iteration 1
      > RemoveFromInbox l3
      > PrepareRun r2
    human retry
      + Received l4
      + Steered by human:terminal:ada: the last agent tries again
      + Ending Cancelled: planner was stopped by ada, in the terminal
      + Released s1
      + Ended #1 planner Cancelled: planner was stopped by ada, in the terminal
      + Decided d3 RETRY by human: the human wants this tried again
      + Guided the human wants this tried again
      + Prepared r3 planner iteration 2
      > RemoveFromInbox l4
      > End s1.1
      > FetchBack
      > InspectRun r2
      > PrepareRun r3
    human skip
      + Received l5
      + Steered by human:terminal:ada: step 1 is skipped
      + Ending Cancelled: developer was stopped by ada, in the terminal
      + Released s3
      + Ended #3 developer Cancelled: developer was stopped by ada, in the terminal
      + Step 1 pending
      + Decided d5 SKIP_STEP by human: skipped by ada, in the terminal
      + Step 1 skipped: skipped by ada, in the terminal
      + Selecting
      + Asked d6 Select attempt 1
      > RemoveFromInbox l5
      > End s3.1
      > FetchBack
      > InspectRun r4
      > CallModel d6.1 by rehearsal
    decides {"type": "SELECT_MODE", "mode": "developer", "reason": "on"}
      + Decided d6 SELECT_MODE developer by model: on
      + Prepared r5 developer iteration 4 step 2
      > PrepareRun r5
    human force tester
      + Received l6
      + Steered by human:terminal:ada: tester runs next
      + Decided d7 SELECT_MODE tester by human: forced by ada, in the terminal
      + Prepared r6 tester iteration 5
      > RemoveFromInbox l6
      > DropCall d7
      > PrepareRun r6
    decides {"type": "FAIL", "reason": "late"}
      > Note no call d0.0 is open: ModelReply { end: Said { output: Some(Object {"reason": String("late"), "type"...
    human pause
      + Received l7
      + Paused by human:terminal:ada
      > RemoveFromInbox l7
    prepared
      > Note r6 is not to be begun now
    human resume
      + Received l8
      + Resumed by human:terminal:ada
      > RemoveFromInbox l8
      > PrepareRun r6
    prepared
      + Summoned s5 agent tester, rehearsal
      + Began s5
      + Queued s5 notice: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
      + Prompted s5 t5: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
      > Spawn s5.1 agent tester, rehearsal
      > Deliver s5.1 t5: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
    human cancel
      + Received l9
      + Cancelled by human:terminal:ada
      > RemoveFromInbox l9
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
      + Received l1
      + Interrupting s1 by human:terminal:ada
      > RemoveFromInbox l1
      > Interrupt s1.1 t1
    agent interrupted
      + Rested s1 t1 at c1 (interrupted)
      + Ending Cancelled: planner was stopped by ada, in the terminal
      + Released s1
      > End s1.1
      > FetchBack
      > InspectRun r1
    inspected
      + Ended #1 planner Cancelled: planner was stopped by ada, in the terminal
      + Said m1 Arbiter -> human: planner was stopped. Say what should happen, or use retry, skip, force AGENT or cancel.
      + AskedHuman m1
    human: Use the other library.
      + Received l2
      + Said m2 You -> Arbiter: Use the other library.
      + Guided The human was asked: planner was stopped. Say what should happen, or use retry, skip, force AGENT or...
      + Selecting
      + Asked d2 Select attempt 1
      > RemoveFromInbox l2
      > CallModel d2.1 by rehearsal
    decides {"type": "SELECT_MODE", "mode": "developer", "reason": "as told"}
      + Decided d2 SELECT_MODE developer by model: as told
      + Heard m2
      + Prepared r2 developer iteration 2
      > PrepareRun r2
    prepared
      + Summoned s2 agent developer, rehearsal
      + Began s2
      + Queued s2 notice: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
      + Prompted s2 t2: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
      > Spawn s2.1 agent developer, rehearsal
      > Deliver s2.1 t2: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
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
      + Received l1
      + Said m1 You -> Arbiter: No new dependencies.
      + Queued s1 words m1
      + Interjected s1 t2 (words m1): «Human Interjection» / No new dependencies.
      > RemoveFromInbox l1
      > Steer s1.1 t2: «Human Interjection» / No new dependencies.
    agent heard t2
      + Heard s1 t2
    human: And tabs.
      + Received l2
      + Said m2 You -> Arbiter: And tabs.
      > RemoveFromInbox l2
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
      + Received l3
      + Said m4 You -> Arbiter: One more thing.
      > RemoveFromInbox l3
    surveyed c1
      + Surveyed g1 c1
      > Bring g1 c1
    brought
      + Brought g1 c1
      > Check g1 #0 make test at c1
    check pass
      + Receipt g1 #0 make test at c1: exit 0
      + Refused g1: the mission went on while the checks ran; they passed. Claim again when nothing else is open
      + TurnedBack the mission went on while the checks ran; they passed. Claim again when nothing else is open
      + Guided It was said to be complete, and that was turned back: / | the mission went on while the checks ran; ...
      + Asked d4 Select attempt 1
      > CallModel d4.1 by rehearsal
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
      + DocketAsked ma0d8fd7c6f3 about m1: Arbiter asks: Which store?
      > Petition ma0d8fd7c6f3: Arbiter asks: Which store?
    docket 1 decided: answer=a
      + Decided ma0d8fd7c6f3 answer=a by human:cli:ada
      + Said m2 You -> Arbiter: Which store?: a (SQLite)
      + Guided The human was asked: Which store? / The human answered: Which store?: a (SQLite)
      + Selecting
      + Asked d4 Select attempt 1
      > CallModel d4.1 by rehearsal
    decides {"type": "RETRY", "reason": "SQLite it is"}
      + Decided d4 RETRY by model: SQLite it is
      + Heard m2
      + Guided SQLite it is
      + Step 1 pending
      + Prepared r3 developer iteration 3 step 1
      > PrepareRun r3
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
      + Said m1 House -> nobody (notice): The agents' files changed and were read again: planner, developer.
      + Agents planner, developer
      + Summoned s1 agent planner, rehearsal
      + Began s1
      + Queued s1 notice: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
      + Prompted s1 t1: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
      > Spawn s1.1 agent planner, rehearsal
      > Deliver s1.1 t1: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
    prepared faults: reviewer.md:3: unknown key
      + Said m2 House -> nobody (notice): The agents' files changed but cannot be used, so the agents stay as they were: reviewer.md:3: unknow...
      + Summoned s2 agent developer, rehearsal
      + Began s2
      + Step 1 in progress
      + Queued s2 notice: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
      + Prompted s2 t2: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
      > Spawn s2.1 agent developer, rehearsal
      > Deliver s2.1 t2: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
    decides {"type": "SELECT_MODE", "mode": "reviewer", "reason": "look"}
      + Misread {"mode":"reviewer","reason":"look","type":"SELECT_MODE"}: no agent "reviewer" can be chosen now; `mode` must be one of: planner, developer
      + Asked d4 Select attempt 2
      > CallModel d4.2 by rehearsal
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
      + Restarted run 1
      > PrepareRun r1
    restart
      + Restarted run 2
      > Spawn s1.2 agent planner, rehearsal (resume)
      > Deliver s1.2 t1: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
    restart
      + Restarted run 3
      > InspectRun r1
    restart
      + Restarted run 4
      > Survey g1
    restart
      + Restarted run 5
      > Bring g1 c1
    restart
      + Restarted run 6
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
      > InspectRun r1
    inspected
      + Ended #1 planner Failure: its provider refused the turn: model not found
      + Said m1 House -> nobody (notice): The provider cannot be used: the next runs use deaf.
      + Rerouted to deaf
      + Decided d2 RETRY by fallback: planner failed: / | its provider refused the turn: model not found
      + Guided planner failed: / | its provider refused the turn: model not found
      + Prepared r2 planner iteration 2
      > PrepareRun r2
    prepared
      + Summoned s2 agent planner, deaf
      + Began s2
      + Queued s2 notice: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
      + Prompted s2 t2: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
      > Spawn s2.1 agent planner, deaf
      > Deliver s2.1 t2: ## Task / The human's own words; the whole text is in `.arbiter/scroll.md`: / <task> / Build the bri...
    agent fails: connection reset
      + Waits s2 backoff until 1043: connection reset
    lost agent: it died
      > Note s2.1 is gone while it waits: it died
    restart
      + Restarted run 1
      > Spawn s2.2 agent planner, deaf (resume)
    ");
}

#[test]
fn an_answer_that_a_model_decided_with_is_heard() {
    let played = play(
        r#"
        ~open conducted checks "make test"
        ~settled
        ~prepared
        ~agent plan: Build it @developer
        ~inspected
        ~prepared
        ~agent failure: Two ways.
        ~inspected
        ~decides {"type": "ASK_HUMAN", "question": "Is it good enough?"}
        ~human: It is. Leave the step out.
        decides {"type": "SKIP_STEP", "reason": "as the human said"}
        decides {"type": "COMPLETE", "summary": "as the human wants it"}
        show words
    "#,
    );
    assert!(played.contains("+ Heard m2") && played.contains("m2 heard"), "{played}");
    assert!(played.contains("> Survey g1"), "nothing stands in the way of the claim: {played}");
}

#[test]
fn the_step_is_done_by_whom_the_plan_names() {
    let played = play(
        r#"
        ~open conducted
        ~settled
        ~prepared
        ~agent plan: Look first @tester | Ask the oracle @oracle | Build it @developer
        inspected
    "#,
    );
    assert!(played.contains("SELECT_MODE tester by rules: step 1 is planned for tester"), "{played}");
    assert!(played.contains("Step 2 is planned for oracle, but no such agent can be chosen"), "{played}");
}

#[test]
fn going_on_is_for_whom_the_next_step_is_planned() {
    let played = play(
        r#"
        ~open conducted
        ~settled
        ~prepared
        ~agent plan: Build it @developer | Test it @tester
        ~inspected
        ~prepared
        ~agent success: Built.
        ~inspected
        decides {"type": "CONTINUE", "reason": "the step is done"}
    "#,
    );
    assert!(played.contains("Prepared r3 tester iteration 3 step 2"), "{played}");
}

#[test]
fn prose_is_no_answer() {
    let played = play(
        r#"
        ~open conducted no-model
        ~settled
        ~prepared
        ~agent plan: Build it @developer
        ~inspected
        ~prepared
        agent plain: I could not do it.
        agent plain: Here: {"outcome": "success", "summary": "Built after all."}
    "#,
    );
    assert!(played.contains("Malformed s2"), "it is asked again: {played}");
    assert!(played.contains("Ending Success: Built after all."), "{played}");
}
