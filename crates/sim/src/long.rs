//! A mission that never ends: one Orchestrator at work, with tools, progress, questions and successors, and an Arbiter
//! who leaves a testament when its own context is full. It is driven through `decide` and `apply` like any other, so
//! whatever grows with a mission's length grows here too.

use std::sync::Arc;

use mind::charter::{Charter, Consent};
use mind::event::TurnEnd;
use mind::session::{CloneTree, Gauge, Session};
use mind::{AgentEvent, Entry, Event, State, Timestamp, WorkspaceEvent};
use serde_json::json;

/// A mission in the making.
#[derive(Debug)]
pub struct LongMission {
    /// Its state so far.
    pub state: State,
    step: u64,
    now: u64,
}

impl Default for LongMission {
    fn default() -> LongMission {
        LongMission::new()
    }
}

impl LongMission {
    /// A mission that is about to be opened.
    pub fn new() -> LongMission {
        LongMission { state: State::default(), step: 0, now: 1_763_000_000_000 }
    }

    /// The next thing that happens.
    pub fn next_event(&mut self) -> Event {
        self.step += 1;
        match self.step {
            1 => return Event::Opened(Box::new(long_charter())),
            2 => {
                return Event::Workshop(WorkspaceEvent::Settled {
                    folder: "clone".into(),
                    base: "c0".into(),
                    branch: "arbiter/long".into(),
                });
            }
            _ => {}
        }
        let busy = |session: &&Session| session.turns.current.is_some();
        if let Some(arbiter) = self.state.arbiter().filter(busy) {
            // Its context fills too, in as many turns as a few thousand of its Orchestrators' facts take.
            let used = 10_000 + u64::from(arbiter.turns.completed) * 1_000;
            if arbiter.context.gauge.as_ref().map(|gauge| gauge.used) != Some(used) {
                let gauge = AgentEvent::Gauged(Gauge::named(used, 200_000, "bench"));
                return Event::Agent(arbiter.address(), gauge);
            }
            return self.manager_rests(arbiter);
        }
        match self.state.worker().filter(busy) {
            Some(worker) => self.worker_goes_on(worker),
            // Only before the first summon.
            None => Event::Started,
        }
    }

    /// Decides and applies one event; the entries it left.
    pub fn advance(&mut self, event: Event) -> Vec<Entry> {
        self.now += 37;
        let at = Timestamp(self.now);
        let step = self.state.decide(event, at);
        let entries: Vec<Entry> = step.facts.into_iter().map(|fact| Entry { at, fact }).collect();
        entries.iter().for_each(|entry| self.state.apply(entry));
        entries
    }

    fn manager_rests(&self, arbiter: &Session) -> Event {
        let output = match self.state.worker() {
            // A successor after every few thousand steps, as a full context would bring it.
            Some(worker) if worker.tool_use.calls < 320 => {
                json!({"intent": "address_orchestrator", "message": words("Go on as briefed", self.step)})
            }
            Some(_) | None => {
                json!({"intent": "summon_orchestrator", "message": "Another shall take it up."})
            }
        };
        ends(arbiter, output, None, self.step)
    }

    fn worker_goes_on(&self, worker: &Session) -> Event {
        let address = worker.address();
        let event = match self.step % 8 {
            0 | 2 | 4 => AgentEvent::ToolStarted {
                call: Arc::from(""),
                name: "Edit".into(),
                detail: Arc::from(format!("crates/part{}/src/lib.rs", self.step % 97)),
            },
            1 | 3 => AgentEvent::ToolEnded { call: Arc::from(""), ok: true },
            5 => {
                let used = 20_000 + u64::from(worker.tool_use.calls) * 100;
                AgentEvent::Gauged(Gauge::named(used, 200_000, "bench"))
            }
            _ => {
                let output = if (self.step / 8).is_multiple_of(12) || worker.tool_use.calls == 0 {
                    json!({"kind": "question", "expects_response": true, "message": words("Which of the two", self.step)})
                } else {
                    json!({"kind": "progress", "expects_response": false, "message": words("Finished a part", self.step)})
                };
                let commit = Arc::from(format!("c{}", self.step));
                let tree =
                    CloneTree { commit, dirty: false, fingerprint: Arc::from(format!("f{}", self.step)) };
                return ends(worker, output, Some(tree), self.step);
            }
        };
        Event::Agent(address, event)
    }
}

/// What the turn took; once that is booked, its rest.
fn ends(session: &Session, output: serde_json::Value, tree: Option<CloneTree>, step: u64) -> Event {
    let turn = session.turns.current.as_ref().map_or(mind::TurnId(0), |turn| turn.id);
    let report: Arc<str> = Arc::from(turn.to_string());
    let event = if session.usage.reports.contains(&report) {
        let end = TurnEnd::Spoke { output: Some(output), text: "".into() };
        AgentEvent::Rested { turn, end, tree }
    } else {
        AgentEvent::Spent { report, input: 20_000, output: 300, cost_microusd: step % 1000 }
    };
    Event::Agent(session.address(), event)
}

fn words(what: &str, step: u64) -> String {
    format!(
        "{what} ({step}): the session store now keeps its tokens for forty-eight hours, the rotation test covers the \
         edge at midnight, and the two callers that relied on the old name are adjusted."
    )
}

fn long_charter() -> Charter {
    let checks = vec![vec!["true".into()]];
    Charter { consent: Consent::Policy("bench".into()), checks, ..crate::charter("long", "bench") }
}
