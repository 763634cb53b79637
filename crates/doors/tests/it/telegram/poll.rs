//! The loop that takes updates: on disk before the server may forget them, each once, and never in a circle.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use doors::telegram::fact::DoorFact;
use doors::telegram::health::{HealthFile, read_health};
use doors::telegram::log::Durability;
use doors::telegram::memory::DoorMemory;
use doors::telegram::poll::Poll;
use doors::telegram::wire::{TakenUpdate, UserId};
use doors::telegram::{DoorNote, TelegramError};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::server::{Call, PATIENCE, Server, TOKEN};

struct Polling {
    memory: DoorMemory,
    desk: mpsc::Receiver<TakenUpdate>,
    notes: Arc<Mutex<Vec<DoorNote>>>,
    stop: watch::Sender<bool>,
    task: JoinHandle<Result<(), TelegramError>>,
}

fn poll(server: &Server, folder: &Path, room: usize) -> Polling {
    let memory = DoorMemory::open(folder).expect("it opens");
    let (sender, desk) = mpsc::channel(room);
    let (stop, stops) = watch::channel(false);
    let notes = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&notes);
    let poll = Poll {
        client: server.client(),
        memory: memory.clone(),
        desk: sender,
        health: HealthFile::new(folder),
        people: [UserId(1)].into(),
        log: Arc::new(move |note| log.lock().expect("no test panicked").push(note)),
        long: Duration::from_secs(25),
        now: || mind::Timestamp(host::now_ms()),
        dice: || 0,
    };
    Polling { memory, desk, notes, stop, task: tokio::spawn(poll.run(stops)) }
}

impl Polling {
    async fn takes(&mut self) -> i64 {
        timeout(PATIENCE, self.desk.recv()).await.expect("an update comes").expect("the loop runs").update
    }

    async fn stops(self) -> Vec<DoorNote> {
        self.stop.send_replace(true);
        let ended = timeout(PATIENCE, self.task).await.expect("it stops");
        ended.expect("it does not panic").expect("it stops well");
        self.notes.lock().expect("no test panicked").clone()
    }
}

fn updates(numbers: impl IntoIterator<Item = i64>) -> Value {
    numbers.into_iter().map(|number| json!({"update_id": number, "message": {"text": "x"}})).collect()
}

fn offset(call: &Call) -> i64 {
    assert_eq!(call.method, "getUpdates");
    call.body["offset"].as_i64().expect("a number")
}

#[tokio::test]
async fn an_update_is_on_disk_before_it_is_confirmed_and_comes_once() {
    let (home, mut server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let mut polling = poll(&server, home.path(), 10);
    let call = server.next().await;
    assert_eq!((offset(&call), &call.body["timeout"], &call.body["limit"]), (0, &json!(25), &json!(100)));
    call.ok(updates([7, 8]));
    let confirms = server.next().await;
    assert_eq!(offset(&confirms), 9);
    let log = fs::read_to_string(home.path().join("door.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 2, "{log}");
    assert_eq!((polling.takes().await, polling.takes().await), (7, 8));
    // Repeated, with a new one.
    confirms.ok(updates([8, 7, 9]));
    assert_eq!(polling.takes().await, 9);
    assert_eq!(offset(&server.next().await), 10);
    assert!(polling.desk.try_recv().is_err());
    polling.stops().await;
}

#[tokio::test]
async fn what_was_taken_and_not_handled_comes_first_after_a_start() {
    let (home, mut server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let mut polling = poll(&server, home.path(), 10);
    server.next().await.ok(updates([7, 8, 9]));
    for update in [7, 8, 9] {
        assert_eq!(polling.takes().await, update);
    }
    polling.memory.keep(&[DoorFact::Handled { update: 8 }], Durability::Synced).unwrap();
    // As after kill -9: it is not told to stop.
    polling.task.abort();
    let _ = polling.task.await;
    drop(polling.memory);

    let mut server = Server::start().await;
    let mut polling = poll(&server, home.path(), 10);
    assert_eq!((polling.takes().await, polling.takes().await), (7, 9));
    let call = server.next().await;
    assert_eq!(offset(&call), 10);
    // The server was not told, and says them again.
    call.ok(updates([7, 8, 9, 10]));
    assert_eq!(polling.takes().await, 10);
    polling.stops().await;
}

#[tokio::test]
async fn a_desk_that_is_busy_holds_up_the_next_poll_and_not_the_end() {
    let (home, mut server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let mut polling = poll(&server, home.path(), 1);
    server.next().await.ok(updates(1..=100));
    assert_eq!(polling.takes().await, 1);
    assert!(server.is_quiet());
    for update in 2..=50 {
        assert_eq!(polling.takes().await, update);
    }
    let memory = polling.memory.clone();
    polling.stops().await;
    assert_eq!(memory.read(|state| state.waiting.len()), 100);
}

#[tokio::test]
async fn a_server_that_numbers_anew_is_followed() {
    let (home, mut server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let mut polling = poll(&server, home.path(), 10);
    server.next().await.ok(updates([760_546_622]));
    assert_eq!(polling.takes().await, 760_546_622);
    let call = server.next().await;
    assert_eq!(offset(&call), 760_546_623);
    call.ok(updates([592_426_180]));
    assert_eq!(polling.takes().await, 592_426_180);
    assert_eq!(offset(&server.next().await), 592_426_181);
    polling.stops().await;
}

#[tokio::test]
async fn trouble_is_survived_told_and_forgotten() {
    let (home, mut server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let mut polling = poll(&server, home.path(), 10);
    server.next().await.refuse(502, "Bad Gateway");
    drop(server.next().await);
    server.next().await.says(200, "<html>");
    let call = server.next().await;
    assert_eq!(call.body["limit"], 1, "after an answer that could not be read");
    let health = read_health(home.path()).unwrap();
    assert!(health.trouble.unwrap().contains("not a Bot API's"));
    assert_eq!(health.polled_at, None);
    call.refuse_with(429, "Too Many Requests: retry after 1", json!({"retry_after": 1}));
    server.next().await.ok(updates([1]));
    assert_eq!(polling.takes().await, 1);
    server.next().await.ok(json!([]));
    let health = read_health(home.path()).unwrap();
    assert_eq!((health.trouble, health.polled_at.is_some()), (None, true));
    let notes = polling.stops().await;
    assert!(notes.first().unwrap().is_trouble && !notes.last().unwrap().is_trouble, "{notes:?}");
    assert_eq!(notes.last().unwrap().text, "Telegram answers again");
}

#[tokio::test]
async fn a_webhook_and_a_second_poller_are_told_in_words() {
    for (description, word) in [
        ("Conflict: can't use getUpdates method while webhook is active; use deleteWebhook", "webhook"),
        ("Conflict: terminated by other getUpdates request; make sure that only one", "another program"),
    ] {
        let (home, mut server) = (tempfile::tempdir().unwrap(), Server::start().await);
        let polling = poll(&server, home.path(), 10);
        server.next().await.refuse(409, description);
        // It is told a moment after it was answered.
        let health = loop {
            match read_health(home.path()) {
                Some(health) => break health,
                None => tokio::task::yield_now().await,
            }
        };
        assert!(health.trouble.unwrap().contains(word));
        let notes = polling.stops().await;
        assert!(matches!(&notes[..], [note] if note.is_trouble && note.text.contains(word)), "{notes:?}");
    }
}

/// It calls itself as a process whose files may have some KiB only; what is more is refused in the middle of a line.
#[test]
fn updates_that_cannot_be_written_down_are_not_confirmed() {
    const LITTLE_ROOM: &str = "ARBITER_TEST_LITTLE_ROOM";
    if std::env::var_os(LITTLE_ROOM).is_some() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        return runtime.block_on(in_little_room());
    }
    let name = "telegram::poll::updates_that_cannot_be_written_down_are_not_confirmed";
    let script = format!("trap '' XFSZ; ulimit -f 8; exec \"$0\" --exact {name} --nocapture");
    let mut child = std::process::Command::new("sh");
    child.arg("-c").arg(script).arg(std::env::current_exe().unwrap()).env(LITTLE_ROOM, "1");
    let ended = child.output().unwrap();
    let said = String::from_utf8_lossy(&ended.stdout).into_owned() + &String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && said.contains("1 passed"), "{said}");
}

#[expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]
async fn in_little_room() {
    let (home, mut server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let mut polling = poll(&server, home.path(), 10);
    server.next().await.ok(updates([6]));
    assert_eq!(polling.takes().await, 6);
    let long = json!({"update_id": 8, "message": {"from": {"id": 1}, "text": "x".repeat(20_000)}});
    let call = server.next().await;
    call.ok(json!([{"update_id": 7}, long]));
    let again = server.next().await;
    assert_eq!(offset(&again), 7, "neither of them is confirmed");
    assert!(polling.desk.try_recv().is_err());
    let trouble = read_health(home.path()).unwrap().trouble.unwrap();
    assert!(trouble.contains("door.jsonl"), "{trouble}");
    again.ok(updates([7]));
    assert_eq!(polling.takes().await, 7);
    assert_eq!(offset(&server.next().await), 8);
    assert_eq!(read_health(home.path()).unwrap().trouble, None);
    let memory = polling.memory.clone();
    polling.stops().await;
    drop(memory);
    let waiting = DoorMemory::open(home.path()).unwrap().read(|state| state.waiting.clone());
    assert_eq!(waiting.iter().map(|waiting| waiting.update).collect::<Vec<_>>(), [6, 7]);
}

#[tokio::test]
async fn nothing_that_is_written_shows_the_token() {
    let (home, mut server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let polling = poll(&server, home.path(), 10);
    for _ in 0..2 {
        server.next().await.refuse(500, &format!("no /bot{TOKEN}/getUpdates"));
    }
    let call = server.next().await;
    let notes = format!("{:?}", polling.stops().await);
    drop(call);
    assert!(notes.contains("hidden") && !notes.contains("CANARY"), "{notes}");
    for entry in fs::read_dir(home.path()).unwrap().flatten() {
        let text = fs::read_to_string(entry.path()).unwrap();
        assert!(!text.contains("CANARY"), "{:?}: {text}", entry.path());
    }
}
