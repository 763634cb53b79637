//! A small machine in a folder: a home with secrets, a project, a clone that borrows from it, our own state.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use mind::access::{AccessMap, SandboxLevel};
use sandbox::{AccessInputs, Purpose, Sandbox, SandboxSpec, SandboxSurvey};

use crate::real;

pub const CAGED: &str = env!("CARGO_BIN_EXE_caged");

/// Every secret of the world begins with it.
pub const SECRET: &str = "SECRET-WORD";

static SURVEY: LazyLock<SandboxSurvey> = LazyLock::new(sandbox::survey);

/// The levels that can be tested here.
pub fn levels() -> Vec<SandboxLevel> {
    real::at_hand([
        (SandboxLevel::Bubblewrap, SURVEY.bubblewrap.as_ref().err()),
        (SandboxLevel::Landlock, SURVEY.landlock.as_ref().err()),
    ])
}

/// The same, and the level that holds nothing but the lives.
pub fn all_levels() -> Vec<SandboxLevel> {
    levels().into_iter().chain([SandboxLevel::Off]).collect()
}

pub struct World {
    _folder: tempfile::TempDir,
    pub root: PathBuf,
    pub level: SandboxLevel,
    pub lay: AccessMap,
}

impl World {
    pub fn new(level: SandboxLevel) -> World {
        let folder = tempfile::tempdir().expect("the world can be made");
        let root = folder.path().canonicalize().expect("the world can be made");
        for place in [
            "home/.ssh",
            "home/.config/gh",
            "home/bin",
            "project",
            "state/clones",
            "state/tmp/m1",
            "elsewhere",
        ] {
            fs::create_dir_all(root.join(place)).expect("the world can be made");
        }
        let files = [
            "home/.ssh/id",
            "home/.config/gh/hosts.yml",
            "home/.netrc",
            "home/.bash_history",
            "project/.env",
            "state/journal",
        ];
        for file in files {
            fs::write(root.join(file), format!("{SECRET} of {file}\n")).expect("the world can be made");
        }
        fs::write(root.join("home/.bashrc"), "# plain\n").expect("the world can be made");
        fs::write(root.join("elsewhere/plain"), "plain\n").expect("the world can be made");
        symlink(root.join("home/.ssh"), root.join("home/keys")).expect("the world can be made");
        let project = root.join("project");
        fs::write(project.join("README.md"), "a river\n").expect("the world can be made");
        git(&project, &["init", "-q", "-b", "main"]);
        git(&project, &["add", "README.md"]);
        git(&project, &["-c", "user.name=u", "-c", "user.email=u@localhost", "commit", "-q", "-m", "one"]);
        let clone = root.join("state/clones/m1");
        git(
            &root,
            &[
                "clone",
                "-q",
                "--shared",
                project.to_str().expect("the world can be made"),
                clone.to_str().expect("the world can be made"),
            ],
        );
        let lay = sandbox::lay_of(&AccessInputs {
            home: root.join("home"),
            clone,
            tmp: root.join("state/tmp/m1"),
            borrowed: vec![root.join("project/.git/objects")],
            project: Some(project),
            ours: vec![root.join("state")],
            programs: vec![CAGED.into()],
            ..AccessInputs::default()
        });
        World { _folder: folder, lay: lay.expect("the world can be made"), root, level }
    }

    pub fn clone(&self) -> PathBuf {
        self.root.join("state/clones/m1")
    }

    pub fn plan(&self) -> SandboxSpec {
        let environment = [
            ("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin".into()),
            ("HOME", self.root.join("home")),
            ("ROOT", self.root.clone()),
            ("CLONE", self.clone()),
            ("PROJECT", self.root.join("project")),
            ("STATE", self.root.join("state")),
            ("HOUSE", std::process::id().to_string().into()),
        ];
        SandboxSpec {
            level: self.level,
            bubblewrap: SURVEY.bubblewrap.clone().ok(),
            lay: self.lay.clone(),
            tmp: self.root.join("state/tmp/m1"),
            own: vec![CAGED.into(), "__cage".into()],
            environment: environment.map(|(name, value)| (name.into(), value.into())).into(),
            canary: self.root.join("state/canary"),
            closed: vec![self.root.join("project"), self.root.join("elsewhere")],
        }
    }

    pub fn sandbox(&self) -> Sandbox {
        Sandbox::set(self.plan()).expect("the world can be made")
    }

    /// A line for a shell inside, with pipes.
    pub fn shell(&self, script: &str, purpose: Purpose) -> Command {
        let mut command = self.sandbox().command("/bin/sh".as_ref(), ["-c", script], self.clone(), purpose);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs it to its end.
    pub fn run(&self, script: &str) -> Output {
        self.shell(script, Purpose::Command).output().expect("the world can be made")
    }

    /// The words that start a house of its own, with this program in its cage.
    pub fn house(&self, program: &[&str]) -> Command {
        let plan = self.plan();
        let lay = serde_json::to_string(&plan.lay).expect("the world can be made");
        let mut command = Command::new(CAGED);
        command.arg("house").arg(self.level.to_string()).arg(plan.bubblewrap.unwrap_or_default()).arg(lay);
        command.arg(plan.tmp).arg(plan.canary).arg("command").args(program);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Everything outside the places that may be written, as text.
    pub fn outside(&self) -> String {
        let mut found = Vec::new();
        collect(&self.root, &mut found);
        found.retain(|line| !line.contains("/state/clones/m1") && !line.contains("/state/tmp/m1"));
        // Written by the house itself.
        found.retain(|line| !line.contains("/state/canary"));
        found.sort();
        found.join("\n")
    }
}

fn collect(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the world can be made").flatten() {
        let path = entry.path();
        if entry.file_type().expect("the world can be made").is_dir() {
            found.push(path.display().to_string());
            collect(&path, found);
        } else {
            let text = fs::read(&path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            found.push(format!("{} {:?}", path.display(), text.unwrap_or_default()));
        }
    }
}

pub fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().expect("the world can be made");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The living processes with `mark` on their command line.
pub fn living(mark: &str) -> Vec<i32> {
    let processes = fs::read_dir("/proc").expect("the world can be made").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers
        .filter(|number| {
            let words = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).contains(mark)
        })
        .collect()
}

/// A number for `sleep` that no other process has.
pub fn unique_nap() -> String {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    format!("300.{:06}{count:03}", std::process::id())
}

/// Waits until it is true.
pub fn wait_until(what: &str, seconds_max: u64, mut is_true: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_true() {
        assert!(began.elapsed() < Duration::from_secs(seconds_max), "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
