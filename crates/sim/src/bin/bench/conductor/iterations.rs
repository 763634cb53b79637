//! Measures a whole mission of many small iterations by the real binary against as many bare sessions of the same
//! provider: the difference is what Arbiter adds to an iteration, with its journal, its decision and its inspections of
//! the clone. Both run without a sandbox, since the bare session has none.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use mind::conductor::ConductorFact;
use mind::conductor::state::RunKind;
use mind::{Entry, Fact};
use sim::{GreetingScript, Theatre};

use crate::{figure, median};

/// Iterations of the mission beside the planner's.
const ITERATIONS: usize = 30;
const ROUNDS: usize = 3;

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let missions: Vec<Mission> = (0..ROUNDS).map(|_| Mission::play(arbiter)).collect();
    let middle = |of: fn(&Mission) -> f64| median(missions.iter().map(of).collect());
    let (whole, bare) = (middle(|mission| mission.iteration_ms), middle(|mission| mission.bare_ms));
    figure(&format!("an iteration, of {ITERATIONS} in a mission"), format!("{whole:.1} ms"), "-");
    figure("  ... a bare session of the provider", format!("{bare:.1} ms"), "-");
    figure("  ... what Arbiter adds to it", format!("{:.1} ms", whole - bare), "5 ms");
    for (place, part) in PARTS.iter().enumerate() {
        let part_ms = median(missions.iter().map(|mission| mission.parts_ms[place]).collect());
        figure(&format!("      {part}"), format!("{part_ms:.1} ms"), "-");
    }
    figure("  ... batches of the journal, each synced", format!("{:.1}", middle(|m| m.batches)), "-");
    figure("  ... facts", format!("{:.1}", middle(|m| m.facts)), "-");
}

/// What an iteration consists of, as the journal's own times tell it.
const PARTS: [&str; 4] = [
    "prepared to begun: files and clone are looked at",
    "begun to ending: the session, from its start on",
    "ending to ended: what changed is looked at",
    "ended to prepared: the model decides",
];

struct Mission {
    iteration_ms: f64,
    bare_ms: f64,
    parts_ms: [f64; PARTS.len()],
    batches: f64,
    facts: f64,
}

impl Mission {
    fn play(arbiter: &Path) -> Mission {
        let theatre =
            Theatre::rehearsing(arbiter, script()).with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock");
        let ran = theatre.rehearse(&["--way", "conductor", "--headless", "--pace", "fast"]);
        assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
        let (mut batches, mut facts) = (0, 0);
        let mut course = Course::default();
        for batch in theatre.batches(&theatre.mission()) {
            let before = course.counts();
            batch.iter().for_each(|entry| course.add(entry));
            if before || course.counts() {
                (batches, facts) = (batches + 1, facts + batch.len());
            }
        }
        let count = ITERATIONS as f64;
        Mission {
            iteration_ms: course.whole_ms() / count,
            bare_ms: bare(&theatre),
            parts_ms: course.parts_ms.map(|sum| sum / count),
            batches: f64::from(batches) / count,
            facts: facts as f64 / count,
        }
    }
}

/// When the runs of the developer began and ended.
#[derive(Default)]
struct Course {
    first: Option<u64>,
    last: u64,
    moments: Option<(usize, u64)>,
    parts_ms: [f64; PARTS.len()],
    ended: usize,
}

impl Course {
    /// It is between the first run of the developer and the end of its last.
    fn counts(&self) -> bool {
        self.first.is_some() && self.ended < ITERATIONS
    }

    fn whole_ms(&self) -> f64 {
        self.first.map_or(0.0, |first| self.last.saturating_sub(first) as f64)
    }

    fn add(&mut self, entry: &Entry) {
        let Fact::Conductor(fact) = &entry.fact else { return };
        let at = entry.at.0;
        if let ConductorFact::RunPrepared(run) = fact
            && run.kind == RunKind::Work
            && &*run.agent == "developer"
        {
            self.first.get_or_insert(at);
            self.next(3, 0, at);
        } else if !self.counts() {
        } else if let ConductorFact::RunBegan { .. } = fact {
            self.next(0, 1, at);
        } else if let ConductorFact::RunEnding(_) = fact {
            self.next(1, 2, at);
        } else if let ConductorFact::RunEnded { .. } = fact {
            self.next(2, 3, at);
            self.ended += 1;
            self.last = at;
        }
    }

    fn next(&mut self, over: usize, begins: usize, at: u64) {
        if let Some((part, since)) = self.moments.replace((begins, at))
            && part == over
        {
            self.parts_ms[part] += at.saturating_sub(since) as f64;
        }
    }
}

/// What a session takes from its start over one turn to its end, in milliseconds, without Arbiter.
fn bare(theatre: &Theatre) -> f64 {
    let store = theatre.path().join("bare");
    let began = Instant::now();
    for number in 1..=ITERATIONS {
        let number = number.to_string();
        let mut command = theatre.command(&["__actor", "--role", "agent", "--agent", "developer"]);
        command.args(["--number", &number, "--key", &format!("bare-{number}"), "--mission", "m"]);
        command.arg("--script").arg(theatre.script()).arg("--store").arg(&store);
        command.arg("--folder").arg(theatre.project()).args(["--pace", "fast"]);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the actor starts");
        let (mut orders, said) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        writeln!(orders, r#"{{"type": "deliver", "turn": 1, "key": "t-1", "text": "go"}}"#)
            .expect("it listens");
        let rested =
            |line: &std::io::Result<String>| line.as_ref().is_ok_and(|line| line.contains("\"rested\""));
        assert!(BufReader::new(said).lines().any(|line| rested(&line)), "the turn ends");
        drop(orders);
        assert!(child.wait().expect("it can be waited for").success(), "the actor ends well");
    }
    began.elapsed().as_secs_f64() * 1_000.0 / ITERATIONS as f64
}

/// A plan of many steps, all of them the developer's.
fn script() -> GreetingScript {
    let step = |number: usize| format!("Step {number}, suggestedAgent: developer");
    let run = |number: usize| format!("says: {{outcome: success, summary: Step {number} is done.}}");
    let numbers = || 1..=ITERATIONS;
    let (plan, runs): (Vec<String>, Vec<String>) =
        (numbers().map(step).collect(), numbers().map(run).collect());
    GreetingScript::new().plans(&plan).checks(r#"["true"]"#).runs("developer", &runs).remembers("")
}
