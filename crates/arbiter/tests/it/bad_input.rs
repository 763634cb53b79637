//! Bad input: each gets a clear message with a hint and the right exit code, and nothing is lost.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use sim::{BridgeScript, Ran, Theatre};

use crate::{BINARY, DEMO, theatre, wait_until};

fn repository() -> Theatre {
    Theatre::with_repository(BINARY, &[("README.md", "text\n")])
}

/// It ended with `code`, said `words`, gave a hint, and left no mission behind.
fn assert_refused(theatre: &Theatre, ran: &Ran, code: i32, words: &str) {
    assert_eq!(ran.code, Some(code), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains(words), "{words:?} is not said:\n{}", ran.err);
    assert!(ran.err.contains("hint:"), "no hint:\n{}", ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    assert!(theatre.missions().is_empty(), "no mission may begin");
}

#[test]
fn a_missing_scroll_is_named_with_a_similar_one() {
    let theatre = repository();
    fs::write(theatre.project().join("requirements.md"), "do it\n").expect("a file");
    let ran = theatre.run(&["run", "--headless", "requirement.md"]);
    assert_refused(&theatre, &ran, 2, "requirement.md");
    assert!(ran.err.contains("requirements.md"), "{}", ran.err);
}

#[test]
fn an_empty_scroll_is_refused() {
    let theatre = repository();
    fs::write(theatre.project().join("empty.md"), " \n\n").expect("a file");
    assert_refused(&theatre, &theatre.run(&["run", "--headless", "empty.md"]), 2, "empty");
}

#[test]
fn a_folder_is_no_scroll() {
    let theatre = repository();
    fs::create_dir(theatre.project().join("docs")).expect("a folder");
    assert_refused(&theatre, &theatre.run(&["run", "--headless", "docs"]), 2, "docs");
}

#[test]
fn a_scroll_of_ten_megabytes_is_refused_with_its_size() {
    let theatre = repository();
    fs::write(theatre.project().join("big.md"), "a".repeat(10_000_000)).expect("a file");
    assert_refused(&theatre, &theatre.run(&["run", "--headless", "big.md"]), 2, "10000000");
}

#[test]
fn a_scroll_that_is_not_utf8_is_refused_with_the_place() {
    let theatre = repository();
    fs::write(theatre.project().join("bad.md"), b"fine\xff\xfe").expect("a file");
    assert_refused(&theatre, &theatre.run(&["run", "--headless", "bad.md"]), 2, "4");
}

/// Root reads everything, so this is tried as somebody else.
#[test]
fn an_unreadable_scroll_is_refused() {
    let theatre = repository();
    let scroll = theatre.project().join("secret.md");
    fs::write(&scroll, "words\n").expect("a file");
    open_to_all(theatre.path());
    set_mode(&scroll, 0o000);
    let ran = as_nobody(&theatre, &["run", "--headless", "secret.md"]);
    assert_refused(&theatre, &ran, 2, "secret.md");
    assert!(ran.err.contains("may not be read by this user"), "{}", ran.err);
}

#[test]
fn an_unwritable_folder_is_refused() {
    let theatre = theatre();
    open_to_all(theatre.path());
    set_mode(&theatre.project(), 0o555);
    let ran = as_nobody(&theatre, &DEMO);
    assert_refused(&theatre, &ran, 1, "project");
}

#[test]
fn an_unknown_flag_is_refused() {
    let ran = theatre().run(&["run", "--headles"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--headles") && ran.err.contains("--headless"), "{}", ran.err);
}

#[test]
fn an_unknown_provider_is_refused_with_the_known_ones() {
    let theatre = repository();
    fs::write(theatre.project().join("a.md"), "do it\n").expect("a file");
    let ran = theatre.run(&["run", "--headless", "--provider", "oracle", "a.md"]);
    assert_refused(&theatre, &ran, 2, "oracle");
    assert!(ran.err.contains("rehearsal"), "{}", ran.err);
}

#[test]
fn without_a_script_the_rehearsal_is_unavailable_and_the_demo_is_offered() {
    let theatre = repository();
    fs::write(theatre.project().join("a.md"), "do it\n").expect("a file");
    let ran = theatre.run(&["run", "--headless", "--provider", "rehearsal", "a.md"]);
    assert_refused(&theatre, &ran, 5, "script");
    assert!(ran.err.contains("arbiter demo"), "{}", ran.err);
}

#[test]
fn without_git_nothing_begins() {
    let theatre = repository();
    fs::write(theatre.project().join("a.md"), "do it\n").expect("a file");
    let ran = theatre.run_with(&["run", "--headless", "a.md"], &[("PATH", "/nowhere")]);
    assert_refused(&theatre, &ran, 2, "git is not installed");
    let ran = theatre.run_with(&DEMO, &[("PATH", "/nowhere")]);
    assert_refused(&theatre, &ran, 2, "git is not installed");
}

#[test]
fn outside_a_repository_nothing_begins() {
    let theatre = theatre();
    fs::write(theatre.project().join("a.md"), "do it\n").expect("a file");
    let ran = theatre.run(&["run", "--headless", "a.md"]);
    assert_refused(&theatre, &ran, 2, "git repository");
    assert!(ran.err.contains("git init"), "{}", ran.err);
}

#[test]
fn a_check_for_a_shell_is_refused_with_file_and_line() {
    let theatre = repository();
    fs::create_dir(theatre.project().join(".arbiter")).expect("a folder");
    let config = theatre.project().join(".arbiter/config.yaml");
    fs::write(theatre.project().join("a.md"), "do it\n").expect("a file");
    for check in ["test || true", "[sh, -c, \"cargo test || true\"]", "cargo test > log; echo"] {
        fs::write(&config, format!("checks:\n  - {check}\n")).expect("a file");
        let ran = theatre.run(&["run", "--headless", "a.md"]);
        assert_refused(&theatre, &ran, 2, "config.yaml:2");
    }
}

#[test]
fn a_held_mission_is_not_run_twice() {
    let theatre = theatre();
    let mut first = theatre.start(&["demo", "--headless", "--pace", "human"]);
    wait_until("there is a mission", || !theatre.missions().is_empty());
    wait_until("it is held", || journal::holder(&theatre.mission().join("journal.jsonl")).is_some());
    let second = theatre.run(&["resume", "--headless"]);
    assert_eq!(second.code, Some(2), "{}", second.err);
    assert!(second.err.contains(&format!("process {}", first.id())), "{}", second.err);
    assert!(second.err.contains("hint:") && second.err.contains("arbiter attach"), "{}", second.err);
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    theatre.assert_nobody_left();
}

#[test]
fn a_damaged_journal_is_named_by_line_and_left_alone() {
    let theatre = theatre();
    theatre.run(&DEMO);
    let journal = theatre.mission().join("journal.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let damaged = text.replacen("Orchestrator I", "Orchestrator X", 1);
    fs::write(&journal, &damaged).expect("written");
    let line = 1 + damaged.lines().position(|line| line.contains("Orchestrator X")).expect("it is there");
    let id = theatre.mission_id();
    for command in [["resume", &id], ["show", &id]] {
        let ran = theatre.run(&command);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains(&format!("damaged at line {line}")), "{}", ran.err);
        assert!(ran.err.contains("hint:"), "{}", ran.err);
    }
    assert_eq!(fs::read_to_string(&journal).expect("a journal"), damaged, "nothing was changed");
}

#[test]
fn a_damaged_mission_hides_no_other_from_resume() {
    let theatre = theatre();
    let mut first = theatre.start(&["demo", "--headless", "--pace", "human"]);
    wait_until("there is a mission", || !theatre.missions().is_empty());
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    let sound = theatre.mission();
    // It was slow so that it could be killed in time; now it may hurry.
    let ground = sound.join("ground.json");
    let hurry = fs::read_to_string(&ground).expect("a ground").replace("\"human\"", "\"fast\"");
    fs::write(&ground, hurry).expect("written");
    let damaged = sound.with_file_name("2020-01-01-2222");
    fs::create_dir(&damaged).expect("a folder");
    fs::write(damaged.join("journal.jsonl"), "{\"journal\":1,\"no\":\n{}\n").expect("written");
    let ran = theatre.run(&["resume", "--headless"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains("note: mission 2020-01-01-2222 is skipped: "), "{}", ran.err);
    // Nothing else is left to go on with: now it is the matter itself.
    let ran = theatre.run(&["resume", "--headless"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("error: ") && ran.err.contains("2020-01-01-2222"), "{}", ran.err);
}

#[test]
fn a_newer_journal_is_refused() {
    let theatre = theatre();
    theatre.run(&DEMO);
    let journal = theatre.mission().join("journal.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    fs::write(&journal, renumber(&text, 3)).expect("written");
    let ran = theatre.run(&["show"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("format 3") && ran.err.contains("newer arbiter"), "{}", ran.err);
}

/// The first line as a journal of another format would have it, with a checksum that fits.
pub fn renumber(text: &str, format: u32) -> String {
    let (header, rest) = text.split_once('\n').expect("lines");
    let bare = header.split(",\"crc\"").next().expect("a header");
    let bare = bare.replace("\"journal\":2", &format!("\"journal\":{format}"));
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(b"00000000");
    hasher.update(bare.as_bytes());
    format!("{bare},\"crc\":\"{:08x}\"}}\n{rest}", hasher.finalize())
}

/// The project lies on a disk of its own that fills up while the mission runs.
#[test]
fn a_full_disk_stops_the_mission_and_loses_nothing() {
    let theatre = theatre();
    let disk = theatre.path().join("small");
    fs::create_dir(&disk).expect("a folder");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=512k", "arbiter-test", &disk.display().to_string()])
        .status()
        .is_ok_and(|status| status.success());
    if !mounted {
        return sim::real::missing("a full disk", "no tmpfs can be mounted");
    }
    let ran = fill_the_disk(&theatre, &disk);
    let unmounted = Command::new("umount").arg(&disk).status().is_ok_and(|status| status.success());
    let (full, resumed) = ran;
    assert_eq!(full.code, Some(1), "{}", full.err);
    assert!(full.err.contains("hint: the disk is full"), "{}", full.err);
    assert_eq!(resumed.code, Some(0), "{}\n{}", resumed.out, resumed.err);
    assert!(unmounted);
}

/// Runs until the disk is full, makes room, and goes on.
fn fill_the_disk(theatre: &Theatre, disk: &Path) -> (Ran, Ran) {
    let room = disk.join("room");
    // The first facts fit; the mission's later ones do not.
    fs::write(&room, vec![0; 440 * 1024]).expect("a file");
    let run = |arguments: &[&str]| {
        let mut command = theatre.command(arguments);
        Ran::from(command.current_dir(disk).output().expect("the binary starts"))
    };
    let full = run(&DEMO);
    fs::remove_file(&room).expect("room can be made");
    (full, run(&["resume", "--headless"]))
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("rights can be set");
}

/// Lets everybody into this world.
fn open_to_all(world: &Path) {
    let chmod = Command::new("chmod").args(["-R", "a+rwX"]).arg(world).status();
    assert!(chmod.is_ok_and(|status| status.success()));
}

/// Runs the binary as an unprivileged user: from a copy that this user can reach.
fn as_nobody(theatre: &Theatre, arguments: &[&str]) -> Ran {
    let binary = theatre.path().join("arbiter");
    fs::copy(BINARY, &binary).expect("it can be copied");
    set_mode(&binary, 0o755);
    let mut command = Command::new("setpriv");
    theatre.place(&mut command);
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&binary).args(arguments);
    command
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "safe.directory")
        .env("GIT_CONFIG_VALUE_0", "*");
    command.stdin(Stdio::null());
    let root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    if !root {
        // Nobody special already: the binary itself does.
        return theatre.run(arguments);
    }
    Ran::from(command.output().expect("setpriv, of util-linux, starts"))
}

#[test]
fn a_mission_that_came_with_a_repository_does_not_run() {
    let theatre = Theatre::with_repository(BINARY, &[("a.md", "do it\n")]);
    let begun = theatre.run(&["demo", "--headless", "--json"]);
    assert_eq!(begun.code, Some(0), "{}", begun.err);
    let id = theatre.mission_id();
    std::fs::remove_dir_all(theatre.path().join("home/.arbiter")).expect("the list is forgotten");
    let ran = theatre.run(&["resume", &id, "--headless"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("was not begun by you on this machine"), "{}", ran.err);
    assert!(ran.err.contains("hint: "), "{}", ran.err);
}

#[test]
fn a_flag_that_is_unknown_is_told_with_what_helps() {
    let ran = theatre().run(&["run", "--nonsense"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("--nonsense") && ran.err.contains("\nhint: "), "{}", ran.err);
}

#[test]
fn a_word_that_is_no_command_and_no_file_is_told_with_the_nearest_command() {
    let theatre = repository();
    let refused = |word: &str| {
        let ran = theatre.run(&[word]);
        assert_refused(&theatre, &ran, 2, "there is neither a command nor a file of the name");
        ran.err
    };
    assert!(refused("agnets").contains("`agnets`\nhint: did you mean `arbiter agents`?"));
    assert!(refused("names").contains("`arbiter --help` lists the commands"));
    assert!(refused("build a bridge").contains("`arbiter run --task TEXT`"));
    // What looks like a file is one.
    assert_refused(&theatre, &theatre.run(&["gone.md"]), 2, "gone.md does not exist");
}

#[test]
fn what_is_wrong_with_a_script_is_told_with_its_file_its_line_and_a_hint() {
    let theatre = repository();
    let whole = "rehearsal: 1\ntitle: x\nscroll: y\n";
    let faults: [(&[u8], &str); 5] = [
        (b"scrol: y\n", "line 4: unknown key `scrol`"),
        (b"window: many\n", "line 4: invalid u64"),
        (b"arbiter: [\n", "line 4: unclosed bracket"),
        (b"title: z\n", "line 4"),
        (b"files: {a: \xff}\n", "line 4: it is not UTF-8"),
    ];
    for (fault, told) in faults {
        fs::write(theatre.script(), [whole.as_bytes(), fault].concat()).expect("a script");
        let ran = theatre.rehearse(&["--headless", "--yes"]);
        assert_refused(&theatre, &ran, 2, told);
        assert!(ran.err.contains("script.yaml"), "{}", ran.err);
        assert!(!ran.err.contains("that exists"), "it does exist: {}", ran.err);
    }
    fs::remove_file(theatre.script()).expect("it is there");
    let ran = theatre.rehearse(&["--headless", "--yes"]);
    assert_refused(&theatre, &ran, 2, "script.yaml");
    assert!(ran.err.contains("hint: name a rehearsal script that exists"), "{}", ran.err);
}

/// The mission's own copy of its script, spoilt between two runs.
#[test]
fn what_is_wrong_with_the_script_of_a_mission_is_told_when_it_is_resumed() {
    let hold = r#"{run: [sh, -c, "while true; do sleep 0.1; done"]}"#;
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing().audited_with(hold));
    let mut house = theatre.start_rehearsal(&["--headless", "--yes"]);
    theatre.waits_for("Orchestrator II");
    house.kill().expect("it runs");
    house.wait().expect("it ended");
    let (id, script) = (theatre.mission_id(), theatre.mission().join("rehearsal.yaml"));
    let whole = fs::read_to_string(&script).expect("a script");
    let lines = whole.lines().count();
    let hint = format!("hint: put the script back, then `arbiter resume {id}`");
    for (text, told) in [
        (Some(format!("{whole}\nscrol: y\n")), format!("line {}", lines + 2)),
        (None, "No such file".to_owned()),
    ] {
        match text {
            Some(text) => fs::write(&script, text).expect("a script"),
            None => fs::remove_file(&script).expect("it is there"),
        }
        let ran = theatre.run(&["resume", &id, "--headless", "--yes"]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("rehearsal.yaml") && ran.err.contains(&told), "{}", ran.err);
        assert!(ran.err.contains(&hint), "{}", ran.err);
    }
}
