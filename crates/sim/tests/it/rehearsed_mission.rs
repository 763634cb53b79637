//! The demo's whole mission, by the real mind, the real workshop and real actors, with a human who speaks out of turn. The
//! binary itself plays it in `arbiter/tests/it/demo`.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mind::actor::Actor;
use mind::effect::{SessionCommand, SessionSpawn, WorkspaceEffect};
use mind::event::{HumanAction, HumanEvent, WorkshopEvent};
use mind::session::{Profile, Role, Tree};
use mind::state::Ended;
use mind::talk::{CheckStatus, Proof, Receipt};
use mind::{Address, AgentEvent, Charter, Effect, Event, LoopMode, MessageId, State, Timestamp};
use providers::rehearsal::{self, Options, Pace, Rehearsal, Script};
use providers::{Handle, SessionProvider as _};
use sim::SessionSeed;
use tempfile::TempDir;
use tokio::sync::mpsc;
use workspace::{Check, MissionClone, Stand, Written};

/// A house in which words can be arranged.
struct House {
    folder: TempDir,
    source: PathBuf,
    clone: MissionClone,
    script: Script,
    options: Options,
    state: State,
    inbox: mpsc::Sender<Event>,
    events: mpsc::Receiver<Event>,
    sessions: BTreeMap<Address, Handle>,
    lines: VecDeque<String>,
    said: BTreeMap<MessageId, String>,
    /// The question that was seen last.
    asked: Option<MessageId>,
    /// After so many events the human speaks out of turn.
    interjects_at: Option<usize>,
}

impl House {
    async fn of(text: &str) -> House {
        let folder = tempfile::tempdir().unwrap();
        let script = Script::parse(text).unwrap();
        let path = folder.path().join("rehearsal.yaml");
        std::fs::write(&path, text).unwrap();
        let source = folder.path().join("source");
        let files: Vec<(&str, &str)> =
            script.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let base = workspace::scratch(&source, &files).await.unwrap();
        let clone =
            workspace::prepare(&source, &base.commit, &folder.path().join("clone"), "m1").await.unwrap();
        workspace::put_scroll(&clone.folder, &script.scroll).await.unwrap();
        let options = Options {
            argv: vec![env!("CARGO_BIN_EXE_contract-actor").into()],
            script: path,
            store: folder.path().join("store"),
            pace: Pace::Fast,
        };
        let (inbox, events) = mpsc::channel(256);
        let lines = script.human.iter().cloned().collect();
        let state = State::default();
        let sessions = BTreeMap::new();
        House {
            folder,
            source,
            clone,
            script,
            options,
            state,
            inbox,
            events,
            sessions,
            lines,
            said: BTreeMap::new(),
            asked: None,
            interjects_at: None,
        }
    }

    fn charter(&self) -> Charter {
        let mut charter = sim::charter("m1", "rehearsal");
        charter.scroll.text = Arc::from(self.script.scroll.as_str());
        charter.checks.clone_from(&self.script.checks);
        charter
    }

    /// Plays the mission to its proven end, and gives what was said.
    async fn play(&mut self) -> Vec<String> {
        let deadline = Instant::now() + Duration::from_secs(60);
        self.inbox.send(Event::Opened(Box::new(self.charter()))).await.unwrap();
        let mut taken = 0;
        while self.state.ended.is_none() {
            assert!(Instant::now() < deadline, "the mission stands still: {:#?}", self.texts());
            let event = tokio::time::timeout(Duration::from_secs(10), self.events.recv()).await;
            let event = event.unwrap_or_else(|_| panic!("silence after {:#?}", self.texts())).unwrap();
            let event = self.with_tree(event).await;
            let effects = self.decide(event);
            taken += 1;
            if self.interjects_at == Some(taken) {
                self.say("interjection", "How goes it?").await;
            }
            self.perform_all(effects).await;
        }
        assert_eq!(self.state.ended, Some(Ended::Completed(Proof::Proven)));
        self.texts()
    }

    fn decide(&mut self, event: Event) -> Vec<Effect> {
        self.state.round(&mut vec![event], LoopMode::Running, Timestamp(1), &mut ()).effects
    }

    /// What the human is asked, answered.
    async fn perform_all(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.perform(effect).await;
        }
        if let Some(question) = self.state.question.filter(|question| self.asked != Some(*question)) {
            self.asked = Some(question);
            self.answer(question).await;
        }
    }

    async fn perform(&mut self, effect: Effect) {
        let event = match effect {
            Effect::Spawn(SessionSpawn { address, profile, resume, .. }) => {
                return self.spawn(address, profile, resume);
            }
            Effect::Session(address, command) => return self.command(address, command),
            Effect::Workspace(WorkspaceEffect::PrepareClone) => WorkshopEvent::Settled {
                folder: self.clone.folder.display().to_string().into(),
                base: self.clone.base.clone().into(),
                branch: self.clone.branch.clone().into(),
            },
            Effect::Workspace(WorkspaceEffect::Survey { gate }) => {
                WorkshopEvent::Surveyed { gate, tree: self.look().await }
            }
            Effect::Workspace(WorkspaceEffect::Check { gate, index, argv, commit, .. }) => {
                let receipt = self.check(argv, &commit).await;
                WorkshopEvent::Checked { gate, index, receipt }
            }
            Effect::Workspace(WorkspaceEffect::FetchBack) => {
                workspace::fetch_back(&self.source, &self.clone.folder, "m1", None).await.unwrap();
                return;
            }
            Effect::Workspace(WorkspaceEffect::Bring { gate, .. }) => {
                let commit =
                    workspace::fetch_back(&self.source, &self.clone.folder, "m1", None).await.unwrap();
                WorkshopEvent::Brought { gate, commit: commit.into() }
            }
            Effect::Workspace(WorkspaceEffect::Abandon { .. })
            | Effect::Docket(..)
            | Effect::Conductor(_)
            | Effect::Mission(_) => {
                return;
            }
        };
        self.inbox.send(Event::Workshop(event)).await.unwrap();
    }

    fn spawn(&mut self, address: Address, profile: Arc<Profile>, resume: bool) {
        let logbook = self.folder.path().join(format!("sessions/{}.jsonl", address.session.0));
        let seed = SessionSeed {
            incarnation: address.incarnation,
            profile: profile.as_ref().clone(),
            resume,
            folder: self.clone.folder.clone(),
            logbook,
            ..SessionSeed::new(self.folder.path(), profile.role)
        };
        let (told, mut come) = mpsc::channel(64);
        let handle = Rehearsal::new(self.options.clone()).start(seed.start(), told);
        let inbox = self.inbox.clone();
        tokio::spawn(async move {
            while let Some(event) = come.recv().await {
                if inbox.send(Event::Agent(address, event)).await.is_err() {
                    return;
                }
            }
        });
        self.sessions.insert(address, handle);
    }

    fn command(&mut self, address: Address, command: SessionCommand) {
        self.sessions.get_mut(&address).unwrap().try_order(command).unwrap();
    }

    /// The same question has the same answer, however often it is asked. One that was not foreseen has none.
    async fn answer(&mut self, message: MessageId) {
        if !self.said.contains_key(&message) {
            // Whoever interjected at the alignment is asked again for a plain yes.
            let wants_yes = self.state.message(message).is_some_and(|message| message.asks.is_some());
            let line = self.lines.pop_front().or(wants_yes.then(|| "yes".to_owned()));
            let Some(line) = line else { return };
            self.said.insert(message, line);
        }
        let line = self.said[&message].clone();
        self.say(&format!("line-{message}"), &line).await;
    }

    async fn say(&mut self, letter: &str, words: &str) {
        let actor = Actor::Policy(Arc::from("rehearsal"));
        let action = HumanAction::Say(Arc::from(words));
        let event = HumanEvent { inbox_id: Arc::from(letter), actor, written: Timestamp(1), action };
        self.inbox.send(Event::Human(event)).await.unwrap();
    }

    /// Whoever works in the clone rests with a look at it.
    async fn with_tree(&self, event: Event) -> Event {
        let Event::Agent(address, AgentEvent::Rested { turn, end, tree: None }) = event else {
            return event;
        };
        let session = self.state.sessions.get(&address.session);
        let works = session.is_some_and(|session| session.profile.role != Role::Arbiter);
        let tree = if works { Some(self.look().await) } else { None };
        Event::Agent(address, AgentEvent::Rested { turn, end, tree })
    }

    async fn look(&self) -> Tree {
        let workspace::Tree { commit, dirty, fingerprint } =
            workspace::look(&self.clone.folder).await.unwrap();
        Tree { commit: commit.into(), dirty, fingerprint: fingerprint.into() }
    }

    async fn check(&self, argv: Vec<String>, commit: &str) -> Receipt {
        let check = Check::parse(Written::Argv(argv)).unwrap();
        let stand = Stand {
            site: None,
            source: self.source.clone(),
            folder: workspace::proof_folder(&self.clone.folder),
            mission: "m1".into(),
            commit: commit.into(),
        };
        let ran = workspace::run_check(&stand, &check, Duration::from_secs(60)).await.unwrap();
        assert_eq!((&ran.status, &ran.moved_to), (&workspace::Exit::Code(0), &None), "{ran:?}");
        Receipt {
            argv: ran.argv,
            commit: ran.commit.into(),
            status: CheckStatus::Exited(0),
            duration_ms: ran.duration_ms,
            output_digest: ran.output_digest.into(),
            output_tail: ran.output_tail.into(),
        }
    }

    fn texts(&self) -> Vec<String> {
        let talk = self.state.talk.iter();
        talk.map(|message| format!("{} -> {:?}: {}", message.from, message.to, message.text)).collect()
    }
}

#[tokio::test]
async fn a_human_who_speaks_out_of_turn_is_answered_and_the_mission_goes_on() {
    // At the alignment, at the first Orchestrator's work, and at the second's.
    for at in [15, 40, 80] {
        let mut house = House::of(rehearsal::DEMO).await;
        house.interjects_at = Some(at);
        let talk = house.play().await;
        assert!(house.state.unheard.is_empty(), "the words were heard");
        assert!(talk.iter().all(|line| !line.contains("My part ends here")), "at {at}: {talk:#?}");
    }
}
