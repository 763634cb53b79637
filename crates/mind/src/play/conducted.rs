//! A conducted mission made of facts alone, for tests and benches: no machine runs, so any history can be had at once.
//! Plays of the machine itself are in `conductor`, whose agents and ways these are.

use std::sync::Arc;

use super::charter::charter;
use crate::charter::Charter;
use crate::conductor::agent::Agent;
use crate::conductor::execution::{ErrorContext, Execution, RunOutput, RunStatus};
use crate::conductor::plan::{Plan, PlanNotes, PlanStatus, PlanStep, StepStatus};
use crate::conductor::state::{Run, RunKind};
use crate::conductor::{Conducting, ConductorFact, NoteKeeping};
use crate::fact::{Entry, Fact, MissionFact};
use crate::id::{SessionId, Timestamp};
use crate::state::State;

/// When every mission of this kind opens: 2026-01-30T09:00:00Z.
pub const OPENED_AT: Timestamp = Timestamp(1_769_763_600_000);

/// A conducted mission in the making.
#[derive(Debug, Clone)]
pub struct Conducted {
    /// As it stands.
    pub state: State,
    /// The moment of the next fact.
    pub now: Timestamp,
}

impl Conducted {
    /// A mission with this task and these agents, of which the first is the default.
    pub fn open(task: &str, agents: Vec<Agent>) -> Conducted {
        let default_agent = agents.first().map_or_else(|| Arc::from("none"), |agent| agent.name.clone());
        let conducting = Conducting {
            default_agent,
            decider: None,
            keeping: NoteKeeping::Off,
            ..super::conductor::conducting()
        };
        let mut charter = charter("open");
        charter.scroll.text = Arc::from(task);
        charter.agents = agents;
        charter.conducting = Some(Box::new(conducting));
        Conducted::with(charter)
    }

    /// A mission with this charter.
    pub fn with(charter: Charter) -> Conducted {
        let mut conducted = Conducted { state: State::default(), now: OPENED_AT };
        conducted.fact(Fact::Mission(MissionFact::Opened(Box::new(charter))));
        conducted
    }

    /// Holds a fact true, now.
    pub fn fact(&mut self, fact: Fact) {
        self.state.apply(&Entry { at: self.now, fact });
    }

    /// Holds a fact of the conductor true, now.
    pub fn told(&mut self, fact: ConductorFact) -> &mut Conducted {
        self.fact(Fact::Conductor(fact));
        self
    }

    /// An agent runs for `ms` and ends so; `change` says what else is known of the run.
    pub fn run(
        &mut self,
        agent: &str,
        status: RunStatus,
        ms: u64,
        summary: &str,
        change: impl FnOnce(&mut Execution, &mut Option<Box<ErrorContext>>),
    ) -> &mut Conducted {
        let run = self.begin(agent);
        let seq = self.state.conductor.as_ref().map_or(0, |conductor| conductor.history.len() as u32) + 1;
        let mut execution = Execution {
            seq,
            agent: run.agent,
            iteration: run.iteration,
            status,
            duration_ms: Some(ms),
            output: RunOutput { summary: Arc::from(summary), full: None, files_modified: None },
            error: None,
            tokens: None,
            started_at: self.now,
            completed_at: Some(Timestamp(self.now.0 + ms)),
            step: run.step,
            verdict: None,
            issues: Vec::new(),
        };
        self.now.0 += ms;
        let mut error = None;
        change(&mut execution, &mut error);
        self.told(ConductorFact::RunEnded { execution: Some(Box::new(execution)), error, objection: None })
    }

    /// An agent runs for `ms`, and its run is no entry of the history.
    pub fn run_unlisted(&mut self, agent: &str, ms: u64) -> &mut Conducted {
        self.begin(agent);
        self.now.0 += ms;
        self.told(ConductorFact::RunEnded { execution: None, error: None, objection: None })
    }

    fn begin(&mut self, agent: &str) -> Run {
        let (runs, iteration, step) = self.state.conductor.as_ref().map_or((0, 0, None), |conductor| {
            let step = conductor.plan.as_ref().and_then(|plan| plan.next()).map(|step| step.index);
            (conductor.runs, conductor.iterations, step)
        });
        let run = Run {
            number: runs + 1,
            kind: RunKind::Work,
            agent: Arc::from(agent),
            iteration: iteration + 1,
            step,
            mends: false,
            before: None,
            session: None,
            began_at: self.now,
            deadline: None,
            ending: None,
        };
        let session = SessionId(run.number);
        self.told(ConductorFact::RunPrepared(Box::new(run.clone())));
        self.told(ConductorFact::RunBegan { session, before: None, deadline: None });
        run
    }

    /// Runs of the agents in turn, every fourth of which fails; with outputs as long as they may be.
    pub fn long(runs: u32) -> Conducted {
        let agents = vec![agent("planner", "Planning Agent"), agent("developer", "Development Agent")];
        let mut conducted = Conducted::open("Build the bridge.", agents);
        let full: Arc<str> = Arc::from("All that was printed. ".repeat(360));
        for number in 0..runs {
            let status = if number % 4 == 3 { RunStatus::Failure } else { RunStatus::Success };
            let who = if number % 2 == 0 { "planner" } else { "developer" };
            conducted.run(
                who,
                status,
                1_000,
                "It did what it could, and says so in a few words.",
                |run, _| {
                    run.output.full = Some(full.clone());
                },
            );
        }
        conducted
    }
}

/// An agent that may do everything.
pub fn agent(name: &str, display_name: &str) -> Agent {
    Agent { display_name: Arc::from(display_name), ..super::conductor::agent(name) }
}

/// A plan of these steps, each of which rests on the one before; nothing of it has begun.
pub fn plan(task: &str, steps: &[&str], at: Timestamp) -> Plan {
    let steps = steps.iter().zip(0..).map(|(description, index)| PlanStep {
        index,
        description: Arc::from(*description),
        status: StepStatus::Pending,
        suggested_agent: None,
        executed_by: None,
        depends_on: index.checked_sub(1).into_iter().collect(),
        instructions: None,
        acceptance_criteria: Vec::new(),
        checks: Vec::new(),
        affected_files: Vec::new(),
        output: None,
        error: None,
        started_at: None,
        completed_at: None,
    });
    Plan {
        id: Arc::from("plan-1"),
        task: Arc::from(task),
        status: PlanStatus::Draft,
        steps: steps.collect(),
        current_step_index: 0,
        version: 1,
        created_at: at,
        updated_at: at,
        created_by: Arc::from("planner"),
        metadata: PlanNotes::default(),
    }
}
