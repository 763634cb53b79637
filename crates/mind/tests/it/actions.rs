//! What the human can do besides speaking: pause, interrupt, release, cancel; and each action counts once.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn in_a_pause_no_turn_begins() {
    assert_snapshot!(play("
        ~ at work
        human pause
        orchestrator question: Left or right?
        human: left
        show owner
        human resume
    "), @"
    human pause
      + Received l2
      + Paused by human:terminal:ada
      > RemoveFromInbox l2
    orchestrator question: Left or right?
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> Arbiter: Left or right?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Left or right?
      > FetchBack
    human: left
      + Received l3
      + Said m7 You -> Arbiter: left
      + Queued s1 words m7
      > RemoveFromInbox l3
    show owner
      Human
    human resume
      + Received l4
      + Resumed by human:terminal:ada
      + Prompted s1 t6 (words m7): «Orchestrator I - Awaiting Input» / Left or right? / «Orchestrator I - Human Interjection» / left
      > RemoveFromInbox l4
      > Deliver s1.1 t6: «Orchestrator I - Awaiting Input» / Left or right? / «Orchestrator I - Human Interjection» / left
    ");
}

#[test]
fn in_a_pause_a_session_may_go_on_with_a_steered_text_by_itself() {
    assert_snapshot!(play("
        ~ at work
        ~ human @orchestrator: paint it red
        ~ human pause
        orchestrator progress: The deck lies
        orchestrator heard t6
        human resume
        orchestrator question: Which red?
    "), @"
    orchestrator progress: The deck lies
      + Rested s2 t5 at c1
      + Said m7 Orchestrator I -> nobody: The deck lies
      + Logged s2 (quiet): The deck lies
      > FetchBack
    orchestrator heard t6
      + InterjectionBecameTurn s2 t6
      + Heard s2 t6
    human resume
      + Received l4
      + Resumed by human:terminal:ada
      > RemoveFromInbox l4
    orchestrator question: Which red?
      + Rested s2 t6 at c1
      + Said m8 Orchestrator I -> Arbiter: Which red?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Which red?
      + Prompted s1 t7 (log of s2): «Orchestrator I - Work Log (no response needed)» / • (the human said to me directly: paint it red) /...
      > FetchBack
      > Deliver s1.1 t7: «Orchestrator I - Work Log (no response needed)» / • (the human said to me directly: paint it red) /...
    ");
}

#[test]
fn in_a_pause_a_steered_text_may_even_be_done() {
    assert_snapshot!(play("
        ~ at work
        ~ human @orchestrator: paint it red
        ~ human pause
        ~ orchestrator progress: The deck lies
        stale s2.1 rested t6
        human resume
    "), @"
    stale s2.1 rested t6
      + InterjectionBecameTurn s2 t6
      + Rested s2 t6 at c1 (interrupted)
      + Said m8 House -> nobody (notice): Orchestrator I was interrupted.
      + AwaitsReply s2
      + Queued s1 report of I, Human Interjection: The human interrupted its running turn. It rests and waits for your word.
    human resume
      + Received l4
      + Resumed by human:terminal:ada
      + Prompted s1 t7 (log of s2): «Orchestrator I - Work Log (no response needed)» / • (the human said to me directly: paint it red) /...
      > RemoveFromInbox l4
      > Deliver s1.1 t7: «Orchestrator I - Work Log (no response needed)» / • (the human said to me directly: paint it red) /...
    ");
}

#[test]
fn a_pause_in_a_pause_is_remarked() {
    assert_snapshot!(play("
        ~ at work
        ~ human pause
        human pause
        ~ human resume
        human resume
    "), @"
    human pause
      + Received l3
      + Said m6 House -> nobody (notice): The mission is paused already.
      > RemoveFromInbox l3
    human resume
      + Received l5
      + Said m7 House -> nobody (notice): The mission is not paused.
      > RemoveFromInbox l5
    ");
}

#[test]
fn an_interrupt_stops_the_running_turn_and_the_arbiter_hears_of_it() {
    assert_snapshot!(play("
        ~ at work
        human interrupt
        human interrupt
        orchestrator interrupted
        read arbiter
    "), @"
    human interrupt
      + Received l2
      + Interrupting s2 by human:terminal:ada
      > RemoveFromInbox l2
      > Interrupt s2.1 t5
    human interrupt
      + Received l3
      + Said m6 House -> nobody (notice): The running turn is being interrupted already.
      > RemoveFromInbox l3
    orchestrator interrupted
      + Rested s2 t5 at c1 (interrupted)
      + Said m7 House -> nobody (notice): Orchestrator I was interrupted.
      + AwaitsReply s2
      + Queued s1 report of I, Human Interjection: The human interrupted its running turn. It rests and waits for your word.
      + Prompted s1 t6: «Orchestrator I - Human Interjection» / The human interrupted its running turn. It rests and waits f...
      > Deliver s1.1 t6: «Orchestrator I - Human Interjection» / The human interrupted its running turn. It rests and waits f...
    read arbiter
      | «Orchestrator I - Human Interjection»
      | The human interrupted its running turn. It rests and waits for your word.
    ");
}

#[test]
fn an_interrupt_reaches_the_arbiter_when_no_orchestrator_works() {
    assert_snapshot!(play("
        ~ opened
        human interrupt
        arbiter interrupted
        show question
    "), @"
    human interrupt
      + Received l1
      + Interrupting s1 by human:terminal:ada
      > RemoveFromInbox l1
      > Interrupt s1.1 t1
    arbiter interrupted
      + Rested s1 t1 at c1 (interrupted)
      + Said m1 House -> human: The Arbiter was interrupted. It waits for your word.
    show question
      m1: The Arbiter was interrupted. It waits for your word.
    ");
}

#[test]
fn an_interrupted_arbiter_goes_on_with_what_waits_for_it() {
    assert_snapshot!(play("
        ~ opened
        ~ human: it must be red
        ~ human interrupt
        arbiter interrupted
    "), @"
    arbiter interrupted
      + Rested s1 t1 at c1 (interrupted)
      + Said m2 House -> nobody (notice): The Arbiter was interrupted.
      + Prompted s1 t2 (words m1): «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
      > Deliver s1.1 t2: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
    ");
}

#[test]
fn an_interrupt_that_comes_too_late_does_no_harm() {
    assert_snapshot!(play("
        ~ at work
        ~ human interrupt
        orchestrator question: Left or right?
    "), @"
    orchestrator question: Left or right?
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> Arbiter: Left or right?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Left or right?
      + Prompted s1 t6: «Orchestrator I - Awaiting Input» / Left or right?
      > FetchBack
      > Deliver s1.1 t6: «Orchestrator I - Awaiting Input» / Left or right?
    ");
}

#[test]
fn an_interrupt_with_nothing_running_is_remarked() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter address_human: Which bank?
        human interrupt
    "), @"
    human interrupt
      + Received l1
      + Said m2 House -> nobody (notice): Nothing is running.
      > RemoveFromInbox l1
    ");
}

#[test]
fn a_release_by_the_human_ends_the_orchestrator_and_the_arbiter_hears_of_it() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator progress: The piers stand
        human release
        read arbiter
        human release
    "), @"
    human release
      + Received l2
      + Released s2
      + Said m7 House -> nobody (notice): The human released Orchestrator I. No Orchestrator is active now.
      + Queued s1 report of I, Human Interjection: The human released Orchestrator I. No Orchestrator is active now.
      + Prompted s1 t7 (log of s2): «Orchestrator I - Work Log (no response needed)» / • The piers stand / «Orchestrator I - Human Inter...
      > RemoveFromInbox l2
      > End s2.1
      > Deliver s1.1 t7: «Orchestrator I - Work Log (no response needed)» / • The piers stand / «Orchestrator I - Human Inter...
    read arbiter
      | «Orchestrator I - Work Log (no response needed)»
      | • The piers stand
      |
      | «Orchestrator I - Human Interjection»
      | The human released Orchestrator I. No Orchestrator is active now.
    human release
      + Received l3
      + Said m8 House -> nobody (notice): No Orchestrator is active.
      > RemoveFromInbox l3
    ");
}

#[test]
fn cancel_ends_the_mission_and_every_session() {
    assert_snapshot!(play("
        ~ at work
        ~ human: hm
        human cancel
        show owner
        orchestrator question: Left or right?
        human: wait
    "), @r#"
    human cancel
      + Received l3
      + Cancelled by human:terminal:ada
      > RemoveFromInbox l3
      > End s1.1
      > End s2.1
      > FetchBack
      > Leave cancelled
    show owner
      Over
    orchestrator question: Left or right?
      > Note the mission is over; s2.1: Rested { turn: TurnId(5), end: Spoke { output: Some(Object {"expects_resp...
    human: wait
      > Note no mission is running; message l4 by human:terminal:ada: Say("wait")
    "#);
}

#[test]
fn a_letter_counts_once() {
    assert_snapshot!(play("
        ~ opened
        human: it must be red
        again
    "), @"
    human: it must be red
      + Received l1
      + Said m1 You -> Arbiter: it must be red
      + Queued s1 words m1
      > RemoveFromInbox l1
    again
      > RemoveFromInbox l1
      > Note message l1 was received before
    ");
}

#[test]
fn a_policy_in_the_humans_place_is_labelled_as_such() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter address_human: Which bank?
        policy night: the left one
        show talk
    "), @"
    policy night: the left one
      + Received l1
      + Said m2 You (policy:night) -> Arbiter: the left one
      + Queued s1 words m2
      + Prompted s1 t2 (words m2): the left one
      > RemoveFromInbox l1
      > Deliver s1.1 t2: the left one
    show talk
      Arbiter -> human: Which bank?
      You (policy:night) -> Arbiter: the left one
    ");
}

#[test]
fn an_interrupt_that_meets_the_turns_own_end_still_stops_the_orchestrator() {
    assert_snapshot!(play("
        ~ at work
        ~ human interrupt
        orchestrator progress: One part is done.
    "), @"
    orchestrator progress: One part is done.
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> nobody: One part is done.
      + Logged s2 (quiet): One part is done.
      + Said m7 House -> nobody (notice): Orchestrator I was interrupted.
      + AwaitsReply s2
      + Queued s1 report of I, Human Interjection: The human interrupted its running turn. It rests and waits for your word.
      + Prompted s1 t6 (log of s2): «Orchestrator I - Work Log (no response needed)» / • One part is done. / «Orchestrator I - Human Int...
      > FetchBack
      > Deliver s1.1 t6: «Orchestrator I - Work Log (no response needed)» / • One part is done. / «Orchestrator I - Human Int...
    ");
}
