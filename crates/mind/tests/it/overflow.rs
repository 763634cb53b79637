//! Past the mark of a full context, each way that a turn can end leads to a handoff: the next prompt asks for it.

use insta::assert_snapshot;
use mind::play::{Stage, play};

/// Orchestrator I is briefed and at work.
const AT_WORK: &str = "
    open policy night
    settled
    arbiter summon_orchestrator: I call one.
    orchestrator introduction: I am Orchestrator I.
    arbiter address_orchestrator: The brief.
    orchestrator heard
";

const VERIFIER_AT_WORK: &str = "
    open policy night
    settled
    arbiter summon_orchestrator agent verifier: Judge.
    verifier introduction: I am the verifier.
    arbiter address_orchestrator: The brief.
    verifier heard
";

const FULL: &str = "gauge 185000/200000";
const HAND_OFF: &str = "Hand off now";

fn staged(lines: &str) -> Stage {
    let mut stage = Stage::new();
    go(&mut stage, lines);
    stage
}

fn go(stage: &mut Stage, lines: &str) -> String {
    lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| stage.perform(line)).collect()
}

#[test]
fn a_question_that_came_before_the_interrupt_is_answered_with_the_request_for_the_handoff() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator heard
        orchestrator gauge 185000/200000
        orchestrator question: Left or right?
        arbiter address_orchestrator: Left.
        read orchestrator
    "), @"
    orchestrator gauge 185000/200000
      + Gauged s2 92% (185000 of 200000, usage)
      + WarningSet s2 85%
      + Overflowed s2
      + Interrupting s2 by policy:overflow
      > Warn s2.1 85%: «Notice» / Your context is 92% full. Cease now, calmly: start nothing more. / Commit what is sound, ...
      > Interrupt s2.1 t5
    orchestrator question: Left or right?
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> Arbiter: Left or right?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Left or right?
      + Prompted s1 t6: «Orchestrator I - Awaiting Input» / Left or right?
      > FetchBack
      > Deliver s1.1 t6: «Orchestrator I - Awaiting Input» / Left or right?
    arbiter address_orchestrator: Left.
      + Rested s1 t6 at c1
      + Said m7 Arbiter -> Orchestrator I: Left.
      + Queued s2 address: Left.
      + HandoffAsked s2
      + Queued s2 aside: «Notice» / Your context is 92% full and you must stop: there is hardly room left. Start nothing more...
      + Prompted s2 t7: Left. / «Notice» / Your context is 92% full and you must stop: there is hardly room left. Start noth...
      > Deliver s2.1 t7: Left. / «Notice» / Your context is 92% full and you must stop: there is hardly room left. Start noth...
    read orchestrator
      | Left.
      |
      | «Notice»
      | Your context is 92% full and you must stop: there is hardly room left. Start nothing more and call no tool.
      | Hand off now, in a few sentences: done, remains, NOT completed, what the next needs to know.
    ");
}

#[test]
fn whatever_the_last_answer_is_the_next_prompt_asks_for_the_handoff() {
    for (opening, who, answer) in [
        (AT_WORK, "orchestrator", "introduction: I am here."),
        (AT_WORK, "orchestrator", "question: Left or right?"),
        (AT_WORK, "orchestrator", "progress?: Half of it stands."),
        (AT_WORK, "orchestrator", "progress: Half of it stands."),
        (AT_WORK, "orchestrator", "silent"),
        (AT_WORK, "orchestrator", r#"raw {"kind": "progress"}"#),
        (VERIFIER_AT_WORK, "verifier", "question: Which tests?"),
        (
            VERIFIER_AT_WORK,
            "verifier",
            r#"raw {"kind": "handoff", "message": "All well.", "expects_response": true}"#,
        ),
    ] {
        let mut stage = staged(opening);
        go(&mut stage, &format!("{who} {FULL}\n{who} {answer}"));
        if stage.state.worker().is_some_and(|worker| worker.turns.current.is_none()) {
            go(&mut stage, "arbiter address_orchestrator: Thus.");
        }
        let text = stage.perform("read orchestrator");
        assert!(text.contains(HAND_OFF), "{who} {answer}: {text}");
    }
}

#[test]
fn a_worker_without_typed_output_is_asked_too() {
    let opening =
        AT_WORK.replace("open", "open by-tools").replace("orchestrator introduction", "orchestrator plain");
    let opening = opening.replace(
        "arbiter summon_orchestrator: I call one.",
        r#"arbiter raw {"intent": "summon_orchestrator", "message": "I call one."}"#,
    );
    let mut stage = staged(&opening.replace("arbiter address_orchestrator", "arbiter plain"));
    go(&mut stage, &format!("orchestrator {FULL}\norchestrator plain: Left or right?\narbiter plain: Left."));
    let text = stage.perform("read orchestrator");
    assert!(text.contains(HAND_OFF), "{text}");
}

#[test]
fn what_is_said_instead_of_the_handoff_is_answered_with_the_same_request() {
    let mut stage = staged(AT_WORK);
    go(&mut stage, &format!("orchestrator {FULL}\norchestrator interrupted\norchestrator heard"));
    for answer in ["question: Of what?", "progress?: It goes well.", "progress: It goes well."] {
        go(&mut stage, &format!("orchestrator {answer}"));
        let rests = stage.state.worker().is_some_and(|worker| worker.work.awaits_reply);
        assert!(rests, "a worker without room is never told to continue: {answer}");
        go(&mut stage, "arbiter address_orchestrator: Thus.\norchestrator heard");
        let text = stage.perform("read orchestrator");
        assert!(text.contains(HAND_OFF), "{answer}: {text}");
    }
}

/// A handoff that was asked for earlier, for another reason, is not the one for which there is hardly room left.
#[test]
fn a_worker_that_runs_over_after_an_earlier_request_is_asked_again() {
    let mut silent = staged(&AT_WORK.replace("open", "open warnings silent"));
    go(
        &mut silent,
        "orchestrator gauge 150000/200000\ntree c2\norchestrator progress: One.\norchestrator heard",
    );
    assert!(silent.perform("read orchestrator").contains("good place to hand over"));

    let mut raised = staged(&AT_WORK.replace("open", "open tokens 20000"));
    go(
        &mut raised,
        "
        orchestrator spent 18500 0 as u-1
        orchestrator interrupted
        orchestrator handoff: Half.
        limits tokens 90000
        restart
        arbiter address_orchestrator: Go on.
        orchestrator heard
    ",
    );
    for mut stage in [silent, raised] {
        let told = go(&mut stage, &format!("orchestrator {FULL}\norchestrator interrupted"));
        assert!(told.contains("> Interrupt"), "{told}");
        let text = stage.perform("read orchestrator");
        assert!(text.contains(HAND_OFF), "{text}");
    }
}

/// The interrupt was lost with the turn: the provider failed, or the process died.
#[test]
fn a_turn_that_begins_anew_past_the_mark_is_stopped() {
    for end in ["orchestrator fails: overloaded", "lost orchestrator: exit 1"] {
        let mut stage = staged(AT_WORK);
        go(&mut stage, &format!("orchestrator {FULL}\n{end}\nalarm\norchestrator heard"));
        let told = go(&mut stage, "orchestrator gauge 186000/200000");
        assert!(told.contains("> Interrupt"), "{end}: {told}");
        go(&mut stage, "orchestrator interrupted");
        let text = stage.perform("read orchestrator");
        assert!(text.contains(HAND_OFF), "{end}: {text}");
    }
}

#[test]
fn words_for_which_a_human_stopped_a_full_worker_ask_for_its_handoff_too() {
    let mut stage = staged(&AT_WORK.replace("open", "open no-steer"));
    go(&mut stage, &format!("human interrupt\norchestrator {FULL}\nhuman @orchestrator: And the lamp?"));
    go(&mut stage, "orchestrator interrupted");
    let text = stage.perform("read orchestrator");
    assert!(text.contains("And the lamp?") && text.contains(HAND_OFF), "{text}");
}

#[test]
fn an_agent_whose_last_answer_cannot_be_read_is_asked_to_conclude() {
    let mut stage = staged("open conducted no-model\nsettled\nprepared");
    go(&mut stage, &format!("agent heard\nagent {FULL}\nagent raw {{\"outcome\": \"perhaps\"}}"));
    let text = stage.perform("read agent");
    assert!(text.contains("call no further tool"), "{text}");
}
