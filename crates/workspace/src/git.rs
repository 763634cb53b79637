//! Git by its command line, on both sides: the user's repository and the mission's clone.
//!
//! No command of ours runs a hook or a file-system monitor, asks at a terminal, takes a lock it can do without, or
//! starts a collection in the background, and none takes one object for another (`git replace`). The clone's
//! configuration belongs to the agent, so nothing that it names is run either, and its folder is given, never searched
//! for.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use sandbox::Sandbox;

use super::capture::{Capture, printable};
use super::error::WorkspaceError;

use super::limits::{GIT_ANSWER_BYTES_MAX, GIT_LONG, GIT_SAID_BYTES_MAX, GIT_SHORT};
use sandbox::MISSION;

/// Git in one folder.
#[derive(Debug, Clone)]
pub(super) struct Git {
    program: OsString,
    folder: PathBuf,
    options: Vec<OsString>,
    /// Configuration whose names may hold any sign, which `-c` could not tell apart.
    overrides: Vec<(OsString, &'static str)>,
    environment: Vec<(&'static str, OsString)>,
    time_limit: Duration,
    /// The sandbox it runs in, for folders whose own configuration an agent may have written.
    sandbox: Option<Arc<Sandbox>>,
}

/// Git's answer, whatever its exit status.
#[derive(Debug)]
pub(super) struct GitOutput {
    pub(super) is_success: bool,
    /// The beginning of its output, as long as any answer we read.
    pub(super) output: Vec<u8>,
    /// The digest of all its output.
    pub(super) digest: String,
    pub(super) said: String,
}

impl Git {
    /// Git in a folder whose configuration is the user's own.
    pub(super) fn at(folder: &Path) -> Self {
        let options =
            ["core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0", "maintenance.auto=false"];
        Self {
            program: "git".into(),
            folder: std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf()),
            overrides: Vec::new(),
            environment: Vec::new(),
            options: options.iter().flat_map(|option| ["-c".into(), OsString::from(option)]).collect(),
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
        Ok(git)
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

    /// The same, with this message in the log of refs.
    pub(super) fn in_words(mut self, words: &str) -> Self {
        self.environment.push(("GIT_REFLOG_ACTION", words.into()));
        self
    }

    /// The same, with these filters switched off.
    pub(super) fn without(self, overrides: Vec<(OsString, &'static str)>) -> Self {
        Self { overrides, ..self }
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

    /// Runs git and gives its output, or what it said when it refused.
    pub(super) async fn run<S: AsRef<OsStr>>(
        &self,
        doing: &str,
        arguments: &[S],
    ) -> Result<String, WorkspaceError> {
        let answer = self.ask(doing, arguments).await?;
        if !answer.is_success {
            return Err(WorkspaceError::Git { doing: doing.into(), said: answer.said });
        }
        Ok(answer.text())
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
            let is_program = error.kind() == io::ErrorKind::NotFound && self.folder.is_dir();
            if is_program { WorkspaceError::NoGit } else { refused(error) }
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
        let ended = timeout(self.time_limit, listen).await;
        guard.end().await;
        let status = ended
            .map_err(|_| WorkspaceError::Slow { doing: doing.into(), seconds: self.time_limit.as_secs() })?
            .map_err(refused)?;
        Ok(GitOutput {
            is_success: status.success(),
            output: output.head().to_vec(),
            digest: output.digest(),
            said: printable(said.head()).trim().to_string(),
        })
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
        Ok(_) | Err(_) => Err(WorkspaceError::Bent { folder: clone.to_path_buf() }),
    }
}

impl GitOutput {
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
}
