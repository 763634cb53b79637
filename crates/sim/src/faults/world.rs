//! A world in which one command is hurt again and again: a home, a project, a folder for temporary files, and a copy of
//! all of it, from which it is made anew for every case. Its path stays the same, since programs write paths down.

use std::cell::Cell;
use std::fs::{self, File, FileTimes};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::limits;
use super::tracer::{CallOrder, CallWatcher, TracedCall, TracedEnd, TracedProcess, trace};

#[derive(Debug)]
pub struct FaultWorld {
    folder: tempfile::TempDir,
    binary: PathBuf,
    /// Whether its processes see only one another. A mission looks through all processes again and again, and each look
    /// is a call that is stopped at.
    apart: bool,
    /// By which words of `unshare` a command can be made to see another start of the machine, if the kernel lets us.
    restarts: Option<&'static [&'static str]>,
    /// Whether the power went: the machine has started again since.
    restarted: Cell<bool>,
}

/// Begins a tree of processes that sees no other.
const APART: [&str; 4] = ["--pid", "--fork", "--mount-proc", "--"];
/// Begins a process with mounts of its own: as root, or as a user who may be root among his own processes.
const MOUNTS: [&[&str]; 2] = [&["--mount", "--"], &["--map-root-user", "--mount", "--"]];
/// Shows the command another id of the machine's start, by which a program knows that the power was gone.
const RESTARTED: &str = r#"mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@""#;
/// The first process of a tree has to outlive the command, whose exit code it tells.
const WAITED_FOR: &str = r#""$@"; exit $?"#;
/// Both.
const RESTARTED_APART: &str = r#"mount --bind "$0" /proc/sys/kernel/random/boot_id && "$@"; exit $?"#;
/// That other id.
const NEXT_START: &str = "00000000-0000-4000-8000-000000000002\n";

impl FaultWorld {
    pub fn new(binary: &Path) -> io::Result<FaultWorld> {
        let folder = tempfile::Builder::new().prefix("faults").tempdir()?;
        let world = FaultWorld {
            folder,
            binary: binary.to_owned(),
            apart: false,
            restarts: None,
            restarted: Cell::new(false),
        };
        fs::write(world.next_start(), NEXT_START)?;
        let can = |flags: &&&[&str]| {
            let mut tried = Command::new("unshare");
            tried.args(**flags).args(["sh", "-c", RESTARTED]).arg(world.next_start()).arg("true");
            tried.output().is_ok_and(|tried| tried.status.success())
        };
        let restarts = MOUNTS.iter().find(can).copied();
        let world = FaultWorld { restarts, ..world };
        for name in ["home", "project", "tmp"] {
            fs::create_dir_all(world.root().join(name))?;
        }
        Ok(world)
    }

    /// The same, whose processes see only one another, where the kernel lets us have that.
    #[must_use]
    pub fn apart(self) -> FaultWorld {
        let tried = Command::new("unshare").args(APART).arg("true").output();
        FaultWorld { apart: tried.is_ok_and(|tried| tried.status.success()), ..self }
    }

    /// Whether the power can go: a program has to see that the machine has started again.
    pub fn can_restart(&self) -> bool {
        self.restarts.is_some()
    }

    /// The machine has started again: all that comes now sees that.
    pub fn restart(&self) {
        self.restarted.set(true);
    }

    fn next_start(&self) -> PathBuf {
        self.folder.path().join("boot_id")
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("world")
    }

    /// Where the output of the command goes: not into the world.
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("stdout")
    }

    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    pub fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    /// The copy from which the world is made anew.
    pub fn template(&self) -> PathBuf {
        self.folder.path().join("template")
    }

    /// The world as it stands is where every case begins.
    pub fn keep(&self) -> io::Result<()> {
        let template = self.template();
        if template.exists() {
            fs::remove_dir_all(&template)?;
        }
        copy_tree(&self.root(), &template)
    }

    pub fn restore(&self) -> io::Result<()> {
        self.restarted.set(false);
        if self.root().exists() {
            fs::remove_dir_all(self.root())?;
        }
        copy_tree(&self.template(), &self.root())
    }

    /// The binary, about to run in this world.
    pub fn command<S: AsRef<str>>(&self, words: &[S]) -> Command {
        self.place(&self.binary, words)
    }

    fn place<S: AsRef<str>>(&self, program: &Path, words: &[S]) -> Command {
        let mut command = if self.apart {
            let script = if self.restarted.get() { RESTARTED_APART } else { WAITED_FOR };
            let mut apart = Command::new("unshare");
            apart.args(APART).args(["sh", "-c", script]).arg(self.next_start()).arg(program);
            apart
        } else if let Some(flags) = self.restarts.filter(|_| self.restarted.get()) {
            let mut later = Command::new("unshare");
            later.args(flags).args(["sh", "-c", RESTARTED]).arg(self.next_start()).arg(program);
            later
        } else {
            Command::new(program)
        };
        command.args(words.iter().map(AsRef::as_ref)).env_clear().current_dir(self.project());
        for name in ["PATH", "LANG"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("HOME", self.home()).env("TMPDIR", self.root().join("tmp"));
        // The commits of a story are the same in every world.
        let dates = ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"].map(|name| (name, "2026-01-01T00:00:00Z"));
        command.env("USER", "tester").env("CI", "true").envs(dates);
        // Hundreds of missions: the sandbox makes each of them slower, and its files are not ours.
        command.env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock");
        command
    }

    /// Runs the binary without a fault.
    pub fn run<S: AsRef<str>>(&self, words: &[S], bound: Duration) -> io::Result<TracedEnd> {
        trace(&self.command(words), &self.out(), bound, &mut Bystander)
    }

    /// Runs what a user was told to type, in the project.
    pub fn shell(&self, line: &str) -> io::Result<TracedEnd> {
        let command = self.place(Path::new("/bin/sh"), &["-c", line]);
        trace(&command, &self.out(), limits::COMMAND_MAX, &mut Bystander)
    }

    /// Runs git in the project.
    pub fn git<S: AsRef<str>>(&self, words: &[S]) -> io::Result<TracedEnd> {
        trace(&self.place(Path::new("git"), words), &self.out(), limits::COMMAND_MAX, &mut Bystander)
    }
}

/// Looks at nothing.
struct Bystander;

impl CallWatcher for Bystander {
    fn follows(&self, _: &TracedProcess) -> bool {
        false
    }

    fn entering(&mut self, _: &TracedCall) -> CallOrder {
        CallOrder::Go
    }

    fn left(&mut self, _: &TracedCall, _: i64) -> CallOrder {
        CallOrder::Go
    }
}

/// Copies a folder with its links, rights and times.
pub fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(entry.path())?, &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target)?;
            let times = FileTimes::new().set_modified(entry.metadata()?.modified()?);
            // A file that nobody may write keeps the time at which it was copied.
            if let Ok(file) = File::options().write(true).open(&target) {
                file.set_times(times)?;
            }
        }
        // Sockets and pipes belong to processes that are gone.
    }
    fs::set_permissions(to, fs::metadata(from)?.permissions())
}
