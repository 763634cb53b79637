//! The rules of the round in missions of the real binary: its loop takes one batch at a time here, so that each test chooses
//! what is ready together. `cargo xtask plants` breaks the rules one by one and wants these tests to turn red.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command};

use mind::fact::{GateFact, LifeFact, MissionFact, SessionFact, TalkFact, TurnFact};
use mind::talk::Speaker;
use mind::{Entry, Fact};
use sim::Theatre;

use crate::{BINARY, wait_until};

const SCRIPT: &str = r#"
rehearsal: 1
title: The bridge
scroll: Write bridge.txt.
checks: [["test", "-f", "bridge.txt"]]
arbiter:
  - says: {intent: summon_orchestrator, message: "Let one come."}
  - says: {intent: address_orchestrator, message: "Write bridge.txt."}
  - says: {intent: summon_orchestrator, agent: verifier, message: "Let another look."}
  - says: {intent: address_orchestrator, message: "Audit it."}
  - says: {intent: release_orchestrators, claim: complete, message: "It stands."}
orchestrators:
  - - says: {kind: introduction, expects_response: true, message: "I am Orchestrator I."}
    - does: [{write: bridge.txt, text: "stone"}, {commit: "Build"}]
      says: {kind: handoff, expects_response: true, message: "Built."}
  - - says: {kind: introduction, expects_response: true, message: "I am Orchestrator II."}
    - says: {kind: handoff, expects_response: true, verdict: pass, findings: [], message: "It stands."}
"#;

/// The Arbiter comes to a limit before it has said a word.
const LIMITED: &str = r#"
rehearsal: 1
title: The limit
scroll: Write bridge.txt.
arbiter:
  - does: [{fail: limit, why: "too many requests", after: 1s}]
    says: {intent: address_human, message: "Of stone, or of rope?"}
"#;

/// How a loop stands that takes no batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Standing {
    taken: u64,
    waiting: usize,
    stopping: bool,
}

/// A mission whose loop takes a batch when it is told to.
struct SteppedMission {
    theatre: Theatre,
    run: Child,
    /// Those who speak to it, each with its process.
    speakers: Vec<Child>,
    allowed: u64,
}

impl SteppedMission {
    /// Begins a mission that stands before its first batch.
    fn begin(script: &str) -> SteppedMission {
        let theatre = Theatre::with_repository(BINARY, &[("README.md", "a river\n")]);
        let theatre = theatre.with_config("docket: { headless: refuse }\n");
        let path = theatre.path().join("script.yaml");
        fs::write(&path, script).expect("a script can be written");
        fs::write(theatre.path().join("batches"), "0").expect("a number can be written");
        let path = path.display().to_string();
        let mut command = theatre.command(&["run", "--headless", "--yes", "--rehearsal", &path]);
        command.env("ARBITER_STANDSTILL", theatre.path().join("batches"));
        let run = command.spawn().expect("the binary starts");
        let mission = SteppedMission { theatre, run, speakers: Vec::new(), allowed: 0 };
        wait_until("the loop stands before its first batch", || {
            mission.standing().is_some_and(|standing| standing.waiting >= 2)
        });
        mission
    }

    fn standing(&self) -> Option<Standing> {
        let told = fs::read_to_string(self.theatre.path().join("batches.told")).ok()?;
        let mut words = told.split(' ');
        Some(Standing {
            taken: words.next()?.parse().ok()?,
            waiting: words.next()?.parse().ok()?,
            stopping: words.next()? == "true",
        })
    }

    fn waiting(&self) -> usize {
        self.standing().map_or(0, |standing| standing.waiting)
    }

    /// Lets the loop take one batch, and waits until it stands again.
    fn step(&mut self) {
        self.allowed += 1;
        let file = self.theatre.path().join("batches");
        let aside = file.with_extension("next");
        fs::write(&aside, self.allowed.to_string()).expect("a number can be written");
        fs::rename(&aside, &file).expect("it can be moved");
        wait_until("the loop has taken a batch", || {
            self.standing().is_some_and(|standing| standing.taken == self.allowed)
        });
    }

    /// Steps until such a fact is written, and returns it.
    fn step_until<T>(&mut self, what: &str, pick: impl Fn(&Fact) -> Option<T>) -> T {
        for _ in 0..200 {
            if let Some(found) = self.facts().iter().find_map(&pick) {
                return found;
            }
            self.step();
        }
        panic!("no such fact was written: {what}");
    }

    /// Lets the loop go on by itself, and waits for its end.
    fn let_go(&mut self) -> Option<i32> {
        fs::remove_file(self.theatre.path().join("batches")).expect("the file is there");
        let mut ended = None;
        wait_until("the mission lets go", || {
            ended = self.run.try_wait().expect("it can be asked");
            ended.is_some()
        });
        ended.and_then(|status| status.code())
    }

    /// Asks the mission to stop, as a terminal or a supervisor does.
    fn stop(&self) {
        let pid = self.run.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
        wait_until("the loop is to stop", || self.standing().is_some_and(|standing| standing.stopping));
    }

    /// Speaks from another terminal; the words wait in the loop's inbox when this returns.
    fn say(&mut self, words: &str) {
        let before = self.waiting();
        self.speakers.push(self.theatre.start(&["mission", "say", &self.id(), words]));
        wait_until("the words wait in the inbox", || self.waiting() > before);
    }

    fn id(&self) -> String {
        self.theatre.mission().file_name().expect("a name").to_string_lossy().into_owned()
    }

    fn clone_folder(&self) -> PathBuf {
        self.theatre.state().join("clones").join(self.id())
    }

    fn letters(&self) -> usize {
        fs::read_dir(self.theatre.mission().join("inbox")).map_or(0, Iterator::count)
    }

    /// The journal's batches, each as its facts.
    fn batches(&self) -> Vec<Vec<Fact>> {
        let journal = self.theatre.mission().join("journal.jsonl");
        let mut reader = journal::Reader::open(&journal, &self.theatre.journal_key()).expect("a journal");
        let mut batches = Vec::new();
        while let Some(batch) = reader.next_batch().expect("a sound journal") {
            let fact = |body| serde_json::from_str::<Entry>(body).expect("an entry").fact;
            batches.push(batch.bodies.iter().map(|body| fact(body)).collect());
        }
        batches
    }

    fn facts(&self) -> Vec<Fact> {
        self.batches().concat()
    }
}

/// A test that fails leaves no process behind.
impl Drop for SteppedMission {
    fn drop(&mut self) {
        for child in self.speakers.iter_mut().chain([&mut self.run]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn words(fact: &Fact) -> Option<&str> {
    match fact {
        Fact::Talk(TalkFact::Said { from: Speaker::Human(_), text, .. }) => Some(text),
        Fact::Talk(_)
        | Fact::Mission(_)
        | Fact::Session(..)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    }
}

fn position(facts: &[Fact], wanted: impl Fn(&Fact) -> bool) -> Option<usize> {
    facts.iter().position(wanted)
}

fn is_completed(fact: &Fact) -> bool {
    matches!(fact, Fact::Mission(MissionFact::Completed { .. }))
}

/// A mission that is complete but for the receipt of its only check, which waits in the loop's inbox.
fn about_to_complete() -> SteppedMission {
    let mut mission = SteppedMission::begin(SCRIPT);
    let is_brought = |fact: &Fact| matches!(fact, Fact::Gate(_, GateFact::Brought { .. })).then_some(());
    mission.step_until("the work is brought", is_brought);
    wait_until("the check has passed", || mission.waiting() > 0);
    mission
}

#[test]
fn words_that_are_ready_with_the_last_receipt_are_heard_before_the_end() {
    let mut mission = about_to_complete();
    mission.say("Of rope, please.");
    mission.step();
    let facts = mission.facts();
    let receipt = position(&facts, |fact| matches!(fact, Fact::Gate(_, GateFact::Receipt { .. })));
    let heard = position(&facts, |fact| words(fact) == Some("Of rope, please."));
    assert!(receipt.is_some(), "both were ready together");
    assert!(heard.is_some() && heard < receipt, "the end passed by what was said before it");
    assert!(!facts.iter().any(is_completed), "nothing is complete while somebody waits to be heard");
}

#[test]
fn a_mission_that_completes_during_a_stop_is_complete() {
    let mut mission = about_to_complete();
    mission.stop();
    let code = mission.let_go();
    assert!(mission.facts().iter().any(is_completed));
    assert_eq!(code, Some(0), "an end is not kept quiet");
}

#[test]
fn a_halt_during_a_stop_is_written_and_is_no_end() {
    let mut mission = SteppedMission::begin(SCRIPT);
    fs::create_dir_all(mission.clone_folder().join("of-somebody-else")).expect("a folder can be made");
    mission.step();
    wait_until("the clone cannot be made", || mission.waiting() > 0);
    mission.stop();
    let code = mission.let_go();
    let halted = mission.facts().iter().any(|fact| matches!(fact, Fact::Mission(MissionFact::Halted { .. })));
    assert!(halted, "what was ready is heard");
    assert_eq!(code, Some(4), "it was stopped; whether it is to halt is for its next start");
}

#[test]
fn a_mission_that_is_stopped_hears_what_was_said_and_begins_nothing() {
    let mut mission = SteppedMission::begin(SCRIPT);
    mission.say("Of rope, please.");
    mission.stop();
    assert_eq!(mission.let_go(), Some(4));
    assert!(mission.facts().iter().any(|fact| words(fact) == Some("Of rope, please.")));
    assert_eq!(mission.letters(), 0, "a letter that is a fact is discarded");
    assert!(!mission.clone_folder().exists(), "nothing is begun");
}

#[test]
fn everything_of_a_batch_is_written() {
    let mut mission = SteppedMission::begin(SCRIPT);
    let said = ["Of rope.", "Of stone.", "Of wood."];
    said.iter().for_each(|words| mission.say(words));
    mission.step();
    let batches = mission.batches();
    let batch = batches.last().expect("a batch");
    let heard: Vec<&str> = batch.iter().filter_map(words).collect();
    assert_eq!(heard, said, "one batch holds all that was ready");
}

#[test]
fn what_is_due_is_done_in_a_batch_of_letters() {
    let mut mission = SteppedMission::begin(LIMITED);
    let until = mission.step_until("the Arbiter waits", |fact| match fact {
        Fact::Session(_, SessionFact::Life(LifeFact::Waits(wait))) => Some(wait.until),
        Fact::Session(..)
        | Fact::Talk(_)
        | Fact::Mission(_)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    mission.say("Of rope, please.");
    wait_until("the limit is over", || host::now_ms() > until.0);
    mission.step();
    let batches = mission.batches();
    let batch = batches.last().expect("a batch");
    assert!(batch.iter().any(|fact| words(fact).is_some()), "{batch:?}");
    let retried = |fact: &Fact| matches!(fact, Fact::Session(_, SessionFact::Turn(TurnFact::Retried { .. })));
    assert!(batch.iter().any(retried), "a full inbox keeps the alarm from ringing: {batch:?}");
}
