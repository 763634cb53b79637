//! The tool way of routing: a provider without typed output calls tools, and its plain words go to whoever is there.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn plain_words_go_to_the_human_and_then_to_the_active_orchestrator() {
    assert_snapshot!(play("
        ~ open by-tools policy headless
        ~ settled
        arbiter plain: Which store shall it be?
        ~ human: Stateless.
        arbiter raw {\"intent\": \"summon_orchestrator\", \"message\": \"I summon.\", \"brief\": \"Build it, stateless.\"}
        orchestrator raw {\"kind\": \"question\", \"expects_response\": true, \"message\": \"Where?\"}
        arbiter plain: In src/store.
        orchestrator plain: It stands.
    "), @r#"
    arbiter plain: Which store shall it be?
      + Rested s1 t1 at c1
      + Said m1 Arbiter -> human: Which store shall it be?
    arbiter raw {"intent": "summon_orchestrator", "message": "I summon.", "brief": "Build it, stateless."}
      + Rested s1 t2 at c1
      + Consented by policy:headless
      + Said m3 Arbiter -> nobody: I summon.
      + Summoned s2 Orchestrator I, rehearsal
      + Said m4 Arbiter -> Orchestrator I: Build it, stateless.
      + Queued s2 address: Build it, stateless.
      + Prompted s2 t3: Build it, stateless.
      > Spawn s2.1 Orchestrator I, rehearsal
      > Deliver s2.1 t3: Build it, stateless.
    orchestrator raw {"kind": "question", "expects_response": true, "message": "Where?"}
      + Rested s2 t3 at c1
      + Said m5 Orchestrator I -> Arbiter: Where?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Where?
      + Prompted s1 t4: «Orchestrator I - Awaiting Input» / Where?
      > FetchBack
      > Deliver s1.1 t4: «Orchestrator I - Awaiting Input» / Where?
    arbiter plain: In src/store.
      + Rested s1 t4 at c1
      + Said m6 Arbiter -> Orchestrator I: In src/store.
      + Queued s2 address: In src/store.
      + Prompted s2 t5: In src/store.
      > Deliver s2.1 t5: In src/store.
    orchestrator plain: It stands.
      + Rested s2 t5 at c1
      + Said m7 Orchestrator I -> Arbiter: It stands.
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: It stands.
      + Prompted s1 t6: «Orchestrator I - Awaiting Input» / It stands.
      > FetchBack
      > Deliver s1.1 t6: «Orchestrator I - Awaiting Input» / It stands.
    "#);
}

#[test]
fn a_summons_by_tool_needs_the_yes_as_well() {
    assert_snapshot!(play("
        ~ open by-tools
        ~ settled
        arbiter raw {\"intent\": \"summon_orchestrator\", \"message\": \"I summon.\", \"brief\": \"Build it.\"}
        ~ arbiter raw {\"intent\": \"address_human\", \"asks\": \"alignment\", \"message\": \"Scope: all of it. Yes?\"}
        ~ human: yes
        arbiter raw {\"intent\": \"summon_orchestrator\", \"message\": \"I summon.\", \"brief\": \"Build it.\"}
    "), @r#"
    arbiter raw {"intent": "summon_orchestrator", "message": "I summon.", "brief": "Build it."}
      + Rested s1 t1 at c1
      + Said m1 Arbiter -> nobody (musing): I summon.
      + TurnedBack summoning an Orchestrator: the human has not said yes: state back scope, approach, definition of don...
      + Queued s1 notice: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
      + Prompted s1 t2: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
      > Deliver s1.1 t2: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
    arbiter raw {"intent": "summon_orchestrator", "message": "I summon.", "brief": "Build it."}
      + Rested s1 t3 at c1
      + Said m4 Arbiter -> nobody: I summon.
      + Summoned s2 Orchestrator I, rehearsal
      + Said m5 Arbiter -> Orchestrator I: Build it.
      + Queued s2 address: Build it.
      + Prompted s2 t4: Build it.
      > Spawn s2.1 Orchestrator I, rehearsal
      > Deliver s2.1 t4: Build it.
    "#);
}

#[test]
fn a_brief_belongs_to_a_summons() {
    assert_snapshot!(play("
        ~ open policy headless
        ~ settled
        arbiter raw {\"intent\": \"musings\", \"message\": \"Hm.\", \"brief\": \"Build it.\"}
    "), @r#"
    arbiter raw {"intent": "musings", "message": "Hm.", "brief": "Build it."}
      + Rested s1 t1 at c1
      + Malformed s1: `brief` belongs to summon_orchestrator, not to "musings"
      + Queued s1 notice: «Notice» / Your last output failed validation and reached nobody: `brief` belongs to summon_orchestr...
      + Prompted s1 t2: «Notice» / Your last output failed validation and reached nobody: `brief` belongs to summon_orchestr...
      > Deliver s1.1 t2: «Notice» / Your last output failed validation and reached nobody: `brief` belongs to summon_orchestr...
    "#);
}
