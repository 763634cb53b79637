//! Who plays: a session whose model does what a play says, whichever provider it is made of.

use std::fs;
use std::path::{Path, PathBuf};

use mind::AgentEvent;
use providers::claude::{self, Routing, Settings};
use providers::rehearsal::{self, Pace};
use providers::{Handle, NoteSink, SessionProvider as _, SessionStart};
use serde_json::{Value, json};
use sim::api::{Api, Block, Message, Scenario, Step, Usage, Voice};
use tokio::sync::mpsc::Sender;

/// What the model does when it is told something.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The text has this in it.
    pub told: &'static str,
    pub does: Vec<Do>,
    /// The message of its typed output.
    pub says: &'static str,
}

/// One thing it does.
#[derive(Debug, Clone)]
pub enum Do {
    /// A command of a shell.
    Run(String),
    /// A new task of the checklist.
    Task(&'static str),
    /// It thinks before it goes on, in milliseconds. A rehearsal does not.
    Think(u64),
    /// A petition with this title, which is to be answered with JSON that has the title in it.
    Push(&'static str),
}

/// A turn that does nothing but speak.
pub fn turn(told: &'static str, does: impl IntoIterator<Item = Do>, says: &'static str) -> Turn {
    Turn { told, does: does.into_iter().collect(), says }
}

/// A command that says in the clone that it has begun, and waits for a word there.
pub fn wait_for_word(name: &str) -> Do {
    Do::Run(format!("touch {name}-began; while [ ! -e {name}-word ]; do sleep 0.02; done"))
}

/// A petition that is asked.
fn petition(title: &str) -> Value {
    let options = json!([{"key": "left", "label": "Left"}, {"key": "right", "label": "Right"}]);
    json!({"title": title, "decisions": [{"id": "way", "title": "Left or right?", "options": options}]})
}

/// The typed output of a turn.
pub fn output(says: &str) -> Value {
    json!({"kind": "progress", "expects_response": false, "message": says})
}

/// How many tokens every request takes.
pub const USED: u64 = 12_000;
/// What makes a model of the contract's sessions.
pub const PROMPT: &str = "You keep the contract.";

/// A provider whose models can be told what to do.
pub trait Provider {
    /// Sets the play up in `world`; none where the provider is not on this machine.
    fn open(&self, world: &Path, play: &[Turn]) -> Option<Box<dyn Cast>>;
}

/// A play that is set up.
pub trait Cast: Send {
    fn start(&self, start: SessionStart, events: Sender<AgentEvent>) -> Handle;

    /// Whether the model was told this; none where nobody can know.
    fn was_told(&self, text: &str) -> Option<bool>;

    /// How often the text stands in the newest request to the model; none where nobody can know.
    fn times_told(&self, _text: &str) -> Option<usize> {
        None
    }

    /// Where it writes its conversations down some time after it has told of them; none where it does so before.
    fn conversations(&self) -> Option<PathBuf> {
        None
    }
}

/// The built-in cast.
pub struct Rehearsal;
/// An impostor of Claude Code.
pub struct Impostor;
/// Claude Code itself, in the version to test with, and a scripted API.
pub struct Real;
/// The same in the newest version that is tested.
pub struct Newest;

impl Provider for Rehearsal {
    fn open(&self, world: &Path, play: &[Turn]) -> Option<Box<dyn Cast>> {
        let turns: Vec<Value> = play.iter().map(rehearsed).collect();
        // JSON is YAML.
        let script =
            json!({"rehearsal": 1, "title": "t", "scroll": "s", "arbiter": [], "orchestrators": [turns]});
        fs::write(world.join("script.yaml"), script.to_string()).unwrap();
        Some(Box::new(rehearsal::RehearsalOptions {
            argv: vec![env!("CARGO_BIN_EXE_contract-actor").into()],
            script: world.join("script.yaml"),
            store: world.join("store"),
            pace: Pace::Fast,
        }))
    }
}

fn rehearsed(turn: &Turn) -> Value {
    let mut tasks = Vec::new();
    let mut steps = vec![json!({"gauge": USED})];
    for done in &turn.does {
        match done {
            Do::Run(command) => steps.push(json!({"run": ["sh", "-c", command]})),
            Do::Task(title) => {
                tasks.push(json!({"title": title, "status": "pending"}));
                steps.push(json!({"tasks": tasks}));
            }
            Do::Think(ms) => steps.push(json!({"pause": ms})),
            Do::Push(title) => steps.push(json!({"push": petition(title)})),
        }
    }
    json!({"does": steps, "says": output(turn.says), "cost_microusd": 5_000})
}

impl Cast for rehearsal::RehearsalOptions {
    fn start(&self, start: SessionStart, events: Sender<AgentEvent>) -> Handle {
        rehearsal::Rehearsal::new(self.clone()).start(start, events)
    }

    fn was_told(&self, _text: &str) -> Option<bool> {
        None
    }
}

/// The impostor with a scenario.
pub struct Posing {
    options: claude::ClaudeOptions,
    heard: PathBuf,
}

impl Posing {
    /// An impostor in `world` that plays `scenario`.
    pub fn open(world: &Path, scenario: &Value, routing: Routing) -> Posing {
        let path = world.join("scenario.yaml");
        fs::write(&path, scenario.to_string()).unwrap();
        let env = vec![
            ("FAKE_CLAUDE_SCENARIO".to_owned(), path.display().to_string()),
            ("CLAUDE_CONFIG_DIR".to_owned(), world.join("claude").display().to_string()),
        ];
        let program = env!("CARGO_BIN_EXE_fake-claude").into();
        let options = claude::ClaudeOptions { program, settings: Settings::Isolated, routing, env };
        Posing { options, heard: world.join("scenario.yaml.store") }
    }
}

impl Provider for Impostor {
    fn open(&self, world: &Path, play: &[Turn]) -> Option<Box<dyn Cast>> {
        let turns: Vec<Value> = play.iter().map(posed).collect();
        Some(Box::new(Posing::open(world, &json!({"turns": turns}), Routing::Typed)))
    }
}

fn posed(turn: &Turn) -> Value {
    let steps: Vec<Value> = turn
        .does
        .iter()
        .map(|done| match done {
            Do::Run(command) => json!({"run": command}),
            Do::Task(title) => json!({"task": title}),
            Do::Think(ms) => json!({"pause": ms}),
            Do::Push(title) => json!({"call": {"tool": "arbiter_push", "arguments": petition(title)}}),
        })
        .collect();
    json!({"when": turn.told, "does": steps, "says": output(turn.says), "used": USED, "cost_usd": 0.005})
}

impl Cast for Posing {
    fn start(&self, start: SessionStart, events: Sender<AgentEvent>) -> Handle {
        claude::Claude::new(self.options.clone(), NoteSink::default()).start(start, events)
    }

    fn was_told(&self, text: &str) -> Option<bool> {
        let files = fs::read_dir(&self.heard).ok()?.flatten().map(|file| file.path());
        let mut heard = files.filter(|path| path.extension().is_some_and(|end| end == "heard"));
        Some(heard.any(|path| fs::read_to_string(path).is_ok_and(|heard| heard.contains(text))))
    }
}

struct Scripted {
    options: claude::ClaudeOptions,
    api: Api,
}

impl Provider for Real {
    fn open(&self, world: &Path, play: &[Turn]) -> Option<Box<dyn Cast>> {
        Real::answering(world, all_scripted(play))
    }
}

impl Provider for Newest {
    fn open(&self, world: &Path, play: &[Turn]) -> Option<Box<dyn Cast>> {
        let program = sim::claude::of_version(sim::claude::newest())?;
        Some(opened(program, world, all_scripted(play), "x"))
    }
}

fn all_scripted(play: &[Turn]) -> Vec<Step> {
    // What a tool brought is looked at first: a text that came with it is no turn of its own.
    let mut follow = Vec::new();
    let mut begin = Vec::new();
    for (number, turn) in play.iter().enumerate() {
        let mut steps = scripted(number, turn).into_iter();
        begin.extend(steps.next());
        follow.extend(steps);
    }
    follow.extend(begin);
    follow
}

impl Real {
    /// The real one, and an API that answers so.
    pub fn answering(world: &Path, steps: Vec<Step>) -> Option<Box<dyn Cast>> {
        Some(opened(sim::claude::real()?, world, steps, "x"))
    }

    /// The real one before anybody has logged in.
    pub fn keyless(world: &Path) -> Option<Box<dyn Cast>> {
        Some(opened(sim::claude::real()?, world, Vec::new(), ""))
    }
}

fn opened(program: PathBuf, world: &Path, steps: Vec<Step>, key: &str) -> Box<dyn Cast> {
    let voice = Voice::new("model", steps).system_contains(PROMPT);
    let api = Api::start(Scenario::new([voice]));
    let mut env = sim::claude::sandboxed_env(world, &api.url());
    env.push(("ANTHROPIC_API_KEY".to_owned(), key.to_owned()));
    // Other ways in that this machine may have are none of the sandbox's.
    for name in ["ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK"] {
        env.push((name.to_owned(), String::new()));
    }
    let (settings, routing) = (Settings::Isolated, Routing::Typed);
    let options = claude::ClaudeOptions { program, settings, routing, env };
    Box::new(Scripted { options, api })
}

/// The requests of a turn: each is known by what the one before it brought.
fn scripted(number: usize, turn: &Turn) -> Vec<Step> {
    let mut when = turn.told.to_owned();
    let mut delay_ms = 0;
    let mut steps = Vec::new();
    let mut add = |when: &str, delay_ms: u64, name: &str, input: Value| {
        let blocks = vec![Block::Tool { name: name.to_owned(), input }];
        let usage = Usage { input: USED, ..Usage::default() };
        let message = Message { blocks, usage, ..Message::default() };
        steps.push(Step::new(sim::api::Act::Message(message)).when(when).forever().delay_ms(delay_ms));
    };
    for (index, done) in turn.does.iter().enumerate() {
        match done {
            Do::Run(command) => {
                let mark = format!("mark-{number}-{index}");
                let command = format!("({command}); code=$?; echo {mark}; exit $code");
                add(
                    &when,
                    delay_ms,
                    "Bash",
                    json!({"command": command, "description": "a step of the play"}),
                );
                (when, delay_ms) = (mark, 0);
            }
            Do::Task(title) => {
                add(&when, delay_ms, "TaskCreate", json!({"subject": title, "description": title}));
                (when, delay_ms) = (format!("created successfully: {title}"), 0);
            }
            Do::Think(ms) => delay_ms = *ms,
            Do::Push(title) => {
                add(&when, delay_ms, "mcp__arbiter__arbiter_push", petition(title));
                (when, delay_ms) = (format!("\"title\":\"{title}\""), 0);
            }
        }
    }
    add(&when, delay_ms, "StructuredOutput", output(turn.says));
    steps
}

impl Cast for Scripted {
    fn start(&self, start: SessionStart, events: Sender<AgentEvent>) -> Handle {
        claude::Claude::new(self.options.clone(), NoteSink::default()).start(start, events)
    }

    fn conversations(&self) -> Option<PathBuf> {
        let mut env = self.options.env.iter();
        env.find(|(name, _)| name == "CLAUDE_CONFIG_DIR")
            .map(|(_, folder)| Path::new(folder).join("projects"))
    }

    fn times_told(&self, text: &str) -> Option<usize> {
        let newest = self.api.requests().last().map(|request| request.messages().to_string());
        Some(newest.unwrap_or_default().matches(text).count())
    }

    fn was_told(&self, text: &str) -> Option<bool> {
        Some(self.api.requests().iter().any(|request| request.messages().to_string().contains(text)))
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        if std::thread::panicking() {
            for request in self.api.requests() {
                eprintln!("asked: {:?} {:?}: {:.300}", request.step, request.end, request.heard());
            }
        }
    }
}
