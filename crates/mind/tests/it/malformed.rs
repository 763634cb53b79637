//! Outputs that fail validation: asked again with the error, twice; then passed on as they came. No case ends in silence.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn an_output_that_fails_validation_is_asked_again_with_the_error() {
    assert_snapshot!(play(r#"
        ~ opened
        arbiter raw {"intent": "address_everyone", "asks": "money"}
        read arbiter
    "#), @r#"
    arbiter raw {"intent": "address_everyone", "asks": "money"}
      + Rested s1 t1 at c1
      + Malformed s1: `message` is missing or empty; `asks` belongs to address_human, not to "address_everyone"; `asks` is...
      + Queued s1 notice: «Notice» / Your last output failed validation and reached nobody: `message` is missing or empty; `as...
      + Prompted s1 t2: «Notice» / Your last output failed validation and reached nobody: `message` is missing or empty; `as...
      > Deliver s1.1 t2: «Notice» / Your last output failed validation and reached nobody: `message` is missing or empty; `as...
    read arbiter
      | «Notice»
      | Your last output failed validation and reached nobody: `message` is missing or empty; `asks` belongs to address_human, not to "address_everyone"; `asks` is "money", but must be one of alignment; `intent` is "address_everyone", but must be one of address_human, address_orchestrator, summon_orchestrator, release_orchestrators, musings
      | Answer again in the required form, with the same substance. Do no other work first.
    "#);
}

#[test]
fn the_third_failure_of_the_arbiter_goes_to_the_waiting_human_marked_as_such() {
    assert_snapshot!(play(r#"
        ~ opened
        ~ arbiter raw {"intent": "speak"}
        ~ arbiter raw {"intent": "speak"}
        arbiter raw {"intent": "speak", "message": "Which bank?"}
    "#), @r#"
    arbiter raw {"intent": "speak", "message": "Which bank?"}
      + Rested s1 t3 at c1
      + Said m1 Arbiter -> human (unformed): Which bank?
    "#);
}

#[test]
fn the_third_failure_of_the_arbiter_goes_to_the_waiting_orchestrator() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator question: Left or right?
        ~ arbiter silent
        ~ arbiter silent
        arbiter plain: Left, I think.
    "), @"
    arbiter plain: Left, I think.
      + Rested s1 t8 at c1
      + Said m7 Arbiter -> Orchestrator I (unformed): Left, I think.
      + Queued s2 address: Left, I think.
      + Prompted s2 t9: Left, I think.
      > Deliver s2.1 t9: Left, I think.
    ");
}

#[test]
fn the_third_failure_of_an_orchestrator_goes_to_the_arbiter() {
    assert_snapshot!(play(r#"
        ~ at work
        orchestrator raw {"kind": "song"}
        ~ orchestrator raw {"kind": "song"}
        orchestrator plain: The bridge stands.
    "#), @r#"
    orchestrator raw {"kind": "song"}
      + Rested s2 t5 at c1
      + Malformed s2: `message` is missing or empty; `kind` is "song", but must be one of introduction, question, progress...
      + Queued s2 notice: «Notice» / Your last output failed validation and reached nobody: `message` is missing or empty; `ki...
      + Prompted s2 t6: «Notice» / Your last output failed validation and reached nobody: `message` is missing or empty; `ki...
      > FetchBack
      > Deliver s2.1 t6: «Notice» / Your last output failed validation and reached nobody: `message` is missing or empty; `ki...
    orchestrator plain: The bridge stands.
      + Rested s2 t7 at c1
      + Said m6 Orchestrator I -> Arbiter (unformed): The bridge stands.
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: The bridge stands.
      + Prompted s1 t8: «Orchestrator I - Awaiting Input» / The bridge stands.
      > FetchBack
      > Deliver s1.1 t8: «Orchestrator I - Awaiting Input» / The bridge stands.
    "#);
}

#[test]
fn success_without_any_typed_output_counts_as_a_failure() {
    assert_snapshot!(play("
        ~ at work
        orchestrator silent
    "), @"
    orchestrator silent
      + Rested s2 t5 at c1
      + Malformed s2: there was no typed output
      + Queued s2 notice: «Notice» / Your last output failed validation and reached nobody: there was no typed output / Answer...
      + Prompted s2 t6: «Notice» / Your last output failed validation and reached nobody: there was no typed output / Answer...
      > FetchBack
      > Deliver s2.1 t6: «Notice» / Your last output failed validation and reached nobody: there was no typed output / Answer...
    ");
}

#[test]
fn even_nothing_at_all_is_passed_on() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator silent
        ~ orchestrator silent
        orchestrator silent
    "), @"
    orchestrator silent
      + Rested s2 t7 at c1
      + Said m6 Orchestrator I -> Arbiter (unformed): (it said nothing)
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: (it said nothing)
      + Prompted s1 t8: «Orchestrator I - Awaiting Input» / (it said nothing)
      > FetchBack
      > Deliver s1.1 t8: «Orchestrator I - Awaiting Input» / (it said nothing)
    ");
}

#[test]
fn a_valid_output_starts_the_count_anew() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter silent
        ~ arbiter silent
        ~ arbiter address_human: Which bank?
        ~ human: left
        arbiter silent
    "), @"
    arbiter silent
      + Rested s1 t4 at c1
      + Malformed s1: there was no typed output
      + Queued s1 notice: «Notice» / Your last output failed validation and reached nobody: there was no typed output / Answer...
      + Prompted s1 t5: «Notice» / Your last output failed validation and reached nobody: there was no typed output / Answer...
      > Deliver s1.1 t5: «Notice» / Your last output failed validation and reached nobody: there was no typed output / Answer...
    ");
}

#[test]
fn a_verifiers_handoff_needs_a_verdict() {
    assert_snapshot!(play("
        ~ handed off
        ~ arbiter summon_orchestrator agent verifier: Judge.
        ~ verifier introduction: I am Orchestrator II.
        ~ arbiter address_orchestrator: Audit.
        verifier handoff: Looks fine to me.
    "), @"
    verifier handoff: Looks fine to me.
      + Rested s3 t9 at c2
      + Malformed s3: a verifier's handoff needs `verdict`: pass or fail
      + Queued s3 notice: «Notice» / Your last output failed validation and reached nobody: a verifier's handoff needs `verdic...
      + Prompted s3 t10: «Notice» / Your last output failed validation and reached nobody: a verifier's handoff needs `verdic...
      > FetchBack
      > Deliver s3.1 t10: «Notice» / Your last output failed validation and reached nobody: a verifier's handoff needs `verdic...
    ");
}
