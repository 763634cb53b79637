//! The life of a petition, as a value: the first answer stands, nobody's silence is one, a policy is never a person.

use std::sync::Arc;

use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{
    AnswerChoice, AssignmentRule, Petition, PetitionChange, PetitionDraft, PetitionEnd, PetitionId,
    PetitionRefusal, PetitionStatus, SeenAnswer, SeenQuestion, tell,
};
use serde_json::{Value, json};

fn never(_: &str) -> Option<Timestamp> {
    None
}

fn draft(value: Value) -> PetitionDraft {
    PetitionDraft::read(&value, &|text| text.parse().ok().map(Timestamp))
        .unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn faults(value: Value) -> Vec<String> {
    PetitionDraft::read(&value, &never).expect_err("it has faults")
}

/// Three decisions: options only, custom allowed, one that needs the first.
fn petition() -> Petition {
    let draft = draft(json!({
        "title": "API design", "agent": "ceo", "decisions": [
            {"id": "auth", "title": "Auth?", "allow_custom": false,
             "options": [{"key": "jwt", "label": "JWT"}, {"key": "node:22"}]},
            {"id": "name", "title": "Name?", "options": [], "allowCustom": true},
            {"id": "later", "title": "And then?", "options": ["a", "b"], "multi": true, "depends_on": ["auth"]},
        ]
    }));
    draft.petition(PetitionId::from("abc"), Timestamp(1))
}

fn ada() -> Actor {
    Actor::human(Door::Cli, "ada")
}

fn said(text: &str) -> AnswerChoice {
    AnswerChoice::Answer(Arc::from(text))
}

/// The petition after an act that is allowed.
fn after(petition: &Petition, change: Result<PetitionChange, PetitionRefusal>) -> Petition {
    let mut petition = petition.clone();
    petition.apply(&change.expect("it is allowed"), &ada(), Timestamp(5));
    petition
}

fn answer(petition: &Petition, id: &str, text: &str) -> Petition {
    after(petition, petition.answer(id, said(text), &SeenQuestion::default(), &ada()))
}

#[test]
fn a_petition_goes_from_pending_to_completed() {
    let petition = petition();
    assert_eq!(petition.status(), PetitionStatus::Pending);
    let petition = answer(&petition, "auth", "jwt");
    assert_eq!(petition.status(), PetitionStatus::InProgress);
    let Err(PetitionRefusal::NotReady { open }) = petition.submit() else { panic!("something is open") };
    assert_eq!(open.len(), 2);
    let petition =
        after(&petition, petition.answer("name", AnswerChoice::Skipped, &SeenQuestion::default(), &ada()));
    let petition = answer(&petition, "later", "b,a");
    assert_eq!(petition.status(), PetitionStatus::Ready);
    assert_eq!(petition.decision("later").unwrap().answer.as_ref().unwrap().choice, said("b, a"));
    let petition = after(&petition, petition.submit());
    assert_eq!(petition.status(), PetitionStatus::Completed);
    let told = tell::answers(&petition, false).expect("it is completed");
    assert_eq!(told["answers"], json!({"auth": "jwt", "later": "b, a"}));
    assert_eq!(told["skipped"], json!(["name"]));
    assert_eq!(told["provenance"]["auth"]["by"], "human:cli:ada");
    let again = petition.answer(
        "auth",
        said("jwt"),
        &SeenQuestion { answer: SeenAnswer::Any, ..SeenQuestion::default() },
        &ada(),
    );
    assert!(matches!(again, Err(PetitionRefusal::Closed(closed)) if closed.end == PetitionEnd::Completed));
}

#[test]
fn the_first_answer_stands_unless_somebody_changes_what_they_saw() {
    let petition = answer(&petition(), "auth", "jwt");
    let second = petition.answer("auth", said("node:22"), &SeenQuestion::default(), &ada());
    assert!(matches!(second, Err(PetitionRefusal::AlreadyAnswered(given)) if given.choice == said("jwt")));
    let stale = SeenQuestion { answer: SeenAnswer::This(said("node:22")), ..SeenQuestion::default() };
    assert!(petition.answer("auth", said("node:22"), &stale, &ada()).is_err());
    let seen = SeenQuestion { answer: SeenAnswer::This(said("jwt")), ..SeenQuestion::default() };
    assert!(matches!(
        petition.answer("auth", said("node:22"), &seen, &ada()),
        Ok(PetitionChange::Changed { .. })
    ));
}

#[test]
fn what_is_no_answer_is_refused() {
    let petition = petition();
    let refused =
        |id: &str, text: &str| petition.answer(id, said(text), &SeenQuestion::default(), &ada()).unwrap_err();
    assert!(matches!(refused("au", "jwt"), PetitionRefusal::NoSuchDecision { known } if known.len() == 3));
    assert!(
        matches!(refused("auth", "basic"), PetitionRefusal::NotAnOption { keys } if keys == ["jwt", "node:22"])
    );
    assert_eq!(refused("name", "  \n"), PetitionRefusal::Empty);
    assert_eq!(refused("name", &"x".repeat(65 * 1024)), PetitionRefusal::TooLong);
    assert_eq!(refused("later", "a"), PetitionRefusal::WaitsFor(Arc::from("auth")));
    let shown = SeenQuestion { question: Some(Arc::from("another")), ..SeenQuestion::default() };
    assert_eq!(petition.answer("auth", said("jwt"), &shown, &ada()), Err(PetitionRefusal::QuestionChanged));
}

#[test]
fn what_requires_a_human_is_answered_by_one_at_a_door() {
    let value = json!({"title": "t", "decisions": [
        {"id": "go", "title": "Go?", "options": ["yes", "no"], "requires": "human"}]});
    let petition = draft(value).petition(PetitionId::from("abc"), Timestamp(1));
    for by in [Actor::policy("night"), Actor::Agent(Arc::from("ceo")), Actor::human(Door::File, "ada")] {
        assert_eq!(
            petition.answer("go", said("yes"), &SeenQuestion::default(), &by),
            Err(PetitionRefusal::RequiresHuman)
        );
    }
    assert!(
        petition.answer("go", said("yes"), &SeenQuestion::default(), &Actor::human(Door::Web, "ada")).is_ok()
    );
}

#[test]
fn an_agent_asks_and_never_answers() {
    let petition = petition();
    for decision in &petition.decisions {
        let answered = petition.answer(
            &decision.id,
            AnswerChoice::Skipped,
            &SeenQuestion::default(),
            &Actor::Agent(Arc::from("ceo")),
        );
        assert_eq!(answered, Err(PetitionRefusal::RequiresHuman), "{}", decision.id);
    }
}

#[test]
fn at_the_deadline_a_default_is_a_policys_answer_and_submits_it() {
    let value = json!({"title": "t", "deadline": "100", "decisions": [
        {"id": "a", "title": "A?", "options": ["x", "y"], "default": "y"},
        {"id": "b", "title": "B?", "options": ["x", "y"], "default": "x", "depends_on": ["a"]}]});
    let petition = draft(value).petition(PetitionId::from("abc"), Timestamp(1));
    assert_eq!(petition.due(Timestamp(99)), []);
    assert_eq!(petition.due_at(), Some(Timestamp(100)));
    let due = petition.due(Timestamp(100));
    let told: Vec<String> = due.iter().map(|(change, by)| format!("{by} {change:?}")).collect();
    assert!(told[0].starts_with("policy:default Answered") && told[0].contains("\"a\""), "{told:?}");
    assert!(told[1].starts_with("policy:default Answered") && told[1].contains("\"b\""), "{told:?}");
    assert_eq!(told[2], "policy:deadline Submitted");
}

#[test]
fn without_a_default_it_expires_and_a_later_answer_is_late() {
    let value = json!({"title": "t", "decisions": [
        {"id": "a", "title": "A?", "options": ["x"], "deadline": "100"},
        {"id": "b", "title": "B?", "options": ["x"]}]});
    let mut petition = draft(value).petition(PetitionId::from("abc"), Timestamp(1));
    let due = petition.due(Timestamp(200));
    assert!(matches!(&due[..], [(PetitionChange::Expired { why }, _)] if why.contains('a')), "{due:?}");
    petition.apply(&due[0].0, &due[0].1, Timestamp(200));
    assert_eq!((petition.status(), petition.due(Timestamp(300)).len()), (PetitionStatus::Expired, 0));
    let late = petition.answer("a", said("x"), &SeenQuestion::default(), &ada()).expect("it is kept");
    assert!(matches!(late, PetitionChange::Late { .. }));
    petition.apply(&late, &ada(), Timestamp(300));
    assert_eq!((petition.status(), petition.decided()), (PetitionStatus::Expired, 0));
    let told = tell::answers(&petition, false).expect("it is closed");
    assert_eq!((&told["answers"], &told["late"]), (&json!({}), &json!({"a": "x"})));
}

#[test]
fn a_policy_does_not_submit_what_requires_a_human() {
    let value = json!({"title": "t", "deadline": "100", "decisions": [
        {"id": "go", "title": "Go?", "options": ["yes"], "requires": "human"}]});
    let petition = draft(value).petition(PetitionId::from("abc"), Timestamp(1));
    let petition = answer(&petition, "go", "yes");
    let due = petition.due(Timestamp(100));
    assert!(matches!(&due[..], [(PetitionChange::Expired { .. }, _)]), "{due:?}");
}

#[test]
fn every_fault_of_a_draft_is_named_at_once() {
    let found = faults(json!({"title": " ", "priority": "soon", "deadline": "whenever", "decisions": [
        {"id": "a:b", "title": "", "options": []},
        {"id": "x", "title": "t", "options": [{"key": "k"}, {"key": "k"}, {"label": "no key"}]},
        {"id": "x", "title": "t", "options": ["`"], "default": "z", "allow_custom": false},
        {"id": "y", "title": "t\nu", "options": ["a,b"], "multi": true, "depends_on": ["later"]},
        7,
    ]}));
    for fault in [
        "`title` is missing or empty",
        "`priority` is \"soon\"",
        "`deadline` is \"whenever\"",
        "decision \"a:b\": `id` may have letters",
        "decision \"a:b\": `title` is missing",
        "it could not be answered",
        "two options have the key \"k\"",
        "needs a `key`",
        "decision \"x\" stands twice",
        "cannot be an option's key",
        "`default` is \"z\"",
        "`title` must be one line",
        "no comma",
        "`depends_on` names \"later\"",
        "decision 5: it must be an object",
    ] {
        assert!(found.iter().any(|found| found.contains(fault)), "{fault} is not in {found:#?}");
    }
    assert_eq!(faults(json!([])), ["a petition must be a JSON object"]);
    assert!(faults(json!({"title": "t"}))[0].contains("there is no decision"));
}

#[test]
fn over_limits_is_refused_and_never_read_further() {
    let option = json!({"key": "k", "label": "l"});
    let decision = |at: usize| json!({"id": format!("d{at}"), "title": "t", "options": [option]});
    let many: Vec<Value> = (0..300).map(decision).collect();
    assert!(faults(json!({"title": "t", "decisions": many}))[0].contains("more than 200 decisions"));
    let long = "x".repeat(200 * 1024);
    let found = faults(json!({"title": "t", "context": long, "decisions": [decision(1)]}));
    assert!(found[0].contains("`context` is longer"), "{found:?}");
    let options: Vec<String> = (0..60).map(|at| format!("k{at}")).collect();
    let found = faults(json!({"title": "t", "decisions": [{"id": "d", "title": "t", "options": options}]}));
    assert!(found[0].contains("more than 50 options"), "{found:?}");
}

#[test]
fn who_did_it_is_written_and_read_back() {
    for text in ["human:telegram:93533553", "human:cli:a:b", "policy:default", "agent:ceo"] {
        assert_eq!(Actor::parse(text).map(|by| by.to_string()).as_deref(), Some(text));
    }
    assert_eq!(Actor::parse("somebody"), None);
    assert_eq!(Actor::parse("human:x"), None);
}

#[test]
fn the_digest_is_of_what_is_shown_and_of_nothing_else() {
    let petition = petition();
    let digest = |petition: &Petition| petition.digest(&petition.decisions[0]);
    let answered = answer(&petition, "auth", "jwt");
    assert_eq!(digest(&petition), digest(&answered));
    let mut changed = petition.clone();
    changed.decisions[0].options[0].label = "JWT, signed".to_owned();
    assert_ne!(digest(&petition), digest(&changed));
    let mut moved = petition.clone();
    (moved.title, moved.context) = (Arc::from("API"), Arc::from(" design"));
    assert_ne!(digest(&petition), digest(&moved));
}

#[test]
fn a_moment_is_written_as_files_read_it() {
    assert_eq!(Timestamp(0).utc(), "1970-01-01T00:00:00Z");
    assert_eq!(Timestamp(1_769_736_600_000).utc(), "2026-01-30T01:30:00Z");
    assert_eq!(Timestamp(951_782_400_123).utc(), "2000-02-29T00:00:00.123Z");
}

#[test]
fn a_person_hands_over_a_decision_or_all_of_it() {
    let petition = petition();
    let of_sam = after(&petition, petition.assign(Some("auth"), " sam ", &ada()));
    let auth = of_sam.decision("auth").expect("it is there");
    assert_eq!(of_sam.assignee(auth).map(|name| &**name), Some("sam"));
    assert_eq!(of_sam.assignee, None);
    assert_eq!(of_sam.updated_at, Timestamp(5));
    let of_kim = after(&of_sam, of_sam.assign(None, "kim", &ada()));
    let asked = |id: &str| of_kim.assignee(of_kim.decision(id).expect("it is there")).cloned();
    // A decision that was handed over by itself stays where it is.
    assert_eq!((asked("auth").as_deref(), asked("name").as_deref()), (Some("sam"), Some("kim")));
    // What was asked is the same question for whoever is asked.
    let digest = |petition: &Petition| petition.digest(petition.decision("auth").expect("it is there"));
    assert_eq!(digest(&of_kim), digest(&petition));
}

#[test]
fn what_cannot_be_handed_over_is_refused() {
    let petition = petition();
    let refused =
        |decision: Option<&str>, to: &str, by: &Actor| petition.assign(decision, to, by).unwrap_err();
    assert!(
        matches!(refused(Some("au"), "sam", &ada()), PetitionRefusal::NoSuchDecision { known } if known.len() == 3)
    );
    for name in ["", " ", "sam\nkim", &"x".repeat(257)] {
        assert_eq!(refused(None, name, &ada()), PetitionRefusal::NotAName, "{name:?}");
    }
    assert_eq!(refused(None, "sam", &Actor::agent("ceo")), PetitionRefusal::AgentAssigns);
    assert!(petition.assign(None, "sam", &Actor::policy("escalation")).is_ok());
    let of_sam = after(&petition, petition.assign(Some("auth"), "sam", &ada()));
    let again = of_sam.assign(Some("auth"), "sam", &ada());
    assert_eq!(again, Err(PetitionRefusal::AlreadyAssigned(Arc::from("sam"))));
    let closed = after(&petition, petition.withdraw("no need", &ada()).map_err(|_| PetitionRefusal::Empty));
    assert!(matches!(closed.assign(None, "sam", &ada()), Err(PetitionRefusal::Closed(_))));
}

#[test]
fn an_assignment_binds_where_the_door_says_so() {
    let petition = petition();
    let of_sam = after(&petition, petition.assign(Some("auth"), "sam", &ada()));
    let binding = |names: &[&str], instead_of: Option<&str>| SeenQuestion {
        instead_of: instead_of.map(Arc::from),
        assignment: AssignmentRule::Binding { names: names.iter().map(|name| Arc::from(*name)).collect() },
        ..SeenQuestion::default()
    };
    let answer = |seen: &SeenQuestion, by: &Actor| {
        of_sam.answer("auth", said("jwt"), seen, by).map(|change| {
            let PetitionChange::Answered { instead_of, .. } = change else { panic!("{change:?}") };
            instead_of
        })
    };
    let assigned_to_sam = Err(PetitionRefusal::AssignedTo(Arc::from("sam")));
    // A door that does not ask for it takes anybody's answer.
    assert_eq!(answer(&SeenQuestion::default(), &ada()), Ok(None));
    assert_eq!(answer(&binding(&[], None), &ada()), assigned_to_sam);
    assert_eq!(answer(&binding(&[], Some("sam")), &ada()), Ok(Some(Arc::from("sam"))));
    // It was handed over again after the person saw it.
    assert_eq!(answer(&binding(&[], Some("kim")), &ada()), assigned_to_sam);
    let stale = SeenQuestion { instead_of: Some(Arc::from("kim")), ..SeenQuestion::default() };
    assert_eq!(answer(&stale, &ada()), assigned_to_sam);
    // The assignee answers in nobody's place, whatever the door calls them.
    let sam = Actor::human(Door::Telegram, "111");
    assert_eq!(answer(&binding(&["sam"], Some("sam")), &sam), Ok(None));
    assert_eq!(answer(&binding(&[], None), &Actor::human(Door::Cli, "sam")), Ok(None));
    // What nobody in particular is asked binds nobody.
    assert!(of_sam.answer("name", said("x"), &binding(&[], None), &ada()).is_ok());
}

#[test]
fn an_answer_in_the_assignees_place_says_so() {
    let of_sam = after(&petition(), petition().assign(None, "sam", &ada()));
    let seen = SeenQuestion { instead_of: Some(Arc::from("sam")), ..SeenQuestion::default() };
    let answered = after(&of_sam, of_sam.answer("auth", said("jwt"), &seen, &ada()));
    let given = answered.decision("auth").and_then(|auth| auth.answer.clone()).expect("it is answered");
    assert_eq!(given.instead_of.as_deref(), Some("sam"));
    assert_eq!(tell::status(&answered)["decisions"]["auth"]["insteadOf"], "sam");
    let seen = SeenQuestion { answer: SeenAnswer::Any, ..SeenQuestion::default() };
    let sams = after(&answered, answered.answer("auth", said("jwt"), &seen, &Actor::human(Door::Cli, "sam")));
    assert_eq!(
        sams.decision("auth").and_then(|auth| auth.answer.clone()).and_then(|given| given.instead_of),
        None
    );
}

#[test]
fn whom_a_petition_turns_to_is_a_bounded_list_of_names() {
    let asks = |escalate: Value| json!({"title": "T", "decisions": [{"id": "a", "title": "A?", "options": ["x"]}], "escalate": escalate});
    let petition = draft(asks(json!(["telegram", "ada"]))).petition(PetitionId::from("a"), Timestamp(1));
    assert_eq!(petition.escalate.iter().map(|name| &**name).collect::<Vec<_>>(), ["telegram", "ada"]);
    for wrong in [json!(["a\nb"]), json!([""]), json!([1]), json!(vec!["x"; 21]), json!({"to": "ada"})] {
        assert_eq!(faults(asks(wrong.clone())).len(), 1, "{wrong}");
    }
}
