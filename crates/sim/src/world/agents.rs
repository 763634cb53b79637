//! Scripted agents: what a process does with its orders, and how it misbehaves. What it says when its turn ends
//! is in `lines`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::effect::SessionCommand;
use mind::event::{Failure, TurnEnd};
use mind::session::{Gauge, Role};
use mind::{Address, AgentEvent, Event, SessionId, State, Timestamp, TurnId};

use super::docket::Pleading;
use super::fault::Fault;
use super::usage::Amounts;
use super::{HOUR, Happening, MINUTE, World};

/// One agent over all its lives.
#[derive(Debug, Clone)]
pub(super) struct Agent {
    pub(super) role: Role,
    /// The life that runs now.
    alive: Option<u32>,
    /// What this life was told already: the second time does no harm.
    heard: BTreeSet<String>,
    current: Option<TurnId>,
    past: Option<TurnId>,
    deaf: bool,
    /// So many further lives end as soon as they begin.
    doomed: usize,
    /// It told that it waits for a person, in this life.
    awaits: bool,
    /// The last life in which it told so.
    awaited_in: Option<u32>,
    /// The tool that waits for a yes, and its turn.
    pub(super) asking: Option<(TurnId, Arc<str>)>,
    /// The call that waits for the docket.
    pub(super) pleading: Option<Pleading>,
    /// It was told to rest until a petition is decided.
    pub(super) parked: bool,
    pub(super) introduced: bool,
    pub(super) handed_off: bool,
    /// Turns still to be spent in circles.
    pub(super) circles: u64,
    pub(super) used: u64,
    /// What its reports of usage say, by their names.
    pub(super) reports: BTreeMap<Arc<str>, Amounts>,
    /// When this life last gave a sign of life that was told.
    pub(super) stirred: Option<u64>,
}

pub(super) const WINDOW: u64 = 200_000;

/// What an agent does when its time comes, if it still lives then.
#[derive(Debug, Clone)]
pub(super) enum Act {
    Says(AgentEvent),
    /// As above, while this turn runs.
    During(TurnId, AgentEvent),
    Awaits(TurnId, bool),
    /// It no longer waits for the answer, and goes on.
    Unasks(TurnId, Arc<str>),
    Rests(TurnId),
    Stops(TurnId),
    Fails(TurnId, Failure),
    Dies,
    /// The machine has no process for it.
    Starves,
}

impl Agent {
    fn new(role: Role) -> Agent {
        Agent {
            role,
            alive: None,
            heard: BTreeSet::new(),
            current: None,
            past: None,
            deaf: false,
            doomed: 0,
            awaits: false,
            awaited_in: None,
            asking: None,
            pleading: None,
            parked: false,
            introduced: false,
            handed_off: false,
            circles: 0,
            used: WINDOW / 20,
            reports: BTreeMap::new(),
            stirred: None,
        }
    }

    /// Its present life said that it waits for a person and has not taken that back.
    pub(super) fn really_awaits_human(&self, state: &State, id: SessionId) -> bool {
        let life = state.sessions.get(&id).map(|session| session.incarnation);
        self.awaits && self.alive == life
    }

    /// A life may be excused from the watch over silence only by its own word.
    pub(super) fn may_wait(&self, life: u32) -> bool {
        self.awaited_in == Some(life)
    }

    pub(super) fn die(&mut self) {
        self.alive = None;
        self.current = None;
        self.awaits = false;
        self.asking = None;
        self.pleading = None;
    }
}

impl World {
    /// An agent is told something.
    pub(super) fn instruct(&mut self, address: Address, command: SessionCommand) {
        match command {
            SessionCommand::Deliver { turn, key, .. } => self.deliver(address, turn, key),
            SessionCommand::Steer { turn, key, .. } => self.steer(address, turn, key),
            SessionCommand::Warn { percent, .. } => {
                let after = self.dice.between(5, 30_000);
                self.act(after, address, Act::Says(AgentEvent::Warned { percent }));
            }
            SessionCommand::Interrupt { turn } => self.interrupt(address, turn),
            SessionCommand::Permit { call, .. } => self.permitted(address, &call),
            SessionCommand::Reply { call, told, refused } => self.replied(address, &call, &told, refused),
            SessionCommand::End => {
                if let Some(agent) = self.living(address) {
                    agent.die();
                }
            }
        }
    }

    pub(super) fn spawn(&mut self, address: Address, role: Role, resume: bool) {
        let agent = self.agents.entry(address.session).or_insert_with(|| Agent::new(role));
        agent.die();
        agent.alive = Some(address.incarnation);
        agent.heard.clear();
        agent.deaf = false;
        agent.stirred = None;
        let doomed = agent.doomed > 0;
        agent.doomed = agent.doomed.saturating_sub(1);
        if doomed || self.strikes(Fault::SpawnFails, 25) {
            let way = if self.dice.one_in(2) { Act::Dies } else { Act::Starves };
            return self.act(if doomed { 1 } else { 50 }, address, way);
        }
        if !resume {
            return;
        }
        if self.strikes(Fault::Amnesiac, 8)
            && let Some(agent) = self.living(address)
        {
            (agent.introduced, agent.handed_off, agent.used) = (false, false, WINDOW / 20);
        }
        let past = self.living(address).and_then(|agent| agent.past);
        if let Some(turn) = past
            && self.strikes(Fault::OldAnswer, 6)
        {
            let end = TurnEnd::Spoke { output: None, text: Arc::from("as I said") };
            let event = AgentEvent::Rested { turn, end, tree: None };
            self.act(100, address, Act::Says(event));
        }
    }

    fn deliver(&mut self, address: Address, turn: TurnId, key: String) {
        let Some(agent) = self.living(address) else {
            // The hands find the process gone.
            let lost = AgentEvent::Lost { why: Arc::from("it cannot be reached") };
            return self.later(10, Happening::Emit(Event::Agent(address, lost)));
        };
        if !agent.heard.insert(key) {
            return;
        }
        agent.current = Some(turn);
        agent.parked = false;
        self.play_turn(address, turn);
    }

    fn steer(&mut self, address: Address, turn: TurnId, key: String) {
        let Some(agent) = self.living(address) else { return };
        match agent.current {
            Some(current) => {
                if self.strikes(Fault::MissesSteer, 3) {
                    return;
                }
                let after = self.dice.between(1, 40_000);
                self.act(after, address, Act::During(current, AgentEvent::Heard(turn)));
            }
            // It rests: the words are its next turn.
            None => self.deliver(address, turn, key),
        }
    }

    fn interrupt(&mut self, address: Address, turn: TurnId) {
        let deaf = self.strikes(Fault::Deaf, 6);
        let Some(agent) = self.living(address) else { return };
        agent.deaf |= deaf;
        if agent.current != Some(turn) || agent.deaf {
            return;
        }
        agent.current = None;
        agent.awaits = false;
        agent.asking = None;
        agent.pleading = None;
        let after = self.dice.between(5, 5_000);
        self.act(after, address, Act::Stops(turn));
    }

    /// Plans a whole turn: what is heard, done and said, or what goes wrong.
    fn play_turn(&mut self, address: Address, turn: TurnId) {
        let mut at = self.dice.between(5, 4_000);
        if self.strikes(Fault::Doomed, 80)
            && let Some(agent) = self.living(address)
        {
            agent.doomed = mind::limits::REVIVALS_MS.len();
            return self.act(1, address, Act::Dies);
        }
        if self.strikes(Fault::Silent, 25) {
            if let Some(agent) = self.living(address) {
                agent.deaf = turn.0.is_multiple_of(2);
            }
            if self.dice.one_in(2) {
                self.act(at, address, Act::During(turn, AgentEvent::Heard(turn)));
            }
            return;
        }
        let length = self.dice.between(100, 3 * MINUTE);
        if self.strikes(Fault::Dies, 25) {
            let when = self.dice.below(length + 4_000);
            self.act(when, address, Act::Dies);
        }
        if !self.dice.one_in(10) {
            self.act(at, address, Act::During(turn, AgentEvent::Heard(turn)));
        }
        let tools = self.dice.below(4);
        for _ in 0..tools {
            at += self.dice.between(1, length);
            let (name, detail) = (Arc::from("Bash"), Arc::from("cargo test"));
            self.act(
                at,
                address,
                Act::During(turn, AgentEvent::ToolStarted { call: Arc::from(""), name, detail }),
            );
            at += self.dice.between(1, length);
            let ok = !self.dice.one_in(5);
            self.act(at, address, Act::During(turn, AgentEvent::ToolEnded { call: Arc::from(""), ok }));
        }
        self.tell_usage_inside(address, turn, at, length);
        at += self.fill(address, turn, at);
        at += self.misbehave(address, turn, at);
        if self.ask_permission(address, turn, at) || self.plead(address, turn, at) {
            return;
        }
        if let Some(failure) = self.failure() {
            return self.act(at, address, Act::Fails(turn, failure));
        }
        self.act(at + length, address, Act::Rests(turn));
    }

    /// The context grows.
    fn fill(&mut self, address: Address, turn: TurnId, at: u64) -> u64 {
        let overflows = self.strikes(Fault::Overflows, 25);
        let grown = self.dice.between(WINDOW / 100, WINDOW / 10);
        let Some(agent) = self.living(address) else { return 0 };
        agent.used += if overflows { WINDOW } else { grown };
        let used = agent.used;
        let gauge = AgentEvent::Gauged(Gauge::named(used, WINDOW, "world"));
        self.act(at + 1, address, Act::During(turn, gauge));
        2
    }

    /// Floods, and waits for a person: the turn goes on after it.
    fn misbehave(&mut self, address: Address, turn: TurnId, at: u64) -> u64 {
        if self.strikes(Fault::Floods, 40) {
            for number in 0..400 {
                let event = match number % 4 {
                    0 => AgentEvent::Stirred,
                    1 => AgentEvent::ToolStarted {
                        call: Arc::from(""),
                        name: Arc::from("Read"),
                        detail: Arc::from("x"),
                    },
                    2 => AgentEvent::ToolEnded { call: Arc::from(""), ok: true },
                    _ => AgentEvent::Heard(turn),
                };
                self.act(at + number / 200, address, Act::During(turn, event));
            }
        }
        if !self.strikes(Fault::AwaitsHuman, 15) {
            return 2;
        }
        self.act(at + 3, address, Act::Awaits(turn, true));
        let longest = self.dice.pick(&[HOUR, 30 * HOUR, 100 * HOUR]);
        let span = self.dice.between(MINUTE, longest);
        self.act(at + span, address, Act::Awaits(turn, false));
        span + 1
    }

    fn failure(&mut self) -> Option<Failure> {
        let why: Arc<str> = Arc::from("as the dice fell");
        if self.strikes(Fault::Transient, 20) {
            return Some(Failure::Transient(why));
        }
        if self.strikes(Fault::Limited, 40) {
            return Some(Failure::Limited { why, until: None });
        }
        if self.strikes(Fault::LimitedUntil, 40) {
            let until = Some(Timestamp(self.now + self.dice.between(0, 5 * HOUR)));
            return Some(Failure::Limited { why, until });
        }
        if self.strikes(Fault::Unauthorised, 40) {
            return Some(Failure::Unauthorised(why));
        }
        self.strikes(Fault::Refused, 60).then_some(Failure::Refused(why))
    }

    /// The time of an act has come.
    pub(super) fn resolve(&mut self, address: Address, act: Act, events: &mut Vec<Event>) {
        if self.living(address).is_none() {
            let Some(event) = late(act) else { return };
            if self.strikes(Fault::Late, 4) {
                events.push(Event::Agent(address, event));
            }
            return;
        }
        let current = self.living(address).and_then(|agent| agent.current);
        let event = match act {
            Act::Says(event) => event,
            Act::During(turn, event) if current == Some(turn) => event,
            Act::Awaits(turn, waits) if current == Some(turn) => {
                if let Some(agent) = self.living(address) {
                    agent.awaits = waits;
                    agent.awaited_in = if waits { agent.alive } else { agent.awaited_in };
                }
                AgentEvent::AwaitsHuman(waits)
            }
            Act::Unasks(turn, call) if current == Some(turn) => {
                let waits = self.living(address).and_then(|agent| agent.asking.clone());
                if waits.is_none_or(|(_, waiting)| waiting != call) {
                    return;
                }
                self.permitted(address, &call);
                AgentEvent::Unasks { call }
            }
            Act::Rests(turn) if current == Some(turn) => return self.rest(address, turn, events),
            Act::Fails(turn, failure) if current == Some(turn) => {
                self.end_turn(address, turn);
                self.tell_usage(address, turn, events);
                AgentEvent::Failed { turn, failure }
            }
            Act::Stops(turn) => {
                let tree = self.sees_tree(address).then(|| self.place.tree());
                self.tell_usage(address, turn, events);
                AgentEvent::Rested { turn, end: TurnEnd::Interrupted, tree }
            }
            Act::Dies => {
                let lost = AgentEvent::Lost { why: Arc::from("exit 1") };
                return self.goes(address, lost, events);
            }
            Act::Starves => {
                let unstarted = AgentEvent::Unstarted { why: Arc::from("too many open files") };
                return self.goes(address, unstarted, events);
            }
            Act::During(..) | Act::Awaits(..) | Act::Unasks(..) | Act::Rests(_) | Act::Fails(..) => return,
        };
        self.emit(address, event, events);
    }

    fn rest(&mut self, address: Address, turn: TurnId, events: &mut Vec<Event>) {
        self.end_turn(address, turn);
        for event in self.last_words(address, turn) {
            self.emit(address, event, events);
        }
    }

    fn tell_usage(&mut self, address: Address, turn: TurnId, events: &mut Vec<Event>) {
        for event in self.usage_of(address, turn) {
            self.emit(address, event, events);
        }
    }

    fn end_turn(&mut self, address: Address, turn: TurnId) {
        if let Some(agent) = self.living(address) {
            agent.current = None;
            agent.awaits = false;
            agent.asking = None;
            agent.pleading = None;
            agent.past = Some(turn);
        }
    }

    /// An agent says something, if it still lives.
    fn emit(&mut self, address: Address, event: AgentEvent, events: &mut Vec<Event>) {
        if self.living(address).is_some() {
            for event in self.through_pipe(address, event) {
                self.report(address, event, events);
            }
        }
    }

    /// Its life is over, and the last event tells so.
    fn goes(&mut self, address: Address, last: AgentEvent, events: &mut Vec<Event>) {
        if let Some(agent) = self.living(address) {
            agent.die();
        }
        self.report(address, last, events);
    }

    fn report(&mut self, address: Address, event: AgentEvent, events: &mut Vec<Event>) {
        let event = Event::Agent(address, event);
        if self.strikes(Fault::Duplicated, 60) {
            let after = self.dice.between(0, 2_000);
            self.later(after, Happening::Emit(event.clone()));
        }
        events.push(event);
    }

    pub(super) fn sees_tree(&mut self, address: Address) -> bool {
        let worker = self.living(address).is_some_and(|agent| agent.role != Role::Arbiter);
        worker && !self.strikes(Fault::Blind, 20)
    }

    pub(super) fn living(&mut self, address: Address) -> Option<&mut Agent> {
        self.agents.get_mut(&address.session).filter(|agent| agent.alive == Some(address.incarnation))
    }

    pub(super) fn act(&mut self, after: u64, address: Address, act: Act) {
        self.later(after, Happening::Act(address, act));
    }
}

/// What a dead process may still be heard to say.
fn late(act: Act) -> Option<AgentEvent> {
    match act {
        Act::Says(event) | Act::During(_, event) => Some(event),
        Act::Awaits(_, waits) => Some(AgentEvent::AwaitsHuman(waits)),
        Act::Unasks(_, call) => Some(AgentEvent::Unasks { call }),
        Act::Rests(turn) | Act::Stops(turn) => {
            let end = TurnEnd::Spoke { output: None, text: Arc::from("from the grave") };
            Some(AgentEvent::Rested { turn, end, tree: None })
        }
        Act::Fails(turn, failure) => Some(AgentEvent::Failed { turn, failure }),
        Act::Dies | Act::Starves => None,
    }
}
