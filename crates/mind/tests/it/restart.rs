//! Restart: what was in flight is done again under the same numbers; words of dead sessions reach nobody.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn a_turn_in_flight_is_delivered_again_under_the_same_number() {
    assert_snapshot!(play("
        ~ at work
        ~ human: hurry
        restart
    "), @"
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Deliver s1.2 t6: «Orchestrator I - Human Interjection» / hurry
      > Spawn s2.2 Orchestrator I, rehearsal (resume)
      > Deliver s2.2 t5: The brief.
    ");
}

#[test]
fn sessions_are_resumed_in_a_new_life_and_the_old_one_is_not_heard() {
    assert_snapshot!(play("
        ~ at work
        ~ restart
        stale s2.1 question: Left or right?
        orchestrator question: Left or right?
    "), @r#"
    stale s2.1 question: Left or right?
      > Note s2.1 is no more: Rested { turn: TurnId(5), end: Spoke { output: Some(Object {"expects_response": Boo...
    orchestrator question: Left or right?
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> Arbiter: Left or right?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Left or right?
      + Prompted s1 t6: «Orchestrator I - Awaiting Input» / Left or right?
      > FetchBack
      > Deliver s1.2 t6: «Orchestrator I - Awaiting Input» / Left or right?
    "#);
}

#[test]
fn words_of_a_released_session_reach_nobody() {
    assert_snapshot!(play("
        ~ at work
        ~ human release
        stale s2.1 question: Left or right?
        stale s2.1 gauge 1/2
        stale s9.1 heard t1
    "), @r#"
    stale s2.1 question: Left or right?
      > Note s2.1 is no more: Rested { turn: TurnId(6), end: Spoke { output: Some(Object {"expects_response": Boo...
    stale s2.1 gauge 1/2
      > Note s2.1 is no more: Gauged(Gauge { used: 1, window: 2, source: "usage", guessed: false })
    stale s9.1 heard t1
      > Note s9.1 is unknown: Heard(TurnId(1))
    "#);
}

#[test]
fn a_turn_that_is_not_in_flight_cannot_end() {
    assert_snapshot!(play("
        ~ at work
        orchestrator rested t1
        orchestrator heard t1
        arbiter rested t4
    "), @"
    orchestrator rested t1
      > Note s2.1 rests from t1, which is not in flight
    orchestrator heard t1
      > Note s2.1 heard t1 before
    arbiter rested t4
      > Note s1.1 rests from t4, which is not in flight
    ");
}

#[test]
fn numbers_go_on_over_a_restart() {
    assert_snapshot!(play("
        ~ at work
        ~ restart
        ~ orchestrator handoff: My context thins.
        ~ restart
        arbiter summon_orchestrator: Another.
    "), @"
    arbiter summon_orchestrator: Another.
      + Rested s1 t6 at c1
      + Said m7 Arbiter -> nobody: Another.
      + Released s2
      + Summoned s3 Orchestrator II, rehearsal
      + Queued s3 notice: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
      + Prompted s3 t7: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
      > End s2.3
      > Spawn s3.1 Orchestrator II, rehearsal
      > Deliver s3.1 t7: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
    ");
}

#[test]
fn a_steered_text_a_warning_and_an_interrupt_are_owed_again() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator gauge 150000/200000
        ~ human @orchestrator: paint it red
        ~ human interrupt
        restart
    "), @"
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Spawn s2.2 Orchestrator I, rehearsal (resume) at 75% (150000 of 200000, usage)
      > Deliver s2.2 t5: The brief.
      > Steer s2.2 t6: «Human Interjection» / paint it red
      > Interrupt s2.2 t5
      > Warn s2.2 70%: «Notice» / Your context is 75% full. There is still room: this is the time to begin to conclude, not...
    ");
}

#[test]
fn a_claim_is_surveyed_again() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ claimed
        restart
    "#), @"
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Survey g1
    ");
}

#[test]
fn the_check_that_ran_at_the_fall_is_run_again_and_those_before_it_stand() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test" "cargo fmt"
        ~ claimed
        ~ surveyed c2
        ~ brought
        ~ check pass
        restart
        check pass
    "#), @"
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Check g1 #1 cargo fmt at c2
    check pass
      + Receipt g1 #1 cargo fmt at c2: exit 0
      + Said m12 Arbiter -> human: It is done.
      + Completed proven
      > End s1.2
      > Leave completed
    ");
}

#[test]
fn a_question_keeps_its_number_and_an_answered_one_is_not_asked_again() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter address_human: Which bank?
        restart
        human: left
        restart
    "), @"
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
    human: left
      + Received l1
      + Said m2 You -> Arbiter: left
      + Queued s1 words m2
      + Prompted s1 t2 (words m2): left
      > RemoveFromInbox l1
      > Deliver s1.2 t2: left
    restart
      + Restarted run 2
      > Spawn s1.3 Arbiter, rehearsal (resume)
      > Deliver s1.3 t2: left
    ");
}

#[test]
fn a_session_that_never_had_a_prompt_is_started_fresh() {
    assert_snapshot!(play("
        ~ aligned
        ~ human pause
        ~ arbiter summon_orchestrator: I call one.
        restart
        human resume
    "), @"
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Spawn s2.2 Orchestrator I, rehearsal
    human resume
      + Received l3
      + Resumed by human:terminal:ada
      + Prompted s2 t3: «Notice» / You are Orchestrator I. Orchestrators before you in this mission: 0. / Introduce yourself...
      > RemoveFromInbox l3
      > Deliver s2.2 t3: «Notice» / You are Orchestrator I. Orchestrators before you in this mission: 0. / Introduce yourself...
    ");
}

#[test]
fn a_lost_session_halts_the_house_and_the_next_start_goes_on() {
    assert_snapshot!(play("
        ~ at work
        lost orchestrator: the process is gone
        lost arbiter: this one too
        human: are you there?
        show owner
        restart
    "), @"
    lost orchestrator: the process is gone
      + Waits s2 revival until 1027: the process is gone
    lost arbiter: this one too
      + Waits s1 revival until 1028: this one too
    human: are you there?
      + Received l2
      + Said m6 You -> Arbiter: are you there?
      + Queued s1 words m6
      + Prompted s1 t6 (words m6): «Orchestrator I - Human Interjection» / are you there?
      > RemoveFromInbox l2
      > Deliver s1.1 t6: «Orchestrator I - Human Interjection» / are you there?
    show owner
      Session(SessionId(1))
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Deliver s1.2 t6: «Orchestrator I - Human Interjection» / are you there?
      > Spawn s2.2 Orchestrator I, rehearsal (resume)
      > Deliver s2.2 t5: The brief.
    ");
}

#[test]
fn a_broken_workshop_halts_the_house() {
    assert_snapshot!(play("
        ~ open
        broken: no git
        restart
        settled
        settled
    "), @"
    broken: no git
      + Halted workshop: no git
      > Leave workshop failed
    restart
      + Restarted run 1
      > PrepareClone
    settled
      + CloneReady /clone at c1 on arbiter/m1
      + Summoned s1 Arbiter, rehearsal
      + Queued s1 notice: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
      + Prompted s1 t1: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
      > Spawn s1.1 Arbiter, rehearsal
      > Deliver s1.1 t1: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
    settled
      > Note the clone stands already: /clone
    ");
}

#[test]
fn a_mission_that_is_over_stays_over() {
    assert_snapshot!(play("
        ~ claimed
        ~ surveyed c2
        ~ brought
        restart
        settled
        human: and now?
    "), @r#"
    restart
      > Leave completed
      > Note there is nothing to go on with
    settled
      > Note the mission is over: Settled { folder: "/clone", base: "c1", branch: "arbiter/m1" }
    human: and now?
      > Note no mission is running; message l2 by human:terminal:ada: Say("and now?")
    "#);
}

#[test]
fn a_mission_is_opened_once() {
    assert_snapshot!(play("
        ~ open
        open
    "), @"
    open
      > Note the mission is open already
    ");
}

#[test]
fn a_start_without_a_mission_is_only_noted() {
    assert_snapshot!(play("
        restart
        settled
        human: hello?
    "), @r#"
    restart
      > Note there is nothing to go on with
    settled
      > Note a clone without a mission
    human: hello?
      > Note no mission is running; message l1 by human:terminal:ada: Say("hello?")
    "#);
}

#[test]
fn a_tool_that_ran_when_the_house_fell_is_named_as_one_that_may_have_run() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator heard t5
        ~ orchestrator tool Bash ./migrate.sh
        restart
        ~ orchestrator handoff: It had run.
        ~ arbiter address_orchestrator: Good.
        ~ orchestrator heard t7
        restart
    "), @"
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Spawn s2.2 Orchestrator I, rehearsal (resume)
      > Deliver again s2.2 t5: «Notice» / May have run, wholly, in part or not at all: / - Bash ./migrate.sh / Your last turn was c...
    restart
      + Restarted run 2
      > Spawn s1.3 Arbiter, rehearsal (resume)
      > Spawn s2.3 Orchestrator I, rehearsal (resume)
      > Deliver again s2.3 t7: «Notice» / Your last turn was cut off: the process that carried you ended. The message before this o...
    ");
}

#[test]
fn a_tool_that_ran_when_its_session_died_is_named_over_every_new_life() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator heard t5
        ~ orchestrator tool Bash ./migrate.sh
        ~ lost orchestrator: exit 1
        alarm
        restart
    "), @"
    alarm
      + Revived s2
      + Queued s1 aside: «Notice» / The process of Orchestrator I ended and was taken up again.
      > Spawn s2.2 Orchestrator I, rehearsal (resume)
      > Deliver again s2.2 t5: «Notice» / May have run, wholly, in part or not at all: / - Bash ./migrate.sh / Your last turn was c...
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Spawn s2.3 Orchestrator I, rehearsal (resume)
      > Deliver again s2.3 t5: «Notice» / May have run, wholly, in part or not at all: / - Bash ./migrate.sh / Your last turn was c...
    ");
}

#[test]
fn a_turn_that_failed_is_not_told_twice_to_a_model_that_has_it() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator heard t5
        ~ orchestrator fails: overloaded
        alarm
    "), @"
    alarm
      + Retried s2 as t6
      > Deliver again s2.1 t6: «Notice» / Your last turn was cut off: overloaded. The message before this one stands, and whatever ...
    ");
}

#[test]
fn a_clone_that_was_lost_is_told_to_the_session_that_works_in_it() {
    assert_snapshot!(play("
        ~ at work
        ~ restart
        rebuilt c7
    "), @"
    rebuilt c7
      + CloneRebuilt at c7
      + Queued s2 notice: «Notice» / The clone was lost while no process watched it, and was made again from the work that Arb...
      + Interjected s2 t6: «Notice» / The clone was lost while no process watched it, and was made again from the work that Arb...
      > Steer s2.2 t6: «Notice» / The clone was lost while no process watched it, and was made again from the work that Arb...
    ");
}

#[test]
fn without_a_worker_the_arbiter_hears_that_the_clone_was_lost() {
    assert_snapshot!(play("
        ~ at work
        ~ human release
        ~ restart
        rebuilt c7
    "), @"
    rebuilt c7
      + CloneRebuilt at c7
      + Queued s1 notice: «Notice» / The clone was lost while no process watched it, and was made again from the work that Arb...
    ");
}

#[test]
fn a_clone_that_was_lost_before_any_work_is_told_to_no_session() {
    assert_snapshot!(play("
        ~ aligned
        ~ restart
        rebuilt c7
    "), @"
    rebuilt c7
      + CloneRebuilt at c7
    ");
}
