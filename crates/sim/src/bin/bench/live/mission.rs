//! A mission that a person runs at a terminal, with the real `claude` and a scripted model.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant, UNIX_EPOCH};

use journal::Reader;
use mind::fact::{LifeFact, SessionFact, TalkFact};
use mind::talk::{Listener, Speaker};
use mind::{Entry, Fact};
use serde_json::{Value, json};
use sim::Theatre;
use sim::api::{Api, Scenario, Step, Voice};

use super::processes;

/// How long anything here may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often the journal is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// The model; any name that the program knows.
const MODEL: &str = "claude-opus-4-8";
/// The voice of the Arbiter in the API's log.
pub const ARBITER: &str = "arbiter";
/// The voice of all Orchestrators.
pub const ORCHESTRATOR: &str = "orchestrator";
/// What the Arbiter says when a worker has handed off.
pub const DONE: &str = "It stands.";
/// The prompt of sessions that do nothing but live.
pub const IDLE: &str = "You are one of ten.";

/// A mission at a terminal. Dropped, it is ended.
pub struct Mission {
    pub theatre: Theatre,
    pub api: Api,
    /// What `claude` is to have in its environment.
    pub env: Vec<(String, String)>,
    /// The wall clock when the API began.
    began: f64,
    /// `script`, which gives Arbiter a terminal.
    terminal: Child,
    keys: ChildStdin,
    journal: Reader,
    entries: Vec<Entry>,
    bridges: usize,
}

/// Milliseconds of the wall clock.
fn now() -> f64 {
    host::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64() * 1000.0
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn says(output: Value) -> Step {
    Step::tool("StructuredOutput", output)
}

fn act(intent: &str, message: &str) -> Step {
    says(json!({"intent": intent, "message": message})).forever()
}

fn reports(kind: &str, message: &str) -> Step {
    says(json!({"kind": kind, "expects_response": true, "message": message})).forever()
}

fn voices() -> [Voice; 3] {
    let arbiter = [
        act("address_human", "Heard.").when("Say word"),
        act("summon_orchestrator", "Let one come.").when("Raise a bridge."),
        act("address_orchestrator", "Lay one stone.").when("I am here."),
        act("address_human", DONE).when("The stone is laid."),
        act("address_human", "So be it."),
    ];
    let lay = json!({"command": "printf 'laid\\n' | tee -a bridge.txt", "description": "lay it"});
    let orchestrator = [
        Step::tool("Bash", lay).when("Lay one stone.").forever(),
        reports("handoff", "The stone is laid.").when("laid"),
        reports("introduction", "I am here."),
    ];
    let idle = json!({"kind": "progress", "expects_response": false, "message": "I rest."});
    [
        Voice::new(ARBITER, arbiter).system_contains("You are the Arbiter of mission").agent(false),
        Voice::new(ORCHESTRATOR, orchestrator).system_contains("You are Orchestrator ").agent(false),
        Voice::new("idle", [says(idle).forever()]).system_contains(IDLE),
    ]
}

impl Mission {
    /// Begins it, and waits until the Arbiter has spoken; none where there is no terminal to type at.
    pub fn begin(arbiter: &Path, claude: &Path) -> Option<Mission> {
        let theatre = Theatre::with_repository(arbiter, &[("README.md", "a river\n")]);
        fs::write(theatre.project().join("scroll.md"), "# The bridge\n\nLay its stones.\n").expect("a file");
        let api = Api::start(Scenario::new(voices()));
        let began = now() - milliseconds(api.elapsed());
        let env = sim::claude::sandboxed_env(theatre.path(), &api.url());
        let own = theatre.path().join("home/.config/arbiter");
        fs::create_dir_all(&own).expect("a folder can be made");
        let config = format!("claude:\n  program: {}\n  model: {MODEL}\n", claude.display());
        fs::write(own.join("config.yaml"), config).expect("a file can be written");

        let run = format!("exec '{}' run --yes scroll.md", arbiter.display());
        let mut command = Command::new("script");
        theatre.place(&mut command);
        command.envs(env.iter().map(|(name, value)| (name, value)));
        command.args(["--quiet", "--return", "--command", &run, "/dev/null"]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut terminal = command.spawn().ok()?;
        let keys = terminal.stdin.take().expect("its input is piped");
        let began_at = Instant::now();
        while theatre.missions().is_empty() {
            if began_at.elapsed() > PATIENCE {
                let _ = terminal.kill();
                let _ = terminal.wait();
                panic!("no mission was begun");
            }
            std::thread::sleep(LOOK_EVERY);
        }
        let journal = Reader::open(&theatre.mission().join("journal.jsonl"), &theatre.journal_key())
            .expect("a journal");
        let entries = Vec::new();
        let mut mission = Mission { theatre, api, env, began, terminal, keys, journal, entries, bridges: 0 };
        mission.wait_for_word("So be it.", 1);
        Some(mission)
    }

    /// Types a line and hits Enter; says when.
    pub fn type_line(&mut self, words: &str) -> f64 {
        let line = format!("{words}\n");
        let entered = now();
        self.keys.write_all(line.as_bytes()).expect("it can be typed");
        entered
    }

    /// A worker comes, lays a stone and hands off; then it is sent away, and gone when this comes back.
    pub fn raise_a_bridge(&mut self) {
        self.bridges += 1;
        let bridges = self.bridges;
        self.type_line("Raise a bridge.");
        self.wait_for_word(DONE, bridges);
        self.type_line("/release");
        // It answers to the mission's beginning once, and once to each release.
        self.wait_for_word("So be it.", bridges + 1);
        let house = self.house();
        self.wait_until("a released worker goes", |_| {
            let is_agent = |process: &u32| !processes::command_line(*process).contains("__cage");
            processes::below(house).iter().filter(|process| is_agent(process)).count() == 1
        });
    }

    /// Waits until the Arbiter has told this to the human so often.
    pub fn wait_for_word(&mut self, words: &str, count: usize) {
        self.wait_until(words, |mission| {
            mission.entries().iter().filter(|entry| is_told(&entry.fact, words)).count() >= count
        });
    }

    fn wait_until(&mut self, what: &str, mut done: impl FnMut(&mut Mission) -> bool) {
        let began = Instant::now();
        while !done(self) {
            let lines: Vec<String> = self.entries.iter().map(|entry| entry.fact.to_string()).collect();
            assert!(began.elapsed() < PATIENCE, "waited in vain for {what}:\n{}", lines.join("\n"));
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// The journal so far.
    pub fn entries(&mut self) -> &[Entry] {
        while let Some(batch) = self.journal.next_batch().expect("a sound journal") {
            let read = |body: &String| serde_json::from_str(body).expect("a fact that we know");
            self.entries.extend(batch.bodies.iter().map(read));
        }
        &self.entries
    }

    /// A time of the API's log, by the wall clock.
    pub fn wall(&self, at: Duration) -> f64 {
        self.began + milliseconds(at)
    }

    /// The logbook of a session.
    pub fn logbook(&self, session: u32) -> PathBuf {
        self.theatre.mission().join(format!("sessions/{session}.jsonl"))
    }

    /// The number of Arbiter's process.
    pub fn house(&self) -> u32 {
        processes::children(self.terminal.id()).first().copied().expect("arbiter runs")
    }

    /// The person leaves, and no process may be left.
    pub fn end(mut self) {
        self.leave();
        self.theatre.assert_nobody_left();
    }

    fn leave(&mut self) {
        let _ = self.keys.write_all(b"/quit\n");
        let began = Instant::now();
        while matches!(self.terminal.try_wait(), Ok(None)) {
            if began.elapsed() > PATIENCE {
                // Without its terminal Arbiter gets a hangup.
                let _ = self.terminal.kill();
                let _ = self.terminal.wait();
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

impl Drop for Mission {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Whether it is a word of the Arbiter to the human.
pub fn is_told(fact: &Fact, words: &str) -> bool {
    matches!(fact, Fact::Talk(TalkFact::Said { from: Speaker::Arbiter, to: Listener::Human, text, .. })
        if text.as_ref() == words)
}

/// Whether it is the summoning of a worker.
pub fn is_summons(fact: &Fact) -> bool {
    matches!(fact, Fact::Session(_, SessionFact::Life(LifeFact::Summoned(profile))) if profile.number > 0)
}
