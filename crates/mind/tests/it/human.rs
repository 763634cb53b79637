//! The human's words: at any time, never lost, never a second turn in flight; queued, delivered, heard.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn with_no_orchestrator_active_words_are_a_message_to_the_arbiter() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter address_human: Which bank?
        human: the left one
        read arbiter
    "), @"
    human: the left one
      + Received l1
      + Said m2 You -> Arbiter: the left one
      + Queued s1 words m2
      + Prompted s1 t2 (words m2): the left one
      > RemoveFromInbox l1
      > Deliver s1.1 t2: the left one
    read arbiter
      | the left one
    ");
}

#[test]
fn with_one_active_words_are_an_interjection_with_the_work_log_so_far() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator progress: The piers stand
        human: make it wider
        read arbiter
    "), @"
    human: make it wider
      + Received l2
      + Said m7 You -> Arbiter: make it wider
      + Queued s1 words m7
      + Prompted s1 t7 (words m7) (log of s2): «Orchestrator I - Work Log (no response needed)» / • The piers stand / «Orchestrator I - Human Inter...
      > RemoveFromInbox l2
      > Deliver s1.1 t7: «Orchestrator I - Work Log (no response needed)» / • The piers stand / «Orchestrator I - Human Inter...
    read arbiter
      | «Orchestrator I - Work Log (no response needed)»
      | • The piers stand
      |
      | «Orchestrator I - Human Interjection»
      | make it wider
    ");
}

#[test]
fn words_to_a_busy_arbiter_are_queued_then_delivered_then_heard() {
    assert_snapshot!(play("
        ~ opened
        human: I forgot: it must be red
        show words
        arbiter address_human: Which bank?
        show words
        arbiter heard
        show words
    "), @"
    human: I forgot: it must be red
      + Received l1
      + Said m1 You -> Arbiter: I forgot: it must be red
      + Queued s1 words m1
      > RemoveFromInbox l1
    show words
      m1 queued: I forgot: it must be red
    arbiter address_human: Which bank?
      + Rested s1 t1 at c1
      + Said m2 Arbiter -> human: Which bank?
      + Prompted s1 t2 (words m1): I forgot: it must be red
      > Deliver s1.1 t2: I forgot: it must be red
    show words
      m1 delivered: I forgot: it must be red
    arbiter heard
      + Heard s1 t2
    show words
      m1 heard: I forgot: it must be red
    ");
}

#[test]
fn words_that_come_together_are_one_turn() {
    assert_snapshot!(play("
        ~ opened
        ~ human: it must be red
        ~ human: and cheap
        arbiter address_human: Which bank?
    "), @"
    arbiter address_human: Which bank?
      + Rested s1 t1 at c1
      + Said m3 Arbiter -> human: Which bank?
      + Prompted s1 t2 (words m1, m2): it must be red / and cheap
      > Deliver s1.1 t2: it must be red / and cheap
    ");
}

#[test]
fn words_before_the_clone_stands_wait_for_the_arbiter() {
    assert_snapshot!(play("
        ~ open
        human: hurry
        settled
        read arbiter
    "), @"
    human: hurry
      + Received l1
      + Said m1 You -> Arbiter: hurry
      > RemoveFromInbox l1
    settled
      + CloneReady /clone at c1 on arbiter/m1
      + Summoned s1 Arbiter, rehearsal
      + Queued s1 notice: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
      + Queued s1 words m1
      + Prompted s1 t1 (words m1): «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
      > Spawn s1.1 Arbiter, rehearsal
      > Deliver s1.1 t1: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
    read arbiter
      | «Notice»
      | Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the human's requirements, verbatim:
      | <scroll>
      | Build the bridge.
      | </scroll>
      | Study it and the code base, find the gaps, and then speak to the human. Nothing begins without alignment.
      |
      | «Human Interjection»
      | hurry
    ");
}

#[test]
fn words_after_a_release_do_not_blend_into_the_log() {
    assert_snapshot!(play("
        ~ at work
        ~ human: stop this
        ~ orchestrator progress: The piers stand
        ~ arbiter release_orchestrators: It is called off.
        ~ human: well then
        read arbiter
    "), @"
    read arbiter
      | «Orchestrator I - Work Log (no response needed)»
      | • The piers stand
      |
      | «Human Interjection»
      | well then
    ");
}

#[test]
fn an_answer_to_somebody_else_is_no_answer_to_words_not_heard_yet() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator question: Left or right?
        ~ human: what about the lamp?
        ~ arbiter address_orchestrator: Left.
        arbiter musings: The lamp is a detail.
    "), @"
    arbiter musings: The lamp is a detail.
      + Rested s1 t7 at c1
      + Said m9 Arbiter -> nobody (musing): The lamp is a detail.
      + AskedOnceMore for the human
      + Queued s1 notice: «Notice» / You mused, but someone waits: the human. Answer them now with the intent that reaches the...
      + Prompted s1 t9: «Notice» / You mused, but someone waits: the human. Answer them now with the intent that reaches the...
      > Deliver s1.1 t9: «Notice» / You mused, but someone waits: the human. Answer them now with the intent that reaches the...
    ");
}

#[test]
fn words_beside_a_notice_keep_their_own_heading() {
    assert_snapshot!(play("
        ~ opened
        ~ human: remember the lamp
        ~ arbiter summon_orchestrator: I call one.
        read arbiter
    "), @"
    read arbiter
      | «Human Interjection»
      | remember the lamp
      |
      | «Notice»
      | Turned back: summon_orchestrator. It had no effect.
      | Reason: the human has not said yes: state back scope, approach, definition of done and risks with `asks: alignment`, and wait
      | Remove the reason before you try it again.
    ");
}

#[test]
fn the_arbiters_relay_is_steered_into_the_running_turn() {
    assert_snapshot!(play("
        ~ at work
        ~ human: make it wider
        arbiter address_orchestrator: Make it wider.
        orchestrator heard t7
    "), @"
    arbiter address_orchestrator: Make it wider.
      + Rested s1 t6 at c1
      + Said m7 Arbiter -> Orchestrator I: Make it wider.
      + Queued s2 address: Make it wider.
      + Interjected s2 t7: Make it wider.
      > Steer s2.1 t7: Make it wider.
    orchestrator heard t7
      + Heard s2 t7
    ");
}

#[test]
fn the_humans_own_words_to_the_orchestrator_are_steered_and_the_arbiter_learns_of_them() {
    assert_snapshot!(play("
        ~ at work
        human @orchestrator: paint it red
        show words
        orchestrator heard t6
        show words
        orchestrator question: Which red?
        read arbiter
    "), @"
    human @orchestrator: paint it red
      + Received l2
      + Said m6 You -> Orchestrator I: paint it red
      + Logged s2: (the human said to me directly: paint it red)
      + Queued s2 words m6
      + Interjected s2 t6 (words m6): «Human Interjection» / paint it red
      > RemoveFromInbox l2
      > Steer s2.1 t6: «Human Interjection» / paint it red
    show words
      m2 heard: yes
      m6 delivered: paint it red
    orchestrator heard t6
      + Heard s2 t6
    show words
      m2 heard: yes
      m6 heard: paint it red
    orchestrator question: Which red?
      + Rested s2 t5 at c1
      + Said m7 Orchestrator I -> Arbiter: Which red?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Which red?
      + Prompted s1 t7 (log of s2): «Orchestrator I - Work Log (no response needed)» / • (the human said to me directly: paint it red) /...
      > FetchBack
      > Deliver s1.1 t7: «Orchestrator I - Work Log (no response needed)» / • (the human said to me directly: paint it red) /...
    read arbiter
      | «Orchestrator I - Work Log (no response needed)»
      | • (the human said to me directly: paint it red)
      |
      | «Orchestrator I - Awaiting Input»
      | Which red?
    ");
}

#[test]
fn a_steered_text_that_missed_its_turn_is_the_next_turn() {
    assert_snapshot!(play("
        ~ at work
        ~ human @orchestrator: paint it red
        orchestrator progress: The deck lies
        show words
    "), @"
    orchestrator progress: The deck lies
      + Rested s2 t5 at c1
      + Said m7 Orchestrator I -> nobody: The deck lies
      + Logged s2 (quiet): The deck lies
      + InterjectionBecameTurn s2 t6
      > FetchBack
      > Deliver s2.1 t6: «Human Interjection» / paint it red
    show words
      m2 heard: yes
      m6 delivered: paint it red
    ");
}

#[test]
fn what_waits_beside_a_steered_text_goes_with_it() {
    assert_snapshot!(play("
        ~ at work
        ~ human @orchestrator: paint it red
        orchestrator silent
        stale s2.9 heard t1
    "), @"
    orchestrator silent
      + Rested s2 t5 at c1
      + Malformed s2: there was no typed output
      + Queued s2 notice: «Notice» / Your last output failed validation and reached nobody: there was no typed output / Answer...
      + InterjectionBecameTurn s2 t6
      + Interjected s2 t7: «Notice» / Your last output failed validation and reached nobody: there was no typed output / Answer...
      > FetchBack
      > Deliver s2.1 t6: «Human Interjection» / paint it red
      > Steer s2.1 t7: «Notice» / Your last output failed validation and reached nobody: there was no typed output / Answer...
    stale s2.9 heard t1
      > Note s2.9 is no more: Heard(TurnId(1))
    ");
}

#[test]
fn where_the_provider_cannot_steer_words_are_queued_with_an_offer_to_interrupt() {
    assert_snapshot!(play("
        ~ open no-steer
        ~ at work
        human @orchestrator: paint it red
        human interrupt
        orchestrator interrupted
        read orchestrator
    "), @"
    human @orchestrator: paint it red
      + Received l2
      + Said m6 You -> Orchestrator I: paint it red
      + Logged s2: (the human said to me directly: paint it red)
      + Queued s2 words m6
      + Said m7 House -> nobody (notice): Orchestrator I is at work and takes no messages in mid-turn: this one waits for its next rest. Inter...
      > RemoveFromInbox l2
    human interrupt
      + Received l3
      + Interrupting s2 by human:terminal:ada
      > RemoveFromInbox l3
      > Interrupt s2.1 t5
    orchestrator interrupted
      + Rested s2 t5 at c1 (interrupted)
      + Said m8 House -> nobody (notice): Orchestrator I was interrupted.
      + Prompted s2 t6 (words m6): The brief. / «Human Interjection» / paint it red
      > Deliver s2.1 t6: The brief. / «Human Interjection» / paint it red
    read orchestrator
      | The brief.
      |
      | «Human Interjection»
      | paint it red
    ");
}

#[test]
fn a_relay_that_cannot_be_steered_waits_for_the_next_rest() {
    assert_snapshot!(play("
        ~ open no-steer
        ~ at work
        ~ human: make it wider
        arbiter address_orchestrator: Make it wider.
        orchestrator progress: The deck lies
    "), @"
    arbiter address_orchestrator: Make it wider.
      + Rested s1 t6 at c1
      + Said m7 Arbiter -> Orchestrator I: Make it wider.
      + Queued s2 address: Make it wider.
      + Said m8 House -> nobody (notice): Orchestrator I is at work and takes no messages in mid-turn: this one waits for its next rest. Inter...
    orchestrator progress: The deck lies
      + Rested s2 t5 at c1
      + Said m9 Orchestrator I -> nobody: The deck lies
      + Logged s2 (quiet): The deck lies
      + Prompted s2 t7: Make it wider.
      > FetchBack
      > Deliver s2.1 t7: Make it wider.
    ");
}

#[test]
fn words_to_an_orchestrator_that_is_not_there_go_to_the_arbiter() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter address_human: Which bank?
        human @orchestrator: the left one
    "), @"
    human @orchestrator: the left one
      + Received l1
      + Said m2 House -> nobody (notice): No Orchestrator is active; the Arbiter hears it instead.
      + Said m3 You -> Arbiter: the left one
      + Queued s1 words m3
      + Prompted s1 t2 (words m3): the left one
      > RemoveFromInbox l1
      > Deliver s1.1 t2: the left one
    ");
}

#[test]
fn words_to_a_resting_orchestrator_are_its_next_turn() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator question: Left or right?
        human @orchestrator: left
        read orchestrator
    "), @"
    human @orchestrator: left
      + Received l2
      + Said m7 You -> Orchestrator I: left
      + Logged s2: (the human said to me directly: left)
      + Queued s2 words m7
      + Prompted s2 t7 (words m7): «Human Interjection» / left
      > RemoveFromInbox l2
      > Deliver s2.1 t7: «Human Interjection» / left
    read orchestrator
      | «Human Interjection»
      | left
    ");
}

#[test]
fn completion_is_refused_while_human_words_are_unheard() {
    assert_snapshot!(play("
        ~ judged
        ~ human: one more thing
        arbiter release_orchestrators claim complete: It is done.
    "), @"
    arbiter release_orchestrators claim complete: It is done.
      + Rested s1 t10 at c2
      + Released s3
      + Said m12 Arbiter -> nobody (musing): It is done.
      + TurnedBack the claim of completion: the human has said something that no session has heard yet
      + Queued s1 notice: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: the ...
      + Prompted s1 t11 (words m11): «Human Interjection» / one more thing / «Notice» / Turned back: release_orchestrators with claim: co...
      > End s3.1
      > Deliver s1.1 t11: «Human Interjection» / one more thing / «Notice» / Turned back: release_orchestrators with claim: co...
    ");
}

#[test]
fn words_steered_into_a_released_orchestrator_go_to_the_arbiter() {
    assert_snapshot!(play("
        ~ at work
        ~ human @orchestrator: paint it red
        ~ human: or stop altogether
        arbiter release_orchestrators: It is called off.
        show words
    "), @"
    arbiter release_orchestrators: It is called off.
      + Rested s1 t7 at c1
      + Released s2
      + Queued s1 words m6
      + Said m8 Arbiter -> human: It is called off.
      + Prompted s1 t8 (words m6): paint it red
      > End s2.1
      > Deliver s1.1 t8: paint it red
    show words
      m2 heard: yes
      m6 delivered: paint it red
      m7 heard: or stop altogether
    ");
}

#[test]
fn words_of_an_interrupted_turn_that_nobody_heard_are_told_with_what_comes_next() {
    assert_snapshot!(play("
        ~ aligned
        ~ arbiter address_human: Which bank?
        ~ human: never touch the vault
        ~ human interrupt
        arbiter interrupted
        human: go on
        show words
    "), @"
    arbiter interrupted
      + Rested s1 t3 at c1 (interrupted)
      + Said m5 House -> human: The Arbiter was interrupted. It waits for your word.
    human: go on
      + Received l4
      + Said m6 You -> Arbiter: go on
      + Queued s1 words m6
      + Prompted s1 t4 (words m4, m6): never touch the vault / «Human Interjection» / go on
      > RemoveFromInbox l4
      > Deliver s1.1 t4: never touch the vault / «Human Interjection» / go on
    show words
      m2 heard: yes
      m4 delivered: never touch the vault
      m6 delivered: go on
    ");
}

/// More words than one prompt may hold become several prompts.
#[test]
fn what_does_not_fit_into_one_prompt_waits_for_the_next() {
    let mut stage = mind::play::Stage::new();
    for line in ["open", "settled"] {
        stage.perform(line);
    }
    let words = "word ".repeat(mind::limits::WORDS_BYTES_MAX / 5);
    for _ in 0..5 {
        stage.perform(&format!("human: {words}"));
    }
    for _ in 0..4 {
        stage.perform("arbiter address_human: I hear.");
        let arbiter = stage.state.arbiter().expect("the Arbiter");
        let text = arbiter.turns.current.as_ref().map_or(0, |turn| turn.text.len());
        assert!(text <= mind::limits::PROMPT_BYTES_MAX + 1024, "a prompt of {text} bytes");
    }
    assert!(stage.state.unheard.is_empty(), "all of it is heard in the end");
}
