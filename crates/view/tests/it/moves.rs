//! Identifiers of rules, verdicts and moves never reach a person.

use mind::conductor::{ConductorState, DecisionPoint, MoveSource, NextMove};
use mind::play::Stage;
use view::conducted::ConductorView;
use view::moves::{Chosen, MoveView, cause_words};

fn chosen<'a>(decision: &'a NextMove, source: MoveSource, cause: &'a str) -> Chosen<'a> {
    Chosen { decision, source, cause: Some(cause), call: DecisionPoint::Evaluate, iteration: 2 }
}

#[test]
fn causes_are_translated() {
    let stored = [
        "onSuccess of planner",
        "onFailure of developer",
        "verdict someFailures of tester",
        "limit",
        "failures in a row",
        "first pick",
        "the model cannot be reached: 529; tries are used up",
        "no model is configured; no plan",
        "the plan is done",
    ];
    let told: Vec<String> = stored.iter().map(|stored| cause_words(stored)).collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    this follows a success of planner
    this follows a failure of developer
    the verdict of tester: some failures
    a limit was reached
    too many runs in a row failed
    this agent is configured to begin
    the model cannot be reached: 529; the tries of the last agent are used up
    no model is configured; there is no plan
    the plan is done
    ");
}

#[test]
fn who_chose_and_why_is_said_without_tokens() {
    let skip = NextMove::SkipStep { reason: "skipped by human:terminal:ada".into() };
    let by_person = chosen(&skip, MoveSource::Human, "human:terminal:ada");
    assert_eq!(by_person.by(), "by ada, in the terminal");
    assert_eq!(by_person.why(), "skipped by ada, in the terminal");
    assert_eq!(by_person.because(), None);

    let select = NextMove::SelectMode {
        mode: "developer".into(),
        reason: "tester said someFailures, and cannot look at it again".into(),
        guidance: None,
    };
    let by_order = chosen(&select, MoveSource::Fallback, "limit");
    assert_eq!(by_order.by(), "by the fixed order");
    assert_eq!(by_order.why(), "tester said: some failures, and cannot look at it again");
    assert_eq!(by_order.words(&ConductorState::default()), "developer works next");
    // A model's own words are not touched.
    assert_eq!(chosen(&select, MoveSource::Model, "asked").why(), &*select.words().replace('\n', " "));
}

/// The journal stores the person as a token, and every door puts it into words.
#[test]
fn a_forced_move_names_the_person_who_forced_it() {
    let mut stage = Stage::new();
    for line in ["open conducted", "settled", "human force planner"] {
        stage.set_up(line);
    }
    let conductor = stage.state.conductor.as_ref().expect("a conducted mission");
    let record = conductor.decisions.last().expect("a move");
    let told = MoveView::of(record, conductor);
    assert_eq!((&*told.by, told.words.as_str()), ("by ada, in the terminal", "planner works next"));
}

/// An agent that waits for its provider is a mission that recovers, for programs too.
#[test]
fn an_agent_at_its_limit_is_told_as_recovering() {
    let mut stage = Stage::new();
    for line in ["open conducted", "settled", "prepared", "agent limited +1h: usage limit"] {
        stage.set_up(line);
    }
    let view = ConductorView::of(&stage.state, stage.state.now).expect("a conducted mission");
    assert_eq!(serde_json::to_value(&view).expect("it is JSON")["phase"], "recovering");
}
