//! Conducted missions to draw frames from, fact by fact.

use std::sync::Arc;

use mind::access::SandboxLevel;
use mind::actor::{Actor, Door};
use mind::charter::Charter;
use mind::conductor::agent::{Agent, AgentAssignment, AgentTools};
use mind::conductor::execution::{ErrorCategory, Execution, RunError, RunOutput, RunStatus, RunTokens};
use mind::conductor::move_record::{MoveAttempt, RawReply};
use mind::conductor::plan::{Plan, PlanNotes, PlanStatus, PlanStep, StepStatus};
use mind::conductor::state::{Objection, Run, RunKind};
use mind::conductor::{
    Conducting, ConductorFact, DecisionPoint, Limits, MoveKind, MoveRecord, MoveSource, NextMove, Note,
};
use mind::fact::{ContextFact, LifeFact, MissionFact, SessionFact, ToolFact, TurnFact};
use mind::session::{Gauge, Profile, Role};
use mind::{Fact, SessionId, Timestamp, TurnId};
use serde_json::json;
use tui::view_model::Attachment;

use crate::booth::Booth;

pub fn agent(name: &str, display: &str, internal: bool) -> Agent {
    serde_json::from_value(json!({
        "name": name, "displayName": display, "prompt": "Do it.", "internal": internal,
    }))
    .expect("an agent")
}

/// The charter of a conducted mission with bounds.
pub fn charter() -> Charter {
    let mut charter = mind::play::charter::charter("open checks \"cargo test\" scroll \"# Sign in\"");
    charter.agents = vec![
        agent("planner", "Planning Agent", false),
        agent("developer", "Development Agent", false),
        agent("tester", "Testing Agent", false),
        agent("reviewer", "Review Agent", false),
        agent("memory-keeper", "Memory Keeper", true),
    ];
    charter.conducting = Some(Box::new(Conducting {
        default_agent: Arc::from("planner"),
        limits: Limits {
            deadline_ms: Some(8 * 3_600_000),
            budget_microusd: Some(20_000_000),
            budget_tokens: Some(2_000_000),
            ..Limits::default()
        },
        decider: None,
        routes: Vec::new(),
        keeping: Default::default(),
        dry_run: false,
    }));
    charter
}

pub fn fact(fact: ConductorFact) -> Fact {
    Fact::Conductor(fact)
}

pub fn record(
    number: u32,
    call: DecisionPoint,
    iteration: u32,
    source: MoveSource,
    decision: NextMove,
) -> Fact {
    let replies = if source == MoveSource::Model {
        vec![RawReply { raw: Arc::from("{}"), faults: Vec::new(), latency_ms: 1_830, tokens: None }]
    } else {
        Vec::new()
    };
    let cause = match source {
        MoveSource::Rules => Some(Arc::from("the configured transition")),
        MoveSource::Fallback => Some(Arc::from("the model answered three times without a decision")),
        MoveSource::Cache | MoveSource::Model | MoveSource::Human => None,
    };
    fact(ConductorFact::Decided(Box::new(MoveRecord {
        number,
        call,
        iteration,
        input: Arc::new(json!({})),
        legal: vec![MoveKind::Retry],
        prompt: None,
        replies,
        decision,
        source,
        cause,
    })))
}

fn step(index: u32, description: &str, agent: &str, after: &[u32]) -> PlanStep {
    PlanStep {
        index,
        description: Arc::from(description),
        status: StepStatus::Pending,
        suggested_agent: Some(Arc::from(agent)),
        executed_by: None,
        depends_on: after.to_vec(),
        instructions: None,
        acceptance_criteria: Vec::new(),
        checks: Vec::new(),
        affected_files: Vec::new(),
        output: None,
        error: None,
        started_at: None,
        completed_at: None,
    }
}

pub fn plan() -> Plan {
    let mut login = step(1, "Login endpoint", "developer", &[0]);
    login.instructions = Some(Arc::from("POST /login answers a token that dies after 48 hours."));
    login.acceptance_criteria = vec![Arc::from("a wrong password is refused"), Arc::from("tokens expire")];
    login.checks = vec![vec!["cargo".to_owned(), "test".to_owned(), "login".to_owned()]];
    login.affected_files = vec![Arc::from("src/auth/login.rs")];
    let steps = vec![
        step(0, "Create middleware", "developer", &[]),
        login,
        step(2, "Google and GitHub sign-in, with a state parameter in a signed cookie", "developer", &[1]),
        step(3, "Tests of every way to sign in", "tester", &[2]),
        step(4, "Review", "reviewer", &[3]),
    ];
    Plan {
        id: Arc::from("plan-1"),
        task: Arc::from("Implement user authentication"),
        status: PlanStatus::Draft,
        steps,
        current_step_index: 0,
        version: 1,
        created_at: Timestamp(0),
        updated_at: Timestamp(0),
        created_by: Arc::from("planner"),
        metadata: PlanNotes { confidence: Some(82), assumptions: vec![Arc::from("no sessions are stored")] },
    }
}

/// A run is prepared and begins in a session of its own.
pub fn begins(number: u32, agent: &str, step: Option<u32>, kind: RunKind) -> Vec<Fact> {
    let session = SessionId(number);
    let run = Run {
        number,
        kind,
        agent: Arc::from(agent),
        iteration: number,
        step,
        mends: false,
        before: None,
        session: None,
        began_at: Timestamp(0),
        deadline: None,
        ending: None,
    };
    let casting = AgentAssignment {
        name: Arc::from(agent),
        tools: AgentTools::default(),
        schema: Arc::new(json!({"type": "object"})),
    };
    let profile = Profile {
        session,
        role: Role::Agent,
        number: 0,
        provider: "claude".to_owned(),
        model: Some("sonnet".to_owned()),
        key: format!("0000-{number}"),
        prompt: Arc::from("Do it."),
        scout: None,
        casting: Some(Arc::new(casting)),
    };
    let mut facts = vec![fact(ConductorFact::RunPrepared(Box::new(run)))];
    facts.push(Fact::Session(session, SessionFact::Life(LifeFact::Summoned(profile))));
    facts.push(Fact::Session(session, SessionFact::Life(LifeFact::Sandboxed(SandboxLevel::Bubblewrap))));
    facts.push(fact(ConductorFact::RunBegan { session, before: None, deadline: None }));
    if let Some(index) = step {
        facts.push(at_step(index, StepStatus::InProgress, None));
    }
    facts
}

pub fn at_step(index: u32, status: StepStatus, words: Option<&str>) -> Fact {
    let by = (status != StepStatus::Pending).then(|| Arc::from("developer"));
    fact(ConductorFact::Step { index, status, by, words: words.map(Arc::from) })
}

/// A run as it stands in the history.
pub fn execution(number: u32, agent: &str, step: Option<u32>, status: RunStatus, summary: &str) -> Execution {
    let failed = status.failed();
    Execution {
        seq: number,
        agent: Arc::from(agent),
        iteration: number,
        status,
        duration_ms: Some(90_000),
        output: RunOutput { summary: Arc::from(summary), full: None, files_modified: None },
        error: failed.then(|| {
            Arc::new(RunError {
                message: Arc::from("cannot find crate `jsonwebtoken`"),
                category: ErrorCategory::ToolFailure,
                step: step.map(|step| step + 1),
                tool: Some(Arc::from("Bash")),
                recovery_options: Vec::new(),
            })
        }),
        tokens: Some(RunTokens { input: 21_000, output: 12_300, total: 33_300 }),
        started_at: Timestamp(0),
        completed_at: None,
        step,
        verdict: None,
        issues: Vec::new(),
    }
}

pub fn ends(execution: Execution, objection: Option<Objection>) -> Vec<Fact> {
    let session = SessionId(execution.iteration);
    vec![
        Fact::Session(session, SessionFact::Life(LifeFact::Released)),
        fact(ConductorFact::RunEnded { execution: Some(Box::new(execution)), error: None, objection }),
    ]
}

fn reason(text: &str) -> Arc<str> {
    Arc::from(text)
}

/// A plan was made, its first step is done, the second failed once and is tried again.
pub fn at_work() -> Booth {
    let mut booth = Booth::new(Attachment::House);
    booth.told([
        Fact::Mission(MissionFact::Opened(Box::new(charter()))),
        Fact::Mission(MissionFact::CloneReady {
            folder: Arc::from("/clones/m1"),
            base: Arc::from("c0"),
            branch: Arc::from("arbiter/m1"),
        }),
        fact(ConductorFact::Selecting),
        record(
            1,
            DecisionPoint::Select,
            1,
            MoveSource::Rules,
            NextMove::SelectMode {
                mode: Arc::from("planner"),
                reason: reason("the first pick is the default agent"),
                guidance: None,
            },
        ),
    ]);
    booth.told(begins(1, "planner", None, RunKind::Work));
    booth.happens("later 45s");
    booth.told(ends(
        execution(1, "planner", None, RunStatus::Success, "Analysed the scroll; five steps."),
        None,
    ));
    booth.told([
        fact(ConductorFact::Planned(Box::new(plan()))),
        record(
            2,
            DecisionPoint::Evaluate,
            1,
            MoveSource::Rules,
            NextMove::SelectMode {
                mode: Arc::from("developer"),
                reason: reason("planner succeeded, and its rule says so"),
                guidance: None,
            },
        ),
    ]);
    booth.told(begins(2, "developer", Some(0), RunKind::Work));
    booth.happens("later 90s");
    let mut done =
        execution(2, "developer", Some(0), RunStatus::Success, "The middleware reads a bearer token.");
    done.output.files_modified = Some(vec![Arc::from("src/auth/mod.rs"), Arc::from("src/main.rs")]);
    booth.told(ends(done, None));
    booth.told([
        at_step(0, StepStatus::Complete, Some("The middleware reads a bearer token.")),
        fact(ConductorFact::ModelAsked(Box::new(MoveAttempt {
            number: 3,
            call: DecisionPoint::Evaluate,
            attempt: 1,
            input: Arc::new(json!({})),
            legal: Vec::new(),
            prompt: Arc::from("sha256:1"),
            shorter: false,
        }))),
        record(
            3,
            DecisionPoint::Evaluate,
            2,
            MoveSource::Model,
            NextMove::Continue { reason: reason("The middleware stands, and the login endpoint is next.") },
        ),
    ]);
    booth.told(begins(3, "developer", Some(1), RunKind::Work));
    booth.happens("later 4m");
    booth
        .told(ends(execution(3, "developer", Some(1), RunStatus::Failure, "It stopped at an import."), None));
    booth.told([
        at_step(1, StepStatus::Failed, Some("cannot find crate `jsonwebtoken`")),
        record(4, DecisionPoint::Evaluate, 3, MoveSource::Model, NextMove::Retry {
            reason: reason(
                "A crate is missing, which is no fault of the design: add jsonwebtoken to Cargo.toml, then go on from the import.",
            ),
        }),
        fact(ConductorFact::Guided(reason("add jsonwebtoken to Cargo.toml"))),
    ]);
    booth.told(begins(4, "developer", Some(1), RunKind::Work));
    booth.happens("later 1m");
    let session = SessionId(4);
    booth.told([
        Fact::Session(
            session,
            SessionFact::Turn(TurnFact::Prompted {
                turn: TurnId(4),
                text: Arc::from("Go."),
                mail: 0,
                words: Arc::from([]),
                log_of: Vec::new(),
            }),
        ),
        Fact::Session(
            session,
            SessionFact::Context(ContextFact::Gauged(Gauge::named(68_000, 200_000, "usage"))),
        ),
        fact(ConductorFact::Spent { tokens: 1_900, cost_microusd: 1_240_000 }),
        Fact::Session(
            session,
            SessionFact::Tool(ToolFact::Started {
                call: Arc::from("t1"),
                name: Arc::from("Edit"),
                detail: Arc::from("Cargo.toml"),
            }),
        ),
    ]);
    booth
}

/// The tester objects, the model cannot be reached, and then the fallback decides.
pub fn in_trouble() -> Booth {
    let mut booth = at_work();
    booth.happens("later 3m");
    booth.told(ends(execution(4, "developer", Some(1), RunStatus::Success, "POST /login answers."), None));
    booth.told([
        at_step(1, StepStatus::Complete, Some("POST /login answers.")),
        record(
            5,
            DecisionPoint::Evaluate,
            4,
            MoveSource::Fallback,
            NextMove::SelectMode {
                mode: Arc::from("tester"),
                reason: reason("a pending step, its suggested agent"),
                guidance: None,
            },
        ),
        fact(ConductorFact::Steered { by: human(), what: Arc::from("forced: tester runs next") }),
    ]);
    booth.told(begins(5, "tester", None, RunKind::Work));
    let mut tested = execution(5, "tester", None, RunStatus::Success, "Two of twelve tests fail.");
    tested.verdict = Some(Arc::from("someFailures"));
    tested.issues = vec![reason("tokens live for an hour, not 48"), reason("an empty password is accepted")];
    let objection =
        Objection { verdict: Arc::from("someFailures"), issues: tested.issues.clone(), step: Some(1) };
    booth.told(ends(tested, Some(objection)));
    booth.told([
        fact(ConductorFact::Remembered(note("Tokens are signed with HS256"))),
        fact(ConductorFact::ModelAsked(Box::new(MoveAttempt {
            number: 6,
            call: DecisionPoint::Evaluate,
            attempt: 1,
            input: Arc::new(json!({})),
            legal: Vec::new(),
            prompt: Arc::from("sha256:1"),
            shorter: false,
        }))),
        fact(ConductorFact::ReplyMisread(RawReply {
            raw: Arc::from("well,"),
            faults: vec![Arc::from("there is no object in it")],
            latency_ms: 900,
            tokens: None,
        })),
    ]);
    let until = Timestamp(booth.state().now.0 + 30_000);
    booth.told([fact(ConductorFact::Unavailable { why: Arc::from("529 overloaded"), until })]);
    booth.happens("later 6s");
    booth
}

pub fn note(title: &str) -> Note {
    serde_json::from_value(json!({"title": title, "text": title})).expect("a note")
}

pub fn human() -> Actor {
    Actor::human(Door::Terminal, "ada")
}
