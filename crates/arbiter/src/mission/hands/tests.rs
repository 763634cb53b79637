//! The hands over a real repository and its clone.

use std::path::Path;
use std::process::Command;

use docket::Docket;
use mind::effect::{Effect, SessionCommand, SessionSpawn, WorkspaceEffect};
use mind::session::{Profile, Role};
use tempfile::TempDir;
use tokio::time::timeout;

use super::*;
use crate::mission::ground::Pace;

mod clone_view;
mod conducting;
mod slow_disk;

/// Hands over a real repository and its clone.
async fn hands(mission: &str) -> (TempDir, Hands, mpsc::Receiver<Event>) {
    let folder = tempfile::tempdir().unwrap();
    let (source, clone) = (folder.path().join("source"), folder.path().join("clone"));
    let base = workspace::scratch(&source, &[("a.txt", "a\n")]).await.unwrap().commit;
    workspace::prepare(&source, &base, &clone, mission).await.unwrap();
    let (events, inbox) = mpsc::channel(16);
    let project = folder.path().to_path_buf();
    let rehearsal = rehearsal::Options {
        argv: vec!["sh".into(), "-c".into(), SLOW.into()],
        script: "script".into(),
        store: "store".into(),
        pace: rehearsal::Pace::Fast,
    };
    let hold = Arc::new(Site::nowhere());
    let cages = Arc::new(Cages::new(Arc::clone(&hold), clone.clone(), rehearsal.clone(), None));
    let clone_view = Arc::new(CloneView::new(clone.clone(), Arc::clone(&cages)));
    let (disk, disk_thread) = DiskQueue::open(project.clone(), project.clone());
    let hands = Hands {
        policy: Policy::default(),
        hold,
        cages,
        clone_view,
        disk,
        disk_thread,
        folder: project.clone(),
        ground: Ground {
            project,
            source,
            base,
            clone,
            scratch: false,
            snapshot: false,
            in_place: false,
            pace: Pace::Fast,
        },
        rehearsal,
        claude: None,
        api: None,
        events,
        live: Tails::default(),
        bridge: Bridge::open(Docket::at(folder.path().join("queue")), mpsc::channel(1).0),
        sessions: BTreeMap::new(),
        errands: JoinSet::new(),
        turns: Turns::begin(mission),
        conducting: Default::default(),
    };
    (folder, hands, inbox)
}

/// A session that leaves a good while after it was asked to, and writes into the clone while it does.
const SLOW: &str = "while [ \"$1\" != --folder ]; do shift; done; cd \"$2\"; \
    echo in >> came; cat > /dev/null; sleep 0.5; echo out >> came";

async fn next(inbox: &mut mpsc::Receiver<Event>) -> WorkshopEvent {
    match timeout(Duration::from_secs(20), inbox.recv()).await {
        Ok(Some(Event::Workshop(event))) => event,
        other => panic!("no event of the workshop: {other:?}"),
    }
}

fn git(folder: &Path, arguments: &[&str]) {
    assert!(Command::new("git").args(arguments).current_dir(folder).status().unwrap().success());
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
    })
}

fn address(session: u32) -> Address {
    Address { session: SessionId(session), incarnation: 1 }
}

async fn written(file: &Path, text: &str) {
    while std::fs::read_to_string(file).unwrap_or_default() != text {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_clone_that_cannot_be_judged_is_unfit_and_the_mission_goes_on() {
    let (_folder, mut hands, mut inbox) = hands("hands-unfit").await;
    git(&hands.ground.clone, &["checkout", "--quiet", "--orphan", "fresh"]);
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
        hands.perform(effect, &State::default());
        let event = next(&mut inbox).await;
        assert!(matches!(event, WorkshopEvent::Unfit { gate: GateId(1), .. }), "{event:?}");
    }
}

#[tokio::test]
async fn fetches_take_turns() {
    let (_folder, mut hands, mut inbox) = hands("hands-fetches").await;
    git(&hands.ground.clone, &["commit", "--quiet", "--allow-empty", "--message", "work"]);
    let commit: Arc<str> = hands.ground.base.as_str().into();
    for gate in (1..=8).map(GateId) {
        hands.perform(Effect::Workspace(WorkspaceEffect::FetchBack), &State::default());
        hands.perform(
            Effect::Workspace(WorkspaceEffect::Bring { gate, commit: commit.clone() }),
            &State::default(),
        );
    }
    for _ in 1..=8 {
        let event = next(&mut inbox).await;
        assert!(matches!(event, WorkshopEvent::Brought { .. }), "{event:?}");
    }
    let notes = hands.folder.join("notes.log");
    hands.farewell().await;
    assert!(!notes.exists());
}

#[tokio::test]
async fn an_abandoned_check_ends_and_the_next_one_runs() {
    let (_folder, mut hands, mut inbox) = hands("hands-abandon").await;
    let commit: Arc<str> = hands.ground.base.as_str().into();
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
    hands.perform(check(1, &["sleep", &sleep]), &State::default());
    while !is_running(&sleep) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    hands.perform(Effect::Workspace(WorkspaceEffect::Abandon { gate: GateId(1) }), &State::default());
    hands.perform(check(2, &["cat", "a.txt"]), &State::default());
    let event = next(&mut inbox).await;
    let WorkshopEvent::Checked { gate: GateId(2), receipt, .. } = event else { panic!("{event:?}") };
    assert!(receipt.passed(), "{receipt:?}");
    assert!(!is_running(&sleep));
}

#[tokio::test]
async fn nobody_judges_or_works_before_the_released_are_gone() {
    let (_folder, mut hands, mut inbox) = hands("hands-leaving").await;
    let came = hands.ground.clone.join("came");
    hands.perform(spawn(1), &State::default());
    written(&came, "in\n").await;
    hands.perform(Effect::Session(address(1), SessionCommand::End), &State::default());
    hands.perform(spawn(2), &State::default());
    hands.perform(Effect::Workspace(WorkspaceEffect::Survey { gate: GateId(1) }), &State::default());
    next(&mut inbox).await;
    let text = std::fs::read_to_string(&came).unwrap();
    assert!(text.starts_with("in\nout\n"), "surveyed too early: {text:?}");
    timeout(Duration::from_secs(10), written(&came, "in\nout\nin\n")).await.unwrap();
    hands.farewell().await;
}

#[tokio::test]
async fn a_session_of_claude_without_claude_is_lost_and_says_why() {
    let (_folder, mut hands, mut inbox) = hands("hands-claude").await;
    hands.perform(spawn_by("claude", 1), &State::default());
    hands.perform(
        Effect::Session(address(1), SessionCommand::Interrupt { turn: mind::TurnId(1) }),
        &State::default(),
    );
    let first = inbox.recv().await;
    let Some(Event::Agent(from, AgentEvent::Lost { why })) = first else { panic!("{first:?}") };
    assert_eq!(from, address(1));
    assert!(why.contains("Claude Code was not found"), "{why}");
}

fn is_running(word: &str) -> bool {
    let ids = std::fs::read_dir("/proc").unwrap().filter_map(|entry| Some(entry.ok()?.path()));
    let mut lines = ids.map(|path| std::fs::read(path.join("cmdline")).unwrap_or_default());
    lines.any(|line| String::from_utf8_lossy(&line).contains(word))
}

#[tokio::test]
async fn a_session_without_a_process_is_started_only_where_somebody_set_it_up() {
    let (_folder, mut hands, mut inbox) = hands("hands-api").await;
    let mut lost = async |hands: &mut Hands| {
        hands.perform(spawn_by("api", 1), &State::default());
        match timeout(Duration::from_secs(20), inbox.recv()).await {
            Ok(Some(Event::Agent(_, AgentEvent::Lost { why }))) => why.to_string(),
            other => panic!("no loss: {other:?}"),
        }
    };
    assert!(lost(&mut hands).await.contains("which model"));
    hands.api = Some(api::Options::new(api::Kind::OpenAi, "m"));
    // A worker needs tools: it is the provider itself that says so.
    assert!(lost(&mut hands).await.contains("has no tools"));
}
