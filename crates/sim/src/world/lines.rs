//! What agents say when a turn ends: sensible for their role and the mission's course, so that most worlds complete;
//! and, by dice, nonsense and lies.

use std::sync::Arc;

use mind::charter::Consent;
use mind::event::TurnEnd;
use mind::session::{Role, Task, TaskStatus};
use mind::talk::Verdict;
use mind::{Address, AgentEvent, State, TurnId};
use serde_json::{Value, json};

use super::World;
use super::agents::WINDOW;
use super::fault::Fault;

impl World {
    /// The last events of a turn: the checklist, what it took, then the rest with its output.
    pub(super) fn last_words(&mut self, address: Address, turn: TurnId) -> Vec<AgentEvent> {
        let Some(state) = self.house.as_ref().map(|house| house.state.clone()) else { return Vec::new() };
        let Some(role) = self.living(address).map(|agent| agent.role) else { return Vec::new() };
        let mut events = Vec::new();
        let output = if self.strikes(Fault::Malformed, 15) {
            self.nonsense()
        } else {
            let output = match role {
                Role::Arbiter => self.manager_says(&state),
                Role::Orchestrator => {
                    let output = self.worker_says(address, &state);
                    if self.living(address).is_some_and(|agent| agent.circles == 0) {
                        events.push(AgentEvent::Tasks(self.checklist(&output)));
                    }
                    output
                }
                Role::Verifier => self.verifier_says(address),
                Role::Agent => self.player_says(address, &state),
            };
            Some(output)
        };
        let tree = self.sees_tree(address).then(|| self.place.tree());
        let end = TurnEnd::Spoke { output, text: Arc::from("so it is") };
        events.extend(self.usage_of(address, turn));
        events.push(AgentEvent::Rested { turn, end, tree });
        events
    }

    fn nonsense(&mut self) -> Option<Value> {
        match self.dice.below(5) {
            0 => None,
            1 => Some(json!(5)),
            2 => Some(json!({"intent": "fly", "message": "up"})),
            3 => Some(json!({"kind": "progress", "expects_response": "maybe", "message": "?"})),
            _ => Some(json!({"intent": "musings", "message": "  "})),
        }
    }

    fn manager_says(&mut self, state: &State) -> Value {
        let says = |intent: &str| json!({"intent": intent, "message": "So be it."});
        let summons =
            |agent: &str| json!({"intent": "summon_orchestrator", "agent": agent, "message": "Come."});
        let claims = json!({"intent": "release_orchestrators", "claim": "complete", "message": "Done."});
        let testament = state.arbiter().is_some_and(|arbiter| arbiter.context.testament_asked);
        if self.strikes(Fault::Lies, 12) {
            let released = says("release_orchestrators");
            let lies =
                [claims, summons("orchestrator"), says("address_orchestrator"), says("musings"), released];
            return lies[self.dice.below(lies.len() as u64) as usize].clone();
        }
        if testament {
            return says("musings");
        }
        let asks = state.charter.as_ref().is_some_and(|charter| charter.consent == Consent::Ask);
        if state.consent.is_none() && (asks || self.dice.one_in(2)) {
            return json!({"intent": "address_human", "asks": "alignment", "message": "Shall it begin?"});
        }
        if state.gate.is_some() {
            return says(if state.human_waits { "address_human" } else { "musings" });
        }
        let tasks_done = tasks_are_done(state);
        let judged = state.judgement.as_ref().map(|judgement| judgement.verdict);
        let stands = state.judgement.as_ref().and_then(|judgement| judgement.commit.clone());
        let passed = judged == Some(Verdict::Pass)
            && stands == Some(self.place.commit())
            && self.place.is_done()
            && tasks_done;
        let next = if self.place.is_done() && tasks_done && judged != Some(Verdict::Fail) {
            summons("verifier")
        } else {
            let knows_agents = state.charter.as_ref().is_some_and(|charter| !charter.agents.is_empty());
            summons(if knows_agents && self.dice.one_in(2) { "developer" } else { "orchestrator" })
        };
        let Some(worker) = state.worker() else { return if passed { claims } else { next } };
        let handed_off = self.agents.get(&worker.profile.session).is_some_and(|agent| agent.handed_off)
            && worker.work.awaits_reply;
        match (worker.profile.role, handed_off || judged.is_some()) {
            (Role::Verifier, true) if passed => claims,
            (_, true) => next,
            (_, false) if worker.turns.current.is_none() || !state.human_waits => {
                says("address_orchestrator")
            }
            (_, false) => says("musings"),
        }
    }

    fn worker_says(&mut self, address: Address, state: &State) -> Value {
        let lies = self.strikes(Fault::Lies, 20);
        let circles = self.strikes(Fault::Loops, 10);
        let dirty = self.strikes(Fault::Dirty, 12);
        let session = state.sessions.get(&address.session);
        let asked =
            session.is_some_and(|session| session.context.handoff_asked || session.context.overflowed);
        let Some(agent) = self.living(address) else { return Value::Null };
        let full = agent.used * 100 / WINDOW >= 85;
        if !agent.introduced {
            agent.introduced = true;
            return worker("introduction", true, "I am here.");
        }
        if agent.parked {
            return worker("progress", false, "I rest until it is decided.");
        }
        if circles {
            agent.circles = 7;
        }
        if agent.circles > 0 {
            agent.circles -= 1;
            return worker("progress", false, "I think about it.");
        }
        if lies || asked || full {
            agent.handed_off = true;
            return worker("handoff", true, if lies { "All is done." } else { "I hand over." });
        }
        agent.handed_off = false;
        self.place.dirty = dirty;
        if !dirty {
            self.place.left = self.place.left.saturating_sub(1);
            self.place.commits += 1;
        }
        if self.place.is_done() {
            if let Some(agent) = self.living(address) {
                agent.handed_off = true;
            }
            return worker("handoff", true, "All is done.");
        }
        match self.dice.below(5) {
            0 => worker("question", true, "Left or right?"),
            1 => worker("progress", true, "A part is done; look."),
            _ => worker("progress", false, "A part is done."),
        }
    }

    fn verifier_says(&mut self, address: Address) -> Value {
        let lies = self.strikes(Fault::Lies, 8);
        let done = self.place.is_done();
        let Some(agent) = self.living(address) else { return Value::Null };
        if !agent.introduced {
            agent.introduced = true;
            return worker("introduction", true, "I am here.");
        }
        agent.handed_off = true;
        let passes = done != lies;
        if !passes {
            self.place.left = self.place.left.max(1);
        }
        let verdict = if passes { "pass" } else { "fail" };
        json!({"kind": "handoff", "expects_response": true, "message": "I looked.", "verdict": verdict,
               "findings": if passes { vec![] } else { vec!["a gap"] }})
    }

    /// One line for each unit of work; a worker that says that all is done says so here too.
    fn checklist(&self, output: &Value) -> Vec<Task> {
        let all = output.get("message").and_then(Value::as_str) == Some("All is done.");
        let task = |at: u64| Task {
            id: Arc::from(format!("{at}")),
            title: Arc::from(format!("part {at}")),
            status: if all || at >= self.place.left { TaskStatus::Done } else { TaskStatus::Pending },
        };
        (0..self.units).map(task).collect()
    }
}

fn worker(kind: &str, expects_response: bool, message: &str) -> Value {
    json!({"kind": kind, "expects_response": expects_response, "message": message})
}

/// Nothing is open in the checklist of the last Orchestrator that has one.
fn tasks_are_done(state: &State) -> bool {
    let last = state.tasks.iter().map(|(owner, _)| *owner).max();
    state
        .tasks
        .iter()
        .filter(|(owner, _)| Some(*owner) == last)
        .all(|(_, task)| task.status == TaskStatus::Done)
}
