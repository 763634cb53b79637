//! What is no file in the place of one of ours: a pipe, a device, a socket, a folder. It is never waited for and never read
//! without end; what needs the file says which one it is.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use sim::{BridgeScript, REHEARSAL, Ran, Theatre};

use crate::BINARY;

/// How long a command may take that is refused.
const PATIENCE: Duration = Duration::from_secs(20);
const ODD: [&str; 4] = ["a pipe", "a device", "a socket", "a folder"];

/// Runs the binary to an end that comes soon, with no more memory than a command needs.
fn soon(theatre: &Theatre, arguments: &[&str]) -> Option<Ran> {
    let mut command = Command::new("sh");
    theatre.place(&mut command);
    command.args(["-c", "ulimit -v 8000000; exec \"$0\" \"$@\""]).arg(theatre.binary()).args(arguments);
    let mut child = command.spawn().expect("a shell starts");
    let began = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if began.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Some(Ran::from(child.wait_with_output().expect("it ended")))
}

/// Something odd in the place of a file, which is put back in the end.
struct InThePlace {
    path: PathBuf,
    aside: PathBuf,
}

impl InThePlace {
    fn of(path: &Path, odd: &str) -> InThePlace {
        let aside = path
            .with_file_name(format!("{}.kept-aside", path.file_name().expect("a name").to_string_lossy()));
        if path.exists() {
            fs::rename(path, &aside).expect("it can be moved");
        }
        match odd {
            "a pipe" => {
                let made = Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
                assert!(made.success());
            }
            "a device" => symlink("/dev/zero", path).expect("a link"),
            "a socket" => drop(UnixListener::bind(path).expect("a socket")),
            _ => fs::create_dir(path).expect("a folder"),
        }
        InThePlace { path: path.to_owned(), aside }
    }
}

impl Drop for InThePlace {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path).or_else(|_| fs::remove_dir_all(&self.path));
        if self.aside.exists() {
            let _ = fs::rename(&self.aside, &self.path);
        }
    }
}

/// Each odd thing in each of these places: each command ends soon, and without a panic. Those that are told of have to fail
/// and to name the file.
fn assert_ends(theatre: &Theatre, places: &[PathBuf], commands: &[(&[&str], bool)]) {
    let mut faults = Vec::new();
    for (place, odd) in places.iter().flat_map(|place| ODD.map(|odd| (place, odd))) {
        let _there = InThePlace::of(place, odd);
        for (arguments, is_told) in commands {
            let what = format!("{odd} in the place of {}, {arguments:?}", place.display());
            let Some(ran) = soon(theatre, arguments) else {
                faults.push(format!("{what}: it hangs"));
                continue;
            };
            let name = place.file_name().expect("a name").to_string_lossy();
            let fails =
                ran.code.is_none() || ran.err.contains("panicked") || ran.err.contains("memory allocation");
            let is_silent =
                *is_told && (ran.code == Some(0) || !format!("{}{}", ran.out, ran.err).contains(&*name));
            if fails || is_silent {
                faults.push(format!("{what}: {:?} {}", ran.code, ran.err));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_docket_waits_for_nothing_that_is_no_file() {
    let theatre = crate::theatre();
    let ran = theatre.run(&["ask", "Deploy now?", "--id", "deploy", "-o", "yes", "-o", "no"]);
    let id = ran.out.trim().to_owned();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let (home, queue) = (theatre.home(), theatre.home().join("queue"));
    let own = queue.join(".arbiter");
    let file =
        fs::read_dir(queue.join("pending")).expect("it is there").next().expect("a file").expect("it").path();
    let shard =
        fs::read_dir(own.join("index")).expect("it is there").next().expect("a shard").expect("it").path();
    let look: &[&str] = &["inbox", "--list"];
    let verify: &[&str] = &["audit", "verify"];
    let ask: &[&str] = &["ask", "And now?", "-o", "yes", "-o", "no"];
    let status: &[&str] = &["status", &id];
    assert_ends(&theatre, &[home.join("ledger.jsonl")], &[(look, true), (verify, true), (ask, true)]);
    assert_ends(&theatre, &[own.join("lock")], &[(ask, true)]);
    let stats: &[&str] = &["stats"];
    assert_ends(&theatre, &[file], &[(look, true), (stats, true), (status, true), (verify, true)]);
    // Hints: one that is lost is made anew, and nothing waits for another.
    assert_ends(&theatre, &[own.join("applied"), shard], &[(look, false), (status, false), (ask, false)]);
    assert_ends(&theatre, &[own.join("staged/left.md")], &[(ask, false)]);
}

#[test]
fn settings_wait_for_nothing_that_is_no_file() {
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "a river\n")]).with_config("limits: {}\n");
    let user = theatre.path().join("home/.config/arbiter/config.yaml");
    let project = theatre.project().join(".arbiter/config.yaml");
    fs::create_dir_all(project.parent().expect("a folder")).expect("it can be made");
    assert_ends(&theatre, &[user, project], &[(&["config"], true)]);
    let run = [&REHEARSAL[..], &["--headless", "--yes"]].concat();
    assert_ends(&theatre, &[theatre.script()], &[(&run, true)]);
    assert_ends(&theatre, &[theatre.character()], &[(&["missions"], false)]);
}

#[test]
fn a_mission_waits_for_nothing_that_is_no_file() {
    let hold = r#"{run: [sh, -c, "while true; do sleep 0.1; done"]}"#;
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing().audited_with(hold));
    let mut house = theatre.start_rehearsal(&["--headless", "--yes"]);
    theatre.waits_for("Orchestrator II");
    house.kill().expect("it runs");
    house.wait().expect("it ended");
    let id = theatre.mission_id();
    let place = |name: &str| theatre.mission().join(name);
    let resume: &[&str] = &["resume", &id, "--headless", "--yes"];
    let show: &[&str] = &["show", &id];
    let missions: &[&str] = &["missions"];
    let journal = place("journal.jsonl");
    assert_ends(&theatre, &[journal], &[(show, true), (resume, true), (missions, false)]);
    let others = [place("journal.lock"), place("ground.json"), place("rehearsal.yaml")];
    assert_ends(&theatre, &others, &[(resume, true), (show, false), (missions, false)]);
    let entry = theatre.home().join(format!("missions/{id}.json"));
    assert_ends(&theatre, &[entry], &[(resume, false), (missions, false)]);
    assert_ends(&theatre, &[theatre.home().join("journal.key")], &[(resume, true), (missions, false)]);
    assert_ends(&theatre, &[theatre.project().join(".arbiter/last-session.json")], &[(show, false)]);
    let say: &[&str] = &["mission", "say", &id, "hello"];
    assert_ends(&theatre, &[place("inbox/a1.json"), place("notes.log")], &[(show, false), (say, false)]);
    theatre.assert_nobody_left();
}

/// A file that is written while a mission goes on, and is no more than a help: it goes on without it.
#[test]
fn a_mission_goes_on_beside_what_is_no_file() {
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing());
    let last = theatre.project().join(".arbiter/last-session.json");
    fs::create_dir_all(last.parent().expect("a folder")).expect("it can be made");
    let _there = InThePlace::of(&last, "a pipe");
    let ran = soon(&theatre, &[&REHEARSAL[..], &["--headless", "--yes"]].concat()).expect("it ends");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

/// Git would wait for a pipe in the place of what hides our files from it.
#[test]
fn a_project_whose_ignore_file_of_ours_is_no_file_is_refused_at_once() {
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing());
    let ignore = theatre.project().join(".arbiter/.gitignore");
    fs::create_dir_all(ignore.parent().expect("a folder")).expect("it can be made");
    for odd in ["a pipe", "a socket", "a folder"] {
        let _there = InThePlace::of(&ignore, odd);
        let ran = soon(&theatre, &[&REHEARSAL[..], &["--headless", "--yes"]].concat());
        let ran = ran.unwrap_or_else(|| panic!("{odd}: it hangs"));
        assert_eq!(ran.code, Some(1), "{odd}: {}", ran.err);
        assert!(ran.err.contains(".arbiter/.gitignore is no plain file"), "{odd}: {}", ran.err);
        assert!(ran.err.contains("hint: "), "{odd}: {}", ran.err);
    }
    assert!(theatre.missions().is_empty());
}

/// What could not be hidden from git when the mission was opened is hidden when it goes on.
#[test]
fn what_hides_our_files_from_git_is_made_again_when_a_mission_goes_on() {
    let hold = r#"{run: [sh, -c, "while true; do sleep 0.1; done"]}"#;
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing().audited_with(hold));
    let ignore = theatre.project().join(".arbiter/.gitignore");
    let mut house = theatre.start_rehearsal(&["--headless", "--yes"]);
    theatre.waits_for("Orchestrator II");
    house.kill().expect("it runs");
    house.wait().expect("it ended");
    fs::remove_file(&ignore).expect("it was made");
    let mut house = theatre.start(&["resume", "--headless", "--yes"]);
    crate::wait_until("it is made again", || ignore.is_file());
    house.kill().expect("it runs");
    house.wait().expect("it ended");
    assert_eq!(theatre.git(&["status", "--porcelain", "--", ".arbiter"]), "");
}

#[test]
fn requirements_from_a_pipe_that_stays_silent_are_waited_for_with_a_word() {
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing());
    let _there = InThePlace::of(&theatre.project().join("pipe.md"), "a pipe");
    let mut command = theatre.rehearsal(&["--headless", "--yes", "pipe.md"]);
    let err = theatre.path().join("err");
    command.stdout(std::process::Stdio::null()).stderr(fs::File::create(&err).expect("a file"));
    let mut house = command.spawn().expect("it starts");
    let said = || fs::read_to_string(&err).expect("it is text");
    crate::wait_until("it says what it waits for", || said().contains("note: waiting for "));
    assert_eq!(said().matches("waiting for").count(), 1, "{}", said());
    assert!(said().contains("pipe.md"), "{}", said());
    fs::write(theatre.project().join("pipe.md"), "Build a bridge.\n").expect("it is read");
    assert!(house.wait().expect("it ends").success(), "{}", said());
}
