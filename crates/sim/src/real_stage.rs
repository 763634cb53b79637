//! Whole missions with the real Claude Code: a project, a scripted model, and both real programs.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::api::{Api, Scenario, Step, Voice};
use crate::{Theatre, Window};
use mind::fact::{LifeFact, SessionFact};
use mind::{Entry, Fact, SessionId};
use providers::claude::versions::ClaudeVersion;
use serde_json::{Value, json};

/// How long anything here may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A world with a model in it.
pub struct RealStage {
    /// Its home and project.
    pub theatre: Theatre,
    pub api: Api,
    env: Vec<(String, String)>,
}

/// A mission that runs.
pub struct RealMission<'a> {
    /// Where it runs.
    pub stage: &'a RealStage,
    house: Option<Child>,
}

/// The typed output of a turn.
pub fn says(output: Value) -> Step {
    Step::tool("StructuredOutput", output)
}

/// The Arbiter's act.
pub fn act(intent: &str, message: &str) -> Step {
    says(json!({"intent": intent, "message": message}))
}

/// An Orchestrator's report.
pub fn reports(kind: &str, message: &str) -> Step {
    says(json!({"kind": kind, "expects_response": true, "message": message}))
}

/// A command of the shell.
pub fn bash(command: &str) -> Step {
    Step::tool("Bash", json!({"command": command, "description": "a step"}))
}

/// What the Arbiter's model says.
pub fn arbiter(steps: impl IntoIterator<Item = Step>) -> Voice {
    Voice::new("arbiter", steps.into_iter().collect::<Vec<_>>())
        .system_contains("You are the Arbiter of mission")
        .agent(false)
}

/// What the model of an Orchestrator says, or of an audit.
pub fn orchestrator(numeral: &str, steps: impl IntoIterator<Item = Step>) -> Voice {
    Voice::new(format!("orchestrator {numeral}"), steps.into_iter().collect::<Vec<_>>())
        .system_contains(format!("You are Orchestrator {numeral} of mission"))
        .agent(false)
}

/// What the model of every subagent says.
pub fn subagents(steps: impl IntoIterator<Item = Step>) -> Voice {
    Voice::new("subagent", steps.into_iter().collect::<Vec<_>>()).agent(true)
}

/// A mission with one Orchestrator and an audit; `work` is what the Orchestrator does with its brief.
pub fn mission(work: Vec<Step>) -> Vec<Voice> {
    mission_that_begins(Vec::new(), work)
}

/// The same, where the Arbiter does this before it summons an Orchestrator.
pub fn mission_that_begins(first: Vec<Step>, work: Vec<Step>) -> Vec<Voice> {
    let course = [
        act("summon_orchestrator", "Let one come."),
        act("address_orchestrator", "Write bridge.txt.").when("I am Orchestrator I."),
        says(json!({"intent": "summon_orchestrator", "agent": "verifier", "message": "Let one judge."}))
            .when("It is built."),
        act("address_orchestrator", "Audit it.").when("I am the audit."),
        says(
            json!({"intent": "release_orchestrators", "claim": "complete", "message": "The bridge stands."}),
        )
        .when("Verdict: pass"),
    ];
    let mut steps = vec![reports("introduction", "I am Orchestrator I.").when("Introduce yourself")];
    steps.extend(work);
    let verdict = json!({"kind": "handoff", "expects_response": true, "message": "Sound.", "verdict": "pass",
                         "findings": []});
    let audit = [reports("introduction", "I am the audit."), says(verdict)];
    vec![arbiter(first.into_iter().chain(course)), orchestrator("I", steps), orchestrator("II", audit)]
}

impl RealStage {
    /// A stage, if the real program is there.
    pub fn set(binary: &str, config: &str, voices: impl IntoIterator<Item = Voice>) -> Option<RealStage> {
        RealStage::set_with_model(binary, "claude-opus-4-8", config, voices)
    }

    /// The same with a model of this name.
    pub fn set_with_model(
        binary: &str,
        model: &str,
        config: &str,
        voices: impl IntoIterator<Item = Voice>,
    ) -> Option<RealStage> {
        RealStage::set_in_version(crate::claude::chosen(), binary, model, config, voices)
    }

    /// The same in this version of the real program.
    pub fn set_in_version(
        version: ClaudeVersion,
        binary: &str,
        model: &str,
        config: &str,
        voices: impl IntoIterator<Item = Voice>,
    ) -> Option<RealStage> {
        let claude = crate::claude::of_version(version)?;
        let theatre = Theatre::with_repository(binary, &[("README.md", "a river\n")]);
        let scroll = theatre.project().join("scroll.md");
        fs::write(scroll, "# The bridge\n\nWrite bridge.txt with the word stone in it.\n")
            .expect("a file or folder can be made");
        let api = Api::start(Scenario::new(voices.into_iter().collect::<Vec<_>>()));
        let env = crate::claude::sandboxed_env(theatre.path(), &api.url());
        let own = theatre.path().join("home/.config/arbiter");
        fs::create_dir_all(&own).expect("a file or folder can be made");
        // A mission that asks no person begins by policy, unless a test is about the docket.
        let docket = if config.contains("docket:") { "" } else { "docket: { headless: refuse }\n" };
        let text = format!("{docket}claude:\n  program: {}\n  model: {model}\n{config}", claude.display());
        fs::write(own.join("config.yaml"), text).expect("a file or folder can be made");
        Some(RealStage { theatre, api, env })
    }

    /// The same, with this in the environment of Arbiter.
    pub fn with_env(mut self, name: &str, value: impl Into<String>) -> RealStage {
        self.env.push((name.to_owned(), value.into()));
        self
    }

    /// The user's home.
    pub fn home(&self) -> PathBuf {
        self.theatre.path().join("home")
    }

    /// The binary with these words, in this world.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.theatre.command(arguments);
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Our binary in a window of its own.
    pub fn window(&self, arguments: &[&str]) -> Window {
        let opening = Window::of(&self.theatre);
        let opening = self.env.iter().fold(opening, |opening, (name, value)| opening.with(name, value));
        opening.runs(arguments)
    }

    /// Begins the mission, headless.
    pub fn begin(&self) -> RealMission<'_> {
        self.start(&["run", "--headless", "scroll.md"])
    }

    /// Resumes the newest mission, with no person at the terminal.
    pub fn resume(&self) -> RealMission<'_> {
        self.start(&["resume", "--headless"])
    }

    /// Starts the binary with these words.
    pub fn start(&self, arguments: &[&str]) -> RealMission<'_> {
        let house = self.command(arguments).spawn().expect("the binary starts");
        RealMission { stage: self, house: Some(house) }
    }

    /// Runs another command of ours to its end, and gives what it printed.
    pub fn tell(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().expect("the binary starts");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The newest mission's folder.
    pub fn mission(&self) -> PathBuf {
        self.theatre.mission()
    }

    pub fn id(&self) -> String {
        self.mission().file_name().expect("a mission has a name").to_string_lossy().into_owned()
    }

    /// What its journal has so far.
    pub fn entries(&self) -> Vec<Entry> {
        let missions = self.theatre.missions();
        missions.first().map(|mission| self.theatre.entries(mission)).unwrap_or_default()
    }

    /// The facts so far, one line each.
    pub fn lines(&self) -> Vec<String> {
        self.entries().iter().map(|entry| entry.fact.to_string()).collect()
    }

    /// The same without times.
    pub fn facts(&self) -> Vec<Fact> {
        self.entries().into_iter().map(|entry| entry.fact).collect()
    }

    /// The mission's clone.
    pub fn clone_folder(&self) -> PathBuf {
        self.theatre.state().join("clones").join(self.id())
    }

    /// How many facts begin with these words.
    pub fn count(&self, words: &str) -> usize {
        self.lines().iter().filter(|line| line.starts_with(words)).count()
    }

    /// Waits until a fact has these words in it.
    pub fn wait_for(&self, words: &str) {
        self.wait_until(words, || self.lines().iter().any(|line| line.contains(words)));
    }

    /// Waits for something that must come to be.
    pub fn wait_until(&self, what: &str, mut done: impl FnMut() -> bool) {
        let began = Instant::now();
        while !done() {
            assert!(began.elapsed() < PATIENCE, "waited in vain for {what}:\n{}", self.story());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the model is asked something with these words in what it has not answered yet.
    pub fn wait_for_request(&self, words: &str) {
        let found = self.api.wait_for(|request| request.heard().contains(words), PATIENCE);
        assert!(found.is_some(), "no request with {words:?}:\n{}", self.story());
    }

    /// The processes of Claude Code in this world, by number.
    pub fn agents(&self) -> BTreeMap<i32, String> {
        let world = self.theatre.path().to_string_lossy().into_owned();
        let mut alike = BTreeMap::new();
        for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(id) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            let folder = fs::read_link(process.path().join("cwd")).unwrap_or_default();
            let is_agent = words.contains("--input-format stream-json") && !words.contains(" __cage ");
            if folder.starts_with(&world) && is_agent {
                alike.insert(id, (parent(id), words));
            }
        }
        // A child that an agent has forked and that has not begun its own program yet looks like the agent.
        let is_child = |of: Option<i32>| of.is_some_and(|of| alike.contains_key(&of));
        let agents = alike.iter().filter(|(_, (of, _))| !is_child(*of));
        agents.map(|(id, (_, words))| (*id, words.clone())).collect()
    }

    /// The process of Claude Code that holds this session's conversation.
    pub fn agent_of(&self, session: SessionId) -> i32 {
        let key = self.key_of(session);
        let found = self.agents().into_iter().find(|(_, words)| words.contains(&key));
        found.unwrap_or_else(|| panic!("no process of {session} runs:\n{}", self.story())).0
    }

    /// Waits until Claude Code has written these words into the session's conversation, one after the other.
    pub fn wait_until_kept(&self, session: SessionId, words: &[&str]) {
        let name = format!("{}.jsonl", self.key_of(session));
        let conversation = || {
            let projects = fs::read_dir(self.theatre.path().join("claude/projects")).into_iter().flatten();
            let files = projects.flatten().map(|project| project.path().join(&name));
            files.filter_map(|file| fs::read_to_string(file).ok()).next().unwrap_or_default()
        };
        self.wait_until(&format!("{words:?} in the conversation of {session}"), || {
            let text = conversation();
            let mut rest = Some(text.as_str());
            for words in words {
                rest = rest.and_then(|rest| rest.split_once(words)).map(|(_, rest)| rest);
            }
            rest.is_some()
        });
    }

    /// The name by which Claude Code knows the session.
    fn key_of(&self, session: SessionId) -> String {
        let key = self.facts().into_iter().find_map(|fact| match fact {
            Fact::Session(of, SessionFact::Life(LifeFact::Summoned(profile))) if of == session => {
                Some(profile.key)
            }
            Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Session(..)
            | Fact::Gate(..)
            | Fact::Docket(..)
            | Fact::Conductor(_) => None,
        });
        key.expect("the session was summoned")
    }

    /// Whether a process with these words runs in this world.
    pub fn runs(&self, words: &str) -> bool {
        let world = self.theatre.path();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        processes.into_iter().any(|process| {
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            let folder = fs::read_link(process.path().join("cwd")).unwrap_or_default();
            folder.starts_with(world) && String::from_utf8_lossy(&line).replace('\0', " ").contains(words)
        })
    }

    /// Everything one needs to see what went wrong.
    pub fn story(&self) -> String {
        let mut story = self.lines().join("\n");
        for request in self.api.requests() {
            let heard = request.heard();
            let heard = heard.replace('\n', " / ");
            story += &format!("\n{:?} {:?} {:.120}", request.voice, request.answer, heard);
        }
        for file in fs::read_dir(self.mission().join("sessions")).into_iter().flatten().flatten() {
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            let tail: Vec<&str> = text.lines().rev().take(6).collect();
            story += &format!("\n== {}", file.path().display());
            tail.iter().rev().for_each(|line| story += &format!("\n{line:.400}"));
        }
        story
    }

    /// The requests whose voice is this.
    pub fn requests_of(&self, voice: &str) -> Vec<std::sync::Arc<crate::api::Request>> {
        let mut requests = self.api.requests();
        requests.retain(|request| request.voice.as_deref() == Some(voice));
        requests
    }

    /// In how many requests of this voice these words are new.
    pub fn heard_by(&self, voice: &str, words: &str) -> usize {
        self.requests_of(voice).iter().filter(|request| request.heard().contains(words)).count()
    }
}

/// The process that started this one, if it still runs.
fn parent(process: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

impl RealMission<'_> {
    /// Waits for the end: it must be a good one, no process may be left, and no request may have been off script.
    pub fn completes(self) {
        let stage = self.stage;
        self.ends(0);
        let off: Vec<String> = stage.api.off_script().iter().map(|request| request.heard()).collect();
        assert!(off.is_empty(), "off script: {off:?}");
    }

    /// Waits for the end with this exit code, after which no process may be left. Returns what was printed.
    pub fn ends(mut self, expected: i32) -> String {
        let stage = self.stage;
        let mut house = self.house.take().expect("it runs");
        let drain = |pipe: Option<Box<dyn Read + Send>>| {
            std::thread::spawn(move || {
                let mut text = String::new();
                let _ = pipe.map(|mut pipe| pipe.read_to_string(&mut text));
                text
            })
        };
        let out = drain(house.stdout.take().map(|pipe| Box::new(pipe) as _));
        let err = drain(house.stderr.take().map(|pipe| Box::new(pipe) as _));
        let began = Instant::now();
        let status = loop {
            match house.try_wait().expect("it can be asked") {
                Some(status) => break Some(status),
                None if began.elapsed() > PATIENCE => {
                    let _ = house.kill();
                    let _ = house.wait();
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
        let code = status.and_then(|status| status.code());
        assert_eq!(code, Some(expected), "{err}\n{}", stage.story());
        stage.theatre.assert_nobody_left();
        out + &err
    }

    /// Kills it as a power cut would.
    pub fn dies(mut self) {
        let mut house = self.house.take().expect("it runs");
        house.kill().expect("it can be killed");
        house.wait().expect("it ends");
    }

    /// Stops it as Ctrl-C would; no process may be left.
    pub fn stops(mut self) {
        let mut house = self.house.take().expect("it runs");
        let id = rustix::process::Pid::from_raw(house.id() as i32).expect("a process has a number");
        rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("it can be told");
        house.wait().expect("it ends");
        self.stage.theatre.assert_nobody_left();
    }
}

impl Drop for RealMission<'_> {
    fn drop(&mut self) {
        if let Some(mut house) = self.house.take() {
            let _ = house.kill();
            let _ = house.wait();
        }
    }
}
