//! The loop itself: what is in the inbox when it stops, and who is heard first.

use std::path::Path;
use std::sync::Arc;

use arbiter::mission::fact_log::{FactLog, FactTail, MissionJournal};
use journal::{FileStore, JournalKey, MemoryStore};
use mind::actor::{Actor, Door};
use mind::event::{HumanAction, WorkspaceEvent};
use mind::fact::{MissionFact, TalkFact};
use mind::state::Ended;
use mind::{Event, Fact, HumanEvent, State, Timestamp};
use sim::{RunnerSeed, charter, open_house};
use tokio::sync::{mpsc, watch};

fn human(letter: &str, action: HumanAction) -> Event {
    let actor = Actor::human(Door::Terminal, "ada");
    Event::Human(HumanEvent { inbox_id: letter.into(), actor, written: Timestamp(1), action })
}

fn settled() -> Event {
    let folder = "/nowhere".into();
    Event::Workshop(WorkspaceEvent::Settled { folder, base: "c0".into(), branch: "b".into() })
}

/// Opens a mission in `folder` and runs it over `events`; the stop is raised before the first of them is taken, or
/// the inbox ends after them.
fn run(folder: &Path, events: Vec<Event>, stop: bool) -> (State, Vec<Fact>) {
    let key = JournalKey::new(&[7; JournalKey::BYTES]);
    let journal = MissionJournal::new(Arc::new(FileStore::new(key)), folder.join("journal.jsonl"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(live(&journal, folder, events, stop));
    read(&journal)
}

/// The same in a journal of the caller's.
async fn live(journal: &MissionJournal, folder: &Path, events: Vec<Event>, stop: bool) {
    let (sender, inbox) = mpsc::channel(events.len().max(16));
    for event in events {
        sender.send(event).await.expect("there is room");
    }
    // The hands have a way back that leads nowhere: only what was sent above comes in.
    let (back, _nobody) = mpsc::channel(16);
    drop(sender);
    let runner = RunnerSeed::new("house-test", folder).runner(&back);
    drop(back);
    let (house, _view) = open_house(journal, charter("house-test", "rehearsal"), runner, inbox);
    let (_keep, stopped) = watch::channel(stop);
    house.run(stopped).await.expect("the disk holds");
}

/// What the journal says.
fn read(journal: &MissionJournal) -> (State, Vec<Fact>) {
    let mut tail = FactTail::open(journal).expect("a journal");
    let mut facts = Vec::new();
    while let Some(entries) = tail.next().expect("sound") {
        facts.extend(entries.into_iter().map(|(_, entry)| entry.fact));
    }
    (FactLog::peek(journal).expect("sound"), facts)
}

fn is_words(fact: &Fact) -> bool {
    matches!(fact, Fact::Talk(TalkFact::Said { text, .. }) if text.as_ref() == "wait")
}

#[test]
fn words_typed_just_before_the_stop_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let inbox = folder.path().join("inbox");
    std::fs::create_dir(&inbox).expect("a folder");
    std::fs::write(inbox.join("l1.json"), "a letter").expect("written");
    let (state, facts) =
        run(folder.path(), vec![Event::Started, human("l1", HumanAction::Say("wait".into()))], true);
    assert!(facts.iter().any(is_words), "{facts:?}");
    assert!(state.received.contains("l1"));
    assert!(!inbox.join("l1.json").exists(), "a letter that is a fact is discarded");
    assert!(!folder.path().join("clone").exists(), "nothing new is begun");
    assert_eq!(state.ended, None);
}

#[test]
fn a_cancel_just_before_the_stop_ends_the_mission() {
    let folder = tempfile::tempdir().expect("a folder");
    let (state, _) = run(folder.path(), vec![Event::Started, human("l1", HumanAction::Cancel)], true);
    assert!(matches!(state.ended, Some(Ended::Cancelled(_))), "{:?}", state.ended);
}

#[test]
fn a_person_is_heard_before_whatever_else_is_ready() {
    let folder = tempfile::tempdir().expect("a folder");
    let events = vec![settled(), human("l1", HumanAction::Say("wait".into())), Event::Started];
    let (_, facts) = run(folder.path(), events, false);
    let place = |wanted: &dyn Fn(&Fact) -> bool| facts.iter().position(wanted).expect("it is a fact");
    let woken = place(&|fact| matches!(fact, Fact::Mission(MissionFact::Restarted { .. })));
    let settled = place(&|fact| matches!(fact, Fact::Mission(MissionFact::CloneReady { .. })));
    assert!(woken < place(&is_words) && place(&is_words) < settled, "{facts:?}");
}

/// The sender was told that the mission has it: it is not dropped because the loop leaves just then.
#[test]
fn words_that_wait_behind_a_halt_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let broken = || Event::Workshop(WorkspaceEvent::Broken { why: "no git".into() });
    let mut events = vec![Event::Started];
    events.extend(std::iter::repeat_with(broken).take(2 * mind::limits::BATCH_EVENTS_MAX));
    events.push(human("l1", HumanAction::Say("wait".into())));
    let (state, facts) = run(folder.path(), events, false);
    assert!(facts.iter().any(|fact| matches!(fact, Fact::Mission(MissionFact::Halted { .. }))), "{facts:?}");
    assert!(facts.iter().any(is_words), "{facts:?}");
    assert_eq!(state.ended, None);
}

/// Two loops of one process, one store in memory. When the machine dies, both missions are what was synced, and go on.
#[test]
fn two_missions_share_one_store_in_memory() {
    let store = MemoryStore::new();
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let journals = ["one", "two"]
        .map(|name| MissionJournal::new(Arc::new(store.clone()), format!("{name}/journal").into()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let cancelled = vec![Event::Started, human("l1", HumanAction::Cancel)];
        let waits = vec![Event::Started, human("l1", HumanAction::Say("wait".into())), settled()];
        tokio::join!(
            live(&journals[0], folders[0].path(), cancelled, true),
            live(&journals[1], folders[1].path(), waits, true)
        );
    });
    let before = journals.each_ref().map(read);
    assert!(matches!(before[0].0.ended, Some(Ended::Cancelled(_))), "{:?}", before[0].0.ended);
    assert_eq!(before[1].0.ended, None);
    assert!(before[1].1.iter().any(is_words) && !before[0].1.iter().any(is_words), "each has its own words");
    for (journal, (state, facts)) in journals.iter().zip(&before) {
        assert_eq!(journal.holder(), None, "the loop gave it back");
        store.crash(journal.path(), 0);
        let (fact_log, again, cut) = FactLog::open(journal).expect("it opens");
        assert_eq!((fact_log.head(), &again, cut), (facts.len() as u64, state, None));
        assert_eq!(journal.holder(), Some(std::process::id()));
    }
}
