//! Missions to measure the screen with: a small one that is over, one that waits for a person, and one of sixty
//! thousand messages.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use arbiter::mission::fact_log::{FactLog, MissionJournal};
use mind::State;
use providers::rehearsal;
use sim::{DEMO, LongMission, Theatre};

use super::Watcher;
use super::watcher::{LARGE, PATIENCE};

/// How many messages the long mission has.
pub const MESSAGES: usize = 60_000;

/// A mission that is over, in a world of its own.
pub fn small(arbiter: &Path) -> Theatre {
    let theatre = Theatre::new(arbiter);
    let ran = theatre.run(&DEMO);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    theatre
}

/// A mission that waits for a person: the demo without the script's answers. It runs until the watcher leaves.
pub fn waiting(arbiter: &Path) -> (Theatre, Watcher) {
    let theatre = Theatre::with_repository(arbiter, &[("README.md", "# The lantern\n")]);
    waiting_in(theatre, LARGE)
}

/// The same in this world, at a terminal of so many columns and rows.
pub fn waiting_in(theatre: Theatre, size: (u16, u16)) -> (Theatre, Watcher) {
    let (head, rest) = rehearsal::DEMO.split_once("\nhuman:\n").expect("the demo has lines for a person");
    let (_, tail) = rest.split_once("\nwindow:").expect("and goes on after them");
    let script = theatre.path().join("waiting.yaml");
    fs::write(&script, format!("{head}\nwindow:{tail}")).expect("a file can be written");
    let words = ["run", "--rehearsal", &script.to_string_lossy()];
    let mut watcher = Watcher::sit_before(size, &theatre, &words);
    until(&theatre, &mut watcher, |state| state.question.is_some());
    (theatre, watcher)
}

/// Reads what a mission shows until it has come this far; when everything came.
pub fn until(
    theatre: &Theatre,
    watcher: &mut Watcher,
    far: impl Fn(&State) -> bool,
) -> Vec<(Instant, usize)> {
    const LOOK: Duration = Duration::from_millis(50);
    let began = Instant::now();
    let mut pieces = Vec::new();
    loop {
        pieces.extend(watcher.reads_for(LOOK));
        let journal = theatre.missions().first().map(|mission| theatre.journal_of(mission));
        if journal.and_then(|journal| FactLog::peek(&journal).ok()).is_some_and(|state| far(&state)) {
            return pieces;
        }
        assert!(began.elapsed() < 6 * PATIENCE, "the mission does not come so far");
    }
}

/// A mission of sixty thousand messages that no process runs, and how many facts it has.
pub fn long(arbiter: &Path) -> (Theatre, u64) {
    let theatre = Theatre::new(arbiter);
    let folder = theatre.project().join(".arbiter/missions/2026-11-16-abcd");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let facts = write_long(&theatre.journal_of(&folder));
    (theatre, facts)
}

fn write_long(journal: &MissionJournal) -> u64 {
    FactLog::create(journal, "2026-11-16-abcd", &[]).expect("a journal can be made");
    let (mut fact_log, _, _) = FactLog::open(journal).expect("it opens");
    let mut mission = LongMission::new();
    while mission.state.talk.len() < MESSAGES {
        let event = mission.next_event();
        // In batches as the mission loop writes them.
        fact_log.append(&mission.advance(event)).expect("the disk takes it");
    }
    fact_log.sync().expect("the disk keeps it");
    fact_log.head()
}
