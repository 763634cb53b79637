//! The port by a mission's folder: the socket of a mission that runs, who may hear it, and what a broken follower does.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use arbiter::mission::fact_log::{FactLog, MissionJournal};
use arbiter::mission::mission_loop::MissionSnapshot;
use arbiter::mission::port::socket::{self, Connection, SocketServer, SocketSources};
use arbiter::mission::port::wire::ToFollower;
use arbiter::mission::port::{FolderPort, MissionPort, Moved};
use arbiter::project::home::MissionPlaces;
use journal::{FileStore, JournalKey, LogStore};
use mind::{SessionId, State};
use providers::live::LiveTails;
use sim::{BridgeScript, Theatre};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, watch};
use view::LiveText;

use crate::{BINARY, wait_until};

const ONE: SessionId = SessionId(1);
const MOMENT: Duration = Duration::from_secs(20);

/// A mission that is served, without a loop: the test says what happens in it.
struct Mission {
    world: tempfile::TempDir,
    runtime: Runtime,
    picture: watch::Sender<MissionSnapshot>,
    live: LiveTails,
    inbox: Arc<Notify>,
}

impl Mission {
    fn new() -> Mission {
        let world = tempfile::tempdir().expect("a folder");
        fs::create_dir(world.path().join("m-1")).expect("a folder");
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let (picture, _) = watch::channel(MissionSnapshot { state: Arc::default(), head: 7 });
        let (live, inbox) = (LiveTails::default(), Arc::default());
        Mission { world, runtime: runtime.expect("a runtime"), picture, live, inbox }
    }

    fn folder(&self) -> PathBuf {
        self.world.path().join("m-1")
    }

    fn place(&self) -> PathBuf {
        self.world.path().join("run")
    }

    fn serve(&self) -> SocketServer {
        let _within = self.runtime.enter();
        let (live, inbox) = (self.live.clone(), Arc::clone(&self.inbox));
        let sources = SocketSources { view: self.picture.subscribe(), live, inbox };
        socket::serve_in(&self.place(), &self.folder(), sources).expect("it is served")
    }

    fn connect(&self) -> Connection {
        socket::connect_in(&self.place(), &self.folder()).expect("it is heard")
    }

    fn file(&self, kind: &str) -> PathBuf {
        let entries = fs::read_dir(self.place()).expect("a folder").flatten().map(|entry| entry.path());
        entries.into_iter().find(|path| path.extension().is_some_and(|found| found == kind)).expect("a file")
    }

    fn names(&self) -> usize {
        fs::read_dir(self.place()).map_or(0, Iterator::count)
    }
}

/// What a follower hears next.
fn next(connection: &mut Connection) -> ToFollower {
    connection.next(MOMENT).expect("it is heard").expect("it is in time")
}

/// Hears until what is being said is this.
fn hears(connection: &mut Connection, words: &str) {
    let mut live = LiveText::new();
    while live.get(&ONE).is_none_or(|text| &**text != words) {
        if let ToFollower::Live(delta) = next(connection) {
            delta.apply(&mut live);
        }
    }
}

#[test]
fn a_follower_hears_the_head_and_what_is_being_said() {
    let mission = Mission::new();
    let _served = mission.serve();
    mission.live.say(ONE, "Before");
    let mut follower = mission.connect();
    assert_eq!(next(&mut follower), ToFollower::Head { head: 7 });
    hears(&mut follower, "Before");
    mission.picture.send_modify(|picture| picture.head = 9);
    assert_eq!(next(&mut follower), ToFollower::Head { head: 9 });
    for _ in 0..100 {
        mission.live.say(ONE, " and on");
    }
    let mut second = mission.connect();
    hears(&mut second, &format!("Before{}", " and on".repeat(100)));
    mission.live.clear(ONE);
    let mut live = LiveText::from([(ONE, "x".into())]);
    while !live.is_empty() {
        if let ToFollower::Live(delta) = next(&mut second) {
            delta.apply(&mut live);
        }
    }
}

/// Nothing comes but the end, whatever was said before.
fn assert_refused(mission: &Mission, hello: &[u8]) {
    let mut stream = UnixStream::connect(mission.file("sock")).expect("a socket");
    stream.set_read_timeout(Some(MOMENT)).expect("a time");
    let _ = stream.write_all(hello);
    let mut heard = Vec::new();
    let _ = stream.read_to_end(&mut heard);
    assert_eq!(String::from_utf8_lossy(&heard), "");
}

#[test]
fn whoever_does_not_know_the_key_hears_nothing() {
    let mission = Mission::new();
    let _served = mission.serve();
    let key = fs::read_to_string(mission.file("key")).expect("a key");
    assert_eq!(key.len(), 64);
    assert_eq!(fs::metadata(mission.file("key")).expect("a key").permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(mission.place()).expect("a folder").permissions().mode() & 0o777, 0o700);
    let long = format!("{}\n", "x".repeat(100_000));
    let wrong = format!("{{\"type\":\"hello\",\"version\":1,\"key\":\"{}\"}}\n", "0".repeat(64));
    let newer = format!("{{\"type\":\"hello\",\"version\":2,\"key\":\"{key}\"}}\n");
    let none = "{\"type\":\"hello\",\"version\":1,\"key\":\"\"}\n".to_owned();
    for hello in [long, wrong, newer, none, "{\"type\":\"ring\"}\n".to_owned(), "\n".to_owned()] {
        assert_refused(&mission, hello.as_bytes());
    }
    // One that says nothing is not waited for.
    assert_refused(&mission, b"");
    mission.connect();
}

#[test]
fn a_follower_that_reads_nothing_is_dropped_and_holds_up_nobody() {
    let mission = Mission::new();
    let _served = mission.serve();
    let stuck: Vec<Connection> = (0..8).map(|_| mission.connect()).collect();
    let mut follower = mission.connect();
    let mut words = String::new();
    for number in 0..60 {
        mission.live.clear(ONE);
        words = format!("{number} ") + &"ü".repeat(3_900);
        let began = Instant::now();
        mission.live.say(ONE, &words);
        assert!(began.elapsed() < Duration::from_secs(1), "whoever speaks is held up");
        hears(&mut follower, &words);
    }
    // Another one finds room, although all places would be taken by those who do not read.
    for mut stuck in stuck {
        let gone = std::iter::from_fn(|| Some(stuck.next(MOMENT))).take(10_000).any(|line| line.is_err());
        assert!(gone, "it was not dropped");
    }
    hears(&mut mission.connect(), &words);
}

#[test]
fn there_is_room_for_so_many_followers_and_more_are_turned_away() {
    let mission = Mission::new();
    let _served = mission.serve();
    let mut all = Vec::new();
    while let Ok(connection) = socket::connect_in(&mission.place(), &mission.folder()) {
        all.push(connection);
        assert!(all.len() <= arbiter::limits::FOLLOWERS_MAX);
    }
    assert_eq!(all.len(), arbiter::limits::FOLLOWERS_MAX);
    all.pop();
    wait_until("a place is free again", || socket::connect_in(&mission.place(), &mission.folder()).is_ok());
}

#[test]
fn the_socket_of_a_dead_process_is_replaced_and_others_are_swept() {
    let mission = Mission::new();
    drop(mission.serve());
    wait_until("its files are taken away", || mission.names() == 0);
    let served = mission.serve();
    let (socket, key) = (mission.file("sock"), mission.file("key"));
    let stale = mission.place().join("0123456789abcdef.sock");
    // Nobody listens there any more, as after a fall.
    drop(UnixListener::bind(&stale).expect("a socket"));
    fs::write(stale.with_extension("key"), "old").expect("a key");
    let old_key = fs::read_to_string(&key).expect("a key");
    let second = mission.serve();
    assert_ne!(fs::read_to_string(&key).expect("a key"), old_key);
    assert!(!stale.exists() && !stale.with_extension("key").exists());
    // The first one leaves late, and takes nothing of the second's away.
    drop(served);
    std::thread::sleep(Duration::from_millis(100));
    assert!(socket.exists() && key.exists());
    mission.connect();
    drop(second);
    wait_until("its files are taken away", || mission.names() == 0);
}

#[test]
fn followers_are_let_go_when_the_loop_has_ended() {
    let mut mission = Mission::new();
    let _served = mission.serve();
    let mut follower = mission.connect();
    let (nothing, _) = watch::channel(MissionSnapshot { state: Arc::new(State::default()), head: 0 });
    drop(std::mem::replace(&mut mission.picture, nothing));
    wait_until("it is let go", || follower.next(MOMENT).is_err());
    wait_until("its files are taken away", || mission.names() == 0);
}

#[test]
fn a_follower_rings_for_the_inbox() {
    let mission = Mission::new();
    let _served = mission.serve();
    let mut follower = mission.connect();
    follower.ring().expect("it is sent");
    let rung = async { tokio::time::timeout(MOMENT, mission.inbox.notified()).await };
    assert!(mission.runtime.block_on(rung).is_ok());
}

/// Follows a mission by its folder.
fn follows(folder: &Path, store: Arc<dyn LogStore>) -> Receiver<Moved> {
    let (tell, told) = channel();
    FolderPort::at(MissionPlaces { folder: folder.to_owned() }, store)
        .follow(Box::new(move |moved| tell.send(moved).is_ok()));
    told
}

#[test]
fn without_a_socket_the_files_tell_that_the_journal_moved() {
    let world = tempfile::tempdir().expect("a folder");
    let store: Arc<dyn LogStore> = Arc::new(FileStore::new(JournalKey::new(&[7; 32])));
    let journal = MissionJournal::new(Arc::clone(&store), world.path().join("journal.jsonl"));
    FactLog::create(&journal, "m-1", &[]).expect("a journal");
    let told = follows(world.path(), store);
    assert_eq!(told.recv_timeout(MOMENT), Ok(Moved::Facts), "there is something to read");
    let (mut fact_log, ..) = FactLog::open(&journal).expect("it opens");
    let entry = mind::Entry {
        at: mind::Timestamp(1),
        fact: mind::Fact::Talk(mind::fact::TalkFact::Received { inbox_id: "a".into() }),
    };
    fact_log.append(&[entry]).expect("it is written");
    fact_log.sync().expect("it is kept");
    let mut heard = [told.recv_timeout(MOMENT), told.recv_timeout(MOMENT)];
    heard.sort_by_key(|moved| *moved == Ok(Moved::Running));
    assert_eq!(heard, [Ok(Moved::Facts), Ok(Moved::Running)]);
    drop(fact_log);
    assert_eq!(told.recv_timeout(MOMENT), Ok(Moved::Running));
}

/// What an agent does that wants to hear what other sessions say.
const EAVESDROP: &str = r#"
    for place in "$XDG_RUNTIME_DIR/arbiter" "/run/user/$(id -u)/arbiter" PLACE; do
        names=$(ls "$place" 2>/dev/null) && [ -n "$names" ] && echo "$names" >> harm.txt
        for key in "$place"/*.key; do
            text=$(cat "$key" 2>/dev/null) && [ -n "$text" ] && echo "$text" >> harm.txt
        done
    done
    echo tried >> tried.txt
"#;

/// What an agent finds that looks for sockets and their keys, in the user's runtime folder or in our own.
fn spied(theatre: &Theatre, runtime: Option<&Path>) -> String {
    let place = runtime.map_or(theatre.state().join("run"), |runtime| runtime.join("arbiter"));
    let attack = EAVESDROP.replace("PLACE", &place.display().to_string());
    let spy = format!("{{run: [sh, -c, {attack:?}]}}, {{commit: Build}}");
    theatre.write_script(BridgeScript::new().with_human().checks("[test, -f, tried.txt]").works(&spy));
    let mut command = theatre.rehearsal(&["--headless"]);
    command.envs(runtime.map(|runtime| ("XDG_RUNTIME_DIR", runtime)));
    let ran = sim::Ran::from(command.output().expect("it starts"));
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert!(place.is_dir(), "{} was never there", place.display());
    let newest =
        theatre.git(&["for-each-ref", "--sort=committerdate", "--format=%(refname)", "refs/arbiter"]);
    let newest = newest.lines().last().expect("the work was fetched").to_owned();
    let files = theatre.git(&["ls-tree", "-r", "--name-only", &newest]);
    assert!(files.contains("tried.txt"), "{files}");
    if files.contains("harm.txt") {
        theatre.git(&["show", &format!("{newest}:harm.txt")])
    } else {
        String::new()
    }
}

#[test]
fn an_agent_finds_neither_a_socket_nor_its_key() {
    let theatre = || Theatre::with_repository(BINARY, &[("README.md", "a river\n")]);
    let inside = theatre();
    assert_eq!(spied(&inside, None), "");
    let runtime = inside.path().join("runtime");
    fs::create_dir(&runtime).expect("a folder");
    assert_eq!(spied(&inside, Some(&runtime)), "");
    // Without a sandbox the same attack finds all of it.
    let found = spied(&theatre().with_config("sandbox: off\n"), None);
    assert!(found.contains(".sock") && found.contains(".key"), "{found}");
}
