//! The play language: a test writes a mission as a script of events in words and compares the facts and effects that
//! come of it. The released binary is built without it.
//!
//! Each line is one event; `~` in front plays it without showing it; `read` and `show` print parts of the state. The words
//! of the language are in `play/line.rs`. After every event the stage checks the invariants, and panics on a breach.

pub mod charter;
pub mod conducted;
pub mod conductor;
mod docket;
mod invariants;
mod line;
mod sight;

use std::sync::Arc;

use crate::event::Event;
use crate::fact::Entry;
use crate::id::Timestamp;
use crate::session::CloneTree;
use crate::state::{State, Step};

/// Plays a script: each line, then its facts as `+` and its effects as `>`.
///
/// # Panics
///
/// When a line cannot be read, and when the mind breaks an invariant.
pub fn play(script: &str) -> String {
    let mut stage = Stage::new();
    let mut shown = String::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(hidden) = line.strip_prefix('~') {
            stage.set_up(hidden.trim());
            continue;
        }
        shown.push_str(line);
        shown.push('\n');
        shown.push_str(&stage.perform(line));
    }
    shown
}

/// A mission on stage: the mind, its journal, and what the play knows of the world outside.
#[derive(Debug, Clone, Default)]
pub struct Stage {
    pub state: State,
    pub entries: Vec<Entry>,
    /// The clone that the next rests report.
    tree: Option<CloneTree>,
    /// How many letters the human has sent.
    letters: u32,
    /// How far the clock was set forward, in milliseconds.
    clock: u64,
    /// What happened last.
    last: Option<Event>,
    /// The sum of the facts as they come back from their stored form.
    replica: State,
}

impl Stage {
    /// An empty stage: no mission is open.
    pub fn new() -> Stage {
        let tree = Some(line::tree("c1", false));
        Stage { tree, ..Stage::default() }
    }

    /// Lets an event happen, as the main loop would, and checks what must hold.
    pub fn happen(&mut self, event: Event) -> Step {
        let now = self.now();
        let before = self.state.clone();
        let step = before.decide(event.clone(), now);
        for fact in &step.facts {
            let entry = Entry { at: now, fact: fact.clone() };
            invariants::one_turn_in_flight(&self.state, fact);
            self.state.apply(&entry);
            self.replica.apply(&invariants::stored(&entry));
            self.entries.push(entry);
        }
        invariants::assert_all(&self.state, &self.replica, &event, &step);
        self.last = Some(event);
        step
    }

    /// The time on stage: each fact takes a millisecond, and `later` takes what it says.
    pub fn now(&self) -> Timestamp {
        Timestamp(self.clock + self.entries.len() as u64 + 1)
    }

    /// Sets the clock to the deadline of the mission, if that lies ahead.
    fn wait_for_deadline(&mut self) {
        let due = self.state.deadline().map_or(0, |due| due.0);
        self.clock += due.saturating_sub(self.now().0);
    }

    /// Plays one line and returns what is to be shown below it.
    pub fn perform(&mut self, line: &str) -> String {
        if let Some(what) = line.strip_prefix("show ") {
            return sight::show(&self.state, what);
        }
        if let Some(who) = line.strip_prefix("read ") {
            return sight::read(&self.state, who);
        }
        if let Some(rest) = line.strip_prefix("tree ") {
            self.tree = line::tree_of(rest);
            return String::new();
        }
        if let Some(span) = line.strip_prefix("later ") {
            self.clock += line::span_ms(span);
            return String::new();
        }
        if line == "alarm" {
            self.wait_for_deadline();
        }
        let event = self.event(line);
        let step = self.happen(event);
        let facts = step.facts.iter().map(|fact| format!("  + {fact}\n"));
        let effects = step.effects.iter().map(|effect| format!("  > {effect}\n"));
        facts.chain(effects).map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// Plays a line, or brings the mission to a named point of its course, without showing it.
    pub fn set_up(&mut self, what: &str) {
        let lines: &[&str] = match what {
            // The Arbiter studies the scroll: its first turn is in flight.
            "opened" => &["settled"],
            // The human has said yes: the Arbiter's turn is in flight.
            "aligned" => {
                &["arbiter address_human asks alignment: Scope. Done means. Shall it begin?", "human: yes"]
            }
            // Orchestrator I has introduced itself: the Arbiter's turn is in flight.
            "summoned" => &[
                "arbiter summon_orchestrator: I call one.",
                "orchestrator introduction: I am Orchestrator I.",
            ],
            // Orchestrator I is briefed: its turn is in flight, the Arbiter rests.
            "at work" => &["arbiter address_orchestrator: The brief."],
            // It has handed off: the Arbiter's turn is in flight.
            "handed off" => &["tree c2", "orchestrator handoff: All is done."],
            // A verifier has passed commit c2: the Arbiter's turn is in flight.
            "judged" => &[
                "arbiter summon_orchestrator agent verifier: Let fresh eyes judge.",
                "verifier introduction: I am Orchestrator II.",
                "arbiter address_orchestrator: Audit.",
                "verifier pass: Every requirement is met.",
            ],
            // The claim of completion stands before the gate.
            "claimed" => &["arbiter release_orchestrators claim complete: It is done."],
            line => {
                self.perform(line);
                return;
            }
        };
        match what {
            "opened" if self.state.charter.is_none() => self.set_up("open"),
            "aligned" if self.state.clone_place.is_none() => self.set_up("opened"),
            "summoned" if self.state.consent.is_none() => self.set_up("aligned"),
            "at work" if self.state.worker().is_none() => self.set_up("summoned"),
            "handed off" if self.state.worker().is_none() => self.set_up("at work"),
            "judged" if self.state.worker().is_none() => self.set_up("handed off"),
            "claimed" if self.state.judgement.is_none() => self.set_up("judged"),
            _ => {}
        }
        for line in lines {
            self.perform(line);
        }
    }

    /// The letter of the human's next action.
    fn next_letter(&mut self) -> Arc<str> {
        self.letters += 1;
        Arc::from(format!("l{}", self.letters))
    }
}
