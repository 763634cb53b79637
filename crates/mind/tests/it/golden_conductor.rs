//! The stored forms of a conducted mission's facts: every one ever released stays readable.

use std::sync::Arc;

use mind::conductor::agent::{
    Agent, AgentLimits, AgentProvider, Bash, Casting, Custom, Part, Richness, Target, Tools, Transitions,
};
use mind::conductor::execution::{
    Category, ErrorContext, Output, Recovery, RecoveryOption, RunError, Surroundings, Tokens,
};
use mind::conductor::memory::Importance;
use mind::conductor::plan::{PlanNotes, PlanStatus, Step, StepStatus};
use mind::conductor::podium::{Ending, Objection, Run, RunKind};
use mind::conductor::record::{Asking, Record, Reply};
use mind::conductor::{
    Call, Conducting, ConductorFact, Decider, Decision, Execution, Keeping, Kind, Limits, Note, Plan, Source,
    Status,
};
use mind::fact::{MissionFact, SessionFact};
use mind::play::charter::charter;
use mind::session::{Profile, Role, Tree};
use mind::talk::Actor;
use mind::{Fact, MessageId, SessionId, Timestamp};
use serde_json::json;

const GOLDEN: &str = include_str!("conductor.golden.jsonl");

#[test]
fn every_released_form_of_a_conducted_fact_stays_readable() {
    let facts = facts();
    let lines: Vec<&str> = GOLDEN.lines().collect();
    for (at, (line, fact)) in lines.iter().zip(&facts).enumerate() {
        let read: Fact = serde_json::from_str(line).expect("a golden line is a fact");
        assert_eq!(&read, fact, "line {}", at + 1);
        assert_eq!(serde_json::to_string(fact).expect("facts can be stored"), *line, "line {}", at + 1);
    }
    let next = facts.get(lines.len()).map(|fact| serde_json::to_string(fact).expect("facts can be stored"));
    assert_eq!(next, None, "a form has no golden line");
    assert_eq!(lines.len(), facts.len(), "a golden line has no fact");
}

#[test]
fn every_conducted_variant_has_a_golden_line() {
    let kinds: std::collections::BTreeSet<u8> = facts().iter().filter_map(kind).collect();
    assert_eq!(kinds.len(), KINDS as usize, "each kind of fact has a golden line");
}

/// How many kinds [`kind`] tells apart.
const KINDS: u8 = 24;

/// A number for each variant; the compiler keeps it complete.
fn kind(fact: &Fact) -> Option<u8> {
    let Fact::Conductor(fact) = fact else { return None };
    Some(match fact {
        ConductorFact::Agents(_) => 0,
        ConductorFact::Notes(_) => 1,
        ConductorFact::Selecting => 2,
        ConductorFact::Asked(_) => 3,
        ConductorFact::Misread(_) => 4,
        ConductorFact::Unavailable { .. } => 5,
        ConductorFact::Spent { .. } => 6,
        ConductorFact::Decided(_) => 7,
        ConductorFact::Guided(_) => 8,
        ConductorFact::Prepared(_) => 9,
        ConductorFact::Began { .. } => 10,
        ConductorFact::Ending(_) => 11,
        ConductorFact::Ended { execution: Some(_), .. } => 12,
        ConductorFact::Ended { execution: None, .. } => 13,
        ConductorFact::Planned(_) => 14,
        ConductorFact::Step { .. } => 15,
        ConductorFact::AskedHuman { .. } => 16,
        ConductorFact::Claimed { .. } => 17,
        ConductorFact::TurnedBack { .. } => 18,
        ConductorFact::Verified { commit: Some(_) } => 19,
        ConductorFact::Verified { commit: None } => 20,
        ConductorFact::Remembered(_) => 21,
        ConductorFact::Steered { .. } => 22,
        ConductorFact::Rerouted { .. } => 23,
    })
}

fn text(text: &str) -> Arc<str> {
    Arc::from(text)
}

fn facts() -> Vec<Fact> {
    let mut facts: Vec<Fact> = opened().into_iter().map(Fact::Mission).collect();
    facts.push(Fact::Session(SessionId(2), SessionFact::Spent { input: 1200, output: 90 }));
    facts.push(Fact::Session(SessionId(2), SessionFact::Summoned(profile())));
    facts.extend(course().into_iter().map(Fact::Conductor));
    facts.extend(ends().into_iter().map(Fact::Mission));
    facts
}

fn opened() -> [MissionFact; 2] {
    let mut bare = charter("open");
    let conducting = Conducting {
        default_agent: text("planner"),
        limits: Limits::default(),
        decider: None,
        routes: Vec::new(),
        keeping: Keeping::End,
        dry_run: false,
    };
    bare.conducting = Some(Box::new(conducting.clone()));
    let mut full = bare.clone();
    full.agents = vec![agent(), plain()];
    full.notes = vec![note()];
    full.conducting = Some(Box::new(Conducting {
        limits: Limits {
            max_iterations: 9,
            max_failures: 2,
            deadline_ms: Some(28_800_000),
            budget_microusd: Some(20_000_000),
            budget_tokens: Some(900_000),
        },
        decider: Some(Decider {
            provider: text("api"),
            model: Some(text("small")),
            max_tokens: 1024,
            temperature_milli: Some(300),
            cache: true,
        }),
        routes: vec!["claude".into(), "rehearsal".into()],
        keeping: Keeping::Each,
        dry_run: true,
        ..conducting
    }));
    [MissionFact::Opened(Box::new(bare)), MissionFact::Opened(Box::new(full))]
}

fn ends() -> [MissionFact; 3] {
    [
        MissionFact::Failed { why: text("3 runs in a row failed") },
        MissionFact::Exhausted { why: text("the iterations are used up") },
        MissionFact::Sketched { confident: true },
    ]
}

fn plain() -> Agent {
    mind::play::conductor::agent("developer")
}

fn agent() -> Agent {
    let custom =
        Custom { when: text("approved"), target: Target::Complete, reason: Some(text("nothing is left")) };
    Agent {
        name: text("reviewer"),
        display_name: text("Reviewer"),
        when_to_use: Some(text("Before the end.")),
        prompt: text("You review."),
        part: Some(Part::Verifier),
        tools: Tools {
            allowed: Some(vec![text("Read"), text("Bash")]),
            blocked: vec![text("Write")],
            bash: Bash {
                allow: vec![vec![text("git"), text("diff")]],
                deny: vec![vec![text("git"), text("push")]],
            },
        },
        transitions: Transitions {
            on_success: Target::Agent(text("developer")),
            on_failure: Target::Arbiter,
            on_max_iterations: Target::Complete,
            custom: vec![custom],
        },
        limits: AgentLimits {
            max_iterations: Some(5),
            timeout_ms: Some(1_200_000),
            max_tokens: Some(50_000),
            max_tool_calls: Some(40),
        },
        provider: AgentProvider {
            name: Some("claude".into()),
            model: Some("opus".into()),
            routes: vec!["claude".into()],
        },
        response: Some(Arc::new(json!({"type": "object"}))),
        memory: false,
        input: Richness::Lean,
        internal: true,
    }
}

fn profile() -> Profile {
    let casting =
        Casting { name: text("reviewer"), tools: agent().tools, schema: Arc::new(json!({"type": "object"})) };
    Profile {
        session: SessionId(2),
        role: Role::Agent,
        number: 1,
        provider: "rehearsal".into(),
        model: None,
        key: "a5c6b1e2-0000-8000-8000-000000000002".into(),
        prompt: text("You review."),
        scout: None,
        casting: Some(Arc::new(casting)),
    }
}

fn note() -> Note {
    Note {
        title: text("The build needs make"),
        when_to_use: Some(text("When it does not build")),
        tags: vec![text("build")],
        importance: Importance::High,
        discovered_at: Some(text("2026-11-16")),
        discovered_by: Some(text("developer")),
        text: text("Run make first."),
    }
}

fn error() -> RunError {
    RunError {
        message: text("exit code 1"),
        category: Category::ToolFailure,
        step: Some(2),
        tool: Some(text("Bash")),
        recovery_options: vec![RecoveryOption {
            action: Recovery::Retry,
            description: text("try again"),
            reason: text("it may pass"),
        }],
    }
}

fn context() -> ErrorContext {
    ErrorContext {
        agent: text("developer"),
        tool: Some(text("Bash")),
        plan_step: Some(2),
        attempted: text("npm install"),
        message: text("exit code 1"),
        category: Category::ToolFailure,
        recovery_options: Vec::new(),
        timestamp: Timestamp(7),
        context: Some(Surroundings {
            files_accessed: Some(vec![text("a.rs")]),
            command_executed: Some(text("npm install")),
            input_size: Some(10),
            output_size: Some(20),
        }),
    }
}

fn execution() -> Execution {
    Execution {
        seq: 2,
        agent: text("developer"),
        iteration: 2,
        status: Status::Failure,
        duration_ms: Some(90_000),
        output: Output {
            summary: text("It failed."),
            full: Some(text("all of it")),
            files_modified: Some(vec![text("a.rs")]),
        },
        error: Some(Arc::new(error())),
        tokens: Some(Tokens { input: 2100, output: 1230, total: 3330 }),
        started_at: Timestamp(5),
        completed_at: Some(Timestamp(7)),
        step: Some(1),
        verdict: Some(text("needsChanges")),
        issues: vec![text("No test for zero.")],
    }
}

fn plan() -> Plan {
    Plan {
        id: text("plan-1"),
        task: text("Build."),
        status: PlanStatus::Draft,
        steps: vec![Step {
            index: 0,
            description: text("Build it"),
            status: StepStatus::Pending,
            suggested_agent: Some(text("developer")),
            executed_by: Some(text("developer")),
            depends_on: vec![1],
            instructions: Some(text("with care")),
            acceptance_criteria: vec![text("it builds")],
            checks: vec![vec!["make".into()]],
            affected_files: vec![text("a.rs")],
            output: Some(text("built")),
            error: Some(text("no")),
            started_at: Some(Timestamp(5)),
            completed_at: Some(Timestamp(6)),
        }],
        current_step_index: 0,
        version: 1,
        created_at: Timestamp(3),
        updated_at: Timestamp(4),
        created_by: text("planner"),
        metadata: PlanNotes { confidence: Some(90), assumptions: vec![text("make is there")] },
    }
}

fn record(decision: Decision, source: Source) -> ConductorFact {
    let reply = Reply {
        raw: text("{}"),
        faults: vec![text("`type` is missing")],
        latency_ms: 800,
        tokens: Some(Tokens { input: 900, output: 40, total: 940 }),
    };
    ConductorFact::Decided(Box::new(Record {
        number: 3,
        call: Call::Evaluate,
        iteration: 2,
        input: Arc::new(json!({"task": "Build."})),
        legal: Kind::ALL.to_vec(),
        prompt: Some(text("9f86d0")),
        replies: vec![reply],
        decision,
        source,
        cause: Some(text("asked")),
    }))
}

fn decisions() -> Vec<ConductorFact> {
    let reason = || text("because");
    [
        (
            Decision::SelectMode {
                mode: text("developer"),
                reason: reason(),
                guidance: Some(text("mind zero")),
            },
            Source::Model,
        ),
        (Decision::Continue { reason: reason() }, Source::Cache),
        (Decision::Retry { reason: reason() }, Source::Fallback),
        (Decision::Complete { summary: text("all of it") }, Source::Rules),
        (Decision::SkipStep { reason: reason() }, Source::Human),
        (Decision::Replan { reason: reason() }, Source::Model),
        (Decision::AskHuman { question: text("Which?"), options: vec![text("a"), text("b")] }, Source::Model),
        (Decision::Fail { reason: reason() }, Source::Model),
    ]
    .into_iter()
    .map(|(decision, source)| record(decision, source))
    .collect()
}

fn course() -> Vec<ConductorFact> {
    let tree = Tree { commit: text("4b825dc"), dirty: false, fingerprint: text("f1") };
    let run = Run {
        number: 2,
        kind: RunKind::Work,
        agent: text("developer"),
        iteration: 2,
        step: Some(1),
        mends: true,
        before: Some(tree.clone()),
        session: Some(SessionId(2)),
        began_at: Timestamp(5),
        deadline: Some(Timestamp(9)),
        ending: None,
    };
    let bare = Run {
        kind: RunKind::Verify,
        step: None,
        mends: false,
        before: None,
        session: None,
        deadline: None,
        ..run.clone()
    };
    let asking = Asking {
        number: 3,
        call: Call::Select,
        attempt: 2,
        input: Arc::new(json!({"task": "Build."})),
        legal: vec![Kind::SelectMode, Kind::Fail],
        prompt: text("9f86d0"),
        shorter: true,
    };
    let ending = Ending {
        status: Status::Timeout,
        summary: text("it took longer than it may"),
        full: Some(text("all of it")),
        output: Some(Arc::new(json!({"outcome": "failure"}))),
        error: Some(Arc::new(error())),
    };
    let objection = Objection { verdict: text("needsChanges"), issues: vec![text("a")], step: Some(1) };
    let mut course = vec![
        ConductorFact::Agents(vec![plain()]),
        ConductorFact::Notes(vec![note()]),
        ConductorFact::Selecting,
        ConductorFact::Asked(Box::new(asking)),
        ConductorFact::Misread(Reply {
            raw: text("no"),
            faults: vec![text("no object")],
            latency_ms: 5,
            tokens: None,
        }),
        ConductorFact::Unavailable { why: text("overloaded"), until: Timestamp(9) },
        ConductorFact::Spent { tokens: 940, cost_microusd: 12 },
    ];
    course.extend(decisions());
    course.extend([
        ConductorFact::Guided(text("mind zero")),
        ConductorFact::Prepared(Box::new(run)),
        ConductorFact::Prepared(Box::new(bare)),
        ConductorFact::Began { session: SessionId(2), before: Some(tree), deadline: Some(Timestamp(9)) },
        ConductorFact::Ending(Box::new(ending)),
        ConductorFact::Ended {
            execution: Some(Box::new(execution())),
            error: Some(Box::new(context())),
            objection: Some(objection),
        },
        ConductorFact::Ended { execution: None, error: None, objection: None },
        ConductorFact::Planned(Box::new(plan())),
        ConductorFact::Step {
            index: 1,
            status: StepStatus::Complete,
            by: Some(text("developer")),
            words: Some(text("built")),
        },
        ConductorFact::Step { index: 1, status: StepStatus::Skipped, by: None, words: None },
        ConductorFact::AskedHuman { message: MessageId(3) },
        ConductorFact::Claimed { summary: text("all of it") },
        ConductorFact::TurnedBack { why: text("a check failed") },
        ConductorFact::Verified { commit: Some(text("4b825dc")) },
        ConductorFact::Verified { commit: None },
        ConductorFact::Remembered(note()),
        ConductorFact::Steered { by: Actor::Policy(text("night")), what: text("developer runs next") },
        ConductorFact::Rerouted { provider: text("rehearsal") },
    ]);
    course
}
