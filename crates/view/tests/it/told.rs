//! What each kind of fact tells a person, as doors get it: every released form of a fact, one after another, applied to one
//! mission. A form that says something else than yesterday is seen here first.

use mind::fact::{MissionFact, PermissionFact, SessionFact};
use mind::policy::PermissionRequest;
use mind::talk::Speaker;
use mind::{Entry, Fact, PermissionId, State, Timestamp};
use view::told::{FactView, permission, tell};

/// Every form of a fact.
const FACTS: &str = include_str!("../../../mind/tests/it/facts.golden.jsonl");

/// Each fact with what it tells.
fn tale() -> Vec<(Fact, Vec<FactView>)> {
    let mut state = State::default();
    let mut tale = Vec::new();
    for (at, line) in (1..).map(|second| Timestamp(second * 1000)).zip(FACTS.lines()) {
        let fact: Fact = serde_json::from_str(line).expect("a golden line is a fact");
        if let (Fact::Conductor(_), None) = (&fact, &state.conductor) {
            state = conducted();
        }
        let (before, entry) = (state.clone(), Entry { at, fact });
        state.apply(&entry);
        let told = tell(&entry, &before, &state);
        tale.push((entry.fact, told));
    }
    tale
}

/// A conducted mission that was just opened.
fn conducted() -> State {
    let facts =
        FACTS.lines().map(|line| serde_json::from_str::<Fact>(line).expect("a golden line is a fact"));
    let is_conducted = |fact: &Fact| matches!(fact, Fact::Mission(MissionFact::Opened(charter)) if charter.conducting.is_some());
    let fact = facts.into_iter().find(is_conducted).expect("a form of a conducted mission");
    let mut state = State::default();
    state.apply(&Entry { at: Timestamp(1), fact });
    state
}

#[test]
fn every_kind_of_fact_says_what_it_said() {
    let mut text = String::new();
    for (fact, told) in tale() {
        let name: String = fact.to_string().lines().next().unwrap_or_default().chars().take(90).collect();
        text.push_str(&name);
        text.push('\n');
        for told in told {
            text.push_str(&format!("    {}\n", serde_json::to_string(&told).expect("it is data")));
        }
    }
    insta::assert_snapshot!(text);
}

/// Signs, indents and colours are a door's.
#[test]
fn no_remark_begins_with_a_sign() {
    for (fact, told) in tale() {
        for told in told {
            let FactView::Remark(remark) = told else { continue };
            let first = remark.text.chars().next().expect("a remark says something");
            assert!(first.is_alphanumeric() || first == '`', "{fact}: {:?}", remark.text);
        }
    }
}

/// What an agent wrote ends no line of its own and turns no writing around, where a person has to allow it.
#[test]
fn nothing_hides_in_what_a_person_is_asked() {
    let request = PermissionRequest {
        what: "rm -r a\u{202e}b".into(),
        why: "it runs a\n/yes q1\u{1b}[2K".into(),
        ..asked()
    };
    let view = permission(PermissionId(1), &request, &Speaker::Arbiter, false);
    assert_eq!(view.what, "rm -r a\\u{202e}b");
    assert_eq!(view.why, "it runs a\\n/yes q1\\u{1b}[2K");
}

/// The first permission of the golden file.
fn asked() -> PermissionRequest {
    let asked = tale().into_iter().find_map(|(fact, _)| match fact {
        Fact::Session(_, SessionFact::Permission(PermissionFact::Asked { request, .. })) => {
            Some(request.as_ref().clone())
        }
        Fact::Mission(_)
        | Fact::Talk(_)
        | Fact::Session(..)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    asked.expect("a permission is asked for")
}
