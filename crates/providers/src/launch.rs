//! Starting a session's process. A provider names the program; the caller hands in what starts it, which sandbox holds
//! it, and how everything that it starts is ended.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::process::ExitStatus;

use mind::access::SandboxLevel;
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::process::ChildStderr;

/// A program with its arguments, folder and environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramCall {
    pub program: OsString,
    pub args: Vec<OsString>,
    pub folder: PathBuf,
    /// Variables set beside the inherited ones.
    pub env: Vec<(OsString, OsString)>,
}

/// Starts the processes of a provider's sessions.
pub trait Launcher: fmt::Debug + Send + Sync {
    /// Whether processes start in a sandbox. Then their environment is the sandbox's, and a program is
    /// seen without links.
    fn is_sandboxed(&self) -> bool;

    fn launch(&self, call: &ProgramCall) -> io::Result<Launched>;
}

pub struct Launched {
    pub stdin: UnixStream,
    pub stdout: UnixStream,
    pub stderr: ChildStderr,
    /// Keys that are written to the process first; they stand in no logbook.
    pub keys: Option<String>,
    /// Reads the first line of its output if that is the sandbox's report: the sandbox's level, or why it is not known.
    pub proof: Option<SandboxProof>,
    pub process: Box<dyn AgentProcess>,
}

/// What the first line of a sandboxed process says.
pub type SandboxProof = Box<dyn Fn(&str) -> Result<SandboxLevel, String> + Send + Sync>;

/// A pending result of a process.
pub type Waiting<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A running process. Dropping it kills it with everything that it started.
pub trait AgentProcess: Send + Sync {
    /// Its input was closed, so it should leave; if it does not, it is ended step by step.
    fn leave(&mut self) -> Waiting<'_, ()>;

    /// Waits until it is gone by itself, and ends what it leaves behind. May be dropped and called again.
    fn gone(&mut self) -> Waiting<'_, ()>;

    /// It closed its output, so it is about to exit: returns how it ended, if that can be learned.
    fn reap(&mut self) -> Waiting<'_, Option<ExitStatus>>;

    /// Kills it with everything that it started.
    fn end(&mut self) -> Waiting<'_, ()>;
}

impl Launched {
    /// Writes the process its keys. A closed pipe shows in its output, or in its end.
    pub(crate) async fn hand_keys(&mut self) {
        if let Some(keys) = self.keys.take() {
            let _ = self.stdin.write_all(keys.as_bytes()).await;
        }
    }
}
