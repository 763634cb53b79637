//! The forms of a conducted mission's facts, as `facts.golden.jsonl` keeps them: each of them whole, and bare where
//! fields may be missing.

use std::collections::BTreeSet;
use std::sync::Arc;

use mind::actor::{Actor, Door};
use mind::conductor::agent::{AgentDuty, Richness, TransitionTarget, VerdictTransition};
use mind::conductor::execution::{
    ErrorCategory, ErrorContext, ErrorDetails, Execution, Recovery, RecoveryOption, RunError, RunOutput,
    RunStatus, RunTokens,
};
use mind::conductor::memory::{Importance, Note};
use mind::conductor::move_record::{MoveAttempt, MoveRecord, RawReply};
use mind::conductor::plan::{Plan, PlanNotes, PlanStatus, StepStatus};
use mind::conductor::state::{Objection, Run, RunEnding, RunKind};
use mind::conductor::{ConductorFact, DecisionPoint, MoveKind, MoveSource, NextMove};
use mind::fact::{MissionFact, SessionFact, WorkFact};
use mind::play::{conducted, conductor};
use mind::session::CloneTree;
use mind::{Fact, MessageId, SessionId, Timestamp};
use serde_json::json;

macro_rules! variants {
    ($($name:literal => $pattern:pat),* $(,)?) => {
        const VARIANTS: &[&str] = &[$($name),*];

        fn variant(fact: &ConductorFact) -> &'static str {
            match fact { $($pattern => $name),* }
        }
    };
}

variants! {
    "agents" => ConductorFact::Agents(_),
    "notes" => ConductorFact::Notes(_),
    "selecting" => ConductorFact::Selecting,
    "asked" => ConductorFact::ModelAsked(_),
    "misread" => ConductorFact::ReplyMisread(_),
    "unavailable" => ConductorFact::Unavailable { .. },
    "spent" => ConductorFact::Spent { .. },
    "decided" => ConductorFact::Decided(_),
    "guided" => ConductorFact::Guided(_),
    "prepared" => ConductorFact::RunPrepared(_),
    "began" => ConductorFact::RunBegan { .. },
    "ending" => ConductorFact::RunEnding(_),
    "ended" => ConductorFact::RunEnded { .. },
    "planned" => ConductorFact::Planned(_),
    "step" => ConductorFact::Step { .. },
    "asked_human" => ConductorFact::AskedHuman { .. },
    "heard" => ConductorFact::AnswerUsed { .. },
    "claimed" => ConductorFact::Claimed { .. },
    "turned_back" => ConductorFact::TurnedBack { .. },
    "verified" => ConductorFact::Verified { .. },
    "remembered" => ConductorFact::Remembered(_),
    "steered" => ConductorFact::Steered { .. },
    "rerouted" => ConductorFact::Rerouted { .. },
}

#[test]
fn every_fact_of_the_conductor_has_a_golden_line() {
    let golden: BTreeSet<&str> = conducted_facts().iter().map(variant).collect();
    let missing: Vec<&&str> = VARIANTS.iter().filter(|name| !golden.contains(**name)).collect();
    assert!(missing.is_empty(), "no golden line for {missing:?}");
}

/// Everything that came with the conductor, in the order of its golden lines.
pub fn facts() -> Vec<Fact> {
    let mut facts = vec![
        Fact::Mission(MissionFact::Failed { why: text("three runs failed") }),
        Fact::Mission(MissionFact::Exhausted { why: text("no iterations left") }),
        Fact::Mission(MissionFact::PlanOnly { confident: true }),
        spent("r1", 0),
        spent("r2", 1_200),
    ];
    facts.extend(conducted_facts().into_iter().map(Fact::Conductor));
    facts
}

fn spent(report: &str, cost_microusd: u64) -> Fact {
    let spent = WorkFact::Spent { report: text(report), input: 100, output: 20, cost_microusd };
    Fact::Session(SessionId(2), SessionFact::Work(spent))
}

fn text(text: &str) -> Arc<str> {
    Arc::from(text)
}

fn tree() -> CloneTree {
    CloneTree { commit: text("4b825dc"), dirty: false, fingerprint: text("f1") }
}

fn error() -> RunError {
    RunError {
        message: text("exit code 1"),
        category: ErrorCategory::ToolFailure,
        step: Some(2),
        tool: Some(text("Bash")),
        recovery_options: vec![RecoveryOption {
            action: Recovery::Retry,
            description: text("try again"),
            reason: text("it may work"),
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
        category: ErrorCategory::ToolFailure,
        recovery_options: error().recovery_options,
        timestamp: Timestamp(9),
        context: Some(ErrorDetails {
            files_accessed: Some(vec![text("a.rs")]),
            command_executed: Some(text("npm install")),
            input_size: Some(1),
            output_size: Some(2),
        }),
    }
}

fn executions() -> [Execution; 2] {
    let bare = Execution {
        seq: 1,
        agent: text("planner"),
        iteration: 1,
        status: RunStatus::Cancelled,
        duration_ms: None,
        output: RunOutput { summary: text("stopped"), full: None, files_modified: None },
        error: None,
        tokens: None,
        started_at: Timestamp(5),
        completed_at: None,
        step: None,
        verdict: None,
        issues: Vec::new(),
    };
    let whole = Execution {
        status: RunStatus::Failure,
        duration_ms: Some(90),
        output: RunOutput {
            summary: text("no"),
            full: Some(text("no, no")),
            files_modified: Some(vec![text("a.rs")]),
        },
        error: Some(Arc::new(error())),
        tokens: Some(RunTokens { input: 1, output: 2, total: 3 }),
        completed_at: Some(Timestamp(95)),
        step: Some(1),
        verdict: Some(text("needsChanges")),
        issues: vec![text("no test")],
        ..bare.clone()
    };
    [whole, bare]
}

fn runs() -> [Run; 2] {
    let bare = Run {
        number: 1,
        kind: RunKind::Work,
        agent: text("planner"),
        iteration: 1,
        step: None,
        mends: false,
        before: None,
        session: None,
        began_at: Timestamp(5),
        deadline: None,
        ending: None,
    };
    let whole = Run {
        kind: RunKind::Verify,
        step: Some(1),
        mends: true,
        before: Some(tree()),
        session: Some(SessionId(2)),
        deadline: Some(Timestamp(60)),
        ending: Some(Arc::new(ending())),
        ..bare.clone()
    };
    [whole, bare]
}

fn ending() -> RunEnding {
    RunEnding {
        status: RunStatus::Timeout,
        summary: text("too long"),
        full: Some(text("too long, really")),
        output: Some(Arc::new(json!({"outcome": "failure"}))),
        error: Some(Arc::new(error())),
    }
}

fn plan() -> Plan {
    let mut plan = conducted::plan("Build.", &["A", "B"], Timestamp(7));
    plan.status = PlanStatus::Replanning;
    plan.metadata = PlanNotes { confidence: Some(80), assumptions: vec![text("the sun shines")] };
    let step = &mut plan.steps[1];
    step.status = StepStatus::Skipped;
    step.suggested_agent = Some(text("developer"));
    step.executed_by = Some(text("tester"));
    step.instructions = Some(text("so"));
    step.acceptance_criteria = vec![text("it works")];
    step.checks = vec![vec!["make".to_owned(), "test".to_owned()]];
    step.affected_files = vec![text("a.rs")];
    step.output = Some(text("done"));
    step.error = Some(text("not done"));
    step.started_at = Some(Timestamp(8));
    step.completed_at = Some(Timestamp(9));
    plan
}

fn record(decision: NextMove, source: MoveSource) -> ConductorFact {
    ConductorFact::Decided(Box::new(MoveRecord {
        number: 1,
        call: DecisionPoint::Evaluate,
        iteration: 1,
        input: Arc::new(json!({"task": "Build."})),
        legal: MoveKind::ALL.to_vec(),
        prompt: Some(text("9f86d0")),
        replies: vec![reply()],
        decision,
        source,
        cause: Some(text("asked")),
    }))
}

fn reply() -> RawReply {
    RawReply {
        raw: text("{}"),
        faults: vec![text("`type` is missing")],
        latency_ms: 5,
        tokens: Some(RunTokens { input: 1, output: 2, total: 3 }),
    }
}

fn decisions() -> Vec<ConductorFact> {
    let reason = || text("so it is");
    vec![
        record(
            NextMove::SelectMode {
                mode: text("developer"),
                reason: reason(),
                guidance: Some(text("mind zero")),
            },
            MoveSource::Rules,
        ),
        record(NextMove::Continue { reason: reason() }, MoveSource::Cache),
        record(NextMove::Retry { reason: reason() }, MoveSource::Model),
        record(NextMove::Complete { summary: text("done") }, MoveSource::Fallback),
        record(NextMove::SkipStep { reason: reason() }, MoveSource::Human),
        record(NextMove::Replan { reason: reason() }, MoveSource::Model),
        record(NextMove::AskHuman { question: text("Which?"), options: vec![text("a")] }, MoveSource::Model),
        record(NextMove::Fail { reason: reason() }, MoveSource::Model),
    ]
}

fn conducted_facts() -> Vec<ConductorFact> {
    let mut agents = conductor::agents();
    agents.truncate(3);
    agents[0].part = Some(AgentDuty::Keeper);
    agents[1].input = Richness::Lean;
    agents[1].when_to_use = Some(text("to build"));
    agents[1].limits.timeout_ms = Some(60_000);
    agents[1].provider.routes = vec!["claude".to_owned()];
    agents[1].tools.bash.allow = vec![vec![text("git"), text("log")]];
    agents[2].transitions.custom.push(VerdictTransition {
        when: text("allPassed"),
        target: TransitionTarget::Complete,
        reason: Some(text("it is good")),
    });
    let note = Note {
        title: text("The build"),
        when_to_use: Some(text("before building")),
        tags: vec![text("build")],
        importance: Importance::High,
        discovered_at: Some(text("2026-11-16")),
        discovered_by: Some(text("developer")),
        text: text("It needs make."),
    };
    let [whole, bare] = executions();
    let [run, plain] = runs();
    let objection = Objection { verdict: text("needsChanges"), issues: vec![text("no test")], step: Some(1) };
    let asking = MoveAttempt {
        number: 1,
        call: DecisionPoint::Select,
        attempt: 2,
        input: Arc::new(json!({"task": "Build."})),
        legal: vec![MoveKind::SelectMode, MoveKind::Fail],
        prompt: text("9f86d0"),
        shorter: true,
    };
    let step = |status, by: Option<&str>| ConductorFact::Step {
        index: 1,
        status,
        by: by.map(Arc::from),
        words: by.map(|_| text("done")),
    };
    let mut facts = vec![
        ConductorFact::Agents(agents),
        ConductorFact::Notes(vec![note.clone()]),
        ConductorFact::Selecting,
        ConductorFact::ModelAsked(Box::new(asking)),
        ConductorFact::ReplyMisread(reply()),
        ConductorFact::Unavailable { why: text("overloaded"), until: Timestamp(9) },
        ConductorFact::Spent { tokens: 3, cost_microusd: 40 },
        ConductorFact::Guided(text("mind zero")),
        ConductorFact::RunPrepared(Box::new(run)),
        ConductorFact::RunPrepared(Box::new(plain)),
        ConductorFact::RunBegan {
            session: SessionId(2),
            before: Some(tree()),
            deadline: Some(Timestamp(60)),
        },
        ConductorFact::RunBegan { session: SessionId(2), before: None, deadline: None },
        ConductorFact::RunEnding(Box::new(ending())),
        ConductorFact::RunEnded {
            execution: Some(Box::new(whole)),
            error: Some(Box::new(context())),
            objection: Some(objection),
        },
        ConductorFact::RunEnded { execution: Some(Box::new(bare)), error: None, objection: None },
        ConductorFact::RunEnded { execution: None, error: None, objection: None },
        ConductorFact::Planned(Box::new(plan())),
        step(StepStatus::Pending, None),
        step(StepStatus::InProgress, Some("developer")),
        step(StepStatus::Complete, Some("developer")),
        step(StepStatus::Failed, Some("developer")),
        ConductorFact::AskedHuman { message: MessageId(3) },
        ConductorFact::AnswerUsed { message: MessageId(4) },
        ConductorFact::Claimed { summary: text("done") },
        ConductorFact::TurnedBack { why: text("a check failed") },
        ConductorFact::Verified { commit: Some(text("4b825dc")) },
        ConductorFact::Verified { commit: None },
        ConductorFact::Remembered(note),
        ConductorFact::Steered { by: Actor::human(Door::Terminal, "ada"), what: text("developer runs next") },
        ConductorFact::Rerouted { provider: text("claude") },
    ];
    facts.extend(decisions());
    facts
}
