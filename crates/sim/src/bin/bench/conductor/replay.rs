//! Decisions made again: by the mind alone, and by the command, which reads the journal too.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use mind::conductor::agent::AgentDuty;
use mind::conductor::move_record::{MoveRecord, RawReply};
use mind::conductor::next_move::{DecisionPoint, MoveSource, NextMove};
use mind::conductor::replay::{Difference, redecide};
use mind::conductor::{ConductorFact, RunStatus, input, legal};
use mind::fact::MissionFact;
use mind::play::conducted::{Conducted, OPENED_AT, agent};
use mind::{Entry, Fact, State};
use sim::Theatre;

use crate::figure;

/// Decisions of the mission, half of them by a model.
const DECISIONS: u32 = 20_000;

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let entries = entries();
    let mut state = State::default();
    let mut differ = 0;
    let began = Instant::now();
    for entry in &entries {
        if let Fact::Conductor(ConductorFact::Decided(record)) = &entry.fact {
            let again = redecide(&state, record, None, entry.at);
            differ += u32::from(Difference::between(record, again).is_some());
        }
        state.apply(entry);
    }
    let took = began.elapsed().as_secs_f64();
    assert_eq!(differ, 0, "the same decisions come out again");
    figure("decisions made again, the mind alone", format!("{:.0}/s", f64::from(DECISIONS) / took), "-");
    by_command(arbiter, &entries);
}

fn by_command(arbiter: &Path, entries: &[Entry]) {
    let id = "2026-11-16-bnch";
    let theatre = Theatre::new(arbiter);
    let bodies: Vec<String> =
        entries.iter().map(|entry| serde_json::to_string(entry).expect("a stored form")).collect();
    let bytes: usize = bodies.iter().map(String::len).sum();
    theatre.write_mission(id, &bodies);
    let began = Instant::now();
    let ran = theatre.run(&["decide", "replay", id]);
    let took = began.elapsed().as_secs_f64();
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let per_second = format!("{:.0}/s", f64::from(DECISIONS) / took);
    figure("decisions made again, arbiter decide replay", per_second, "-");
    figure("  ... of a journal of", format!("{:.0} MB", bytes as f64 / 1e6), "-");
}

/// A planner and a developer in turn; after the planner the rules decide, after the developer a model.
fn entries() -> Vec<Entry> {
    let mut planner = agent("planner", "Planner");
    planner.part = Some(AgentDuty::Planner);
    planner.transitions.on_success = "developer".to_owned().into();
    let mut book = Book { conducted: Conducted::open("Build the bridge.", Vec::new()), entries: Vec::new() };
    let mut charter = book.conducted.state.charter.as_deref().cloned().expect("a charter");
    charter.agents = vec![planner, agent("developer", "Developer")];
    if let Some(conducting) = charter.conducting.as_mut() {
        conducting.default_agent = Arc::from("planner");
        conducting.limits.max_iterations = u32::MAX;
    }
    book.conducted = Conducted { state: State::default(), now: OPENED_AT };
    book.fact(Fact::Mission(MissionFact::Opened(Box::new(charter))));
    for number in 1..=DECISIONS {
        let who = if number % 2 == 1 { "planner" } else { "developer" };
        book.decide(number, who);
        book.run(who);
    }
    book.entries
}

/// A mission, and every fact of it.
struct Book {
    conducted: Conducted,
    entries: Vec<Entry>,
}

impl Book {
    fn fact(&mut self, fact: Fact) {
        self.entries.push(Entry { at: self.conducted.now, fact: fact.clone() });
        self.conducted.fact(fact);
    }

    fn decide(&mut self, number: u32, mode: &str) {
        let call = if number == 1 { DecisionPoint::Select } else { DecisionPoint::Evaluate };
        let (state, now) = (&self.conducted.state, self.conducted.now);
        let input = input::input(state, call, now);
        let decision =
            NextMove::SelectMode { mode: Arc::from(mode), reason: Arc::from("it is next"), guidance: None };
        let by_model = number > 1 && mode == "planner";
        let said = serde_json::to_string(&decision).expect("a stored form");
        let reply = RawReply { raw: Arc::from(said), faults: Vec::new(), latency_ms: 900, tokens: None };
        let record = MoveRecord {
            number,
            call,
            iteration: number,
            input: Arc::new(serde_json::to_value(&input).expect("a stored form")),
            legal: legal::legal(state, call),
            prompt: None,
            replies: if by_model { vec![reply] } else { Vec::new() },
            decision,
            source: if by_model { MoveSource::Model } else { MoveSource::Rules },
            cause: None,
        };
        self.fact(Fact::Conductor(ConductorFact::Decided(Box::new(record))));
    }

    /// The run's facts are those that the mission made of it.
    fn run(&mut self, who: &str) {
        let mut after = self.conducted.clone();
        after.run(
            who,
            RunStatus::Success,
            1_000,
            "It did what it could, and says so in a few words.",
            |_, _| {},
        );
        let conductor = after.state.conductor.as_ref();
        let execution =
            conductor.and_then(|conductor| conductor.last()).map(|last| Box::new(last.as_ref().clone()));
        let run = mind::conductor::state::Run {
            number: conductor.map_or(0, |conductor| conductor.runs),
            kind: mind::conductor::state::RunKind::Work,
            agent: Arc::from(who),
            iteration: conductor.map_or(0, |conductor| conductor.iterations),
            step: None,
            mends: false,
            before: None,
            session: None,
            began_at: self.conducted.now,
            deadline: None,
            ending: None,
        };
        let session = mind::SessionId(run.number);
        self.fact(Fact::Conductor(ConductorFact::RunPrepared(Box::new(run))));
        self.fact(Fact::Conductor(ConductorFact::RunBegan { session, before: None, deadline: None }));
        self.conducted.now = after.now;
        self.fact(Fact::Conductor(ConductorFact::RunEnded { execution, error: None, objection: None }));
    }
}
