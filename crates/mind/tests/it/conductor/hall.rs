//! A conducted mission, made fact by fact without the machine.

use std::sync::Arc;

use mind::charter::Charter;
use mind::conductor::agent::Agent;
use mind::conductor::plan::{Plan, StepStatus};
use mind::conductor::{ConductorFact, ConductorState, Execution, RunStatus};
use mind::fact::MissionFact;
use mind::play::Stage;
use mind::{Entry, Fact, SessionId, State, Timestamp};
use serde_json::{Value, json};

/// A planner, a developer, a tester, a reviewer, and a keeper that is internal.
pub fn agents() -> Vec<Agent> {
    let judge = |words: &[&str]| json!({"type": "object", "properties": {"verdict": {"enum": words}}});
    let read = json!({"blocked": ["Edit", "Write", "NotebookEdit", "MultiEdit"]});
    let agents = json!([
        {"name": "planner", "displayName": "Planning Agent", "prompt": "", "part": "planner", "tools": read,
         "transitions": {"onSuccess": "developer"}},
        {"name": "developer", "displayName": "Development Agent", "prompt": ""},
        {"name": "tester", "displayName": "Test Runner", "prompt": "",
         "response": judge(&["allPassed", "someFailures"]),
         "transitions": {"custom": [{"when": "allPassed", "target": "reviewer"},
                                    {"when": "someFailures", "target": "developer"}]}},
        {"name": "reviewer", "displayName": "Review Agent", "prompt": "", "tools": read,
         "response": judge(&["approved", "needsChanges", "blocked"]),
         "transitions": {"custom": [{"when": "approved", "target": "complete"},
                                    {"when": "needsChanges", "target": "developer", "reason": "changes are needed"},
                                    {"when": "blocked", "target": "arbiter"}]}},
        {"name": "keeper", "displayName": "Keeper", "prompt": "", "part": "keeper", "internal": true},
    ]);
    serde_json::from_value(agents).expect("agents")
}

/// A mission that is only open.
pub struct Hall {
    pub state: State,
    pub entries: Vec<Entry>,
    pub at: u64,
}

impl Hall {
    /// Opened with these changes of the agents and of how it is conducted.
    pub fn opened(conducting: Value, change: impl FnOnce(&mut Vec<Agent>)) -> Hall {
        let mut stage = Stage::new();
        stage.perform("open");
        let charter = stage.state.charter.as_deref().expect("a charter").clone();
        let mut agents = agents();
        change(&mut agents);
        let mut given = json!({"defaultAgent": "planner"});
        let extra = conducting.as_object().expect("an object").clone();
        given.as_object_mut().expect("an object").extend(extra);
        let conducting = Some(Box::new(serde_json::from_value(given).expect("conducting")));
        let charter = Charter { agents, conducting, ..charter };
        let mut hall = Hall { state: State::default(), entries: Vec::new(), at: 1_000 };
        hall.fact(Fact::Mission(MissionFact::Opened(Box::new(charter))));
        hall
    }

    /// Opened with the built defaults.
    pub fn plain() -> Hall {
        Hall::opened(json!({}), |_| {})
    }

    pub fn now(&self) -> Timestamp {
        Timestamp(self.at)
    }

    pub fn conductor(&self) -> &ConductorState {
        self.state.conductor.as_ref().expect("a podium")
    }

    pub fn fact(&mut self, fact: Fact) {
        self.at += 1_000;
        let entry = Entry { at: Timestamp(self.at), fact };
        self.state.apply(&entry);
        self.entries.push(entry);
    }

    pub fn tell(&mut self, fact: ConductorFact) {
        self.fact(Fact::Conductor(fact));
    }

    /// An agent ran, in the step that is next unless `free`.
    pub fn ran(&mut self, agent: &str, status: RunStatus, verdict: Option<&str>) -> &mut Hall {
        let conductor = self.conductor();
        let (seq, iteration) = (conductor.history.len() as u32 + 1, conductor.iterations + 1);
        let step = conductor.plan.as_deref().and_then(|plan| plan.next()).map(|step| step.index);
        let objects =
            conductor.agent(agent).zip(verdict).is_some_and(|(agent, verdict)| agent.objects(verdict));
        let run = json!({"number": conductor.runs + 1, "kind": "work", "agent": agent, "iteration": iteration,
                         "step": step, "began_at": 1, "beganAt": 1});
        self.tell(ConductorFact::RunPrepared(Box::new(serde_json::from_value(run).expect("a run"))));
        self.tell(ConductorFact::RunBegan { session: SessionId(seq), before: None, deadline: None });
        let issues = if objects { vec![Arc::from("the door is open")] } else { Vec::new() };
        let error = status.failed().then(|| {
            let error =
                json!({"message": "no such module", "category": "tool_failure", "recoveryOptions": []});
            serde_json::from_value(error).expect("an error")
        });
        let execution = Execution {
            seq,
            agent: Arc::from(agent),
            iteration,
            status,
            duration_ms: Some(5),
            output: serde_json::from_value(json!({"summary": format!("{agent} ran")})).expect("output"),
            error,
            tokens: None,
            started_at: Timestamp(self.at),
            completed_at: None,
            step,
            verdict: verdict.map(Arc::from),
            issues: issues.clone(),
        };
        let objection = objects.then(|| {
            let objection = json!({"verdict": verdict, "issues": issues, "step": step});
            serde_json::from_value(objection).expect("an objection")
        });
        self.tell(ConductorFact::RunEnded { execution: Some(Box::new(execution)), error: None, objection });
        self
    }

    /// An agent ran well and its step is over.
    pub fn did(&mut self, agent: &str) -> &mut Hall {
        let next = self.conductor().plan.as_deref().and_then(|plan| plan.next()).map(|step| step.index);
        self.ran(agent, RunStatus::Success, None);
        if let Some(index) = next {
            self.step(index, StepStatus::Complete);
        }
        self
    }

    pub fn step(&mut self, index: u32, status: StepStatus) -> &mut Hall {
        self.tell(ConductorFact::Step { index, status, by: None, words: None });
        self
    }

    /// A plan of one step for each of these; an empty name suggests nobody.
    pub fn planned(&mut self, suggested: &[&str]) -> &mut Hall {
        let steps: Vec<Value> = suggested
            .iter()
            .enumerate()
            .map(|(index, name)| {
                let name = Some(name).filter(|name| !name.is_empty());
                json!({"index": index, "description": format!("do part {index}"), "status": "pending",
                       "suggestedAgent": name})
            })
            .collect();
        let plan: Plan = serde_json::from_value(json!({
            "id": "p1", "task": "t", "status": "draft", "steps": steps, "currentStepIndex": 0, "version": 1,
            "createdAt": 1, "updatedAt": 1, "createdBy": "planner",
        }))
        .expect("a plan");
        self.tell(ConductorFact::Planned(Box::new(plan)));
        self
    }

    pub fn turned_back(&mut self) -> &mut Hall {
        self.tell(ConductorFact::TurnedBack { why: Arc::from("cargo test failed") });
        self
    }
}
