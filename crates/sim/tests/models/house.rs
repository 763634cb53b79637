//! The house's side of one session of the Arbiter.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mind::effect::RetriedTurn;
use mind::effect::SessionCommand;
use mind::event::{Failure, TurnEnd};
use mind::session::{Profile, Role};
use mind::{AgentEvent, SessionId, TurnId};
use providers::api::{ApiOptions, ApiProvider, ModelOptions};
use providers::live::LiveTails;
use providers::{Handle, Provider, SessionProvider as _};
use sim::SessionSeed;
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use crate::world::PATIENCE;

/// Nothing more must come within this.
const QUIET: Duration = Duration::from_millis(250);

pub struct House {
    pub folder: TempDir,
    pub options: ModelOptions,
    pub handle: Handle,
    pub live: LiveTails,
    /// All that was told in this life.
    pub told: Vec<AgentEvent>,
    pub role: Role,
    /// It has said something, as far as the house knows.
    pub spoke: bool,
    events: mpsc::Receiver<AgentEvent>,
    incarnation: u32,
    leaving: watch::Sender<usize>,
}

impl House {
    pub fn open(options: ModelOptions) -> House {
        House::with(options, Role::Arbiter)
    }

    pub fn with(options: ModelOptions, role: Role) -> House {
        let folder = tempfile::tempdir().unwrap();
        let (leaving, _) = watch::channel(0);
        let live = LiveTails::default();
        let (handle, events) = begin(&options, &folder, role, 1, false, leaving.subscribe(), live.clone());
        let told = Vec::new();
        House { folder, options, handle, live, told, role, spoke: false, events, incarnation: 1, leaving }
    }

    /// The house falls: nobody orders the end. Then the next life begins.
    pub fn fall_and_live_again(&mut self) {
        self.incarnation += 1;
        self.told.clear();
        let (waits, live) = (self.leaving.subscribe(), self.live.clone());
        let (role, spoke) = (self.role, self.spoke);
        (self.handle, self.events) =
            begin(&self.options, &self.folder, role, self.incarnation, spoke, waits, live);
    }

    pub fn conversation(&self) -> PathBuf {
        self.folder.path().join("sessions/1.api.json")
    }

    pub fn logbook(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("sessions/1.jsonl")).unwrap_or_default()
    }

    pub fn order(&mut self, order: SessionCommand) {
        self.handle.try_order(order).unwrap();
    }

    pub fn deliver(&mut self, turn: u32, text: &str) {
        self.give(turn, &format!("key-{turn}"), text, None);
    }

    /// Gives a text that was given before, under its old key or another one.
    pub fn deliver_again(&mut self, turn: u32, key: &str, text: &str) {
        let words = Arc::from("Go on.");
        self.give(turn, key, text, Some(RetriedTurn { words, held: true }));
    }

    fn give(&mut self, turn: u32, key: &str, text: &str, again: Option<RetriedTurn>) {
        self.order(SessionCommand::Deliver {
            turn: TurnId(turn),
            key: key.to_owned(),
            text: text.into(),
            again,
        });
    }

    pub async fn next(&mut self) -> Option<AgentEvent> {
        let event = timeout(PATIENCE, self.events.recv()).await.expect("something is told")?;
        if matches!(event, AgentEvent::Rested { .. } | AgentEvent::Failed { .. }) {
            // Whoever takes the end of a turn in forgets the words that led to it.
            self.live.forget(SessionId(1), self.live.place(SessionId(1)));
        }
        self.told.push(event.clone());
        Some(event)
    }

    pub async fn until(&mut self, is_it: impl Fn(&AgentEvent) -> bool) -> AgentEvent {
        loop {
            match self.next().await {
                Some(event) if is_it(&event) => return event,
                Some(_) => {}
                None => panic!("it never came: {:#?}\n{}", self.told, self.logbook()),
            }
        }
    }

    pub async fn heard(&mut self, turn: u32) {
        self.until(|event| *event == AgentEvent::Heard(TurnId(turn))).await;
    }

    /// The end of a turn, which must be the next end.
    pub async fn rested(&mut self, turn: u32) -> TurnEnd {
        let ends =
            |event: &AgentEvent| matches!(event, AgentEvent::Rested { .. } | AgentEvent::Failed { .. });
        let end = self.until(ends).await;
        let AgentEvent::Rested { turn: rested, end, tree: None } = end else {
            panic!("not the end of turn {turn}: {end:?}\n{}", self.logbook())
        };
        assert_eq!(rested, TurnId(turn));
        end
    }

    /// The message that a turn ended in.
    pub async fn spoke(&mut self, turn: u32) -> String {
        let end = self.rested(turn).await;
        let TurnEnd::Spoke { output: Some(output), .. } = end else { panic!("{end:?}") };
        output["message"].as_str().unwrap().to_owned()
    }

    pub async fn failed(&mut self, turn: u32) -> Failure {
        let ends =
            |event: &AgentEvent| matches!(event, AgentEvent::Rested { .. } | AgentEvent::Failed { .. });
        let end = self.until(ends).await;
        let AgentEvent::Failed { turn: failed, failure } = end else { panic!("it did not fail: {end:?}") };
        assert_eq!(failed, TurnId(turn));
        failure
    }

    /// Every report of usage: its name, tokens read and written, the cost.
    pub fn spent(&self) -> Vec<(String, u64, u64, u64)> {
        let reports = self.told.iter().filter_map(|event| {
            let AgentEvent::Spent { report, input, output, cost_microusd } = event else { return None };
            Some((report.to_string(), *input, *output, *cost_microusd))
        });
        reports.collect()
    }

    pub async fn lost(&mut self) -> String {
        let lost = self.until(|event| matches!(event, AgentEvent::Lost { .. })).await;
        let AgentEvent::Lost { why } = lost else { panic!("{lost:?}") };
        self.handle.ended().await;
        why.to_string()
    }

    pub async fn is_quiet(&mut self) {
        if let Ok(Some(event)) = timeout(QUIET, self.events.recv()).await {
            panic!("nothing more should be told: {event:?}");
        }
    }

    pub fn shown(&self) -> String {
        self.live.snapshot().get(&SessionId(1)).map(|text| text.to_string()).unwrap_or_default()
    }

    /// Orders the end, and takes in what is told until it has come.
    pub async fn end(&mut self) {
        self.order(SessionCommand::End);
        timeout(PATIENCE, self.handle.ended()).await.expect("it ends");
        while self.next().await.is_some() {}
    }

    /// Waits until a part of an answer is shown.
    pub async fn speaks(&self) {
        let until = std::time::Instant::now() + PATIENCE;
        while self.shown().is_empty() {
            assert!(std::time::Instant::now() < until, "nothing is shown");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Orders the end: it comes at once, and is no loss.
    pub async fn close(mut self) {
        self.order(SessionCommand::End);
        timeout(PATIENCE, self.handle.ended()).await.expect("it ends");
        while let Some(event) = self.events.recv().await {
            assert!(!matches!(event, AgentEvent::Lost { .. }), "{event:?}");
        }
        assert_eq!(self.shown(), "");
    }
}

fn begin(
    options: &ModelOptions,
    folder: &TempDir,
    role: Role,
    incarnation: u32,
    spoke: bool,
    leaving: watch::Receiver<usize>,
    live: LiveTails,
) -> (Handle, mpsc::Receiver<AgentEvent>) {
    let profile = Profile {
        casting: None,
        session: SessionId(1),
        role,
        number: 0,
        provider: Provider::Api.name().to_owned(),
        model: None,
        key: "the session's own key".to_owned(),
        prompt: Arc::from("You are the Arbiter."),
        scout: None,
    };
    let seed = SessionSeed {
        incarnation,
        profile,
        resume: incarnation > 1,
        spoke,
        mission: Arc::from("models"),
        leaving,
        live,
        ..SessionSeed::new(folder.path(), role)
    };
    let (sender, events) = mpsc::channel(16);
    let api = ApiProvider::new(ApiOptions { sessions: Some(options.clone()), ..ApiOptions::default() });
    (api.start(seed.start(), sender), events)
}
