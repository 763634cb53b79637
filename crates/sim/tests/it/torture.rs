//! Eight processes work on the same petitions, some of their acts without the lock; they are killed at any moment and
//! started again. What was told to any of them is in the files and in the ledger afterwards, and there once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use docket::text::PetitionText;
use docket::{Docket, PetitionPlace};
use mind::Timestamp;
use mind::actor::Actor;
use mind::petition::{DraftDecision, PetitionChange, PetitionDraft, PetitionId};

const WORKERS: u64 = 8;
const ACTS: u64 = 10_000;
const PETITIONS: u64 = 200;
/// Enough for a busy machine; what is not done by then is not done.
const PATIENCE: Duration = Duration::from_secs(300);

#[test]
fn nothing_that_was_told_is_lost_or_doubled_whoever_is_killed_and_whoever_edits() {
    let home = tempfile::tempdir().unwrap();
    let queue = home.path().join("queue");
    let docket = Docket::at(queue.clone());
    ask(&docket);
    let stop = Arc::new(AtomicBool::new(false));
    let reads = Arc::new(AtomicU64::new(0));
    let reader = {
        let (queue, stop, reads) = (queue.clone(), Arc::clone(&stop), Arc::clone(&reads));
        thread::spawn(move || read_all_the_time(&queue, &stop, &reads))
    };
    let mut team = Team::new(home.path());
    let begun = Instant::now();
    let mut kills = 0u64;
    let mut acts = 0;
    while acts < ACTS && begun.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(40));
        team.replace_one(kills);
        kills += 1;
        acts = team.log().lines().count() as u64;
    }
    team.end();
    stop.store(true, Ordering::SeqCst);
    let torn = reader.join().unwrap();
    assert_eq!(torn, None);
    assert!(acts >= ACTS, "only {acts} acts in {PATIENCE:?}");
    assert!(reads.load(Ordering::SeqCst) > PETITIONS);
    judge(&docket, &team.log());
    println!("{acts} acts, {kills} killed, {} reads, {:?}", reads.load(Ordering::SeqCst), begun.elapsed());
}

fn ask(docket: &Docket) {
    let decision = |n: u64| DraftDecision {
        id: Arc::from(format!("d{n}")),
        title: Arc::from("How?"),
        allow_custom: Some(true),
        ..DraftDecision::default()
    };
    for n in 0..PETITIONS {
        let draft = PetitionDraft {
            agent: Arc::from("torturer"),
            title: Arc::from("Shared"),
            tag: Arc::from(format!("{n}")),
            notify_session: Some(Arc::from("agent:torturer")),
            decisions: (0..3).map(decision).collect(),
            ..PetitionDraft::default()
        };
        let id = PetitionId::from(&*format!("shared{n}"));
        let pushed =
            docket.push(&draft, id, &Actor::Agent(Arc::from("torturer")), Timestamp(1_800_000_000_000));
        assert!(!pushed.expect("it can be asked").again);
    }
}

/// The first file that cannot be read as a petition, at any moment.
fn read_all_the_time(queue: &Path, stop: &AtomicBool, reads: &AtomicU64) -> Option<String> {
    while !stop.load(Ordering::SeqCst) {
        // The processes need the machine more than the reader does.
        thread::sleep(Duration::from_millis(5));
        for folder in ["pending", "completed"] {
            for entry in fs::read_dir(queue.join(folder)).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.starts_with('.') || name.contains(".tmp-") {
                    continue;
                }
                let Ok(bytes) = fs::read(entry.path()) else { continue };
                reads.fetch_add(1, Ordering::SeqCst);
                if let Err(why) = PetitionText::read(&bytes, Timestamp(0)) {
                    return Some(format!("{name}: {why}\n{}", String::from_utf8_lossy(&bytes)));
                }
            }
        }
    }
    None
}

/// The processes.
struct Team {
    home: PathBuf,
    workers: Vec<Child>,
    started: u64,
}

impl Team {
    fn new(home: &Path) -> Team {
        let mut team = Team { home: home.to_owned(), workers: Vec::new(), started: 0 };
        for worker in 0..WORKERS {
            let child = team.start(worker);
            team.workers.push(child);
        }
        team
    }

    fn start(&mut self, worker: u64) -> Child {
        self.started += 1;
        Command::new(env!("CARGO_BIN_EXE_docket-torturer"))
            .arg(self.home.join("queue"))
            .arg(self.home.join(format!("log{worker}")))
            .arg(self.started.to_string())
            .spawn()
            .expect("the torturer starts")
    }

    /// Kills one, whatever it is doing, and starts another in its place.
    fn replace_one(&mut self, turn: u64) {
        let worker = turn.wrapping_mul(5) % WORKERS;
        let at = usize::try_from(worker).expect("there are few");
        kill(&mut self.workers[at]);
        self.workers[at] = self.start(worker);
    }

    fn end(&mut self) {
        self.workers.iter_mut().for_each(kill);
        self.workers.clear();
    }

    /// Everything that all of them were told.
    fn log(&self) -> String {
        let log = |worker| fs::read_to_string(self.home.join(format!("log{worker}"))).unwrap_or_default();
        // A line that was torn off by a kill was not told.
        (0..WORKERS)
            .map(log)
            .map(|log| log.rsplit_once('\n').map_or_else(String::new, |(w, _)| format!("{w}\n")))
            .collect()
    }
}

fn kill(child: &mut Child) {
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
}

impl Drop for Team {
    fn drop(&mut self) {
        for child in &mut self.workers {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn judge(docket: &Docket, log: &str) {
    let queue = docket.queue(Timestamp(1_900_000_000_000)).expect("the queue is there");
    assert_eq!(queue.faults, []);
    let failed: Vec<&str> = log.lines().filter(|line| line.starts_with("failed")).collect();
    assert_eq!(failed, Vec::<&str>::new());
    let records = docket.records(1).expect("the ledger is whole");
    let mut answers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut firsts: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut submits: BTreeMap<&str, usize> = BTreeMap::new();
    let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
    for record in &records {
        let id = &*record.petition.0;
        match &record.change {
            PetitionChange::Asked => *asked.entry(id).or_default() += 1,
            PetitionChange::Answered { decision, choice, .. } => {
                assert!(firsts.insert((id, decision)), "{id} {decision} was answered first twice");
                *answers.entry(choice.text()).or_default() += 1;
            }
            PetitionChange::Changed { choice, .. } => *answers.entry(choice.text()).or_default() += 1,
            PetitionChange::Submitted => *submits.entry(id).or_default() += 1,
            PetitionChange::Late { .. }
            | PetitionChange::Assigned { .. }
            | PetitionChange::Withdrawn { .. }
            | PetitionChange::Expired { .. } => panic!("{record:?}"),
        }
    }
    assert!(asked.values().all(|count| *count == 1));
    assert!(submits.values().all(|count| *count == 1));
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut keys: BTreeMap<&str, &str> = BTreeMap::new();
    for line in log.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        *kinds.entry(words[0]).or_default() += 1;
        match words.as_slice() {
            ["answered", .., text] => assert_eq!(answers.get(text), Some(&1), "{line}"),
            ["submitted", id] => {
                assert_eq!(submits.get(id), Some(&1), "{line}");
                let kept = docket.find(id, Timestamp(1_900_000_000_000)).expect("it is there");
                assert_eq!(kept.place, PetitionPlace::Completed);
            }
            ["pushed", id, key] => {
                assert_eq!(asked.get(id), Some(&1), "{line}");
                assert!(*key == "-" || *keys.entry(key).or_insert(id) == *id, "{line}: {key} is two");
                assert!(docket.find(id, Timestamp(1_900_000_000_000)).is_ok(), "{line}");
            }
            _ => {}
        }
    }
    println!("{kinds:?}, {} lines in the ledger", records.len());
    for kind in ["answered", "submitted", "pushed", "edited", "refused:"] {
        assert!(kinds.contains_key(kind), "nobody {kind}");
    }
    assert!(answers.keys().any(|text| text.starts_with("hand")), "no edit by hand was adopted");
    assert_eq!(docket.verify(mind::Timestamp(host::now_ms())).expect("it can be verified"), []);
}
