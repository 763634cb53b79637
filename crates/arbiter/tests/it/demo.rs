//! The demo as a newcomer meets it: a whole mission, a real repository, a real receipt.

use mind::actor::Actor;
use mind::fact::{ContextFact, GateFact, LifeFact, MissionFact, SessionFact, WorkFact};
use mind::session::Role;
use mind::talk::{Proof, Speaker};
use mind::{Fact, State};
use providers::rehearsal::{self, RehearsalScript};
use sim::Theatre;

use crate::{BINARY, DEMO, theatre};

#[test]
fn the_demo_ends_verified_with_a_receipt() {
    let theatre = theatre();
    let ran = theatre.run(&DEMO);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let state = theatre.mission_state();
    assert_eq!(state.ended, Some(mind::state::Ended::Completed(Proof::Proven)));
    assert!(state.receipts.last().is_some_and(|receipt| receipt.passed()));
    theatre.assert_nobody_left();
}

#[test]
fn the_demo_shows_everything_a_council_does() {
    let theatre = theatre();
    theatre.run(&DEMO);
    let entries = theatre.entries(&theatre.mission());
    let facts: Vec<&Fact> = entries.iter().map(|entry| &entry.fact).collect();
    let warned = |wanted: u8| {
        facts.iter().any(
            |fact| matches!(fact, Fact::Session(_, SessionFact::Context(ContextFact::Warned { percent })) if *percent == wanted),
        )
    };
    assert!(warned(70), "an Orchestrator is warned at 70");
    assert!(warned(85), "an Orchestrator is warned at 85");
    let by_policy = |fact: &&Fact| matches!(fact, Fact::Mission(MissionFact::Consented { by: Actor::Policy(name), .. }) if name.as_ref() == "rehearsal");
    assert!(facts.iter().any(by_policy), "the yes is recorded as a policy's");
    let judged = facts
        .iter()
        .filter(|fact| matches!(fact, Fact::Session(_, SessionFact::Work(WorkFact::Judged { .. }))));
    assert!(judged.count() >= 1, "a verifier judges");
    let summoned = facts
        .iter()
        .filter(|fact| matches!(fact, Fact::Session(_, SessionFact::Life(LifeFact::Summoned(_)))));
    assert!(summoned.count() >= 4, "the Arbiter, a worker, a successor, a verifier");
}

#[test]
fn the_receipt_is_of_the_commit_that_is_fetched_back() {
    let theatre = theatre();
    theatre.run(&DEMO);
    let entries = theatre.entries(&theatre.mission());
    let receipt = entries.iter().rev().find_map(|entry| match &entry.fact {
        Fact::Gate(_, GateFact::Receipt { receipt, .. }) => Some(receipt.clone()),
        Fact::Gate(..)
        | Fact::Mission(_)
        | Fact::Talk(_)
        | Fact::Session(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    let receipt = receipt.expect("there is a receipt");
    let id = theatre.mission_id();
    let scratch = theatre.state().join("scratch").join(&id);
    let fetched = theatre.git_in(&scratch, &["rev-parse", &format!("refs/arbiter/{id}")]);
    assert_eq!(fetched.trim(), receipt.commit.as_ref());
    // The check can be run again by hand and says the same.
    let clone = theatre.clone_of(&id);
    let mut again = std::process::Command::new(&receipt.argv[0]);
    theatre.place(&mut again);
    let again = again.current_dir(clone).args(&receipt.argv[1..]).output().expect("it runs");
    assert!(again.status.success());
}

#[test]
fn the_output_is_fit_for_a_log_file() {
    let theatre = theatre();
    let ran = theatre.run(&DEMO);
    assert!(!ran.out.contains('\u{1b}'), "no escape codes");
    assert!(ran.out.contains("Arbiter"), "the conversation is printed");
    assert!(ran.out.contains("Orchestrator I"), "so is who works");
    assert!(ran.out.contains("receipt:"), "and the proof");
    assert!(!ran.out.contains("your words"), "no person spoke");
    let last = ran.err.lines().last().expect("the id line");
    let ids: serde_json::Value = serde_json::from_str(last).expect("it is JSON");
    assert_eq!(ids["orchestratorNumber"], 3);
    assert!(ids["arbiter"].is_string() && ids["lastOrchestrator"].is_string());
    let kept =
        std::fs::read_to_string(theatre.project().join(".arbiter/last-session.json")).expect("it is kept");
    assert_eq!(kept.trim(), last);
}

#[test]
fn json_gives_every_entry_once_and_then_the_end() {
    let theatre = theatre();
    let ran = theatre.run(&["demo", "--headless", "--pace", "fast", "--json"]);
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let (end, facts) = lines.split_last().expect("there are lines");
    assert_eq!(end["end"]["code"], 0);
    let entries = theatre.entries(&theatre.mission());
    assert_eq!(facts.len(), entries.len());
    for ((line, entry), number) in facts.iter().zip(&entries).zip(1..) {
        assert_eq!(line["seq"], number);
        assert_eq!(line["fact"], serde_json::to_value(&entry.fact).expect("a fact"));
    }
}

#[test]
fn the_conducted_demo_ends_proven_and_its_decisions_stand_up_to_a_replay() {
    let theatre = theatre();
    let ran = theatre.run(&["demo", "--way", "conductor", "--headless", "--pace", "fast"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    for told in [
        "the plan: 3 steps, 85% sure",
        "tester: some failures",
        "reviewer: needs changes",
        "next move, by the model: reviewer works next",
        "remembered: awk takes words for zero",
        "Done, and proven by receipts.",
    ] {
        assert!(ran.out.contains(told), "{told:?} is missing in\n{}", ran.out);
    }
    let again = theatre.run(&["decide", "replay", &theatre.mission_id()]);
    assert_eq!(again.code, Some(0), "{}\n{}", again.out, again.err);
    theatre.assert_nobody_left();
}

/// No session was asked for more than is rehearsed.
fn assert_rehearsed(state: &State) {
    let texts: Vec<&str> = state.talk.iter().map(|message| &*message.text).collect();
    assert!(texts.iter().all(|text| !text.contains("My part ends here")), "{texts:#?}");
}

#[test]
fn every_part_of_the_demo_is_played() {
    let theatre = theatre();
    let ran = theatre.run(&DEMO);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let (state, script) =
        (theatre.mission_state(), RehearsalScript::parse(rehearsal::DEMO).expect("a script"));
    assert_rehearsed(&state);
    let workers = state.sessions.values().filter(|session| session.profile.role != Role::Arbiter);
    let warned: Vec<u8> = workers.map(|session| session.context.warned).collect();
    assert_eq!(warned, [85, 0, 0], "both warnings reached the first Orchestrator");
    assert_eq!((state.receipts.len(), state.orchestrators), (1, 3));
    let said = state.talk.iter().filter(|message| matches!(message.from, Speaker::Human(_))).count();
    assert_eq!(said, script.human.len(), "every line of the human was wanted");
    for session in state.sessions.values() {
        let profile = &session.profile;
        let store = theatre.state().join("rehearsal").join(format!("{}.jsonl", profile.key));
        let kept = std::fs::read_to_string(store).expect("its conversation");
        let turns = kept.lines().filter(|line| line.contains("\"did\":\"rested\"")).count();
        let part = script.part(profile.role, profile.number);
        assert_eq!(turns, part.len(), "every turn of {:?} {} is played", profile.role, profile.number);
    }
}

#[test]
fn the_example_of_the_document_is_a_whole_mission() {
    let document = std::fs::read_to_string("../../docs/rehearsal.md").expect("the document");
    let (_, rest) = document.split_once("```yaml\nrehearsal: 1\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    let theatre = Theatre::rehearsing(BINARY, format!("rehearsal: 1\n{example}"));
    let ran = theatre.rehearse(&["--headless"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(theatre.mission_state().receipts.len(), 1);
    assert_rehearsed(&theatre.mission_state());
}
