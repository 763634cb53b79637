//! The real loop with its real hands plays a conducted mission with real actors over a disk that takes a second for
//! everything, on one thread: whatever keeps that thread busy keeps the loop from its inbox. Meanwhile events are put into
//! the inbox, and the time is taken until each of them is seen in a published picture.

use std::fs;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arbiter::mission::effect_runner::EffectRunner;
use arbiter::mission::effect_runner::conducting::ConductorFiles;
use arbiter::mission::effect_runner::disk_delay::DiskDelay;
use arbiter::mission::fact_log::MissionJournal;
use arbiter::mission::mission_loop::MissionSnapshot;
use arbiter::mission::repo_location::RepoLocation;
use journal::MemoryStore;
use mind::charter::Charter;
use mind::fact::MissionFact;
use mind::state::Ended;
use mind::{Event, Fact, MissionId};
use sandbox::SandboxFactory;
use sim::{GreetingScript, RunnerSeed, Theatre, open_house};
use tokio::sync::{mpsc, watch};

use crate::BINARY;

const SLOW: Duration = Duration::from_secs(1);
/// What an event may take. On an idle machine it takes a millisecond; this one may be busy with other tests.
const LATENCY_MAX: Duration = Duration::from_millis(250);
const PROBE_EVERY: Duration = Duration::from_millis(40);

/// A world of a plan, a piece of work with a commit, a note, a check.
fn theatre() -> Theatre {
    let note = "{title: Greetings, text: A greeting is hello., tags: [greeting]}";
    Theatre::rehearsing(BINARY, GreetingScript::new().remembers(note))
}

/// A mission as the product opens and plays it: its charter, and where its code is.
fn opened(theatre: &Theatre) -> (Box<Charter>, RepoLocation) {
    let ran = theatre.rehearse(&["--way", "conductor", "--headless", "--yes", "--pace", "fast"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let folder = theatre.mission();
    let first = theatre.entries(&folder).into_iter().next().map(|entry| entry.fact);
    let Some(Fact::Mission(MissionFact::Opened(mut charter))) = first else { panic!("{first:?}") };
    charter.mission = MissionId("slow-disk".into());
    let mut ground = RepoLocation::read(&folder).expect("its ground");
    ground.clone = theatre.state().join("clones/slow-disk");
    (charter, ground)
}

/// What is slow: the small writes; sandboxes and looks at the clone; agents and notes.
#[derive(Clone)]
struct SlowDisk {
    writes: DiskDelay,
    looks: DiskDelay,
    shelf: DiskDelay,
}

impl SlowDisk {
    fn under_way(&self) -> [bool; 3] {
        [&self.writes, &self.looks, &self.shelf].map(|delay| delay.under_way() > 0)
    }

    fn shelf(&self) -> ConductorFiles {
        let (agents, notes, keep) = (self.shelf.clone(), self.shelf.clone(), self.shelf.clone());
        ConductorFiles {
            agents: Some(Box::new(move || {
                agents.wait();
                None
            })),
            notes: Some(Box::new(move || {
                notes.wait();
                None
            })),
            keep: Some(Box::new(move |_| {
                keep.wait();
                Ok(())
            })),
        }
    }
}

fn runner(
    theatre: &Theatre,
    ground: RepoLocation,
    disk: &SlowDisk,
    events: &mpsc::Sender<Event>,
) -> EffectRunner {
    let folder = theatre.path().join("slow");
    fs::create_dir_all(folder.join("store")).expect("a folder");
    let mut seed = RunnerSeed::new("slow-disk", &folder);
    seed.rehearsal.argv = vec![BINARY.into(), "__actor".into()];
    seed.rehearsal.script = theatre.script();
    let survey = sandbox::survey();
    seed.site = SandboxFactory {
        level: survey.best().unwrap_or(mind::access::SandboxLevel::Off),
        survey,
        own: vec![BINARY.into(), "__cage".into()],
        mission: "slow-disk".to_owned(),
        // What git in the sandbox inherits from this process names it.
        home: std::env::home_dir().unwrap_or_else(|| theatre.path().join("home")),
        project: ground.source.clone(),
        place: folder.join("place"),
        ours: vec![folder.join("place")],
        ..SandboxFactory::nowhere()
    };
    (seed.writes, seed.looks) = (disk.writes.clone(), disk.looks.clone());
    seed.conducting.shelf = Arc::new(Mutex::new(disk.shelf()));
    seed.location = ground;
    seed.runner(events)
}

/// Runs the mission on a thread of its own, until it is over. Gives a way to put more on that thread.
fn run_apart(theatre: &Theatre, disk: &SlowDisk) -> LoopThread {
    let (charter, ground) = opened(theatre);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (events, inbox) = mpsc::channel(64);
    let runner = runner(theatre, ground, disk, &events);
    let journal = theatre.path().join("journal.jsonl");
    let journal = MissionJournal::new(Arc::new(MemoryStore::default()), journal);
    let (house, view) = open_house(&journal, *charter, runner, inbox);
    let handle = runtime.handle().clone();
    let thread = std::thread::spawn(move || {
        let (_stop, stopped) = watch::channel(false);
        runtime.block_on(house.run(stopped)).expect("the journal holds");
    });
    LoopThread { thread, handle, events, view }
}

struct LoopThread {
    thread: std::thread::JoinHandle<()>,
    handle: tokio::runtime::Handle,
    events: mpsc::Sender<Event>,
    view: watch::Receiver<MissionSnapshot>,
}

impl LoopThread {
    /// The person at the terminal comes, or goes: puts that into the inbox, and takes the time until a picture shows it.
    async fn probe(&mut self) -> Option<Duration> {
        let attended = self.view.borrow().state.unattended;
        let began = Instant::now();
        self.events.send(Event::Attended(attended)).await.ok()?;
        let seen = self
            .view
            .wait_for(|picture| picture.state.unattended != attended || picture.state.ended.is_some());
        seen.await.ok()?;
        Some(began.elapsed())
    }

    /// Puts something into the inbox that changes nothing, so that a note is written.
    async fn make_a_note(&self) {
        let attended = !self.view.borrow().state.unattended;
        let _ = self.events.send(Event::Attended(attended)).await;
    }

    fn is_over(&self) -> bool {
        self.view.borrow().state.ended.is_some()
    }
}

#[tokio::test]
async fn the_loop_takes_its_inbox_while_every_effect_waits_for_a_slow_disk() {
    let theatre = theatre();
    let delay = || DiskDelay::of(SLOW);
    let disk = SlowDisk { writes: delay(), looks: delay(), shelf: delay() };
    let mut house = run_apart(&theatre, &disk);
    house.events.send(Event::Started).await.expect("the loop runs");
    let began = Instant::now();
    let mut worst = [Duration::ZERO; 3];
    let mut probes = [0; 3];
    while !house.is_over() {
        assert!(began.elapsed() < Duration::from_secs(200), "the mission makes no progress");
        if disk.writes.under_way() == 0 {
            house.make_a_note().await;
        }
        let before = disk.under_way();
        let Some(latency) = house.probe().await else { break };
        let after = disk.under_way();
        for kind in 0..3 {
            if before[kind] && after[kind] {
                (worst[kind], probes[kind]) = (worst[kind].max(latency), probes[kind] + 1);
            }
        }
        assert!(latency < LATENCY_MAX, "{latency:?}, under way: {before:?}");
        tokio::time::sleep(PROBE_EVERY).await;
    }
    let (ended, halted) = {
        let state = &house.view.borrow().state;
        (state.ended.clone(), state.halted.clone())
    };
    println!(
        "a mission of {:?}; slowest while writes, looks, shelf were under way: {worst:?} of {probes:?} events",
        began.elapsed()
    );
    assert!(matches!(ended, Some(Ended::Completed(_))), "{ended:?}, halted: {halted:?}");
    assert!(probes.iter().all(|count| *count > 10), "the disk was not slow: {probes:?}");
    house.thread.join().expect("it rests");
}

/// What the test above would see if an effect were performed on the loop's task.
#[tokio::test]
async fn the_same_wait_on_the_loops_thread_is_seen() {
    let theatre = theatre();
    let quick = DiskDelay::default;
    let disk = SlowDisk { writes: quick(), looks: quick(), shelf: quick() };
    let mut house = run_apart(&theatre, &disk);
    assert!(house.probe().await.is_some_and(|latency| latency < LATENCY_MAX), "nothing is slow yet");
    let on_the_loop = DiskDelay::of(SLOW);
    let wait = on_the_loop.clone();
    house.handle.spawn(async move { wait.wait() });
    while on_the_loop.under_way() == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let latency = house.probe().await.expect("the loop runs");
    println!("with a slow disk on the loop's thread an event takes {latency:?}");
    assert!(latency > LATENCY_MAX * 2, "{latency:?}");
}
