//! Who talks to whom, the Arbiter's side: every intent goes somewhere, and what cannot is turned back.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn a_message_to_the_human_is_shown_and_waits_for_an_answer() {
    assert_snapshot!(play("
        ~ opened
        arbiter address_human: Which bank of the river?
        show owner
        show question
    "), @"
    arbiter address_human: Which bank of the river?
      + Rested s1 t1 at c1
      + Said m1 Arbiter -> human: Which bank of the river?
    show owner
      Human
    show question
      m1: Which bank of the river?
    ");
}

#[test]
fn a_request_for_alignment_is_marked() {
    assert_snapshot!(play("
        ~ opened
        arbiter address_human asks alignment: Scope: a bridge. Shall it begin?
    "), @"
    arbiter address_human asks alignment: Scope: a bridge. Shall it begin?
      + Rested s1 t1 at c1
      + Said m1 Arbiter -> human (asks alignment): Scope: a bridge. Shall it begin?
    ");
}

#[test]
fn questions_with_options_go_to_the_human_as_decisions() {
    assert_snapshot!(play(r#"
        ~ opened
        arbiter raw {"intent": "address_human", "message": "Two matters.", "decisions": [{"id": "bank", "title": "Which bank?", "options": [{"key": "l", "label": "Left"}, {"key": "r", "label": "Right"}]}, {"id": "name", "title": "Its name?", "allow_custom": true}]}
    "#), @r#"
    arbiter raw {"intent": "address_human", "message": "Two matters.", "decisions": [{"id": "bank", "title": "Which bank?", "options": [{"key": "l", "label": "Left"}, {"key": "r", "label": "Right"}]}, {"id": "name", "title": "Its name?", "allow_custom": true}]}
      + Rested s1 t1 at c1
      + Said m1 Arbiter -> human (decisions bank, name): Two matters.
    "#);
}

#[test]
fn a_message_to_the_orchestrator_is_its_next_prompt() {
    assert_snapshot!(play("
        ~ summoned
        arbiter address_orchestrator: Build the bridge, all of it.
        read orchestrator
    "), @"
    arbiter address_orchestrator: Build the bridge, all of it.
      + Rested s1 t4 at c1
      + Said m5 Arbiter -> Orchestrator I: Build the bridge, all of it.
      + Queued s2 address: Build the bridge, all of it.
      + Prompted s2 t5: Build the bridge, all of it.
      > Deliver s2.1 t5: Build the bridge, all of it.
    read orchestrator
      | Build the bridge, all of it.
    ");
}

#[test]
fn a_message_to_no_orchestrator_is_told_to_the_arbiter_at_once() {
    assert_snapshot!(play("
        ~ aligned
        arbiter address_orchestrator: Begin.
        read arbiter
    "), @"
    arbiter address_orchestrator: Begin.
      + Rested s1 t2 at c1
      + Said m3 Arbiter -> nobody (musing): Begin.
      + TurnedBack speaking to the Orchestrator: no Orchestrator is active
      + Queued s1 notice: «Notice» / No Orchestrator is active; your message reached nobody. / Summon one with `summon_orchest...
      + Prompted s1 t3: «Notice» / No Orchestrator is active; your message reached nobody. / Summon one with `summon_orchest...
      > Deliver s1.1 t3: «Notice» / No Orchestrator is active; your message reached nobody. / Summon one with `summon_orchest...
    read arbiter
      | «Notice»
      | No Orchestrator is active; your message reached nobody.
      | Summon one with `summon_orchestrator`, or speak to the human with `address_human`.
    ");
}

#[test]
fn a_summon_is_shown_and_the_newcomer_is_told_its_number() {
    assert_snapshot!(play("
        ~ aligned
        arbiter summon_orchestrator: I call one.
        read orchestrator
    "), @"
    arbiter summon_orchestrator: I call one.
      + Rested s1 t2 at c1
      + Said m3 Arbiter -> nobody: I call one.
      + Summoned s2 Orchestrator I, rehearsal
      + Queued s2 notice: «Notice» / You are Orchestrator I. Orchestrators before you in this mission: 0. / Introduce yourself...
      + Prompted s2 t3: «Notice» / You are Orchestrator I. Orchestrators before you in this mission: 0. / Introduce yourself...
      > Spawn s2.1 Orchestrator I, rehearsal
      > Deliver s2.1 t3: «Notice» / You are Orchestrator I. Orchestrators before you in this mission: 0. / Introduce yourself...
    read orchestrator
      | «Notice»
      | You are Orchestrator I. Orchestrators before you in this mission: 0.
      | Introduce yourself to the Arbiter with your number, in a sentence or two, and await the brief. Do no work before it.
    ");
}

#[test]
fn the_introduction_goes_to_the_arbiter_who_briefs_after_that() {
    assert_snapshot!(play("
        ~ aligned
        ~ arbiter summon_orchestrator: I call one.
        orchestrator introduction: I am Orchestrator I.
        arbiter address_orchestrator: The brief.
    "), @"
    orchestrator introduction: I am Orchestrator I.
      + Rested s2 t3 at c1
      + Said m4 Orchestrator I -> Arbiter: I am Orchestrator I.
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: I am Orchestrator I.
      + Prompted s1 t4: «Orchestrator I - Awaiting Input» / I am Orchestrator I.
      > FetchBack
      > Deliver s1.1 t4: «Orchestrator I - Awaiting Input» / I am Orchestrator I.
    arbiter address_orchestrator: The brief.
      + Rested s1 t4 at c1
      + Said m5 Arbiter -> Orchestrator I: The brief.
      + Queued s2 address: The brief.
      + Prompted s2 t5: The brief.
      > Deliver s2.1 t5: The brief.
    ");
}

#[test]
fn a_second_summon_releases_and_replaces_the_active_orchestrator() {
    assert_snapshot!(play("
        ~ at work
        ~ human: begin anew
        arbiter summon_orchestrator: Another shall do it.
        stale s2.1 progress: I was not finished
    "), @r#"
    arbiter summon_orchestrator: Another shall do it.
      + Rested s1 t6 at c1
      + Said m7 Arbiter -> nobody: Another shall do it.
      + Released s2
      + Summoned s3 Orchestrator II, rehearsal
      + Queued s3 notice: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
      + Prompted s3 t7: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
      > End s2.1
      > Spawn s3.1 Orchestrator II, rehearsal
      > Deliver s3.1 t7: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
    stale s2.1 progress: I was not finished
      > Note s2.1 is no more: Rested { turn: TurnId(7), end: Spoke { output: Some(Object {"expects_response": Boo...
    "#);
}

#[test]
fn a_summon_may_name_agent_provider_and_model() {
    assert_snapshot!(play("
        ~ aligned
        arbiter summon_orchestrator agent verifier provider deaf model small: Let one look.
    "), @"
    arbiter summon_orchestrator agent verifier provider deaf model small: Let one look.
      + Rested s1 t2 at c1
      + Said m3 Arbiter -> nobody: Let one look.
      + Summoned s2 Orchestrator I, verifier, deaf small
      + Queued s2 notice: «Notice» / You are Orchestrator I, the verifier. Orchestrators before you in this mission: 0. / The ...
      + Prompted s2 t3: «Notice» / You are Orchestrator I, the verifier. Orchestrators before you in this mission: 0. / The ...
      > Spawn s2.1 Orchestrator I, verifier, deaf small
      > Deliver s2.1 t3: «Notice» / You are Orchestrator I, the verifier. Orchestrators before you in this mission: 0. / The ...
    ");
}

#[test]
fn a_summon_of_an_unknown_agent_or_provider_is_turned_back() {
    assert_snapshot!(play("
        ~ aligned
        arbiter summon_orchestrator agent wizard: I call a wizard.
        arbiter summon_orchestrator provider nimbus: I call one from the clouds.
    "), @r#"
    arbiter summon_orchestrator agent wizard: I call a wizard.
      + Rested s1 t2 at c1
      + Said m3 Arbiter -> nobody (musing): I call a wizard.
      + TurnedBack summoning an Orchestrator: there is no agent "wizard"; known are orchestrator, verifier
      + Queued s1 notice: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: there is no agent "wizard";...
      + Prompted s1 t3: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: there is no agent "wizard";...
      > Deliver s1.1 t3: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: there is no agent "wizard";...
    arbiter summon_orchestrator provider nimbus: I call one from the clouds.
      + Rested s1 t3 at c1
      + Said m4 Arbiter -> nobody (musing): I call one from the clouds.
      + TurnedBack summoning an Orchestrator: there is no provider "nimbus"; known: deaf, rehearsal
      + Queued s1 notice: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: there is no provider "nimbu...
      + Prompted s1 t4: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: there is no provider "nimbu...
      > Deliver s1.1 t4: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: there is no provider "nimbu...
    "#);
}

#[test]
fn a_first_summon_without_the_humans_yes_is_turned_back() {
    assert_snapshot!(play("
        ~ opened
        arbiter summon_orchestrator: I call one.
        read arbiter
    "), @"
    arbiter summon_orchestrator: I call one.
      + Rested s1 t1 at c1
      + Said m1 Arbiter -> nobody (musing): I call one.
      + TurnedBack summoning an Orchestrator: the human has not said yes: state back scope, approach, definition of don...
      + Queued s1 notice: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
      + Prompted s1 t2: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
      > Deliver s1.1 t2: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
    read arbiter
      | «Notice»
      | Turned back: summon_orchestrator. It had no effect.
      | Reason: the human has not said yes: state back scope, approach, definition of done and risks with `asks: alignment`, and wait
      | Remove the reason before you try it again.
    ");
}

#[test]
fn a_release_severs_the_link_and_speaks_to_the_human() {
    assert_snapshot!(play("
        ~ at work
        ~ human: stop this
        arbiter release_orchestrators: The work is called off.
        human: thank you
        read arbiter
    "), @"
    arbiter release_orchestrators: The work is called off.
      + Rested s1 t6 at c1
      + Released s2
      + Said m7 Arbiter -> human: The work is called off.
      > End s2.1
    human: thank you
      + Received l3
      + Said m8 You -> Arbiter: thank you
      + Queued s1 words m8
      + Prompted s1 t7 (words m8): thank you
      > RemoveFromInbox l3
      > Deliver s1.1 t7: thank you
    read arbiter
      | thank you
    ");
}

#[test]
fn a_release_with_a_claim_goes_to_the_gate_and_never_straight_to_the_end() {
    assert_snapshot!(play("
        ~ judged
        arbiter release_orchestrators claim complete: It is done.
        show owner
    "), @r#"
    arbiter release_orchestrators claim complete: It is done.
      + Rested s1 t10 at c2
      + Released s3
      + Said m11 Arbiter -> nobody (claim): It is done.
      + Claimed g1: It is done.
      > End s3.1
      > Survey g1
    show owner
      Program(Checks)
    "#);
}

/// The human answered the Orchestrator directly, so nobody waits for the Arbiter any more.
#[test]
fn musings_are_dimmed_and_nobody_is_expected_to_answer() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator question: Left or right?
        ~ human @orchestrator: left
        arbiter musings: The river is wide.
    "), @"
    arbiter musings: The river is wide.
      + Rested s1 t6 at c1
      + Said m8 Arbiter -> nobody (musing): The river is wide.
    ");
}

#[test]
fn musings_to_a_waiting_orchestrator_are_asked_once_more_then_go_to_it_as_they_are() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator question: Left or right?
        arbiter musings: The river is wide.
        arbiter musings: Left is shorter.
    "), @"
    arbiter musings: The river is wide.
      + Rested s1 t6 at c1
      + Said m7 Arbiter -> nobody (musing): The river is wide.
      + AskedOnceMore for Orchestrator I
      + Queued s1 notice: «Notice» / You mused, but someone waits: Orchestrator I. Answer them now with the intent that reache...
      + Prompted s1 t7: «Notice» / You mused, but someone waits: Orchestrator I. Answer them now with the intent that reache...
      > Deliver s1.1 t7: «Notice» / You mused, but someone waits: Orchestrator I. Answer them now with the intent that reache...
    arbiter musings: Left is shorter.
      + Rested s1 t7 at c1
      + Said m8 Arbiter -> Orchestrator I: Left is shorter.
      + Queued s2 address: Left is shorter.
      + Prompted s2 t8: Left is shorter.
      > Deliver s2.1 t8: Left is shorter.
    ");
}

#[test]
fn musings_to_a_waiting_human_are_asked_once_more_then_go_to_them_as_they_are() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter address_human: Which bank?
        ~ human: what do you think?
        arbiter musings: The river is wide.
        arbiter musings: Left is shorter.
    "), @"
    arbiter musings: The river is wide.
      + Rested s1 t2 at c1
      + Said m3 Arbiter -> nobody (musing): The river is wide.
      + AskedOnceMore for the human
      + Queued s1 notice: «Notice» / You mused, but someone waits: the human. Answer them now with the intent that reaches the...
      + Prompted s1 t3: «Notice» / You mused, but someone waits: the human. Answer them now with the intent that reaches the...
      > Deliver s1.1 t3: «Notice» / You mused, but someone waits: the human. Answer them now with the intent that reaches the...
    arbiter musings: Left is shorter.
      + Rested s1 t3 at c1
      + Said m4 Arbiter -> human: Left is shorter.
    ");
}

#[test]
fn an_act_turned_back_does_not_spend_the_asking_once_more() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter summon_orchestrator: I call one.
        arbiter musings: So I may not.
    "), @"
    arbiter musings: So I may not.
      + Rested s1 t2 at c1
      + Said m2 Arbiter -> nobody (musing): So I may not.
      + AskedOnceMore for the human
      + Queued s1 notice: «Notice» / You mused, but someone waits: the human. Answer them now with the intent that reaches the...
      + Prompted s1 t3: «Notice» / You mused, but someone waits: the human. Answer them now with the intent that reaches the...
      > Deliver s1.1 t3: «Notice» / You mused, but someone waits: the human. Answer them now with the intent that reaches the...
    ");
}

#[test]
fn after_three_acts_turned_back_in_a_row_the_human_is_asked() {
    assert_snapshot!(play("
        ~ aligned
        ~ arbiter address_orchestrator: one
        ~ arbiter address_orchestrator: two
        ~ arbiter address_orchestrator: three
        arbiter address_orchestrator: four
    "), @"
    arbiter address_orchestrator: four
      + Rested s1 t5 at c1
      + Said m6 Arbiter -> nobody (musing): four
      + TurnedBack speaking to the Orchestrator: no Orchestrator is active
      + Queued s1 aside: «Notice» / No Orchestrator is active; your message reached nobody. / Summon one with `summon_orchest...
      + Said m7 House -> human: The Arbiter was turned back several times (speaking to the Orchestrator: no Orchestrator is active)....
    ");
}

#[test]
fn everybody_is_labelled_with_the_number_of_the_whole_mission() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator handoff: My context thins.
        ~ restart
        ~ arbiter summon_orchestrator: Another.
        ~ orchestrator introduction: I come second.
        ~ policy night: go on
        show talk
    "), @"
    show talk
      Arbiter -> human: Scope. Done means. Shall it begin?
      You -> Arbiter: yes
      Arbiter -> nobody: I call one.
      Orchestrator I -> Arbiter: I am Orchestrator I.
      Arbiter -> Orchestrator I: The brief.
      Orchestrator I -> Arbiter: My context thins.
      Arbiter -> nobody: Another.
      Orchestrator II -> Arbiter: I come second.
      You (policy:night) -> Arbiter: go on
    ");
}

/// What a worker said before it was released reaches the Arbiter afterwards: it says whose word it is now.
#[test]
fn a_released_orchestrators_word_is_marked() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator handoff: The first half is done.
        ~ human @orchestrator: And the second half?
        ~ orchestrator handoff: The second half is done too.
        arbiter summon_orchestrator: Another takes over.
        read arbiter
    "), @"
    arbiter summon_orchestrator: Another takes over.
      + Rested s1 t6 at c1
      + Said m9 Arbiter -> nobody: Another takes over.
      + Released s2
      + Summoned s3 Orchestrator II, rehearsal
      + Queued s3 notice: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
      + Prompted s1 t8 (log of s2): «Orchestrator I - Work Log (no response needed)» / • (the human said to me directly: And the second ...
      + Prompted s3 t9: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
      > End s2.1
      > Spawn s3.1 Orchestrator II, rehearsal
      > Deliver s1.1 t8: «Orchestrator I - Work Log (no response needed)» / • (the human said to me directly: And the second ...
      > Deliver s3.1 t9: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
    read arbiter
      | «Orchestrator I - Work Log (no response needed)»
      | • (the human said to me directly: And the second half?)
      |
      | «Orchestrator I - Handoff (released since; no response needed)»
      | The second half is done too.
    ");
}
