//! A shrunk play: what is left of a failing world when everything is taken away that its law does not need. The rest is
//! fitted to the shorter story: the Arbiter of a moment still speaks at that moment, whatever its number.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mind::conductor::ConductorEvent;
use mind::{Address, AgentEvent, Event, State, TurnId};

use super::Law;
use super::again::Bare;
use super::recording::{self, Told};
use super::runner::{Failure, same_law, words_of};

/// So often a play is tried with something left out; then it is short enough.
const TRIES_MAX: u32 = 5_000;

/// The shortest play we found that breaks the law of a world.
#[derive(Debug, Clone)]
pub struct Play {
    /// The world's seed.
    pub seed: u64,
    /// The law that it breaks.
    pub law: String,
    /// What the mind is told.
    pub told: Vec<Told>,
}

impl Play {
    /// Takes events away from what a failing world told its mind, for as long as the same law is broken. `None` if a
    /// bare mind does not break it at all: then it takes the disk or the world around it. The failure has to be a told
    /// one, as [`super::shrink`] returns it.
    pub fn of(failure: &Failure) -> Option<Play> {
        let breaks = |parts: &[Part]| {
            let broken = Broken::by(parts, failure.plan.law)?;
            same_law(&broken.law, &failure.law).then_some(broken)
        };
        let mut best = breaks(&parts(&failure.told))?;
        let mut tries = 0;
        let mut chunk = best.parts.len();
        while chunk > 0 && tries < TRIES_MAX {
            let before = best.parts.len();
            // From the end, since what happened last is needed most often; the opening always stays.
            let mut end = before;
            while end > 1 && tries < TRIES_MAX {
                let start = end.saturating_sub(chunk).max(1);
                let mut fewer = best.parts.clone();
                fewer.drain(start..end);
                tries += 1;
                if let Some(broken) = breaks(&fewer) {
                    best = broken;
                }
                end = start.min(best.parts.len());
            }
            // With something gone, what was needed before may not be so any more.
            if chunk > 1 || best.parts.len() == before {
                chunk /= 2;
            }
        }
        let told = best.parts.into_iter().map(|part| part.told).collect();
        Some(Play { seed: failure.plan.seed, law: best.law, told })
    }

    /// The play as lines, which [`super::again`] reads.
    pub fn lines(&self) -> String {
        recording::write(&self.told)
    }

    /// The play as a test, to be pasted into `crates/sim/tests/it/plays.rs`.
    pub fn test(&self) -> String {
        let lines = self.lines();
        let mut fence = "#".to_owned();
        while lines.contains(&format!("\"{fence}")) {
            fence.push('#');
        }
        let (seed, law) = (self.seed, self.law.lines().next().unwrap_or(""));
        let law: String = law.chars().take(90).collect();
        format!(
            "/// {law}\n#[test]\nfn world_{seed}_keeps_its_law() {{\n    sim::world::again(\n        \
             r{fence}\"\n{lines}\"{fence},\n    );\n}}\n"
        )
    }
}

/// An event, and what it meant in the story that it is from.
#[derive(Debug, Clone)]
struct Part {
    told: Told,
    /// It was said by the session that held this seat then.
    seat: Option<Seat>,
    /// It was about the turn that this session had in flight.
    of_turn: bool,
    /// It was what a conducted mission waited for then.
    awaited: bool,
}

#[derive(Debug, Clone, Copy)]
enum Seat {
    Arbiter,
    Worker,
    Player,
}

impl Seat {
    /// The session that has it, and the turn in flight there.
    fn holder(self, state: &State) -> Option<(Address, Option<TurnId>)> {
        let session = match self {
            Seat::Arbiter => state.arbiter(),
            Seat::Worker => state.worker(),
            Seat::Player => state.active_agent(),
        }?;
        Some((session.address(), session.turns.current.as_ref().map(|turn| turn.id)))
    }
}

impl Part {
    /// The same in a shorter story, where numbers may be others.
    fn fitted(mut self, state: &State) -> Part {
        let holder = self.seat.and_then(|seat| seat.holder(state));
        if let (Some((holder, turn)), Event::Agent(address, event)) = (holder, &mut self.told.event) {
            *address = holder;
            if let (true, Some(now), Some(turn)) = (self.of_turn, turn, turn_of(event)) {
                *turn = now;
            }
        }
        if let (true, Event::Conductor(event)) = (self.awaited, &mut self.told.event) {
            renumber(state, event);
        }
        self
    }
}

fn parts(told: &[Told]) -> Vec<Part> {
    let mut state = State::default();
    let part = |told: &Told| {
        let mut told = told.clone();
        let (mut seat, mut of_turn) = (None, false);
        if let Event::Agent(address, event) = &mut told.event {
            let holds = |seat: &Seat| seat.holder(&state).is_some_and(|(holder, _)| holder == *address);
            seat = [Seat::Arbiter, Seat::Worker, Seat::Player].into_iter().find(holds);
            let turn = seat.and_then(|seat| seat.holder(&state)?.1);
            of_turn = turn.is_some() && turn_of(event).copied() == turn;
        }
        let mut awaited = false;
        if let Event::Conductor(event) = &told.event {
            let mut now = event.clone();
            renumber(&state, &mut now);
            awaited = now == *event;
        }
        let at = mind::Timestamp(told.at);
        for fact in state.decide(told.event.clone(), at).facts {
            state.apply(&mind::Entry { at, fact });
        }
        Part { told, seat, of_turn, awaited }
    };
    told.iter().map(part).collect()
}

/// Gives an event the numbers of what a conducted mission waits for now.
fn renumber(state: &State, event: &mut ConductorEvent) {
    let Some(conductor) = &state.conductor else { return };
    match event {
        ConductorEvent::Answered { number, attempt, .. }
        | ConductorEvent::Dropped { number, attempt, .. } => {
            if let Some(asking) = &conductor.asking {
                (*number, *attempt) = (asking.number, asking.attempt);
            }
        }
        ConductorEvent::Prepared { run, .. }
        | ConductorEvent::Inspected { run, .. }
        | ConductorEvent::Hindered { run, .. } => {
            if let Some(now) = &conductor.run {
                *run = now.number;
            }
        }
    }
}

fn turn_of(event: &mut AgentEvent) -> Option<&mut TurnId> {
    match event {
        AgentEvent::Heard(turn) | AgentEvent::Rested { turn, .. } | AgentEvent::Failed { turn, .. } => {
            Some(turn)
        }
        AgentEvent::ToolStarted { .. }
        | AgentEvent::ToolEnded { .. }
        | AgentEvent::Gauged { .. }
        | AgentEvent::Warned { .. }
        | AgentEvent::Tasks(_)
        | AgentEvent::Spent { .. }
        | AgentEvent::Stirred
        | AgentEvent::AwaitsHuman(_)
        | AgentEvent::Housed(_)
        | AgentEvent::Remarked(_)
        | AgentEvent::ProgramVersion(_)
        | AgentEvent::Asks { .. }
        | AgentEvent::Denied { .. }
        | AgentEvent::Unasks { .. }
        | AgentEvent::Pleads { .. }
        | AgentEvent::Lost { .. }
        | AgentEvent::Unstarted { .. }
        | AgentEvent::LoggedOut { .. } => None,
    }
}

/// A story that breaks a law with its last part.
#[derive(Debug)]
struct Broken {
    parts: Vec<Part>,
    law: String,
}

impl Broken {
    fn by(parts: &[Part], law: Option<Law>) -> Option<Broken> {
        let mut bare = Bare::under(law);
        let mut fitted = Vec::new();
        let told = catch_unwind(AssertUnwindSafe(|| {
            for part in parts {
                let part = part.clone().fitted(&bare.state);
                fitted.push(part.clone());
                bare.hear(&part.told);
            }
            bare.compare();
        }));
        told.err().map(|panic| Broken { parts: fitted, law: words_of(panic.as_ref()) })
    }
}
