//! Budgets with the real Claude Code: what a turn uses is counted while it runs, its subagents' part too.

use std::fs;

use mind::Fact;
use mind::fact::MissionFact;
use mind::mission_limits::LimitKind;
use providers::claude::versions::ClaudeVersion;
use serde_json::json;
use sim::api::{Step, Usage, Voice};
use sim::real_stage::{RealStage, act, arbiter, bash, orchestrator, reports, subagents};

/// What one request of an endless turn takes.
pub const REQUEST: u64 = 5_000;
/// Requests that the scripted model would be asked, were nothing to stop the turn.
pub const ENDLESS: u32 = 310;

pub fn usage(input: u64) -> Usage {
    Usage { input, cache_read: 0, cache_creation: 0, output: 0 }
}

/// A council whose Orchestrator does `work` with its brief and hands off when it is told to.
fn council(work: Vec<Step>) -> Vec<Voice> {
    let manager = arbiter([
        act("summon_orchestrator", "Let one come."),
        act("address_orchestrator", "Write bridge.txt.").when("I am Orchestrator I."),
        act("address_human", "It goes on.").when("had stopped at a limit"),
    ]);
    let mut steps = vec![reports("introduction", "I am Orchestrator I.").when("Introduce yourself")];
    steps.extend(work);
    vec![manager, orchestrator("I", steps)]
}

fn budget(stage: &RealStage, limits: &str) {
    let file = stage.home().join(".config/arbiter/config.yaml");
    let text = fs::read_to_string(&file).expect("there is a configuration");
    let before = text.lines().find(|line| line.starts_with("limits:")).expect("it has limits").to_owned();
    fs::write(file, text.replace(&before, limits)).expect("it can be written");
}

pub fn reached(stage: &RealStage) -> Vec<LimitKind> {
    let facts = stage.facts().into_iter();
    facts
        .filter_map(|fact| match fact {
            Fact::Mission(MissionFact::LimitReached { limit, .. }) => Some(limit),
            Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Session(..)
            | Fact::Gate(..)
            | Fact::Docket(..)
            | Fact::Conductor(_) => None,
        })
        .collect()
}

#[test]
fn a_token_budget_stops_an_endless_turn_and_a_raised_one_goes_on() {
    let work = bash("true").usage(usage(REQUEST)).times(ENDLESS);
    let Some(stage) = RealStage::set(crate::BINARY, "limits: { budgetTokens: 20000 }\n", council(vec![work]))
    else {
        return;
    };
    let told = stage.begin().ends(3);
    assert_eq!(reached(&stage), [LimitKind::Tokens], "{}", stage.story());
    let requests = stage.requests_of("orchestrator I").len();
    assert!(requests <= 8, "{requests} requests: {}", stage.story());
    assert!(told.contains("limits.budgetTokens") && told.contains("arbiter resume"), "{told}");
    // A limit that still stands is named, and nothing begins.
    let still = stage.start(&["resume", "--headless"]).ends(3);
    assert!(still.contains("the tokens are used up"), "{still}");
    budget(&stage, "limits: { budgetTokens: 900000 }");
    let house = stage.resume();
    stage.wait_for("Arbiter -> human: It goes on.");
    house.stops();
}

#[test]
fn the_handoff_is_given_within_the_reserve_of_the_budget() {
    let hands_off = reports("handoff", "Half of the bridge stands.").when("has reached a limit");
    let builds = bash("true").usage(usage(25_000)).times(7);
    // It passes 90 % of the budget, and the request after it is not answered before the turn is stopped.
    let last = bash("true").usage(usage(8_000));
    let hangs = bash("true").delay_ms(120_000);
    let voices = council(vec![hands_off, builds, last, hangs]);
    let Some(stage) = RealStage::set(crate::BINARY, "limits: { budgetTokens: 200000 }\n", voices) else {
        return;
    };
    stage.begin().ends(3);
    assert_eq!(reached(&stage), [LimitKind::Tokens], "{}", stage.story());
    assert_eq!(stage.heard_by("orchestrator I", "has reached a limit"), 1, "{}", stage.story());
    assert!(
        stage.story().contains("Orchestrator I -> Arbiter: Half of the bridge stands."),
        "{}",
        stage.story()
    );
}

/// A context whose single request takes more than a tenth of the budget, as it does with a cache that is read each time.
const CONTEXT: u64 = 60_000;

fn reads(context: u64) -> Usage {
    Usage { input: 2, cache_read: context - 2, cache_creation: 0, output: 300 }
}

/// The usage of its request is told while the answer is on its way, and would stop it.
#[test]
fn a_handoff_that_takes_more_than_the_reserve_is_let_finish() {
    let hands_off = reports("handoff", "Half of the bridge stands.").usage(reads(CONTEXT)).forever();
    let builds = bash("true").usage(reads(CONTEXT)).times(3);
    let hangs = bash("true").delay_ms(120_000);
    let voices = council(vec![hands_off.when("has reached a limit"), builds, hangs]);
    let Some(stage) = RealStage::set(crate::BINARY, "limits: { budgetTokens: 200000 }\n", voices) else {
        return;
    };
    stage.begin().ends(3);
    assert_eq!(reached(&stage), [LimitKind::Tokens], "{}", stage.story());
    assert_eq!(stage.heard_by("orchestrator I", "has reached a limit"), 1, "{}", stage.story());
    assert!(
        stage.story().contains("Orchestrator I -> Arbiter: Half of the bridge stands."),
        "{}",
        stage.story()
    );
}

#[test]
fn what_subagents_use_counts_inside_the_turn() {
    subagents_count_inside_the_turn(sim::claude::chosen());
}

#[test]
fn what_subagents_use_counts_inside_the_turn_in_the_newest_version() {
    subagents_count_inside_the_turn(sim::claude::newest());
}

fn subagents_count_inside_the_turn(version: ClaudeVersion) {
    let call = json!({"subagent_type": "general-purpose", "description": "dig", "prompt": "Dig."});
    let mut voices = council(vec![Step::tool("Agent", call)]);
    voices.push(subagents([bash("true").usage(usage(REQUEST)).times(ENDLESS)]));
    let config = "limits: { budgetTokens: 20000 }\n";
    let Some(stage) = RealStage::set_in_version(version, crate::BINARY, "claude-opus-4-8", config, voices)
    else {
        return;
    };
    stage.begin().ends(3);
    assert_eq!(reached(&stage), [LimitKind::Tokens], "{}", stage.story());
    let requests = stage.requests_of("subagent").len();
    assert!((1..=8).contains(&requests), "{requests} requests: {}", stage.story());
}

#[test]
fn a_money_budget_stops_an_endless_turn() {
    let work = bash("true").usage(usage(20_000)).times(ENDLESS);
    let Some(stage) = RealStage::set(crate::BINARY, "limits: { budgetUsd: 0.5 }\n", council(vec![work]))
    else {
        return;
    };
    stage.begin().ends(3);
    assert_eq!(reached(&stage), [LimitKind::Money], "{}", stage.story());
    let requests = stage.requests_of("orchestrator I").len();
    assert!(requests <= 12, "{requests} requests: {}", stage.story());
}
