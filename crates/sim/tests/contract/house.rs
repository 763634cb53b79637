//! The house's side of one session, from its first life to the last.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, UNIX_EPOCH};

use mind::access::{Access, AccessMap};
use mind::effect::RetriedTurn;
use mind::effect::SessionCommand;
use mind::event::TurnEnd;
use mind::policy::{Policy, PolicyMode};
use mind::session::{Profile, Role};
use mind::{Address, AgentEvent, SessionId, TurnId};
use providers::Handle;
use providers::live::LiveTails;
use serde_json::Value;
use sim::{SessionSeed, unread_input};
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use crate::cast::{Cast, PROMPT, Provider, Turn};
use crate::processes;

/// How long anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// How long a word to a busy process may take to get there where the kernel does not tell us that it has.
const ARRIVES: Duration = Duration::from_millis(500);
/// How long nothing more must come.
pub const QUIET: Duration = Duration::from_millis(400);

/// A house with one session.
pub struct House {
    pub world: TempDir,
    pub cast: Box<dyn Cast>,
    pub mission: String,
    /// All that was told in this life.
    pub told: Vec<AgentEvent>,
    pub handle: Handle,
    /// What the session is saying.
    pub live: LiveTails,
    events: Option<mpsc::Receiver<AgentEvent>>,
    address: Address,
    key: String,
    seed: u64,
    leaving: watch::Sender<usize>,
    routing_role: Role,
}

impl House {
    /// Opens a house whose session has begun its first life; none where the provider is not on this machine.
    pub fn open(provider: &dyn Provider, play: &[Turn]) -> Option<House> {
        let world = world();
        let cast = provider.open(world.path(), play)?;
        Some(House::with(world, cast, false))
    }

    /// The same with a cast that is set up already.
    pub fn with(world: TempDir, cast: Box<dyn Cast>, resume: bool) -> House {
        static HOUSES: AtomicU32 = AtomicU32::new(0);
        let number = u64::from(HOUSES.fetch_add(1, Ordering::Relaxed));
        let now = host::now().duration_since(UNIX_EPOCH).unwrap();
        let seed = u64::try_from(now.as_nanos()).unwrap() ^ (number << 48);
        let key = mind::id::uuid(seed, "session", 1);
        let (leaving, _) = watch::channel(0);
        let mission = format!("contract-{key}");
        let address = Address { session: SessionId(1), incarnation: 1 };
        let role = Role::Orchestrator;
        let live = LiveTails::default();
        let waits = leaving.subscribe();
        let (handle, events) =
            start(&*cast, world.path(), &mission, &key, role, address, resume, waits, live.clone());
        let events = Some(events);
        let told = Vec::new();
        let routing_role = role;
        House { world, cast, mission, told, handle, live, events, address, key, seed, leaving, routing_role }
    }

    /// The session's next life.
    pub fn live_again(&mut self, resume: bool) {
        self.address.incarnation += 1;
        self.told.clear();
        let (world, leaving) = (self.world.path(), self.leaving.subscribe());
        let (key, role) = (&self.key, self.routing_role);
        let (handle, events) = start(
            &*self.cast,
            world,
            &self.mission,
            key,
            role,
            self.address,
            resume,
            leaving,
            self.live.clone(),
        );
        self.handle = handle;
        self.events = Some(events);
    }

    pub fn clone_folder(&self) -> PathBuf {
        self.world.path().join("clone")
    }

    /// Says the word that a command waits for.
    pub fn say_word(&self, name: &str) {
        fs::write(self.clone_folder().join(format!("{name}-word")), "").unwrap();
    }

    /// Waits until a command has begun that waits for a word.
    pub async fn began(&mut self, name: &str) {
        let file = self.clone_folder().join(format!("{name}-began"));
        let until = Instant::now() + PATIENCE;
        while !file.exists() {
            assert!(Instant::now() < until, "{name} has not begun; told: {:#?}", self.told);
            // What is told meanwhile is taken in, as a house does.
            let _ = timeout(Duration::from_millis(20), self.next()).await;
        }
        fs::remove_file(file).unwrap();
    }

    /// Waits until a text has reached the model. The process may say so only when the model answers.
    pub async fn model_was_told(&mut self, text: &str) {
        let until = Instant::now() + PATIENCE;
        while self.cast.was_told(text) != Some(true) {
            assert!(Instant::now() < until, "{text:?} never reached the model; told: {:#?}", self.told);
            let _ = timeout(Duration::from_millis(20), self.next()).await;
        }
    }

    /// Waits until the process has read a text that was given to it while it is busy: the nth time, over all its lives.
    pub async fn has_read(&mut self, text: &str, times: usize) {
        let process = self.process().await;
        let until = Instant::now() + PATIENCE;
        let given = |house: &House| house.lines("in").iter().filter(|line| line.contains(text)).count();
        while given(self) < times || unread_input(process) > Some(0) {
            assert!(Instant::now() < until, "{text:?} was never read; told: {:#?}", self.told);
            let _ = timeout(Duration::from_millis(5), self.next()).await;
        }
        if unread_input(process).is_none() {
            tokio::time::sleep(ARRIVES).await;
        }
    }

    /// Waits until the end of a turn with these words is in the conversation that the process would resume.
    pub async fn has_kept(&mut self, says: &str) {
        let Some(projects) = self.cast.conversations() else { return };
        let name = format!("{}.jsonl", self.key);
        let kept = || {
            let folders = fs::read_dir(&projects).into_iter().flatten().flatten();
            let mut texts = folders.filter_map(|folder| fs::read_to_string(folder.path().join(&name)).ok());
            texts.any(|text| text.split_once(says).is_some_and(|(_, rest)| rest.contains("tool_result")))
        };
        sim::until("the turn is kept", kept).await;
    }

    /// Waits until the program has written a text into the conversation.
    pub async fn has_written(&mut self, text: &str) {
        let Some(projects) = self.cast.conversations() else { return };
        let (name, key) = (format!("{}.jsonl", self.key), format!("\"content\":\"{text}\""));
        let written = || {
            let folders = fs::read_dir(&projects).into_iter().flatten().flatten();
            let mut texts = folders.filter_map(|folder| fs::read_to_string(folder.path().join(&name)).ok());
            texts.any(|text| text.lines().any(|line| line.contains("\"user\"") && line.contains(&key)))
        };
        sim::until("the text is written down", written).await;
    }

    pub fn turn_key(&self, turn: u32) -> String {
        mind::id::uuid(self.seed, "turn", turn)
    }

    pub fn order(&mut self, order: SessionCommand) {
        self.handle.try_order(order).unwrap();
    }

    pub fn deliver(&mut self, turn: u32, text: &str) {
        let key = self.turn_key(turn);
        self.order(SessionCommand::Deliver { turn: TurnId(turn), key, text: text.into(), again: None });
    }

    /// Gives a text that was given in an earlier life.
    pub fn deliver_again(&mut self, turn: u32, text: &str, held: bool) {
        let again = Some(RetriedTurn { words: format!("Go on: {text}").into(), held });
        let key = self.turn_key(turn);
        self.order(SessionCommand::Deliver { turn: TurnId(turn), key, text: text.into(), again });
    }

    pub fn steer(&mut self, turn: u32, text: &str) {
        let key = self.turn_key(turn);
        self.order(SessionCommand::Steer { turn: TurnId(turn), key, text: text.into() });
    }

    /// Takes in the next event; none when there will be no more.
    pub async fn next(&mut self) -> Option<AgentEvent> {
        let event = self.events.as_mut()?.recv().await?;
        if matches!(event, AgentEvent::Rested { .. } | AgentEvent::Failed { .. }) {
            // Whoever takes the end of a turn in forgets the words that led to it.
            let session = self.address.session;
            self.live.forget(session, self.live.place(session));
        }
        self.told.push(event.clone());
        Some(event)
    }

    /// Nobody listens to the session any more.
    pub fn stop_listening(&mut self) -> mpsc::Receiver<AgentEvent> {
        self.events.take().unwrap()
    }

    /// Waits for an event.
    pub async fn until(&mut self, what: &str, is_it: impl Fn(&AgentEvent) -> bool) -> AgentEvent {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match timeout(left, self.next()).await {
                Ok(Some(event)) if is_it(&event) => return event,
                Ok(Some(AgentEvent::Lost { why })) => panic!("{what} never came: {why}; {:#?}", self.told),
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => panic!("{what} never came; told: {:#?}\n{}", self.told, self.logbook()),
            }
        }
    }

    /// Waits for the end of a turn.
    pub async fn rested(&mut self, turn: u32) -> TurnEnd {
        let rested = |event: &AgentEvent| {
            matches!(event, AgentEvent::Rested { .. } | AgentEvent::Failed { .. } | AgentEvent::Lost { .. })
        };
        let end = self.until(&format!("the end of turn {turn}"), rested).await;
        let AgentEvent::Rested { turn: rested, end, tree } = end else {
            panic!("not the end of turn {turn}: {end:?}; told: {:#?}", self.told)
        };
        assert_eq!(rested, TurnId(turn), "told: {:#?}", self.told);
        assert_eq!(tree, None, "a protocol driver runs no git");
        end
    }

    /// Waits for the end of a turn, which must be this word.
    pub async fn spoke(&mut self, turn: u32, says: &str) {
        let end = self.rested(turn).await;
        let TurnEnd::Spoke { output: Some(output), .. } = &end else { panic!("{end:?}\n{}", self.logbook()) };
        assert_eq!(output, &crate::cast::output(says), "turn {turn}");
    }

    /// Nothing ends within a while that has ended already.
    pub async fn is_quiet(&mut self) {
        let until = Instant::now() + QUIET;
        while let Ok(Some(event)) =
            timeout(until.saturating_duration_since(Instant::now()), self.next()).await
        {
            let ends = matches!(
                event,
                AgentEvent::Rested { .. } | AgentEvent::Failed { .. } | AgentEvent::Lost { .. }
            );
            assert!(!ends, "one too many: {event:?}; told: {:#?}\n{}", self.told, self.logbook());
        }
    }

    /// The checklists that were told in this life, by their titles.
    pub fn checklists(&self) -> Vec<Vec<String>> {
        let list = |event: &AgentEvent| {
            let AgentEvent::Tasks(tasks) = event else { return None };
            Some(tasks.iter().map(|task| format!("{} {}", task.id, task.title)).collect())
        };
        self.told.iter().filter_map(list).collect()
    }

    /// The losses of this life, once all has been told.
    pub async fn losses(&mut self) -> Vec<String> {
        let all = timeout(PATIENCE, async { while self.next().await.is_some() {} }).await;
        assert!(all.is_ok(), "it never ends; told: {:#?}", self.told);
        let why = |event: &AgentEvent| {
            let AgentEvent::Lost { why } = event else { return None };
            Some(why.to_string())
        };
        self.told.iter().filter_map(why).collect()
    }

    pub fn heard(&self, turn: u32) -> usize {
        self.told.iter().filter(|event| **event == AgentEvent::Heard(TurnId(turn))).count()
    }

    /// The process that the provider started.
    pub async fn process(&self) -> u32 {
        let until = Instant::now() + PATIENCE;
        loop {
            if let [pid] = processes::started_by_us(&self.mission)[..] {
                return pid;
            }
            assert!(Instant::now() < until, "no process, or many: {:?}", processes::of(&self.mission));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Ends the session and sees to it that nothing is left. Says how long that took.
    pub async fn close(mut self) -> Duration {
        let began = Instant::now();
        self.handle.try_order(SessionCommand::End).unwrap();
        let ended = timeout(PATIENCE, self.handle.ended()).await;
        let took = began.elapsed();
        processes::assert_none(&self.mission);
        assert!(ended.is_ok(), "it does not end");
        if let Some(events) = &mut self.events {
            while let Some(event) = events.recv().await {
                let lost = matches!(event, AgentEvent::Lost { .. });
                assert!(!lost, "an ordered end is no loss: {event:?}");
            }
        }
        took
    }

    /// The last lines of the logbook.
    pub fn logbook(&self) -> String {
        let text = fs::read_to_string(self.world.path().join("sessions/1.jsonl")).unwrap_or_default();
        let lines: Vec<String> =
            text.lines().map(|line| line.chars().take(400).collect::<String>()).collect();
        lines[lines.len().saturating_sub(60)..].join("\n")
    }

    /// The remarks in the logbook.
    pub fn notes(&self) -> Vec<String> {
        self.lines("note")
    }

    /// The logbook's lines of this direction.
    fn lines(&self, direction: &str) -> Vec<String> {
        let text = fs::read_to_string(self.world.path().join("sessions/1.jsonl")).unwrap_or_default();
        let records = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let lines = records.filter(|record| record["dir"] == direction);
        lines.filter_map(|record| Some(record["line"].as_str()?.to_owned())).collect()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // What a failed test started does not outlive it either.
            for (pid, _) in processes::of(&self.mission) {
                let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
            }
        }
    }
}

/// A folder with a repository.
pub fn world() -> TempDir {
    let world = tempfile::tempdir().unwrap();
    let clone = world.path().join("clone");
    fs::create_dir(&clone).unwrap();
    let git = |words: &[&str]| {
        let identity = ["-c", "user.name=T", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false"];
        let status = Command::new("git").args(identity).args(words).current_dir(&clone).status().unwrap();
        assert!(status.success());
    };
    git(&["init", "--quiet", "--template="]);
    git(&["commit", "--quiet", "--allow-empty", "-m", "start"]);
    world
}

#[expect(clippy::too_many_arguments, reason = "it is all that a start has")]
fn start(
    cast: &dyn Cast,
    world: &Path,
    mission: &str,
    key: &str,
    role: Role,
    address: Address,
    resume: bool,
    leaving: watch::Receiver<usize>,
    live: LiveTails,
) -> (Handle, mpsc::Receiver<AgentEvent>) {
    let profile = Profile {
        casting: None,
        session: SessionId(1),
        role,
        number: 1,
        provider: "contract".to_owned(),
        model: Some("claude-opus-4-8".to_owned()),
        key: key.to_owned(),
        prompt: Arc::from(PROMPT),
        scout: None,
    };
    let (policy, lay) = trusting(world);
    let seed = SessionSeed {
        incarnation: address.incarnation,
        profile,
        resume,
        mission: mission.into(),
        policy,
        lay,
        leaving,
        live,
        ..SessionSeed::new(world, role)
    };
    let (sender, events) = mpsc::channel(16);
    (cast.start(seed.start(), sender), events)
}

/// Nothing is asked and everything may be written: what a provider does with a tool is not the policy's to say here.
fn trusting(world: &Path) -> (Policy, AccessMap) {
    let policy = Policy { mode: PolicyMode::Open, ..Policy::default() };
    let clone = world.join("clone").display().to_string();
    let lay =
        AccessMap { clone, home: "/nowhere".to_owned(), views: [("/".to_owned(), Access::Write)].into() };
    (policy, lay)
}
