//! The log of the door: cut at every byte, full disks, two processes, and written anew.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use doors::limits::{CHATS_MAX, DOOR_LOG_BYTES_MAX, TOLD_MISSIONS_MAX, TOLD_WORDS_MAX};
use doors::telegram::TelegramError;
use doors::telegram::fact::{AwaitedWords, DoorFact, DoorState};
use doors::telegram::log::{DoorLog, Durability};
use doors::telegram::memory::DoorMemory;
use doors::telegram::screen::ScreenKey;
use doors::telegram::wire::{ChatId, MessageId, UserId};
use mind::{MissionId, Timestamp};
use serde_json::value::RawValue;

fn took(update: i64) -> DoorFact {
    let raw = RawValue::from_string(format!("{{\"update_id\":{update},\n \"text\":\"ü\\n\"}}"));
    let raw = raw.expect("it is JSON");
    DoorFact::Took { update, at: Timestamp(7), raw }
}

/// One fact of each kind, and some more.
fn facts() -> Vec<DoorFact> {
    let (chat, user, message) = (ChatId(-5), UserId(3), MessageId(8));
    let (petition, at) = (mind::petition::PetitionId::from("p"), Timestamp(9));
    let mission = MissionId("m".into());
    let key = ScreenKey::Petition { petition: petition.clone(), page: 1 };
    let words = AwaitedWords {
        petition: petition.clone(),
        decision: "d".into(),
        revision: "r".to_owned(),
        instead: true,
    };
    vec![
        DoorFact::Met { user, chat },
        took(40),
        DoorFact::Shown { chat, message, key: key.clone() },
        took(41),
        DoorFact::Handled { update: 40 },
        DoorFact::Awaits { chat, user, words: Some(words) },
        DoorFact::Opened { chat, user, mission: Some(mission.clone()) },
        DoorFact::Announced { petition: petition.clone(), at, users: vec![user, UserId(4)] },
        DoorFact::Reminded { petition: petition.clone(), at, step: 2, users: vec![user] },
        DoorFact::Told { mission, what: "done".into(), at },
        DoorFact::Lost { chat },
        DoorFact::Moved { from: chat, to: ChatId(-6) },
        DoorFact::Unshown { chat, message },
        took(42),
        DoorFact::Handled { update: 42 },
        DoorFact::NextUpdate { update: 7 },
        took(7),
        DoorFact::Shown { chat: ChatId(-6), message, key },
        DoorFact::Handled { update: 7 },
        DoorFact::Awaits { chat, user, words: None },
        DoorFact::Opened { chat, user, mission: None },
        DoorFact::Closed { petition },
        took(8),
    ]
}

fn state(facts: &[DoorFact]) -> DoorState {
    let mut state = DoorState::default();
    facts.iter().for_each(|fact| state.apply(fact));
    state
}

/// What the state says, whatever order it was told in; a chat of which nothing is known is none.
fn says(state: &DoorState) -> String {
    let mut state = state.clone();
    state.chats.retain(|_, chat| {
        !chat.shown.is_empty() || chat.is_lost || !chat.awaits.is_empty() || !chat.opened.is_empty()
    });
    let waiting: Vec<_> =
        state.waiting.iter().map(|waiting| (waiting.update, waiting.raw.get().replace('\n', " "))).collect();
    let rest = (&state.chats, &state.met, &state.announced, &state.told);
    format!("{} {waiting:?} {rest:?}", state.next_update)
}

fn open(folder: &Path) -> (DoorLog, DoorState) {
    DoorLog::open(folder).expect("it opens")
}

fn file(folder: &Path) -> std::path::PathBuf {
    folder.join("door.jsonl")
}

#[test]
fn a_state_is_the_same_made_anew_from_its_facts_at_every_step() {
    let facts = facts();
    for count in 0..=facts.len() {
        let before = state(&facts[..count]);
        let after = state(&before.facts());
        assert_eq!(says(&after), says(&before), "after {count} facts");
        assert_eq!(says(&state(&after.facts())), says(&before));
    }
}

#[test]
fn what_was_appended_is_there_again_and_for_this_user_alone() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("doors/telegram");
    let (mut log, empty) = open(&folder);
    assert_eq!(says(&empty), says(&DoorState::default()));
    for (at, fact) in facts().into_iter().enumerate() {
        let durability = if at % 2 == 0 { Durability::Synced } else { Durability::Lazy };
        log.append(&[fact], durability).unwrap();
    }
    drop(log);
    let (log, again) = open(&folder);
    assert_eq!((says(&again), log.cut()), (says(&state(&facts())), None));
    let text = fs::read_to_string(file(&folder)).unwrap();
    assert_eq!(text.lines().count(), facts().len(), "one line each");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&file(&folder)), mode(&folder.join("door.lock"))), (0o700, 0o600, 0o600));
}

#[test]
fn one_process_at_a_time() {
    let home = tempfile::tempdir().unwrap();
    let first = open(home.path());
    assert!(matches!(DoorLog::open(home.path()), Err(TelegramError::Held)));
    drop(first);
    open(home.path());
}

#[test]
fn a_log_cut_at_any_byte_has_its_whole_lines_and_keeps_the_rest_beside() {
    let home = tempfile::tempdir().unwrap();
    let (mut log, _) = open(home.path());
    let facts = &facts()[..3];
    log.append(facts, Durability::Synced).unwrap();
    drop(log);
    let whole = fs::read(file(home.path())).unwrap();
    for cut in 0..=whole.len() {
        let folder = tempfile::tempdir_in(home.path()).unwrap();
        fs::write(file(folder.path()), &whole[..cut]).unwrap();
        let (mut log, read) = open(folder.path());
        let lines = whole[..cut].iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(says(&read), says(&state(&facts[..lines])), "cut at {cut}");
        let good = whole[..cut].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let kept = log.cut().map(|path| fs::read(path).unwrap());
        assert_eq!(kept.as_deref(), (good < cut).then_some(&whole[good..cut]));
        // The next line stands alone.
        log.append(&[took(99)], Durability::Synced).unwrap();
        drop(log);
        let (log, read) = open(folder.path());
        assert_eq!((read.next_update, log.cut()), (100, None));
    }
}

#[test]
fn damage_in_the_middle_is_named_and_nothing_is_changed() {
    let home = tempfile::tempdir().unwrap();
    let (mut log, _) = open(home.path());
    log.append(&facts(), Durability::Synced).unwrap();
    drop(log);
    let mut bytes = fs::read(file(home.path())).unwrap();
    let second = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 3;
    bytes[second] = b'#';
    fs::write(file(home.path()), &bytes).unwrap();
    let error = DoorLog::open(home.path()).unwrap_err();
    assert!(matches!(error, TelegramError::Damaged { line: 2, .. }), "{error}");
    assert_eq!(fs::read(file(home.path())).unwrap(), bytes);
}

#[test]
fn a_log_that_is_written_anew_is_the_old_one_or_the_new_one() {
    let home = tempfile::tempdir().unwrap();
    let (mut log, _) = open(home.path());
    let facts = facts();
    log.append(&facts, Durability::Synced).unwrap();
    let old = fs::read(file(home.path())).unwrap();
    log.rewrite(&state(&facts)).unwrap();
    let new = fs::read(file(home.path())).unwrap();
    assert!(new.len() < old.len());
    log.append(&[took(50)], Durability::Synced).unwrap();
    drop(log);
    let (_, read) = open(home.path());
    let wanted = says(&state(&[facts.clone(), vec![took(50)]].concat()));
    assert_eq!(says(&read), wanted);
    // The process ended while the draft was written, or just before it took its place.
    for cut in (0..=new.len()).step_by(7) {
        let folder = tempfile::tempdir_in(home.path()).unwrap();
        let draft = folder.path().join(".door.jsonl.17-00ff.tmp");
        fs::write(file(folder.path()), &old).unwrap();
        fs::write(&draft, &new[..cut]).unwrap();
        let (mut log, read) = open(folder.path());
        assert_eq!((says(&read), draft.exists()), (says(&state(&facts)), false));
        log.append(&[took(50)], Durability::Synced).unwrap();
        drop(log);
        assert_eq!(says(&open(folder.path()).1), wanted);
    }
}

#[test]
fn an_update_that_was_handled_is_not_taken_again_after_the_log_was_written_anew() {
    let home = tempfile::tempdir().unwrap();
    let (mut log, mut state) = open(home.path());
    for fact in [took(1), took(2), DoorFact::Handled { update: 1 }, DoorFact::Handled { update: 2 }] {
        state.apply(&fact);
    }
    log.rewrite(&state).unwrap();
    drop(log);
    let (_, mut read) = open(home.path());
    // The server repeats what it was not told to forget.
    read.apply(&took(1));
    read.apply(&took(2));
    assert!(read.waiting.is_empty());
    assert_eq!(read.next_update, 3);
}

#[test]
fn a_memory_that_lives_long_stays_small() {
    let home = tempfile::tempdir().unwrap();
    let memory = DoorMemory::open(home.path()).unwrap();
    let text = "x".repeat(4_000);
    for update in 0..2_000 {
        let raw = RawValue::from_string(format!("{{\"update_id\":{update},\"text\":\"{text}\"}}")).unwrap();
        let shown = DoorFact::Shown { chat: ChatId(1), message: MessageId(update), key: ScreenKey::Help };
        memory.keep(&[DoorFact::Took { update, at: Timestamp(7), raw }], Durability::Lazy).unwrap();
        memory.keep(&[shown, DoorFact::Handled { update }], Durability::Lazy).unwrap();
    }
    let length = fs::metadata(file(home.path())).unwrap().len();
    assert!(length <= DOOR_LOG_BYTES_MAX + 10_000, "{length}");
    let before = memory.read(says);
    drop(memory);
    assert_eq!(DoorMemory::open(home.path()).unwrap().read(says), before);
}

#[test]
fn what_is_remembered_of_missions_and_chats_has_a_bound() {
    let mut state = DoorState::default();
    let count = i64::try_from(CHATS_MAX).unwrap();
    for chat in 0..count * 2 {
        state.apply(&DoorFact::Lost { chat: ChatId(chat) });
    }
    state.apply(&DoorFact::Met { user: UserId(1), chat: ChatId(-1) });
    for chat in 0..count * 2 {
        state.apply(&DoorFact::Shown { chat: ChatId(chat), message: MessageId(1), key: ScreenKey::Help });
    }
    assert_eq!(state.chats.len(), CHATS_MAX);
    assert!(state.chats.contains_key(&ChatId(-1)), "a person's own chat stays");
    for number in 0..TOLD_MISSIONS_MAX + 10 {
        let mission = MissionId(format!("m{number:06}").into());
        state.apply(&DoorFact::Told { mission, what: "done".into(), at: Timestamp(1) });
    }
    for number in 0..TOLD_WORDS_MAX * 2 {
        let what = format!("w{number}").into();
        state.apply(&DoorFact::Told { mission: MissionId("m000500".into()), what, at: Timestamp(1) });
    }
    assert_eq!(state.told.len(), TOLD_MISSIONS_MAX);
    assert!(state.told.values().all(|words| words.len() <= TOLD_WORDS_MAX));
}

#[test]
fn a_folder_that_takes_nothing_is_an_error_that_names_it() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("file"), "").unwrap();
    let error = DoorLog::open(&home.path().join("file/folder")).unwrap_err();
    assert!(
        matches!(&error, TelegramError::Disk { .. }) && error.to_string().contains("file/folder"),
        "{error}"
    );
    fs::create_dir(home.path().join("door.jsonl")).unwrap();
    assert!(matches!(DoorLog::open(home.path()), Err(TelegramError::Disk { .. })));
}
