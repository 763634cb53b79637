//! Contexts fill: overflow, the handoff at a clean boundary, the Arbiter's testament and heir, the forecast.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn a_worker_that_runs_over_is_interrupted_and_asked_for_its_handoff() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator heard
        orchestrator gauge 185000/200000
        orchestrator interrupted
        read orchestrator
        orchestrator handoff: Half is done.
    "), @"
    orchestrator gauge 185000/200000
      + Gauged s2 92% (185000 of 200000, usage)
      + WarningSet s2 85%
      + Overflowed s2
      + Interrupting s2 by policy:overflow
      > Warn s2.1 85%: «Notice» / Your context is 92% full. Cease now, calmly: start nothing more. / Commit what is sound, ...
      > Interrupt s2.1 t5
    orchestrator interrupted
      + Rested s2 t5 at c1 (interrupted)
      + HandoffAsked s2
      + Queued s2 notice: «Notice» / Your context is 92% full and you must stop: there is hardly room left. Start nothing more...
      + Prompted s2 t6: «Notice» / Your context is 92% full and you must stop: there is hardly room left. Start nothing more...
      > Deliver s2.1 t6: «Notice» / Your context is 92% full and you must stop: there is hardly room left. Start nothing more...
    read orchestrator
      | «Notice»
      | Your context is 92% full and you must stop: there is hardly room left. Start nothing more and call no tool.
      | Hand off now, in a few sentences: done, remains, NOT completed, what the next needs to know.
    orchestrator handoff: Half is done.
      + Rested s2 t6 at c1
      + Said m6 Orchestrator I -> Arbiter: Half is done.
      + AwaitsReply s2
      + Queued s1 report of I, Handoff: Half is done.
      + Prompted s1 t7: «Orchestrator I - Handoff» / Half is done.
      > FetchBack
      > Deliver s1.1 t7: «Orchestrator I - Handoff» / Half is done.
    ");
}

#[test]
fn the_silent_policy_asks_for_the_handoff_at_a_clean_boundary() {
    assert_snapshot!(play("
        ~ open warnings silent
        ~ at work
        orchestrator gauge 150000/200000
        tree c2 dirty
        orchestrator progress: In the middle of it.
        tree c3
        orchestrator progress: Committed.
        read orchestrator
    "), @"
    orchestrator gauge 150000/200000
      + Gauged s2 75% (150000 of 200000, usage)
    tree c2 dirty
    orchestrator progress: In the middle of it.
      + Rested s2 t5 at c2 dirty
      + Said m6 Orchestrator I -> nobody: In the middle of it.
      + Logged s2: In the middle of it.
      + Queued s2 notice: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      + Prompted s2 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      > FetchBack
      > Deliver s2.1 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
    tree c3
    orchestrator progress: Committed.
      + Rested s2 t6 at c3
      + Said m7 Orchestrator I -> nobody: Committed.
      + Logged s2: Committed.
      + HandoffAsked s2
      + Queued s2 notice: «Notice» / This is a good place to hand over: what you did is committed. Begin no further item. Make...
      + Prompted s2 t7: «Notice» / This is a good place to hand over: what you did is committed. Begin no further item. Make...
      > FetchBack
      > Deliver s2.1 t7: «Notice» / This is a good place to hand over: what you did is committed. Begin no further item. Make...
    read orchestrator
      | «Notice»
      | This is a good place to hand over: what you did is committed. Begin no further item. Make the task list true, and report
      | with a `handoff` that expects a response: done, remains, NOT completed, what the next needs to know.
    ");
}

#[test]
fn with_warnings_off_nothing_is_said_before_the_overflow() {
    assert_snapshot!(play("
        ~ open warnings off
        ~ at work
        orchestrator gauge 180000/200000
        orchestrator progress: On and on.
    "), @"
    orchestrator gauge 180000/200000
      + Gauged s2 90% (180000 of 200000, usage)
    orchestrator progress: On and on.
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> nobody: On and on.
      + Logged s2 (quiet): On and on.
      + Queued s2 notice: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      + Prompted s2 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      > FetchBack
      > Deliver s2.1 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
    ");
}

#[test]
fn the_arbiter_leaves_a_testament_and_an_heir_takes_over() {
    assert_snapshot!(play("
        ~ at work
        ~ human: how goes it?
        arbiter gauge 145000/200000
        arbiter address_human: Well.
        human: and the lamp?
        arbiter musings: The vision is a bridge. The human wants a lamp.
        read arbiter
        arbiter address_orchestrator: Add a lamp.
    "), @"
    arbiter gauge 145000/200000
      + Gauged s1 72% (145000 of 200000, usage)
    arbiter address_human: Well.
      + Rested s1 t6 at c1
      + Said m7 Arbiter -> human: Well.
      + TestamentAsked s1
      + Prompted s1 t7: «Notice» / Your context is 72% full. A fresh Arbiter session will take your place; it remembers noth...
      > Deliver s1.1 t7: «Notice» / Your context is 72% full. A fresh Arbiter session will take your place; it remembers noth...
    human: and the lamp?
      + Received l3
      + Said m8 You -> Arbiter: and the lamp?
      + Queued s1 words m8
      > RemoveFromInbox l3
    arbiter musings: The vision is a bridge. The human wants a lamp.
      + Rested s1 t7 at c1
      + Released s1
      + Said m9 House -> nobody (notice): The Arbiter's context was full: a fresh Arbiter session takes over. The mission goes on.
      + Summoned s3 Arbiter, rehearsal
      + Queued s3 notice: «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
      + Queued s3 words m8
      + Prompted s3 t8 (words m8): «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
      > End s1.1
      > Spawn s3.1 Arbiter, rehearsal
      > Deliver s3.1 t8: «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
    read arbiter
      | «Notice»
      | You take over a mission in its middle. The Arbiter before you left this testament:
      | <testament>
      | The vision is a bridge. The human wants a lamp.
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
      | and the lamp?
    arbiter address_orchestrator: Add a lamp.
      + Rested s3 t8 at c1
      + Said m10 Arbiter -> Orchestrator I: Add a lamp.
      + Queued s2 address: Add a lamp.
      + Interjected s2 t9: Add a lamp.
      > Steer s2.1 t9: Add a lamp.
    ");
}

#[test]
fn the_forecast_tells_how_many_turns_fit() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator gauge 40000/200000
        ~ orchestrator progress: One.
        ~ orchestrator gauge 80000/200000
        ~ orchestrator progress: Two.
        show forecast
    "), @"
    show forecast
      s2.1 3 turns
    ");
}

#[test]
fn a_testament_that_was_interrupted_is_asked_for_again_after_the_next_turn() {
    assert_snapshot!(play("
        ~ at work
        ~ human: hurry
        ~ arbiter gauge 150000/200000
        ~ arbiter musings: I shall.
        ~ human interrupt
        ~ arbiter interrupted
        ~ human: And now?
        arbiter address_human: It goes on.
        show waits
    "), @"
    arbiter address_human: It goes on.
      + Rested s1 t8 at c1
      + Said m10 Arbiter -> human: It goes on.
      + TestamentAsked s1
      + Prompted s1 t9: «Notice» / Your context is 75% full. A fresh Arbiter session will take your place; it remembers noth...
      > Deliver s1.1 t9: «Notice» / Your context is 75% full. A fresh Arbiter session will take your place; it remembers noth...
    show waits
      the alarm rings in 599 s
    ");
}

#[test]
fn a_testament_that_is_refused_leaves_an_heir_without_one() {
    assert_snapshot!(play("
        ~ at work
        ~ human: hurry
        ~ arbiter gauge 150000/200000
        ~ arbiter musings: I shall.
        arbiter refused: Prompt is too long
    "), @"
    arbiter refused: Prompt is too long
      + Rested s1 t7 at c1 (interrupted)
      + Released s1
      + Said m8 House -> nobody (notice): The Arbiter's session was lost: a fresh one takes over. The mission goes on.
      + Summoned s3 Arbiter, rehearsal
      + Queued s3 notice: «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
      + Queued s3 notice: «Notice» / You mused, but someone waits: the human. Answer them now with the intent that reaches the...
      + Prompted s3 t8: «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
      > End s1.1
      > Spawn s3.1 Arbiter, rehearsal
      > Deliver s3.1 t8: «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
    ");
}

/// The turn ended by itself just when the overflow stopped it: no human interrupted it.
#[test]
fn a_worker_that_ends_its_turn_as_it_runs_over_is_asked_for_its_handoff() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator gauge 185000/200000
        orchestrator progress: Half is done.
    "), @"
    orchestrator progress: Half is done.
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> nobody: Half is done.
      + Logged s2 (quiet): Half is done.
      + HandoffAsked s2
      + Queued s2 notice: «Notice» / Your context is 92% full and you must stop: there is hardly room left. Start nothing more...
      + Prompted s2 t6: «Notice» / Your context is 92% full and you must stop: there is hardly room left. Start nothing more...
      > FetchBack
      > Deliver s2.1 t6: «Notice» / Your context is 92% full and you must stop: there is hardly room left. Start nothing more...
    ");
}

/// No testament is asked for by a guess; when the provider itself refuses, a fresh session takes over what was asked.
#[test]
fn an_arbiter_that_is_refused_with_a_full_context_has_an_heir() {
    assert_snapshot!(play("
        ~ at work
        ~ arbiter address_orchestrator: Go on.
        ~ human: How far is it?
        ~ arbiter gauge 199000/~200000
        arbiter refused: prompt is too long
    "), @"
    arbiter refused: prompt is too long
      + Rested s1 t6 at c1 (interrupted)
      + Released s1
      + Said m7 House -> nobody (notice): The Arbiter's session was lost: a fresh one takes over. The mission goes on.
      + Summoned s3 Arbiter, rehearsal
      + Queued s3 notice: «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
      + Queued s3 again: «Orchestrator I - Human Interjection» / How far is it?
      + Prompted s3 t7 (words m6): «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
      > End s1.1
      > Spawn s3.1 Arbiter, rehearsal
      > Deliver s3.1 t7: «Notice» / You take over a mission in its middle. The Arbiter before you left this testament: / <tes...
    ");
}
