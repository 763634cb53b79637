//! What the agents of a conducted mission say when a run ends: plans, work, verdicts and notes that fit the course of the
//! mission, so that most worlds complete; and, by dice, failures, objections and trespasses.

use std::sync::Arc;

use mind::conductor::state::{Run, RunKind};
use mind::{Address, State};
use serde_json::{Value, json};

use super::World;
use super::fault::Fault;

impl World {
    /// The answer at the end of a run.
    pub(super) fn player_says(&mut self, address: Address, state: &State) -> Value {
        let run = state.conductor.as_ref().and_then(|conductor| conductor.run.clone());
        let Some(run) = run.filter(|run| run.session == Some(address.session)) else {
            return json!({"outcome": "success", "summary": "Nobody waits for this."});
        };
        if self.strikes(Fault::RunFails, 6) {
            let why = self.dice.pick(&["the compiler is missing", "permission denied", "no idea"]);
            return json!({"outcome": "failure", "summary": "It did not work.", "failure": why});
        }
        let mut says = self.good_answer(&run);
        if run.kind == RunKind::Keep || self.dice.one_in(6) {
            let number = self.dice.below(6);
            says["notes"] = json!([{"title": format!("Note {number}"), "tags": ["bridge"],
                "text": format!("Whatever is built here needs nail number {number} of the left box.")}]);
        }
        says
    }

    fn good_answer(&mut self, run: &Run) -> Value {
        let objects = self.strikes(Fault::Objects, 5);
        let says = |summary: &str| json!({"outcome": "success", "summary": summary});
        let verdict = |word: &str| json!({"outcome": "success", "summary": "I looked.", "verdict": word, "issues": ["a gap at the pier"]});
        let reads = matches!(run.agent.as_ref(), "planner" | "reviewer" | "verifier" | "memory-keeper");
        if reads && self.strikes(Fault::Trespasses, 8) {
            self.place.commits += 1;
        }
        match run.agent.as_ref() {
            "planner" => self.plan(),
            "tester" => {
                if self.dice.one_in(3) {
                    self.place.commits += 1;
                }
                let bad = objects || !self.place.is_done();
                verdict(if bad { self.dice.pick(&["someFailures", "allFailed"]) } else { "allPassed" })
            }
            "reviewer" => {
                let bad = objects || !self.place.is_done();
                verdict(if bad {
                    self.dice.pick(&["needsChanges", "needsChanges", "blocked"])
                } else {
                    "approved"
                })
            }
            "verifier" => {
                if objects {
                    self.place.left = self.place.left.max(1);
                }
                verdict(if self.place.is_done() { "pass" } else { "fail" })
            }
            "memory-keeper" => says("I wrote it down."),
            _ => {
                let dirty = self.strikes(Fault::Dirty, 12);
                self.place.dirty = dirty;
                if !dirty {
                    self.place.left = self.place.left.saturating_sub(2);
                    self.place.commits += 1;
                }
                says("A part is done.")
            }
        }
    }

    fn plan(&mut self) -> Value {
        let named = !self.dice.one_in(4);
        let step = |what: &str, who: &str, after: u64| {
            let mut step = json!({"description": what});
            if named {
                step["suggestedAgent"] = json!(who);
            }
            if after > 0 {
                step["dependsOn"] = json!([after]);
            }
            step
        };
        let mut steps: Vec<Value> =
            (0..self.dice.between(1, 3)).map(|at| step("Build a part", "developer", at)).collect();
        for (what, who) in [("Test it", "tester"), ("Review it", "reviewer")] {
            if !self.dice.one_in(3) {
                steps.push(step(what, who, steps.len() as u64));
            }
        }
        json!({"outcome": "success", "summary": "A plan.",
               "plan": {"steps": steps, "confidence": self.dice.below(101)}})
    }

    /// A person takes the course into their own hands.
    pub(super) fn take_over(&mut self, events: &mut Vec<mind::Event>) {
        use mind::event::HumanAction;
        if self.strikes(Fault::Forces, 60) {
            let name = self.dice.pick(&["developer", "Tester", "reviewer", "planner", "nobody"]);
            self.write(HumanAction::Force(Arc::from(name)), events);
        }
        if self.strikes(Fault::Skips, 80) {
            self.write(HumanAction::Skip, events);
        }
        if self.strikes(Fault::Retries, 80) {
            self.write(HumanAction::Retry, events);
        }
    }
}
