//! Journals that this user's arbiter did not write, and the key that tells: the real binary refuses them, with a hint,
//! and changes nothing. An agent in its sandbox can neither read the key nor put another in its place.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use arbiter::mission::repo_location::{RehearsalPace, RepoLocation};
use arbiter::mission::sandbox_choice::SandboxTerms;
use arbiter::project::home::UserFolders;
use mind::MissionId;
use mind::access::SandboxLevel;
use sandbox::Purpose;
use sim::{Theatre, real};

use crate::bad_input::renumber;
use crate::{BINARY, DEMO, theatre};

/// Every command that reads a journal; `ID` is the mission's.
const READERS: &[&[&str]] = &[
    &["show", "ID"],
    &["replay", "ID"],
    &["export", "ID"],
    &["resume", "ID", "--headless", "--yes"],
    &["attach", "ID"],
    &["merge", "ID"],
    &["mission", "say", "ID", "hello"],
    &["decide", "replay", "ID"],
    &["decide", "stats", "ID"],
];

fn played() -> (Theatre, PathBuf) {
    let theatre = theatre();
    let ran = theatre.run(&DEMO);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let journal = theatre.mission().join("journal.jsonl");
    (theatre, journal)
}

/// Every reader refuses the only mission with these words and exit code 1, and the file stays as it is.
#[track_caller]
fn all_refuse(theatre: &Theatre, words: &[&str]) {
    let mission = theatre.mission();
    let id = mission.file_name().expect("a name").to_string_lossy().into_owned();
    let before = files(&mission);
    for reader in READERS {
        let arguments: Vec<&str> =
            reader.iter().map(|word| if *word == "ID" { &id } else { *word }).collect();
        let ran = theatre.run(&arguments);
        assert_eq!(ran.code, Some(1), "{reader:?}: {}\n{}", ran.out, ran.err);
        for word in words {
            assert!(ran.err.contains(word), "{reader:?} does not say {word:?}: {}", ran.err);
        }
    }
    assert_eq!(files(&mission), before);
    let listed = theatre.run(&["missions"]);
    assert!(listed.code == Some(0) && listed.out.contains("unreadable"), "{}", listed.out);
}

/// What lies in a mission's folder; the lock apart, which says who was there.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let files = entries.filter(|path| path.is_file() && path.extension().is_none_or(|kind| kind != "lock"));
    let mut files: Vec<_> = files.map(|path| (path.clone(), fs::read(path).expect("a file"))).collect();
    files.sort();
    files
}

#[test]
fn the_key_is_made_with_the_first_mission_for_the_user_alone() {
    let theatre = theatre();
    let key = theatre.home().join("journal.key");
    assert_eq!(theatre.run(&["missions"]).code, Some(0));
    assert!(!key.exists(), "to look is not to make");
    theatre.run(&DEMO);
    let made = fs::read(&key).expect("a key");
    assert_eq!((made.len(), fs::metadata(&key).expect("a key").permissions().mode() & 0o7777), (32, 0o600));
    theatre.run(&DEMO);
    assert_eq!(fs::read(&key).expect("a key"), made);
    assert_eq!(theatre.missions().len(), 2);
}

#[test]
fn first_missions_that_begin_at_once_have_one_key() {
    let theatre = theatre();
    let running: Vec<_> = (0..4).map(|_| theatre.start(&DEMO)).collect();
    for child in running {
        let ended = child.wait_with_output().expect("it ends");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
    let listed = theatre.run(&["missions"]).out;
    assert_eq!(listed.lines().filter(|line| line.contains("complete")).count(), 4, "{listed}");
}

#[test]
fn a_journal_of_format_1_is_refused_by_every_reader() {
    let (theatre, journal) = played();
    let text = fs::read_to_string(&journal).expect("a journal");
    fs::write(&journal, renumber(&text, 1)).expect("written");
    all_refuse(
        &theatre,
        &["has format 1", "hint: a development version of arbiter wrote it", "nothing was changed"],
    );
    // It does not keep anybody from beginning anew, also without a key: that version had none.
    fs::remove_file(theatre.home().join("journal.key")).expect("removed");
    assert_eq!(theatre.run(&DEMO).code, Some(0));
}

#[test]
fn a_journal_of_another_user_is_refused_by_every_reader() {
    let (theatre, journal) = played();
    let (_other, theirs) = played();
    fs::copy(theirs, &journal).expect("copied");
    all_refuse(
        &theatre,
        &["was not written by this user's arbiter", "line 1", "hint: nothing of it is believed"],
    );
}

#[test]
fn what_was_appended_with_right_checksums_is_refused_by_every_reader() {
    let (theatre, journal) = played();
    let text = fs::read_to_string(&journal).expect("a journal");
    let last = text.lines().last().expect("a line");
    let value: serde_json::Value = serde_json::from_str(last).expect("JSON");
    let seq = value["seq"].as_u64().expect("a number") + 1;
    let forged = format!(
        r#"{{"seq":{seq},"left":0,"entry":{},"seal":"{}""#,
        value["entry"],
        value["seal"].as_str().expect("a seal")
    );
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(value["crc"].as_str().expect("a checksum").as_bytes());
    hasher.update(forged.as_bytes());
    let line = format!("{forged},\"crc\":\"{:08x}\"}}\n", hasher.finalize());
    fs::OpenOptions::new()
        .append(true)
        .open(&journal)
        .and_then(|mut file| file.write_all(line.as_bytes()))
        .expect("appended");
    let named = format!("the seal in line {} does not hold", seq + 1);
    all_refuse(&theatre, &[&named, "hint: another program wrote to it from there on"]);
}

#[test]
fn a_lost_key_is_said_and_not_made_anew() {
    let (theatre, _) = played();
    let key = theatre.home().join("journal.key");
    let kept = fs::read(&key).expect("a key");
    fs::remove_file(&key).expect("removed");
    for arguments in [&DEMO[..], &["show"], &["resume", "--headless"]] {
        let ran = theatre.run(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.out);
        assert!(
            ran.err.contains("journal.key is missing") && ran.err.contains("hint: restore it from a backup"),
            "{arguments:?}: {}",
            ran.err
        );
        assert!(!key.exists() && theatre.missions().len() == 1, "{arguments:?}");
    }
    fs::write(&key, kept).expect("restored");
    let ran = theatre.run(&["show"]);
    assert!(ran.code == Some(1) && ran.err.contains("chmod 600"), "{}", ran.err);
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).expect("changed");
    assert_eq!(theatre.run(&["show"]).code, Some(0));
}

/// Lines for a shell in the sandbox; each does harm if it prints the key, or if the key is another one afterwards.
const ATTACKS: &[&str] = &[
    "cat $KEY; od -c $KEY; base64 $KEY; cp $KEY here; cat here",
    "ls -A $(dirname $KEY) | grep journal.key && echo HARM",
    "cat /proc/self/root$KEY; cat /proc/1/root$KEY; cat /proc/$HOUSE/root$KEY",
    "ln -s $KEY link; cat link; ln $KEY hard; cat hard; mv $KEY moved; cat moved",
    "rm -f $KEY; echo 0123456789abcdef0123456789abcdef > $KEY; : > $KEY; truncate -s 0 $KEY",
    "mv forged $KEY; cp forged $KEY; ln -f forged $KEY; ln -sf $PWD/forged $KEY; install -m 600 forged $KEY",
    "mv $(dirname $KEY) $(dirname $KEY)2; rm -rf $(dirname $KEY); mkdir -p $(dirname $KEY); cp forged $KEY",
    "chmod 777 $KEY $(dirname $KEY); cat $KEY; cp forged $KEY",
    "unshare -rm sh -c 'umount -l $(dirname $KEY); umount -l $KEY; cat $KEY; cp forged $KEY'",
    "unshare -rm sh -c 'mount --bind $PWD $(dirname $KEY); cp forged $KEY; cat $KEY | grep -v forged'",
];

#[test]
fn an_agent_in_the_sandbox_can_neither_read_nor_replace_the_key() {
    let survey = sandbox::survey();
    let levels = real::at_hand([
        (SandboxLevel::Bubblewrap, survey.bubblewrap.as_ref().err()),
        (SandboxLevel::Landlock, survey.landlock.as_ref().err()),
    ]);
    for level in levels {
        let theatre = theatre();
        // The secret is readable text here, so that whatever leaks of it is found.
        let secret = "SECRET-WORD-of-the-journal-key..";
        let key = theatre.home().join("journal.key");
        fs::write(&key, secret).expect("written");
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).expect("changed");
        let places = UserFolders {
            home: theatre.home(),
            state: theatre.path().join("state"),
            user_config: None,
            user: Some(theatre.path().join("home")),
        };
        let mission = MissionId("2026-11-17-seal".into());
        let clone = places.clone_of(&mission);
        fs::create_dir_all(&clone).expect("a folder");
        fs::write(clone.join("forged"), "forged key, thirty-two bytes ....").expect("written");
        let ground = RepoLocation {
            project: theatre.project(),
            source: theatre.project(),
            base: "c0".to_owned(),
            clone: clone.clone(),
            scratch: false,
            snapshot: false,
            in_place: false,
            pace: RehearsalPace::Fast,
        };
        let mut site = SandboxTerms::default().site(survey.clone(), level, &places, &mission, &ground);
        site.own = vec![BINARY.into(), "__cage".into()];
        // A user may let anything be written, but not this.
        site.write = vec![key.clone()];
        let sandbox = site.for_commands(&clone, &[]).expect("a cage");
        let run = |script: &str| {
            let mut command = sandbox.command("/bin/sh".as_ref(), ["-c", script], &clone, Purpose::Command);
            command.env("KEY", &key).env("HOUSE", std::process::id().to_string());
            command.output().expect("it starts")
        };
        let output = run("echo word > made && cat made");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "word\n", "{level}: work goes on: {output:?}");
        for script in ATTACKS {
            let output = run(script);
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            assert_ne!(output.status.code(), Some(125), "{level}: {script} never ran: {said}");
            assert!(!said.contains("SECRET") && !said.contains("HARM"), "{level}: {script}: {said}");
            let mode = fs::metadata(&key).expect("the key").permissions().mode() & 0o7777;
            // Landlock does not keep modes from being changed (docs/trust.md); a loose one is refused when read.
            assert!(mode == 0o600 || level == SandboxLevel::Landlock, "{level}: {script}: mode {mode:o}");
            assert_eq!(fs::read_to_string(&key).expect("the key"), secret, "{level}: {script}");
        }
    }
}

#[cfg(feature = "die-at")]
#[test]
fn a_journal_of_another_mission_is_not_gone_on_with() {
    let theatre = theatre();
    for _ in 0..2 {
        sim::DeathWalk::die_at(theatre.command(&DEMO), "9:after-sync");
    }
    let missions = theatre.missions();
    let [one, other] = &missions[..] else { panic!("{missions:?}") };
    fs::copy(one.join("journal.jsonl"), other.join("journal.jsonl")).expect("copied");
    let name = |folder: &Path| folder.file_name().expect("a name").to_string_lossy().into_owned();
    let ran = theatre.run(&["resume", &name(other), "--headless", "--yes"]);
    assert_eq!(ran.code, Some(1), "{}\n{}", ran.out, ran.err);
    let told = format!("the journal in the folder of mission {} is that of {}", name(other), name(one));
    assert!(ran.err.contains(&told) && ran.err.contains("hint: nothing was begun"), "{}", ran.err);
}
