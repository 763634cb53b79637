//! A world of its own for the real binary, in a temporary folder. Nothing of the user's is read or written, and every
//! process a test started is ended by its id.

mod mission;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arbiter::mission::fact_log::MissionJournal;
use journal::{FileStore, JournalKey};
use mind::Entry;

pub use mission::{DEMO, REHEARSAL};

/// A temporary world.
#[derive(Debug)]
pub struct Theatre {
    binary: PathBuf,
    world: tempfile::TempDir,
    environment: Vec<(&'static str, &'static str)>,
}

/// What a command did.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub out: String,
    /// What it remarked.
    pub err: String,
}

impl Theatre {
    /// A world for `binary`, with an empty project. Its user has seen the ceremony.
    pub fn new(binary: impl Into<PathBuf>) -> Theatre {
        let world = tempfile::tempdir().expect("a temporary folder can be made");
        for folder in ["home", "project"] {
            fs::create_dir(world.path().join(folder)).expect("a folder can be made");
        }
        let theatre = Theatre { binary: binary.into(), world, environment: Vec::new() };
        fs::create_dir(theatre.home()).expect("a folder can be made");
        fs::write(theatre.character(), "wanderer\n").expect("a file can be written");
        theatre
    }

    /// The same, where the ceremony was never seen.
    #[must_use]
    pub fn before_the_ceremony(self) -> Theatre {
        fs::remove_file(self.character()).expect("a file can be removed");
        self
    }

    /// ARBITER_HOME: what all projects share.
    pub fn home(&self) -> PathBuf {
        self.world.path().join("home/.arbiter")
    }

    /// The key of this world's journals. One is made, if no mission was opened yet.
    pub fn journal_key(&self) -> JournalKey {
        arbiter::mission::journal_key::make(&self.home().join("journal.key")).expect("a key")
    }

    /// The journal of the mission in `folder`.
    pub fn journal_of(&self, folder: &Path) -> MissionJournal {
        MissionJournal::new(Arc::new(FileStore::new(self.journal_key())), folder.join("journal.jsonl"))
    }

    /// The character that was chosen in the ceremony.
    pub fn character(&self) -> PathBuf {
        self.home().join("character")
    }

    /// The same, where every command finds this in its environment.
    #[must_use]
    pub fn with_env(mut self, name: &'static str, value: &'static str) -> Theatre {
        self.environment.push((name, value));
        self
    }

    /// A world whose project is a git repository with one commit of `files`.
    pub fn with_repository(binary: impl Into<PathBuf>, files: &[(&str, &str)]) -> Theatre {
        let theatre = Theatre::new(binary);
        theatre.git(&["init", "--quiet", "-b", "main"]);
        theatre.git(&["config", "user.name", "Tester"]);
        theatre.git(&["config", "user.email", "tester@localhost"]);
        for (name, text) in files {
            fs::write(theatre.project().join(name), text).expect("a file can be written");
        }
        theatre.git(&["add", "-A"]);
        theatre.git(&["commit", "--quiet", "--allow-empty", "-m", "start"]);
        theatre
    }

    /// The same with an agent in the user's configuration that is looked for and never started.
    #[must_use]
    pub fn with_idle_agent(self) -> Theatre {
        self.with_config("claude:\n  program: /bin/true\n")
    }

    /// The same with these lines at the end of the user's own configuration.
    #[must_use]
    pub fn with_config(self, lines: &str) -> Theatre {
        let folder = self.path().join("home/.config/arbiter");
        fs::create_dir_all(&folder).expect("a folder can be made");
        let file = folder.join("config.yaml");
        let before = fs::read_to_string(&file).unwrap_or_default();
        fs::write(file, before + lines).expect("a file can be written");
        self
    }

    pub fn binary(&self) -> &Path {
        &self.binary
    }

    pub fn project(&self) -> PathBuf {
        self.world.path().join("project")
    }

    /// The whole world: home, project and state.
    pub fn path(&self) -> &Path {
        self.world.path()
    }

    /// Where the binary keeps clones and the actors' conversations.
    pub fn state(&self) -> PathBuf {
        self.world.path().join("home/.local/state/arbiter")
    }

    /// The binary, about to run in this world.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(&self.binary);
        self.place(&mut command);
        command.args(arguments);
        command
    }

    /// Puts any command into this world: its folder and its environment.
    pub fn place(&self, command: &mut Command) {
        let keep = ["PATH", "LANG", "TMPDIR"].map(|name| (name, std::env::var_os(name)));
        command
            .env_clear()
            .envs(keep.into_iter().filter_map(|(name, value)| Some((name, value?))))
            .env("HOME", self.world.path().join("home"))
            .env("USER", "tester")
            // A test plays no sound.
            .env("CI", "true")
            .envs(self.environment.iter().copied())
            .current_dir(self.project())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
    }

    /// Runs the binary to its end.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, &[])
    }

    /// Runs the binary to its end with more in its environment.
    pub fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Ran {
        let mut command = self.command(arguments);
        command.envs(environment.iter().copied());
        Ran::from(command.output().expect("the binary starts"))
    }

    /// Writes the project's own configuration.
    pub fn configure(&self, text: &str) {
        let folder = self.project().join(".arbiter");
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join("config.yaml"), text).expect("a file can be written");
    }

    /// Trusts the project, so that its own checks and prompts count.
    pub fn trust(&self) {
        let ran = self.run(&["trust", "--yes"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }

    /// Starts the binary and leaves it running.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().expect("the binary starts")
    }

    /// Runs git in the project and returns what it printed.
    pub fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.project(), arguments)
    }

    /// Runs git in any folder of this world.
    pub fn git_in(&self, folder: &Path, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        self.place(&mut command);
        let ran = Ran::from(command.current_dir(folder).args(arguments).output().expect("git starts"));
        assert_eq!(ran.code, Some(0), "git {arguments:?}: {}", ran.err);
        ran.out
    }

    /// Asserts that no process of this world is alive any more, after a moment of grace.
    pub fn assert_nobody_left(&self) {
        let began = Instant::now();
        loop {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            // The kernel takes a cage of large processes down piece by piece, and slowly on a busy machine.
            assert!(began.elapsed() < Duration::from_secs(20), "processes are left: {left:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The processes whose command line or folder lies in this world.
    fn processes(&self) -> Vec<String> {
        let world = self.world.path().to_string_lossy().into_owned();
        let Ok(found) = fs::read_dir("/proc") else { return Vec::new() };
        let mut left = Vec::new();
        for process in found.filter_map(Result::ok) {
            let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            let folder = fs::read_link(process.path().join("cwd")).unwrap_or_default();
            if words.contains(&world) || folder.starts_with(&world) {
                left.push(format!("{} {words}", process.file_name().to_string_lossy()));
            }
        }
        left
    }

    /// The folders of the project's missions, by name.
    pub fn missions(&self) -> Vec<PathBuf> {
        let Ok(folders) = fs::read_dir(self.project().join(".arbiter/missions")) else {
            return Vec::new();
        };
        let mut folders: Vec<PathBuf> = folders
            .filter_map(|found| Some(found.ok()?.path()))
            .filter(|path| path.join("journal.jsonl").exists() && !is_in_the_making(path))
            .collect();
        folders.sort();
        folders
    }

    /// The only mission of the project.
    pub fn mission(&self) -> PathBuf {
        let missions = self.missions();
        assert_eq!(missions.len(), 1, "one mission is expected: {missions:?}");
        missions.into_iter().next().expect("there is one")
    }

    /// All entries of a mission's journal.
    pub fn entries(&self, mission: &Path) -> Vec<Entry> {
        self.batches(mission).concat()
    }

    /// The batches of a mission's journal.
    pub fn batches(&self, mission: &Path) -> Vec<Vec<Entry>> {
        let journal = mission.join("journal.jsonl");
        let mut reader = journal::Reader::open(&journal, &self.journal_key()).expect("a journal");
        let mut batches = Vec::new();
        while let Some(batch) = reader.next_batch().expect("a sound journal") {
            let entry = |body: &String| {
                serde_json::from_str(body).unwrap_or_else(|error| panic!("{error} in {body}"))
            };
            batches.push(batch.bodies.iter().map(entry).collect());
        }
        batches
    }
}

/// A mission that is not whole yet has a hidden name.
fn is_in_the_making(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
