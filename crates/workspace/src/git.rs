//! Git by its command line, on both sides: the user's repository and the mission's clone.
//!
//! No command of ours runs a hook or a file-system monitor, asks at a terminal, takes a lock it can do without, or
//! starts a collection in the background, and none takes one object for another (`git replace`). The clone's
//! configuration belongs to the agent, so nothing that it names is run either, and its folder is given, never searched
//! for. The user's own configuration counts in the user's own tree; what it says about files counts in no clone.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use sandbox::Sandbox;

use super::blame::{ENDED, tells_a_lack};
use super::capture::{Capture, printable};
use super::error::WorkspaceError;
use super::limits::{GIT_ANSWER_BYTES_MAX, GIT_LONG, GIT_PROBE, GIT_SAID_BYTES_MAX, GIT_SHORT, GIT_WORD};
use super::{locks, patience};
use sandbox::MISSION;

/// Git in one folder.
#[derive(Debug, Clone)]
pub(super) struct Git {
    program: OsString,
    folder: PathBuf,
    options: Vec<OsString>,
    /// Configuration whose names may hold any sign, which `-c` could not tell apart.
    overrides: Vec<(OsString, OsString)>,
    environment: Vec<(&'static str, OsString)>,
    time_limit: Duration,
    /// The sandbox it runs in, for folders whose own configuration an agent may have written.
    sandbox: Option<Arc<Sandbox>>,
}

/// Git's answer, whatever its exit status.
#[derive(Debug)]
pub(super) struct GitOutput {
    pub(super) is_success: bool,
    /// Its exit status; none if a signal ended it.
    pub(super) code: Option<i32>,
    /// The beginning of its output, as long as any answer we read.
    pub(super) output: Vec<u8>,
    /// The digest of all its output.
    pub(super) digest: String,
    pub(super) said: String,
}

impl Git {
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Git in a folder whose configuration is the user's own.
    pub(super) fn at(folder: &Path) -> Self {
        Self {
            program: "git".into(),
            folder: std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf()),
            overrides: Vec::new(),
            environment: Vec::new(),
            options: OURS.iter().flat_map(|option| ["-c".into(), OsString::from(option)]).collect(),
            time_limit: GIT_SHORT,
            sandbox: None,
        }
    }

    /// The same, where an agent may have written, here or at the other end of a fetch: whatever that repository says,
    /// no program is run and no other machine is asked, and no repository inside it is entered.
    pub(super) fn guarded(mut self) -> Self {
        // A partial clone would ask a program of its choice for what it lacks.
        self.environment.push(("GIT_NO_LAZY_FETCH", "1".into()));
        self.environment.push(("GIT_ALLOW_PROTOCOL", "file".into()));
        GUARDS.iter().fold(self, |git, guard| git.set(guard))
    }

    /// Git in exactly this work tree of a clone. What its own configuration names as a filter would run.
    pub(super) fn within(folder: &Path) -> Result<Self, WorkspaceError> {
        let mut git = Self::at(folder).guarded();
        git.options.push(prefixed("--git-dir=", &door(&git.folder)?));
        git.options.push(prefixed("--work-tree=", &git.folder));
        Ok(BYTES.iter().fold(git, |git, setting| git.set(setting)))
    }

    /// Git in the mission's clone, with the clone's own settings for programs and files switched off.
    pub(super) async fn in_clone(
        folder: &Path,
        sandbox: Option<&Arc<Sandbox>>,
    ) -> Result<Self, WorkspaceError> {
        let git = Self::among_names(folder)?.caged(sandbox);
        let filters = git.filters().await?;
        Ok(git.without(filters))
    }

    /// The same, for questions that read no file of the work tree: a filter of the clone's would still run.
    pub(super) fn among_names(folder: &Path) -> Result<Self, WorkspaceError> {
        let mut git = Self::within(folder)?;
        // Their opposites would make git believe that a changed file is unchanged.
        for setting in ["core.fileMode=true", "core.trustctime=true", "core.checkStat=default"] {
            git = git.set(setting);
        }
        Ok(git)
    }

    /// Git over a folder whose repository is elsewhere: one of ours, of which the folder shows nothing.
    pub(super) fn over(repository: &Path, folder: &Path) -> Self {
        let mut git = Self::at(folder);
        git.options.push(prefixed("--git-dir=", repository));
        git.options.push(prefixed("--work-tree=", &git.folder));
        git
    }

    /// The same, with an index file of its own: the one that belongs to the work tree stays as it is.
    pub(super) fn with_index(mut self, index: &Path) -> Self {
        self.environment.push(("GIT_INDEX_FILE", index.into()));
        // A split index would leave a part of itself in the repository.
        self.set("core.splitIndex=false").set("core.untrackedCache=false")
    }

    /// The same, with new objects in `objects` and nowhere else; those that are there already are found in `known`.
    pub(super) fn with_objects(mut self, objects: &Path, known: &Path) -> Self {
        self.environment.push(("GIT_OBJECT_DIRECTORY", objects.into()));
        self.environment.push(("GIT_ALTERNATE_OBJECT_DIRECTORIES", quoted(known)));
        self
    }

    /// The same, with these filters switched off.
    pub(super) fn without(mut self, filters: Vec<(OsString, &'static str)>) -> Self {
        self.overrides.extend(filters.into_iter().map(|(key, value)| (key, value.into())));
        self
    }

    /// The same, to make a repository of ours: whatever the user has in mind for new ones is for his own.
    pub(super) fn making(mut self) -> Self {
        self.environment.push(("GIT_ALLOW_PROTOCOL", "file".into()));
        NEW.iter().fold(self, |git, setting| git.set(setting))
    }

    /// The same, to clone or fetch from exactly `place`: git takes the longest `url.*.insteadOf` that fits, and none is
    /// longer than the whole path.
    pub(super) fn reaching(mut self, place: &Path) -> Self {
        let mut key = OsString::from("url.");
        key.push(place);
        key.push(".insteadOf");
        self.overrides.push((key, place.into()));
        self
    }

    /// The same, as a process of `mission`: if it outlives Arbiter, the next start ends it.
    pub(super) fn of_mission(mut self, mission: &str) -> Self {
        self.environment.push((MISSION, mission.into()));
        self
    }

    /// The same, with one more setting.
    pub(super) fn set(mut self, setting: &str) -> Self {
        self.options.extend(["-c".into(), setting.into()]);
        self
    }

    /// The same, in a sandbox.
    pub(super) fn caged(self, sandbox: Option<&Arc<Sandbox>>) -> Self {
        Self { sandbox: sandbox.cloned(), ..self }
    }

    /// The same, with time enough to write a whole tree.
    pub(super) fn patient(mut self) -> Self {
        self.time_limit = GIT_LONG;
        self
    }

    /// The same, with paths that mean themselves, whatever signs they have.
    pub(super) fn literal(mut self) -> Self {
        self.environment.push(("GIT_LITERAL_PATHSPECS", "1".into()));
        self
    }

    /// The same, for a question that takes no time.
    pub(super) fn probing(mut self) -> Self {
        self.time_limit = GIT_PROBE;
        self
    }

    /// Runs git and gives its output, or what it said when it refused.
    pub(super) async fn run<S: AsRef<OsStr>>(
        &self,
        doing: &str,
        arguments: &[S],
    ) -> Result<String, WorkspaceError> {
        Ok(self.ask(doing, arguments).await?.succeeded(doing)?.text())
    }

    /// Runs git and gives its answer whatever the exit status.
    pub(super) async fn ask<S: AsRef<OsStr>>(
        &self,
        doing: &str,
        arguments: &[S],
    ) -> Result<GitOutput, WorkspaceError> {
        let refused = |error: io::Error| WorkspaceError::Git { doing: doing.into(), said: error.to_string() };
        let mut guard = self.command(arguments).and_then(sandbox::gate::spawn).map_err(|error| {
            // The system reports a missing folder and a missing program alike.
            match std::fs::metadata(&self.folder) {
                Ok(found) if error.kind() == io::ErrorKind::NotFound && found.is_dir() => {
                    WorkspaceError::NoGit
                }
                Ok(_) => refused(error),
                Err(error) => WorkspaceError::Unreadable { path: self.folder.clone(), source: error },
            }
        })?;
        let mut output = Capture::new(GIT_ANSWER_BYTES_MAX, 0);
        let mut said = Capture::new(GIT_SAID_BYTES_MAX, 0);
        let (stdout, stderr) = (guard.child().stdout.take(), guard.child().stderr.take());
        let listen = async {
            if let (Some(mut stdout), Some(mut stderr)) = (stdout, stderr) {
                tokio::join!(output.drain(&mut stdout), said.drain(&mut stderr));
            }
            guard.wait().await
        };
        let ended = timeout(self.time_limit, patience::with_a_word(doing, GIT_WORD, listen)).await;
        if ended.is_err() {
            // Git removes its lock files when it is asked to leave, and not when it is killed.
            guard.stop().await;
        }
        guard.end().await;
        let status = ended
            .map_err(|_| WorkspaceError::Slow { doing: doing.into(), seconds: self.time_limit.as_secs() })?
            .map_err(refused)?;
        // It said neither yes nor no.
        if let Some(signal) = status.signal().or_else(|| self.sandbox.as_ref().and(signal_behind(status))) {
            return Err(WorkspaceError::Git { doing: doing.into(), said: format!("git {ENDED} {signal}") });
        }
        if self.sandbox.is_some() && status.code() == Some(sandbox::NOT_MADE.into()) {
            return Err(WorkspaceError::Unheld { why: said_of(&said) });
        }
        Ok(GitOutput {
            is_success: status.success(),
            code: status.code(),
            output: output.head().to_vec(),
            digest: output.digest(),
            said: said_of(&said),
        })
    }

    /// The same for a command that writes refs of `mission`: a lock that a killed git left on one of them is removed.
    pub(super) async fn write_refs<S: AsRef<OsStr>>(
        &self,
        doing: &str,
        arguments: &[S],
        mission: &str,
    ) -> Result<GitOutput, WorkspaceError> {
        let answer = self.ask(doing, arguments).await?;
        if !answer.is_success && locks::clear_stale(self, &answer.said, mission).await? {
            return self.ask(doing, arguments).await;
        }
        Ok(answer)
    }

    fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> io::Result<Command> {
        let words = self.options.iter().map(OsString::as_os_str).chain(arguments.iter().map(AsRef::as_ref));
        let mut command =
            sandbox::gate::command(&self.program, words, &self.folder, self.sandbox.as_deref())?;
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .env("LC_ALL", "C")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.env("GIT_CONFIG_COUNT", self.overrides.len().to_string());
        for (index, (key, value)) in self.overrides.iter().enumerate() {
            command
                .env(format!("GIT_CONFIG_KEY_{index}"), key)
                .env(format!("GIT_CONFIG_VALUE_{index}"), value);
        }
        Ok(command)
    }

    /// Switches off every filter: the clone's own are programs of the agent's choice, and those of the user's configuration
    /// obey what the clone's says to them.
    pub(super) async fn filters(&self) -> Result<Vec<(OsString, &'static str)>, WorkspaceError> {
        let arguments = ["config", "--name-only", "-z", "--get-regexp", r"^filter\."];
        let doing = "read the clone's configuration";
        let answer = self.ask(doing, &arguments).await?;
        // It says no where there is none, and more than no where it cannot be read.
        if !answer.is_success && !answer.said.is_empty() {
            return Err(WorkspaceError::Git { doing: doing.into(), said: answer.said });
        }
        if answer.output.len() >= GIT_ANSWER_BYTES_MAX {
            return Err(WorkspaceError::Git {
                doing: doing.into(),
                said: "it names too many filters".into(),
            });
        }
        let keys = answer.output.split(|byte| *byte == 0).filter(|key| !key.is_empty()).map(|key| {
            let value = if key.ends_with(b".required") { "false" } else { "" };
            (OsString::from_vec(key.to_vec()), value)
        });
        Ok(keys.collect())
    }
}

/// The highest exit status of git's own: it was called with wrong words.
const GIT_CODE_MAX: i32 = 129;

/// Settings of every command.
const OURS: [&str; 5] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.writeCommitGraph=false",
];

/// Settings of commands that make a repository of ours. An empty template has no hooks, which git would run in it.
const NEW: [&str; 4] = [
    "init.templateDir=",
    "init.defaultRefFormat=files",
    "clone.rejectShallow=false",
    "clone.filterSubmodules=false",
];

/// In a clone the files are those of the commit, byte by byte, whatever line ends the user likes.
const BYTES: [&str; 4] =
    ["core.autocrlf=false", "core.eol=lf", "core.safecrlf=false", "core.attributesFile=/dev/null"];

/// Settings that no repository in which an agent may have written may override.
const GUARDS: [&str; 5] = [
    "protocol.ext.allow=never",
    "diff.submodule=short",
    "status.submoduleSummary=false",
    "submodule.recurse=false",
    "core.untrackedCache=false",
];

/// The clone's `.git`. One that is not a folder would lead us to another repository.
pub(super) fn door(clone: &Path) -> Result<PathBuf, WorkspaceError> {
    let door = clone.join(".git");
    match std::fs::symlink_metadata(&door) {
        Ok(found) if found.is_dir() => Ok(door),
        Ok(_) => Err(WorkspaceError::Bent { folder: clone.to_path_buf() }),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Err(WorkspaceError::Bent { folder: clone.to_path_buf() })
        }
        Err(error) => Err(WorkspaceError::Unreadable { path: door, source: error }),
    }
}

/// Whether a folder is a repository of its own. What the disk does not tell is an error, never a no.
pub(super) fn has_door(folder: &Path) -> Result<bool, WorkspaceError> {
    match door(folder) {
        Ok(_) => Ok(true),
        Err(WorkspaceError::Bent { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The signal that ended git in its sandbox, which tells it by the exit status; 128 and 129 are git's own.
fn signal_behind(status: ExitStatus) -> Option<i32> {
    status.code().filter(|code| *code > GIT_CODE_MAX).map(|code| code - 128)
}

fn said_of(said: &Capture) -> String {
    printable(said.head()).trim().to_string()
}

impl GitOutput {
    /// The output, or what git said when it refused.
    pub(super) fn succeeded(self, doing: &str) -> Result<Self, WorkspaceError> {
        // Where the disk refuses one file of many, git warns, leaves it out and goes on.
        if self.is_success && !tells_a_lack(&self.said) {
            return Ok(self);
        }
        Err(WorkspaceError::Git { doing: doing.into(), said: self.said })
    }

    /// For commands that answer "no" with exit status 1: whether it is a yes. Any other failure is no answer.
    pub(super) fn is_yes(&self, doing: &str) -> Result<bool, WorkspaceError> {
        match self.code {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            Some(_) | None => Err(WorkspaceError::Git { doing: doing.into(), said: self.said.clone() }),
        }
    }

    /// The output without the line end that closes it.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.output).trim_end_matches('\n').to_string()
    }
}

/// A path as git reads it in a list, whatever signs it has.
pub(super) fn quoted(path: &Path) -> OsString {
    let mut text = vec![b'"'];
    for byte in path.as_os_str().as_encoded_bytes() {
        if matches!(byte, b'"' | b'\\') {
            text.push(b'\\');
        }
        text.push(*byte);
    }
    text.push(b'"');
    OsString::from_vec(text)
}

fn prefixed(prefix: &str, path: &Path) -> OsString {
    let mut option = OsString::from(prefix);
    option.push(path);
    option
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_machine_without_git_is_named() {
        let git = Git { program: "no-such-git".into(), ..Git::at(Path::new("/")) };
        let error = git.run("ask", &["version"]).await.unwrap_err();
        assert!(matches!(error, WorkspaceError::NoGit));
        assert!(error.hint().unwrap().contains("install git"));
    }

    #[test]
    fn a_sandbox_tells_a_signal_by_its_exit_status() {
        let ended = |code: i32| signal_behind(ExitStatus::from_raw(code << 8));
        assert_eq!([0, 1, 125, 128, 129].map(ended), [None; 5]);
        assert_eq!([137, 143].map(ended), [Some(9), Some(15)]);
    }
}
