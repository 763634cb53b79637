//! `arbiter serve` and `arbiter setup telegram`, with the real binary against a small server on this machine.

mod also;
mod bad;
mod canary;
mod missions;
mod running;
mod server;
mod setup;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use sim::Theatre;

/// A token that no text may have.
const TOKEN: &str = "123456789:CANARY-aaaaaaaaaaaaaaaaaaaaaaaaaaaa";
/// A place on this machine where no server is.
const NO_SERVER: &str = "http://127.0.0.1:9";
/// What is looked for.
const CANARY: &str = "CANARY";
/// Longer than anything takes that is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A world with a token in a file and one user. No port is opened, unless the test says so.
fn theatre() -> Theatre {
    with_token(crate::theatre(), 0o600)
        .with_config("  allowedUsers: [{id: 7, name: ada}]\nserve: {health: off}\n")
}

/// The token in a file of this mode, and the beginning of a section that names it.
fn with_token(theatre: Theatre, mode: u32) -> Theatre {
    let file = token_file(&theatre);
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    fs::write(&file, format!("{TOKEN}\n")).expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("a mode");
    theatre.with_config(&format!("telegram:\n  token_file: {}\n", file.display()))
}

fn token_file(theatre: &Theatre) -> PathBuf {
    theatre.path().join("home/.config/arbiter/telegram.token")
}

fn own_file(theatre: &Theatre) -> PathBuf {
    theatre.path().join("home/.config/arbiter/config.yaml")
}

fn log(theatre: &Theatre) -> String {
    fs::read_to_string(theatre.home().join("logs/arbiter.log")).unwrap_or_default()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

/// A running `arbiter serve`. It is killed when the test leaves it.
struct Serving {
    child: Child,
    stderr: BufReader<ChildStderr>,
    /// What it said so far.
    said: String,
}

impl Serving {
    fn begin(theatre: &Theatre, environment: &[(&str, &str)]) -> Serving {
        let mut command = theatre.command(&["serve"]);
        // No test speaks to the vendor's server.
        command.env("ARBITER_TELEGRAM_API_URL", NO_SERVER);
        let mut child = command.envs(environment.iter().copied()).spawn().expect("the binary starts");
        let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        Serving { child, stderr, said: String::new() }
    }

    /// Reads until a line has these words, and gives it back.
    fn says(&mut self, words: &str) -> String {
        loop {
            let mut line = String::new();
            let count = self.stderr.read_line(&mut line).expect("a pipe");
            self.said.push_str(&line);
            if line.contains(words) {
                return line.trim().to_owned();
            }
            assert!(count > 0, "it ended without {words:?}:\n{}", self.said);
        }
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to stop, and gives back its exit code with everything that it said.
    fn stop(mut self) -> (Option<i32>, String) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).expect("it runs");
        let code = self.child.wait().expect("it ends").code();
        let _ = self.stderr.read_to_string(&mut self.said);
        (code, std::mem::take(&mut self.said))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until it is so.
fn until(what: &str, mut is: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
