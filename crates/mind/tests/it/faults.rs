//! Faults: the council never falls silent and never loses. Each row of the fault table.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn a_passing_error_is_tried_again_after_a_growing_wait() {
    assert_snapshot!(play("
        ~ at work
        orchestrator fails: overloaded
        alarm
        orchestrator fails: overloaded
        alarm
        orchestrator progress: Through at last.
        show waits
    "), @"
    orchestrator fails: overloaded
      + Waits s2 backoff until 1105: overloaded
    alarm
      + Retried s2 as t6
      > Deliver s2.1 t6: The brief.
    orchestrator fails: overloaded
      + Waits s2 backoff until 3172: overloaded
    alarm
      + Retried s2 as t7
      > Deliver s2.1 t7: The brief.
    orchestrator progress: Through at last.
      + Rested s2 t7 at c1
      + Said m6 Orchestrator I -> nobody: Through at last.
      + Logged s2 (quiet): Through at last.
      + Queued s2 notice: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      + Prompted s2 t8: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      > FetchBack
      > Deliver s2.1 t8: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
    show waits
      the alarm rings in 600 s
    ");
}

#[test]
fn after_many_errors_in_a_row_the_provider_is_only_looked_at_now_and_then() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator fails: 500
        ~ alarm
        ~ orchestrator fails: 500
        ~ alarm
        ~ orchestrator fails: 500
        ~ alarm
        ~ orchestrator fails: 500
        ~ alarm
        ~ orchestrator fails: 500
        ~ alarm
        ~ orchestrator fails: 500
        ~ alarm
        ~ orchestrator fails: 500
        ~ alarm
        ~ orchestrator fails: 500
        ~ alarm
        orchestrator fails: 500
        show waits
    "), @"
    orchestrator fails: 500
      + Waits s2 backoff until 348778: 500
    show waits
      s2.1 waits 60 s: 500
      the alarm rings in 60 s
    ");
}

#[test]
fn a_limit_parks_the_session_until_the_time_that_was_named() {
    assert_snapshot!(play("
        ~ at work
        orchestrator limited +5m: usage limit
        show waits
        restart
        show waits
        alarm
    "), @"
    orchestrator limited +5m: usage limit
      + Waits s2 limit until 300027: usage limit
    show waits
      s2.1 waits 300 s: usage limit
      the alarm rings in 300 s
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Spawn s2.2 Orchestrator I, rehearsal (resume)
    show waits
      s2.2 waits 299 s: usage limit
      the alarm rings in 299 s
    alarm
      + Retried s2 as t6
      > Deliver s2.2 t6: The brief.
    ");
}

#[test]
fn a_limit_without_a_time_is_probed_ever_more_rarely() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator limited: slow down
        show waits
        ~ alarm
        ~ orchestrator limited: slow down
        show waits
        ~ alarm
        ~ orchestrator limited: slow down
        show waits
        ~ alarm
        ~ orchestrator limited: slow down
        show waits
        ~ alarm
        ~ orchestrator limited: slow down
        show waits
    "), @"
    show waits
      s2.1 waits 60 s: slow down
      the alarm rings in 60 s
    show waits
      s2.1 waits 300 s: slow down
      the alarm rings in 300 s
    show waits
      s2.1 waits 900 s: slow down
      the alarm rings in 900 s
    show waits
      s2.1 waits 1800 s: slow down
      the alarm rings in 1800 s
    show waits
      s2.1 waits 1800 s: slow down
      the alarm rings in 1800 s
    ");
}

#[test]
fn a_refused_turn_is_for_the_arbiter_to_judge() {
    assert_snapshot!(play("
        ~ at work
        orchestrator refused: the model declines
    "), @"
    orchestrator refused: the model declines
      + Rested s2 t5 at c1 (interrupted)
      + AwaitsReply s2
      + Queued s1 report of I, Silence: Its provider refused the turn: the model declines. It rests and waits for your word.
      + Prompted s1 t6: «Orchestrator I - Silence» / Its provider refused the turn: the model declines. It rests and waits f...
      > Deliver s1.1 t6: «Orchestrator I - Silence» / Its provider refused the turn: the model declines. It rests and waits f...
    ");
}

#[test]
fn a_refused_turn_of_the_arbiter_is_for_the_human_to_judge() {
    assert_snapshot!(play("
        ~ opened
        arbiter refused: prompt is too long
        show owner
    "), @"
    arbiter refused: prompt is too long
      + Rested s1 t1 (interrupted)
      + Said m1 House -> human: The Arbiter's provider refused its turn: prompt is too long. What shall it do?
    show owner
      Human
    ");
}

#[test]
fn silence_is_nudged_then_interrupted_then_killed_and_taken_up_again() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator heard
        alarm
        alarm
        alarm
        alarm
    "), @"
    alarm
      + SilenceWatched s2 stage 1
      + Said m6 House -> nobody (notice): Orchestrator I has been silent for a long time.
      > Steer s2.1 t6: «Notice» / Nothing has been heard of you for a while. If you are at work, go on; if you wait for som...
    alarm
      + SilenceWatched s2 stage 2
      + Interrupting s2 by policy:watchdog
      > Interrupt s2.1 t5
    alarm
      + SilenceWatched s2 stage 3
      + Waits s2 revival until 1801027: it fell silent
      > End s2.1
    alarm
      + Revived s2
      + Queued s1 aside: «Notice» / The process of Orchestrator I ended and was taken up again.
      > Spawn s2.2 Orchestrator I, rehearsal (resume)
      > Deliver again s2.2 t5: «Notice» / Your last turn was cut off: the process that carried you ended. The message before this o...
    ");
}

#[test]
fn a_sign_of_life_ends_the_watch() {
    assert_snapshot!(play("
        ~ at work
        ~ alarm
        orchestrator stirs
        show waits
    "), @"
    orchestrator stirs
      + SignOfLife s2
    show waits
      the alarm rings in 600 s
    ");
}

#[test]
fn a_running_tool_is_given_more_time() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator tool Bash cargo test
        show waits
    "), @"
    show waits
      the alarm rings in 1800 s
    ");
}

#[test]
fn waiting_for_a_human_is_no_silence() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator awaits human
        show waits
        orchestrator awaits nobody
        show waits
    "), @"
    show waits
      no alarm
    orchestrator awaits nobody
      + AwaitsHuman s2 no longer
    show waits
      the alarm rings in 600 s
    ");
}

#[test]
fn a_new_process_waits_for_nobody_yet() {
    for ending in ["~ lost orchestrator: exit 1\n~ alarm", "~ restart"] {
        let script = format!("~ at work\n~ orchestrator awaits human\n{ending}\nshow waits");
        assert_eq!(play(&script).trim(), "show waits\n  the alarm rings in 600 s", "{ending}");
    }
}

#[test]
fn an_orchestrator_interrupted_for_its_silence_is_for_the_arbiter_to_judge() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator heard
        ~ alarm
        ~ alarm
        orchestrator interrupted
        read arbiter
    "), @"
    orchestrator interrupted
      + Rested s2 t5 at c1 (interrupted)
      + Said m7 House -> nobody (notice): Orchestrator I was silent for too long and was interrupted.
      + AwaitsReply s2
      + Queued s1 report of I, Silence: It was silent for too long and was interrupted. It rests and waits for your word.
      + Prompted s1 t7: «Orchestrator I - Silence» / It was silent for too long and was interrupted. It rests and waits for ...
      > Deliver s1.1 t7: «Orchestrator I - Silence» / It was silent for too long and was interrupted. It rests and waits for ...
    read arbiter
      | «Orchestrator I - Silence»
      | It was silent for too long and was interrupted. It rests and waits for your word.
    ");
}

#[test]
fn a_dead_session_is_taken_up_by_its_id() {
    assert_snapshot!(play("
        ~ at work
        lost orchestrator: exit 1
        alarm
        orchestrator progress: Where was I?
        show waits
    "), @"
    lost orchestrator: exit 1
      + Waits s2 revival until 1027: exit 1
    alarm
      + Revived s2
      + Queued s1 aside: «Notice» / The process of Orchestrator I ended and was taken up again.
      > Spawn s2.2 Orchestrator I, rehearsal (resume)
      > Deliver s2.2 t5: The brief.
    orchestrator progress: Where was I?
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> nobody: Where was I?
      + Logged s2 (quiet): Where was I?
      + Queued s2 notice: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      + Prompted s2 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      > FetchBack
      > Deliver s2.2 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
    show waits
      the alarm rings in 600 s
    ");
}

#[test]
fn a_session_that_dies_again_and_again_is_lost_and_the_arbiter_decides() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator progress: Half of it.
        ~ lost orchestrator: exit 1
        ~ alarm
        ~ lost orchestrator: exit 1
        ~ alarm
        ~ lost orchestrator: exit 1
        ~ alarm
        lost orchestrator: exit 1
        read arbiter
    "), @"
    lost orchestrator: exit 1
      + Released s2
      + Said m7 House -> nobody (notice): Orchestrator I is lost: its process ended again and again (exit 1). The Arbiter decides what follows...
      + Queued s1 report of I, Silence: It is lost: its process ended again and again (exit 1). Its clone stood at commit c1, clean when it ...
      + Prompted s1 t7 (log of s2): «Orchestrator I - Work Log (no response needed)» / • Half of it. / «Notice» / The process of Orchest...
      > End s2.4
      > Deliver s1.1 t7: «Orchestrator I - Work Log (no response needed)» / • Half of it. / «Notice» / The process of Orchest...
    read arbiter
      | «Orchestrator I - Work Log (no response needed)»
      | • Half of it.
      |
      | «Notice»
      | The process of Orchestrator I ended and was taken up again.
      |
      | «Orchestrator I - Silence»
      | It is lost: its process ended again and again (exit 1). Its clone stood at commit c1, clean when it last rested. No Orchestrator is active now.
    ");
}

#[test]
fn a_machine_without_a_process_for_a_session_halts_the_mission_and_blames_nobody() {
    assert_snapshot!(play("
        ~ at work
        unstarted orchestrator: too many open files
        ~ alarm
        ~ unstarted orchestrator: too many open files
        ~ alarm
        ~ unstarted orchestrator: too many open files
        ~ alarm
        unstarted orchestrator: too many open files
        restart
        unstarted orchestrator: too many open files
    "), @"
    unstarted orchestrator: too many open files
      + Waits s2 revival until 1027: too many open files
    unstarted orchestrator: too many open files
      + Halted workshop: too many open files
      > Leave workshop failed
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Spawn s2.5 Orchestrator I, rehearsal (resume)
      > Deliver s2.5 t5: The brief.
    unstarted orchestrator: too many open files
      + Waits s2 revival until 22033: too many open files
    ");
}

#[test]
fn an_arbiter_that_never_spoke_and_dies_again_and_again_halts_the_mission() {
    assert_snapshot!(play("
        ~ opened
        ~ lost arbiter: no such program
        ~ alarm
        ~ lost arbiter: no such program
        ~ alarm
        ~ lost arbiter: no such program
        ~ alarm
        lost arbiter: no such program
    "), @"
    lost arbiter: no such program
      + Halted provider: no such program
      > Leave provider failed
    ");
}

#[test]
fn an_arbiter_that_is_lost_has_an_heir_who_knows_what_the_journal_knows() {
    assert_snapshot!(play("
        ~ at work
        ~ human: hurry
        ~ lost arbiter: exit 1
        ~ alarm
        ~ lost arbiter: exit 1
        ~ alarm
        ~ lost arbiter: exit 1
        ~ alarm
        lost arbiter: exit 1
        read arbiter
    "), @"
    lost arbiter: exit 1
      + Released s1
      + Said m7 House -> nobody (notice): The Arbiter's session was lost: a fresh one takes over. The mission goes on.
      + Summoned s3 Arbiter, rehearsal
      + Queued s3 notice: «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
      + Queued s3 again: «Orchestrator I - Human Interjection» / hurry
      + Prompted s3 t7 (words m6): «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
      > End s1.4
      > Spawn s3.1 Arbiter, rehearsal
      > Deliver s3.1 t7: «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
    read arbiter
      | «Notice»
      | You take over a mission in its middle. The Arbiter before you left this testament:
      | <testament>
      | (it was lost before it could leave one)
      | </testament>
      | What the journal of the house knows:
      | - The yes before the first summon was given by: human:terminal:ada
      | - Orchestrator I (Orchestrator): active, at work
      | - Orchestrator I said: I am Orchestrator I.
      | - The task list:
      | empty
      |
      | The scroll is at .arbiter/scroll.md. Whatever waits for you follows below, if anything does. Verify before you act; redo nothing
      | that is finished, ask nothing that was answered, and go on.
      |
      | «Orchestrator I - Human Interjection»
      | hurry
    ");
}

#[test]
fn a_session_that_stirs_but_never_ends_its_turn_is_stopped_in_the_end() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator heard
        ~ alarm
        ~ orchestrator stirs
        ~ alarm
        ~ orchestrator stirs
        ~ alarm
        ~ orchestrator stirs
        alarm
        ~ orchestrator stirs
        alarm
    "), @"
    alarm
      + SilenceWatched s2 stage 2
      + Interrupting s2 by policy:watchdog
      > Interrupt s2.1 t5
    alarm
      + SilenceWatched s2 stage 3
      + Waits s2 revival until 3001035: it fell silent
      > End s2.1
    ");
}
