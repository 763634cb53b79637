//! The three worked examples of the specification, made of facts.

use std::sync::Arc;

use mind::Timestamp;
use mind::conductor::agent::Agent;
use mind::conductor::errors::{Circumstances, recovery};
use mind::conductor::execution::{
    ErrorCategory, ErrorContext, ErrorDetails, Execution, RunError, RunStatus, RunTokens,
};
use mind::conductor::plan::StepStatus;
use mind::conductor::{ConductorFact, DecisionPoint};
use mind::play::conducted::{Conducted, agent, plan};

pub const TASK: &str = "Implement user authentication";

/// One of the examples: the mission, and the call that is due.
pub struct Example {
    pub name: &'static str,
    pub mission: Conducted,
    pub call: DecisionPoint,
}

pub fn examples() -> [Example; 3] {
    [
        Example { name: "first-iteration", mission: first(), call: DecisionPoint::Select },
        Example { name: "after-a-failure", mission: after_a_failure(), call: DecisionPoint::Select },
        Example { name: "after-a-success", mission: after_a_success(), call: DecisionPoint::Evaluate },
    ]
}

pub fn agents() -> Vec<Agent> {
    let mut planner = agent("planner", "Planning Agent");
    planner.when_to_use = Some(Arc::from("Use this agent when starting a new task that needs analysis..."));
    planner.tools.allowed = Some(["Read", "Grep", "Glob"].map(Arc::from).to_vec());
    planner.tools.blocked = ["Edit", "Write", "Bash"].map(Arc::from).to_vec();
    let mut developer = agent("developer", "Development Agent");
    developer.when_to_use = Some(Arc::from("Use when code modifications are required..."));
    vec![planner, developer]
}

pub fn first() -> Conducted {
    Conducted::open(TASK, agents())
}

/// Iteration 4, after a tool failed in step 2.
pub fn after_a_failure() -> Conducted {
    let mut mission = first();
    mission.run(
        "planner",
        RunStatus::Success,
        45_000,
        "Analysis complete. Created 5-step plan...",
        |_, _| {},
    );
    two_steps(&mut mission);
    mission
}

/// The evaluation after iteration 4, which mended it. As in the specification, the planner's run is no entry of this history.
pub fn after_a_success() -> Conducted {
    let mut mission = first();
    mission.run_unlisted("planner", 45_000);
    two_steps(&mut mission);
    step(&mut mission, 1, StepStatus::InProgress, None);
    let summary = "Login endpoint implemented. Created src/auth/login.ts with POST /login...";
    mission.run("developer", RunStatus::Success, 120_000, summary, |run, _| {
        run.output.full = Some(Arc::from(format!("{summary}\nThe token is signed with jsonwebtoken.")));
        run.output.files_modified = Some(vec![Arc::from("src/auth/login.ts")]);
        run.tokens = Some(RunTokens { input: 2100, output: 1230, total: 3330 });
    });
    step(&mut mission, 1, StepStatus::Complete, Some(summary));
    mission
}

/// The plan is made, its first step is done, and its second fails.
fn two_steps(mission: &mut Conducted) {
    let steps = ["Create middleware", "Login endpoint", "Logout endpoint", "Session store", "Tests"];
    let plan = plan(TASK, &steps, mission.now);
    mission.told(ConductorFact::Planned(Box::new(plan)));
    step(mission, 0, StepStatus::InProgress, None);
    mission.run("developer", RunStatus::Success, 90_000, "Middleware created successfully...", |_, _| {});
    step(mission, 0, StepStatus::Complete, Some("Middleware created successfully..."));
    step(mission, 1, StepStatus::InProgress, None);
    let end = Timestamp(mission.now.0 + 30_000);
    mission.run("developer", RunStatus::Failure, 30_000, "Failed at import statement...", |run, error| {
        import_failed(run, error, end);
    });
    step(mission, 1, StepStatus::Failed, Some("Cannot find module 'jsonwebtoken'"));
}

fn import_failed(run: &mut Execution, error: &mut Option<Box<ErrorContext>>, at: Timestamp) {
    let known = Circumstances { retryable: true, in_step: true, others: true, ..Circumstances::default() };
    let options = recovery(ErrorCategory::ToolFailure, &known);
    run.error = Some(Arc::new(RunError {
        message: Arc::from("Cannot find module 'jsonwebtoken'"),
        category: ErrorCategory::ToolFailure,
        step: Some(2),
        tool: Some(Arc::from("Bash")),
        recovery_options: options.clone(),
    }));
    *error = Some(Box::new(ErrorContext {
        agent: run.agent.clone(),
        tool: Some(Arc::from("Bash")),
        plan_step: Some(2),
        attempted: Arc::from("npm install jsonwebtoken"),
        message: Arc::from("Command failed with exit code 1"),
        category: ErrorCategory::ToolFailure,
        recovery_options: options,
        timestamp: at,
        context: Some(ErrorDetails {
            command_executed: Some(Arc::from("npm install jsonwebtoken")),
            ..ErrorDetails::default()
        }),
    }));
}

pub fn step(mission: &mut Conducted, index: u32, status: StepStatus, words: Option<&str>) {
    let by = (status != StepStatus::Pending).then(|| Arc::from("developer"));
    mission.told(ConductorFact::Step { index, status, by, words: words.map(Arc::from) });
}

/// The error of a run that failed with this message.
pub fn failed(run: &Execution, message: &str) -> ErrorContext {
    ErrorContext {
        agent: run.agent.clone(),
        tool: Some(Arc::from(message)),
        plan_step: Some(1),
        attempted: Arc::from(message),
        message: Arc::from(message),
        category: ErrorCategory::Unknown,
        recovery_options: recovery(ErrorCategory::Unknown, &Circumstances::default()),
        timestamp: run.started_at,
        context: None,
    }
}
