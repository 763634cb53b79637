//! What a conducted mission needs of its world: a model that decides, well, badly or not at all; agents' files that
//! change; an inspection of the clone; a folder for notes.

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::charter::{Capabilities, Charter};
use mind::conductor::agent::Agent;
use mind::conductor::execution::RunTokens;
use mind::conductor::memory::Note;
use mind::conductor::move_record::{ModelReply, ReplyEnd};
use mind::conductor::{ConductorEvent, ConductorState, MoveKind, NoteKeeping};
use mind::effect::ConductorEffect;
use mind::play::conductor::{agents, conducting, keeper};
use mind::session::CloneTree;
use mind::{Event, State, Timestamp};
use serde_json::{Value, json};

use super::dice::Dice;
use super::fault::Fault;
use super::{DAY, HOUR, Happening, MINUTE, World};

/// How long the mission loop waits for a model.
const PATIENCE_MS: u64 = 90_000;
/// A provider that the route of some missions leads to.
const OTHER: &str = "other";

/// What outlives every crash beside the clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Desk {
    /// The project's notes, by title.
    pub(super) notes: BTreeMap<Arc<str>, Note>,
    /// An agent's file that is gone for now.
    gone: Option<Arc<str>>,
}

/// Some of the agents may go only so far.
pub(super) fn limit_agents(charter: &mut Charter, dice: &mut Dice) {
    for agent in &mut charter.agents {
        agent.limits.max_iterations = dice.pick(&[None, None, None, Some(2), Some(5)]);
        agent.limits.timeout_ms = dice.pick(&[None, None, Some(5 * MINUTE)]);
        agent.limits.max_tool_calls = dice.pick(&[None, None, Some(2), Some(20)]);
    }
}

/// Makes a conducted mission of it: with or without a model, limits, a keeper, routes.
pub(super) fn conduct(charter: &mut Charter, dice: &mut Dice) {
    let mut how = conducting();
    charter.agents = agents();
    if dice.one_in(2) {
        charter.agents.push(keeper());
        how.keeping = dice.pick(&[NoteKeeping::End, NoteKeeping::Each]);
    }
    match dice.below(4) {
        0 => how.decider = None,
        1 => how.decider.iter_mut().for_each(|decider| decider.cache = true),
        _ => {}
    }
    how.dry_run = dice.one_in(12);
    how.limits.max_iterations = dice.pick(&[3, 12, 50, 50]);
    how.limits.max_failures = dice.pick(&[1, 3, 3, 8]);
    how.limits.deadline_ms = dice.pick(&[None, None, None, Some(HOUR), Some(2 * DAY)]);
    how.limits.budget_tokens = dice.pick(&[None, None, Some(20_000)]);
    how.limits.budget_microusd = dice.pick(&[None, None, None, Some(1_500)]);
    limit_agents(charter, dice);
    if dice.one_in(4) {
        how.routes = vec!["world".to_owned(), OTHER.to_owned()];
        charter.providers.insert(OTHER.to_owned(), Capabilities { steers: false, typed: true });
    }
    charter.conducting = Some(Box::new(how));
}

impl World {
    /// Answers an effect that only a conducted mission has.
    pub(super) fn assist(&mut self, effect: ConductorEffect) {
        match effect {
            ConductorEffect::CallModel { number, attempt, .. } => self.think(number, attempt),
            ConductorEffect::DropCall { number } => self.dismiss(number),
            ConductorEffect::PrepareRun { run } => self.look_up(run),
            ConductorEffect::InspectRun { run, before } => self.inspect(run, before.as_ref()),
            ConductorEffect::Remember { note } => {
                let note = Note::clone(&note);
                self.desk.notes.insert(note.title.clone(), note);
            }
        }
    }

    /// A model is asked; what it says is made up when it says it.
    fn think(&mut self, number: u32, attempt: u32) {
        let slow = self.strikes(Fault::DecidesSlowly, 8);
        let after = if slow { PATIENCE_MS } else { self.dice.between(50, 20_000) };
        let latency_ms = after;
        let end = if slow {
            ReplyEnd::Unavailable { why: Arc::from("it took too long"), until: None }
        } else {
            self.verdict_of_the_model()
        };
        let tokens = self.dice.one_in(3).then_some(RunTokens { input: 800, output: 50, total: 850 });
        let answer = ModelReply { end, latency_ms, tokens, cost_microusd: self.dice.pick(&[0, 20]) };
        let event = ConductorEvent::Answered { number, attempt, answer };
        if self.strikes(Fault::DecidesTwice, 10) {
            self.conducted(after + 5, event.clone());
        }
        self.conducted(after, event);
    }

    fn verdict_of_the_model(&mut self) -> ReplyEnd {
        let why: Arc<str> = Arc::from("as the dice fell");
        let plain = |text: &str, cut| ReplyEnd::Said { output: None, text: Arc::from(text), cut };
        if self.strikes(Fault::DecidesUnreadably, 6) {
            let says =
                ["", "I cannot decide {", "```json\n{\"type\": \"DANCE\"}\n```", "{}", "{\"type\": 3}"];
            return plain(self.dice.pick(&says), false);
        }
        if self.strikes(Fault::DecidesCut, 12) {
            return plain("{\"type\": \"SELECT_MODE\", \"mode\": \"devel", true);
        }
        if self.strikes(Fault::DecidesUnavailable, 8) {
            return ReplyEnd::Unavailable { why, until: None };
        }
        if self.strikes(Fault::DecidesLimited, 12) {
            let until = Some(Timestamp(self.now + self.dice.between(0, 10 * MINUTE)));
            return ReplyEnd::Unavailable { why, until };
        }
        if self.strikes(Fault::DecidesRefused, 15) {
            return ReplyEnd::Refused { why };
        }
        let state = self.house.as_ref().map(|house| house.state.clone()).unwrap_or_default();
        let wild = self.strikes(Fault::DecidesWildly, 5);
        let decision = if wild { self.wild_decision() } else { self.good_decision(&state) };
        let prose = format!("I think this is best:\n```json\n{decision}\n```\n");
        match self.dice.below(3) {
            0 => plain(&prose, false),
            _ => ReplyEnd::Said { output: Some(decision), text: Arc::from(""), cut: false },
        }
    }

    /// Whatever a model may say, of use or not; giving up is rare.
    fn wild_decision(&mut self) -> Value {
        let kind = self.dice.pick(&MoveKind::ALL);
        let kind = if kind == MoveKind::Fail && !self.dice.one_in(4) { MoveKind::Retry } else { kind };
        let mode = self.dice.pick(&["developer", "Tester", "reviewer", "planner", "verifier", "nobody"]);
        json!({"type": kind.word(), "mode": mode, "reason": "so it is", "summary": "Done.",
               "guidance": "Mind the gap.", "question": "Left or right?", "options": ["left", "right"]})
    }

    fn good_decision(&mut self, state: &State) -> Value {
        let nothing = ConductorState::default();
        let conductor = state.conductor.as_ref().unwrap_or(&nothing);
        let select = |mode: &str| json!({"type": "SELECT_MODE", "mode": mode, "reason": "it is next"});
        let objector = conductor.objections.keys().next().filter(|_| self.place.is_done());
        let next = conductor.plan.as_ref().and_then(|plan| plan.next());
        let suggested = next.and_then(|step| step.suggested_agent.clone());
        let may = |name: &str| conductor.eligible().any(|agent| *agent.name == *name);
        if conductor.last().is_some_and(|last| last.status.failed()) && self.dice.one_in(2) {
            return json!({"type": "RETRY", "reason": "once more"});
        }
        if let Some(name) = objector.filter(|name| may(name)) {
            return select(name);
        }
        match (next, suggested) {
            (Some(_), Some(name)) if may(&name) => select(&name),
            (Some(_), None) if self.dice.one_in(3) => json!({"type": "CONTINUE", "reason": "well done"}),
            (None, _) if self.place.is_done() && conductor.turned_back.is_none() => {
                json!({"type": "COMPLETE", "summary": "All is done."})
            }
            (Some(_) | None, _) => select("developer"),
        }
    }

    /// It is needed no more; it may have answered already.
    fn dismiss(&mut self, number: u32) {
        if self.strikes(Fault::DecidesInVain, 3) {
            return;
        }
        let answers = |happening: &Happening| {
            let Happening::Conductor(_, event) = happening else { return false };
            matches!(&**event, Event::Conductor(ConductorEvent::Answered { number: of, .. }) if *of == number)
        };
        self.queue.retain(|_, happening| !answers(happening));
    }

    /// Agents' files and notes are read, and the clone is looked at.
    fn look_up(&mut self, run: u32) {
        let before: Vec<Agent> = self
            .house
            .as_ref()
            .and_then(|house| house.state.charter.as_ref())
            .map(|charter| charter.agents.clone())
            .unwrap_or_default();
        let mut agents = None;
        if self.strikes(Fault::AgentsChange, 12) {
            let names: Vec<Arc<str>> = before.iter().map(|agent| agent.name.clone()).collect();
            let gone = names.get(self.dice.below(names.len() as u64) as usize).cloned();
            self.desk.gone = gone.filter(|_| self.desk.gone.is_none());
            let stays = |agent: &Agent| Some(&agent.name) != self.desk.gone.as_ref();
            agents = Some(before.into_iter().filter(stays).collect());
        } else if let Some(gone) = self.desk.gone.take_if(|_| self.dice.one_in(2)) {
            self.log(|| format!("{gone} is back"));
            agents = Some(before);
        }
        let faults = if self.strikes(Fault::AgentsBent, 15) {
            vec![Arc::from("tester.md:3: no such key")]
        } else {
            Vec::new()
        };
        let notes = self.dice.one_in(6).then(|| self.desk.notes.values().cloned().collect());
        let tree = (!self.strikes(Fault::Blind, 20)).then(|| self.place.tree());
        let after = self.dice.between(1, 2_000);
        let event = ConductorEvent::Prepared { run, agents, notes, faults, tree };
        if self.strikes(Fault::LooksTwice, 12) {
            self.conducted(after + 3, event.clone());
        }
        self.conducted(after, event);
    }

    fn inspect(&mut self, run: u32, before: Option<&CloneTree>) {
        if self.strikes(Fault::Hindered, 12) {
            let after = self.dice.between(1, 2_000);
            return self
                .conducted(after, ConductorEvent::Hindered { run, why: Arc::from("the disk is full") });
        }
        let tree = (!self.strikes(Fault::Blind, 20)).then(|| self.place.tree());
        let changed = before.zip(tree.as_ref()).is_none_or(|(before, now)| before != now);
        let files = if changed { vec![Arc::from("src/bridge.rs")] } else { Vec::new() };
        let after = self.dice.between(1, 2_000);
        let event = ConductorEvent::Inspected { run, tree, files };
        if self.strikes(Fault::LooksTwice, 12) {
            self.conducted(after + 3, event.clone());
        }
        self.conducted(after, event);
    }

    fn conducted(&mut self, after: u64, event: ConductorEvent) {
        self.later(after, Happening::Conductor(self.life, Box::new(Event::Conductor(event))));
    }
}
