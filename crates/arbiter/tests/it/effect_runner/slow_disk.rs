//! The hands and a slow disk: whatever an effect writes or lays out, the inbox is taken meanwhile. The whole loop over
//! such a disk is tested in `tests/it/slow_disk`.

use std::time::Instant;

use arbiter::mission::effect_runner::disk_delay::DiskDelay;
use mind::access::SandboxLevel;
use sandbox::SandboxFactory;

use super::*;

/// What each write takes, and each sandbox.
const SLOW_DISK: Duration = Duration::from_secs(1);
/// What the loop may lose by performing an effect.
const LOSS_MAX: Duration = Duration::from_millis(10);

/// Hands on a disk that takes a second for everything, whose sandboxes have to be laid out.
async fn slow_hands(mission: &str) -> (TempDir, EffectRunner, mpsc::Receiver<Event>) {
    hands_with(mission, |seed| {
        let home = seed.folder.join("home");
        std::fs::create_dir_all(&home).expect("a folder");
        seed.site = SandboxFactory {
            level: SandboxLevel::Landlock,
            own: vec!["/bin/true".into()],
            mission: mission.to_owned(),
            project: seed.location.source.clone(),
            place: home.join("place"),
            ours: vec![home.join("place")],
            home,
            ..SandboxFactory::nowhere()
        };
        seed.writes = DiskDelay::of(SLOW_DISK);
        seed.looks = seed.writes.clone();
    })
    .await
}

/// One thread: what keeps it busy keeps the loop from its inbox.
#[tokio::test(flavor = "current_thread")]
async fn the_inbox_is_taken_within_ten_milliseconds_while_a_slow_disk_writes() {
    let (_folder, mut runner, mut inbox) = slow_hands("hands-slow").await;
    let inbox_id = Arc::from("letter");
    let turn = mind::TurnId(1);
    let effects = [
        Effect::Mission(MissionEffect::Note { text: "a note".to_owned() }),
        Effect::Mission(MissionEffect::RemoveFromInbox { inbox_id }),
        spawn(1),
        Effect::Session(address(1), SessionCommand::Interrupt { turn }),
        Effect::Workspace(WorkspaceEffect::Survey { gate: GateId(1) }),
        Effect::Workspace(WorkspaceEffect::Bring { gate: GateId(2), commit: Arc::from("1") }),
        Effect::Workspace(WorkspaceEffect::FetchBack),
        Effect::Conductor(ConductorEffect::PrepareRun { run: 1 }),
        Effect::Conductor(ConductorEffect::InspectRun { run: 1, before: None }),
        Effect::Session(address(1), SessionCommand::End),
        spawn(2),
    ];
    for effect in effects {
        let what = format!("{effect:?}");
        let began = Instant::now();
        runner.perform(effect, &State::default());
        runner.events.send(Event::Alarm).await.unwrap();
        // Whatever else is ready has its turn before the loop does.
        tokio::task::yield_now().await;
        while inbox.recv().await != Some(Event::Alarm) {}
        assert!(began.elapsed() < LOSS_MAX, "{what} took {:?}", began.elapsed());
    }
    let notes = runner.folder.join("notes.log");
    assert!(!notes.exists(), "the disk was not slow");
    until("it is noted", || std::fs::read_to_string(&notes).unwrap_or_default().contains("a note")).await;
}

#[tokio::test]
async fn commands_wait_for_their_process_in_order_and_too_many_are_a_loss() {
    let (_folder, mut runner, mut inbox) = slow_hands("hands-queue").await;
    runner.perform(spawn(1), &State::default());
    for turn in 1..=65 {
        let stop = SessionCommand::Interrupt { turn: mind::TurnId(turn) };
        runner.perform(Effect::Session(address(1), stop), &State::default());
    }
    let first = timeout(Duration::from_secs(20), inbox.recv()).await.unwrap();
    let Some(Event::Agent(from, AgentEvent::Lost { why })) = first else { panic!("{first:?}") };
    assert_eq!(from, address(1));
    assert!(why.contains("does not read its orders"), "{why}");
}

#[tokio::test]
async fn writes_are_made_in_order_and_all_of_them_before_the_end() {
    let (_folder, mut runner, _inbox) = runner("hands-disk").await;
    for number in 0..20 {
        let note = MissionEffect::Note { text: format!("note {number}") };
        runner.perform(Effect::Mission(note), &State::default());
    }
    let notes = runner.folder.join("notes.log");
    runner.farewell().await;
    let text = std::fs::read_to_string(notes).unwrap();
    let read: Vec<&str> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
    assert_eq!(read, (0..20).map(|number| format!("note {number}")).collect::<Vec<_>>());
}
