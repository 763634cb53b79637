//! The house dies between a turn's report of usage and the turn's rest. Resumed, it is told both again, and has booked what
//! the turn took and what it cost once, in both ways of working. What a failed turn cost is booked too.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use mind::fact::{SessionFact, TurnFact, WorkFact};
use mind::{Fact, SessionId};
use serde_json::json;
use sim::api::{Api, Scenario, Step, Usage, Voice};
use sim::{BridgeScript, DeathWalk, GreetingScript, Theatre};

use crate::BINARY;

/// What the turn of the work takes.
const SPENT: &str = "spent: {input: 1200, output: 90}\ncost_microusd: 4500";

/// The developer's run begins with these steps, and takes so much.
fn greeting(steps: &str) -> GreetingScript {
    let run = GreetingScript::WRITES.replacen("does: [", &format!("does: [{steps}"), 1);
    GreetingScript::new().runs("developer", &[&format!("{run}\n{SPENT}")])
}

fn rehearsing(script: impl ToString) -> Theatre {
    Theatre::rehearsing(BINARY, script).with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock")
}

fn flags(way: &str) -> [&str; 6] {
    ["--way", way, "--headless", "--yes", "--pace", "fast"]
}

/// Tokens read, tokens written, and millionths of a dollar.
type Amounts = (u64, u64, u64);

/// What a mission's journal books: each report of usage, with its session.
fn books(theatre: &Theatre, mission: &Path) -> Vec<(SessionId, Amounts)> {
    let booked = theatre.entries(mission).into_iter().filter_map(|entry| {
        let Fact::Session(session, SessionFact::Work(spent)) = entry.fact else { return None };
        let WorkFact::Spent { input, output, cost_microusd, .. } = spent else { return None };
        Some((session, (input, output, cost_microusd)))
    });
    booked.collect()
}

/// What `arbiter show --json` says that all of it cost, and a conducted mission took.
fn shown(theatre: &Theatre) -> (u64, Option<u64>) {
    let ran = theatre.run(&["show", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let sessions = shown["sessions"].as_array().expect("sessions");
    let cost = sessions.iter().filter_map(|session| session["cost_microusd"].as_u64()).sum();
    (cost, shown["conductor"]["tokens"].as_u64())
}

/// A mission that died when it had booked a report. Where a slow disk let the rest into the same batch, it is begun again.
fn dead_before_rest(script: &str, way: &str, moment: &str) -> Theatre {
    for _ in 0..20 {
        let theatre = rehearsing(script);
        let ran = DeathWalk::die_at(theatre.rehearsal(&flags(way)), &format!("spent:{moment}"));
        assert_eq!(ran.code, None, "it dies at {moment}: {}\n{}", ran.out, ran.err);
        let facts = theatre.facts();
        let spent = facts
            .iter()
            .position(|fact| matches!(fact, Fact::Session(_, SessionFact::Work(WorkFact::Spent { .. }))));
        let behind = facts.iter().skip(spent.expect("a report is a fact"));
        if !behind
            .into_iter()
            .any(|fact| matches!(fact, Fact::Session(_, SessionFact::Turn(TurnFact::Rested { .. }))))
        {
            return theatre;
        }
    }
    panic!("report and rest come in one batch again and again");
}

fn dies_between_usage_and_rest(script: impl ToString, way: &str, tokens: Option<u64>) {
    let script = script.to_string();
    for moment in DeathWalk::MOMENTS {
        let theatre = dead_before_rest(&script, way, moment);
        let mission = theatre.mission();
        let before = books(&theatre, &mission);
        let [(session, (1200, 90, 4500))] = before[..] else {
            panic!("the report is a fact, with its cost, {moment}: {before:?}")
        };

        let ran = theatre.run(&DeathWalk::RESUME);
        assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
        assert_eq!(books(&theatre, &mission), [(session, (1200, 90, 4500))], "{moment}");
        let notes = fs::read_to_string(mission.join("notes.log")).unwrap_or_default();
        assert!(notes.contains("tells its usage"), "the report was told twice, {moment}: {notes}");
        assert_eq!(shown(&theatre), (4500, tokens), "{moment}");
        theatre.assert_nobody_left();
    }
}

#[test]
fn an_agents_usage_and_cost_are_booked_once() {
    dies_between_usage_and_rest(greeting(""), "conductor", Some(1290));
}

#[test]
fn an_orchestrators_usage_and_cost_are_booked_once() {
    dies_between_usage_and_rest(BridgeScript::new().asks_nothing().worked(SPENT), "council", None);
}

/// What the Orchestrator's turn and the audit's take, and the last of the Arbiter's.
fn paid_council() -> Theatre {
    rehearsing(BridgeScript::new().asks_nothing().worked(SPENT))
}

#[test]
fn a_death_at_any_batch_of_a_council_leaves_the_same_books() {
    let walk = DeathWalk::new(paid_council, |theatre| theatre.rehearsal(&flags("council")));
    let books = &walk.expected.books;
    assert_eq!(books.cost_microusd, 4500, "{books:?}");
    assert_eq!(books.sessions.values().filter(|used| **used == (1200, 90, 4500)).count(), 1, "{books:?}");
    let moments = DeathWalk::MOMENTS.into_iter().cycle();
    let points = (1..).zip(moments).map(|(batch, moment)| format!("{batch}:{moment}"));
    let deaths = walk.walk(points, 1);
    assert!(deaths >= 20, "only {deaths} batches were walked");
}

/// A model behind an API that decides. It serves every mission of this test.
fn model() -> &'static Api {
    static MODEL: OnceLock<Api> = OnceLock::new();
    let usage = Usage { input: 700, cache_read: 200, cache_creation: 100, output: 50 };
    let decision = json!({"type": "CONTINUE", "reason": "the first step is done"});
    let step = Step::say(decision.to_string()).usage(usage).forever();
    MODEL.get_or_init(|| Api::start(Scenario::new([Voice::new("model", [step])])))
}

fn decided_by_api() -> Theatre {
    let config = format!(
        "docket: {{ headless: refuse }}\narbiter: {{ provider: api, model: claude-haiku-4-5, baseUrl: \"{}\" }}\n\
         limits: {{ budgetUsd: 1 }}\n",
        model().url()
    );
    let still = "says: {outcome: success, summary: It still does.}";
    let script = greeting("").plans(&["Write the greeting", "Read it again", "And again"]);
    let written = format!("{}\n{SPENT}", GreetingScript::WRITES);
    let script = script.runs("developer", &[&written, still, still]);
    rehearsing(script).with_config(&config).with_env("ANTHROPIC_API_KEY", "sk-none-1234567890")
}

#[test]
fn a_death_at_any_batch_leaves_the_calls_over_an_api_booked_once_with_their_price() {
    let walk = DeathWalk::new(decided_by_api, |theatre| theatre.rehearsal(&flags("conductor")));
    let books = &walk.expected.books;
    // 700 plain, 100 into the cache, 200 out of it, 50 written: at 1, 1.25, 0.1 and 5 dollars a million.
    assert!(!books.calls.is_empty() && books.calls.iter().all(|call| *call == (1050, 1095)), "{books:?}");
    // A booking too many in every run would be in what is expected, too.
    assert_eq!(books.calls.len(), model().requests().len(), "{books:?}");
    assert_eq!(books.cost_microusd, 4500 + 1095 * books.calls.len() as u64, "{books:?}");
    let moments = DeathWalk::MOMENTS.into_iter().cycle();
    let points = (1..).zip(moments).map(|(batch, moment)| format!("{batch}:{moment}"));
    let deaths = walk.walk(points, 1);
    assert!(deaths >= 20, "only {deaths} batches were walked");
}

#[test]
fn what_a_failed_turn_cost_is_booked_although_its_process_dies() {
    let mishaps = "{fail: transient, why: overloaded, cost_microusd: 700}, {die: 1}, ";
    let theatre = rehearsing(greeting(mishaps));
    let ran = theatre.rehearse(&flags("conductor"));
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let booked = books(&theatre, &theatre.mission());
    let amounts: Vec<Amounts> = booked.iter().map(|(_, amounts)| *amounts).collect();
    assert_eq!(amounts, [(0, 0, 700), (1200, 90, 4500)], "{booked:?}");
    assert_eq!(shown(&theatre), (5200, Some(1290)));
}
