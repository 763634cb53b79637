//! A mission in another folder than the one it was begun in: copied, moved, without its clone or its entry in the list of
//! missions, or from another user. One process works in a clone, nothing is lost, and every refusal says what to do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mind::Fact;
use mind::fact::MissionFact;
use sim::{DeathWalk, Ran, Theatre};

use crate::mission::{WORK, assert_refused, repository, run, run_unfinished, write_script};

/// A world without sandboxes, whose mission was killed in the middle of its work; and the mission's id.
fn killed() -> (Theatre, String) {
    let theatre = repository().with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock");
    write_script(&theatre);
    let ran = DeathWalk::die_at(theatre.rehearsal(&["--headless", "--yes"]), "8:after-sync");
    assert_eq!(ran.code, None, "{}", ran.err);
    let id = theatre.mission_id();
    (theatre, id)
}

/// Runs the binary in another folder of the world.
fn run_at(theatre: &Theatre, folder: &Path, arguments: &[&str]) -> Ran {
    Ran::from(theatre.command(arguments).current_dir(folder).output().expect("the binary starts"))
}

fn copy_of(theatre: &Theatre) -> PathBuf {
    let copy = theatre.path().join("copy");
    let copied = Command::new("cp").arg("-a").arg(theatre.project()).arg(&copy).status();
    assert!(copied.expect("cp starts").success());
    copy
}

fn entry_of(theatre: &Theatre, id: &str) -> PathBuf {
    theatre.home().join(format!("missions/{id}.json"))
}

/// The id that an answer of `adopt` begins with.
fn new_id(ran: &Ran) -> String {
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let line = ran.out.lines().last().unwrap_or_default();
    line.strip_prefix("mission ").and_then(|rest| rest.split(' ').next()).expect("an id").to_owned()
}

#[cfg(feature = "die-at")]
#[test]
fn of_a_copied_project_one_runs_and_the_other_is_refused() {
    let (theatre, id) = killed();
    let copy = copy_of(&theatre);
    let clone = theatre.clone_of(&id);
    let here = theatre.project().display().to_string();
    let refused: [&[&str]; 5] = [
        &["resume", "--headless"],
        &["merge", &id],
        &["discard", &id, "--yes"],
        &["mission", "pause", &id],
        &["attach", &id],
    ];
    for words in refused {
        let ran = run_at(&theatre, &copy, words);
        assert_refused(&ran, 2, &["what is here is a copy", &here, "arbiter adopt"]);
    }
    assert!(clone.join(".git").is_dir(), "the clone is the original's");
    let ran = theatre.run(&DeathWalk::RESUME);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
}

/// Begun at the same moment, by processes that know nothing of one another.
#[cfg(feature = "die-at")]
#[test]
fn of_two_that_begin_at_once_one_runs_and_the_other_is_refused() {
    let (theatre, id) = killed();
    let copy = copy_of(&theatre);
    let folders = [theatre.project(), copy, theatre.project()];
    let begun = folders.map(|folder| {
        let mut command = theatre.command(&DeathWalk::RESUME);
        command.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the binary starts")
    });
    let ended = begun.map(|child| Ran::from(child.wait_with_output().expect("it ends")));
    let proven: Vec<usize> = (0..3).filter(|number| ended[*number].code == Some(0)).collect();
    let told: Vec<&str> = ended.iter().map(|ran| ran.err.as_str()).collect();
    assert!(proven.len() == 1 && proven[0] != 1, "{proven:?}: {told:#?}");
    for (number, ran) in ended.iter().enumerate().filter(|(number, _)| *number != proven[0]) {
        assert!(ran.code != Some(0) && ran.err.contains("hint: "), "{number}: {:?} {}", ran.code, ran.err);
    }
    assert_eq!(
        theatre
            .entries(&theatre.mission())
            .iter()
            .filter(|entry| entry.fact.to_string().contains("Restarted"))
            .count(),
        2,
        "its own start, and one that took it up"
    );
    assert!(theatre.git(&["rev-parse", &format!("refs/arbiter/{id}")]).len() >= 40);
}

#[cfg(feature = "die-at")]
#[test]
fn one_process_works_in_a_clone_whichever_folder_its_journal_is_in() {
    let (theatre, id) = killed();
    let lock = theatre.state().join(format!("clones/{id}.lock"));
    let held = fs::OpenOptions::new().read(true).write(true).open(&lock).expect("the lock of the clone");
    held.try_lock().expect("no process has it");
    let pid = std::process::id().to_string();
    fs::write(&lock, &pid).expect("a file");
    for words in [&DeathWalk::RESUME[..], &["discard", &id, "--yes"]] {
        let ran = theatre.run(words);
        assert_refused(&ran, 2, &["is in use by process", &pid, "arbiter adopt"]);
    }
    drop(held);
    DeathWalk::go_on(&theatre, "the lock was let go");
    assert_eq!(theatre.run(&["discard", &id, "--yes"]).code, Some(0));
    assert!(!lock.exists(), "the lock goes with the clone");
}

#[cfg(feature = "die-at")]
#[test]
fn a_copy_becomes_a_mission_of_its_own() {
    let (theatre, id) = killed();
    let copy = copy_of(&theatre);
    let adopted = run_at(&theatre, &copy, &["adopt", "."]);
    let new = new_id(&adopted);
    assert_ne!(new, id);
    // Once more, it makes no second one.
    let again = run_at(&theatre, &copy, &["adopt", "."]);
    let told = again.err.contains("is a copy") && again.out.contains("already");
    assert!(again.code == Some(0) && told, "{}{}", again.out, again.err);
    assert!(adopted.err.contains(&format!("arbiter resume {new}")), "{}", adopted.err);
    // The yes was given to the other mission: this one asks again.
    let ran = run_at(&theatre, &copy, &["resume", &new, "--headless"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    DeathWalk::go_on(&theatre, "its copy is at its end");
    assert!(theatre.clone_of(&id).is_dir() && theatre.clone_of(&new).is_dir());
    let refs =
        theatre.git_in(&copy, &["for-each-ref", "--format=%(refname)", &format!("refs/arbiter/{new}")]);
    assert_eq!(refs, format!("refs/arbiter/{new}\n"));
    assert_eq!(theatre.git(&["for-each-ref", &format!("refs/arbiter/{new}")]), "", "nothing in the original");
}

#[test]
fn a_clone_that_is_lost_is_made_again_from_the_work_that_was_fetched() {
    let theatre = repository();
    let id = run_unfinished(&theatre, WORK);
    let (clone, reference) = (theatre.clone_of(&id), format!("refs/arbiter/{id}"));
    let work = theatre.git(&["rev-parse", &reference]);
    fs::remove_dir_all(&clone).expect("the clone goes");
    let ran = theatre.run(&["resume", "--headless", "--yes"]);
    for words in ["was gone; it is made again at commit", &clone.display().to_string(), &work[..12]] {
        assert!(ran.err.contains(words), "{words}: {}", ran.err);
    }
    assert_eq!(fs::read_to_string(clone.join("work.txt")).expect("the work"), "done\n");
    assert_eq!(theatre.git(&["rev-parse", &reference]), work, "the work's ref did not move");
    let branch = theatre.git_in(&clone, &["symbolic-ref", "--short", "HEAD"]);
    assert_eq!(branch, format!("arbiter/{id}\n"));
    assert!(clone.join(".arbiter/scroll.md").is_file());
    let rebuilt = |fact: &Fact| matches!(fact, Fact::Mission(MissionFact::CloneRebuilt { commit }) if **commit == *work.trim());
    assert!(theatre.facts().iter().any(rebuilt), "the journal has it");
    assert!(ran.out.contains("the clone was lost and is made again"), "{}", ran.out);
}

/// Whoever dies after the clone is made again and before the journal has it leaves that to the next start.
#[test]
fn a_clone_that_a_dead_start_made_again_is_told_once() {
    let theatre = repository();
    let id = run_unfinished(&theatre, WORK);
    fs::write(theatre.state().join(format!("clones/{id}.rebuilt")), "1\n").expect("a mark");
    let rebuilt = |facts: &[Fact]| {
        let is_it = |fact: &&Fact| matches!(fact, Fact::Mission(MissionFact::CloneRebuilt { .. }));
        facts.iter().filter(is_it).count()
    };
    for _ in 0..2 {
        theatre.run(&["resume", "--headless", "--yes"]);
        assert_eq!(rebuilt(&theatre.facts()), 1);
    }
    fs::remove_dir_all(theatre.clone_of(&id)).expect("the clone goes");
    theatre.run(&["resume", "--headless", "--yes"]);
    assert_eq!(rebuilt(&theatre.facts()), 2);
}

#[test]
fn a_clone_that_cannot_be_made_again_is_told_at_once_by_its_path() {
    let theatre = repository();
    let id = run_unfinished(&theatre, WORK);
    fs::remove_dir_all(theatre.clone_of(&id)).expect("the clone goes");
    fs::rename(theatre.project().join(".git"), theatre.path().join("git")).expect("renamed");
    let before = theatre.facts().len();
    let ran = theatre.run(&["resume", "--headless", "--yes"]);
    let clone = theatre.clone_of(&id).display().to_string();
    assert_refused(&ran, 1, &[&clone, "is gone, and cannot be made again"]);
    assert_eq!(theatre.facts().len(), before, "no session was started");
    fs::rename(theatre.path().join("git"), theatre.project().join(".git")).expect("renamed");
    let ran = theatre.run(&["resume", "--headless", "--yes"]);
    assert!(ran.err.contains("it is made again at commit"), "{}", ran.err);
}

#[cfg(feature = "die-at")]
#[test]
fn a_project_that_was_moved_goes_on_where_it_is_now() {
    let (theatre, id) = killed();
    // What was never committed is in the clone, which borrows the objects of a repository that is elsewhere now.
    fs::write(theatre.clone_of(&id).join("notes.txt"), "mine\n").expect("a file");
    let moved = theatre.path().join("moved");
    let old = theatre.project();
    fs::rename(&old, &moved).expect("renamed");
    let ran = run_at(&theatre, &moved, &DeathWalk::RESUME);
    let told = [old.display().to_string(), "is registered here now".to_owned()];
    assert!(told.iter().all(|words| ran.err.contains(words.as_str())), "{}", ran.err);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert_eq!(fs::read_to_string(theatre.clone_of(&id).join("notes.txt")).expect("kept"), "mine\n");
    let merged = run_at(&theatre, &moved, &["merge", &id]);
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    assert_eq!(fs::read_to_string(moved.join("work.txt")).expect("the work"), "done\n");
    let listed = run_at(&theatre, &moved, &["missions", "--all"]);
    assert!(listed.out.contains(&id) && !listed.out.contains("gone"), "{}", listed.out);
}

/// The original may be on a disk that is not there: a copy takes its place only by a person's word.
#[cfg(feature = "die-at")]
#[test]
fn a_copy_does_not_become_the_mission_because_the_original_is_gone() {
    let (theatre, id) = killed();
    let copy = copy_of(&theatre);
    let (original, away) = (theatre.project(), theatre.path().join("away"));
    fs::rename(&original, &away).expect("renamed");
    for words in [&DeathWalk::RESUME[..], &["merge", &id], &["discard", &id, "--yes"]] {
        let ran = run_at(&theatre, &copy, words);
        assert_refused(&ran, 2, &[&original.display().to_string(), "which is gone", "arbiter adopt"]);
    }
    // Named by its id from another project, there is no folder at all.
    fs::create_dir_all(theatre.path().join("other")).expect("a folder");
    let ran = run_at(&theatre, &theatre.path().join("other"), &["merge", &id]);
    assert_refused(&ran, 2, &[&original.display().to_string(), "which is gone", "arbiter adopt NEW-FOLDER"]);
    let adopted = run_at(&theatre, &copy, &["adopt", "."]);
    assert!(adopted.code == Some(0) && adopted.out.contains(&id), "{}{}", adopted.out, adopted.err);
    let ran = run_at(&theatre, &copy, &DeathWalk::RESUME);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    // Back again, it is the one that is not it.
    let ran = run_at(&theatre, &away, &DeathWalk::RESUME);
    assert_refused(&ran, 2, &["what is here is a copy"]);
}

#[cfg(feature = "die-at")]
#[test]
fn a_mission_whose_entry_is_lost_or_damaged_is_put_back_by_adopt() {
    for damage in [None, Some(""), Some("{\"id\":")] {
        let (theatre, id) = killed();
        let entry = entry_of(&theatre, &id);
        match damage {
            None => fs::remove_file(&entry).expect("removed"),
            Some(text) => fs::write(&entry, text).expect("written"),
        }
        // Nothing but the journal is sealed, so nothing else is believed.
        let ground = theatre.mission().join("ground.json");
        let text = fs::read_to_string(&ground).expect("a file");
        let other = theatre.path().join("elsewhere").display().to_string();
        let clone = theatre.clone_of(&id).display().to_string();
        fs::write(&ground, text.replace(&clone, &other)).expect("written");
        for words in [&DeathWalk::RESUME[..], &["merge", &id], &["discard", &id, "--yes"]] {
            let ran = theatre.run(words);
            assert_refused(&ran, 2, &["is not in the list of your missions", "arbiter adopt"]);
        }
        let adopted = theatre.run(&["adopt", "."]);
        assert_eq!(adopted.code, Some(0), "{}", adopted.err);
        assert!(
            adopted.out.contains(&format!("mission {id} is in the list of your missions again")),
            "{}",
            adopted.out
        );
        assert!(fs::read_to_string(&ground).expect("a file").contains(&clone), "the clone is our own");
        DeathWalk::go_on(&theatre, "it was adopted");
        assert!(!theatre.path().join("elsewhere").exists());
        let again = theatre.run(&["adopt", "."]);
        assert!(again.code == Some(0) && again.out.contains("already"), "{}{}", again.out, again.err);
    }
}

#[cfg(feature = "die-at")]
#[test]
fn another_users_mission_is_taken_up_only_after_a_look_and_a_yes() {
    let (theatre, id) = killed();
    let other = theatre.path().join("other-home").display().to_string();
    let at_other = |words: &[&str]| theatre.run_with(words, &[("ARBITER_HOME", &other)]);
    let ran = at_other(&DeathWalk::RESUME);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let ran = at_other(&["merge", &id]);
    assert_refused(&ran, 2, &["was not begun by you on this machine", "arbiter adopt"]);
    let ran = at_other(&["adopt", "."]);
    assert_refused(&ran, 2, &["needs your yes", "--yes"]);
    let commands = ["[\"test\", \"-f\", \"work.txt\"]", "whose script runs on this machine"];
    for words in commands.into_iter().chain(["policy  guarded", "clone  ", "arbiter  rehearsal"]) {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    let new = new_id(&at_other(&["adopt", ".", "--yes"]));
    let ran = at_other(&["resume", &new, "--headless"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    // The one it was made of is still the first user's.
    DeathWalk::go_on(&theatre, "another user has one like it");
}

#[test]
fn one_mission_that_cannot_be_taken_up_keeps_no_other() {
    let theatre = repository();
    let (first, second, third) = (run(&theatre, &[]), run(&theatre, &[]), run(&theatre, &[]));
    assert_eq!(theatre.run(&["discard", &first, "--yes"]).code, Some(0));
    for id in [&first, &second, &third] {
        fs::remove_file(entry_of(&theatre, id)).expect("removed");
    }
    let journal = theatre.project().join(format!(".arbiter/missions/{second}/journal.jsonl"));
    let whole = fs::read(&journal).expect("a file");
    // Its own journal, with a line that the disk has lost: it is not taken for another user's.
    let cut = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(8).expect("lines").0;
    let mut damaged = whole.clone();
    damaged[cut - 3] ^= 1;
    fs::write(&journal, &damaged).expect("written");
    let ran = theatre.run(&["adopt", "."]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains(&format!("mission {first} was discarded")), "{}", ran.out);
    assert!(
        ran.out.contains(&format!("mission {third} is in the list of your missions again")),
        "{}",
        ran.out
    );
    for words in [format!("mission {second} is not taken up"), "is damaged".to_owned()] {
        assert!(ran.err.contains(&words), "{words}: {}", ran.err);
    }
    fs::write(&journal, whole).expect("written");
    let ran = theatre.run(&["adopt", "."]);
    assert!(
        ran.code == Some(0) && ran.out.contains(&format!("mission {second} is in")),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn adopt_says_what_it_cannot_take_up() {
    let theatre = repository();
    assert_refused(&theatre.run(&["adopt", "nowhere"]), 2, &["nowhere"]);
    assert_refused(&theatre.run(&["adopt", "."]), 2, &["there is no mission in"]);
    assert_eq!(theatre.run(&["adopt"]).code, Some(2));
    let id = run(&theatre, &[]);
    let folder = theatre.mission().display().to_string();
    fs::remove_file(entry_of(&theatre, &id)).expect("removed");
    let journal = theatre.mission().join("journal.jsonl");
    let whole = fs::read(&journal).expect("a file");
    fs::write(&journal, "no journal\n").expect("written");
    assert_refused(&theatre.run(&["adopt", &folder]), 1, &["journal"]);
    assert!(!entry_of(&theatre, &id).exists());
    fs::write(&journal, whole).expect("written");
    let by_agent = theatre.run_with(&["adopt", &folder], &[("ARBITER_MARK_X", "1")]);
    assert_eq!(by_agent.code, Some(2), "{}", by_agent.err);
    assert!(!entry_of(&theatre, &id).exists());
    let adopted = theatre.run(&["adopt", &folder]);
    assert_eq!(adopted.code, Some(0), "{}", adopted.err);
    assert!(adopted.err.contains("it is over"), "{}", adopted.err);
    assert_eq!(theatre.run(&["merge", &id]).code, Some(0));
}
