//! The hands over a real repository and its clone.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arbiter::mission::effect_runner::EffectRunner;
use mind::effect::{ConductorEffect, MissionEffect, SessionCommand, SessionSpawn, WorkspaceEffect};
use mind::event::WorkspaceEvent;
use mind::session::{Profile, Role};
use mind::{Address, AgentEvent, Effect, Event, GateId, SessionId, State};
use providers::api::{self, ApiOptions};
use providers::{Provider, claude};
use sim::{RunnerSeed, until};
use tempfile::TempDir;
use tokio::sync::mpsc;
use tokio::time::timeout;

mod clone_view;
mod conducting;
mod slow_disk;

/// Hands over a real repository and its clone.
async fn runner(mission: &str) -> (TempDir, EffectRunner, mpsc::Receiver<Event>) {
    hands_with(mission, |_| {}).await
}

/// The same, made of what `change` makes of the seed.
async fn hands_with(
    mission: &str,
    change: impl FnOnce(&mut RunnerSeed),
) -> (TempDir, EffectRunner, mpsc::Receiver<Event>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut seed = RunnerSeed::new(mission, folder.path()).with_clone().await;
    seed.rehearsal.argv = ["sh", "-c", SLOW].map(Into::into).to_vec();
    change(&mut seed);
    let (events, inbox) = mpsc::channel(16);
    (folder, seed.runner(&events), inbox)
}

/// A session that leaves a good while after it was asked to, and writes into the clone while it does.
const SLOW: &str = "while [ \"$1\" != --folder ]; do shift; done; cd \"$2\"; \
    echo in >> came; cat > /dev/null; sleep 0.5; echo out >> came";

async fn next(inbox: &mut mpsc::Receiver<Event>) -> WorkspaceEvent {
    match timeout(Duration::from_secs(20), inbox.recv()).await {
        Ok(Some(Event::Workshop(event))) => event,
        other => panic!("no event of the workshop: {other:?}"),
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    assert!(Command::new("git").args(arguments).current_dir(folder).status().expect("git").success());
}

fn spawn(session: u32) -> Effect {
    spawn_by("rehearsal", session)
}

fn spawn_by(provider: &str, session: u32) -> Effect {
    let profile = Profile {
        casting: None,
        session: SessionId(session),
        role: Role::Orchestrator,
        number: session,
        provider: provider.into(),
        model: None,
        key: format!("k-{session}"),
        prompt: Arc::from(""),
        scout: None,
    };
    Effect::Spawn(SessionSpawn {
        address: address(session),
        profile: Arc::new(profile),
        resume: false,
        spoke: false,
        gauge: None,
        budgeted: false,
    })
}

fn address(session: u32) -> Address {
    Address { session: SessionId(session), incarnation: 1 }
}

async fn written(file: &Path, text: &str) {
    until("it is written", || std::fs::read_to_string(file).unwrap_or_default() == text).await;
}

#[tokio::test]
async fn a_clone_that_cannot_be_judged_is_unfit_and_the_mission_goes_on() {
    let (_folder, mut runner, mut inbox) = runner("hands-unfit").await;
    git(&runner.location.clone, &["checkout", "--quiet", "--orphan", "fresh"]);
    let (gate, commit): (_, Arc<str>) = (GateId(1), "1".repeat(40).into());
    let argv = vec!["true".to_owned()];
    let check = Effect::Workspace(WorkspaceEffect::Check {
        gate,
        index: 0,
        argv,
        limit_ms: 1000,
        commit: commit.clone(),
    });
    for effect in [
        Effect::Workspace(WorkspaceEffect::Survey { gate }),
        Effect::Workspace(WorkspaceEffect::Bring { gate, commit }),
        check,
    ] {
        runner.perform(effect, &State::default());
        let event = next(&mut inbox).await;
        assert!(matches!(event, WorkspaceEvent::Unfit { gate: GateId(1), .. }), "{event:?}");
    }
}

#[tokio::test]
async fn fetches_take_turns() {
    let (_folder, mut runner, mut inbox) = runner("hands-fetches").await;
    git(&runner.location.clone, &["commit", "--quiet", "--allow-empty", "--message", "work"]);
    let commit: Arc<str> = runner.location.base.as_str().into();
    for gate in (1..=8).map(GateId) {
        runner.perform(Effect::Workspace(WorkspaceEffect::FetchBack), &State::default());
        runner.perform(
            Effect::Workspace(WorkspaceEffect::Bring { gate, commit: commit.clone() }),
            &State::default(),
        );
    }
    for _ in 1..=8 {
        let event = next(&mut inbox).await;
        assert!(matches!(event, WorkspaceEvent::Brought { .. }), "{event:?}");
    }
    let notes = runner.folder.join("notes.log");
    runner.farewell().await;
    assert!(!notes.exists());
}

#[tokio::test]
async fn an_abandoned_check_ends_and_the_next_one_runs() {
    let (_folder, mut runner, mut inbox) = runner("hands-abandon").await;
    let commit: Arc<str> = runner.location.base.as_str().into();
    let check = |gate, words: &[&str]| {
        Effect::Workspace(WorkspaceEffect::Check {
            gate: GateId(gate),
            index: 0,
            argv: words.iter().map(ToString::to_string).collect(),
            limit_ms: 60_000,
            commit: commit.clone(),
        })
    };
    let sleep = format!("300.{}", std::process::id());
    runner.perform(check(1, &["sleep", &sleep]), &State::default());
    until("the check runs", || is_running(&sleep)).await;
    runner.perform(Effect::Workspace(WorkspaceEffect::Abandon { gate: GateId(1) }), &State::default());
    runner.perform(check(2, &["cat", "a.txt"]), &State::default());
    let event = next(&mut inbox).await;
    let WorkspaceEvent::Checked { gate: GateId(2), receipt, .. } = event else { panic!("{event:?}") };
    assert!(receipt.passed(), "{receipt:?}");
    assert!(!is_running(&sleep));
}

#[tokio::test]
async fn nobody_judges_or_works_before_the_released_are_gone() {
    let (_folder, mut runner, mut inbox) = runner("hands-leaving").await;
    let came = runner.location.clone.join("came");
    runner.perform(spawn(1), &State::default());
    written(&came, "in\n").await;
    runner.perform(Effect::Session(address(1), SessionCommand::End), &State::default());
    runner.perform(spawn(2), &State::default());
    runner.perform(Effect::Workspace(WorkspaceEffect::Survey { gate: GateId(1) }), &State::default());
    next(&mut inbox).await;
    let text = std::fs::read_to_string(&came).unwrap();
    assert!(text.starts_with("in\nout\n"), "surveyed too early: {text:?}");
    written(&came, "in\nout\nin\n").await;
    runner.farewell().await;
}

#[tokio::test]
async fn a_session_of_claude_without_claude_is_lost_and_says_why() {
    let (_folder, mut runner, mut inbox) = runner("hands-claude").await;
    runner.perform(spawn_by("claude", 1), &State::default());
    runner.perform(
        Effect::Session(address(1), SessionCommand::Interrupt { turn: mind::TurnId(1) }),
        &State::default(),
    );
    let first = inbox.recv().await;
    let Some(Event::Agent(from, AgentEvent::Lost { why })) = first else { panic!("{first:?}") };
    assert_eq!(from, address(1));
    assert!(why.contains("Claude Code was not found"), "{why}");
}

fn is_running(word: &str) -> bool {
    let ids = std::fs::read_dir("/proc").expect("processes").filter_map(|entry| Some(entry.ok()?.path()));
    let mut lines = ids.map(|path| std::fs::read(path.join("cmdline")).unwrap_or_default());
    lines.any(|line| String::from_utf8_lossy(&line).contains(word))
}

#[tokio::test]
async fn a_session_without_a_process_is_started_only_where_somebody_set_it_up() {
    let (_folder, mut runner, mut inbox) = runner("hands-api").await;
    let mut lost = async |runner: &mut EffectRunner| {
        runner.perform(spawn_by("api", 1), &State::default());
        match timeout(Duration::from_secs(20), inbox.recv()).await {
            Ok(Some(Event::Agent(_, AgentEvent::Lost { why }))) => why.to_string(),
            other => panic!("no loss: {other:?}"),
        }
    };
    assert!(lost(&mut runner).await.contains("which model"));
    let sessions = Some(api::ModelOptions::new(api::ApiDialect::OpenAi, "m"));
    let api = api::ApiProvider::new(ApiOptions { sessions, ..ApiOptions::default() });
    runner.providers.replace(Provider::Api, Arc::new(api));
    // A worker needs tools: it is the provider itself that says so.
    assert!(lost(&mut runner).await.contains("has no tools"));
}

/// A provider may write a note to the end. The thread that writes notes ends with the last who can.
#[tokio::test]
async fn the_farewell_does_not_wait_for_notes_that_nobody_can_write_any_more() {
    let (_folder, runner, _inbox) = hands_with("h-farewell", |seed| {
        let program = "/nowhere/claude".into();
        let (settings, routing) = (claude::Settings::default(), claude::Routing::default());
        seed.claude = Some(claude::ClaudeOptions { program, settings, routing, env: Vec::new() });
    })
    .await;
    let began = Instant::now();
    runner.farewell().await;
    assert!(began.elapsed() < arbiter::limits::FAREWELL, "it waited to the bound: {:?}", began.elapsed());
}
